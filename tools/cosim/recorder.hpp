// The rows of a co-simulation: outputs at a communication point, and the inputs that they make.
#pragma once

#include <memory>
#include <vector>

#include "tools/cosim/component_stepper.hpp"

namespace delassus {

class CosimRecorder {
 public:
  // All must outlive this. Adds the names of the plan's columns to `table`.
  CosimRecorder(CosimSystem const& system, CosimPlan const& plan, CosimWiring const& wiring,
                CosimParticipants& participants, TimeTable& table);

  // Inputs that nothing is connected to are read once.
  void read_free_inputs();
  // FMI 2 does not allow reading after setting without a step in between: to be called before inputs are set.
  void record(CosimHistory const& history);
  double last_time() const { return table_.time.empty() ? 0 : table_.time.back(); }
  bool empty() const { return table_.time.empty(); }

 private:
  struct Part {  // of one component
    std::size_t component = 0;
    std::unique_ptr<SignalPort> port;
    std::vector<std::size_t> columns;
    std::vector<double> values;
  };
  struct Wired {
    std::size_t column = 0;
    CosimWire const* wire = nullptr;
  };

  CosimPlan const& plan_;
  CosimParticipants& participants_;
  TimeTable& table_;
  std::vector<Part> read_;  // what is read at each row
  std::vector<Part> free_;  // inputs without a connection
  std::vector<Wired> wired_;
  std::vector<std::size_t> converted_;  // columns in a unit of their own
  std::vector<double> row_;
};

// Inputs and outputs of all components that are numbers, and the outputs of the system itself. With names: those that
// a name stands for, itself or as its beginning, such as `plant` or `plant.block`; also locals and parameters by their
// whole name. Throws UnknownSignal.
std::vector<CosimColumn> choose_columns(CosimSystem const& system, std::vector<std::string> const& names);

// The signals of the columns under their names there, for plots and references.
SignalTable recorded_signals(CosimSystem const& system, std::vector<CosimColumn> const& recorded);

}  // namespace delassus
