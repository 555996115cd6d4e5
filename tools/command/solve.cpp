#include "tools/command/solve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "model/scene/number.hpp"
#include "tools/command/options.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/solve/problem_file.hpp"
#include "tools/solve/timed_solve.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/json.hpp"
#include "tools/support/standard_streams.hpp"

namespace delassus {
namespace {

template <class Value>
using Choice = std::pair<std::string_view, Value>;

constexpr std::array<Choice<ResidualMeasure>, 2> measures{
    {{"scale-free", ResidualMeasure::scale_free}, {"siconos", ResidualMeasure::unit}}};
constexpr std::array<Choice<SolveMethod>, 6> methods{{{"auto", SolveMethod::automatic},
                                                      {"gauss-seidel", SolveMethod::gauss_seidel},
                                                      {"newton", SolveMethod::newton},
                                                      {"interior-point", SolveMethod::interior_point},
                                                      {"proximal", SolveMethod::proximal},
                                                      {"path", SolveMethod::path}}};
constexpr std::array<Choice<ContactLaw>, 3> laws{{{"coulomb", ContactLaw::coulomb},
                                                  {"anitescu-tasora", ContactLaw::anitescu_tasora},
                                                  {"nakaoka", ContactLaw::nakaoka}}};

constexpr double default_tolerance = 1e-8;

struct SolveOptions {
  std::vector<std::string> problems;
  SolveSettings settings;
  std::optional<double> tolerance;
  std::optional<int> iterations, repeat;
  std::string history;
  bool json = false;
};

struct ProblemArgument {
  std::filesystem::path file;
  std::string label;  // in the table
};

void add_folder(std::filesystem::path const& folder, std::vector<ProblemArgument>& problems) {
  std::vector<ProblemArgument> found;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".txt")
      found.push_back({entry->path(), entry->path().filename().string()});
  }
  if (error)
    throw CommandError(ExitCode::usage, fmt::format("cannot read {}: {}", folder.string(), error.message()));
  if (found.empty())
    throw CommandError(ExitCode::usage,
                       fmt::format("{} has no problems, files named *.txt", folder.string()));
  std::ranges::sort(found, {}, &ProblemArgument::file);
  problems.insert(problems.end(), found.begin(), found.end());
}

std::vector<ProblemArgument> find_problems(std::vector<std::string> const& arguments) {
  std::vector<ProblemArgument> problems;
  for (std::string const& argument : arguments) {
    std::error_code ignored;
    if (std::filesystem::is_directory(argument, ignored)) {
      add_folder(argument, problems);
    } else {
      // Problem files may be large, and are none of these.
      auto const file = std::filesystem::path(argument);
      bool const unlikely =
          file.extension() == ".xml" || file.extension() == ".fmu" || !std::filesystem::exists(file, ignored);
      if (std::string const kind = unlikely ? kind_of_model(argument) : ""; !kind.empty()) {
        throw CommandError(ExitCode::usage,
                           fmt::format("{} is {}; solve takes problem files, which `delassus simulate SCENE "
                                       "--dump-problems FOLDER` writes",
                                       argument, kind));
      }
      problems.push_back({argument, argument});
    }
  }
  // What is wrong in the last file is found before the first is solved. They are read again one by one
  // afterwards: the dump of a long run need not fit into the memory.
  for (auto const& problem : problems) read_problem(problem.file);
  return problems;
}

// A table that grows line by line, so that a long run shows what it has; the widths are known before.
class Table {
 public:
  explicit Table(std::vector<ProblemArgument> const& problems) : label_(std::string_view("problem").size()) {
    for (auto const& problem : problems) label_ = std::max(label_, problem.label.size());
    for (auto const status : {SolveStatus::not_solved, SolveStatus::converged, SolveStatus::iteration_limit,
                              SolveStatus::stalled, SolveStatus::inconsistent})
      status_ = std::max(status_, text(status).size());
    for (auto const part :
         {SolvePart::none, SolvePart::one_block, SolvePart::gauss_seidel, SolvePart::newton,
          SolvePart::interior_point, SolvePart::proximal, SolvePart::path, SolvePart::bounds})
      part_ = std::max(part_, text(part).size());
  }

  std::string heading() const {
    return line("problem", "contacts", "status", "scale-free", "Siconos", "iterations", "part", "time, us");
  }
  std::string row(std::string const& label, std::size_t contacts, TimedSolve const& solve) const {
    return line(label, fmt::format("{}", contacts), text(solve.solution.status),
                fmt::format("{:.1e}", solve.scale_free_residual), fmt::format("{:.1e}", solve.unit_residual),
                fmt::format("{}", solve.solution.iterations), text(solve.solution.part),
                fmt::format("{:.1f}", solve.microseconds));
  }

 private:
  std::string line(std::string_view label, std::string_view contacts, std::string_view status,
                   std::string_view scale_free, std::string_view unit, std::string_view iterations,
                   std::string_view part, std::string_view time) const {
    return fmt::format("{:<{}}  {:>8}  {:<{}}  {:>10}  {:>8}  {:>10}  {:<{}}  {:>12}\n", label, label_,
                       contacts, status, status_, scale_free, unit, iterations, part, part_, time);
  }

  std::size_t label_ = 0, status_ = 0, part_ = 0;
};

Json as_json(std::filesystem::path const& file, ContactProblem const& problem, TimedSolve const& solve) {
  Json lambda = Json::array();
  for (double const value : solve.solution.lambda) lambda.push_back(value);
  return {{"problem", file.string()},
          {"contacts", problem.blocks.size()},
          {"rows", problem.b.size()},
          {"status", text(solve.solution.status)},
          {"scale_free_residual", solve.scale_free_residual},
          {"siconos_residual", solve.unit_residual},
          {"iterations", solve.solution.iterations},
          {"part", text(solve.solution.part)},
          {"time_us", solve.microseconds},
          {"solves", solve.solves},
          {"lambda", std::move(lambda)}};
}

std::string history_rows(std::filesystem::path const& file, Solution const& solution) {
  std::string rows;
  for (SolveRecord const& record : solution.history) {
    rows += fmt::format("{},{},{},{},{}\n", csv_text(file.string()), record.island, text(record.part),
                        record.iterations, format_number(record.residual));
  }
  return rows;
}

SolveSettings make_settings(SolveOptions const& options) {
  SolveSettings settings = options.settings;
  settings.tolerance = options.tolerance.value_or(default_tolerance);
  settings.acceptable = settings.tolerance;  // what is asked for is meant
  if (!(settings.tolerance > 0)) {
    throw CommandError(ExitCode::usage,
                       fmt::format("--tolerance is {}; it must be > 0", format_number(settings.tolerance)));
  }
  settings.iteration_limit = options.iterations.value_or(settings.iteration_limit);
  settings.keep_history = !options.history.empty();
  return settings;
}

// The solver judges island by island and with its own numbers; where the file says otherwise by more than that
// can explain, the reader shall know.
std::string doubt(TimedSolve const& solve, SolveSettings const& settings) {
  double const residual =
      settings.measure == ResidualMeasure::unit ? solve.unit_residual : solve.scale_free_residual;
  if (residual <= 2 * settings.tolerance) return "";
  return fmt::format(": the solver says converged, but the residual is {:.1e}", residual);
}

ExitCode solve(SolveOptions const& options) {
  SolveSettings const settings = make_settings(options);
  auto const problems = find_problems(options.problems);
  std::vector<std::string> files;
  for (auto const& problem : problems) files.push_back(problem.file.string());
  keep_inputs(files, {options.history, "-"});  // the table, or JSON, is on standard output
  Table const table(problems);
  bool const shows_progress = problems.size() > 1 && ::isatty(STDERR_FILENO) != 0;
  Json json = Json::array();
  std::string history = "problem,island,part,iterations,residual\n";
  std::vector<std::string> notes;
  std::size_t converged = 0;
  if (!options.json) write_standard_output(table.heading());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    auto const& [file, label] = problems[i];
    std::string const progress = fmt::format("{} of {}: {}", i + 1, problems.size(), label);
    if (shows_progress) print_message("\r{}", progress);
    ContactProblem const problem = read_problem(file);
    if (auto const asymmetry = asymmetry_of(problem)) {
      notes.push_back(
          fmt::format("{}: {}; A = J M^-1 J^T of bodies is symmetric, so check where the file comes from: it "
                      "is solved as written",
                      label, *asymmetry));
    }
    TimedSolve const result = solve_and_time(problem, settings, options.repeat);
    if (shows_progress) print_message("\r{:{}}\r", "", progress.size());
    if (result.solution.status == SolveStatus::converged) {
      ++converged;
      if (auto const note = doubt(result, settings); !note.empty()) notes.push_back(label + note);
    }
    if (settings.keep_history) history += history_rows(file, result.solution);
    if (options.json) {
      json.push_back(as_json(file, problem, result));
    } else {
      write_standard_output(table.row(label, problem.blocks.size(), result));
    }
  }
  for (std::string const& note : notes) print_message("note: {}\n", note);
  write_each({[&] {
                if (options.json) write_standard_output(write_json(json));
              },
              [&] {
                if (!options.history.empty()) write_file(options.history, history);
              }});
  if (converged == problems.size()) return ExitCode::fine;
  print_message("delassus: {} of {} problems did not converge\n", problems.size() - converged,
                problems.size());
  return ExitCode::findings;
}

template <class Value>
void add_choice_option(CLI::App& command, std::string const& name, std::span<const Choice<Value>> choices,
                       Value& value, std::string const& description) {
  std::string names;
  for (auto const& choice : choices) names += (names.empty() ? "" : "|") + std::string(choice.first);
  auto const read = [&value, choices, name, names](std::string const& text) {
    for (auto const& choice : choices) {
      if (choice.first == text) {
        value = choice.second;
        return;
      }
    }
    throw CLI::ValidationError(name, fmt::format("'{}' is none of {}", text, names));
  };
  command.add_option_function<std::string>(name, read, description)->type_name(names);
}

}  // namespace

void add_solve_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<SolveOptions>();
  CLI::App* const command = program.add_subcommand(
      "solve",
      "Solve contact problems from files, each from zero forces, and print how well, by which part of the "
      "solver and how fast: the best of repeated solves. Residuals are computed from the file, not taken "
      "from the solver.");
  command->add_option("problem", options->problems, "problem files, or folders of *.txt")
      ->required()
      ->type_name("PROBLEM");
  add_number_option(*command, "--tolerance", options->tolerance, "largest residual; default: 1e-8");
  add_choice_option<ResidualMeasure>(
      *command, "--measure", measures, options->settings.measure,
      "of the tolerance: independent of units (default), or that of Siconos for comparisons with it");
  add_choice_option<SolveMethod>(*command, "--method", methods, options->settings.method,
                                 "only one part of the solver; default: auto, all of them");
  add_choice_option<ContactLaw>(*command, "--law", laws, options->settings.law, "default: coulomb");
  command->add_option("--iterations", options->iterations, "most iterations; default: 1000")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--repeat", options->repeat,
                   "timed solves; default: as many as fit in 0.2 s, at most 1000")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--history", options->history,
                   "CSV to write: the residual after each iteration, from an extra solve that is not timed")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print JSON, with the forces");
  command->footer(
      "Exit code: 0 all converged, 1 some did not.\n\n"
      "Example:\n  delassus simulate box_stack --dump-problems problems\n"
      "  delassus solve problems --tolerance 1e-10");
  command->callback([options, &exit_code] { exit_code = solve(*options); });
}

}  // namespace delassus
