// One island of a contact problem as a problem of its own, gathered for solvers that go over it again and
// again. Every block takes three rows; those that it does not have are zero in A, b and every force, so that
// all products are of fixed size.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "solver/contact_problem.hpp"
#include "solver/solve_settings.hpp"

namespace delassus {

// Three numbers for each block.
using BlockVector = std::vector<Eigen::Vector3d>;

class IslandProblem {
 public:
  // The blocks of the island, in their order. Memory only grows.
  void gather(ContactProblem const& problem, std::span<const int> island);

  // The residual is then meant beside the larger of the island's own scale and this one, that of the whole
  // problem.
  void set_floor(double floor) { floor_ = floor; }
  void set_measure(ResidualMeasure measure, ContactLaw law);

  std::size_t size() const { return sets_.size(); }
  ForceSet const& set(std::size_t k) const { return sets_[k]; }
  std::span<const ForceSet> sets() const { return sets_; }
  BlockVector const& b() const { return b_; }
  void replace_b(std::size_t k, Eigen::Vector3d const& value) { b_[k] = value; }

  // The blocks of A: those of row k are first()[k] ... first()[k + 1] - 1, that on the diagonal first.
  std::span<const std::size_t> first() const { return first_; }
  std::span<const int> columns() const { return columns_; }
  Eigen::Matrix3d const& value(std::size_t entry) const { return values_[entry]; }
  Eigen::Matrix3d const& diagonal(std::size_t k) const { return values_[first_[k]]; }
  bool symmetric_pattern() const;

  // sum_j A_kj x_j
  Eigen::Vector3d product(std::size_t k, BlockVector const& x) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t entry = first_[k]; entry < first_[k + 1]; ++entry)
      sum.noalias() += values_[entry] * x[static_cast<std::size_t>(columns_[entry])];
    return sum;
  }
  // A lambda - b
  void eta(BlockVector const& lambda, BlockVector& eta) const;

  // Of a force with its eta, in the measure that was set; and of the problem (A + D, b + D centre) with its
  // own eta, D the diagonal matrix of these numbers, one for each block.
  double residual(BlockVector const& lambda, BlockVector const& eta) const;
  double residual(BlockVector const& lambda, BlockVector const& eta, std::span<const double> D,
                  BlockVector const& centre) const;

  // Forces beyond this do not make the residual's scale larger.
  double most_force() const { return most_; }
  // What the blocks would need if each were alone.
  double usual_force() const { return usual_force_; }

  int rows() const { return rows_; }
  double trace() const { return trace_; }
  // Mean of the diagonal of block k, never zero.
  double compliance(std::size_t k) const { return compliance_[k]; }
  double mean_compliance() const { return mean_compliance_; }
  bool all_free() const { return all_free_; }
  bool has_free() const { return has_free_; }
  bool finite() const { return finite_; }

 private:
  std::vector<ForceSet> sets_;
  BlockVector b_;
  std::vector<std::size_t> first_ = {0};
  std::vector<int> columns_;
  std::vector<Eigen::Matrix3d> values_;
  std::vector<double> compliance_;
  std::vector<int> local_;  // index in this island of each block of the whole problem
  mutable BlockVector shifted_;
  int rows_ = 0;
  double trace_ = 0, mean_compliance_ = 0, rho_ = 1, floor_ = 0, most_ = 0, usual_force_ = 0;
  ContactLaw law_ = ContactLaw::coulomb;
  bool all_free_ = false, has_free_ = false, finite_ = false;
};

}  // namespace delassus
