// Whether a snapshot that was read from bytes is one that an instance of this scene could have taken.
#pragma once

#include "fmu/content/scene_model.hpp"
#include "fmu/instance/snapshot.hpp"

namespace delassus {

void check_snapshot(SceneModel const& model, Snapshot const& snapshot);  // throws SlaveError with the reason

}  // namespace delassus
