// How long the next communication step may be, from the estimated error of the last one.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/numbers/elementary.hpp"

namespace delassus {

// A proportional-integral controller (Gustafsson, Lundh and Soederlind 1988, BIT 28): it takes the error before into
// account, so that steps do not swing where stability limits them. `order` is that of the scheme; the local error is of
// one order more.
class CosimStepControl {
 public:
  explicit CosimStepControl(int order) : exponent_(1.0 / (order + 1)) {}

  // Errors relative to what is allowed: up to 1 the step is kept. Answers with the factor for the next one.
  double after_kept(double error) {
    double const now = std::max(error, 1e-8);
    double const factor =
        0.9 * elementary::pow(now, -0.7 * exponent_) * elementary::pow(before_, 0.4 * exponent_);
    before_ = now;
    return std::clamp(factor, 0.2, 5.0);
  }
  double after_rejected(double error) const {
    return std::clamp(0.9 * elementary::pow(error, -exponent_), 0.1, 0.9);
  }

 private:
  double exponent_;
  double before_ = 1;
};

}  // namespace delassus
