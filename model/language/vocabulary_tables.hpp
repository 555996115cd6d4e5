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

// Ranges of what bodies and their laws are made of. Their ends are far beyond anything that is met: a value outside is a
// mistake, as 1e300 for "very large", and its squares and products would be no numbers.
inline constexpr Range sensible_mass{0, 1e30, true};     // kg: half a sun
inline constexpr Range sensible_density{0, 1e21, true};  // kg/m3
inline constexpr Range sensible_size{0, 1e12, true};     // m
inline constexpr Range sensible_length{0, 1e12, false};  // m
inline constexpr Range sensible_stiffness{0, 1e18, true};
inline constexpr Range sensible_coefficient{0, 1e18, false};  // damping, a stiffness that may be zero
inline constexpr Range sensible_force{0, 1e18, false};
inline constexpr Range sensible_friction{0, 1e6, false};  // mu
inline constexpr Range sensible_slip{0, 1e6, true};       // m/s
inline constexpr Range sensible_zeta{0, 1e6, false}, positive_zeta{0, 1e6, true};
// s. A position of 1 m is rounded by 1e-16 m, an acceleration of 100 m/s2 where delta is 1e-9 s, as small as papers take it.
inline constexpr Range sensible_delta{1e-9, 1e6, false};
inline constexpr Range sensible_step{1e-9, 1e6, false};  // s
// s. Beyond, a double tells no tenths of milliseconds.
inline constexpr Range sensible_time{-1e12, 1e12, false};

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
          .range = sensible_delta,
          .fallback = fallback,
          .exposure = Exposure::tunable};
}

// Scenes and controllers have the same default experiment.
inline constexpr std::array<Attribute, 3> experiment_attributes{{
    {.name = "start",
     .description = "start time",
     .unit = UnitId::second,
     .range = sensible_time,
     .fallback = 0},
    {.name = "stop",
     .description = "stop time, later than the start",
     .unit = UnitId::second,
     .range = sensible_time,
     .fallback = 1},
    {.name = "step",
     .description = "communication step, shorter than the experiment",
     .unit = UnitId::second,
     .range = {1e-12, 1e12, false},
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
