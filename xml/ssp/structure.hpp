// A system structure (SSP 1.0 and 2.0) as data: its components, connections and parameters. Texts are kept as
// written. `line` is the line of an element in its file. Names of elements follow the standard.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xml/text/finding.hpp"

namespace delassus {

struct StructureUnit {
  int line = 0;
  std::string name;
  std::array<int, 8> exponents{};  // kg, m, s, A, K, mol, cd, rad
  double factor = 1, offset = 0;   // in base units: factor * value + offset
};

struct StructureEnumeration {
  int line = 0;
  std::string name;
  struct Item {
    std::string name;
    std::int64_t value = 0;
  };
  std::vector<Item> items;
};

// A transformation of a value: factor * value + offset, or a table.
struct Transformation {
  int line = 0;
  std::string kind;  // LinearTransformation, BooleanMappingTransformation, ...; empty: none
  double factor = 1, offset = 0;
  std::vector<std::pair<std::string, std::string>> entries;
};

struct StructureConnector {
  int line = 0;
  std::string name, description;
  std::string kind;                   // input, output, parameter, calculatedParameter, ...
  std::string type;                   // Real, Float64, Integer, ...; empty: that of the variable behind it
  std::string unit, enumeration;      // empty: likewise
  std::optional<std::uint64_t> size;  // product of the dimensions, if all are numbers; none for a scalar
};

struct StructureConnection {
  int line = 0;
  std::optional<std::string> start_element, end_element;  // none: the system itself
  std::string start_connector, end_connector;
  bool has_indices = false;  // SSP 2.0
  bool suppress_unit_conversion = false;
  Transformation transformation;
};

struct StructureParameter {
  int line = 0;
  std::string name, type;
  std::vector<std::string> values;  // several for an array
  std::string unit, enumeration;
};

struct ParameterSet {
  std::string file;
  int line = 0;
  std::string name;
  std::vector<StructureParameter> parameters;
  std::vector<StructureUnit> units;
  std::vector<StructureEnumeration> enumerations;
  std::vector<Finding> findings;  // what reading it found
};

struct ParameterMapping {
  std::string file;
  int line = 0;
  struct Entry {
    int line = 0;
    std::string source, target;
    bool suppress_unit_conversion = false;
    Transformation transformation;
  };
  std::vector<Entry> entries;
  std::vector<Finding> findings;
};

struct ParameterBinding {
  int line = 0;
  std::string type, prefix;
  std::optional<std::string> source;  // a URI; none: `values`
  bool in_component = false;          // sourceBase: the source lies inside the component
  std::optional<ParameterSet> values;
  struct Mapping {
    int line = 0;
    std::string type;
    std::optional<std::string> source;
    bool in_component = false;
    std::optional<ParameterMapping> entries;
  };
  std::optional<Mapping> mapping;
};

inline constexpr std::string_view fmu_component_type = "application/x-fmu-sharedlibrary";
inline constexpr std::string_view structure_component_type = "application/x-ssp-definition";
inline constexpr std::string_view package_component_type = "application/x-ssp-package";
// Our own type of component: the file of a scene or controller, which `delassus build` turns into an FMU.
inline constexpr std::string_view scene_component_type = "application/x-delassus-scene";
inline constexpr std::string_view controller_component_type = "application/x-delassus-controller";

struct StructureElement {
  enum class Kind { system, component, signal_dictionary_reference };
  Kind kind = Kind::system;
  int line = 0;
  std::string name, id, description;
  std::vector<StructureConnector> connectors;
  std::vector<ParameterBinding> bindings;

  std::string type, implementation;   // of a component; with the standard's defaults filled in
  std::optional<std::string> source;  // a URI
  std::optional<std::string> icon;    // likewise

  std::vector<StructureElement> elements;  // of a system
  std::vector<StructureConnection> connections;
  int signal_dictionaries_line = 0;  // 0: there are none

  bool is_system() const { return kind == Kind::system; }
  StructureConnector const* connector(std::string_view connector_name) const;
  StructureElement const* element(std::string_view element_name) const;
};

// Run settings, which the standard leaves to annotations: from ours, and the step also from those of
// OMSimulator and the Open Simulation Platform.
struct StructureRun {
  int line = 0;
  std::optional<double> step;                   // s, between communications
  std::map<std::string, std::string> settings;  // all attributes of our annotation, all of them known
};

struct SystemStructure {
  std::string file;
  int line = 0;
  std::string version, name, description;
  StructureElement system;
  std::vector<StructureUnit> units;
  std::vector<StructureEnumeration> enumerations;
  struct Experiment {
    int line = 0;
    std::optional<double> start, stop;  // s
  };
  std::optional<Experiment> default_experiment;
  StructureRun run;
  std::vector<Finding> findings;  // what reading it found; check_structure adds the rest

  StructureElement const* system_with_id(std::string_view id) const;
};

// The type of a type element: `ssd:Real` and `ssd:Float64` are both Float64. Empty for an unknown word.
std::string_view structure_value_type(std::string_view type);

}  // namespace delassus
