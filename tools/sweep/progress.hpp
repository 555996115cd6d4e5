// How far a sweep is and how long it will take, on one line of a terminal; nothing in a pipe.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <string>

#include "tools/support/standard_streams.hpp"

namespace delassus {

class SweepProgress {
 public:
  // `before`: runs that were finished when this began.
  SweepProgress(bool quiet, std::size_t runs, std::size_t before)
      : shown_(!quiet && ::isatty(STDERR_FILENO) != 0), runs_(runs), before_(before) {}
  ~SweepProgress() {
    if (shown_ && width_ > 0) print_message("\r{:{}}\r", "", width_);
  }
  SweepProgress(SweepProgress const&) = delete;
  SweepProgress& operator=(SweepProgress const&) = delete;

  void add(bool fine) {
    ++finished_;
    if (!fine) ++failed_;
  }

  void show() {
    auto const now = Clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    std::string const text =
        line(runs_, before_, finished_, failed_, std::chrono::duration<double>(now - begin_).count());
    print_message("\r{:{}}", text, width_);
    width_ = text.size();
  }

  static std::string line(std::size_t runs, std::size_t before, std::size_t finished, std::size_t failed,
                          double seconds) {
    std::string text = fmt::format("{} of {} runs", before + finished, runs);
    if (failed > 0) text += fmt::format(", {} failed", failed);
    if (finished == 0) return text;
    double const left =
        seconds / static_cast<double>(finished) * static_cast<double>(runs - before - finished) + 0.5;
    auto const whole = static_cast<long long>(left);
    text += whole < 3600 ? fmt::format(", {}:{:02} to go", whole / 60, whole % 60)
                         : fmt::format(", {}:{:02}:{:02} to go", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  std::size_t runs_, before_, finished_ = 0, failed_ = 0, width_ = 0;
  Clock::time_point begin_ = Clock::now(), last_;
};

}  // namespace delassus
