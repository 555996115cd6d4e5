#include "tools/package/package_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "fmu/content/scene_model.hpp"
#include "tools/import/fmu.hpp"
#include "tools/import/package_description.hpp"
#include "tools/package/documentation.hpp"
#include "tools/package/icon.hpp"
#include "tools/package/licenses.hpp"
#include "tools/package/reference_run.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/build_info.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/source_date.hpp"
#include "xml/fmi/description_writer.hpp"
#include "xml/fmi/terminals.hpp"

namespace delassus {
namespace {

constexpr int icon_size = 128;  // pixels

// FMI 2 names six platforms in its own way; for all others it points to FMI 3's names (2.0.5, section 2.3).
std::string platform_folder(std::string const& platform, int fmi_version) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> fmi2_names{{
      {"x86_64-linux", "linux64"},
      {"x86_64-windows", "win64"},
      {"x86_64-darwin", "darwin64"},
      {"x86-linux", "linux32"},
      {"x86-windows", "win32"},
  }};
  if (fmi_version != 2) return platform;
  for (auto const& [fmi3, fmi2] : fmi2_names) {
    if (platform == fmi3) return std::string(fmi2);
  }
  return platform;
}

std::vector<FmuBinary> chosen_binaries(std::vector<std::string> const& platforms) {
  std::vector<FmuBinary> const all = fmu_binaries();
  if (platforms.empty()) return all;
  std::vector<FmuBinary> chosen;
  for (std::string const& platform : platforms) {
    auto const found = std::ranges::find_if(all, [&](FmuBinary const& binary) {
      return platform == binary.platform || platform == platform_folder(binary.platform, 2);
    });
    if (found == all.end()) {
      std::vector<std::string> names;
      names.reserve(all.size());
      for (FmuBinary const& binary : all) names.push_back(binary.platform);
      throw CommandError(ExitCode::usage, fmt::format("there is no binary for '{}'; there are those for {}",
                                                      platform, fmt::join(names, ", ")));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace

std::map<std::string, std::string> package_files(Model const& model, ModelDescription const& description,
                                                 PackageOptions const& options) {
  int const fmi_version = description.version;
  std::map<std::string, std::string> files;
  files["modelDescription.xml"] = write_model_description(description);
  files["resources/" + std::string(model.archive_name())] = model.archive();

  auto const* const scene = dynamic_cast<SceneModel const*>(&model);
  DocumentationParts parts;
  if (!options.scene_text.empty()) parts.source_file = scene ? "scene.xml" : "controller.xml";
  std::string const identifier = description.interface("CoSimulation")->model_identifier();
  bool with_windows = false;
  for (auto const& binary : chosen_binaries(options.platforms)) {
    std::string const folder = platform_folder(binary.platform, fmi_version);
    std::string const file = identifier + binary.file.extension().string();
    files[fmt::format("binaries/{}/{}", folder, file)] = read_file(binary.file);
    parts.platforms.push_back(folder);
    with_windows = with_windows || binary.file.extension() == ".dll";
  }

  std::optional<ReferenceRun> reference;
  if (options.reference) reference = make_reference_run(model, options.watch);
  if (reference) {
    parts.reference = &*reference;
    files.merge(reference_files(*reference, model.table().model_name(), parts.source_file));
  }
  files["documentation/index.html"] = write_documentation(model, fmi_version, parts);
  if (!parts.source_file.empty()) files["documentation/" + parts.source_file] = options.scene_text;
  files.merge(license_files(with_windows));

  // FMI 2.0.4 and later take terminals and icons as FMI 3 defines them; its own icon lies at the root.
  std::string const icon = write_png(icon_picture(icon_size));
  if (fmi_version != 2 || options.terminals_in_fmi2) {
    files["terminalsAndIcons/terminalsAndIcons.xml"] = write_terminals_and_icons(
        scene ? terminals_of(scene->scene(), model.table(), fmi_version) : std::vector<Terminal>{});
  }
  files["terminalsAndIcons/icon.png"] = icon;
  files["terminalsAndIcons/icon.svg"] = write_icon_svg();
  if (fmi_version == 2) files["model.png"] = icon;
  return files;
}

std::map<std::string, std::string> package_files(Model const& model, int fmi_version,
                                                 PackageOptions const& options) {
  return package_files(model, package_description(model, fmi_version), options);
}

std::map<std::string, std::string> package_files(Model const& model, int fmi_version,
                                                 std::string const& scene_text) {
  return package_files(model, fmi_version,
                       PackageOptions{.scene_text = scene_text, .platforms = {host_platform(3)}});
}

}  // namespace delassus
