#include "solver/problem/delassus_operator.hpp"

#include "solver/linear/factor_products.hpp"

namespace delassus {
namespace {

struct ZetaDelta {
  double zeta, delta;
};

ZetaDelta relaxation_of(ConstraintBlock const& block, Relaxation const& relaxation) {
  switch (relaxation.source) {
    case Relaxation::Source::blocks:
      return {block.zeta, block.delta};
    case Relaxation::Source::step:
      return {0.5, relaxation.step};
    case Relaxation::Source::blocks_within_step: {
      // Semi-implicit Euler on x'' + (2 zeta/delta) x' + x/delta^2 = 0 is stable for r^2 + 4 zeta r < 4 with
      // r = h/delta. Half of that keeps the velocity from changing its sign in one step (2 zeta r < 1); a
      // block beyond it is too stiff for this step.
      double const r = relaxation.step / block.delta;
      if (r * r + 4 * block.zeta * r > 2) return {0.5, relaxation.step};
      return {block.zeta, block.delta};
    }
  }
  return {block.zeta, block.delta};
}

}  // namespace

RelaxationFactors relaxation_factors(ConstraintBlock const& block, Relaxation const& relaxation) {
  auto const [zeta, delta] = relaxation_of(block, relaxation);
  return {2 * zeta / delta, 1 / (delta * delta)};
}

DelassusOperator::DelassusOperator(System const& system) : factor_(system.make_terms().M) {
  free_ = Eigen::VectorXd::Zero(system.velocity_size());
}

void DelassusOperator::assemble(Terms const& terms, Relaxation relaxation, ContactProblem& problem) {
  factor_.factorise(terms.M);
  free_ = terms.Phi;
  first_of_mass_.resize(terms.M.size());
  for (std::size_t k = 0; k < terms.M.size(); ++k) {
    first_of_mass_[k] = terms.M[k].first;
    factor_.forward(k, free_.data() + first_of_mass_[k]);
  }
  problem.A.clear(0);
  problem.W.clear(static_cast<int>(terms.M.size()), static_cast<int>(free_.size()));
  problem.b.resize(terms.rows());  // no allocation when the size stays
  problem.blocks.resize(terms.blocks.size());

  RelaxationFactors factors;
  std::size_t i = 0;
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    problem.blocks[k] = {block.first_row, block.set};
    if (relaxation.source != Relaxation::Source::step || k == 0)
      factors = relaxation_factors(block, relaxation);
    double* const b = problem.b.data() + block.first_row;
    for (int row = 0; row < block.rows(); ++row) {
      auto const at = static_cast<std::size_t>(block.first_row + row);
      b[row] = -terms.Jdot_v[at] - factors.damping * terms.velocity[at] - factors.stiffness * terms.Psi[at];
    }
    problem.W.begin_block();
    RelativeMotion free_motion;
    for (; i < terms.J.size() && terms.J.term(i).block == static_cast<int>(k); ++i) {
      JacobianTerms::Term const& term = terms.J.term(i);
      auto const mass = static_cast<std::size_t>(term.mass);
      int const first = first_of_mass_[mass];
      double* const W = problem.W.add(term.mass, first, term.columns, term.rows);
      factor_.weight(mass, terms.J[i].data(), term.rows, W);
      free_motion.add(W, term.rows, term.columns, free_.data() + first);
    }
    Eigen::Vector3d const total = free_motion.total();
    for (int row = 0; row < block.rows(); ++row) b[row] += total[row];
  }
  problem.W.list_by_mass();
}

void DelassusOperator::acceleration(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                                    std::span<double> vdot) const {
  for (std::size_t i = 0; i < vdot.size(); ++i) vdot[i] = -free_[static_cast<Eigen::Index>(i)];
  for (FactorTerms::Term const& term : problem.W.terms()) {
    double const* const W = problem.W.numbers(term);
    double const* const force = lambda.data() + problem.blocks[static_cast<std::size_t>(term.block)].first;
    double* const out = vdot.data() + term.first_column;
    add_force(W, term.rows, term.columns, force, out);
  }
  for (std::size_t k = 0; k < first_of_mass_.size(); ++k)
    factor_.backward(k, vdot.data() + first_of_mass_[k]);
}

}  // namespace delassus
