// The words for the scene as a whole.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<std::string_view, 2> dimensions{"2", "3"};
constexpr std::array<std::string_view, 4> exposures{"tunable", "fixed", "constant", "hidden"};

Enumeration const* steppers() {
  return &stepper_enumeration();
}
Enumeration const* laws() {
  return &contact_law_enumeration();
}
Enumeration const* rules() {
  return &solution_rule_enumeration();
}

constexpr Attribute scene[]{
    a_name("name of the scene and of its FMU; a C identifier"),
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
     .description = "law of rigid contacts",
     .exposure = Exposure::tunable,
     .enumeration = laws},
    {.name = "rule",
     .kind = choice,
     .description = "which solution is taken where there are several",
     .exposure = Exposure::tunable,
     .enumeration = rules},
};

constexpr Attribute interface[] {
  {.name = "feedthrough",
   .kind = choice,
   .description =
       "no: outputs follow inputs only from the next communication step on, so that a loop with a "
       "controller needs no iteration; the FMU then offers no Model Exchange. Default yes",
   .choices = no_yes},
      {.name = "event_clock",
       .kind = choice,
       .description =
           "yes: in FMI 3.0 a clock `events.clock` ticks at each contact event, for importers with event "
           "mode. Default no",
       .choices = no_yes},
      {.name = "states",
       .kind = choice,
       .description =
           "no: the states are no variables and Model Exchange is not offered, which keeps the "
           "description of many bodies short. Default yes",
       .choices = no_yes},
};

constexpr Attribute expose[]{
    {.name = "variable",
     .kind = text,
     .required = true,
     .description = "name of a variable of the FMU; `*` stands for any letters: `ball_*.mass`"},
    {.name = "as",
     .kind = choice,
     .description =
         "tunable, fixed (until the end of initialisation), constant (cannot be set), hidden (not in the "
         "FMU). Left out: as it would be",
     .choices = exposures},
    {.name = "name",
     .kind = text,
     .description = "another name for one variable; FMI's structured names are allowed: `x`, `tip.force`"},
    {.name = "alias",
     .kind = text,
     .description = "a second name for one output: `rod.position` and `x` are then the same variable"},
};

constexpr std::array<Element, 6> elements{{
    {"scene", "", false, "The root: a mechanical system.", R"(<scene name="rod" dimension="2"/>)", scene},
    {"gravity", "scene", false, "Gravity; without it there is none.", R"(<gravity acceleration="0 -9.81"/>)",
     gravity},
    {"experiment", "scene", false, "The default experiment.", R"(<experiment stop="0.2" step="0.001"/>)",
     experiment},
    {"solver", "scene", false, "How time is advanced and which law holds.",
     R"(<solver stepper="implicit" step="1e-3"/>)", solver},
    {"interface", "scene", false, "What the FMU offers to its host.", R"(<interface feedthrough="no"/>)",
     interface},
    {"expose", "scene", true, "How a variable appears in the FMU: fixed, hidden, under another name.",
     R"(<expose variable="rod.position" name="x"/>)", expose},
}};

}  // namespace

std::span<const Element> scene_elements() {
  return elements;
}

}  // namespace delassus
