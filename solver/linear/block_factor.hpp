// Factors of a sparse matrix of small blocks whose pattern is symmetric: the equations of Newton's method over contacts,
// or over bodies. L U, or L L^T where the matrix itself is symmetric and positive definite.
//
// Multifrontal elimination (Duff and Reid 1983) in the order of block_ordering.hpp. Each group of nodes has a front, a
// dense matrix over its own rows and those that it still acts on (dense_front.hpp); eliminating the group's rows leaves
// a remainder, which is added to the front of the group that comes next among these. Nearly all the work is thus in
// dense matrices, and a full matrix is one front.
//
// Pivots are exchanged within a group only. That is enough where the matrix is a positive semidefinite one
// with a little added on its diagonal: a vector that a diagonal block sends to nothing, its whole column
// sends to nothing, so that a tiny pivot meets tiny numbers.
//
// Sizes of nodes are given anew for every factorisation and may be zero, while the order stays. Memory only
// grows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/linear/block_ordering.hpp"

namespace delassus {

class BlockFactor {
 public:
  // As BlockOrdering::analyse.
  void analyse(std::span<const std::size_t> first, std::span<const int> neighbour, int usual_size);

  // Multiplications and additions of a factorisation L U where the nodes have these numbers of rows.
  double work(std::span<const int> size) const;

  // Of a symmetric matrix the blocks (i, j) with is_needed(i, j) are enough, and others are not read.
  enum class Form { general, symmetric };
  bool is_needed(int i, int j) const { return ordering_.position(i) >= ordering_.position(j); }

  // Sets all numbers to zero; the nodes have these numbers of rows.
  void begin(std::span<const int> size, Form form = Form::general);
  // A block of the matrix, column by column: (row, column) is at data[row + column * stride].
  struct Place {
    double* data;
    std::ptrdiff_t stride;
  };
  // Where the block of rows of node i and columns of node j stands; i and j are adjacent or the same. It stays there
  // until another analysis, or other sizes.
  Place place(int i, int j);

  // False where some pivot is zero or no number; in a symmetric matrix, where it is not positive.
  bool factorise();
  // x holds the rows of all nodes in their order, without gaps.
  void solve(double* x);

  std::size_t rows() const { return rows_; }

 private:
  // Of a group, with the present sizes.
  struct Front {
    int pivots = 0, size = 0;   // rows of the group's own; of all
    std::size_t first = 0;      // in numbers_
    std::size_t first_row = 0;  // of its pivots among those of all groups
  };

  void lay_out(std::span<const int> size);
  int offset_in_front(int node, int group) const;
  void pass_on(std::size_t group);

  BlockOrdering ordering_;

  // With the present sizes.
  std::vector<Front> fronts_;
  std::vector<int> size_;              // of each node
  std::vector<std::size_t> node_row_;  // of each node in x
  std::vector<int> node_offset_;       // of each node in the front of its group
  std::vector<int> border_offset_;     // of each node of the border in the front
  std::vector<int> offset_in_parent_;  // of the same in the front of the parent
  std::vector<double> numbers_;        // fronts, column by column
  std::vector<int> exchange_;          // of each pivot: the row of its group that it was exchanged with
  std::vector<double> gathered_;
  std::size_t rows_ = 0, used_ = 0;  // the latter: of numbers_
  bool laid_out_ = false;            // for size_, since the analysis
  Form form_ = Form::general;
};

}  // namespace delassus
