#include "tools/package/runnable_model.hpp"

#include <fmt/format.h>

#include "fmu/content/scene_model.hpp"
#include "tools/import/fmil_import.hpp"
#include "tools/import/package_description.hpp"
#include "tools/package/package_files.hpp"
#include "tools/simulate/event_stepped_instance.hpp"
#include "tools/simulate/in_process_instance.hpp"
#include "tools/simulate/integrated_instance.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {

RunnableModel::RunnableModel(std::string const& argument, int fmi_version, ImportBackend backend) {
  if (backend == ImportBackend::fmil) require_fmil();  // before a scene is packed for it
  ModelArgument const found = find_model(argument);
  if (found.is_fmu) {
    if (fmi_version != 0)
      throw CommandError(ExitCode::usage,
                         "--fmi is for scenes; an FMU has the version that it was built for");
    fmu_ = std::make_unique<ImportedFmu>(found.file, backend);
  } else {
    if (backend != ImportBackend::own && fmi_version == 0)
      throw CommandError(ExitCode::usage, "--backend is for FMUs; give --fmi to run a scene through one");
    model_ = read_model(found, &notes_);
    if (fmi_version != 0) {
      TemporaryFolder const folder;
      auto const file = folder.path() / (model_->table().model_name() + ".fmu");
      write_file(file, make_archive(package_files(*model_, fmi_version, "")));
      fmu_ = std::make_unique<ImportedFmu>(file, backend);
    }
  }
  description_ = fmu_ ? fmu_->description() : package_description(*model_, 2);
}

std::shared_ptr<const SceneModel> RunnableModel::scene() const {
  if (model_) return std::dynamic_pointer_cast<const SceneModel>(model_);
  auto const archive = fmu_->folder() / "resources" / scene_archive_name;
  if (!std::filesystem::is_regular_file(archive)) return nullptr;
  return std::make_shared<const SceneModel>(read_scene_archive(read_file(archive)));
}

std::unique_ptr<SimulatedInstance> RunnableModel::instantiate(InstanceLog log,
                                                              std::optional<InterfaceKind> kind,
                                                              bool event_mode) {
  if (!fmu_) {
    if (kind || event_mode) {
      throw CommandError(ExitCode::usage,
                         "--interface and --event-mode are for FMUs; give --fmi to run a scene through one");
    }
    return make_in_process_instance(model_, SignalTable(description_), std::move(log));
  }
  auto const offered = fmu_->kinds();
  InstanceRequest request{.name = "simulated", .log = std::move(log)};
  request.kind = kind.value_or(offered.empty() ? InterfaceKind::co_simulation : offered.front());
  if (request.kind == InterfaceKind::model_exchange) {
    if (event_mode) throw CommandError(ExitCode::usage, "--event-mode is for co-simulation");
    return integrated(request);
  }
  if (!event_mode) return fmu_->instantiate(request);
  auto const* const interface = description_.interface("CoSimulation");
  if (interface == nullptr || !interface->flag("hasEventMode"))
    throw CommandError(ExitCode::usage, "the FMU has no event mode; leave --event-mode out");
  request.event_mode = request.early_return_allowed = true;
  return make_event_stepped_instance(fmu_->instantiate(request));
}

std::unique_ptr<SimulatedInstance> RunnableModel::instantiate(InstanceRequest request,
                                                              std::optional<InterfaceKind> kind) {
  if (!fmu_) return make_in_process_instance(model_, SignalTable(description_), std::move(request.log));
  auto const offered = fmu_->kinds();
  request.kind = kind.value_or(offered.empty() ? InterfaceKind::co_simulation : offered.front());
  if (request.kind == InterfaceKind::co_simulation) return fmu_->instantiate(request);
  request.event_mode = request.early_return_allowed = false;
  return integrated(request);
}

std::unique_ptr<SimulatedInstance> RunnableModel::integrated(InstanceRequest const& request) {
  IntegrationSettings settings = integration_;
  settings.goes_back = request.goes_back;
  settings.log = request.log;
  return make_integrated_instance(fmu_->instantiate(request), settings, state_structure(description_));
}

}  // namespace delassus
