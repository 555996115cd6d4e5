// What a second core gains a sweep, and what the worker processes cost over runs in one process. Prints, asserts nothing.
//
//   benchmark_sweep [runs, 1000] [scene, sliding_block] [rounds, 3]
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "tools/support/temporary_folder.hpp"
#include "tools/sweep/task.hpp"

namespace delassus {
namespace {

using Clock = std::chrono::steady_clock;

struct Cost {
  double elapsed = 0, processor = 0;  // s
};

// Processor time, s, of this process or of those that it waited for.
double processor_time(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  auto const seconds = [](timeval const& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Work>
Cost measure(int who, Work const& work) {
  double const before = processor_time(who);
  auto const begin = Clock::now();
  work();
  return {std::chrono::duration<double>(Clock::now() - begin).count(), processor_time(who) - before};
}

Cost better(Cost const& a, Cost const& b) {
  return {std::min(a.elapsed, b.elapsed), std::min(a.processor, b.processor)};
}

}  // namespace
}  // namespace delassus

int main(int argc, char** argv) {
  using namespace delassus;
  std::size_t const runs = argc > 1 ? static_cast<std::size_t>(std::atof(argv[1])) : 1000;
  std::string const scene = argc > 2 ? argv[2] : "sliding_block";
  int const rounds = argc > 3 ? std::atoi(argv[3]) : 3;
  TemporaryFolder const folder;
  std::string const vary = fmt::format("mu=0.1:1:{}", runs);
  auto const sweep = [&](int jobs) {
    std::string const command =
        fmt::format("'{}' sweep {} --vary {} --quiet --jobs {} -o '{}'", DELASSUS_PROGRAM, scene, vary, jobs,
                    (folder.path() / "out.csv").string());
    return measure(RUSAGE_CHILDREN, [&] {
      if (std::system(command.c_str()) != 0) fmt::print("failed: {}\n", command);
    });
  };
  Cost one{1e9, 1e9}, two = one, here = one;
  SweepRequest request;
  request.subject.model = fmt::format("{}/{}.xml", DELASSUS_SCENES_DIR, scene);
  request.vary = {vary};
  // In turns, so that a machine that changes its speed changes all of them.
  for (int round = 0; round < rounds; ++round) {
    one = better(one, sweep(1));
    two = better(two, sweep(2));
    SweepTask task(request);
    here = better(here, measure(RUSAGE_SELF, [&] {
                    for (std::size_t run = 0; run < runs; ++run) task.row_of(run);
                  }));
  }
  auto const rate = [&](double seconds) { return static_cast<double>(runs) / seconds; };
  fmt::print("{}: {} runs\n", scene, runs);
  auto const print = [&](char const* name, Cost const& cost) {
    fmt::print("  {:24}{:8.1f} runs/s  {:.3f} s, {:.3f} s of processor time\n", name, rate(cost.elapsed),
               cost.elapsed, cost.processor);
  };
  print("in one process", here);
  print("--jobs 1", one);
  print("--jobs 2", two);
  fmt::print(
      "  two jobs against one: {:.2f} times the rate; processor time of one worker {:+.1f} % over one "
      "process, of two "
      "{:+.1f} % over one worker\n",
      one.elapsed / two.elapsed, 100 * (one.processor / here.processor - 1),
      100 * (two.processor / one.processor - 1));
}
