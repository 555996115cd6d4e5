#include "tools/report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/scene/number.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

struct Known {
  ReportedModel const* model = nullptr;
  std::size_t signal = 0;
};

std::optional<Known> find_signal(std::vector<ReportedModel> const& models, std::string const& column) {
  for (ReportedModel const& model : models) {
    if (!column.starts_with(model.prefix)) continue;
    if (auto const signal = model.signals.find(std::string_view(column).substr(model.prefix.size())))
      return Known{&model, *signal};
  }
  return std::nullopt;
}

void check_fit(TimeTable const& table, std::vector<ReportedModel> const& models) {
  if (table.rows() == 0)
    throw CommandError(ExitCode::usage,
                       fmt::format("{} has no rows; there is nothing to report", table.file));
  if (models.empty()) return;
  bool const fits = std::ranges::any_of(
      table.names, [&](auto const& name) { return find_signal(models, name).has_value(); });
  if (!fits) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("no column of {} is a variable of the model (the first is '{}'); is --model the one that "
                    "was run? Without --model the columns are only plotted",
                    table.file, table.names.empty() ? "time" : table.names.front()));
  }
}

// Names that every scene has, such as energy.total, fit any model: it would stand still with the energy of another.
void check_motion(RecordedScene const& recorded, ReportedModel const& model) {
  TimeTable const& table = recorded.table();
  if (recorded.tells_motion()) return;
  auto const stranger = std::ranges::find_if(table.names, [&](auto const& name) {
    return name.starts_with(model.prefix) &&
           !model.signals.find(std::string_view(name).substr(model.prefix.size()));
  });
  if (stranger == table.names.end()) return;  // some columns of the model, those that were recorded
  throw CommandError(
      ExitCode::usage,
      fmt::format(
          "no column of {} says where a body of {} is or how it moves, and '{}' is no variable of it; "
          "is --model the one that was run? Without --model the columns are only plotted",
          table.file, model.prefix.empty() ? "the model" : model.prefix.substr(0, model.prefix.size() - 1),
          *stranger));
}

// As plots of `simulate` show it.
std::string shown_unit(Signal const& signal) {
  std::string const& unit = signal.display_unit.empty() ? signal.unit : signal.display_unit;
  return unit == "1" ? "" : unit;
}

// Converted numbers have no more digits than they had before.
std::string shown_number(Signal const& signal, double value) {
  return signal.display_unit.empty() ? format_number(value) : fmt::format("{:.15g}", signal.displayed(value));
}

void add_parameters(Report& report, ReportedModel const& model) {
  for (std::size_t i = 0; i < model.signals.signals().size(); ++i) {
    Signal const& signal = model.signals[i];
    if (signal.causality != "parameter" || !signal.is_number()) continue;
    auto const value = model.values.find(signal.name);
    ReportParameter parameter{model.prefix + signal.name, signal.start, shown_unit(signal),
                              signal.description, false};
    auto const start = signal.is_float() ? parse_number(signal.start) : std::nullopt;
    if (value != model.values.end()) {
      parameter.value =
          signal.is_float() ? shown_number(signal, value->second) : value_text(signal, value->second);
    } else if (start) {
      parameter.value = shown_number(signal, *start);
    } else if (!signal.items.empty() && !signal.start.empty()) {
      for (auto const& item : signal.items) {
        if (std::to_string(item.value) == signal.start) parameter.value = item.name;
      }
    }
    parameter.set = std::ranges::find(model.set, signal.name) != model.set.end();
    report.parameters.push_back(std::move(parameter));
  }
}

std::size_t add_computed(Report& report, std::string name, std::string description,
                         std::vector<double> values) {
  report.columns.push_back(
      {std::move(name), "J", std::move(description), {}, false, true, std::move(values)});
  return report.columns.size() - 1;
}

void add_energy(Report& report, ReportedModel const& model, EnergyBalance balance) {
  ReportEnergy energy;
  if (!model.prefix.empty()) energy.of = model.prefix.substr(0, model.prefix.size() - 1);
  energy.kinetic = balance.kinetic;
  energy.potential = balance.potential;
  energy.total = balance.total;
  energy.work = add_computed(report, model.prefix + "energy.work",
                             "work of inputs and prescribed motions, from the rows of the results",
                             std::move(balance.work));
  energy.dissipated =
      add_computed(report, model.prefix + "energy.dissipated",
                   "energy.total at the start, plus work, less energy.total", std::move(balance.dissipated));
  energy.counted = std::move(balance.counted);
  energy.notes = std::move(balance.notes);
  report.energies.push_back(std::move(energy));
}

}  // namespace

Report make_report(TimeTable table, std::vector<ReportedModel> const& models, ReportLimits const& limits) {
  check_fit(table, models);
  Report report;
  std::size_t strangers = 0;
  for (auto const& name : table.names) {
    ReportColumn& column = report.columns.emplace_back();
    column.name = name;
    auto const known = find_signal(models, name);
    if (!known) {
      ++strangers;
      continue;
    }
    Signal const& signal = known->model->signals[known->signal];
    column.unit = shown_unit(signal);
    column.description = signal.description;
    column.items = signal.items;
    column.stepped = !signal.is_float() || signal.is_input();
  }
  if (!models.empty() && strangers > 0)
    report.notes.push_back(
        fmt::format("{} of {} columns are no variables of the model.", strangers, table.names.size()));

  auto const scenes = static_cast<std::size_t>(
      std::ranges::count_if(models, [](ReportedModel const& model) { return model.scene != nullptr; }));
  for (ReportedModel const& model : models) {
    add_parameters(report, model);
    if (!model.scene) continue;
    RecordedScene recorded(model.scene, model.prefix, table, model.values);
    if (recorded.found() == 0) continue;
    check_motion(recorded, model);
    report.scenes.push_back(track_scene(recorded, limits.track_values / scenes, limits.most_frames));
    if (auto balance = balance_energy(recorded)) add_energy(report, model, std::move(*balance));
  }
  report.time = std::move(table.time);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    report.columns[i].values = std::move(table.columns[i]);
    auto const known = find_signal(models, report.columns[i].name);
    if (!known) continue;
    Signal const& signal = known->model->signals[known->signal];
    if (signal.display_unit.empty()) continue;
    for (double& value : report.columns[i].values) value = signal.displayed(value);
  }
  return report;
}

}  // namespace delassus
