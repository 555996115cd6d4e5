// M and Phi of a scene: inertia, gravity, inputs, springs. Phi holds the forces that are not constraint
// forces, with the opposite sign: M vdot + Phi = J^T lambda (39).
#include "model/equations/scene_terms.hpp"
#include "model/equations/spring.hpp"

namespace delassus {

template <class Scalar>
Scalar rest_length(Scene const& scene, Spring const& spring, std::span<const Scalar> parameter,
                   std::span<const Scalar> input) {
  if (spring.length >= 0) return parameter[static_cast<std::size_t>(spring.length)];
  return initial_distance<Scalar>(scene, spring.a, spring.b, parameter, input);
}

template <class Scalar>
void SceneTerms<Scalar>::apply_force(int body_index, Vector3<Scalar> const& p, Vector3<Scalar> const& force) {
  if (body_index == ground_body || !body(body_index).moves_freely()) return;
  Body const& b = body(body_index);
  project_on_velocities(b, -force, -(p - pose(body_index).twist.origin).cross(force),
                        terms_.Phi.segment(b.first, b.degrees_of_freedom));
}

template <class Scalar>
void SceneTerms<Scalar>::apply_torque(int body_index, Vector3<Scalar> const& torque) {
  if (body_index == ground_body || !body(body_index).moves_freely()) return;
  Body const& b = body(body_index);
  project_on_velocities(b, Vector3<Scalar>::Zero(), -torque,
                        terms_.Phi.segment(b.first, b.degrees_of_freedom));
}

template <class Scalar>
void SceneTerms<Scalar>::write_masses() {
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    Body const& b = scene_.bodies[i];
    if (!b.moves_freely()) continue;
    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& M =
        terms_.M[static_cast<std::size_t>(b.mass_block)].M;
    M.diagonal().setConstant(parameter(b.mass));
    if (b.type == BodyType::planar) M(2, 2) = parameter(b.inertia);
    if (b.type != BodyType::rigid) continue;
    // In the world's axes: I = R I_body R^T, and d/dt (I omega) = I omega' + omega x I omega.
    BodyPoseOf<Scalar> const& at_body = work_.poses[i];
    Matrix3<Scalar> I = inertia_parameter<Scalar>(at_.parameter, b.inertia);
    bool const same_about_all_axes =
        I(0, 0) == I(1, 1) && I(1, 1) == I(2, 2) && I(1, 0) == 0 && I(2, 0) == 0 && I(2, 1) == 0;
    // The derivative of an isotropic inertia need not be isotropic.
    if (!same_about_all_axes || !std::is_same_v<Scalar, double>)
      I = (at_body.R * I * at_body.R.transpose()).eval();
    M.template bottomRightCorner<3, 3>() = I;
    terms_.Phi.template segment<3>(b.first + 3) +=
        at_body.twist.omega.cross(Vector3<Scalar>(I * at_body.twist.omega));
  }
}

template <class Scalar>
void SceneTerms<Scalar>::write_forces() {
  if (scene_.gravity >= 0) {
    Vector3<Scalar> const g = vector_parameter<Scalar>(at_.parameter, scene_.gravity, scene_.dimension);
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      Body const& b = scene_.bodies[i];
      if (b.moves_freely()) {
        apply_force(static_cast<int>(i), work_.poses[i].twist.origin, parameter(b.mass) * g);
      }
    }
  }
  for (ForceInput const& force : scene_.forces) {
    BodyPoseOf<Scalar> const& on = pose(force.point.body);
    Body const& b = body(force.point.body);
    Vector3<Scalar> f = Vector3<Scalar>::Zero();
    if (b.type == BodyType::slider) {
      f[b.axis] = at_.input[static_cast<std::size_t>(force.first)];
    } else {
      f = vector_parameter<Scalar>(at_.input, force.first, scene_.dimension);
    }
    if (force.in_body_frame) f = on.R * f;
    apply_force(force.point.body, on.point(point_in_body<Scalar>(scene_, force.point, at_.parameter)), f);
  }
  for (TorqueInput const& torque : scene_.torques) {
    apply_torque(torque.body, scene_.dimension == 2
                                  ? Vector3<Scalar>(0, 0, at_.input[static_cast<std::size_t>(torque.first)])
                                  : vector_parameter<Scalar>(at_.input, torque.first, 3));
  }
  for (Spring const& spring : scene_.springs) {
    BodyPoseOf<Scalar> const &a = pose(spring.a.body), &b = pose(spring.b.body);
    if (spring.torsional) {
      Vector3<Scalar> const axis =
          spring.axis >= 0 ? vector_parameter<Scalar>(at_.parameter, spring.axis, scene_.dimension)
                           : Vector3<Scalar>::UnitZ();
      RelativeTurnOf<Scalar> const turn =
          relative_turn<Scalar>(scene_, spring.a.body, spring.b.body, axis, at_, a, b);
      Scalar const torque = -parameter(spring.stiffness) * (turn.angle - parameter(spring.length)) -
                            parameter(spring.damping) * turn.row.velocity;
      apply_torque(spring.a.body, torque * turn.row.plus_moment);
      apply_torque(spring.b.body, torque * turn.row.minus_moment);
      continue;
    }
    Vector3<Scalar> const p_a = a.point(point_in_body<Scalar>(scene_, spring.a, at_.parameter)),
                          p_b = b.point(point_in_body<Scalar>(scene_, spring.b, at_.parameter));
    Vector3<Scalar> const s = p_a - p_b;
    Scalar const length = s.norm();
    if (!(length > 0)) continue;  // no direction of the force
    Vector3<Scalar> const d = s / length;
    Scalar const rate = d.dot(a.twist.at(p_a) - b.twist.at(p_b));
    Scalar const force = -parameter(spring.stiffness) *
                             (length - rest_length<Scalar>(scene_, spring, at_.parameter, at_.input)) -
                         parameter(spring.damping) * rate;
    apply_force(spring.a.body, p_a, force * d);
    apply_force(spring.b.body, p_b, -force * d);
  }
}

// Explicit instantiations for both scalars.
template double rest_length(Scene const&, Spring const&, std::span<const double>, std::span<const double>);
template Dual rest_length(Scene const&, Spring const&, std::span<const Dual>, std::span<const Dual>);
template void SceneTerms<double>::apply_force(int, Vector3<double> const&, Vector3<double> const&);
template void SceneTerms<Dual>::apply_force(int, Vector3<Dual> const&, Vector3<Dual> const&);
template void SceneTerms<double>::apply_torque(int, Vector3<double> const&);
template void SceneTerms<Dual>::apply_torque(int, Vector3<Dual> const&);
template void SceneTerms<double>::write_masses();
template void SceneTerms<Dual>::write_masses();
template void SceneTerms<double>::write_forces();
template void SceneTerms<Dual>::write_forces();

}  // namespace delassus
