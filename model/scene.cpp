#include "model/scene.hpp"

#include <algorithm>

#include "model/body_pose.hpp"
#include "model/mass_properties.hpp"
#include "model/number.hpp"
#include "model/restitution.hpp"

namespace delassus {
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

void update_calculated_parameters(Scene const& scene, std::span<double> parameters) {
  auto const at = [&](int index) -> double& { return parameters[static_cast<std::size_t>(index)]; };
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    Body const& body = scene.bodies[i];
    if (body.half_length >= 0)
      at(body.inertia) = at(body.mass) * at(body.half_length) * at(body.half_length) / 3;
    if (!body.from_shapes) continue;
    MassProperties properties =
        mass_properties(scene, static_cast<int>(i), body.density >= 0 ? at(body.density) : 1.0, parameters);
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
      Eigen::Matrix3d const& I = properties.inertia;
      double const numbers[]{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
      for (int k = 0; k < 6; ++k) at(body.inertia + k) = numbers[k];
    }
  }
  auto const zeta_of = [&](ContactParameters const& law) {
    if (law.restitution >= 0) at(law.zeta) = zeta_from_restitution(at(law.restitution));
  };
  for (Contact const& contact : scene.contacts) zeta_of(contact.law);
  for (ContactGroup const& group : scene.groups) zeta_of(group.law);
}

std::string problem_with_parameters(Scene const& scene, std::span<const double> parameters) {
  for (Body const& body : scene.bodies) {
    if (body.type != BodyType::rigid) continue;
    if (!is_inertia(inertia_parameter(parameters, body.inertia))) {
      return "the inertia of body '" + body.name +
             "' is one that no mass distribution has: its principal moments must be positive, and none "
             "larger than the sum of "
             "the other two";
    }
  }
  return "";
}

}  // namespace delassus
