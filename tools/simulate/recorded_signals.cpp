#include "tools/simulate/recorded_signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

// * stands for any text, ? for one character.
bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t at = 0, next = 0, star = std::string_view::npos, resumed = 0;
  while (at < text.size()) {
    if (next < pattern.size() && (pattern[next] == '?' || pattern[next] == text[at]) &&
        pattern[next] != '*') {
      ++next;
      ++at;
    } else if (next < pattern.size() && pattern[next] == '*') {
      star = next++;
      resumed = at;
    } else if (star != std::string_view::npos) {
      next = star + 1;
      at = ++resumed;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', next) == std::string_view::npos;
}

bool is_recordable(Signal const& signal) {
  return signal.is_number() && signal.causality != "independent";
}

bool is_parameter(Signal const& signal) {
  return signal.causality.ends_with("arameter");
}

bool is_of_kind(std::string const& kind, Signal const& signal) {
  if (kind == "all") return true;
  if (kind == "inputs") return signal.is_input();
  if (kind == "outputs") return signal.is_output();
  if (kind == "locals") return signal.causality == "local";
  return kind == "parameters" && is_parameter(signal);
}

bool is_kind(std::string const& text) {
  return text == "all" || text == "inputs" || text == "outputs" || text == "locals" || text == "parameters";
}

std::vector<std::size_t> recorded_by(SignalTable const& signals, std::string const& text) {
  std::vector<std::size_t> found;
  auto const add_where = [&](auto const& wanted) {
    for (std::size_t i = 0; i < signals.signals().size(); ++i) {
      if (is_recordable(signals[i]) && wanted(signals[i])) found.push_back(i);
    }
  };
  if (auto const exact = signals.find(text)) {  // also where a variable is called `all`
    Signal const& signal = signals[*exact];
    if (!signal.is_number())
      throw CommandError(ExitCode::usage,
                         fmt::format("{} cannot be recorded: it is a {}, and a table has numbers",
                                     signal.name, signal.type));
    return {*exact};
  }
  bool const is_pattern = text.find_first_of("*?") != std::string::npos;
  if (is_kind(text)) {
    add_where([&](Signal const& signal) { return is_of_kind(text, signal); });
  } else if (is_pattern) {
    add_where([&](Signal const& signal) { return matches_pattern(text, signal.name); });
  } else {
    add_where([&](Signal const& signal) {
      return signal.name.starts_with(text + ".") || signal.name.starts_with(text + "[");
    });
  }
  if (!found.empty()) return found;
  if (is_kind(text))
    throw CommandError(ExitCode::usage, fmt::format("--record {}: the model has none", text));
  if (is_pattern)
    throw CommandError(ExitCode::usage,
                       fmt::format("--record {}: no variable of the model has such a name", text));
  std::vector<std::string_view> known{"all", "inputs", "outputs", "locals", "parameters"};
  for (auto const& signal : signals.signals()) {
    if (is_recordable(signal)) known.push_back(signal.name);
  }
  throw UnknownSignal(
      fmt::format("there is no variable '{}' to record{}", text, suggested_names(text, known)));
}

}  // namespace

std::vector<std::size_t> find_recorded(SignalTable const& signals, std::span<const std::string> asked) {
  std::vector<std::size_t> all;
  std::set<std::size_t> seen;
  for (auto const& text : asked) {
    for (auto const signal : recorded_by(signals, text)) {
      // Time is the first column anyway.
      if (signals[signal].causality != "independent" && seen.insert(signal).second) all.push_back(signal);
    }
  }
  return all;
}

DefaultRecord default_record(SignalTable const& signals) {
  DefaultRecord record;
  auto const add = [&](auto const& wanted) {
    std::size_t const before = record.signals.size();
    for (std::size_t i = 0; i < signals.signals().size(); ++i) {
      if (is_recordable(signals[i]) && wanted(signals[i])) record.signals.push_back(i);
    }
    return record.signals.size() - before;
  };
  add([](Signal const& signal) { return signal.is_input(); });
  if (add([](Signal const& signal) { return signal.is_output(); }) > 0) return record;
  std::size_t const locals = add(
      [](Signal const& signal) { return signal.causality == "local" && signal.variability != "constant"; });
  if (locals > 0) {
    record.note =
        fmt::format("the model has no outputs; its {} are recorded (--record chooses)",
                    locals == 1 ? "only local variable" : fmt::format("{} local variables", locals));
    return record;
  }
  std::size_t const parameters = add(is_parameter);
  record.note = parameters > 0
                    ? "the model has neither outputs nor local variables; its parameters are recorded"
                    : "the model has no variables to record but inputs";
  return record;
}

}  // namespace delassus
