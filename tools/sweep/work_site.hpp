// Where pieces of work are done: by worker processes of this one, or by many ranks under MPI. And the loop that hands
// them over until all are done.
#pragma once

#include <functional>
#include <vector>

#include "tools/support/worker_pool.hpp"

namespace delassus {

class WorkSite {
 public:
  virtual ~WorkSite() = default;
  virtual std::size_t room() const = 0;
  virtual void hand_over(std::size_t number) = 0;
  virtual std::vector<FinishedWork> wait(int milliseconds) = 0;
};

class PoolSite final : public WorkSite {
 public:
  PoolSite(std::size_t workers, double seconds, std::function<WorkerPool::Work()> begin)
      : pool_(workers, seconds, std::move(begin)) {}
  std::size_t room() const override { return pool_.room(); }
  void hand_over(std::size_t number) override { pool_.hand_over(number); }
  std::vector<FinishedWork> wait(int milliseconds) override { return pool_.wait(milliseconds); }

 private:
  WorkerPool pool_;
};

// All of `numbers`, in this order as far as they begin. `take` gets each as it is finished; `go_on` is asked several times
// a second, and ends the work by returning false. True where everything was done.
inline bool do_all(WorkSite& site, std::vector<std::size_t> const& numbers,
                   std::function<void(FinishedWork const&)> const& take, std::function<bool()> const& go_on) {
  constexpr int patience = 200;  // ms
  std::size_t begun = 0, finished = 0;
  while (finished < numbers.size()) {
    if (!go_on()) return false;
    while (begun < numbers.size() && site.room() > 0) site.hand_over(numbers[begun++]);
    for (auto const& work : site.wait(patience)) {
      take(work);
      ++finished;
    }
  }
  return true;
}

}  // namespace delassus
