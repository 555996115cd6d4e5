// A scene of the library, run in process by names: what most tests of the model, the steppers and the slave
// need.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "fmu/instance/scene_slave.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {

inline std::shared_ptr<const SceneModel> example_model(std::string const& name) {
  return std::make_shared<const SceneModel>(
      read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml"));
}

// The value reference of an element by its FMI 2 name: `rod.mass`, `rod.position[2]`.
inline std::uint32_t reference_of(VariableTable const& table, std::string const& name) {
  for (Variable const& variable : table.variables()) {
    for (int i = 0; i < variable.size; ++i) {
      if (VariableTable::element_name(variable, i) == name)
        return variable.value_reference + static_cast<std::uint32_t>(i);
    }
  }
  throw std::invalid_argument("no variable " + name);
}

class SceneRun {
 public:
  explicit SceneRun(std::shared_ptr<const SceneModel> model, std::map<std::string, double> const& values = {},
                    LogSink log = {})
      : slave_(std::move(model), std::move(log)) {
    for (auto const& [name, value] : values) set(name, value);
    slave_.setup_experiment(0, {}, {});
    slave_.enter_initialization();
  }
  explicit SceneRun(std::string const& example, std::map<std::string, double> const& values = {})
      : SceneRun(example_model(example), values) {}

  SceneSlave& slave() { return slave_; }
  double time() const { return slave_.time(); }

  void set(std::string const& name, double value) {
    std::uint32_t const reference = reference_of(slave_.model().table(), name);
    slave_.set(slave_.model().table().find(reference).variable->type, false, {&reference, 1}, {&value, 1});
  }

  double get(std::string const& name) {
    std::uint32_t const reference = reference_of(slave_.model().table(), name);
    double value = 0;
    slave_.get(slave_.model().table().find(reference).variable->type, false, {&reference, 1}, {&value, 1});
    return value;
  }

  // To `end` in `steps` communication steps of equal size.
  void run_to(double end, int steps = 1) {
    if (slave_.phase() == Phase::initialization) slave_.exit_initialization();
    double const begin = time();
    for (int k = 0; k < steps; ++k) {
      double const from = begin + (end - begin) * k / steps, to = begin + (end - begin) * (k + 1) / steps;
      slave_.do_step(from, to - from);
    }
  }

  // The time between the present and `end` at which `condition` first holds, by steps and then by bisection
  // with rollback.
  template <class Condition>
  double time_when(Condition const& condition, double end, int steps) {
    if (slave_.phase() == Phase::initialization) slave_.exit_initialization();
    double const begin = time();
    for (int k = 0; k < steps; ++k) {
      Snapshot const before = slave_.snapshot();
      double low = time(), high = begin + (end - begin) * (k + 1) / steps;
      slave_.do_step(low, high - low);
      if (!condition(*this)) continue;
      for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
        double const middle = low + (high - low) / 2;
        slave_.restore(before);
        slave_.do_step(before.stepper.t, middle - before.stepper.t);
        (condition(*this) ? high : low) = middle;
      }
      return high;
    }
    return -1;
  }

 private:
  SceneSlave slave_;
};

}  // namespace delassus
