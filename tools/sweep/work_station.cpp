#include "tools/sweep/work_station.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

// How long a station may take to remove its temporary files, s.
constexpr double time_to_end = 3;

// Numbers that have come; false at the end.
bool read_numbers(int descriptor, std::vector<std::size_t>& numbers) {
  std::uint64_t buffer[64];
  pollfd waits{descriptor, POLLIN, 0};
  while (::poll(&waits, 1, 0) > 0) {
    // Numbers are written whole, and so little at a time that a channel keeps them whole.
    ssize_t const count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    numbers.insert(numbers.end(), buffer, buffer + static_cast<std::size_t>(count) / sizeof buffer[0]);
  }
  return true;
}

void work(WorkStation::Crew const& crew, std::size_t workers, double seconds, int channel) {
  WorkerPool pool(workers, seconds, crew.begin);
  std::vector<std::size_t> waiting;
  std::size_t next = 0;
  while (read_numbers(channel, waiting)) {
    while (next < waiting.size() && pool.room() > 0) pool.hand_over(waiting[next++]);
    for (auto const& finished : pool.wait(200, channel)) {
      if (!send_all(channel, finished_frame(finished))) return;
    }
  }
}

void serve(std::function<WorkStation::Crew()> const& prepare, std::size_t workers, double seconds,
           int channel) {
  try {
    WorkStation::Crew const crew = prepare();
    if (send_all(channel, make_frame(greeting, "+" + crew.identity))) work(crew, workers, seconds, channel);
  } catch (std::exception const& error) {
    send_all(channel, make_frame(greeting, std::string("-") + error.what()));
  }
}

}  // namespace

std::string finished_frame(FinishedWork const& work) {
  return make_frame(work.number, static_cast<char>('0' + static_cast<int>(work.end)) + work.text);
}

FinishedWork read_finished(std::size_t number, std::string const& text) {
  return {number, static_cast<ChildEnd>(text.at(0) - '0'), text.substr(1)};
}

WorkStation::WorkStation(std::size_t workers, double seconds, std::function<Crew()> const& prepare)
    : child_([&](int channel) { serve(prepare, workers, seconds, channel); },
             ChildProcess::Prints::with_ours) {}

WorkStation::~WorkStation() {
  child_.close_channel();  // which it takes for the end
  child_.ends_within(time_to_end);
}

void WorkStation::hand_over(std::size_t number) {
  std::uint64_t const request = number;
  send_all(child_.channel(), {reinterpret_cast<char const*>(&request), sizeof request});
}

std::vector<WorkStation::Frame> WorkStation::wait(int milliseconds) {
  std::vector<Frame> frames;
  pollfd waits{child_.channel(), POLLIN, 0};
  if (::poll(&waits, 1, milliseconds) <= 0) return frames;
  char buffer[65536];
  ssize_t const count = ::read(child_.channel(), buffer, sizeof buffer);
  if (count < 0 && errno == EINTR) return frames;
  if (count <= 0)
    throw CommandError(ExitCode::run_failed, "the process that keeps the workers has ended before its work");
  received_.append(buffer, static_cast<std::size_t>(count));
  for (Frame frame; take_frame(received_, frame.number, frame.text);) frames.push_back(frame);
  return frames;
}

}  // namespace delassus
