#include "solver/newton.hpp"

#include <cmath>

namespace delassus {

void Newton::begin(IslandProblem const& island) {
  analysed_ = false;
  rho_.resize(island.size());
  modes_.resize(island.size());
  unknowns_.resize(island.size());
  for (std::size_t k = 0; k < island.size(); ++k) {
    rho_[k] = scale_of(island.set(k), island.diagonal(k), island.compliance(k));
    modes_[k].mode = ContactMode::detached;
  }
}

void Newton::assemble(IslandProblem const& island, std::span<const double> D) {
  if (!analysed_) {
    if (island.symmetric_pattern()) {
      factor_.analyse(island.first(), island.columns());
    } else {
      // As full, where every block is there.
      full_first_.clear();
      full_columns_.clear();
      for (std::size_t i = 0; i < island.size(); ++i) {
        full_first_.push_back(full_columns_.size());
        for (std::size_t j = 0; j < island.size(); ++j) full_columns_.push_back(static_cast<int>(j));
      }
      full_first_.push_back(full_columns_.size());
      factor_.analyse(full_first_, full_columns_);
    }
    analysed_ = true;
  }
  factor_.begin(unknowns_);
  auto const first = island.first();
  auto const columns = island.columns();
  for (std::size_t k = 0; k < island.size(); ++k) {
    BlockMode const& row = modes_[k];
    if (row.unknowns == 0) continue;
    for (std::size_t entry = first[k]; entry < first[k + 1]; ++entry) {
      auto const j = static_cast<std::size_t>(columns[entry]);
      BlockMode const& column = modes_[j];
      if (column.unknowns == 0) continue;
      Eigen::Matrix3d value = island.value(entry);
      if (j == k) value.diagonal().array() += D[k];
      // C of a stick is diagonal and T the identity.
      if (column.mode != ContactMode::stick || column.unknowns < rows_of(island.set(j).kind))
        value = (value * column.T).eval();
      if (row.mode != ContactMode::stick || row.unknowns < rows_of(island.set(k).kind)) {
        value = (row.C * value).eval();
      } else {
        value = row.C.diagonal().asDiagonal() * value;
      }
      if (j == k) value(row.unknowns - 1, row.unknowns - 1) += row.D;
      BlockFactor::Place const place = factor_.place(static_cast<int>(k), static_cast<int>(j));
      for (int c = 0; c < column.unknowns; ++c) {
        for (int r = 0; r < row.unknowns; ++r) place.data[r + c * place.stride] = value(r, c);
      }
    }
  }
}

// From the forces that the modes make of lambda, with their eta, to the solution of the equations.
void Newton::correct(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
                     BlockVector& lambda, BlockVector& eta) {
  right_.resize(factor_.rows());
  std::size_t at = 0;
  for (std::size_t k = 0; k < island.size(); ++k) {
    BlockMode const& mode = modes_[k];
    if (mode.unknowns == 0) continue;
    Eigen::Vector3d const demanded = mode.C * (eta[k] + D[k] * (lambda[k] - centre[k]));
    for (int i = 0; i < mode.unknowns; ++i) right_[at + static_cast<std::size_t>(i)] = -demanded[i];
    at += static_cast<std::size_t>(mode.unknowns);
    right_[at - 1] -= mode.D * mode.z[mode.unknowns - 1];
  }
  factor_.solve(right_.data());
  at = 0;
  for (std::size_t k = 0; k < island.size(); ++k) {
    BlockMode& mode = modes_[k];
    for (int i = 0; i < mode.unknowns; ++i) mode.z[i] += right_[at++];
    lambda[k] = mode.lambda();
  }
  island.eta(lambda, eta);
}

bool Newton::step(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
                  BlockVector& lambda, BlockVector& eta) {
  modes_changed_ = false;
  bool moved = false;
  start_ = lambda;
  for (std::size_t k = 0; k < island.size(); ++k) {
    ContactMode const before = modes_[k].mode;
    choose_mode(island.set(k), rho_[k], lambda[k], eta[k] + D[k] * (lambda[k] - centre[k]), modes_[k]);
    modes_changed_ = modes_changed_ || modes_[k].mode != before;
    unknowns_[k] = modes_[k].unknowns;
    if (modes_[k].unknowns < rows_of(island.set(k).kind)) {
      lambda[k] = modes_[k].lambda();
      moved = moved || lambda[k] != start_[k];
    }
  }
  if (moved) island.eta(lambda, eta);
  assemble(island, D);
  bool good = factor_.factorise();
  if (good) {
    correct(island, D, centre, lambda, eta);
    double sum = 0;
    for (std::size_t k = 0; k < island.size(); ++k) sum += lambda[k].squaredNorm() + 0 * eta[k].squaredNorm();
    good = std::isfinite(sum);
  }
  if (!good) {
    lambda = start_;
    island.eta(lambda, eta);
  }
  return good;
}

std::span<const BlockMode> Newton::choose_modes(IslandProblem const& island, BlockVector const& lambda,
                                                BlockVector const& eta) {
  for (std::size_t k = 0; k < island.size(); ++k)
    choose_mode(island.set(k), rho_[k], lambda[k], eta[k], modes_[k]);
  return modes_;
}

bool Newton::solve_again(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
                         BlockVector& lambda, BlockVector& eta) {
  for (std::size_t k = 0; k < island.size(); ++k) lambda[k] = modes_[k].lambda();
  island.eta(lambda, eta);
  correct(island, D, centre, lambda, eta);
  double sum = 0;
  for (std::size_t k = 0; k < island.size(); ++k) sum += lambda[k].squaredNorm() + 0 * eta[k].squaredNorm();
  return std::isfinite(sum);
}

double Newton::merit(IslandProblem const& island, BlockVector const& lambda, BlockVector const& eta,
                     BlockVector const& lambda_there, BlockVector const& eta_there, double t) const {
  double sum = 0;
  for (std::size_t k = 0; k < island.size(); ++k)
    sum += squared_distance(island.set(k), rho_[k], lambda[k] + t * (lambda_there[k] - lambda[k]),
                            eta[k] + t * (eta_there[k] - eta[k]));
  return sum;
}

}  // namespace delassus
