#include "tools/simulate/input_lines.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

// Values that differ by less than this share of them are one value: rounding of sums and products.
constexpr double input_rounding = 1e-10;

}  // namespace

InputLines::InputLines(SignalTable const& signals) {
  for (std::size_t i = 0; i < signals.signals().size(); ++i) {
    Signal const& signal = signals[i];
    if (!signal.is_input() || !signal.is_float() || signal.variability != "continuous") continue;
    if (signal.offset == 0) by_reference_[signal.value_reference] = {i, signal.size};
  }
}

double InputLines::Line::at(double time) const {
  double sum = value, factor = 1;
  for (std::size_t k = 0; k < derivatives.size(); ++k) {
    factor *= (time - begin) / static_cast<double>(k + 1);
    sum += derivatives[k] * factor;
  }
  return sum;
}

bool InputLines::differs(double a, double b, double scale) {
  return std::abs(a - b) > input_rounding * std::max({std::abs(a), std::abs(b), scale});
}

void InputLines::set_derivatives(std::span<const std::uint32_t> references, int order,
                                 std::span<const double> values, double time) {
  if (order < 1) throw InstanceError(Status::error, "derivatives of inputs have the order 1 or more");
  auto value = values.begin();
  for (auto const reference : references) {
    auto const found = by_reference_.find(reference);
    if (found == by_reference_.end())
      throw InstanceError(Status::error, "only continuous inputs have derivatives");
    auto const [first, count] = found->second;
    for (std::size_t signal = first; signal < first + count; ++signal) {
      if (value == values.end())
        throw InstanceError(Status::error, "an element of an input has no derivative");
      double const derivative = *value++;
      auto const known = lines_.find(signal);
      if (known == lines_.end()) {
        if (derivative == 0) continue;  // it holds
        throw InstanceError(Status::error, "an input is set before its derivatives are");
      }
      Line& line = known->second;
      if (line.begin != time) line = {time, line.at(time), line.scale, {}};
      auto const place = static_cast<std::size_t>(order - 1);
      if (line.derivatives.size() <= place) line.derivatives.resize(place + 1);
      line.derivatives[place] = derivative;
    }
  }
}

bool InputLines::bent() {
  bool result = false;
  moves_ = false;
  for (auto const& [signal, line] : lines_) {
    auto const moving = std::ranges::any_of(line.derivatives, [](double each) { return each != 0; });
    moves_ |= moving;
    auto& last = last_derivatives_[signal];
    std::size_t const orders = std::max(last.size(), line.derivatives.size());
    for (std::size_t k = 0; k < orders; ++k) {
      double const before = k < last.size() ? last[k] : 0;
      result |= differs(k < line.derivatives.size() ? line.derivatives[k] : 0, before, 0);
    }
    last = line.derivatives;
  }
  return result;
}

void InputLines::hold(double time) {
  if (!moves_) return;
  for (auto& [signal, line] : lines_) {
    double const value = line.at(time);
    line = {time, value, std::max(std::abs(line.value), std::abs(value)), {}};
  }
  moves_ = false;
}

std::span<const SignalValue> InputLines::values_at(double time) {
  values_.clear();
  for (auto const& [signal, line] : lines_) {
    if (!line.derivatives.empty()) values_.push_back({signal, line.at(time)});
  }
  return values_;
}

std::vector<double> InputLines::saved() const {
  std::vector<double> all;
  auto const add = [&](std::vector<double> const& values) {
    all.push_back(static_cast<double>(values.size()));
    all.insert(all.end(), values.begin(), values.end());
  };
  for (auto const& [signal, line] : lines_) {
    all.insert(all.end(), {static_cast<double>(signal), line.begin, line.value, line.scale});
    add(line.derivatives);
    auto const last = last_derivatives_.find(signal);
    add(last == last_derivatives_.end() ? std::vector<double>() : last->second);
  }
  return all;
}

void InputLines::restore(std::span<const double> saved) {
  lines_.clear();
  last_derivatives_.clear();
  auto const take = [&] {
    if (saved.empty()) throw InstanceError(Status::error, "the state is cut");
    double const value = saved.front();
    saved = saved.subspan(1);
    return value;
  };
  auto const take_all = [&] {
    std::vector<double> values(std::min(static_cast<std::size_t>(std::max(take(), 0.0)), saved.size()));
    for (auto& value : values) value = take();
    return values;
  };
  while (!saved.empty()) {
    auto const signal = static_cast<std::size_t>(take());
    Line line;
    line.begin = take();
    line.value = take();
    line.scale = take();
    line.derivatives = take_all();
    lines_[signal] = std::move(line);
    last_derivatives_[signal] = take_all();
  }
}

}  // namespace delassus
