// What a second core gains a sweep, and what the worker processes cost over runs in one process. Prints, asserts nothing.
//
//   benchmark_sweep [runs, 1000] [scene, sliding_block] [rounds, 3]
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "tools/sweep_task.hpp"
#include "tools/temporary_folder.hpp"

namespace delassus {
namespace {

using Clock = std::chrono::steady_clock;

struct Cost {
  double elapsed = 0, processor = 0;  // s
};

Cost measure(std::string const& command) {
  auto const processor = [] {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    auto const seconds = [](timeval const& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  };
  double const before = processor();
  auto const begin = Clock::now();
  if (std::system(command.c_str()) != 0) fmt::print("failed: {}\n", command);
  return {std::chrono::duration<double>(Clock::now() - begin).count(), processor() - before};
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
  auto const command = [&](int jobs) {
    return fmt::format("'{}' sweep {} --vary {} --quiet --jobs {} -o '{}'", DELASSUS_PROGRAM, scene, vary,
                       jobs, (folder.path() / "out.csv").string());
  };
  Cost one{1e9, 1e9}, two{1e9, 1e9};
  double here = 1e9;
  SweepRequest request;
  request.subject.model = fmt::format("{}/{}.xml", DELASSUS_SCENES_DIR, scene);
  request.vary = {vary};
  // In turns, so that a machine that changes its speed changes all of them.
  for (int round = 0; round < rounds; ++round) {
    one = better(one, measure(command(1)));
    two = better(two, measure(command(2)));
    SweepTask task(request);
    auto const begin = Clock::now();
    for (std::size_t run = 0; run < runs; ++run) task.row_of(run);
    here = std::min(here, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  auto const rate = [&](double seconds) { return static_cast<double>(runs) / seconds; };
  fmt::print("{}: {} runs\n", scene, runs);
  fmt::print("  in one process, no workers   {:8.1f} runs/s  {:.3f} s\n", rate(here), here);
  fmt::print("  --jobs 1                     {:8.1f} runs/s  {:.3f} s, {:.3f} s of processor time\n",
             rate(one.elapsed), one.elapsed, one.processor);
  fmt::print("  --jobs 2                     {:8.1f} runs/s  {:.3f} s, {:.3f} s of processor time\n",
             rate(two.elapsed), two.elapsed, two.processor);
  fmt::print(
      "  two jobs against one: {:.2f} times the rate; worker processes cost {:+.1f} % of processor time\n",
      one.elapsed / two.elapsed, 100 * (one.processor / here - 1));
}
