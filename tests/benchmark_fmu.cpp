// What the C interface costs over calling the stepper in process, how long an instance takes to its first step, and
// whether memory grows. Prints, asserts nothing.
//
//   benchmark_fmu [steps, 1e6] [instances, 1e4]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/fmi_faces.hpp"

namespace delassus::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// kB, of this process.
long resident() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("VmRSS:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

template <class Face>
std::unique_ptr<Face> start(Resources const& resources, std::vector<Logged>& log) {
  auto face = std::make_unique<Face>(log);
  std::string const token = resources.model->token(Face::version),
                    location = Face::location(resources.path());
  face->instantiate(token.c_str(), location.c_str(), false);
  int const implicit = 3;
  face->set_enumeration(reference_of(resources.model->table(), "solver.stepper"), implicit);
  face->enter();
  face->exit();
  return face;
}

constexpr double step = 1e-3;

// s for one step, the best of several rounds.
template <class Step>
double best_time(long steps, Step const& make_step) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    auto const begin = Clock::now();
    for (long k = 0; k < steps / 7; ++k) make_step();
    best = std::min(best, seconds_since(begin) / static_cast<double>(steps / 7));
  }
  return best;
}

template <class Face>
void measure(long steps, long instances) {
  Resources const resources("block_on_slope");
  std::vector<Logged> log;

  std::vector<double> inputs = resources.model->scene().default_inputs(),
                      parameters = resources.model->scene().default_parameters();
  StepperSettings settings;
  settings.kind = StepperKind::implicit;
  auto const stepper = make_stepper(resources.model->system(), settings);
  std::vector<double> q(static_cast<std::size_t>(resources.model->system().configuration_size())),
      v(static_cast<std::size_t>(resources.model->system().velocity_size()));
  resources.model->system().initial_state(parameters, inputs, q, v);
  stepper->start(0, q, v);
  long k = 0;
  auto const face = start<Face>(resources, log);
  // In turns, so that a machine that changes its speed changes both.
  double in_process = 1e9, through_face = 1e9;
  long n = 0;
  for (int round = 0; round < 5; ++round) {
    in_process = std::min(in_process, best_time(steps / 5, [&] {
                            ++k;
                            stepper->advance(static_cast<double>(k) * step, inputs, parameters);
                          }));
    through_face = std::min(through_face, best_time(steps / 5, [&] {
                              face->step(static_cast<double>(n) * step, step);
                              ++n;
                            }));
  }
  fmt::print(
      "FMI {}: a step of one box on a slope {:.3f} us in process, {:.3f} us through doStep: {:+.1f} %\n",
      Face::version, 1e6 * in_process, 1e6 * through_face, 100 * (through_face / in_process - 1));

  long const before_steps = resident();
  for (long i = 0; i < steps; ++i) {
    face->step(static_cast<double>(n) * step, step);
    ++n;
  }
  fmt::print("FMI {}: {} steps: memory {} -> {} kB\n", Face::version, steps, before_steps, resident());

  double first = 1e9;
  for (int i = 0; i < 20; ++i) {
    auto const begin = Clock::now();
    auto const fresh = start<Face>(resources, log);
    fresh->step(0, step);
    first = std::min(first, seconds_since(begin));
  }
  fmt::print("FMI {}: from instantiate to the end of the first step {:.3f} ms\n", Face::version, 1e3 * first);

  start<Face>(resources, log);
  long const before_instances = resident();
  for (long i = 0; i < instances; ++i) start<Face>(resources, log);
  fmt::print("FMI {}: {} instances made and freed: memory {} -> {} kB\n", Face::version, instances,
             before_instances, resident());
}

}  // namespace
}  // namespace delassus::test

int main(int argc, char** argv) {
  using namespace delassus::test;
  long const steps = argc > 1 ? static_cast<long>(std::atof(argv[1])) : 1'000'000;
  long const instances = argc > 2 ? static_cast<long>(std::atof(argv[2])) : 10'000;
  measure<Fmi2Face>(steps, instances);
  measure<Fmi3Face>(steps, instances);
}
