#include "fmu/instance/state_check.hpp"

#include <cmath>

#include "fmu/content/parameter_check.hpp"
#include "fmu/instance/refusal.hpp"
#include "fmu/instance/slave.hpp"

namespace delassus {
namespace {

bool is_phase_of(Phase phase, bool model_exchange) {
  switch (phase) {
    case Phase::instantiated:
    case Phase::initialization:
    case Phase::event:
    case Phase::terminated:
      return true;
    case Phase::step:
      return !model_exchange;
    case Phase::continuous:
      return model_exchange;
    case Phase::intermediate:
      break;  // no state can be taken there
  }
  return false;
}

}  // namespace

void refuse_state(std::string const& reason) {
  refusal::refuse("the FMU state cannot be that of an instance of this FMU: " + reason);
}

void demand_in_state(bool holds, char const* reason) {
  if (!holds) refuse_state(reason);
}

void check_size(char const* what, std::size_t size, std::size_t wanted) {
  if (size == wanted) return;
  refuse_state("it has " + std::to_string(size) + " " + what + " instead of " + std::to_string(wanted));
}

void check_state(SlaveState const& state, std::vector<Parameter> const& parameters, std::size_t inputs) {
  demand_in_state(is_phase_of(state.phase, state.model_exchange), "its phase of the life cycle is none");
  demand_in_state(std::isfinite(state.start), "its start time is not finite");
  demand_in_state(!state.stop || *state.stop > state.start, "its stop time is not after its start time");
  std::size_t values = 0;
  for (Parameter const& parameter : parameters) values += parameter.values.size();
  check_size("values of parameters", state.parameters.size(), values);
  check_size("values of inputs", state.inputs.size(), inputs);
  std::size_t const rates = state.input_derivatives.size();
  demand_in_state(
      rates == 0 || (inputs > 0 && rates % inputs == 0 && rates / inputs <= most_input_derivatives),
      "its derivatives of inputs are not as many as its inputs");
  try {
    check_parameter_values(parameters, state.parameters);
    check_finite(state.inputs, "an input");
    check_finite(state.input_derivatives, "a derivative of an input");
  } catch (std::runtime_error const& error) {
    refuse_state(error.what());
  }
}

}  // namespace delassus
