#include "model/scene/cluster.hpp"

#include <algorithm>
#include <numeric>

namespace delassus {

Clusters clusters_of(Scene const& scene) {
  Clusters clusters;
  std::vector<int>& parent = clusters.of_body;
  parent.resize(scene.bodies.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto const root = [&](int body) {
    auto const up = [&](int from) -> int& { return parent[static_cast<std::size_t>(from)]; };
    while (up(body) != body)
      body = up(body) = up(up(body));  // halves the way, so that long chains stay quick
    return body;
  };
  std::vector<bool> positional(scene.bodies.size(), false);
  auto const connect = [&](int a, int b, bool uses_position) {
    for (int const body : {a, b}) {
      if (body != ground_body && uses_position) positional[static_cast<std::size_t>(body)] = true;
    }
    if (a == ground_body || b == ground_body) return;
    int const first = root(a), second = root(b);
    parent[static_cast<std::size_t>(std::max(first, second))] = std::min(first, second);
  };
  for (Joint const& joint : scene.joints) connect(joint.a.body, joint.b.body, true);
  for (Spring const& spring : scene.springs) connect(spring.a.body, spring.b.body, true);
  for (Contact const& contact : scene.contacts) connect(contact.a.point.body, contact.b.point.body, true);
  for (Rolling const& rolling : scene.rollings) connect(rolling.a.point.body, rolling.b.point.body, true);
  for (KnifeEdge const& edge : scene.knife_edges) connect(edge.point.body, ground_body, true);
  for (Friction const& friction : scene.frictions)
    connect(friction.point.body, friction.relative_to, friction.point.point >= 0);
  for (ContactGroup const& group : scene.groups) {
    int const first = scene.shapes[static_cast<std::size_t>(group.shapes.front())].body;
    for (int const shape : group.shapes)
      connect(first, scene.shapes[static_cast<std::size_t>(shape)].body, true);
  }
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = root(static_cast<int>(i));
  clusters.uses_position.assign(scene.bodies.size(), false);
  for (std::size_t i = 0; i < parent.size(); ++i) {
    if (positional[i]) clusters.uses_position[static_cast<std::size_t>(parent[i])] = true;
  }
  return clusters;
}

}  // namespace delassus
