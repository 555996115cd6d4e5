#include "model/scene/enumeration.hpp"

namespace delassus {
namespace {

constexpr std::array<EnumerationItem, 3> modes{{
    {"detached", "no force: the points separate, or the gap is open"},
    {"stick", "the force is inside its set and the relaxed constraint holds"},
    {"slip", "the force is on the boundary of its set and opposes the motion"},
}};

constexpr std::array<EnumerationItem, 3> laws{{
    {"coulomb", "Coulomb friction, the singular-metric inclusion (65)"},
    {"anitescu_tasora", "cone complementarity (78): a slipping contact also moves apart"},
    {"nakaoka", "projection of the bilateral force at constant normal force (80)"},
}};

constexpr std::array<EnumerationItem, 4> rules{{
    {"continuous", "the solution nearest to the force of the last step"},
    {"detach", "the detached solution where there is one, else the nearest"},
    {"stick", "the sticking solution where there is one, else the nearest"},
    {"stable",
     "the nearest of the stable solutions (a slip that a compliant contact would leave is not taken)"},
}};

constexpr std::array<EnumerationItem, 3> steppers{{
    {"relaxed", "the relaxed ODE (64), adaptive Dormand-Prince with dense output"},
    {"relaxed_fixed", "the relaxed ODE (64), semi-implicit Euler with a fixed internal step"},
    {"implicit", "the implicit scheme (70): delta is the internal step, zeta is 1/2; impacts are inelastic"},
}};

constexpr std::array<EnumerationItem, 3> paradoxes{{
    {"regular", "open, at rest, or sliding with one solution"},
    {"indeterminate", "as a rigid sliding contact it has several solutions; solver.rule takes one"},
    {"inconsistent",
     "as a rigid sliding contact it has no solution: it jams, and the slip stops or turns aside as in an "
     "impact"},
}};

constexpr std::array<EnumerationItem, 5> events{{
    {"none", "nothing has happened yet"},
    {"made", "a contact begins to carry force, an impact among them; or a joint meets its limit"},
    {"lost", "a contact carries no force any more: it lifts off"},
    {"stick", "what slipped sticks"},
    {"slip", "what stuck slips"},
}};

constexpr std::array<Enumeration, 6> enumeration_table{{
    {"ContactMode", "What a contact or friction does at an instant", modes},
    {"ContactLaw", "Which contact law is solved", laws},
    {"SolutionRule", "Which solution is taken where the contact problem has several", rules},
    {"Stepper", "What advances time between two communication points", steppers},
    {"Paradox", "Whether a contact, as a rigid sliding one, has one solution, several or none", paradoxes},
    {"ContactEvent", "How a contact or friction has changed its mode", events},
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
std::span<const Enumeration> all_enumerations() {
  return enumeration_table;
}

}  // namespace delassus
