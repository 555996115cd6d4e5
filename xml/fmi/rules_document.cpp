// The root element, the interface types, the default experiment and the log categories.
#include <array>
#include <chrono>
#include <cmath>
#include <set>

#include "xml/fmi/rule_context.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

bool is_c_identifier(std::string_view text) {
  auto const is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !is_letter(text.front())) return false;
  for (char const character : text) {
    if (!is_letter(character) && !is_digit(character)) return false;
  }
  return true;
}

// `3.MINOR` or `3.MINOR.PATCH` without leading zeros, a suffix for pre-releases (FMI 3.0, 2.4.1).
bool is_fmi3_version(std::string_view text) {
  text = text.substr(0, text.find('-'));
  int numbers = 0;
  while (true) {
    auto const point = text.find('.');
    auto const number = text.substr(0, point);
    if (number.empty() || (number.size() > 1 && number.front() == '0')) return false;
    for (char const character : number) {
      if (!is_digit(character)) return false;
    }
    ++numbers;
    if (point == std::string_view::npos) return numbers == 2 || numbers == 3;
    text.remove_prefix(point + 1);
  }
}

// FMI 2 requires YYYY-MM-DDThh:mm:ssZ. FMI 3 also allows fractions of seconds and time offsets.
bool is_date_and_time(std::string_view text, int version) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  if (text.size() <= form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'd' ? !is_digit(text[i]) : form[i] != text[i]) return false;
  }
  auto const number = [&](std::size_t begin, std::size_t count) {
    return *parse_integer<int>(text.substr(begin, count));
  };
  std::chrono::year_month_day const date{std::chrono::year{number(0, 4)},
                                         std::chrono::month{static_cast<unsigned>(number(5, 2))},
                                         std::chrono::day{static_cast<unsigned>(number(8, 2))}};
  if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59) return false;

  auto rest = text.substr(form.size());
  if (rest == "Z") return true;
  if (version == 2) return false;
  if (rest.starts_with('.')) {
    auto const end = rest.find_first_not_of("0123456789", 1);
    if (end == 1) return false;
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
  }
  if (rest.empty() || rest == "Z") return true;
  constexpr std::string_view offset = "+dd:dd";
  if (rest.size() != offset.size() || (rest[0] != '+' && rest[0] != '-')) return false;
  for (std::size_t i = 1; i < offset.size(); ++i) {
    if (offset[i] == 'd' ? !is_digit(rest[i]) : offset[i] != rest[i]) return false;
  }
  return true;
}

void check_root(RuleContext& context) {
  auto const& description = context.description();
  auto const attribute = [&](std::string const& name) {
    auto const found = description.attributes.find(name);
    return found == description.attributes.end() ? nullptr : &found->second;
  };
  auto const* const version = attribute("fmiVersion");
  if (version != nullptr && context.version() == 2 && *version != "2.0") {
    context.report("fmi-version", description.line, "fmiVersion=\"" + *version + "\"",
                   "write fmiVersion=\"2.0\", also for the maintenance releases of FMI 2");
  }
  if (version != nullptr && context.version() == 3 && *version != "3.0") {
    bool const form = is_fmi3_version(*version);
    context.report(
        form ? "fmi-version-support" : "fmi-version", description.line,
        "fmiVersion=\"" + *version + "\"" + (form ? " is not known to every importer of FMI 3" : ""),
        "write fmiVersion=\"3.0\"");
  }

  std::string const token_name{token_attribute_name(context.version())};
  auto const* const token = attribute(token_name);
  if (token != nullptr && trimmed(*token).empty()) {
    context.report("token", description.line, token_name + " is empty",
                   "write a text that no other FMU has, best a hash of the content: importers cache by it");
  }
  auto const* const date = attribute("generationDateAndTime");
  if (date != nullptr && !is_date_and_time(*date, context.version())) {
    context.report("generation-date", description.line, "generationDateAndTime=\"" + *date + "\"",
                   "write a date as YYYY-MM-DDThh:mm:ssZ, for example 2026-01-31T12:00:00Z");
  }
}

// A flag that may be true only if another one is (FMI 2.0.4, 3.3.1 and 4.3.1; FMI 3.0, 2.4.2 and 4.4).
struct FlagDependency {
  std::string_view rule;
  int version;
  std::string_view flag, needs;
};

constexpr FlagDependency flag_dependencies[] = {
    {"state-capabilities", 2, "canSerializeFMUstate", "canGetAndSetFMUstate"},
    {"state-capabilities", 3, "canSerializeFMUState", "canGetAndSetFMUState"},
    {"early-return", 3, "canReturnEarlyAfterIntermediateUpdate", "providesIntermediateUpdate"},
};

void check_interfaces(RuleContext& context) {
  auto const& description = context.description();
  if (description.interfaces.empty()) {
    context.report("interface-present", description.line, "no interface type is declared",
                   "add a <CoSimulation> or <ModelExchange> element");
  }
  for (auto const& interface : description.interfaces) {
    if (interface.attributes.contains("modelIdentifier") && !is_c_identifier(interface.model_identifier())) {
      context.report(
          "model-identifier", interface.line,
          "modelIdentifier=\"" + interface.model_identifier() + "\" is not a C identifier",
          "use letters, digits and underscores, and no digit at the beginning: it names the binary");
    }
    for (auto const& dependency : flag_dependencies) {
      std::string const flag{dependency.flag}, needs{dependency.needs};
      if (dependency.version == context.version() && interface.flag(flag) && !interface.flag(needs)) {
        context.report(dependency.rule, interface.line, flag + " is true and " + needs + " is not",
                       "write " + needs + "=\"true\" as well, or leave " + flag + " out");
      }
    }
    auto const step = interface.attributes.find("fixedInternalStepSize");
    if (step != interface.attributes.end()) {
      auto const value = parse_double(step->second);
      if (value && !(*value > 0 && std::isfinite(*value))) {
        context.report("internal-step", interface.line, "fixedInternalStepSize=\"" + step->second + "\"",
                       "write the positive step in seconds, or leave the attribute out");
      }
    }
  }

  auto const* const co_simulation = description.interface("CoSimulation");
  if (context.version() == 3 && co_simulation != nullptr && !co_simulation->flag("hasEventMode")) {
    for (auto const& variable : description.variables) {
      if (variable.type != "Clock") continue;
      context.report("clock-event-mode", co_simulation->line,
                     "there are clocks, " + variable.name + " among them, and hasEventMode is not true",
                     "write hasEventMode=\"true\": clocks tick in event mode");
      break;
    }
  }
}

void check_experiment(RuleContext& context) {
  auto const& experiment = context.description().default_experiment;
  if (!experiment) return;
  auto const number = [](std::optional<std::string> const& text) {
    return text ? parse_double(*text) : std::nullopt;
  };
  auto const report = [&](std::string message, std::string remedy) {
    context.report("default-experiment", experiment->line, std::move(message), std::move(remedy));
  };
  std::array<std::pair<std::string_view, std::optional<std::string> const*>, 4> const attributes{{
      {"startTime", &experiment->start_time},
      {"stopTime", &experiment->stop_time},
      {"tolerance", &experiment->tolerance},
      {"stepSize", &experiment->step_size},
  }};
  for (auto const& [name, text] : attributes) {
    auto const value = number(*text);
    if (value && !std::isfinite(*value)) {
      report(std::string{name} + "=\"" + **text + "\" is not finite",
             "write a finite number or leave it out");
      return;
    }
  }
  auto const start = number(experiment->start_time).value_or(0);
  auto const stop = number(experiment->stop_time);
  auto const step = number(experiment->step_size);
  auto const tolerance = number(experiment->tolerance);
  if (tolerance && *tolerance < 0) {
    report("tolerance=\"" + *experiment->tolerance + "\" is negative", "write a relative tolerance >= 0");
  }
  if (step && !(*step > 0)) {
    report("stepSize=\"" + *experiment->step_size + "\" is not positive", "write a step > 0");
  }
  if (stop && !(*stop > start)) {
    report("stopTime=\"" + *experiment->stop_time + "\" is not after the start " + number_text(start),
           "write a stopTime > startTime");
  } else if (stop && step && *step > 0 && !(*step < *stop - start)) {
    report("stepSize=\"" + *experiment->step_size + "\" does not fit into the experiment",
           "write a stepSize below stopTime - startTime");
  }
}

void check_log_categories(RuleContext& context) {
  std::set<std::string> names;
  for (auto const& category : context.description().log_categories) {
    if (category.name.empty() || !names.insert(category.name).second) {
      context.report("log-category", category.line,
                     category.name.empty() ? "a log category has an empty name"
                                           : "the log category " + category.name + " is there twice",
                     "give every category a name of its own");
    }
  }
}

}  // namespace

void check_document(RuleContext& context) {
  check_root(context);
  check_interfaces(context);
  check_experiment(context);
  check_log_categories(context);
}

}  // namespace delassus
