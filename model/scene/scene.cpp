#include "model/scene/scene.hpp"

#include <algorithm>
#include <cmath>

#include "model/scene/body_mass.hpp"
#include "model/scene/body_pose.hpp"
#include "model/scene/number.hpp"

namespace delassus {

bool Scene::has_law_of(ContactGroup const& group, int shape_a, int shape_b) const {
  std::array const pair{std::min(shape_a, shape_b), std::max(shape_a, shape_b)};
  if (std::binary_search(group.declared.begin(), group.declared.end(), pair)) return false;
  return std::none_of(group.yields_to.begin(), group.yields_to.end(), [&](int other) {
    ContactGroup const& smaller = groups[static_cast<std::size_t>(other)];
    return smaller.holds(shape_a) && smaller.holds(shape_b);
  });
}

std::vector<double> Scene::default_parameters() const {
  std::vector<double> values;
  for (Parameter const& parameter : parameters)
    values.insert(values.end(), parameter.values.begin(), parameter.values.end());
  update_calculated_parameters(*this, values);
  return values;
}

std::vector<double> Scene::default_inputs() const {
  std::vector<double> values(static_cast<std::size_t>(input_size));
  auto const put = [&](std::vector<double> const& start, int first) {
    std::copy(start.begin(), start.end(), values.begin() + first);
  };
  for (ForceInput const& force : forces) put(force.start, force.first);
  for (TorqueInput const& torque : torques) put(torque.start, torque.first);
  for (MotionInput const& motion : motions) put(motion.start, motion.first);
  for (Joint const& joint : joints) {
    if (joint.drive >= 0) values[static_cast<std::size_t>(joint.drive)] = joint.drive_start;
  }
  return values;
}

namespace {

template <class Scalar>
void update(Scene const& scene, std::span<Scalar> parameters) {
  auto const at = [&](int index) -> Scalar& { return parameters[static_cast<std::size_t>(index)]; };
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    Body const& body = scene.bodies[i];
    if (body.half_length >= 0)
      at(body.inertia) = at(body.mass) * at(body.half_length) * at(body.half_length) / 3;
    if (!body.from_shapes) continue;
    MassPropertiesOf<Scalar> properties = mass_of_body<Scalar>(
        scene, static_cast<int>(i), body.density >= 0 ? at(body.density) : Scalar(1.0), parameters);
    if (body.density >= 0) {
      at(body.mass) = properties.mass;
    } else if (properties.mass > 0) {
      properties.inertia *= at(body.mass) / properties.mass;
    }
    if (body.center_of_mass >= 0) {
      for (int k = 0; k < scene.dimension; ++k) at(body.center_of_mass + k) = properties.center[k];
    }
    if (body.type == BodyType::planar) at(body.inertia) = properties.inertia(2, 2);
    if (body.type == BodyType::rigid) {
      Matrix3<Scalar> const& I = properties.inertia;
      Scalar const numbers[]{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
      for (int k = 0; k < 6; ++k) at(body.inertia + k) = numbers[k];
    }
  }
}

}  // namespace

void update_calculated_parameters(Scene const& scene, std::span<double> parameters) {
  update(scene, parameters);
}
void update_calculated_parameters(Scene const& scene, std::span<Dual> parameters) {
  update(scene, parameters);
}

namespace {

// Mass and inertia of shapes so large or so small that numbers do not hold them, in SI units.
std::string problem_with_size(Scene const& scene, Body const& body, std::span<const double> parameters) {
  auto const at = [&](int index) { return parameters[static_cast<std::size_t>(index)]; };
  if (!body.from_shapes || (body.density < 0 && !(at(body.mass) > 0))) return "";
  auto const held = [&](int index) { return std::isfinite(at(index)) && at(index) != 0; };
  bool const turns = body.type == BodyType::planar || body.type == BodyType::rigid;
  int const moments = body.type == BodyType::rigid ? 3 : turns ? 1 : 0;
  bool whole = held(body.mass);
  for (int k = 0; k < moments; ++k) whole = whole && held(body.inertia + k);
  if (whole) return "";
  double largest = 0;
  for (int i = body.first_shape; i < body.first_shape + body.shapes; ++i) {
    Shape const& shape = scene.shapes[static_cast<std::size_t>(i)];
    for (int const size : {shape.radius, shape.half_length}) {
      if (size >= 0) largest = std::max(largest, at(size));
    }
    for (int k = 0; shape.half_size >= 0 && k < scene.dimension; ++k)
      largest = std::max(largest, at(shape.half_size + k));
  }
  return (held(body.mass)
              ? "the inertia of body '" + body.name + "' cannot be calculated"
              : "the mass of body '" + body.name + "' is " + format_number(at(body.mass)) + " kg") +
         ": it goes with powers of the size of its shapes, of up to " + format_number(largest) +
         " m, and numbers end at 1.8e308 and 2.2e-308; write lengths in m, and of a size that bodies have";
}

}  // namespace

std::string problem_with_parameters(Scene const& scene, std::span<const double> parameters) {
  auto const at = [&](int index) { return parameters[static_cast<std::size_t>(index)]; };
  auto const proper = [](double value) { return std::isfinite(value) && value > 0; };
  // kg.m2: of the largest mass and size.
  constexpr Range inertias{0, 1e54, true};
  auto const range_of = [&](int index) {
    return std::ranges::lower_bound(scene.parameters, index, {}, &Parameter::first)->range;
  };
  for (Body const& body : scene.bodies) {
    if (!body.moves_freely()) continue;
    if (std::string text = problem_with_size(scene, body, parameters); !text.empty()) return text;
    if (!proper(at(body.mass)) || !range_of(body.mass).contains(at(body.mass)))
      return "the mass of body '" + body.name + "' is " + format_number(at(body.mass)) + " kg and must be " +
             range_of(body.mass).text();
    for (int k = 0; body.inertia >= 0 && k < (body.type == BodyType::rigid ? 3 : 1); ++k) {
      double const moment = at(body.inertia + k);
      if (body.type == BodyType::rigid && !(moment > 0)) continue;  // said below
      if (!proper(moment) || !inertias.contains(moment))
        return "the inertia of body '" + body.name + "' is " + format_number(moment) + " kg.m2 and must be " +
               inertias.text();
    }
    if (body.type == BodyType::rigid && !is_inertia(inertia_parameter(parameters, body.inertia))) {
      return "the inertia of body '" + body.name +
             "' is one that no mass distribution has: its principal moments must be positive, and none "
             "larger than "
             "the sum of the other two";
    }
  }
  auto const no_direction = [&](int index) {
    return index >= 0 && !proper(vector_parameter(parameters, index, scene.dimension).stableNorm());
  };
  for (Joint const& joint : scene.joints) {
    if (no_direction(joint.axis))
      return "the axis of joint '" + joint.name + "' is not a direction; it must not be zero";
    if (joint.lower >= 0 && joint.upper >= 0 && at(joint.lower) > at(joint.upper))
      return "joint '" + joint.name + "' has a lower limit above its upper one";
  }
  for (Shape const& shape : scene.shapes) {
    if (no_direction(shape.normal))
      return "the normal of plane '" + shape.name + "' is not a direction; it must not be zero";
  }
  for (KnifeEdge const& edge : scene.knife_edges) {
    if (no_direction(edge.direction)) return "the direction of knife edge '" + edge.name + "' is none";
  }
  return "";
}

}  // namespace delassus
