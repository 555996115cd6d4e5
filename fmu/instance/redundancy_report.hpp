// Joints that say the same thing twice.
#pragma once

#include <span>
#include <string>

#include "fmu/content/scene_model.hpp"

namespace delassus {

// One sentence on the joints and other bilateral constraints that are redundant at the start, with the number
// of rows too many; empty where none is. Their forces are then those of least norm; the motion is unique all
// the same.
std::string redundancy_report(SceneModel const& model, std::span<const double> parameters,
                              std::span<const double> inputs);

}  // namespace delassus
