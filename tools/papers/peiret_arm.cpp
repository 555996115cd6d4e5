#include "tools/papers/peiret_arm.hpp"

#include <Eigen/LU>
#include <cmath>

#include "model/numbers/elementary.hpp"
#include "tools/papers/constants.hpp"

namespace delassus {
namespace {

using elementary::cos, elementary::sin;
using paper_constants::g;

}  // namespace

std::optional<PeiretArm> PeiretArm::with_tip_at(double x, double theta_3) {
  // Where the wrist is, downwards positive; both upper links are equally long.
  double const across = x - L3 * cos(theta_3), down = height - L3 * sin(theta_3);
  double const bend = (across * across + down * down - L1 * L1 - L2 * L2) / (2 * L1 * L2);
  if (std::abs(bend) > 1) return std::nullopt;
  double const between = elementary::acos(bend), direction = elementary::atan2(down, across);
  PeiretArm arm;
  arm.theta = {direction - between / 2, direction + between / 2, theta_3};
  return arm;
}

double PeiretArm::x() const {
  return L1 * cos(theta[0]) + L2 * cos(theta[1]) + L3 * cos(theta[2]);
}

void PeiretArm::move(double xdot, double thetadot_3, double phidot) {
  Eigen::Matrix2d rows;
  rows << -L1 * sin(theta[0]), -L2 * sin(theta[1]), -L1 * cos(theta[0]), -L2 * cos(theta[1]);
  Eigen::Vector2d const wanted(xdot + L3 * sin(theta[2]) * thetadot_3, L3 * cos(theta[2]) * thetadot_3);
  Eigen::Vector2d const upper = rows.inverse() * wanted;
  rates << upper[0], upper[1], thetadot_3, phidot;
}

Eigen::Matrix4d PeiretArm::M() const {
  auto const [t1, t2, t3] = theta;
  Eigen::Matrix4d mass = Eigen::Matrix4d::Zero();
  mass(0, 0) = rho * L1 * L1 / 3 * (L1 + 3 * L2 + 3 * L3);
  mass(0, 1) = mass(1, 0) = rho * L1 * L2 / 2 * (L2 + 2 * L3) * cos(t1 - t2);
  mass(0, 2) = mass(2, 0) = rho * L1 * L3 * L3 / 2 * cos(t1 - t3);
  mass(1, 1) = rho * L2 * L2 / 3 * (L2 + 3 * L3);
  mass(1, 2) = mass(2, 1) = rho * L2 * L3 * L3 / 2 * cos(t2 - t3);
  mass(2, 2) = rho * L3 * L3 * L3 / 3;
  double const second = L1 * cos(t1) + L2 / 2 * cos(t2),
               third = L1 * cos(t1) + L2 * cos(t2) + L3 / 2 * cos(t3);
  mass(3, 3) = rho * (L1 * L1 * L1 / 3 * cos(t1) * cos(t1) + L2 * L2 * L2 / 12 * cos(t2) * cos(t2) +
                      L2 * second * second + L3 * L3 * L3 / 12 * cos(t3) * cos(t3) + L3 * third * third);
  return mass;
}

Eigen::Matrix<double, 3, 4> PeiretArm::J() const {
  auto const [t1, t2, t3] = theta;
  Eigen::Matrix<double, 3, 4> rows;
  rows << 0, 0, 0, -x(), -L1 * sin(t1), -L2 * sin(t2), -L3 * sin(t3), 0, -L1 * cos(t1), -L2 * cos(t2),
      -L3 * cos(t3), 0;
  return rows;
}

Eigen::Matrix3d PeiretArm::contact_matrix() const {
  return J() * M().inverse() * J().transpose();
}

Eigen::Vector3d PeiretArm::free_acceleration(double tau_1, bool all_of_c) const {
  auto const [t1, t2, t3] = theta;
  std::array<double, 3> const length{L1, L2, L3};
  Eigen::Vector4d f(g * rho * cos(t1) * L1 * (L1 / 2 + L2 + L3) - tau_1,
                    g * rho * cos(t2) * L2 * (L2 / 2 + L3), g * rho * cos(t3) * L3 * L3 / 2, 0);
  Eigen::Vector4d c = Eigen::Vector4d::Zero();
  Eigen::Matrix3d C;  // M_ij = C_ij cos(theta_i - theta_j)
  C << 0, rho * L1 * L2 / 2 * (L2 + 2 * L3), rho * L1 * L3 * L3 / 2, 0, 0, rho * L2 * L3 * L3 / 2, 0, 0, 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double const coupling = i < j ? C(i, j) : C(j, i);
      c[i] += coupling * sin(theta[static_cast<std::size_t>(i)] - theta[static_cast<std::size_t>(j)]) *
              rates[j] * rates[j];
    }
  }
  if (all_of_c) {
    double const second = L1 * cos(t1) + L2 / 2 * cos(t2),
                 third = L1 * cos(t1) + L2 * cos(t2) + L3 / 2 * cos(t3);
    Eigen::Vector3d const slope =  // of I_phi over the angles
        -2 * rho *
        Eigen::Vector3d(sin(t1) * (L1 * L1 * L1 / 3 * cos(t1) + L2 * second * L1 + L3 * third * L1),
                        sin(t2) * (L2 * L2 * L2 / 12 * cos(t2) + L2 * second * L2 / 2 + L3 * third * L2),
                        sin(t3) * (L3 * L3 * L3 / 12 * cos(t3) + L3 * third * L3 / 2));
    c.head<3>() -= slope / 2 * rates[3] * rates[3];
    c[3] += slope.dot(rates.head<3>()) * rates[3];
  }
  Eigen::Vector3d Jdot_v = Eigen::Vector3d::Zero();
  double xdot = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double const rate = rates[static_cast<Eigen::Index>(i)];
    xdot -= length[i] * sin(theta[i]) * rate;
    Jdot_v[1] -= length[i] * cos(theta[i]) * rate * rate;
    Jdot_v[2] += length[i] * sin(theta[i]) * rate * rate;
  }
  Jdot_v[0] = -xdot * rates[3];
  return J() * M().inverse() * (f - c) + Jdot_v;
}

}  // namespace delassus
