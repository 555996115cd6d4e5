// Code that may crash, hang or exit, run apart from us: a child process with a time limit.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace delassus {

// s; more than clocks count in nanoseconds is no time.
inline constexpr double longest_wait = 1e9;

// What a child does first of all: a group of its own, an end with its parent, no core file, crashes that are crashes.
void settle_child(pid_t parent);

enum class ChildEnd {
  finished,   // the work returned
  exited,     // somebody called exit
  crashed,    // a signal
  timed_out,  // killed by us
};

struct ChildReport {
  ChildEnd end = ChildEnd::finished;
  int code = 0;         // exit code or signal
  std::string output;   // everything that the work sent before it ended
  std::string printed;  // the first of what it wrote to standard output and standard error
};

// What the work sends to its parent, at once: it stays even where the next line crashes.
using ChildSend = std::function<void(std::string_view)>;

// Called with what the work sends, as it comes.
using ChildListen = std::function<void(std::string_view)>;

// Runs `work` in a copy of this process whose standard output and standard error are caught, so that what an
// FMU prints does not mix with ours. Kills it, and whatever it started, after `seconds`. Throws FileError where
// no process can be made.
ChildReport run_in_child(std::function<void(ChildSend const&)> const& work, double seconds,
                         ChildListen const& listen = {});

}  // namespace delassus
