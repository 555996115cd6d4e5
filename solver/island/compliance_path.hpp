// Follows the solutions of the problems (A + d C, b + d C c) from a large d down to zero.
//
// C is the blocks' own compliance and c any force. For a large d there is one solution, near c; for d = 0 the
// problem is A's own. In between the solutions form curves, which may turn back in d any number of times: two
// solutions meet where one of them vanishes, and a method that only ever lowers d ends there. Therefore the
// curve is followed by its arc length.
//
// Why it gets there: for every d > 0 the matrix is positive definite, so that the curve from d = infinity stays
// bounded and can end at d = 0 only (the argument of degree that also proves existence; Allgower and Georg 1990,
// Numerical Continuation Methods, chapters 11 and 14; Lemke's method is the same for linear complementarity).
// Where some motion opens all contacts, forces are bounded for d = 0 too, and its end is a solution. Where none
// does, the curve may run off to infinity, and another c may lead to another end.
//
// Within one choice of modes the curve is smooth. With A and forces in the unit in which every C is 1, and
// eta = A lambda - b + d (lambda - c), the unknowns z of a block and their equations are
//
//   detached        none
//   stick, free     lambda                      eta = 0
//   slip            lambda_n, the angle theta   eta_n = 0, e'(theta) . eta_t = 0    lambda_t = mu lambda_n e(theta)
//   slip of a disc  theta                       e' . eta_t = 0                      lambda_t = limit e
//
// The angle is an unknown of its own because a contact that hardly presses may turn quickly: the length of the
// curve sees that. A step is a predictor along the tangent and Newton corrections across it. A mode ends where
// its margin becomes zero:
//
//   detached  eta_n;   stick  mu lambda_n - |lambda_t|;   slip  -e . eta_t and lambda_n.
//
// The step is then ended there exactly, the mode replaced, and the curve goes on to that side on which the
// new mode's margin grows.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "model/numbers/elementary.hpp"
#include "solver/island/problem.hpp"
#include "solver/linear/block_factor.hpp"

namespace delassus {

class CompliancePath {
 public:
  // To the solution for a large d. False where the island has sets that it does not know: double cones and
  // directed frictions.
  bool begin(IslandProblem const& island, BlockVector const& centre);
  // One step along the curve. False where it is lost or d has become nothing.
  bool advance();

  double d() const;
  // Of the present point.
  BlockVector const& lambda();
  // Since `begin`; nearly all work is in these.
  int factorisations() const { return factorisations_; }

 private:
  struct Block {
    ContactMode mode = ContactMode::detached;
    Eigen::Vector2d e = Eigen::Vector2d::UnitX();
  };
  struct Point {
    BlockVector force;  // in the unit of the path
    std::vector<Block> blocks;
    double tau = 0;  // d = exp(-tau)
  };
  // A change of the point.
  struct Direction {
    BlockVector force;
    std::vector<double> theta;
    double tau = 0;
  };

  // Of one block, its set in the unit of the path: the rows of friction, the bound of the friction force, components of
  // x along e and across it, and whether the direction of slip is an unknown.
  static int tangential_rows(ForceSet const& set) {
    return rows_of(set.kind) - (has_normal(set.kind) ? 1 : 0);
  }

  static double radius_of(ForceSet const& set, Eigen::Vector3d const& force) {
    return has_normal(set.kind) ? set.limit * force[rows_of(set.kind) - 1] : set.limit;
  }

  // e . x and e' . x of the tangential rows.
  static double along(Eigen::Vector2d const& e, int tangential, Eigen::Vector3d const& x) {
    return e[0] * x[0] + (tangential > 1 ? e[1] * x[1] : 0);
  }
  static double across(Eigen::Vector2d const& e, Eigen::Vector3d const& x) {
    return e[0] * x[1] - e[1] * x[0];
  }

  static bool turns(ForceSet const& set) { return tangential_rows(set) == 2 && set.limit > 0; }

  static int unknowns_of(ForceSet const& set, ContactMode mode) {
    if (mode == ContactMode::detached) return 0;
    if (mode == ContactMode::stick) return rows_of(set.kind);
    return (has_normal(set.kind) ? 1 : 0) + (turns(set) ? 1 : 0);
  }

  static Eigen::Vector2d direction_of(double x, double y, int tangential) {
    if (tangential < 2) return {x < 0 ? -1.0 : 1.0, 0.0};
    double const norm = elementary::hypot(x, y);
    return norm > 0 ? Eigen::Vector2d(x / norm, y / norm) : Eigen::Vector2d(1.0, 0.0);
  }

  static void set_slipping_force(ForceSet const& set, Eigen::Vector2d const& e, Eigen::Vector3d& force) {
    double const radius = radius_of(set, force);
    for (int i = 0; i < tangential_rows(set); ++i) force[i] = radius * e[i];
  }

  void evaluate(Point const& point);
  double demanded(Point const& point);
  bool factorise(Point const& point);
  void solve(Point const& point, bool along, Direction& direction);
  void find_margins(Point const& point, std::vector<double>& margins) const;
  void find_rates(Point const& point, Direction const& direction, std::vector<double>& rates);
  double dot(Direction const& one, Direction const& other) const;
  void move(Point& point, Direction const& direction, double t) const;
  bool correct(Point& point, double length);
  bool land(Point& point, std::size_t margin);
  bool refresh(Point const& point, bool needed);
  static void scale(Direction& direction, double factor);
  bool orient();
  bool find_tangent(Point const& point, Direction& tangent);
  bool dips(double length) const;
  void replace_mode(std::size_t margin);

  static constexpr double no_margin = std::numeric_limits<double>::infinity();  // of a mode without end

  IslandProblem const* island_ = nullptr;
  std::vector<double> unit_;  // of each block: 1 / sqrt(compliance)
  BlockVector centre_, b_;
  std::vector<Eigen::Matrix3d> A_;
  std::vector<ForceSet> sets_;
  BlockFactor factor_;
  std::vector<std::size_t> full_first_;
  std::vector<int> full_columns_;
  std::vector<int> unknowns_;
  std::vector<double> right_;
  Point at_, next_;
  Direction tangent_, next_tangent_, across_, along_;
  BlockVector eta_, lambda_;
  std::vector<double> margins_, next_margins_, rates_, next_rates_;
  std::vector<Eigen::Matrix3d> T_;
  double scale_ = 1, length_ = 0, least_force_ = 0, first_tau_ = 0;
  int pending_ = -1;  // the margin that has just become zero
  int idle_ = 0;      // modes replaced without a step
  int factorisations_ = 0;
  bool tangent_known_ = false;
  bool fresh_ = false;  // the factors are of the last correction's point
};

}  // namespace delassus
