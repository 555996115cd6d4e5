#include "tools/fmu_documentation.hpp"

#include <fmt/format.h>

#include "model/number.hpp"
#include "xml/markup.hpp"

namespace delassus {
namespace {

constexpr std::string_view style = R"(
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #1d2733; }
h1 { margin-bottom: 0; } h2 { margin-top: 2em; border-bottom: 1px solid #d5dbe1; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .25em .8em .25em 0; vertical-align: top; }
th { border-bottom: 1px solid #8a97a5; } td { border-bottom: 1px solid #e8ecf0; } code { font-size: 93%; }
.lead { color: #52606f; }
)";

constexpr std::string_view equations = R"(
<h2>Equations</h2>
<p>Numbers in parentheses are those of R. Kikuuwe and B. Brogliato, <i>A new representation of systems with frictional
unilateral constraints and its Baumgarte-like relaxation</i>, Multibody System Dynamics 39 (3), 2017, 267-290.</p>
<ul>
<li>(39) The motion: mass times acceleration, plus gravity and the other applied forces, equals the contact forces brought to
the bodies' coordinates. With it goes (40), contact as an inclusion: the contact force lies in the friction cone, and the relative
motion at the contact lies in the normal cone of that set, in a metric that does not see the normal direction. One line
says that the points do not penetrate and do not pull, that below the friction bound nothing slides, and that friction opposes
sliding.</li>
<li>(64) Relaxation: where a rigid constraint would have to hold exactly, its violation decays like a damped oscillator with
damping ratio <code>zeta</code> and time scale <code>delta</code>. Below <code>zeta</code> = 1 a contact bounces; the smaller
<code>delta</code>, the stiffer the contact.</li>
<li>(65) What is solved at every instant: with <code>A</code> the inverse mass seen at the contacts and <code>b</code> the relaxed
motion they would have without forces, each contact is detached (no force, the points separate), sticks (the force is inside
the cone, the relaxed constraint holds) or slips (the force is on the cone and opposes the sliding).</li>
</ul>
<p>With friction, (65) may have several solutions or none (Painleve's paradox). The FMU then follows <code>solver.rule</code>
and says so in its outputs and its log.</p>
)";

std::string type_text(Variable const& variable) {
  if (variable.enumeration == nullptr) return variable.type == VariableType::real ? "real" : "integer";
  std::string items;
  for (std::size_t i = 0; i < variable.enumeration->items.size(); ++i) {
    items += fmt::format("{}{}: <code>{}</code>", items.empty() ? "" : ", ", i + 1,
                         variable.enumeration->items[i].name);
  }
  return items;
}

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
  if (variable.enumeration != nullptr) return type_text(variable);
  if (variable.causality != Causality::parameter) return "";
  return escape_markup(variable.range.text());
}

std::string name_text(Variable const& variable, int fmi_version) {
  std::string name = escape_markup(variable.name);
  if (!variable.array) return name;
  return fmi_version == 2 ? fmt::format("{0}[1] &hellip; {0}[{1}]", name, variable.size)
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
      "<h2>{}</h2>\n<table>\n<tr><th>Name</th><th>Unit</th><th>Start</th><th>Range</th><th>Meaning</th></"
      "tr>\n{}</table>\n",
      title, rows);
}

}  // namespace

std::string write_documentation(Model const& model, int fmi_version, bool has_scene) {
  VariableTable const& variables = model.table();
  DefaultExperiment const& experiment = variables.default_experiment();
  std::string const name = escape_markup(variables.model_name());
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
      "charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n<p class=\"lead\">{2}. An FMI {3}.0 co-simulation FMU made by Delassus.</p>\n",
      name, style, escape_markup(variables.description()), fmi_version);
  page += fmt::format(
      "<h2>How to run it</h2>\n<p>Import the .fmu into any tool that reads FMI {0} for co-simulation, or run "
      "<code>delassus simulate {1}.fmu --plot {1}.svg</code>. The default experiment goes from {2} s to {3} "
      "s in steps of {4} s. "
      "The state can be saved, restored and serialised; a run continues from a saved state to the same "
      "bits.{5}</p>\n",
      fmi_version, name, format_number(experiment.start), format_number(experiment.stop),
      format_number(experiment.step),
      has_scene ? " The scene that this FMU was built from is <a href=\"scene.xml\">scene.xml</a>." : "");
  page += table(model, fmi_version, Causality::parameter, "Parameters");
  page += table(model, fmi_version, Causality::calculated_parameter, "Calculated parameters");
  page += table(model, fmi_version, Causality::local, "Constants");
  page += table(model, fmi_version, Causality::input, "Inputs");
  page += table(model, fmi_version, Causality::output, "Outputs");
  page += equations;
  page += "<p>Licence: <a href=\"licenses/license.txt\">BSD-2-Clause</a>.</p>\n</body>\n</html>\n";
  return page;
}

}  // namespace delassus
