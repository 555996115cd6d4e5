// Clusters of bodies that act on each other through joints, springs, frictions or possible contacts. The ground connects
// nothing. A force depends only on bodies of its own cluster.
#pragma once

#include <vector>

#include "model/scene/scene.hpp"

namespace delassus {

struct Clusters {
  std::vector<int> of_body;  // cluster of each body
  std::vector<bool>
      uses_position;  // of each cluster: whether its forces depend on positions, not only on velocities
};

Clusters clusters_of(Scene const& scene);

}  // namespace delassus
