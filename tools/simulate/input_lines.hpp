// The continuous inputs of a Model Exchange instance as functions of time: a value and derivatives at the beginning of a
// step.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tools/import/simulated_instance.hpp"

namespace delassus {

class InputLines {
 public:
  explicit InputLines(SignalTable const& signals);

  // True where the value is another than the line has come to, beyond rounding; unknown lines ask `present`.
  template <typename Present>
  bool jumps(std::size_t signal, double value, double time, Present const& present) {
    auto const found = lines_.find(signal);
    return found == lines_.end() ? differs(value, present(), 0)
                                 : differs(value, found->second.at(time), found->second.scale);
  }
  std::optional<double> value_at(std::size_t signal, double time) const {
    auto const found = lines_.find(signal);
    return found == lines_.end() ? std::nullopt : std::optional(found->second.at(time));
  }
  void set(std::size_t signal, double value, double time) { lines_[signal] = {time, value, 0, {}}; }
  // One value for each element: arrays of FMI 3 have one reference for several.
  void set_derivatives(std::span<const std::uint32_t> references, int order, std::span<const double> values,
                       double time);

  // A step begins: true where a line has bent since the last one, which an integrator must know.
  bool bent();
  // A step has ended: what was not set again is held.
  void hold(double time);
  bool moves() const { return moves_; }
  // Values at a time within a step.
  std::span<const SignalValue> values_at(double time);

  std::vector<double> saved() const;
  void restore(std::span<const double> saved);

 private:
  struct Line {
    double begin = 0, value = 0;
    double scale = 0;  // how large it was in the last step: a line may pass through zero
    std::vector<double> derivatives;
    double at(double time) const;
  };
  static bool differs(double a, double b, double scale);

  struct Elements {
    std::size_t first = 0, count = 0;  // signals
  };
  std::map<std::uint32_t, Elements> by_reference_;
  std::map<std::size_t, Line> lines_;
  std::map<std::size_t, std::vector<double>> last_derivatives_;  // of the last step
  std::vector<SignalValue> values_;
  bool moves_ = false;
};

}  // namespace delassus
