#include "tools/fmu_package.hpp"

#include <array>
#include <string_view>

#include "tools/atomic_file.hpp"
#include "tools/build_info.hpp"
#include "tools/fmu_documentation.hpp"
#include "tools/share_folder.hpp"
#include "tools/source_date.hpp"
#include "xml/describe.hpp"
#include "xml/model_description_writer.hpp"

namespace delassus {
namespace {

// FMI 2 names platforms in its own way; those that it does not know keep FMI 3's name.
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

}  // namespace

ModelDescription package_description(Model const& model, int fmi_version) {
  DescriptionInfo info;
  info.token = model.token(fmi_version);
  info.generation_date_and_time = generation_date();
  info.generation_tool = std::string("Delassus ") + program_version;
  info.license = "BSD-2-Clause";
  return describe(model.table(), fmi_version, info);
}

std::map<std::string, std::string> package_files(Model const& model, int fmi_version,
                                                 std::string const& scene_text) {
  std::map<std::string, std::string> files;
  ModelDescription const description = package_description(model, fmi_version);
  files["modelDescription.xml"] = write_model_description(description);
  files["resources/" + std::string(scene_archive_name)] = write_scene_archive(model.scene());
  files["documentation/index.html"] = write_documentation(model, fmi_version, !scene_text.empty());
  if (!scene_text.empty()) files["documentation/scene.xml"] = scene_text;
  // The standard's entry point for licences.
  files["documentation/licenses/license.txt"] = std::string(license_text);
  std::string const identifier = description.interface("CoSimulation")->model_identifier();
  for (auto const& binary : fmu_binaries()) {
    files["binaries/" + platform_folder(binary.platform, fmi_version) + "/" + identifier +
          binary.file.extension().string()] = read_file(binary.file);
  }
  return files;
}

}  // namespace delassus
