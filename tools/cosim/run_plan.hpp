// How a coupled system is to be run, and what came of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/import/simulated_instance.hpp"
#include "tools/support/csv.hpp"

namespace delassus {

enum class CosimAlgorithm {
  jacobi,        // all components step with what is known at the beginning of the step
  gauss_seidel,  // one after the other: those that come later know the end of the step of those before
  implicit,      // all steps are repeated until the inputs are those of the end of the step
};

enum class LoopTreatment {
  solve,   // the components of the loop repeat their step until their inputs agree
  delay,   // an input may be as old as the last communication point
  refuse,  // the run does not start
};

struct CosimSignal {
  std::size_t component = 0, signal = 0;
};

struct CosimColumn {
  std::string name;  // plant.block.position, or that of an output of the system
  std::size_t component = 0, signal = 0;
  std::string unit = {};  // of the numbers in the column
  double factor = 1, offset = 0;
  std::vector<std::pair<double, double>> mapping = {};  // as in CosimConnection
};

struct CosimPlan {
  double start = 0, stop = 1, step = 1e-3;  // s; the step is the first one where steps are adaptive
  bool chooses_step = false;                // nobody named the step: settle_step chooses it
  std::string step_reason;                  // where it was chosen: why this one
  std::string step_warning;                 // what does not fit to it; mostly empty
  std::optional<double> output_step;        // s, between rows; without: every communication point
  CosimAlgorithm algorithm = CosimAlgorithm::gauss_seidel;
  int extrapolation = 0;           // degree of the polynomials of inputs over a step, 0 to 2
  std::vector<std::size_t> order;  // of Gauss-Seidel: all components; empty: from the dependencies
  LoopTreatment loops = LoopTreatment::solve;
  double loop_tolerance = 1e-9;     // of values, relative to their magnitude and nominal together
  std::optional<double> tolerance;  // that the FMUs are told
  // Adaptive steps: largest estimated error of an output in a step, relative to its magnitude and nominal together.
  std::optional<double> step_tolerance;
  std::optional<double> smallest_step, largest_step;  // s; default: step * 1e-6, (stop - start) / 10
  bool event_mode = false;        // FMI 3 FMUs that have it; without: those with a connected clock
  bool keeps_checkpoints = true;  // where FMUs can save states: a discarded step is tried again, shorter
  std::vector<std::pair<std::size_t, SignalValue>> settings;  // component, value; after those of the system
  std::vector<bool> isolated;                                 // by component: in a child process; empty: none
  double call_timeout = 60;                                   // s, of a call of an isolated component
  std::optional<double> pace;                                 // seconds of the run in a second of the clock
  std::vector<CosimColumn> recorded;
  InstanceLog log;
};

struct CosimCounts {
  std::size_t steps = 0;      // communication steps that were kept
  std::size_t rejected = 0;   // by the error estimate
  std::size_t discarded = 0;  // by an FMU, then tried again
  std::size_t early_returns = 0, events = 0;
  std::size_t loop_sweeps = 0;                 // of iterated groups of components
  double smallest_step = 0, largest_step = 0;  // s, of those kept
};

struct CosimResult {
  TimeTable table;  // whole rows, also where the run failed
  CosimCounts counts;
  std::vector<std::string> order;            // in which components are stepped
  std::vector<std::string> notes;            // what the user should know
  std::optional<std::string> terminated_by;  // a component asked to end
  std::optional<std::string> failure;        // what, where, when
  bool interrupted = false;                  // the failure is an interruption
  bool refused = false;         // the failure is that a component did not take one of the settings
  std::size_t overruns = 0;     // steps that came late, with `pace`
  double largest_lateness = 0;  // s
};

}  // namespace delassus
