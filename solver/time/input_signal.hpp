// Inputs over a step: their values at a time t0 and, where a host knows them, their derivatives there,
//
//   u(t) = sum over k of u^(k)(t0) (t - t0)^k / k!
//
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace delassus {

struct InputSignal {
  std::span<const double> value;             // u(t0)
  std::span<const double> derivatives = {};  // all of order one, then all of order two, ...; none: constant
  double t0 = 0;                             // s

  InputSignal(std::span<const double> constant) : value(constant) {}     // NOLINT: inputs that stay
  InputSignal(std::vector<double> const& constant) : value(constant) {}  // NOLINT
  InputSignal(std::span<const double> at_t0, std::span<const double> rates, double time)
      : value(at_t0), derivatives(rates), t0(time) {}

  bool constant() const { return derivatives.empty(); }

  // u(t), in `buffer` unless it is constant.
  std::span<const double> at(double t, std::vector<double>& buffer) const {
    if (constant()) return value;
    buffer.assign(value.begin(), value.end());
    double factor = 1;
    for (std::size_t order = 1; order * value.size() <= derivatives.size(); ++order) {
      factor *= (t - t0) / static_cast<double>(order);
      for (std::size_t i = 0; i < value.size(); ++i)
        buffer[i] += factor * derivatives[(order - 1) * value.size() + i];
    }
    return buffer;
  }
};

}  // namespace delassus
