#include "solver/time/velocity_projection.hpp"

#include <algorithm>
#include <cmath>

#include "solver/linear/least_norm.hpp"

namespace delassus {
namespace {

// Rows; beyond, a dense decomposition takes seconds.
constexpr Eigen::Index most_rows = 1500;

// Of the velocities that a row subtracts from each other: what is less is rounding of a few operations.
constexpr double rounding_of_velocities = 1e-13;

bool is_bilateral(ForceSetKind kind) {
  return is_free(kind) || kind == ForceSetKind::double_cone2 || kind == ForceSetKind::double_cone3;
}

}  // namespace

VelocityProjection::VelocityProjection(System const& system)
    : system_(system), terms_(system.make_terms()), factor_(terms_.M) {}

void VelocityProjection::gather() {
  row_of_.assign(static_cast<std::size_t>(terms_.rows()), -1);
  block_of_.clear();
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    ConstraintBlock const& block = terms_.blocks[k];
    if (!is_bilateral(block.set.kind)) continue;
    for (int row = is_free(block.set.kind) ? 0 : block.rows() - 1; row < block.rows(); ++row) {
      row_of_[static_cast<std::size_t>(block.first_row + row)] = static_cast<int>(block_of_.size());
      block_of_.push_back(static_cast<int>(k));
    }
  }
}

VelocityProjection::Result VelocityProjection::project(Instant const& at, std::span<double> v) {
  Result result;
  system_.evaluate(at, terms_);
  gather();
  auto const rows = static_cast<Eigen::Index>(block_of_.size());
  mu_ = Eigen::VectorXd::Zero(rows);
  difference_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(v.size()));
  W_transposed_.resize(0, 0);
  if (rows == 0 || rows > most_rows) return result;

  factor_.factorise(terms_.M);
  W_transposed_ = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(v.size()));
  Eigen::VectorXd off(rows), size = Eigen::VectorXd::Zero(rows);
  for (std::size_t i = 0; i < terms_.J.size(); ++i) {
    JacobianTerms::Term const& term = terms_.J.term(i);
    MassBlock const& mass = terms_.M[static_cast<std::size_t>(term.mass)];
    for (int row = 0; row < term.rows; ++row) {
      int const own = row_of_[static_cast<std::size_t>(
          terms_.blocks[static_cast<std::size_t>(term.block)].first_row + row)];
      if (own < 0) continue;
      Eigen::VectorXd column = terms_.J[i].row(row).transpose();
      for (int j = 0; j < term.columns; ++j)
        size[own] += std::abs(column[j] * v[static_cast<std::size_t>(mass.first + j)]);
      factor_.forward(static_cast<std::size_t>(term.mass), column.data());
      W_transposed_.row(own).segment(mass.first, term.columns) += column.transpose();
    }
  }
  bool contradicts = false;
  for (std::size_t row = 0; row < row_of_.size(); ++row) {
    if (row_of_[row] < 0) continue;
    off[row_of_[row]] = terms_.velocity[row];
    contradicts |= std::abs(terms_.velocity[row]) > rounding_of_velocities * size[row_of_[row]];
  }
  scale_ = W_transposed_.rowwise().norm();
  for (double& norm : scale_) norm = norm > 0 ? 1 / norm : 0;
  W_transposed_ = scale_.asDiagonal() * W_transposed_;
  if (!contradicts || !off.allFinite() || !W_transposed_.allFinite()) return result;

  std::vector<double> const given(v.begin(), v.end());
  add_least_change(-off, v);
  for (std::size_t i = 0; i < v.size(); ++i) difference_[static_cast<Eigen::Index>(i)] = given[i] - v[i];
  for (std::size_t i = 0; i < terms_.M.size(); ++i) {
    MassBlock const& mass = terms_.M[i];
    auto const squared = [&](auto const& of) {
      double sum = 0;
      for (Eigen::Index a = 0; a < mass.M.rows(); ++a) {
        for (Eigen::Index b = 0; b < mass.M.cols(); ++b)
          sum += of(static_cast<std::size_t>(mass.first + a)) * mass.M(a, b) *
                 of(static_cast<std::size_t>(mass.first + b));
      }
      return std::sqrt(std::max(sum, 0.0));
    };
    double const change = squared([&](std::size_t k) { return v[k] - given[k]; });
    double const motion = std::max(squared([&](std::size_t k) { return v[k]; }),
                                   squared([&](std::size_t k) { return given[k]; }));
    if (!(change > result.largest_change * motion)) continue;
    result.largest_change = change / motion;
    result.mass = static_cast<int>(i);
  }
  // mu: M (v0 - v) = J^T mu, that is W mu = L^T (v0 - v) = L^-1 M (v0 - v).
  Eigen::VectorXd right(difference_.size());
  for (std::size_t i = 0; i < terms_.M.size(); ++i) {
    MassBlock const& mass = terms_.M[i];
    right.segment(mass.first, mass.M.rows()) = mass.M * difference_.segment(mass.first, mass.M.rows());
    factor_.forward(i, right.data() + mass.first);
  }
  LeastNorm least_norm;
  Eigen::MatrixXd W = W_transposed_.transpose();
  least_norm.solve(W, right, mu_);
  mu_ = scale_.asDiagonal() * mu_;

  Terms after = system_.make_terms();
  system_.evaluate({at.t, at.q, v, at.input, at.parameter, at.step}, after);
  for (std::size_t row = 0; row < row_of_.size() && row < after.velocity.size(); ++row) {
    if (row_of_[row] < 0 || std::abs(after.velocity[row]) <= result.remainder) continue;
    result.remainder = std::abs(after.velocity[row]);
    result.block = block_of_[static_cast<std::size_t>(row_of_[row])];
  }
  return result;
}

void VelocityProjection::add_least_change(Eigen::VectorXd right, std::span<double> v) const {
  Eigen::MatrixXd matrix = W_transposed_;
  Eigen::VectorXd change(matrix.cols());
  right = scale_.asDiagonal() * right;
  LeastNorm least_norm;
  least_norm.solve(matrix, right, change);
  for (std::size_t i = 0; i < terms_.M.size(); ++i) factor_.backward(i, change.data() + terms_.M[i].first);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += change[static_cast<Eigen::Index>(i)];
}

void VelocityProjection::differentiate(TermsOf<Dual> const& terms, std::span<double> rate) const {
  if (W_transposed_.size() == 0) return;
  // dv without constraints: dv0 + M^-1 (dM (v0 - v) - dJ^T mu).
  Eigen::VectorXd force = Eigen::VectorXd::Zero(difference_.size());
  Eigen::VectorXd off = Eigen::VectorXd::Zero(W_transposed_.rows());
  for (std::size_t i = 0; i < terms.M.size(); ++i) {
    MassBlockOf<Dual> const& mass = terms.M[i];
    for (Eigen::Index a = 0; a < mass.M.rows(); ++a) {
      for (Eigen::Index b = 0; b < mass.M.cols(); ++b)
        force[mass.first + a] += mass.M(a, b).derivative * difference_[mass.first + b];
    }
  }
  auto const row_at = [&](JacobianTermsOf<Dual>::Term const& term, int row) {
    return row_of_[static_cast<std::size_t>(terms.blocks[static_cast<std::size_t>(term.block)].first_row +
                                            row)];
  };
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    int const first = terms.M[static_cast<std::size_t>(term.mass)].first;
    for (int row = 0; row < term.rows; ++row) {
      int const own = row_at(term, row);
      for (int j = 0; own >= 0 && j < term.columns; ++j)
        force[first + j] -= terms.J[i](row, j).derivative * mu_[own];
    }
  }
  for (std::size_t i = 0; i < terms.M.size(); ++i) {
    factor_.forward(i, force.data() + terms.M[i].first);
    factor_.backward(i, force.data() + terms.M[i].first);
  }
  for (std::size_t i = 0; i < rate.size(); ++i) rate[i] += force[static_cast<Eigen::Index>(i)];
  // What the rows are then short of: dJ v + dc + J dv.
  for (std::size_t row = 0; row < row_of_.size(); ++row) {
    if (row_of_[row] >= 0) off[row_of_[row]] = terms.velocity[row].derivative;
  }
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    int const first = terms.M[static_cast<std::size_t>(term.mass)].first;
    for (int row = 0; row < term.rows; ++row) {
      int const own = row_at(term, row);
      for (int j = 0; own >= 0 && j < term.columns; ++j)
        off[own] += terms.J[i](row, j).value * rate[static_cast<std::size_t>(first + j)];
    }
  }
  add_least_change(-off, rate);
}

}  // namespace delassus
