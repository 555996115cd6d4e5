#include "tools/simulate/run_interaction.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/simulate/reference_comparison.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/standard_streams.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {

std::string interruption_text(std::string const& model, TimeTable const& table, std::string const& kept) {
  std::string text = model + " was interrupted";
  if (table.rows() == 0) return text + " before its first step";
  text += fmt::format(" at {} s", format_time(table.time.back()));
  return kept.empty() ? text : text + "; " + kept;
}

InstanceLog make_log(bool quiet) {
  constexpr int most_messages = 20;
  auto const count = std::make_shared<int>(0);
  return [quiet, count](LogMessage const& message) {
    // Errors come back as the exception of the call that failed; telling them here would tell them twice.
    if (quiet || message.status != Status::warning || *count > most_messages) return;
    ++*count;
    if (*count <= most_messages) {
      print_message("warning: {}\n", printable_text(message.text));
    } else {
      print_message("warning: more warnings follow, which are not shown\n");
    }
  };
}

Progress make_progress(bool quiet) {
  bool const shown = !quiet && ::isatty(STDERR_FILENO) != 0;
  auto const last = std::make_shared<int>(-1);
  return [shown, last](double share) {
    int const percent = static_cast<int>(100 * share);
    if (shown && percent != *last) {
      *last = percent;
      print_message("{}", percent < 100 ? fmt::format("\r{:3d} %", percent) : "\r     \r");
    }
    return !interrupted();
  };
}

ExitCode judge_against_reference(TimeTable const& results, SignalTable const& signals,
                                 std::string const& reference_file, double tolerance, bool quiet) {
  TimeTable const reference = read_csv(read_file(reference_file), reference_file);
  auto const mismatches = compare_with_reference(results, reference, signals, tolerance);
  for (auto const& mismatch : mismatches) {
    print_message("{}: {} is {} at {} s; the reference is {} (difference {:.3g}, allowed {:.3g})\n",
                  reference_file, mismatch.name, format_number(mismatch.value), format_time(mismatch.time),
                  format_number(mismatch.expected), std::abs(mismatch.value - mismatch.expected),
                  mismatch.allowed);
  }
  if (!quiet && mismatches.empty()) {
    print_message("{}: {} columns agree within {}\n", reference_file, reference.names.size(),
                  format_number(tolerance));
  }
  return mismatches.empty() ? ExitCode::fine : ExitCode::reference_mismatch;
}

}  // namespace delassus
