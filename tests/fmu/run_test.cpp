// The same run in process, through the FMI 2 face and through the FMI 3 face; rollback; results that do not
// depend on who looks.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <random>

#include "tests/support/fmi_faces.hpp"

namespace delassus::test {
namespace {

std::vector<double> steps_of(double size) {
  std::vector<double> points;
  int const count = static_cast<int>(std::lround(.2 / size));
  for (int k = 0; k <= count; ++k) points.push_back(.2 * k / count);
  return points;
}

std::vector<double> irregular_steps() {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(1e-5, 2e-2);
  std::vector<double> points{0};
  while (points.back() < .2) points.push_back(std::min(.2, points.back() + uniform(random)));
  return points;
}

// The outputs at every communication point.
std::vector<double> run_in_process(std::vector<double> const& points,
                                   std::map<std::string, double> const& values = {}) {
  SceneRun run("painleve_rod", values);
  run.slave().exit_initialization();
  auto const references = Fmi3Face::references(run.slave().model().table(), rod_outputs());
  std::vector<double> all, now(rod_output_elements);
  for (std::size_t k = 1; k < points.size(); ++k) {
    run.slave().do_step(points[k - 1], points[k] - points[k - 1]);
    run.slave().get(VariableType::real, true, references, now);
    all.insert(all.end(), now.begin(), now.end());
  }
  return all;
}

template <class Face>
class FmiRun : public testing::Test {
 protected:
  Resources resources{"painleve_rod"};
  std::vector<Logged> log;

  std::unique_ptr<Face> start() {
    auto face = std::make_unique<Face>(log);
    std::string const token = resources.model->token(Face::version),
                      location = Face::location(resources.path());
    EXPECT_TRUE(face->instantiate(token.c_str(), location.c_str()));
    EXPECT_EQ(face->enter(), ok);
    EXPECT_EQ(face->exit(), ok);
    return face;
  }
  std::vector<double> outputs(Face& face) {
    std::vector<double> now(rod_output_elements);
    EXPECT_EQ(face.get(Face::references(resources.model->table(), rod_outputs()), now), ok);
    return now;
  }
  std::vector<double> run(Face& face, std::vector<double> const& points) {
    std::vector<double> all;
    for (std::size_t k = 1; k < points.size(); ++k) {
      EXPECT_EQ(face.step(points[k - 1], points[k] - points[k - 1]), ok);
      auto const now = outputs(face);
      all.insert(all.end(), now.begin(), now.end());
    }
    return all;
  }
};

using Faces = testing::Types<Fmi2Face, Fmi3Face>;
TYPED_TEST_SUITE(FmiRun, Faces);

TYPED_TEST(FmiRun, IsTheRunInProcessToTheLastBit) {
  for (auto const& points : {steps_of(1e-2), steps_of(1e-3), irregular_steps()}) {
    auto const face = this->start();
    EXPECT_EQ(this->run(*face, points), run_in_process(points));
  }
  EXPECT_TRUE(this->log.empty()) << this->log[0].message;
}

TYPED_TEST(FmiRun, TellsAllCategoriesWhereLoggingIsSwitchedOnWithoutNames) {
  keeps_everything = true;
  auto const face = this->start();
  auto const told = [&](std::string const& category) {
    return std::any_of(this->log.begin(), this->log.end(),
                       [&](Logged const& logged) { return logged.category == category; });
  };
  this->run(*face, steps_of(1e-2));
  EXPECT_TRUE(told("logCalls"));
  EXPECT_TRUE(told("logSolver"));
  EXPECT_EQ(face->logging(false, {}), ok);
  this->log.clear();
  this->run(*face, {});
  EXPECT_TRUE(this->log.empty());
  EXPECT_EQ(face->logging(true, {}), ok);
  EXPECT_EQ(face->logging(false, {"#"}), error);
  EXPECT_TRUE(told("logCalls"));
  // A single # would begin a value reference.
  EXPECT_TRUE(std::any_of(this->log.begin(), this->log.end(), [](Logged const& logged) {
    return logged.message.find("there is no log category '##'") != std::string::npos;
  }));
  keeps_everything = false;
}

TYPED_TEST(FmiRun, DoesNotDependOnTheCommunicationStep) {
  auto const last = [&](std::vector<double> const& points) {
    auto const face = this->start();
    auto const all = this->run(*face, points);
    return std::vector<double>(all.end() - rod_output_elements, all.end());
  };
  auto const coarse = last(steps_of(1e-2)), fine = last(steps_of(1e-3)), irregular = last(irregular_steps());
  for (std::size_t i = 0; i < rod_output_elements; ++i) {
    EXPECT_NEAR(coarse[i], fine[i], 1e-8);
    EXPECT_NEAR(coarse[i], irregular[i], 1e-8);
  }
}

TYPED_TEST(FmiRun, ContinuesToTheSameBitsAfterARollback) {
  for (double const stepper : {1., 2., 3.}) {
    auto const face = std::make_unique<TypeParam>(this->log);
    std::string const token = this->resources.model->token(TypeParam::version),
                      location = TypeParam::location(this->resources.path());
    ASSERT_TRUE(face->instantiate(token.c_str(), location.c_str()));
    auto const reference = Fmi2Face::reference_of_variable(this->resources.model->table(), "solver.stepper");
    ASSERT_EQ(face->set_enumeration(reference, static_cast<int>(stepper)), ok);
    ASSERT_EQ(face->enter(), ok);
    ASSERT_EQ(face->exit(), ok);
    std::vector<double> const lead{0, .0103, .0311},
        ten{.0311, .032, .0377, .04, .0411, .05, .0501, .06, .08, .0801, .1};
    this->run(*face, lead);
    void* state = nullptr;
    ASSERT_EQ(face->take(&state), ok);
    auto const first = this->run(*face, ten);
    ASSERT_EQ(face->put(state), ok);
    EXPECT_EQ(this->run(*face, ten), first) << "stepper " << stepper;
    ASSERT_EQ(face->release(&state), ok);
    EXPECT_EQ(state, nullptr);
  }
}

// The other process has never seen this instance: everything must be in the bytes.
TYPED_TEST(FmiRun, ContinuesToTheSameBitsInAnotherProcess) {
  std::vector<double> const lead{0, .0103, .0311},
      ten{.0311, .032, .0377, .04, .0411, .05, .0501, .06, .08, .0801, .1};
  auto const face = this->start();
  this->run(*face, lead);
  void* state = nullptr;
  std::vector<std::uint8_t> bytes;
  ASSERT_EQ(face->take(&state), ok);
  ASSERT_EQ(face->serialise(state, bytes), ok);
  ASSERT_EQ(face->release(&state), ok);
  auto const here = this->run(*face, ten);

  int channel[2];
  ASSERT_EQ(pipe(channel), 0);
  pid_t const child = fork();
  if (child == 0) {
    auto const other = this->start();
    void* received = nullptr;
    bool fine = other->deserialise(bytes, &received) == ok && other->put(received) == ok &&
                other->release(&received) == ok;
    auto const there = this->run(*other, ten);
    fine = fine && write(channel[1], there.data(), there.size() * sizeof(double)) ==
                       static_cast<ssize_t>(there.size() * sizeof(double));
    _exit(fine ? 0 : 1);
  }
  close(channel[1]);
  std::vector<double> there(here.size());
  ASSERT_EQ(read(channel[0], there.data(), there.size() * sizeof(double)),
            static_cast<ssize_t>(there.size() * sizeof(double)));
  close(channel[0]);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(there, here);
}

TYPED_TEST(FmiRun, StartsAfreshAfterAReset) {
  auto const face = this->start();
  auto const first = this->run(*face, steps_of(1e-2));
  ASSERT_EQ(face->reset(), ok);
  ASSERT_EQ(face->enter(), ok);
  ASSERT_EQ(face->exit(), ok);
  EXPECT_EQ(this->run(*face, steps_of(1e-2)), first);
}

TYPED_TEST(FmiRun, KeepsInstancesApart) {
  auto const alone = this->run(*this->start(), steps_of(1e-2));
  auto const a = this->start(), b = this->start();
  auto const push = TypeParam::references(this->resources.model->table(), {"push"});
  auto const points = steps_of(1e-2);
  std::vector<double> of_a;
  for (std::size_t k = 1; k < points.size(); ++k) {
    ASSERT_EQ(b->set(push, {static_cast<double>(k), -3}), ok);
    ASSERT_EQ(a->step(points[k - 1], points[k] - points[k - 1]), ok);
    ASSERT_EQ(b->step(points[k - 1], points[k] - points[k - 1]), ok);
    auto const now = this->outputs(*a);
    of_a.insert(of_a.end(), now.begin(), now.end());
  }
  EXPECT_EQ(of_a, alone);
}

// A mass that nothing holds: v = v0 + (F/m + g) t, closed form, with inputs that change at communication
// points.
TEST(Input, ActsFromTheCommunicationPointOn) {
  auto const source =
      R"(<scene name="free"><gravity acceleration="0 -9.81"/><body name="mass" type="point" mass="2"/>
                        <force name="push" point="mass"/></scene>)";
  SceneRun run(std::make_shared<const SceneModel>(compile_scene(read_scene_source(source, "free.xml"))));
  run.run_to(.5);
  run.set("push[1]", 4);
  run.run_to(1.5);
  run.set("push[1]", 0);
  run.run_to(2);
  EXPECT_NEAR(run.get("mass.velocity[1]"), 2, 1e-10);
  EXPECT_NEAR(run.get("mass.position[1]"), 1 + 2 * .5, 1e-10);
  EXPECT_NEAR(run.get("mass.velocity[2]"), -9.81 * 2, 1e-10);
  EXPECT_NEAR(run.get("mass.position[2]"), -9.81 * 2, 1e-9);
}

TEST(Energy, NeverGrowsWithoutInput) {
  for (std::string const name : {"painleve_rod", "impact", "planar_friction"}) {
    for (double const stepper : {1., 2., 3.}) {
      SceneRun run(name, {{"solver.stepper", stepper}, {"solver.step", 1e-4}});
      if (name == "planar_friction") run.set("push[1]", 0);
      double previous = run.get("energy.total"), greatest = previous;
      double lowest_after_contact = previous;
      for (int k = 1; k <= 100; ++k) {
        run.run_to(.002 * k);
        double const now = run.get("energy.total");
        // The relaxed impact stores energy in its constraint and gives part of it back (restitution); it
        // never exceeds the start.
        EXPECT_LE(now, greatest + 1e-9) << name << " stepper " << stepper << " t " << run.time();
        if (name != "impact") {
          EXPECT_LE(now, previous + 1e-9) << name << " stepper " << stepper << " t " << run.time();
        }
        previous = now;
        lowest_after_contact = std::min(lowest_after_contact, now);
      }
      EXPECT_LT(lowest_after_contact, greatest);
    }
  }
}

// A host's clock that adds up steps leaves steps of rounding. Overlaps and gaps divided by them were velocities: a step of
// 1e-10 s gave a ball of sphere_pile 1.7e5 m/s, one of 1e-15 s ended its run.
class TinySteps : public testing::TestWithParam<std::string> {};

TEST_P(TinySteps, LeaveTheMotionAsItIs) {
  for (double const tiny : {1e-7, 1e-8, 1e-10, 1e-12, 1e-15}) {
    SceneRun run(GetParam());
    double const step = run.slave().model().scene().experiment.step;
    run.run_to(10 * step, 10);
    auto const velocities = [&] {
      Snapshot const snapshot = run.slave().snapshot();
      std::vector<double> const& x = snapshot.stepper.x;
      return std::vector<double>(x.begin() + run.slave().model().system().configuration_size(), x.end());
    };
    auto const before = velocities();
    double const from = run.time();
    run.slave().do_step(from, tiny);
    auto const after = velocities();
    // A pile that is not yet at rest has impacts, which make nothing faster than the fastest.
    double fastest = 0;
    for (double const v : before) fastest = std::max(fastest, std::abs(v));
    for (std::size_t i = 0; i < before.size(); ++i) {
      ASSERT_LT(std::abs(after[i]), fastest + 1e-2) << tiny << " s, velocity " << i;
      if (GetParam() == "sphere_pile") continue;
      ASSERT_NEAR(after[i], before[i], 1e-3) << tiny << " s, velocity " << i;
    }
    run.slave().do_step(from + tiny, step - tiny);
    auto const next = velocities();
    for (double const v : next) ASSERT_LT(std::abs(v), 100) << tiny;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, TinySteps,
                         testing::Values("sphere_pile", "box_stack", "biped_foot", "gripper", "falling_rod",
                                         "four_bar", "block_on_slope"),
                         [](auto const& test) { return test.param; });

// Importers pass one tolerance to all components.
TEST(ImportersTolerance, TightensThatOfTheSceneAndLoosensNone) {
  for (auto const& [asked, taken] : {std::pair(1e-4, 1e-10), std::pair(1e-12, 1e-12)}) {
    SceneSlave slave(example_model("painleve_rod"), {});
    slave.setup_experiment(0, {}, asked);
    slave.enter_initialization();
    slave.exit_initialization();
    std::uint32_t const reference = reference_of(slave.model().table(), "solver.tolerance");
    double tolerance = 0;
    slave.get(VariableType::real, false, {&reference, 1}, {&tolerance, 1});
    EXPECT_EQ(tolerance, taken);
  }
}

}  // namespace
}  // namespace delassus::test
