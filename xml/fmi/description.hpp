// A modelDescription.xml of FMI 2.0 or 3.0 as data. The writer writes it, the reader reads it from any FMU,
// and the rules check it. Texts are kept as written (a start of "1e-3" stays so). `line` is the line of an
// element in its file, 0 for a description that was not read from a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace delassus {

struct DescribedVariable {
  int line = 0;
  int version = 3;   // of FMI: the defaults of variability and initial differ
  std::string type;  // FMI 3 type names for both versions: Float64, Int32, Boolean, String, Enumeration, ...
                     // (FMI 2's Real is Float64, Integer is Int32)
  std::string name, description;
  std::optional<std::uint32_t> value_reference;
  std::string causality, variability, initial;  // as written; empty if absent
  std::optional<std::string> start;             // FMI 3 arrays: values separated by blanks
  std::vector<std::string> start_elements;  // FMI 3 String and Binary: the values of their <Start> elements
  std::string unit, display_unit, declared_type, minimum, maximum, nominal, quantity, derivative;
  std::string intermediate_update;  // FMI 3: "true" or empty
  bool can_handle_multiple_set = false;
  struct Dimension {
    std::optional<std::uint64_t> start;
    std::optional<std::uint32_t> value_reference;
    bool operator==(Dimension const&) const = default;
  };
  std::vector<Dimension> dimensions;  // FMI 3
  struct Alias {
    int line = 0;
    std::string name, description, display_unit;
    bool operator==(Alias const&) const = default;
  };
  std::vector<Alias> aliases;  // FMI 3
  std::optional<std::vector<std::uint32_t>>
      clocks;                        // FMI 3: value references; present for a clocked variable
  std::string interval_variability;  // FMI 3, of a Clock
  std::string interval_decimal;      // s, likewise, as written

  bool is_float() const { return type == "Float64" || type == "Float32"; }
  bool has_start() const { return start.has_value() || !start_elements.empty(); }

  std::string effective_causality() const;  // with the standard's defaults
  std::string effective_variability() const;
  std::string effective_initial() const;
  std::uint64_t size() const;  // product of fixed dimensions, 1 for a scalar
  bool operator==(DescribedVariable const&) const = default;
};

struct DescribedUnknown {
  int line = 0;
  std::string list;  // Outputs / Output, Derivatives / ContinuousStateDerivative, InitialUnknowns /
                     // InitialUnknown, ...
  std::uint64_t reference = 0;  // FMI 2: index (from 1); FMI 3: value reference
  std::optional<std::vector<std::uint64_t>> dependencies;
  std::optional<std::vector<std::string>> dependencies_kind;
  bool operator==(DescribedUnknown const&) const = default;
};

struct DescribedUnit {
  int line = 0;
  std::string name;
  std::map<std::string, std::string> base_unit;  // attributes of BaseUnit
  struct Display {
    std::string name, factor, offset;  // as written; empty: 1 and 0
    bool inverse = false;              // FMI 3: of the reciprocal value
    bool operator==(Display const&) const = default;
  };
  std::vector<Display> display_units;
  bool operator==(DescribedUnit const&) const = default;
};

struct DescribedType {
  int line = 0;
  std::string type, name, description, unit, display_unit, minimum, maximum, nominal, quantity;
  struct Item {
    int line = 0;
    std::string name, value, description;
    bool operator==(Item const&) const = default;
  };
  std::vector<Item> items;
  bool operator==(DescribedType const&) const = default;
};

struct DescribedInterface {
  int line = 0;
  std::string kind;  // CoSimulation, ModelExchange, ScheduledExecution
  std::map<std::string, std::string> attributes;
  std::string model_identifier() const;
  bool flag(std::string const& name) const;  // true if the attribute is "true" or "1"
  bool operator==(DescribedInterface const&) const = default;
};

// An element as it was read, for the rules on names of elements and attributes. The content of annotations is
// left out.
struct DescribedElement {
  int line = 0;
  std::string parent, name;
  std::map<std::string, std::string> attributes;
  bool operator==(DescribedElement const&) const = default;
};

struct ModelDescription {
  std::string file;
  int line = 0;
  int version = 0;  // 2 or 3
  std::map<std::string, std::string>
      attributes;  // of fmiModelDescription, fmiVersion and modelName among them
  std::vector<DescribedInterface> interfaces;
  std::vector<DescribedUnit> units;
  std::vector<DescribedType> types;
  struct Category {
    int line = 0;
    std::string name, description;
    bool operator==(Category const&) const = default;
  };
  std::vector<Category> log_categories;
  struct Experiment {
    int line = 0;
    std::optional<std::string> start_time, stop_time, tolerance, step_size;
    bool operator==(Experiment const&) const = default;
  };
  std::optional<Experiment> default_experiment;
  std::vector<DescribedVariable> variables;
  std::vector<DescribedUnknown> model_structure;
  std::vector<DescribedElement> elements;  // empty for a description that was not read

  std::string token() const;  // guid or instantiationToken
  DescribedInterface const* interface(std::string const& kind) const;
  DescribedVariable const* find(std::string const& name) const;
  DescribedType const* type(std::string const& name) const;
  DescribedUnit const* unit(std::string const& name) const;
  bool operator==(ModelDescription const&) const = default;
};

}  // namespace delassus
