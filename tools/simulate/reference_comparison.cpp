#include "tools/simulate/reference_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/language/vocabulary.hpp"
#include "model/scene/decimal_times.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

std::size_t find_column(TimeTable const& results, std::string const& name, std::string const& file) {
  auto const column = std::ranges::find(results.names, name);
  if (column != results.names.end()) return static_cast<std::size_t>(column - results.names.begin());
  std::vector<std::string_view> const known(results.names.begin(), results.names.end());
  auto const near = did_you_mean(name, known);
  throw UnknownSignal(fmt::format("{}:1: the results have no column '{}'{}", file, name,
                                  near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

double same_time(TimeTable const& table) {
  return 1e-9 * std::max(1.0, std::abs(table.time.back()));
}

double value_at(TimeTable const& table, std::size_t column, double time, bool interpolate) {
  double const tolerance = same_time(table);
  std::size_t const row = table.row_at(time, tolerance);
  auto const& values = table.columns[column];
  if (!interpolate || row + 1 >= table.rows() || std::abs(time - table.time[row]) <= tolerance)
    return values[row];
  double const share = (time - table.time[row]) / (table.time[row + 1] - table.time[row]);
  return values[row] + share * (values[row + 1] - values[row]);
}

double largest_magnitude(std::vector<double> const& values) {
  double largest = 0;
  for (double const value : values)
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  return largest;
}

}  // namespace

std::vector<Mismatch> compare_with_reference(TimeTable const& results, TimeTable const& reference,
                                             SignalTable const& signals, double tolerance) {
  double const slack = same_time(results);
  if (reference.time.front() < results.time.front() - slack ||
      reference.time.back() > results.time.back() + slack) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("{} reaches from {} s to {} s and the run from {} s to {} s; give --start and --stop",
                    reference.file, format_time(reference.time.front()), format_time(reference.time.back()),
                    format_time(results.time.front()), format_time(results.time.back())));
  }
  std::vector<Mismatch> mismatches;
  for (std::size_t i = 0; i < reference.names.size(); ++i) {
    std::size_t const column = find_column(results, reference.names[i], reference.file);
    bool const is_float = signals[*signals.find(reference.names[i])].is_float();
    double const scale = largest_magnitude(reference.columns[i]);
    Mismatch worst{.name = reference.names[i],
                   .allowed = is_float ? tolerance * std::max(scale, smallest_scale) : 0};
    double worst_difference = worst.allowed;
    bool differs = false;
    for (std::size_t row = 0; row < reference.rows(); ++row) {
      double const expected = reference.columns[i][row];
      double const value = value_at(results, column, reference.time[row], is_float);
      if (value == expected || (std::isnan(value) && std::isnan(expected))) continue;
      double const difference = std::abs(value - expected);
      if (difference <= worst_difference) continue;  // false where the difference is NaN, which then counts
      differs = true;
      worst_difference = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
      worst.time = reference.time[row];
      worst.value = value;
      worst.expected = expected;
    }
    if (differs) mismatches.push_back(worst);
  }
  return mismatches;
}

}  // namespace delassus
