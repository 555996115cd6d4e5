#include "tools/analyse/scene_instant.hpp"

#include <fmt/format.h>

#include <utility>

#include "model/language/vocabulary.hpp"
#include "tools/import/signal_table.hpp"

namespace delassus {

SceneInstant::SceneInstant(std::shared_ptr<const SceneModel> const& model)
    : slave_(model, {}), dynamics_(model->system()) {
  for (Variable const& variable : model->table().variables()) {
    for (int i = 0; i < variable.size; ++i)
      by_name_[VariableTable::element_name(variable, i)] = {&variable, i};
  }
  slave_.setup_experiment(model->table().default_experiment().start, {}, {});
  slave_.enter_initialization();
  start();
}

VariableTable::Element SceneInstant::element(std::string const& name) const {
  if (auto const found = by_name_.find(name); found != by_name_.end()) return found->second;
  std::vector<std::string_view> names;
  for (auto const& [known, place] : by_name_) names.push_back(known);
  throw UnknownSignal(fmt::format("the model has no variable '{}'{}", name, suggested_names(name, names)));
}

bool SceneInstant::can_be_set(std::string const& name) const {
  Causality const causality = element(name).variable->causality;
  return causality == Causality::parameter || causality == Causality::input;
}

bool SceneInstant::is_output(std::string const& name) const {
  return element(name).variable->causality == Causality::output;
}

UnitId SceneInstant::unit_of(std::string const& name) const {
  return element(name).variable->unit;
}

void SceneInstant::set(std::string const& name, double value) {
  set(std::map<std::string, double>{{name, value}});
}

void SceneInstant::set(std::map<std::string, double> const& values) {
  if (slave_.phase() != Phase::initialization) {
    // Back to the start with the values as they are.
    Snapshot const before = state_;
    slave_.reset();
    slave_.setup_experiment(before.start, {}, {});
    slave_.enter_initialization();
    Snapshot fresh = slave_.snapshot();
    fresh.parameters = before.parameters;
    fresh.inputs = before.inputs;
    fresh.settings = before.settings;
    fresh.motion_current = false;
    slave_.restore(fresh);
  }
  for (auto const& [name, value] : values) {
    auto const [variable, offset] = element(name);
    std::uint32_t const reference = variable->value_reference + static_cast<std::uint32_t>(offset);
    slave_.set(variable->type, false, {&reference, 1}, {&value, 1});
  }
  start();
}

void SceneInstant::start() {
  slave_.contact_problem();  // the state that the parameters ask for
  take_state();
}

void SceneInstant::run_to(double time) {
  if (slave_.phase() == Phase::initialization) slave_.exit_initialization();
  if (time > slave_.time()) slave_.do_step(slave_.time(), time - slave_.time());
  take_state();
}

void SceneInstant::take_state() {
  state_ = slave_.snapshot();
  auto const n = static_cast<std::ptrdiff_t>(scene().configuration_size);
  q_.assign(state_.stepper.x.begin(), state_.stepper.x.begin() + n);
  v_.assign(state_.stepper.x.begin() + n, state_.stepper.x.end());
  evaluated_ = false;
}

void SceneInstant::place(std::span<const double> q, std::span<const double> v) {
  q_.assign(q.begin(), q.end());
  v_.assign(v.begin(), v.end());
  evaluated_ = false;
}

Dynamics const& SceneInstant::dynamics() {
  if (!evaluated_) {
    StepperSettings const stepper = settings();
    SolveSettings solve;
    solve.law = stepper.law;
    solve.rule = stepper.rule;
    solve.least_norm = true;
    dynamics_.evaluate(instant(), observed_relaxation(stepper), solve, state_.stepper.lambda);
    evaluated_ = true;
  }
  return dynamics_;
}

double SceneInstant::output(std::string const& name) {
  auto const [variable, offset] = element(name);
  int first = 0;  // of the definition among all outputs; a scene may have given it another name
  for (auto const& definition : model().outputs()) {
    int const present = std::exchange(first, first + definition.size);
    if (variable->storage != Storage::output || variable->index != present) continue;
    std::vector<double> values(static_cast<std::size_t>(definition.size));
    Instant const at = instant();
    definition.evaluate({model().system(), at, dynamics()}, values);
    return values[static_cast<std::size_t>(offset)];
  }
  throw UnknownSignal("'" + name + "' is no output");
}

}  // namespace delassus
