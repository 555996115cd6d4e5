// What of this process an FMU may not change: working directory, locale, signal handlers, floating-point
// control, file mode mask; and how many threads there are.
#pragma once

#include <signal.h>

#include <array>
#include <string>
#include <vector>

namespace delassus {

class HostEnvironment {
 public:
  HostEnvironment();  // as it is now

  // What is different now, in words, one for each thing; empty where all is the same.
  std::vector<std::string> changes() const;

  void restore() const;  // so that one change is not found again and again

 private:
  std::string folder_, locale_;
  std::array<struct sigaction, 65> handlers_{};
  unsigned mask_ = 0;
  unsigned sse_control_ = 0;
  unsigned short x87_control_ = 0;
  int rounding_ = 0, traps_ = 0;
};

int thread_count();  // of this process

}  // namespace delassus
