// Something that runs in steps: an instance of an FMI 2 or FMI 3 FMU, or a scene or controller in this process. The
// commands see only this interface and do not know which one they run.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "fmu/instance/status.hpp"
#include "tools/import/instance_interfaces.hpp"
#include "tools/import/signal_port.hpp"
#include "tools/import/signal_table.hpp"

namespace delassus {

struct ContactProblem;
class Model;

struct LogMessage {
  Status status = Status::ok;
  std::string category;
  std::string text;
};
using InstanceLog = std::function<void(LogMessage const&)>;

// A call that the instance refused or failed in; what() names the call and has the messages that the instance
// logged.
class InstanceError : public std::runtime_error {
 public:
  InstanceError(Status status, std::string const& message) : std::runtime_error(message), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

struct SignalValue {
  std::size_t signal = 0;
  std::variant<double, std::string> value;
};

struct RunSettings {
  double start = 0;
  std::optional<double> stop, tolerance;
};

struct StepOutcome {
  double time = 0;          // that was reached
  bool terminated = false;  // the instance asks to end the run
  bool event = false;       // FMI 3: the instance asks for event mode
  bool early = false;       // FMI 3: the step ended before its end
  // FMI 3: what the instance calls its own time. Without an early return, too, it may be another than the end of the step (4.2.1).
  double own_time = std::numeric_limits<double>::quiet_NaN();
};

// The whole state of an instance; released before the instance is.
using SavedState = std::shared_ptr<void>;

class SimulatedInstance {
 public:
  explicit SimulatedInstance(SignalTable signals) : signals_(std::move(signals)) {}
  virtual ~SimulatedInstance() = default;
  SimulatedInstance(SimulatedInstance const&) = delete;
  SimulatedInstance& operator=(SimulatedInstance const&) = delete;

  SignalTable const& signals() const { return signals_; }

  // All of them throw InstanceError. Values may be set before and after enter_initialization and between
  // steps, as the variability of each allows, and be read from enter_initialization on.
  virtual void enter_initialization(RunSettings const& settings) = 0;
  virtual void exit_initialization() = 0;
  virtual StepOutcome do_step(double current, double size) = 0;
  virtual void terminate() = 0;
  virtual void reset() = 0;

  virtual void set(std::span<const SignalValue> values) = 0;
  // Of Model Exchange: continuous inputs without an event, for who varies them within the present mode, as for
  // differences. Otherwise as `set`.
  virtual void set_within_mode(std::span<const SignalValue> values) { set(values); }
  virtual void get(std::span<const std::size_t> signals, std::span<double> values) = 0;
  virtual std::string get_text(std::size_t signal) = 0;
  // For a master that reads and writes the same numbers in every step. Must not outlive the instance.
  virtual std::unique_ptr<SignalPort> make_port(std::vector<std::size_t> signals);

  // FMI 3: values of Binary variables and clocks. By default there are none.
  virtual std::vector<std::uint8_t> get_binary(std::size_t signal) { refuse(signal, "binary values"); }
  virtual void set_binary(std::size_t signal, std::span<const std::uint8_t>) {
    refuse(signal, "binary values");
  }
  virtual bool get_clock(std::size_t signal) { refuse(signal, "clocks"); }
  virtual void set_clock(std::size_t signal, bool) { refuse(signal, "clocks"); }
  virtual ClockInterval clock_interval(std::size_t signal) { refuse(signal, "clocks"); }

  // Null where the instance was not made for it.
  virtual ModelExchangeFace* model_exchange() { return nullptr; }
  virtual StepModeFace* step_mode() { return nullptr; }

  // Partial derivatives by value reference; an array counts with all of its elements. `seed` has the elements
  // of the knowns (of the unknowns for the adjoint), `result` those of the others.
  virtual void directional_derivative(std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                                      std::span<const double>, std::span<double>) {
    throw InstanceError(Status::error, "there are no directional derivatives here");
  }
  virtual void adjoint_derivative(std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                                  std::span<const double>, std::span<double>) {
    throw InstanceError(Status::error, "there are no adjoint derivatives here");
  }
  // With respect to time, of order 1 and more, of scalar variables. Derivatives of inputs hold for the next step.
  virtual bool interpolates_inputs() const { return false; }
  virtual void output_derivatives(std::span<const std::uint32_t>, int, std::span<double>) {
    throw InstanceError(Status::error, "there are no derivatives of outputs here");
  }
  virtual void set_input_derivatives(std::span<const std::uint32_t>, int, std::span<const double>) {
    throw InstanceError(Status::error, "there are no derivatives of inputs here");
  }

  // The contact problem at the present time; holds until the next call. FMI has no words for it: an FMU throws.
  virtual ContactProblem const& contact_problem() {
    throw InstanceError(Status::error, "an FMU does not show its contact problems");
  }

  virtual bool saves_states() const = 0;  // as the description declares
  virtual bool serializes_states() const = 0;
  virtual SavedState save_state() = 0;
  // Into a state that was saved before, or a new one; spares memory that would be given back and asked for again.
  virtual void save_state_over(SavedState& state) { state = save_state(); }
  virtual void restore_state(SavedState const& state) = 0;
  virtual std::vector<std::uint8_t> serialize(SavedState const& state) = 0;
  virtual SavedState deserialize(std::span<const std::uint8_t> bytes) = 0;

 protected:
  // A port that uses the `set` and `get` of this very instance, which make_port of a derived class may pass by.
  std::unique_ptr<SignalPort> make_port_of_set_and_get(std::vector<std::size_t> signals);

 private:
  [[noreturn]] void refuse(std::size_t signal, std::string const& what) const {
    throw InstanceError(Status::error, signals_[signal].name + ": there are no " + what + " here");
  }

  SignalTable signals_;
};

// The log of an instance and what it said last: only the status of a refused call would tell a user nothing.
class InstanceLogBook {
 public:
  explicit InstanceLogBook(InstanceLog sink) : sink_(std::move(sink)) {}
  void add(LogMessage message);
  void start_call() { of_this_call_.clear(); }
  std::string of_this_call() const;  // warnings and worse, joined; empty where there are none

 private:
  InstanceLog sink_;
  std::vector<LogMessage> of_this_call_;
};

std::string_view status_name(Status status);

}  // namespace delassus
