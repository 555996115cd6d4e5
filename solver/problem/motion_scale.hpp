// What gaps and velocities are small beside: the size L of what moves. Angles are compared with lengths as L times the angle. So
// tolerances are shares, and a scene in other units, or a thousand times as large, moves in the same way.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "model/equations/system.hpp"

namespace delassus {

class MotionScale {
 public:
  explicit MotionScale(System const& system) : system_(&system) {}

  // The size follows from the parameters, and is found again where they have changed.
  void measure(std::span<const double> parameter) {
    if (length_ > 0 && std::equal(parameter.begin(), parameter.end(), parameter_.begin(), parameter_.end()))
      return;
    parameter_.assign(parameter.begin(), parameter.end());
    length_ = system_->length_scale(parameter);
  }
  double length() const { return length_; }  // m
  // What shares of the gap of a block are of: L, or one radian.
  double of(BlockIdentity identity) const { return system_->is_angular(identity) ? 1 : length_; }
  // The largest of velocities v, and of numbers for the rows of `terms`, as lengths.
  double largest_of(Terms const& terms, std::span<const double> v) const {
    double most = 0;
    int const translations = system_->translations();
    for (MassBlock const& mass : terms.M) {
      for (int i = 0; i < mass.M.rows(); ++i)
        most = std::max(most, arm(i < translations) * std::abs(v[static_cast<std::size_t>(mass.first + i)]));
    }
    return most;
  }
  // The arm of each velocity.
  void find_arms(Terms const& terms, std::span<double> arms) const {
    int const translations = system_->translations();
    for (MassBlock const& mass : terms.M) {
      for (int i = 0; i < mass.M.rows(); ++i)
        arms[static_cast<std::size_t>(mass.first + i)] = arm(i < translations);
    }
  }
  double largest_in_rows(Terms const& terms, std::span<const double> of_rows) const {
    double most = 0;
    for (ConstraintBlock const& block : terms.blocks) {
      double const own = arm(!system_->is_angular(block.identity));
      for (int row = block.first_row; row < block.first_row + block.rows(); ++row)
        most = std::max(most, own * std::abs(of_rows[static_cast<std::size_t>(row)]));
    }
    return most;
  }
  // m, or one: what turns a number of a block into a length.
  double arm(BlockIdentity identity) const { return arm(!system_->is_angular(identity)); }

 private:
  double arm(bool length) const { return length ? 1 : length_; }

  System const* system_;
  std::vector<double> parameter_;
  double length_ = 0;
};

}  // namespace delassus
