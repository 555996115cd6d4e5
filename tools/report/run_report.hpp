// A report of a run: results, what the model says of them, how the scene moved, where the energy went. Made from a table of
// results and, where it is known, the model; report_page.hpp writes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmu/content/scene_model.hpp"
#include "tools/import/signal_table.hpp"
#include "tools/report/energy_balance.hpp"
#include "tools/report/scene_track.hpp"
#include "tools/support/csv.hpp"

namespace delassus {

struct ReportColumn {
  std::string name, unit, description;
  std::vector<SignalItem> items;  // of an enumeration
  bool stepped = false;           // holds until the next row: inputs, whole numbers, enumerations
  bool computed = false;          // by the report, not by the model
  std::vector<double> values;
};

struct ReportParameter {
  std::string name, value, unit, description;
  bool set = false;  // for this run, other than the model has it
};

struct ReportFact {
  std::string name, value;
};

struct ReportConnection {
  std::string from, to;
};

struct ReportEnergy {
  std::string of;  // the component; empty where there is only one model
  std::size_t kinetic = 0, potential = 0, total = 0, work = 0, dissipated = 0;  // columns of the report
  std::vector<std::string> counted, notes;
};

struct Report {
  std::string title, description;
  std::vector<std::string> notes;
  std::vector<ReportFact> run;
  std::vector<double> time;  // s
  std::vector<ReportColumn> columns;
  std::vector<ReportParameter> parameters;
  std::vector<ReportConnection> connections;  // of a system
  std::vector<ReportEnergy> energies;
  std::vector<SceneTrack> scenes;
};

// What of the model a column belongs to, where the model is known.
struct ReportedModel {
  std::string prefix;  // `plant.` for a component of a system, else empty
  SignalTable signals;
  std::shared_ptr<const SceneModel> scene;  // null where it is none of our scenes
  std::map<std::string, double> values;     // parameters of the run, by name
  std::vector<std::string> set;             // names of those that the user set
};

// What a page can carry: with base64, libraries and licences it stays below 20 MB even where nothing can be packed. Numbers of
// animations are kept with single precision.
struct ReportLimits {
  std::size_t column_bytes = 12'000'000;  // of packed times and of columns as if they could not be packed
  std::size_t track_values = 400'000;     // of all scenes
  std::size_t most_frames = 20'000;
  std::size_t mode_changes = 30'000;  // of all timelines
};

// Columns of no model are shown without unit and description. Throws CommandError where a model is given and has no column
// in the table, and where the table is empty.
Report make_report(TimeTable table, std::vector<ReportedModel> const& models,
                   ReportLimits const& limits = {});

}  // namespace delassus
