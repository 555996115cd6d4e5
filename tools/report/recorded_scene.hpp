// A scene at the rows of a table of results: where its bodies were and how they moved, read back from the outputs. The
// table may come from a run just made, from a file, or from a system of which the scene is one component.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmu/content/scene_model.hpp"
#include "tools/analyse/scene_instant.hpp"
#include "tools/support/csv.hpp"

namespace delassus {

class RecordedScene {
 public:
  // `prefix` stands before the names of the model's variables: empty, or `plant.` for a component of a system. `values`:
  // parameters and settings of the run by name; others are as the scene has them. `table` must outlive this. Throws
  // UnknownSignal and SlaveError for the values.
  RecordedScene(std::shared_ptr<const SceneModel> model, std::string prefix, TimeTable const& table,
                std::map<std::string, double> const& values);

  SceneModel const& model() const { return *model_; }
  Scene const& scene() const { return model_->scene(); }
  TimeTable const& table() const { return *table_; }
  std::string const& prefix() const { return prefix_; }
  std::vector<double> const& parameters() const { return parameters_; }
  StepperSettings const& settings() const { return settings_; }

  // The column of an element of an output, by the name that fmu/table/outputs.cpp gives it; a scene may have given it another one,
  // or hidden it.
  std::optional<std::size_t> output(std::string const& name, int element = 0) const;
  std::optional<std::size_t> input(int index) const;

  // How many of the scene's outputs and inputs are columns of the table.
  std::size_t found() const { return found_; }
  // Bodies that move and whose place the table does not tell: they stay where they start.
  std::vector<std::string> const& lost_bodies() const { return lost_; }
  // Whether the table has anything of a place or a velocity, or nothing moves.
  bool tells_motion() const { return tells_motion_; }

  // The state at a row; holds until the next call. Inputs are those that hold from the row on.
  Instant at(std::size_t row);

 private:
  void find_columns();
  void place_body(Body const& body, std::size_t row);
  double value(std::optional<std::size_t> column, std::size_t row, double otherwise) const {
    return column ? table_->columns[*column][row] : otherwise;
  }

  std::shared_ptr<const SceneModel> model_;
  std::string prefix_;
  TimeTable const* table_;
  std::vector<double> parameters_, inputs_at_start_, q_at_start_, v_at_start_;
  StepperSettings settings_;
  std::map<std::string, int> first_output_;                   // by the definition's name
  std::vector<std::optional<std::size_t>> outputs_, inputs_;  // columns
  struct BodyColumns {
    std::vector<std::optional<std::size_t>> position, turn, velocity, angular_velocity;
  };
  std::vector<BodyColumns> bodies_;
  std::vector<std::string> lost_;
  std::size_t found_ = 0;
  bool tells_motion_ = false;
  std::vector<double> q_, v_, u_;
};

// What an input pulls with at an instant, N, in the world.
Eigen::Vector3d force_of_input(Scene const& scene, ForceInput const& force, Instant const& at);

}  // namespace delassus
