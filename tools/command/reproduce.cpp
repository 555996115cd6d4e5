#include "tools/command/reproduce.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <future>

#include "model/language/vocabulary.hpp"
#include "tools/command/options.hpp"
#include "tools/papers/reproduction_page.hpp"
#include "tools/papers/reproduction_run.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/standard_streams.hpp"

namespace delassus {
namespace {

struct Paper {
  std::string_view key;
  ReproducedPaper (*reproduce)(ReproductionRun&);
};
// In the order of the page.
constexpr std::array<Paper, 6> papers{{{"kikuuwe", reproduce_kikuuwe_brogliato},
                                       {"peiret", reproduce_peiret},
                                       {"song", reproduce_song},
                                       {"blumentals", reproduce_blumentals},
                                       {"oprea", reproduce_oprea},
                                       {"convergence", reproduce_convergence}}};

struct ReproduceOptions {
  std::string paper;
  std::string output;
  bool json = false, quiet = false;
};

std::vector<Paper> chosen(std::string const& key) {
  if (key.empty()) return {papers.begin(), papers.end()};
  std::vector<std::string_view> keys;
  for (auto const& paper : papers) {
    if (paper.key == key) return {paper};
    keys.push_back(paper.key);
  }
  auto const near = did_you_mean(key, keys);
  throw CommandError(ExitCode::usage,
                     fmt::format("there is no paper '{}'; it must be one of {}{}", key, fmt::join(keys, ", "),
                                 near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

// Two at a time, so that the long ones do not wait for each other; each is the same whatever runs beside it.
std::vector<ReproducedPaper> reproduce_all(std::vector<Paper> const& wanted, ReproductionRun& run) {
  std::vector<ReproducedPaper> results(wanted.size());
  std::atomic<std::size_t> next = 0;
  auto const work = [&] {
    for (std::size_t i = next++; i < wanted.size(); i = next++) results[i] = wanted[i].reproduce(run);
  };
  auto other = std::async(std::launch::async, work);
  work();
  other.get();
  return results;
}

ExitCode reproduce(ReproduceOptions const& options) {
  auto const wanted = chosen(options.paper);
  demand_page(options.output);
  bool const shown = !options.quiet && ::isatty(STDERR_FILENO) != 0;
  ReproductionRun run([&](std::string const& what) {
    if (shown) print_message("\r\033[K{}", what);
  });
  auto const results = reproduce_all(wanted, run);
  if (shown) print_message("\r\033[K");

  std::filesystem::path const page = options.output;
  std::string const folder = page.stem().string() + "_files";
  if (!options.output.empty()) {
    auto const files = page.parent_path() / folder;
    std::error_code error;
    std::filesystem::create_directories(files, error);
    if (error)
      throw CommandError(ExitCode::usage,
                         fmt::format("cannot make the folder {}: {}", files.string(), error.message()));
    for (auto const& paper : results) {
      for (auto const& item : paper.items) {
        for (auto const& figure : item.figures) {
          write_file(files / (figure.file + ".svg"), figure.svg);
          write_file(files / (figure.file + ".csv"), figure.csv);
        }
      }
    }
    write_file(page, write_page(results, folder));
  }
  if (options.json) write_standard_output(write_json(results, folder));

  ReproductionCount const total = count(results);
  for (auto const& paper : results) {
    for (auto const& item : paper.items) {
      for (auto const& value : item.values) {
        if (value.holds()) continue;
        print_message("{}, {}: {} is {:.12g}; {} (difference {:.3g}, allowed {:.3g})\n", paper.key,
                      item.label, value.name, value.ours,
                      value.apart ? fmt::format("computed apart it is {:.12g}", *value.apart)
                                  : fmt::format("the print says {} and no reason is given", value.print.text),
                      value.deviation(), value.bound);
      }
    }
  }
  if (!options.quiet) {
    print_message(
        "{}{} figures, {} numbers; of {} in print {} agree, {} differ with a reason; {} outside of "
        "their bounds\n",
        options.output.empty() ? "" : options.output + ": ", total.figures, total.values, total.printed,
        total.agree, total.reasons, total.failures);
  }
  return total.failures == 0 ? ExitCode::fine : ExitCode::reference_mismatch;
}

}  // namespace

void add_reproduce_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<ReproduceOptions>();
  CLI::App* const command = program.add_subcommand(
      "reproduce",
      "Reproduce the papers that the program follows: runs FMUs and the analysis, and writes one "
      "self-contained page with every figure and "
      "number beside the print, the deviations, and the reason where the print is another.");
  command->add_option("paper", options->paper,
                      "kikuuwe, peiret, song, blumentals, oprea or convergence; default: all");
  command
      ->add_option("-o,--output", options->output,
                   "HTML page to write. Beside it, in the folder NAME_files, every figure as SVG and its "
                   "numbers as CSV")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "the comparison as JSON on standard output");
  command->add_flag("--quiet", options->quiet, "no progress and summary");
  command->footer(
      "Exit code: 4 where a number is outside of the bound that it is stated with.\n\n"
      "Example:\n  delassus reproduce -o report.html\n  delassus reproduce peiret -o peiret.html");
  command->callback([options, &exit_code] {
    if (options->output.empty() && !options->json)
      throw CommandError(ExitCode::usage, "nothing to write: give -o FILE for a page, or --json");
    exit_code = reproduce(*options);
  });
}

}  // namespace delassus
