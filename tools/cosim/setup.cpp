#include "tools/cosim/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/import/isolated_instance.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

bool offers(CosimComponent const& component, std::string const& capability) {
  auto const* const interface = stepping_interface(component);
  return interface != nullptr && interface->flag(capability);
}

bool saves_states(CosimComponent const& component) {
  auto const* interface = stepping_interface(component);
  if (interface == nullptr) interface = component.model->description().interface("ModelExchange");
  return interface != nullptr &&
         (interface->flag("canGetAndSetFMUstate") || interface->flag("canGetAndSetFMUState"));
}

// FMI 3 FMUs with event mode, where it is wanted or needed. An event ends a step early: all others must be able to
// follow.
std::vector<bool> choose_event_mode(CosimSystem const& system, CosimPlan const& plan,
                                    CosimWiring const& wiring, std::vector<std::string>& notes) {
  std::vector<bool> chosen(system.components.size(), false);
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    auto const& component = system.components[i];
    bool const clocked = std::ranges::any_of(
        wiring.clocks, [&](CosimOddWire const& wire) { return wire.from == i || wire.to == i; });
    chosen[i] = (plan.event_mode || clocked) && component.model->description().version == 3 &&
                !component.model->runs_in_process() && offers(component, "hasEventMode");
  }
  if (std::ranges::find(chosen, true) == chosen.end()) {
    if (plan.event_mode) notes.emplace_back("no component has event mode; --event-mode changes nothing");
    return chosen;
  }
  // Where only one component can end early, Jacobi lets it step first, and the others have nothing to take back.
  bool const steps_first = plan.algorithm == CosimAlgorithm::jacobi && std::ranges::count(chosen, true) == 1;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    auto const& component = system.components[i];
    bool const varies = stepping_interface(component) == nullptr ||
                        offers(component, "canHandleVariableCommunicationStepSize");
    bool const goes_back = (saves_states(component) && plan.keeps_checkpoints) || steps_first;
    if (varies && goes_back) continue;
    notes.push_back(
        fmt::format("event mode is not used: {} cannot {}, and an event may end a step of the others early",
                    component.name, !varies ? "make steps of different sizes" : "save its state"));
    return std::vector<bool>(system.components.size(), false);
  }
  return chosen;
}

}  // namespace

CosimParticipants make_participants(CosimSystem const& system, CosimPlan const& plan,
                                    CosimWiring const& wiring, std::vector<std::string>& notes) {
  auto const event_mode = choose_event_mode(system, plan, wiring, notes);
  CosimParticipants participants;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    auto const& component = system.components[i];
    InstanceRequest request{.name = component.name};
    if (plan.log) {
      request.log = [log = plan.log, name = component.name](LogMessage message) {
        message.text = name + ": " + message.text;
        log(message);
      };
    }
    request.event_mode = request.early_return_allowed = event_mode[i];
    // A step that is tried again begins where it began, but an integrator has been further by then.
    request.goes_back = plan.step_tolerance.has_value() || stepping_interface(component) == nullptr;
    try {
      auto const make = [&component](InstanceRequest const& wanted) {
        return component.model->instantiate(wanted, component.kind);
      };
      bool const isolated = i < plan.isolated.size() && plan.isolated[i];
      auto instance = isolated ? make_isolated_instance(make, request, component.signals, plan.call_timeout)
                               : make(request);
      participants.push_back(std::make_unique<CosimParticipant>(component, i, wiring, std::move(instance)));
    } catch (InstanceError const& error) {
      throw CosimFailure(error.status(), fmt::format("{}: {}", component.name, error.what()));
    } catch (LibraryError const& error) {
      throw CosimFailure(Status::fatal, fmt::format("{}: {}", component.name, error.what()));
    }
  }
  return participants;
}

void check_steps(CosimSystem const& system, CosimPlan const& plan, CosimParticipants const& participants) {
  auto const refuse = [](std::string const& message) { throw CommandError(ExitCode::usage, message); };
  double const steps = (plan.stop - plan.start) / plan.step;
  if (steps < 1e-6) {
    refuse(fmt::format("the step of {} s is far longer than the run of {} s; choose --step or --stop anew",
                       format_number(plan.step), format_time(plan.stop - plan.start)));
  }
  bool const shortened = std::abs(steps - std::round(steps)) > 1e-6;
  for (std::size_t i = 0; i < participants.size(); ++i) {
    auto const& participant = *participants[i];
    if (!participant.varies_steps()) {
      if (plan.step_tolerance) {
        refuse(fmt::format(
            "{} makes only steps of one size (canHandleVariableCommunicationStepSize is false); leave "
            "--adaptive out",
            participant.name()));
      }
      if (shortened) {
        refuse(fmt::format(
            "{} makes only steps of one size (canHandleVariableCommunicationStepSize is false), and {} s "
            "are {} steps of {} s; choose --stop or --step so that they are a whole number",
            participant.name(), format_time(plan.stop - plan.start), format_time(steps),
            format_number(plan.step)));
      }
    }
    if (plan.step_tolerance && !participant.saves_states()) {
      refuse(
          fmt::format("{} cannot save its state (canGetAndSetFMUstate), so steps cannot be taken back; leave "
                      "--adaptive out and choose --step",
                      participant.name()));
    }
    auto const* const interface = stepping_interface(system.components[i]);
    if (interface == nullptr) continue;
    auto const internal = interface->attributes.find("fixedInternalStepSize");
    if (internal == interface->attributes.end()) continue;
    double const size = parse_double(internal->second).value_or(0);
    if (!(size > 0) || participant.varies_steps()) continue;
    double const parts = plan.step / size;
    if (parts < 0.5 || std::abs(parts - std::round(parts)) > 1e-6 * parts) {
      refuse(fmt::format(
          "{} makes internal steps of {} s (fixedInternalStepSize), of which a communication step of {} s "
          "is no whole number; choose another --step",
          participant.name(), format_number(size), format_number(plan.step)));
    }
  }
}

std::size_t steps_of_a_row(CosimPlan const& plan) {
  if (!plan.output_step) return 1;
  auto const refuse = [](std::string const& message) { throw CommandError(ExitCode::usage, message); };
  if (!(*plan.output_step > 0))
    refuse(fmt::format("--output-step is {} s; it must be > 0", format_number(*plan.output_step)));
  if (plan.step_tolerance) return 1;
  double const steps = *plan.output_step / plan.step;
  if (steps < 0.5 || std::abs(steps - std::round(steps)) > 1e-6 * steps) {
    refuse(fmt::format(
        "--output-step is {} s, {} communication steps of {} s; it must be a whole number of them",
        format_number(*plan.output_step), format_time(steps), format_number(plan.step)));
  }
  return static_cast<std::size_t>(std::llround(steps));
}

}  // namespace delassus
