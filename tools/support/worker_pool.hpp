// Work by number, done by worker processes of this one. A piece of work that crashes, exits or hangs costs its worker,
// which is replaced, and comes back as that; all others are not touched.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/support/child_process.hpp"

namespace delassus {

struct FinishedWork {
  std::size_t number = 0;
  ChildEnd end = ChildEnd::finished;
  std::string text;  // what the work returned; otherwise why there is none
};

class WorkerPool {
 public:
  // Made in each worker, once; then called for one number after the other. What it throws ends the worker.
  using Work = std::function<std::string(std::size_t number)>;

  // `seconds`: time limit of one piece of work, infinity for none. Throws FileError where no process can be made. The
  // workers end at once with the pool.
  WorkerPool(std::size_t workers, double seconds, std::function<Work()> begin);

  // How many more pieces can be handed over now. Where they are short, a worker holds the next one while it works, so
  // that it does not wait for us.
  std::size_t room() const;
  void hand_over(std::size_t number);

  // What has been finished, waiting for the first one at most so long. Returns early on a signal, and where `also`, a
  // descriptor, can be read.
  std::vector<FinishedWork> wait(int milliseconds, int also = -1);

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    ChildProcess child;
    std::deque<std::size_t> queue;  // the first is being worked on
    Clock::time_point since;        // that one began
    double last_seconds = 0;        // of the last piece
    std::string received, printed;
    bool spoilt = false;  // something else than results came from it
  };

  void start(Worker& worker);
  void serve(int channel) const;
  std::size_t depth(Worker const& worker) const;
  void send(Worker& worker, std::size_t number);
  bool read_results(Worker& worker, std::vector<FinishedWork>& finished);
  void read_prints(Worker& worker);
  void take_loss(Worker& worker, bool timed_out, std::vector<FinishedWork>& finished);

  double seconds_;
  std::function<Work()> begin_;
  std::vector<Worker> workers_;
};

// Frames on a channel: number, size, text. `take_frame` gives the first whole one of `received` and takes it off.
std::string make_frame(std::size_t number, std::string_view text);
bool take_frame(std::string& received, std::size_t& number, std::string& text);

}  // namespace delassus
