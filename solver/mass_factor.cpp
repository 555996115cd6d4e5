#include "solver/mass_factor.hpp"

#include <cmath>

namespace delassus {
namespace {

// Of the lower triangle of the n x n matrix L, which holds M; column by column, `stride` apart.
void cholesky(double* L, int n, int stride) {
  for (int j = 0; j < n; ++j) {
    double* const column = L + j * stride;
    for (int k = 0; k < j; ++k) {
      double const* const earlier = L + k * stride;
      double const factor = earlier[j];
      for (int i = j; i < n; ++i) column[i] -= factor * earlier[i];
    }
    double const inverse = 1 / std::sqrt(column[j]);
    column[j] = inverse;
    for (int i = j + 1; i < n; ++i) column[i] *= inverse;
  }
}

void solve_forward(double const* L, int n, int stride, double* x) {
  for (int j = 0; j < n; ++j) {
    double const* const column = L + j * stride;
    double const value = x[j] * column[j];
    x[j] = value;
    for (int i = j + 1; i < n; ++i) x[i] -= column[i] * value;
  }
}

void solve_backward(double const* L, int n, int stride, double* x) {
  for (int j = n - 1; j >= 0; --j) {
    double const* const column = L + j * stride;
    double value = x[j];
    for (int i = j + 1; i < n; ++i) value -= column[i] * x[i];
    x[j] = value * column[j];
  }
}

// W = L^-1 J^T over six columns, where L is diagonal in the first three or in all. The number of rows is known
// to the compiler.
template <int rows>
void weight_rigid(double const* L, double const* J, double* W) {
  double const* const I = L + 3 * 6 + 3;
  for (int row = 0; row < rows; ++row, W += 6) {
    for (int i = 0; i < 3; ++i) W[i] = J[row + i * rows] * L[i * 7];
    W[3] = J[row + 3 * rows] * I[0];
    W[4] = (J[row + 4 * rows] - I[1] * W[3]) * I[7];
    W[5] = (J[row + 5 * rows] - I[2] * W[3] - I[8] * W[4]) * I[14];
  }
}
template <int rows>
void weight_diagonal(double const* L, double const* J, double* W) {
  for (int row = 0; row < rows; ++row, W += 6)
    for (int i = 0; i < 6; ++i) W[i] = J[row + i * rows] * L[i * 7];
}

// The lower right 3 x 3 of a 6 x 6, whose first number is at the diagonal of the fourth column.
constexpr int turning = 3 * 6 + 3;

// Of the first `count`, most of which are the same mass.
void invert_diagonal(Eigen::MatrixXd const& M, int count, double* L) {
  auto const stride = M.rows() + 1;
  for (Eigen::Index i = 0; i < count; ++i) {
    bool const as_before = i > 0 && M(i, i) == M(i - 1, i - 1);
    L[i * stride] = as_before ? L[(i - 1) * stride] : 1 / std::sqrt(M(i, i));
  }
}

bool is_diagonal(Eigen::MatrixXd const& M) {
  for (Eigen::Index j = 0; j < M.cols(); ++j)
    for (Eigen::Index i = j + 1; i < M.rows(); ++i)
      if (M(i, j) != 0) return false;
  return true;
}

bool is_rigid(Eigen::MatrixXd const& M) {
  if (M.rows() != 6) return false;
  for (Eigen::Index j = 0; j < 3; ++j)
    for (Eigen::Index i = j + 1; i < 6; ++i)
      if (M(i, j) != 0) return false;
  return true;
}

}  // namespace

MassFactor::MassFactor(std::span<const MassBlock> masses) {
  for (MassBlock const& mass : masses) {
    int const size = static_cast<int>(mass.M.rows());
    blocks_.push_back({Form::full, size, numbers_.size()});
    numbers_.resize(numbers_.size() + static_cast<std::size_t>(size * size));
  }
}

void MassFactor::factorise(std::span<const MassBlock> masses) {
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    Block& block = blocks_[k];
    Eigen::MatrixXd const& M = masses[k].M;
    double* const L = numbers_.data() + block.first;
    int const n = block.size;
    block.form = is_diagonal(M) ? Form::diagonal : is_rigid(M) ? Form::rigid : Form::full;
    switch (block.form) {
      case Form::diagonal:
        invert_diagonal(M, n, L);
        break;
      case Form::rigid:
        invert_diagonal(M, 3, L);
        for (int j = 3; j < 6; ++j)
          for (int i = j; i < 6; ++i) L[6 * j + i] = M(i, j);
        cholesky(L + turning, 3, 6);
        break;
      case Form::full:
        for (int j = 0; j < n; ++j)
          for (int i = j; i < n; ++i) L[n * j + i] = M(i, j);
        cholesky(L, n, n);
        break;
    }
  }
}

void MassFactor::forward(std::size_t mass, double* x) const {
  Block const& block = blocks_[mass];
  double const* const L = numbers_.data() + block.first;
  switch (block.form) {
    case Form::diagonal:
      for (int i = 0; i < block.size; ++i) x[i] *= L[i * (block.size + 1)];
      break;
    case Form::rigid:
      for (int i = 0; i < 3; ++i) x[i] *= L[i * 7];
      solve_forward(L + turning, 3, 6, x + 3);
      break;
    case Form::full:
      solve_forward(L, block.size, block.size, x);
      break;
  }
}

void MassFactor::backward(std::size_t mass, double* x) const {
  Block const& block = blocks_[mass];
  double const* const L = numbers_.data() + block.first;
  switch (block.form) {
    case Form::diagonal:
      for (int i = 0; i < block.size; ++i) x[i] *= L[i * (block.size + 1)];
      break;
    case Form::rigid:
      for (int i = 0; i < 3; ++i) x[i] *= L[i * 7];
      solve_backward(L + turning, 3, 6, x + 3);
      break;
    case Form::full:
      solve_backward(L, block.size, block.size, x);
      break;
  }
}

void MassFactor::weight(std::size_t mass, double const* J, int rows, double* W) const {
  Block const& block = blocks_[mass];
  if (block.size == 6 && rows == 3 && block.form != Form::full) {
    double const* const L = numbers_.data() + block.first;
    block.form == Form::rigid ? weight_rigid<3>(L, J, W) : weight_diagonal<3>(L, J, W);
    return;
  }
  for (int row = 0; row < rows; ++row, W += block.size) {
    for (int i = 0; i < block.size; ++i) W[i] = J[row + i * rows];
    forward(mass, W);
  }
}

}  // namespace delassus
