#include "tools/command/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "model/scene/number.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {

CLI::Option* add_number_option(CLI::App& command, std::string const& name, std::optional<double>& value,
                               std::string const& description) {
  auto const read = [&value, name](std::string const& text) {
    value = parse_number(text);
    if (!value)
      throw CLI::ValidationError(name.substr(0, name.find(',')),
                                 fmt::format("'{}' is not a finite number, such as 0.5 or 1e-3", text));
  };
  return command.add_option_function<std::string>(name, read, description)->type_name("NUMBER");
}

CLI::Option* add_stop_option(CLI::App& command, std::optional<double>& value,
                             std::string const& description) {
  return add_number_option(command, "--stop,--until", value, description);
}

void keep_inputs(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs) {
  for (auto const& output : outputs) {
    for (auto const& input : inputs) {
      std::error_code missing;  // a file that is not there yet is no other one
      if (output.empty() || input.empty() || !std::filesystem::is_regular_file(output, missing)) continue;
      if (!std::filesystem::equivalent(output, input, missing)) continue;
      throw CommandError(
          ExitCode::usage,
          fmt::format("{} is read by this command and would be overwritten; write to another file", output));
    }
  }
}

namespace {

void demand_ending(std::string const& output, std::string_view ending, std::string_view written_as) {
  auto const extension = std::filesystem::path(output).extension();
  constexpr std::array others{".png", ".jpg", ".pdf", ".eps", ".svg", ".html", ".csv"};
  if (extension != ending && std::ranges::find(others, extension) != others.end()) {
    throw CommandError(ExitCode::usage,
                       fmt::format("{}; name the file {}", written_as,
                                   std::filesystem::path(output).replace_extension(ending).string()));
  }
}

}  // namespace

void demand_page(std::string const& report) {
  demand_ending(report, ".html", "a report is a page for a browser");
}

CLI::Option* add_fmi_option(CLI::App& command, int& version, std::string const& description) {
  auto const read = [&version](std::string const& text) {
    if (text != "2" && text != "3" && text != "2.0" && text != "3.0") {
      throw CLI::ValidationError(
          "--fmi", fmt::format("'{}' is no version of FMI that Delassus knows; it is 2 or 3", text));
    }
    version = text[0] - '0';
  };
  return command.add_option_function<std::string>("--fmi", read, description)->type_name("2|3");
}

CLI::Option* add_backend_option(CLI::App& command, ImportBackend& backend) {
  auto const read = [&backend](std::string const& text) {
    backend = text == "fmil" ? ImportBackend::fmil : ImportBackend::own;
  };
  return command
      .add_option_function<std::string>(
          "--backend", read,
          "what loads FMUs: own, or fmil for FMI Library where this program was "
          "built with it; the results are the same")
      ->check(CLI::IsMember({"own", "fmil"}));
}

}  // namespace delassus
