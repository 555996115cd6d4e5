// Work on many machines: rank 0 hands numbers over to all ranks, itself among them, and gathers what is finished. Each rank
// has a station with its workers; what a rank itself does is to pass messages on.
#pragma once

#include <string>
#include <vector>

#include "tools/sweep/mpi_library.hpp"
#include "tools/sweep/work_site.hpp"
#include "tools/sweep/work_station.hpp"

namespace delassus {

// Sends all other ranks home at the end, however rank 0 comes to it: a rank that waits in MPI_Finalize for a rank that still
// serves waits for ever.
class RanksAtWork {
 public:
  explicit RanksAtWork(Mpi& mpi) : mpi_(mpi) {}
  ~RanksAtWork();
  RanksAtWork(RanksAtWork const&) = delete;
  RanksAtWork& operator=(RanksAtWork const&) = delete;

 private:
  Mpi& mpi_;
};

class MpiSite final : public WorkSite {
 public:
  // Waits until every rank has said that it is ready. `identity`: what each must be. Throws CommandError that names the rank
  // where one cannot work, or would do other work.
  MpiSite(Mpi& mpi, WorkStation& station, std::size_t workers, std::string const& identity);
  std::size_t room() const override;
  void hand_over(std::size_t number) override;
  std::vector<FinishedWork> wait(int milliseconds) override;

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t depth() const;
  void take(int rank, std::size_t number, std::string const& text, std::vector<FinishedWork>& finished);

  Mpi& mpi_;
  WorkStation& station_;
  std::size_t workers_;  // of each rank
  std::string identity_;
  std::vector<std::size_t> under_way_;  // of each rank
  std::size_t greeted_ = 0, finished_ = 0;
  Clock::time_point begin_ = Clock::now();
};

// What all other ranks do, until they are sent home.
void serve_rank(Mpi& mpi, WorkStation& station);

}  // namespace delassus
