#include "fmu/instance/slave.hpp"

#include <algorithm>
#include <cmath>

#include "fmu/instance/sampled_slave.hpp"
#include "fmu/instance/scene_slave.hpp"
#include "fmu/instance/time_resolution.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

using refusal::discard;
using refusal::quoted;
using refusal::refuse;

[[noreturn]] void no_model_exchange() {
  refuse("this FMU does not offer model exchange");
}

std::string_view text(VariableType type) {
  switch (type) {
    case VariableType::real:
      return "a real variable";
    case VariableType::integer:
      return "an integer variable";
    case VariableType::enumeration:
      return "an enumeration";
    case VariableType::clock:
      return "a clock";
  }
  return "?";
}

void check_value(Variable const& variable, int offset, double value) {
  std::string const name = VariableTable::element_name(variable, offset);
  if (!std::isfinite(value))
    discard("variable " + quoted(name) + " was set to " + format_number(value) +
            " and must be a finite number");
  if (variable.enumeration) {
    auto const count = static_cast<double>(variable.enumeration->items.size());
    if (!(value >= 1 && value <= count)) {
      std::string items;
      for (std::size_t i = 0; i < variable.enumeration->items.size(); ++i) {
        items += (i == 0                                       ? ""
                  : i + 1 < variable.enumeration->items.size() ? ", "
                                                               : " or ") +
                 std::to_string(i + 1) + " (" + std::string(variable.enumeration->items[i].name) + ")";
      }
      discard("variable " + quoted(name) + " was set to " + format_number(value) + " and must be " + items);
    }
    return;
  }
  if (!variable.range.contains(value)) {
    discard("variable " + quoted(name) + " was set to " + format_number(value) + " and must be " +
            variable.range.text());
  }
}

// A result that is no number is none: rather no value than a wrong one.
void refuse_not_finite(Variable const& variable, int offset, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    discard("variable " + quoted(VariableTable::element_name(variable, offset + static_cast<int>(i))) +
            " has no finite value, but " + format_number(values[i]) +
            ": an input, a parameter or a state is too large for it, or too small");
  }
}

}  // namespace

std::unique_ptr<Slave> make_slave(std::shared_ptr<const Model> const& model, LogSink log,
                                  SlaveOptions const& options) {
  if (auto scene = std::dynamic_pointer_cast<const SceneModel>(model))
    return std::make_unique<SceneSlave>(std::move(scene), std::move(log), options);
  return std::make_unique<SampledSlave>(std::dynamic_pointer_cast<const ControllerModel>(model),
                                        std::move(log), options);
}

void Slave::setup_experiment(double start, std::optional<double> stop, std::optional<double> tolerance) {
  check_time("the start time", start);
  // Some importers tell an infinite stop time where there is none.
  if (stop && std::isnan(*stop))
    refuse("the stop time is not a number; leave it undefined where there is none");
  if (stop && !(*stop > start)) {
    refuse("the stop time " + format_number(*stop) + " s must be later than the start time " +
           format_number(start) + " s");
  }
  if (tolerance && !(*tolerance > 0))
    refuse("the tolerance is " + format_number(*tolerance) + " and must be > 0");
  state().start = start;
  state().stop = stop;
  start_was_set(tolerance);
}

VariableTable::Element Slave::find(TypeSet types, bool whole_arrays, std::uint32_t reference) const {
  auto const element = model_->table().find(reference);
  if (!element || (whole_arrays && element.offset != 0))
    refuse("no variable has the value reference " + std::to_string(reference));
  if (!types.contains(element.variable->type)) {
    refuse("variable " + quoted(element.variable->name) + " (value reference " + std::to_string(reference) +
           ") is " + std::string(text(element.variable->type)) + "; call the function of that type");
  }
  return element;
}

void Slave::refuse_count(std::size_t value_count, std::string const& name) {
  refuse("there are only " + std::to_string(value_count) + " values, and " + quoted(name) + " needs more");
}

void Slave::refuse_count(std::size_t value_count, std::size_t elements) {
  refuse("there are " + std::to_string(value_count) + " values for variables with " +
         std::to_string(elements) + " elements in total");
}

void Slave::check_count(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                        std::size_t value_count) const {
  visit(types, whole_arrays, references, value_count, [](Variable const&, int, int, std::size_t) {});
}

void Slave::get(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                std::span<double> values) {
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          if (variable.storage == Storage::time) {
            values[position] = time();
          } else if (variable.storage == Storage::clock) {
            if (phase() != Phase::event)
              refuse("clock " + quoted(variable.name) + " can be read in event mode only");
            values[position] = clock_ticks() ? 1 : 0;
          } else {
            std::copy_n(place_of(variable) + offset, count,
                        values.begin() + static_cast<std::ptrdiff_t>(position));
            // Before a run, values that are set one by one need not fit together yet.
            if (runs() && (variable.storage == Storage::output || variable.storage == Storage::derivative))
              refuse_not_finite(variable, offset, values.subspan(position, static_cast<std::size_t>(count)));
          }
        });
}

void Slave::check_settable(Variable const& variable) const {
  // An importer with its own integrator may also set a single state.
  bool const moves = options_.model_exchange && variable.storage == Storage::state &&
                     (phase() == Phase::event || phase() == Phase::continuous);
  if (moves) return;
  if (variable.causality != Causality::parameter && variable.causality != Causality::input) {
    bool const of_scene = variable.variability == Variability::constant;
    refuse("variable " + quoted(variable.name) + " cannot be set: it is " +
           (variable.causality == Causality::output                 ? "an output"
            : variable.causality == Causality::calculated_parameter ? "calculated from other parameters"
            : variable.causality == Causality::independent          ? "the independent variable"
            : of_scene                                              ? "a constant of the scene"
            : variable.storage == Storage::state
                ? "a state, which follows from the initial parameters and the motion"
                : "calculated"));
  }
  if (variable.causality == Causality::parameter && runs() && variable.variability == Variability::fixed) {
    refuse("parameter " + quoted(variable.name) +
           " is fixed: it can be set only before initialisation has ended");
  }
  // FMI 3.0.2, section 4.2.2: during an intermediate update only continuous inputs can be set.
  if (phase() == Phase::intermediate && variable.causality != Causality::input)
    refuse("parameter " + quoted(variable.name) + " cannot be set during an intermediate update");
}

void Slave::set(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                std::span<const double> values) {
  // Everything is checked before anything is changed.
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          check_settable(variable);
          for (int i = 0; i < count; ++i)
            check_value(variable, offset + i, values[position + static_cast<std::size_t>(i)]);
        });
  assign(types, whole_arrays, references, values);
}

void Slave::set_input_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                                  std::span<const double> values) {
  visit(VariableType::real, false, references, values.size(),
        [&](Variable const& variable, int offset, int, std::size_t position) {
          if (variable.causality != Causality::input)
            refuse("variable " + quoted(variable.name) + " is not an input; only inputs are interpolated");
          if (orders[position] < 1 || orders[position] > most_input_derivatives) {
            refuse("the order of a derivative of " + quoted(VariableTable::element_name(variable, offset)) +
                   " is " + std::to_string(orders[position]) + " and must be from 1 to " +
                   std::to_string(most_input_derivatives));
          }
          if (!std::isfinite(values[position]))
            discard("a derivative of input " + quoted(VariableTable::element_name(variable, offset)) +
                    " was set to " + format_number(values[position]) + " and must be a finite number");
        });
  std::size_t const inputs = state().inputs.size();
  int const highest = orders.empty() ? 0 : *std::max_element(orders.begin(), orders.end());
  std::size_t const needed = inputs * static_cast<std::size_t>(highest);
  std::vector<double>& derivatives = state().input_derivatives;
  if (derivatives.size() < needed) derivatives.resize(needed, 0.0);
  visit(VariableType::real, false, references, values.size(),
        [&](Variable const& variable, int offset, int, std::size_t position) {
          std::size_t const row = inputs * static_cast<std::size_t>(orders[position] - 1);
          derivatives[row + static_cast<std::size_t>(variable.index + offset)] = values[position];
        });
  input_derivatives_were_set();
}

double Slave::check_step(double current, double size) const {
  if (!(size > 0) || !std::isfinite(size))
    refuse("the communication step is " + format_number(size) + " s and must be a finite number > 0");
  // Importers add up steps with rounding errors. A deviation of a millionth of a step or a billionth of the
  // time is accepted.
  double const now = time();
  double const tolerance = std::max(1e-9 * std::abs(now), 1e-6 * size);
  if (!(std::abs(current - now) <= tolerance)) {
    refuse("the communication point is " + format_time(current) + " s, but the FMU is at " +
           format_time(now) + " s");
  }
  double const end = current + size;
  if (!(end > now))
    refuse("the communication step " + format_number(size) + " s is too short to change the time " +
           format_number(now) + " s");
  if (state().stop && end > *state().stop + tolerance) {
    refuse("a step to " + format_time(end) + " s passes the stop time " + format_time(*state().stop) + " s");
  }
  return end;
}

void Slave::enter_event_mode() {
  if (phase() == Phase::step && !options_.event_mode)
    refuse("the instance was created without event mode (eventModeUsed is false)");
  state().phase = Phase::event;
  event_mode_was_entered();
}

std::optional<std::vector<double>> Slave::parameters_with(TypeSet types, bool whole_arrays,
                                                          std::span<const std::uint32_t> references,
                                                          std::span<const double> values,
                                                          std::span<const double> parameters) const {
  std::optional<std::vector<double>> wanted;
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          if (variable.storage != Storage::parameter) return;
          if (!wanted) wanted.emplace(parameters.begin(), parameters.end());
          std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(position), count,
                      wanted->begin() + variable.index + offset);
        });
  return wanted;
}

void Slave::check_owner(SlaveState const& given) const {
  if (given.model != model_->hash()) refuse("the FMU state belongs to another model");
  if (given.model_exchange != options_.model_exchange)
    refuse(
        "the FMU state belongs to an instance of the other interface type (co-simulation or model exchange)");
}

void Slave::directional_derivative(bool, std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                                   std::span<const double>, std::span<double>) {
  refuse("this FMU does not offer directional derivatives: its outputs are discrete");
}
void Slave::adjoint_derivative(bool, std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                               std::span<const double>, std::span<double>) {
  refuse("this FMU does not offer adjoint derivatives: its outputs are discrete");
}
void Slave::output_derivatives(bool, std::span<const std::uint32_t>, std::span<const std::int32_t>,
                               std::span<double>) {
  refuse("this FMU does not offer output derivatives: its outputs are discrete");
}

void Slave::set_time(double) {
  no_model_exchange();
}
void Slave::set_states(std::span<const double>) {
  no_model_exchange();
}
void Slave::get_states(std::span<double>) {
  no_model_exchange();
}
void Slave::get_derivatives(std::span<double>) {
  no_model_exchange();
}
void Slave::get_event_indicators(std::span<double>) {
  no_model_exchange();
}
bool Slave::completed_integrator_step() {
  no_model_exchange();
}

}  // namespace delassus
