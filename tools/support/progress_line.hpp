// The share of a long work that is done, on one line of a terminal; nothing in a pipe.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

namespace delassus {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() {
    if (shown_ && last_ >= 0) fmt::print(stderr, "\r     \r");
  }
  ProgressLine(ProgressLine const&) = delete;
  ProgressLine& operator=(ProgressLine const&) = delete;

  void operator()(double share) {
    int const percent = static_cast<int>(100 * share);
    if (!shown_ || percent == last_) return;
    last_ = percent;
    fmt::print(stderr, "\r{:3d} %", percent);
  }

 private:
  bool shown_ = false;
  int last_ = -1;
};

}  // namespace delassus
