// An .fmu of any tool, unpacked for the time of a run, and instances of it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/import/backend.hpp"
#include "tools/import/simulated_instance.hpp"
#include "tools/support/shared_library.hpp"
#include "tools/support/temporary_folder.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

// The folder below binaries/ for this machine: linux64 in FMI 2, x86_64-linux in FMI 3.
std::string host_platform(int fmi_version);

// A file URI as FMI 2 wants it: file:///tmp/a%20b
std::string file_uri(std::filesystem::path const& absolute);

// Reads the description of an .fmu without unpacking it. Throws ArchiveError or DescriptionError.
ModelDescription read_description(Archive const& archive);

struct InstanceRequest {
  std::string name = "instance";
  InstanceLog log = {};
  std::optional<std::string> token =
      std::nullopt;  // instead of the description's; a checker passes a wrong one
  bool logging_on = false;
  InterfaceKind kind = InterfaceKind::co_simulation;
  // Whether a state from before the present may be restored: without, the FMU is promised that none is
  // (noSetFMUStatePriorToCurrentPoint) and may forget what it needs for that.
  bool goes_back = false;
  // FMI 3 co-simulation; FMI 2 has none of these.
  bool event_mode = false, early_return_allowed = false;
  IntermediateHandler intermediate = {};
  std::vector<std::uint32_t> intermediate_variables = {};
  // What a checker tries beyond what a good importer does.
  bool without_logger = false;
  std::optional<std::filesystem::path> resources = std::nullopt;  // instead of the FMU's
};

class ImportedFmu {
 public:
  // Unpacks and reads the description, nothing more: no code of the FMU has run yet. Throws FileError,
  // ArchiveError or DescriptionError; CommandError where the backend is not there (fmil_import.hpp).
  explicit ImportedFmu(std::filesystem::path const& file, ImportBackend backend = ImportBackend::own);

  // For instances from now on. Throws CommandError where the backend is not there.
  void use_backend(ImportBackend backend);

  ModelDescription const& description() const { return description_; }
  std::filesystem::path const& folder() const { return folder_.path(); }
  // The FMU's interface types that can be run here, co-simulation first.
  std::vector<InterfaceKind> kinds() const;
  // Throws InstanceError where the FMU has none for this machine.
  std::filesystem::path library_file(InterfaceKind kind) const;

  // Two interface types may have one library or two. Throws LibraryError or InstanceError.
  SharedLibrary const& library(InterfaceKind kind);

  // Loads where that has not been done. Throws InstanceError where the FMU refuses. An instance must not
  // outlive this.
  std::unique_ptr<SimulatedInstance> instantiate(InstanceRequest const& request);

 private:
  TemporaryFolder folder_;
  ModelDescription description_;
  ImportBackend backend_;
  std::map<std::filesystem::path, std::unique_ptr<SharedLibrary>> libraries_;
};

// What an instance is made of, beside the request.
struct InstanceContext {
  ModelDescription const& description;
  std::filesystem::path resources;
};

// The functions that an FMU must export for an interface type: the common ones and its own. Without one: all of
// the standard's header.
std::vector<char const*> fmi_function_names(int fmi_version, std::optional<InterfaceKind> kind);
std::vector<char const*> fmi2_function_names(std::optional<InterfaceKind> kind);
std::vector<char const*> fmi3_function_names(std::optional<InterfaceKind> kind);

// FMI 2: how many blocks of memory the FMUs of this process have taken from us and not given back.
long fmi2_outstanding_allocations();

// How often FMUs of this process have called back after their instance was freed.
long callbacks_after_free();

}  // namespace delassus
