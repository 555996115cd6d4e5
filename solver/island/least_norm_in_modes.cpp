#include "solver/island/least_norm_in_modes.hpp"

namespace delassus {

void LeastNormInModes::solve(IslandProblem const& island, std::span<const BlockMode> modes,
                             BlockVector& lambda) {
  std::size_t const size = island.size();
  first_.resize(size);
  shift_.resize(size);
  lambda.resize(size);
  int unknowns = 0;
  for (std::size_t k = 0; k < size; ++k) {
    first_[k] = unknowns;
    unknowns += modes[k].unknowns;
    lambda[k] = modes[k].t;
  }
  island.eta(lambda, shift_);  // -(b - A t)
  if (unknowns == 0) return;
  auto G = G_.resize(unknowns, unknowns);
  auto r = r_.resize(unknowns), z = z_.resize(unknowns);
  G.setZero();
  for (std::size_t k = 0; k < size; ++k) {
    BlockMode const& row = modes[k];
    if (row.unknowns == 0) continue;
    for (std::size_t entry = island.first()[k]; entry < island.first()[k + 1]; ++entry) {
      auto const j = static_cast<std::size_t>(island.columns()[entry]);
      BlockMode const& column = modes[j];
      if (column.unknowns == 0) continue;
      Eigen::Matrix3d value = row.C * island.value(entry) * column.T;
      if (j == k) value(row.unknowns - 1, row.unknowns - 1) += row.D;
      for (int c = 0; c < column.unknowns; ++c) {
        double const s = column.T.col(c).norm();
        for (int i = 0; i < row.unknowns; ++i) G(first_[k] + i, first_[j] + c) = value(i, c) / s;
      }
    }
    Eigen::Vector3d const demanded = row.C * shift_[k];
    for (int i = 0; i < row.unknowns; ++i) r[first_[k] + i] = -demanded[i];
  }
  least_norm_.solve(G, r, z);
  for (std::size_t k = 0; k < size; ++k) {
    for (int c = 0; c < modes[k].unknowns; ++c)
      lambda[k] += modes[k].T.col(c) * (z[first_[k] + c] / modes[k].T.col(c).norm());
  }
}

}  // namespace delassus
