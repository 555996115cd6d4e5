// From what a user named to a report: a CSV with or without its model, or a scene, FMU or system that is run first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/report/run_report.hpp"

namespace delassus {

struct ReportRequest {
  std::string source;   // a CSV, or what is run
  std::string model;    // of a CSV: what it came from; empty: not known
  std::string variant;  // of a system with several structures
  std::string input;    // CSV with inputs; only of one model
  bool interpolate = false;
  int fmi_version = 0;  // of a scene: run through an FMU of it
  std::optional<double> start, stop, step, tolerance;
  std::vector<std::string> settings;  // name=value
  bool quiet = false;                 // no progress
  std::string
      rescued_rows;  // CSV for the rows of a run that a signal ends inside a step; empty: they are lost
};

struct ReportOutcome {
  Report report;
  std::optional<std::string> failure;  // of the run; the report has what came before
};

// Throws CommandError and what reading and running throw.
ReportOutcome report_of(ReportRequest const& request);

}  // namespace delassus
