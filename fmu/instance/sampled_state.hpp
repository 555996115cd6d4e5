// Everything that the future of a sampled controller depends on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fmu/content/controller_model.hpp"
#include "fmu/instance/slave_state.hpp"

namespace delassus {

struct SampledState final : SlaveState {
  double t = 0;                 // s, the present communication point
  std::int64_t next = 0;        // number of the next sample: a counter, so that instants never drift
  std::vector<double> law;      // the state of the law
  std::vector<double> outputs;  // of the last sample
  std::vector<double> shown;    // what the importer sees of them: with event mode they change only there

  std::string bytes() const override;
};

SampledState read_sampled_state(std::string_view bytes);  // throws std::runtime_error with the reason
// Throws SlaveError unless an instance of this controller could have it.
void check_sampled_state(ControllerModel const& model, SampledState const& state);

}  // namespace delassus
