// What can be seen only when the whole scene is there: at the start bodies must not overlap, and the parts of joints must meet.
#include <algorithm>
#include <cmath>

#include "model/number.hpp"
#include "model/scene_compiler.hpp"
#include "model/scene_system.hpp"

namespace delassus {
namespace {

// m and rad: what rounding in the numbers of a scene may leave.
constexpr double joint_tolerance = 1e-6;

// How deep two shapes may overlap at the start: a hundredth of the smaller one, a millimetre for points. The relaxation parts
// them softly; more would throw them apart.
double overlap_tolerance(ShapeGeometry const& a, ShapeGeometry const& b) {
  double smallest = 0.1;
  for (ShapeGeometry const* shape : {&a, &b}) {
    if (shape->radius > 0) smallest = std::min(smallest, shape->radius);
    for (double const half : shape->half) {
      if (half > 0) smallest = std::min(smallest, half);
    }
  }
  return 0.01 * smallest;
}

}  // namespace

void SceneCompiler::check_start(Scene const& scene) const {
  auto const line = [&](std::string const& name) {
    auto const found = lines_.find(name);
    return found == lines_.end() ? 0 : found->second;
  };
  std::vector<double> const parameters = scene.default_parameters(), inputs = scene.default_inputs();
  if (std::string const problem = problem_with_parameters(scene, parameters); !problem.empty())
    throw SceneError(source_.file, source_.root.line, problem);
  SceneSystem const system(scene);
  std::vector<double> q(static_cast<std::size_t>(scene.configuration_size)),
      v(static_cast<std::size_t>(scene.velocity_size));
  system.initial_state(parameters, inputs, q, v);
  Instant const at{scene.experiment.start, q, v, inputs, parameters};

  for (Joint const& joint : scene.joints) {
    JointRows const rows = system.joint_rows(joint, at);
    double squared = 0;
    for (int i = 0; i < rows.translations; ++i) {
      double const apart = rows.row[static_cast<std::size_t>(i)].Psi;
      squared += apart * apart;
    }
    if (std::sqrt(squared) > joint_tolerance) {
      throw SceneError(source_.file, line(joint.name),
                       "the parts of joint " + quoted(joint.name) + " do not meet: at the start they are " +
                           format_number(std::sqrt(squared)) +
                           " m apart; move a body, or name 'b' without a point");
    }
  }
  auto const refuse_overlap = [&](std::string const& owner, std::string const& a, std::string const& b,
                                  double gap) {
    throw SceneError(source_.file, line(owner),
                     quoted(b) + " overlaps " + quoted(a) + " at the start by " + format_number(-gap) +
                         " m (" + owner + "); move them apart");
  };
  auto const placed_side = [&](ContactSide const& side, int height) {
    return place(scene, side, height, pose_of(scene, side.point.body, at), parameters);
  };
  for (Contact const& contact : scene.contacts) {
    if (contact.law.normal == NormalLaw::bilateral) {
      double const gap = system.nearest(contact, at).gap;
      if (std::abs(gap) > joint_tolerance) {
        throw SceneError(source_.file, line(contact.name),
                         "the sides of bilateral contact " + quoted(contact.name) +
                             " do not meet: at the start the gap is " + format_number(gap) + " m");
      }
      continue;
    }
    PlacedShape const a = placed_side(contact.a, contact.height), b = placed_side(contact.b, contact.height);
    double const gap = smallest_gap(a.geometry, a.pose, b.geometry, b.pose, scene.dimension);
    if (gap < -overlap_tolerance(a.geometry, b.geometry))
      refuse_overlap(contact.name, name_of(contact.a), name_of(contact.b), gap);
  }
  // Groups: every pair that a margin of zero finds.
  for (ContactGroup const& group : scene.groups) {
    std::vector<ContactSide> sides;
    for (int const shape : group.shapes)
      sides.push_back({{scene.shapes[static_cast<std::size_t>(shape)].body, -1}, shape});
    if (group.with_ground) sides.push_back({{ground_body, -1}, -1});
    std::vector<PlacedShape> placed;
    std::vector<Bounds> bounds;
    for (ContactSide const& side : sides) {
      placed.push_back(placed_side(side, group.height));
      bounds.push_back(bounds_of(placed.back().geometry, placed.back().pose, 0));
    }
    BroadPhase broad_phase;
    for (auto const& [i, j] : broad_phase.find_pairs(bounds)) {
      auto const a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (sides[a].point.body == sides[b].point.body) continue;
      if (!moves(sides[a].point.body) && !moves(sides[b].point.body)) continue;
      if (!can_collide(placed[a].geometry.kind, placed[b].geometry.kind)) continue;
      double const gap = smallest_gap(placed[a].geometry, placed[a].pose, placed[b].geometry, placed[b].pose,
                                      scene.dimension);
      if (gap < -overlap_tolerance(placed[a].geometry, placed[b].geometry))
        refuse_overlap(group.name, name_of(sides[a]), name_of(sides[b]), gap);
    }
  }
}

}  // namespace delassus
