// What an instance of an FMU can do beyond steps: the words of Model Exchange, event mode and clocks that both
// versions of FMI share. The checker, `simulate --interface me` and a master see these and not the version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace delassus {

enum class InterfaceKind { co_simulation, model_exchange };

// The name of its element in a description: CoSimulation, ModelExchange.
inline constexpr std::string_view interface_element(InterfaceKind kind) {
  return kind == InterfaceKind::co_simulation ? "CoSimulation" : "ModelExchange";
}

// What one update of the discrete states tells.
struct EventUpdate {
  bool again = false;  // another update at the same instant
  bool terminate = false;
  bool nominals_changed = false, states_changed = false;
  std::optional<double> next_event_time = std::nullopt;
};

// Event mode: of Model Exchange, and of FMI 3 co-simulation where it was asked for.
class EventModeFace {
 public:
  virtual void enter_event_mode() = 0;
  virtual EventUpdate update_discrete_states() = 0;

 protected:
  ~EventModeFace() = default;
};

struct IntegratorStepAnswer {
  bool enter_event_mode = false, terminate = false;
};

class ModelExchangeFace : public EventModeFace {
 public:
  virtual std::size_t state_count() = 0;      // as the FMU says (FMI 3) or the description (FMI 2)
  virtual std::size_t indicator_count() = 0;  // likewise
  virtual void enter_continuous_time_mode() = 0;
  virtual void set_time(double time) = 0;
  virtual void set_states(std::span<const double> states) = 0;
  virtual void get_states(std::span<double> states) = 0;
  virtual void get_derivatives(std::span<double> derivatives) = 0;
  virtual void get_indicators(std::span<double> indicators) = 0;
  virtual void get_nominals(std::span<double> nominals) = 0;
  virtual IntegratorStepAnswer completed_integrator_step(bool no_rollback) = 0;

 protected:
  ~ModelExchangeFace() = default;
};

// FMI 3 co-simulation with event mode: between steps and events.
class StepModeFace : public EventModeFace {
 public:
  virtual void enter_step_mode() = 0;

 protected:
  ~StepModeFace() = default;
};

// What an FMU tells from inside of a step (FMI 3.0, 4.2.2).
struct IntermediateMoment {
  double time = 0;
  bool set_requested = false, get_allowed = false, step_finished = false, can_return_early = false;
};
// The time at which the step shall end early, or nothing.
using IntermediateHandler = std::function<std::optional<double>(IntermediateMoment const&)>;

struct ClockInterval {
  double interval = 0;  // s
  enum class Known { not_yet, unchanged, changed } known = Known::not_yet;
};

}  // namespace delassus
