#include "tools/support/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "model/scene/number.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/standard_streams.hpp"

namespace delassus {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(seconds, longest_wait)));
}

// The last byte that a child sends when its work has returned. Without it, an exit code of 0 means that the
// FMU has called exit(0) in the middle.
constexpr char finished_mark = '\x04';

// In a child of run_in_child, the one process whose reports count.
pid_t reporting_process = 0;

// Enough to quote from; an FMU may print for as long as it runs.
constexpr std::size_t most_printed = 4096;

struct LivingChildren {
  std::mutex mutex;
  std::set<pid_t> processes;
};

LivingChildren& living_children() {
  // Never destroyed: a thread that ends the program may look at it last.
  static auto* const children = new LivingChildren;
  return *children;
}

// Where a child has its end of the channel: behind the standard streams, and nothing behind it.
constexpr int child_channel = STDERR_FILENO + 1;

// Two ends; -1 where there is none.
struct Ends {
  int ours = -1, theirs = -1;
  void close_all() const {
    for (int const descriptor : {ours, theirs}) {
      if (descriptor >= 0) ::close(descriptor);
    }
  }
};

// Where a standard stream is closed, a new descriptor would take its place, and what is printed would go there.
int above_standard_streams(int descriptor) {
  if (descriptor > STDERR_FILENO) return descriptor;
  int const above = ::fcntl(descriptor, F_DUPFD_CLOEXEC, child_channel);
  int const error = errno;
  ::close(descriptor);
  errno = error;
  return above;
}

Ends with_ends(int made, int const (&ends)[2], char const* what) {
  Ends both;
  if (made == 0) both = {above_standard_streams(ends[0]), above_standard_streams(ends[1])};
  if (both.ours < 0 || both.theirs < 0) {
    int const error = errno;
    both.close_all();
    throw FileError(fmt::format("cannot make a {}: {}", what, std::strerror(error)));
  }
  return both;
}

Ends make_channel() {
  int ends[2];
  int const made = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
  return with_ends(made, ends, "channel");
}

Ends make_pipe() {
  int ends[2];
  int const made = ::pipe2(ends, O_CLOEXEC);
  return with_ends(made, ends, "pipe");
}

void settle(pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  rlimit const no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Handlers of ours, or of a sanitizer, would turn a crash into an exit.
  for (int const each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGHUP})
    ::signal(each, SIG_DFL);
  // Its group is in the background of a terminal, which would stop it: for writing where `stty tostop` was said, and for
  // reading always.
  ::signal(SIGTTOU, SIG_IGN);
  if (int const nothing = ::open("/dev/null", O_RDONLY); nothing > STDIN_FILENO) {
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
}

// A child has nothing open but its standard streams and its channel: what an FMU writes to descriptors that are not its
// own, or hands on to a process that it starts, reaches no file, journal or other child's channel of ours.
void keep_only(int channel, int prints, ChildProcess::Prints where) {
  int const out = where == ChildProcess::Prints::caught ? prints : STDERR_FILENO;
  if (where != ChildProcess::Prints::with_ours) ::dup2(out, STDOUT_FILENO);
  if (where == ChildProcess::Prints::caught) ::dup2(out, STDERR_FILENO);
  if (channel != child_channel) ::dup3(channel, child_channel, O_CLOEXEC);
  ::closefrom(child_channel + 1);
}

[[noreturn]] void run_child(ChildProcess::Work const& work, int channel) {
  int code = 0;
  try {
    work(channel);
  } catch (std::exception const& error) {
    print_message("{}\n", error.what());
    code = 1;
  } catch (...) {
    code = 1;
  }
  std::fflush(nullptr);  // _exit does not
  // Not exit: what the parent has to clean up is not the child's.
  ::_exit(code);
}

// Reads once; false at the end.
bool read_some(int descriptor, std::string& text, std::size_t most, ChildListen const& listen) {
  char buffer[4096];
  ssize_t const count = ::read(descriptor, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR;
  if (count == 0) return false;
  std::string_view const got(buffer, static_cast<std::size_t>(count));
  text.append(got.substr(0, most - std::min(most, text.size())));
  if (listen) listen(got);
  return true;
}

// False where the time is over.
bool collect(ChildProcess const& child, Clock::time_point end, ChildReport& report,
             ChildListen const& listen) {
  bool printing = true;
  while (true) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waits[2]{{child.channel(), POLLIN, 0}, {printing ? child.prints() : -1, POLLIN, 0}};
    int const ready = ::poll(waits, 2, static_cast<int>(std::min<long long>(left, 1000)));
    if (ready <= 0) continue;
    if (waits[1].revents != 0) printing = read_some(child.prints(), report.printed, most_printed, {});
    if (waits[0].revents != 0 && !read_some(child.channel(), report.output, std::string::npos, listen)) break;
  }
  // What was printed last may still be in the pipe.
  pollfd wait{child.prints(), POLLIN, 0};
  while (printing && ::poll(&wait, 1, 0) > 0)
    printing = read_some(child.prints(), report.printed, most_printed, {});
  return true;
}

}  // namespace

std::string in_words(ChildStatus const& status, double seconds, std::string const& during) {
  std::string const when = during.empty() ? "" : " " + during;
  switch (status.end) {
    case ChildEnd::finished:
      return "finished" + when;
    case ChildEnd::exited:
      return fmt::format("ended its process with exit code {}{}", status.code, when);
    case ChildEnd::crashed:
      return fmt::format("crashed{} (signal {}, {})", when, status.code, ::strsignal(status.code));
    case ChildEnd::timed_out:
      return fmt::format("did not come back within {} s{}", format_number(seconds), when);
  }
  return "";
}

ChildProcess::ChildProcess(Work const& work, Prints prints) {
  Ends const channel = make_channel();
  Ends caught;
  try {
    if (prints == Prints::caught) caught = make_pipe();
  } catch (FileError const&) {
    channel.close_all();
    throw;
  }
  auto& living = living_children();
  std::scoped_lock const lock(living.mutex);
  std::fflush(nullptr);  // what waits to be written is ours, and not to be written by the child as well
  pid_t const parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    int const error = errno;
    channel.close_all();
    caught.close_all();
    throw FileError(fmt::format("cannot start a process: {}", std::strerror(error)));
  }
  if (process_ == 0) {
    settle(parent);
    keep_only(channel.theirs, caught.theirs, prints);
    living.processes.clear();
    living.mutex.unlock();
    run_child(work, child_channel);
  }
  ::close(channel.theirs);
  if (caught.theirs >= 0) ::close(caught.theirs);
  channel_ = channel.ours;
  prints_ = caught.ours;
  living.processes.insert(process_);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      channel_(std::exchange(other.channel_, -1)),
      prints_(std::exchange(other.prints_, -1)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  end();
  std::swap(process_, other.process_);
  std::swap(channel_, other.channel_);
  std::swap(prints_, other.prints_);
  return *this;
}

void ChildProcess::close_end(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

// It is left to be waited for: until then its number, which is that of its group, cannot be another's.
bool ChildProcess::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == process_;
}

bool ChildProcess::ends_within(double seconds) const {
  for (auto const end = after(seconds); Clock::now() < end; ::usleep(2000)) {
    if (has_ended()) return true;
  }
  return has_ended();
}

ChildStatus ChildProcess::end() {
  if (!exists()) return {};
  ::kill(-process_, SIGKILL);  // and what the work itself has started
  ::kill(process_, SIGKILL);   // which may have left its group
  int status = 0;
  {
    // After waitpid the number may be another's.
    auto& living = living_children();
    std::scoped_lock const lock(living.mutex);
    living.processes.erase(process_);
  }
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  close_end(channel_);
  close_end(prints_);
  process_ = -1;
  if (WIFSIGNALED(status)) return {ChildEnd::crashed, WTERMSIG(status)};
  return {ChildEnd::exited, WEXITSTATUS(status)};
}

void kill_all_children() {
  auto& living = living_children();
  std::unique_lock const lock(living.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;  // one is being made; it ends with us
  for (pid_t const process : living.processes) {
    ::kill(-process, SIGKILL);
    ::kill(process, SIGKILL);
  }
}

bool send_all(int channel, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const sent = ::send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void report_from_here() {
  reporting_process = ::getpid();
}

ChildReport run_in_child(std::function<void(ChildSend const&)> const& work, double seconds,
                         ChildListen const& listen) {
  auto const end = after(seconds);
  ChildProcess child(
      [&](int channel) {
        report_from_here();
        // An FMU that forks and returns comes back twice; its copy has nothing to report.
        auto const send = [channel](std::string_view text) {
          if (::getpid() != reporting_process) ::_exit(0);
          send_all(channel, text);
        };
        work(send);
        std::fflush(nullptr);
        send({&finished_mark, 1});
      },
      ChildProcess::Prints::caught);
  ChildReport report;
  // Where the channel is closed the child is ending; a handler of the FMU's that runs at exit may still hang.
  bool const in_time = collect(child, end, report, listen) &&
                       child.ends_within(std::chrono::duration<double>(end - Clock::now()).count());
  ChildStatus const status = child.end();
  if (!in_time) {
    report.end = ChildEnd::timed_out;
  } else if (status.end == ChildEnd::exited && report.output.ends_with(finished_mark)) {
    report.output.pop_back();
  } else {
    report.end = status.end;
    report.code = status.code;
  }
  return report;
}

}  // namespace delassus
