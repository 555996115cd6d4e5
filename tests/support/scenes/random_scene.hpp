// Random everyday scenes as XML text: two to ten bodies of all shapes, in the plane or in space, with joints, springs
// and contact laws of all kinds. Bodies do not overlap at the start, and joints fit.
//
// A recipe says what a scene may have, and its seed the rest. Every body, joint and spring draws from a sequence of its
// own, so that a recipe with less in it keeps the rest: a failing scene can be made smaller. The same recipe can be
// written in another frame (the whole scene turned and shifted) and in other units (mm, g, ms).
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace delassus {

struct SceneRecipe {
  std::uint64_t seed = 0;
  int bodies = 2;        // that move
  bool space = false;    // otherwise in the plane
  bool floor = false;    // a fixed body of planes or a box; without it, nothing holds the bodies
  bool gravity = false;  // only with a floor
  bool contacts = false;
  bool joints = false;
  bool springs = false;
  bool compound = false;         // bodies of several shapes
  bool wide_masses = false;      // over six decades; otherwise over one
  bool law_of_each = false;      // every pair has a contact law of its own; otherwise one law for all
  bool compliant = false;        // contact laws may be kelvin_voigt and hunt_crossley
  bool smooth_friction = false;  // friction may be smooth
  bool dissipation = false;      // dampers, friction of joints
  bool limits = false;           // of joints

  bool free() const { return !floor; }
};
std::ostream& operator<<(std::ostream& stream, SceneRecipe const& recipe);

// x becomes turn x + shift; a metre is `metre` units of length, and so on. In mm, g and ms all three are 1,000.
struct SceneFrame {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  // m
  double metre = 1, kilogram = 1, second = 1;
};
// Turned and shifted by random numbers of this seed; in the plane about z.
SceneFrame random_frame(SceneRecipe const& recipe);
inline SceneFrame millimetres() {
  return {.metre = 1e3, .kilogram = 1e3, .second = 1e3};
}

std::string random_scene(SceneRecipe const& recipe, SceneFrame const& frame = {});

}  // namespace delassus
