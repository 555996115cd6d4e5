#include "solver/problem/form_matrix.hpp"

#include "solver/linear/factor_products.hpp"

namespace delassus {
namespace {

// value += W_i^T W_j. The sizes are known to the compiler in the common cases.
template <int columns, int rows>
void add_known_product(double const* ours, double const* theirs, Eigen::Matrix3d& value) {
  FactorBlock<columns, rows> const one(ours), other(theirs);
  for (int column = 0; column < rows; ++column)
    for (int row = 0; row < rows; ++row) value(row, column) += one.col(row).dot(other.col(column));
}

// Whether all terms are three rows of rigid bodies in space, each of its own: the most common case.
bool are_of_rigid_bodies(std::span<const FactorTerms::Term> terms) {
  for (FactorTerms::Term const& term : terms)
    if (term.columns != 6 || term.rows != 3) return false;
  return terms.size() == 1 || (terms.size() == 2 && terms[0].mass != terms[1].mass);
}

// The sum of W^T W over such terms; even and odd columns apart until the end.
Eigen::Matrix3d sum_of_squares(FactorTerms const& W, std::span<const FactorTerms::Term> terms) {
  NumberPair sum[6] = {};
  for (FactorTerms::Term const& term : terms) {
    double const* const w = W.numbers(term);
#pragma GCC unroll 3
    for (int c = 0; c < 6; c += 2) {
      NumberPair const first = load_pair(w + c), second = load_pair(w + c + 6), third = load_pair(w + c + 12);
      sum[0] += first * first;
      sum[1] += second * second;
      sum[2] += third * third;
      sum[3] += first * second;
      sum[4] += first * third;
      sum[5] += second * third;
    }
  }
  Eigen::Matrix3d value;
  for (int row = 0; row < 3; ++row) value(row, row) = sum_of(sum[row]);
  value(0, 1) = value(1, 0) = sum_of(sum[3]);
  value(0, 2) = value(2, 0) = sum_of(sum[4]);
  value(1, 2) = value(2, 1) = sum_of(sum[5]);
  return value;
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
  auto const terms = W.of_block(k);
  if (are_of_rigid_bodies(terms)) return sum_of_squares(W, terms);
  Eigen::Matrix3d value = Eigen::Matrix3d::Zero();
  for (FactorTerms::Term const& one : terms) {
    for (FactorTerms::Term const& other : terms)
      if (one.mass == other.mass) add_product(W, one, other, value);
  }
  return value;
}

}  // namespace delassus
