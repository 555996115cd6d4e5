// Choices that a user can make and states that a user can read. Each item is declared once, with name and meaning: the scene
// compiler, the FMU's type definitions, the documentation and the help texts read these tables.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace delassus {

struct EnumerationItem {
  std::string_view name;
  std::string_view description;
};

// Item i has the value i + 1: Modelica's enumerations count from one, and importers map FMI's onto them.
struct Enumeration {
  std::string_view name;
  std::string_view description;
  std::span<const EnumerationItem> items;

  std::optional<int> value_of(std::string_view item) const {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].name == item) return static_cast<int>(i) + 1;
    }
    return std::nullopt;
  }
  std::string_view name_of(int value) const {
    return value >= 1 && value <= static_cast<int>(items.size())
               ? items[static_cast<std::size_t>(value - 1)].name
               : std::string_view{"?"};
  }
};

// The state of a contact or friction block (Kikuuwe and Brogliato 2017, Fig. 2).
enum class ContactMode { detached = 1, stick = 2, slip = 3 };

// The contact laws of Kikuuwe and Brogliato 2017, section 4.5.
enum class ContactLaw { coulomb = 1, anitescu_tasora = 2, nakaoka = 3 };

// Which solution to follow when (65) has several (section 5.3 there).
enum class SolutionRule { continuous = 1, detach = 2, stick = 3, stable = 4 };

// The method that advances time.
enum class StepperKind { relaxed = 1, nonsmooth = 2, implicit = 3, nonsmooth_adaptive = 4 };
inline bool is_nonsmooth(StepperKind kind) {
  return kind == StepperKind::nonsmooth || kind == StepperKind::nonsmooth_adaptive;
}

// What happens where several contacts close at the same time.
enum class ImpactOrder { simultaneous = 1, sequential = 2 };

// What a coefficient of restitution is a share of: the speed at which a contact closes, or its impulse of compression.
enum class RestitutionLaw { newton = 1, poisson = 2 };

// Whether a rigid sliding contact has one solution, several or none (Painleve's paradoxes; terms of Genot and Brogliato 1999).
enum class Paradox { regular = 1, indeterminate = 2, inconsistent = 3 };

// The kind of a change of mode.
enum class ContactEvent { none = 1, made = 2, lost = 3, stick = 4, slip = 5 };

Enumeration const& contact_mode_enumeration();
Enumeration const& contact_law_enumeration();
Enumeration const& solution_rule_enumeration();
Enumeration const& stepper_enumeration();
Enumeration const& paradox_enumeration();
Enumeration const& contact_event_enumeration();
Enumeration const& impact_order_enumeration();

// All of the above, in the order in which descriptions list them.
std::span<const Enumeration> all_enumerations();

}  // namespace delassus
