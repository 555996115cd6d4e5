// The elements of a modelDescription.xml and their attributes, as the FMI 2.0 and 3.0 standards name them.
// The writer takes the order of attributes from here, the rules take the allowed and required ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

enum class ValueKind { text, boolean, number, integer, unsigned_integer, unsigned_list, choice };

struct StandardAttribute {
  std::string_view name;
  bool required = false;
  ValueKind kind = ValueKind::text;
  std::vector<std::string_view> choices;
};

struct StandardElement {
  int version = 0;
  std::string_view parent;  // `*`: anywhere; empty: the root
  std::string_view name;
  std::vector<StandardAttribute> attributes;

  StandardAttribute const* attribute(std::string_view attribute_name) const;
};

// Parses `name`, `name*` if required, `name:kind` if the value is not any text; a kind with bars lists the
// allowed words.
StandardAttribute parse_standard_attribute(std::string_view text);

// What the value should be; none if it is right.
std::optional<std::string> expected_instead(StandardAttribute const& attribute, std::string const& value);

// Null if the standard has no such element there.
StandardElement const* find_standard_element(int version, std::string_view parent, std::string_view name);

// Names that differ between the versions. A ModelDescription has the type names of FMI 3 for both.
std::string_view type_element_name(int version, std::string_view type);   // Float64 -> Real in FMI 2
std::string_view type_of_element(int version, std::string_view element);  // Real -> Float64 in FMI 2
std::string_view token_attribute_name(int version);                       // guid, instantiationToken

// A list of the model structure: FMI 2 wraps <Unknown>s into a list element, FMI 3 names each entry after its
// list.
struct StructureList {
  std::string_view fmi2, fmi3;  // empty: the version has none
  std::string_view name(int version) const { return version == 2 ? fmi2 : fmi3; }
};
inline constexpr StructureList outputs_list{"Outputs", "Output"};
inline constexpr StructureList derivatives_list{"Derivatives", "ContinuousStateDerivative"};
inline constexpr StructureList clocked_states_list{"", "ClockedState"};
inline constexpr StructureList initial_unknowns_list{"InitialUnknowns", "InitialUnknown"};
inline constexpr StructureList event_indicators_list{"", "EventIndicator"};

// In the order that the schemas demand.
std::vector<StructureList> structure_lists();

}  // namespace delassus
