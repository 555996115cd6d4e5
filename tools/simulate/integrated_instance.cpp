#include "tools/simulate/integrated_instance.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "model/scene/decimal_times.hpp"
#include "tools/import/delegating_instance.hpp"
#include "tools/simulate/ode_integrator.hpp"

namespace delassus {
namespace {

// Events that do not let the time go on.
constexpr int most_events_at_once = 1000;

// What the integrator knows beside the FMU's own state.
struct RunState {
  double time = 0, next_event = std::numeric_limits<double>::infinity(), step_size = 0;
};

struct IntegratedState {
  SavedState inner;
  RunState run;
};

class IntegratedInstance final : public DelegatingInstance {
 public:
  IntegratedInstance(std::unique_ptr<SimulatedInstance> inner, IntegrationSettings const& settings)
      : DelegatingInstance(std::move(inner)), settings_(settings) {
    if (model_exchange() == nullptr)
      throw InstanceError(Status::error, "the instance was not made for Model Exchange");
  }

  void enter_initialization(RunSettings const& settings) override {
    tolerance_ = settings.tolerance.value_or(settings_.tolerance);
    run_ = {.time = settings.start};
    inner().enter_initialization(settings);
  }

  // Model Exchange goes on in event mode (FMI 2.0.4, 3.2.3; FMI 3.0, 3.2.1).
  void exit_initialization() override {
    inner().exit_initialization();
    integrator_ = std::make_unique<OdeIntegrator>(face(), tolerance_, true, settings_.goes_back);
    finish_event(true);
    integrator_->restart(run_.time, true);
  }

  StepOutcome do_step(double current, double size) override {
    double const end = current + size;
    int events = 0;
    double last_event = current;
    integrator_->set_step_size(run_.step_size);
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
  // In continuous-time mode continuous inputs can be set, everything else only in event mode.
  void set(std::span<const SignalValue> values) override {
    if (values.empty()) return;
    if (!integrator_) {
      inner().set(values);
      return;
    }
    bool needs_event = false;
    for (auto const& value : values) needs_event |= signals()[value.signal].variability != "continuous";
    if (needs_event) face().enter_event_mode();
    inner().set(values);
    if (needs_event) finish_event(false);
    integrator_->restart(run_.time, false);
  }

  SavedState save_state() override {
    return std::make_shared<IntegratedState>(IntegratedState{inner().save_state(), run_});
  }
  void restore_state(SavedState const& state) override {
    auto const& saved = *static_cast<IntegratedState const*>(state.get());
    inner().restore_state(saved.inner);
    run_ = saved.run;
    if (!integrator_)
      integrator_ = std::make_unique<OdeIntegrator>(face(), tolerance_, true, settings_.goes_back);
    integrator_->restart(run_.time, true);
  }
  std::vector<std::uint8_t> serialize(SavedState const& state) override {
    auto const& saved = *static_cast<IntegratedState const*>(state.get());
    auto bytes = inner().serialize(saved.inner);
    auto const own = std::bit_cast<std::array<std::uint8_t, sizeof(RunState)>>(saved.run);
    bytes.insert(bytes.begin(), own.begin(), own.end());
    return bytes;
  }
  SavedState deserialize(std::span<const std::uint8_t> bytes) override {
    if (bytes.size() < sizeof(RunState)) throw InstanceError(Status::error, "the state is cut");
    IntegratedState state;
    std::memcpy(&state.run, bytes.data(), sizeof(RunState));
    state.inner = inner().deserialize(bytes.subspan(sizeof(RunState)));
    return std::make_shared<IntegratedState>(std::move(state));
  }

 private:
  ModelExchangeFace& face() { return *model_exchange(); }

  // From event mode to continuous-time mode; true where the FMU ends the run.
  bool finish_event(bool nominals_changed) {
    EventUpdate const update = iterate_events(face(), run_.time);
    if (update.terminate) return true;
    run_.next_event = update.next_event_time.value_or(std::numeric_limits<double>::infinity());
    face().enter_continuous_time_mode();
    integrator_->restart(run_.time, nominals_changed || update.nominals_changed);
    return false;
  }

  IntegrationSettings settings_;
  std::unique_ptr<OdeIntegrator> integrator_;
  RunState run_;
  double tolerance_ = 1e-6;
};

}  // namespace

std::unique_ptr<SimulatedInstance> make_integrated_instance(std::unique_ptr<SimulatedInstance> instance,
                                                            IntegrationSettings const& settings) {
  return std::make_unique<IntegratedInstance>(std::move(instance), settings);
}

}  // namespace delassus
