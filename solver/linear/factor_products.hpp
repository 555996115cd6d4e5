// W^T x and W lambda of terms of W (factor_terms.hpp), columns x rows: the numbers of columns and rows are known
// to the compiler in the common cases, bodies in the plane and in space. What nearly all terms of large problems are, three
// rows of a rigid body in space, is always written out where it is called: a call takes as long as the work.
#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "solver/linear/number_pair.hpp"

namespace delassus {

template <int columns, int rows>
using FactorBlock = Eigen::Map<const Eigen::Matrix<double, columns, rows>>;
template <int size>
using FactorPart = Eigen::Map<Eigen::Matrix<double, size, 1>>;

// Calls `work` with the term as a matrix of known size, or of any.
template <class Work>
void with_known_size(double const* W, int columns, int rows, Work const& work) {
  if (columns == 6 && rows == 3) return work(FactorBlock<6, 3>(W));
  if (columns == 3 && rows == 2) return work(FactorBlock<3, 2>(W));
  if (columns == 6) return work(FactorBlock<6, Eigen::Dynamic>(W, 6, rows));
  work(FactorBlock<Eigen::Dynamic, Eigen::Dynamic>(W, columns, rows));
}

// out += W^T x: the rows of a constraint block from the velocities of a mass block.
inline void add_relative_motion(double const* W, int rows, int columns, double const* x, double* out) {
  with_known_size(W, columns, rows, [&](auto const& block) {
    using Block = std::decay_t<decltype(block)>;
    Eigen::Map<const Eigen::Matrix<double, Block::RowsAtCompileTime, 1>> const velocity(x, columns);
    for (int row = 0; row < rows; ++row) out[row] += block.col(row).dot(velocity);
  });
}

// The same, summed over the terms of a constraint block; even and odd columns apart until the end.
class RelativeMotion {
 public:
  // Of three rows of a rigid body in space.
  [[gnu::always_inline]] void add_rigid(double const* W, double const* x) {
    NumberPair const x0 = load_pair(x), x2 = load_pair(x + 2), x4 = load_pair(x + 4);
    sum0_ += load_pair(W) * x0 + load_pair(W + 2) * x2 + load_pair(W + 4) * x4;
    sum1_ += load_pair(W + 6) * x0 + load_pair(W + 8) * x2 + load_pair(W + 10) * x4;
    sum2_ += load_pair(W + 12) * x0 + load_pair(W + 14) * x2 + load_pair(W + 16) * x4;
  }
  // Of any term.
  void add(double const* W, int rows, int columns, double const* x) {
    if (columns == 6 && rows == 3) return add_rigid(W, x);
    double other[3] = {0, 0, 0};
    add_relative_motion(W, rows, columns, x, other);
    sum0_[0] += other[0];
    sum1_[0] += other[1];
    sum2_[0] += other[2];
  }
  [[gnu::always_inline]] Eigen::Vector3d total() const {
    return {sum_of(sum0_), sum_of(sum1_), sum_of(sum2_)};
  }

 private:
  NumberPair sum0_ = {0, 0}, sum1_ = {0, 0}, sum2_ = {0, 0};
};

// out += W lambda: the velocities of a mass block from the forces of a constraint block. Of three rows of a rigid body:
[[gnu::always_inline]] inline void add_force_on_rigid(double const* W, double const* lambda, double* out) {
  double const l0 = lambda[0], l1 = lambda[1], l2 = lambda[2];
#pragma GCC unroll 3
  for (int c = 0; c < 6; c += 2)
    store_pair(
        load_pair(out + c) + (load_pair(W + c) * l0 + load_pair(W + c + 6) * l1 + load_pair(W + c + 12) * l2),
        out + c);
}
// Of any term:
inline void add_force(double const* W, int rows, int columns, double const* lambda, double* out) {
  if (columns == 6 && rows == 3) return add_force_on_rigid(W, lambda, out);
  with_known_size(W, columns, rows, [&](auto const& block) {
    using Block = std::decay_t<decltype(block)>;
    FactorPart<Block::RowsAtCompileTime> velocity(out, columns);
    // In one expression the velocity is read and written once.
    if constexpr (Block::ColsAtCompileTime == 3) {
      velocity += block.col(0) * lambda[0] + block.col(1) * lambda[1] + block.col(2) * lambda[2];
    } else {
      for (int row = 0; row < rows; ++row) velocity += block.col(row) * lambda[row];
    }
  });
}

}  // namespace delassus
