// How the time of a contact solve grows with the size of a pile, and how the memory does: a heap of spheres on open ground,
// then spheres and boxes that have fallen into a bin, of about 100, 1,000 and 10,000 contacts. The bin's sides grow with the
// cube root of their number, so that the piles have the same shape. Bins are the harder: rows of spheres get caught between
// two walls, with forces that grow until a row gives way sideways.
//
// A pile is let fall with a few sweeps a step, which is quick whatever the solver does: for 0.3 s where it has eight
// layers, when all of it presses and moves, or with the third argument `settled` for 2 s at longer steps, when it hardly
// moves any more and forces are far from unique. Gravity moves a pile twice as high in sqrt(2) times the time, so that
// is how the time grows with the layers. Then come steps of 1 ms as the stepper `implicit` makes them, from the forces of the
// last step and with the settings that everybody gets: the first few are let pass, the others are measured. At last
// the problem at hand is solved once more from zero forces.
//
// The first argument is the largest number of contacts that is wanted, 10000 without it; the second, `heap`, `spheres` or
// `boxes`, leaves the others out, and `all` does not.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/pile_run.hpp"
#include "tests/support/pile_scene.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

constexpr double step = 1e-3;  // s
constexpr int settling_sweeps = 20, first_steps = 3, measured_steps = 10;
constexpr double most_seconds = 20;  // of measured solves: where they are slow, fewer will do

double bytes_in_use() {
  auto const info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

// How long a pile of eight layers is let fall, and at which steps.
struct Fall {
  double seconds = 0.3, step = 1e-3;
};

// Of a piece as heavy as all of these, with their kinetic energy; the walls have no mass.
double mean_speed(PileRun const& pile) {
  double mass = 0;
  for (MassBlock const& block : pile.terms().M) mass += block.M(0, 0);
  return std::sqrt(2 * kinetic_energy(pile.terms(), pile.v()) / mass);
}

// Seconds; the problem is that of the last step.
double solve_from_zero(PileRun& pile) {
  pile.previous.setZero();
  return pile.solve({});
}

struct Row {
  double contacts = 0, seconds = 0, median = 0, bytes = 0;
};

void print_exponent(double value, double last, Row const& row, Row const& before) {
  if (before.contacts > 0)
    std::printf(" %8.2f", std::log(value / last) / std::log(row.contacts / before.contacts));
  else
    std::printf(" %8s", "");
}

Row measure(PileShape const& shape, Fall const& fall, Row const& before) {
  double const bytes = bytes_in_use();
  PileRun pile(compile_scene(read_scene_source(pile_scene_text(shape), "pile.xml")));
  SolveSettings settling;
  settling.method = SolveMethod::gauss_seidel;
  settling.iteration_limit = settling_sweeps;
  settling.least_norm = false;
  auto const begin = std::chrono::steady_clock::now();
  double const fall_time = fall.seconds * std::sqrt(shape.layers / 8.0);
  for (double t = 0; t < fall_time; t += fall.step) pile.advance(fall.step, settling);
  double const settled = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  std::printf("  %8zu contacts after a fall of %.2f s, which took %.1f s, mean speed %.1e m/s\n",
              pile.problem.blocks.size(), fall_time, settled, mean_speed(pile));
  std::fflush(stdout);

  Row row;
  double sum = 0, residual = 0;
  std::vector<double> times;
  long contacts = 0, iterations = 0;
  int most_iterations = 0, unsolved = 0, measured = 0;
  for (int k = 0; k < first_steps; ++k) pile.advance(step, {});
  while (measured < measured_steps && (measured == 0 || sum < most_seconds)) {
    double const seconds = pile.advance(step, {});
    Solution const& solution = pile.solution;
    ++measured;
    sum += seconds;
    times.push_back(seconds);
    contacts += static_cast<long>(pile.problem.blocks.size());
    iterations += solution.iterations;
    most_iterations = std::max(most_iterations, solution.iterations);
    residual = std::max(residual, solution.residual);
    unsolved += solution.status != SolveStatus::converged;
  }
  row.contacts = static_cast<double>(contacts) / measured;
  row.seconds = sum / measured;
  std::sort(times.begin(), times.end());
  row.median = times[times.size() / 2];
  row.bytes = bytes_in_use() - bytes;
  std::printf("  %8.0f %9.2f", row.contacts, 1e3 * row.seconds);
  print_exponent(row.seconds, before.seconds, row, before);
  std::printf(" %9.2f", 1e3 * row.median);
  print_exponent(row.median, before.median, row, before);
  std::printf(" %9.2f %7.1f %5d  %8.1e %5d/%-2d %8.0f", 1e3 * times.back(),
              static_cast<double>(iterations) / measured, most_iterations, residual, unsolved, measured,
              row.bytes / 1e3);
  print_exponent(row.bytes, before.bytes, row, before);
  std::printf("\n");
  std::fflush(stdout);
  double const seconds = solve_from_zero(pile);
  std::printf("  %8zu %9.2f from zero forces: %d iterations, residual %.1e, %s\n", pile.problem.blocks.size(),
              1e3 * seconds, pile.solution.iterations, pile.solution.residual,
              std::string(text(pile.solution.status)).c_str());
  std::fflush(stdout);
  return row;
}

void measure_piles(PileKind kind, char const* name, Fall const& fall, double most_contacts) {
  std::printf(
      "%s\n  contacts   mean ms exponent    median exponent   slowest    iterations  residual unsolved       "
      "kB exponent\n",
      name);
  // About how many contacts each has, once it has settled.
  struct Size {
    double contacts;
    PileShape shape;
  };
  std::vector<Size> const sizes =
      kind == PileKind::boxes
          ? std::vector<Size>{{100, {kind, 2, 4}}, {1000, {kind, 5, 7}}, {10000, {kind, 11, 14}}}
          : std::vector<Size>{{100, {kind, 3, 4}}, {1000, {kind, 7, 8}}, {10000, {kind, 14, 16}}};
  Row before;
  for (Size const& size : sizes)
    if (size.contacts <= most_contacts) before = measure(size.shape, fall, before);
}

}  // namespace
}  // namespace delassus

int main(int count, char** arguments) {
  double const most = count > 1 ? std::atof(arguments[1]) : 10000;
  std::string const only = count > 2 ? arguments[2] : "";
  delassus::Fall fall;
  if (count > 3 && std::string(arguments[3]) == "settled") fall = {2, 5e-3};
  using delassus::PileKind;
  for (auto const& [kind, name] : {std::pair(PileKind::heap, "heap"), std::pair(PileKind::spheres, "spheres"),
                                   std::pair(PileKind::boxes, "boxes")})
    if (only.empty() || only == "all" || only == name) delassus::measure_piles(kind, name, fall, most);
}
