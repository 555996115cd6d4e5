#include "model/scene_system.hpp"

#include <cmath>

namespace delassus {
namespace {

double value(std::span<const double> values, int index) {
  return values[static_cast<std::size_t>(index)];
}

// A point in its body's frame; only planar bodies have points away from their centre.
struct Arm {
  double x = 0, y = 0;
};

Arm arm_in_body(Scene const& scene, int point, std::span<const double> parameter) {
  if (point < 0) return {};
  BodyPoint const& p = scene.points[static_cast<std::size_t>(point)];
  if (p.fraction >= 0) {
    Body const& body = scene.bodies[static_cast<std::size_t>(p.body)];
    return {value(parameter, p.fraction) * value(parameter, body.half_length), 0};
  }
  return {value(parameter, p.position), value(parameter, p.position + 1)};
}

Arm rotated(Arm const& arm, double angle) {
  double const c = std::cos(angle), s = std::sin(angle);
  return {c * arm.x - s * arm.y, s * arm.x + c * arm.y};
}

// The kinematics of a point in the world. A planar body's point at r = R(theta) arm moves with
//   p = x + r,  pdot = xdot + omega (-r_y, r_x),  Jdot v = -omega^2 r,
// which for the end (-l, 0) of a rod is (105) and (109) of Kikuuwe and Brogliato 2017.
class PointKinematics {
 public:
  PointKinematics(Scene const& scene, PointReference const& point, Instant const& at)
      : body_(scene.bodies[static_cast<std::size_t>(point.body)]), at_(at) {
    if (body_.type == BodyType::planar) {
      r_ = rotated(arm_in_body(scene, point.point, at.parameter), value(at.q, body_.first + 2));
      omega_ = value(at.v, body_.first + 2);
    }
  }

  double position(int axis) const { return coordinate(at_.q, axis) + arm(axis); }
  double velocity(int axis) const { return coordinate(at_.v, axis) + omega_ * lever(axis); }
  double bias(int axis) const { return -omega_ * omega_ * arm(axis); }  // (Jdot v) of this axis

  // The row of J for this axis, over the body's own velocities.
  void row(int axis, Eigen::Ref<Eigen::MatrixXd> J, int at_row) const {
    J.row(at_row).setZero();
    if (body_.type == BodyType::slider) {
      J(at_row, 0) = axis == body_.axis ? 1 : 0;
      return;
    }
    J(at_row, axis) = 1;
    if (body_.type == BodyType::planar) J(at_row, 2) = lever(axis);
  }

  // d p_axis / d theta
  double lever(int axis) const { return axis == 0 ? -r_.y : axis == 1 ? r_.x : 0; }

 private:
  double coordinate(std::span<const double> values, int axis) const {
    if (body_.type == BodyType::slider) return axis == body_.axis ? value(values, body_.first) : 0;
    return axis < body_.directions ? value(values, body_.first + axis) : 0;
  }
  double arm(int axis) const { return axis == 0 ? r_.x : axis == 1 ? r_.y : 0; }

  Body const& body_;
  Instant const& at_;
  Arm r_{};
  double omega_ = 0;
};

ForceSetKind contact_set(Scene const& scene, Contact const& contact) {
  if (contact.mu < 0) return ForceSetKind::half_line;
  return scene.dimension == 2 ? ForceSetKind::cone2 : ForceSetKind::cone3;
}

}  // namespace

SceneSystem::SceneSystem(Scene const& scene)
    : scene_(&scene), degrees_of_freedom_(scene.degrees_of_freedom()) {
  int row = 0;
  auto const add = [&](std::string const& name, ForceSetKind kind) {
    blocks_.push_back({name, row, kind});
    row += rows_of(kind);
  };
  for (Contact const& contact : scene.contacts) add(contact.name, contact_set(scene, contact));
  for (Friction const& friction : scene.frictions) {
    add(friction.name, friction.axes.size() == 1 ? ForceSetKind::interval : ForceSetKind::disc);
  }
}

Terms SceneSystem::make_terms() const {
  Terms terms;
  for (Body const& body : scene_->bodies) {
    int const n = body.degrees_of_freedom();
    terms.M.push_back({body.first, Eigen::MatrixXd::Zero(n, n)});
  }
  terms.Phi = Eigen::VectorXd::Zero(degrees_of_freedom_);
  auto const add_term = [&](int body_index) {
    Body const& body = scene_->bodies[static_cast<std::size_t>(body_index)];
    int const block = static_cast<int>(terms.J.size());
    terms.J.push_back(
        {block, body.first,
         Eigen::MatrixXd::Zero(blocks_[static_cast<std::size_t>(block)].rows(), body.degrees_of_freedom())});
  };
  for (Contact const& contact : scene_->contacts) add_term(contact.point.body);
  for (Friction const& friction : scene_->frictions) add_term(friction.point.body);
  terms.Jdot_v = Eigen::VectorXd::Zero(rows());
  terms.Psi = Eigen::VectorXd::Zero(rows());
  terms.block.resize(blocks_.size());
  return terms;
}

void SceneSystem::evaluate(Instant const& at, Terms& terms) const {
  auto const parameter = [&](int index) { return value(at.parameter, index); };

  for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
    Body const& body = scene_->bodies[i];
    terms.M[i].M.diagonal().setConstant(parameter(body.mass));
    if (body.type == BodyType::planar) terms.M[i].M(2, 2) = parameter(body.inertia);
  }

  // M vdot + Phi = J^T lambda: Phi holds the forces that are not contact forces, with the opposite sign.
  terms.Phi.setZero();
  if (scene_->gravity >= 0) {
    for (Body const& body : scene_->bodies) {
      for (int k = 0; k < body.directions; ++k) {
        int const axis = body.type == BodyType::slider ? body.axis : k;
        terms.Phi(body.first + k) -= parameter(body.mass) * parameter(scene_->gravity + axis);
      }
    }
  }
  for (ForceInput const& force : scene_->forces) {
    Body const& body = scene_->bodies[static_cast<std::size_t>(force.point.body)];
    PointKinematics const point(*scene_, force.point, at);
    for (int k = 0; k < body.directions; ++k) {
      double const f = value(at.input, force.first + k);
      terms.Phi(body.first + k) -= f;
      if (body.type == BodyType::planar) terms.Phi(body.first + 2) -= f * point.lever(k);
    }
  }
  for (TorqueInput const& torque : scene_->torques) {
    Body const& body = scene_->bodies[static_cast<std::size_t>(torque.body)];
    terms.Phi(body.first + 2) -= value(at.input, torque.first);
  }

  std::size_t block = 0;
  auto const fill = [&](PointReference const& reference, std::span<const int> axes) {
    PointKinematics const point(*scene_, reference, at);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      int const row = static_cast<int>(k);
      point.row(axes[k], terms.J[block].J, row);
      terms.Jdot_v(blocks_[block].first_row + row) = point.bias(axes[k]);
    }
    return point;
  };
  constexpr int all_axes[]{0, 1, 2};
  for (Contact const& contact : scene_->contacts) {
    int const normal = scene_->normal_axis();
    // Frictional: every axis, which ends with the normal one. Frictionless: the normal alone.
    auto const axes =
        std::span<const int>(all_axes).subspan(contact.mu >= 0 ? 0 : static_cast<std::size_t>(normal),
                                               static_cast<std::size_t>(blocks_[block].rows()));
    PointKinematics const point = fill(contact.point, axes);
    terms.Psi(blocks_[block].first_row + blocks_[block].rows() - 1) =
        point.position(normal) - parameter(contact.height);
    terms.block[block] = {contact.mu >= 0 ? parameter(contact.mu) : 0, parameter(contact.zeta),
                          parameter(contact.delta)};
    ++block;
  }
  for (Friction const& friction : scene_->frictions) {
    fill(friction.point, friction.axes);
    terms.block[block] = {parameter(friction.bound), parameter(friction.zeta), parameter(friction.delta)};
    ++block;
  }
}

void SceneSystem::configuration_rate(std::span<const double>, std::span<const double> v,
                                     std::span<double> qdot) const {
  std::copy(v.begin(), v.end(), qdot.begin());  // N = I for every body that moves in a plane or along a line
}

double SceneSystem::potential_energy(Instant const& at) const {
  if (scene_->gravity < 0) return 0;
  double energy = 0;
  for (Body const& body : scene_->bodies) {
    for (int k = 0; k < body.directions; ++k) {
      int const axis = body.type == BodyType::slider ? body.axis : k;
      energy -= value(at.parameter, body.mass) * value(at.parameter, scene_->gravity + axis) *
                value(at.q, body.first + k);
    }
  }
  return energy;
}

void SceneSystem::initial_state(std::span<const double> parameter, std::span<double> q,
                                std::span<double> v) const {
  for (Body const& body : scene_->bodies) {
    auto const first = static_cast<std::size_t>(body.first);
    for (int k = 0; k < body.directions; ++k) {
      q[first + static_cast<std::size_t>(k)] = value(parameter, body.initial_position + k);
      v[first + static_cast<std::size_t>(k)] = value(parameter, body.initial_velocity + k);
    }
    if (body.type != BodyType::planar) continue;
    double const angle = value(parameter, body.initial_angle);
    double const omega = value(parameter, body.initial_angular_velocity);
    q[first + 2] = angle;
    v[first + 2] = omega;
    // The given position and velocity are those of a point: x = p - r, xdot = pdot - omega (-r_y, r_x).
    Arm const r = rotated(arm_in_body(*scene_, body.initial_point, parameter), angle);
    q[first] -= r.x;
    q[first + 1] -= r.y;
    v[first] += omega * r.y;
    v[first + 1] -= omega * r.x;
  }
}

SceneSystem::PointMotion SceneSystem::motion_of(PointReference const& point, Instant const& at) const {
  PointKinematics const kinematics(*scene_, point, at);
  PointMotion motion;
  for (int axis = 0; axis < scene_->dimension; ++axis) {
    motion.position[static_cast<std::size_t>(axis)] = kinematics.position(axis);
    motion.velocity[static_cast<std::size_t>(axis)] = kinematics.velocity(axis);
  }
  return motion;
}

}  // namespace delassus
