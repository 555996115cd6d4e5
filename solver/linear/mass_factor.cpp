#include "solver/linear/mass_factor.hpp"

#include <cmath>

namespace delassus {
namespace {

// Of the lower triangle of the n x n matrix L, which holds M; column by column.
void cholesky(double* L, int n) {
  for (int j = 0; j < n; ++j) {
    double* const column = L + j * n;
    for (int k = 0; k < j; ++k) {
      double const* const earlier = L + k * n;
      double const factor = earlier[j];
      for (int i = j; i < n; ++i) column[i] -= factor * earlier[i];
    }
    column[j] = std::sqrt(column[j]);
    for (int i = j + 1; i < n; ++i) column[i] /= column[j];
  }
}

// Divides, where a rigid body multiplies with the inverse: one rounding less, which shows in small systems whose
// stick forces are followed over very small delta.
void solve_forward(double const* L, int n, double* x) {
  for (int j = 0; j < n; ++j) {
    double const* const column = L + j * n;
    x[j] /= column[j];
    for (int i = j + 1; i < n; ++i) x[i] -= column[i] * x[j];
  }
}

void solve_backward(double const* L, int n, double* x) {
  for (int j = n - 1; j >= 0; --j) {
    double const* const column = L + j * n;
    for (int i = j + 1; i < n; ++i) x[j] -= column[i] * x[i];
    x[j] /= column[j];
  }
}

// A rigid body: L is diagonal in the first three columns. Here the inverse of its diagonal is in its place. Where
// the numbers of the last three are, of 6 columns of 6:
constexpr int d3 = 21, l43 = 22, l53 = 23, d4 = 28, l54 = 29, d5 = 35;

void factorise_rigid(Eigen::MatrixXd const& M, double* L) {
  double const* const m = M.data();
  for (int const i : {l43, l53, l54}) L[i] = m[i];
  // Most of the diagonal is the same mass, and the rest of a ball the same inertia.
  auto const invert = [&](int i, int before) { L[i] = m[i] == m[before] ? L[before] : 1 / std::sqrt(m[i]); };
  L[0] = 1 / std::sqrt(m[0]);
  invert(7, 0);
  invert(14, 7);
  L[d3] = 1 / std::sqrt(m[d3]);
  if (m[l43] == 0 && m[l53] == 0 && m[l54] == 0) {
    invert(d4, d3);
    invert(d5, d4);
    return;
  }
  L[l43] *= L[d3];
  L[l53] *= L[d3];
  L[d4] = 1 / std::sqrt(m[d4] - L[l43] * L[l43]);
  L[l54] = (m[l54] - L[l53] * L[l43]) * L[d4];
  L[d5] = 1 / std::sqrt(m[d5] - L[l53] * L[l53] - L[l54] * L[l54]);
}

// W = L^-1 J^T; the numbers of row r of J are `stride` apart, beginning with J[r].
inline void weight_rigid_row(double const* L, double const* J, int stride, double* W) {
  W[0] = J[0] * L[0];
  W[1] = J[stride] * L[7];
  W[2] = J[2 * stride] * L[14];
  W[3] = J[3 * stride] * L[d3];
  W[4] = (J[4 * stride] - L[l43] * W[3]) * L[d4];
  W[5] = (J[5 * stride] - L[l53] * W[3] - L[l54] * W[4]) * L[d5];
}

void solve_backward_rigid(double const* L, double* x) {
  x[0] *= L[0];
  x[1] *= L[7];
  x[2] *= L[14];
  x[5] *= L[d5];
  x[4] = (x[4] - L[l54] * x[5]) * L[d4];
  x[3] = (x[3] - L[l43] * x[4] - L[l53] * x[5]) * L[d3];
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
    block.form = is_rigid(M) ? Form::rigid : is_diagonal(M) ? Form::diagonal : Form::full;
    switch (block.form) {
      case Form::diagonal:
        for (int i = 0; i < n; ++i) L[i] = std::sqrt(M(i, i));
        break;
      case Form::rigid:
        factorise_rigid(M, L);
        break;
      case Form::full:
        for (int j = 0; j < n; ++j)
          for (int i = j; i < n; ++i) L[n * j + i] = M(i, j);
        cholesky(L, n);
        break;
    }
  }
}

void MassFactor::forward(std::size_t mass, double* x) const {
  Block const& block = blocks_[mass];
  double const* const L = numbers_.data() + block.first;
  switch (block.form) {
    case Form::diagonal:
      for (int i = 0; i < block.size; ++i) x[i] /= L[i];
      break;
    case Form::rigid:
      weight_rigid_row(L, x, 1, x);
      break;
    case Form::full:
      solve_forward(L, block.size, x);
      break;
  }
}

void MassFactor::backward(std::size_t mass, double* x) const {
  Block const& block = blocks_[mass];
  double const* const L = numbers_.data() + block.first;
  switch (block.form) {
    case Form::diagonal:
      for (int i = 0; i < block.size; ++i) x[i] /= L[i];
      break;
    case Form::rigid:
      solve_backward_rigid(L, x);
      break;
    case Form::full:
      solve_backward(L, block.size, x);
      break;
  }
}

void MassFactor::weight(std::size_t mass, double const* J, int rows, double* W) const {
  Block const& block = blocks_[mass];
  if (block.form == Form::rigid) {
    double const* const L = numbers_.data() + block.first;
    for (int row = 0; row < rows; ++row) weight_rigid_row(L, J + row, rows, W + 6 * row);
    return;
  }
  for (int row = 0; row < rows; ++row, W += block.size) {
    for (int i = 0; i < block.size; ++i) W[i] = J[row + i * rows];
    forward(mass, W);
  }
}

}  // namespace delassus
