// How the time of a step grows with the number of spheres on a plane, and how the memory does: a table with
// the exponents between rows.
#include <malloc.h>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "tests/support/many_spheres.hpp"

namespace delassus {
namespace {

// The best of several rounds, s per step: what the machine does besides only ever adds.
double seconds_per_step(ManySpheres const& spheres, Stepper& stepper, int steps) {
  double best = 1e9;
  for (int round = 0; round < 15; ++round) {
    auto const begin = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; ++k) spheres.step(stepper);
    std::chrono::duration<double> const time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count() / steps);
  }
  return best;
}

void measure(StepperKind kind) {
  std::printf("%s\n  spheres   us/step  exponent    kB  exponent\n",
              std::string(stepper_enumeration().name_of(static_cast<int>(kind))).c_str());
  double last_time = 0, last_memory = 0, last_count = 0;
  for (int const side : {3, 10, 32}) {
    auto const before = mallinfo2();
    ManySpheres const spheres(side);
    auto const stepper = spheres.started(kind);
    for (int k = 0; k < 3; ++k) spheres.step(*stepper);
    auto const after = mallinfo2();
    double const memory =
        static_cast<double>((after.uordblks + after.hblkhd) - (before.uordblks + before.hblkhd));
    double const count = side * side;
    double const time = seconds_per_step(spheres, *stepper, std::max(60, 3000 / (side * side)));
    std::printf("  %7.0f %9.1f", count, 1e6 * time);
    if (last_count > 0) {
      std::printf("  %8.2f %5.0f  %8.2f\n", std::log(time / last_time) / std::log(count / last_count),
                  memory / 1e3, std::log(memory / last_memory) / std::log(count / last_count));
    } else {
      std::printf("  %8s %5.0f  %8s\n", "", memory / 1e3, "");
    }
    last_time = time;
    last_memory = memory;
    last_count = count;
  }
}

}  // namespace
}  // namespace delassus

int main() {
  for (auto const kind : {delassus::StepperKind::implicit, delassus::StepperKind::relaxed})
    delassus::measure(kind);
}
