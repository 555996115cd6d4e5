#include "tools/simulate/timed_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/scene/number.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {

std::vector<std::optional<std::size_t>> find_inputs(SignalTable const& signals, TimeTable const& input) {
  std::vector<std::optional<std::size_t>> found;
  for (std::size_t column = 0; column < input.names.size(); ++column) {
    auto const index = signals.find(input.names[column]);
    if (!index) {
      try {
        signals.resolve(input.names[column]);
      } catch (UnknownSignal const& error) {
        throw UnknownSignal(fmt::format("{}:1: {}", input.file, error.what()));
      }
      throw CommandError(ExitCode::usage,
                         fmt::format("{0}:1: {1} is an array; a column is one element, such as {1}[1]",
                                     input.file, input.names[column]));
    }
    Signal const& signal = signals[*index];
    bool const takes_values = signal.is_input() || signal.variability == "tunable";
    found.push_back(takes_values && signal.is_number() ? index : std::nullopt);
    if (!found.back()) continue;
    for (std::size_t row = 0; row < input.rows(); ++row) {
      if (!std::isfinite(input.columns[column][row])) {
        throw CommandError(
            ExitCode::usage,
            fmt::format("{}: {} is {} at time {}; an input must be finite", input.file, signal.name,
                        format_number(input.columns[column][row]), format_time(input.time[row])));
      }
      if (auto const rule = range_rule(signal, input.columns[column][row]); !rule.empty()) {
        throw CommandError(
            ExitCode::usage,
            fmt::format("{}: {} is {} at time {}; it must be {}", input.file, signal.name,
                        format_number(input.columns[column][row]), format_time(input.time[row]), rule));
      }
    }
  }
  return found;
}

TimedInput::TimedInput(SignalTable const& signals, TimeTable const& table, bool interpolate, double same_time)
    : table_(table), interpolate_(interpolate), same_time_(same_time) {
  auto const found = find_inputs(signals, table);
  for (std::size_t column = 0; column < found.size(); ++column) {
    if (!found[column]) continue;
    Signal const& signal = signals[*found[column]];
    bool const continuous = signal.is_input() && signal.is_float() && signal.variability == "continuous";
    columns_.push_back(
        {column, *found[column], continuous, signal.value_reference, signal.offset, signal.size});
  }
}

double TimedInput::line(std::vector<double> const& values, std::size_t row, double time) const {
  double const share = (time - table_.time[row]) / (table_.time[row + 1] - table_.time[row]);
  return (1 - share) * values[row] + share * values[row + 1];
}

double TimedInput::after(Column const& column, double time) const {
  auto const& values = table_.columns[column.column];
  std::size_t const row = table_.row_at(time, same_time_);
  bool const at_row = time <= table_.time[row] + same_time_;  // or before the first one
  if (!follows_line(column) || at_row || row + 1 == table_.rows()) return values[row];
  return line(values, row, time);
}

double TimedInput::before(Column const& column, double time) const {
  auto const& values = table_.columns[column.column];
  auto const found = std::ranges::lower_bound(table_.time, time - same_time_);
  auto const row = static_cast<std::size_t>(found - table_.time.begin());
  if (row == table_.rows()) return values.back();
  if (row == 0 || table_.time[row] <= time + same_time_) return values[row];
  return line(values, row - 1, time);
}

std::vector<SignalValue> TimedInput::values(double time) const {
  std::vector<SignalValue> values;
  for (auto const& column : columns_) values.push_back({column.signal, after(column, time)});
  return values;
}

TimedInput::Slopes TimedInput::slopes(double time, double next) const {
  Slopes slopes;
  std::map<std::uint32_t, std::size_t> first;  // value of each reference
  for (auto const& column : columns_) {
    if (!follows_line(column)) continue;
    auto const [place, is_new] = first.try_emplace(column.reference, slopes.values.size());
    if (is_new) {
      slopes.references.push_back(column.reference);
      slopes.values.resize(slopes.values.size() + column.elements);
    }
    slopes.values[place->second + column.element] =
        (before(column, next) - after(column, time)) / (next - time);
  }
  return slopes;
}

std::optional<double> TimedInput::next_change(double time, double end) const {
  auto const first = std::ranges::upper_bound(table_.time, time + same_time_);
  for (auto row = static_cast<std::size_t>(first - table_.time.begin());
       row < table_.rows() && table_.time[row] < end - same_time_; ++row) {
    for (auto const& column : columns_) {
      auto const& values = table_.columns[column.column];
      bool const from = row > 0 && values[row] != values[row - 1];
      bool const to = follows_line(column) && row + 1 < table_.rows() && values[row] != values[row + 1];
      if (from || to) return table_.time[row];
    }
  }
  return std::nullopt;
}

std::size_t TimedInput::changes_between(DecimalTimes const& points, double stop) const {
  double const start = points.after(0.0), step = points.after(1.0) - start;
  std::size_t count = 0;
  for (std::optional<double> change = next_change(start, stop); change; change = next_change(*change, stop)) {
    double const place = (*change - start) / step;
    if (std::abs(place - std::round(place)) > 1e-6) ++count;
  }
  return count;
}

bool TimedInput::depends_on_interpolation() const {
  return std::ranges::any_of(columns_, [&](Column const& column) {
    auto const& values = table_.columns[column.column];
    return column.continuous &&
           std::ranges::any_of(values, [&](double value) { return value != values.front(); });
  });
}

}  // namespace delassus
