// Which bodies act on each other: bodies that a joint, a spring, a friction or a possible contact connects
// are one cluster. The ground connects nothing. What a force follows lies within its cluster.
#pragma once

#include <vector>

#include "model/scene/scene.hpp"

namespace delassus {

struct Clusters {
  std::vector<int> of_body;  // cluster of each body
  std::vector<bool>
      uses_position;  // of each cluster: whether its forces follow where its bodies are, not only how they move
};

Clusters clusters_of(Scene const& scene);

}  // namespace delassus
