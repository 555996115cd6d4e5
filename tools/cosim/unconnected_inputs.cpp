#include "tools/cosim/unconnected_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace delassus {
namespace {

std::string array_of_input(Signal const& signal) {
  return signal.name.substr(0, signal.name.ends_with(']') ? signal.name.rfind('[') : signal.name.size());
}

// Of our controllers: what is added to something that is there without it.
bool is_addition(CosimComponent const& component, Signal const& signal) {
  auto const& signals = component.signals;
  if (!signals.find("sample_time") || signal.description.find(", added to") == std::string::npos)
    return false;
  return signal.name != "setpoint" || signals.find("profile.times[1]").has_value();
}

}  // namespace

std::vector<std::string> unconnected_inputs(
    CosimSystem const& system, std::size_t component,
    std::vector<std::pair<std::size_t, SignalValue>> const& settings) {
  std::set<std::size_t> given;
  for (auto const& connection : system.connections) {
    if (connection.to == component) given.insert(connection.to_signal);
  }
  for (auto const& exposed : system.inputs) {
    if (exposed.component == component) given.insert(exposed.signal);
  }
  for (auto const& value : system.components[component].settings) given.insert(value.signal);
  for (auto const& [owner, value] : settings) {
    if (owner == component) given.insert(value.signal);
  }
  auto const& signals = system.components[component].signals.signals();
  std::set<std::string> given_arrays;  // of a force in the plane, one component is often all that is driven
  for (std::size_t const each : given) given_arrays.insert(array_of_input(signals[each]));
  std::vector<std::string> open;
  std::string last;
  for (Signal const& signal : signals) {
    if (!signal.is_input() || !signal.is_number() || is_addition(system.components[component], signal))
      continue;
    auto const array = array_of_input(signal);
    if (array == last || given_arrays.contains(array)) continue;
    last = array;
    std::string const unit = signal.unit.empty() || signal.unit == "1" ? "" : " " + signal.unit;
    open.push_back(signal.start.empty() ? array : fmt::format("{} ({}{})", array, signal.start, unit));
  }
  return open;
}

std::string unconnected_inputs_note(CosimSystem const& system,
                                    std::vector<std::pair<std::size_t, SignalValue>> const& settings) {
  constexpr std::size_t most_named = 6;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    for (auto const& input : unconnected_inputs(system, i, settings))
      all.push_back(system.components[i].name + "." + input);
  }
  if (all.empty()) return "";
  std::size_t const more = all.size() > most_named ? all.size() - most_named : 0;
  all.resize(all.size() - more);
  return fmt::format(
      "nothing is connected to {}{}: an input without a connection keeps its start value; connect it, or "
      "set it with --set",
      fmt::join(all, ", "), more > 0 ? fmt::format(" and {} more inputs", more) : std::string());
}

std::string source_of_input(CosimSystem const& system, std::size_t component, std::size_t signal) {
  for (auto const& connection : system.connections) {
    if (connection.to != component || connection.to_signal != signal) continue;
    auto const& from = system.components[connection.from];
    return from.name + "." + from.signals[connection.from_signal].name;
  }
  return "";
}

std::vector<std::string> settings_in_vain(CosimSystem const& system,
                                          std::vector<std::pair<std::size_t, SignalValue>> const& settings) {
  std::vector<std::string> sentences;
  for (auto const& [component, value] : settings) {
    auto const source = source_of_input(system, component, value.signal);
    if (source.empty()) continue;
    auto const& owner = system.components[component];
    sentences.push_back(fmt::format(
        "{}.{} is connected with {}, from which it has its values: what is set for it is not used "
        "beyond the start",
        owner.name, owner.signals[value.signal].name, source));
  }
  return sentences;
}

}  // namespace delassus
