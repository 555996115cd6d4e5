// An instance around another one, to which everything goes that is not overridden.
#pragma once

#include <memory>

#include "tools/import/simulated_instance.hpp"

namespace delassus {

class DelegatingInstance : public SimulatedInstance {
 public:
  explicit DelegatingInstance(std::unique_ptr<SimulatedInstance> inner)
      : SimulatedInstance(inner->signals()), inner_(std::move(inner)) {}

  void enter_initialization(RunSettings const& settings) override { inner_->enter_initialization(settings); }
  void exit_initialization() override { inner_->exit_initialization(); }
  StepOutcome do_step(double current, double size) override { return inner_->do_step(current, size); }
  void terminate() override { inner_->terminate(); }
  void reset() override { inner_->reset(); }
  void set(std::span<const SignalValue> values) override { inner_->set(values); }
  void set_within_mode(std::span<const SignalValue> values) override { inner_->set_within_mode(values); }
  void get(std::span<const std::size_t> signals, std::span<double> values) override {
    inner_->get(signals, values);
  }
  std::string get_text(std::size_t signal) override { return inner_->get_text(signal); }
  std::unique_ptr<SignalPort> make_port(std::vector<std::size_t> signals) override {
    return inner_->make_port(std::move(signals));
  }
  bool interpolates_inputs() const override { return inner_->interpolates_inputs(); }
  std::vector<std::uint8_t> get_binary(std::size_t signal) override { return inner_->get_binary(signal); }
  void set_binary(std::size_t signal, std::span<const std::uint8_t> bytes) override {
    inner_->set_binary(signal, bytes);
  }
  bool get_clock(std::size_t signal) override { return inner_->get_clock(signal); }
  void set_clock(std::size_t signal, bool ticks) override { inner_->set_clock(signal, ticks); }
  ClockInterval clock_interval(std::size_t signal) override { return inner_->clock_interval(signal); }
  ModelExchangeFace* model_exchange() override { return inner_->model_exchange(); }
  StepModeFace* step_mode() override { return inner_->step_mode(); }
  void directional_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                              std::span<const double> seed, std::span<double> result) override {
    inner_->directional_derivative(unknowns, knowns, seed, result);
  }
  void adjoint_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                          std::span<const double> seed, std::span<double> result) override {
    inner_->adjoint_derivative(unknowns, knowns, seed, result);
  }
  void output_derivatives(std::span<const std::uint32_t> references, int order,
                          std::span<double> values) override {
    inner_->output_derivatives(references, order, values);
  }
  void set_input_derivatives(std::span<const std::uint32_t> references, int order,
                             std::span<const double> values) override {
    inner_->set_input_derivatives(references, order, values);
  }
  bool saves_states() const override { return inner_->saves_states(); }
  bool serializes_states() const override { return inner_->serializes_states(); }
  SavedState save_state() override { return inner_->save_state(); }
  void restore_state(SavedState const& state) override { inner_->restore_state(state); }
  std::vector<std::uint8_t> serialize(SavedState const& state) override { return inner_->serialize(state); }
  SavedState deserialize(std::span<const std::uint8_t> bytes) override { return inner_->deserialize(bytes); }

 protected:
  SimulatedInstance& inner() { return *inner_; }
  SimulatedInstance const& inner() const { return *inner_; }

 private:
  std::unique_ptr<SimulatedInstance> inner_;
};

// Updates the discrete states until the FMU asks for no more. `nominals_changed` and `states_changed` are those
// of all updates together. Throws InstanceError where it does not end, and where the next event is in the past.
EventUpdate iterate_events(EventModeFace& face, double time);

}  // namespace delassus
