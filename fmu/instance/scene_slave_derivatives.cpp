// Derivatives of an instance: turns value references into directions, and rates back into values by
// reference.
#include <algorithm>
#include <cmath>
#include <set>

#include "fmu/instance/derivatives.hpp"
#include "fmu/instance/scene_slave.hpp"
#include "model/scene/decimal_times.hpp"

namespace delassus {
namespace {

using refusal::refuse;

// An element of an unknown or known variable, and its position in the values of the call.
struct Wanted {
  Variable const* variable = nullptr;
  int offset = 0;
};

std::vector<Wanted> elements_of(VariableTable const& table, std::span<const std::uint32_t> references,
                                bool whole_arrays, std::size_t value_count, char const* role) {
  std::vector<Wanted> elements;
  for (std::uint32_t const reference : references) {
    auto const [variable, offset] = table.find(reference);
    if (!variable || (whole_arrays && offset != 0))
      refuse("no variable has the value reference " + std::to_string(reference));
    for (int i = 0; i < (whole_arrays ? variable->size : 1); ++i) elements.push_back({variable, offset + i});
    if (elements.size() > value_count) break;  // a number that only the importer says
  }
  if (elements.size() != value_count) {
    refuse("there are " + std::to_string(value_count) + " values for " + role + " with " +
           (elements.size() > value_count ? "at least " : "") + std::to_string(elements.size()) +
           " elements in total");
  }
  return elements;
}

void check_known(Variable const& variable, Phase phase) {
  bool const initial = phase == Phase::initialization;
  std::string const name = "variable '" + variable.name + "'";
  if (variable.type != VariableType::real)
    refuse(name + " is not real: there is no derivative with respect to it");
  if (variable.causality == Causality::input || variable.causality == Causality::independent) return;
  if (variable.storage == Storage::state && !initial) return;
  if (variable.causality == Causality::parameter) {
    if (initial || variable.variability == Variability::tunable) return;
    refuse(name + " is a fixed parameter: after initialisation there is no derivative with respect to it");
  }
  refuse(name + " is not an input" + (initial ? " or parameter" : ", state or tunable parameter") +
         ": there is no derivative with respect to it");
}

void check_unknown(Variable const& variable, OutputDefinition const* output) {
  std::string const name = "variable '" + variable.name + "'";
  if (variable.type != VariableType::real)
    refuse(name + " is discrete and has no derivative; only real variables have");
  bool const calculated = variable.causality == Causality::calculated_parameter ||
                          variable.storage == Storage::derivative || variable.storage == Storage::state;
  if (!calculated && !(output && output->evaluate.differentiable()))
    refuse(
        name +
        " is not a continuous output, state, state derivative or calculated parameter: it has no derivative");
}

}  // namespace

OutputDefinition const* SceneSlave::output_at(Variable const& variable) const {
  if (variable.storage != Storage::output) return nullptr;
  int first = 0;
  for (OutputDefinition const& output : model_->outputs()) {
    if (first == variable.index) return &output;
    first += output.size;
  }
  return nullptr;
}

// Adds `seed` times the direction of one element of a known variable.
void SceneSlave::add_to_direction(Variable const& variable, int offset, double seed,
                                  Direction& direction) const {
  auto const index = static_cast<std::size_t>(variable.index + offset);
  switch (variable.storage) {
    case Storage::time:
      direction.time += seed;
      break;
    case Storage::parameter:
      direction.parameter[index] += seed;
      break;
    case Storage::input:
      // Without feedthrough, outputs depend on an input only after the next step.
      if (model_->scene().interface.feedthrough) direction.input[index] += seed;
      break;
    case Storage::state:
      if (index < direction.q.size()) {
        direction.q[index] += seed;
      } else {
        direction.v[index - direction.q.size()] += seed;
      }
      break;
    case Storage::setting:  // the tolerance has no effect at an instant
      if (setting_names[index] == "step") direction.step += seed;
      break;
    default:
      break;
  }
}

// The rates of all elements of an unknown variable along the last direction.
void SceneSlave::rates_of(Variable const& variable, Derivatives& derivatives, std::span<double> rates) const {
  if (variable.storage == Storage::parameter) {
    std::copy_n(derivatives.parameter_rate().begin() + variable.index, rates.size(), rates.begin());
    return;
  }
  if (variable.storage == Storage::state) {
    for (std::size_t i = 0; i < rates.size(); ++i)
      rates[i] = derivatives.state_rate(static_cast<std::size_t>(variable.index) + i);
    return;
  }
  if (variable.storage == Storage::derivative) {
    std::span<const double> const qdot = derivatives.qdot_rate(), vdot = derivatives.vdot_rate();
    auto const first = static_cast<std::size_t>(variable.index);
    auto const from = first < qdot.size() ? qdot.subspan(first) : vdot.subspan(first - qdot.size());
    std::copy_n(from.begin(), rates.size(), rates.begin());
    return;
  }
  derivatives.output(*output_at(variable), rates);
}

template <class Action>
void SceneSlave::with_derivatives(Action const& action) {
  Dynamics const& dynamics = observe();
  Instant const at = instant();
  bool const at_start = state_.phase == Phase::initialization;
  if (at_start) initial_motion();  // the projection may be that of other parameters, before a rollback
  Derivatives derivatives(*model_, dynamics, stepper_->settings().law, at, at_start ? &projection_ : nullptr);
  action(derivatives, dynamics);
  if (log_ && derivatives.contradicts() &&
      state_.told.note(
          {"redundant constraints contradicted each other along a direction", true, true, "", ""}, time())) {
    log_(Status::warning, "logContact",
         "along one direction redundant constraints contradict each other at t = " + format_time(time()) +
             " s: their forces have no derivative, and the least-squares value is returned");
  }
  if (!log_ || derivatives.edges().empty()) return;
  std::set<std::string> names;
  for (BlockIdentity const identity : derivatives.edges())
    names.insert(model_->system().block_name(identity));
  std::string list;
  for (std::string const& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  log_(Status::ok, "logContact",
       list + " changes its mode at t = " + format_time(time()) +
           " s: the derivatives are one-sided and belong to the mode on the side of the seed");
}

void SceneSlave::directional_derivative(bool whole_arrays, std::span<const std::uint32_t> unknowns,
                                        std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                        std::span<double> sensitivity) {
  auto const known = elements_of(model_->table(), knowns, whole_arrays, seed.size(), "known variables"),
             unknown = elements_of(model_->table(), unknowns, whole_arrays, sensitivity.size(),
                                   "unknown variables");
  for (Wanted const& each : known) check_known(*each.variable, state_.phase);
  for (Wanted const& each : unknown) check_unknown(*each.variable, output_at(*each.variable));
  for (double const value : seed) {
    if (!std::isfinite(value)) throw SlaveError(Status::discard, "a seed is not a finite number");
  }
  with_derivatives([&](Derivatives& derivatives, Dynamics const&) {
    Direction direction(model_->scene(), state_.parameters.size());
    for (std::size_t i = 0; i < known.size(); ++i)
      add_to_direction(*known[i].variable, known[i].offset, seed[i], direction);
    derivatives.take(direction);
    read_rates(derivatives, unknown, sensitivity);
  });
}

// Rates of several elements. Each variable is evaluated once for consecutive elements.
template <class Elements>
void SceneSlave::read_rates(Derivatives& derivatives, Elements const& elements,
                            std::span<double> rates) const {
  std::vector<double> all;
  Variable const* current = nullptr;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].variable != current) {
      current = elements[i].variable;
      all.resize(static_cast<std::size_t>(current->size));
      rates_of(*current, derivatives, all);
    }
    rates[i] = all[static_cast<std::size_t>(elements[i].offset)];
  }
}

void SceneSlave::adjoint_derivative(bool whole_arrays, std::span<const std::uint32_t> unknowns,
                                    std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                    std::span<double> sensitivity) {
  auto const known =
                 elements_of(model_->table(), knowns, whole_arrays, sensitivity.size(), "known variables"),
             unknown = elements_of(model_->table(), unknowns, whole_arrays, seed.size(), "unknown variables");
  for (Wanted const& each : known) check_known(*each.variable, state_.phase);
  for (Wanted const& each : unknown) check_unknown(*each.variable, output_at(*each.variable));
  for (double const value : seed) {
    if (!std::isfinite(value)) throw SlaveError(Status::discard, "a seed is not a finite number");
  }
  // One direction for each element of the knowns, with one factorisation for all.
  with_derivatives([&](Derivatives& derivatives, Dynamics const&) {
    std::vector<double> rates(unknown.size());
    for (std::size_t i = 0; i < known.size(); ++i) {
      Direction direction(model_->scene(), state_.parameters.size());
      add_to_direction(*known[i].variable, known[i].offset, 1, direction);
      derivatives.take(direction);
      read_rates(derivatives, unknown, rates);
      sensitivity[i] = 0;
      for (std::size_t k = 0; k < rates.size(); ++k) sensitivity[i] += seed[k] * rates[k];
    }
  });
}

void SceneSlave::output_derivatives(bool whole_arrays, std::span<const std::uint32_t> references,
                                    std::span<const std::int32_t> orders, std::span<double> values) {
  if (orders.size() != references.size())
    refuse("there are " + std::to_string(orders.size()) + " orders for " + std::to_string(references.size()) +
           " variables");
  auto const unknown = elements_of(model_->table(), references, whole_arrays, values.size(), "variables");
  for (std::int32_t const order : orders) {
    if (order != 1)
      refuse("the order of a derivative is " + std::to_string(order) +
             " and must be 1 (maxOutputDerivativeOrder)");
  }
  for (Wanted const& each : unknown) {
    if (each.variable->causality != Causality::output)
      refuse("variable '" + each.variable->name + "' is not an output; only outputs have time derivatives");
    check_unknown(*each.variable, output_at(*each.variable));
  }
  with_derivatives([&](Derivatives& derivatives, Dynamics const& dynamics) {
    // Along the motion: qdot, vdot, and inputs that are constant during a step.
    Direction direction(model_->scene(), state_.parameters.size());
    model_->system().configuration_rate(instant(), direction.q);
    std::copy(dynamics.vdot().begin(), dynamics.vdot().end(), direction.v.begin());
    direction.time = 1;
    derivatives.take(direction);
    read_rates(derivatives, unknown, values);
  });
}

}  // namespace delassus
