#include "solver/island_problem.hpp"

#include <algorithm>
#include <limits>

namespace delassus {

void IslandProblem::gather(ContactProblem const& problem, std::span<const int> island,
                           Eigen::Index most_rows) {
  blocks_.resize(island.size());
  if (local_.size() < problem.blocks.size()) local_.resize(problem.blocks.size());
  int first = 0;
  all_free_ = true;
  for (std::size_t i = 0; i < island.size(); ++i) {
    auto const k = static_cast<std::size_t>(island[i]);
    blocks_[i] = {first, problem.blocks[k].set};
    local_[k] = static_cast<int>(i);
    first += blocks_[i].rows();
    all_free_ = all_free_ && is_free(blocks_[i].set.kind);
  }
  rows_ = first;
  bool const dense = rows_ <= most_rows;
  auto A = A_.resize(dense ? rows_ : 0, dense ? rows_ : 0);
  auto b = b_.resize(rows_);
  A.setZero();
  trace_ = 0;
  finite_ = true;
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (std::size_t i = 0; i < island.size(); ++i) {
    auto const k = static_cast<std::size_t>(island[i]);
    int const rows = blocks_[i].rows();
    for (int row = 0; row < rows; ++row) b[blocks_[i].first + row] = problem.b[problem.blocks[k].first + row];
    for (BlockMatrix::Entry const& entry : problem.A.row(k)) {
      finite_ = finite_ && entry.value.allFinite();
      if (!dense) continue;
      ProblemBlock const& other =
          blocks_[static_cast<std::size_t>(local_[static_cast<std::size_t>(entry.column)])];
      for (int column = 0; column < other.rows(); ++column) {
        for (int row = 0; row < rows; ++row)
          A(blocks_[i].first + row, other.first + column) = entry.value(row, column);
      }
    }
    trace_ += problem.A.diagonal(k).trace();
    double const mean = problem.A.diagonal(k).trace() / rows;
    if (mean > 0) smallest = std::min(smallest, mean);
    largest = std::max(largest, mean);
  }
  least_compliance_ = largest > 0 ? std::max(smallest, 1e-4 * largest) : 1.0;
  finite_ = finite_ && b.allFinite();
}

void IslandProblem::regularise(IslandProblem const& plain, double alpha,
                               Eigen::Ref<const Eigen::VectorXd> centre) {
  rows_ = plain.rows_;
  blocks_ = plain.blocks_;
  all_free_ = plain.all_free_;
  finite_ = plain.finite_;
  least_compliance_ = plain.least_compliance_;
  trace_ = plain.trace_ + alpha * static_cast<double>(rows_);
  auto A = A_.resize(rows_, rows_);
  A = plain.A();
  A.diagonal().array() += alpha;
  b_.resize(rows_) = plain.b() + alpha * centre;
}

}  // namespace delassus
