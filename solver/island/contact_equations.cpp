#include "solver/island/contact_equations.hpp"

namespace delassus {

void ContactPattern::analyse(IslandProblem const& island, BlockFactor& factor) {
  if (island.symmetric_pattern()) {
    factor.analyse(island.first(), island.columns(), 3);
    return;
  }
  // As full, where every block is there.
  full_first_.clear();
  full_columns_.clear();
  for (std::size_t i = 0; i < island.size(); ++i) {
    full_first_.push_back(full_columns_.size());
    for (std::size_t j = 0; j < island.size(); ++j) full_columns_.push_back(static_cast<int>(j));
  }
  full_first_.push_back(full_columns_.size());
  factor.analyse(full_first_, full_columns_, 3);
}

bool ContactEquations::factorise(IslandProblem const& island, std::span<const BlockMode> modes,
                                 std::span<const double> D) {
  if (!analysed_) pattern_.analyse(island, factor_);
  analysed_ = true;
  unknowns_.resize(island.size());
  for (std::size_t k = 0; k < island.size(); ++k) unknowns_[k] = modes[k].unknowns;
  factor_.begin(unknowns_);
  auto const first = island.first();
  auto const columns = island.columns();
  for (std::size_t k = 0; k < island.size(); ++k) {
    BlockMode const& row = modes[k];
    if (row.unknowns == 0) continue;
    for (std::size_t entry = first[k]; entry < first[k + 1]; ++entry) {
      auto const j = static_cast<std::size_t>(columns[entry]);
      BlockMode const& column = modes[j];
      if (column.unknowns == 0) continue;
      Eigen::Matrix3d value = island.value(entry);
      if (j == k) value.diagonal().array() += D[k];
      if (!column.at_rest) value = (value * column.T).eval();
      if (row.at_rest) {
        value = row.C.diagonal().asDiagonal() * value;
      } else {
        value = (row.C * value).eval();
      }
      if (j == k) value(row.unknowns - 1, row.unknowns - 1) += row.D;
      BlockFactor::Place const place = factor_.place(static_cast<int>(k), static_cast<int>(j));
      for (int c = 0; c < column.unknowns; ++c) {
        for (int r = 0; r < row.unknowns; ++r) place.data[r + c * place.stride] = value(r, c);
      }
    }
  }
  return factor_.factorise();
}

}  // namespace delassus
