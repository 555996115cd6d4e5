#include "solver/sensitivity/island_sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/linear/dense.hpp"
#include "solver/linear/least_norm.hpp"
#include "solver/problem/sub_problem.hpp"

namespace delassus {
namespace {

// Beside the largest force of an island: solutions come to 1e-13, and two modes meet within this.
constexpr double edge_fraction = 1e-10;

// Of the demands of redundant blocks: what no force meets, beside all of them.
constexpr double contradiction = 1e-7, coarse_contradiction = 1e-2;

// What friction's demands weigh beside those of contact where they contradict one another: the share that is off comes to its
// square.
constexpr double yielding_weight = 1e-4;

// More combinations of modes than this are not tried one after the other.
constexpr int most_combinations = 1024;

Eigen::Vector3d part_of(Eigen::VectorXd const& x, Eigen::Index first, int rows) {
  Eigen::Vector3d part = Eigen::Vector3d::Zero();
  part.head(rows) = x.segment(first, rows);
  return part;
}

}  // namespace

IslandSensitivity::IslandSensitivity(SolvedProblem const& solved, std::span<const int> blocks) {
  ContactProblem const& problem = solved.problem;
  SubProblem const all = sub_problem(problem, blocks);
  std::vector<Member> members;
  // One for all rows, as the solver has it where it takes the force of least squares of rows that contradict one another.
  double const rho = all.A.trace() > 0 ? static_cast<double>(all.A.rows()) / all.A.trace() : 1;
  double largest = 0;
  for (int const index : blocks) {
    Member member;
    member.block = index;
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(index)];
    SolvedBlock& own = member.solved;
    own.set = block.set;
    own.law = solved.law;
    own.lambda = part_of(solved.lambda, block.first, block.rows());
    own.eta = part_of(solved.eta, block.first, block.rows());
    own.rho = rho;
    Eigen::Vector3d const b = part_of(problem.b, block.first, block.rows());
    // What is detached may be pulled apart with any b; it is no force that rounding is to be seen beside.
    largest = std::max(largest, own.lambda.norm());
    if (own.lambda.norm() > 0) largest = std::max(largest, rho * b.norm());
    members.push_back(member);
  }
  if (largest == 0) {  // nothing carries force: each block by its own motion
    for (Member const& member : members)
      largest = std::max(largest, member.solved.rho * member.solved.eta.norm());
  }
  coarse_positions_ = solved.coarse_positions;
  rounding_ = std::max(edge_fraction, std::isfinite(solved.residual) ? solved.residual : 0.0) * largest;
  std::vector<Eigen::Index> chosen;
  for (std::size_t k = 0; k < members.size(); ++k) {
    Member& member = members[k];
    if (solved.law == ContactLaw::nakaoka) {
      member.rules.add(BlockRule::stick);
    } else {
      member.rules = rules_at(member.solved, rounding_);
    }
    if (member.rules.count == 1 && member.rules.item[0] == BlockRule::detached) continue;
    on_edge_ |= member.rules.count > 1;
    member.first = rows_;
    for (int i = 0; i < member.solved.rows(); ++i) chosen.push_back(all.blocks[k].first + i);
    rows_ += member.solved.rows();
    members_.push_back(member);
  }
  if (rows_ == 0) return;
  A_ = all.A(chosen, chosen);
  factorise();
  if (on_edge_ && null_space_.cols() > 0 && y_.size() == 0) keep_bounds();
}

std::vector<int> IslandSensitivity::edges() const {
  std::vector<int> blocks;
  for (Member const& member : members_) {
    if (member.rules.count > 1) blocks.push_back(member.block);
  }
  return blocks;
}

// Of redundant contacts one may be at its bound although none moves: the force of least norm would be beyond it. What is
// redundant is then decided by the bound, which stays: no change of mode.
void IslandSensitivity::keep_bounds() {
  on_edge_ = false;
  for (Member& member : members_) {
    if (member.rules.count == 2 && member.rules.item[1] == BlockRule::leaving) {
      member.rules.item[0] = BlockRule::leaving;
      member.rules.count = 1;
    }
    if (member.rules.count > 1) on_edge_ = true;
  }
  factorise();
}

void IslandSensitivity::factorise() {
  K_.setZero(rows_, rows_);
  Eigen::VectorXd lambda(rows_);
  for (Member& member : members_) {
    SolvedBlock const& solved = member.solved;
    int const rows = solved.rows();
    member.equations =
        mode_equations<double>(solved, member.rule(), solved.lambda, solved.eta, solved.set, member.heading);
    K_.middleRows(member.first, rows) =
        member.equations.Q.topLeftCorner(rows, rows) * A_.middleRows(member.first, rows);
    K_.block(member.first, member.first, rows, rows) += member.equations.P.topLeftCorner(rows, rows);
    lambda.segment(member.first, rows) = solved.lambda.head(rows);
  }
  factor_ = OrthogonalDecomposition(K_, LeastNorm::rank_tolerance);
  Eigen::Index const rank = factor_.rank();
  null_space_.resize(rows_, 0);
  y_.resize(0);
  if (rank == rows_) return;
  null_space_ = factor_.null_space();
  // A force of least norm has no part there; another one (large islands take any) leaves dlambda the least instead.
  if ((null_space_.transpose() * lambda).norm() > 1e-7 * lambda.norm()) return;
  y_ = OrthogonalDecomposition(K_.transpose(), LeastNorm::rank_tolerance).solve(lambda);
}

void IslandSensitivity::solve(IslandDirection const& direction, Eigen::VectorXd& dlambda) {
  contradicts_ = false;
  if (rows_ == 0) return;
  auto const first_row = [&](Member const& member) {
    return direction.terms.blocks[static_cast<std::size_t>(member.block)].first_row;
  };
  Eigen::VectorXd g(rows_);
  for (Member const& member : members_) {
    int const rows = member.solved.rows();
    g.segment(member.first, rows) = direction.g.segment(first_row(member), rows);
  }
  Eigen::VectorXd const solved = on_edge_ ? solve_on_edge(direction, g) : solve_in_modes(direction, g);
  for (Member const& member : members_) {
    int const rows = member.solved.rows();
    dlambda.segment(first_row(member), rows) = solved.segment(member.first, rows);
  }
}

// Every combination of the modes that meet, until one fits the direction; else the one that fits best.
Eigen::VectorXd IslandSensitivity::solve_on_edge(IslandDirection const& direction, Eigen::VectorXd const& g) {
  Eigen::VectorXd best = Eigen::VectorXd::Zero(rows_);
  double least = std::numeric_limits<double>::infinity();
  bool contradicts = false;
  for (Member& member : members_) {
    member.chosen = 0;
    member.heading.setZero();  // a derivative does not depend on those that were asked for before it
  }
  for (int tried = 0; tried < most_combinations; ++tried) {
    factorise();
    Eigen::VectorXd dlambda = solve_in_modes(direction, g);
    turn_apex_slips(direction, g, dlambda);
    double const worst = worst_violation(direction, g, dlambda);
    if (std::isfinite(worst) && worst < least) {
      least = worst;
      best = dlambda;
      contradicts = contradicts_;
    }
    if (least <= 1e-9 * dlambda.norm() || !choose_next_modes()) break;
  }
  contradicts_ = contradicts;
  return best;
}

double IslandSensitivity::worst_violation(IslandDirection const& direction, Eigen::VectorXd const& g,
                                          Eigen::VectorXd const& dlambda) const {
  Eigen::VectorXd const deta = A_ * dlambda + g;
  double worst = 0;
  for (Member const& member : members_) {
    if (member.rules.count == 1) continue;
    int const rows = member.solved.rows();
    ForceSetOf<Dual> const& set = direction.terms.blocks[static_cast<std::size_t>(member.block)].set;
    worst = std::max(worst,
                     violation(member.solved, member.rule(), rounding_, part_of(dlambda, member.first, rows),
                               part_of(deta, member.first, rows), set.limit.derivative, member.heading));
  }
  return worst;
}

// As a counter counts; false where all combinations have been.
bool IslandSensitivity::choose_next_modes() {
  for (Member& member : members_) {
    if (++member.chosen < member.rules.count) return true;
    member.chosen = 0;
  }
  return false;
}

Eigen::VectorXd IslandSensitivity::solve_in_modes(IslandDirection const& direction,
                                                  Eigen::VectorXd const& g) {
  Eigen::VectorXd demand(rows_);
  for (Member const& member : members_) {
    int const rows = member.solved.rows();
    Eigen::Vector3d const set = set_rate(member.solved, member.rule(), member.equations,
                                         direction.terms.blocks[static_cast<std::size_t>(member.block)].set);
    demand.segment(member.first, rows) =
        -member.equations.Q.topLeftCorner(rows, rows) * g.segment(member.first, rows) - set.head(rows);
  }
  Eigen::VectorXd dlambda = factor_.solve(demand);
  // Once more with what is left: slips near stick make K ill-conditioned.
  dlambda += factor_.solve(demand - K_ * dlambda);
  contradicts_ = null_space_.cols() > 0 &&
                 (demand - K_ * dlambda).norm() >
                     (coarse_positions_ ? coarse_contradiction : contradiction) * demand.norm();
  if (contradicts_) let_friction_yield(demand, dlambda);
  if (y_.size() > 0) add_least_norm_part(direction, g, dlambda);
  return dlambda;
}

// No force meets all demands. Beyond the direction's first instant the forces that press the contacts together grow until they
// slip, and none opens: friction yields, contact and joints do not. (A box that turns in a grip: its corners are pressed back at
// the rate that delta says.)
void IslandSensitivity::let_friction_yield(Eigen::VectorXd const& demand, Eigen::VectorXd& dlambda) const {
  Eigen::VectorXd weight = Eigen::VectorXd::Ones(rows_);
  for (Member const& member : members_) {
    SolvedBlock const& solved = member.solved;
    if (has_normal(solved.set.kind) && member.rule() == BlockRule::stick)
      weight.segment(member.first, solved.tangential()).setConstant(yielding_weight);
  }
  if (weight.minCoeff() == 1) return;
  OrthogonalDecomposition const weighted(weight.asDiagonal() * K_,
                                         LeastNorm::rank_tolerance * yielding_weight);
  Eigen::VectorXd const wanted = weight.cwiseProduct(demand);
  dlambda = weighted.solve(wanted);
  dlambda += weighted.solve(wanted - weight.cwiseProduct(K_ * dlambda));
}

// dP^T y + A dQ^T y for a given change of lambda; only slips have any. Affine in the change: without g, what is linear in it.
Eigen::VectorXd IslandSensitivity::turned(IslandDirection const& direction, Eigen::VectorXd const& change,
                                          Eigen::VectorXd const* g) const {
  Eigen::VectorXd direct = Eigen::VectorXd::Zero(rows_), through_A = direct;
  Eigen::VectorXd deta = A_ * change;
  if (g) deta += *g;
  for (Member const& member : members_) {
    SolvedBlock const& solved = member.solved;
    if (member.rule() == BlockRule::detached || member.rule() == BlockRule::stick) continue;
    int const rows = solved.rows();
    Vector3<Dual> lambda, eta;
    for (int i = 0; i < 3; ++i) {
      bool const there = i < rows;
      lambda[i] = {solved.lambda[i], there ? change[member.first + i] : 0};
      eta[i] = {solved.eta[i], there ? deta[member.first + i] : 0};
    }
    ForceSetOf<Dual> set = direction.terms.blocks[static_cast<std::size_t>(member.block)].set;
    if (!g) {
      set.limit.derivative = 0;
      for (Dual& each : set.direction) each.derivative = 0;
    }
    ModeEquations<Dual> const equations =
        mode_equations<Dual>(solved, member.rule(), lambda, eta, set, member.heading);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < rows; ++j) {
        direct[member.first + j] += equations.P(i, j).derivative * y_[member.first + i];
        through_A[member.first + j] += equations.Q(i, j).derivative * y_[member.first + i];
      }
    }
  }
  return direct + A_ * through_A;
}

void IslandSensitivity::add_least_norm_part(IslandDirection const& direction, Eigen::VectorXd const& g,
                                            Eigen::VectorXd& dlambda) const {
  // Q^T y of the whole problem, and dA times it.
  auto const first_row = [&](Member const& member) {
    return direction.terms.blocks[static_cast<std::size_t>(member.block)].first_row;
  };
  Eigen::VectorXd u = Eigen::VectorXd::Zero(direction.g.size());
  for (Member const& member : members_) {
    int const rows = member.solved.rows();
    u.segment(first_row(member), rows) =
        member.equations.Q.topLeftCorner(rows, rows).transpose() * y_.segment(member.first, rows);
  }
  Eigen::VectorXd const rate = direction.operator_rate(u);
  Eigen::VectorXd wanted = turned(direction, dlambda, &g);
  for (Member const& member : members_) {
    int const rows = member.solved.rows();
    wanted.segment(member.first, rows) += rate.segment(first_row(member), rows);
  }
  Eigen::MatrixXd const& N = null_space_;
  Eigen::MatrixXd curvature = Eigen::MatrixXd::Identity(N.cols(), N.cols());
  for (Eigen::Index c = 0; c < N.cols(); ++c)
    curvature.col(c) -= N.transpose() * turned(direction, N.col(c), nullptr);
  dlambda += N * RegularLu(curvature).solve(N.transpose() * (wanted - dlambda));
}

// A slip that begins at the apex has no direction before it moves: that of its own motion is sought.
void IslandSensitivity::turn_apex_slips(IslandDirection const& direction, Eigen::VectorXd const& g,
                                        Eigen::VectorXd& dlambda) {
  bool turning = true;
  for (int iteration = 0; iteration < 100 && turning; ++iteration) {
    turning = false;
    Eigen::VectorXd const deta = A_ * dlambda + g;
    for (Member& member : members_) {
      if (member.rule() != BlockRule::apex_slip) continue;
      int const t = member.solved.tangential();
      Eigen::Vector2d heading = Eigen::Vector2d::Zero();
      heading.head(t) = -deta.segment(member.first, t);
      if (!(heading.norm() > 0)) continue;
      heading.normalize();
      turning |= (heading - member.heading).norm() > 1e-13;
      member.heading = heading;
    }
    if (!turning) return;
    factorise();
    dlambda = solve_in_modes(direction, g);
  }
}

}  // namespace delassus
