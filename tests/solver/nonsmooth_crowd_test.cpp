// The stepper for long steps with many bodies: stacks, walls, crowds that bounce, masses over many decades.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "model/scene/number.hpp"
#include "tests/support/scenes/long_steps.hpp"

namespace delassus::test {
namespace {

// Ten boxes on each other neither sink nor creep nor gain.
TEST(NonsmoothCrowd, LeavesAStackAsItIs) {
  SceneRun run("box_stack", {{"solver.stepper", 2}, {"solver.step", 1e-2}});
  run.run_to(2, 20);
  EXPECT_NEAR(run.get("box_10.position[3]"), 1.9, 1e-9);
  EXPECT_NEAR(run.get("box_10.position[1]"), 0, 1e-12);
  EXPECT_NEAR(run.get("box_1_ground.force[3]"), 10 * 9.81, 1e-6);
}

// A wall of 20 bricks, a floor and a ball: more than 64 contacts, which the stepper treats as a crowd.
std::string wall(std::string const& ball) {
  std::string text = " dimension=\"3\"><gravity acceleration=\"0 0 -9.81\"/>";
  for (int row = 0; row < 5; ++row) {
    for (int column = 0; column < 4; ++column) {
      double const x = .4 * (column - 1.5) + (row % 2 == 0 ? -.1 : .1);
      text += "<body name=\"b" + std::to_string(4 * row + column) +
              "\" type=\"rigid\" density=\"2000\"><box half_size=\".2 .1 .1\"/><initial position=\"" +
              format_number(x) + " 0 " + format_number(.1 + .2 * row) + "\"/></body>";
    }
  }
  return text + ball + "<contacts name=\"all\" mu=\"0.5\"/>";
}

// What is moved apart may be lifted by micrometres: 640 kg by 1 um is 6e-3 J.
TEST(NonsmoothCrowd, LetsNoEnergyOfACrowdGrow) {
  LongSteps run(wall("<body name=\"ball\" type=\"rigid\" mass=\"20\"><sphere radius=\".15\"/><initial "
                     "position=\"0 -.3 .5\" velocity=\"0 10 0\"/></body>"),
                1e-3);
  double before = run.energy();
  double const start = before;
  for (int k = 1; k <= 60; ++k) {
    run.run_to(1e-3 * k);
    EXPECT_LE(run.energy(), before + 1e-2) << "at " << 1e-3 * k;
    before = run.energy();
  }
  EXPECT_LT(before, start - 100);  // the ball's 1,000 J are mostly gone
}

TEST(NonsmoothCrowd, LeavesAWallAsItIs) {
  LongSteps run(wall(""), 1e-2);
  std::vector<double> before;
  for (std::size_t i = 0; i < 20 * 7; ++i) before.push_back(run.q(i));
  run.run_to(.5);
  for (std::size_t i = 0; i < 20 * 7; ++i) EXPECT_NEAR(run.q(i), before[i], 1e-7) << i;
}

// 36 boxes that spin between four walls, at a step in which each meets all of its neighbours: the ordering of their
// equations once wrote beyond its memory.
TEST(NonsmoothCrowd, SurvivesBoxesThatMeetAllAroundInOneStep) {
  LongSteps run(
      "><body name=\"w\" type=\"fixed\"><plane name=\"a\" normal=\"1 0\" position=\"-1 0\"/><plane "
      "name=\"b\" normal=\"-1 0\" position=\"1 0\"/><plane name=\"c\" normal=\"0 1\" position=\"0 "
      "-1\"/><plane name=\"d\" normal=\"0 -1\" position=\"0 1\"/></body><body name=\"p\" "
      "type=\"planar\" density=\"1000\"><box half_size=\"0.08 0.04\"/><initial position=\"-0.85 "
      "-0.85\" velocity=\"3 2\" angular_velocity=\"20\"/><lattice count=\"6 6\" spacing=\"0.34 "
      "0.34\"/></body><contacts name=\"c\" restitution=\"1\" between=\"p_* w\"/>",
      .1);
  double const start = run.energy();
  run.run_to(.2);
  EXPECT_LE(run.energy(), start * (1 + 1e-9));
}

// A stack that has fallen on itself: its boxes may still overlap by 1e-7 m, which is no force.
TEST(NonsmoothCrowd, ShowsTheWeightAsForceOfAStackThatHasFallen) {
  std::string text = "<scene name=\"s\"" + down;
  for (int i = 0; i < 5; ++i) {
    std::string const name = "b" + std::to_string(i);
    text += "<body name=\"" + name +
            "\" type=\"planar\" mass=\"1\"><box half_size=\"0.1 0.1\"/><initial position=\"" +
            format_number(.03 * (i % 2)) + " " + format_number(.1 + .21 * i) +
            "\"/></body><contact name=\"c" + std::to_string(i) + "\" point=\"" + name + "\" " +
            (i > 0 ? "with=\"b" + std::to_string(i - 1) + "\" " : "") + "mu=\"0.5\" restitution=\"0.3\"/>";
  }
  SceneRun run(
      std::make_shared<const SceneModel>(compile_scene(read_scene_source(text + "</scene>", "s.xml"))));
  run.run_to(3, 30);
  for (int i = 0; i < 5; ++i) {
    std::string const name = "c" + std::to_string(i);
    EXPECT_NEAR(run.get(name + ".force[2]"), 9.81 * (5 - i), 1e-3) << i;
    EXPECT_NEAR(run.get(name + ".force[1]"), 0, 1e-3) << i;
  }
}

// A hundred balls that fall together are a crowd, too, and each keeps half of its speed. In a crowd an impact comes at
// the beginning of its step, so that times are exact to the step.
TEST(NonsmoothCrowd, BouncesACrowdWithItsRestitution) {
  std::string text = down +
                     "<body name=\"p\" type=\"point\" mass=\"1\"><sphere radius=\"0.01\"/><initial "
                     "position=\"0 1.01\"/><lattice "
                     "count=\"100 1\" spacing=\"1 1\"/></body><contacts name=\"c\" restitution=\"0.5\"/>";
  LongSteps run(text, 1e-3);
  double highest = 0;
  double const meets = std::sqrt(2 / 9.81);
  for (int k = 0; k <= 100; ++k) {
    run.run_to(meets + .01 + 5e-3 * k);
    for (std::size_t i = 0; i < 100; ++i) highest = std::max(highest, run.q(2 * i + 1));
  }
  EXPECT_NEAR(highest, .26, 5e-3);
}

// A bounce comes up to a step before the ball touches. The height that it would have lost until then is left out: no ball
// gets more than e^2 of its energy, nor less than that but for what a step of first order takes, 1/2 (g h)^2.
TEST(NonsmoothCrowd, GivesNoBallOfACrowdMoreThanItsRestitution) {
  for (double const e : {.3, .5, .8, 1.0}) {
    // Each falls 4.4 mm in the step in which it meets the ground: at another part of it.
    for (double const height : {1.0, 1.001, 1.002, 1.003}) {
      LongSteps run(
          down +
              "<body name=\"p\" type=\"point\" mass=\"1\"><sphere radius=\"0.01\"/><initial position=\"0 " +
              format_number(height + .01) +
              "\"/><lattice count=\"100 1\" spacing=\"1 1\"/></body><contacts name=\"c\" restitution=\"" +
              format_number(e) + "\"/>",
          1e-3);
      run.run_to(.46);
      double const exact = e * e * 9.81 * height;
      for (std::size_t i = 0; i < 100; ++i) {
        double const v = run.v(2 * i + 1), energy = v * v / 2 + 9.81 * (run.q(2 * i + 1) - .01);
        ASSERT_LE(energy, exact * (1 + 1e-5)) << e << ", from " << height << ", ball " << i;
        ASSERT_GE(energy, exact * (1 - 1e-2)) << e << ", from " << height << ", ball " << i;
      }
    }
  }
}

// The same without gravity, where every ball has one impact: its velocity is e, but for the residual of a crowd, whatever
// e is and whatever the others do.
TEST(NonsmoothCrowd, BouncesEachBallOfACrowdAsIfItWereAlone) {
  for (double const e : {0.0, .1, .3, .5, .7, .9, 1.0}) {
    LongSteps run(
        " dimension=\"3\"><body name=\"p\" type=\"rigid\" mass=\"1\"><sphere "
        "radius=\"0.1\"/><initial position=\"0 0 .2\" velocity=\"0 0 -1\"/><lattice count=\"10 10 "
        "1\" spacing=\"1 1 1\" shift=\".01 .02 0\"/></body><contacts name=\"c\" restitution=\"" +
            format_number(e) + "\"/>",
        1e-3);
    run.run_to(.15);
    for (std::size_t i = 0; i < 100; ++i) {
      ASSERT_NEAR(run.v(6 * i + 2), e, 1e-4) << e << ", ball " << i;
      ASSERT_NEAR(run.v(6 * i), 0, 1e-4) << e << ", ball " << i;
    }
  }
}

// Newton's cradle, beside points at rest that make a crowd of it. Balls that touch meet at once: with e = 1 their
// velocities are 2 v_C - v, where v_C = 1/5 is that of all together. With gaps between them they meet in turn, though
// within one step, and the last one leaves.
TEST(NonsmoothCrowd, PassesAnImpactThroughACradleInACrowd) {
  for (double const gap : {0.0, 1e-4, 2e-4}) {
    std::string text = ">";
    for (int i = 0; i < 5; ++i) {
      text += "<body name=\"b" + std::to_string(i) +
              "\" type=\"point\" mass=\"1\"><sphere radius=\".05\"/><initial position=\"" +
              format_number(i * (.1 + gap)) + " 5\" velocity=\"" + (i == 0 ? "1" : "0") + " 0\"/></body>";
    }
    text +=
        "<body name=\"p\" type=\"point\" mass=\"1\"><initial position=\"0 0\"/><lattice count=\"70 1\" "
        "spacing=\"1 1\"/></body>";
    LongSteps run(text + "<contacts name=\"c\" restitution=\"1\"/>", 1e-3);
    run.run_to(.05);
    for (std::size_t i = 0; i < 5; ++i) {
      double const apart = i == 4 ? 1 : 0, together = i == 0 ? -.6 : .4;
      EXPECT_NEAR(run.v(2 * i), gap > 0 ? apart : together, 1e-4) << gap << ", ball " << i;
    }
  }
}

// Boxes and balls between six walls, e = 1, no friction: energy stays, though somewhere something is met in every step,
// from a corner that turns into it to a ball between two others.
TEST(NonsmoothCrowd, KeepsTheEnergyOfACrowdThatBounces) {
  std::string walls = "<body name=\"w\" type=\"fixed\">";
  for (std::string const axis : {"1 0 0", "0 1 0", "0 0 1"}) {
    walls += "<plane name=\"a" + axis.substr(0, 1) + axis.substr(2, 1) + "\" normal=\"" + axis +
             "\" position=\"-1 -1 -1\"/>";
    std::string other;
    for (char const digit : axis) other += digit == '1' ? std::string("-1") : std::string(1, digit);
    walls += "<plane name=\"b" + axis.substr(0, 1) + axis.substr(2, 1) + "\" normal=\"" + other +
             "\" position=\"1 1 1\"/>";
  }
  walls += "</body>";
  std::minstd_rand engine(7);
  auto const random = [&](double most) {
    return format_number(most * (2 * static_cast<double>(engine() - 1) / 2147483645.0 - 1));
  };
  for (std::string const shape : {"<box half_size=\".18 .18 .18\"/>", "<sphere radius=\".2\"/>"}) {
    std::string text = " dimension=\"3\">" + walls;
    for (int i = 0; i < 64; ++i) {
      int const row = i / 4 % 4, layer = i / 16;
      text += "<body name=\"p" + std::to_string(i) + "\" type=\"rigid\" density=\"1000\">" + shape +
              "<initial position=\"" + format_number(.5 * (i % 4) - .75) + " " +
              format_number(.5 * row - .75) + " " + format_number(.5 * layer - .75) + "\" velocity=\"" +
              random(5) + " " + random(5) + " " + random(5) + "\" angular_velocity=\"" + random(5) + " " +
              random(5) + " " + random(5) + "\"/></body>";
    }
    LongSteps run(text + "<contacts name=\"c\" restitution=\"1\" between=\"p* w\"/>", 1e-3);
    double const start = run.energy();
    for (int k = 1; k <= 20; ++k) {
      run.run_to(.01 * k);
      EXPECT_LE(run.energy(), start * (1 + 1e-9)) << shape << " at " << .01 * k;
    }
    EXPECT_GE(run.energy(), start * (1 - 1e-4)) << shape;
  }
}

// Up to a million tons on a kilogram, and below it: every contact carries the weight above it.
TEST(NonsmoothCrowd, CarriesTheWeightAboveWhateverTheMassesAre) {
  for (std::string const shape : {"<sphere radius=\"0.1\"/>", "<box half_size=\"0.1 0.1\"/>"}) {
    for (double const heavy : {1e3, 1e6, 1e9}) {
      for (int const at : {0, 2}) {
        std::string text = "<scene name=\"s\"><gravity acceleration=\"0 -10\"/>";
        double weight = 0;
        for (int i = 0; i < 3; ++i) {
          double const mass = i == at ? heavy : 1;
          weight += 10 * mass;
          text += "<body name=\"b" + std::to_string(i) + "\" type=\"planar\" mass=\"" + format_number(mass) +
                  "\">" + shape + "<initial position=\"0 " + format_number(.1 + .2 * i) +
                  "\"/></body><contact name=\"c" + std::to_string(i) + "\" point=\"b" + std::to_string(i) +
                  "\"" + (i == 0 ? "" : " with=\"b" + std::to_string(i - 1) + "\"") + " mu=\"0.5\"/>";
        }
        SceneRun run(
            std::make_shared<const SceneModel>(compile_scene(read_scene_source(text + "</scene>", "s.xml"))));
        run.run_to(.1, 10);
        for (int i = 0; i < 3; ++i) {
          EXPECT_NEAR(run.get("c" + std::to_string(i) + ".force[2]"), weight, 1e-6 * weight + 1e-13 * heavy)
              << shape << heavy << " at " << at << ", contact " << i;
          weight -= 10 * (i == at ? heavy : 1);
        }
      }
    }
  }
}

// It falls, and is not called squeezed: a body of 1e12 kg can move.
TEST(NonsmoothCrowd, DoesNotCallAHeavyBodyAWall) {
  LongSteps run(
      down +
          "<body name=\"a\" type=\"planar\" mass=\"1\"><sphere radius=\"0.1\"/><initial position=\"0 "
          "0.1\"/></body><body name=\"b\" type=\"planar\" mass=\"1e12\"><sphere "
          "radius=\"0.1\"/><initial position=\"0 0.2995\"/></body><contacts name=\"c\"/>",
      1e-3);
  EXPECT_NO_THROW(run.run_to(.02));
}

}  // namespace
}  // namespace delassus::test
