// Checks of the initial state, which need the whole scene with its numbers.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/scene/scene.hpp"

namespace delassus {

struct StartProblem {
  std::string element;  // name of the joint, contact or group
  std::string message;
};

// Initially, bodies must not overlap, the parts of joints must meet, and limits must hold.
std::optional<StartProblem> find_start_problem(Scene const& scene, std::span<const double> parameters,
                                               std::span<const double> inputs);

// The name of a side for messages: `box.lid`, `rod.tip`, `rod`, `ground`.
std::string name_of_side(Scene const& scene, ContactSide const& side);

}  // namespace delassus
