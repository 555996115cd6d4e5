// A loop of scenes and controllers as a system structure describes it, stepped one component after the other by a few lines of
// code of its own: what a master has to agree with.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fmu/content/controller_model.hpp"
#include "fmu/instance/scene_slave.hpp"
#include "tests/support/scene_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {

class ClosedLoop {
 public:
  explicit ClosedLoop(std::filesystem::path const& structure_file) {
    SourceElement const root = read_source_file(structure_file).root;
    SourceElement const& system = child(root, "ssd:System");
    for (SourceElement const& component : child(system, "ssd:Elements").children) {
      auto const file = structure_file.parent_path() / attribute(component, "source");
      SceneSource const source = read_source_file(file);
      std::shared_ptr<const Model> model;
      if (source.root.name == "controller") {
        model = std::make_shared<const ControllerModel>(compile_controller(source));
      } else {
        model = std::make_shared<const SceneModel>(compile_scene(source));
      }
      names_.push_back(attribute(component, "name"));
      slaves_[names_.back()] = make_slave(model, {});
      slaves_[names_.back()]->setup_experiment(0, {}, {});
      slaves_[names_.back()]->enter_initialization();
    }
    for (SourceElement const& connection : child(system, "ssd:Connections").children) {
      std::string const from = attribute(connection, "startElement"),
                        to = attribute(connection, "endElement");
      if (to.empty()) {
        outputs_.push_back(
            {attribute(connection, "endConnector"), from, attribute(connection, "startConnector")});
      } else {
        connections_.push_back(
            {from, attribute(connection, "startConnector"), to, attribute(connection, "endConnector")});
      }
    }
    SourceElement const& experiment = child(root, "ssd:DefaultExperiment");
    stop_ = std::stod(attribute(experiment, "stopTime"));
    SourceElement const& run = child(experiment, "ssd:Annotations").children.front().children.front();
    step_ = std::stod(attribute(run, "step"));
    if (1 / std::round(1 / step_) != step_)
      throw std::invalid_argument("no whole number of steps makes a second");
  }

  double step_size() const { return step_; }
  double stop() const { return stop_; }
  // The double next to the decimal number: of the steps of the systems here, a whole number makes a second.
  double time() const { return static_cast<double>(steps_) / std::round(1 / step_); }
  std::vector<std::string> output_names() const {
    std::vector<std::string> names;
    for (auto const& output : outputs_) names.push_back(output.name);
    return names;
  }
  std::vector<double> outputs() {
    std::vector<double> values;
    for (auto const& output : outputs_) values.push_back(get(output.component, output.variable));
    return values;
  }

  void set(std::string const& component, std::string const& variable, double value) {
    Slave& slave = *slaves_.at(component);
    auto const [type, reference] = find(slave, variable);
    slave.set(type, false, {&reference, 1}, {&value, 1});
  }
  double get(std::string const& component, std::string const& variable) {
    Slave& slave = *slaves_.at(component);
    auto const [type, reference] = find(slave, variable);
    double value = 0;
    slave.get(type, false, {&reference, 1}, {&value, 1});
    return value;
  }

  // One step of all components in the order of the structure, each with what those before it have come to.
  void step() {
    if (!running_) {
      for (auto const& name : names_) slaves_.at(name)->exit_initialization();
      running_ = true;
    }
    for (auto const& name : names_) {
      for (Connection& connection : connections_) {
        if (connection.to != name) continue;
        connection.transfer(*slaves_.at(connection.from), *slaves_.at(name));
      }
      slaves_.at(name)->do_step(time(), time() + step_ - time());
    }
    ++steps_;
  }
  void run_to(double end) {
    while (time() < end - step_ / 2) step();
  }

 private:
  struct Found {
    VariableType type;
    std::uint32_t reference;
  };
  static Found find(Slave const& slave, std::string const& variable) {
    std::uint32_t const reference = reference_of(slave.model().table(), variable);
    return {slave.model().table().find(reference).variable->type, reference};
  }
  struct Connection {
    std::string from, output, to, input;
    bool found = false;
    std::uint32_t source = 0, target = 0;

    void transfer(Slave& giver, Slave& taker) {
      if (!found) {
        source = find(giver, output).reference;
        target = find(taker, input).reference;
        found = true;
      }
      double value = 0;
      giver.get(VariableType::real, false, {&source, 1}, {&value, 1});
      taker.set(VariableType::real, false, {&target, 1}, {&value, 1});
    }
  };
  struct Output {
    std::string name, component, variable;
  };

  static SourceElement const& child(SourceElement const& element, std::string const& name) {
    for (SourceElement const& each : element.children) {
      if (each.name == name) return each;
    }
    throw std::invalid_argument("no " + name);
  }
  static std::string attribute(SourceElement const& element, std::string const& name) {
    for (SourceAttribute const& each : element.attributes) {
      if (each.name == name) return each.value;
    }
    return "";
  }

  std::vector<std::string> names_;
  std::map<std::string, std::unique_ptr<Slave>> slaves_;
  std::vector<Connection> connections_;
  std::vector<Output> outputs_;
  double stop_ = 0, step_ = 0;
  long steps_ = 0;
  bool running_ = false;
};

inline std::filesystem::path system_file(std::string const& name,
                                         std::string const& file = "SystemStructure.ssd") {
  return std::filesystem::path(DELASSUS_SCENES_DIR) / "../../tools/systems" / name / file;
}

}  // namespace delassus
