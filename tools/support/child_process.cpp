#include "tools/support/child_process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

using Clock = std::chrono::steady_clock;

// The last byte that a child sends when its work has returned. Without it, an exit code of 0 means that the
// FMU has called exit(0) in the middle.
constexpr char finished_mark = '\x04';

// Enough to quote from; an FMU may print for as long as it runs.
constexpr std::size_t most_printed = 4096;

[[noreturn]] void run_child(int descriptor, int prints, pid_t parent,
                            std::function<void(ChildSend const&)> const& work) {
  settle_child(parent);
  ::dup2(prints, STDOUT_FILENO);
  ::dup2(prints, STDERR_FILENO);
  ::close(prints);
  auto const send = [descriptor](std::string_view text) {
    while (!text.empty()) {
      ssize_t const written = ::write(descriptor, text.data(), text.size());
      if (written < 0 && errno != EINTR) return;
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
  };
  work(send);
  std::fflush(nullptr);  // _exit does not
  send({&finished_mark, 1});
  ::_exit(0);
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
bool collect(int descriptor, int prints, Clock::time_point end, ChildReport& report,
             ChildListen const& listen) {
  bool printing = true;
  while (true) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waits[2]{{descriptor, POLLIN, 0}, {printing ? prints : -1, POLLIN, 0}};
    int const ready = ::poll(waits, 2, static_cast<int>(std::min<long long>(left, 1000)));
    if (ready <= 0) continue;
    if (waits[1].revents != 0) printing = read_some(prints, report.printed, most_printed, {});
    if (waits[0].revents != 0 && !read_some(descriptor, report.output, std::string::npos, listen)) break;
  }
  // What was printed last may still be in the pipe.
  pollfd wait{prints, POLLIN, 0};
  while (printing && ::poll(&wait, 1, 0) > 0) printing = read_some(prints, report.printed, most_printed, {});
  return true;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// The pipe is closed, so the child is ending; a handler of the FMU's that runs at exit may still hang. The
// child is left to be waited for: until then its number, which is that of its group, cannot be somebody
// else's.
bool ends_before(pid_t child, Clock::time_point end) {
  while (Clock::now() < end) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child)
      return true;
    ::usleep(2000);
  }
  return false;
}

}  // namespace

void settle_child(pid_t parent) {
  // A group of its own, so that all of it can be killed; and not left behind where the user interrupts us.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  rlimit const no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Handlers of ours, or of a sanitizer, would turn a crash into an exit.
  for (int const crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(crash, SIG_DFL);
}

ChildReport run_in_child(std::function<void(ChildSend const&)> const& work, double seconds,
                         ChildListen const& listen) {
  int ends[2], prints[2];
  if (::pipe(ends) != 0) throw FileError(std::string("cannot make a pipe: ") + std::strerror(errno));
  if (::pipe(prints) != 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw FileError(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  std::fflush(nullptr);  // what waits to be written is ours, and not to be written by the child as well
  pid_t const parent = ::getpid();
  pid_t const child = ::fork();
  if (child < 0) {
    for (int const descriptor : {ends[0], ends[1], prints[0], prints[1]}) ::close(descriptor);
    throw FileError(std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (child == 0) {
    ::close(ends[0]);
    ::close(prints[0]);
    run_child(ends[1], prints[1], parent, work);
  }
  ::close(ends[1]);
  ::close(prints[1]);
  ChildReport report;
  auto const end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(seconds, longest_wait)));
  bool const in_time = collect(ends[0], prints[0], end, report, listen) && ends_before(child, end);
  ::close(ends[0]);
  ::close(prints[0]);
  ::kill(-child, SIGKILL);  // and what the FMU itself has started
  if (!in_time) ::kill(child, SIGKILL);
  int const status = wait_for(child);
  if (!in_time) {
    report.end = ChildEnd::timed_out;
    return report;
  }
  if (WIFSIGNALED(status)) {
    report.end = ChildEnd::crashed;
    report.code = WTERMSIG(status);
  } else if (!report.output.empty() && report.output.back() == finished_mark) {
    report.output.pop_back();
  } else {
    report.end = ChildEnd::exited;
    report.code = WEXITSTATUS(status);
  }
  return report;
}

}  // namespace delassus
