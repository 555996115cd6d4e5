#include "xml/ssp/structure_names.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "model/language/vocabulary.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// Attributes as in xml/fmi/standard.cpp: `name`, `name*` if required, `name:kind`.
using Attributes = std::string_view;

constexpr Attributes base = "id description";
constexpr Attributes top = "author fileversion copyright license generationTool generationDateAndTime";
constexpr Attributes corners = "x1*:number y1*:number x2*:number y2*:number";
constexpr Attributes source = "type source sourceBase:SSD|component";
constexpr Attributes exponents =
    "kg:integer m:integer s:integer A:integer K:integer mol:integer cd:integer rad:integer factor:number "
    "offset:number";
constexpr Attributes clock =
    "name intervalVariability:constant|fixed|tunable|changing|countdown|triggered intervalDecimal:number "
    "shiftDecimal:number supportsFraction:boolean resolution:unsigned intervalCounter:unsigned "
    "shiftCounter:unsigned priority:unsigned";
constexpr Attributes meta = "kind role type source sourceBase";

struct Row {
  std::string_view parent;  // `*`: anywhere; empty: the root
  std::string_view name;
  std::array<Attributes, 4> groups{};
};

constexpr Row rows[] = {
    {"", "SystemStructureDescription", {"version* name*", base, top}},
    {"", "ParameterSet", {"version* name*", base, top}},
    {"ParameterValues", "ParameterSet", {"version* name*", base, top}},
    {"", "ParameterMapping", {"version*", base, top}},
    {"ParameterMapping", "ParameterMapping", {"version*", base, top}},
    {"SystemStructureDescription", "System", {"name*", base}},
    {"Elements", "System", {"name*", base}},
    {"Elements",
     "Component",
     {"name* type source implementation:any|CoSimulation|ModelExchange|ScheduledExecution", base}},
    {"Elements", "SignalDictionaryReference", {"name* dictionary*", base}},
    {"System", "Elements", {}},
    {"System", "SystemGeometry", {corners}},
    {"System", "GraphicalElements", {}},
    {"GraphicalElements", "Note", {corners, "text*"}},
    {"System", "SignalDictionaries", {}},
    {"SignalDictionaries", "SignalDictionary", {"name* type source", base}},
    {"System", "Connections", {}},
    {"Connections",
     "Connection",
     {"startElement startConnector* startIndices:unsigneds endElement endConnector* endIndices:unsigneds "
      "suppressUnitConversion:boolean",
      base}},
    {"Connection", "ConnectionGeometry", {"pointsX* pointsY*"}},
    {"*", "Connectors", {}},
    {"Connectors",
     "Connector",
     {"name* "
      "kind*:input|output|parameter|calculatedParameter|structuralParameter|constant|local|inout|unspecified",
      base}},
    {"Connector", "ConnectorGeometry", {"x*:number y*:number systemInnerX:number systemInnerY:number"}},
    {"*",
     "ElementGeometry",
     {corners,
      "rotation:number iconSource iconRotation:number iconFlip:boolean iconFixedAspectRatio:boolean"}},
    {"Connector", "Real", {"unit"}},
    {"Connector", "Float64", {"unit"}},
    {"Connector", "Float32", {"unit"}},
    {"Connector", "Enumeration", {"name*"}},
    {"Connector", "Binary", {"mime-type"}},
    {"Connector", "Clock", {clock}},
    {"Connector", "Dimension", {"size:unsigned sizeConnector"}},
    {"*", "ParameterBindings", {}},
    {"ParameterBindings", "ParameterBinding", {source, "prefix", base}},
    {"ParameterBinding", "ParameterValues", {}},
    {"ParameterBinding", "ParameterMapping", {source, base}},
    {"ParameterSet", "Parameters", {}},
    {"Parameters", "Parameter", {"name*", base}},
    {"Parameter", "Real", {"value* unit"}},
    {"Parameter", "Float64", {"value* unit"}},
    {"Parameter", "Float32", {"value* unit"}},
    {"Parameter", "Enumeration", {"value name"}},
    {"Parameter", "String", {"value"}},
    {"Parameter", "Binary", {"value mime-type"}},
    {"Parameter", "Dimension", {"size:unsigned sizeConnector"}},
    {"String", "Value", {"value*"}},
    {"Enumeration", "Value", {"value*"}},
    {"Binary", "Value", {"value*"}},
    {"ParameterMapping", "MappingEntry", {"source* target* suppressUnitConversion:boolean", base}},
    {"*", "LinearTransformation", {"factor:number offset:number"}},
    {"*", "BooleanMappingTransformation", {}},
    {"*", "IntegerMappingTransformation", {}},
    {"*", "EnumerationMappingTransformation", {}},
    {"BooleanMappingTransformation", "MapEntry", {"source*:boolean target*:boolean"}},
    {"IntegerMappingTransformation", "MapEntry", {"source*:integer target*:integer"}},
    {"EnumerationMappingTransformation", "MapEntry", {"source* target*"}},
    {"*", "Enumerations", {}},
    {"Enumerations", "Enumeration", {"name*", base}},
    {"Enumeration", "Item", {"name* value*:integer"}},
    {"*", "Units", {}},
    {"Units", "Unit", {"name*", base}},
    {"Unit", "BaseUnit", {exponents}},
    {"SystemStructureDescription", "DefaultExperiment", {"startTime:number stopTime:number"}},
    {"*", "MetaData", {meta, base}},
    {"*", "Signature", {meta, base}},
};

constexpr std::string_view plain_types[] = {"Integer", "Int8",   "UInt8", "Int16",  "UInt16",
                                            "Int32",   "UInt32", "Int64", "UInt64", "Boolean"};

using Known = std::map<std::pair<std::string_view, std::string_view>, std::vector<StandardAttribute>>;

Known parse_rows() {
  Known known;
  for (auto const& row : rows) {
    auto& attributes = known[{row.parent, row.name}];
    for (auto const group : row.groups) {
      for (auto const word : split_at_blanks(group)) attributes.push_back(parse_standard_attribute(word));
    }
  }
  for (auto const type : plain_types) {
    known[{"Parameter", type}] = {parse_standard_attribute("value*")};
    known[{"Connector", type}] = {};
  }
  known[{"Connector", "String"}] = {};
  return known;
}

std::vector<StandardAttribute> const* find_row(std::string_view parent, std::string_view name) {
  static Known const known = parse_rows();
  for (auto const where : {parent, std::string_view{"*"}}) {
    auto const found = known.find({where, name});
    if (found != known.end()) return &found->second;
  }
  return nullptr;
}

// The content belongs to other tools and standards and is not checked.
bool is_foreign(std::string const& name) {
  return name == "Annotations" || name == "SignalDictionary" || name == "MetaData" || name == "Signature";
}

class NameCheck {
 public:
  explicit NameCheck(std::string const& file) : file_(file) {}

  void check(SourceElement const& element, std::string const& parent) {
    if (element.name == "Annotations") return;
    auto const* const row = find_row(parent, element.name);
    if (row == nullptr) {
      report(element.line,
             parent.empty() ? "the root element is <" + element.name + ">"
                            : "<" + element.name + "> inside <" + parent + "> is not in the standard",
             "remove it, or move it to the place that the schema gives it");
      return;
    }
    check_attributes(element, *row);
    if (is_foreign(element.name)) return;
    for (auto const& child : element.children) check(child, element.name);
  }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  void check_attributes(SourceElement const& element, std::vector<StandardAttribute> const& known) {
    std::string const who = "<" + element.name + "> ";
    std::vector<std::string_view> names;
    for (auto const& attribute : known) {
      names.push_back(attribute.name);
      bool const there = std::ranges::any_of(
          element.attributes, [&](SourceAttribute const& each) { return each.name == attribute.name; });
      if (attribute.required && !there)
        report(element.line, who + "has no " + std::string{attribute.name},
               "add the attribute " + std::string{attribute.name});
    }
    for (auto const& [name, value] : element.attributes) {
      if (name.find(':') != std::string::npos) continue;
      auto const found = std::ranges::find(known, std::string_view{name}, &StandardAttribute::name);
      if (found == known.end()) {
        auto const near = did_you_mean(name, names);
        report(element.line, who + "has the attribute " + name,
               near ? "write " + std::string{*near} : "remove it");
      } else if (auto const expected = expected_instead(*found, value)) {
        report(element.line, who + "has " + name + "=\"" + value + "\"", "write " + *expected);
      }
    }
  }

  void report(int line, std::string message, std::string remedy) {
    findings_.push_back(
        {"structure-name", Severity::error, file_, line, std::move(message), std::move(remedy)});
  }

  std::string const& file_;
  std::vector<Finding> findings_;
};

}  // namespace

SourceElement without_prefixes(SourceElement element) {
  auto const colon = element.name.find(':');
  if (colon != std::string::npos) element.name.erase(0, colon + 1);
  if (element.name == "Annotation") return element;
  for (auto& child : element.children) child = without_prefixes(std::move(child));
  return element;
}

std::vector<Finding> check_structure_names(SourceElement const& root, std::string const& file) {
  NameCheck names(file);
  names.check(root, "");
  return names.take();
}

}  // namespace delassus
