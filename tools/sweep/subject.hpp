// What a sweep runs again and again with other values: a scene, an FMU, or a system of coupled FMUs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/import/signal_table.hpp"
#include "tools/import/simulated_instance.hpp"
#include "tools/support/csv.hpp"

namespace delassus {

// A model is one part without a prefix; in a system the signals of the component plant are plant.<name>.
struct SubjectPart {
  std::string prefix;
  SignalTable signals;
};

struct SubjectSignal {
  std::size_t part = 0, signal = 0;
};

struct SubjectValue {
  SubjectSignal target;
  std::variant<double, std::string> value;
};

// A name that expressions know: a column of the results or, after all of those, a constant of the run.
struct SubjectSeries {
  std::string name, unit;
  std::vector<SignalItem> items;  // of an enumeration
  bool is_output = false;
};

struct SubjectRun {
  TimeTable table;                // its columns are the first of the series
  std::vector<double> constants;  // the others
  bool terminated = false;        // by the model, before the stop time
  std::optional<std::string> failure;
  std::string warning;  // the first one
  std::size_t warnings = 0;
};

class SweepSubject {
 public:
  virtual ~SweepSubject() = default;
  SweepSubject() = default;
  SweepSubject(SweepSubject const&) = delete;
  SweepSubject& operator=(SweepSubject const&) = delete;

  std::vector<SubjectPart> const& parts() const { return parts_; }
  std::vector<SubjectSeries> const& series() const { return series_; }

  // The signal that can be set by this name, or the only one whose name ends in it: `mu` for `tip_ground.mu`. Nothing
  // where there is none; throws CommandError where there are several, and for what cannot be set.
  std::optional<SubjectSignal> find_settable(std::string_view name) const;
  Signal const& signal(SubjectSignal target) const { return parts_[target.part].signals[target.signal]; }
  std::string full_name(SubjectSignal target) const;
  // Throws UnknownSignal with what may be meant.
  [[noreturn]] void fail_unknown(std::string_view name) const;

  // `name=value` as in `simulate --set`. Throws CommandError and UnknownSignal.
  virtual std::vector<SubjectValue> parse_setting(std::string const& text) const;
  // Whether a name stands for something behind it that `parse_setting` sets, and the unit of its values: a parameter or
  // input of a system itself.
  virtual std::optional<std::string> unit_of_alias(std::string_view) const { return std::nullopt; }

  // What gives an input its values, so that none can be set: a connection inside of a system. Empty: nothing does.
  virtual std::string source_of(SubjectSignal) const { return ""; }

  // What goes wrong in the model is in the result; called in a worker process, one run after the other. A run does not
  // depend on those before it.
  virtual SubjectRun run(std::vector<SubjectValue> const& values) = 0;

  // Everything that the results depend on beside the values, one fact a line: a hash of the model, times, settings.
  virtual std::vector<std::string> facts() const = 0;
  virtual std::string title() const = 0;

  // What the model and the settings of all runs say, but hardly mean.
  virtual std::vector<std::string> notes() const = 0;

 protected:
  void add_part(std::string const& prefix, SignalTable signals) {
    parts_.push_back({prefix, std::move(signals)});
  }
  void add_series(SubjectSeries series) { series_.push_back(std::move(series)); }

 private:
  std::vector<SubjectPart> parts_;
  std::vector<SubjectSeries> series_;
};

struct SubjectRequest {
  std::string model;
  std::string variant;  // of a system
  int fmi_version = 0;
  std::string interface;  // cs, me; empty: as offered
  std::string solver;     // of Model Exchange; empty: the usual one
  bool event_mode = false, interpolate = false;
  std::optional<double> start, stop, step, tolerance;
  std::vector<std::string> settings;
  std::vector<std::string>
      kept;           // what is kept, as written: local variables are recorded where it names them
  std::string input;  // CSV
};

// Whether one of the texts of --keep has this name as a word.
bool is_named_in(std::vector<std::string> const& kept, std::string_view name);

// Messages of a run go into its row, and rows do not depend on where an FMU was unpacked.
std::string without_folder(std::string text);

// Reads, unpacks and checks; runs no code of an FMU. Throws CommandError and what reading throws.
std::unique_ptr<SweepSubject> make_sweep_subject(SubjectRequest const& request);

}  // namespace delassus
