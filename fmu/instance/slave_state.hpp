// The common part of all saved states: the phase of the life cycle, and the values that the importer has set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fmu/instance/life_cycle.hpp"

namespace delassus {

struct SlaveState {
  std::string model;            // hash of the model's content
  bool model_exchange = false;  // interface type of the instance
  Phase phase = Phase::instantiated;
  double start = 0;  // s
  std::optional<double> stop;
  std::vector<double> parameters;
  std::vector<double> inputs;
  std::vector<double> input_derivatives;  // as in InputSignal, since the present communication point

  SlaveState() = default;
  SlaveState(SlaveState const&) = default;
  SlaveState(SlaveState&&) = default;
  SlaveState& operator=(SlaveState const&) = default;
  SlaveState& operator=(SlaveState&&) = default;
  virtual ~SlaveState() = default;

  // Sealed: with a version and a checksum.
  virtual std::string bytes() const = 0;
};

}  // namespace delassus
