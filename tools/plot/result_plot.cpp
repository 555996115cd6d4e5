#include "tools/plot/result_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/language/vocabulary.hpp"
#include "tools/simulate/assignment.hpp"

namespace delassus {
namespace {

bool changes(std::vector<double> const& values) {
  return std::ranges::any_of(values, [&](double value) { return value != values.front(); });
}

// The contact's coefficients; the masses and lengths of a scene are not what one run differs from another in.
bool is_telling(std::string const& name) {
  constexpr std::array<std::string_view, 5> endings{".mu", ".bound", ".restitution", ".zeta", ".delta"};
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string parameter_text(SimulationResult const& result, SimulationPlan const& plan,
                           SignalTable const& signals) {
  constexpr std::size_t most = 6;
  std::vector<std::string> texts;
  auto const was_set = [&](std::size_t index) {
    return std::ranges::any_of(plan.settings,
                               [&](SignalValue const& value) { return value.signal == index; });
  };
  auto const add_where = [&](auto const& wanted) {
    for (std::size_t i = 0; i < result.parameter_values.size() && texts.size() < most; ++i) {
      Signal const& signal = signals[result.parameters[i]];
      if (!wanted(signal, result.parameters[i])) continue;
      std::string const value = signal.is_float() ? fmt::format("{:.6g}", result.parameter_values[i])
                                                  : value_text(signal, result.parameter_values[i]);
      std::string const unit = signal.unit.empty() || signal.unit == "1" ? "" : " " + signal.unit;
      texts.push_back(fmt::format("{} = {}{}", signal.name, value, unit));
    }
  };
  add_where([&](Signal const& signal, std::size_t) { return signal.name == "solver.stepper"; });
  add_where([&](Signal const& signal, std::size_t index) {
    return was_set(index) && signal.name != "solver.stepper";
  });
  add_where(
      [&](Signal const& signal, std::size_t index) { return is_telling(signal.name) && !was_set(index); });
  return fmt::format("{}", fmt::join(texts, ", "));
}

// `tip_ground` stands for everything of it, `tip_ground.force` for its components.
bool stands_for(std::string const& shown, std::string_view name) {
  return name == shown || name.starts_with(shown + ".") || name.starts_with(shown + "[");
}

std::string attribute(ModelDescription const& description, std::string const& name) {
  auto const found = description.attributes.find(name);
  return found == description.attributes.end() ? "" : found->second;
}

}  // namespace

void check_shown(std::vector<std::string> const& shown, SignalTable const& signals,
                 std::vector<std::size_t> const& recorded) {
  std::vector<std::string_view> known;
  for (auto const index : recorded) known.push_back(signals[index].name);
  for (auto const& signal : signals.signals()) {
    if (recorded.empty() && signal.is_number() && (signal.is_input() || signal.is_output()))
      known.push_back(signal.name);
  }
  for (auto const& text : shown) {
    if (std::ranges::any_of(known, [&](std::string_view name) { return stands_for(text, name); })) continue;
    throw UnknownSignal(
        fmt::format("there is no input or output '{}' to show{}", text, suggested_names(text, known)));
  }
}

Plot plot_result(SimulationResult const& result, SimulationPlan const& plan,
                 ModelDescription const& description, SignalTable const& signals,
                 std::vector<std::string> const& shown) {
  Plot plot;
  plot.title = attribute(description, "modelName");
  for (auto const& line : {attribute(description, "description"), parameter_text(result, plan, signals)}) {
    if (!line.empty()) plot.subtitles.push_back(line);
  }
  plot.time = result.table.time;
  for (std::size_t i = 0; i < result.signals.size(); ++i) {
    Signal const& signal = signals[result.signals[i]];
    auto const& values = result.table.columns[i];
    bool const asked_for =
        std::ranges::any_of(shown, [&](auto const& text) { return stands_for(text, signal.name); });
    bool const wanted =
        shown.empty() ? signal.is_output() || (!values.empty() && changes(values)) : asked_for;
    if (!wanted) continue;
    plot.series.push_back(
        {signal.name, signal.unit, values, !signal.is_float() || signal.is_input(), signal.items});
  }
  return plot;
}

}  // namespace delassus
