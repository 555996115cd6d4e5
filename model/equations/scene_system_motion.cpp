// How configurations advance with velocities, over an instant and over a step, and about which axes a scene turns.
#include <cmath>

#include "model/equations/scene_system.hpp"
#include "model/equations/scene_terms.hpp"
#include "model/equations/step_pose.hpp"
#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

double value(std::span<const double> values, int index) {
  return values[static_cast<std::size_t>(index)];
}

}  // namespace

void SceneSystem::advance_configuration(std::span<double> q, std::span<const double> v,
                                        std::span<const double> rate, double h) const {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * rate[i];
  for (Body const& body : scene_->bodies) {
    if (body.coordinates != 7) continue;
    // Replace the straight step of the quaternion by a rotation by omega h, which keeps the norm. For a
    // prescribed body v does not contain omega: with rate = 1/2 (0, omega) q, it is the vector part of 2 rate
    // q*/|q|^2.
    auto const first = static_cast<std::size_t>(body.first_coordinate) + 3;
    Quaternion old, quaternion_change;
    for (std::size_t k = 0; k < 4; ++k) {
      quaternion_change[static_cast<Eigen::Index>(k)] = rate[first + k];
      old[static_cast<Eigen::Index>(k)] = q[first + k] - h * rate[first + k];
    }
    Eigen::Vector3d omega;
    if (body.type == BodyType::rigid) {
      for (int k = 0; k < 3; ++k) omega[k] = value(v, body.first + 3 + k);
    } else {
      quaternion_change /= old.norm();
      old.normalize();
      Quaternion conjugate = -old;
      conjugate[0] = old[0];
      omega = 2 * product(quaternion_change, conjugate).tail<3>();
    }
    Quaternion turned = product(quaternion_of<double>(h * omega), old);
    turned.normalize();
    for (std::size_t k = 0; k < 4; ++k) q[first + k] = turned[static_cast<Eigen::Index>(k)];
  }
}

void SceneSystem::advance_over_step(Instant const& at, std::span<double> q,
                                    std::span<const double> rate) const {
  std::span<const double> const v = at.v;
  double const h = at.step;
  advance_configuration(q, v, rate, h);  // prescribed bodies and deflections
  for (Body const& body : scene_->bodies) {
    if (!body.turns() || spins(body, at)) continue;
    auto const first = static_cast<std::size_t>(body.first_coordinate);
    // advance_configuration has turned by h omega, Cayley's formula turns by 2 atan(h |omega|/2).
    if (body.type == BodyType::planar) {
      double const straight = h * value(v, body.first + 2);
      q[first + 2] += 2 * elementary::atan(straight / 2) - straight;
      continue;
    }
    Quaternion straight;
    Eigen::Vector3d turn;
    for (std::size_t k = 0; k < 4; ++k) straight[static_cast<Eigen::Index>(k)] = q[first + 3 + k];
    for (int k = 0; k < 3; ++k) turn[k] = h * value(v, body.first + 3 + k);
    double const angle = turn.norm();
    if (angle > 0) turn *= 2 * elementary::atan(angle / 2) / angle - 1;
    Quaternion const turned = product(quaternion_of<double>(turn), straight).normalized();
    for (std::size_t k = 0; k < 4; ++k) q[first + 3 + k] = turned[static_cast<Eigen::Index>(k)];
  }
}

void SceneSystem::velocity_at_end(Instant const& at, std::span<const double> v_mid,
                                  std::span<double> v_end) const {
  System::velocity_at_end(at, v_mid, v_end);
  Instant end = at;
  end.q = at.q_end;
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
    Body const& body = scene_->bodies[i];
    if (body.type != BodyType::rigid) continue;
    // O_1 = 2 W - O_0 with W = R_0^T w = R_1^T w.
    BodyPose const start = pose_of<double>(*scene_, static_cast<int>(i), at);
    Matrix3<double> const R_end = pose_of<double>(*scene_, static_cast<int>(i), end).R;
    Eigen::Vector3d w;
    for (int k = 0; k < 3; ++k) w[k] = value(v_mid, body.first + 3 + k);
    Eigen::Vector3d const omega = 2 * w - R_end * (start.R.transpose() * start.twist.omega);
    for (int k = 0; k < 3; ++k) v_end[static_cast<std::size_t>(body.first + 3 + k)] = omega[k];
  }
}

bool SceneSystem::may_spin(Terms const& terms, int mass, double turn) const {
  // In space there is no w that makes half a revolution (step_pose.hpp).
  constexpr double most_in_space = 1.01;  // a little more than the turn by which steps are divided
  return SceneWorkspace::of(terms).has_arm[static_cast<std::size_t>(mass)] == 0 &&
         (scene_->dimension == 2 || turn < most_in_space);
}

double SceneSystem::spin(int mass, std::span<const double> v) const {
  Body const& body =
      scene_->bodies[static_cast<std::size_t>(body_of_mass_.at(static_cast<std::size_t>(mass)))];
  if (!body.turns()) return 0;
  if (body.type == BodyType::planar) return std::abs(value(v, body.first + 2));
  return elementary::hypot(value(v, body.first + 3), value(v, body.first + 4), value(v, body.first + 5));
}

int SceneSystem::translations() const {
  return scene_->dimension;
}

// A slider moves along an axis of the world: a scene with one cannot be turned.
int SceneSystem::turning_axes() const {
  for (Body const& body : scene_->bodies) {
    if (body.type == BodyType::slider) return 0;
  }
  return scene_->dimension == 3 ? 3 : 1;
}

void SceneSystem::turn_about(int k, int mass, std::span<const double> q,
                             Eigen::Ref<Eigen::VectorXd> v) const {
  Body const& body =
      scene_->bodies[static_cast<std::size_t>(body_of_mass_.at(static_cast<std::size_t>(mass)))];
  bool const space = scene_->dimension == 3;
  Eigen::Vector3d const axis = space ? Eigen::Vector3d::Unit(k) : Eigen::Vector3d::UnitZ();
  Eigen::Vector3d const place{value(q, body.first_coordinate), value(q, body.first_coordinate + 1),
                              space ? value(q, body.first_coordinate + 2) : 0.0};
  v.setZero();
  v.head(scene_->dimension) = axis.cross(place).head(scene_->dimension);
  if (body.type == BodyType::planar) v[2] = 1;
  if (body.type == BodyType::rigid) v.tail<3>() = axis;
}

}  // namespace delassus
