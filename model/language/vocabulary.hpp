// The words of the language of scenes and controllers: every element and attribute with its kind, unit, range, default and
// meaning. This is the one source of these facts: the compilers check scenes and controllers against it, messages quote it,
// scene.xsd and LANGUAGE.md are written from it, and exposed attributes become FMU parameters.
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
  vector,  // one number for each direction of motion, separated by blanks
  angles,  // one number in the plane, three in space: a rotation vector or an angular velocity
  choice,
};

enum class Exposure { none, fixed, tunable };  // as an FMU parameter

struct Attribute {
  std::string_view name;
  AttributeKind kind = AttributeKind::number;
  bool required = false;
  std::string_view description;  // also the description of the FMU parameter
  UnitId unit = UnitId::one;
  std::string_view unit_rule = {};  // in words, if the unit depends on other attributes
  Range range = any_number;
  std::optional<double> fallback = std::nullopt;  // default of a number, and of each component of a vector
  std::string_view left_out = {};  // what holds if it is left out: the default of a choice, or a few words
  Exposure exposure = Exposure::none;
  std::span<const EnumerationItem> choices = {};
  Enumeration const* (*enumeration)() = nullptr;  // the choices, if they are the items of an Enumeration
};

struct Element {
  std::string_view name;
  std::string_view parent;  // empty: the root
  bool repeatable = false;
  std::string_view description;
  std::string_view example;   // the element as it stands in a scene or controller, without its children
  std::string_view found_in;  // the file of that scene, seen from model/; empty: a scene of LANGUAGE.md
  std::span<const Attribute> attributes;
};

std::span<const EnumerationItem> choices_of(Attribute const& attribute);  // empty if it is not a choice

std::span<const Element> vocabulary();
Element const* find_element(std::string_view parent, std::string_view name);
Attribute const* find_attribute(Element const& element, std::string_view name);

// The word of `known` nearest to `word` by edit distance, if one is near enough to be a misspelling of it.
std::optional<std::string_view> did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace delassus
