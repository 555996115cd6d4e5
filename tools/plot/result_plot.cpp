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
      std::string const value = signal.is_float()
                                    ? fmt::format("{:.6g}", signal.displayed(result.parameter_values[i]))
                                    : value_text(signal, result.parameter_values[i]);
      std::string const& shown_in = signal.display_unit.empty() ? signal.unit : signal.display_unit;
      std::string const unit = shown_in.empty() || shown_in == "1" ? "" : " " + shown_in;
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

// What the solver did, and integers that say again what an enumeration says: not what a plot is first looked at for.
bool is_bookkeeping(std::string const& name) {
  return name.starts_with("events.") || name.find(".events.") != std::string::npos ||
         name.ends_with("contact.residual") || name.ends_with("_number");
}

// Without --show: outputs and the inputs that change, but no bookkeeping and, where there are many, no constants and
// the first ones only: a hundred spheres have 1,300 outputs, which nobody can tell apart.
std::vector<bool> shown_by_default(SimulationResult const& result, SignalTable const& signals,
                                   std::vector<std::string>& notes) {
  constexpr std::size_t most = 48;
  std::vector<bool> wanted(result.signals.size(), false);
  auto const count = [&] { return static_cast<std::size_t>(std::ranges::count(wanted, true)); };
  auto const moves = [&](std::size_t i) {
    auto const& values = result.table.columns[i];
    return !values.empty() && changes(values);
  };
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Signal const& signal = signals[result.signals[i]];
    wanted[i] = (signal.is_output() || moves(i)) && !is_bookkeeping(signal.name);
  }
  // Of a model that has nothing else, everything.
  if (count() == 0) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = signals[result.signals[i]].is_output() || moves(i);
  }
  if (count() <= most) return wanted;
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = wanted[i] && moves(i);
  std::size_t const moving = count();
  if (moving <= most) return wanted;
  // Sums over everything come last in the table, and first to the eye.
  auto const is_sum = [&](std::size_t i) {
    return signals[result.signals[i]].name.find("energy.") != std::string::npos;
  };
  std::size_t sums = 0, kept = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) sums += wanted[i] && is_sum(i) ? 1 : 0;
  sums = std::min(sums, most / 2);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i] || is_sum(i)) continue;
    wanted[i] = kept < most - sums;
    kept += wanted[i] ? 1 : 0;
  }
  notes.push_back(fmt::format("{} of {} variables that change; --show NAME shows others", count(), moving));
  return wanted;
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
  std::vector<bool> const by_default =
      shown.empty() ? shown_by_default(result, signals, plot.subtitles) : std::vector<bool>();
  for (std::size_t i = 0; i < result.signals.size(); ++i) {
    Signal const& signal = signals[result.signals[i]];
    auto const& values = result.table.columns[i];
    if (!(shown.empty() ? by_default[i] : std::ranges::any_of(shown, [&](auto const& text) {
          return stands_for(text, signal.name);
        })))
      continue;
    plot.series.push_back(
        {signal.name, signal.unit, values, !signal.is_float() || signal.is_input(), signal.items});
    if (signal.display_unit.empty()) continue;
    PlotSeries& shown_in = plot.series.back();
    shown_in.unit = signal.display_unit;
    for (double& value : shown_in.values) value = signal.displayed(value);
  }
  return plot;
}

}  // namespace delassus
