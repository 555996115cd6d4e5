// How many communication steps a second the master makes of a loop of two FMUs that do next to nothing.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "tests/support/coupled_fmu.hpp"

namespace {

using namespace delassus;
using test::SystemBuilder;

void measure(int version, CosimAlgorithm algorithm, int degree, bool saves, bool isolated, double steps) {
  SystemBuilder builder;
  builder.add("one", {.version = version, .saves = saves});
  builder.add("two", {.version = version, .saves = saves});
  builder.connect("one.y", "two.u");
  builder.connect("two.y", "one.u", -1);
  CosimPlan plan = builder.plan(1, 1 / steps);
  plan.output_step = 1000 / steps;
  plan.algorithm = algorithm;
  plan.extrapolation = degree;
  if (isolated) plan.isolated = {true, true};
  auto const began = std::chrono::steady_clock::now();
  CosimResult const result = run_cosimulation(builder.system, plan, [](double) { return true; });
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("FMI %d  %-12s degree %d  %-14s %-10s %9.3g steps/s%s\n", version,
              std::string(algorithm_name(algorithm)).c_str(), degree, saves ? "states saved" : "no states",
              isolated ? "isolated" : "", static_cast<double>(result.counts.steps) / seconds,
              result.failure ? result.failure->c_str() : "");
}

}  // namespace

// `benchmark_cosim isolated` leaves out the runs in one process.
int main(int count, char** arguments) {
  bool const all = count < 2 || std::strcmp(arguments[1], "isolated") != 0;
  for (int const version : {2, 3}) {
    for (auto const algorithm : {CosimAlgorithm::jacobi, CosimAlgorithm::gauss_seidel}) {
      if (!all) continue;
      measure(version, algorithm, 0, false, false, 2e6);
      measure(version, algorithm, 1, false, false, 2e6);
      measure(version, algorithm, 0, true, false, 1e6);
    }
    measure(version, CosimAlgorithm::gauss_seidel, 0, false, true, 2e4);
    measure(version, CosimAlgorithm::gauss_seidel, 0, true, true, 2e4);
  }
}
