// The parts of the vocabulary, each in its own source. vocabulary.cpp joins them.
#pragma once

#include <array>

#include "model/language/vocabulary.hpp"

namespace delassus {

std::span<const Element> scene_elements();       // the scene as a whole
std::span<const Element> body_elements();        // bodies and what is on them
std::span<const Element> constraint_elements();  // contacts, frictions, joints
std::span<const Element> force_elements();       // springs and inputs
std::span<const Element> controller_elements();  // controllers

// Attributes that several elements share.
inline constexpr Attribute a_name(std::string_view description) {
  return {.name = "name", .kind = AttributeKind::name, .required = true, .description = description};
}
inline constexpr Attribute a_zeta(std::string_view description, Range range, double fallback) {
  return {.name = "zeta",
          .description = description,
          .range = range,
          .fallback = fallback,
          .exposure = Exposure::tunable};
}
inline constexpr Attribute a_delta(std::string_view description, double fallback) {
  return {.name = "delta",
          .description = description,
          .unit = UnitId::second,
          .range = positive,
          .fallback = fallback,
          .exposure = Exposure::tunable};
}

// Scenes and controllers have the same default experiment.
inline constexpr std::array<Attribute, 3> experiment_attributes{{
    {.name = "start", .description = "start time", .unit = UnitId::second, .fallback = 0},
    {.name = "stop", .description = "stop time, later than the start", .unit = UnitId::second, .fallback = 1},
    {.name = "step",
     .description = "communication step, shorter than the experiment",
     .unit = UnitId::second,
     .range = positive,
     .fallback = 1e-2},
}};

template <std::size_t n, std::size_t m>
constexpr std::array<Attribute, n + m> joined(std::array<Attribute, n> const& first,
                                              std::array<Attribute, m> const& second) {
  std::array<Attribute, n + m> all{};
  for (std::size_t i = 0; i < n; ++i) all[i] = first[i];
  for (std::size_t i = 0; i < m; ++i) all[n + i] = second[i];
  return all;
}

}  // namespace delassus
