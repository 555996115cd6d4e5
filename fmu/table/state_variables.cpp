#include "fmu/table/state_variables.hpp"

#include <algorithm>

namespace delassus {

std::vector<StateVariable> state_variables_of(Scene const& scene) {
  std::vector<StateVariable> list;
  int const n = scene.configuration_size;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    Body const& body = scene.bodies[i];
    bool const slides = body.type == BodyType::slider;
    int const directions = slides ? 1 : scene.dimension;
    auto const add = [&](char const* name, std::string const& description, UnitId unit, UnitId rate, int size,
                         int index, bool velocity) {
      list.push_back({.name = body.name + ".state." + name,
                      .description = description,
                      .unit = unit,
                      .rate_unit = rate,
                      .size = size,
                      .index = index,
                      .velocity = velocity,
                      .body = static_cast<int>(i)});
    };
    std::string const place = slides                ? " along the axis of the slider"
                              : body.moves_freely() ? " of the centre of mass"
                                                    : " of the body's origin";
    if (body.coordinates > 0) {
      add("position", "position" + place, UnitId::metre, UnitId::metre_per_second, directions,
          body.first_coordinate, false);
      if (body.coordinates == 7) {
        add("orientation", "orientation as a quaternion w x y z, of unit norm up to integration errors",
            UnitId::one, UnitId::per_second, 4, body.first_coordinate + 3, false);
      } else if (body.coordinates > directions) {
        add("angle", "angle in the plane", UnitId::radian, UnitId::radian_per_second, 1,
            body.first_coordinate + directions, false);
      }
    }
    if (!body.moves_freely()) continue;
    add("velocity", "velocity" + place, UnitId::metre_per_second, UnitId::metre_per_second_squared,
        directions, n + body.first, true);
    if (body.degrees_of_freedom > directions)
      add("angular_velocity", "angular velocity", UnitId::radian_per_second,
          UnitId::radian_per_second_squared, body.degrees_of_freedom - directions,
          n + body.first + directions, true);
  }
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    Contact const& contact = scene.contacts[i];
    if (contact.deflections == 0) continue;
    list.push_back({.name = contact.name + ".state.deflection",
                    .description = "tangential deflections of the contact points, two for each",
                    .unit = UnitId::metre,
                    .rate_unit = UnitId::metre_per_second,
                    .size = 2 * contact.deflections,
                    .index = contact.first_deflection,
                    .contact = static_cast<int>(i)});
  }
  std::sort(list.begin(), list.end(),
            [](StateVariable const& a, StateVariable const& b) { return a.index < b.index; });
  return list;
}

}  // namespace delassus
