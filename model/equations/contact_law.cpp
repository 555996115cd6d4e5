#include "model/equations/contact_law.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

template <class Scalar>
Scalar at(std::span<const Scalar> parameter, int index) {
  return parameter[static_cast<std::size_t>(index)];
}

template <class Scalar>
Vector2<Scalar> within(Scalar bound, Vector2<Scalar> const& force) {
  Scalar const size = force.norm();
  if (!(size > bound)) return force;
  return force * (bound / size);
}

}  // namespace

template <class Scalar>
Scalar friction_bound(FrictionParameters const& law, std::span<const Scalar> parameter, Scalar speed) {
  if (law.kinetic < 0) return 0;
  Scalar bound = at<Scalar>(parameter, law.kinetic);
  if (law.static_ >= 0) {
    Scalar const ratio = speed / at<Scalar>(parameter, law.stribeck_velocity);
    bound += (at<Scalar>(parameter, law.static_) - bound) * exp(-ratio * ratio);
  }
  if (law.weakening >= 0) bound /= 1 + at<Scalar>(parameter, law.weakening) * speed;
  return bound;
}

template <class Scalar>
Scalar compliant_normal_force(ContactParameters const& law, std::span<const Scalar> parameter, Scalar x,
                              Scalar xdot) {
  if (!(x > 0)) return 0;
  Scalar const K = at<Scalar>(parameter, law.stiffness), damping = at<Scalar>(parameter, law.damping);
  if (law.normal == NormalLaw::kelvin_voigt) return std::max<Scalar>(0.0, K * x + damping * xdot);
  return std::max<Scalar>(0.0, K * pow(x, at<Scalar>(parameter, law.exponent)) * (1 + 1.5 * damping * xdot));
}

template <class Scalar>
Scalar compliant_energy(ContactParameters const& law, std::span<const Scalar> parameter, Scalar x) {
  if (!(x > 0)) return 0;
  Scalar const K = at<Scalar>(parameter, law.stiffness);
  if (law.normal == NormalLaw::kelvin_voigt) return K * x * x / 2;
  Scalar const beta = at<Scalar>(parameter, law.exponent);
  return K * pow(x, beta + 1) / (beta + 1);
}

template <class Scalar>
Scalar compliant_force_over_step(ContactParameters const& law, std::span<const Scalar> parameter, Scalar x_0,
                                 Scalar x_1, double h) {
  // Nearer ends would leave only rounding of the difference; the middle is exact to their square.
  constexpr double near = 1e-6;
  Scalar const in_0 = std::max<Scalar>(x_0, 0.0), in_1 = std::max<Scalar>(x_1, 0.0);
  if (!(in_0 > 0) && !(in_1 > 0)) return 0;
  Scalar const middle = (in_0 + in_1) / 2, rate = (in_1 - in_0) / h;
  Scalar const spring =
      abs(x_1 - x_0) > near * (abs(x_0) + abs(x_1))
          ? (compliant_energy<Scalar>(law, parameter, x_1) - compliant_energy<Scalar>(law, parameter, x_0)) /
                (x_1 - x_0)
          : compliant_normal_force<Scalar>(law, parameter, middle, 0.0);
  Scalar const damping = at<Scalar>(parameter, law.damping);
  if (law.normal == NormalLaw::kelvin_voigt) return spring + damping * rate;
  return spring + 1.5 * damping * rate * compliant_normal_force<Scalar>(law, parameter, middle, 0.0);
}

template <class Scalar>
Vector2<Scalar> smooth_friction(ContactParameters const& law, std::span<const Scalar> parameter,
                                Vector2<Scalar> const& velocity) {
  Scalar const speed = velocity.norm(), gamma = at<Scalar>(parameter, law.gamma);
  Scalar const mu = friction_bound<Scalar>(law.mu, parameter, speed);
  // tanh(v/gamma)/v tends to 1/gamma at rest.
  Scalar const factor = speed > 1e-9 * gamma ? tanh(speed / gamma) / speed : 1 / gamma;
  return -mu * factor * velocity;
}

template <class Scalar>
CompliantFrictionOf<Scalar> compliant_friction(ContactParameters const& law,
                                               std::span<const Scalar> parameter, Scalar normal_force,
                                               Vector2<Scalar> const& velocity,
                                               Vector2<Scalar> const& deflection) {
  Scalar const K = at<Scalar>(parameter, law.tangential_stiffness),
               C = at<Scalar>(parameter, law.tangential_damping);
  Scalar const bound = friction_bound<Scalar>(law.mu, parameter, velocity.norm()) * normal_force;
  CompliantFrictionOf<Scalar> friction{K * deflection - C * velocity, -velocity, true};
  Scalar const size = friction.force.norm();
  friction.spare = bound - size;
  if (size <= bound && normal_force > 0) return friction;
  friction.force *= size > 0 ? bound / size : 0.0;
  friction.deflection_rate = (friction.force - K * deflection) / C;
  friction.sticks = false;
  return friction;
}

template <class Scalar>
Vector2<Scalar> CompliantFrictionStepOf<Scalar>::at_end(Vector2<Scalar> const& d) const {
  return within<Scalar>(bound, at_start - stiffness * d);
}

template <class Scalar>
CompliantFrictionStepOf<Scalar> compliant_friction_over_step(ContactParameters const& law,
                                                             std::span<const Scalar> parameter,
                                                             Scalar normal_force,
                                                             Vector2<Scalar> const& velocity,
                                                             Vector2<Scalar> const& deflection, double h) {
  Scalar const K = at<Scalar>(parameter, law.tangential_stiffness),
               damping = at<Scalar>(parameter, law.tangential_damping) / h;
  CompliantFrictionStepOf<Scalar> step;
  step.stiffness = K + damping;
  step.bound =
      std::max<Scalar>(0.0, friction_bound<Scalar>(law.mu, parameter, velocity.norm()) * normal_force);
  step.at_start = K * deflection;
  Scalar const way = step.stiffness * h * velocity.norm(),
               stuck = (step.at_end(h * velocity) - step.at_start).norm();
  step.share = 1 - (stuck < way ? Scalar(stuck / way) : Scalar(1.0)) * K / (2 * step.stiffness);
  step.given = (1 - step.share) * within<Scalar>(step.bound, step.at_start);
  return step;
}

// Explicit instantiations for both scalars.
template double friction_bound(FrictionParameters const&, std::span<const double>, double);
template Dual friction_bound(FrictionParameters const&, std::span<const Dual>, Dual);
template double compliant_normal_force(ContactParameters const&, std::span<const double>, double, double);
template Dual compliant_normal_force(ContactParameters const&, std::span<const Dual>, Dual, Dual);
template double compliant_force_over_step(ContactParameters const&, std::span<const double>, double, double,
                                          double);
template Dual compliant_force_over_step(ContactParameters const&, std::span<const Dual>, Dual, Dual, double);
template double compliant_energy(ContactParameters const&, std::span<const double>, double);
template Dual compliant_energy(ContactParameters const&, std::span<const Dual>, Dual);
template Vector2<double> smooth_friction(ContactParameters const&, std::span<const double>,
                                         Vector2<double> const&);
template Vector2<Dual> smooth_friction(ContactParameters const&, std::span<const Dual>, Vector2<Dual> const&);
template CompliantFrictionOf<double> compliant_friction(ContactParameters const&, std::span<const double>,
                                                        double, Vector2<double> const&,
                                                        Vector2<double> const&);
template CompliantFrictionOf<Dual> compliant_friction(ContactParameters const&, std::span<const Dual>, Dual,
                                                      Vector2<Dual> const&, Vector2<Dual> const&);

template struct CompliantFrictionStepOf<double>;
template struct CompliantFrictionStepOf<Dual>;
template CompliantFrictionStepOf<double> compliant_friction_over_step(ContactParameters const&,
                                                                      std::span<const double>, double,
                                                                      Vector2<double> const&,
                                                                      Vector2<double> const&, double);
template CompliantFrictionStepOf<Dual> compliant_friction_over_step(ContactParameters const&,
                                                                    std::span<const Dual>, Dual,
                                                                    Vector2<Dual> const&,
                                                                    Vector2<Dual> const&, double);

}  // namespace delassus
