#include "tools/ssp/system_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/language/vocabulary.hpp"
#include "xml/fmi/typed_value.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// A value on its way to its variable.
struct BoundValue {
  std::string name;  // as in the set
  std::string type;
  std::vector<std::string> texts;
  NamedUnit unit;
  std::string file;
  int line = 0;
  std::vector<Transformation> transformations = {};
  bool suppress_unit_conversion = false;
};

bool settable(DescribedVariable const& variable) {
  if (variable.effective_variability() == "constant") return false;
  auto const causality = variable.effective_causality();
  auto const initial = variable.effective_initial();
  return causality == "input" || initial == "exact" || initial == "approx";
}

class Binding {
 public:
  Binding(ConnectionGraph const& graph, CosimSystem& system, FindingList& findings)
      : graph_(graph), system_(system), findings_(findings), settings_(system.components.size()) {}

  // Elements before the system that they are in: what comes later wins.
  void apply(SystemInstance const& instance) {
    for (auto const& child : instance.children) apply(*child);
    for (auto const& binding : instance.element->bindings) apply(instance, binding, *instance.scope);
    if (instance.reference != nullptr) {
      for (auto const& binding : instance.reference->bindings)
        apply(instance, binding, *instance.parent->scope);
    }
  }

  void finish() {
    for (std::size_t i = 0; i < settings_.size(); ++i) {
      for (auto const& [signal, value] : settings_[i]) system_.components[i].settings.push_back(value);
    }
  }

 private:
  void apply(SystemInstance const& instance, ParameterBinding const& binding, StructureSource const& scope) {
    std::optional<ParameterSet> set;
    std::optional<ParameterMapping> mapping;
    auto const& file = scope.structure().file;
    try {
      set = load_parameter_set(instance, scope, binding);
      if (binding.mapping) mapping = load_parameter_mapping(instance, scope, *binding.mapping);
      note_file(scope, binding);
      if (binding.mapping) note_file(scope, *binding.mapping);
    } catch (StructureError const& error) {
      findings_.add("parameter-source", error.file(), error.line(), error.message(), "");
      return;
    } catch (std::exception const& error) {
      findings_.add("parameter-source", file, binding.line, error.what(), "");
      return;
    }
    if (binding.source) {
      for (auto& finding : set->findings) findings_.add(std::move(finding));
    }
    if (mapping && binding.mapping->source) {
      for (auto& finding : mapping->findings) findings_.add(std::move(finding));
    }
    for (auto const& parameter : set->parameters) {
      if (parameter.type.empty()) continue;  // reported
      BoundValue value{.name = binding.prefix + parameter.name,
                       .type = parameter.type,
                       .texts = parameter.values,
                       .unit = unit_of(parameter, *set, binding.source ? nullptr : &scope.structure()),
                       .file = set->file,
                       .line = parameter.line};
      if (!mapping) {
        if (assign(instance, value.name, value) == 0)
          report_unknown(instance, value.name, value.file, value.line);
        continue;
      }
      for (auto const& entry : mapping->entries) {
        if (entry.source != value.name) continue;
        auto mapped = value;
        if (!entry.transformation.kind.empty()) mapped.transformations = {entry.transformation};
        mapped.suppress_unit_conversion = entry.suppress_unit_conversion;
        if (assign(instance, entry.target, mapped) == 0)
          report_unknown(instance, entry.target, mapping->file, entry.line);
      }
    }
    if (!mapping) return;
    for (auto const& entry : mapping->entries) {
      bool const there = std::ranges::any_of(set->parameters, [&](StructureParameter const& parameter) {
        return binding.prefix + parameter.name == entry.source;
      });
      if (!there)
        findings_.add("mapping-source", mapping->file, entry.line,
                      fmt::format("\"{}\" is not in the parameter set", entry.source),
                      "correct the name, or remove the entry");
    }
  }

  // Of a binding or its mapping. What is inside of an FMU is noted with the FMU.
  template <typename Reference>
  void note_file(StructureSource const& scope, Reference const& reference) {
    if (reference.source && !reference.in_component && !scope.is_package())
      system_.files.push_back(scope.resolve(*reference.source, reference.line));
  }

  NamedUnit unit_of(StructureParameter const& parameter, ParameterSet const& set,
                    SystemStructure const* structure) {
    if (parameter.unit.empty()) return {};
    auto meaning = meaning_of(set.units, parameter.unit);
    if (!meaning && structure != nullptr) meaning = meaning_of(structure->units, parameter.unit);
    if (!meaning && structure == nullptr)  // those of an inline set are checked with the structure
      findings_.add_tolerated("structure-unit", set.file, parameter.line,
                              fmt::format("the unit \"{}\" is not defined", parameter.unit),
                              "define it in <Units> of the same file, as the standard demands");
    return {parameter.unit, meaning};
  }

  void report_unknown(SystemInstance const& instance, std::string const& name, std::string const& file,
                      int line) {
    auto const where = instance.path.empty() ? "the system" : "\"" + instance.path + "\"";
    findings_.add("parameter-name", file, line, fmt::format("{} has no variable \"{}\"", where, name),
                  instance.is_component() ? near_signal(system_.components[*instance.component], name,
                                                        "correct the name, or remove it")
                                          : near_in_system(instance, name));
  }

  std::string near_in_system(SystemInstance const& instance, std::string const& name) const {
    for (auto const& child : instance.children) {
      if (!name.starts_with(child->name + ".")) continue;
      auto const rest = name.substr(child->name.size() + 1);
      if (!child->is_component()) return near_in_system(*child, rest);
      return near_signal(system_.components[*child->component], rest, "correct the name, or remove it");
    }
    std::vector<std::string_view> known;
    for (auto const& connector : instance.element->connectors) known.push_back(connector.name);
    auto const near = did_you_mean(name, known);
    return near ? fmt::format("write \"{}\"", *near) : "write element.variable, or the name of a connector";
  }

  // How many places have that name. Several may, and all of them get the value.
  int assign(SystemInstance const& instance, std::string const& name, BoundValue const& value) {
    if (instance.is_component()) {
      auto const signals = component_signals(system_.components[*instance.component], name);
      if (!signals.empty()) set(*instance.component, signals, value, nullptr);
      return signals.empty() ? 0 : 1;
    }
    int count = 0;
    if (auto const* const connector = instance.element->connector(name)) {
      ++count;
      assign_connector({&instance, connector->name}, value);
    }
    for (auto const& child : instance.children) {
      if (name.size() > child->name.size() && name.starts_with(child->name) &&
          name[child->name.size()] == '.')
        count += assign(*child, name.substr(child->name.size() + 1), value);
    }
    return count;
  }

  // To all variables behind a connector of a system, with the conversions on the way.
  void assign_connector(ConnectionGraph::Place const& place, BoundValue const& value) {
    auto at_connector = value;
    CarriedValue carried{.unit = value.unit};
    auto const unit = graph_.unit_at(place);
    if (!value.suppress_unit_conversion) convert(carried, unit, value);
    if (!unit.name.empty()) carried.unit = unit;
    for (auto const& transformation : value.transformations) {
      if (transformation.kind == "LinearTransformation")
        carried.affine = carried.affine.then({transformation.factor, transformation.offset});
    }
    std::erase_if(at_connector.transformations,
                  [](Transformation const& each) { return each.kind == "LinearTransformation"; });
    graph_.follow(place, carried, [&](ConnectionGraph::Arrival const& arrival) {
      if (!arrival.place.instance->is_component()) return;
      auto const component = *arrival.place.instance->component;
      auto const signals = component_signals(system_.components[component], arrival.place.connector);
      if (!signals.empty()) set(component, signals, at_connector, &arrival.value);
    });
  }

  void convert(CarriedValue& carried, NamedUnit const& unit, BoundValue const& value) {
    // A number without unit is in that of its variable, and plain numbers go everywhere.
    if (carried.unit.meaning && unit.meaning &&
        compare_units(*carried.unit.meaning, *unit.meaning) == UnitFit::dimensionless &&
        carried.unit.meaning->exponents == std::array<int, 8>{}) {
      carried.unit = unit;
      return;
    }
    ConnectionGraph::convert(carried, unit, fmt::format("the parameter \"{}\"", value.name), value.file,
                             value.line, "parameter-unit", findings_);
  }

  void set(std::size_t index, std::vector<std::size_t> const& signals, BoundValue const& value,
           CarriedValue const* on_the_way) {
    auto const& component = system_.components[index];
    auto const& description = component.model->description();
    Signal const& first = component.signals[signals.front()];
    auto const who = fmt::format("\"{}.{}\"", component.name, first.name);
    auto const report = [&](std::string_view rule, std::string message, std::string remedy) {
      findings_.add(rule, value.file, value.line, who + " " + std::move(message), std::move(remedy));
    };
    auto const& variable = description.variables[first.variable];
    if (!settable(variable)) {
      report("parameter-settable",
             fmt::format("cannot be set: it is {} of variability {}, which the component computes",
                         first.causality, first.variability),
             "set parameters, inputs and start values");
      return;
    }
    if (value.texts.size() != signals.size()) {
      report("parameter-type",
             fmt::format("has {} elements and gets {} values", signals.size(), value.texts.size()),
             "give one value for each element, or name single elements");
      return;
    }
    CarriedValue carried;
    if (on_the_way != nullptr) {
      carried = *on_the_way;
    } else {
      carried.unit = value.unit;
      if (!value.suppress_unit_conversion && first.is_float())
        convert(carried, {first.unit, meaning_of(description, first.unit)}, value);
      for (auto const& transformation : value.transformations) {
        if (transformation.kind == "LinearTransformation")
          carried.affine = carried.affine.then({transformation.factor, transformation.offset});
      }
    }
    for (std::size_t i = 0; i < signals.size(); ++i) {
      Signal const& signal = component.signals[signals[i]];
      auto const parsed = parse(signal, signals[i], value, value.texts[i], carried, report);
      if (!parsed) return;
      if (signal.causality == "structuralParameter" && value.texts[i] != signal.start) {
        report("structure-supported", "is a structural parameter, which keeps its start value here",
               fmt::format("leave it at {}", signal.start));
        return;
      }
      compare_with_other_value(index, signals[i], *parsed, value, on_the_way != nullptr);
      settings_[index].insert_or_assign(signals[i], *parsed);
    }
    compare_with_connection(index, signals, value);
  }

  // Parameter sets are applied before the initialisation (SSP 2.0, 5.3.1.5), connections carry values from then on.
  void compare_with_connection(std::size_t index, std::vector<std::size_t> const& signals,
                               BoundValue const& value) {
    auto const connection = std::ranges::find_if(system_.connections, [&](CosimConnection const& each) {
      return each.to == index && std::ranges::find(signals, each.to_signal) != signals.end();
    });
    if (connection == system_.connections.end()) return;
    auto const& to = system_.components[index];
    auto const& from = system_.components[connection->from];
    findings_.add("parameter-connected", value.file, value.line,
                  fmt::format("\"{}.{}\" has a value here and is connected with \"{}.{}\": from the "
                              "initialisation on it has that of the connection",
                              to.name, to.signals[connection->to_signal].name, from.name,
                              from.signals[connection->from_signal].name),
                  "remove the value or the connection");
  }

  // Of a value for the variable itself and one for the connector of a system that is connected with it, that of the
  // higher level wins, and of one level the later one: they are applied in this order.
  void compare_with_other_value(std::size_t index, std::size_t signal, SignalValue const& parsed,
                                BoundValue const& value, bool through_connector) {
    Origin const origin{value.file, value.line, through_connector};
    auto const [earlier, is_new] = origins_.emplace(std::pair(index, signal), origin);
    if (is_new) return;
    Origin const other = std::exchange(earlier->second, origin);
    auto const before = settings_[index].find(signal);
    if (other.through_connector == through_connector || before == settings_[index].end() ||
        before->second.value == parsed.value)
      return;
    auto const& component = system_.components[index];
    findings_.add(
        "parameter-connected", value.file, value.line,
        fmt::format(
            "\"{}.{}\" has a value {}, and another one in line {}{}; this one is taken, as that of the "
            "higher level or the later one",
            component.name, component.signals[signal].name,
            through_connector ? "through a connector of the system" : "of its own", other.line,
            other.file == value.file ? "" : " of " + other.file),
        "give the value once");
  }

  template <typename Report>
  std::optional<SignalValue> parse(Signal const& signal, std::size_t index, BoundValue const& value,
                                   std::string text, CarriedValue const& carried, Report const& report) {
    auto const type = structure_value_type(value.type);
    for (auto const& transformation : value.transformations) {
      for (auto const& [source, target] : transformation.entries) {
        bool const same = transformation.kind == "BooleanMappingTransformation"
                              ? parse_boolean(source) == parse_boolean(text)
                              : source == text;
        if (same) {
          text = target;
          break;
        }
      }
    }
    auto const unlike = [&] {
      report("parameter-type", fmt::format("is {} and gets {} \"{}\"", signal.type, value.type, text),
             "write a value of the type of the variable");
      return std::nullopt;
    };
    if (signal.type == "String") {
      if (type != "String") return unlike();
      return SignalValue{index, text};
    }
    if (!signal.is_number() || type == "String" || type == "Binary") return unlike();
    bool const is_integer = type.find("Int") != std::string_view::npos;
    double number = 0;
    if (signal.type == "Enumeration" && type == "Enumeration") {
      auto const item = std::ranges::find(signal.items, text, &SignalItem::name);
      if (item == signal.items.end()) {
        std::vector<std::string_view> names;
        for (auto const& each : signal.items) names.push_back(each.name);
        auto const near = did_you_mean(text, names);
        report("parameter-range", fmt::format("has no item \"{}\"", text),
               near ? fmt::format("write \"{}\"", *near)
                    : fmt::format("write one of {}", fmt::join(names, ", ")));
        return std::nullopt;
      }
      number = static_cast<double>(item->value);
    } else {
      bool const fits = signal.is_float()          ? type == "Float64" || type == "Float32" || is_integer
                        : signal.type == "Boolean" ? type == "Boolean"
                                                   : is_integer;
      if (!fits) return unlike();
      auto const parsed = parse_typed(type, text);
      if (!parsed) {
        report("parameter-type", fmt::format("gets \"{}\", which is no {}", text, value.type),
               fmt::format("write {}", typed_form(type)));
        return std::nullopt;
      }
      number = static_cast<double>(*parsed);
    }
    if (signal.is_float()) {
      number = carried.affine(number);
    } else if (!carried.affine.is_identity()) {
      report("parameter-type", fmt::format("is {}: no factor or offset can be applied to it", signal.type),
             "use a transformation of its type");
      return std::nullopt;
    }
    for (auto const& [from, to] : carried.mapping) {
      if (!signal.is_float() && from == number) {
        number = to;
        break;
      }
    }
    return in_range(signal, number, report) ? std::optional(SignalValue{index, number}) : std::nullopt;
  }

  template <typename Report>
  static bool in_range(Signal const& signal, double number, Report const& report) {
    if (!std::isfinite(number)) {
      report("parameter-range", fmt::format("is {}", number), "write a finite number");
      return false;
    }
    auto const minimum = parse_double(signal.minimum), maximum = parse_double(signal.maximum);
    if ((minimum && number < *minimum) || (maximum && number > *maximum)) {
      report("parameter-range",
             fmt::format("is {}{}; it must be {}", number_text(number),
                         signal.unit.empty() || signal.unit == "1" ? "" : " " + signal.unit,
                         minimum && maximum ? fmt::format("from {} to {}", signal.minimum, signal.maximum)
                         : minimum          ? ">= " + signal.minimum
                                            : "<= " + signal.maximum),
             "write a value within the range of the variable");
      return false;
    }
    if (signal.type == "Enumeration") {
      if (std::ranges::none_of(signal.items, [&](SignalItem const& item) {
            return static_cast<double>(item.value) == number;
          })) {
        report("parameter-range", fmt::format("has no item of the value {}", number_text(number)),
               "write one of its items");
        return false;
      }
    } else if (!signal.is_float() && !parse_typed(signal.type, fmt::format("{:.0f}", number))) {
      report("parameter-range", fmt::format("is {}, which {} cannot hold", number_text(number), signal.type),
             fmt::format("write {}", typed_form(signal.type)));
      return false;
    }
    return true;
  }

  struct Origin {
    std::string file;
    int line = 0;
    bool through_connector = false;
  };

  ConnectionGraph const& graph_;
  CosimSystem& system_;
  FindingList& findings_;
  std::vector<std::map<std::size_t, SignalValue>> settings_;  // by component, then signal
  std::map<std::pair<std::size_t, std::size_t>, Origin> origins_;
};

}  // namespace

void apply_parameters(SystemInstance const& root, ConnectionGraph const& graph, CosimSystem& system,
                      FindingList& findings) {
  Binding binding(graph, system, findings);
  binding.apply(root);
  binding.finish();
}

}  // namespace delassus
