#include "solver/anderson_mixing.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

// f may grow by this much before the past is forgotten.
constexpr double tolerated_growth = 2;
// Beside the mean of the squares of df: differences that are nearly parallel do not get huge factors.
constexpr double damping = 1e-10;

double dot(BlockVector const& x, BlockVector const& y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k].dot(y[k]);
  return sum;
}

}  // namespace

void AndersonMixing::mix(BlockVector const& x, BlockVector& g) {
  std::size_t const size = x.size();
  auto const slot = static_cast<std::size_t>(next_);
  BlockVector &df = df_[slot], &dg = dg_[slot];
  df.resize(size);
  dg.resize(size);
  f_.resize(size);
  g_.resize(size);
  double square = 0;
  for (std::size_t k = 0; k < size; ++k) {
    Eigen::Vector3d const f = g[k] - x[k];
    square += f.squaredNorm();
    df[k] = f - f_[k];
    dg[k] = g[k] - g_[k];
    f_[k] = f;
    g_[k] = g[k];
  }
  double const norm = std::sqrt(square);
  bool const grows = norm > tolerated_growth * norm_;
  norm_ = norm;
  if (!known_ || grows || !std::isfinite(norm)) {
    begin();
    known_ = true;
    return;
  }
  count_ = std::min(count_ + 1, memory);
  next_ = (next_ + 1) % memory;
  Eigen::Matrix<double, memory, 1> right = Eigen::Matrix<double, memory, 1>::Zero();
  for (int j = 0; j < count_; ++j) {
    BlockVector const& past = df_[static_cast<std::size_t>(j)];
    products_(static_cast<int>(slot), j) = products_(j, static_cast<int>(slot)) = dot(df, past);
    right[j] = dot(past, f_);
  }
  Eigen::Matrix<double, memory, memory> normal = Eigen::Matrix<double, memory, memory>::Identity();
  normal.topLeftCorner(count_, count_) = products_.topLeftCorner(count_, count_);
  double const trace = normal.topLeftCorner(count_, count_).trace();
  if (!(trace > 0)) return;
  normal.diagonal().head(count_).array() += damping * trace;
  Eigen::Matrix<double, memory, 1> const a = normal.ldlt().solve(right);
  if (!a.allFinite()) return;
  for (int j = 0; j < count_; ++j) {
    BlockVector const& past = dg_[static_cast<std::size_t>(j)];
    for (std::size_t k = 0; k < size; ++k) g[k] -= a[j] * past[k];
  }
}

}  // namespace delassus
