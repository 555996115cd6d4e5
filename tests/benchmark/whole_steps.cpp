// What a whole step costs - collisions, terms, contact problem, its solution, motion - and what it is worth: a
// stack of ten boxes and a hundred spheres that fall into a bin, with the stepper `implicit` at 1 ms, on one
// core. Where MuJoCo is installed, the same scenes run in it in turns with ours. Then what the physics knows in
// closed form: whether the stack stands, whether a block creeps on a slope at 0.98 of its friction, and where a
// sliding block stops, along an axis and along the diagonal.
//
// The first argument is the number of rounds of each run, of which the fastest counts; with the second, `ours`,
// MuJoCo is left out; the third is the number of steps of each run, for a quick look.
#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/time/stepper.hpp"
#include "tests/support/engine_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

constexpr double step = 1e-3, duration = 2, g = 9.81;  // s, s, m/s2
constexpr int steps = 2000;                            // duration / step
int timed_steps = steps;

double seconds_of(std::function<void()> const& work) {
  auto const begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A scene with the state that it starts from.
class StartedScene {
 public:
  explicit StartedScene(Scene given)
      : scene(std::move(given)),
        system(scene),
        parameters(scene.default_parameters()),
        inputs(scene.default_inputs()),
        q(static_cast<std::size_t>(scene.configuration_size)),
        v(static_cast<std::size_t>(scene.velocity_size)) {
    system.initial_state(parameters, inputs, q, v);
  }
  StartedScene(StartedScene const&) = delete;
  StartedScene& operator=(StartedScene const&) = delete;

  double mu() const {
    ContactParameters const& law = scene.groups.empty() ? scene.contacts[0].law : scene.groups[0].law;
    return parameters[static_cast<std::size_t>(law.mu.kinetic)];
  }
  int last_body() const { return static_cast<int>(scene.bodies.size()) - 1; }

  Scene scene;
  SceneSystem system;
  std::vector<double> parameters, inputs, q, v;
};

class OurRun final : public EngineRun {
 public:
  explicit OurRun(StartedScene const& started) : started_(started) {
    StepperSettings settings;
    settings.kind = StepperKind::implicit;
    settings.step = delassus::step;
    stepper_ = make_stepper(started.system, settings);
    start();
  }
  void start() override {
    stepper_->start(0, started_.q, started_.v);
    count_ = 0;
    residual_ = 0;
  }
  void step() override {
    StepReport const report =
        stepper_->advance(++count_ * delassus::step, started_.inputs, started_.parameters);
    residual_ = std::max(residual_, report.worst_residual);
  }
  Eigen::Vector3d position(int body) const override {
    double const* const x =
        stepper_->q().data() + started_.scene.bodies[static_cast<std::size_t>(body)].first_coordinate;
    return {x[0], x[1], x[2]};
  }
  int contacts() const override { return static_cast<int>(stepper_->state().lambda.size()); }
  double worst_residual() const override { return residual_; }

 private:
  StartedScene const& started_;
  std::unique_ptr<Stepper> stepper_;
  int count_ = 0;
  double residual_ = 0;
};

// The step of ImplicitStepper taken apart, with a clock between the parts.
void print_profile(StartedScene const& started) {
  DelassusOperator delassus(started.system);
  Terms terms = started.system.make_terms();
  ContactProblem problem;
  ContactSolver solver;
  Solution solution;
  std::vector<double> q = started.q, v = started.v, qdot(q.size()), vdot(v.size());
  std::vector<BlockForce> forces;
  Eigen::VectorXd previous;
  SolveSettings settings;
  settings.least_norm = true;  // as the steppers ask for
  double evaluate = 0, assemble = 0, solve = 0, rest = 0, contacts = 0;
  for (int k = 0; k < timed_steps; ++k) {
    Instant const at{k * step, q, v, started.inputs, started.parameters, step};
    evaluate += seconds_of([&] { started.system.evaluate(at, terms); });
    assemble += seconds_of([&] { delassus.assemble(terms, {Relaxation::Source::step, step}, problem); });
    rest += seconds_of([&] { previous_forces(terms, forces, previous); });
    solve += seconds_of([&] { solver.solve(problem, settings, previous, solution); });
    rest += seconds_of([&] {
      delassus.acceleration(problem, solution.lambda, vdot);
      for (std::size_t i = 0; i < v.size(); ++i) v[i] += step * vdot[i];
      started.system.configuration_rate(at, qdot);
      started.system.advance_configuration(q, v, qdot, step);
      copy_forces(terms, solution.lambda, forces);
    });
    contacts += static_cast<double>(terms.blocks.size());
  }
  auto const microseconds = [](double sum) { return 1e6 * sum / timed_steps; };
  std::printf(
      "  our step of %.0f contacts on average, us: evaluate %.1f, assemble %.1f, solve %.1f, "
      "rest %.1f\n",
      contacts / timed_steps, microseconds(evaluate), microseconds(assemble), microseconds(solve),
      microseconds(rest));
}

bool with_peer = true;

std::unique_ptr<EngineRun> peer_of(StartedScene const& started) {
  if (!with_peer) return nullptr;
#ifdef DELASSUS_WITH_MUJOCO
  return mujoco_run(started.scene, started.q, started.v, started.mu(), step);
#else
  (void)started;
  return nullptr;
#endif
}

// Steps per second over the whole run: ours, and the peer's or zero.
struct Speeds {
  double ours = 0, peer = 0;
};

Speeds print_speeds(char const* name, EngineRun& ours, EngineRun* peer, int rounds) {
  Speeds best;
  auto const round = [](EngineRun& run, double& fastest) {
    // What has taken half a minute is not disturbed enough to be repeated.
    if (fastest > 0 && timed_steps / fastest > 30) return;
    run.start();
    fastest = std::max(fastest, timed_steps / seconds_of([&] {
                                  for (int k = 0; k < timed_steps; ++k) run.step();
                                }));
  };
  for (int k = 0; k < rounds; ++k) {
    round(ours, best.ours);
    if (peer != nullptr) round(*peer, best.peer);
  }
  std::printf("%s\n  ours   %9.0f steps/s, %d contacts at the end, worst residual %.1e\n", name, best.ours,
              ours.contacts(), ours.worst_residual());
  if (peer != nullptr) {
    std::printf("  MuJoCo %9.0f steps/s, %d contacts at the end; ours is %.2f times as fast\n", best.peer,
                peer->contacts(), best.ours / best.peer);
  }
  return best;
}

template <class Measure>
void print_of_both(char const* what, StartedScene const& started, Measure const& measure) {
  OurRun ours(started);
  ours.start();
  std::printf("%s\n  ours   %s\n", what, measure(ours).c_str());
  if (auto const peer = peer_of(started)) {
    peer->start();
    std::printf("  MuJoCo %s\n", measure(*peer).c_str());
  }
}

std::string formatted(char const* format, double first, double second) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, format, first, second);
  return buffer;
}

// How far a body is from where it was, along the vertical and across it.
std::string sinking_and_creep(EngineRun& run, int body) {
  Eigen::Vector3d const before = run.position(body);
  for (int k = 0; k < steps; ++k) run.step();
  Eigen::Vector3d const moved = run.position(body) - before;
  return formatted("sank %.3e m, crept %.3e m", -moved[2], moved.head<2>().norm());
}

Scene block_scene(Eigen::Vector3d const& gravity, Eigen::Vector3d const& velocity, double mu) {
  auto const numbers = [](Eigen::Vector3d const& x) {
    char buffer[100];
    std::snprintf(buffer, sizeof buffer, "%.17g %.17g %.17g", x[0], x[1], x[2]);
    return std::string(buffer);
  };
  return compile_scene(
      read_scene_source(R"(<scene name="block" dimension="3"><gravity acceleration=")" + numbers(gravity) +
                            R"("/><body name="block" type="rigid" mass="1"><box half_size="0.2 0.2 0.05"/>
    <initial position="0 0 0.05" velocity=")" +
                            numbers(velocity) + R"("/></body>
    <contact name="c" point="block" mu=")" +
                            std::to_string(mu) + R"("/></scene>)",
                        "block.xml"));
}

void print_quality(StartedScene const& stack) {
  print_of_both("top of the stack after 2 s", stack,
                [&](EngineRun& run) { return sinking_and_creep(run, stack.last_body()); });
  for (auto const& [name, angle] : {std::pair{"an axis", 0.0}, {"the diagonal", EIGEN_PI / 4}}) {
    Eigen::Vector3d const direction(std::cos(angle), std::sin(angle), 0);
    double const mu = 0.5, slope = std::atan(0.98 * mu);
    Eigen::Vector3d const gravity =
        g * (std::sin(slope) * direction - std::cos(slope) * Eigen::Vector3d::UnitZ());
    StartedScene const resting(block_scene(gravity, Eigen::Vector3d::Zero(), mu));
    print_of_both((std::string("a block on a slope of 0.98 mu along ") + name + " after 2 s").c_str(),
                  resting, [](EngineRun& run) { return sinking_and_creep(run, 0); });
    double const speed = 2, expected = speed * speed / (2 * mu * g);
    StartedScene const sliding(block_scene(-g * Eigen::Vector3d::UnitZ(), speed * direction, mu));
    print_of_both((std::string("stopping distance along ") + name + " of a block at 2 m/s").c_str(), sliding,
                  [&](EngineRun& run) {
                    for (int k = 0; k < steps; ++k) run.step();
                    double const distance = run.position(0).head<2>().norm();
                    return formatted("%.6f m, relative error %.2e", distance, distance / expected - 1);
                  });
  }
}

Scene library_scene(std::string const& name) {
  return read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml");
}

void run(int rounds) {
  StartedScene const stack(library_scene("box_stack")), pile(library_scene("sphere_pile"));
  for (auto const& [name, started] : {std::pair{"ten boxes, each on top of the other", &stack},
                                      {"a hundred spheres fall into a bin", &pile}}) {
    OurRun ours(*started);
    auto const peer = peer_of(*started);
    print_speeds(name, ours, peer.get(), rounds);
    print_profile(*started);
  }
  print_quality(stack);
}

}  // namespace
}  // namespace delassus

int main(int count, char** arguments) {
  delassus::with_peer = count < 3 || std::string(arguments[2]) != "ours";
  if (count > 3) delassus::timed_steps = std::max(1, std::atoi(arguments[3]));
  delassus::run(count > 1 ? std::max(1, std::atoi(arguments[1])) : 3);
}
