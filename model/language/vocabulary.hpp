// The words of the language of scenes and controllers: every element and attribute with its kind, unit, range, default and
// meaning. The reader checks against it, error messages and documentation quote it, and exposed attributes
// become FMU parameters.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "model/scene/enumeration.hpp"
#include "model/scene/parameter.hpp"

namespace delassus {

enum class AttributeKind {
  name,       // introduces a name: a letter, then letters, digits and underscores
  reference,  // names a body, `rod`, or a point or shape on one, `rod.tip`
  text,
  number,
  vector,  // as many numbers as the motion has directions, separated by blanks
  angles,  // one angle in the plane, three numbers in space: a rotation vector, or an angular velocity
  choice,
};

enum class Exposure { none, fixed, tunable };  // as an FMU parameter

struct Attribute {
  std::string_view name;
  AttributeKind kind = AttributeKind::number;
  bool required = false;
  std::string_view description;
  UnitId unit = UnitId::one;
  Range range = any_number;
  std::optional<double> fallback = std::nullopt;  // default of a number, and of each component of a vector
  Exposure exposure = Exposure::none;
  std::span<const std::string_view> choices = {};
  Enumeration const* (*enumeration)() = nullptr;  // the choices, where they are an Enumeration's items
};

struct Element {
  std::string_view name;
  std::string_view parent;  // empty: the root
  bool repeatable = false;
  std::string_view description;
  std::string_view example;
  std::span<const Attribute> attributes;
};

std::span<const Element> vocabulary();
Element const* find_element(std::string_view parent, std::string_view name);
Attribute const* find_attribute(Element const& element, std::string_view name);

// The word of `known` nearest to `word` by edit distance, where one is near enough to be meant.
std::optional<std::string_view> did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace delassus
