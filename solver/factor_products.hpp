// W^T x and W lambda of one term of W (factor_terms.hpp), columns x rows: the numbers of columns and rows are known
// to the compiler in the common cases, bodies in the plane and in space.
#pragma once

#include <Eigen/Core>
#include <type_traits>

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

// out += W lambda: the velocities of a mass block from the forces of a constraint block.
inline void add_force(double const* W, int rows, int columns, double const* lambda, double* out) {
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
