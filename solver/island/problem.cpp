#include "solver/island/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "solver/problem/form_matrix.hpp"
#include "solver/problem/residual.hpp"

namespace delassus {
namespace {

// Beside rho |b|, which is what a force is where A is well conditioned. Forces can be 1e8 times that, and rounding
// then leaves some 1e-10 of this; demands that contradict one another leave much more.
constexpr double most_beside_b = 100;

// Rows of an island that is no larger are few enough for A itself, which dense decompositions need.
constexpr int multiplied_out = 60;

}  // namespace

void IslandProblem::gather(ContactProblem const& problem, std::span<const int> island) {
  int rows = 0;
  for (int const k : island) rows += problem.blocks[static_cast<std::size_t>(k)].rows();
  gather(problem, island, !problem.W.empty() && rows > multiplied_out);
}

void IslandProblem::gather_blocks(ContactProblem const& problem, std::span<const int> island) {
  gather(problem, island, false);
}

void IslandProblem::gather_factored(ContactProblem const& problem, std::span<const int> island) {
  gather(problem, island, true);
}

void IslandProblem::gather(ContactProblem const& problem, std::span<const int> island, bool factored) {
  for (int const k : blocks_) local_[static_cast<std::size_t>(k)] = -1;
  blocks_.assign(island.begin(), island.end());
  sets_.resize(island.size());
  b_.resize(island.size());
  compliance_.resize(island.size());
  diagonal_.resize(island.size());
  rows_ = 0;
  trace_ = 0;
  all_free_ = true;
  has_free_ = false;
  double sum = 0;  // of all numbers: finite where all of them are
  for (std::size_t i = 0; i < island.size(); ++i) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(island[i])];
    int const rows = block.rows();
    sets_[i] = block.set;
    all_free_ = all_free_ && is_free(block.set.kind);
    has_free_ = has_free_ || is_free(block.set.kind);
    b_[i] = three_rows(problem.b.data() + block.first, rows);
    sum += 0 * b_[i].sum();
    rows_ += rows;
  }
  if (local_.size() < problem.blocks.size()) local_.resize(problem.blocks.size(), -1);
  for (std::size_t i = 0; i < island.size(); ++i)
    local_[static_cast<std::size_t>(island[i])] = static_cast<int>(i);
  W_ = problem.W.empty() ? nullptr : &problem.W;
  first_.assign(1, 0);
  if (factored) {
    gather_masses();
  } else if (problem.formed()) {
    gather_matrix(problem.A, island, local_);
  } else {
    form_blocks();
  }
  for (std::size_t i = 0; i < island.size(); ++i)
    diagonal_[i] =
        factored ? form_diagonal(problem.W, static_cast<std::size_t>(island[i])) : values_[first_[i]];
  if (!factored) {
    W_ = nullptr;
    for (Eigen::Matrix3d const& value : values_) sum += 0 * value.sum();
  }
  double largest = 0;
  for (std::size_t i = 0; i < island.size(); ++i) {
    double const diagonal = diagonal_[i].trace();
    sum += 0 * diagonal;
    trace_ += diagonal;
    compliance_[i] = diagonal / rows_of(sets_[i].kind);
    largest = std::max(largest, compliance_[i]);
  }
  mean_compliance_ = trace_ > 0 ? trace_ / rows_ : 1.0;
  // A block that nothing moves has no scale of its own.
  for (double& mean : compliance_) {
    if (!(mean > 1e-12 * largest)) mean = largest > 0 ? largest : 1.0;
  }
  finite_ = sum == 0;
  floor_ = 0;
}

void IslandProblem::gather_masses() {
  known_mass_.assign(static_cast<std::size_t>(W_->masses()), 0);
  masses_.clear();
  velocities_ = 0;
  links_.clear();
  first_link_.resize(size() + 1);
  of_rigid_bodies_ = true;
  for (std::size_t k = 0; k < size(); ++k) {
    first_link_[k] = links_.size();
    for (FactorTerms::Term const& term : terms(k)) {
      links_.push_back({W_->numbers(term), term.first_column, static_cast<int>(k)});
      of_rigid_bodies_ = of_rigid_bodies_ && term.columns == 6 && term.rows == 3;
      char& known = known_mass_[static_cast<std::size_t>(term.mass)];
      if (known) continue;
      known = 1;
      masses_.push_back({term.mass, term.first_column, term.columns});
      velocities_ += term.columns;
    }
  }
  first_link_[size()] = links_.size();
}

Eigen::Vector3d IslandProblem::relative_motion_of_any(std::size_t k, double const* x) const {
  RelativeMotion sum;
  for (FactorTerms::Term const& term : terms(k))
    sum.add(W_->numbers(term), term.rows, term.columns, x + term.first_column);
  return sum.total();
}

void IslandProblem::add_motion_of_any(std::size_t k, Eigen::Vector3d const& lambda, double* x) const {
  for (FactorTerms::Term const& term : terms(k))
    add_force(W_->numbers(term), term.rows, term.columns, lambda.data(), x + term.first_column);
}

void IslandProblem::form_blocks() const {
  if (!W_ || first_.size() == size() + 1) return;
  form_matrix(*W_, blocks_, local_, multiplied_);
  while (all_.size() < size()) all_.push_back(static_cast<int>(all_.size()));
  gather_matrix(multiplied_, std::span(all_).first(size()), all_);
}

void IslandProblem::gather_matrix(BlockMatrix const& A, std::span<const int> rows,
                                  std::span<const int> column_of) const {
  std::size_t entries = 0;
  for (int const k : rows) entries += A.row(static_cast<std::size_t>(k)).size();
  first_.resize(rows.size() + 1);
  columns_.resize(entries);
  values_.resize(entries);
  entries = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    first_[i] = entries;
    for (BlockMatrix::Entry const& entry : A.row(static_cast<std::size_t>(rows[i]))) {
      int const column = column_of[static_cast<std::size_t>(entry.column)];
      if (column < 0) continue;
      columns_[entries] = column;
      values_[entries++] = entry.value;
    }
  }
  first_[rows.size()] = entries;
  columns_.resize(entries);
  values_.resize(entries);
}

Eigen::MatrixXd IslandProblem::dense() const {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows_, rows_);
  std::vector<int> row(size() + 1, 0);
  for (std::size_t k = 0; k < size(); ++k) row[k + 1] = row[k] + rows_of(sets_[k].kind);
  for (std::size_t k = 0; k < size(); ++k) {
    for (std::size_t entry = first_[k]; entry < first_[k + 1]; ++entry) {
      auto const j = static_cast<std::size_t>(columns_[entry]);
      int const rows = row[k + 1] - row[k], columns = row[j + 1] - row[j];
      A.block(row[k], row[j], rows, columns) = values_[entry].topLeftCorner(rows, columns);
    }
  }
  return A;
}

void IslandProblem::motion(BlockVector const& lambda, std::vector<double>& x) const {
  x.resize(static_cast<std::size_t>(W_->columns()));
  for (Mass const& mass : masses_) std::fill_n(x.begin() + mass.first, mass.columns, 0.0);
  if (of_rigid_bodies_) {
    for (Link const& link : links_)
      add_force_on_rigid(link.W, lambda[static_cast<std::size_t>(link.block)].data(),
                         x.data() + link.first_column);
  } else {
    for (std::size_t k = 0; k < size(); ++k) add_motion_of_any(k, lambda[k], x.data());
  }
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
  scale_ = rho_ * std::sqrt(squares);
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

void IslandProblem::product(BlockVector const& x, BlockVector& product) const {
  product.resize(size());
  if (factored()) {
    motion(x, x_);
    for (std::size_t k = 0; k < size(); ++k) product[k] = relative_motion(k, x_.data());
  } else {
    for (std::size_t k = 0; k < size(); ++k) product[k] = this->product(k, x);
  }
}

void IslandProblem::eta(BlockVector const& lambda, BlockVector& eta) const {
  if (factored()) {
    eta.resize(size());
    motion(lambda, x_);
    for (std::size_t k = 0; k < size(); ++k) eta[k] = relative_motion(k, x_.data()) - b_[k];
    return;
  }
  product(lambda, eta);
  for (std::size_t k = 0; k < size(); ++k) eta[k] -= b_[k];
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
