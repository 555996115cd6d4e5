// Continuous collision of a scene: which shapes a motion between two configurations would lead through each other.
//
// Contact points at the start of a motion and at its end tell what happens in it as long as no pair moves far beside
// its size. A ball that is before a plate at the start and behind it at the end, or a rod that has turned through it,
// touches at neither. So pairs that move relative to each other by more than a share of half the width of the thinner
// one are looked at in between, by conservative advancement (time_of_impact.hpp); all others cost a comparison.
//
// A pair is passed where it sinks in by that share. Less is seen by its contact points at the end of the motion, and
// is not looked for: what slides or rolls with speed, or ends where it touches, is not cut.
#pragma once

#include <vector>

#include "model/equations/scene_system.hpp"
#include "model/geometry/swept_bounds.hpp"

namespace delassus {

// A shape over the motion.
struct SweptSide {
  MovingShape moving;
  int body = ground_body;
  bool frees = false;    // its body moves freely
  double half_size = 0;  // m, half of its least width; zero of a point, infinite of a plane
  double reach = 0;      // m, of its core, from the centre of mass
  double turn = 0;       // rad, over the motion; as far as it moves points: at most 2
};

class SweptWorkspace final : public SystemWorkspace {
 public:
  std::vector<BodyPose> poses;
  std::vector<Twist> twists;  // of the bodies, over the motion
  std::vector<SweptSide> sides;
  std::vector<Bounds> bounds;
  BroadPhase broad_phase;
};

}  // namespace delassus
