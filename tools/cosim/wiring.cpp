#include "tools/cosim/wiring.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "tools/cosim/graph.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

bool is_continuous(Signal const& signal) {
  return signal.is_float() && signal.variability == "continuous";
}

double nominal_of(CosimComponent const& component, std::size_t signal) {
  auto const& variable = component.model->description().variables[component.signals[signal].variable];
  double const nominal = std::abs(parse_double(variable.nominal).value_or(1));
  return nominal > 0 && std::isfinite(nominal) ? nominal : 1;
}

}  // namespace

double CosimWire::convert(double value) const {
  for (auto const& [before, after] : mapping) {
    if (before == value) return after;
  }
  // Without a unit to convert, the bits stay: 1 * -0.0 + 0 would not be -0.0.
  double const converted = factor == 1 && offset == 0 ? value : factor * value + offset;
  if (truth) return converted != 0 ? 1 : 0;
  return rounds ? std::round(converted) : converted;
}

CosimWiring::CosimWiring(CosimSystem const& system) {
  std::size_t const count = system.components.size();
  outputs_of.resize(count);
  inputs_of.resize(count);
  continuous_inputs.resize(count);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> place_of_output;
  for (auto const& connection : system.connections) {
    Signal const& from = system.components[connection.from].signals[connection.from_signal];
    Signal const& to = system.components[connection.to].signals[connection.to_signal];
    CosimOddWire const odd{connection.from, connection.from_signal, connection.to, connection.to_signal};
    if (from.type == "String") {
      texts.push_back(odd);
    } else if (from.type == "Binary") {
      binaries.push_back(odd);
    } else if (from.type == "Clock") {
      clocks.push_back(odd);
    } else if (to.is_input()) {  // what leads to a parameter is only for the initialisation
      place_of_output.emplace(std::pair(connection.from, connection.from_signal), 0);
      CosimWire wire;
      wire.from = connection.from;
      wire.from_signal = connection.from_signal;
      wire.to = connection.to;
      wire.to_signal = connection.to_signal;
      wire.factor = connection.factor;
      wire.offset = connection.offset;
      wire.mapping = connection.mapping;
      wire.truth = to.type == "Boolean";
      wire.rounds = !to.is_float() && !wire.truth;
      wire.continuous = is_continuous(from) && is_continuous(to) && connection.mapping.empty();
      wires.push_back(wire);
    }
  }
  for (auto& [key, place] : place_of_output) {
    place = outputs.size();
    outputs.push_back({key.first, key.second});
    output_is_continuous.push_back(is_continuous(system.components[key.first].signals[key.second]));
    nominals.push_back(nominal_of(system.components[key.first], key.second));
    Range& range = outputs_of[key.first];
    if (range.count++ == 0) range.first = place;
  }
  std::ranges::sort(
      wires, {}, [](CosimWire const& wire) { return std::tuple(wire.to, !wire.continuous, wire.to_signal); });
  std::vector<DirectFeedthrough> feedthrough;
  for (auto const& component : system.components)
    feedthrough.emplace_back(component, DependencyMoment::communication_point);
  for (std::size_t i = 0; i < wires.size(); ++i) {
    CosimWire& wire = wires[i];
    wire.input = i;
    wire.output = place_of_output.at({wire.from, wire.from_signal});
    Range& range = inputs_of[wire.to];
    if (range.count++ == 0) range.first = i;
    continuous_inputs[wire.to] += wire.continuous;
    Range const leaving = outputs_of[wire.to];
    for (std::size_t place = leaving.first; place < leaving.first + leaving.count; ++place)
      wire.feedthrough |= feedthrough[wire.to](outputs[place].signal, wire.to_signal);
  }
}

}  // namespace delassus
