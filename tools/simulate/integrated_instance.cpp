#include "tools/simulate/integrated_instance.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/import/delegating_instance.hpp"
#include "tools/simulate/input_lines.hpp"
#include "tools/simulate/ode_integrator.hpp"

namespace delassus {
namespace {

// Events that do not let the time go on.
constexpr int most_events_at_once = 1000;
// Of the derivatives: after so many, a look at how far they have come. A communication step that would take more than the
// other number, of a small model some hours, does not end for its user.
constexpr long evaluations_of_a_look = 1'000'000;
constexpr double most_evaluations_of_a_step = 1e10;

// What the integrator knows beside the FMU's own state.
struct RunState {
  double time = 0, next_event = std::numeric_limits<double>::infinity(), step_size = 0;
};

struct IntegratedState {
  SavedState inner;
  RunState run;
  std::vector<double> inputs;
};

class IntegratedInstance final : public DelegatingInstance {
 public:
  IntegratedInstance(std::unique_ptr<SimulatedInstance> inner, IntegrationSettings const& settings,
                     StateStructure structure)
      : DelegatingInstance(std::move(inner)),
        settings_(settings),
        structure_(std::move(structure)),
        inputs_(signals()) {
    if (model_exchange() == nullptr)
      throw InstanceError(Status::error, "the instance was not made for Model Exchange");
    if (settings.method == OdeMethod::cvode) require_cvode();
  }

  void enter_initialization(RunSettings const& settings) override {
    tolerance_ = settings.tolerance.value_or(settings_.tolerance);
    if (settings_.method != OdeMethod::euler && tolerance_ < least_tolerance)
      throw InstanceError(Status::error,
                          fmt::format("the tolerance {} is less than the rounding of numbers, {:.2g}; choose "
                                      "a larger one, such as 1e-10",
                                      format_number(tolerance_), least_tolerance));
    run_ = {.time = settings.start};
    inputs_ = InputLines(signals());
    told_ = terminated_ = false;
    events_ = 0;
    inner().enter_initialization(settings);
  }

  // Model Exchange goes on in event mode (FMI 2.0.4, 3.2.3; FMI 3.0, 3.2.1).
  void exit_initialization() override {
    inner().exit_initialization();
    make_integrator();
    finish_event(true);
    if (!terminated_) integrator_->restart(run_.time, true);
  }

  StepOutcome do_step(double current, double size) override {
    double const end = current + size;
    if (integrator_) looked_ = {end, run_.time, integrator_->evaluations()};
    int events = 0;
    double last_event = current;
    if (terminated_) return {run_.time, true};
    integrator_->set_step_size(run_.step_size);
    if (inputs_.bent()) integrator_->restart(run_.time, false);
    if (settings_.most_evaluations > 0)
      integrator_->limit_evaluations(integrator_->evaluations() + settings_.most_evaluations);
    while (true) {
      double const stop = std::min(end, run_.next_event);
      auto const reason = stop > run_.time ? integrator_->advance(stop) : OdeIntegrator::Stop::end;
      run_.time = std::max(integrator_->time(), run_.time);
      if (reason == OdeIntegrator::Stop::terminated) return {run_.time, true};
      bool const time_event = run_.time >= run_.next_event;
      if (reason == OdeIntegrator::Stop::end && !time_event) break;
      events = run_.time > last_event ? 0 : events + 1;
      last_event = run_.time;
      if (events > most_events_at_once) {
        throw InstanceError(Status::error, fmt::format("the FMU has more than {} events at {} s",
                                                       most_events_at_once, format_time(run_.time)));
      }
      face().enter_event_mode();
      if (finish_event(false)) return {run_.time, true};
      if (run_.time >= end) break;
    }
    run_.step_size = integrator_->step_size();
    inputs_.hold(run_.time);
    return {end, false};
  }

  void reset() override {
    integrator_.reset();
    inner().reset();
  }

  // A port of the inner instance would pass by `set` below.
  std::unique_ptr<SignalPort> make_port(std::vector<std::size_t> signals) override {
    return make_port_of_set_and_get(std::move(signals));
  }

  // In continuous-time mode only continuous inputs can be set, and of these no jumps: everything else is an event (FMI
  // 2.0.4, 3.2.1; FMI 3.0, 3.1.1).
  void set(std::span<const SignalValue> values) override {
    if (values.empty()) return;
    bool event = false;
    for (auto const& value : values) event |= is_jump(value);
    bool const running = integrator_ != nullptr;
    if (!running) {
      inner().set(values);
      note_inputs(values);
    } else if (event) {
      face().enter_event_mode();
      inner().set(values);
      note_inputs(values);
      finish_event(false);
    } else {
      set_within_mode(values);
    }
  }

  // What changes nothing is not set: it may be discrete.
  void set_within_mode(std::span<const SignalValue> values) override {
    std::vector<SignalValue> changed;
    for (auto const& value : values) {
      if (inputs_.value_at(value.signal, run_.time) != std::get<double>(value.value))
        changed.push_back(value);
    }
    note_inputs(values);
    if (changed.empty()) return;
    inner().set(changed);
    if (integrator_) integrator_->restart(run_.time, false);
  }

  bool interpolates_inputs() const override { return true; }
  void set_input_derivatives(std::span<const std::uint32_t> references, int order,
                             std::span<const double> values) override {
    inputs_.set_derivatives(references, order, values, run_.time);
  }

  // Who goes on from here and who comes back to here go the same way, to the bit: both without the past of the
  // integrator.
  SavedState save_state() override {
    auto const state =
        std::make_shared<IntegratedState>(IntegratedState{inner().save_state(), run_, inputs_.saved()});
    if (integrator_ && settings_.method == OdeMethod::cvode) integrator_->restart(run_.time, false);
    return state;
  }
  void save_state_over(SavedState& state) override { state = save_state(); }
  void restore_state(SavedState const& state) override {
    auto const& saved = *static_cast<IntegratedState const*>(state.get());
    inner().restore_state(saved.inner);
    run_ = saved.run;
    inputs_.restore(saved.inputs);
    terminated_ = false;
    if (!integrator_) make_integrator();
    integrator_->restart(run_.time, true);
  }
  std::vector<std::uint8_t> serialize(SavedState const& state) override {
    auto const& saved = *static_cast<IntegratedState const*>(state.get());
    auto bytes = inner().serialize(saved.inner);
    std::vector<std::uint8_t> own;
    auto const add = [&own](auto const& value) {
      auto const raw = std::bit_cast<std::array<std::uint8_t, sizeof value>>(value);
      own.insert(own.end(), raw.begin(), raw.end());
    };
    add(saved.run);
    add(static_cast<std::uint64_t>(saved.inputs.size()));
    for (double const value : saved.inputs) add(value);
    bytes.insert(bytes.begin(), own.begin(), own.end());
    return bytes;
  }
  SavedState deserialize(std::span<const std::uint8_t> bytes) override {
    auto const take = [&bytes](auto& value) {
      if (bytes.size() < sizeof value) throw InstanceError(Status::error, "the state is cut");
      std::memcpy(&value, bytes.data(), sizeof value);
      bytes = bytes.subspan(sizeof value);
    };
    IntegratedState state;
    take(state.run);
    std::uint64_t count = 0;
    take(count);
    if (count > bytes.size() / sizeof(double)) throw InstanceError(Status::error, "the state is cut");
    state.inputs.resize(count);
    for (double& value : state.inputs) take(value);
    state.inner = inner().deserialize(bytes);
    return std::make_shared<IntegratedState>(std::move(state));
  }

  IntegrationCounts counts() const { return {integrator_ ? integrator_->counts() : OdeCounts(), events_}; }

 private:
  ModelExchangeFace& face() { return *model_exchange(); }

  void make_integrator() {
    OdeSettings ode{.method = settings_.method,
                    .tolerances = {tolerance_, settings_.absolute_tolerance.value_or(tolerance_)},
                    .fixed_step = settings_.fixed_step,
                    .goes_back = settings_.goes_back};
    OdeKnowledge knowledge;
    if (structure_.size == face().state_count()) {
      knowledge.pattern = structure_.dependencies;
      if (structure_.directional_derivatives) {
        knowledge.product = [this](std::span<const double> direction, std::span<double> change) {
          inner().directional_derivative(structure_.derivatives, structure_.states, direction, change);
        };
      }
    }
    knowledge.at_time = [this](double time) {
      if (inputs_.moves()) inner().set(inputs_.values_at(time));
    };
    knowledge.after_step = [this] {
      tell_what_takes_long();
      demand_progress();
    };
    integrator_ = std::make_unique<OdeIntegrator>(face(), ode, std::move(knowledge));
  }

  bool is_jump(SignalValue const& value) {
    auto const* const number = std::get_if<double>(&value.value);
    if (number == nullptr) return true;
    double present = 0;
    return inputs_.jumps(value.signal, *number, run_.time, [&] {
      if (integrator_ == nullptr) return *number;
      inner().get({&value.signal, 1}, {&present, 1});
      return present;
    });
  }

  void note_inputs(std::span<const SignalValue> values) {
    for (auto const& value : values) {
      if (auto const* const number = std::get_if<double>(&value.value))
        inputs_.set(value.signal, *number, run_.time);
    }
  }

  // From event mode to continuous-time mode; true where the FMU ends the run.
  bool finish_event(bool initial) {
    if (!initial) ++events_;
    EventUpdate const update = iterate_events(face(), run_.time);
    terminated_ = update.terminate;
    if (update.terminate) return true;
    run_.next_event = update.next_event_time.value_or(std::numeric_limits<double>::infinity());
    face().enter_continuous_time_mode();
    integrator_->restart(run_.time, initial || update.nominals_changed);
    return false;
  }

  void demand_progress() {
    long const spent = integrator_->evaluations() - looked_.evaluations;
    if (spent < evaluations_of_a_look) return;
    double const time = integrator_->time(), come = time - looked_.time, left = looked_.end - looked_.time;
    if (come * most_evaluations_of_a_step < left * static_cast<double>(spent)) {
      throw InstanceError(
          Status::error,
          fmt::format("the integrator came from {} s only {:.2g} s further in {} evaluations of the "
                      "derivatives, and would take {:.1g} of them until {} s; {}",
                      format_time(looked_.time), come, spent,
                      left / std::max(come, 1e-300) * static_cast<double>(spent), format_time(looked_.end),
                      settings_.method == OdeMethod::euler ? "choose a longer step of euler"
                      : settings_.method == OdeMethod::dopri5
                          ? "choose a larger tolerance, or --solver cvode for a stiff model"
                          : "choose a larger tolerance"));
    }
    looked_.time = time;
    looked_.evaluations = integrator_->evaluations();
  }

  // Once: a run that crawls says why, and what there is to do.
  void tell_what_takes_long() {
    if (told_ || !settings_.log) return;
    constexpr long many_steps = 2000, many_events = 20'000;
    auto const done = integrator_->counts();
    if (events_ >= many_events) {
      told_ = true;
      settings_.log(
          {Status::warning, "",
           fmt::format("the FMU had {} events until {} s: an event indicator that stays near zero makes one "
                       "after the other, and each takes time",
                       events_, format_time(integrator_->time()))});
    }
    if (done.stiff_steps < many_steps) return;
    told_ = true;
    settings_.log(
        {Status::warning, "",
         fmt::format("the model is stiff: until {} s {} of {} steps were as short as the stability of the "
                     "explicit integrator demands, not its accuracy; --solver cvode takes longer ones{}",
                     format_time(integrator_->time()), done.stiff_steps, done.steps,
                     has_cvode() ? "" : " (this program was built without it)")});
  }

  IntegrationSettings settings_;
  StateStructure structure_;
  InputLines inputs_;
  std::unique_ptr<OdeIntegrator> integrator_;
  RunState run_;
  double tolerance_ = 1e-6;
  bool told_ = false, terminated_ = false;
  long events_ = 0;
  // When progress was looked at last, in the present step.
  struct Looked {
    double end = 0, time = 0;  // s
    long evaluations = 0;
  } looked_;
};

}  // namespace

std::unique_ptr<SimulatedInstance> make_integrated_instance(std::unique_ptr<SimulatedInstance> instance,
                                                            IntegrationSettings const& settings,
                                                            StateStructure structure) {
  return std::make_unique<IntegratedInstance>(std::move(instance), settings, std::move(structure));
}

std::optional<IntegrationCounts> integration_counts(SimulatedInstance const& instance) {
  auto const* const integrated = dynamic_cast<IntegratedInstance const*>(&instance);
  return integrated == nullptr ? std::nullopt : std::optional(integrated->counts());
}

}  // namespace delassus
