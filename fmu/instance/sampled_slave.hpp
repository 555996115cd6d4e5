// An instance of a sampled controller. Its samples are at start + k sample_time, k = 0, 1, ..., whatever the
// communication steps are. The instant comes from a counter and decimal numbers, not from a sum. A sample sees
// the inputs of its instant:
//
// - Without event mode (FMI 2, or FMI 3 without it), a step from t to t + h takes the samples in [t, t + h),
//   with the inputs set at t (extrapolated by their derivatives, if given). The outputs after the step are
//   those of its last sample. With h = sample_time, an importer that steps the controller before the plant has
//   a loop without delay; one that steps both in parallel has a delay of one step. Neither needs an iteration.
// - With event mode (FMI 3), every sample is a time event: update_discrete_states takes it, with the inputs set
//   in event mode, and announces the next one. A step ends at a sample if it may end early; otherwise it takes
//   the samples inside it on the way.
//
// No output depends on an input between two samples. Before the first sample the output is `initial_output`.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fmu/content/controller_model.hpp"
#include "fmu/instance/sampled_state.hpp"
#include "fmu/instance/slave.hpp"
#include "model/scene/decimal_times.hpp"

namespace delassus {

class SampledSlave final : public Slave {
 public:
  SampledSlave(std::shared_ptr<const ControllerModel> model, LogSink log, SlaveOptions const& options = {});

  ControllerModel const& model() const { return *model_; }
  double time() const override {
    return runs() || state_.phase == Phase::terminated ? state_.t : state_.start;
  }

  void exit_initialization() override;
  void reset() override;
  StepResult do_step(double current, double size, IntermediateUpdate const& intermediate = {}) override;
  DiscreteUpdate update_discrete_states() override;
  void leave_event_mode() override { state_.phase = Phase::step; }

  std::unique_ptr<SlaveState> take_state() const override { return std::make_unique<SampledState>(state_); }
  void put_state(SlaveState const& state) override;
  std::unique_ptr<SlaveState> read_state(std::string_view bytes) const override;

 private:
  SlaveState& state() override { return state_; }
  SlaveState const& state() const override { return state_; }
  double const* place_of(Variable const& variable) override;
  void assign(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
              std::span<const double> values) override;

  void check_samples(double end) const;
  double sample_time() const { return state_.parameters[sample_time_]; }
  double next_instant() const { return instants_.after(static_cast<double>(state_.next)); }
  void use_sample_time() { instants_ = {state_.start, sample_time()}; }
  void take_sample(std::span<const double> inputs);
  void show_initial_outputs();

  std::shared_ptr<const ControllerModel> model_;
  std::size_t sample_time_, initial_output_;
  SampledState state_;
  DecimalTimes instants_{0, 1};  // of the samples: from the start and sample_time
  std::vector<double> buffer_;
};

}  // namespace delassus
