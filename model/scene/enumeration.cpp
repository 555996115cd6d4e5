#include "model/scene/enumeration.hpp"

namespace delassus {
namespace {

constexpr std::array<EnumerationItem, 3> modes{{
    {"detached", "no force acts: the gap is open, or it is opening"},
    {"stick", "the points do not slide on each other: the friction force is below its limit"},
    {"slip",
     "the points slide on each other: the friction force has its largest value and opposes the motion"},
}};

constexpr std::array<EnumerationItem, 3> laws{{
    {"coulomb", "Coulomb friction, exactly"},
    {"anitescu_tasora", "a convex approximation: a slipping contact also moves apart (cone complementarity)"},
    {"nakaoka", "an approximation: the friction force is limited with the normal force held constant"},
}};

constexpr std::array<EnumerationItem, 4> rules{{
    {"continuous", "the solution nearest to the forces of the previous step"},
    {"detach", "a solution in which the contact detaches if there is one, else the nearest"},
    {"stick", "a solution in which the contact sticks if there is one, else the nearest"},
    {"stable", "the nearest of the stable solutions: those in which a slightly compliant contact would stay"},
}};

constexpr std::array<EnumerationItem, 4> steppers{{
    {"relaxed",
     "adaptive step (Dormand-Prince) with dense output; contacts respond with their zeta and delta"},
    {"nonsmooth",
     "fixed internal step with impacts inside of it: for long steps, many contacts and everyday scenes. "
     "Rigid contacts and joints hold without zeta and delta"},
    {"implicit",
     "fixed internal step, implicit: for long steps and many contacts. The step takes the place of delta, "
     "zeta is 1/2, and impacts are inelastic"},
    {"nonsmooth_adaptive",
     "as nonsmooth, with each internal step divided until halves of it change the state by less than the "
     "tolerance"},
}};

constexpr std::array<EnumerationItem, 2> orders{{
    {"simultaneous", "all contacts that touch take part in one impact"},
    {"sequential", "one impact after the other, the fastest first, until nothing closes any more"},
}};

constexpr std::array<EnumerationItem, 3> paradoxes{{
    {"regular", "the contact is open, at rest, or slides with exactly one solution"},
    {"indeterminate", "the rigid sliding contact has several solutions; solver.rule selects one"},
    {"inconsistent",
     "the rigid sliding contact has no solution: it jams, and the slip stops or changes direction as in an "
     "impact"},
}};

constexpr std::array<EnumerationItem, 5> events{{
    {"none", "no event yet"},
    {"made", "a contact begins to carry force, for instance in an impact, or a joint reaches a limit"},
    {"lost", "a contact stops carrying force: it lifts off"},
    {"stick", "a contact or friction that slipped now sticks"},
    {"slip", "a contact or friction that stuck now slips"},
}};

constexpr std::array<Enumeration, 7> enumeration_table{{
    {"ContactMode", "State of a contact or friction", modes},
    {"ContactLaw", "Friction law of rigid contacts", laws},
    {"SolutionRule", "Which solution to follow when the contact problem has several", rules},
    {"Stepper", "Method that advances time between two communication points", steppers},
    {"Paradox", "Whether a rigid sliding contact has one solution, several or none", paradoxes},
    {"ContactEvent", "How a contact or friction changed its mode", events},
    {"ImpactOrder", "What happens where several contacts close at the same time", orders},
}};

}  // namespace

Enumeration const& contact_mode_enumeration() {
  return enumeration_table[0];
}
Enumeration const& contact_law_enumeration() {
  return enumeration_table[1];
}
Enumeration const& solution_rule_enumeration() {
  return enumeration_table[2];
}
Enumeration const& stepper_enumeration() {
  return enumeration_table[3];
}
Enumeration const& paradox_enumeration() {
  return enumeration_table[4];
}
Enumeration const& contact_event_enumeration() {
  return enumeration_table[5];
}
Enumeration const& impact_order_enumeration() {
  return enumeration_table[6];
}
std::span<const Enumeration> all_enumerations() {
  return enumeration_table;
}

}  // namespace delassus
