#include "solver/linear/least_norm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

// The reflection I - factor (1, tail)(1, tail)^T that takes (head, tail) to (value, 0).
struct Reflection {
  double value, factor, scale;  // tail is to be multiplied by scale

  Reflection(double head, double tail_norm) {
    if (!(tail_norm > 0)) {
      value = head;
      factor = scale = 0;
      return;
    }
    value = -std::copysign(elementary::hypot(head, tail_norm), head);
    factor = (value - head) / value;
    scale = 1 / (head - value);
  }
};

}  // namespace

int LeastNorm::solve(Eigen::Ref<Eigen::MatrixXd> A, Eigen::Ref<Eigen::VectorXd> b,
                     Eigen::Ref<Eigen::VectorXd> x, double tolerance) {
  Eigen::Index const m = A.rows(), n = A.cols(), most = std::min(m, n);
  auto norm = norm_.resize(n), reference = reference_.resize(n);
  auto left = left_factor_.resize(most), right = right_factor_.resize(most);
  order_.resize(static_cast<std::size_t>(n));
  for (Eigen::Index j = 0; j < n; ++j) {
    order_[static_cast<std::size_t>(j)] = j;
    reference[j] = norm[j] = A.col(j).norm();
  }

  Eigen::Index rank = 0;
  double largest = 0;
  for (; rank < most; ++rank) {
    Eigen::Index const k = rank;
    Eigen::Index pivot = k;
    for (Eigen::Index j = k + 1; j < n; ++j) {
      if (norm[j] > norm[pivot]) pivot = j;
    }
    if (k == 0) largest = norm[pivot];
    if (!(norm[pivot] > tolerance * largest)) break;
    smallest_ = norm[pivot] / largest;
    if (pivot != k) {
      A.col(pivot).swap(A.col(k));
      std::swap(order_[static_cast<std::size_t>(pivot)], order_[static_cast<std::size_t>(k)]);
      norm[pivot] = norm[k];
      reference[pivot] = reference[k];
    }
    auto tail = A.col(k).tail(m - k - 1);
    Reflection const reflection(A(k, k), tail.norm());
    tail *= reflection.scale;
    A(k, k) = reflection.value;
    left[k] = reflection.factor;
    for (Eigen::Index j = k + 1; j < n; ++j) {
      auto rest = A.col(j).tail(m - k - 1);
      double const along = reflection.factor * (A(k, j) + tail.dot(rest));
      A(k, j) -= along;
      rest -= along * tail;
      if (norm[j] == 0) continue;
      // What is left of the column's norm; computed again where the difference has lost half its digits.
      double const share = A(k, j) / norm[j];
      double const kept = std::max(0.0, 1 - share * share);
      double const ratio = norm[j] / reference[j];
      if (kept * ratio * ratio <= 1e-8) {
        reference[j] = norm[j] = rest.norm();
      } else {
        norm[j] *= std::sqrt(kept);
      }
    }
    double const along = reflection.factor * (b[k] + tail.dot(b.tail(m - k - 1)));
    b[k] -= along;
    b.tail(m - k - 1) -= along * tail;
  }

  // [R11 R12] to [T 0], from the last row up.
  Eigen::Index const rest = n - rank;
  for (Eigen::Index k = rank - 1; rest > 0 && k >= 0; --k) {
    auto tail = A.row(k).tail(rest);
    Reflection const reflection(A(k, k), tail.norm());
    tail *= reflection.scale;
    A(k, k) = reflection.value;
    right[k] = reflection.factor;
    // The tail lies across the columns: column by column through memory.
    if (k == 0) break;
    auto along = x.head(k);  // x serves as memory until the end
    along = A.col(k).head(k);
    for (Eigen::Index j = 0; j < rest; ++j) along += tail[j] * A.col(rank + j).head(k);
    along *= reflection.factor;
    A.col(k).head(k) -= along;
    for (Eigen::Index j = 0; j < rest; ++j) A.col(rank + j).head(k) -= tail[j] * along;
  }

  for (Eigen::Index k = rank - 1; k >= 0; --k) {
    b[k] /= A(k, k);
    b.head(k) -= b[k] * A.col(k).head(k);
  }
  auto permuted = norm;  // no longer needed
  permuted.head(rank) = b.head(rank);
  permuted.tail(rest).setZero();
  for (Eigen::Index k = 0; rest > 0 && k < rank; ++k) {
    double along = permuted[k];
    for (Eigen::Index j = 0; j < rest; ++j) along += A(k, rank + j) * permuted[rank + j];
    along *= right[k];
    permuted[k] -= along;
    for (Eigen::Index j = 0; j < rest; ++j) permuted[rank + j] -= along * A(k, rank + j);
  }
  for (Eigen::Index k = 0; k < n; ++k) x[order_[static_cast<std::size_t>(k)]] = permuted[k];
  return static_cast<int>(rank);
}

}  // namespace delassus
