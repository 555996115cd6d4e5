#include "solver/island/force_equations.hpp"

namespace delassus {

void ForceEquations::begin(IslandProblem const& island, BlockVector const& lambda) {
  island.eta(lambda, eta_);
  if (island.factored()) {
    bodies_.begin(island);
    island.motion(lambda, x_);
    return;
  }
  pattern_.analyse(island, contacts_);
  rows_.resize(island.size());
  for (std::size_t k = 0; k < island.size(); ++k) rows_[k] = rows_of(island.set(k).kind);
}

bool ForceEquations::factorise(IslandProblem const& island, std::span<const Eigen::Matrix3d> N,
                               BlockVector const& lambda) {
  if (island.factored()) {
    island.motion(lambda, rest_x_);
    for (IslandProblem::Mass const& mass : island.masses()) {
      for (int c = mass.first; c < mass.first + mass.columns; ++c)
        rest_x_[static_cast<std::size_t>(c)] -= x_[static_cast<std::size_t>(c)];
    }
    return bodies_.factorise(island, N);
  }
  island.eta(lambda, rest_);
  for (std::size_t k = 0; k < island.size(); ++k) rest_[k] -= eta_[k];
  contacts_.begin(rows_);
  for (std::size_t k = 0; k < island.size(); ++k) {
    for (std::size_t entry = island.first()[k]; entry < island.first()[k + 1]; ++entry) {
      auto const j = static_cast<std::size_t>(island.columns()[entry]);
      Eigen::Matrix3d value = N[k] * island.value(entry);
      if (j == k) value.diagonal().array() += 1;
      BlockFactor::Place const place = contacts_.place(static_cast<int>(k), static_cast<int>(j));
      for (int c = 0; c < rows_[j]; ++c) {
        for (int r = 0; r < rows_[k]; ++r) place.data[r + c * place.stride] = value(r, c);
      }
    }
  }
  return contacts_.factorise();
}

void ForceEquations::solve(IslandProblem const& island, std::span<const Eigen::Matrix3d> N, BlockVector& d,
                           BlockVector& deta) {
  if (island.factored()) {
    bodies_.solve(island, N, d, &rest_x_);
    deta.resize(island.size());
    for (std::size_t k = 0; k < island.size(); ++k)
      deta[k] = island.relative_motion(k, bodies_.motion().data());
  } else {
    right_.clear();
    for (std::size_t k = 0; k < island.size(); ++k) {
      d[k] -= N[k] * rest_[k];
      right_.insert(right_.end(), d[k].data(), d[k].data() + rows_[k]);
    }
    contacts_.solve(right_.data());
    double const* part = right_.data();
    for (std::size_t k = 0; k < island.size(); ++k) {
      for (int i = 0; i < rows_[k]; ++i) d[k][i] = *part++;
    }
    island.product(d, deta);
    for (std::size_t k = 0; k < island.size(); ++k) deta[k] += rest_[k];
  }
  change_ = deta;
}

void ForceEquations::advance(IslandProblem const& island, double share) {
  for (std::size_t k = 0; k < island.size(); ++k) eta_[k] += share * change_[k];
  if (!island.factored()) return;
  for (IslandProblem::Mass const& mass : island.masses()) {
    for (int c = mass.first; c < mass.first + mass.columns; ++c)
      x_[static_cast<std::size_t>(c)] += share * bodies_.motion()[static_cast<std::size_t>(c)];
  }
  for (std::size_t k = 0; k < island.size(); ++k)
    eta_[k] = island.relative_motion(k, x_.data()) - island.b()[k];
}

}  // namespace delassus
