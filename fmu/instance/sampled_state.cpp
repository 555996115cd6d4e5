// The state of a controller as bytes. Increase `sampled_seal.version` with every change of the struct.
#include "fmu/instance/sampled_state.hpp"

#include <cmath>

#include "fmu/content/parameter_check.hpp"
#include "fmu/content/portable_bytes.hpp"
#include "fmu/content/sealed_bytes.hpp"
#include "fmu/instance/state_check.hpp"
#include "model/control/control_law.hpp"

namespace delassus {
namespace {

constexpr SealKind sampled_seal{"DELSAMPL", 1, "FMU state"};

}  // namespace

template <class Archive>
void serialize(Archive& archive, SampledState& s) {
  archive(s.model, s.model_exchange, s.phase, s.start, s.stop, s.parameters, s.inputs, s.input_derivatives,
          s.t, s.next, s.law, s.outputs, s.shown);
}

std::string SampledState::bytes() const {
  return seal(sampled_seal, to_bytes(*this));
}

void check_sampled_state(ControllerModel const& model, SampledState const& s) {
  constexpr std::int64_t most_samples = std::int64_t{1} << 53U;  // counted exactly by doubles
  Controller const& controller = model.controller();
  check_state(s, controller.parameters, controller.inputs.size());
  demand_in_state(!s.model_exchange && s.phase != Phase::continuous, "a controller offers no model exchange");
  demand_in_state(std::isfinite(s.t), "its time is not finite");
  demand_in_state(s.next >= 0 && s.next <= most_samples, "its number of samples is none");
  check_size("values of outputs", s.outputs.size(), controller.outputs.size());
  check_size("shown values of outputs", s.shown.size(), controller.outputs.size());
  if (has_run(s.phase) || !s.law.empty()) check_size("states", s.law.size(), model.law().state_size());
  try {
    check_finite(s.law, "a state");
    check_finite(s.outputs, "an output");
    check_finite(s.shown, "an output");
  } catch (std::runtime_error const& error) {
    refuse_state(error.what());
  }
  if (!has_run(s.phase)) return;
  if (std::string const problem = problem_with_parameters(controller, s.parameters); !problem.empty())
    refuse_state(problem);
}

SampledState read_sampled_state(std::string_view bytes) {
  return from_bytes<SampledState>(unseal(sampled_seal, bytes), sampled_seal.name);
}

}  // namespace delassus
