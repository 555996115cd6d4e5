// The matrix of partial derivatives of rates with respect to states, in as few directions as its pattern of zeros allows:
// columns that share no row are found together (Curtis, Powell, Reid, On the estimation of sparse Jacobian matrices,
// 1974).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace delassus {

class OdeJacobian {
 public:
  using Rows = std::vector<std::vector<std::size_t>>;  // for each rate the states that it depends on
  // Change of the rates along a direction of the states.
  using Change = std::function<void(std::span<const double> direction, std::span<double> change)>;

  // Without a pattern every rate depends on every state.
  explicit OdeJacobian(std::size_t size, std::optional<Rows> const& pattern = std::nullopt);

  std::size_t size() const { return starts_.size() - 1; }
  std::size_t directions() const { return groups_.size(); }
  // By columns; the diagonal is always there, for I - gamma J.
  std::span<const std::int64_t> starts() const { return starts_; }
  std::span<const std::int64_t> rows() const { return rows_; }

  // `increments`: how far each state moves. `values` has an element for each of rows().
  void evaluate(std::span<const double> increments, Change const& change, std::span<double> values);

 private:
  std::vector<std::int64_t> starts_, rows_;
  std::vector<std::vector<std::size_t>> groups_;  // of columns
  std::vector<double> direction_, change_;
};

}  // namespace delassus
