// Steppers with fixed steps say where they create energy, and only there.
#include "solver/time/energy_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scene_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

std::shared_ptr<const SceneModel> scene_of(std::string const& elements, double h, int dimension = 2) {
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(
      "<scene name=\"s\" dimension=\"" + std::to_string(dimension) +
          "\"><solver stepper=\"implicit\" step=\"" + std::to_string(h) + "\"/>" + elements + "</scene>",
      "scene.xml")));
}

struct Warning {
  int count = 0;
  double gained = 0, t = 0;  // J, s: as told
  double grown = 0;          // J: of energy.total from its lowest to the time that is told
};

// Communication steps as long as internal ones, so that the outputs show the energy of each.
Warning warning_of(std::shared_ptr<const SceneModel> const& model, double h, double end,
                   std::map<std::string, double> const& values = {}) {
  Warning warning;
  SceneRun run(model, values, [&](Status, std::string_view, std::string const& message) {
    std::string const key = "has created energy: ";
    std::size_t const at = message.find(key);
    if (at == std::string::npos) return;
    ++warning.count;
    warning.gained = std::stod(message.substr(at + key.size()));
    warning.t = std::stod(message.substr(message.find("until t = ") + 10));
  });
  double lowest = run.get("energy.total");
  int const steps = static_cast<int>(std::lround(end / h));
  for (int k = 1; k <= steps; ++k) {
    // What is told in this step is about its beginning.
    double const energy = run.get("energy.total");
    lowest = std::min(lowest, energy);
    int const before = warning.count;
    run.run_to(k * h);
    if (warning.count > before) warning.grown = energy - lowest;
  }
  return warning;
}

std::string pendulum(double length, std::string const& damper) {
  return "<gravity acceleration=\"0 -9.81\"/><body name=\"rod\" type=\"planar\" mass=\"1\"><rod "
         "half_length=\"" +
         std::to_string(length / 2) +
         "\"/><point name=\"top\" fraction=\"-1\"/><initial point=\"top\" position=\"0 0\" "
         "angle=\"0\"/></body>"
         "<joint name=\"hinge\" type=\"revolute\" a=\"rod.top\" drive=\"motor\"" +
         damper + "/>";
}

void expect_told_once(Warning const& warning) {
  EXPECT_EQ(warning.count, 1);
  EXPECT_GT(warning.gained, 0);
  EXPECT_NEAR(warning.gained, warning.grown, 1e-5 * warning.grown);
}

TEST(EnergyWatch, TellsOfAShortPendulumAtALongStep) {
  expect_told_once(warning_of(scene_of(pendulum(.1, ""), 1e-2), 1e-2, 5));
}

TEST(EnergyWatch, TellsOfAStiffSpring) {
  expect_told_once(warning_of(
      scene_of("<body name=\"b\" type=\"point\" mass=\"1\"><initial position=\"1.01 0\"/></body><spring "
               "name=\"s\" a=\"b\" b=\"ground\" stiffness=\"1e6\" length=\"1\"/>",
               1e-3),
      1e-3, .1));
}

TEST(EnergyWatch, TellsOfAnAsymmetricTop) {
  expect_told_once(
      warning_of(scene_of("<body name=\"b\" type=\"rigid\" mass=\"1\" inertia=\"0.01 0.02 0.025\"><initial "
                          "position=\"0 0 0\" angular_velocity=\"1 30 1\"/></body>",
                          1e-2, 3),
                 1e-2, 5));
}

TEST(EnergyWatch, IsSilentWhereNothingIsCreated) {
  for (double const h : {1e-3, 1e-2}) {
    for (std::string const name :
         {"sliding_block", "box_stack", "block_on_slope", "rolling_ball", "impact"}) {
      EXPECT_EQ(warning_of(example_model(name), h, 1, {{"solver.stepper", 3}, {"solver.step", h}}).count, 0)
          << name << ", h " << h;
    }
  }
}

TEST(EnergyWatch, IsSilentForAPendulumWithFrictionInItsHinge) {
  EXPECT_EQ(warning_of(scene_of(pendulum(1, " friction=\"0.3\""), 1e-3), 1e-3, 5).count, 0);
}

// 0.9 mm of overlap is parted in one step of 1 ms, with 0.9 m/s: 0.4 J, which (70) gives to the box on purpose.
TEST(EnergyWatch, HasNothingToTellOfTheStepperNonsmooth) {
  std::map<std::string, double> const nonsmooth{{"solver.stepper", 2}};
  EXPECT_EQ(warning_of(scene_of(pendulum(.1, ""), 1e-2), 1e-2, 2, nonsmooth).count, 0);
  std::string const ball =
      "<gravity acceleration=\"0 -9.81\"/><body name=\"b\" type=\"planar\" mass=\"1\"><box half_size=\".1 "
      ".2\"/><initial position=\"0 1\" velocity=\"1 0\" angular_velocity=\"5\"/></body><contacts name=\"c\" ";
  for (std::string const law : {"restitution=\"1\"", "restitution=\"0.5\" mu=\"0.5\"", "mu=\"1\""})
    EXPECT_EQ(warning_of(scene_of(ball + law + "/>", 1e-2), 1e-2, 2, nonsmooth).count, 0) << law;
}

// A belt takes blocks along: its motor does that, and no stepper.
TEST(EnergyWatch, IsSilentWhereABeltDoesWork) {
  for (double const stepper : {2., 3.}) {
    SceneRun run(example_model("belt_blocks"), {{"solver.stepper", stepper}},
                 [](Status, std::string_view, auto const& message) {
                   EXPECT_EQ(message.find("has created energy"), std::string::npos) << message;
                 });
    run.run_to(1, 10);
  }
}

TEST(EnergyWatch, IsSilentWhereOverlapIsParted) {
  Warning const warning = warning_of(
      scene_of("<gravity acceleration=\"0 -9.81\"/><body name=\"b\" type=\"planar\" mass=\"1\"><box "
               "half_size=\".1 "
               ".1\"/><initial position=\"0 .0991\"/></body><contact name=\"c\" point=\"b\" mu=\".5\"/>",
               1e-3),
      1e-3, .5);
  EXPECT_EQ(warning.count, 0);
}

// A motor that turns a pendulum up does work, which is no gain of the stepper.
TEST(EnergyWatch, IsSilentWhileAnInputDoesWork) {
  EXPECT_EQ(warning_of(scene_of(pendulum(1, ""), 1e-3), 1e-3, 1, {{"motor", 20}}).count, 0);
}

// A parameter that is changed between two steps changes the energy, not the stepper.
TEST(EnergyWatch, IsSilentWhereAParameterChanges) {
  for (double const stepper : {1., 2., 3.}) {
    int count = 0;
    SceneRun run(scene_of(pendulum(1, ""), 1e-3), {{"solver.stepper", stepper}},
                 [&](Status, std::string_view, std::string const& message) {
                   count += message.find("has created energy") != std::string::npos ? 1 : 0;
                 });
    run.run_to(.3, 300);
    run.set("gravity[2]", -50);
    run.run_to(.6, 300);
    EXPECT_EQ(count, 0) << "stepper " << stepper;
  }
}

// A limit that gives way without damping while the bodies turn: 1/(A delta^2) is its stiffness, and A changes.
TEST(EnergyWatch, TellsOfRelaxedLimitsThatGiveWayFar) {
  std::string const arm =
      "<body name=\"arm\" type=\"planar\" mass=\"1\"><rod half_length=\"0.5\"/><point name=\"base\" "
      "fraction=\"-1\"/><point name=\"tip\" fraction=\"1\"/><initial point=\"base\" position=\"0 "
      "0\"/></body><body name=\"hand\" type=\"planar\" mass=\"0.335\"><rod half_length=\"0.877\"/><point "
      "name=\"base\" fraction=\"-0.456\"/><initial point=\"base\" position=\"1 0\" angle=\"-0.107\" "
      "angular_velocity=\"47.8\"/></body><joint name=\"shoulder\" type=\"revolute\" a=\"arm.base\"/><joint "
      "name=\"elbow\" type=\"revolute\" a=\"arm.tip\" b=\"hand.base\" lower=\"-0.54\" upper=\"0.54\" "
      "zeta=\"0\" delta=\"";
  for (bool const far : {true, false}) {
    int count = 0;
    double gained = 0, grown = 0;
    SceneRun run(scene_of(arm + (far ? "0.1" : "0.001") + "\"/>", 1e-3), {{"solver.stepper", 1}},
                 [&](Status, std::string_view, std::string const& message) {
                   std::string const key = "has created energy: ";
                   std::size_t const at = message.find(key);
                   if (at == std::string::npos) return;
                   ++count;
                   gained = std::stod(message.substr(at + key.size()));
                 });
    double const start = run.get("energy.total");
    for (int k = 1; k <= 200; ++k) {
      run.run_to(k * 1e-2);
      if (count > 0 && grown == 0) grown = run.get("energy.total") - start;
    }
    if (far) {
      EXPECT_EQ(count, 1);
      EXPECT_NEAR(gained, grown, 1e-4 * grown);
    } else {
      EXPECT_EQ(count, 0);
      EXPECT_NEAR(run.get("energy.total"), start, 1e-2 * start);
    }
  }
}

// A box that begins 0.9 mm deep is lifted by that, with the weight of 9.81 N: more than a hundredth of what moves.
TEST(EnergyWatch, IsSilentWhereRelaxedContactsPartOverlap) {
  EXPECT_EQ(
      warning_of(
          scene_of("<gravity acceleration=\"0 -9.81\"/><body name=\"b\" type=\"planar\" mass=\"1\"><box "
                   "half_size=\".1 .1\"/><initial position=\"0 .0991\"/></body><contact name=\"c\" "
                   "point=\"b\" mu=\".5\" delta=\"1e-2\"/>",
                   1e-3),
          1e-2, 1, {{"solver.stepper", 1}})
          .count,
      0);
}

TEST(EnergyWatch, IsSilentForRelaxedExamples) {
  for (std::string const name :
       {"bouncing_ball", "box_on_edge", "falling_rod", "four_bar", "gripper", "impact", "ladder",
        "painleve_rod", "pendulum", "slider_crank", "spinning_top"}) {
    SceneRun run(example_model(name), {{"solver.stepper", 1}},
                 [&](Status, std::string_view, std::string const& message) {
                   EXPECT_EQ(message.find("has created energy"), std::string::npos)
                       << name << ": " << message;
                 });
    run.run_to(.2, 20);
  }
}

}  // namespace
}  // namespace delassus
