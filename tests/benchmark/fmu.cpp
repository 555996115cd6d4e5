// What the C interface costs over calling the stepper in process, how long an instance takes to its first step, and
// whether memory grows. Prints, asserts nothing but that calls succeed and outputs are finite.
//
//   benchmark_fmu [steps, 1e6] [instances, 1e4] [scene or controller...]
//
// Memory is watched over the steps and instances of each scene and controller that is named; a box on a slope, a table that shakes
// another (contacts come and go as long as it runs) and a controller where none is.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fmu/content/controller_model.hpp"
#include "tests/support/fmi_faces.hpp"

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
    long const count = steps / 7;
    for (long k = 0; k < count; ++k) make_step();
    best = std::min(best, seconds_since(begin) / static_cast<double>(count));
  }
  return best;
}

template <class Face>
void measure_time(long steps) {
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

  double first = 1e9;
  for (int i = 0; i < 20; ++i) {
    auto const begin = Clock::now();
    auto const fresh = start<Face>(resources, log);
    fresh->step(0, step);
    first = std::min(first, seconds_since(begin));
  }
  fmt::print("FMI {}: from instantiate to the end of the first step {:.3f} ms\n", Face::version, 1e3 * first);
}

// An FMU of either kind, unpacked.
struct Unpacked {
  explicit Unpacked(std::string const& name) {
    auto const scenes = std::filesystem::path(DELASSUS_SCENES_DIR), file = scenes / (name + ".xml");
    if (std::filesystem::exists(file)) {
      model = std::make_shared<const SceneModel>(read_scene_file(file));
    } else {
      model = std::make_shared<const ControllerModel>(
          read_controller_file(scenes.parent_path() / "controllers" / (name + ".xml")));
    }
    std::ofstream(folder.path() / model->archive_name(), std::ios::binary) << model->archive();
  }
  std::shared_ptr<const Model> model;
  TemporaryFolder folder;
};

// Ends the benchmark where a call does not succeed: it would measure nothing.
void demand(int status, std::string const& what) {
  if (status == ok || status == warning) return;
  fmt::print(stderr, "{}: status {}\n", what, status);
  std::exit(3);
}

// Each step sets the inputs and reads the outputs, each hundredth also goes through a saved and serialised state. What is
// allocated once (buffers that come to their size, the heap of the process) is so after the first tenth: growth is what comes after.
template <class Face>
void measure_memory(std::string const& name, long steps, long instances) {
  Unpacked const fmu(name);
  VariableTable const& table = fmu.model->table();
  std::string const token = fmu.model->token(Face::version), location = Face::location(fmu.folder.path());
  double const size = table.default_experiment().step;
  std::vector<std::string> inputs, outputs;
  std::vector<double> values, read;
  for (Variable const& variable : table.variables()) {
    if (variable.type != VariableType::real) continue;
    if (variable.causality == Causality::input) {
      inputs.push_back(variable.name);
      values.insert(values.end(), variable.start.begin(), variable.start.end());
    } else if (variable.causality == Causality::output) {
      outputs.push_back(variable.name);
      read.resize(read.size() + static_cast<std::size_t>(variable.size));
    }
  }
  auto const input_references = Face::references(table, inputs),
             output_references = Face::references(table, outputs);

  std::vector<Logged> log;
  auto const make = [&] {
    auto face = std::make_unique<Face>(log);
    if (!face->instantiate(token.c_str(), location.c_str(), false)) demand(error, name + ": instantiate");
    demand(face->enter(), name + ": enter initialisation");
    demand(face->exit(), name + ": exit initialisation");
    return face;
  };
  auto const face = make();
  std::vector<std::uint8_t> bytes;
  auto const run = [&](long from, long to) {
    for (long n = from; n < to; ++n) {
      demand(face->set(input_references, values), name + ": set inputs");
      demand(face->step(static_cast<double>(n) * size, size), fmt::format("{}: step {}", name, n));
      demand(face->get(output_references, read), name + ": get outputs");
      if (!std::ranges::all_of(read, [](double value) { return std::isfinite(value); }))
        demand(error, fmt::format("{}: step {}: an output that is not finite", name, n));
      if (n % 100 != 0) continue;
      void *state = nullptr, *copy = nullptr;
      demand(face->take(&state), name + ": get state");
      demand(face->serialise(state, bytes), name + ": serialise");
      demand(face->deserialise(bytes, &copy), name + ": deserialise");
      demand(face->put(copy), name + ": set state");
      face->release(&state);
      face->release(&copy);
    }
  };
  auto const begin = Clock::now();
  long const at_start = resident();
  run(0, steps / 10);
  long const warm = resident();
  run(steps / 10, steps);
  fmt::print("FMI {}: {}: {} steps in {:.0f} s: memory {} kB, {} after a tenth, {} at the end: {:+} kB\n",
             Face::version, name, steps, seconds_since(begin), at_start, warm, resident(), resident() - warm);

  auto const make_many = [&](long count) {
    for (long i = 0; i < count; ++i) demand(make()->step(0, size), name + ": first step");
  };
  auto const begin_instances = Clock::now();
  make_many(instances / 10);
  long const before_instances = resident();
  make_many(instances - instances / 10);
  fmt::print(
      "FMI {}: {}: {} instances made, stepped and freed in {:.0f} s: memory {} kB after a tenth, {} at the "
      "end: {:+} kB\n",
      Face::version, name, instances, seconds_since(begin_instances), before_instances, resident(),
      resident() - before_instances);
  std::fflush(stdout);
}

}  // namespace
}  // namespace delassus::test

int main(int argc, char** argv) {
  using namespace delassus::test;
  long const steps = argc > 1 ? static_cast<long>(std::atof(argv[1])) : 1'000'000;
  long const instances = argc > 2 ? static_cast<long>(std::atof(argv[2])) : 10'000;
  std::vector<std::string> names(argv + std::min(argc, 3), argv + argc);
  if (names.empty()) names = {"block_on_slope", "shaker_table", "position_pid"};
  measure_time<Fmi2Face>(std::min(steps, 1'000'000L));
  measure_time<Fmi3Face>(std::min(steps, 1'000'000L));
  for (std::string const& name : names) {
    measure_memory<Fmi2Face>(name, steps, instances);
    measure_memory<Fmi3Face>(name, steps, instances);
  }
}
