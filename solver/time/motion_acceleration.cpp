#include "solver/time/motion_acceleration.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace delassus {
namespace {

// A difference that is so small beside what it has in common with newer ones adds rounding only.
constexpr double independent_share = 1e-8;

}  // namespace

MotionAcceleration::MotionAcceleration(std::size_t size)
    : arm_(static_cast<Eigen::Index>(size)),
      f_(arm_.size()),
      g_(f_.size()),
      f_last_(f_.size()),
      g_last_(f_.size()),
      df_(f_.size(), memory),
      dg_(f_.size(), memory) {}

void MotionAcceleration::accelerate(std::span<const double> v, std::span<double> estimate) {
  for (Eigen::Index i = 0; i < f_.size(); ++i) {
    g_[i] = estimate[static_cast<std::size_t>(i)];
    f_[i] = arm_[i] * (g_[i] - v[static_cast<std::size_t>(i)]);
  }
  if (count_ > 0) {
    int const column = (count_ - 1) % memory;
    df_.col(column) = f_ - f_last_;
    dg_.col(column) = g_ - g_last_;
  }
  f_last_ = f_;
  g_last_ = g_;
  // Gram-Schmidt from the newest difference on, in place: combinations of differences are as good as they are.
  int const kept = std::min(count_, memory);
  std::array<int, memory> used{};
  int independent = 0;
  for (int j = 0; j < kept; ++j) {
    int const column = (count_ - 1 - j) % memory;
    double const before = df_.col(column).norm();
    for (int i = 0; i < independent; ++i) {
      double const share = df_.col(used[static_cast<std::size_t>(i)]).dot(df_.col(column)) /
                           df_.col(used[static_cast<std::size_t>(i)]).squaredNorm();
      df_.col(column) -= share * df_.col(used[static_cast<std::size_t>(i)]);
      dg_.col(column) -= share * dg_.col(used[static_cast<std::size_t>(i)]);
    }
    if (!(df_.col(column).norm() > independent_share * before)) {
      df_.col(column).setZero();
      dg_.col(column).setZero();
      continue;
    }
    used[static_cast<std::size_t>(independent++)] = column;
    double const gamma = df_.col(column).dot(f_) / df_.col(column).squaredNorm();
    f_ -= gamma * df_.col(column);
    g_ -= gamma * dg_.col(column);
  }
  ++count_;
  for (Eigen::Index i = 0; i < g_.size(); ++i) estimate[static_cast<std::size_t>(i)] = g_[i];
}

}  // namespace delassus
