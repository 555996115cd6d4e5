#include "model/scene.hpp"

#include "model/restitution.hpp"

namespace delassus {

int Scene::input_count() const {
  int count = 0;
  for (ForceInput const& force : forces) count += static_cast<int>(force.start.size());
  return count + static_cast<int>(torques.size());
}

std::vector<double> Scene::default_parameters() const {
  std::vector<double> values;
  for (Parameter const& parameter : parameters)
    values.insert(values.end(), parameter.values.begin(), parameter.values.end());
  update_calculated_parameters(*this, values);
  return values;
}

std::vector<double> Scene::default_inputs() const {
  std::vector<double> values(static_cast<std::size_t>(input_count()));
  for (ForceInput const& force : forces)
    std::copy(force.start.begin(), force.start.end(), values.begin() + force.first);
  for (TorqueInput const& torque : torques) values[static_cast<std::size_t>(torque.first)] = torque.start;
  return values;
}

void update_calculated_parameters(Scene const& scene, std::vector<double>& parameters) {
  auto const at = [&](int index) -> double& { return parameters[static_cast<std::size_t>(index)]; };
  for (Body const& body : scene.bodies) {
    if (body.half_length >= 0)
      at(body.inertia) = at(body.mass) * at(body.half_length) * at(body.half_length) / 3;
  }
  for (Contact const& contact : scene.contacts) {
    if (contact.restitution >= 0) at(contact.zeta) = zeta_from_restitution(at(contact.restitution));
  }
}

}  // namespace delassus
