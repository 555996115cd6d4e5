#include "xml/ssp/structure_rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "model/language/vocabulary.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

constexpr auto error = Severity::error;
constexpr auto warning = Severity::warning;
constexpr auto note = Severity::note;

constexpr Rule rules[] = {
    {"structure-readable", error, "the file is a system structure: well-formed XML, harmless, within bounds"},
    {"structure-version", error, "the version is one of SSP: 1.x or 2.0"},
    {"structure-name", error, "elements and attributes are those of the standard, with values that fit"},
    {"structure-supported", error,
     "it uses what can be run here: no signal dictionaries, acausal connectors or single elements of arrays"},
    {"structure-experiment", error, "startTime and stopTime are finite, and stopTime > startTime"},
    {"run-settings", error, "the settings in our annotation are known ones and positive numbers"},
    {"element-name", error, "elements of a system have names, unique among them"},
    {"connector-name", error, "connectors of an element have names, unique among them"},
    {"connector-apart", note,
     "no connector of a system begins with the name of one of its elements: OMSimulator takes it for the "
     "element"},
    {"structure-unit", error, "units that are used are defined in the same file, once"},
    {"structure-enumeration", error,
     "enumerations that are used are defined in the same file, once, with items"},
    {"connection-end", error, "both ends of a connection exist"},
    {"connection-element", error,
     "startElement and endElement are left out for a connector of the system itself, and not empty"},
    {"connection-kind", error,
     "data flows from outputs to inputs, and through the connectors of a system into and out of it"},
    {"connection-self", error, "no connector is connected with itself"},
    {"connection-twice", error, "an input gets its value from one connection"},
    {"connection-ring", error, "connectors of systems do not feed each other in a ring"},
    {"connection-transformation", error,
     "a transformation fits the types of both ends: linear for floats, tables for their own type"},
    {"connection-type", error, "the types of both ends are the same, or the value fits without loss"},
    {"connection-narrowing", warning, "no Float64 goes into a Float32"},
    {"connection-size", error, "both ends have as many elements"},
    {"connection-items", warning, "into an enumeration goes one with the same items"},
    {"connection-number", warning,
     "an enumeration goes into an enumeration: the number of its item is no quantity, unless a "
     "transformation "
     "says so"},
    {"connection-unit", error, "the units of both ends have the same dimension"},
    {"connection-unit-known", warning,
     "units of different names have base units, without which nothing can be converted"},
    {"connection-unit-number", warning, "no plain number is connected with a quantity that has a unit"},
    {"component-source", error, "the source of a component exists and can be read"},
    {"component-type", error, "the type of a component is one that can be run here"},
    {"component-implementation", error, "the FMU offers the interface type that the structure asks for"},
    {"connector-variable", error, "connectors of a component are variables of its FMU"},
    {"connector-scalar", warning,
     "connectors are variables as the FMU spells them: FMI 2 has only scalars, FMI 3 arrays as a whole"},
    {"connector-causality", error, "a connector is of the kind that its variable is"},
    {"connector-type", error, "a connector has the type of its variable"},
    {"connector-unit", error, "the unit of a connector has the dimension of its variable's"},
    {"parameter-source", error, "parameter sets and mappings exist and can be read"},
    {"parameter-name", warning, "parameters are variables of the system; the standard ignores others"},
    {"parameter-connected", warning,
     "a variable gets its value from a parameter set or from a connection, not from both"},
    {"parameter-twice", error, "a name is in a parameter set once"},
    {"parameter-settable", error, "parameters are variables that may be set before the initialisation"},
    {"parameter-type", error, "a value is of the type of its variable"},
    {"parameter-range", error, "a value is finite and within min and max of its variable"},
    {"parameter-unit", error, "the unit of a value has the dimension of its variable's"},
    {"mapping-source", warning, "a mapping's sources are in the parameter set"},
};

// How often a value changes: constant, fixed at the start, or changing. Data may flow only to connectors that
// may change at least as often.
int rank(std::string_view kind) {
  if (kind == "constant" || kind == "structuralParameter") return 0;
  return kind == "parameter" || kind == "calculatedParameter" ? 1 : 2;
}

bool gives(ConnectionEnd const& end) {
  auto const kind = end.kind;
  return end.of_system ? kind == "structuralParameter" || kind == "parameter" || kind == "input"
                       : kind == "constant" || kind == "calculatedParameter" || kind == "output" ||
                             kind == "local" || kind == "inout";
}

bool takes(ConnectionEnd const& end) {
  auto const kind = end.kind;
  return end.of_system
             ? kind == "constant" || kind == "calculatedParameter" || kind == "output" || kind == "local"
             : kind == "structuralParameter" || kind == "parameter" || kind == "input" || kind == "inout";
}

bool flows(ConnectionEnd const& from, ConnectionEnd const& to) {
  if (!gives(from) || !takes(to) || rank(from.kind) > rank(to.kind)) return false;
  if (from.kind == "inout" && to.kind == "inout") return false;
  return !(from.of_system && to.of_system && to.kind == "constant");
}

class StructureCheck {
 public:
  explicit StructureCheck(SystemStructure const& structure) : structure_(structure) {}

  std::vector<Finding> run() {
    findings_ = structure_.findings;
    check_version();
    check_experiment();
    check_definitions(structure_.units, structure_.enumerations);
    check_element(structure_.system);
    std::ranges::stable_sort(findings_, {}, &Finding::line);
    return std::move(findings_);
  }

 private:
  void report(std::string_view rule, int line, std::string message, std::string remedy) {
    findings_.push_back(
        structure_finding(rule, structure_.file, line, std::move(message), std::move(remedy)));
  }

  void check_version() {
    auto const& version = structure_.version;
    if (version.empty() || version.starts_with("1.") || version == "2.0") return;
    report("structure-version", structure_.line,
           "version=\"" + version + "\" is not a version of SSP that is supported",
           "write version=\"1.0\" or version=\"2.0\", and correct what has changed since drafts");
  }

  // Of what others write and run: the last finding is no reason not to run.
  void tolerate() { findings_.back().tolerated = true; }

  void check_experiment() {
    if (!structure_.default_experiment) return;
    auto const& [line, start, stop] = *structure_.default_experiment;
    if ((start && !std::isfinite(*start)) || (stop && !std::isfinite(*stop))) {
      report("structure-experiment", line, "startTime and stopTime are not finite",
             "write numbers in seconds");
    } else if (stop && *stop <= start.value_or(0)) {
      report("structure-experiment", line,
             "stopTime=\"" + number_text(*stop) + "\" is not later than startTime=\"" +
                 number_text(start.value_or(0)) + "\"",
             "write stopTime > startTime, or leave it out; it is not used");
      tolerate();
    }
  }

  void check_definitions(std::vector<StructureUnit> const& units,
                         std::vector<StructureEnumeration> const& enumerations) {
    std::map<std::string_view, StructureUnit const*> known;
    for (auto const& unit : units) {
      if (auto const [earlier, is_new] = known.emplace(unit.name, &unit); !is_new) {
        report("structure-unit", unit.line, "the unit \"" + unit.name + "\" is defined twice", "keep one");
        StructureUnit const& first = *earlier->second;
        if (first.exponents == unit.exponents && first.factor == unit.factor && first.offset == unit.offset)
          tolerate();
      }
      if (!(std::abs(unit.factor) > 0) || !std::isfinite(unit.factor) || !std::isfinite(unit.offset))
        report("structure-unit", unit.line,
               "the unit \"" + unit.name + "\" has the factor " + number_text(unit.factor) +
                   " and the offset " + number_text(unit.offset),
               "write finite numbers, and a factor that is not zero");
    }
    std::set<std::string> names;
    for (auto const& enumeration : enumerations) {
      if (!names.insert(enumeration.name).second)
        report("structure-enumeration", enumeration.line,
               "the enumeration \"" + enumeration.name + "\" is defined twice", "keep one");
      if (enumeration.items.empty())
        report("structure-enumeration", enumeration.line,
               "the enumeration \"" + enumeration.name + "\" has no items", "add them");
    }
  }

  template <typename Definitions>
  void check_use(std::string_view rule, std::string_view what, std::string const& name, int line,
                 Definitions const& definitions) {
    if (name.empty()) return;
    std::vector<std::string_view> known;
    known.reserve(definitions.size());
    for (auto const& each : definitions) known.push_back(each.name);
    if (std::ranges::find(known, std::string_view{name}) != known.end()) return;
    auto const near = did_you_mean(name, known);
    report(rule, line, "the " + std::string{what} + " \"" + name + "\" is not defined",
           near ? "write \"" + std::string{*near} + "\""
                : "define it in the file that uses it, as the standard demands");
    tolerate();
  }

  void check_element(StructureElement const& element) {
    std::set<std::string> names;
    for (auto const& connector : element.connectors) {
      if (connector.name.empty() || !names.insert(connector.name).second)
        report("connector-name", connector.line,
               connector.name.empty() ? "a connector has no name"
                                      : "the connector \"" + connector.name + "\" is there twice",
               "give every connector of an element a name of its own");
      if (connector.kind == "unspecified")
        report("structure-supported", connector.line,
               "the connector \"" + connector.name + "\" is of kind unspecified, for acausal connections",
               "connect inputs with outputs");
      check_use("structure-unit", "unit", connector.unit, connector.line, structure_.units);
      check_use("structure-enumeration", "enumeration", connector.enumeration, connector.line,
                structure_.enumerations);
    }
    for (auto const& binding : element.bindings) {
      if (binding.values) check_parameters(*binding.values);
    }
    if (!element.is_system()) return;
    check_elements(element);
    std::map<std::pair<std::string, std::string>, int> taken;
    for (auto const& connection : element.connections) check_connection(element, connection, taken);
  }

  void check_parameters(ParameterSet const& set) {
    for (auto const& finding : set.findings) findings_.push_back(finding);
    check_definitions(set.units, set.enumerations);
    std::set<std::string> names;
    for (auto const& parameter : set.parameters) {
      if (!names.insert(parameter.name).second)
        report("parameter-twice", parameter.line,
               "the parameter \"" + parameter.name + "\" is in one set twice", "keep one");
      // Units of an inline parameter set may stand in the set or in the structure around it.
      auto units = set.units;
      units.insert(units.end(), structure_.units.begin(), structure_.units.end());
      check_use("structure-unit", "unit", parameter.unit, parameter.line, units);
    }
  }

  void check_elements(StructureElement const& system) {
    if (system.signal_dictionaries_line > 0)
      report("structure-supported", system.signal_dictionaries_line, "signal dictionaries are not supported",
             "connect the components themselves");
    std::set<std::string> names;
    for (auto const& child : system.elements) {
      if (child.name.empty() || !names.insert(child.name).second)
        report("element-name", child.line,
               child.name.empty() ? "an element has no name"
                                  : "the element \"" + child.name + "\" is there twice",
               "give every element of a system a name of its own");
      if (child.kind == StructureElement::Kind::signal_dictionary_reference)
        report("structure-supported", child.line,
               "\"" + child.name + "\" refers to a signal dictionary, which is not supported",
               "connect the components themselves");
      check_element(child);
    }
    for (auto const& connector : system.connectors) {
      auto const first = connector.name.substr(0, connector.name.find('.'));
      if (!first.empty() && names.contains(first))
        report("connector-apart", connector.line,
               "the connector \"" + connector.name +
                   "\" of the system begins with the name of its element \"" + first + "\"",
               "give it another name, if OMSimulator is to open the structure");
    }
  }

  // Null, with a finding, if there is none.
  StructureConnector const* find_end(StructureElement const& system, int line,
                                     std::optional<std::string> const& element,
                                     std::string const& connector) {
    StructureElement const* owner = &system;
    if (element) {
      owner = system.element(*element);
      if (owner == nullptr) {
        std::vector<std::string_view> known;
        for (auto const& each : system.elements) known.push_back(each.name);
        auto const near = did_you_mean(*element, known);
        report("connection-end", line,
               "the system \"" + system.name + "\" has no element \"" + *element + "\"",
               near ? "write \"" + std::string{*near} + "\"" : "name an element of the same system");
        return nullptr;
      }
    }
    auto const* const found = owner->connector(connector);
    if (found != nullptr) return found;
    std::vector<std::string_view> known;
    for (auto const& each : owner->connectors) known.push_back(each.name);
    auto const near = did_you_mean(connector, known);
    report("connection-end", line, "\"" + owner->name + "\" has no connector \"" + connector + "\"",
           near ? "write \"" + std::string{*near} + "\""
                : "add <Connector name=\"" + connector + "\" kind=\"...\"/> to it");
    return nullptr;
  }

  void check_connection(StructureElement const& system, StructureConnection const& connection,
                        std::map<std::pair<std::string, std::string>, int>& taken) {
    int const line = connection.line;
    if (connection.has_indices)
      report("structure-supported", line, "startIndices and endIndices are not supported",
             "connect the arrays as a whole, or scalars by their names, such as position[1]");
    auto const* const start = find_end(system, line, connection.start_element, connection.start_connector);
    auto const* const end = find_end(system, line, connection.end_element, connection.end_connector);
    if (start == nullptr || end == nullptr) return;
    auto const named = [](std::optional<std::string> const& element, std::string const& connector) {
      return "\"" + (element ? *element + "." : std::string{}) + connector + "\"";
    };
    auto const start_name = named(connection.start_element, connection.start_connector);
    auto const end_name = named(connection.end_element, connection.end_connector);
    if (start == end) {
      report("connection-self", line, start_name + " is connected with itself", "remove the connection");
      return;
    }
    auto const flow =
        connection_flow({start->kind, !connection.start_element}, {end->kind, !connection.end_element});
    if (flow == Flow::none) {
      if (start->kind == "unspecified" || end->kind == "unspecified") return;
      auto const side = [](StructureConnector const& connector, bool outer) {
        return "of kind " + connector.kind + (outer ? " (of the system around)" : "");
      };
      report("connection-kind", line,
             start_name + " " + side(*start, !connection.start_element) + " cannot be connected with " +
                 end_name + " " + side(*end, !connection.end_element),
             "connect an output with an input; inside a system its inputs lead to inputs, and outputs to its "
             "outputs");
      return;
    }
    bool const to_end = flow == Flow::to_end;
    std::pair const target{
        to_end ? connection.end_element.value_or("") : connection.start_element.value_or(""),
        to_end ? connection.end_connector : connection.start_connector};
    if (auto const [earlier, is_new] = taken.emplace(target, line); !is_new)
      report("connection-twice", line,
             (to_end ? end_name : start_name) + " gets its value from the connection in line " +
                 std::to_string(earlier->second) + " already",
             "keep one of them");
    check_transformation(connection, to_end ? *start : *end, to_end ? *end : *start);
  }

  void check_transformation(StructureConnection const& connection, StructureConnector const& from,
                            StructureConnector const& to) {
    auto const& transformation = connection.transformation;
    if (transformation.kind.empty()) return;
    std::set<std::string> sources;
    for (auto const& [source, target] : transformation.entries) {
      if (!sources.insert(source).second)
        report("connection-transformation", transformation.line,
               "<" + transformation.kind + "> has the source \"" + source + "\" twice", "keep one entry");
    }
    for (auto const* const end : {&from, &to}) {
      auto const type = structure_value_type(end->type);
      bool const is_float = type == "Float64" || type == "Float32";
      bool const fits = transformation.kind == "LinearTransformation"
                            ? is_float || type.find("Int") != type.npos
                        : transformation.kind == "BooleanMappingTransformation" ? type == "Boolean"
                        : transformation.kind == "EnumerationMappingTransformation"
                            ? type == "Enumeration"
                            : type == "Enumeration" || type.find("Int") != type.npos;
      if (!type.empty() && !fits)
        report("connection-transformation", transformation.line,
               "<" + transformation.kind + "> does not fit \"" + end->name + "\" of type " + end->type,
               "use the transformation of that type");
    }
  }

  SystemStructure const& structure_;
  std::vector<Finding> findings_;
};

}  // namespace

std::span<const Rule> structure_rules() {
  return rules;
}

Finding structure_finding(std::string_view rule, std::string const& file, int line, std::string message,
                          std::string remedy) {
  auto const found = std::ranges::find(rules, rule, &Rule::name);
  if (found == std::end(rules)) throw std::logic_error("no rule is named " + std::string{rule});
  return {std::string{rule}, found->severity, file, line, std::move(message), std::move(remedy)};
}

std::vector<Finding> check_structure(SystemStructure const& structure) {
  return StructureCheck(structure).run();
}

Flow connection_flow(ConnectionEnd const& start, ConnectionEnd const& end) {
  if (flows(start, end)) return Flow::to_end;
  return flows(end, start) ? Flow::to_start : Flow::none;
}

}  // namespace delassus
