// What can be seen only when the whole scene is there, with its numbers.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/scene/scene.hpp"

namespace delassus {

struct StartProblem {
  std::string element;  // the name of the joint, contact or group that it is about
  std::string message;
};

// At the start bodies must not overlap, the parts of joints must meet, and limits must hold.
std::optional<StartProblem> find_start_problem(Scene const& scene, std::span<const double> parameters,
                                               std::span<const double> inputs);

// The name of a side for messages: `box.lid`, `rod.tip`, `rod`, `ground`.
std::string name_of_side(Scene const& scene, ContactSide const& side);

}  // namespace delassus
