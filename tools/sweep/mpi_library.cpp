#include "tools/sweep/mpi_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "tools/support/exit_code.hpp"
#include "tools/support/share_folder.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

std::optional<int> environment_number(char const* name) {
  char const* const text = std::getenv(name);
  return text == nullptr ? std::nullopt : parse_integer<int>(text);
}

void check(int code, char const* call) {
  if (code != 0) throw CommandError(ExitCode::run_failed, fmt::format("MPI failed to {}", call));
}

}  // namespace

std::optional<MpiLaunch> find_mpi_launch() {
  struct Names {
    char const *rank, *ranks;
  };
  // Open MPI's mpirun; Hydra of MPICH and its kin, and Slurm with PMI; whatever speaks PMIx.
  constexpr Names launchers[]{
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"PMIX_RANK", "PMIX_SIZE"}};
  for (auto const& [rank, ranks] : launchers) {
    if (auto const found = environment_number(rank)) return MpiLaunch{*found, environment_number(ranks)};
  }
  return std::nullopt;
}

std::filesystem::path mpi_module_file() {
  auto const file = share_folder() / "delassus_mpi.so";
  return std::filesystem::exists(file) ? file : std::filesystem::path();
}

Mpi::Mpi() {
  // Global, because MPI's own plugins look for its symbols; and never closed, because it leaves threads and handlers.
  void* const library = ::dlopen(mpi_module_file().c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    throw CommandError(ExitCode::run_failed, fmt::format("MPI does not load: {}", ::dlerror()));
  int (*start)(int*, int*) = nullptr;
  auto const bind = [&]<class Function>(Function& function, char const* symbol) {
    function = reinterpret_cast<Function>(::dlsym(library, symbol));
    if (function == nullptr)
      throw CommandError(ExitCode::run_failed,
                         fmt::format("{} has no {}: it is of another version of the program",
                                     mpi_module_file().string(), symbol));
  };
  bind(start, "delassus_mpi_start");
  bind(send_, "delassus_mpi_send");
  bind(probe_, "delassus_mpi_probe");
  bind(receive_, "delassus_mpi_receive");
  bind(end_, "delassus_mpi_end");
  check(start(&rank_, &ranks_), "start");
}

Mpi::~Mpi() {
  end_();
}

void Mpi::send(int to, int tag, std::string_view bytes) {
  check(send_(to, tag, bytes.data(), static_cast<int>(bytes.size())), "send");
}

std::optional<MpiMessage> Mpi::receive() {
  MpiMessage message;
  int size = -1;
  check(probe_(&message.from, &message.tag, &size), "look for messages");
  if (size < 0) return std::nullopt;
  message.bytes.resize(static_cast<std::size_t>(size));
  check(receive_(message.from, message.tag, message.bytes.data(), size), "receive");
  return message;
}

}  // namespace delassus
