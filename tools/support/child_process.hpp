// Code that may crash, hang or exit, run apart from us: a copy of this process with a channel to it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace delassus {

// s; more than clocks count in nanoseconds is no time.
inline constexpr double longest_wait = 1e9;

enum class ChildEnd {
  finished,   // the work returned
  exited,     // exit was called
  crashed,    // a signal
  timed_out,  // killed by us
};

struct ChildStatus {
  ChildEnd end = ChildEnd::finished;
  int code = 0;  // exit code or signal
};

// `crashed in a step (signal 11, Segmentation fault)`; `during` is "in a step", or empty. `seconds` was the time limit.
std::string in_words(ChildStatus const& status, double seconds, std::string const& during = "");

// A child has a process group of its own, so that Ctrl-C is ours and all that it starts can be killed with it. It ends
// with its parent, writes no core files, and its crashes are crashes. It has no descriptor open but its channel and the
// standard streams, of which standard input is empty.
class ChildProcess {
 public:
  // Where its standard output and standard error go.
  enum class Prints { with_ours, to_standard_error, caught };

  // Called in the child with its end of the channel, a stream socket. When it returns the child ends with exit code 0;
  // what it throws is printed, and ends the child with exit code 1.
  using Work = std::function<void(int channel)>;

  ChildProcess() = default;  // none
  // Throws FileError where no process can be made.
  ChildProcess(Work const& work, Prints prints);
  ~ChildProcess() { end(); }
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  // False for none, and after end().
  bool exists() const { return process_ > 0; }
  pid_t process() const { return process_; }
  int channel() const { return channel_; }
  int prints() const { return prints_; }  // what is caught can be read here
  // The child reads the end of the channel.
  void close_channel() { close_end(channel_); }

  bool has_ended() const;
  // Waits at most so long, s.
  bool ends_within(double seconds) const;
  // Kills it and all that it has started, and lets go of it. A child that had ended before tells how.
  ChildStatus end();

 private:
  void close_end(int& descriptor);

  pid_t process_ = -1;
  int channel_ = -1, prints_ = -1;
};

// Kills all that exist, with what they have started: for a program that ends without unwinding.
void kill_all_children();

// All of it, whatever signals come; false where the other end of the channel has gone.
bool send_all(int channel, std::string_view bytes);

struct ChildReport : ChildStatus {
  std::string output;   // everything that the work sent before it ended
  std::string printed;  // the first of what it wrote to standard output and standard error
};

// What the work sends to its parent, at once: it stays even where the next line crashes.
using ChildSend = std::function<void(std::string_view)>;

// Called with what the work sends, as it comes.
using ChildListen = std::function<void(std::string_view)>;

// Runs `work` in a child whose prints are caught, so that what an FMU prints does not mix with ours. Kills it, and
// whatever it started, after `seconds`. Throws FileError where no process can be made.
ChildReport run_in_child(std::function<void(ChildSend const&)> const& work, double seconds,
                         ChildListen const& listen = {});

// From now on the reports of this process count: for work of run_in_child that goes on in a child of its own. What other copies
// of the process send is dropped, and ends them.
void report_from_here();

}  // namespace delassus
