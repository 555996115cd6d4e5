// A report on redundant constraints.
#pragma once

#include <span>
#include <string>

#include "fmu/content/scene_model.hpp"

namespace delassus {

// One sentence on the joints and other bilateral constraints that are initially redundant, with the number of
// redundant rows; empty if there are none. Their forces are those of least norm, and the motion is still
// unique.
std::string redundancy_report(SceneModel const& model, std::span<const double> parameters,
                              std::span<const double> inputs);

}  // namespace delassus
