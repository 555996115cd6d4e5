// The units of every quantity in Delassus, each with its SI base-unit exponents.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace delassus {

struct Unit {
  std::string_view name;
  std::array<int, 8> exponents;  // kg, m, s, A, K, mol, cd, rad: the order of FMI's BaseUnit attributes
};

// What importers may show a quantity in instead: so many of it are one of the unit.
struct DisplayUnit {
  std::string_view name;  // empty: the unit itself
  double factor = 1;
};

inline constexpr std::array<std::string_view, 8> base_unit_names{"kg", "m",   "s",  "A",
                                                                 "K",  "mol", "cd", "rad"};

// Angles keep the unit rad so that importers can offer degrees. A torque is in N.m: FMI has no "per rad" for it.
enum class UnitId {
  one,
  kilogram,
  metre,
  second,
  radian,
  metre_per_second,
  radian_per_second,
  metre_per_second_squared,
  newton,
  newton_metre,
  kilogram_metre_squared,
  joule,
  kilogram_per_cubic_metre,
  newton_per_metre,
  newton_second_per_metre,
  newton_metre_per_radian,
  newton_metre_second_per_radian,
  second_per_metre,
  radian_per_second_squared,
  per_second,
  newton_per_metre_second,
  newton_metre_per_radian_second,
  newton_per_second,
  newton_second,
  newton_per_radian,
  newton_second_per_radian
};

Unit const& unit(UnitId id);
std::span<const Unit> all_units();
// Degrees for angles and their rates; everything else is shown in its unit.
DisplayUnit display_unit(UnitId id);

}  // namespace delassus
