#include "solver/problem/squeeze.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus {
namespace {

// Bodies that are squeezed have few contacts; the search takes the cube of their number.
constexpr std::size_t most_contacts = 48;
constexpr int most_joint_rows = 150;

// Of the demands: what is left of |W z| where b^T z = 1. Where the demands can be met, this is one over the motion that
// meets them, in units of the largest demand: a million times it is no motion of any mechanism.
constexpr double certain = 1e-6;

// Of the largest demand: what is less comes of rounding.
constexpr double negligible_excess = 1e-6;

// Of the largest weight: what is less is zero.
constexpr double negligible_weight = 1e-6;

bool demands_equality(ForceSetKind kind) {
  return kind == ForceSetKind::double_cone2 || kind == ForceSetKind::double_cone3;
}

}  // namespace

bool SqueezeSearch::gather(std::span<const Eigen::Vector3d> lambda) {
  FactorTerms const& W = problem_->W;
  columns_.clear();
  order_.clear();
  int joint_rows = 0;
  for (std::size_t i = 0; i < island_.size(); ++i) {
    ProblemBlock const& block = problem_->blocks[static_cast<std::size_t>(island_[i])];
    if (is_free(block.set.kind)) joint_rows += block.rows();
    if (has_normal(block.set.kind)) order_.push_back({-std::abs(lambda[i][block.rows() - 1]), island_[i]});
  }
  if (order_.size() > most_contacts) {
    std::sort(order_.begin(), order_.end());
    order_.resize(most_contacts);
  }
  for (auto const& [force, k] : order_) {
    ProblemBlock const& block = problem_->blocks[static_cast<std::size_t>(k)];
    columns_.push_back({k, block.rows() - 1, demands_equality(block.set.kind)});
  }
  if (joint_rows <= most_joint_rows) {
    for (int const k : island_) {
      ProblemBlock const& block = problem_->blocks[static_cast<std::size_t>(k)];
      for (int row = 0; is_free(block.set.kind) && row < block.rows(); ++row)
        columns_.push_back({k, row, true});
    }
  }
  local_.assign(static_cast<std::size_t>(W.columns()), -1);
  velocities_ = 0;
  for (Column const& column : columns_) {
    for (FactorTerms::Term const& term : W.of_block(static_cast<std::size_t>(column.block))) {
      for (int i = 0; i < term.columns; ++i) {
        int& local = local_[static_cast<std::size_t>(term.first_column + i)];
        if (local < 0) local = velocities_++;
      }
    }
  }
  auto E = E_.resize(velocities_ + 1, static_cast<Eigen::Index>(columns_.size()));
  E.setZero();
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    Column const& column = columns_[j];
    auto const at = static_cast<Eigen::Index>(j);
    for (FactorTerms::Term const& term : W.of_block(static_cast<std::size_t>(column.block))) {
      double const* const numbers = W.numbers(term) + column.row * term.columns;
      for (int i = 0; i < term.columns; ++i)
        E(local_[static_cast<std::size_t>(term.first_column + i)], at) += numbers[i];
    }
  }
  // W z = 0 holds whatever the masses are: each body counts by its largest number, or else a heavy one would count as one
  // that does not yield.
  for (Column const& column : columns_) {
    for (FactorTerms::Term const& term : W.of_block(static_cast<std::size_t>(column.block))) {
      int const first = local_[static_cast<std::size_t>(term.first_column)];
      auto part = E.middleRows(first, term.columns);
      double const size = part.cwiseAbs().maxCoeff();
      if (size > 0 && std::isfinite(size)) part /= size;
    }
  }
  double largest = 0;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    Column& column = columns_[j];
    auto const at = static_cast<Eigen::Index>(j);
    double const size = E.col(at).norm();
    if (!std::isfinite(size)) return false;
    // A row that nothing moves: its demand is met or not.
    column.scale = size > 0 ? 1 / size : 1;
    E.col(at) *= column.scale;
    E(velocities_, at) =
        column.scale *
        problem_->b[problem_->blocks[static_cast<std::size_t>(column.block)].first + column.row];
    largest = std::max(largest, std::abs(E(velocities_, at)));
  }
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  E.row(velocities_) /= largest;
  return true;
}

void SqueezeSearch::solve_passive() {
  auto const E = E_.view();
  Eigen::Index count = 0;
  for (char const passive : passive_) count += passive;
  auto matrix = passive_matrix_.resize(E.rows(), count);
  auto right = passive_right_.resize(E.rows()), z = passive_z_.resize(count);
  right.setZero();
  right[velocities_] = 1;
  Eigen::Index at = 0;
  for (std::size_t j = 0; j < passive_.size(); ++j) {
    if (passive_[j]) matrix.col(at++) = E.col(static_cast<Eigen::Index>(j));
  }
  z.setZero();
  if (count > 0) least_norm_.solve(matrix, right, z);
  at = 0;
  for (std::size_t j = 0; j < passive_.size(); ++j) trial_[j] = passive_[j] ? z[at++] : 0.0;
}

// Lawson and Hanson's algorithm NNLS, with columns of either sign always in the passive set.
bool SqueezeSearch::solve() {
  auto const E = E_.view();
  std::size_t const count = columns_.size();
  passive_.assign(count, 0);
  z_.assign(count, 0);
  trial_.assign(count, 0);
  gradient_.assign(count, 0);
  bool any_free = false;
  for (std::size_t j = 0; j < count; ++j) any_free |= (passive_[j] = columns_[j].free ? 1 : 0) != 0;
  if (any_free) {
    solve_passive();
    z_ = trial_;
  }
  auto left = left_.resize(E.rows());
  auto const remainder = [&] {
    left.setZero();
    left[velocities_] = 1;
    for (std::size_t j = 0; j < count; ++j) left -= z_[j] * E.col(static_cast<Eigen::Index>(j));
    return left.norm();
  };
  for (std::size_t round = 0; round < 3 * count + 10; ++round) {
    if (remainder() <= certain) return true;
    double steepest = 1e-10;
    std::size_t chosen = count;
    for (std::size_t j = 0; j < count; ++j) {
      if (passive_[j]) continue;
      double const slope = E.col(static_cast<Eigen::Index>(j)).dot(left);
      if (slope > steepest) {
        steepest = slope;
        chosen = j;
      }
    }
    if (chosen == count) return false;
    passive_[chosen] = 1;
    for (std::size_t inner = 0; inner <= count; ++inner) {
      solve_passive();
      double step = 1;
      for (std::size_t j = 0; j < count; ++j) {
        if (!passive_[j] || columns_[j].free || trial_[j] > 0) continue;
        double const way = z_[j] - trial_[j];
        step = std::min(step, way > 0 ? z_[j] / way : 0.0);
      }
      for (std::size_t j = 0; j < count; ++j) z_[j] += step * (trial_[j] - z_[j]);
      if (step == 1) break;
      for (std::size_t j = 0; j < count; ++j) {
        if (!passive_[j] || columns_[j].free || trial_[j] > 0 || z_[j] > 1e-14) continue;
        passive_[j] = 0;
        z_[j] = 0;
      }
    }
  }
  return remainder() <= certain;
}

bool SqueezeSearch::find(std::span<const Eigen::Vector3d> lambda) {
  blocks_.clear();
  excess_ = 0;
  if (problem_->W.empty() || !gather(lambda) || !solve()) return false;
  double largest = 0, contacts = 0, joints = 0, gain = 0;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    Column const& column = columns_[j];
    double const weight = std::abs(z_[j]);
    largest = std::max(largest, weight);
    (column.free ? joints : contacts) += weight * column.scale;
    gain += z_[j] * column.scale *
            problem_->b[problem_->blocks[static_cast<std::size_t>(column.block)].first + column.row];
  }
  // With demands no larger than one, b^T z = 1 and large weights mean a difference of rounding.
  if (largest > 1 / negligible_excess) return false;
  excess_ = gain / (contacts > 0 ? contacts : joints);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    if (std::abs(z_[j]) > negligible_weight * largest) blocks_.push_back(columns_[j].block);
  }
  std::sort(blocks_.begin(), blocks_.end());
  blocks_.erase(std::unique(blocks_.begin(), blocks_.end()), blocks_.end());
  return true;
}

}  // namespace delassus
