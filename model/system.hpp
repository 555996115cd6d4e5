// A mechanical system with constraints, in the form of Kikuuwe and Brogliato 2017:
//
//   qdot = N(q) v                                    configuration map
//   M(q) vdot + Phi(q, v, t, u) = J(q)^T lambda      (39)
//   [J_v v; Psi_p(q)] in -lim N_C^{U_eps}(lambda)    (40)
//
// A System evaluates these terms at an instant; what to do with them is the solver's affair. Terms are kept
// in small blocks because both M and J are sparse by nature: M is block-diagonal over bodies, and a
// constraint touches one or two of them. A system in minimal coordinates has one mass block and one Jacobian
// term per constraint block.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "model/force_set.hpp"

namespace delassus {

// A block of constraint rows; constant for a system. Rows of all blocks follow one another without gaps.
struct ConstraintBlock {
  std::string name;
  int first_row = 0;
  ForceSetKind kind = ForceSetKind::half_line;
  int rows() const { return rows_of(kind); }
};

// Where the terms are to be evaluated. The spans live in the caller.
struct Instant {
  double t = 0;                   // s
  std::span<const double> q;      // configuration
  std::span<const double> v;      // velocity
  std::span<const double> input;  // u: external forces and torques
  std::span<const double> parameter;
};

struct MassBlock {
  int first = 0;      // first velocity component of the block
  Eigen::MatrixXd M;  // symmetric, positive definite
};

struct JacobianTerm {
  int block = 0;      // constraint block that the rows belong to
  int column = 0;     // first velocity component
  Eigen::MatrixXd J;  // rows of the block x columns
};

struct BlockTerms {
  double limit = 0;  // mu or F, see ForceSet
  double zeta = 1;   // damping ratio of the relaxation (64), 1
  double delta = 1;  // time scale of the relaxation (64), s
};

// The terms at an instant. Made once by System::make_terms; System::evaluate then only overwrites numbers.
struct Terms {
  std::vector<MassBlock> M;
  Eigen::VectorXd Phi;
  std::vector<JacobianTerm> J;  // sorted by block
  Eigen::VectorXd Jdot_v;       // (20): H v
  Eigen::VectorXd Psi;          // zero in velocity rows, the violation-free value (gap) in position rows
  std::vector<BlockTerms> block;
};

class System {
 public:
  virtual ~System() = default;

  virtual int configuration_size() const = 0;
  virtual int velocity_size() const = 0;
  virtual std::span<const ConstraintBlock> blocks() const = 0;

  virtual Terms make_terms() const = 0;
  virtual void evaluate(Instant const& at, Terms& terms) const = 0;

  // qdot = N(q) v
  virtual void configuration_rate(std::span<const double> q, std::span<const double> v,
                                  std::span<double> qdot) const = 0;

  // J; the zero is that of the world's origin.
  virtual double potential_energy(Instant const& at) const = 0;

  int rows() const { return blocks().empty() ? 0 : blocks().back().first_row + blocks().back().rows(); }
};

}  // namespace delassus
