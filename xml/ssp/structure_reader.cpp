#include "xml/ssp/structure_reader.hpp"

#include <algorithm>

#include "model/language/vocabulary.hpp"
#include "xml/ssp/structure_parts.hpp"
#include "xml/text/schema_value.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {

using namespace structure_parts;

namespace {

constexpr std::string_view our_annotation = "org.delassus.cosim";

std::string local_name(std::string const& name) {
  return name.substr(name.find(':') == std::string::npos ? 0 : name.find(':') + 1);
}

class Reader {
 public:
  explicit Reader(SystemStructure& structure) : structure_(structure) {}

  void read(SourceElement const& root) {
    structure_.line = root.line;
    structure_.version = attribute(root, "version");
    structure_.name = attribute(root, "name");
    structure_.description = attribute(root, "description");
    structure_.units = read_units(root);
    structure_.enumerations = read_enumerations(root);
    read_annotations(root);
    if (auto const* const system = child_named(root, "System")) {
      structure_.system = read_element(*system);
      read_annotations(*system);
    } else {
      report("structure-name", root.line, "there is no <System>", "add the root system of the structure");
    }
    if (auto const* const experiment = child_named(root, "DefaultExperiment")) {
      structure_.default_experiment =
          SystemStructure::Experiment{experiment->line, optional_number(*experiment, "startTime"),
                                      optional_number(*experiment, "stopTime")};
      read_annotations(*experiment);
    }
  }

 private:
  StructureElement read_element(SourceElement const& element) {
    StructureElement read;
    read.kind = element.name == "System"      ? StructureElement::Kind::system
                : element.name == "Component" ? StructureElement::Kind::component
                                              : StructureElement::Kind::signal_dictionary_reference;
    read.line = element.line;
    read.name = attribute(element, "name");
    read.id = attribute(element, "id");
    read.description = attribute(element, "description");
    read.type = attribute(element, "type", fmu_component_type);
    read.implementation = attribute(element, "implementation", "any");
    read.source = optional_attribute(element, "source");
    for (auto const& part : element.children) {
      if (part.name == "Connectors") {
        for (auto const& each : part.children) read.connectors.push_back(read_connector(each));
      } else if (part.name == "ParameterBindings") {
        for (auto const& each : part.children) {
          if (each.name == "ParameterBinding") read.bindings.push_back(read_binding(each));
        }
      } else if (part.name == "Elements") {
        for (auto const& each : part.children) read.elements.push_back(read_element(each));
      } else if (part.name == "Connections") {
        for (auto const& each : part.children) read.connections.push_back(read_connection(each));
      } else if (part.name == "ElementGeometry") {
        read.icon = optional_attribute(part, "iconSource");
      } else if (part.name == "SignalDictionaries") {
        read.signal_dictionaries_line = part.line;
      }
    }
    return read;
  }

  static StructureConnector read_connector(SourceElement const& element) {
    StructureConnector connector{element.line,
                                 attribute(element, "name"),
                                 attribute(element, "description"),
                                 attribute(element, "kind"),
                                 {},
                                 {},
                                 {},
                                 {}};
    for (auto const& child : element.children) {
      if (child.name == "Dimension") {
        auto const size = parse_integer<std::uint64_t>(attribute(child, "size"));
        connector.size = connector.size.value_or(1) * size.value_or(0);
      } else if (!structure_value_type(child.name).empty() && connector.type.empty()) {
        connector.type = child.name;
        connector.unit = attribute(child, "unit");
        connector.enumeration = child.name == "Enumeration" ? attribute(child, "name") : "";
      }
    }
    if (connector.size == 0) connector.size.reset();  // only the component knows this dimension
    return connector;
  }

  // No element has an empty name, so that an empty one can only mean the system itself.
  std::optional<std::string> read_end(SourceElement const& element, std::string const& name) {
    auto const value = optional_attribute(element, name);
    if (!value || !value->empty()) return value;
    report("connection-element", element.line, name + "=\"\" names no element",
           "leave " + name + " out for a connector of the system itself");
    structure_.findings.back().tolerated = true;
    return std::nullopt;
  }

  StructureConnection read_connection(SourceElement const& element) {
    return {element.line,
            read_end(element, "startElement"),
            read_end(element, "endElement"),
            attribute(element, "startConnector"),
            attribute(element, "endConnector"),
            optional_attribute(element, "startIndices") || optional_attribute(element, "endIndices"),
            boolean(element, "suppressUnitConversion"),
            read_transformation(element)};
  }

  ParameterBinding read_binding(SourceElement const& element) {
    ParameterBinding binding;
    binding.line = element.line;
    binding.type = attribute(element, "type", "application/x-ssp-parameter-set");
    binding.prefix = attribute(element, "prefix");
    binding.source = optional_attribute(element, "source");
    binding.in_component = attribute(element, "sourceBase") == "component";
    if (auto const* const values = child_named(element, "ParameterValues")) {
      if (auto const* const set = child_named(*values, "ParameterSet"))
        binding.values = parameter_set(*set, structure_.file);
      if (binding.source && binding.values)
        report("structure-name", values->line, "a parameter binding has both source and <ParameterValues>",
               "keep one of them");
    }
    if (!binding.source && !binding.values)
      report("structure-name", element.line, "a parameter binding has neither source nor <ParameterValues>",
             "name an .ssv file, or put a <ParameterSet> into <ParameterValues>");
    if (auto const* const mapping = child_named(element, "ParameterMapping")) {
      binding.mapping =
          ParameterBinding::Mapping{mapping->line,
                                    attribute(*mapping, "type", "application/x-ssp-parameter-mapping"),
                                    optional_attribute(*mapping, "source"),
                                    attribute(*mapping, "sourceBase") == "component",
                                    {}};
      if (auto const* const entries = child_named(*mapping, "ParameterMapping"))
        binding.mapping->entries = parameter_mapping(*entries, structure_.file);
      if (!binding.mapping->source && !binding.mapping->entries)
        report("structure-name", mapping->line, "a parameter mapping has neither source nor entries",
               "name an .ssm file, or put a <ParameterMapping> with its entries inside");
    }
    return binding;
  }

  // The standard leaves step sizes and algorithms to annotations. Without ours, those of two other tools are
  // read.
  void read_annotations(SourceElement const& parent) {
    auto const* const list = child_named(parent, "Annotations");
    if (list == nullptr) return;
    for (auto const& annotation : list->children) {
      auto const type = attribute(annotation, "type");
      if (type == our_annotation) {
        for (auto const& content : annotation.children) read_run(content);
      } else if (type == "org.openmodelica" || type == "org.open-simulation-platform" ||
                 type == "com.opensimulationplatform") {
        read_foreign_step(annotation);
      }
    }
  }

  void read_run(SourceElement const& content) {
    constexpr std::string_view known[] = {"step",      "algorithm",   "extrapolation",
                                          "tolerance", "minimumStep", "maximumStep"};
    structure_.run.line = content.line;
    for (auto const& [name, value] : content.attributes) {
      if (std::ranges::find(known, std::string_view{name}) == std::end(known)) {
        auto const near = did_you_mean(name, known);
        report("run-settings", content.line, "<" + content.name + "> has the attribute " + name,
               near ? "write " + std::string{*near}
                    : "write step, algorithm, extrapolation, tolerance, minimumStep or maximumStep");
        continue;
      }
      structure_.run.settings[name] = value;
      if (name == "algorithm") {
        if (value != "jacobi" && value != "gauss-seidel" && value != "implicit")
          report("run-settings", content.line, "algorithm=\"" + value + "\"",
                 "write jacobi, gauss-seidel or implicit");
        continue;
      }
      if (name == "extrapolation") {
        if (value != "0" && value != "1" && value != "2")
          report("run-settings", content.line, "extrapolation=\"" + value + "\"",
                 "write 0 to hold inputs over a step, 1 or 2 for the degree of a polynomial");
        continue;
      }
      auto const number = parse_double(value);
      if (!number || !(*number > 0) || *number > 1e300) {
        report("run-settings", content.line, name + "=\"" + value + "\"", "write a positive number");
      } else if (name == "step") {
        structure_.run.step = *number;
      }
    }
  }

  void read_foreign_step(SourceElement const& element) {
    auto const name = local_name(element.name);
    auto const step = name == "FixedStepMaster"      ? optional_number(element, "stepSize")
                      : name == "FixedStepAlgorithm" ? optional_number(element, "baseStepSize")
                                                     : std::nullopt;
    if (step && *step > 0 && !structure_.run.step) {
      structure_.run.step = step;
      structure_.run.line = element.line;
    }
    for (auto const& child : element.children) read_foreign_step(child);
  }

  void report(std::string rule, int line, std::string message, std::string remedy) {
    structure_.findings.push_back(
        {std::move(rule), Severity::error, structure_.file, line, std::move(message), std::move(remedy)});
  }

  SystemStructure& structure_;
};

StructureElement const* find_id(StructureElement const& element, std::string_view id) {
  if (element.is_system() && element.id == id) return &element;
  for (auto const& child : element.elements) {
    if (auto const* const found = find_id(child, id)) return found;
  }
  return nullptr;
}

}  // namespace

SystemStructure read_system_structure(std::string const& text, std::string const& file) {
  auto const root = read_root(text, file, "SystemStructureDescription", "a system structure");
  SystemStructure structure;
  structure.file = file;
  Reader(structure).read(root);
  add_name_findings(structure, root, file);
  return structure;
}

bool is_system_structure(std::string const& text) {
  try {
    return without_prefixes(read_tree(text, description_limits)).name == "SystemStructureDescription";
  } catch (XmlError const&) {
    return text.find("SystemStructureDescription") != std::string::npos;
  }
}

StructureConnector const* StructureElement::connector(std::string_view connector_name) const {
  auto const found = std::ranges::find(connectors, connector_name, &StructureConnector::name);
  return found == connectors.end() ? nullptr : &*found;
}

StructureElement const* StructureElement::element(std::string_view element_name) const {
  auto const found = std::ranges::find(elements, element_name, &StructureElement::name);
  return found == elements.end() ? nullptr : &*found;
}

StructureElement const* SystemStructure::system_with_id(std::string_view id) const {
  return id.empty() ? nullptr : find_id(system, id);
}

std::string_view structure_value_type(std::string_view type) {
  if (type == "Real") return "Float64";
  if (type == "Integer") return "Int32";
  constexpr std::string_view types[] = {"Float64", "Float32", "Int8",        "UInt8",  "Int16",
                                        "UInt16",  "Int32",   "UInt32",      "Int64",  "UInt64",
                                        "Boolean", "String",  "Enumeration", "Binary", "Clock"};
  auto const found = std::ranges::find(types, type);
  return found == std::end(types) ? std::string_view{} : *found;
}

}  // namespace delassus
