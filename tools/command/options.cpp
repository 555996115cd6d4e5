#include "tools/command/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "model/scene/number.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/ssp/system_source.hpp"
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

namespace {

// Whether both names stand for one file, now or as soon as it is written: by links and relative paths as well.
bool is_same_file(std::filesystem::path const& one, std::filesystem::path const& other) {
  std::error_code error;
  if (std::filesystem::equivalent(one, other, error)) return true;
  auto const place = [&](std::filesystem::path const& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, error), error);
  };
  return place(one) == place(other);
}

}  // namespace

void keep_inputs(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs) {
  auto const refuse = [](std::string const& message) { throw CommandError(ExitCode::usage, message); };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::string const& output = outputs[i];
    std::error_code missing;  // a file that is not there yet is no other one
    if (output.empty()) continue;
    bool const file = output != "-" && (!std::filesystem::exists(output, missing) ||
                                        std::filesystem::is_regular_file(output, missing));
    for (std::size_t k = 0; k < i; ++k) {
      if (outputs[k].empty() || (outputs[k] != output && !(file && is_same_file(outputs[k], output))))
        continue;
      if (output == "-")
        refuse("two outputs of this command go to standard output; write one of them to a file");
      if (file)
        refuse(fmt::format("two outputs of this command are written to {}; write to two files", output));
    }
    for (auto const& input : inputs) {
      if (input.empty() || !file || !std::filesystem::exists(input, missing) || !is_same_file(output, input))
        continue;
      refuse(
          fmt::format("{} is read by this command and would be overwritten; write to another file", output));
    }
  }
}

std::vector<std::string> files_of_model(std::string const& model, std::string const& variant) {
  std::vector<std::string> files{model};
  if (model.empty()) return files;
  try {
    if (is_system_file(model)) {
      for (auto const& file : load_cosim_system(model, variant).files) files.push_back(file.string());
    } else {
      files.push_back(find_model(model).file.string());
    }
  } catch (std::exception const&) {
    // It cannot be run, so that nothing is written.
  }
  return files;
}

namespace {

// What somebody means who names a file so.
constexpr std::array known_endings{std::pair{".csv", "a table of rows"},
                                   std::pair{".svg", "a picture"},
                                   std::pair{".png", "a picture"},
                                   std::pair{".jpg", "a picture"},
                                   std::pair{".jpeg", "a picture"},
                                   std::pair{".pdf", "a picture"},
                                   std::pair{".eps", "a picture"},
                                   std::pair{".gif", "an animation"},
                                   std::pair{".webp", "an animation"},
                                   std::pair{".html", "a page"},
                                   std::pair{".htm", "a page"},
                                   std::pair{".json", "JSON"},
                                   std::pair{".xml", "a scene or a controller"},
                                   std::pair{".ssd", "a system structure"},
                                   std::pair{".ssp", "a package of a system"},
                                   std::pair{".fmu", "an FMU"},
                                   std::pair{".zip", "an archive"}};

std::string ending_of(std::string const& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending;
}

// No name of a file that will be there: standard output, /dev/null, a pipe.
bool is_stream(std::string const& output) {
  std::error_code missing;
  return output == "-" ||
         (std::filesystem::exists(output, missing) && !std::filesystem::is_regular_file(output, missing) &&
          !std::filesystem::is_directory(output, missing));
}

[[noreturn]] void refuse_ending(std::string const& output, char const* ending, std::string const& written_as,
                                std::string const& instead) {
  throw CommandError(ExitCode::usage,
                     fmt::format("{}: {}; name the file {}{}", output, written_as,
                                 std::filesystem::path(output).replace_extension(ending).string(),
                                 instead.empty() ? "" : ", or " + instead));
}

void refuse_other_format(std::string const& output, std::initializer_list<std::string_view> endings,
                         std::string const& written_as, std::string const& instead) {
  if (output.empty() || is_stream(output)) return;
  std::string const ending = ending_of(output);
  auto const known = std::ranges::find(known_endings, ending, [](auto const& each) { return each.first; });
  if (known == known_endings.end() || std::ranges::find(endings, ending) != endings.end()) return;
  refuse_ending(output, endings.begin()->data(),
                fmt::format("{} is {}, and {}", ending, known->second, written_as), instead);
}

}  // namespace

void demand_page(std::string const& report) {
  refuse_other_format(report, {".html", ".htm"}, "a report is a page for a browser", "");
}

void demand_table(std::string const& output, std::string const& instead) {
  refuse_other_format(output, {".csv"}, "a table of rows, a .csv, is written", instead);
}

void demand_analysis(std::string const& output, bool json) {
  if (json)
    refuse_other_format(output, {".json"}, "JSON is written", "leave --json out");
  else
    refuse_other_format(output, {".txt"}, "a text is written",
                        "give --json, --map or --plot for other formats");
}

void demand_ending(std::string const& output, char const* ending, std::string const& written_as,
                   std::string const& instead) {
  if (output.empty() || is_stream(output) || ending_of(output) == ending) return;
  refuse_ending(output, ending, written_as, instead);
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
