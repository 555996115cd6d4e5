// What a user named, ready to make instances of: an FMU, a scene in this process, or a scene through an FMU
// made on the fly.
#pragma once

#include <memory>
#include <string>

#include "tools/import/fmu.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/simulate/integrated_instance.hpp"

namespace delassus {

class RunnableModel {
 public:
  // `fmi_version`: of a scene, 2 or 3 to run it through such an FMU, 0 to run it in this process. `backend`: what loads
  // the FMU. Throws CommandError and what reading throws.
  RunnableModel(std::string const& argument, int fmi_version, ImportBackend backend = ImportBackend::own);

  ModelDescription const& description() const { return description_; }
  // What the scene says but hardly means, one sentence each; none of an FMU.
  std::vector<std::string> const& notes() const { return notes_; }
  // What loads it from now on, where it is an FMU. Throws CommandError where the backend is not there.
  void use_backend(ImportBackend backend) {
    if (fmu_) fmu_->use_backend(backend);
  }
  // How Model Exchange FMUs are integrated from now on; their log and `goes_back` come from each request.
  void set_integration(IntegrationSettings const& settings) { integration_ = settings; }
  // A scene without an FMU in between.
  bool runs_in_process() const { return !fmu_; }
  // The scene that it is, or that an FMU of ours carries; null for a controller and for an FMU of another tool.
  std::shared_ptr<const SceneModel> scene() const;

  // An instance must not outlive this. Without a kind: co-simulation where it is offered. `event_mode` is for
  // FMI 3 co-simulation. Throws CommandError, InstanceError or LibraryError.
  std::unique_ptr<SimulatedInstance> instantiate(InstanceLog log,
                                                 std::optional<InterfaceKind> kind = std::nullopt,
                                                 bool event_mode = false);
  // As the request says, event mode and all: for a master that handles events itself. A Model Exchange FMU comes with
  // an integrator around it. Without a kind: co-simulation where it is offered.
  std::unique_ptr<SimulatedInstance> instantiate(InstanceRequest request, std::optional<InterfaceKind> kind);

 private:
  std::unique_ptr<SimulatedInstance> integrated(InstanceRequest const& request);

  std::vector<std::string> notes_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<ImportedFmu> fmu_;
  ModelDescription description_;
  IntegrationSettings integration_;
};

}  // namespace delassus
