#include "tools/ssp/system_connections.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace delassus {
namespace {

enum class TypeFit { good, narrowing, unlike };

struct IntegerRange {
  int bits;
  bool is_signed;
};

std::optional<IntegerRange> integer_range(std::string_view type) {
  if (type == "Enumeration") return IntegerRange{32, true};
  auto const at = type.find("Int");
  if (at == std::string_view::npos) return std::nullopt;
  auto const bits = type.substr(at + 3);
  return IntegerRange{bits == "8" ? 8 : bits == "16" ? 16 : bits == "32" ? 32 : 64, at == 0};
}

// What the standard leaves to the implementation: a value goes where it fits without loss.
TypeFit compare_types(std::string const& from, std::string const& to) {
  if (from == to) return TypeFit::good;
  if (from == "Float32" && to == "Float64") return TypeFit::good;
  if (from == "Float64" && to == "Float32") return TypeFit::narrowing;
  auto const source = integer_range(from), target = integer_range(to);
  if (!source || to == "Enumeration") return TypeFit::unlike;
  if (to == "Float64") return source->bits <= 32 ? TypeFit::good : TypeFit::narrowing;
  if (to == "Float32") return source->bits <= 16 ? TypeFit::good : TypeFit::narrowing;
  if (!target) return TypeFit::unlike;
  bool const fits = source->is_signed == target->is_signed ? source->bits <= target->bits
                                                           : target->is_signed && source->bits < target->bits;
  return fits ? TypeFit::good : TypeFit::unlike;
}

bool same_items(std::vector<SignalItem> const& one, std::vector<SignalItem> const& other) {
  return std::ranges::equal(one, other, [](SignalItem const& a, SignalItem const& b) {
    return a.name == b.name && a.value == b.value;
  });
}

class Wiring {
 public:
  Wiring(SystemInstance const& root, ConnectionGraph const& graph, CosimSystem& system, FindingList& findings)
      : root_(root), graph_(graph), system_(system), findings_(findings) {}

  void run() {
    add_components(root_);
    add_root_connectors();
    check_targets();
  }

 private:
  using Arrival = ConnectionGraph::Arrival;

  void add_components(SystemInstance const& instance) {
    for (auto const& child : instance.children) {
      if (!child->is_component()) {
        add_components(*child);
        continue;
      }
      for (auto const& connector : child->element->connectors) {
        if (!graph_.has_way_out({child.get(), connector.name})) continue;
        auto const index = *child->component;
        auto const signals = component_signals(system_.components[index], connector.name);
        if (signals.empty()) continue;
        graph_.follow({child.get(), connector.name}, graph_.leaving(*child, connector.name),
                      [&](Arrival const& arrival) { arrive(index, signals, arrival); });
      }
    }
  }

  void arrive(std::size_t from, std::vector<std::size_t> const& signals, Arrival const& arrival) {
    auto const& place = arrival.place;
    auto const& value = arrival.value;
    if (place.instance == &root_) {
      for (auto const signal : signals) {
        auto const& name = system_.components[from].signals[signal].name;
        system_.outputs.push_back({place.connector + (signals.size() > 1 ? name.substr(name.rfind('[')) : ""),
                                   from, signal, value.affine.factor, value.affine.offset, value.mapping,
                                   value.unit.name});
      }
      return;
    }
    if (!place.instance->is_component()) return;
    std::size_t const to = *place.instance->component;
    auto const targets = component_signals(system_.components[to], place.connector);
    if (targets.empty()) return;  // reported with the connector
    auto const who = fmt::format("\"{}.{}\" to \"{}.{}\"", system_.components[from].name,
                                 system_.components[from].signals[signals.front()].name,
                                 system_.components[to].name, place.connector);
    if (targets.size() != signals.size()) {
      findings_.add("connection-size", arrival.file, arrival.line,
                    fmt::format("{}: {} elements into {}", who, signals.size(), targets.size()),
                    "connect arrays of the same size, or single elements by their names");
      return;
    }
    if (!check_types(who, system_.components[from].signals[signals.front()],
                     system_.components[to].signals[targets.front()], arrival))
      return;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      system_.connections.push_back({.from = from,
                                     .from_signal = signals[i],
                                     .to = to,
                                     .to_signal = targets[i],
                                     .factor = value.affine.factor,
                                     .offset = value.affine.offset,
                                     .mapping = value.mapping,
                                     .line = arrival.line});
      files_.push_back(arrival.file);
    }
  }

  bool check_types(std::string const& who, Signal const& from, Signal const& to, Arrival const& arrival) {
    auto const report = [&](std::string_view rule, std::string message, std::string remedy) {
      findings_.add(rule, arrival.file, arrival.line, who + ": " + std::move(message), std::move(remedy));
      return false;
    };
    if (!to.is_input())
      return report("structure-supported", "a parameter that another component computes is not supported",
                    "set the parameter by a <ParameterBinding>");
    if (!from.is_number() || !to.is_number())
      return from.type != to.type
                 ? report("connection-type", fmt::format("{} into {}", from.type, to.type),
                          "connect variables of one type")
                 : report("structure-supported",
                          fmt::format("values of type {} are not passed between components", from.type),
                          "connect numbers, booleans and enumerations");
    auto const& [affine, mapping, unit, items, transformed] = arrival.value;
    auto const fit = compare_types(from.type, to.type);
    // Of an integer, the numbers are passed: those of its items, or nothing can be said of them before the run.
    bool const to_item = to.type == "Enumeration" && integer_range(from.type);
    if (to_item && from.type != "Enumeration" && mapping.empty())
      findings_.add("connection-items", arrival.file, arrival.line,
                    fmt::format("{}: numbers of {} go into an enumeration; only those of its items fit", who,
                                from.type),
                    "add an <IntegerMappingTransformation> where they are other ones");
    if (fit == TypeFit::unlike && !to_item)
      return report("connection-type", fmt::format("{} into {}", from.type, to.type),
                    "connect variables of one type, or put a block between them that converts");
    check_number_of_item(who, from, to, arrival);
    if (fit == TypeFit::narrowing)
      findings_.add("connection-narrowing", arrival.file, arrival.line,
                    fmt::format("{}: {} into {} loses digits", who, from.type, to.type),
                    "connect variables of one type where that matters");
    if (!affine.is_identity() && !to.is_float())
      return report("connection-transformation",
                    fmt::format("a factor or an offset cannot be applied to {}", to.type),
                    "use a transformation of its type");
    if (!mapping.empty() && from.is_float())
      return report("connection-transformation", "a table of partners cannot be applied to a float",
                    "use <LinearTransformation>");
    if (from.type == "Enumeration" && to.type == "Enumeration" && mapping.empty() &&
        !same_items(from.items, to.items))
      findings_.add("connection-items", arrival.file, arrival.line,
                    who + ": the enumerations have different items, and numbers are passed",
                    "add an <EnumerationMappingTransformation>");
    return true;
  }

  // Whether types are converted at all is the implementation's (SSP 1.0, 4.5.2.1). The number of an item is none of
  // something: as a force of 3 N it is a mistake, unless a transformation says what it stands for.
  void check_number_of_item(std::string const& who, Signal const& from, Signal const& to,
                            Arrival const& arrival) {
    auto const& value = arrival.value;
    if (from.type != "Enumeration" || to.type == "Enumeration" || !value.mapping.empty() || value.transformed)
      return;
    findings_.add("connection-number", arrival.file, arrival.line,
                  fmt::format("{}: the number of an item goes into {}{}", who, to.type,
                              to.unit.empty() || to.unit == "1" ? "" : " in " + to.unit),
                  to.is_float()
                      ? "connect a variable of that quantity, or say with a <LinearTransformation> what "
                        "the numbers stand for"
                      : "connect an enumeration, or say with an <IntegerMappingTransformation> what the "
                        "numbers stand for");
  }

  void add_root_connectors() {
    for (auto const& connector : root_.element->connectors) {
      bool const is_input = connector.kind == "input";
      if (!is_input && connector.kind != "parameter" && connector.kind != "structuralParameter") continue;
      auto const unit = graph_.unit_at({&root_, connector.name});
      graph_.follow({&root_, connector.name}, {.unit = unit}, [&](Arrival const& arrival) {
        if (!arrival.place.instance->is_component()) return;
        auto const index = *arrival.place.instance->component;
        auto const& component = system_.components[index];
        for (auto const signal : component_signals(component, arrival.place.connector)) {
          auto const& target = component.signals[signal];
          (is_input && target.is_input() ? system_.inputs : system_.parameters)
              .push_back(
                  {connector.name + (target.size > 1 ? target.name.substr(target.name.rfind('[')) : ""),
                   index, signal, arrival.value.affine.factor, arrival.value.affine.offset,
                   arrival.value.mapping, unit.name.empty() ? arrival.value.unit.name : unit.name});
        }
      });
    }
  }

  // Names may overlap where connectors do not: an array and one of its elements.
  void check_targets() {
    std::map<std::pair<std::size_t, std::size_t>, int> lines;
    for (std::size_t i = 0; i < system_.connections.size(); ++i) {
      auto const& connection = system_.connections[i];
      auto const [earlier, is_new] =
          lines.emplace(std::pair(connection.to, connection.to_signal), connection.line);
      if (is_new) continue;
      auto const& component = system_.components[connection.to];
      findings_.add(
          "connection-twice", files_[i], connection.line,
          fmt::format("\"{}.{}\" gets its value from the connection in line {} already", component.name,
                      component.signals[connection.to_signal].name, earlier->second),
          "keep one of them");
    }
  }

  SystemInstance const& root_;
  ConnectionGraph const& graph_;
  CosimSystem& system_;
  FindingList& findings_;
  std::vector<std::string> files_;  // of each connection
};

}  // namespace

void connect_components(SystemInstance const& root, ConnectionGraph const& graph, CosimSystem& system,
                        FindingList& findings) {
  Wiring(root, graph, system, findings).run();
}

}  // namespace delassus
