// The parts of the vocabulary, each in a source of its own; vocabulary.cpp puts them together.
#pragma once

#include <array>

#include "model/language/vocabulary.hpp"

namespace delassus {

std::span<const Element> scene_elements();       // the scene as a whole
std::span<const Element> body_elements();        // bodies and what is on them
std::span<const Element> constraint_elements();  // contacts, frictions, joints
std::span<const Element> force_elements();       // springs and inputs
std::span<const Element> controller_elements();  // controllers

inline constexpr std::array<std::string_view, 2> no_yes{"no", "yes"};

// Words that several elements share.
inline constexpr Attribute a_name(std::string_view description) {
  return {.name = "name", .kind = AttributeKind::name, .required = true, .description = description};
}
inline constexpr Attribute a_zeta(Range range, double fallback) {
  return {.name = "zeta",
          .description = "damping ratio of the relaxation (64); below 1 a contact bounces",
          .range = range,
          .fallback = fallback,
          .exposure = Exposure::tunable};
}
inline constexpr Attribute a_delta(double fallback) {
  return {.name = "delta",
          .description = "time scale of the relaxation (64)",
          .unit = UnitId::second,
          .range = positive,
          .fallback = fallback,
          .exposure = Exposure::tunable};
}

template <std::size_t n, std::size_t m>
constexpr std::array<Attribute, n + m> joined(std::array<Attribute, n> const& first,
                                              std::array<Attribute, m> const& second) {
  std::array<Attribute, n + m> all{};
  for (std::size_t i = 0; i < n; ++i) all[i] = first[i];
  for (std::size_t i = 0; i < m; ++i) all[n + i] = second[i];
  return all;
}

}  // namespace delassus
