// A process that has a pool of workers and nothing else, for a process that must not fork: under MPI, whose libraries and
// drivers do not survive a fork, it is started before MPI is. It takes numbers through a channel and sends back what was
// finished.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/support/worker_pool.hpp"

namespace delassus {

// The first frame that a station sends: `+` and who it is, or `-` and why it cannot work.
inline constexpr std::size_t greeting = ~std::size_t{0};

// Frames as a station sends them: the first character is how the work ended.
std::string finished_frame(FinishedWork const& work);
FinishedWork read_finished(std::size_t number, std::string const& text);

class WorkStation {
 public:
  struct Crew {
    std::string identity;                     // the same for every station that does the same work
    std::function<WorkerPool::Work()> begin;  // let go at the end
  };
  // `prepare` is called in the new process; what it throws is sent as the greeting.
  WorkStation(std::size_t workers, double seconds, std::function<Crew()> const& prepare);
  ~WorkStation();  // ends it and its workers at once

  void hand_over(std::size_t number);

  // Frames that have come, waiting for the first at most so long. Throws CommandError where the station is gone.
  struct Frame {
    std::size_t number = 0;
    std::string text;
  };
  std::vector<Frame> wait(int milliseconds);

 private:
  ChildProcess child_;
  std::string received_;
};

}  // namespace delassus
