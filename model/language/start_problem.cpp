#include "model/language/start_problem.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "model/equations/group_pairs.hpp"
#include "model/equations/scene_system.hpp"
#include "model/language/element_reader.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

// m and rad: the error that rounded numbers in a scene may cause.
constexpr double joint_tolerance = 1e-6;

// A length in m that was computed from the scene: nine digits still show what the tolerances judge, and leave out the
// rounding in the last ones.
std::string measured(double length) {
  char buffer[32];
  auto const result = std::to_chars(buffer, buffer + sizeof buffer, length, std::chars_format::general, 9);
  return {buffer, result.ptr};
}

// The largest initial overlap of two rigid shapes: a hundredth of the size of the smaller one, a millimetre
// for points. The relaxation separates them gently; a larger overlap would throw them apart.
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

std::optional<std::string> problem_of_joint(Joint const& joint, JointRows const& rows,
                                            std::span<const double> parameters) {
  double squared = 0;
  for (int i = 0; i < rows.translations; ++i) {
    double const apart = rows.row[static_cast<std::size_t>(i)].Psi;
    squared += apart * apart;
  }
  double const apart = std::sqrt(squared);
  if (joint.type == JointType::distance) {
    double const length = joint.length >= 0 ? parameters[static_cast<std::size_t>(joint.length)] : -1;
    if (rows.distance == 0) {
      return "the ends of joint " + quoted(joint.name) +
             " lie in one point: a distance of zero has no direction; use a revolute or spherical joint";
    }
    if (joint.length >= 0 && apart > joint_tolerance) {
      return "the ends of joint " + quoted(joint.name) + " are " + measured(rows.distance) +
             " m apart at the start, and its length is " + format_number(length) +
             " m; move a body, or leave out 'length'";
    }
    return {};
  }
  if (apart > joint_tolerance) {
    return "the parts of joint " + quoted(joint.name) + " do not meet: at the start they are " +
           measured(apart) + " m apart; move a body, or name 'b' without a point";
  }
  for (int const limit : {joint.lower, joint.upper}) {
    if (limit < 0) continue;
    double const value = parameters[static_cast<std::size_t>(limit)];
    double const beyond = limit == joint.lower ? value - rows.coordinate : rows.coordinate - value;
    if (beyond > joint_tolerance) {
      return "joint " + quoted(joint.name) + " starts beyond its " +
             (limit == joint.lower ? "lower" : "upper") + " limit " + format_number(value) +
             ": its coordinate is zero at the start";
    }
  }
  return {};
}

// An angle of more than a turn was hardly meant in radians.
std::string said_in_degrees(Scene const& scene, ContactSide const& side, std::span<const double> parameters) {
  if (side.point.body == ground_body) return "";
  Body const& body = scene.bodies[static_cast<std::size_t>(side.point.body)];
  if (body.initial_angle < 0 || scene.dimension != 2) return "";
  double const angle = parameters[static_cast<std::size_t>(body.initial_angle)];
  if (std::abs(angle) <= 2 * std::numbers::pi) return "";
  return "; the angle of " + quoted(body.name) + " is " + measured(angle) + " rad, more than a turn: write " +
         measured(angle) + "deg if degrees are meant";
}

}  // namespace

std::string name_of_side(Scene const& scene, ContactSide const& side) {
  if (side.shape >= 0) return scene.shapes[static_cast<std::size_t>(side.shape)].name;
  if (side.point.body == ground_body) return "ground";
  return side.point.point >= 0 ? scene.points[static_cast<std::size_t>(side.point.point)].name
                               : scene.bodies[static_cast<std::size_t>(side.point.body)].name;
}

std::optional<StartProblem> find_start_problem(Scene const& scene, std::span<const double> parameters,
                                               std::span<const double> inputs) {
  SceneSystem const system(scene);
  std::vector<double> q(static_cast<std::size_t>(scene.configuration_size)),
      v(static_cast<std::size_t>(scene.velocity_size));
  system.initial_state(parameters, inputs, q, v);
  Instant const at{scene.experiment.start, q, v, inputs, parameters};

  for (Joint const& joint : scene.joints) {
    if (auto const problem = problem_of_joint(joint, system.joint_rows(joint, at), parameters))
      return StartProblem{joint.name, *problem};
  }
  auto const joint_of = [&](ContactSide const& a, ContactSide const& b) -> std::string {
    for (Joint const& joint : scene.joints) {
      bool const joins = (joint.a.body == a.point.body && joint.b.body == b.point.body) ||
                         (joint.a.body == b.point.body && joint.b.body == a.point.body);
      if (joins)
        return "; joint " + quoted(joint.name) +
               " holds them together, and what is joined touches as well: make the shapes shorter, or let "
               "'between' "
               "name only bodies that may meet";
    }
    return "; move them apart";
  };
  auto const overlap = [&](std::string const& owner, ContactSide const& a, ContactSide const& b, double gap,
                           double most) {
    return StartProblem{
        owner, quoted(name_of_side(scene, b)) + " overlaps " + quoted(name_of_side(scene, a)) +
                   " at the start by " + measured(-gap) + " m (" + owner + "); at most " + measured(most) +
                   " m are allowed for rigid shapes of this size" + joint_of(a, b) +
                   said_in_degrees(scene, a, parameters) + said_in_degrees(scene, b, parameters)};
  };
  for (Contact const& contact : scene.contacts) {
    if (contact.law.normal == NormalLaw::bilateral) {
      double const gap = system.nearest(contact, at).gap;
      if (std::abs(gap) > joint_tolerance) {
        return StartProblem{contact.name, "the sides of bilateral contact " + quoted(contact.name) +
                                              " do not meet: at the start the gap is " + measured(gap) +
                                              " m"};
      }
    }
    // Compliant contacts may overlap: that is how they rest.
    if (contact.law.normal != NormalLaw::rigid) continue;
    auto const placed = [&](ContactSide const& side) {
      return place(scene, side, contact.height, pose_of(scene, side.point.body, at), parameters);
    };
    PlacedShape const a = placed(contact.a), b = placed(contact.b);
    double const gap = smallest_gap(a.geometry, a.pose, b.geometry, b.pose, scene.dimension);
    double const most = overlap_tolerance(a.geometry, b.geometry);
    if (gap < -most) return overlap(contact.name, contact.a, contact.b, gap, most);
  }
  for (ContactGroup const& group : scene.groups) {
    if (group.law.compliant()) continue;
    std::optional<StartProblem> found;
    for_each_pair(scene, group, at, [&](GroupPair const& pair) {
      double const gap =
          smallest_gap(pair.a.geometry, pair.a.pose, pair.b.geometry, pair.b.pose, scene.dimension);
      double const most = overlap_tolerance(pair.a.geometry, pair.b.geometry);
      if (!found && gap < -most) found = overlap(group.name, pair.side_a, pair.side_b, gap, most);
    });
    if (found) return found;
  }
  return {};
}

}  // namespace delassus
