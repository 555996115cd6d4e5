// The connections of a system as arrays: outputs that are connected lie side by side, and so do inputs, component by
// component.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tools/cosim/coupled_system.hpp"
#include "tools/cosim/run_plan.hpp"

namespace delassus {

// A number on its way: what arrives at input `input` is made of output `output`.
struct CosimWire {
  std::size_t output = 0, input = 0;  // places in the arrays
  std::size_t from = 0, to = 0;       // components
  std::size_t from_signal = 0, to_signal = 0;
  double factor = 1, offset = 0;
  std::span<const std::pair<double, double>> mapping;
  bool rounds = false;       // the input is a whole number
  bool truth = false;        // the input is true or false
  bool continuous = false;   // both ends are continuous: a polynomial may be laid through values
  bool feedthrough = false;  // a connected output of `to` has direct feedthrough from the input

  double convert(double value) const;
};

// A text or a Binary, and a clock: rare, and not for the inner loop.
struct CosimOddWire {
  std::size_t from = 0, from_signal = 0, to = 0, to_signal = 0;
};

struct CosimWiring {
  explicit CosimWiring(CosimSystem const& system);

  struct Range {
    std::size_t first = 0, count = 0;
  };
  std::vector<Range> outputs_of, inputs_of;    // by component
  std::vector<CosimSignal> outputs;            // by place
  std::vector<bool> output_is_continuous;      // by place
  std::vector<double> nominals;                // of outputs, 1 where the description has none
  std::vector<CosimWire> wires;                // by input; of a component, continuous ones first
  std::vector<std::size_t> continuous_inputs;  // by component: how many
  std::vector<CosimOddWire> texts, binaries, clocks;
};

}  // namespace delassus
