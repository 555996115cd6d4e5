// A component of a coupled system while it runs: its instance, its connected numbers, its saved states, and failures
// that say whose they are.
#pragma once

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/cosim/wiring.hpp"
#include "tools/import/simulated_instance.hpp"

namespace delassus {

// what() has component and call; the caller, which knows the time, adds it.
class CosimFailure : public std::runtime_error {
 public:
  CosimFailure(Status status, std::string const& message) : std::runtime_error(message), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

// A component that does not take a value that it is given before the run: the value is to be corrected.
class RefusedSetting : public CosimFailure {
 public:
  using CosimFailure::CosimFailure;
};

// What the description says of the interface that makes the steps; null where an integrator of ours does, in Model
// Exchange.
DescribedInterface const* stepping_interface(CosimComponent const& component);

class CosimParticipant {
 public:
  // `wiring` must outlive this.
  CosimParticipant(CosimComponent const& component, std::size_t index, CosimWiring const& wiring,
                   std::unique_ptr<SimulatedInstance> instance);

  std::string const& name() const { return name_; }
  SimulatedInstance& instance() { return *instance_; }
  bool handles_events() const { return step_mode_ != nullptr; }
  StepModeFace& step_mode() { return *step_mode_; }
  bool saves_states() const { return saves_states_; }
  bool varies_steps() const { return varies_steps_; }
  bool interpolates() const { return interpolates_; }
  std::span<const CosimWire> wires() const { return wires_; }

  // Its part of an array of all connected outputs. Throws CosimFailure for a number that is none.
  void read_outputs(std::vector<double>& outputs);
  // Derivatives by time of its continuous outputs, where the FMU has them; the others stay as they are.
  void read_output_slopes(std::vector<double>& slopes);
  // Its part of an array of all connected inputs. Between steps an FMU with event mode takes only the continuous ones.
  void write_inputs(std::vector<double> const& inputs, bool all);
  // Of the continuous inputs, for the next step.
  void write_input_derivatives(int order, std::vector<double> const& values);

  StepOutcome do_step(double current, double size) {
    return guard([&] { return instance_->do_step(current, size); });
  }

  enum class Checkpoint { step, attempt };
  void save(Checkpoint which) {
    guard([&] { instance_->save_state_over(states_[static_cast<std::size_t>(which)]); });
  }
  void restore(Checkpoint which) {
    guard([&] { instance_->restore_state(states_[static_cast<std::size_t>(which)]); });
  }

  // Does something with the instance; what it throws gets this component's name.
  template <typename Action>
  auto guard(Action const& action) -> decltype(action()) {
    try {
      return action();
    } catch (InstanceError const& error) {
      fail(error);
    }
  }

 private:
  [[noreturn]] void fail(InstanceError const& error) const;
  [[noreturn]] void fail_number(std::size_t place, double value) const;

  std::string name_;
  CosimWiring const& wiring_;
  std::unique_ptr<SimulatedInstance> instance_;
  CosimWiring::Range outputs_, inputs_;
  std::size_t continuous_ = 0;
  std::span<const CosimWire> wires_;
  std::unique_ptr<SignalPort> output_port_, input_port_, continuous_port_;
  std::vector<std::uint32_t> derivative_references_;  // of continuous inputs
  std::vector<std::uint32_t> slope_references_;       // of continuous outputs with a derivative
  std::vector<std::size_t> slope_places_;
  std::vector<double> slope_values_;
  StepModeFace* step_mode_ = nullptr;
  bool saves_states_ = false, varies_steps_ = false, interpolates_ = false;
  std::array<SavedState, 2> states_;  // destroyed before the instance
};

}  // namespace delassus
