// A run that cannot go on ends with a reason: the time, what it is about by name, why, and what to try. And runs whose
// results are right say nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/scene/number.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/scene_run.hpp"
#include "tools/support/csv.hpp"

namespace delassus {
namespace {

std::shared_ptr<const SceneModel> model_of(std::string const& text) {
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(text, "test.xml")));
}

// A box of 0.1 m on the ground (not touching it) between two jaws that close with `speed` each from a gap on each side.
std::string jaws(double gap, double speed, std::string const& stepper,
                 std::string const& law = "mu=\"0.5\"") {
  auto const jaw = [&](std::string const& name, double side) {
    return "<body name=\"" + name +
           "\" type=\"prescribed\"><box half_size=\"0.05 0.2\"/><initial position=\"" +
           std::to_string(side * (0.1 + gap)) + " 0\"/><motion velocity=\"" + std::to_string(-side * speed) +
           " 0\"/></body>";
  };
  return R"(<scene name="jaws"><experiment stop="1" step="0.01"/><solver stepper=")" + stepper +
         R"(" step="1e-3"/>)" + jaw("left_jaw", -1) + jaw("right_jaw", 1) +
         R"(<body name="box" type="planar" mass="1"><box half_size="0.05 0.05"/></body>
<contact name="left" point="box" with="left_jaw" )" +
         law + R"(/><contact name="right" point="box" with="right_jaw" )" + law + "/></scene>";
}

struct Failure {
  Status status = Status::ok;
  std::string message;
  double time = 0;
};

// Until it fails, in steps; the time is that of the last step that was made.
Failure failure_of(SceneRun& run, double end, int steps) {
  try {
    for (int k = 1; k <= steps; ++k) run.run_to(end * k / steps);
  } catch (SlaveError const& error) {
    return {error.status(), error.what(), run.time()};
  }
  return {Status::ok, "", run.time()};
}

// Without friction the demands of both contacts exclude each other as soon as the relaxation asks for less than the
// jaws do: the sum of the gaps is 2 (g - w t), its rate -2 w, and 2 zeta/delta times the rate plus 1/delta^2 times the sum
// is negative where g - w t < 2 zeta delta w. The fixed step replaces delta by h and zeta by 1/2.
TEST(SqueezedBody, IsNamedWithBothSidesAndTheTime) {
  double const gap = 0.01, speed = 0.05;
  for (std::string const stepper : {"relaxed", "nonsmooth", "implicit"}) {
    SceneRun run(model_of(jaws(gap, speed, stepper)));
    Failure const failure = failure_of(run, 1, 100);
    EXPECT_EQ(failure.status, Status::error) << stepper << ": " << failure.message;
    EXPECT_CONTAINS(failure.message,
                    "box is squeezed between left_jaw and right_jaw (contact 'left' and contact "
                    "'right'): the prescribed motion leaves no room from t = ");
    EXPECT_CONTAINS(failure.message, "compliant");
    auto const place = failure.message.find("from t = ") + 9;
    double const told = std::stod(failure.message.substr(place));
    double const room_ends = gap / speed;
    EXPECT_GT(told, room_ends - 0.01) << stepper;
    EXPECT_LT(told, room_ends + 0.02) << stepper;
    EXPECT_LE(failure.time, told);
  }
}

TEST(SqueezedBody, BetweenAPrescribedOneAndTheGroundIsFoundToo) {
  SceneRun run(
      model_of(R"(<scene name="press"><gravity acceleration="0 -9.81"/><experiment stop="1" step="0.01"/>
<body name="press" type="prescribed"><box half_size="0.2 0.05"/><initial position="0 0.2"/><motion velocity="0 -0.1"/></body>
<body name="box" type="planar" mass="1"><box half_size="0.05 0.05"/><initial position="0 0.05"/></body>
<contact name="below" point="box" mu="0.5"/><contact name="above" point="box" with="press" mu="0.5"/></scene>)"));
  Failure const failure = failure_of(run, 1, 100);
  EXPECT_EQ(failure.status, Status::error);
  EXPECT_CONTAINS(failure.message, "box is squeezed between ground and press");
  EXPECT_NEAR(failure.time, 0.5, 0.02);
}

TEST(SqueezedBody, OfSeveralInARowIsFoundWithItsNeighbours) {
  std::string scene = R"(<scene name="row" dimension="3"><experiment stop="1" step="0.01"/>
<body name="wall" type="fixed"><box half_size="0.05 0.2 0.2"/><initial position="-0.1 0 0"/></body>
<body name="ram" type="prescribed"><box half_size="0.05 0.2 0.2"/><initial position="0.43 0 0"/><motion velocity="-0.1 0 0"/></body>)";
  for (int i = 0; i < 4; ++i)
    scene += "<body name=\"box" + std::to_string(i) +
             "\" type=\"rigid\" mass=\"1\"><box half_size=\"0.05 0.05 0.05\"/><initial position=\"" +
             std::to_string(0.1 * i + 0.002 * i + 1e-9) + " 0 0\"/></body>";
  scene += "<contacts name=\"all\" between=\"wall ram box*\" mu=\"0.3\"/></scene>";
  SceneRun run(model_of(scene));
  Failure const failure = failure_of(run, 1, 100);
  EXPECT_EQ(failure.status, Status::error) << failure.message;
  EXPECT_CONTAINS(failure.message, "box0, box1, box2 and box3 are squeezed between ");
  EXPECT_CONTAINS(failure.message, "wall");
  EXPECT_CONTAINS(failure.message, "ram");
}

// A cart pushes a ram by a joint, and the ram a block to a wall at 0.55 m, which it meets after 0.1 m/(0.3 m/s). An impact
// without solution threw the block away at 1e6 m/s.
TEST(SqueezedBody, ThatAJointPushesIsFoundInTheImpact) {
  for (std::string const stepper : {"relaxed", "nonsmooth", "nonsmooth_adaptive", "implicit"}) {
    SceneRun run(model_of(R"(<scene name="ram"><experiment stop="0.6" step="0.01"/><solver stepper=")" +
                          stepper +
                          R"("/><body name="cart" type="prescribed"><motion velocity="0.3 0"/></body>
<body name="ram" type="planar" mass="2"><box half_size="0.05 0.05"/><initial position="0.3 0.1" velocity="0.3 0"/></body>
<joint name="j" type="fixed" a="ram" b="cart"/>
<body name="block" type="planar" mass="1"><box half_size="0.05 0.1"/><initial position="0.45 0.1"/></body>
<body name="wall" type="fixed"><plane normal="-1 0" position="0.55 0"/></body>
<contacts name="c" between="ram block wall ground"/></scene>)"));
    Failure const failure = failure_of(run, 0.6, 60);
    EXPECT_EQ(failure.status, Status::error) << stepper << ": " << failure.message;
    EXPECT_CONTAINS(failure.message, "ram and block are squeezed between cart and wall");
    EXPECT_NEAR(failure.time, 1.0 / 3, 0.011) << stepper;
    EXPECT_LT(run.get("energy.kinetic"), 0.2) << stepper;
  }
}

// What only friction holds cannot be seen without it: a strut that leans at less than the friction angle under a press.
TEST(JammedBody, EndsTheRunWithAReasonInEveryStepperThatCannotGoOn) {
  std::string const strut = R"(
<body name="press" type="prescribed"><plane normal="0 -1" position="0 0.5"/><motion velocity="0 -0.5"/></body>
<body name="strut" type="planar" mass="1"><capsule radius="0.02" half_length="0.15"/>
<initial position="0 0.2" angle="70deg"/></body><contacts name="c" mu="0.6"/></scene>)";
  for (std::string const stepper : {"relaxed", "nonsmooth", "nonsmooth_adaptive"}) {
    SceneRun run(model_of(R"(<scene name="s"><experiment stop="0.5" step="0.01"/><solver stepper=")" +
                          stepper + R"("/>)" + strut));
    Failure const failure = failure_of(run, 0.5, 50);
    EXPECT_EQ(failure.status, Status::error) << stepper << ": " << failure.message;
    EXPECT_CONTAINS(failure.message, "friction holds what a prescribed motion presses");
    EXPECT_CONTAINS(failure.message, "drive one side by a force instead of a motion");
    // The press is at 2 (0.02 + 0.15 sin 70) m: later by what the contacts give way.
    EXPECT_NEAR(failure.time, (0.5 - 2 * (0.02 + 0.15 * std::sin(70 * 3.14159265358979 / 180))) / 0.5, 0.02)
        << stepper;
  }
}

TEST(SqueezedBody, WithACompliantLawIsNotSqueezed) {
  SceneRun run(
      model_of(jaws(0.01, 0.05, "relaxed", "law=\"kelvin_voigt\" stiffness=\"1e5\" damping=\"10\"")));
  Failure const failure = failure_of(run, 0.25, 25);
  EXPECT_EQ(failure.status, Status::ok) << failure.message;
  // g - w t = -2.5 mm on each side, shared evenly.
  EXPECT_NEAR(run.get("box.position[1]"), 0, 1e-9);
}

TEST(SqueezedBody, ThatFitsExactlyIsNotSqueezed) {
  SceneRun run(
      model_of(R"(<scene name="slot"><gravity acceleration="0 -9.81"/><experiment stop="1" step="0.01"/>
<body name="left" type="fixed"><box half_size="0.05 0.2"/><initial position="-0.1 0"/></body>
<body name="right" type="fixed"><box half_size="0.05 0.2"/><initial position="0.1 0"/></body>
<body name="box" type="planar" mass="1"><box half_size="0.05 0.05"/><initial position="0 0.05"/></body>
<contact name="l" point="box" with="left" mu="0.5"/><contact name="r" point="box" with="right" mu="0.5"/>
<contact name="g" point="box" mu="0.5"/></scene>)"));
  Failure const failure = failure_of(run, 0.5, 50);
  EXPECT_EQ(failure.status, Status::ok) << failure.message;
}

// ---- joints

struct Log {
  std::vector<std::string> warnings;
  LogSink sink() {
    return [this](Status status, std::string_view, std::string const& message) {
      if (status == Status::warning) warnings.push_back(message);
    };
  }
};

// IFToMM's benchmark A02: N parallelograms of rods of 1 m and 1 kg in a row, one degree of freedom.
std::string n_four_bar(int n, double spin_of_first, double spin_of_others, double tolerance) {
  std::string text =
      R"(<scene name="n_four_bar"><gravity acceleration="0 -9.81"/><experiment stop="10" step="0.01"/>
<solver stepper="relaxed" tolerance=")" +
      format_number(tolerance) + "\"/>";
  auto const rod = [&](std::string const& name, double x, double y, double angle, double vx, double spin) {
    text +=
        "<body name=\"" + name + "\" type=\"planar\" mass=\"1\"><rod half_length=\"0.5\"/>" +
        "<point name=\"start\" fraction=\"-1\"/><point name=\"end\" fraction=\"1\"/><initial position=\"" +
        std::to_string(x) + " " + std::to_string(y) + "\" angle=\"" + std::to_string(angle) +
        "deg\" velocity=\"" + std::to_string(vx) + " 0\" angular_velocity=\"" + std::to_string(spin) +
        "\"/></body>";
  };
  for (int i = 0; i <= n; ++i) {
    double const spin = i == 0 ? spin_of_first : spin_of_others;
    rod("post" + std::to_string(i), i, 0.5, 90, -0.5 * spin, spin);
  }
  for (int i = 0; i < n; ++i) rod("beam" + std::to_string(i), i + 0.5, 1, 0, -spin_of_others, 0);
  auto const joint = [&](std::string const& name, std::string const& a, std::string const& b) {
    text += "<joint name=\"" + name + "\" type=\"revolute\" a=\"" + a + "\"" +
            (b.empty() ? "" : " b=\"" + b + "\"") + "/>";
  };
  for (int i = 0; i <= n; ++i) {
    std::string const post = "post" + std::to_string(i);
    joint("foot" + std::to_string(i), post + ".start", "");
    if (i < n) joint("left" + std::to_string(i), "beam" + std::to_string(i) + ".start", post + ".end");
    if (i > 0) joint("right" + std::to_string(i), "beam" + std::to_string(i - 1) + ".end", post + ".end");
  }
  return text + "</scene>";
}

// One mode p: all posts turn, all beams move. The nearest velocity to v0 in the metric of the masses is
// p (p^T M v0) / (p^T M p), with p^T M v0 = omega0 / 3 of the first post and p^T M p = (N + 1)/3 + N.
TEST(StartVelocities, ThatContradictJointsBecomeTheNearestThatJointsAllow) {
  for (int const n : {1, 2, 5, 12}) {
    Log log;
    SceneRun run(model_of(n_four_bar(n, -1, 0, 1e-8)), {}, log.sink());
    double const omega = -1.0 / 3 / ((n + 1) / 3.0 + n);
    for (int i = 0; i <= n; ++i)
      EXPECT_NEAR(run.get("post" + std::to_string(i) + ".angular_velocity"), omega, 1e-13) << n;
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(run.get("beam" + std::to_string(i) + ".velocity[1]"), -omega, 1e-13) << n;
      EXPECT_NEAR(run.get("beam" + std::to_string(i) + ".angular_velocity"), 0, 1e-13) << n;
    }
    EXPECT_TRUE(log.warnings.empty());  // it is said once, when the initialisation ends
    run.run_to(0.01);
    ASSERT_EQ(log.warnings.size(), 1U);
    EXPECT_CONTAINS(log.warnings[0], "the velocities at the start contradict the joints");
    EXPECT_NE(log.warnings[0].find('\''), std::string::npos);
  }
}

TEST(StartVelocities, ThatJointsAllowStayAsTheyWereToTheBit) {
  Log log;
  SceneRun run(model_of(n_four_bar(4, -1, -1, 1e-8)), {}, log.sink());
  for (int i = 0; i <= 4; ++i) {
    EXPECT_EQ(run.get("post" + std::to_string(i) + ".angular_velocity"), -1);
    EXPECT_EQ(run.get("post" + std::to_string(i) + ".velocity[1]"), 0.5);
  }
  run.run_to(0.1);
  EXPECT_TRUE(log.warnings.empty());
}

// Of all velocities that the joints allow, the projected one is nearest: its difference is orthogonal to every allowed
// motion in the metric of the masses. Here the allowed motions of a double pendulum with a rolling wheel are told by the
// velocities that the instance itself accepts unchanged.
TEST(StartVelocities, AreProjectedOnceAndForAll) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-2, 2);
  for (int trial = 0; trial < 20; ++trial) {
    std::string const scene = n_four_bar(2, 0, 0, 1e-8);
    std::map<std::string, double> given, projected;
    for (std::string const body : {"post0", "post1", "post2", "beam0", "beam1"}) {
      given[body + ".initial.velocity[1]"] = number(random);
      given[body + ".initial.velocity[2]"] = number(random);
      given[body + ".initial.angular_velocity"] = number(random);
    }
    SceneRun first(model_of(scene), given);
    double work = 0, energy = 0;
    for (std::string const body : {"post0", "post1", "post2", "beam0", "beam1"}) {
      for (auto const& [name, output, mass] :
           {std::tuple(".initial.velocity[1]", ".velocity[1]", 1.0),
            std::tuple(".initial.velocity[2]", ".velocity[2]", 1.0),
            std::tuple(".initial.angular_velocity", ".angular_velocity", 1.0 / 12)}) {
        double const v0 = given[body + name], v = first.get(body + output);
        projected[body + name] = v;
        work += mass * (v - v0) * v;
        energy += mass * v0 * v0;
      }
    }
    EXPECT_LE(std::abs(work), 1e-13 * energy) << trial;
    SceneRun second(model_of(scene), projected);
    for (auto const& [name, value] : projected) {
      std::string output = name;
      output.replace(output.find(".initial"), 8, "");
      EXPECT_NEAR(second.get(output), value, 1e-14) << name;
    }
  }
}

TEST(StartVelocities, FollowABodyWhoseMotionIsPrescribed) {
  Log log;
  SceneRun run(model_of(R"(<scene name="crane" ><experiment stop="1" step="0.01"/>
<body name="trolley" type="prescribed"><sphere radius="0.1"/><initial position="0 1"/><motion velocity="0.7 0.2"/></body>
<body name="load" type="point" mass="3"><initial position="0 1"/></body>
<joint name="hook" type="revolute" a="load" b="trolley"/></scene>)"),
               {}, log.sink());
  EXPECT_NEAR(run.get("load.velocity[1]"), 0.7, 1e-14);
  EXPECT_NEAR(run.get("load.velocity[2]"), 0.2, 1e-14);
  run.run_to(0.01);
  ASSERT_EQ(log.warnings.size(), 1U);
}

TEST(StartVelocities, HaveTheDerivativesOfTheProjection) {
  auto const model = model_of(n_four_bar(2, -1, 0.3, 1e-8));
  std::vector<std::string> const knowns{"post0.initial.angular_velocity",
                                        "post1.initial.velocity[1]",
                                        "beam0.initial.velocity[1]",
                                        "post0.mass",
                                        "beam1.mass",
                                        "beam0.initial.position[2]"};
  for (std::string const& known : knowns) {
    SceneRun run(model);
    double const value = run.get(known), h = 1e-6;
    for (std::string const unknown : {"post0.angular_velocity", "beam1.velocity[1]", "beam0.velocity[2]"}) {
      std::uint32_t const of = reference_of(model->table(), unknown),
                          by = reference_of(model->table(), known);
      double const seed = 1;
      double found = 0;
      run.slave().directional_derivative(false, {&of, 1}, {&by, 1}, {&seed, 1}, {&found, 1});
      SceneRun more(model, {{known, value + h}}), less(model, {{known, value - h}});
      EXPECT_NEAR(found, (more.get(unknown) - less.get(unknown)) / (2 * h), 1e-8)
          << unknown << " by " << known;
    }
  }
}

TEST(RedundantJoints, ThatAgreeAreNotSaidToContradictEachOther) {
  Log log;
  SceneRun space(example_model("four_bar"), {}, log.sink());
  space.run_to(2, 100);
  EXPECT_TRUE(log.warnings.empty()) << log.warnings[0];
  // Through its singular configuration, where all rods lie in a line and rows become redundant.
  SceneRun plane(model_of(n_four_bar(3, -1, -1, 1e-5)), {}, log.sink());
  plane.run_to(2, 100);
  EXPECT_TRUE(log.warnings.empty()) << log.warnings[0];
}

TEST(ContradictoryJoints, EndTheRunByTheirName) {
  // A point held by two ends that move apart.
  SceneRun run(model_of(R"(<scene name="torn"><experiment stop="1" step="0.01"/>
<body name="a" type="prescribed"><sphere radius="0.1"/><initial position="0 0"/><motion velocity="0.1 0"/></body>
<body name="b" type="prescribed"><sphere radius="0.1"/><initial position="0 0"/><motion velocity="-0.1 0"/></body>
<body name="p" type="point" mass="1"/>
<joint name="to_a" type="revolute" a="p" b="a"/><joint name="to_b" type="revolute" a="p" b="b"/></scene>)"));
  Failure const failure = failure_of(run, 1, 100);
  EXPECT_EQ(failure.status, Status::error);
  EXPECT_CONTAINS(failure.message, "joint 'to_");
  EXPECT_EQ(failure.message.find("contact problem"), std::string::npos) << failure.message;
}

// ---- motion that diverges

TEST(DivergingMotion, EndsTheRunBeforeItIsInfinite) {
  // (70) with a spring far beyond what its step can follow.
  SceneRun run(model_of(
      R"(<scene name="spring"><experiment stop="1" step="0.1"/><solver stepper="implicit" step="1e-2"/>
<body name="mass" type="slider" axis="x" mass="1"><initial position="0.1"/></body>
<spring name="spring" a="mass" b="ground" stiffness="1e5" length="1"/></scene>)"));
  Failure const failure = failure_of(run, 10, 100);
  EXPECT_EQ(failure.status, Status::error);
  EXPECT_CONTAINS(failure.message, "the motion of mass diverges");
  EXPECT_CONTAINS(failure.message, "shorter solver.step");
  EXPECT_TRUE(std::isfinite(run.get("mass.velocity")));
}

using test::Outcome;
using test::Program;

TEST_F(Program, EndsWithThreeAndKeepsTheRowsBeforeABodyIsSqueezed) {
  write("jaws.xml", jaws(0.01, 0.05, "relaxed"));
  Outcome const outcome = run("simulate jaws.xml -o out.csv");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "box is squeezed between left_jaw and right_jaw");
  TimeTable const table = read_csv(read_file(path("out.csv")), "out.csv");
  EXPECT_NEAR(table.time.back(), 0.19, 0.021);
  for (auto const& column : table.columns) {
    for (double const value : column) EXPECT_TRUE(std::isfinite(value));
  }
  Outcome const build = run("build jaws.xml -o jaws.fmu");
  EXPECT_EQ(build.code, 3);
  EXPECT_CONTAINS(build.errors, "box is squeezed between left_jaw and right_jaw");
  EXPECT_CONTAINS(build.errors, "--no-reference");
}

// What the scene says of itself, its FMU says to any importer: in both versions and interface types, from a sweep, in a
// coupled system, in a process of its own.
TEST_F(Program, HasTheReasonOfASqueezedBodyFromEveryFmuAndCommand) {
  write("jaws.xml", jaws(0.01, 0.05, "relaxed"));
  write("loop.ssd", R"(<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="1.0" name="loop"
  xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription">
  <ssd:System name="loop"><ssd:Elements><ssd:Component name="plant" source="jaws3.fmu"/></ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>)");
  ASSERT_EQ(run("build jaws.xml --no-reference --fmi 2 -o jaws2.fmu").code, 0);
  ASSERT_EQ(run("build jaws.xml --no-reference --fmi 3 -o jaws3.fmu").code, 0);
  for (std::string const command :
       {"simulate jaws2.fmu", "simulate jaws3.fmu", "simulate jaws2.fmu --interface me",
        "simulate jaws3.fmu --interface me", "simulate jaws3.fmu --event-mode", "cosim loop.ssd",
        "cosim loop.ssd --isolate plant"}) {
    Outcome const outcome = run(command + " -o out.csv");
    EXPECT_EQ(outcome.code, 3) << command;
    EXPECT_CONTAINS(outcome.errors, "box is squeezed between left_jaw and right_jaw");
    EXPECT_CONTAINS(outcome.errors, "use a compliant contact law");
    auto const told = outcome.errors.find("from t = ");
    ASSERT_NE(told, std::string::npos) << outcome.errors;
    // The jaws close at 0.2 s; zeta and delta of the scene ask for a little room.
    EXPECT_NEAR(std::stod(outcome.errors.substr(told + 9)), 0.199, 2e-3) << command;
    EXPECT_NEAR(read_csv(read_file(path("out.csv")), "out.csv").time.back(), 0.195, 6e-3) << command;
  }
  Outcome const sweep = run("sweep jaws3.fmu --vary box.mass=0,1 -o sweep.csv");
  EXPECT_EQ(sweep.code, 3);
  std::string const rows = read_file(path("sweep.csv"));
  EXPECT_CONTAINS(rows, "variable 'box.mass' was set to 0 and must be > 0");
  EXPECT_CONTAINS(rows, "box is squeezed between left_jaw and right_jaw");
  Outcome const report = run("report jaws2.fmu -o report.html");
  EXPECT_EQ(report.code, 3);
  EXPECT_CONTAINS(report.errors, "box is squeezed between left_jaw and right_jaw");
}

}  // namespace
}  // namespace delassus
