#include "tools/command/loop_saving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "model/scene/number.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/standard_streams.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {
namespace {

// As a shell takes it for one word with these letters.
std::string shell_word(std::string const& text) {
  constexpr std::string_view plain = "_-./,:=+%@";
  bool const is_plain = !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           plain.find(c) != std::string_view::npos;
  });
  if (is_plain) return text;
  std::string quoted = "'";
  for (char const c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// What of this run's options its structure does not say, each with its value.
std::vector<std::pair<std::string, std::string>> unsaved_options(CosimOptions const& options) {
  std::vector<std::pair<std::string, std::string>> unsaved;
  auto const add = [&](char const* name, std::string const& value) {
    if (!value.empty()) unsaved.emplace_back(name, value);
  };
  auto const add_number = [&](char const* name, std::optional<double> value) {
    if (value) unsaved.emplace_back(name, format_number(*value));
  };
  auto const add_flag = [&](char const* name, bool given) {
    if (given) unsaved.emplace_back(name, "");
  };
  add("--order", fmt::format("{}", fmt::join(options.order, ",")));
  add("--loops", options.loops);
  add_number("--loop-tolerance", options.loop_tolerance);
  add_number("--tolerance", options.tolerance);
  add("--solver", options.integration.solver);
  add_number("--absolute-tolerance", options.integration.absolute_tolerance);
  add_number("--solver-step", options.integration.step);
  add_flag("--event-mode", options.event_mode);
  add_flag("--no-rollback", options.no_rollback);
  if (options.backend == ImportBackend::fmil) add("--backend", "fmil");
  return unsaved;
}

}  // namespace

void save_loop(CosimOptions const& options, LoopStructure const& loop, CosimPlan const& plan) {
  std::filesystem::path const file = options.save;
  LoopRun run{.start = plan.start, .stop = plan.stop, .settings = {}, .values = plan.settings};
  auto const keep = [&](char const* name, std::optional<double> value) {
    if (value) run.settings[name] = format_number(*value);
  };
  if (!plan.chooses_step) keep("step", plan.step);
  if (plan.algorithm != CosimAlgorithm::gauss_seidel)
    run.settings["algorithm"] = algorithm_name(plan.algorithm);
  if (plan.extrapolation > 0) run.settings["extrapolation"] = std::to_string(plan.extrapolation);
  keep("tolerance", plan.step_tolerance);
  keep("minimumStep", plan.smallest_step);
  keep("maximumStep", plan.largest_step);
  write_file(file,
             loop.text(file.stem().string(), file.parent_path().empty() ? "." : file.parent_path(), run));
  if (options.quiet) return;
  auto const unsaved = unsaved_options(options);
  std::string names, words;
  for (auto const& [option, value] : unsaved) {
    names += (names.empty() ? "" : ", ") + option;
    words += " " + option + (value.empty() ? "" : " " + shell_word(value));
  }
  // A name that begins with a hyphen would be taken for an option.
  std::string const name = options.save.starts_with("-") ? "./" + options.save : options.save;
  print_message("wrote {}, which `delassus cosim {}{}` runs\n", printable_text(options.save),
                shell_word(name), words);
  if (!unsaved.empty())
    print_notes({fmt::format("{}: a system structure has no place for {}; give {} in each run", names,
                             unsaved.size() == 1 ? "it" : "them", unsaved.size() == 1 ? "it" : "them")});
}

}  // namespace delassus
