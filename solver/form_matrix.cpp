#include "solver/form_matrix.hpp"

#include "solver/factor_products.hpp"

namespace delassus {
namespace {

// value += W_i^T W_j. The sizes are known to the compiler in the common cases.
template <int columns, int rows>
void add_known_product(double const* ours, double const* theirs, Eigen::Matrix3d& value) {
  FactorBlock<columns, rows> const one(ours), other(theirs);
  for (int column = 0; column < rows; ++column)
    for (int row = 0; row < rows; ++row) value(row, column) += one.col(row).dot(other.col(column));
}

// value += W^T W of one term, for the most common size.
void add_square(double const* W, Eigen::Matrix3d& value) {
  FactorBlock<6, 3> const one(W);
  for (int column = 0; column < 3; ++column) {
    value(column, column) += one.col(column).squaredNorm();
    for (int row = 0; row < column; ++row) {
      double const product = one.col(row).dot(one.col(column));
      value(row, column) += product;
      value(column, row) += product;
    }
  }
}

void add_product(FactorTerms const& W, FactorTerms::Term const& one, FactorTerms::Term const& other,
                 Eigen::Matrix3d& value) {
  double const *const ours = W.numbers(one), *const theirs = W.numbers(other);
  int const columns = one.columns;
  if (one.rows == other.rows) {
    if (columns == 6 && one.rows == 3) return add_known_product<6, 3>(ours, theirs, value);
    if (columns == 3 && one.rows == 2) return add_known_product<3, 2>(ours, theirs, value);
  }
  for (int column = 0; column < other.rows; ++column) {
    for (int row = 0; row < one.rows; ++row) {
      double sum = 0;
      for (int c = 0; c < columns; ++c) sum += ours[c + row * columns] * theirs[c + column * columns];
      value(row, column) += sum;
    }
  }
}

// column_of is a function of the other block.
template <class Column>
void form_row(FactorTerms const& W, std::size_t k, Column const& column_of, BlockMatrix& A) {
  A.begin_row();
  for (FactorTerms::Term const& term : W.of_block(k)) {
    for (int const i : W.of_mass(term.mass)) {
      FactorTerms::Term const& other = W.terms()[static_cast<std::size_t>(i)];
      int const column = column_of(other.block);
      if (column >= 0) add_product(W, term, other, A.at(column));
    }
  }
}

}  // namespace

void form_matrix(ContactProblem& problem) {
  problem.W.list_by_mass();
  problem.A.clear(problem.W.blocks());
  for (std::size_t k = 0; k < problem.W.blocks(); ++k)
    form_row(
        problem.W, k, [](int block) { return block; }, problem.A);
}

void form_matrix(FactorTerms const& W, std::span<const int> island, std::span<const int> column_of,
                 BlockMatrix& A) {
  A.clear(island.size());
  for (int const k : island)
    form_row(
        W, static_cast<std::size_t>(k), [&](int block) { return column_of[static_cast<std::size_t>(block)]; },
        A);
}

Eigen::Matrix3d form_diagonal(FactorTerms const& W, std::size_t k) {
  Eigen::Matrix3d value = Eigen::Matrix3d::Zero();
  for (FactorTerms::Term const& one : W.of_block(k)) {
    for (FactorTerms::Term const& other : W.of_block(k)) {
      if (one.mass != other.mass) continue;
      if (&one == &other && one.columns == 6 && one.rows == 3) {
        add_square(W.numbers(one), value);
      } else {
        add_product(W, one, other, value);
      }
    }
  }
  return value;
}

}  // namespace delassus
