#include "solver/linear/anderson_acceleration.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "solver/linear/number_pair.hpp"

namespace delassus {
namespace {

// f may grow by this factor before a restart.
constexpr double tolerated_growth = 2;
// Tikhonov regularisation beside the mean square of df: nearly parallel differences do not get huge factors.
constexpr double damping = 1e-10;

// Of a past difference with the newest one and with f, in one pass over long vectors.
struct Products {
  double with_newest, with_f;
};
Products products_of(double const* past, double const* newest, double const* f, std::size_t size) {
  NumberPair newest0 = {0, 0}, newest1 = {0, 0}, f0 = {0, 0}, f1 = {0, 0};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    NumberPair const past0 = load_pair(past + i), past1 = load_pair(past + i + 2);
    newest0 += past0 * load_pair(newest + i);
    newest1 += past1 * load_pair(newest + i + 2);
    f0 += past0 * load_pair(f + i);
    f1 += past1 * load_pair(f + i + 2);
  }
  Products sums{sum_of(newest0 + newest1), sum_of(f0 + f1)};
  for (; i < size; ++i) {
    sums.with_newest += past[i] * newest[i];
    sums.with_f += past[i] * f[i];
  }
  return sums;
}

// Two differences at a time: the accelerated vector is read and written less often.
void subtract(double const* one, double a_one, double const* other, double a_other, std::size_t size,
              double* from) {
  std::size_t i = 0;
  for (; i + 2 <= size; i += 2)
    store_pair(load_pair(from + i) - (load_pair(one + i) * a_one + load_pair(other + i) * a_other), from + i);
  for (; i < size; ++i) from[i] -= one[i] * a_one + other[i] * a_other;
}

}  // namespace

void AndersonAcceleration::accelerate(BlockVector const& x, BlockVector& g, std::vector<double>* image) {
  std::size_t const size = 3 * x.size();
  if (size == 0) return;
  auto const slot = static_cast<std::size_t>(next_);
  for (BlockVector* const vector : {&df_[slot], &dg_[slot], &f_, &g_}) vector->resize(x.size());
  double const* const from = x[0].data();
  double *const to = g[0].data(), *const df = df_[slot][0].data(), *const dg = dg_[slot][0].data();
  double *const last_f = f_[0].data(), *const last_g = g_[0].data();
  if (!known_) std::fill_n(last_f, size, 0.0), std::fill_n(last_g, size, 0.0);
  double square = 0;
  for (std::size_t i = 0; i < size; ++i) {
    double const f = to[i] - from[i];
    square += f * f;
    df[i] = f - last_f[i];
    dg[i] = to[i] - last_g[i];
    last_f[i] = f;
    last_g[i] = to[i];
  }
  if (image) {
    std::vector<double>& d_image = d_image_[slot];
    d_image.resize(image->size());
    image_.resize(image->size());
    for (std::size_t i = 0; i < d_image.size(); ++i) {
      d_image[i] = (*image)[i] - image_[i];
      image_[i] = (*image)[i];
    }
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
    Products const products = products_of(df_[static_cast<std::size_t>(j)][0].data(), df, last_f, size);
    products_(static_cast<int>(slot), j) = products_(j, static_cast<int>(slot)) = products.with_newest;
    right[j] = products.with_f;
  }
  Eigen::Matrix<double, memory, memory> normal = Eigen::Matrix<double, memory, memory>::Identity();
  normal.topLeftCorner(count_, count_) = products_.topLeftCorner(count_, count_);
  double const trace = normal.topLeftCorner(count_, count_).trace();
  if (!(trace > 0)) return;
  normal.diagonal().head(count_).array() += damping * trace;
  Eigen::Matrix<double, memory, 1> const a = normal.ldlt().solve(right);
  if (!a.allFinite()) return;
  for (int j = 0; j < count_; j += 2) {
    bool const pair = j + 1 < count_;
    auto const one = static_cast<std::size_t>(j), other = pair ? one + 1 : one;
    double const a_other = pair ? a[j + 1] : 0;
    subtract(dg_[one][0].data(), a[j], dg_[other][0].data(), a_other, size, to);
    if (image)
      subtract(d_image_[one].data(), a[j], d_image_[other].data(), a_other, image->size(), image->data());
  }
}

}  // namespace delassus
