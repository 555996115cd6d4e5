#include "tools/support/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

// Work that is shorter than this, s, is handed over ahead: a worker that waits for us would lose a share of its time.
constexpr double short_work = 0.05;

// The last of what an FMU printed before it crashed is why it did.
constexpr std::size_t most_words_kept = 300;

// How long a worker that ends by itself may take for that, s.
constexpr double time_to_end = 10;

constexpr std::size_t frame_head = 2 * sizeof(std::uint64_t);
// Bytes. A row of a table has some thousands.
constexpr std::size_t longest_frame = std::size_t{1} << 28;

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

// Whether what was received can be a frame of this number, or its beginning.
bool may_begin_frame(std::string_view received, std::size_t number) {
  std::uint64_t head[2];
  if (received.size() < frame_head) return true;
  std::memcpy(head, received.data(), frame_head);
  return head[0] == number && head[1] <= longest_frame;
}

bool has_more(int descriptor) {
  pollfd wait{descriptor, POLLIN, 0};
  return ::poll(&wait, 1, 0) > 0;
}

}  // namespace

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

void WorkerPool::start(Worker& worker) {
  worker.child = ChildProcess([this](int channel) { serve(channel); }, ChildProcess::Prints::caught);
  worker.received.clear();
  worker.printed.clear();
}

void WorkerPool::serve(int channel) const {
  Work const work = begin_();
  pid_t const own = ::getpid();
  std::uint64_t number = 0;
  while (true) {
    ssize_t const count = ::read(channel, &number, sizeof number);
    if (count < 0 && errno == EINTR) continue;
    if (count != sizeof number) return;
    std::string const text = work(number);
    // An FMU that forks and returns comes back twice. Its copy is no worker of anybody.
    if (::getpid() != own) ::_exit(0);
    std::fflush(nullptr);
    write_all(STDOUT_FILENO, {&end_of_prints, 1});
    if (!send_all(channel, make_frame(number, text))) return;
  }
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
  if (!least->child.exists()) start(*least);
  send(*least, number);
}

void WorkerPool::send(Worker& worker, std::size_t number) {
  std::uint64_t const request = number;
  if (worker.queue.empty()) worker.since = Clock::now();
  worker.queue.push_back(number);
  // A worker that has died meanwhile is found when its results end.
  send_all(worker.child.channel(), {reinterpret_cast<char const*>(&request), sizeof request});
}

std::vector<FinishedWork> WorkerPool::wait(int milliseconds, int also) {
  std::vector<pollfd> polls;
  auto const now = Clock::now();
  double left = milliseconds * 1e-3;
  for (auto const& worker : workers_) {
    polls.push_back({worker.child.channel(), POLLIN, 0});
    polls.push_back({worker.child.prints(), POLLIN, 0});
    if (!worker.queue.empty() && std::isfinite(seconds_))
      left = std::min(left, seconds_ - std::chrono::duration<double>(now - worker.since).count());
  }
  polls.push_back({also, POLLIN, 0});
  std::vector<FinishedWork> finished;
  int const ready =
      ::poll(polls.data(), polls.size(), static_cast<int>(std::ceil(1e3 * std::max(left, 0.0))));
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& worker = workers_[i];
    if (!worker.child.exists()) continue;
    if (ready > 0 && polls[2 * i + 1].revents != 0) read_prints(worker);
    bool const closed = ready > 0 && polls[2 * i].revents != 0 && !read_results(worker, finished);
    if (worker.spoilt) {
      take_loss(worker, false, finished);
      continue;
    }
    bool const works = !worker.queue.empty();
    bool const late =
        !closed && works && std::chrono::duration<double>(Clock::now() - worker.since).count() > seconds_;
    // A process that an FMU has started may keep the channel of a dead worker open, so that it has no end.
    bool const dead =
        closed || (works && !late && worker.child.has_ended() && !has_more(worker.child.channel()));
    if (late || dead) take_loss(worker, late, finished);
  }
  return finished;
}

// False at the end.
bool WorkerPool::read_results(Worker& worker, std::vector<FinishedWork>& finished) {
  char buffer[65536];
  ssize_t const count = ::read(worker.child.channel(), buffer, sizeof buffer);
  if (count < 0) return errno == EINTR;
  if (count == 0) return false;
  worker.received.append(buffer, static_cast<std::size_t>(count));
  FinishedWork work;
  for (;;) {
    // What an FMU writes to descriptors that are not its own may come here, and is no result.
    if (worker.queue.empty() ? !worker.received.empty()
                             : !may_begin_frame(worker.received, worker.queue.front())) {
      worker.spoilt = true;
      return true;
    }
    if (!take_frame(worker.received, work.number, work.text)) break;
    auto const now = Clock::now();
    worker.last_seconds = std::max(1e-9, std::chrono::duration<double>(now - worker.since).count());
    worker.since = now;
    worker.queue.pop_front();
    finished.push_back(work);
  }
  return true;
}

void WorkerPool::read_prints(Worker& worker) {
  char buffer[4096];
  ssize_t const count = ::read(worker.child.prints(), buffer, sizeof buffer);
  if (count <= 0) return;
  worker.printed.append(buffer, static_cast<std::size_t>(count));
  if (auto const end = worker.printed.rfind(end_of_prints); end != std::string::npos)
    worker.printed.erase(0, end + 1);
  if (worker.printed.size() > most_words_kept)
    worker.printed.erase(0, worker.printed.size() - most_words_kept);
}

void WorkerPool::take_loss(Worker& worker, bool timed_out, std::vector<FinishedWork>& finished) {
  // One that has closed its channel is ending, and then tells how.
  bool const spoilt = std::exchange(worker.spoilt, false);
  if (!timed_out && !spoilt) worker.child.ends_within(time_to_end);
  for (pollfd wait{worker.child.prints(), POLLIN, 0};
       ::poll(&wait, 1, 0) > 0 && (wait.revents & POLLIN) != 0;)
    read_prints(worker);
  ChildStatus status = worker.child.end();
  if (timed_out) status.end = ChildEnd::timed_out;
  std::deque<std::size_t> const queue = std::move(worker.queue);
  worker.queue.clear();
  if (!queue.empty()) {
    FinishedWork lost{queue.front(), spoilt ? ChildEnd::crashed : status.end,
                      spoilt
                          ? "wrote to the channel of its results, which is not its own: its process was ended"
                          : in_words(status, seconds_)};
    if (std::string const said = one_line(worker.printed); !said.empty())
      lost.text += "; it printed: " + said;
    finished.push_back(std::move(lost));
  }
  if (queue.size() < 2) return;  // the next piece starts one
  start(worker);
  for (std::size_t i = 1; i < queue.size(); ++i) send(worker, queue[i]);
}

}  // namespace delassus
