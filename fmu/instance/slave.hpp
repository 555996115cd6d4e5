// An instance of an FMU: parameters, inputs, outputs, time, a life cycle and saved states. It does not depend
// on the FMI version: fmu/fmi2 and fmu/fmi3 are its two interfaces, and a C++ program can use it directly.
// SceneSlave (scene_slave.hpp) simulates a scene, SampledSlave (sampled_slave.hpp) is a controller.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fmu/content/model.hpp"
#include "fmu/instance/refusal.hpp"
#include "fmu/instance/slave_state.hpp"
#include "fmu/instance/status.hpp"

namespace delassus {

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

// How an importer uses an instance.
struct SlaveOptions {
  bool model_exchange = false;
  bool event_mode = false;    // co-simulation: events are handled in event mode
  bool early_return = false;  // co-simulation: a step may end at an event
};

// The result of a step.
struct StepResult {
  double time = 0;     // s, the time reached
  bool event = false;  // the importer has to enter event mode
  bool early = false;  // the step ended before its end
};

// Called during a step after each internal step, with its time. The instance is then in Phase::intermediate,
// at that time. The callback may request that the step ends at `time` or as soon as possible after it.
struct IntermediateAnswer {
  bool return_early = false;
  double time = 0;
};
using IntermediateUpdate = std::function<IntermediateAnswer(double time)>;

// The result of an update in event mode: the time of the next event, if known, and whether another update is
// needed.
struct DiscreteUpdate {
  std::optional<double> next;
  bool again = false;
  bool states_changed = false;  // model exchange: an impact has changed velocities
};

class Slave {
 public:
  Slave(std::shared_ptr<const Model> model, LogSink log, SlaveOptions const& options)
      : model_(std::move(model)), log_(std::move(log)), options_(options) {}
  Slave(Slave const&) = delete;
  Slave& operator=(Slave const&) = delete;
  virtual ~Slave() = default;

  Model const& model() const { return *model_; }
  SlaveOptions const& options() const { return options_; }
  Phase phase() const { return state().phase; }
  virtual double time() const = 0;

  // What to log besides warnings: events, and statistics of the solver for each step.
  virtual void set_tracing(bool, bool) {}

  // Before initialisation. Controllers ignore the tolerance.
  void setup_experiment(double start, std::optional<double> stop, std::optional<double> tolerance);
  void enter_initialization() { state().phase = Phase::initialization; }
  virtual void exit_initialization() = 0;
  void terminate() {
    run_ends();
    state().phase = Phase::terminated;
  }
  virtual void reset() = 0;

  // Values by value reference, in the order of the references. `types` must contain the types of the
  // variables. With `whole_arrays` (FMI 3) a reference stands for a variable with all its elements, without
  // it (FMI 2) for one element. Throws SlaveError and changes nothing if a reference, type, count, value or
  // the phase is wrong.
  void get(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
           std::span<double> values);
  void set(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
           std::span<const double> values);
  // Throws SlaveError if a reference or type is wrong, or the variables have another number of elements than
  // `value_count`. An importer's array is not touched before, and no memory is taken for a number that only the
  // importer says.
  void check_count(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                   std::size_t value_count) const;

  // Derivatives of inputs from the present communication point on, by the references of elements: `orders`
  // from 1 to most_input_derivatives. They hold for the next step. After it, the inputs keep the values that
  // they have reached.
  void set_input_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                             std::span<const double> values);

  // Derivatives at the present instant. `seed` has a number for each element of the knowns, `sensitivity` for
  // each of the unknowns; in the adjoint it is the other way round. Time derivatives are those of outputs,
  // all of order 1.
  virtual void directional_derivative(bool whole_arrays, std::span<const std::uint32_t> unknowns,
                                      std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                      std::span<double> sensitivity);
  virtual void adjoint_derivative(bool whole_arrays, std::span<const std::uint32_t> unknowns,
                                  std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                  std::span<double> sensitivity);
  virtual void output_derivatives(bool whole_arrays, std::span<const std::uint32_t> references,
                                  std::span<const std::int32_t> orders, std::span<double> values);

  // Advances from `current` by `size`, s. If it throws SlaveError, the state is unchanged.
  virtual StepResult do_step(double current, double size, IntermediateUpdate const& intermediate = {}) = 0;

  // Event mode, of both interface types. `update_discrete_states` ends one iteration and deactivates the
  // clock.
  void enter_event_mode();
  virtual DiscreteUpdate update_discrete_states() = 0;
  virtual void leave_event_mode() = 0;  // to step mode or continuous-time mode
  virtual bool clock_ticks() const { return false; }

  // Model exchange: the importer integrates x' = f(x, u, t).
  virtual std::size_t states() const { return 0; }
  virtual std::size_t event_indicators() const { return 0; }
  virtual void set_time(double t);
  virtual void set_states(std::span<const double> x);
  virtual void get_states(std::span<double> x);
  virtual void get_derivatives(std::span<double> xdot);
  virtual void get_event_indicators(std::span<double> values);
  virtual bool completed_integrator_step();  // true: the importer has to enter event mode

  virtual std::unique_ptr<SlaveState> take_state() const = 0;
  virtual void put_state(SlaveState const& state) = 0;  // throws SlaveError if it belongs to another model
  // Throws std::runtime_error if the bytes are not a state, and SlaveError as above.
  virtual std::unique_ptr<SlaveState> read_state(std::string_view bytes) const = 0;

 protected:
  virtual SlaveState& state() = 0;
  virtual SlaveState const& state() const = 0;
  virtual void start_was_set(std::optional<double>) {}  // with the importer's tolerance
  virtual void event_mode_was_entered() {}
  virtual void run_ends() {}
  virtual void input_derivatives_were_set() {}
  // For reading; null if nothing can be read.
  virtual double const* place_of(Variable const& variable) = 0;
  // Called after everything was checked.
  virtual void assign(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                      std::span<const double> values) = 0;

  // Calls visitor(variable, first element, number of elements, position in the values) for each reference,
  // after its type and the number of values have been checked.
  template <class Visitor>
  void visit(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
             std::size_t value_count, Visitor const& visitor) const {
    std::size_t position = 0;
    for (std::uint32_t const reference : references) {
      auto const [variable, offset] = find(types, whole_arrays, reference);
      std::size_t const count = whole_arrays ? static_cast<std::size_t>(variable->size) : 1;
      if (position + count > value_count) refuse_count(value_count, variable->name);
      visitor(*variable, offset, static_cast<int>(count), position);
      position += count;
    }
    if (position != value_count) refuse_count(value_count, position);
  }

  // These parameters, updated with those of the values that belong to parameters; empty if none does.
  std::optional<std::vector<double>> parameters_with(TypeSet types, bool whole_arrays,
                                                     std::span<const std::uint32_t> references,
                                                     std::span<const double> values,
                                                     std::span<const double> parameters) const;

  double check_step(double current, double size) const;  // returns its end
  void check_owner(SlaveState const& state) const;       // throws unless it belongs to this model

  bool runs() const {
    return (static_cast<unsigned>(phase()) &
            (static_cast<unsigned>(Phase::step) | static_cast<unsigned>(Phase::event) |
             static_cast<unsigned>(Phase::continuous) | static_cast<unsigned>(Phase::intermediate))) != 0;
  }
  LogSink const& log() const { return log_; }

 private:
  VariableTable::Element find(TypeSet types, bool whole_arrays, std::uint32_t reference) const;
  [[noreturn]] static void refuse_count(std::size_t value_count, std::string const& name);
  [[noreturn]] static void refuse_count(std::size_t value_count, std::size_t elements);
  void check_settable(Variable const& variable) const;

  std::shared_ptr<const Model> model_;
  LogSink log_;
  SlaveOptions options_;
};

inline constexpr int most_input_derivatives = 3;

// Of the kind of the model.
std::unique_ptr<Slave> make_slave(std::shared_ptr<const Model> const& model, LogSink log,
                                  SlaveOptions const& options = {});

}  // namespace delassus
