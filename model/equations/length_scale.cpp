#include "model/equations/length_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "model/equations/joint_rows.hpp"
#include "model/equations/scene_system.hpp"
#include "model/scene/body_pose.hpp"
#include "model/scene/placed_shape.hpp"

namespace delassus {
namespace {

constexpr double least_share_of_extent = 1e-5;

// Of each body; of a point mass, or a body without shapes and points: 0.
std::vector<double> reaches(Scene const& scene, std::span<const double> parameter) {
  std::vector<double> reach(scene.bodies.size());
  for (Shape const& shape : scene.shapes) {
    if (shape.kind == ShapeKind::plane) continue;
    ShapeGeometry const geometry = geometry_of<double>(scene, shape, parameter);
    double& own = reach[static_cast<std::size_t>(shape.body)];
    own = std::max(own, geometry.half.norm() + geometry.radius);
  }
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    BodyPoint const& point = scene.points[i];
    auto const body = static_cast<std::size_t>(point.body);
    if (scene.bodies[body].shapes > 0) continue;
    reach[body] = std::max(reach[body],
                           point_in_body<double>(scene, {point.body, static_cast<int>(i)}, parameter).norm());
  }
  return reach;
}

}  // namespace

double length_scale(Scene const& scene, std::span<const double> parameter) {
  std::vector<double> const reach = reaches(scene, parameter);
  double smallest = std::numeric_limits<double>::infinity(), extent = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    Body const& body = scene.bodies[i];
    if (!body.moves_freely()) continue;
    if (reach[i] > 0) smallest = std::min(smallest, reach[i]);
    int const components = body.type == BodyType::slider ? 1 : scene.dimension;
    if (body.initial_position >= 0)
      extent =
          std::max(extent, vector_parameter<double>(parameter, body.initial_position, components).norm());
  }
  double const scale =
      smallest < std::numeric_limits<double>::infinity() ? smallest : (extent > 0 ? extent : 1.0);
  return std::max(scale, least_share_of_extent * extent);
}

double SceneSystem::length_scale(std::span<const double> parameter) const {
  return delassus::length_scale(*scene_, parameter);
}

// Limits and friction are of the coordinate of a joint, which is a length where it slides. A spring that is stiff is a
// block.
bool SceneSystem::is_angular(BlockIdentity identity) const {
  if (owner_of(identity) == BlockOwner::spring) return scene_->springs.at(element_of(identity)).torsional;
  if (owner_of(identity) != BlockOwner::joint) return false;
  constexpr BlockIdentity part = 0xff;
  switch (static_cast<JointPart>(identity & part)) {
    case JointPart::translations:
      return false;
    case JointPart::rotations:
      return true;
    default:
      return has_free_angle(scene_->joints.at(element_of(identity)).type);
  }
}

}  // namespace delassus
