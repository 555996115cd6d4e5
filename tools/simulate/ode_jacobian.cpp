#include "tools/simulate/ode_jacobian.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace delassus {

OdeJacobian::OdeJacobian(std::size_t size, std::optional<Rows> const& pattern)
    : direction_(size), change_(size) {
  std::vector<std::vector<std::size_t>> columns(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      if (!pattern || column == row) columns[column].push_back(row);
    }
    if (!pattern) continue;
    for (auto const column : (*pattern)[row]) {
      if (column != row) columns[column].push_back(row);
    }
  }
  starts_.push_back(0);
  for (auto& column : columns) {
    std::ranges::sort(column);
    for (auto const row : column) rows_.push_back(static_cast<std::int64_t>(row));
    starts_.push_back(static_cast<std::int64_t>(rows_.size()));
  }
  if (!pattern) {
    for (std::size_t column = 0; column < size; ++column) groups_.push_back({column});
    return;
  }
  // Greedy, longest columns first: each goes into the first group none of whose columns has one of its rows.
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t column) { return columns[column].size(); });
  constexpr auto none = std::numeric_limits<std::size_t>::max();
  std::vector<std::vector<std::size_t>> taken(size);  // of each row: the groups that have it
  for (auto const column : order) {
    std::vector<bool> used(groups_.size() + 1);
    for (auto const row : columns[column]) {
      for (auto const group : taken[row]) used[group] = true;
    }
    std::size_t group = none;
    for (std::size_t i = 0; i < used.size() && group == none; ++i) {
      if (!used[i]) group = i;
    }
    if (group == groups_.size()) groups_.emplace_back();
    groups_[group].push_back(column);
    for (auto const row : columns[column]) taken[row].push_back(group);
  }
}

void OdeJacobian::evaluate(std::span<const double> increments, Change const& change,
                           std::span<double> values) {
  for (auto const& group : groups_) {
    std::ranges::fill(direction_, 0.0);
    for (auto const column : group) direction_[column] = increments[column];
    change(direction_, change_);
    for (auto const column : group) {
      for (auto at = static_cast<std::size_t>(starts_[column]);
           at < static_cast<std::size_t>(starts_[column + 1]); ++at)
        values[at] = change_[static_cast<std::size_t>(rows_[at])] / increments[column];
    }
  }
}

}  // namespace delassus
