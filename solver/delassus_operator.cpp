#include "solver/delassus_operator.hpp"

#include <stdexcept>

namespace delassus {
namespace {

struct ZetaDelta {
  double zeta, delta;
};

ZetaDelta relaxation_of(BlockTerms const& block, Relaxation const& relaxation) {
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

DelassusOperator::DelassusOperator(System const& system) : blocks_(system.blocks()) {
  Terms const terms = system.make_terms();
  // Of the identity, not of nothing: an LLT that has factorised nothing may not even be copied.
  for (MassBlock const& mass : terms.M) {
    factor_.emplace_back(Eigen::MatrixXd::Identity(mass.M.rows(), mass.M.rows()));
  }
  for (JacobianTerm const& term : terms.J) {
    weighted_.push_back(term.J.transpose());
    std::size_t k = 0;
    while (k < terms.M.size() && !(terms.M[k].first <= term.column &&
                                   term.column + term.J.cols() <= terms.M[k].first + terms.M[k].M.rows())) {
      ++k;
    }
    if (k == terms.M.size())
      throw std::invalid_argument("a Jacobian term reaches over more than one mass block");
    mass_of_term_.push_back(k);
  }
  free_ = terms.Phi;
}

void DelassusOperator::factorise(Terms const& terms) {
  free_ = terms.Phi;
  for (std::size_t k = 0; k < terms.M.size(); ++k) {
    factor_[k].compute(terms.M[k].M);
    factor_[k].solveInPlace(free_.segment(terms.M[k].first, terms.M[k].M.rows()));
  }
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    weighted_[i] = terms.J[i].J.transpose();
    factor_[mass_of_term_[i]].solveInPlace(weighted_[i]);
  }
}

void DelassusOperator::assemble(Terms const& terms, std::span<const double> v, Relaxation relaxation,
                                ContactProblem& problem) {
  factorise(terms);
  Eigen::Index const rows = terms.Psi.size();
  problem.A.resize(rows, rows);  // no allocation when the size stays
  problem.A.setZero();
  problem.b.resize(rows);
  problem.blocks.resize(blocks_.size());

  problem.b = -terms.Jdot_v;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    auto const [zeta, delta] = relaxation_of(terms.block[k], relaxation);
    problem.blocks[k] = {blocks_[k].first_row, {blocks_[k].kind, terms.block[k].limit}};
    if (has_normal(blocks_[k].kind)) {
      Eigen::Index const normal = blocks_[k].first_row + blocks_[k].rows() - 1;
      problem.b(normal) -= terms.Psi(normal) / (delta * delta);
    }
  }
  Eigen::Map<const Eigen::VectorXd> const velocity(v.data(), static_cast<Eigen::Index>(v.size()));
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    JacobianTerm const& row = terms.J[i];
    ConstraintBlock const& block = blocks_[static_cast<std::size_t>(row.block)];
    auto const [zeta, delta] = relaxation_of(terms.block[static_cast<std::size_t>(row.block)], relaxation);
    // lazyProduct: these matrices are tiny, and Eigen's general product would allocate a temporary.
    auto b = problem.b.segment(block.first_row, block.rows());
    b.noalias() += row.J.lazyProduct(free_.segment(row.column, row.J.cols()));
    b.noalias() -= (2 * zeta / delta) * row.J.lazyProduct(velocity.segment(row.column, row.J.cols()));
    for (std::size_t j = 0; j < terms.J.size(); ++j) {
      if (mass_of_term_[i] != mass_of_term_[j]) continue;
      ConstraintBlock const& other = blocks_[static_cast<std::size_t>(terms.J[j].block)];
      problem.A.block(block.first_row, other.first_row, block.rows(), other.rows()).noalias() +=
          row.J.lazyProduct(weighted_[j]);
    }
  }
}

void DelassusOperator::acceleration(Terms const& terms, Eigen::Ref<const Eigen::VectorXd> lambda,
                                    std::span<double> vdot) {
  Eigen::Map<Eigen::VectorXd> out(vdot.data(), static_cast<Eigen::Index>(vdot.size()));
  out = -free_;
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    ConstraintBlock const& block = blocks_[static_cast<std::size_t>(terms.J[i].block)];
    out.segment(terms.J[i].column, terms.J[i].J.cols()).noalias() +=
        weighted_[i].lazyProduct(lambda.segment(block.first_row, block.rows()));
  }
}

}  // namespace delassus
