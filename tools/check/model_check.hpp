// Whether a scene or controller is what its author means, as far as a program can tell: it is read, its start state is
// made, and its default experiment is run for a while.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/check/fmu_check.hpp"
#include "tools/import/simulated_instance.hpp"

namespace delassus {

// Throws FileError where the file cannot be read. Everything else is in the report.
CheckReport check_model(std::filesystem::path const& file, CheckSettings const& settings);

// A run in a child process, where it may crash or never end.
struct WatchedRun {
  // In the work: a warning that the model logs.
  struct Watch {
    InstanceLog log;
    // To be called with the time that the run has reached, s; false where it has had its share of processor time.
    std::function<bool(double time)> reached;
  };
  std::vector<std::string> warnings;  // in their order, each once
  std::string failure;                // empty: none
  double end = 0;                     // s, that it has reached
  bool whole = false;                 // it came to its end
};
// `work` returns what it failed with; empty: nothing.
WatchedRun watch_run(std::function<std::string(WatchedRun::Watch const&)> const& work,
                     CheckSettings const& settings);

// Adds what a watched run has told: warnings and its failure under `file`.
void add_run_findings(CheckReport& report, WatchedRun const& run, std::string const& file, double stop);

// Of a default experiment that has more steps than a run may have.
Finding too_many_steps(double start, double stop, double step, std::string const& file);

// `file:line: message`, as errors and notes of scenes are written, taken apart; of `file` where there is no line.
Finding located_finding(std::string_view rule, std::string const& text, std::string const& file);

}  // namespace delassus
