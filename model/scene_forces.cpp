// M and Phi of a scene: inertia, gravity, inputs, springs. Phi holds the forces that are no constraint
// forces, with the opposite sign: M vdot + Phi = J^T lambda (39).
#include "model/scene_terms.hpp"
#include "model/spring.hpp"

namespace delassus {

double rest_length(Scene const& scene, Spring const& spring, std::span<const double> parameter,
                   std::span<const double> input) {
  if (spring.length >= 0) return parameter[static_cast<std::size_t>(spring.length)];
  return initial_distance(scene, spring.a, spring.b, parameter, input);
}

void SceneTerms::apply_force(int body_index, Eigen::Vector3d const& p, Eigen::Vector3d const& force) {
  if (body_index == ground_body || !body(body_index).moves_freely()) return;
  Body const& b = body(body_index);
  project_on_velocities(b, -force, -(p - pose(body_index).twist.origin).cross(force),
                        terms_.Phi.segment(b.first, b.degrees_of_freedom));
}

void SceneTerms::apply_torque(int body_index, Eigen::Vector3d const& torque) {
  if (body_index == ground_body || !body(body_index).moves_freely()) return;
  Body const& b = body(body_index);
  project_on_velocities(b, Eigen::Vector3d::Zero(), -torque,
                        terms_.Phi.segment(b.first, b.degrees_of_freedom));
}

void SceneTerms::write_masses() {
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    Body const& b = scene_.bodies[i];
    if (!b.moves_freely()) continue;
    Eigen::MatrixXd& M = terms_.M[static_cast<std::size_t>(b.mass_block)].M;
    M.diagonal().setConstant(parameter(b.mass));
    if (b.type == BodyType::planar) M(2, 2) = parameter(b.inertia);
    if (b.type != BodyType::rigid) continue;
    // In the world's axes: I = R I_body R^T, and d/dt (I omega) = I omega' + omega x I omega.
    BodyPose const& at_body = work_.poses[i];
    Eigen::Matrix3d I = inertia_parameter(at_.parameter, b.inertia);
    bool const same_about_all_axes =
        I(0, 0) == I(1, 1) && I(1, 1) == I(2, 2) && I(1, 0) == 0 && I(2, 0) == 0 && I(2, 1) == 0;
    if (!same_about_all_axes) I = (at_body.R * I * at_body.R.transpose()).eval();
    M.bottomRightCorner<3, 3>() = I;
    terms_.Phi.segment<3>(b.first + 3) += at_body.twist.omega.cross(Eigen::Vector3d(I * at_body.twist.omega));
  }
}

void SceneTerms::write_forces() {
  if (scene_.gravity >= 0) {
    Eigen::Vector3d const g = vector_parameter(at_.parameter, scene_.gravity, scene_.dimension);
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      Body const& b = scene_.bodies[i];
      if (b.moves_freely()) {
        apply_force(static_cast<int>(i), work_.poses[i].twist.origin, parameter(b.mass) * g);
      }
    }
  }
  for (ForceInput const& force : scene_.forces) {
    BodyPose const& on = pose(force.point.body);
    Body const& b = body(force.point.body);
    Eigen::Vector3d f = Eigen::Vector3d::Zero();
    if (b.type == BodyType::slider) {
      f[b.axis] = at_.input[static_cast<std::size_t>(force.first)];
    } else {
      f = vector_parameter(at_.input, force.first, scene_.dimension);
    }
    if (force.in_body_frame) f = on.R * f;
    apply_force(force.point.body, on.point(point_in_body(scene_, force.point, at_.parameter)), f);
  }
  for (TorqueInput const& torque : scene_.torques) {
    apply_torque(torque.body, scene_.dimension == 2
                                  ? Eigen::Vector3d(0, 0, at_.input[static_cast<std::size_t>(torque.first)])
                                  : vector_parameter(at_.input, torque.first, 3));
  }
  for (Spring const& spring : scene_.springs) {
    BodyPose const &a = pose(spring.a.body), &b = pose(spring.b.body);
    if (spring.torsional) {
      Eigen::Vector3d const axis = spring.axis >= 0
                                       ? vector_parameter(at_.parameter, spring.axis, scene_.dimension)
                                       : Eigen::Vector3d::UnitZ();
      RelativeTurn const turn = relative_turn(scene_, spring.a.body, spring.b.body, axis, at_, a, b);
      double const torque = -parameter(spring.stiffness) * (turn.angle - parameter(spring.length)) -
                            parameter(spring.damping) * turn.row.velocity;
      apply_torque(spring.a.body, torque * turn.row.plus_moment);
      apply_torque(spring.b.body, torque * turn.row.minus_moment);
      continue;
    }
    Eigen::Vector3d const p_a = a.point(point_in_body(scene_, spring.a, at_.parameter)),
                          p_b = b.point(point_in_body(scene_, spring.b, at_.parameter));
    Eigen::Vector3d const s = p_a - p_b;
    double const length = s.norm();
    if (!(length > 0)) continue;  // no direction to pull in
    Eigen::Vector3d const d = s / length;
    double const rate = d.dot(a.twist.at(p_a) - b.twist.at(p_b));
    double const force =
        -parameter(spring.stiffness) * (length - rest_length(scene_, spring, at_.parameter, at_.input)) -
        parameter(spring.damping) * rate;
    apply_force(spring.a.body, p_a, force * d);
    apply_force(spring.b.body, p_b, -force * d);
  }
}

}  // namespace delassus
