// Inputs of a run from a file. Between rows a value holds, or continuous inputs follow a line on request; everything else
// always holds. Two rows at one time are a jump. Before the first row and after the last one, these hold.
#pragma once

#include <optional>
#include <vector>

#include "model/scene/decimal_times.hpp"
#include "tools/import/simulated_instance.hpp"
#include "tools/support/csv.hpp"

namespace delassus {

// The signal of each column of an input file; nothing for a column that can be read and not set, such as an
// output: the results of one run can be the input of the next. Throws UnknownSignal, and CommandError for a
// value that is not finite.
std::vector<std::optional<std::size_t>> find_inputs(SignalTable const& signals, TimeTable const& input);

class TimedInput {
 public:
  // Times that differ by no more than `same_time` are one. The table must outlive this.
  TimedInput(SignalTable const& signals, TimeTable const& table, bool interpolate, double same_time);

  // From `time` on, behind a jump there.
  std::vector<SignalValue> values(double time) const;

  // Of the inputs that follow lines: how they change from `time` on, as a mean until `next`, in front of a jump there.
  struct Slopes {
    std::vector<std::uint32_t> references;
    std::vector<double> values;
  };
  Slopes slopes(double time, double next) const;

  // The first row between both instants at which an input jumps or a line bends.
  std::optional<double> next_change(double time, double end) const;

  // How many of these rows are none of the communication points.
  std::size_t changes_between(DecimalTimes const& points, double stop) const;

  // Whether any input that could follow a line changes at all, so that it matters whether it does.
  bool depends_on_interpolation() const;

 private:
  struct Column {
    std::size_t column, signal;
    bool continuous;  // may follow a line
    std::uint32_t reference;
    std::size_t element, elements;  // of an array
  };
  bool follows_line(Column const& column) const { return interpolate_ && column.continuous; }
  double before(Column const& column, double time) const;  // the limit from the left
  double after(Column const& column, double time) const;
  double line(std::vector<double> const& values, std::size_t row, double time) const;

  TimeTable const& table_;
  bool interpolate_;
  double same_time_;
  std::vector<Column> columns_;
};

}  // namespace delassus
