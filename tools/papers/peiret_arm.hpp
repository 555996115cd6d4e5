// The articulated arm of Peiret, Kovecses and Font-Llagunes 2019 in its own four coordinates (theta_1, theta_2,
// theta_3, phi), as they write it: (42) with the misprint in the entries of link 3 corrected, (43) and (44). The scene
// articulated_arm has its joints as constraints; both must say the same.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

namespace delassus {

struct PeiretArm {
  static constexpr double L1 = .5, L2 = .5, L3 = .1, height = .6;  // m

  double rho = 2;                 // kg/m
  std::array<double, 3> theta{};  // rad, absolute, positive downward
  Eigen::Vector4d rates = Eigen::Vector4d::Zero();

  // The posture with its tip on the plane at x and with this angle of the last link, elbow up; none where the arm
  // does not reach.
  static std::optional<PeiretArm> with_tip_at(double x, double theta_3);

  double x() const;  // of the tip
  // The posture's rates for given rates of x, theta_3 and phi, the tip staying on the plane.
  void move(double xdot, double thetadot_3, double phidot);

  Eigen::Matrix4d M() const;               // (42), (43)
  Eigen::Matrix<double, 3, 4> J() const;   // (44): t1, t2, n
  Eigen::Matrix3d contact_matrix() const;  // (25)
  // The contact acceleration without contact force, A M^-1 (f - c) + Adot v of (16), under gravity and the torque tau_1
  // against theta_1. Without `all_of_c`, c lacks its terms with phidot, as the paper's numbers do.
  Eigen::Vector3d free_acceleration(double tau_1, bool all_of_c) const;
};

}  // namespace delassus
