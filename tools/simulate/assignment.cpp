#include "tools/simulate/assignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/language/scene_notes.hpp"
#include "model/language/vocabulary.hpp"
#include "model/scene/number.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

[[noreturn]] void fail(Signal const& signal, std::string_view text, std::string const& rule) {
  throw CommandError(ExitCode::usage, fmt::format("{} cannot be '{}': {}", signal.name, text, rule));
}

double parse_item(Signal const& signal, std::string_view text) {
  std::vector<std::string_view> names;
  for (auto const& item : signal.items) {
    if (item.name == text || std::to_string(item.value) == text) return static_cast<double>(item.value);
    names.push_back(item.name);
  }
  auto const near = did_you_mean(text, names);
  fail(signal, text,
       fmt::format("it must be one of {}{}", fmt::join(names, ", "),
                   near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

double parse_float(Signal const& signal, std::string_view text) {
  UnitId const unit = unit_with_degrees(signal.unit);
  if (auto const value = parse_number(text, unit)) return *value;
  bool const has_unit = !signal.unit.empty() && signal.unit != "1";
  std::string const in_unit = has_unit ? " in " + signal.unit : "";
  fail(signal, text,
       unit != UnitId::one
           ? fmt::format("it must be a finite number{}, such as 0.5, or in degrees, such as 45{}", in_unit,
                         degree_suffix(unit))
           : fmt::format("it must be a finite number{}, such as 0.5 or 1e-3{}", in_unit,
                         has_unit ? ", without the unit" : ""));
}

// Through a double: exact up to 2^53, which is what every other path of the tools can carry.
double parse_whole(Signal const& signal, std::string_view text) {
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  auto const value = parse_integer<std::int64_t>(text);
  bool const is_unsigned = signal.type.starts_with("UInt");
  int const bits = signal.type.ends_with("8")    ? 8
                   : signal.type.ends_with("16") ? 16
                   : signal.type.ends_with("32") ? 32
                                                 : 54;
  std::int64_t const span = bits == 54 ? largest : std::int64_t{1} << (is_unsigned ? bits : bits - 1);
  if (value && *value >= (is_unsigned ? 0 : -span) && *value < span) return static_cast<double>(*value);
  fail(signal, text,
       fmt::format("it must be a whole number from {} to {}", is_unsigned ? 0 : -span, span - 1));
}

// The description has only inclusive bounds; what else a model refuses, it says itself.
void check_range(Signal const& signal, SignalValue const& value, std::string_view text) {
  auto const* const number = std::get_if<double>(&value.value);
  if (number == nullptr) return;
  if (auto const rule = range_rule(signal, *number); !rule.empty()) fail(signal, text, "it must be " + rule);
}

// Of a motion: the parameter that it starts with.
std::string start_of(SignalTable const& signals, std::string_view name) {
  std::string start(name);
  start.insert(name.rfind('.') + 1, "initial.");
  try {
    signals.resolve(start);
  } catch (UnknownSignal const&) {
    return "";
  }
  return "; what it starts with is " + start;
}

// Where a name is unknown and several may be meant, one that can be set.
std::vector<std::size_t> resolve_settable(SignalTable const& signals, std::string_view name) {
  constexpr std::string_view asks = "did you mean";
  try {
    return signals.resolve(name);
  } catch (UnknownSignal const& error) {
    if (std::string_view(error.what()).find(asks) == std::string_view::npos) throw;
    std::vector<std::string_view> settable;
    for (auto const& signal : signals.signals()) {
      if (can_be_set(signal)) settable.push_back(signal.name);
    }
    std::string const meant = suggested_names(name, settable);
    if (meant.find(asks) == std::string::npos) throw;
    throw UnknownSignal(fmt::format("the model has no variable '{}'{}", name, meant));
  }
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(" ,\t", at)) != std::string_view::npos;) {
    std::size_t const end = std::min(text.find_first_of(" ,\t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

std::string range_rule(Signal const& signal, double value) {
  if (!signal.items.empty()) return "";
  auto const minimum = parse_double(signal.minimum), maximum = parse_double(signal.maximum);
  std::string const unit = signal.unit.empty() || signal.unit == "1" ? "" : " " + signal.unit;
  if (minimum && value < *minimum) return fmt::format(">= {}{}", signal.minimum, unit);
  if (maximum && value > *maximum) return fmt::format("<= {}{}", signal.maximum, unit);
  return "";
}

bool can_be_set(Signal const& signal) {
  if (signal.causality == "independent" || signal.causality == "calculatedParameter" ||
      signal.variability == "constant")
    return false;
  return signal.causality == "input" || signal.causality.ends_with("arameter") || !signal.start.empty();
}

SignalValue parse_value(SignalTable const& signals, std::size_t index, std::string_view text) {
  Signal const& signal = signals[index];
  if (signal.type == "String") return {index, std::string(text)};
  if (signal.type == "Binary" || signal.type == "Clock")
    fail(signal, text, fmt::format("a {} cannot be set here", signal.type));
  if (signal.type == "Enumeration") return {index, parse_item(signal, text)};
  if (signal.type == "Boolean") {
    if (auto const value = parse_boolean(text)) return {index, *value ? 1.0 : 0.0};
    fail(signal, text, "it must be true or false");
  }
  return {index, signal.is_float() ? parse_float(signal, text) : parse_whole(signal, text)};
}

std::vector<SignalValue> parse_assignment(SignalTable const& signals, std::string_view text) {
  auto const equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("'{}' is no assignment; write name=value, such as tip_ground.mu=0.8", text));
  }
  std::string_view const name = text.substr(0, equals), value = text.substr(equals + 1);
  auto const targets = resolve_settable(signals, name);
  Signal const& first = signals[targets.front()];
  if (!can_be_set(first)) {
    throw CommandError(
        ExitCode::usage,
        first.causality == "local"
            ? fmt::format("{} cannot be set: the scene makes it a constant", name)
            : fmt::format("{} cannot be set: it is {}, which the model computes{}", name,
                          first.causality == "independent" ? "time" : "of causality " + first.causality,
                          start_of(signals, name)));
  }
  auto const checked = [&](std::size_t target, std::string_view word) {
    SignalValue const parsed = parse_value(signals, target, word);
    check_range(signals[target], parsed, word);
    return parsed;
  };
  if (targets.size() == 1 && first.name == name) return {checked(targets.front(), value)};
  auto const words = split(value);
  if (words.size() != targets.size()) {
    throw CommandError(ExitCode::usage,
                       fmt::format("{} has {} elements and '{}' has {} values; separate them by blanks", name,
                                   targets.size(), value, words.size()));
  }
  std::vector<SignalValue> values;
  for (std::size_t i = 0; i < words.size(); ++i) values.push_back(checked(targets[i], words[i]));
  return values;
}

std::vector<std::string> notes_on_settings(SignalTable const& signals,
                                           std::span<const std::string> settings) {
  std::vector<std::string> notes;
  for (std::string_view const text : settings) {
    auto const equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    Signal const& signal = signals[signals.resolve(text.substr(0, equals)).front()];
    if (auto note = note_on_setting(text, signal.unit); !note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

std::string note_on_setting(std::string_view text, std::string_view unit) {
  auto const equals = text.find('=');
  if (unit != "rad" || equals == std::string_view::npos) return "";
  std::string const doubt = doubt_about_angle(text.substr(equals + 1));
  return doubt.empty() ? "" : fmt::format("{}: {}", text, doubt);
}

std::string note_on_range(std::string_view name, std::string_view values, std::string_view unit) {
  if (unit != "rad") return "";
  bool const drawn = values.find('~') != std::string_view::npos;
  double largest = 0;
  std::string_view doubtful;
  std::size_t colons = 0;
  for (std::size_t at = 0; at <= values.size();) {
    std::size_t const end = std::min(values.find_first_of(",:~", at), values.size());
    std::string_view const word = values.substr(at, end - at);
    auto const number = parse_number(word);  // nothing of 45deg
    bool const is_count = !drawn && colons == 2;
    if (number && !is_count && std::abs(*number) > largest) {
      largest = std::abs(*number);
      doubtful = word;
    }
    if (end < values.size() && values[end] == ':') ++colons;
    at = end + 1;
  }
  std::string const doubt = doubt_about_angle(doubtful);
  return doubt.empty() ? "" : fmt::format("{}={}: {}", name, values, doubt);
}

std::string value_text(Signal const& signal, double value) {
  for (auto const& item : signal.items) {
    if (static_cast<double>(item.value) == value) return item.name;
  }
  if (signal.type == "Boolean") return value != 0 ? "true" : "false";
  return format_number(value);
}

void set_by_name(SimulatedInstance& instance, std::span<const SignalValue> values) {
  try {
    instance.set(values);
  } catch (InstanceError const& error) {
    std::string names;
    for (SignalValue const& value : values)
      names += (names.empty() ? "" : ", ") + instance.signals()[value.signal].name;
    throw InstanceError(error.status(), fmt::format("cannot set {}: {}", names, error.what()));
  }
}

}  // namespace delassus
