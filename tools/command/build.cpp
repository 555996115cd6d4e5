#include "tools/command/build.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

#include "fmu/instance/redundancy_report.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/command/options.hpp"
#include "tools/import/package_description.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/package/package_files.hpp"
#include "tools/ssp/system_package.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/standard_streams.hpp"
#include "tools/support/temporary_folder.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

struct BuildOptions {
  std::string scene;
  std::string output;
  int fmi_version = 0;  // 0: not said
  std::vector<std::string> platforms, variants;
  bool no_reference = false, terminals = false;
  std::optional<double> reference_limit;
};

// How far the default experiment is: on a terminal all the time, in a pipe after ten seconds, twenty, forty and so on.
class ReferenceProgress {
 public:
  ReferenceProgress() = default;
  ~ReferenceProgress() { clear(); }
  ReferenceProgress(ReferenceProgress const&) = delete;
  ReferenceProgress& operator=(ReferenceProgress const&) = delete;

  void show(SimulationPlan const& plan, double reached) {
    double const passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    std::string const text =
        fmt::format("default experiment, for the reference results: {:.4g} of {} s after {:.0f} s", reached,
                    format_time(plan.stop), passed);
    if (is_terminal_ && passed > 1) {
      print_message("\r\x1b[K{}", text);
      shown_ = true;
    } else if (!is_terminal_ && passed >= next_) {
      next_ *= 2;
      print_message("{}; --no-reference builds without it\n", text);
    }
  }
  void clear() {
    if (std::exchange(shown_, false)) print_message("\r\x1b[K");
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool is_terminal_ = ::isatty(STDERR_FILENO) != 0, shown_ = false;
  double next_ = 10;  // s
};

ReferenceWatch make_watch(BuildOptions const& options) {
  auto const progress = std::make_shared<ReferenceProgress>();
  ReferenceWatch watch;
  watch.limit = options.reference_limit.value_or(watch.limit);
  if (!(watch.limit > 0))
    throw CommandError(ExitCode::usage,
                       fmt::format("--reference-limit is {} s; it must be > 0", format_number(watch.limit)));
  watch.progress = [progress](SimulationPlan const& plan, double reached, double) {
    progress->show(plan, reached);
  };
  watch.give_up = [progress](std::string const& reason) {
    progress->clear();
    print_message(
        "warning: {}: the FMU has no reference results. --reference-limit SECONDS gives it more time, "
        "--no-reference builds without it\n",
        reason);
  };
  return watch;
}

// A name that is a file's on every machine.
bool is_plain(std::string const& name) {
  return !name.empty() &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") ==
             std::string::npos;
}

void build_system(BuildOptions const& options) {
  std::vector<SystemVariant> variants;
  std::vector<std::string> files{options.scene}, inputs;
  files.insert(files.end(), options.variants.begin(), options.variants.end());
  for (auto const& file : files) {
    auto const source = std::make_shared<const StructureSource>(file);
    if (source->is_package())
      throw CommandError(ExitCode::usage,
                         fmt::format("{} is a package already; build it from its .ssd", file));
    // Nothing is packed that does not fit together.
    auto const system = load_cosim_system(file);
    for (auto const& read : system.files) inputs.push_back(read.string());
    variants.push_back({source, master_of(system)});
  }
  StructureSource const& source = *variants.front().source;
  auto const& structure = source.structure();
  auto const name = (is_plain(structure.name) ? structure.name : source.file().stem().string()) + ".ssp";
  std::string const output = options.output.empty() ? name : options.output;
  keep_inputs(inputs, {output});
  demand_ending(output, ".ssp", "a package of a system is an .ssp");
  int const version = options.fmi_version == 0 ? 2 : options.fmi_version;
  std::string const archive =
      make_archive(package_system(variants, {.fmi_version = version,
                                             .reference = !options.no_reference,
                                             .platforms = options.platforms,
                                             .watch = make_watch(options),
                                             .terminals_in_fmi2 = options.terminals}));
  // As another tool will see it: connectors have to be variables of the FMUs as they are now.
  TemporaryFolder const folder;
  write_file(folder.path() / name, archive);
  std::vector<Finding> warnings;
  auto const system = load_cosim_system(folder.path() / name, "", &warnings);
  write_file(output, archive);
  print_message("wrote {}: SSP {}, {} components, {} connections{}, {} kB\n",
                output == "-" ? "standard output" : output, structure.version, system.components.size(),
                system.connections.size(),
                variants.size() > 1 ? fmt::format(", {} variants", variants.size()) : std::string(),
                (archive.size() + 999) / 1000);
  for (auto const& warning : warnings) {
    if (warning.rule == "connector-scalar")
      print_message("note: line {}: {}; {}\n", warning.line, warning.message, warning.remedy);
  }
}

void build_fmu(BuildOptions options) {
  if (!options.variants.empty())
    throw CommandError(ExitCode::usage, "--variant is for systems; an FMU has one model");
  if (options.fmi_version == 0) options.fmi_version = 3;
  ModelArgument const argument = find_model(options.scene);
  std::vector<std::string> notes;
  auto const model = read_model(argument, &notes);
  print_notes(notes);
  std::string const output = options.output.empty() ? model->table().model_name() + ".fmu" : options.output;
  keep_inputs({argument.file.string()}, {output});
  demand_ending(output, ".fmu", "an FMU is an .fmu",
                output.ends_with(".ssp") ? "build the package of a system from its .ssd" : "");
  auto const description = package_description(*model, options.fmi_version);
  auto const files = package_files(*model, description,
                                   PackageOptions{.scene_text = read_file(argument.file),
                                                  .reference = !options.no_reference,
                                                  .platforms = options.platforms,
                                                  .watch = make_watch(options),
                                                  .terminals_in_fmi2 = options.terminals});
  std::string const archive = make_archive(files);
  write_file(output, archive);
  std::string platforms;
  for (auto const& [name, content] : files) {
    if (!name.starts_with("binaries/")) continue;
    std::string const platform = name.substr(9, name.find('/', 9) - 9);
    platforms += (platforms.empty() ? "" : ", ") + platform;
  }
  print_message("wrote {}: FMI {}.0 {}, {} variables, for {}, {} kB\n",
                output == "-" ? "standard output" : output, options.fmi_version,
                model->table().offers_model_exchange() ? "co-simulation and Model Exchange" : "co-simulation",
                description.variables.size(), platforms, (archive.size() + 999) / 1000);
  auto const scene = std::dynamic_pointer_cast<const SceneModel>(model);
  if (!scene) return;
  if (auto const report =
          redundancy_report(*scene, scene->scene().default_parameters(), scene->scene().default_inputs());
      !report.empty())
    print_message("note: {}\n", report);
}

}  // namespace

void add_build_command(CLI::App& program, ExitCode&) {
  auto const options = std::make_shared<BuildOptions>();
  CLI::App* const command = program.add_subcommand(
      "build",
      "Make an FMU from a scene or controller, or a package (.ssp) from a system structure (.ssd) whose "
      "components are "
      "scenes, "
      "controllers and FMUs. No compiler is needed, and the same files give the same bytes.");
  command
      ->add_option("scene", options->scene,
                   "scene or controller file, the name of an example, or a system structure (.ssd)")
      ->required();
  command->add_option("-o,--output", options->output, "file to write; default: <its name>.fmu or .ssp")
      ->type_name("FILE");
  add_fmi_option(*command, options->fmi_version,
                 "version of FMI; default: 3, and 2 inside of a package, for which SSP 1 was made");
  command
      ->add_option("--platforms", options->platforms,
                   "binaries to pack, separated by commas (x86_64-linux, x86_64-windows, aarch64-linux); "
                   "default: all that were built")
      ->delimiter(',')
      ->type_name("NAMES");
  command->add_flag("--no-reference", options->no_reference,
                    "do not run the default experiment and pack its results");
  add_number_option(
      *command, "--reference-limit", options->reference_limit,
      "processor time that the default experiment may take, s; after it the FMU is built without "
      "its results, and a warning says so. Default: 60");
  command->add_flag(
      "--terminals", options->terminals,
      "pack terminalsAndIcons.xml also in FMI 2, for a tool that reads it (FMI 2.0.4). FMI Library "
      "reports its fmiVersion, which has to be FMI 3's, as a mismatch. FMI 3 always has it");
  command
      ->add_option("--variant", options->variants,
                   "of a package: another .ssd to pack, of the same or other components; repeat it for more")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->footer(
      "The FMU also holds its documentation, licences, terminals, icon and the results of the default "
      "experiment.\nExample:\n  delassus build painleve_rod -o rod.fmu --fmi 2 --platforms linux64,win64");
  command->callback([options] {
    listen_for_interruption();
    Rescue const rescue([&] { return "interrupted; nothing was written for " + options->scene; });
    options->scene = find_system(options->scene).string();
    is_system_file(options->scene) ? build_system(*options) : build_fmu(*options);
  });
}

}  // namespace delassus
