#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/ssp/system_connections.hpp"
#include "xml/ssp/structure_rules.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// What a connection sees of an element: of a structure that is a component, the component.
StructureElement const& face(SystemInstance const& instance) {
  return instance.reference != nullptr ? *instance.reference : *instance.element;
}

std::string name_of(ConnectionGraph::Place const& place) {
  auto const& path = place.instance->path;
  return path.empty() ? place.connector : path + "." + place.connector;
}

std::optional<double> table_value(std::string const& text, std::string_view kind,
                                  std::vector<SignalItem> const& items) {
  if (kind == "BooleanMappingTransformation") {
    auto const value = parse_boolean(text);
    return value ? std::optional(*value ? 1.0 : 0.0) : std::nullopt;
  }
  if (kind == "IntegerMappingTransformation") {
    auto const value = parse_integer<std::int64_t>(text);
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  }
  auto const found = std::ranges::find(items, text, &SignalItem::name);
  return found == items.end() ? std::nullopt : std::optional(static_cast<double>(found->value));
}

// Of a connector and its variable, where units of one quantity are different: both are right.
Affine between(NamedUnit const& from, NamedUnit const& to) {
  if (!from.meaning || !to.meaning) return {};
  auto const fit = compare_units(*from.meaning, *to.meaning);
  return fit == UnitFit::same_dimension || fit == UnitFit::angle ? unit_conversion(*from.meaning, *to.meaning)
                                                                 : Affine{};
}

}  // namespace

ConnectionGraph::ConnectionGraph(SystemInstance const& root, CosimSystem const& system, FindingList& findings)
    : system_(system), findings_(findings) {
  add_system(root);
  cut_rings();
}

void ConnectionGraph::add_system(SystemInstance const& system) {
  for (auto const& connection : system.element->connections) add_connection(system, connection);
  for (auto const& child : system.children) {
    if (!child->is_component()) add_system(*child);
  }
}

void ConnectionGraph::add_connection(SystemInstance const& system, StructureConnection const& connection) {
  auto const owner = [&](std::optional<std::string> const& element) {
    return element ? system.child(*element) : &system;
  };
  // Seen from inside, a system that is a component of another structure shows its own connectors.
  auto const connector = [&](std::optional<std::string> const& element, std::string const& name) {
    auto const* const instance = owner(element);
    auto const* const seen = instance == nullptr   ? nullptr
                             : instance == &system ? system.element->connector(name)
                                                   : face(*instance).connector(name);
    if (seen != nullptr && instance->reference != nullptr && instance != &system &&
        instance->element->connector(name) == nullptr) {
      findings_.add("connector-variable", system.file(), seen->line,
                    fmt::format("\"{}.{}\" is no connector of {}", instance->name, name, instance->file()),
                    "add it there, or correct the name");
    }
    return seen;
  };
  auto const* const start = connector(connection.start_element, connection.start_connector);
  auto const* const end = connector(connection.end_element, connection.end_connector);
  if (start == nullptr || end == nullptr || start == end) return;  // reported, or a component that is missing
  auto const flow =
      connection_flow({start->kind, !connection.start_element}, {end->kind, !connection.end_element});
  if (flow == Flow::none) return;
  Place from{owner(connection.start_element), connection.start_connector};
  Place to{owner(connection.end_element), connection.end_connector};
  if (flow == Flow::to_start) std::swap(from, to);
  Way const way{to, &connection, system.file()};
  if (!origins_.emplace(to, std::pair(from, way)).second) return;  // a second one, reported
  ways_[from].push_back(way);
}

// A value in a cycle of connections has no beginning. The cycle is reported and cut, so that following connections ends.
void ConnectionGraph::cut_rings() {
  std::set<Place> settled;
  std::vector<Place> cuts;
  for (auto const& [place, ignored] : origins_) {
    std::set<Place> seen;
    for (auto at = place; !at.instance->is_component() && !settled.contains(at);) {
      auto const origin = origins_.find(at);
      if (origin == origins_.end()) break;
      if (!seen.insert(at).second) {
        auto const& way = origin->second.second;
        findings_.add("connection-ring", way.file, way.connection->line,
                      fmt::format("\"{}\" gets its value from itself, only through systems", name_of(at)),
                      "connect the output of a component");
        cuts.push_back(at);
        break;
      }
      at = origin->second.first;
    }
    settled.insert(seen.begin(), seen.end());
  }
  for (auto const& cut : cuts) {
    std::erase_if(ways_[origins_.at(cut).first], [&](Way const& way) { return way.to == cut; });
    origins_.erase(cut);
  }
}

NamedUnit ConnectionGraph::variable_unit(Place const& place) const {
  auto const& component = system_.components[*place.instance->component];
  auto const signals = component_signals(component, place.connector);
  if (signals.empty()) return {};
  auto const& unit = component.signals[signals.front()].unit;
  return {unit, meaning_of(component.model->description(), unit)};
}

NamedUnit ConnectionGraph::unit_at(Place const& place) const {
  auto const* const connector = place.instance->element->connector(place.connector);
  if (connector != nullptr && !connector->unit.empty())
    return {connector->unit, meaning_of(place.instance->scope->structure().units, connector->unit)};
  return place.instance->is_component() ? variable_unit(place) : NamedUnit{};
}

std::vector<SignalItem> ConnectionGraph::items_at(Place const& place) const {
  if (place.instance->is_component()) {
    auto const& component = system_.components[*place.instance->component];
    auto const signals = component_signals(component, place.connector);
    return signals.empty() ? std::vector<SignalItem>{} : component.signals[signals.front()].items;
  }
  auto const* const connector = place.instance->element->connector(place.connector);
  std::vector<SignalItem> items;
  if (connector == nullptr) return items;
  for (auto const& enumeration : place.instance->scope->structure().enumerations) {
    if (enumeration.name != connector->enumeration) continue;
    for (auto const& item : enumeration.items) items.push_back({item.name, item.value});
  }
  return items;
}

void ConnectionGraph::convert(CarriedValue& value, NamedUnit const& unit, std::string const& who,
                              std::string const& file, int line, std::string_view rule,
                              FindingList& findings) {
  NamedUnit const from = value.unit;
  if (unit.name.empty()) return;
  value.unit = unit;
  if (from.name.empty()) return;
  if (!from.meaning || !unit.meaning) {
    if (from.name != unit.name)
      findings.add("connection-unit-known", file, line,
                   fmt::format("{}: {} is not converted into {}: the base units of {} are not known", who,
                               from.name, unit.name, from.meaning ? unit.name : from.name),
                   "define them in <Units>, or write suppressUnitConversion=\"true\"");
    return;
  }
  switch (compare_units(*from.meaning, *unit.meaning)) {
    case UnitFit::same_dimension:
    case UnitFit::angle:
      value.affine = value.affine.then(unit_conversion(*from.meaning, *unit.meaning));
      return;
    case UnitFit::dimensionless:
      findings.add(
          "connection-unit-number", file, line,
          fmt::format("{}: {} goes into {} as it is", who, from.name, unit.name),
          "give the connector of the plain number its unit, or write suppressUnitConversion=\"true\"");
      return;
    case UnitFit::unlike:
      findings.add(rule, file, line,
                   fmt::format("{}: {} ({}) cannot become {} ({})", who, from.name,
                               dimension_text(*from.meaning), unit.name, dimension_text(*unit.meaning)),
                   "connect quantities of one dimension; where the numbers are meant, write "
                   "suppressUnitConversion=\"true\"");
      return;
  }
}

void ConnectionGraph::apply_table(CarriedValue& value, Transformation const& transformation,
                                  Way const& way) const {
  auto const target_items = items_at(way.to);
  std::vector<std::pair<double, double>> table;
  for (auto const& [source, target] : transformation.entries) {
    auto const from = table_value(source, transformation.kind, value.items);
    auto const to =
        table_value(target, transformation.kind, target_items.empty() ? value.items : target_items);
    if (!from || !to) {
      findings_.add("connection-transformation", way.file, transformation.line,
                    fmt::format("\"{}\" is no value of \"{}\"", from ? target : source, name_of(way.to)),
                    "write values of the types of both ends; items of enumerations by their names");
      continue;
    }
    table.emplace_back(*from, *to);
  }
  if (value.mapping.empty()) {
    value.mapping = std::move(table);
    return;
  }
  auto const partner = [&](double x) {
    auto const found = std::ranges::find(table, x, &std::pair<double, double>::first);
    return found == table.end() ? x : found->second;
  };
  for (auto& [from, to] : value.mapping) to = partner(to);
  for (auto const& [from, to] : table) {
    if (std::ranges::find(value.mapping, from, &std::pair<double, double>::first) == value.mapping.end())
      value.mapping.emplace_back(from, to);
  }
}

// Units first, then the transformation: its source is in the unit of the target already (SSP 1.0, 4.5.2.1).
CarriedValue ConnectionGraph::pass(CarriedValue value, Way const& way) const {
  auto const& connection = *way.connection;
  auto const unit = unit_at(way.to);
  if (connection.suppress_unit_conversion) {
    if (!unit.name.empty()) value.unit = unit;
  } else {
    auto const who = fmt::format(
        "\"{}\" to \"{}\"",
        (connection.start_element ? *connection.start_element + "." : "") + connection.start_connector,
        (connection.end_element ? *connection.end_element + "." : "") + connection.end_connector);
    convert(value, unit, who, way.file, connection.line, "connection-unit", findings_);
  }
  auto const& transformation = connection.transformation;
  value.transformed = value.transformed || !transformation.kind.empty();
  if (transformation.kind == "LinearTransformation") {
    value.affine = value.affine.then({transformation.factor, transformation.offset});
  } else if (!transformation.kind.empty()) {
    apply_table(value, transformation, way);
  }
  if (auto items = items_at(way.to); !items.empty()) value.items = std::move(items);
  return value;
}

void ConnectionGraph::follow(Place const& from, CarriedValue const& value,
                             std::function<void(Arrival const&)> const& visit) const {
  auto const ways = ways_.find(from);
  if (ways == ways_.end()) return;
  for (auto const& way : ways->second) {
    Arrival arrival{way.to, pass(value, way), way.file, way.connection->line};
    bool const at_component = way.to.instance->is_component();
    if (at_component)
      arrival.value.affine = arrival.value.affine.then(between(arrival.value.unit, variable_unit(way.to)));
    visit(arrival);
    if (!at_component) follow(way.to, arrival.value, visit);
  }
}

CarriedValue ConnectionGraph::leaving(SystemInstance const& component, std::string const& connector) const {
  Place const place{&component, connector};
  CarriedValue value{.unit = variable_unit(place), .items = items_at(place)};
  auto const said = unit_at(place);
  value.affine = between(value.unit, said);
  value.unit = said;
  return value;
}

}  // namespace delassus
