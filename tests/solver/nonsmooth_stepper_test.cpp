// The stepper for long steps: energy and momentum, order, rotors, friction, adaptive steps, mechanisms.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>
#include <string>

#include "model/scene/number.hpp"
#include "tests/support/scenes/long_steps.hpp"

namespace delassus::test {
namespace {

std::string const pendulum =
    down +
    "<body name=\"rod\" type=\"planar\" mass=\"1\"><rod half_length=\"0.05\"/><point name=\"end\" "
    "fraction=\"-1\"/>"
    "<initial point=\"end\" position=\"0 0\" angle=\"0\"/></body><joint name=\"pin\" type=\"revolute\" "
    "a=\"rod.end\"/>";
std::string const top =
    " dimension=\"3\"><body name=\"b\" type=\"rigid\" mass=\"1\" inertia=\"0.01 0.02 0.025\"><initial "
    "position=\"0 0 "
    "0\" angular_velocity=\"17 17.1 18\"/></body>";

std::string spring(double stiffness) {
  return "><body name=\"w\" type=\"fixed\"/><body name=\"m\" type=\"point\" mass=\"1\"><initial "
         "position=\"1.1 0\" "
         "velocity=\"0 1\"/></body><spring name=\"k\" a=\"m\" b=\"w\" length=\"1\" stiffness=\"" +
         format_number(stiffness) + "\"/>";
}

std::string chain(int links) {
  std::string text = down, joints;
  for (int i = 0; i < links; ++i) {
    std::string const name = "l" + std::to_string(i);
    text += "<body name=\"" + name +
            "\" type=\"planar\" mass=\"0.1\"><rod half_length=\"0.05\"/><point name=\"a\" "
            "fraction=\"-1\"/><point "
            "name=\"b\" fraction=\"1\"/><initial point=\"a\" position=\"" +
            format_number(.1 * i) + " 0\" angle=\"0\"/></body>";
    joints += "<joint name=\"j" + std::to_string(i) + "\" type=\"revolute\" a=\"" + name + ".a\"" +
              (i > 0 ? " b=\"l" + std::to_string(i - 1) + ".b\"" : "") + "/>";
  }
  return text + joints;
}

TEST(NonsmoothStepper, LetsNoEnergyGrowHoweverLongTheStepIs) {
  for (double const h : {1e-2, 1e-3}) {
    auto const swinging = LongSteps(pendulum, h).balance(60, 600);
    EXPECT_LE(swinging.gained, 1e-9) << h;
    if (h < 1e-2) {
      EXPECT_LT(swinging.lost, 1e-2 * 9.81 * .05);
    }
    auto const turning = LongSteps(top, h).balance(60, 600);
    EXPECT_LE(std::max(turning.gained, turning.lost), 1e-9 * turning.start) << h;
    for (double const stiffness : {1e2, 1e4, 1e6, 1e8}) {
      auto const bouncing = LongSteps(spring(stiffness), h).balance(60, 600);
      EXPECT_LE(bouncing.gained, 1e-9 * bouncing.start) << h << " " << stiffness;
      EXPECT_LE(bouncing.lost, 1e-6 * bouncing.start) << h << " " << stiffness;
    }
  }
  EXPECT_LE(LongSteps(chain(10), 1e-3).balance(2, 100).gained, 1e-9);
  // 30 links whip: at 1e-2 s they turn by more than 1 rad in a step, and what the joints then still move is lost.
  EXPECT_LE(LongSteps(chain(30), 1e-2).balance(3, 150).gained, 1e-9);
}

// The angle of what flies or spins about its own axis is its spin times the time, and one half of its acceleration times
// the square of the time where a torque drives it: to rounding, however long the step is.
TEST(NonsmoothStepper, TurnsFreeBodiesAsFastAsTheySpin) {
  std::string const planar =
      "><body name=\"b\" type=\"planar\" mass=\"2\" inertia=\"0.3\"><initial position=\"1 2\" ";
  std::string const held = down + "<body name=\"b\" type=\"planar\" mass=\"2\" inertia=\"0.3\"><initial ";
  for (double const step : {1e-2, 1e-3}) {
    for (double const spin : {0.5, 30.0, 314.0}) {
      std::string const omega = "angular_velocity=\"" + format_number(spin) + "\"/></body>";
      LongSteps flying(planar + "velocity=\"3 -4\" " + omega, step);
      flying.run_to(1);
      EXPECT_NEAR(flying.q(2), spin, 1e-12 * spin) << step;
      EXPECT_NEAR(flying.q(1), -2, 1e-11) << step;
      LongSteps wheel(held + omega + "<joint name=\"axle\" type=\"revolute\" a=\"b\"/>", step);
      wheel.run_to(1);
      EXPECT_NEAR(wheel.q(2), spin, 1e-12 * spin) << step;
      // Friction of the bearing: 0.3 N m on 0.3 kg m2 takes 1 rad/s2.
      LongSteps braked(held + omega + "<joint name=\"axle\" type=\"revolute\" a=\"b\" friction=\"0.3\"/>",
                       step);
      braked.run_to(0.4);
      EXPECT_NEAR(braked.q(2), spin * 0.4 - 0.08, 1e-11 * spin) << step;
      EXPECT_NEAR(braked.v(2), spin - 0.4, 1e-12 * spin) << step;
    }
  }
}

// An unbalanced rotor turns by 2 atan(omega h/2) in a step, and yet friction and dampers do to its velocity what they should:
// about the axle, 0.01 + 1 0.1^2 kg m2.
TEST(NonsmoothStepper, BrakesUnbalancedRotorsAsItShould) {
  std::string const rotor =
      "><body name=\"w\" type=\"planar\" mass=\"1\" inertia=\"0.01\" center_of_mass=\"0.1 0\"><initial "
      "velocity=\"0 0\" "
      "angular_velocity=\"500\"/></body><joint name=\"j\" type=\"revolute\" a=\"w\"";
  for (double const step : {1e-2, 1e-3}) {
    LongSteps rubbing(rotor + " friction=\"1\"/>", step);
    rubbing.run_to(2);
    EXPECT_NEAR(rubbing.v(2), 500 - 2 / 0.02, 1e-6) << step;
    LongSteps damped(rotor + "/><torsion_spring name=\"t\" a=\"w\" stiffness=\"0\" damping=\"0.01\"/>", step);
    damped.run_to(2);
    EXPECT_NEAR(damped.v(2), 500 * std::exp(-1.0), 0.3 * (step / 1e-2) * (step / 1e-2)) << step;
  }
}

// A balanced rotor and an unbalanced one, coupled by a spring: at the same speed nothing happens between them.
TEST(NonsmoothStepper, CouplesRotorsThatTurnAlike) {
  for (double const step : {1e-2, 1e-3}) {
    LongSteps shaft(
        "><body name=\"motor\" type=\"planar\" mass=\"2\" inertia=\"0.01\"><initial "
        "angular_velocity=\"300\"/></body>"
        "<body name=\"fan\" type=\"planar\" mass=\"1\" inertia=\"0.01\" center_of_mass=\"0.02 0\"><initial "
        "angular_velocity=\"300\"/></body><joint name=\"jm\" type=\"revolute\" a=\"motor\"/><joint "
        "name=\"jf\" "
        "type=\"revolute\" a=\"fan\"/><torsion_spring name=\"coupling\" a=\"fan\" b=\"motor\" "
        "stiffness=\"1000\"/>",
        step);
    auto const balance = shaft.balance(2, 100);
    EXPECT_LE(balance.gained, 1e-9 * balance.start) << step;
    EXPECT_NEAR(shaft.v(2), 300, 1e-6) << step;
    EXPECT_NEAR(shaft.v(5), 300, 1e-6) << step;
  }
}

// A box on a torsion spring that bumps on the ground flies and touches by turns.
TEST(NonsmoothStepper, GainsNothingWhereFlightAndContactTakeTurns) {
  for (double const step : {1e-2, 2e-3, 1e-3}) {
    LongSteps box(
        "><gravity acceleration=\"0 -9.81\"/><body name=\"b\" type=\"planar\" mass=\"5\"><box "
        "half_size=\"0.15 0.08\"/>"
        "<initial position=\"0 0.796\" velocity=\"1.005 -1.922\" angle=\"-0.09\" "
        "angular_velocity=\"-0.92\"/></body>"
        "<torsion_spring name=\"t\" a=\"b\" stiffness=\"1000\"/><contacts name=\"c\" restitution=\"0.08\"/>",
        step);
    auto const balance = box.balance(1, 200);
    EXPECT_LE(balance.gained, 1e-9 * balance.start) << step;
  }
}

TEST(NonsmoothStepper, TurnsATopInSpaceAsFastAsItSpins) {
  // About one of its axes, which is oblique in the world.
  Eigen::Vector3d const axis = Eigen::Vector3d(1, 2, -2) / 3;
  double const spin = 200, step = 1e-3;
  Eigen::Quaterniond const oblique = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis);
  Eigen::AngleAxisd const start(oblique);
  auto const numbers = [](Eigen::Vector3d const& v) {
    return format_number(v[0]) + " " + format_number(v[1]) + " " + format_number(v[2]);
  };
  LongSteps turning(
      " dimension=\"3\"><body name=\"b\" type=\"rigid\" mass=\"1\" inertia=\"0.01 0.02 0.025\"><initial "
      "position=\"0 0 0\" rotation=\"" +
          numbers(start.angle() * start.axis()) + "\" angular_velocity=\"" + numbers(spin * axis) +
          "\"/></body>",
      step);
  turning.run_to(1);
  Eigen::Quaterniond const end(turning.q(3), turning.q(4), turning.q(5), turning.q(6));
  Eigen::Quaterniond const expected = Eigen::AngleAxisd(spin, axis) * oblique;
  EXPECT_LT(end.angularDistance(expected), 1e-8);
}

// A block that goes up a slope, stops within a step and slides back: both directions of friction, each in its time.
TEST(NonsmoothStepper, TurnsFrictionRoundAtItsTime) {
  double const slope = 20 * std::numbers::pi / 180, g = 9.81, mu = 0.3;
  double const along = g * std::sin(slope), across = g * std::cos(slope);
  double const up = along + mu * across, back = along - mu * across, stop = 2 / up;
  for (double const step : {1e-2, 1e-3}) {
    for (double const tolerance : {0.0, 1e-8}) {
      LongSteps run(
          "><gravity acceleration=\"" + format_number(-along) + " " + format_number(-across) +
              "\"/><body name=\"b\" type=\"planar\" mass=\"2\"><box half_size=\"0.1 0.1\"/><initial "
              "position=\"0 0.1\" velocity=\"2 0\"/></body><contacts name=\"c\" mu=\"0.3\"/>"
              "<body name=\"floor\" type=\"fixed\"><plane name=\"p\" normal=\"0 1\"/></body>",
          step, tolerance);
      run.run_to(1.5);
      EXPECT_NEAR(run.q(0), 2 / up - back * (1.5 - stop) * (1.5 - stop) / 2, 1e-9) << step;
      EXPECT_NEAR(run.v(0), -back * (1.5 - stop), 1e-9) << step;
    }
  }
}

// Friction mu tanh(s/gamma) that stops a block within a few steps does not throw it back and forth, and what it holds
// creeps at s = gamma atanh(tan(slope)/mu).
TEST(NonsmoothStepper, DoesNotRingInSmoothFriction) {
  auto const block = [](char const* pull, char const* speed) {
    return std::string("><gravity acceleration=\"") + pull +
           " -9.81\"/><body name=\"b\" type=\"planar\" mass=\"1\"><box half_size=\"0.1 0.1\"/><initial "
           "position=\"0 "
           "0.1\" velocity=\"" +
           speed +
           " 0\"/></body><contacts name=\"c\" mu=\"0.5\" friction=\"smooth\" gamma=\"0.001\"/>"
           "<body name=\"floor\" type=\"fixed\"><plane name=\"p\" normal=\"0 1\"/></body>";
  };
  LongSteps stopping(block("0", "1"), 1e-2);
  stopping.run_to(0.3);
  EXPECT_LT(std::abs(stopping.v(0)), 1e-4);
  // Slower than mu g h/2 it stops within a step, somewhere in it.
  EXPECT_NEAR(stopping.q(0), 1 / 9.81, 0.5 * 9.81 / 2 * 1e-4);
  LongSteps creeping(block("2", "0"), 1e-2);
  creeping.run_to(1);
  EXPECT_NEAR(creeping.q(0), 1e-3 * std::atanh(2 / 9.81 / 0.5), 1e-6);
}

// From the horizontal, before the end of the chain whips: what impact stages take of the velocities of joints falls
// with the fifth power of the step.
// Bodies that fall on a fixed one, turning, and roll and slide over its faces, edges and corners.
struct Drop {
  std::string fixed, falling;
};

void expect_no_gain_of_drops(Drop const& shapes, bool plane, double mu, int drops) {
  std::mt19937 engine{11};
  auto const within = [&engine](double size) {
    return format_number(std::uniform_real_distribution<double>(-size, size)(engine)) + " ";
  };
  for (int drop = 0; drop < drops; ++drop) {
    std::string const start =
        plane ? "position='" + within(0.1) + "0.45' angle='" + within(2) + "' angular_velocity='" + within(3)
              : "position='" + within(0.1) + within(0.05) + "0.45' rotation='" + within(2) + within(2) +
                    within(2) + "' angular_velocity='" + within(3) + within(3) + within(3);
    LongSteps run((plane ? " dimension='2'><gravity acceleration='0 -9.81'/>"
                         : " dimension='3'><gravity acceleration='0 0 -9.81'/>") +
                      ("<body name='f' type='fixed'>" + shapes.fixed + "</body><body name='k' type='") +
                      (plane ? "planar" : "rigid") + "' mass='1'>" + shapes.falling + "<initial " + start +
                      "'/></body><contact name='c' point='k' with='f' mu='" + format_number(mu) + "'/>",
                  1e-3);
    double const total = 9.81 * 0.45;
    double last = run.energy();
    for (int k = 1; k <= 700; ++k) {
      run.run_to(k * 1e-3);
      double const energy = run.energy();
      // Mostly below 1e-9; the motion of a capsule whose end passes an edge is found only in short parts, which gain up to
      // 2e-8.
      ASSERT_LE(energy - last, 1e-7 * total) << "drop " << drop << " at " << k << " ms: " << start;
      ASSERT_LE(run.overlap(), 1e-6) << "drop " << drop << " at " << k << " ms: " << start;
      last = energy;
    }
  }
}

TEST(NonsmoothStepper, LetsNoEnergyGrowWhereEdgesAndCornersMeet) {
  for (bool const plane : {false, true}) {
    std::string const depth = plane ? "" : " 0.1";
    std::string const fixed[] = {"<box half_size='0.24 0.1" + depth + "'/>",
                                 "<capsule radius='0.1' half_length='0.24'/>", "<sphere radius='0.1'/>"};
    std::string const falling[] = {"<box half_size='0.17 0.05" + depth + "'/>",
                                   "<capsule radius='0.08' half_length='0.17'/>", "<sphere radius='0.1'/>"};
    for (std::string const& below : fixed) {
      for (std::string const& above : falling) {
        SCOPED_TRACE(below + " below " + above);
        for (double const mu : {0.0, 1.0}) expect_no_gain_of_drops({below, above}, plane, mu, 4);
      }
    }
  }
}

TEST(NonsmoothStepper, LosesLittleEnergyInAChain) {
  auto const lost = [](double h) { return LongSteps(chain(30), h).balance(.48, 12).lost; };
  double const coarse = lost(4e-3), fine = lost(2e-3);
  EXPECT_LT(coarse, 1e-3);  // J, of 44 J
  EXPECT_GE(std::log2(coarse / fine), 4.5);
}

TEST(NonsmoothStepper, KeepsTheAngularMomentumOfAFreeBody) {
  LongSteps body(top, 1e-2);
  // At the start the axes of the body are those of the world.
  Eigen::Vector3d const before(.01 * 17, .02 * 17.1, .025 * 18);
  body.run_to(3);
  Quaternion const turn(body.q(3), body.q(4), body.q(5), body.q(6));
  Matrix3<double> const R = matrix_of<double>(turn);
  Eigen::Vector3d const omega(body.v(3), body.v(4), body.v(5));
  Eigen::Vector3d const I(.01, .02, .025);
  Eigen::Vector3d const after = R * I.asDiagonal() * R.transpose() * omega;
  EXPECT_LT((after - before).norm(), 1e-10 * before.norm());
}

// A box of 0.1 m by 0.3 m, turned by 0.5 rad, whose corner (-0.05, -0.15) is at the origin; it turns about it with omega.
std::string tipping_box(double omega, std::string const& law) {
  double const c = std::cos(.5), s = std::sin(.5), x = .05 * c - .15 * s, y = .05 * s + .15 * c;
  return "><gravity acceleration=\"0 -9.81\"/><body name=\"b\" type=\"planar\" mass=\"1\"><box "
         "half_size=\".05 "
         ".15\"/><initial position=\"" +
         format_number(x) + " " + format_number(y) + "\" angle=\"0.5\" angular_velocity=\"" +
         format_number(omega) + "\" velocity=\"" + format_number(-omega * y) + " " +
         format_number(omega * x) + "\"/></body><contact name=\"c\" point=\"b\" " + law + "/>";
}

// Against a run with a step so short that its error does not count: each halving leaves a quarter.
TEST(NonsmoothStepper, IsOfSecondOrderWhileNothingChanges) {
  auto const order = [](std::string const& text, std::size_t index, double end, double h) {
    auto const at = [&](double step) {
      LongSteps run(text, step);
      run.run_to(end);
      return run.q(index);
    };
    double const exact = at(h / 64);
    return std::log2(std::abs(at(h) - exact) / std::abs(at(h / 2) - exact));
  };
  EXPECT_GE(order(pendulum, 2, .5, 2e-3), 1.9);
  EXPECT_GE(order(top, 4, .2, 2e-3), 1.9);
  EXPECT_GE(order(spring(1e3), 0, .5, 2e-3), 1.9);
  EXPECT_GE(order(chain(3), 2, .2, 2e-3), 1.9);
  // A box turns over its corner, which sticks or slides: rows on v_mid leave a velocity there at the end of each step.
  for (std::string const law : {"mu=\"5\"", "mu=\"5\" restitution=\"0.3\"", ""})
    EXPECT_GE(order(tipping_box(0, law), 2, .15, 1e-3), 1.9) << law;
  EXPECT_GE(order(tipping_box(-.8, "mu=\"5\""), 2, .15, 1e-3), 1.9);
}

// Steps of 20 ms would be wrong by radians. Against a run with a step so short that its error is below 1e-8.
TEST(NonsmoothStepper, DividesStepsByItsTolerance) {
  for (std::string const& text : {pendulum, chain(3)}) {
    LongSteps exact(text, 1e-5);
    exact.run_to(.3);
    double last = 1;
    for (double const tolerance : {1e-3, 1e-5, 1e-7}) {
      LongSteps run(text, 2e-2, tolerance);
      run.run_to(.3);
      double const error = std::abs(run.q(2) - exact.q(2));
      EXPECT_LT(error, 1e3 * tolerance);
      EXPECT_LT(error, last / 4);
      last = error;
    }
  }
}

// A ball that bounces with 0.5 within a long step, and comes to rest: the exact motion is made of parabolas.
TEST(NonsmoothStepper, DividesStepsAndKeepsBouncesAtTheirTime) {
  LongSteps run(down +
                    "<body name=\"p\" type=\"point\" mass=\"1\"><initial position=\"0 1\"/></body>"
                    "<contact name=\"c\" point=\"p\" restitution=\"0.5\"/>",
                5e-2, 1e-9);
  double const fall = std::sqrt(2 / 9.81);
  run.run_to(1.5 * fall);  // the first apex, at a quarter of the height
  EXPECT_NEAR(run.q(1), .25, 1e-9);
  EXPECT_NEAR(run.v(1), 0, 1e-8);
  run.run_to(3.5 * fall);
  EXPECT_NEAR(run.q(1), 0, 1e-9);
}

// Two capsules rattle between walls. Each part of a step has impacts, however often it is divided.
TEST(NonsmoothStepper, DividesStepsForImpactsAFewTimesOnly) {
  std::string text = " dimension=\"3\"><gravity acceleration=\"0 0 -9.81\"/>";
  text +=
      "<body name=\"b0\" type=\"rigid\" density=\"1000\"><capsule radius=\"0.069\" half_length=\"0.172\"/>"
      "<initial position=\"-0.004 -0.008 0.6\" rotation=\"0.654 -0.550 0.105\" velocity=\"-0.473 0.095 0\" "
      "angular_velocity=\"-2.638 -0.440 -2.373\"/></body>"
      "<body name=\"b1\" type=\"rigid\" density=\"1000\"><capsule radius=\"0.052\" half_length=\"0.129\"/>"
      "<initial position=\"-0.033 -0.005 1.4\" rotation=\"-0.621 0.438 -0.983\" velocity=\"-0.435 0.176 0\" "
      "angular_velocity=\"-1.930 1.471 4.073\"/></body>"
      "<body name=\"w\" type=\"fixed\"><plane name=\"l\" normal=\"1 0 0\" position=\"-.4 0 0\"/>"
      "<plane name=\"r\" normal=\"-1 0 0\" position=\"0.4 0 0\"/>"
      "<plane name=\"f\" normal=\"0 1 0\" position=\"0 -.4 0\"/>"
      "<plane name=\"b\" normal=\"0 -1 0\" position=\"0 .4 0\"/></body>"
      "<contacts name=\"c\" mu=\"0.5\" restitution=\"0.5\"/>";
  LongSteps run(text, 1e-2, 1e-6);
  double const start = run.energy();
  run.run_to(1);
  EXPECT_LT(run.rejected(), 100 * 40);
  EXPECT_LE(run.energy(), start * (1 + 1e-9));
}

TEST(NonsmoothStepper, KeepsABlockStillBelowTheFrictionAngleAndLetsItSlideAboveIt) {
  auto const slid = [](double mu) {
    LongSteps run(
        "><gravity acceleration=\"4.905 -8.495709211\"/><body name=\"b\" type=\"planar\" mass=\"1\"><box "
        "half_size=\".2 .1\"/><initial position=\"0 .1\"/></body><contact name=\"c\" point=\"b\" mu=\"" +
            format_number(mu) + "\"/>",
        1e-2);
    run.run_to(1);
    return run.q(0);
  };
  // tan 30 degrees is .57735.
  EXPECT_NEAR(slid(.58), 0, 1e-15);
  EXPECT_NEAR(slid(.5), .5 * (4.905 - .5 * 8.495709211), 1e-6);
}

// Mechanisms of the library at h = 1e-3: no gain, joints closed. The governor and the four-bars are the hard ones.
TEST(NonsmoothStepper, IsStableOnTheIFToMMProblems) {
  for (std::string const name : {"iftomm_a01_pendulum", "iftomm_a02_four_bar_2", "iftomm_a04_bricard",
                                 "iftomm_a05_governor", "four_bar", "spinning_top"}) {
    SceneRun run(name, {{"solver.stepper", 2}, {"solver.step", 1e-3}});
    double const start = run.get("energy.total");
    for (int k = 1; k <= 20; ++k) {
      run.run_to(.05 * k);
      EXPECT_LE(run.get("energy.total"), start + 1e-9 * (1 + std::abs(start))) << name << " at " << .05 * k;
    }
    EXPECT_GE(run.get("energy.total"), start - 1e-3 * (1 + std::abs(start))) << name;
  }
}

// Second order cannot have twelve digits, and rounding leaves fewer.
TEST(NonsmoothStepper, SaysOnceThatAToleranceIsNotKept) {
  int told = 0;
  SceneRun run(example_model("pendulum"), {{"solver.stepper", 4}, {"solver.tolerance", 1e-13}},
               [&](Status, std::string_view, std::string_view message) {
                 told += message.find("is not kept") != std::string_view::npos;
               });
  run.run_to(.02, 10);
  EXPECT_EQ(told, 1);
}

// Its difference from the relaxed stepper is that of the step, to the square of it: both solve the same model.
TEST(NonsmoothStepper, ComesToTheMotionOfTheRelaxedStepperInASliderCrank) {
  auto const angle_after = [](std::map<std::string, double> const& settings) {
    SceneRun run("slider_crank", settings);
    run.run_to(.2, 200);
    return run.get("crank.angle");
  };
  double const exact = angle_after({{"solver.tolerance", 1e-10}});
  double const coarse = angle_after({{"solver.stepper", 2}, {"solver.step", 1e-3}}) - exact,
               fine = angle_after({{"solver.stepper", 2}, {"solver.step", 1e-4}}) - exact;
  EXPECT_LE(std::abs(coarse), 5e-3);
  EXPECT_LE(std::abs(fine), std::abs(coarse) / 30);
}

}  // namespace
}  // namespace delassus::test
