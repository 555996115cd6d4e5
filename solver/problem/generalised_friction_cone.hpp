// The generalised friction cone of one contact (Peiret, Kovecses and Font-Llagunes 2019): what the forces of the
// Coulomb cone do to the contact velocity, and when friction drives the contact into itself.
//
// With the contact-space matrix A = [[H, h], [h^T, a]] (25), M_c = A^-1 and Q_mu = diag(I, -mu^2) (21), the cone is
//
//   du^T Q du <= 0,   Q = M_c Q_mu M_c (28)-(31)
//
//   mu_crit = |H^-1 h| (34)   from here on static friction can keep the contact from starting to slide in an impact
//   mu_jam  = a / |h| (36)    from here on the cone dips below the tangent plane
//   e_jam   = h / |h| (40)    the sliding direction that is coupled with the normal one
//
// A contact that slides along e_t answers its normal force with d eta_n / d lambda_n = a - mu h . e_t (38), which is
// negative, so that it jams, where e_jam . e_t > mu_jam / mu (39): within the locking angle 2 acos(mu_jam / mu) (41).
// This is the A of the one-row complementarity problem of Song et al. 2001.
#pragma once

#include <Eigen/Core>

#include "solver/problem/reduced_contact.hpp"

namespace delassus {

struct GeneralisedFrictionCone {
  int tangential = 1;  // 1 in the plane, 2 in space
  double mu = 0;
  Eigen::Matrix2d H = Eigen::Matrix2d::Zero();  // unused entries are zero, here and in h, e_jam and Q
  Eigen::Vector2d h = Eigen::Vector2d::Zero();  // d eta_n / d lambda_t
  double a = 0;
  // Where A is singular there is no Q, and the cone is flat: `solid` is false and Q is zero.
  bool solid = false;
  Eigen::Matrix3d Q = Eigen::Matrix3d::Zero();
  double mu_crit = 0;  // by the pseudo-inverse where H is singular
  double mu_jam = 0;   // infinite where normal and tangential motion are not coupled, h = 0
  Eigen::Vector2d e_jam = Eigen::Vector2d::Zero();  // zero where h = 0
  double locking_angle = 0;                         // rad; 0 where mu <= mu_jam

  double margin() const { return mu_jam - mu; }  // negative: some sliding directions jam

  // d eta_n / d lambda_n (38) while the contact slides along e_t, a unit vector; in the plane its second component
  // is zero.
  double normal_answer(Eigen::Vector2d const& e_t) const { return a - mu * h.dot(e_t); }
  bool jams(Eigen::Vector2d const& e_t) const { return normal_answer(e_t) < 0; }

  // The change of contact velocity, tangential and normal, for a unit normal force while sliding along e_t: a
  // generator of the cone, for drawing it.
  Eigen::Vector3d generator(Eigen::Vector2d const& e_t) const;

  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();  // as given; the leading tangential + 1 rows count
};

// Of a contact with a normal row and one or two tangential ones. A need not be symmetric (a sliding neighbour held);
// (36)-(41) then take h from the normal row and (34) from the normal column.
GeneralisedFrictionCone generalised_friction_cone(Eigen::Matrix3d const& A, int rows, double mu);
GeneralisedFrictionCone generalised_friction_cone(ReducedContact const& contact, double mu);

}  // namespace delassus
