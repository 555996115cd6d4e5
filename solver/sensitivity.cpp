#include "solver/sensitivity.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "solver/islands.hpp"
#include "solver/least_norm.hpp"
#include "solver/sub_problem.hpp"

namespace delassus {
namespace {

// Beside the largest force of an island: solutions come to 1e-13, and two modes meet within this.
constexpr double edge_fraction = 1e-10;

// Of the demands of redundant blocks: what no force meets, beside all of them.
constexpr double contradiction = 1e-7;

// More combinations of modes than this are not tried one after the other.
constexpr int most_combinations = 1024;

Dual relaxed(ConstraintBlockOf<Dual> const& block, Relaxation const& relaxation, double step_rate,
             Dual const& velocity, Dual const& Psi) {
  Dual const step{relaxation.step, step_rate};
  bool own = relaxation.source == Relaxation::Source::blocks;
  if (relaxation.source == Relaxation::Source::blocks_within_step) {
    ConstraintBlock value;
    value.zeta = block.zeta.value;
    value.delta = block.delta.value;
    own = relaxation_factors(value, relaxation).damping == 2 * value.zeta / value.delta;
  }
  Dual const zeta = own ? block.zeta : Dual(0.5), delta = own ? block.delta : step;
  return 2 * zeta / delta * velocity + Psi / (delta * delta);
}

Eigen::VectorXd derivatives_of(Eigen::Matrix<Dual, Eigen::Dynamic, 1> const& x) {
  return x.unaryExpr([](Dual const& each) { return each.derivative; });
}

// y += J^T u and y += J u, of values or of derivatives.
template <class Part>
void add_transposed(TermsOf<Dual> const& terms, Part const& part, Eigen::Ref<const Eigen::VectorXd> u,
                    Eigen::VectorXd& y) {
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    auto const J = terms.J[i];
    int const row = terms.blocks[static_cast<std::size_t>(term.block)].first_row,
              column = terms.M[static_cast<std::size_t>(term.mass)].first;
    for (int c = 0; c < term.columns; ++c) {
      for (int r = 0; r < term.rows; ++r) y[column + c] += part(J(r, c)) * u[row + r];
    }
  }
}
template <class Part>
void add_product(TermsOf<Dual> const& terms, Part const& part, Eigen::Ref<const Eigen::VectorXd> u,
                 Eigen::VectorXd& y) {
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    auto const J = terms.J[i];
    int const row = terms.blocks[static_cast<std::size_t>(term.block)].first_row,
              column = terms.M[static_cast<std::size_t>(term.mass)].first;
    for (int r = 0; r < term.rows; ++r) {
      for (int c = 0; c < term.columns; ++c) y[row + r] += part(J(r, c)) * u[column + c];
    }
  }
}
constexpr auto value = [](Dual const& x) { return x.value; };
constexpr auto derivative = [](Dual const& x) { return x.derivative; };

void subtract_mass_rate(TermsOf<Dual> const& terms, Eigen::Ref<const Eigen::VectorXd> a, Eigen::VectorXd& y) {
  for (auto const& mass : terms.M) {
    for (Eigen::Index r = 0; r < mass.M.rows(); ++r) {
      for (Eigen::Index c = 0; c < mass.M.cols(); ++c)
        y[mass.first + r] -= mass.M(r, c).derivative * a[mass.first + c];
    }
  }
}

Eigen::Vector3d part_of(Eigen::VectorXd const& x, Eigen::Index first, int rows) {
  Eigen::Vector3d part = Eigen::Vector3d::Zero();
  part.head(rows) = x.segment(first, rows);
  return part;
}

}  // namespace

Eigen::VectorXd Sensitivity::mass_solve(Eigen::VectorXd x) const {
  auto const& masses = dynamics_->terms().M;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    auto part = x.segment(masses[i].first, masses[i].M.rows());
    part = (mass_inverse_[i] * part).eval();
  }
  return x;
}

void Sensitivity::prepare(Dynamics const& dynamics, ContactLaw law) {
  dynamics_ = &dynamics;
  law_ = law;
  Terms const& terms = dynamics.terms();
  mass_inverse_.clear();
  for (MassBlock const& mass : terms.M) mass_inverse_.push_back(mass.M.inverse());
  choose_base_force();
  ContactProblem const& problem = dynamics.problem();
  eta_.resize(problem.b.size());
  problem.multiply(base_, eta_);
  eta_ -= problem.b;
  islands_.clear();
  edges_.clear();
  Islands islands;
  islands.find(problem);
  for (std::size_t i = 0; i < islands.size(); ++i) add_island(islands[i]);
}

void Sensitivity::choose_base_force() {
  ContactProblem const& problem = dynamics_->problem();
  base_ = dynamics_->solution().lambda;
  auto const vdot = dynamics_->vdot();
  base_vdot_ = Eigen::Map<const Eigen::VectorXd>(vdot.data(), static_cast<Eigen::Index>(vdot.size()));
  if (law_ != ContactLaw::nakaoka || problem.b.size() == 0) return;
  // The bilateral force of least norm, which the law then projects (contact_solver.cpp).
  Eigen::MatrixXd A = problem.dense();
  Eigen::VectorXd b = problem.b;
  LeastNorm least_norm;
  Eigen::VectorXd const solved = base_;
  least_norm.solve(A, b, base_, 1e-14);
  Terms const& terms = dynamics_->terms();
  Eigen::VectorXd force = Eigen::VectorXd::Zero(base_vdot_.size());
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    force.segment(terms.M[static_cast<std::size_t>(term.mass)].first, term.columns) +=
        terms.J[i].transpose() *
        (base_ - solved).segment(terms.blocks[static_cast<std::size_t>(term.block)].first_row, term.rows);
  }
  base_vdot_ += mass_solve(force);
}

void Sensitivity::add_island(std::span<const int> blocks) {
  ContactProblem const& problem = dynamics_->problem();
  Island island;
  SubProblem const all = sub_problem(problem, blocks);
  std::vector<Member> members;
  // One for all rows, as the solver has it where it takes the force of least squares of rows that contradict one another.
  double const rho = all.A.trace() > 0 ? static_cast<double>(all.A.rows()) / all.A.trace() : 1;
  double largest = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    Member member;
    member.block = blocks[k];
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(blocks[k])];
    SolvedBlock& solved = member.solved;
    solved.set = block.set;
    solved.law = law_;
    solved.lambda = part_of(base_, block.first, block.rows());
    solved.eta = part_of(eta_, block.first, block.rows());
    solved.rho = rho;
    Eigen::Vector3d const b = part_of(problem.b, block.first, block.rows());
    // What is detached may be pulled apart with any b; it is no force that rounding is to be seen beside.
    largest = std::max(largest, solved.lambda.norm());
    if (solved.lambda.norm() > 0) largest = std::max(largest, rho * b.norm());
    members.push_back(member);
  }
  if (largest == 0) {  // nothing carries force: each block by its own motion
    for (Member const& member : members)
      largest = std::max(largest, member.solved.rho * member.solved.eta.norm());
  }
  double const residual = dynamics_->solution().residual;
  island.rounding = std::max(edge_fraction, std::isfinite(residual) ? residual : 0.0) * largest;
  std::vector<Eigen::Index> chosen;
  for (std::size_t k = 0; k < members.size(); ++k) {
    Member& member = members[k];
    if (law_ == ContactLaw::nakaoka) {
      member.rules.add(BlockRule::stick);
    } else {
      member.rules = rules_at(member.solved, island.rounding);
    }
    if (member.rules.count == 1 && member.rules.item[0] == BlockRule::detached) continue;
    island.on_edge |= member.rules.count > 1;
    member.first = island.rows;
    for (int i = 0; i < member.solved.rows(); ++i) chosen.push_back(all.blocks[k].first + i);
    island.rows += member.solved.rows();
    island.members.push_back(member);
  }
  if (island.rows == 0) return;
  island.A = all.A(chosen, chosen);
  factorise(island);
  if (island.on_edge && island.null_space.cols() > 0 && island.y.size() == 0) keep_bounds(island);
  for (Member const& member : island.members) {
    if (member.rules.count > 1)
      edges_.push_back(dynamics_->terms().blocks[static_cast<std::size_t>(member.block)].identity);
  }
  islands_.push_back(std::move(island));
}

// Of redundant contacts one may be at its bound although none moves: the force of least norm would be beyond it. What is
// redundant is then decided by the bound, which stays: no change of mode.
void Sensitivity::keep_bounds(Island& island) {
  island.on_edge = false;
  for (Member& member : island.members) {
    if (member.rules.count == 2 && member.rules.item[1] == BlockRule::leaving) {
      member.rules.item[0] = BlockRule::leaving;
      member.rules.count = 1;
    }
    if (member.rules.count > 1) island.on_edge = true;
  }
  factorise(island);
}

void Sensitivity::factorise(Island& island) {
  Eigen::Index const n = island.rows;
  island.K.setZero(n, n);
  Eigen::VectorXd lambda(n);
  for (Member& member : island.members) {
    SolvedBlock const& solved = member.solved;
    int const rows = solved.rows();
    member.equations =
        mode_equations<double>(solved, member.rules.item[static_cast<std::size_t>(member.chosen)],
                               solved.lambda, solved.eta, solved.set, member.heading);
    island.K.middleRows(member.first, rows) =
        member.equations.Q.topLeftCorner(rows, rows) * island.A.middleRows(member.first, rows);
    island.K.block(member.first, member.first, rows, rows) += member.equations.P.topLeftCorner(rows, rows);
    lambda.segment(member.first, rows) = solved.lambda.head(rows);
  }
  island.factor.setThreshold(LeastNorm::rank_tolerance);
  island.factor.compute(island.K);
  Eigen::Index const rank = island.factor.rank();
  island.null_space.resize(n, 0);
  island.y.resize(0);
  if (rank == n) return;
  // The rows of Z beyond the rank, K = Q [T 0; 0 0] Z P^T, span what K does not see.
  Eigen::MatrixXd const Z = island.factor.matrixZ();
  island.null_space = island.factor.colsPermutation() * Z.bottomRows(n - rank).transpose();
  // A force of least norm has no part there; another one (large islands take any) leaves dlambda the least instead.
  if ((island.null_space.transpose() * lambda).norm() > 1e-7 * lambda.norm()) return;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> transposed;
  transposed.setThreshold(LeastNorm::rank_tolerance);
  transposed.compute(island.K.transpose());
  island.y = transposed.solve(lambda);
}

Eigen::VectorXd Sensitivity::operator_rate(Eigen::Ref<const Eigen::VectorXd> u) const {
  TermsOf<Dual> const& terms = *terms_;
  Eigen::VectorXd a = Eigen::VectorXd::Zero(base_vdot_.size());
  add_transposed(terms, value, u, a);
  a = mass_solve(std::move(a));
  Eigen::VectorXd force = Eigen::VectorXd::Zero(a.size()), rate = Eigen::VectorXd::Zero(u.size());
  add_transposed(terms, derivative, u, force);
  subtract_mass_rate(terms, a, force);
  add_product(terms, value, mass_solve(std::move(force)), rate);
  add_product(terms, derivative, a, rate);
  return rate;
}

void Sensitivity::differentiate(TermsOf<Dual> const& terms, double step_rate) {
  Terms const& at = dynamics_->terms();
  bool same = terms.blocks.size() == at.blocks.size() && terms.J.size() == at.J.size();
  for (std::size_t k = 0; same && k < at.blocks.size(); ++k)
    same = terms.blocks[k].identity == at.blocks[k].identity &&
           terms.blocks[k].set.kind == at.blocks[k].set.kind;
  if (!same) throw std::runtime_error("the terms with derivatives have other blocks than the instant");
  terms_ = &terms;
  Eigen::VectorXd force = -derivatives_of(terms.Phi);
  add_transposed(terms, derivative, base_, force);
  subtract_mass_rate(terms, base_vdot_, force);
  dvdot_fixed_ = mass_solve(std::move(force));
  g_ = Eigen::VectorXd::Zero(base_.size());
  add_product(terms, derivative, base_vdot_, g_);
  add_product(terms, value, dvdot_fixed_, g_);
  for (ConstraintBlockOf<Dual> const& block : terms.blocks) {
    for (int i = 0; i < block.rows(); ++i) {
      auto const row = static_cast<std::size_t>(block.first_row + i);
      g_[block.first_row + i] +=
          terms.Jdot_v[row].derivative +
          relaxed(block, dynamics_->relaxation(), step_rate, terms.velocity[row], terms.Psi[row]).derivative;
    }
  }
  dlambda_ = Eigen::VectorXd::Zero(base_.size());
  contradicts_ = false;
  for (Island& island : islands_) {
    solve(island, terms);
    contradicts_ |= island.contradicts;
  }
  if (law_ == ContactLaw::nakaoka) project_nakaoka(terms);

  // From the force that was really taken, which Nakaoka's law projects.
  Eigen::VectorXd const& lambda = dynamics_->solution().lambda;
  auto const vdot = dynamics_->vdot();
  force = -derivatives_of(terms.Phi);
  add_transposed(terms, derivative, lambda, force);
  subtract_mass_rate(
      terms, Eigen::Map<const Eigen::VectorXd>(vdot.data(), static_cast<Eigen::Index>(vdot.size())), force);
  add_transposed(terms, value, dlambda_, force);
  dvdot_ = mass_solve(std::move(force));
}

void Sensitivity::solve(Island& island, TermsOf<Dual> const& terms) {
  Eigen::VectorXd g(island.rows);
  for (Member const& member : island.members) {
    int const first = terms.blocks[static_cast<std::size_t>(member.block)].first_row;
    g.segment(member.first, member.solved.rows()) = g_.segment(first, member.solved.rows());
  }
  Eigen::VectorXd best;
  if (!island.on_edge) {
    best = solve_in_modes(island, terms, g);
  } else {
    // Every combination of the modes that meet, until one fits the direction; else the one that fits best.
    double least = std::numeric_limits<double>::infinity();
    for (Member& member : island.members) member.chosen = 0;
    for (int tried = 0; tried < most_combinations; ++tried) {
      factorise(island);
      Eigen::VectorXd dlambda = solve_in_modes(island, terms, g);
      turn_apex_slips(island, terms, g, dlambda);
      Eigen::VectorXd const deta = island.A * dlambda + g;
      double worst = 0;
      for (Member const& member : island.members) {
        if (member.rules.count == 1) continue;
        auto const k = static_cast<std::size_t>(member.block);
        int const rows = member.solved.rows();
        worst = std::max(worst,
                         violation(member.solved, member.rules.item[static_cast<std::size_t>(member.chosen)],
                                   island.rounding, part_of(dlambda, member.first, rows),
                                   part_of(deta, member.first, rows), terms.blocks[k].set.limit.derivative,
                                   member.heading));
      }
      if (std::isfinite(worst) && worst < least) {
        least = worst;
        best = dlambda;
      }
      if (least <= 1e-9 * dlambda.norm()) break;
      // The next combination, as a counter counts.
      std::size_t digit = 0;
      for (; digit < island.members.size(); ++digit) {
        Member& member = island.members[digit];
        if (++member.chosen < member.rules.count) break;
        member.chosen = 0;
      }
      if (digit == island.members.size()) break;
    }
    if (best.size() == 0) best = Eigen::VectorXd::Zero(island.rows);
  }
  for (Member const& member : island.members) {
    int const first = terms.blocks[static_cast<std::size_t>(member.block)].first_row;
    dlambda_.segment(first, member.solved.rows()) = best.segment(member.first, member.solved.rows());
  }
}

Eigen::VectorXd Sensitivity::solve_in_modes(Island& island, TermsOf<Dual> const& terms,
                                            Eigen::VectorXd const& g) {
  Eigen::VectorXd demand(island.rows);
  for (Member const& member : island.members) {
    int const rows = member.solved.rows();
    Eigen::Vector3d const set =
        set_rate(member.solved, member.rules.item[static_cast<std::size_t>(member.chosen)], member.equations,
                 terms.blocks[static_cast<std::size_t>(member.block)].set);
    demand.segment(member.first, rows) =
        -member.equations.Q.topLeftCorner(rows, rows) * g.segment(member.first, rows) - set.head(rows);
  }
  Eigen::VectorXd dlambda = island.factor.solve(demand);
  // Once more with what is left: slips near stick make K ill-conditioned.
  dlambda += island.factor.solve(demand - island.K * dlambda);
  island.contradicts =
      island.null_space.cols() > 0 && (demand - island.K * dlambda).norm() > contradiction * demand.norm();
  if (island.y.size() > 0) add_least_norm_part(island, terms, g, dlambda);
  return dlambda;
}

void Sensitivity::add_least_norm_part(Island const& island, TermsOf<Dual> const& terms,
                                      Eigen::VectorXd const& g, Eigen::VectorXd& dlambda) const {
  // Q^T y of the whole problem, and dA times it.
  Eigen::VectorXd u = Eigen::VectorXd::Zero(base_.size());
  for (Member const& member : island.members) {
    int const rows = member.solved.rows(),
              first = terms.blocks[static_cast<std::size_t>(member.block)].first_row;
    u.segment(first, rows) =
        member.equations.Q.topLeftCorner(rows, rows).transpose() * island.y.segment(member.first, rows);
  }
  Eigen::VectorXd const rate = operator_rate(u);
  // dP^T y + A dQ^T y for given dlambda; only slips have any. Affine in dlambda.
  auto const turned = [&](Eigen::VectorXd const& change, bool with_sets) {
    Eigen::VectorXd direct = Eigen::VectorXd::Zero(island.rows), through_A = direct;
    Eigen::VectorXd deta = island.A * change;
    if (with_sets) deta += g;
    for (Member const& member : island.members) {
      SolvedBlock const& solved = member.solved;
      BlockRule const rule = member.rules.item[static_cast<std::size_t>(member.chosen)];
      if (rule == BlockRule::detached || rule == BlockRule::stick) continue;
      int const rows = solved.rows();
      Vector3<Dual> lambda, eta;
      for (int i = 0; i < 3; ++i) {
        bool const there = i < rows;
        lambda[i] = {solved.lambda[i], there ? change[member.first + i] : 0};
        eta[i] = {solved.eta[i], there ? deta[member.first + i] : 0};
      }
      ForceSetOf<Dual> set = terms.blocks[static_cast<std::size_t>(member.block)].set;
      if (!with_sets) {
        set.limit.derivative = 0;
        for (Dual& each : set.direction) each.derivative = 0;
      }
      ModeEquations<Dual> const equations =
          mode_equations<Dual>(solved, rule, lambda, eta, set, member.heading);
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < rows; ++j) {
          direct[member.first + j] += equations.P(i, j).derivative * island.y[member.first + i];
          through_A[member.first + j] += equations.Q(i, j).derivative * island.y[member.first + i];
        }
      }
    }
    return Eigen::VectorXd(direct + island.A * through_A);
  };
  Eigen::MatrixXd const& N = island.null_space;
  Eigen::VectorXd wanted = turned(dlambda, true);
  for (Member const& member : island.members) {
    int const first = terms.blocks[static_cast<std::size_t>(member.block)].first_row;
    wanted.segment(member.first, member.solved.rows()) += rate.segment(first, member.solved.rows());
  }
  Eigen::MatrixXd curvature = Eigen::MatrixXd::Identity(N.cols(), N.cols());
  for (Eigen::Index c = 0; c < N.cols(); ++c) curvature.col(c) -= N.transpose() * turned(N.col(c), false);
  dlambda += N * curvature.partialPivLu().solve(N.transpose() * (wanted - dlambda));
}

// A slip that begins at the apex has no direction before it moves: that of its own motion is looked for.
void Sensitivity::turn_apex_slips(Island& island, TermsOf<Dual> const& terms, Eigen::VectorXd const& g,
                                  Eigen::VectorXd& dlambda) {
  bool turning = true;
  for (int iteration = 0; iteration < 100 && turning; ++iteration) {
    turning = false;
    Eigen::VectorXd const deta = island.A * dlambda + g;
    for (Member& member : island.members) {
      if (member.rules.item[static_cast<std::size_t>(member.chosen)] != BlockRule::apex_slip) continue;
      int const t = member.solved.tangential();
      Eigen::Vector2d heading = Eigen::Vector2d::Zero();
      heading.head(t) = -deta.segment(member.first, t);
      if (!(heading.norm() > 0)) continue;
      heading.normalize();
      turning |= (heading - member.heading).norm() > 1e-13;
      member.heading = heading;
    }
    if (!turning) return;
    factorise(island);
    dlambda = solve_in_modes(island, terms, g);
  }
}

void Sensitivity::project_nakaoka(TermsOf<Dual> const& terms) {
  for (ConstraintBlockOf<Dual> const& block : terms.blocks) {
    if (is_free(block.set.kind)) continue;
    int const rows = block.rows();
    bool const normal = has_normal(block.set.kind);
    int const t = rows - (normal ? 1 : 0);
    Vector3<Dual> r = Vector3<Dual>::Zero();
    for (int i = 0; i < rows; ++i) r[i] = {base_[block.first_row + i], dlambda_[block.first_row + i]};
    Dual bound = block.set.limit;
    if (normal) {
      if (!(r[t] > 0)) r.setZero();
      bound = bound * r[t];
    }
    if (t > 0) {
      Dual const size = r.head(t).norm();
      if (size > bound) {
        for (int i = 0; i < t; ++i) r[i] *= bound / size;
      }
    }
    for (int i = 0; i < rows; ++i) dlambda_[block.first_row + i] = r[i].derivative;
  }
}

}  // namespace delassus
