#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "fmu/redundancy_report.hpp"
#include "tools/archive.hpp"
#include "tools/atomic_file.hpp"
#include "tools/commands.hpp"
#include "tools/fmu_package.hpp"
#include "tools/model_argument.hpp"

namespace delassus {
namespace {

struct BuildOptions {
  std::string scene;
  std::string output;
  int fmi_version = 3;
  std::vector<std::string> platforms;
  bool no_reference = false;
};

void build(BuildOptions const& options) {
  ModelArgument const argument = find_model(options.scene);
  auto const model = read_model(argument);
  auto const files = package_files(*model, options.fmi_version,
                                   PackageOptions{.scene_text = read_file(argument.file),
                                                  .reference = !options.no_reference,
                                                  .platforms = options.platforms});
  std::string const archive = make_archive(files);
  std::string const output = options.output.empty() ? model->table().model_name() + ".fmu" : options.output;
  write_file(output, archive);
  std::string platforms;
  for (auto const& [name, content] : files) {
    if (!name.starts_with("binaries/")) continue;
    std::string const platform = name.substr(9, name.find('/', 9) - 9);
    platforms += (platforms.empty() ? "" : ", ") + platform;
  }
  fmt::print(stderr, "wrote {}: FMI {}.0 {}, {} variables, for {}, {} kB\n",
             output == "-" ? "standard output" : output, options.fmi_version,
             model->table().offers_model_exchange() ? "co-simulation and Model Exchange" : "co-simulation",
             package_description(*model, options.fmi_version).variables.size(), platforms,
             (archive.size() + 999) / 1000);
  auto const scene = std::dynamic_pointer_cast<const SceneModel>(model);
  if (!scene) return;
  if (auto const report =
          redundancy_report(*scene, scene->scene().default_parameters(), scene->scene().default_inputs());
      !report.empty())
    fmt::print(stderr, "note: {}\n", report);
}

}  // namespace

void add_build_command(CLI::App& program, ExitCode&) {
  auto const options = std::make_shared<BuildOptions>();
  CLI::App* const command = program.add_subcommand("build",
                                                   "Make an FMU from a scene or controller. No compiler is "
                                                   "needed, and the same file gives the same bytes.");
  command->add_option("scene", options->scene, "scene or controller file, or the name of an example")
      ->required();
  command->add_option("-o,--output", options->output, "file to write; default: <its name>.fmu")
      ->type_name("FILE");
  add_fmi_option(*command, options->fmi_version, "version of FMI; default: 3");
  command
      ->add_option("--platforms", options->platforms,
                   "binaries to pack, separated by commas (x86_64-linux, x86_64-windows, aarch64-linux); "
                   "default: all that were built")
      ->delimiter(',')
      ->type_name("NAMES");
  command->add_flag("--no-reference", options->no_reference,
                    "do not run the default experiment to let its results go along");
  command->footer(
      "The FMU also holds its documentation, licences, terminals, icon and the results of the default "
      "experiment.\nExample:\n  delassus build painleve_rod -o rod.fmu --fmi 2 --platforms linux64,win64");
  command->callback([options] { build(*options); });
}

}  // namespace delassus
