// How a recorded scene moves, frame by frame: poses of bodies, contact forces in the world and in their cones, forces of inputs.
// Frames are rows of the table, evenly spread, as many as a page can carry.
#pragma once

#include <string>
#include <vector>

#include "tools/report/recorded_scene.hpp"
#include "tools/report/scene_drawing.hpp"

namespace delassus {

// Vectors over frames, component by component: all first components, then all second ones. A vector has as many components as
// the scene has dimensions.
struct ContactTrack {
  std::string name;
  bool frictional = false;
  bool bilateral = false;     // its normal force may pull: the cone is a double one
  bool several = false;       // a sum over points, each of which has its own cone
  int bounded_axes = 0;       // dry friction of known bound, along so many axes; 0: a contact with its cone
  std::vector<double> place;  // m, of the contact point
  std::vector<double> force;  // N, on the body, in the world
  std::vector<double>
      lambda;  // N, tangential first, normal last, as the papers write; of bounded friction along its axes
  std::vector<double>
      mu;  // one component: the friction coefficient at the speed of slip; of bounded friction the bound, N
};

struct InputForceTrack {
  std::string name;
  DrawnPoint point;
  std::vector<double> force;  // N, in the world
};

// The contact points of a group come and go: `count` of them in each frame, then place and force of each, frame by frame.
struct GroupTrack {
  std::string name;
  std::vector<double> count, places, forces;
};

// How far the surface of a belt has gone: its body stays.
struct SurfaceTrack {
  int body = 0;
  std::vector<double> way;  // m, of the surface at the body's origin
};

struct SceneTrack {
  std::string name;  // of the component in its system; empty where there is none
  SceneDrawing drawing;
  std::vector<std::size_t> rows;  // of the table, one for each frame
  // Of the bodies that move, one after another: place, then where it turns the angle or the quaternion w x y z;
  // each component over all frames.
  std::vector<double> poses;
  std::vector<ContactTrack> contacts;
  std::vector<InputForceTrack> inputs;
  std::vector<GroupTrack> groups;
  std::vector<SurfaceTrack> surfaces;
  std::vector<std::string> notes;

  std::size_t values() const;  // numbers that it holds
};

// No more than `most_values` numbers in all frames together, and no more than `most_frames`.
SceneTrack track_scene(RecordedScene& scene, std::size_t most_values, std::size_t most_frames);

}  // namespace delassus
