// The words for the scene as a whole.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<EnumerationItem, 2> dimensions{{
    {"2", "the x-y plane, y points up"},
    {"3", "space, z points up"},
}};
constexpr std::array<EnumerationItem, 4> exposures{{
    {"tunable", "a parameter that may change between two steps"},
    {"fixed", "a parameter that may be set until initialisation ends"},
    {"constant", "a variable that cannot be set"},
    {"hidden", "not in the FMU"},
}};

Enumeration const* orders_of_impacts() {
  return &impact_order_enumeration();
}
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
    a_name("name of the scene and of its FMU"),
    {.name = "dimension",
     .kind = choice,
     .description = "number of dimensions",
     .left_out = "2",
     .choices = dimensions},
    {.name = "description", .kind = text, .description = "one sentence on what the scene shows"},
};

constexpr Attribute gravity[]{
    {.name = "acceleration",
     .kind = vector,
     .required = true,
     .description = "acceleration of free fall, along the axes of the world",
     .unit = UnitId::metre_per_second_squared,
     .exposure = Exposure::tunable},
};

constexpr Attribute solver[]{
    {.name = "stepper",
     .kind = choice,
     .description = "method that advances time",
     .left_out = "nonsmooth in a scene whose contacts are rigid or that names step; nonsmooth_adaptive with "
                 "Coulomb friction in contacts with a stiffness; relaxed in any other, and in one that names "
                 "zeta, delta, tolerance or another law",
     .exposure = Exposure::fixed,
     .enumeration = steppers},
    {.name = "step",
     .description = "longest internal step of nonsmooth, nonsmooth_adaptive and implicit",
     .unit = UnitId::second,
     .range = sensible_step,
     .fallback = 1e-3,
     .exposure = Exposure::tunable},
    {.name = "tolerance",
     .description = "error tolerance of relaxed and nonsmooth_adaptive, relative and absolute in SI units",
     .range = {1e-14, 1e-1, false},
     .fallback = 1e-8,
     .exposure = Exposure::tunable},
    {.name = "law",
     .kind = choice,
     .description = "friction law of rigid contacts",
     .left_out = "coulomb",
     .exposure = Exposure::tunable,
     .enumeration = laws},
    {.name = "rule",
     .kind = choice,
     .description = "which solution to follow when the contact problem has several",
     .left_out = "continuous",
     .exposure = Exposure::tunable,
     .enumeration = rules},
    {.name = "impacts",
     .kind = choice,
     .description = "what happens where several contacts with a restitution close at the same time",
     .left_out = "simultaneous",
     .exposure = Exposure::fixed,
     .enumeration = orders_of_impacts},
};

constexpr std::array<EnumerationItem, 2> feedthrough{{
    {"no",
     "outputs react from the next communication step on. A loop with a controller then needs no iteration, "
     "and "
     "the FMU does not offer Model Exchange"},
    {"yes", "outputs react at once"},
}};
constexpr std::array<EnumerationItem, 2> event_clock{{
    {"no", "there is no clock"},
    {"yes", "the clock `events.clock` ticks, for importers that use event mode"},
}};
constexpr std::array<EnumerationItem, 2> states{{
    {"no",
     "they are not, which keeps the description of many bodies short; the FMU does not offer Model Exchange"},
    {"yes", "they are, each with its derivative"},
}};

constexpr std::array<EnumerationItem, 2> analysis{{
    {"no", "there are none. `delassus analyse` has them all, and more"},
    {"yes",
     "there are: of each contact `solutions`, `paradox`, `mu_crit`, `mu_jam`, `margin` and `locking_angle`, "
     "and `contact.residual`"},
}};
constexpr std::array<EnumerationItem, 2> integers{{
    {"no", "there are none; FMI's functions for integers read an enumeration as well"},
    {"yes", "each enumeration `x` has a twin `x_number`, for importers that cannot read enumerations"},
}};

constexpr Attribute interface[] {
  {.name = "feedthrough",
   .kind = choice,
   .description = "when outputs react to inputs",
   .left_out = "yes",
   .choices = feedthrough},
      {.name = "event_clock",
       .kind = choice,
       .description = "whether FMI 3.0 importers get a clock that ticks at each contact event",
       .left_out = "no",
       .choices = event_clock},
      {.name = "states",
       .kind = choice,
       .description = "whether the states are variables of the FMU",
       .left_out = "yes",
       .choices = states},
      {.name = "analysis",
       .kind = choice,
       .description =
           "whether outputs tell how near contacts are to jamming, and how the contact problem was "
           "solved",
       .left_out = "no",
       .choices = analysis},
      {.name = "integers",
       .kind = choice,
       .description = "whether integers repeat the values of enumerations",
       .left_out = "no",
       .choices = integers},
};

constexpr Attribute expose[]{
    {.name = "variable",
     .kind = text,
     .required = true,
     .description = "name of a variable of the FMU; `*` stands for any characters, as in `ball_*.mass`"},
    {.name = "as",
     .kind = choice,
     .description = "how the variable appears in the FMU",
     .left_out = "unchanged",
     .choices = exposures},
    {.name = "name",
     .kind = text,
     .description = "new name of one variable: identifiers with dots between them, as in `x` or `tip.force`",
     .left_out = "unchanged"},
    {.name = "alias",
     .kind = text,
     .description = "second name of one output: both names then refer to the same variable",
     .left_out = "none"},
};

constexpr std::array<Element, 6> elements{{
    {"scene", "", false, "The root element: a mechanical system, which becomes one FMU.",
     R"(<scene name="sliding_block" description="A block that slides over the ground and stops by friction"/>)",
     "scenes/sliding_block.xml", scene},
    {"gravity", "scene", false, "Gravity. Without this element there is none.",
     R"(<gravity acceleration="0 -9.81"/>)", "scenes/sliding_block.xml", gravity},
    {"experiment", "scene", false,
     "The default experiment: what importers and `delassus simulate` run if told nothing else.",
     R"(<experiment stop="0.2" step="0.001"/>)", "scenes/painleve_rod.xml", experiment_attributes},
    {"solver", "scene", false, "How time advances, and how the contact problem is solved.",
     R"(<solver stepper="implicit" step="1e-3"/>)", "scenes/block_on_slope.xml", solver},
    {"interface", "scene", false, "What the FMU offers to the importer.", R"(<interface feedthrough="no"/>)",
     "", interface},
    {"expose", "scene", true,
     "Changes how variables appear in the FMU: whether they can be set, and under which name.",
     R"(<expose variable="ball_*.mass" as="hidden"/>)", "scenes/sphere_pile.xml", expose},
}};

}  // namespace

std::span<const Element> scene_elements() {
  return elements;
}

}  // namespace delassus
