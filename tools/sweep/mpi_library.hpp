// MPI, where the program was built with it and started under it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace delassus {

// What mpirun, mpiexec or srun tell a program that they start, before it has asked MPI.
struct MpiLaunch {
  int rank = 0;
  std::optional<int> ranks;  // not all of them tell
};
std::optional<MpiLaunch> find_mpi_launch();

// The module beside the program; empty where the program was built without MPI.
std::filesystem::path mpi_module_file();

struct MpiMessage {
  int from = 0, tag = 0;
  std::string bytes;
};

// From MPI_Init to MPI_Finalize, once in the life of a process. Throws CommandError, of `run_failed` where a call fails.
class Mpi {
 public:
  Mpi();
  ~Mpi();
  Mpi(Mpi const&) = delete;
  Mpi& operator=(Mpi const&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  void send(int to, int tag, std::string_view bytes);
  std::optional<MpiMessage> receive();  // what waits

 private:
  int (*send_)(int, int, void const*, int) = nullptr;
  int (*probe_)(int*, int*, int*) = nullptr;
  int (*receive_)(int, int, void*, int) = nullptr;
  int (*end_)() = nullptr;
  int rank_ = 0, ranks_ = 1;
};

}  // namespace delassus
