#include "tools/check/exercise_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/scene/decimal_times.hpp"
#include "tools/check/check_rules.hpp"
#include "tools/simulate/integrated_instance.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

constexpr std::size_t most_said_steps = 50;
// Where the description has no step: as many as other importers make, which is what exporters have tried.
constexpr std::size_t most_unsaid_steps = 500;

// For a check a rough solution does: whether two runs are the same does not depend on it.
IntegrationSettings rough_integration(OdeMethod solver) {
  return {.tolerance = 1e-4, .method = solver, .most_evaluations = 20'000};
}

std::optional<double> number(std::optional<std::string> const& text) {
  return text ? parse_double(*text) : std::nullopt;
}

}  // namespace

Timeline timeline_of(ModelDescription const& description, InterfaceKind kind) {
  ModelDescription::Experiment const experiment =
      description.default_experiment.value_or(ModelDescription::Experiment{});
  Timeline timeline;
  timeline.start = number(experiment.start_time).value_or(0);
  timeline.is_guess = !number(experiment.stop_time) && !number(experiment.step_size);
  double const duration = number(experiment.stop_time).value_or(timeline.start + 1) - timeline.start;
  if (!std::isfinite(duration) || !(duration > 0)) return {};
  auto const step = number(experiment.step_size);
  timeline.step = step.value_or(duration / most_unsaid_steps);
  auto const* const interface = description.interface(std::string(interface_element(kind)));
  if (interface != nullptr && interface->attributes.contains("fixedInternalStepSize")) {
    double const fixed = parse_double(interface->attributes.at("fixedInternalStepSize")).value_or(0);
    // A long experiment of short internal steps is looked at only in its beginning.
    if (fixed > 0) {
      double const parts = std::clamp(std::round(timeline.step / fixed), 1.0, step ? 1e6 : 100.0);
      timeline.step = fixed * parts;
    }
  }
  if (!(timeline.step > 0) || !std::isfinite(timeline.step)) return {};
  auto const most = static_cast<double>(step ? most_said_steps : most_unsaid_steps);
  timeline.steps =
      static_cast<std::size_t>(std::clamp(std::floor(duration / timeline.step + 1e-9), 1.0, most));
  return timeline;
}

ExerciseContext::ExerciseContext(ImportedFmu& checked, InterfaceKind checked_kind,
                                 ExerciseReport const& report, OdeMethod chosen_solver)
    : fmu(checked),
      description(checked.description()),
      interface(*description.interface(std::string(interface_element(checked_kind)))),
      kind(checked_kind),
      solver(chosen_solver),
      timeline(timeline_of(description, checked_kind)),
      signals(description),
      report_(report) {
  for (std::size_t i = 0; i < signals.signals().size(); ++i) {
    Signal const& signal = signals[i];
    // A clocked variable has a value only while its clock ticks (FMI 3.0, 2.2.9).
    if (description.variables[signal.variable].clocks) continue;
    if (signal.is_number()) numbers.push_back(i);
    if (signal.type == "String") texts.push_back(i);
    if (signal.type == "Binary") binaries.push_back(i);
  }
  for (std::size_t i = 0; i < signals.signals().size(); ++i) {
    if (signals[i].type == "Clock") clocks.push_back(i);
  }
}

ExerciseContext::~ExerciseContext() {
  try {
    stage("ending");
  } catch (std::exception const&) {
    // The channel to the parent is gone: there is nothing to report to.
  }
}

void ExerciseContext::check_environment() const {
  auto const changes = environment_.changes();
  for (auto const& change : changes) {
    if (!changes_found_.insert(change).second) continue;
    find("environment-kept", fmt::format("{} after {}", change, stage_),
         "leave the importer's process as it was: restore before the call returns what has to be changed");
  }
  if (!changes.empty()) environment_.restore();
}

void ExerciseContext::stage(std::string const& what) {
  check_environment();
  stage_ = what;
  report_.stage(kind == InterfaceKind::model_exchange ? what + " (Model Exchange)" : what);
}

void ExerciseContext::find(std::string const& rule, std::string const& what,
                           std::string const& remedy) const {
  std::string const message = rule == "run-succeeds" ? fmt::format("while {}: {}", stage_, what) : what;
  report_.finding({rule, check_rule(rule).severity, "", 0,
                   kind == InterfaceKind::model_exchange ? "Model Exchange: " + message : message, remedy});
}

void ExerciseContext::find(std::vector<Finding> const& findings) const {
  for (auto const& finding : findings) find(finding.rule, finding.message, finding.remedy);
}

bool ExerciseContext::declares(std::string const& fmi2, std::string const& fmi3) const {
  auto const& name = description.version == 2 ? fmi2 : fmi3;
  return !name.empty() && interface.flag(name);
}

bool ExerciseContext::attempt(std::string const& rule, std::string const& remedy,
                              std::function<void()> const& work) const {
  try {
    work();
    return true;
  } catch (InstanceError const& error) {
    // What a later instance does says nothing of an FMU that can be instantiated once in a process.
    bool const once = declares("canBeInstantiatedOnlyOncePerProcess", "canBeInstantiatedOnlyOncePerProcess");
    if (!once || instances_ <= 1 || rule == "reset-reproduces") find(rule, error.what(), remedy);
    return false;
  }
}

InstanceRequest ExerciseContext::request(std::string const& name) {
  InstanceRequest request;
  request.name = name;
  request.kind = kind;
  request.log = [this](LogMessage const& message) {
    if (message.status == Status::ok && chatter_.size() < 10) chatter_.push_back(message.text);
  };
  return request;
}

std::unique_ptr<SimulatedInstance> ExerciseContext::instantiate(std::string const& name) {
  return instantiate(request(name));
}

std::unique_ptr<SimulatedInstance> ExerciseContext::instantiate(InstanceRequest const& wanted) {
  InstanceRequest request = wanted;
  if (request.logging_on) {
    request.log = [this](LogMessage const& message) { logged_categories_.insert(message.category); };
  }
  ++instances_;
  auto instance = fmu.instantiate(request);
  check_environment();
  return kind == InterfaceKind::model_exchange
             ? make_integrated_instance(std::move(instance), rough_integration(solver))
             : std::move(instance);
}

void ExerciseContext::initialise(SimulatedInstance& instance) const {
  instance.enter_initialization({timeline.start, std::nullopt, std::nullopt});
  instance.exit_initialization();
  check_environment();
}

Values ExerciseContext::read(SimulatedInstance& instance) const {
  Values values(numbers.size());
  instance.get(numbers, values);
  for (auto const index : texts) instance.get_text(index);
  for (auto const index : binaries) instance.get_binary(index);
  return values;
}

bool ExerciseContext::step(SimulatedInstance& instance, std::size_t k, double* own_time) const {
  StepOutcome const outcome = instance.do_step(timeline.time(k), timeline.step);
  if (own_time != nullptr) *own_time = outcome.own_time;
  if (outcome.terminated) return false;
  double const end = timeline.time(k) + timeline.step;
  if (outcome.early && std::abs(outcome.time - end) > 1e-9 * std::max(1.0, std::abs(end))) {
    throw StepEndedEarly(Status::error,
                         fmt::format("a step to {} s ended early at {} s, which was not allowed",
                                     format_time(end), format_time(outcome.time)));
  }
  return true;
}

Trajectory ExerciseContext::run_from(SimulatedInstance& instance, std::size_t first) const {
  Trajectory trajectory{read(instance)};
  for (std::size_t k = first; k < timeline.steps; ++k) {
    if (!step(instance, k)) break;
    trajectory.push_back(read(instance));
  }
  return trajectory;
}

}  // namespace delassus
