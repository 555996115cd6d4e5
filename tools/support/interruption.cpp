#include "tools/support/interruption.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "tools/support/atomic_file.hpp"
#include "tools/support/child_process.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/standard_streams.hpp"
#include "tools/support/temporary_folder.hpp"

namespace delassus {
namespace {

using namespace std::chrono_literals;

// How long the work may take to notice by itself. Steps of most models are shorter.
constexpr auto patience = 100ms;
constexpr auto look_every = 2ms;
// ns. Sooner, a second signal is the first one: `timeout` sends one to the program and one to its process group.
constexpr std::int64_t same_signal = 100'000'000;
// How long a row or a file that is being written may delay the end.
constexpr auto longest_delay = 2s;

enum class Phase {
  undisturbed,
  signalled,
  noticed,  // the work ends the program
  taken,    // the second thread does
};

// Read and written by the handler: free of locks.
std::atomic<Phase> phase{Phase::undisturbed};
static_assert(std::atomic<Phase>::is_always_lock_free);
std::atomic<std::int64_t> signalled_at{0};  // ns, of a clock that only runs forwards
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
int wake_pipe[2] = {-1, -1};
std::atomic<int> last_signal{0};  // which ends the program without its results
int last_pipe[2] = {-1, -1};

// Never destroyed: the second thread may outlive what ends before it.
std::timed_mutex& work_mutex() {
  static auto* const mutex = new std::timed_mutex;
  return *mutex;
}
Rescue const*& present_rescue() {
  static Rescue const* rescue = nullptr;
  return rescue;
}

// May be called by a handler of signals, as std::chrono need not be.
std::int64_t now_in_nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// From a terminal that closes, and each second from a limit of processor time.
bool may_come_again(int number) {
  return number == SIGHUP || number == SIGXCPU;
}

void handle(int number) {
  int const error = errno;
  Phase expected = Phase::undisturbed;
  std::int64_t none = 0;
  bool const first = signalled_at.compare_exchange_strong(none, now_in_nanoseconds());
  char const byte = 0;
  [[maybe_unused]] ssize_t written = 0;
  if (number != SIGQUIT && phase.compare_exchange_strong(expected, Phase::signalled)) {
    written = ::write(wake_pipe[1], &byte, 1);
  } else if (number == SIGQUIT ||
             (!first && !may_come_again(number) && now_in_nanoseconds() - signalled_at > same_signal)) {
    int nothing = 0;
    if (last_signal.compare_exchange_strong(nothing, number)) {
      signalled_at = now_in_nanoseconds();
      written = ::write(last_pipe[1], &byte, 1);
    } else if (now_in_nanoseconds() - signalled_at > same_signal) {
      ::signal(number, SIG_DFL);
      ::raise(number);
    }
  }
  errno = error;
}

bool work_notices() {
  auto const end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (phase == Phase::noticed) return true;
    std::this_thread::sleep_for(look_every);
  }
  Phase expected = Phase::signalled;
  return !phase.compare_exchange_strong(expected, Phase::taken);
}

[[noreturn]] void end_program() {
  std::string message = "interrupted";
  bool const rescues = work_mutex().try_lock_for(longest_delay);
  if (Rescue const* const rescue = present_rescue(); rescues && rescue != nullptr) {
    try {
      message = rescue->finish();
    } catch (std::exception const& error) {
      message = std::string("interrupted; ") + error.what();
    }
  }
  // A terminal that was stopped must not keep us here.
  print_text_within(longest_delay, "delassus: " + message + "\n");
  kill_all_children();
  remove_temporary_folders();
  wait_for_written_files(longest_delay);
  ::_exit(static_cast<int>(ExitCode::run_failed));
}

void wait_for_byte(int descriptor) {
  pollfd wait{descriptor, POLLIN, 0};
  while (::poll(&wait, 1, -1) <= 0) {
  }
}

// Results are given up, but nothing is left behind.
void watch_for_last_signal() {
  wait_for_byte(last_pipe[0]);
  int const number = last_signal;
  kill_all_children();
  remove_temporary_folders();
  wait_for_written_files(patience);
  ::signal(number, SIG_DFL);
  ::kill(::getpid(), number);
  ::sleep(1);
  ::_exit(static_cast<int>(ExitCode::run_failed));
}

void watch() {
  wait_for_byte(wake_pipe[0]);
  if (!work_notices()) end_program();
}

}  // namespace

void listen_for_interruption() {
  if (wake_pipe[0] >= 0 || ::pipe2(wake_pipe, O_CLOEXEC) != 0) return;
  if (::pipe2(last_pipe, O_CLOEXEC) != 0) return;
  // Signals are for the work, whose calls they interrupt.
  sigset_t all, before_all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before_all);
  try {
    std::thread(watch).detach();
    std::thread(watch_for_last_signal).detach();
  } catch (std::system_error const&) {
    // No more processes are allowed: signals then end us as they end every program.
    ::pthread_sigmask(SIG_SETMASK, &before_all, nullptr);
    return;
  }
  ::pthread_sigmask(SIG_SETMASK, &before_all, nullptr);
  struct sigaction action {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGQUIT}) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);
  }
}

void wait_where_interruption_ends() {
  while (phase == Phase::taken || last_signal != 0) ::pause();
}

bool interrupted() {
  if (phase == Phase::undisturbed) return false;
  Phase expected = Phase::signalled;
  if (phase.compare_exchange_strong(expected, Phase::noticed) || expected == Phase::noticed) return true;
  for (;;) ::pause();
}

Rescue::Rescue(Finish finish) : finish_(std::move(finish)) {
  std::scoped_lock const lock(work_mutex());
  outer_ = std::exchange(present_rescue(), this);
}

Rescue::~Rescue() {
  std::scoped_lock const lock(work_mutex());
  present_rescue() = outer_;
}

UndisturbedWork::UndisturbedWork() : lock_(work_mutex()) {}

}  // namespace delassus
