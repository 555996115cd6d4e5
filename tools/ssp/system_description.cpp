#include "tools/ssp/system_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/scene/number.hpp"
#include "tools/cosim/communication_step.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/support/json.hpp"

namespace delassus {
namespace {

std::string full_name(CosimSystem const& system, std::size_t component, std::size_t signal) {
  auto const& owner = system.components[component];
  return owner.name + "." + owner.signals[signal].name;
}

std::string with_unit(std::string const& text, std::string const& unit) {
  return unit.empty() || unit == "1" ? text : text + " " + unit;
}

std::string table_text(std::vector<std::pair<double, double>> const& mapping) {
  std::string text;
  for (auto const& [from, to] : mapping)
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", format_number(from), format_number(to));
  return text;
}

// `* 1000`, `+ 273.15`, `1 to 2`; empty for a value that goes on as it is.
std::string way_text(double factor, double offset, std::vector<std::pair<double, double>> const& mapping) {
  std::string text = table_text(mapping);
  if (factor != 1) text += fmt::format("{}* {}", text.empty() ? "" : ", ", format_number(factor));
  if (offset != 0)
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", offset < 0 ? "-" : "+",
                        format_number(std::abs(offset)));
  return text.empty() ? "" : " (" + text + ")";
}

std::string model_text(CosimComponent const& component) {
  auto const& description = component.model->description();
  auto const name = description.attributes.find("modelName");
  std::string const what =
      component.model->runs_in_process()
          ? "in this process"
          : fmt::format("FMI {}.0{}", description.version,
                        component.kind == InterfaceKind::model_exchange ? ", Model Exchange" : "");
  return fmt::format("{} ({}), from {}", name == description.attributes.end() ? "?" : name->second, what,
                     component.source.string());
}

std::string setting_text(CosimComponent const& component, SignalValue const& value) {
  Signal const& signal = component.signals[value.signal];
  auto const* const number = std::get_if<double>(&value.value);
  return number != nullptr ? with_unit(value_text(signal, *number), signal.unit)
                           : std::get<std::string>(value.value);
}

std::string exposed_text(CosimSystem const& system, std::vector<CosimSystem::Exposed> const& list,
                         std::string_view title, std::string_view arrow) {
  std::string text;
  for (auto const& each : list)
    text += fmt::format("  {} {} {}{}\n", with_unit(each.name, each.unit), arrow,
                        full_name(system, each.component, each.signal),
                        way_text(each.factor, each.offset, each.mapping));
  return text.empty() ? "" : fmt::format("\n{}\n{}", title, text);
}

Json exposed_json(CosimSystem const& system, std::vector<CosimSystem::Exposed> const& list) {
  Json json = Json::array();
  for (auto const& each : list)
    json.push_back({{"name", each.name},
                    {"unit", each.unit},
                    {"signal", full_name(system, each.component, each.signal)},
                    {"factor", each.factor},
                    {"offset", each.offset},
                    {"mapping", each.mapping}});
  return json;
}

Json component_json(CosimComponent const& component) {
  Json settings = Json::object();
  for (auto const& value : component.settings) {
    auto const* const number = std::get_if<double>(&value.value);
    settings[component.signals[value.signal].name] =
        number != nullptr ? Json(*number) : Json(std::get<std::string>(value.value));
  }
  return {{"name", component.name},
          {"source", component.source.string()},
          {"fmi_version", component.model->runs_in_process() ? 0 : component.model->description().version},
          {"line", component.line},
          {"settings", std::move(settings)}};
}

}  // namespace

std::string system_as_text(CosimSystem const& system) {
  std::string text = fmt::format("{} (system of {} components)\n", system.name, system.components.size());
  if (!system.description.empty()) text += system.description + "\n";
  text += "\nComponents\n";
  std::size_t width = 0;
  for (auto const& component : system.components) width = std::max(width, component.name.size());
  for (auto const& component : system.components)
    text += fmt::format("  {:<{}}  {}\n", component.name, width, model_text(component));
  std::string settings;
  for (auto const& component : system.components) {
    for (auto const& value : component.settings)
      settings += fmt::format("  {}.{} = {}\n", component.name, component.signals[value.signal].name,
                              setting_text(component, value));
  }
  if (!settings.empty()) text += "\nParameters\n" + settings;
  std::string connections;
  for (auto const& each : system.connections)
    connections += fmt::format("  {} -> {}{}\n", full_name(system, each.from, each.from_signal),
                               full_name(system, each.to, each.to_signal),
                               way_text(each.factor, each.offset, each.mapping));
  if (!connections.empty()) text += "\nConnections\n" + connections;
  text += exposed_text(system, system.inputs, "Inputs of the system", "->");
  text += exposed_text(system, system.parameters, "Parameters of the system", "->");
  text += exposed_text(system, system.outputs, "Outputs of the system", "<-");
  auto const time = [](std::optional<double> const& value) {
    return value ? format_number(*value) + " s" : std::string("-");
  };
  CosimPlan plan;
  plan.chooses_step = true;
  plan.start = system.start.value_or(0);
  plan.stop = system.stop.value_or(plan.start + 1);
  settle_step(system, plan);
  std::string const step =
      system.step ? time(system.step) : fmt::format("{} s, {}", format_number(plan.step), plan.step_reason);
  text += fmt::format("\nDefault experiment\n  start {}, stop {}, communication step {}\n",
                      time(system.start), time(system.stop), step);
  for (auto const& [name, value] : system.settings) {
    if (name != "step") text += fmt::format("  {} = {}\n", name, value);
  }
  return text;
}

std::string system_as_json(CosimSystem const& system) {
  Json components = Json::array(), connections = Json::array(), settings = Json::object();
  for (auto const& component : system.components) components.push_back(component_json(component));
  for (auto const& each : system.connections)
    connections.push_back({{"from", full_name(system, each.from, each.from_signal)},
                           {"to", full_name(system, each.to, each.to_signal)},
                           {"factor", each.factor},
                           {"offset", each.offset},
                           {"mapping", each.mapping},
                           {"line", each.line}});
  for (auto const& [name, value] : system.settings) settings[name] = value;
  return write_json({{"system", system.name},
                     {"description", system.description},
                     {"components", std::move(components)},
                     {"connections", std::move(connections)},
                     {"inputs", exposed_json(system, system.inputs)},
                     {"parameters", exposed_json(system, system.parameters)},
                     {"outputs", exposed_json(system, system.outputs)},
                     {"default_experiment",
                      {{"start", json_or_null(system.start)},
                       {"stop", json_or_null(system.stop)},
                       {"step", json_or_null(system.step)}}},
                     {"settings", std::move(settings)}});
}

}  // namespace delassus
