#include "solver/problem/delassus_operator.hpp"

#include <algorithm>
#include <cmath>

#include "solver/linear/factor_products.hpp"

namespace delassus {

RelaxationFactors relaxation_factors(RelaxationPair const& own, Relaxation const& relaxation) {
  double const h = relaxation.step;
  switch (relaxation.source) {
    case Relaxation::Source::blocks:
      break;
    case Relaxation::Source::step:
      return {1 / h, 1 / (h * h)};  // zeta = 1/2, delta = h
    case Relaxation::Source::over_step:
      // With v_mid = v_start + theta h vdot, eta = 1/(theta h) (J v_mid + Psi/h).
      return {1 / (relaxation.theta * h), 1 / (relaxation.theta * h * h)};
    case Relaxation::Source::impact:
      return {1, -1};
  }
  return {2 * own.zeta / own.delta, 1 / (own.delta * own.delta)};
}

BlockFactors relaxation_factors(ConstraintBlock const& block, Relaxation const& relaxation) {
  RelaxationFactors const normal = relaxation_factors(block.relaxation, relaxation);
  if (!has_normal(block.set.kind)) return {normal, normal};
  return {normal, relaxation_factors(block.tangential, relaxation)};
}

namespace {

// The normal row of a compliant contact and the tangential ones of smooth friction; all rows of a block without normal, as
// of compliant friction.
double compliance_of(ConstraintBlock const& block, int row) {
  bool const tangential = has_normal(block.set.kind) && row + 1 < block.rows();
  return tangential ? block.slip_compliance : block.compliance;
}

int compliant_rows(ConstraintBlock const& block) {
  if (!(block.compliance > 0 || block.slip_compliance > 0)) return 0;
  int count = 0;
  for (int row = 0; row < block.rows(); ++row) count += compliance_of(block, row) > 0 ? 1 : 0;
  return count;
}

// What is not to be closed or parted in this step at once (Relaxation::recovery) is taken from b.
void recover_slowly(Terms const& terms, ConstraintBlock const& block, Relaxation const& relaxation,
                    BlockFactors const& factors, double* b) {
  bool const contact = is_unilateral(block.set.kind);
  double left = 0;
  if (relaxation.source == Relaxation::Source::over_step && block.compliance == 0) {
    // A force that opened a contact would do work. A compliant contact has its force in Psi.
    left = contact ? 1 : std::max(0.0, 1 - relaxation.step / relaxation.recovery);
  } else if (relaxation.source == Relaxation::Source::step && relaxation.step < relaxation.recovery) {
    left = 1 - relaxation.step / relaxation.recovery;
  }
  for (int row = 0; left > 0 && row < block.rows(); ++row) {
    double const Psi = terms.Psi[static_cast<std::size_t>(block.first_row + row)];
    if (!contact || Psi < 0) b[row] += left * factors.of_row(row, block.rows()).stiffness * Psi;
  }
}

}  // namespace

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
  // A compliance c of a row is a column of W of its own, sqrt(c): a mass that nothing else moves.
  int masses = static_cast<int>(terms.M.size()), columns = static_cast<int>(free_.size());
  int compliant = 0;
  for (ConstraintBlock const& block : terms.blocks) compliant += compliant_rows(block);
  problem.W.clear(masses + compliant, columns + compliant);
  problem.b.resize(terms.rows());  // no allocation when the size stays
  problem.blocks.resize(terms.blocks.size());

  BlockFactors factors;
  std::size_t i = 0;
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    problem.blocks[k] = {block.first_row, block.set};
    if (relaxation.source != Relaxation::Source::step || k == 0)
      factors = relaxation_factors(block, relaxation);
    double* const b = problem.b.data() + block.first_row;
    for (int row = 0; row < block.rows(); ++row) {
      auto const at = static_cast<std::size_t>(block.first_row + row);
      RelaxationFactors const& of_row = factors.of_row(row, block.rows());
      b[row] = -terms.Jdot_v[at] - of_row.damping * terms.velocity[at] - of_row.stiffness * terms.Psi[at];
    }
    recover_slowly(terms, block, relaxation, factors, b);
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
    if (int const rows = compliant_rows(block); rows > 0) {
      double* const W = problem.W.add(masses++, columns, rows, block.rows());
      std::fill_n(W, rows * block.rows(), 0.0);
      int column = 0;
      for (int row = 0; row < block.rows(); ++row) {
        double const compliance = compliance_of(block, row);
        if (compliance > 0) W[rows * row + column++] = std::sqrt(compliance);
      }
      columns += rows;
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
    if (static_cast<std::size_t>(term.first_column) >= vdot.size()) continue;  // of a compliance
    double const* const W = problem.W.numbers(term);
    double const* const force = lambda.data() + problem.blocks[static_cast<std::size_t>(term.block)].first;
    double* const out = vdot.data() + term.first_column;
    add_force(W, term.rows, term.columns, force, out);
  }
  for (std::size_t k = 0; k < first_of_mass_.size(); ++k)
    factor_.backward(k, vdot.data() + first_of_mass_[k]);
}

}  // namespace delassus
