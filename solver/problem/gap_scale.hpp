// What the gaps of contacts and limits are small beside: the size of what moves, or one radian. So tolerances are shares, and a
// scene in other units, or a thousand times as large, moves in the same way.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "model/equations/system.hpp"

namespace delassus {

class GapScale {
 public:
  explicit GapScale(System const& system) : system_(&system) {}

  // The size follows from the parameters, and is found again where they have changed.
  void measure(std::span<const double> parameter) {
    if (length_ > 0 && std::equal(parameter.begin(), parameter.end(), parameter_.begin(), parameter_.end()))
      return;
    parameter_.assign(parameter.begin(), parameter.end());
    length_ = system_->length_scale(parameter);
  }
  double length() const { return length_; }  // m
  double of(BlockIdentity identity) const { return system_->gap_is_angle(identity) ? 1 : length_; }

 private:
  System const* system_;
  std::vector<double> parameter_;
  double length_ = 0;
};

}  // namespace delassus
