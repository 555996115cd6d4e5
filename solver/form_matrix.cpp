#include "solver/form_matrix.hpp"

namespace delassus {
namespace {

// value += W_i^T W_j. The number of columns is known to the compiler in the common cases.
template <int fixed_columns>
void add_product(double const* ours, int our_rows, double const* theirs, int their_rows, int given_columns,
                 Eigen::Matrix3d& value) {
  int const columns = fixed_columns > 0 ? fixed_columns : given_columns;
  for (int column = 0; column < their_rows; ++column) {
    for (int row = 0; row < our_rows; ++row) {
      double const* const x = ours + row * columns;
      double const* const y = theirs + column * columns;
      double sum = 0;
      for (int c = 0; c < columns; ++c) sum += x[c] * y[c];
      value(row, column) += sum;
    }
  }
}

}  // namespace

void form_matrix(ContactProblem& problem) {
  FactorTerms& W = problem.W;
  W.list_by_mass();
  std::span<const FactorTerms::Term> const terms = W.terms();
  problem.A.clear(W.blocks());
  for (std::size_t k = 0; k < W.blocks(); ++k) {
    problem.A.begin_row();
    for (FactorTerms::Term const& term : W.of_block(k)) {
      double const* const ours = W.numbers(term);
      for (int const i : W.of_mass(term.mass)) {
        FactorTerms::Term const& other = terms[static_cast<std::size_t>(i)];
        double const* const theirs = W.numbers(other);
        Eigen::Matrix3d& value = problem.A.at(other.block);
        switch (term.columns) {
          case 6:
            add_product<6>(ours, term.rows, theirs, other.rows, 6, value);
            break;
          case 3:
            add_product<3>(ours, term.rows, theirs, other.rows, 3, value);
            break;
          default:
            add_product<0>(ours, term.rows, theirs, other.rows, term.columns, value);
        }
      }
    }
  }
}

}  // namespace delassus
