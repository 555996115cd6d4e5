#include "tools/cosim/communication_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/numbers/elementary.hpp"
#include "model/scene/decimal_times.hpp"
#include "tools/simulate/simulation.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// A share of a time below which it is rounding: times come as decimal numbers of up to 15 digits.
constexpr double step_rounding = 1e-9;
// The shortest step that follows from sample times is this part of the shortest of them.
constexpr double most_parts = 100;

// A time that a component demands or suggests, s.
struct ComponentTime {
  enum class Kind { sample, internal, experiment };
  std::string component;
  Kind kind = Kind::experiment;
  double time = 0;
};

std::optional<double> positive_time(std::string const& text) {
  auto const value = parse_double(text);
  return value && *value > 0 && std::isfinite(*value) ? value : std::nullopt;
}

// Of our controllers, and of what they were packed into.
std::optional<double> sample_time(CosimSystem const& system, CosimPlan const& plan, std::size_t index) {
  CosimComponent const& component = system.components[index];
  auto const signal = component.signals.find("sample_time");
  if (!signal || component.signals[*signal].unit != "s" ||
      component.signals[*signal].causality != "parameter")
    return std::nullopt;
  std::optional<double> time = positive_time(component.signals[*signal].start);
  auto const take = [&](SignalValue const& value) {
    auto const* const number = std::get_if<double>(&value.value);
    if (value.signal == *signal && number != nullptr && *number > 0) time = *number;
  };
  for (SignalValue const& value : component.settings) take(value);
  for (auto const& [owner, value] : plan.settings) {
    if (owner == index) take(value);
  }
  return time;
}

std::vector<ComponentTime> times_of(CosimSystem const& system, CosimPlan const& plan) {
  using Kind = ComponentTime::Kind;
  std::vector<ComponentTime> times;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    CosimComponent const& component = system.components[i];
    ModelDescription const& description = component.model->description();
    auto const add = [&](Kind kind, std::optional<double> time) {
      if (time) times.push_back({component.name, kind, *time});
      return time.has_value();
    };
    bool samples = add(Kind::sample, sample_time(system, plan, i));
    for (DescribedVariable const& variable : description.variables) {
      if (variable.type == "Clock") samples |= add(Kind::sample, positive_time(variable.interval_decimal));
    }
    if (auto const* const interface = description.interface("CoSimulation")) {
      auto const internal = interface->attributes.find("fixedInternalStepSize");
      if (internal != interface->attributes.end()) add(Kind::internal, positive_time(internal->second));
    }
    // What samples by itself has a step of its experiment only for its own results.
    if (!samples && description.default_experiment && description.default_experiment->step_size)
      add(Kind::experiment, positive_time(*description.default_experiment->step_size));
  }
  return times;
}

// The decimal number next to it, where the difference is rounding.
double as_decimal(double time) {
  double const decimal = parse_double(fmt::format("{:.12g}", time)).value_or(time);
  return std::abs(decimal - time) <= 4e-16 * time ? decimal : time;
}

bool divides(double step, double time) {
  double const parts = time / step;
  return std::round(parts) >= 1 && std::abs(parts - std::round(parts)) <= 1e-6;
}

// `time` over the smallest number that leaves at most `longest` and as few digits as `time` has: 1, 2, 4, 5, 8, 10, ...
double divided(double time, double longest) {
  for (double parts = 1;; ++parts) {
    double rest = parts;
    for (double const factor : {2.0, 5.0}) {
      while (std::fmod(rest, factor) == 0) rest /= factor;
    }
    if (rest == 1 && time / parts <= longest * (1 + step_rounding)) return as_decimal(time / parts);
  }
}

// 1, 2 or 5 times a power of ten, at most `time`.
double round_below(double time) {
  double const unit = elementary::pow(10, std::floor(elementary::log10(time)));
  for (double const factor : {5.0, 2.0}) {
    if (factor * unit <= time * (1 + step_rounding)) return as_decimal(factor * unit);
  }
  return as_decimal(unit);
}

std::string_view kind_in_words(ComponentTime::Kind kind) {
  switch (kind) {
    case ComponentTime::Kind::sample:
      return "sample time";
    case ComponentTime::Kind::internal:
      return "internal step";
    case ComponentTime::Kind::experiment:
      return "step";
  }
  return "";
}

// `the sample time of controller (0.005 s) and the step of plant (0.01 s)`
std::string time_list(std::vector<ComponentTime> const& times) {
  constexpr std::size_t most_named = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(times.size(), most_named); ++i) {
    bool const last = i + 1 == times.size();
    text += fmt::format("{}the {} of {} ({} s)",
                        i == 0 ? ""
                        : last ? " and "
                               : ", ",
                        kind_in_words(times[i].kind), times[i].component, format_time(times[i].time));
  }
  if (times.size() > most_named) text += fmt::format(" and {} more", times.size() - most_named);
  return text;
}

std::vector<double> values(std::vector<ComponentTime> const& times) {
  std::vector<double> found;
  found.reserve(times.size());
  for (ComponentTime const& each : times) found.push_back(each.time);
  return found;
}

std::vector<ComponentTime> of_kind(std::vector<ComponentTime> const& times,
                                   std::initializer_list<ComponentTime::Kind> kinds) {
  std::vector<ComponentTime> found;
  for (ComponentTime const& each : times) {
    if (std::ranges::find(kinds, each.kind) != kinds.end()) found.push_back(each);
  }
  return found;
}

// All times first; those of default experiments are only upper bounds where they fit to nothing.
void choose_step(CosimPlan& plan, std::vector<ComponentTime> const& times) {
  using Kind = ComponentTime::Kind;
  if (times.empty()) {
    plan.step = default_step(plan.start, plan.stop);
    plan.step_reason = "a 500th part of the run, since no component names a step";
    return;
  }
  double const shortest = std::ranges::min(times, {}, &ComponentTime::time).time;
  if (auto const all = common_divisor(values(times))) {
    plan.step = *all;
    bool const same = std::ranges::all_of(
        times, [&](auto const& each) { return std::abs(each.time - *all) <= step_rounding * each.time; });
    plan.step_reason = (same ? "as " : "which divides ") + time_list(times);
    return;
  }
  auto const needed = of_kind(times, {Kind::sample, Kind::internal});
  if (auto const divisor = needed.empty() ? std::nullopt : common_divisor(values(needed))) {
    plan.step = divided(*divisor, shortest);
    plan.step_reason = fmt::format("which divides {} and is no longer than any step of a default experiment",
                                   time_list(needed));
    return;
  }
  if (needed.empty()) {
    plan.step = shortest;
    plan.step_reason = "the shortest of " + time_list(times);
    return;
  }
  plan.step = round_below(shortest / 10);
  plan.step_reason = "a tenth of the shortest time of the components";
  plan.step_warning = fmt::format(
      "{} have no common divisor above a hundredth of the shortest: with a communication step of {} s, "
      "values "
      "from and to a sample are up to {} s late. Choose sample times that are multiples of one time, or "
      "--step",
      time_list(needed), format_time(plan.step), format_time(plan.step));
}

}  // namespace

std::optional<double> common_divisor(std::span<const double> times) {
  if (times.empty()) return std::nullopt;
  double const shortest = *std::ranges::min_element(times);
  double divisor = times.front();
  for (double const time : times) {
    double a = std::max(divisor, time), b = std::min(divisor, time);
    double const rounding = 1e-7 * shortest;
    while (b > rounding) {
      double const rest = std::fmod(a, b);
      a = b;
      b = std::min(rest, b - rest) <= step_rounding * std::max(divisor, time) ? 0 : rest;
    }
    divisor = a;
  }
  double const parts = std::round(shortest / divisor);
  if (parts > most_parts) return std::nullopt;
  return as_decimal(shortest / parts);
}

void settle_step(CosimSystem const& system, CosimPlan& plan) {
  plan.step_reason.clear();
  plan.step_warning.clear();
  auto const times = times_of(system, plan);
  if (plan.chooses_step) return choose_step(plan, times);
  if (plan.step_tolerance || !(plan.step > 0)) return;
  std::vector<ComponentTime> missed;
  for (ComponentTime const& each : of_kind(times, {ComponentTime::Kind::sample})) {
    if (!divides(plan.step, each.time)) missed.push_back(each);
  }
  if (missed.empty()) return;
  CosimPlan other = plan;
  choose_step(other, times);
  plan.step_warning = fmt::format(
      "a communication step of {} s does not divide {}: samples see values that are up to {} s old, and "
      "their "
      "outputs reach the others as late. {}",
      format_time(plan.step), time_list(missed), format_time(plan.step),
      other.step_warning.empty() ? fmt::format("A step of {} s divides all", format_time(other.step))
                                 : "Choose a step that divides");
}

}  // namespace delassus
