// Velocities that joints, rolling, knife edges and bilateral contacts allow.
//
// Velocities at the start come from a scene or an importer, body by body, and may contradict the constraints between the
// bodies. The nearest ones that the constraints allow, in the metric of the masses, are
//
//   v = v0 - M^-1 J^T (J M^-1 J^T)^+ (J v0 + c),
//
// with J the bilateral rows and c the part of prescribed motion: the change has the least kinetic energy, and it is what
// an inelastic impact of the constraints would do. In u = L^T v with M = L L^T this is the least-norm solution of
// W^T du = -(J v0 + c), W = L^-1 J^T, which redundant rows do not disturb.
//
// Its derivative: M (v - v0) + J^T mu = 0 and J v + c = 0 along a direction,
//
//   M dv + J^T dmu = M dv0 + dM (v0 - v) - dJ^T mu,   J dv = -(dJ v + dc).
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "model/equations/system.hpp"
#include "solver/linear/mass_factor.hpp"

namespace delassus {

class VelocityProjection {
 public:
  explicit VelocityProjection(System const& system);

  // What became of the velocities.
  struct Result {
    // Of the change: its largest part in one mass block, relative to the motion in it before and after; 0 where nothing
    // was changed, which is so where only rounding contradicts the constraints.
    double largest_change = 0;
    int mass = -1;  // where that is
    double remainder =
        0;           // largest |J v + c| afterwards, m/s or rad/s: prescribed motions contradict each other
    int block = -1;  // of the terms, where that is
  };

  // Changes `v`, which at.v may be. More rows than fit into a dense matrix leave it as it is. Allocates.
  Result project(Instant const& at, std::span<double> v);

  // Of the last projection: the terms at the velocities that were given. Their blocks are those of Result::block.
  Terms const& terms() const { return terms_; }

  // The rate of the projected velocities. `terms` are those at the projected velocities, with the rates of everything
  // but the velocities; `rate` has the rates of those that were given, and gets the others.
  void differentiate(TermsOf<Dual> const& terms, std::span<double> rate) const;

 private:
  void gather();
  // du with W^T du = right, of least norm, as dv = L^-T du; added to `v`.
  void add_least_change(Eigen::VectorXd right, std::span<double> v) const;

  System const& system_;
  Terms terms_;
  MassFactor factor_;
  std::vector<int> row_of_;    // of each row of the terms: the one below, or -1
  std::vector<int> block_of_;  // of each row below
  Eigen::MatrixXd W_transposed_;
  Eigen::VectorXd scale_;       // of each row: one over its norm
  Eigen::VectorXd mu_;          // of the last projection
  Eigen::VectorXd difference_;  // v0 - v
};

}  // namespace delassus
