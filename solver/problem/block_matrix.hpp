// A square matrix of small blocks, most of which are zero: the Delassus operator couples two blocks of
// constraint rows only where they touch the same body. Blocks of at most 3 x 3 are stored as 3 x 3 with the
// unused rows and columns zero, so that every product is one of fixed size.
//
// Filled row by row, and filled again in the same memory.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "solver/problem/block.hpp"

namespace delassus {

class BlockMatrix {
 public:
  struct Entry {
    int column = 0;
    Eigen::Matrix3d value = Eigen::Matrix3d::Zero();
  };

  // Begins to fill anew a matrix of `size` block rows.
  void clear(std::size_t size);
  // Opens the next block row, with a zero block on the diagonal as its first entry.
  void begin_row();
  // The block of the open row in this column, made of zeros where it was not there. The reference holds until
  // the next call.
  Eigen::Matrix3d& at(int column);

  std::size_t size() const { return first_.size() - 1; }
  std::span<const Entry> row(std::size_t k) const {
    return std::span(entries_).subspan(first_[k], first_[k + 1] - first_[k]);
  }
  Eigen::Matrix3d const& diagonal(std::size_t k) const { return entries_[first_[k]].value; }
  std::size_t entries() const { return entries_.size(); }
  double trace() const;

  // Row k times x, added to `sum`.
  void add_product(std::size_t k, std::span<const ProblemBlock> blocks, double const* x,
                   Eigen::Vector3d& sum) const {
    for (Entry const& entry : row(k)) {
      ProblemBlock const& block = blocks[static_cast<std::size_t>(entry.column)];
      double const* const part = x + block.first;
      for (int j = 0; j < block.rows(); ++j) sum += entry.value.col(j) * part[j];
    }
  }

  void multiply(std::span<const ProblemBlock> blocks, Eigen::Ref<const Eigen::VectorXd> x,
                Eigen::Ref<Eigen::VectorXd> product) const;

  // Blocks off the diagonal that are zero are left out.
  static BlockMatrix from_dense(Eigen::Ref<const Eigen::MatrixXd> dense,
                                std::span<const ProblemBlock> blocks);
  Eigen::MatrixXd dense(std::span<const ProblemBlock> blocks) const;

 private:
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_ = {0};  // of each row, and one past the last
  std::vector<std::size_t> place_;        // of each column in the open row, where it has an entry
};

}  // namespace delassus
