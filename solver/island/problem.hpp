// One island of a contact problem, or some of its blocks, as a problem of its own, gathered for iterative solvers. Every
// block takes three rows; those that it does not have are zero in A, b and every force, so that all products are of
// fixed size.
//
// A is there in one of two forms. As blocks: where nothing else is known, and in small islands. As the factor W
// of A = W^T W, with the diagonal blocks: in larger islands of a system. A has a block for every pair of contacts
// on a body, W a term for each contact and body: a box on eight corners has 64 blocks in A and 8 terms in W.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <span>
#include <vector>

#include "solver/linear/factor_products.hpp"
#include "solver/problem/contact_problem.hpp"
#include "solver/problem/solve_settings.hpp"

namespace delassus {

// Three numbers for each block.
using BlockVector = std::vector<Eigen::Vector3d>;

// The rows of one block as three numbers, those that it does not have zero.
inline Eigen::Vector3d three_rows(double const* x, int rows) {
  return {x[0], rows > 1 ? x[1] : 0.0, rows > 2 ? x[2] : 0.0};
}

inline double norm_of(BlockVector const& x) {
  double sum = 0;
  for (Eigen::Vector3d const& part : x) sum += part.squaredNorm();
  return std::sqrt(sum);
}

class IslandProblem {
 public:
  // The blocks of the island, in their order. The problem stays as it is as long as this island is used. Memory
  // only grows.
  void gather(ContactProblem const& problem, std::span<const int> island);
  // The same, with A as blocks in any case.
  void gather_blocks(ContactProblem const& problem, std::span<const int> island);
  // The same, with A as W in any case; the problem has it.
  void gather_factored(ContactProblem const& problem, std::span<const int> island);

  // The residual is then meant beside the larger of the island's own scale and this one, that of the whole
  // problem.
  void set_floor(double floor) { floor_ = floor; }
  void set_measure(ResidualMeasure measure, ContactLaw law);

  std::size_t size() const { return sets_.size(); }
  ForceSet const& set(std::size_t k) const { return sets_[k]; }
  std::span<const ForceSet> sets() const { return sets_; }
  BlockVector const& b() const { return b_; }
  void replace_b(std::size_t k, Eigen::Vector3d const& value) { b_[k] = value; }

  // Whether A is there as W.
  bool factored() const { return W_ != nullptr; }
  FactorTerms const& W() const { return *W_; }
  std::span<const FactorTerms::Term> terms(std::size_t k) const {
    return W_->of_block(static_cast<std::size_t>(blocks_[k]));
  }
  // A mass that the island touches, and where its part of x is.
  struct Mass {
    int mass = 0, first = 0, columns = 0;
  };
  std::span<const Mass> masses() const { return masses_; }
  // x = W lambda, as long as that of all masses; those of other islands are not touched.
  void motion(BlockVector const& lambda, std::vector<double>& x) const;
  // W_k^T x
  Eigen::Vector3d relative_motion(std::size_t k, double const* x) const {
    if (!of_rigid_bodies_) return relative_motion_of_any(k, x);
    RelativeMotion sum;
    for (std::size_t i = first_link_[k]; i < first_link_[k + 1]; ++i)
      sum.add_rigid(links_[i].W, x + links_[i].first_column);
    return sum.total();
  }
  // x += W_k lambda
  void add_motion(std::size_t k, Eigen::Vector3d const& lambda, double* x) const {
    if (!of_rigid_bodies_) return add_motion_of_any(k, lambda, x);
    for (std::size_t i = first_link_[k]; i < first_link_[k + 1]; ++i)
      add_force_on_rigid(links_[i].W, lambda.data(), x + links_[i].first_column);
  }

  // Forms the blocks of an island that has W, beside it: for searches in small islands that need A itself.
  void form_blocks() const;
  // Where it is there as blocks: those of row k are first()[k] ... first()[k + 1] - 1, that on the diagonal first.
  std::span<const std::size_t> first() const { return first_; }
  std::span<const int> columns() const { return columns_; }
  Eigen::Matrix3d const& value(std::size_t entry) const { return values_[entry]; }
  bool symmetric_pattern() const;
  Eigen::MatrixXd dense() const;
  // sum_j A_kj x_j
  Eigen::Vector3d product(std::size_t k, BlockVector const& x) const {
    NumberPair sum = {0, 0};
    double last = 0;
    for (std::size_t entry = first_[k]; entry < first_[k + 1]; ++entry) {
      double const* const A = values_[entry].data();
      double const* const part = x[static_cast<std::size_t>(columns_[entry])].data();
      sum += load_pair(A) * part[0] + load_pair(A + 3) * part[1] + load_pair(A + 6) * part[2];
      last += A[2] * part[0] + A[5] * part[1] + A[8] * part[2];
    }
    return {sum[0], sum[1], last};
  }

  // In both forms: A_kk, A x, and A lambda - b.
  Eigen::Matrix3d const& diagonal(std::size_t k) const { return diagonal_[k]; }
  void product(BlockVector const& x, BlockVector& product) const;
  void eta(BlockVector const& lambda, BlockVector& eta) const;

  // Of a force with its eta, in the measure that was set; and of the problem (A + D, b + D centre) with its
  // own eta, D the diagonal matrix of these numbers, one for each block.
  double residual(BlockVector const& lambda, BlockVector const& eta) const;
  double residual(BlockVector const& lambda, BlockVector const& eta, std::span<const double> D,
                  BlockVector const& centre) const;

  // rho |b| of the residual's scale.
  double scale() const { return scale_; }
  // Forces beyond this do not make the residual's scale larger.
  double most_force() const { return most_; }
  // The force that the blocks would need if each were the only one.
  double usual_force() const { return usual_force_; }

  int rows() const { return rows_; }
  double trace() const { return trace_; }
  // Mean of the diagonal of block k, never zero.
  double compliance(std::size_t k) const { return compliance_[k]; }
  double mean_compliance() const { return mean_compliance_; }
  bool all_free() const { return all_free_; }
  bool has_free() const { return has_free_; }
  bool finite() const { return finite_; }
  // Whether there are more than twice as many rows as velocities, as where boxes lie on their faces.
  bool redundant() const { return factored() && rows_ > 2 * velocities_; }

 private:
  void gather(ContactProblem const& problem, std::span<const int> island, bool factored);
  void gather_masses();
  Eigen::Vector3d relative_motion_of_any(std::size_t k, double const* x) const;
  void add_motion_of_any(std::size_t k, Eigen::Vector3d const& lambda, double* x) const;
  void gather_matrix(BlockMatrix const& A, std::span<const int> rows, std::span<const int> column_of) const;

  std::vector<int> blocks_;  // in the whole problem
  std::vector<ForceSet> sets_;
  BlockVector b_;
  FactorTerms const* W_ = nullptr;
  std::vector<Mass> masses_;
  std::vector<char> known_mass_;
  // The terms of W once more where all of them are three rows of a rigid body in space, as short as can be.
  struct Link {
    double const* W;
    int first_column;
    int block;
  };
  std::vector<Link> links_;  // in the order of the blocks
  std::vector<std::size_t> first_link_;
  bool of_rigid_bodies_ = false;
  std::vector<Eigen::Matrix3d> diagonal_;
  mutable std::vector<std::size_t> first_ = {0};
  mutable std::vector<int> columns_;
  mutable std::vector<Eigen::Matrix3d> values_;
  std::vector<double> compliance_;
  std::vector<int> local_;          // index in this island of each block of the whole problem, or -1
  mutable std::vector<int> all_;    // 0, 1, ...
  mutable BlockMatrix multiplied_;  // of a small island whose problem has W only
  mutable BlockVector shifted_;
  mutable std::vector<double> x_;
  int rows_ = 0, velocities_ = 0;
  double trace_ = 0, mean_compliance_ = 0, rho_ = 1, floor_ = 0, scale_ = 0, most_ = 0, usual_force_ = 0;
  ContactLaw law_ = ContactLaw::coulomb;
  bool all_free_ = false, has_free_ = false, finite_ = false;
};

}  // namespace delassus
