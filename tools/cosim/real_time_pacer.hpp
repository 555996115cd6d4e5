// Keeps a run at the pace of the clock on the wall.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>

namespace delassus {

class RealTimePacer {
 public:
  // `pace`: seconds of the run in a second of the clock.
  RealTimePacer(double start, double pace) : start_(start), pace_(pace), began_(Clock::now()) {}

  // Sleeps until the clock is where the run is. A step that ends later than the clock has overrun.
  void wait_for(double time) {
    auto const due = began_ + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::min((time - start_) / pace_, 1e9)));
    auto const now = Clock::now();
    if (now < due) {
      std::this_thread::sleep_until(due);
    } else {
      ++overruns_;
      largest_lateness_ = std::max(largest_lateness_, std::chrono::duration<double>(now - due).count());
    }
  }
  std::size_t overruns() const { return overruns_; }
  double largest_lateness() const { return largest_lateness_; }  // s

 private:
  using Clock = std::chrono::steady_clock;
  double start_, pace_;
  Clock::time_point began_;
  std::size_t overruns_ = 0;
  double largest_lateness_ = 0;
};

}  // namespace delassus
