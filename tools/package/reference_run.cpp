#include "tools/package/reference_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/import/package_description.hpp"
#include "tools/simulate/in_process_instance.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// Every n-th row: rows of the run itself, so that a repeated run meets their times exactly.
TimeTable thinned(TimeTable const& table) {
  std::size_t const most = std::clamp<std::size_t>(
      most_reference_values / std::max<std::size_t>(1, table.names.size()), 2, most_reference_rows);
  std::size_t const every = (table.rows() + most - 2) / (most - 1);
  TimeTable thin{table.file, table.names, {}, std::vector<std::vector<double>>(table.names.size())};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (row % every != 0 && row + 1 != table.rows()) continue;
    thin.time.push_back(table.time[row]);
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      thin.columns[column].push_back(table.columns[column][row]);
  }
  return thin;
}

// The columns that an importer sets.
TimeTable inputs_of(ReferenceRun const& run) {
  TimeTable const& all = run.result.table;
  TimeTable inputs{"", {}, all.time, {}};
  for (std::size_t column = 0; column < all.names.size(); ++column) {
    if (!run.signals[column].is_input()) continue;
    inputs.names.push_back(all.names[column]);
    inputs.columns.push_back(all.columns[column]);
  }
  return inputs;
}

}  // namespace

ReferenceRun make_reference_run(Model const& model) {
  DefaultExperiment const& experiment = model.table().default_experiment();
  ReferenceRun run;
  run.plan.start = experiment.start;
  run.plan.stop = experiment.stop;
  run.plan.step = experiment.step;
  // The instance ends before this function does, the model after it.
  std::shared_ptr<const Model> const borrowed(std::shared_ptr<void>{}, &model);
  auto const instance = make_in_process_instance(borrowed, SignalTable(package_description(model, 2)), {});
  run.result = run_simulation(*instance, run.plan, {});
  if (run.result.failure) {
    throw CommandError(ExitCode::run_failed,
                       fmt::format("the default experiment of {} fails: {}; correct the scene, or build with "
                                   "--no-reference",
                                   model.table().model_name(), *run.result.failure));
  }
  run.result.table = thinned(run.result.table);
  for (std::size_t const index : run.result.signals) run.signals.push_back(instance->signals()[index]);
  run.inputs = inputs_of(run);
  return run;
}

std::map<std::string, std::string> reference_files(ReferenceRun const& run, std::string const& model_name,
                                                   std::string const& source_file) {
  std::string const folder = "extra/org.fmi-standard.fmi-ls-ref/";
  std::map<std::string, std::string> files;
  std::string related;
  auto const relate = [&](std::string_view type, std::string_view role, std::string const& source,
                          std::string_view description) {
    related += fmt::format("  <Related type=\"{}\" source=\"{}\" role=\"{}\" description=\"{}\"/>\n", type,
                           escape_markup(source), role, description);
  };
  std::string const results = model_name + "_ref.csv", inputs = model_name + "_in.csv";
  files[folder + results] = write_csv(run.result.table);
  relate("text/csv", "result", results, "Inputs and outputs over time of the default experiment");
  if (!run.inputs.names.empty()) {
    files[folder + inputs] = write_csv(run.inputs);
    relate("text/csv", "testcase", inputs, "Inputs over time of the default experiment");
  }
  if (!source_file.empty())
    relate("application/xml", "model", "../../documentation/" + source_file,
           "Source that the FMU was made from");
  // The names in it are those of the layered standard, version 1.0.0-alpha.1.
  files[folder + "fmi-ls-manifest.xml"] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiReferences xmlns:fmi-ls=\"http://fmi-standard.org/fmi-ls-manifest\"\n"
      "  fmi-ls:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\"\n"
      "  fmi-ls:fmi-ls-version=\"1.0.0-alpha.1\"\n"
      "  fmi-ls:fmi-ls-description=\"Layered Standard providing information on related files included in an "
      "FMU.\">\n" +
      related + "</fmiReferences>\n";
  files["documentation/fmi-ls-ref.txt"] = fmt::format(
      "{0}{1} has the inputs and outputs of the default experiment ({2} s to {3} s, communication step {4} "
      "s, start\n"
      "values as in modelDescription.xml), made by the program that packed this FMU, {5} rows. A run on\n"
      "the same platform reproduces them to the bit; on others the mathematical functions of the C library\n"
      "differ in the last digit, which a contact that opens or slips may make visible.\n\n"
      "  delassus simulate {6}.fmu --reference {1}\n",
      folder, results, run.plan.start, run.plan.stop, run.plan.step, run.result.table.rows(), model_name);
  return files;
}

}  // namespace delassus
