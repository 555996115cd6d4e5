#include "model/scene/unit.hpp"

#include <numbers>

namespace delassus {
namespace {

// In the order of UnitId.
constexpr std::array<Unit, 26> unit_table{{
    {"1", {0, 0, 0, 0, 0, 0, 0, 0}},           {"kg", {1, 0, 0, 0, 0, 0, 0, 0}},
    {"m", {0, 1, 0, 0, 0, 0, 0, 0}},           {"s", {0, 0, 1, 0, 0, 0, 0, 0}},
    {"rad", {0, 0, 0, 0, 0, 0, 0, 1}},         {"m/s", {0, 1, -1, 0, 0, 0, 0, 0}},
    {"rad/s", {0, 0, -1, 0, 0, 0, 0, 1}},      {"m/s2", {0, 1, -2, 0, 0, 0, 0, 0}},
    {"N", {1, 1, -2, 0, 0, 0, 0, 0}},          {"N.m", {1, 2, -2, 0, 0, 0, 0, 0}},
    {"kg.m2", {1, 2, 0, 0, 0, 0, 0, 0}},       {"J", {1, 2, -2, 0, 0, 0, 0, 0}},
    {"kg/m3", {1, -3, 0, 0, 0, 0, 0, 0}},      {"N/m", {1, 0, -2, 0, 0, 0, 0, 0}},
    {"N.s/m", {1, 0, -1, 0, 0, 0, 0, 0}},      {"N.m/rad", {1, 2, -2, 0, 0, 0, 0, -1}},
    {"N.m.s/rad", {1, 2, -1, 0, 0, 0, 0, -1}}, {"s/m", {0, -1, 1, 0, 0, 0, 0, 0}},
    {"rad/s2", {0, 0, -2, 0, 0, 0, 0, 1}},     {"1/s", {0, 0, -1, 0, 0, 0, 0, 0}},
    {"N/(m.s)", {1, 0, -3, 0, 0, 0, 0, 0}},    {"N.m/(rad.s)", {1, 2, -3, 0, 0, 0, 0, -1}},
    {"N/s", {1, 1, -3, 0, 0, 0, 0, 0}},        {"N.s", {1, 1, -1, 0, 0, 0, 0, 0}},
    {"N/rad", {1, 1, -2, 0, 0, 0, 0, -1}},     {"N.s/rad", {1, 1, -1, 0, 0, 0, 0, -1}},
}};

}  // namespace

Unit const& unit(UnitId id) {
  return unit_table.at(static_cast<std::size_t>(id));
}
std::span<const Unit> all_units() {
  return unit_table;
}

DisplayUnit display_unit(UnitId id) {
  constexpr double degrees = 180 / std::numbers::pi;
  if (id == UnitId::radian) return {"deg", degrees};
  if (id == UnitId::radian_per_second) return {"deg/s", degrees};
  return {};
}

}  // namespace delassus
