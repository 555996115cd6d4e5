// One island of a contact problem as a dense problem of its own.
#pragma once

#include <span>
#include <vector>

#include "solver/contact_problem.hpp"
#include "solver/growing.hpp"

namespace delassus {

class IslandProblem {
 public:
  // The blocks of the island, in their order. Memory only grows. An island of more rows than `most_rows` gets
  // no matrix: all but A() is then there.
  void gather(ContactProblem const& problem, std::span<const int> island, Eigen::Index most_rows);

  // Another right-hand side for one row.
  void replace_b(Eigen::Index row, double value) { b_.view()[row] = value; }

  // The problem (A + alpha I, b + alpha centre) of another island.
  void regularise(IslandProblem const& plain, double alpha, Eigen::Ref<const Eigen::VectorXd> centre);

  Eigen::Map<const Eigen::MatrixXd> A() const { return A_.view(); }
  Eigen::Map<const Eigen::VectorXd> b() const { return b_.view(); }
  std::span<const ProblemBlock> blocks() const { return blocks_; }
  Eigen::Index rows() const { return rows_; }
  double trace() const { return trace_; }
  // Smallest of the blocks' mean diagonals, but no less than 1e-4 of the largest: what a regularisation that
  // disturbs no block is small beside.
  double least_compliance() const { return least_compliance_; }
  bool all_free() const { return all_free_; }
  bool finite() const { return finite_; }

 private:
  GrowingMatrix A_;
  GrowingVector b_;
  std::vector<ProblemBlock> blocks_;
  std::vector<int> local_;  // index in this island of each block of the whole problem
  Eigen::Index rows_ = 0;
  double trace_ = 0, least_compliance_ = 0;
  bool all_free_ = false, finite_ = false;
};

}  // namespace delassus
