#include "model/contact_law.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

double at(std::span<const double> parameter, int index) {
  return parameter[static_cast<std::size_t>(index)];
}

}  // namespace

double friction_bound(FrictionParameters const& law, std::span<const double> parameter, double speed) {
  if (law.kinetic < 0) return 0;
  double bound = at(parameter, law.kinetic);
  if (law.static_ >= 0) {
    double const ratio = speed / at(parameter, law.stribeck_velocity);
    bound += (at(parameter, law.static_) - bound) * std::exp(-ratio * ratio);
  }
  if (law.weakening >= 0) bound /= 1 + at(parameter, law.weakening) * speed;
  return bound;
}

double compliant_normal_force(ContactParameters const& law, std::span<const double> parameter, double x,
                              double xdot) {
  if (!(x > 0)) return 0;
  double const K = at(parameter, law.stiffness), damping = at(parameter, law.damping);
  if (law.normal == NormalLaw::kelvin_voigt) return std::max(0.0, K * x + damping * xdot);
  return std::max(0.0, K * std::pow(x, at(parameter, law.exponent)) * (1 + 1.5 * damping * xdot));
}

double compliant_energy(ContactParameters const& law, std::span<const double> parameter, double x) {
  if (!(x > 0)) return 0;
  double const K = at(parameter, law.stiffness);
  if (law.normal == NormalLaw::kelvin_voigt) return K * x * x / 2;
  double const beta = at(parameter, law.exponent);
  return K * std::pow(x, beta + 1) / (beta + 1);
}

Eigen::Vector2d smooth_friction(ContactParameters const& law, std::span<const double> parameter,
                                Eigen::Vector2d const& velocity) {
  double const speed = velocity.norm(), gamma = at(parameter, law.gamma);
  double const mu = friction_bound(law.mu, parameter, speed);
  // tanh(v/gamma)/v tends to 1/gamma at rest.
  double const factor = speed > 1e-9 * gamma ? std::tanh(speed / gamma) / speed : 1 / gamma;
  return -mu * factor * velocity;
}

CompliantFriction compliant_friction(ContactParameters const& law, std::span<const double> parameter,
                                     double normal_force, Eigen::Vector2d const& velocity,
                                     Eigen::Vector2d const& deflection) {
  double const K = at(parameter, law.tangential_stiffness), C = at(parameter, law.tangential_damping);
  double const bound = friction_bound(law.mu, parameter, velocity.norm()) * normal_force;
  CompliantFriction friction{K * deflection - C * velocity, -velocity, true};
  double const size = friction.force.norm();
  if (size <= bound && normal_force > 0) return friction;
  friction.force *= size > 0 ? bound / size : 0.0;
  friction.deflection_rate = (friction.force - K * deflection) / C;
  friction.sticks = false;
  return friction;
}

}  // namespace delassus
