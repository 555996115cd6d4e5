#include "tools/sweep/work_station.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

// How long a station may take to remove its temporary files, in steps of 10 ms.
constexpr int patience = 300;

// Numbers that have come; false at the end.
bool read_numbers(int descriptor, std::vector<std::size_t>& numbers) {
  std::uint64_t buffer[64];
  pollfd waits{descriptor, POLLIN, 0};
  while (::poll(&waits, 1, 0) > 0) {
    // Numbers are written whole, and so little at a time that a pipe keeps them whole.
    ssize_t const count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    numbers.insert(numbers.end(), buffer, buffer + static_cast<std::size_t>(count) / sizeof buffer[0]);
  }
  return true;
}

void work(WorkStation::Crew const& crew, std::size_t workers, double seconds, int requests, int results) {
  WorkerPool pool(workers, seconds, crew.begin);
  std::vector<std::size_t> waiting;
  std::size_t next = 0;
  while (read_numbers(requests, waiting)) {
    while (next < waiting.size() && pool.room() > 0) pool.hand_over(waiting[next++]);
    for (auto const& finished : pool.wait(200, requests)) {
      if (!write_all(results, finished_frame(finished))) return;
    }
  }
}

void serve(std::function<WorkStation::Crew()> const& prepare, std::size_t workers, double seconds,
           int requests, int results) {
  try {
    WorkStation::Crew const crew = prepare();
    if (write_all(results, make_frame(greeting, "+" + crew.identity)))
      work(crew, workers, seconds, requests, results);
  } catch (std::exception const& error) {
    write_all(results, make_frame(greeting, std::string("-") + error.what()));
  }
}

}  // namespace

std::string finished_frame(FinishedWork const& work) {
  return make_frame(work.number, static_cast<char>('0' + static_cast<int>(work.end)) + work.text);
}

FinishedWork read_finished(std::size_t number, std::string const& text) {
  return {number, static_cast<ChildEnd>(text.at(0) - '0'), text.substr(1)};
}

WorkStation::WorkStation(std::size_t workers, double seconds, std::function<Crew()> const& prepare) {
  int requests[2], results[2];
  if (::pipe2(requests, O_CLOEXEC) != 0 || ::pipe2(results, O_CLOEXEC) != 0)
    throw FileError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  pid_t const parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) throw FileError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (process_ == 0) {
    // Ctrl-C and mpirun's signals are for the parent, which ends us.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::close(requests[1]);
    ::close(results[0]);
    serve(prepare, workers, seconds, requests[0], results[1]);
    std::fflush(nullptr);
    ::_exit(0);
  }
  ::close(requests[0]);
  ::close(results[1]);
  requests_ = requests[1];
  results_ = results[0];
}

WorkStation::~WorkStation() {
  ::close(requests_);  // which it takes for the end
  ::close(results_);
  int waited = 0;
  while (::waitpid(process_, nullptr, WNOHANG) == 0) {
    if (++waited == patience) ::kill(process_, SIGKILL);
    ::usleep(10'000);
  }
}

void WorkStation::hand_over(std::size_t number) {
  std::uint64_t const request = number;
  write_all(requests_, {reinterpret_cast<char const*>(&request), sizeof request});
}

std::vector<WorkStation::Frame> WorkStation::wait(int milliseconds) {
  std::vector<Frame> frames;
  pollfd waits{results_, POLLIN, 0};
  if (::poll(&waits, 1, milliseconds) <= 0) return frames;
  char buffer[65536];
  ssize_t const count = ::read(results_, buffer, sizeof buffer);
  if (count < 0 && errno == EINTR) return frames;
  if (count <= 0)
    throw CommandError(ExitCode::run_failed, "the process that keeps the workers has ended before its work");
  received_.append(buffer, static_cast<std::size_t>(count));
  for (Frame frame; take_frame(received_, frame.number, frame.text);) frames.push_back(frame);
  return frames;
}

}  // namespace delassus
