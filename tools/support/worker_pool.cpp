#include "tools/support/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

// Work that is shorter than this, s, is handed over ahead: a worker that waits for us would lose a share of its time.
constexpr double short_work = 0.05;

// The last of what an FMU printed before it crashed is why it did.
constexpr std::size_t most_printed = 300;

constexpr std::size_t frame_head = 2 * sizeof(std::uint64_t);

// Stands between what two pieces of work print: ASCII's record separator. Results come through a pipe of their own, so
// their order tells nothing of when something was printed.
constexpr char end_of_prints = '\x1e';

// What is printed in many lines becomes one, with nothing in it that a table cannot hold.
std::string one_line(std::string_view text) {
  std::string line;
  for (char const c : text) {
    bool const blank = static_cast<unsigned char>(c) <= ' ';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// A process that an FMU has started keeps the pipes of a dead worker open, so that they have no end.
bool has_ended(pid_t process) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == process;
}

bool has_more(int descriptor) {
  pollfd wait{descriptor, POLLIN, 0};
  return ::poll(&wait, 1, 0) > 0;
}

}  // namespace

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string make_frame(std::size_t number, std::string_view text) {
  std::uint64_t const head[2]{number, text.size()};
  std::string frame(frame_head, '\0');
  std::memcpy(frame.data(), head, frame_head);
  return frame.append(text);
}

bool take_frame(std::string& received, std::size_t& number, std::string& text) {
  std::uint64_t head[2];
  if (received.size() < frame_head) return false;
  std::memcpy(head, received.data(), frame_head);
  if (received.size() - frame_head < head[1]) return false;
  number = head[0];
  text = received.substr(frame_head, head[1]);
  received.erase(0, frame_head + head[1]);
  return true;
}

WorkerPool::WorkerPool(std::size_t workers, double seconds, std::function<Work()> begin)
    : seconds_(seconds), begin_(std::move(begin)), workers_(std::max<std::size_t>(workers, 1)) {
  for (auto& worker : workers_) start(worker);
}

WorkerPool::~WorkerPool() {
  for (auto& worker : workers_) stop(worker);
}

void WorkerPool::start(Worker& worker) {
  int requests[2], results[2], prints[2];
  int* const pipes[]{requests, results, prints};
  for (std::size_t i = 0; i < 3; ++i) {
    if (::pipe(pipes[i]) == 0) continue;
    int const error = errno;
    while (i-- > 0) ::close(pipes[i][0]), ::close(pipes[i][1]);
    throw FileError(fmt::format("cannot make a pipe: {}", std::strerror(error)));
  }
  std::fflush(nullptr);  // what waits to be written is ours, and not to be written by the child as well
  pid_t const parent = ::getpid();
  pid_t const child = ::fork();
  if (child < 0) {
    int const error = errno;
    for (int* const pipe : pipes) ::close(pipe[0]), ::close(pipe[1]);
    throw FileError(fmt::format("cannot start a process: {}", std::strerror(error)));
  }
  if (child == 0) {
    ::close(requests[1]);
    ::close(results[0]);
    ::close(prints[0]);
    serve(worker, requests[0], results[1], prints[1], parent);
  }
  ::close(requests[0]);
  ::close(results[1]);
  ::close(prints[1]);
  worker.process = child;
  worker.requests = requests[1];
  worker.results = results[0];
  worker.prints = prints[0];
  worker.received.clear();
  worker.printed.clear();
}

void WorkerPool::serve(Worker const& self, int requests, int results, int prints, int parent) {
  // As in child_process.cpp: a group of its own, so that Ctrl-C is for us alone and all of it can be killed; no core
  // files; and crashes that are crashes.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  rlimit const no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (int const each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM}) ::signal(each, SIG_DFL);
  for (auto const& other : workers_) {
    if (&other == &self || other.process < 0) continue;
    for (int const descriptor : {other.requests, other.results, other.prints}) ::close(descriptor);
  }
  ::dup2(prints, STDOUT_FILENO);
  ::dup2(prints, STDERR_FILENO);
  try {
    Work const work = begin_();
    std::uint64_t number = 0;
    while (true) {
      ssize_t const count = ::read(requests, &number, sizeof number);
      if (count < 0 && errno == EINTR) continue;
      if (count != sizeof number) ::_exit(0);
      std::string const text = work(number);
      std::fflush(nullptr);
      write_all(prints, {&end_of_prints, 1});
      if (!write_all(results, make_frame(number, text))) ::_exit(0);
    }
  } catch (std::exception const& error) {
    fmt::print(stderr, "{}\n", error.what());
    std::fflush(nullptr);
  }
  ::_exit(1);
}

void WorkerPool::stop(Worker& worker) {
  if (worker.process < 0) return;
  ::kill(-worker.process, SIGKILL);
  ::kill(worker.process, SIGKILL);
  for (int const descriptor : {worker.requests, worker.results, worker.prints}) ::close(descriptor);
  while (::waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
  }
  worker.process = -1;
}

std::size_t WorkerPool::depth(Worker const& worker) const {
  return worker.last_seconds > 0 && worker.last_seconds < short_work ? 2 : 1;
}

std::size_t WorkerPool::room() const {
  std::size_t room = 0;
  for (auto const& worker : workers_) room += depth(worker) - std::min(depth(worker), worker.queue.size());
  return room;
}

void WorkerPool::hand_over(std::size_t number) {
  // The one that has most room: an idle one before one that would hold it.
  auto const least = std::ranges::max_element(workers_, {}, [&](Worker const& worker) {
    return static_cast<long>(depth(worker)) - 2 * static_cast<long>(worker.queue.size());
  });
  if (least->process < 0) start(*least);
  send(*least, number);
}

void WorkerPool::send(Worker& worker, std::size_t number) {
  std::uint64_t const request = number;
  if (worker.queue.empty()) worker.since = Clock::now();
  worker.queue.push_back(number);
  // A worker that has died meanwhile is found when its results end.
  write_all(worker.requests, {reinterpret_cast<char const*>(&request), sizeof request});
}

std::vector<FinishedWork> WorkerPool::wait(int milliseconds, int also) {
  std::vector<pollfd> polls;
  auto const now = Clock::now();
  double left = milliseconds * 1e-3;
  for (auto const& worker : workers_) {
    polls.push_back({worker.process < 0 ? -1 : worker.results, POLLIN, 0});
    polls.push_back({worker.process < 0 ? -1 : worker.prints, POLLIN, 0});
    if (!worker.queue.empty() && std::isfinite(seconds_))
      left = std::min(left, seconds_ - std::chrono::duration<double>(now - worker.since).count());
  }
  polls.push_back({also, POLLIN, 0});
  std::vector<FinishedWork> finished;
  int const ready =
      ::poll(polls.data(), polls.size(), static_cast<int>(std::ceil(1e3 * std::max(left, 0.0))));
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& worker = workers_[i];
    if (worker.process < 0) continue;
    if (ready > 0 && polls[2 * i + 1].revents != 0) read_prints(worker);
    if (ready > 0 && polls[2 * i].revents != 0 && !read_results(worker, finished)) {
      take_loss(worker, false, finished);
    } else if (!worker.queue.empty() &&
               std::chrono::duration<double>(Clock::now() - worker.since).count() > seconds_) {
      take_loss(worker, true, finished);
    } else if (!worker.queue.empty() && has_ended(worker.process) && !has_more(worker.results)) {
      take_loss(worker, false, finished);
    }
  }
  return finished;
}

// False at the end.
bool WorkerPool::read_results(Worker& worker, std::vector<FinishedWork>& finished) {
  char buffer[65536];
  ssize_t const count = ::read(worker.results, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR;
  if (count == 0) return false;
  worker.received.append(buffer, static_cast<std::size_t>(count));
  FinishedWork work;
  while (take_frame(worker.received, work.number, work.text)) {
    auto const now = Clock::now();
    worker.last_seconds = std::max(1e-9, std::chrono::duration<double>(now - worker.since).count());
    worker.since = now;
    if (!worker.queue.empty()) worker.queue.pop_front();
    finished.push_back(work);
  }
  return true;
}

void WorkerPool::read_prints(Worker& worker) {
  char buffer[4096];
  ssize_t const count = ::read(worker.prints, buffer, sizeof buffer);
  if (count <= 0) return;
  worker.printed.append(buffer, static_cast<std::size_t>(count));
  if (auto const end = worker.printed.rfind(end_of_prints); end != std::string::npos)
    worker.printed.erase(0, end + 1);
  if (worker.printed.size() > most_printed) worker.printed.erase(0, worker.printed.size() - most_printed);
}

void WorkerPool::take_loss(Worker& worker, bool timed_out, std::vector<FinishedWork>& finished) {
  if (timed_out) ::kill(worker.process, SIGKILL);
  // Until it is waited for, its number, which is that of its group, cannot be somebody else's.
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(worker.process), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  ::kill(-worker.process, SIGKILL);  // and what the FMU itself has started
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  for (pollfd wait{worker.prints, POLLIN, 0}; ::poll(&wait, 1, 0) > 0 && (wait.revents & POLLIN) != 0;)
    read_prints(worker);
  for (int const descriptor : {worker.requests, worker.results, worker.prints}) ::close(descriptor);
  worker.process = -1;
  std::deque<std::size_t> const queue = std::move(worker.queue);
  worker.queue.clear();
  if (!queue.empty()) {
    FinishedWork lost{queue.front(), ChildEnd::exited, {}};
    if (timed_out) {
      lost.end = ChildEnd::timed_out;
      lost.text = fmt::format("not finished after {:g} s", seconds_);
    } else if (WIFSIGNALED(status)) {
      lost.end = ChildEnd::crashed;
      lost.text = fmt::format("crashed: {}", ::strsignal(WTERMSIG(status)));
    } else {
      lost.text = fmt::format("ended the process with exit code {}", WEXITSTATUS(status));
    }
    if (std::string const said = one_line(worker.printed); !said.empty())
      lost.text += "; it printed: " + said;
    finished.push_back(std::move(lost));
  }
  if (queue.size() < 2) return;  // the next piece starts one
  start(worker);
  for (std::size_t i = 1; i < queue.size(); ++i) send(worker, queue[i]);
}

}  // namespace delassus
