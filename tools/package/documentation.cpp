#include "tools/package/documentation.hpp"

#include <fmt/format.h>

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "model/scene/number.hpp"
#include "tools/package/controller_documentation.hpp"
#include "tools/package/documentation_text.hpp"
#include "tools/package/icon.hpp"
#include "tools/package/reference_picture.hpp"
#include "tools/support/build_info.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

std::string start_text(Variable const& variable) {
  std::string text;
  for (double const value : variable.start) {
    text += text.empty() ? "" : " ";
    text += variable.enumeration != nullptr
                ? std::string(variable.enumeration->name_of(static_cast<int>(value)))
                : format_number(value);
  }
  return text;
}

std::string range_text(Variable const& variable) {
  if (variable.enumeration != nullptr) {
    std::string items;
    for (std::size_t i = 0; i < variable.enumeration->items.size(); ++i) {
      items += fmt::format("{}{}: <code>{}</code>", items.empty() ? "" : ", ", i + 1,
                           variable.enumeration->items[i].name);
    }
    return items;
  }
  if (variable.causality != Causality::parameter) return "";
  return escape_markup(variable.range.text());
}

std::string name_text(Variable const& variable, int fmi_version) {
  std::string name = escape_markup(variable.name);
  if (!variable.array) return name;
  return fmi_version == 2 ? fmt::format("{0}[1] &#8230; {0}[{1}]", name, variable.size)
                          : fmt::format("{}[{}]", name, variable.size);
}

std::string table(Model const& model, int fmi_version, Causality causality, std::string_view title) {
  std::string rows;
  for (auto const& variable : model.table().variables()) {
    if (variable.causality != causality) continue;
    rows += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td>{}{}</td></tr>\n",
                        name_text(variable, fmi_version),
                        variable.unit == UnitId::one ? "" : unit(variable.unit).name, start_text(variable),
                        range_text(variable), escape_markup(variable.description),
                        causality == Causality::parameter && variable.variability == Variability::tunable
                            ? " <i>(may change during a run)</i>"
                            : "");
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<h2>{}</h2>\n<div class=\"scroll\"><table>\n<tr><th>Name</th><th>Unit</th><th>Start</th>"
      "<th>Range</th><th>Meaning</th></tr>\n{}</table></div>\n",
      title, rows);
}

std::string choices(Enumeration const& enumeration, std::string_view variable) {
  std::string rows;
  for (EnumerationItem const& item : enumeration.items)
    rows += fmt::format("<dt><code>{}</code></dt><dd>{}</dd>\n", item.name, escape_markup(item.description));
  return fmt::format("<h3><code>{}</code></h3>\n<p>{}.</p>\n<dl>\n{}</dl>\n", variable,
                     escape_markup(enumeration.description), rows);
}

std::string contents(Scene const& scene) {
  std::string text;
  auto const count = [&](std::size_t number, std::string_view one, std::string_view several) {
    if (number == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, number == 1 ? one : several);
  };
  count(scene.bodies.size(), "body", "bodies");
  count(scene.contacts.size(), "declared contact", "declared contacts");
  count(scene.groups.size(), "group of contacts", "groups of contacts");
  count(scene.joints.size(), "joint", "joints");
  count(scene.frictions.size(), "dry friction", "dry frictions");
  count(scene.rollings.size() + scene.knife_edges.size(), "rolling or knife edge",
        "rollings and knife edges");
  count(scene.springs.size(), "spring", "springs");
  return fmt::format("The scene is {}-dimensional and has {}.", scene.dimension == 2 ? "two" : "three", text);
}

std::string how_to_run(Model const& model, int fmi_version, DocumentationParts const& parts) {
  DefaultExperiment const& experiment = model.table().default_experiment();
  std::string const name = escape_markup(model.table().model_name());
  std::string page = fmt::format(
      "<h2>How to run it</h2>\n<p>Import the .fmu into any tool that reads FMI {0}.0 for co-simulation{6}, "
      "or "
      "run "
      "<code>delassus simulate {1}.fmu --plot {1}.svg</code>. The default experiment goes from {2} s to {3} "
      "s in steps of {4} s. The state can be saved, restored and serialised; a run continues from a saved "
      "state to the same bits. It comes with binaries for {5}, which need the C library of the system and "
      "nothing else.",
      fmi_version, name, format_number(experiment.start), format_number(experiment.stop),
      format_number(experiment.step), fmt::join(parts.platforms, ", "),
      model.table().offers_model_exchange() ? " or Model Exchange" : "");
  if (!parts.source_file.empty())
    page += fmt::format(" The source that this FMU was built from is <a href=\"{0}\">{0}</a>.",
                        parts.source_file);
  if (parts.reference != nullptr) {
    page +=
        " The results of the default experiment travel along in "
        "<code>extra/org.fmi-standard.fmi-ls-ref</code>; <a href=\"fmi-ls-ref.txt\">fmi-ls-ref.txt</a> says "
        "how they were made.";
  }
  return page + "</p>\n";
}

}  // namespace

std::string write_documentation(Model const& model, int fmi_version, DocumentationParts const& parts) {
  VariableTable const& variables = model.table();
  auto const* const scene = dynamic_cast<SceneModel const*>(&model);
  auto const* const controller = dynamic_cast<ControllerModel const*>(&model);
  std::string const name = escape_markup(variables.model_name());
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<header>{2}<div><h1>{0}</h1>\n"
      "<p class=\"lead\">{3}. An FMI {4}.0 FMU made by Delassus {5}.</p></div></header>\n<p>{6}</p>\n",
      name, documentation_style, write_icon_svg(), escape_markup(variables.description()), fmi_version,
      program_version, scene ? contents(scene->scene()) : control_law_summary(*controller));
  if (parts.reference != nullptr) page += draw_reference(*parts.reference);
  page += how_to_run(model, fmi_version, parts);
  page += table(model, fmi_version, Causality::parameter, "Parameters");
  page += table(model, fmi_version, Causality::calculated_parameter, "Calculated parameters");
  page += table(model, fmi_version, Causality::input, "Inputs");
  page += table(model, fmi_version, Causality::output, "Outputs");
  page += table(model, fmi_version, Causality::local, "Local variables and constants");
  if (controller) page += control_law_documentation(*controller);
  if (scene) {
    page += documentation_equations;
    page += "<h2>Choices</h2>\n";
    page += choices(stepper_enumeration(), "solver.stepper");
    page += choices(solution_rule_enumeration(), "solver.rule");
    page += choices(contact_law_enumeration(), "solver.law");
    page += documentation_references;
  }
  page +=
      "<h2>Licence</h2>\n<p>BSD-2-Clause; <a href=\"licenses/license.txt\">licenses/license.txt</a> also "
      "lists "
      "what is linked into the binaries.</p>\n</main>\n</body>\n</html>\n";
  return page;
}

}  // namespace delassus
