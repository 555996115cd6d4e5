// What the connected outputs were at the last communication points, and polynomials through it.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace delassus {

// p(s) = a + b s + c s^2, s from the beginning of the step.
struct StepPolynomial {
  double a = 0, b = 0, c = 0;

  double at(double s) const { return a + s * (b + s * c); }
  // Over a step of length h: what an input that is held has to be for its impulse to be right.
  double mean(double h) const { return a + h * (b / 2 + h * c / 3); }
};

class CosimHistory {
 public:
  explicit CosimHistory(std::size_t outputs) {
    for (auto& values : values_) values.resize(outputs);
    slopes_.assign(outputs, std::numeric_limits<double>::quiet_NaN());
  }

  double time() const { return times_[0]; }
  std::vector<double> const& now() const { return values_[0]; }
  std::vector<double>& now() { return values_[0]; }

  // A new communication point. Swaps, so that nothing is allocated: `values` is what was the oldest.
  void push(double time, std::vector<double>& values) {
    double const h = time - times_[0], h1 = known_ < 2 ? 0 : times_[0] - times_[1];
    if (h <= 1e-9 * h1 || h <= 4 * std::numeric_limits<double>::epsilon() * std::abs(time)) {
      // A point of its own would make slopes of rounding.
      times_[0] = time;
      values_[0].swap(values);
      return;
    }
    times_ = {time, times_[0], times_[1]};
    values_[2].swap(values_[1]);
    values_[1].swap(values_[0]);
    values_[0].swap(values);
    if (known_ < values_.size()) ++known_;
  }
  // Nothing before the present is a guide to what comes: the start, or an event. Derivatives by time are, where FMUs
  // give them: `slopes` are those of the present, NaN without.
  void restart(double time) {
    times_[0] = time;
    known_ = 1;
    slopes_.assign(slopes_.size(), std::numeric_limits<double>::quiet_NaN());
  }
  std::vector<double>& slopes() { return slopes_; }

  // Through the present and the points before it, of this degree or what the known points allow.
  StepPolynomial extrapolate(std::size_t output, int degree) const {
    double const y0 = values_[0][output];
    if (degree < 1) return {y0, 0, 0};
    if (known_ < 2) return {y0, std::isnan(slopes_[output]) ? 0 : slopes_[output], 0};
    double const h1 = times_[0] - times_[1];
    double const slope = (y0 - values_[1][output]) / h1;
    if (degree < 2 || known_ < 3) return {y0, slope, 0};
    double const h2 = times_[1] - times_[2];
    double const before = (values_[1][output] - values_[2][output]) / h2;
    double const c = (slope - before) / (h1 + h2);
    return {y0, slope + c * h1, c};
  }

  // Likewise, through `end` at the end of a step of length h. Of degree 0 it is the value there.
  StepPolynomial interpolate(std::size_t output, double end, double h, int degree) const {
    if (degree < 1) return {end, 0, 0};
    double const y0 = values_[0][output];
    double const slope = (end - y0) / h;
    if (degree < 2 || (known_ < 2 && std::isnan(slopes_[output]))) return {y0, slope, 0};
    if (known_ < 2) return {y0, slopes_[output], (slope - slopes_[output]) / h};
    double const h1 = times_[0] - times_[1];
    double const before = (y0 - values_[1][output]) / h1;
    double const c = (slope - before) / (h + h1);
    return {y0, slope - c * h, c};
  }

 private:
  std::array<double, 3> times_{};  // s, newest first
  std::array<std::vector<double>, 3> values_;
  std::vector<double> slopes_;
  std::size_t known_ = 1;
};

}  // namespace delassus
