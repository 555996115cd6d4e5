#include "solver/problem/contact_problem.hpp"

#include "solver/linear/factor_products.hpp"

namespace delassus {

void ContactProblem::multiply(Eigen::Ref<const Eigen::VectorXd> x,
                              Eigen::Ref<Eigen::VectorXd> product) const {
  if (formed()) {
    A.multiply(blocks, x, product);
    return;
  }
  Eigen::VectorXd motion = Eigen::VectorXd::Zero(W.columns());
  auto const first_row = [this](FactorTerms::Term const& term) {
    return blocks[static_cast<std::size_t>(term.block)].first;
  };
  for (FactorTerms::Term const& term : W.terms())
    add_force(W.numbers(term), term.rows, term.columns, x.data() + first_row(term),
              motion.data() + term.first_column);
  product.setZero();
  for (FactorTerms::Term const& term : W.terms())
    add_relative_motion(W.numbers(term), term.rows, term.columns, motion.data() + term.first_column,
                        product.data() + first_row(term));
}

double ContactProblem::trace() const {
  if (formed()) return A.trace();
  double sum = 0;
  for (FactorTerms::Term const& term : W.terms()) {
    double const* const numbers = W.numbers(term);
    for (int i = 0; i < term.rows * term.columns; ++i) sum += numbers[i] * numbers[i];
  }
  return sum;
}

Eigen::MatrixXd ContactProblem::dense() const {
  if (formed()) return A.dense(blocks);
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(W.columns(), b.size());
  for (FactorTerms::Term const& term : W.terms())
    all.block(term.first_column, blocks[static_cast<std::size_t>(term.block)].first, term.columns,
              term.rows) +=
        FactorBlock<Eigen::Dynamic, Eigen::Dynamic>(W.numbers(term), term.columns, term.rows);
  return all.transpose() * all;
}

}  // namespace delassus
