#include "tools/ssp/system_package.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/cosim/defaults.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/package/package_files.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/ssp/structure_rewriter.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

constexpr char default_variant[] = "SystemStructure.ssd";
constexpr int most_nested = 8;
constexpr double usual_tolerance = 1e-6;  // where no component has one

class Packing {
 public:
  Packing(StructureSource const& source, SystemPackageOptions const& options, int depth,
          std::map<std::string, std::string>& files)
      : source_(source), options_(options), depth_(depth), files_(files) {}

  void run(std::string const& entry) {
    add(source_.structure().system);
    files_[entry] = replace_sources(source_.text(), replacements_);
  }

 private:
  void add(StructureElement const& element) {
    for (auto const& binding : element.bindings) {
      if (binding.source && !binding.in_component) add_file(*binding.source, binding.line);
      if (binding.mapping && binding.mapping->source && !binding.mapping->in_component)
        add_file(*binding.mapping->source, binding.mapping->line);
    }
    if (element.icon) add_icon(*element.icon, element.line);
    if (element.kind == StructureElement::Kind::component && element.source &&
        !element.source->starts_with('#') && !replacements_.components.contains(*element.source))
      replacements_.components[*element.source] = add_component(element);
    for (auto const& child : element.elements) add(child);
  }

  ComponentReplacement add_component(StructureElement const& element) {
    auto const& uri = *element.source;
    bool const is_example = uri.starts_with(example_scheme);
    auto const file =
        is_example ? find_model(uri.substr(example_scheme.size())).file : source_.resolve(uri, element.line);
    if (element.type == fmu_component_type) return {store(file.filename().string(), read_file(file)), ""};
    if (element.type == package_component_type) {
      auto const fragment = uri.find('#');
      return {store(file.filename().string(), read_file(file)) +
                  (fragment == std::string::npos ? "" : uri.substr(fragment)),
              element.type};
    }
    if (element.type == structure_component_type) {
      if (depth_ >= most_nested)
        throw StructureError(source_.structure().file, element.line,
                             "the structure has itself as a component");
      std::map<std::string, std::string> inner;
      Packing(*source_.inner(uri, element.line), options_, depth_ + 1, inner).run(default_variant);
      return {store(file.stem().string() + ".ssp", make_archive(inner)), std::string(package_component_type)};
    }
    auto const model = read_model(find_model(file.string()));
    auto const package = package_files(*model, options_.fmi_version,
                                       PackageOptions{.scene_text = read_file(file),
                                                      .reference = options_.reference,
                                                      .platforms = options_.platforms,
                                                      .watch = options_.watch,
                                                      .terminals_in_fmi2 = options_.terminals_in_fmi2});
    return {store(model->table().model_name() + ".fmu", make_archive(package)), ""};
  }

  void add_file(std::string const& uri, int line) {
    if (replacements_.files.contains(uri)) return;
    auto const file = source_.resolve(uri, line);
    replacements_.files[uri] = store(file.filename().string(), read_file(file));
  }

  // A picture is not simulated: without it the package is as good.
  void add_icon(std::string const& uri, int line) {
    try {
      add_file(uri, line);
    } catch (StructureError const&) {
    }
  }

  // Gives the URI. Two files of one name get names of their own, in the order in which they come.
  std::string store(std::string const& name, std::string content) {
    std::filesystem::path const path = name;
    for (int i = 1;; ++i) {
      auto const entry = "resources/" + path.stem().string() + (i == 1 ? "" : fmt::format("_{}", i)) +
                         path.extension().string();
      auto const [there, is_new] = files_.emplace(entry, content);
      if (is_new || there->second == content) return path_to_uri(entry);
    }
  }

  StructureSource const& source_;
  SystemPackageOptions const& options_;
  int depth_;
  std::map<std::string, std::string>& files_;
  SourceReplacements replacements_;
};

}  // namespace

FixedStepMaster master_of(CosimSystem const& system) {
  // Where nothing says when to stop, the step does not depend on it.
  bool const stops =
      system.stop || std::ranges::any_of(system.components, [](CosimComponent const& component) {
        auto const& experiment = component.model->description().default_experiment;
        return experiment && experiment->stop_time;
      });
  CosimPlan const plan =
      stops ? default_plan(system) : default_plan(system, std::nullopt, system.start.value_or(0) + 1);
  FixedStepMaster master{.step = plan.step, .tolerance = usual_tolerance};
  bool known = false;
  for (auto const& component : system.components) {
    auto const& experiment = component.model->description().default_experiment;
    if (!experiment || !experiment->tolerance) continue;
    auto const tolerance = parse_double(*experiment->tolerance);
    if (!tolerance || !(*tolerance > 0)) continue;
    master.tolerance = known ? std::min(master.tolerance, *tolerance) : *tolerance;
    known = true;
  }
  return master;
}

std::map<std::string, std::string> package_system(std::vector<SystemVariant> const& variants,
                                                  SystemPackageOptions const& options) {
  std::map<std::string, std::string> files;
  for (auto const& [source, master] : variants) {
    auto const entry =
        source == variants.front().source ? default_variant : source->file().stem().string() + ".ssd";
    if (files.contains(entry))
      throw StructureError(source->structure().file, 0,
                           fmt::format("two variants would be {} in the package; rename one", entry));
    Packing(*source, options, 0, files).run(entry);
    files[entry] = announce_master(files[entry], master);
  }
  return files;
}

}  // namespace delassus
