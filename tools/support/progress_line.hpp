// The share of a long work that is done, on one line of a terminal; nothing in a pipe.
#pragma once

#include <unistd.h>

#include "tools/support/standard_streams.hpp"

namespace delassus {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() {
    if (shown_ && last_ >= 0) print_message("\r     \r");
  }
  ProgressLine(ProgressLine const&) = delete;
  ProgressLine& operator=(ProgressLine const&) = delete;

  void operator()(double share) {
    int const percent = static_cast<int>(100 * share);
    if (!shown_ || percent == last_) return;
    last_ = percent;
    print_message("\r{:3d} %", percent);
  }

 private:
  bool shown_ = false;
  int last_ = -1;
};

}  // namespace delassus
