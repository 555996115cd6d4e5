#include "solver/sensitivity/sensitivity.hpp"

#include <cmath>
#include <stdexcept>

#include "solver/linear/dense.hpp"
#include "solver/linear/least_norm.hpp"
#include "solver/problem/islands.hpp"
#include "solver/sensitivity/terms_rate.hpp"

namespace delassus {
namespace {

// A residual beyond this is no rounding: the solver stopped at what is enough to move on.
constexpr double exact_residual = 1e-12;
constexpr int most_iterations_to_exactness = 2000;

Eigen::VectorXd vector_of(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
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
  for (MassBlock const& mass : terms.M) mass_inverse_.push_back(inverse_of_regular(mass.M));
  choose_base_force();
  ContactProblem const& problem = dynamics.problem();
  eta_.resize(problem.b.size());
  problem.multiply(base_, eta_);
  eta_ -= problem.b;
  islands_.clear();
  edges_.clear();
  Islands islands;
  islands.find(problem);
  SolvedProblem const solved{problem, base_, eta_, law_, residual_, dynamics.coarse_remainder() > 0};
  for (std::size_t i = 0; i < islands.size(); ++i) {
    islands_.emplace_back(solved, islands[i]);
    for (int const block : islands_.back().edges())
      edges_.push_back(terms.blocks[static_cast<std::size_t>(block)].identity);
  }
}

void Sensitivity::choose_base_force() {
  ContactProblem const& problem = dynamics_->problem();
  base_ = dynamics_->solution().lambda;
  residual_ = dynamics_->solution().residual;
  base_vdot_ = vector_of(dynamics_->vdot());
  if (problem.b.size() == 0) return;
  if (law_ == ContactLaw::nakaoka) {
    // The bilateral force of least norm, which the law then projects (contact_solver.cpp).
    Eigen::MatrixXd A = problem.dense();
    Eigen::VectorXd b = problem.b, bilateral = base_;
    LeastNorm least_norm;
    least_norm.solve(A, b, bilateral, 1e-14);
    move_base_to(bilateral);
  } else if (residual_ > exact_residual) {
    solve_exactly();
  }
}

void Sensitivity::solve_exactly() {
  SolveSettings settings;
  settings.law = law_;
  settings.acceptable = settings.tolerance;
  settings.least_norm = true;
  settings.coarse_remainder = dynamics_->coarse_remainder();
  settings.iteration_limit = most_iterations_to_exactness;
  ContactSolver solver;
  Solution solution;
  solver.solve(dynamics_->problem(), settings, base_, solution);
  if (!(solution.residual < residual_)) return;
  residual_ = solution.residual;
  move_base_to(solution.lambda);
}

void Sensitivity::move_base_to(Eigen::VectorXd const& lambda) {
  Terms const& terms = dynamics_->terms();
  Eigen::VectorXd force = Eigen::VectorXd::Zero(base_vdot_.size());
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    force.segment(terms.M[static_cast<std::size_t>(term.mass)].first, term.columns) +=
        terms.J[i].transpose() *
        (lambda - base_).segment(terms.blocks[static_cast<std::size_t>(term.block)].first_row, term.rows);
  }
  base_vdot_ += mass_solve(std::move(force));
  base_ = lambda;
}

Eigen::VectorXd Sensitivity::operator_rate(Eigen::Ref<const Eigen::VectorXd> u) const {
  TermsOf<Dual> const& terms = *terms_;
  Eigen::VectorXd a = Eigen::VectorXd::Zero(base_vdot_.size());
  add_transposed_product(terms, DualPart::value, u, a);
  a = mass_solve(std::move(a));
  Eigen::VectorXd force = Eigen::VectorXd::Zero(a.size()), rate = Eigen::VectorXd::Zero(u.size());
  add_transposed_product(terms, DualPart::derivative, u, force);
  subtract_mass_rate(terms, a, force);
  add_product(terms, DualPart::value, mass_solve(std::move(force)), rate);
  add_product(terms, DualPart::derivative, a, rate);
  return rate;
}

// M dvdot at fixed lambda: dJ^T lambda - dPhi - dM vdot
Eigen::VectorXd Sensitivity::force_at_fixed(TermsOf<Dual> const& terms, Eigen::VectorXd const& lambda,
                                            Eigen::VectorXd const& vdot) const {
  Eigen::VectorXd force = -force_rate(terms);
  add_transposed_product(terms, DualPart::derivative, lambda, force);
  subtract_mass_rate(terms, vdot, force);
  return force;
}

void Sensitivity::differentiate(TermsOf<Dual> const& terms, double step_rate) {
  Terms const& at = dynamics_->terms();
  bool same = terms.blocks.size() == at.blocks.size() && terms.J.size() == at.J.size();
  for (std::size_t k = 0; same && k < at.blocks.size(); ++k)
    same = terms.blocks[k].identity == at.blocks[k].identity &&
           terms.blocks[k].set.kind == at.blocks[k].set.kind;
  if (!same) throw std::runtime_error("the terms with derivatives have other blocks than the instant");
  terms_ = &terms;
  Eigen::VectorXd force = force_at_fixed(terms, base_, base_vdot_);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(base_.size());
  add_product(terms, DualPart::derivative, base_vdot_, g);
  add_product(terms, DualPart::value, mass_solve(force), g);
  g += demand_rate(terms, dynamics_->relaxation(), step_rate);
  dlambda_ = Eigen::VectorXd::Zero(base_.size());
  contradicts_ = false;
  IslandDirection const direction{terms, g, [this](Eigen::VectorXd const& u) { return operator_rate(u); }};
  for (IslandSensitivity& island : islands_) {
    island.solve(direction, dlambda_);
    contradicts_ |= island.contradicts();
  }
  if (law_ == ContactLaw::nakaoka) {  // the force that was really taken is the projected one
    project_nakaoka(terms);
    force = force_at_fixed(terms, dynamics_->solution().lambda, vector_of(dynamics_->vdot()));
  }
  add_transposed_product(terms, DualPart::value, dlambda_, force);
  dvdot_ = mass_solve(std::move(force));
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
