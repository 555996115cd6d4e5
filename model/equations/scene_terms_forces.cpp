// M and Phi of a scene: inertia, gravity, inputs. Phi holds the forces that are not constraint
// forces, with the opposite sign: M vdot + Phi = J^T lambda (39).
#include "model/equations/scene_terms.hpp"
#include "model/equations/step_pose.hpp"

namespace delassus {
namespace {

// Of the radius of gyration: a shorter arm is rounding.
constexpr double least_arm = 1e-9;

}  // namespace

template <class Scalar>
void SceneTerms<Scalar>::note_arm(int body_index, Vector3<Scalar> const& direction,
                                  Vector3<Scalar> const& moment) {
  if (of_step() || body_index == ground_body || !body(body_index).turns()) return;
  Body const& b = body(body_index);
  Scalar const inertia = b.type == BodyType::planar
                             ? parameter(b.inertia)
                             : inertia_parameter<Scalar>(at_.parameter, b.inertia).trace();
  if (moment.squaredNorm() * parameter(b.mass) > least_arm * least_arm * direction.squaredNorm() * inertia &&
      direction.squaredNorm() > 0)
    work_.has_arm[static_cast<std::size_t>(b.mass_block)] = 1;
}

template <class Scalar>
void SceneTerms<Scalar>::note_held(int body_index, int by) {
  bool const turns_by = by != ground_body && body(by).type != BodyType::fixed;
  if (of_step() || body_index == ground_body || body(body_index).mass_block < 0 || !turns_by) return;
  work_.has_arm[static_cast<std::size_t>(body(body_index).mass_block)] = 1;
}

template <class Scalar>
void SceneTerms<Scalar>::note_arm(ConstraintRowOf<Scalar> const& row, int plus, int minus) {
  note_arm(plus, row.plus_direction, row.plus_moment);
  note_arm(minus, row.minus_direction, row.minus_moment);
}

template <class Scalar>
void SceneTerms<Scalar>::apply_force(int body_index, Vector3<Scalar> const& p, Vector3<Scalar> const& force) {
  if (body_index == ground_body || !body(body_index).moves_freely()) return;
  Body const& b = body(body_index);
  Vector3<Scalar> const arm = p - pose(body_index).twist.origin;
  note_arm(body_index, Vector3<Scalar>::UnitX(), arm);
  project_on_velocities(b, -force, -arm.cross(force), terms_.Phi.segment(b.first, b.degrees_of_freedom));
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
    if (of_step()) {
      // step_pose.hpp
      Scalar const f =
          spins(b, at_) ? turn_by_cayley<Scalar>(at_.step * work_.moves[i].omega.norm()) : Scalar(1.0);
      Vector3<Scalar> const W = at_body.R.transpose() * work_.moves[i].omega;
      Vector3<Scalar> mean = W;
      if (at_.theta != 0.5) {
        Vector3<Scalar> const start = at_body.R.transpose() * at_body.twist.omega;
        mean = start + (W - start) / (2 * at_.theta);
      }
      terms_.Phi.template segment<3>(b.first + 3) += f * (at_body.R * W.cross(Vector3<Scalar>(I * mean)));
      M.template bottomRightCorner<3, 3>() = at_body.R * I * at_body.R.transpose();
      continue;
    }
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
    Vector3<Scalar> value = scene_.dimension == 2
                                ? Vector3<Scalar>(0, 0, at_.input[static_cast<std::size_t>(torque.first)])
                                : vector_parameter<Scalar>(at_.input, torque.first, 3);
    if (of_step() && torque.body != ground_body && !spins(body(torque.body), at_)) {
      // Its work is that over the angle 2 atan(h |w|/2) of Cayley's formula, not over h |w|.
      Scalar const straight = at_.step * move(torque.body).omega.norm();
      if (straight > 1e-6) value *= 2 * atan2(straight / 2, Scalar(1.0)) / straight;
    }
    apply_torque(torque.body, value);
  }
}

// Explicit instantiations for both scalars.
template void SceneTerms<double>::note_arm(ConstraintRowOf<double> const&, int, int);
template void SceneTerms<Dual>::note_arm(ConstraintRowOf<Dual> const&, int, int);
template void SceneTerms<double>::note_held(int, int);
template void SceneTerms<Dual>::note_held(int, int);
template void SceneTerms<double>::apply_force(int, Vector3<double> const&, Vector3<double> const&);
template void SceneTerms<Dual>::apply_force(int, Vector3<Dual> const&, Vector3<Dual> const&);
template void SceneTerms<double>::apply_torque(int, Vector3<double> const&);
template void SceneTerms<Dual>::apply_torque(int, Vector3<Dual> const&);
template void SceneTerms<double>::write_masses();
template void SceneTerms<Dual>::write_masses();
template void SceneTerms<double>::write_forces();
template void SceneTerms<Dual>::write_forces();

}  // namespace delassus
