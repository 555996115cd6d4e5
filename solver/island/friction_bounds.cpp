#include "solver/island/friction_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace delassus {
namespace {

constexpr double solved_bounds = 1e-11;
constexpr double at_rest = 1e-7;  // eta that counts as zero, beside its mean
constexpr int first_sweeps = 10, newton_steps = 15, outer_steps = 60;
constexpr double newton_compliance = 1e-8, first_proximal = 1e-2, last_proximal = 1e-8;

bool has_cone(ForceSet const& set) {
  return set.kind == ForceSetKind::cone2 || set.kind == ForceSetKind::cone3;
}

}  // namespace

bool FrictionBounds::begin(IslandProblem const& island) {
  island_ = &island;
  island.form_blocks();
  iterations_ = 0;
  for (ForceSet const& set : island.sets()) {
    if (has_normal(set.kind) && !has_cone(set) && set.kind != ForceSetKind::half_line) return false;
  }
  return true;
}

// The problem of the parts, with B^T A B and B^T b.
void FrictionBounds::derive(BlockVector const& b) {
  first_part_.assign(island_->size() + 1, 0);
  for (Part const& part : parts_) ++first_part_[part.parent + 1];
  for (std::size_t k = 0; k < island_->size(); ++k) first_part_[k + 1] += first_part_[k];
  problem_.blocks.clear();
  int rows = 0;
  for (Part const& part : parts_) {
    problem_.blocks.push_back({rows, part.set});
    rows += rows_of(part.set.kind);
  }
  if (problem_.b.size() < rows) problem_.b.resize(rows);
  problem_.A.clear(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part const& part = parts_[i];
    Eigen::Vector3d const own = part.B.transpose() * b[part.parent];
    problem_.b.segment(problem_.blocks[i].first, problem_.blocks[i].rows()) =
        own.head(problem_.blocks[i].rows());
    problem_.A.begin_row();
    for (std::size_t entry = island_->first()[part.parent]; entry < island_->first()[part.parent + 1];
         ++entry) {
      auto const other = static_cast<std::size_t>(island_->columns()[entry]);
      Eigen::Matrix3d const left = part.B.transpose() * island_->value(entry);
      for (std::size_t j = first_part_[other]; j < first_part_[other + 1]; ++j)
        problem_.A.at(static_cast<int>(j)) = left * parts_[j].B;
    }
  }
  all_.resize(parts_.size());
  std::iota(all_.begin(), all_.end(), 0);
  derived_.gather(problem_, all_);
  derived_.set_measure(ResidualMeasure::scale_free, ContactLaw::coulomb);
}

bool FrictionBounds::solve_derived() {
  std::size_t const size = derived_.size();
  x_.assign(size, Eigen::Vector3d::Zero());
  if (size == 0) return true;
  zero_ = x_;
  D_.resize(size);
  newton_.begin(derived_);
  sweeps_.begin(derived_, settings_);
  for (int i = 0; i < first_sweeps; ++i) sweeps_.sweep(derived_, settings_, zero_, x_);
  iterations_ += first_sweeps;
  derived_.eta(x_, eta_);
  double factor = newton_compliance, best = derived_.residual(x_, eta_);
  shifted_.resize(size);
  for (int outer = 0; outer < outer_steps && best > solved_bounds; ++outer) {
    for (std::size_t k = 0; k < size; ++k) D_[k] = factor * derived_.compliance(k);
    centre_ = x_;
    bool good = false;
    int steps = 0;
    while (!good && steps < newton_steps && newton_.step(derived_, D_, centre_, x_, eta_)) {
      ++steps;
      for (std::size_t k = 0; k < size; ++k) shifted_[k] = eta_[k] + D_[k] * (x_[k] - centre_[k]);
      good = derived_.residual(x_, shifted_, D_, centre_) <= std::max(solved_bounds, 1e-2 * best);
    }
    iterations_ += std::max(steps, 1);
    if (!good) {
      x_ = centre_;
      derived_.eta(x_, eta_);
      if (factor > 10) return false;
      factor = std::max(10 * factor, first_proximal);
      continue;
    }
    best = derived_.residual(x_, eta_);
    if (steps <= 6) factor = std::max(last_proximal, 0.2 * factor);
  }
  return best <= 1e-9;
}

void FrictionBounds::add_forces(BlockVector& lambda) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) lambda[parts_[i].parent] += parts_[i].B * x_[i];
}

bool FrictionBounds::round(std::vector<double>& bounds, BlockVector& lambda) {
  std::size_t const size = island_->size();
  parts_.clear();
  for (std::size_t k = 0; k < size; ++k) {
    ForceSet const& set = island_->set(k);
    int const normal = rows_of(set.kind) - 1;
    if (!has_cone(set)) {
      parts_.push_back({k, set, Eigen::Matrix3d::Identity()});
      continue;
    }
    Part tangential{
        k, {set.kind == ForceSetKind::cone3 ? ForceSetKind::disc : ForceSetKind::interval, bounds[k]}};
    for (int i = 0; i < normal; ++i) tangential.B(i, i) = 1;
    parts_.push_back(tangential);
    Part pressing{k, {ForceSetKind::half_line}};
    pressing.B(normal, 0) = 1;
    parts_.push_back(pressing);
  }
  derive(island_->b());
  if (!solve_derived()) return false;
  with_bounds_.assign(size, Eigen::Vector3d::Zero());
  add_forces(with_bounds_);
  island_->eta(with_bounds_, with_bounds_eta_);

  double squares = 0;
  for (std::size_t k = 0; k < size; ++k)
    squares += with_bounds_eta_[k].squaredNorm() + island_->b()[k].squaredNorm();
  double const least = at_rest * std::sqrt(squares / island_->rows());
  parts_.clear();
  // Forces that eta decides altogether.
  lambda.assign(size, Eigen::Vector3d::Zero());
  for (std::size_t k = 0; k < size; ++k) {
    ForceSet const& set = island_->set(k);
    Eigen::Vector3d const& eta = with_bounds_eta_[k];
    int const tangential = rows_of(set.kind) - (has_normal(set.kind) ? 1 : 0);
    if (has_normal(set.kind) && eta[tangential] > least) continue;
    double const sliding = is_free(set.kind) ? 0 : eta.head(tangential).norm();
    if (sliding <= least || tangential == 0) {
      parts_.push_back({k, set, Eigen::Matrix3d::Identity()});
    } else if (has_normal(set.kind)) {
      Part ray{k, {ForceSetKind::half_line}};
      ray.B.col(0).head(tangential) = -set.limit / sliding * eta.head(tangential);
      ray.B(tangential, 0) = 1;
      parts_.push_back(ray);
    } else {
      lambda[k].head(tangential) = -set.limit / sliding * eta.head(tangential);
    }
  }
  centre_.resize(size);
  for (std::size_t k = 0; k < size; ++k) centre_[k] = with_bounds_[k] - lambda[k];
  right_.resize(size);
  for (std::size_t k = 0; k < size; ++k) right_[k] = island_->product(k, centre_);
  derive(right_);
  bool const good = solve_derived();
  add_forces(lambda);
  for (std::size_t k = 0; k < size; ++k) {
    ForceSet const& set = island_->set(k);
    if (has_cone(set)) bounds[k] = set.limit * std::max(0.0, lambda[k][rows_of(set.kind) - 1]);
  }
  return good;
}

}  // namespace delassus
