// An instance of a scene: a stepper advances it, and outputs are evaluated from the solved contact problem.
//
// A getter may solve one: a step ends with the state that it reached, and the forces and modes of that instant are those of a
// contact problem that the stepper would solve next. The first getter after a step, a changed value or a restored state
// solves it; all others until the next change read what it found.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmu/content/scene_model.hpp"
#include "fmu/instance/slave.hpp"
#include "fmu/instance/snapshot.hpp"
#include "solver/time/stepper.hpp"
#include "solver/time/velocity_projection.hpp"

namespace delassus {

struct Direction;
class Derivatives;

class SceneSlave final : public Slave {
 public:
  SceneSlave(std::shared_ptr<const SceneModel> model, LogSink log, SlaveOptions const& options = {});

  SceneModel const& model() const { return *model_; }
  double time() const override {
    return runs() || state_.phase == Phase::terminated ? stepper_->time() : state_.start;
  }
  void set_tracing(bool events, bool work) override {
    trace_events_ = events && log_;
    trace_work_ = work && log_;
  }

  void exit_initialization() override;
  void reset() override;

  // Derivatives are exact, through the contact solution in its present modes (scene_slave_derivatives.cpp):
  // of outputs and calculated parameters with respect to inputs and tunable parameters, during initialisation
  // with respect to all parameters. The adjoint costs one direction for each element of the knowns. At a
  // change of mode they are one-sided, and the log says so. Time derivatives of outputs are taken along the
  // motion.
  void directional_derivative(bool whole_arrays, std::span<const std::uint32_t> unknowns,
                              std::span<const std::uint32_t> knowns, std::span<const double> seed,
                              std::span<double> sensitivity) override;
  void adjoint_derivative(bool whole_arrays, std::span<const std::uint32_t> unknowns,
                          std::span<const std::uint32_t> knowns, std::span<const double> seed,
                          std::span<double> sensitivity) override;
  void output_derivatives(bool whole_arrays, std::span<const std::uint32_t> references,
                          std::span<const std::int32_t> orders, std::span<double> values) override;

  // The contact problem at the present instant: the one that the stepper solves next. Valid until the next
  // call.
  ContactProblem const& contact_problem();

  StepResult do_step(double current, double size, IntermediateUpdate const& intermediate = {}) override;

  DiscreteUpdate update_discrete_states() override;
  void leave_event_mode() override;
  bool clock_ticks() const override { return state_.clock_ticks; }

  std::size_t states() const override { return stepper_->state().x.size(); }
  std::size_t event_indicators() const override {
    return static_cast<std::size_t>(model_->table().event_indicators());
  }
  void set_time(double t) override;
  void set_states(std::span<const double> x) override;
  void get_states(std::span<double> x) override;
  void get_derivatives(std::span<double> xdot) override;
  void get_event_indicators(std::span<double> values) override;
  bool completed_integrator_step() override;

  Snapshot snapshot() const;
  void restore(Snapshot const& snapshot);  // throws SlaveError if it belongs to another model
  std::unique_ptr<SlaveState> take_state() const override;
  void put_state(SlaveState const& state) override;
  std::unique_ptr<SlaveState> read_state(std::string_view bytes) const override;

 private:
  SlaveState& state() override { return state_; }
  SlaveState const& state() const override { return state_; }
  // The importer's tolerance overrides that of the scene, unless solver.tolerance was set.
  void start_was_set(std::optional<double> tolerance) override;
  void event_mode_was_entered() override;
  void run_ends() override;  // tells the sums of messages that were repeated
  void input_derivatives_were_set() override;
  double const* place_of(Variable const& variable) override;
  void assign(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
              std::span<const double> values) override;

  double* settable_place_of(Variable const& variable);  // parameters, settings, inputs
  void set_state_elements(Variable const& variable, int offset, std::span<const double> values);

  // Discrete outputs keep their values between the events that the importer handles.
  bool holds_discrete_outputs() const {
    return !state_.held_outputs.empty() &&
           (state_.phase == Phase::continuous || (options().event_mode && state_.phase == Phase::step));
  }
  void hold_discrete_outputs();
  bool discrete_outputs_changed();

  std::unique_ptr<Stepper> stepper_of(SettingValues const& values) const;
  void make_stepper();
  void take_over(Snapshot const& snapshot);  // the whole of it, or it throws and changes nothing
  struct Motion {
    std::vector<double> q, v;
  };
  Motion initial_motion();  // with velocities that the joints allow
  void use_initial_state();
  // Both at the start, of what the stepper does not know.
  void warn_of_lost_bounces() const;
  void warn_of_idle_settings() const;
  std::string start_correction() const;  // in words; empty: the velocities are as they were given
  void forget_observation();             // something has changed at the present instant
  Dynamics const& observe();             // the present instant
  Instant instant() const;               // the instant that outputs refer to
  void refresh_outputs();
  void refresh_on_request(Variable const& variable);  // after refresh_outputs
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

  std::shared_ptr<const SceneModel> model_;
  LogSink const& log_ = Slave::log();
  Snapshot state_;  // without the stepper's part, which lives in stepper_
  std::unique_ptr<Stepper> stepper_;
  VelocityProjection projection_{model_->system()};  // of the velocities at the start
  VelocityProjection::Result projected_;
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

}  // namespace delassus
