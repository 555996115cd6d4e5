#include "solver/island_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "solver/residual.hpp"

namespace delassus {
namespace {

// Beside rho |b|, which is what a force is where A is well conditioned. Forces can be 1e8 times that, and rounding
// then leaves some 1e-10 of this; demands that contradict one another leave much more.
constexpr double most_beside_b = 100;

}  // namespace

void IslandProblem::gather(ContactProblem const& problem, std::span<const int> island) {
  sets_.resize(island.size());
  b_.resize(island.size());
  compliance_.resize(island.size());
  if (local_.size() < problem.blocks.size()) local_.resize(problem.blocks.size());
  for (std::size_t i = 0; i < island.size(); ++i)
    local_[static_cast<std::size_t>(island[i])] = static_cast<int>(i);
  std::size_t entries = 0;
  for (int const k : island) entries += problem.A.row(static_cast<std::size_t>(k)).size();
  first_.resize(island.size() + 1);
  columns_.resize(entries);
  values_.resize(entries);
  entries = 0;
  rows_ = 0;
  trace_ = 0;
  all_free_ = true;
  has_free_ = false;
  double sum = 0;  // of all numbers: finite where all of them are
  double largest = 0;
  for (std::size_t i = 0; i < island.size(); ++i) {
    auto const k = static_cast<std::size_t>(island[i]);
    ProblemBlock const& block = problem.blocks[k];
    int const rows = block.rows();
    sets_[i] = block.set;
    all_free_ = all_free_ && is_free(block.set.kind);
    has_free_ = has_free_ || is_free(block.set.kind);
    b_[i].setZero();
    for (int row = 0; row < rows; ++row) b_[i][row] = problem.b[block.first + row];
    sum += 0 * b_[i].sum();
    first_[i] = entries;
    for (BlockMatrix::Entry const& entry : problem.A.row(k)) {
      columns_[entries] = local_[static_cast<std::size_t>(entry.column)];
      values_[entries++] = entry.value;
      sum += 0 * entry.value.sum();
    }
    rows_ += rows;
    double const diagonal = values_[first_[i]].trace();
    trace_ += diagonal;
    compliance_[i] = diagonal / rows;
    largest = std::max(largest, compliance_[i]);
  }
  first_[island.size()] = entries;
  mean_compliance_ = trace_ > 0 ? trace_ / rows_ : 1.0;
  // A block that nothing moves has no scale of its own.
  for (double& mean : compliance_) {
    if (!(mean > 1e-12 * largest)) mean = largest > 0 ? largest : 1.0;
  }
  finite_ = sum == 0;
  floor_ = 0;
}

void IslandProblem::set_measure(ResidualMeasure measure, ContactLaw law) {
  double const rho = scale_free_rho(rows_, trace_);
  rho_ = measure == ResidualMeasure::unit ? 1.0 : rho;
  law_ = law;
  double squares = 0, forces = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    squares += b_[k].squaredNorm();
    forces += b_[k].squaredNorm() / (compliance_[k] * compliance_[k]);
  }
  usual_force_ = std::sqrt(forces);
  most_ = most_beside_b * rho * std::sqrt(squares);
}

bool IslandProblem::symmetric_pattern() const {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    for (std::size_t entry = first_[k]; entry < first_[k + 1]; ++entry) {
      auto const i = static_cast<std::uint64_t>(k), j = static_cast<std::uint64_t>(columns_[entry]);
      std::uint64_t const forward = (i * 0x9e3779b97f4a7c15u) ^ (j * 0xbf58476d1ce4e5b9u + 1);
      std::uint64_t const backward = (j * 0x9e3779b97f4a7c15u) ^ (i * 0xbf58476d1ce4e5b9u + 1);
      sum += forward * forward - backward * backward;
    }
  }
  return sum == 0;
}

void IslandProblem::eta(BlockVector const& lambda, BlockVector& eta) const {
  eta.resize(size());
  for (std::size_t k = 0; k < size(); ++k) eta[k] = product(k, lambda) - b_[k];
}

double IslandProblem::residual(BlockVector const& lambda, BlockVector const& eta) const {
  return residual_of_sets(sets_, rho_, law_, b_, lambda, eta, floor_, most_);
}

double IslandProblem::residual(BlockVector const& lambda, BlockVector const& eta, std::span<const double> D,
                               BlockVector const& centre) const {
  shifted_.resize(size());
  for (std::size_t k = 0; k < size(); ++k) shifted_[k] = b_[k] + D[k] * centre[k];
  return residual_of_sets(sets_, rho_, law_, shifted_, lambda, eta, floor_, most_);
}

}  // namespace delassus
