#include "model/vocabulary.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<std::string_view, 2> dimensions{"2", "3"};
constexpr std::array<std::string_view, 3> body_types{"slider", "point", "planar"};
constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};

Enumeration const* steppers() {
  return &stepper_enumeration();
}
Enumeration const* laws() {
  return &contact_law_enumeration();
}
Enumeration const* rules() {
  return &solution_rule_enumeration();
}

constexpr Range coefficient_of_restitution{0, 1, true};

constexpr Attribute scene[]{
    {.name = "name",
     .kind = name,
     .required = true,
     .description = "name of the scene and of its FMU; a C identifier"},
    {.name = "dimension",
     .kind = choice,
     .description = "2: the x-y plane, y up; 3: space, z up. Default 2",
     .choices = dimensions},
    {.name = "description", .kind = text, .description = "one sentence on what the scene shows"},
};

constexpr Attribute gravity[]{
    {.name = "acceleration",
     .kind = vector,
     .required = true,
     .description = "acceleration of free fall",
     .unit = UnitId::metre_per_second_squared,
     .exposure = Exposure::tunable},
};

constexpr Attribute experiment[]{
    {.name = "start",
     .description = "start of the default experiment",
     .unit = UnitId::second,
     .fallback = 0},
    {.name = "stop", .description = "end of the default experiment", .unit = UnitId::second, .fallback = 1},
    {.name = "step",
     .description = "communication step of the default experiment",
     .unit = UnitId::second,
     .range = positive,
     .fallback = 1e-2},
};

constexpr Attribute solver[]{
    {.name = "stepper",
     .kind = choice,
     .description = "what advances time",
     .exposure = Exposure::fixed,
     .enumeration = steppers},
    {.name = "step",
     .description = "longest internal step of the fixed-step steppers",
     .unit = UnitId::second,
     .range = positive,
     .fallback = 1e-3,
     .exposure = Exposure::tunable},
    {.name = "tolerance",
     .description = "error tolerance of the adaptive stepper, relative and absolute in SI units",
     .range = {1e-14, 1e-1, false},
     .fallback = 1e-8,
     .exposure = Exposure::tunable},
    {.name = "law",
     .kind = choice,
     .description = "contact law",
     .exposure = Exposure::tunable,
     .enumeration = laws},
    {.name = "rule",
     .kind = choice,
     .description = "which solution is taken where there are several",
     .exposure = Exposure::tunable,
     .enumeration = rules},
};

constexpr Attribute body[]{
    {.name = "name", .kind = name, .required = true, .description = "name of the body"},
    {.name = "type",
     .kind = choice,
     .required = true,
     .description = "slider: one direction; point: a point mass; planar: two directions and an angle",
     .choices = body_types},
    {.name = "axis",
     .kind = choice,
     .description = "direction in which a slider moves. Default x",
     .choices = axes},
    {.name = "mass",
     .required = true,
     .description = "mass",
     .unit = UnitId::kilogram,
     .range = positive,
     .exposure = Exposure::fixed},
    {.name = "inertia",
     .description = "moment of inertia about the centre of mass; a planar body needs it unless it is a rod",
     .unit = UnitId::kilogram_metre_squared,
     .range = positive,
     .exposure = Exposure::fixed},
};

constexpr Attribute rod[]{
    {.name = "half_length",
     .required = true,
     .description = "half of the length of a uniform rod; its inertia is mass half_length^2 / 3",
     .unit = UnitId::metre,
     .range = positive,
     .exposure = Exposure::fixed},
};

constexpr Attribute point[]{
    {.name = "name",
     .kind = name,
     .required = true,
     .description = "name of the point; others refer to it as body.point"},
    {.name = "position",
     .kind = vector,
     .description = "position in the body's frame, from the centre of mass",
     .unit = UnitId::metre,
     .exposure = Exposure::fixed},
    {.name = "fraction",
     .description = "on a rod instead of a position: along its axis in half lengths; -1 and 1 are its ends",
     .exposure = Exposure::fixed},
};

constexpr Attribute initial[]{
    {.name = "point",
     .kind = reference,
     .description = "point of this body whose position and velocity are given. Default: the centre of mass"},
    {.name = "position",
     .kind = vector,
     .description = "initial position",
     .unit = UnitId::metre,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "velocity",
     .kind = vector,
     .description = "initial velocity",
     .unit = UnitId::metre_per_second,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "angle",
     .description = "initial angle of a planar body, counter-clockwise from x",
     .unit = UnitId::radian,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "angular_velocity",
     .description = "initial angular velocity of a planar body",
     .unit = UnitId::radian_per_second,
     .fallback = 0,
     .exposure = Exposure::fixed},
};

constexpr Attribute contact[]{
    {.name = "name", .kind = name, .required = true, .description = "name of the contact"},
    {.name = "point",
     .kind = reference,
     .required = true,
     .description = "point that cannot go below the ground"},
    {.name = "mu",
     .description = "coefficient of friction. Left out: frictionless",
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "zeta",
     .description = "damping ratio of the relaxation (64); below 1 a contact bounces",
     .range = not_negative,
     .fallback = 1,
     .exposure = Exposure::tunable},
    {.name = "restitution",
     .description = "coefficient of restitution, instead of zeta, which then follows from (104)",
     .range = coefficient_of_restitution,
     .exposure = Exposure::tunable},
    {.name = "delta",
     .description = "time scale of the relaxation (64)",
     .unit = UnitId::second,
     .range = positive,
     .fallback = 1e-3,
     .exposure = Exposure::tunable},
    {.name = "height",
     .description = "height of the ground",
     .unit = UnitId::metre,
     .fallback = 0,
     .exposure = Exposure::fixed},
};

constexpr Attribute friction[]{
    {.name = "name", .kind = name, .required = true, .description = "name of the friction"},
    {.name = "point",
     .kind = reference,
     .required = true,
     .description = "point whose motion the friction opposes"},
    {.name = "bound",
     .required = true,
     .description = "largest friction force",
     .unit = UnitId::newton,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "axes",
     .kind = text,
     .description = "one or two directions, such as `x` or `x y`. Default: a slider's own, else `x y`"},
    {.name = "zeta",
     .description = "damping ratio of the relaxation (64)",
     .range = positive,
     .fallback = 0.5,
     .exposure = Exposure::tunable},
    {.name = "delta",
     .description = "time scale of the relaxation (64)",
     .unit = UnitId::second,
     .range = positive,
     .fallback = 1e-3,
     .exposure = Exposure::tunable},
};

constexpr Attribute force[]{
    {.name = "name", .kind = name, .required = true, .description = "name of the FMU input"},
    {.name = "point", .kind = reference, .required = true, .description = "point that the force acts on"},
    {.name = "value",
     .kind = vector,
     .description = "force until the importer sets another",
     .unit = UnitId::newton,
     .fallback = 0},
};

constexpr Attribute torque[]{
    {.name = "name", .kind = name, .required = true, .description = "name of the FMU input"},
    {.name = "body",
     .kind = reference,
     .required = true,
     .description = "planar body that the torque acts on"},
    {.name = "value",
     .description = "torque until the importer sets another",
     .unit = UnitId::newton_metre,
     .fallback = 0},
};

constexpr std::array<Element, 12> elements{{
    {"scene", "", false, "The root: a mechanical system.", R"(<scene name="rod" dimension="2"/>)", scene},
    {"gravity", "scene", false, "Gravity; without it there is none.", R"(<gravity acceleration="0 -9.81"/>)",
     gravity},
    {"experiment", "scene", false, "The default experiment.", R"(<experiment stop="0.2" step="0.001"/>)",
     experiment},
    {"solver", "scene", false, "How time is advanced and which law holds.",
     R"(<solver stepper="implicit" step="1e-3"/>)", solver},
    {"body", "scene", true, "A body.", R"(<body name="block" type="point" mass="2"/>)", body},
    {"rod", "body", false, "Makes a planar body a uniform rod along its own x axis.",
     R"(<rod half_length="1"/>)", rod},
    {"point", "body", true, "A named point on a planar body.", R"(<point name="tip" position="-1 0"/>)",
     point},
    {"initial", "body", false, "Where the body starts, and how fast.",
     R"(<initial position="0 1" velocity="1 0"/>)", initial},
    {"contact", "scene", true,
     "Unilateral contact of a point with the ground: y >= height in the plane, z >= height in space.",
     R"(<contact name="tip_ground" point="rod.tip" mu="0.6" zeta="1" delta="1e-3"/>)", contact},
    {"friction", "scene", true, "Dry friction of known bound on the motion of a point.",
     R"(<friction name="table" point="block" bound="1" delta="1e-2"/>)", friction},
    {"force", "scene", true, "An external force, an input of the FMU.",
     R"(<force name="push" point="block" value="0.5 0"/>)", force},
    {"torque", "scene", true, "An external torque, an input of the FMU.",
     R"(<torque name="drive" body="rod"/>)", torque},
}};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const Element> vocabulary() {
  return elements;
}

Element const* find_element(std::string_view parent, std::string_view name) {
  auto const found = std::find_if(elements.begin(), elements.end(),
                                  [&](Element const& e) { return e.parent == parent && e.name == name; });
  return found == elements.end() ? nullptr : &*found;
}

Attribute const* find_attribute(Element const& element, std::string_view name) {
  auto const found = std::find_if(element.attributes.begin(), element.attributes.end(),
                                  [&](Attribute const& a) { return a.name == name; });
  return found == element.attributes.end() ? nullptr : &*found;
}

std::optional<std::string_view> did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  // A third of the letters may differ: one in "mas", two in "frcton", none in "x".
  std::size_t best_distance = word.size() / 3 + 1;
  std::optional<std::string_view> best;
  for (std::string_view const candidate : known) {
    std::size_t const distance = edit_distance(word, candidate);
    if (distance < best_distance || (distance == best_distance && !best && distance < word.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace delassus
