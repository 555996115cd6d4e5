#include "tools/command/describe.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "fmu/content/scene_model.hpp"
#include "fmu/table/setting_values.hpp"
#include "model/scene/number.hpp"
#include "tools/command/options.hpp"
#include "tools/import/fmu.hpp"
#include "tools/import/package_description.hpp"
#include "tools/import/signal_table.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/package/package_files.hpp"
#include "tools/ssp/system_description.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/json.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/fmi/description_writer.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

struct DescribeOptions {
  std::string model, variant;
  bool json = false, xml = false;
  int fmi_version = 0;
};

struct Description {
  ModelDescription data;
  std::string xml;
  // What the description has no word for, of scenes and of FMUs that carry theirs.
  std::map<std::string, double> calculated;  // values of calculated parameters
  std::set<std::string> open_minima;         // variables that must be larger than their `min`
};

std::set<std::string> open_minima(Model const& model) {
  std::set<std::string> names;
  for (auto const& variable : model.table().variables()) {
    if (variable.range.open_minimum) names.insert(variable.name);
  }
  return names;
}

// They have no start value in the description: they follow from the other parameters.
std::map<std::string, double> calculated_values(SceneModel const& model) {
  Scene const& scene = model.scene();
  std::vector<double> parameters = scene.default_parameters();
  update_calculated_parameters(scene, parameters);
  SettingValues const settings = settings_of(scene.solver);
  std::map<std::string, double> values;
  for (Variable const& variable : model.table().variables()) {
    if (variable.causality != Causality::calculated_parameter) continue;
    for (int i = 0; i < variable.size; ++i) {
      auto const index = static_cast<std::size_t>(variable.index + i);
      values[VariableTable::element_name(variable, i)] =
          variable.storage == Storage::setting ? settings[index] : parameters[index];
    }
  }
  return values;
}

Description load(DescribeOptions const& options) {
  ModelArgument const argument = find_model(options.model);
  if (argument.is_fmu) {
    if (options.fmi_version != 0)
      throw CommandError(ExitCode::usage,
                         "--fmi is for scenes; an FMU has the version that it was built for");
    Archive const archive(argument.file);
    ModelDescription description = read_description(archive);
    std::map<std::string, double> calculated;
    std::set<std::string> larger;
    if (std::string const name = "resources/" + std::string(scene_archive_name); archive.contains(name)) {
      try {
        SceneModel const model(read_scene_archive(archive.read(name)));
        calculated = calculated_values(model);
        larger = open_minima(model);
      } catch (std::exception const&) {
        // One of another version of this program: its description tells the rest.
      }
    }
    return {std::move(description), archive.read("modelDescription.xml"), std::move(calculated),
            std::move(larger)};
  }
  std::vector<std::string> notes;
  auto const model = read_model(argument, &notes);
  print_notes(notes);
  ModelDescription description =
      package_description(*model, options.fmi_version == 0 ? 3 : options.fmi_version);
  std::string xml = write_model_description(description);
  auto const* const scene = dynamic_cast<SceneModel const*>(model.get());
  return {std::move(description), std::move(xml),
          scene == nullptr ? std::map<std::string, double>{} : calculated_values(*scene),
          open_minima(*model)};
}

// The value of a calculated parameter; empty of everything else.
std::string calculated_text(Description const& description, Signal const& signal) {
  auto const found = description.calculated.find(signal.name);
  return found == description.calculated.end() ? "" : format_number(found->second);
}

std::string attribute(ModelDescription const& description, std::string const& name) {
  auto const found = description.attributes.find(name);
  return found == description.attributes.end() ? "" : found->second;
}

// Several signals of one array are one line: `position[1..2]`.
struct Row {
  std::string name, type, unit, start, range, description;
};

// `0.7853981633974483 (45 deg)`
std::string with_display(Signal const& signal, std::string const& values) {
  if (signal.display_unit.empty() || values.empty()) return values;
  std::string text;
  bool some = false;
  for (std::string_view const word : split_at_blanks(values)) {
    auto const value = parse_number(word);
    if (!value) return values;
    some = some || *value != 0;
    text += fmt::format("{:.6g} ", signal.displayed(*value));
  }
  return some ? fmt::format("{} ({}{})", values, text, signal.display_unit) : values;
}

std::string start_text(Signal const& signal) {
  for (auto const& item : signal.items) {
    if (std::to_string(item.value) == signal.start) return item.name;
  }
  return signal.start;
}

std::string range_text(Signal const& signal, std::set<std::string> const& open_minima) {
  if (!signal.items.empty()) {
    std::string text;
    for (auto const& item : signal.items) text += (text.empty() ? "" : "|") + item.name;
    return text;
  }
  bool const open = open_minima.contains(signal.name) ||
                    open_minima.contains(signal.name.substr(0, signal.name.rfind('[')));
  if (!signal.minimum.empty() && !signal.maximum.empty())
    return fmt::format("{} .. {}{}", signal.minimum, signal.maximum,
                       open ? fmt::format(", > {}", signal.minimum) : "");
  if (!signal.minimum.empty()) return (open ? "> " : ">= ") + signal.minimum;
  return signal.maximum.empty() ? "" : "<= " + signal.maximum;
}

std::vector<Row> rows_of(Description const& description, SignalTable const& signals,
                         std::string_view causality) {
  std::vector<Row> rows;
  auto const& all = signals.signals();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Signal const& signal = all[i];
    if (signal.causality != causality) continue;
    std::string value = calculated_text(description, signal);
    if (value.empty()) value = start_text(signal);
    if (signal.offset > 0) {
      rows.back().start += value.empty() ? "" : " " + value;
    } else {
      std::string const name =
          signal.size > 1
              ? fmt::format("{}1..{}]", signal.name.substr(0, signal.name.rfind('[') + 1), signal.size)
              : signal.name;
      std::string const tunable =
          causality == "parameter" && signal.variability == "tunable" ? " (tunable)" : "";
      std::string const unit = signal.unit == "1" ? "" : signal.unit;
      rows.push_back({name, signal.type,
                      signal.display_unit.empty() ? unit : unit + " (" + signal.display_unit + ")", value,
                      range_text(signal, description.open_minima), signal.description + tunable});
    }
    if (signal.offset + 1 == signal.size) rows.back().start = with_display(signal, rows.back().start);
  }
  return rows;
}

std::string as_table(std::vector<Row> const& rows) {
  std::array<std::size_t, 5> width{};
  for (auto const& row : rows) {
    std::array const cells{&row.name, &row.type, &row.unit, &row.start, &row.range};
    for (std::size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], cells[i]->size());
  }
  std::string text;
  for (auto const& row : rows) {
    text +=
        fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", row.name, width[0], row.type, width[1],
                    row.unit, width[2], row.start, width[3], row.range, width[4], row.description);
  }
  return text;
}

std::string capabilities_text(DescribedInterface const& interface) {
  std::string text;
  for (auto const& [name, value] : interface.attributes) {
    if (name != "modelIdentifier") text += fmt::format("  {} = {}\n", name, value);
  }
  return text;
}

std::string as_text(Description const& described) {
  ModelDescription const& description = described.data;
  SignalTable const signals(description);
  std::string text =
      fmt::format("{} (FMI {})\n", attribute(description, "modelName"), attribute(description, "fmiVersion"));
  if (auto const sentence = attribute(description, "description"); !sentence.empty()) text += sentence + "\n";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> titles{
      {{"structuralParameter", "Structural parameters"},
       {"parameter", "Parameters"},
       {"calculatedParameter", "Calculated parameters"},
       {"input", "Inputs"},
       {"output", "Outputs"},
       {"local", "Local variables"},
       {"independent", "Independent variable"}}};
  for (auto const& [causality, title] : titles) {
    auto const rows = rows_of(described, signals, causality);
    if (!rows.empty()) text += fmt::format("\n{}\n{}", title, as_table(rows));
  }
  for (auto const& interface : description.interfaces) {
    text += fmt::format("\n{} as {}\n{}", interface.kind, interface.model_identifier(),
                        capabilities_text(interface));
  }
  if (description.default_experiment) {
    auto const& experiment = *description.default_experiment;
    text += fmt::format("\nDefault experiment\n  start {} s, stop {} s, step {} s, tolerance {}\n",
                        experiment.start_time.value_or("-"), experiment.stop_time.value_or("-"),
                        experiment.step_size.value_or("-"), experiment.tolerance.value_or("-"));
  }
  return text;
}

Json text_or_null(std::string const& text) {
  return text.empty() ? Json() : Json(text);
}

Json signal_json(Description const& description, Signal const& signal) {
  Json items = Json::object();
  for (auto const& item : signal.items) items[item.name] = item.value;
  return {{"name", signal.name},
          {"type", signal.type},
          {"causality", signal.causality},
          {"variability", signal.variability},
          {"value_reference", signal.value_reference},
          {"unit", signal.unit},
          {"display_unit", text_or_null(signal.display_unit)},
          {"display_factor", signal.display_factor},
          {"display_offset", signal.display_offset},
          {"start", text_or_null(signal.start)},
          {"calculated", text_or_null(calculated_text(description, signal))},
          {"minimum", text_or_null(signal.minimum)},
          {"maximum", text_or_null(signal.maximum)},
          {"items", std::move(items)},
          {"description", signal.description}};
}

std::string as_json(Description const& described) {
  ModelDescription const& description = described.data;
  SignalTable const signals(description);
  Json interfaces = Json::object(), variables = Json::array(), experiment = Json::object();
  for (auto const& interface : description.interfaces) interfaces[interface.kind] = interface.attributes;
  for (auto const& signal : signals.signals()) variables.push_back(signal_json(described, signal));
  if (description.default_experiment) {
    auto const keep = [&](char const* name, std::optional<std::string> const& value) {
      if (value) experiment[name] = *value;
    };
    keep("start", description.default_experiment->start_time);
    keep("stop", description.default_experiment->stop_time);
    keep("step", description.default_experiment->step_size);
    keep("tolerance", description.default_experiment->tolerance);
  }
  return write_json({{"model", description.attributes},
                     {"interfaces", std::move(interfaces)},
                     {"default_experiment", std::move(experiment)},
                     {"variables", std::move(variables)}});
}

void describe_model(DescribeOptions const& options) {
  if (options.json && options.xml)
    throw CommandError(ExitCode::usage, "--json and --xml are two answers to one question; give one of them");
  if (is_system_file(options.model)) {
    if (options.fmi_version != 0)
      throw CommandError(ExitCode::usage, "--fmi is for scenes; the FMUs of a system have their versions");
    if (options.xml) {
      write_standard_output(StructureSource(options.model, options.variant).text());
      return;
    }
    auto const system = load_cosim_system(options.model, options.variant);
    write_standard_output(options.json ? system_as_json(system) : system_as_text(system));
    return;
  }
  if (!options.variant.empty()) throw CommandError(ExitCode::usage, "--variant is for systems");
  Description const description = load(options);
  write_standard_output(options.xml    ? description.xml
                        : options.json ? as_json(description)
                                       : as_text(description));
}

}  // namespace

void add_describe_command(CLI::App& program, ExitCode&) {
  auto const options = std::make_shared<DescribeOptions>();
  CLI::App* const command = program.add_subcommand(
      "describe",
      "Show the variables of an FMU, scene or controller with unit, start value, range and "
      "meaning, its capabilities and its default experiment; of a system its components, "
      "parameters and connections.");
  command
      ->add_option("model", options->model,
                   ".fmu, scene or controller file, the name of an example, or a system (.ssp, .ssd)")
      ->required();
  command->add_flag("--json", options->json, "as JSON, one entry for each scalar");
  command->add_flag("--xml", options->xml, "the modelDescription.xml itself; of a system its structure");
  command
      ->add_option("--variant", options->variant,
                   "of a package with several structures: file or name of the one to take")
      ->type_name("NAME");
  add_fmi_option(*command, options->fmi_version,
                 "of a scene or controller: version of FMI to describe it for; default: 3");
  command->footer("Example:\n  delassus describe painleve_rod");
  command->callback([options] {
    options->model = find_system(options->model).string();
    describe_model(*options);
  });
}

}  // namespace delassus
