// The program `delassus`. Each command is in its own file; here are its name, its help and its way to end.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "model/language/element_reader.hpp"
#include "model/scene/user_error.hpp"
#include "tools/command/analyse.hpp"
#include "tools/command/build.hpp"
#include "tools/command/check.hpp"
#include "tools/command/cosim.hpp"
#include "tools/command/describe.hpp"
#include "tools/command/examples.hpp"
#include "tools/command/report.hpp"
#include "tools/command/reproduce.hpp"
#include "tools/command/simulate.hpp"
#include "tools/command/solve.hpp"
#include "tools/command/sweep.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/build_info.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/standard_streams.hpp"
#include "xml/text/utf8.hpp"

namespace {

using namespace delassus;

int fail(ExitCode code, std::string const& message) {
  wait_where_interruption_ends();
  print_message("delassus: {}\n", printable_text(message));
  return static_cast<int>(code);
}

// What other programs call our options.
struct UsualWord {
  std::string_view written, option;
};
constexpr std::array<UsualWord, 10> usual_words{{{"--end", "--stop"},
                                                 {"--duration", "--stop"},
                                                 {"--time", "--stop"},
                                                 {"--stop-time", "--stop"},
                                                 {"--tstop", "--stop"},
                                                 {"--dt", "--step"},
                                                 {"--step-size", "--step"},
                                                 {"--timestep", "--step"},
                                                 {"--param", "--set"},
                                                 {"--parameter", "--set"}}};

// CLI11 lists what it did not understand, in an order of its own, and suggests nothing.
std::string unexpected_argument(CLI::App const& command) {
  std::string unexpected;
  for (auto const& word : command.remaining(true)) {
    if (unexpected.empty() || (word.starts_with("-") && !unexpected.starts_with("-"))) unexpected = word;
  }
  unexpected = unexpected.substr(0, unexpected.find('='));
  std::vector<std::string> options;
  for (CLI::Option const* const option : command.get_options()) {
    for (auto const& name : option->get_lnames()) options.push_back("--" + name);
  }
  std::string const& name = command.get_name();
  if (!unexpected.starts_with("-"))
    return fmt::format("{0} takes no argument '{1}'; `delassus {0} --help` shows what it takes", name,
                       unexpected);
  if (unexpected == "--connect" || unexpected == "--save")
    return fmt::format(
        "{0} has no option '{1}'; `delassus cosim FILE FILE --connect ... --save loop.ssd` writes a loop, "
        "and `delassus {0} loop.ssd` takes it",
        name, unexpected);
  auto const usual = std::ranges::find(usual_words, unexpected, &UsualWord::written);
  std::optional<std::string_view> meant;
  if (usual != usual_words.end() && std::ranges::find(options, usual->option) != options.end()) {
    meant = usual->option;
  } else {
    meant = did_you_mean(unexpected, std::vector<std::string_view>(options.begin(), options.end()));
  }
  return fmt::format("{} has no option '{}'; {}", name, unexpected,
                     meant ? fmt::format("did you mean '{}'?", *meant)
                           : fmt::format("`delassus {} --help` lists all", name));
}

int run(int argument_count, char** arguments) {
  CLI::App program("Delassus: frictional contact as an FMU.", "delassus");
  program.set_version_flag("--version", std::string("delassus ") + program_version);
  program.require_subcommand(1);
  program.get_formatter()->column_width(34);
  program.footer(
      "Exit codes: 0 fine, 1 findings, 2 usage, 3 the FMU or the run failed or was interrupted, or standard "
      "output did not take the results, 4 the results are not those of the reference.\n\n"
      "Example:\n  delassus simulate painleve_rod --plot rod.svg");
  ExitCode exit_code = ExitCode::fine;
  add_build_command(program, exit_code);
  add_describe_command(program, exit_code);
  add_check_command(program, exit_code);
  add_simulate_command(program, exit_code);
  add_cosim_command(program, exit_code);
  add_solve_command(program, exit_code);
  add_analyse_command(program, exit_code);
  add_reproduce_command(program, exit_code);
  add_report_command(program, exit_code);
  add_sweep_command(program, exit_code);
  add_examples_command(program, exit_code);
  // CLI11 would say of both only that a command is required.
  std::string const command = argument_count > 1 ? arguments[1] : "";
  std::vector<std::string_view> commands;
  for (CLI::App const* const each : program.get_subcommands({})) commands.push_back(each->get_name());
  if (command.empty() || (command[0] != '-' && std::ranges::find(commands, command) == commands.end())) {
    throw CommandError(
        ExitCode::usage,
        command.empty() ? fmt::format("name a command: {}; `delassus --help` shows what each does",
                                      fmt::join(commands, ", "))
                        : fmt::format("there is no command '{}'{}", command, suggestion(command, commands)));
  }
  // Under MPI a sweep listens only in the rank that writes.
  if (command != "sweep") listen_for_interruption();
  try {
    program.parse(argument_count, arguments);
  } catch (CLI::ExtrasError const&) {
    throw CommandError(ExitCode::usage, unexpected_argument(*program.get_subcommands().front()));
  } catch (CLI::ParseError const& error) {
    // Help and version are "errors" of code 0; all others are the user's to correct.
    std::ostringstream output, errors;
    bool const fine = program.exit(error, output, errors) == 0;
    print_text(errors.str());
    write_standard_output(output.str());
    return fine ? 0 : static_cast<int>(ExitCode::usage);
  }
  return static_cast<int>(exit_code);
}

}  // namespace

int main(int argument_count, char** arguments) {
  open_standard_streams();
  // A reader that went away, or a file that may not grow, shall not kill us before temporary folders are removed; writing
  // tells us.
  bool const pipes_end_us = std::signal(SIGPIPE, SIG_IGN) != SIG_IGN;
  std::signal(SIGXFSZ, SIG_IGN);
  // Whoever ignores the end of children is not told how they ended.
  std::signal(SIGCHLD, SIG_DFL);
  try {
    int const code = run(argument_count, arguments);
    wait_where_interruption_ends();
    return code;
  } catch (ClosedPipe const& error) {
    // `delassus examples | head -1`: the reader does not want the rest, which is no message's worth.
    if (!pipes_end_us) return fail(ExitCode::run_failed, error.what());
    std::signal(SIGPIPE, SIG_DFL);
    return std::raise(SIGPIPE);
  } catch (LostOutput const& error) {
    return fail(ExitCode::run_failed, error.what());
  } catch (CommandError const& error) {
    return fail(error.code(), error.what());
  } catch (StorageError const& error) {
    return fail(ExitCode::run_failed, error.what());
  } catch (UserError const& error) {
    return fail(ExitCode::usage, error.what());
  } catch (std::exception const& error) {
    return fail(ExitCode::run_failed, error.what());
  }
}
