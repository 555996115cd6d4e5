#include "tools/import/fmu.hpp"

#include <fmt/format.h>

#include <cctype>

#include "tools/import/fmi2_import.hpp"
#include "tools/import/fmi3_import.hpp"
#include "tools/import/fmil_import.hpp"
#include "xml/fmi/description_reader.hpp"

namespace delassus {
namespace {

constexpr std::string_view architecture =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#else
    "unknown";
#endif

ModelDescription read_unpacked_description(std::filesystem::path const& file,
                                           std::filesystem::path const& folder) {
  Archive const archive(file);
  archive.extract(folder);
  return read_description(archive);
}

}  // namespace

std::string host_platform(int fmi_version) {
  if (fmi_version == 2 && architecture == "x86_64") return "linux64";
  return fmt::format("{}-linux", architecture);
}

std::string file_uri(std::filesystem::path const& absolute) {
  std::string uri = "file://";
  for (unsigned char const c : absolute.string()) {
    bool const plain = std::isalnum(c) != 0 ||
                       std::string_view("/-._~").find(static_cast<char>(c)) != std::string_view::npos;
    uri += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return uri;
}

ModelDescription read_description(Archive const& archive) {
  if (!archive.contains("modelDescription.xml")) {
    throw ArchiveError(archive.file().string() + " has no modelDescription.xml at its root: it is no FMU");
  }
  return read_model_description(archive.read("modelDescription.xml"),
                                archive.file().string() + "/modelDescription.xml");
}

ImportedFmu::ImportedFmu(std::filesystem::path const& file, ImportBackend backend)
    : description_(read_unpacked_description(file, folder_.path())), backend_(backend) {
  use_backend(backend);
}

void ImportedFmu::use_backend(ImportBackend backend) {
  if (backend == ImportBackend::fmil) require_fmil();
  backend_ = backend;
}

std::vector<InterfaceKind> ImportedFmu::kinds() const {
  std::vector<InterfaceKind> offered;
  for (auto const kind : {InterfaceKind::co_simulation, InterfaceKind::model_exchange}) {
    if (description_.interface(std::string(interface_element(kind))) != nullptr) offered.push_back(kind);
  }
  return offered;
}

std::filesystem::path ImportedFmu::library_file(InterfaceKind kind) const {
  if (description_.version != 2 && description_.version != 3) {
    auto const version = description_.attributes.find("fmiVersion");
    throw InstanceError(Status::error,
                        fmt::format("FMI version '{}' cannot be run; 2.0 and 3.0 can",
                                    version == description_.attributes.end() ? "" : version->second));
  }
  auto const* const interface = description_.interface(std::string(interface_element(kind)));
  if (interface == nullptr) {
    throw InstanceError(Status::error, fmt::format("the FMU does not offer {}", interface_element(kind)));
  }
  auto const file = folder_.path() / "binaries" / host_platform(description_.version) /
                    (interface->model_identifier() + ".so");
  if (!std::filesystem::exists(file)) {
    throw InstanceError(Status::error,
                        fmt::format("the FMU has no binary for this machine: binaries/{}/{} is missing",
                                    host_platform(description_.version), file.filename().string()));
  }
  return file;
}

SharedLibrary const& ImportedFmu::library(InterfaceKind kind) {
  auto const file = library_file(kind);
  auto& library = libraries_[file];
  if (!library) library = std::make_unique<SharedLibrary>(file);
  return *library;
}

std::unique_ptr<SimulatedInstance> ImportedFmu::instantiate(InstanceRequest const& request) {
  InstanceContext const context{description_, request.resources.value_or(folder_.path() / "resources")};
  bool const second = description_.version == 2;
  if (backend_ == ImportBackend::fmil) {
    // What is missing is said in the same words, whatever loads it.
    require_whole_library(library_file(request.kind));
    return second ? make_fmi2_instance(context, request, fmi2_through_fmil(folder_.path()))
                  : make_fmi3_instance(context, request, fmi3_through_fmil(folder_.path()));
  }
  SharedLibrary const& functions = library(request.kind);
  return second ? make_fmi2_instance(context, request, fmi2_access(functions))
                : make_fmi3_instance(context, request, fmi3_access(functions));
}

std::vector<char const*> fmi_function_names(int fmi_version, std::optional<InterfaceKind> kind) {
  return fmi_version == 2 ? fmi2_function_names(kind) : fmi3_function_names(kind);
}

}  // namespace delassus
