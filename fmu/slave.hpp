// The co-simulation slave: one simulated scene with parameters, inputs, outputs, time and a life cycle. It
// knows no FMI version; fmi2_functions.cpp and fmi3_functions.cpp are its two faces, and a C++ program can
// use it directly.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fmu/model.hpp"
#include "fmu/snapshot.hpp"
#include "solver/stepper.hpp"

namespace delassus {

struct Direction;
class Derivatives;

enum class Status { ok, warning, discard, error, fatal };

// A refused request: the instance is as it was before. The message names the thing, its value and the rule.
class SlaveError : public std::runtime_error {
 public:
  SlaveError(Status status, std::string const& message) : std::runtime_error(message), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

using LogSink = std::function<void(Status, std::string_view category, std::string const& message)>;

// One or several types: FMI 2 reads integers and enumerations with one function.
class TypeSet {
 public:
  TypeSet(VariableType type) : bits_(bit(type)) {}  // NOLINT: a type is a set of one
  friend TypeSet operator|(TypeSet a, TypeSet b) {
    a.bits_ |= b.bits_;
    return a;
  }
  bool contains(VariableType type) const { return (bits_ & bit(type)) != 0; }

 private:
  static unsigned bit(VariableType type) { return 1U << static_cast<unsigned>(type); }
  unsigned bits_;
};

// How a host means to use an instance.
struct SlaveOptions {
  bool model_exchange = false;
  bool event_mode = false;    // co-simulation: contact events are handled in event mode
  bool early_return = false;  // co-simulation: a step may end at a contact event
};

// What a step came to.
struct StepResult {
  double time = 0;     // s, that was reached
  bool event = false;  // the host has to enter event mode
  bool early = false;  // the step ended before its end
};

// Called during a step after each internal step, with its time; the slave is then in Phase::intermediate, at that time. May ask
// for the step to end, at `time` or as soon as possible after it.
struct IntermediateAnswer {
  bool return_early = false;
  double time = 0;
};
using IntermediateUpdate = std::function<IntermediateAnswer(double time)>;

class Slave {
 public:
  Slave(std::shared_ptr<const Model> model, LogSink log, SlaveOptions const& options = {});

  Model const& model() const { return *model_; }
  SlaveOptions const& options() const { return options_; }
  Phase phase() const { return state_.phase; }
  double time() const {
    return runs() || state_.phase == Phase::terminated ? stepper_->time() : state_.start;
  }

  // What to tell the log beyond warnings: changes of contact mode, and the work of the solver in each step.
  void set_tracing(bool events, bool work) {
    trace_events_ = events && log_;
    trace_work_ = work && log_;
  }

  // Before initialisation; the tolerance, where given, overrules the scene's unless the user set
  // solver.tolerance.
  void setup_experiment(double start, std::optional<double> stop, std::optional<double> tolerance);
  void enter_initialization();
  void exit_initialization();
  void terminate();
  void reset();

  // Values by value reference, in the order of the references; `types` must hold the variables' own. With
  // `whole_arrays` (FMI 3) a reference is a variable and takes as many values as it has elements; without
  // (FMI 2) it is one element. Throws SlaveError and changes nothing where a reference, type, count, value or
  // the moment is wrong.
  void get(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
           std::span<double> values);
  void set(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
           std::span<const double> values);

  // Derivatives of inputs from the present communication point on, by the references of elements: `orders` from
  // 1 to most_input_derivatives. They hold for the next step; after it the inputs stay at what they came to.
  void set_input_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                             std::span<const double> values);

  // Derivatives at the present instant, exact through the contact solution in its present modes (slave_derivatives.cpp):
  // of outputs and calculated parameters with respect to inputs and tunable parameters, in initialisation to all
  // parameters. `seed` has a number for each element of the knowns, `sensitivity` for each of the unknowns; in the adjoint
  // it is the other way about, at the cost of a direction for each element of the knowns. At a change of mode they are
  // one-sided, and the log says so.
  void directional_derivative(bool whole_arrays, std::span<const std::uint32_t> unknowns,
                              std::span<const std::uint32_t> knowns, std::span<const double> seed,
                              std::span<double> sensitivity);
  void adjoint_derivative(bool whole_arrays, std::span<const std::uint32_t> unknowns,
                          std::span<const std::uint32_t> knowns, std::span<const double> seed,
                          std::span<double> sensitivity);
  // Of outputs by time, along the motion. Each order is 1.
  void output_derivatives(bool whole_arrays, std::span<const std::uint32_t> references,
                          std::span<const std::int32_t> orders, std::span<double> values);

  // The contact problem at the present instant, as the stepper would solve it next. Holds until the next call.
  ContactProblem const& contact_problem();

  // Advances from `current` by `size`, s. Throws SlaveError with the state untouched.
  StepResult do_step(double current, double size, IntermediateUpdate const& intermediate = {});

  // Event mode, of both kinds. `update_discrete_states` ends an instant in it; a clock that ticked is silent then.
  void enter_event_mode();
  void update_discrete_states();
  void leave_event_mode();  // to step mode or continuous-time mode
  bool clock_ticks() const { return state_.clock_ticks; }

  // Model exchange: the host integrates x' = f(x, u, t).
  std::size_t states() const { return stepper_->state().x.size(); }
  std::size_t event_indicators() const { return stepper_->mode_functions().count(); }
  void set_time(double t);
  void set_states(std::span<const double> x);
  void get_states(std::span<double> x);
  void get_derivatives(std::span<double> xdot);
  void get_event_indicators(std::span<double> values);
  bool completed_integrator_step();  // true: the host has to enter event mode

  Snapshot snapshot() const;
  void restore(Snapshot const& snapshot);  // throws SlaveError where it belongs to another model

 private:
  template <class Visitor>
  void visit(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
             std::size_t value_count, Visitor const& visitor) const;
  void check_settable(Variable const& variable) const;
  void check_value(Variable const& variable, int offset, double value) const;
  double const* place_of(Variable const& variable);     // to read
  double* settable_place_of(Variable const& variable);  // parameters, settings, inputs
  void set_state_elements(Variable const& variable, int offset, std::span<const double> values);

  bool runs() const {
    return state_.phase == Phase::step || state_.phase == Phase::event || state_.phase == Phase::continuous ||
           state_.phase == Phase::intermediate;
  }
  // Discrete outputs keep their values between the events that the host handles.
  bool holds_discrete_outputs() const {
    return state_.phase == Phase::continuous || (options_.event_mode && state_.phase == Phase::step);
  }
  void hold_discrete_outputs();
  bool discrete_outputs_changed();

  void make_stepper();
  void use_initial_state();
  void forget_observation();  // something has changed at the present instant
  Dynamics const& observe();  // the present instant
  Instant instant() const;    // what outputs see
  void refresh_outputs();
  void refresh_on_request(Variable const& variable);     // after refresh_outputs
  double check_step(double current, double size) const;  // answers with its end
  void note_events(std::vector<ModeEvent> const& events);
  void report_step(StepReport const& report);
  void report_paradox(ParadoxEvent const& event);
  OutputDefinition const* output_at(Variable const& variable) const;
  void add_to_direction(Variable const& variable, int offset, double seed, Direction& direction) const;
  void rates_of(Variable const& variable, Derivatives& derivatives, std::span<double> rates) const;
  template <class Elements>
  void read_rates(Derivatives& derivatives, Elements const& elements, std::span<double> rates) const;
  template <class Action>
  void with_derivatives(Action const& action);

  std::shared_ptr<const Model> model_;
  LogSink log_;
  SlaveOptions options_;
  Snapshot state_;  // without the stepper's part, which lives in stepper_
  std::unique_ptr<Stepper> stepper_;
  std::vector<double> outputs_, derivatives_, indicators_;
  bool observed_ = false;  // the stepper's dynamics are those of the present instant
  bool outputs_current_ = false, derivatives_current_ = false, indicators_current_ = false;
  struct OnRequest {
    OutputDefinition const* definition = nullptr;
    bool current = false;
  };
  std::map<int, OnRequest> on_request_;  // by their first element in outputs_
  std::vector<int> discrete_outputs_;    // elements of outputs_
  bool trace_events_ = false, trace_work_ = false;
};

inline constexpr int most_input_derivatives = 3;

}  // namespace delassus
