#include "tools/cosim/defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/language/vocabulary.hpp"
#include "model/scene/number.hpp"
#include "tools/cosim/communication_step.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

[[noreturn]] void refuse(std::string const& message) {
  throw CommandError(ExitCode::usage, message);
}

// What a connector of the system is given is in the unit of the connector, whatever the variable behind it has.
double parse_in_unit_of(CosimSystem::Exposed const& exposed, std::string_view text) {
  bool const in_degrees = exposed.unit == "deg" || exposed.unit == "deg/s";
  UnitId const unit = unit_with_degrees(exposed.unit);
  bool const angle = in_degrees || unit != UnitId::one;
  std::string_view digits = text;
  if (in_degrees && digits.ends_with(exposed.unit)) digits.remove_suffix(exposed.unit.size());
  if (auto const value = parse_number(digits, unit)) return *value;
  refuse(fmt::format("{} cannot be '{}': it must be a finite number{}", exposed.name, text,
                     angle ? fmt::format(" in {}, such as 0.5, or in degrees, such as 45{}", exposed.unit,
                                         in_degrees ? exposed.unit : std::string(degree_suffix(unit)))
                           : ", such as 0.5 or 1e-3"));
}

// The longest name that fits: components of nested systems have dots in their names.
std::optional<std::size_t> component_of(CosimSystem const& system, std::string_view name) {
  std::optional<std::size_t> component;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    auto const& candidate = system.components[i].name;
    bool const fits = name.starts_with(candidate + ".");
    if (fits && (!component || candidate.size() > system.components[*component].name.size())) component = i;
  }
  return component;
}

// Of a connector of the system, or of a variable of a component.
std::string unit_of_name(CosimSystem const& system, std::string_view name) {
  for (auto const* const list : {&system.parameters, &system.inputs}) {
    for (auto const& exposed : *list) {
      if (exposed.name == name) return exposed.unit;
    }
  }
  auto const component = component_of(system, name);
  if (!component) return "";
  auto const& found = system.components[*component];
  return found.signals[found.signals.resolve(name.substr(found.name.size() + 1)).front()].unit;
}

std::optional<double> number(std::optional<std::string> const& text) {
  return text ? parse_double(*text) : std::nullopt;
}

// Of the structure's annotation.
std::optional<double> setting(CosimSystem const& system, std::string const& name) {
  auto const found = system.settings.find(name);
  if (found == system.settings.end()) return std::nullopt;
  auto const value = parse_double(found->second);
  if (!value)
    refuse(fmt::format("{}: {} is '{}'; it must be a number", system.file.string(), name, found->second));
  return value;
}

}  // namespace

std::string_view algorithm_name(CosimAlgorithm algorithm) {
  switch (algorithm) {
    case CosimAlgorithm::jacobi:
      return "jacobi";
    case CosimAlgorithm::gauss_seidel:
      return "gauss-seidel";
    case CosimAlgorithm::implicit:
      return "implicit";
  }
  return "";
}

CosimAlgorithm parse_algorithm(std::string_view word) {
  for (auto const algorithm :
       {CosimAlgorithm::jacobi, CosimAlgorithm::gauss_seidel, CosimAlgorithm::implicit}) {
    if (word == algorithm_name(algorithm)) return algorithm;
  }
  refuse(fmt::format("'{}' is no algorithm; it is jacobi, gauss-seidel or implicit", word));
}

CosimPlan default_plan(CosimSystem const& system, std::optional<double> start, std::optional<double> stop,
                       std::optional<double> step) {
  CosimPlan plan;
  std::optional<double> latest_stop;
  for (auto const& component : system.components) {
    auto const& experiment = component.model->description().default_experiment;
    if (!experiment) continue;
    if (auto const value = number(experiment->stop_time);
        value && *value > number(experiment->start_time).value_or(0))  // 0.0 is what some write for none
      latest_stop = std::max(latest_stop.value_or(*value), *value);
  }
  plan.start = start ? *start : system.start.value_or(0);
  if (!stop) stop = system.stop ? system.stop : latest_stop;
  if (!stop) refuse("neither the system nor its components say when to stop; give --stop");
  plan.stop = *stop;
  if (!(plan.stop > plan.start)) {
    refuse(fmt::format("the run stops at {} s and starts at {} s; --stop must be later than --start",
                       format_number(plan.stop), format_number(plan.start)));
  }
  if (!step) step = system.step;
  plan.chooses_step = !step;
  if (step) plan.step = *step;
  if (auto const found = system.settings.find("algorithm"); found != system.settings.end())
    plan.algorithm = parse_algorithm(found->second);
  if (auto const degree = setting(system, "extrapolation")) plan.extrapolation = static_cast<int>(*degree);
  plan.step_tolerance = setting(system, "tolerance");
  plan.smallest_step = setting(system, "minimumStep");
  plan.largest_step = setting(system, "maximumStep");
  plan.recorded = choose_columns(system, {});
  settle_step(system, plan);
  return plan;
}

std::size_t find_component(CosimSystem const& system, std::string_view name) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    if (system.components[i].name == name) return i;
    names.push_back(system.components[i].name);
  }
  auto const near = did_you_mean(name, names);
  refuse(fmt::format("the system has no component '{}'{}", name,
                     near ? fmt::format("; did you mean '{}'?", *near)
                          : fmt::format("; it has {}", fmt::join(names, ", "))));
}

std::vector<std::pair<std::size_t, SignalValue>> parse_system_assignment(CosimSystem const& system,
                                                                         std::string_view text) {
  auto const equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    refuse(
        fmt::format("'{}' is no assignment; write component.name=value, such as plant.block.mass=2", text));
  std::string_view const name = text.substr(0, equals);
  std::vector<std::pair<std::size_t, SignalValue>> values;
  for (auto const* const list : {&system.parameters, &system.inputs}) {
    for (auto const& exposed : *list) {
      if (exposed.name != name) continue;
      auto const& signals = system.components[exposed.component].signals;
      std::string_view const given = text.substr(equals + 1);
      auto value = signals[exposed.signal].is_float()
                       ? SignalValue{exposed.signal, parse_in_unit_of(exposed, given)}
                       : parse_value(signals, exposed.signal, given);
      if (auto* const number = std::get_if<double>(&value.value)) {
        double converted = exposed.factor * *number + exposed.offset;
        for (auto const& [before, after] : exposed.mapping) {
          if (before == *number) converted = after;
        }
        *number = converted;
      }
      values.emplace_back(exposed.component, value);
    }
  }
  if (!values.empty()) return values;
  auto const component = component_of(system, name);
  if (!component) {
    find_component(system, name.substr(0, name.find('.')));
    refuse(fmt::format("'{}' is a component; write {}.name=value", name, name));
  }
  auto const& found = system.components[*component];
  try {
    for (auto& value : parse_assignment(found.signals, text.substr(found.name.size() + 1)))
      values.emplace_back(*component, std::move(value));
  } catch (UnknownSignal const& error) {
    throw UnknownSignal(found.name + ": " + error.what());
  } catch (CommandError const& error) {
    throw CommandError(error.code(), found.name + ": " + error.what());
  }
  return values;
}

std::vector<std::string> notes_on_components(CosimSystem const& system) {
  std::vector<std::string> notes;
  std::set<RunnableModel const*> told;  // components of one source share their model
  for (auto const& component : system.components) {
    if (!told.insert(component.model.get()).second) continue;
    auto const& own = component.model->notes();
    notes.insert(notes.end(), own.begin(), own.end());
  }
  return notes;
}

std::vector<std::string> notes_on_system_settings(CosimSystem const& system,
                                                  std::span<const std::string> settings) {
  std::vector<std::string> notes;
  for (std::string_view const text : settings) {
    std::string const unit = unit_of_name(system, text.substr(0, text.find('=')));
    if (auto note = note_on_setting(text, unit); !note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace delassus
