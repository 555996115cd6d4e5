// The impact laws of Newton and Poisson in the steppers that have them: what a scene asks for is what it gets.
#include "solver/time/impact.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <sstream>

#include "model/scene/number.hpp"
#include "tests/support/scene_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

std::shared_ptr<const SceneModel> model_of(std::string const& text) {
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(text, "scene.xml")));
}

std::string solver(std::string const& stepper, double step = 1e-3) {
  return "<solver stepper=\"" + stepper + "\" step=\"" + std::to_string(step) + "\" tolerance=\"1e-10\"/>";
}

class Bounces : public testing::TestWithParam<std::string> {};

// From free flight, 1 m/s without weight: the speed after it is e, for every delta and step.
TEST_P(Bounces, HaveTheRestitutionThatTheSceneAsksFor) {
  for (double const e : {0., .1, .3, .5, .7, .8, .9, 1.}) {
    for (double const delta : {1e-2, 1e-3, 1e-5}) {
      for (double const step : {1e-2, 1e-3, 1e-4}) {
        SceneRun run(model_of("<scene name=\"s\">" + solver(GetParam(), step) +
                              "<body name=\"b\" type=\"point\" mass=\"2\"><initial position=\"0 .0213\" "
                              "velocity=\"0 -1\"/></body><contact name=\"c\" point=\"b\" restitution=\"" +
                              std::to_string(e) + "\" delta=\"" + std::to_string(delta) + "\"/></scene>"));
        run.run_to(.1, 10);
        EXPECT_NEAR(run.get("b.velocity[2]"), e, 1e-9) << "e " << e << ", delta " << delta << ", h " << step;
      }
    }
  }
}

// Drop from H: apexes e^(2k) H, and the bouncing ends at sqrt(2 H/g) (1 + e)/(1 - e).
TEST_P(Bounces, ReachTheirApexesAndEndInTime) {
  double const e = .7, H = 1, g = 9.81, fall = std::sqrt(2 * H / g);
  auto const model = model_of("<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/>" + solver(GetParam()) +
                              "<body name=\"b\" type=\"point\" mass=\"1\"><initial position=\"0 1\"/></body>"
                              "<contact name=\"c\" point=\"b\" restitution=\"0.7\"/></scene>");
  SceneRun run(model);
  double impact = fall;
  for (int k = 1; k <= 10; ++k) {
    double const apex = impact + std::pow(e, k) * fall;
    run.run_to(apex, 20);
    double const wanted = std::pow(e, 2 * k) * H;
    EXPECT_NEAR(run.get("b.position[2]"), wanted, (GetParam() == "relaxed" ? 1e-6 : 1e-2) * wanted) << k;
    impact += 2 * std::pow(e, k) * fall;
  }
  double const end = fall * (1 + e) / (1 - e);
  run.run_to(end + 1e-3, 100);
  EXPECT_NEAR(run.get("b.position[2]"), 0, 1e-6);
  run.run_to(end + 1, 100);
  EXPECT_NEAR(run.get("b.position[2]"), 0, 1e-9);
  EXPECT_NEAR(run.get("b.velocity[2]"), 0, 1e-9);
}

std::string drop(int dimension, double height, double e, std::string const& stepper) {
  std::string const zeros = dimension == 2 ? "0 " : "0 0 ";
  return "<scene name=\"s\" dimension=\"" + std::to_string(dimension) + "\"><gravity acceleration=\"" +
         zeros + "-9.81\"/><solver stepper=\"" + stepper + "\"/><body name=\"b\" type=\"" +
         (dimension == 2 ? "planar" : "rigid") + "\" mass=\"1\"><sphere radius=\".1\"/><initial position=\"" +
         zeros + format_number(height) +
         "\"/></body><contact name=\"c\" point=\"b\" mu=\".3\" restitution=\"" + format_number(e) +
         "\"/></scene>";
}

// The bouncing of each of these 60 drops ends in time, and then the ball rests; a sixth of them ended the run.
TEST(RelaxedBounces, EndInTimeForEveryRestitutionAndHeight) {
  for (int const dimension : {2, 3}) {
    for (double const height : {.6, 1.1, 2.1}) {
      for (double const e : {.1, .2, .3, .4, .5, .6, .7, .8, .85, .9}) {
        SceneRun run(model_of(drop(dimension, height, e, "relaxed")));
        std::string const y = "b.position[" + std::to_string(dimension) + "]";
        double const end = std::sqrt(2 * (height - .1) / 9.81) * (1 + e) / (1 - e);
        double lowest = height;
        for (double t = .01; t < end; t += .01) {
          run.run_to(t);
          lowest = std::min(lowest, run.get(y));
        }
        run.run_to(end + 1e-3);
        EXPECT_NEAR(run.get(y), .1, 1e-6) << dimension << "D, height " << height << ", e " << e;
        run.run_to(end + .5, 50);
        EXPECT_NEAR(run.get(y), .1, 1e-9) << dimension << "D, height " << height << ", e " << e;
        EXPECT_GT(lowest, .1 - 1e-9) << dimension << "D, height " << height << ", e " << e;
      }
    }
  }
}

// With e = 1 they never end: after 30 bounces the apex is that of the start.
TEST(RelaxedBounces, NeverEndWithoutLoss) {
  SceneRun run(model_of(drop(2, .6, 1, "relaxed")));
  double const fall = std::sqrt(2 * .5 / 9.81);
  run.run_to(60 * fall, 1000);
  EXPECT_NEAR(run.get("b.position[2]"), .6, 1e-6);
}

// Bounces on two corners, of two balls on each other and down a slope come to an end, too, and create no energy.
TEST(RelaxedBounces, OfBoxesAndOfSeveralBallsEndWithoutMoreEnergy) {
  std::string const box = "<body name=\"b\" type=\"planar\" mass=\"2\"><box half_size=\".1 .1\"/>",
                    ball = "type=\"planar\" mass=\"1\"><sphere radius=\".1\"/><initial position=\"";
  for (std::string const e : {"0", ".3", ".5", ".8"}) {
    std::string const group = "<contacts name=\"all\" mu=\".5\" restitution=\"" + e + "\"/>";
    for (auto const& [gravity, bodies] : {
             std::pair{"0 -9.81", box + "<initial position=\"0 .5\"/></body>"},
             std::pair{"0 -9.81", box + "<initial position=\"0 .5\" angle=\"3deg\"/></body>"},
             std::pair{"0 -9.81", box + "<initial position=\"0 .5\" angle=\"44deg\"/></body>"},
             std::pair{"1.7 -9.66", "<body name=\"b\" " + ball + "0 .6\"/></body>"},
             std::pair{"0 -9.81", "<body name=\"b\" " + ball + "0 .3\"/></body><body name=\"d\" " + ball +
                                      ".001 .9\"/></body>"},
         }) {
      SceneRun run(model_of("<scene name=\"s\"><gravity acceleration=\"" + std::string(gravity) +
                            "\"/><solver stepper=\"relaxed\"/>" + bodies + group + "</scene>"));
      run.run_to(.001);
      double const energy = run.get("energy.total");
      for (int k = 1; k <= 80; ++k) {
        run.run_to(.1 * k);
        EXPECT_LE(run.get("energy.total"), energy * (1 + 1e-8)) << bodies << e << " at " << run.time();
      }
      EXPECT_NEAR(run.get("b.position[2]"), .1, 1e-6) << bodies << e;
      EXPECT_NEAR(run.get("b.velocity[2]"), 0, 1e-6) << bodies << e;
    }
  }
}

// After a bounce another corner of the same two boxes may come back at once, while the one before still leaves. The
// first pair is one that was met late and overlapped by 2 mm.
TEST(RelaxedBounces, OfBoxesInSpaceMissNoCorner) {
  std::string const first =
      "<body name=\"a\" type=\"rigid\" density=\"500\"><box half_size=\".06 .105 .163\"/><initial "
      "position=\"-.017 "
      ".002 .5\" rotation=\"-1.286 -.139 -.814\" velocity=\"1.185 -.481 .47\" angular_velocity=\"-6.193 "
      "-4.609 "
      "-1.119\"/></body><body name=\"b\" type=\"rigid\" density=\"8000\"><box half_size=\".199 .111 "
      ".173\"/><initial "
      "position=\"-.103 -.148 1.25\" rotation=\"-.931 .159 1.703\" velocity=\".952 -.947 -.217\" "
      "angular_velocity=\"-3.922 -.42 4.302\"/></body>";
  std::minstd_rand engine(5);
  auto const numbers = [&](int count, double low, double high) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += (i == 0 ? "" : " ") +
              format_number(low + (high - low) * static_cast<double>(engine() - 1) / 2147483645.0);
    return text;
  };
  for (int pair = 0; pair < 400; ++pair) {
    std::string bodies = pair == 0 ? first : "";
    for (int body = 0; pair > 0 && body < 2; ++body) {
      bodies += std::string("<body name=\"") + "ab"[body] + "\" type=\"rigid\" density=\"";
      bodies += numbers(1, 500, 8000) + "\"><box half_size=\"";
      bodies += numbers(3, .05, .2) + "\"/><initial position=\"";
      bodies += numbers(2, -.1, .1) + (body == 0 ? " 9\"" : " 9.8\" velocity=\"0 0 -3\"") + " rotation=\"";
      bodies += numbers(3, -2, 2) + "\" angular_velocity=\"";
      bodies += numbers(3, -14, 14) + "\"/></body>";
    }
    SceneRun run(model_of("<scene name=\"s\" dimension=\"3\"><solver stepper=\"relaxed\"/>" + bodies +
                          "<contacts name=\"pile\" restitution=\"1\"/></scene>"));
    double const start = run.get("energy.total");
    double deepest = 0;
    for (int k = 1; k <= 500; ++k) {
      run.run_to(1e-3 * k);
      deepest = std::max(deepest, run.get("pile.penetration"));
    }
    EXPECT_LT(deepest, 1e-6) << pair;
    EXPECT_NEAR(run.get("energy.total"), start, 1e-7 * start) << pair;
  }
}

// Friction is not the impact law: a mass that would bounce without loss slides v^2/(2 mu g) and stops.
TEST_P(Bounces, DoNotTakeFrictionAway) {
  for (double const e : {0., .5, 1.}) {
    SceneRun run(
        model_of("<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/>" + solver(GetParam(), 1e-3) +
                 "<body name=\"b\" type=\"point\" mass=\"1\"><initial position=\"0 0\" velocity=\"2 0\"/>"
                 "</body><contact name=\"c\" point=\"b\" mu=\".3\" delta=\"1e-6\" restitution=\"" +
                 std::to_string(e) + "\"/></scene>"));
    run.run_to(1.5, 150);
    EXPECT_NEAR(run.get("b.position[1]"), 4 / (2 * .3 * 9.81), 1e-6) << e;
    EXPECT_NEAR(run.get("b.velocity[1]"), 0, 1e-9) << e;
  }
}

// Oblique: the impulse is (1 + e) m v_n, friction takes at most mu times that from the slip.
TEST_P(Bounces, TakeTheSlipThatFrictionCanTake) {
  std::mt19937 engine(17);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 40; ++i) {
    double const e = unit(engine), mu = unit(engine), slip = 2 * unit(engine), fall = .2 + unit(engine);
    SceneRun run(
        model_of("<scene name=\"s\">" + solver(GetParam()) +
                 "<body name=\"b\" type=\"point\" mass=\"1.3\"><initial position=\"0 .01\" velocity=\"" +
                 format_number(slip) + " " + format_number(-fall) +
                 "\"/></body><contact name=\"c\" point=\"b\" mu=\"" + format_number(mu) +
                 "\" restitution=\"" + format_number(e) + "\"/></scene>"));
    run.run_to(.1, 10);
    EXPECT_NEAR(run.get("b.velocity[1]"), std::max(0., slip - mu * (1 + e) * fall), 1e-9) << i;
    EXPECT_NEAR(run.get("b.velocity[2]"), e * fall, 1e-9) << i;
  }
}

// A ball with spin in space: if friction suffices, the contact point stops, and 2/7 of its slip is left in v.
TEST_P(Bounces, TurnSpinIntoMotionInSpace) {
  SceneRun run(
      model_of("<scene name=\"s\" dimension=\"3\">" + solver(GetParam()) +
               "<body name=\"b\" type=\"rigid\" mass=\"1\"><sphere radius=\"0.1\"/><initial position=\"0 0 "
               ".11\" velocity=\"0 0 -1\" angular_velocity=\"0 5 0\"/></body><contact name=\"c\" point=\"b\" "
               "mu=\"1\" restitution=\"0.6\"/></scene>"));
  run.run_to(.1, 10);
  // The contact point moves with v - omega r = -.5 m/s; solid sphere: v changes by 2/7 of it.
  EXPECT_NEAR(run.get("b.velocity[1]"), 2. / 7 * .5, 1e-9);
  EXPECT_NEAR(run.get("b.angular_velocity[2]"), 5. * 2 / 7, 1e-8);
  EXPECT_NEAR(run.get("b.velocity[3]"), .6, 1e-9);
}

std::string cradle(std::string const& stepper, double gap, std::string const& impacts) {
  std::string text = "<scene name=\"s\"><solver stepper=\"" + stepper + "\" impacts=\"" + impacts + "\"/>";
  for (int i = 0; i < 5; ++i) {
    text += "<body name=\"b" + std::to_string(i) +
            "\" type=\"point\" mass=\"1\"><sphere radius=\".05\"/><initial position=\"" +
            format_number(i * (.1 + gap)) + " 0\" velocity=\"" + (i == 0 ? "1" : "0") + " 0\"/></body>";
  }
  for (int i = 0; i < 4; ++i) {
    text += "<contact name=\"c" + std::to_string(i) + "\" point=\"b" + std::to_string(i) + "\" with=\"b" +
            std::to_string(i + 1) + "\" restitution=\"1\"/>";
  }
  return text + "</scene>";
}

// theory.md, section 6: simultaneous (-.6, .4, .4, .4, .4); one after the other (0, 0, 0, 0, 1).
TEST_P(Bounces, OfACradleAreThoseOfTheOrderThatWasAskedFor) {
  SceneRun together(model_of(cradle(GetParam(), 0, "simultaneous"))),
      in_turn(model_of(cradle(GetParam(), 0, "sequential"))),
      with_gaps(model_of(cradle(GetParam(), 2e-4, "simultaneous")));
  for (SceneRun* run : {&together, &in_turn, &with_gaps}) run->run_to(.5, 50);
  for (int i = 0; i < 5; ++i) {
    std::string const speed = "b" + std::to_string(i) + ".velocity[1]";
    EXPECT_NEAR(together.get(speed), i == 0 ? -.6 : .4, 1e-9) << i;
    EXPECT_NEAR(in_turn.get(speed), i == 4 ? 1 : 0, 1e-9) << i;
    EXPECT_NEAR(with_gaps.get(speed), i == 4 ? 1 : 0, 1e-9) << i;
  }
}

// Newton's law with friction can create energy (Kane and Levinson 1985): then it gives way, and says so.
TEST_P(Bounces, NeverGainEnergy) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 12; ++i) {
    std::string const text =
        "<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/>" + solver(GetParam()) +
        "<body name=\"b\" type=\"planar\" mass=\"1\"><box half_size=\".2 .1\"/><initial "
        "position=\"0 .4\" angle=\"" +
        format_number(3 * unit(engine)) + "\" velocity=\"" + format_number(2 * unit(engine) - 1) +
        " 0\" angular_velocity=\"" + format_number(10 * unit(engine) - 5) +
        "\"/></body><contact name=\"c\" point=\"b\" mu=\"" + format_number(unit(engine)) +
        "\" restitution=\"" + format_number(unit(engine)) + "\"/></scene>";
    SceneRun run(model_of(text));
    double const start = run.get("energy.total");
    for (int k = 1; k <= 40; ++k) {
      run.run_to(.05 * k);
      // Relaxed contacts that hold a box closed store a little energy for a time of delta.
      EXPECT_LE(run.get("energy.total"), start + (GetParam() == "relaxed" ? 1e-3 : 1e-4))
          << i << " at " << .05 * k;
    }
  }
}

// A rod that meets the ground obliquely without loss: some of a hundred slips would gain energy by Newton's law.
TEST_P(Bounces, SayWhereTheLawWouldHaveCreatedEnergy) {
  int warned = 0;
  for (int i = 0; i < 100; ++i) {
    std::string log;
    SceneRun run(
        model_of("<scene name=\"s\">" + solver(GetParam()) +
                 "<body name=\"b\" type=\"planar\" mass=\"1\"><rod half_length=\".5\"/><point name=\"tip\" "
                 "fraction=\"-1\"/><initial point=\"tip\" position=\"0 .01\" angle=\"1\" velocity=\"" +
                 format_number(-2 + .04 * i) +
                 " -1\"/></body><contact name=\"c\" point=\"b.tip\" mu=\".5\" restitution=\"1\"/></scene>"),
        {}, [&](Status, std::string_view, std::string const& message) { log += message; });
    double const before = run.get("energy.total");
    run.run_to(.02, 2);
    EXPECT_LE(run.get("energy.total"), before + 1e-9) << i;
    warned += log.find("would have created energy") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(warned, 0);
  EXPECT_LT(warned, 100);
}

// Poisson's law. One contact without friction: P_C = m fall, P_E = e m fall, so it leaves with e fall, as by Newton's.
TEST_P(Bounces, OfPoissonEqualNewtonsForOneContactWithoutFriction) {
  for (double const e : {0., .3, .8, 1.}) {
    SceneRun run(model_of("<scene name=\"s\">" + solver(GetParam()) +
                          "<body name=\"b\" type=\"point\" mass=\"2\"><initial position=\"0 .0213\" "
                          "velocity=\".7 -1\"/></body><contact name=\"c\" point=\"b\" impact_law=\"poisson\" "
                          "restitution=\"" +
                          std::to_string(e) + "\"/></scene>"));
    run.run_to(.1, 10);
    EXPECT_NEAR(run.get("b.velocity[1]"), .7, 1e-12) << e;
    EXPECT_NEAR(run.get("b.velocity[2]"), e, 1e-9) << e;
  }
}

// Five touching balls of 1 kg, the first with 1 m/s. Compression: all move with 1/5 m/s, so contact i, which gives
// the balls after it their momentum, has P_C = (4 - i)/5 N s.
//  - e = 1 everywhere: P_E = P_C keeps all gaps from closing; velocities change twice by v_C - v_minus, which gives
//    (-.6, .4, .4, .4, .4), as Newton's law does.
//  - e = 1 at the last contact only. It had no speed, so by Newton's law all go on with .2. By Poisson's, its
//    expansion of 1/5 N s drives the last ball to .4 and the four others, which hold together, back by 1/20 each: to .15.
//  - the same where Newton's law has the first contact, with e = 0: still that.
//  - e = 1 at the last by Poisson and at the first by Newton: contact 0 ends with 1 m/s and the balls 1 to 3 with one
//    speed w, pushed by P_0 and -1/5. Then v_0 = .2 - P_0, w = .2 + (P_0 - .2)/3, w - v_0 = 1, so P_0 = .8,
//    which gives (-.6, .4, .4, .4, .4).
//  - in turn, contact after contact, each closes with 1 m/s: without friction as by Newton's law, (0, 0, 0, 0, 1).
TEST_P(Bounces, OfPoissonOpenTouchingBallsAsDerivedByHand) {
  auto const after = [&](std::array<std::string, 4> const& laws, std::string const& impacts, bool crowd) {
    std::string text =
        "<scene name=\"s\"><solver stepper=\"" + GetParam() + "\" impacts=\"" + impacts + "\"/>";
    for (int i = 0; i < 5; ++i) {
      text += "<body name=\"b" + std::to_string(i) +
              "\" type=\"point\" mass=\"1\"><sphere radius=\".05\"/><initial position=\"" +
              format_number(i * .1) + " 5\" velocity=\"" + (i == 0 ? "1" : "0") + " 0\"/></body>";
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += "<contact name=\"c" + std::to_string(i) + "\" point=\"b" + std::to_string(i) + "\" with=\"b" +
              std::to_string(i + 1) + "\" " + laws[i] + "/>";
    }
    // Points at rest on the ground make a crowd of it, whose impacts nonsmooth solves in its own way.
    for (int i = 0; crowd && i < 70; ++i) {
      std::string const name = "p" + std::to_string(i);
      text += "<body name=\"" + name + "\" type=\"point\" mass=\"1\"><initial position=\"" +
              std::to_string(i) + " 0\"/></body><contact name=\"g" + name + "\" point=\"" + name +
              "\" restitution=\"0\"/>";
    }
    SceneRun run(model_of(text + "</scene>"));
    run.run_to(.05, 5);
    std::array<double, 5> v{};
    for (std::size_t i = 0; i < 5; ++i) v[i] = run.get("b" + std::to_string(i) + ".velocity[1]");
    return v;
  };
  std::string const hard = "restitution=\"1\" impact_law=\"poisson\"",
                    soft = "restitution=\"0\" impact_law=\"poisson\"", newton_hard = "restitution=\"1\"",
                    newton_soft = "restitution=\"0\"";
  auto const expect = [](std::array<double, 5> const& v, std::array<double, 5> const& wanted, double error) {
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(v[i], wanted[i], error) << "ball " << i;
  };
  std::array<double, 5> const all_hard{-.6, .4, .4, .4, .4}, last_hard{.15, .15, .15, .15, .4};
  expect(after({hard, hard, hard, hard}, "simultaneous", false), all_hard, 1e-9);
  expect(after({soft, soft, soft, hard}, "simultaneous", false), last_hard, 1e-9);
  expect(after({newton_soft, soft, newton_soft, hard}, "simultaneous", false), last_hard, 1e-9);
  expect(after({newton_hard, soft, soft, hard}, "simultaneous", false), all_hard, 1e-9);
  expect(after({hard, hard, hard, hard}, "sequential", false), {0, 0, 0, 0, 1}, 1e-9);
  // The residual that is good enough in a crowd is 1e-5.
  if (GetParam() != "relaxed") expect(after({soft, soft, soft, hard}, "simultaneous", true), last_hard, 1e-4);
}

// A rod of 1 kg and 1 m at 45 degrees touches with its lower tip, with (1, -1) m/s, mu = 2, e = 1/2. With
// r = -(1, 1)/sqrt(8) and I = 1/12, A = [2.5 -1.5; -1.5 2.5]. Compression sticks: P_C = A^-1 (-1, 1) = (-.25, .25).
// Expansion: P_E,n = .125, and friction holds the tip with P_E,t = 1.5/2.5 P_E,n = .075: in the cone. The tip leaves with
// 2.5 .125 - 1.5 .075 = .2 m/s. Newton's law: P = A^-1 (-1, 1.5) = (-.0625, .5625), the tip leaves with .5 m/s.
TEST_P(Bounces, OfPoissonDifferFromNewtonsForAnObliqueRodAsDerivedByHand) {
  for (bool const poisson : {false, true}) {
    SceneRun run(
        model_of("<scene name=\"s\">" + solver(GetParam()) +
                 "<body name=\"b\" type=\"planar\" mass=\"1\"><rod half_length=\".5\"/><point name=\"tip\" "
                 "fraction=\"-1\"/><initial point=\"tip\" position=\"0 .01\" angle=\"" +
                 format_number(std::acos(-1) / 4) +
                 "\" velocity=\"1 -1\"/></body><contact name=\"c\" point=\"b.tip\" mu=\"2\" "
                 "restitution=\".5\" impact_law=\"" +
                 (poisson ? "poisson" : "newton") + "\"/></scene>"));
    run.run_to(.011, 1);
    double const P_t = poisson ? -.175 : -.0625, P_n = poisson ? .375 : .5625;
    EXPECT_NEAR(run.get("b.velocity[1]"), 1 + P_t, 1e-9) << poisson;
    EXPECT_NEAR(run.get("b.velocity[2]"), -1 + P_n, 1e-9) << poisson;
    EXPECT_NEAR(run.get("b.angular_velocity"), -12 / std::sqrt(8) * (P_n - P_t), 1e-8) << poisson;
  }
}

// In space with friction that suffices: a ball with spin. Compression stops the contact point, expansion acts on a
// point that has no slip: as by Newton's law, 2/7 of the slip are left in v. Groups have the law, too.
TEST_P(Bounces, OfPoissonTurnSpinIntoMotionInSpaceInGroups) {
  SceneRun run(
      model_of("<scene name=\"s\" dimension=\"3\">" + solver(GetParam()) +
               "<body name=\"b\" type=\"rigid\" mass=\"1\"><sphere radius=\"0.1\"/><initial position=\"0 0 "
               ".11\" velocity=\"0 0 -1\" angular_velocity=\"0 5 0\"/></body><contacts name=\"c\" "
               "mu=\"1\" restitution=\"0.6\" impact_law=\"poisson\"/></scene>"));
  run.run_to(.1, 10);
  EXPECT_NEAR(run.get("b.velocity[1]"), 2. / 7 * .5, 1e-9);
  EXPECT_NEAR(run.get("b.velocity[3]"), .6, 1e-9);
}

// 1,000 impacts with both steppers: two rods of random mass in a hinge, one or both tips meet the ground, friction
// and coefficients at random, one contact by Poisson's law and one by either.
TEST_P(Bounces, OfPoissonNeverGainEnergyInRandomImpacts) {
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> unit(0, 1);
  auto const number = [&](double low, double high) {
    return format_number(low + (high - low) * unit(engine));
  };
  int bounced = 0;
  for (int i = 0; i < 500; ++i) {
    auto const rod = [&](std::string const& name, double angle, double fraction) {
      return "<body name=\"" + name + "\" type=\"planar\" mass=\"" + number(.2, 5) +
             "\"><rod half_length=\".5\"/><point name=\"tip\" fraction=\"" + format_number(fraction) +
             "\"/><point name=\"top\" fraction=\"" + format_number(-fraction) +
             "\"/><initial point=\"top\" position=\"0 " + format_number(std::sin(1.) + 1e-4) + "\" angle=\"" +
             format_number(angle) + "\" velocity=\"" + number(-3, 3) + " " + number(-2, 0) +
             "\" angular_velocity=\"" + number(-4, 4) + "\"/></body>";
    };
    auto const contact = [&](std::string const& name, bool poisson) {
      return "<contact name=\"c" + name + "\" point=\"" + name + ".tip\" mu=\"" + number(0, 1.5) +
             "\" restitution=\"" + number(0, 1) + "\" impact_law=\"" + (poisson ? "poisson" : "newton") +
             "\"/>";
    };
    std::string text = "<scene name=\"s\">" + solver(GetParam());
    text += rod("a", 1, -1);
    text += rod("b", std::acos(-1) - 1, -1);
    text += contact("a", true);
    text += contact("b", unit(engine) < .5);
    text += "<joint name=\"j\" type=\"revolute\" a=\"a.top\" b=\"b.top\"/></scene>";
    SceneRun run(model_of(text));
    run.run_to(1e-7);  // the velocities now fit the hinge
    double const before = run.get("energy.total");
    run.run_to(.003);
    double const after = run.get("energy.total");
    // Beside what impacts do: relaxed joints drift by the tolerance of the integration.
    EXPECT_LE(after, before * (1 + 1e-6)) << i << "\n" << text;
    bounced += after < before * (1 - 1e-6) ? 1 : 0;
  }
  EXPECT_GT(bounced, 250);
}

// A sphere and a capsule that fall between walls and wedge each other: two points of one body, with the line between
// them in both cones, cannot both leave. An impact without bounce has a solution always, and is found.
TEST(Impacts, EndWhereBodiesAreWedged) {
  std::string log;
  SceneRun run(
      model_of(
          "<scene name=\"s\" dimension=\"3\"><gravity acceleration=\"0 0 -9.81\"/>"
          "<body name=\"b0\" type=\"rigid\" density=\"1000\"><sphere radius=\"0.129\"/>"
          "<initial position=\"0.002 -0.023 0.6\" rotation=\"-1.260 1.252 -1.325\" velocity=\"0.248 0.270 "
          "0\" angular_velocity=\"-2.931 -4.207 3.286\"/></body>"
          "<body name=\"b1\" type=\"rigid\" density=\"1000\"><capsule radius=\"0.091\" "
          "half_length=\"0.227\"/><initial position=\"-0.028 0.038 1.4\" rotation=\"-1.917 0.559 -0.518\" "
          "velocity=\"-0.266 -0.351 0\" angular_velocity=\"-2.419 -0.782 -3.665\"/></body>"
          "<body name=\"w\" type=\"fixed\"><plane name=\"l\" normal=\"1 0 0\" position=\"-.4 0 0\"/>"
          "<plane name=\"r\" normal=\"-1 0 0\" position=\"0.4 0 0\"/>"
          "<plane name=\"f\" normal=\"0 1 0\" position=\"0 -.4 0\"/>"
          "<plane name=\"b\" normal=\"0 -1 0\" position=\"0 .4 0\"/></body>"
          "<contacts name=\"c\" mu=\"2\" restitution=\"0.3\"/></scene>"),
      {}, [&](Status, std::string_view, std::string const& message) { log += message + "\n"; });
  double const start = run.get("energy.total");
  for (int k = 1; k <= 100; ++k) {
    run.run_to(.02 * k);
    EXPECT_LE(run.get("energy.total"), start * (1 + 1e-9)) << run.time();
  }
  // A contact force on the edge of jamming may be; no impact is.
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    bool const unsolved = line.find("iteration limit") != std::string::npos;
    EXPECT_FALSE(unsolved && line.find("impact") != std::string::npos) << line;
  }
}

// A rod hangs beside a wall in a hinge, where it touches the wall: the joint holds that point, and a contact without
// friction does nothing. Rounding of its velocity is no impact.
TEST(Impacts, AreNotMadeOfRoundingBesideAJoint) {
  auto const rod = [](std::string const& contact) {
    return "<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/><body name=\"p\" type=\"planar\" mass=\"1\">"
           "<capsule radius=\"0.02\" half_length=\"0.5\"/><point name=\"top\" position=\"-0.5 0\"/><initial "
           "position=\"0.5 0\"/></body><joint name=\"h\" type=\"revolute\" a=\"p.top\"/><body name=\"wall\" "
           "type=\"fixed\"><plane normal=\"1 0\" position=\"-0.02 0\"/></body>" +
           contact + "</scene>";
  };
  std::string log;
  SceneRun run(model_of(rod("<contact name=\"c\" point=\"p\" with=\"wall\" restitution=\"0.5\"/>")), {},
               [&](Status status, std::string_view, std::string const& message) {
                 if (status != Status::ok) log += message + "\n";
               });
  SceneRun alone(model_of(rod("")));
  run.run_to(.4, 400);
  alone.run_to(.4, 400);
  EXPECT_EQ(log, "");
  // The accuracy of steps of 1 ms, which a contact divides.
  EXPECT_NEAR(run.get("p.angle"), alone.get("p.angle"), 1e-5);
}

// A wheel rolls and sticks while an arm on it meets the limit of its hinge, or a ball falls on it: the normal impulse of
// the ground comes with the friction that it allows, and what was left of the slip before has its own. The result is that
// of (70), another scheme, to its first order; without that friction it differs by a quarter.
TEST(Impacts, OfSomethingElseLeaveAStickingContactItsFriction) {
  auto const wheel = [](std::string const& limit, std::string const& more) {
    return "<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/><body name=\"b\" type=\"planar\" mass=\"1\" "
           "inertia=\"0.05\"><sphere radius=\"0.1\"/><point name=\"t\" position=\"0 0.1\"/><initial "
           "position=\"0 "
           "0.1\"/></body><body name=\"arm\" type=\"planar\" mass=\"1\"><rod half_length=\"0.3\"/><point "
           "name=\"s\" "
           "fraction=\"-1\"/><initial point=\"s\" position=\"0 0.2\" angle=\"0.3\" angular_velocity=\"-3\" "
           "velocity=\"0 0\"/></body><joint name=\"j\" type=\"revolute\" a=\"arm.s\" b=\"b.t\"" +
           limit + "/><contact name=\"c\" point=\"b\" mu=\"0.5\"/>" + more + "</scene>";
  };
  std::string const ball =
      "<body name=\"h\" type=\"planar\" mass=\"0.5\"><sphere radius=\"0.05\"/><initial position=\"-0.06 "
      "0.45\" "
      "velocity=\"0 -1\"/></body><contact name=\"d\" point=\"h\" with=\"b.sphere\" mu=\"0.2\"/>";
  for (std::string const& text : {wheel(" lower=\"-0.8\"", ""), wheel("", ball)}) {
    auto const speed = [&](double stepper, double step) {
      SceneRun run(model_of(text), {{"solver.stepper", stepper}, {"solver.step", step}});
      run.run_to(.3, 30);
      return run.get("b.velocity[1]");
    };
    double const right = speed(3, 1e-5);
    for (double const step : {1e-3, 5e-4, 2e-4, 1e-4, 3e-5})
      EXPECT_NEAR(speed(2, step), right, 1e-3) << "nonsmooth, " << step;
    EXPECT_NEAR(speed(4, 1e-3), right, 1e-3) << "nonsmooth_adaptive";
  }
}

// A box falls on a corner, bounces there until it rests, turns over it, and rocks: the other corner meets the ground while
// the first one is held, and holds the friction of a contact that has not just bounced. Whatever the step, the motion is
// that of another scheme.
TEST(Impacts, OfARockingBoxAreThoseOfRelaxedAtEveryStep) {
  for (std::string const restitution : {"", "restitution=\"0\"", "restitution=\"0.3\""}) {
    auto const rocking = [](std::string const& law) {
      return model_of(
          "<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/><body name=\"b\" type=\"planar\" "
          "mass=\"1\"><box "
          "half_size=\"0.05 0.15\"/><initial position=\"0 0.25\" angle=\"12deg\"/></body><contact name=\"c\" "
          "point=\"b\" mu=\"0.5\" " +
          law + "/></scene>");
    };
    auto const model = rocking(restitution);
    // Without a restitution, relaxed softens impacts over delta.
    SceneRun right(rocking(restitution.empty() ? "restitution=\"0\"" : restitution), {{"solver.stepper", 1}});
    right.run_to(.5, 50);
    for (double const step : {1e-2, 1e-3, 1e-4}) {
      SceneRun run(model, {{"solver.stepper", 2}, {"solver.step", step}});
      run.run_to(.5, 50);
      EXPECT_NEAR(run.get("b.angle"), right.get("b.angle"), 1e-4) << restitution << ", step " << step;
      EXPECT_NEAR(run.get("b.angular_velocity"), right.get("b.angular_velocity"), 2e-3)
          << restitution << ", step " << step;
    }
  }
}

// Impulse and lever arm are the same for both, so both spin alike: friction acts half way through the overlap.
TEST(CompliantContacts, TurnTwoEqualDiscsAlikeWhicheverIsNamedFirst) {
  std::string const
      a = "<body name=\"a\" type=\"planar\" mass=\"1\"><sphere radius=\"0.1\"/><initial position=\"0 0\" "
          "velocity=\"4 0\"/></body>",
      b = "<body name=\"b\" type=\"planar\" mass=\"1\"><sphere radius=\"0.1\"/><initial position=\"0.25 "
          "0.1\"/></body>";
  std::string const law = "law=\"kelvin_voigt\" stiffness=\"2e4\" mu=\"0.5\"/></scene>";
  for (double const stepper : {1., 2., 4.}) {
    std::map<std::string, double> const settings{{"solver.stepper", stepper}, {"solver.step", 1e-4}};
    std::map<std::string, double> spins;
    for (bool const swapped : {false, true}) {
      SceneRun run(
          model_of("<scene name=\"s\">" + (swapped ? b + a : a + b) + "<contact name=\"c\" point=\"" +
                   (swapped ? "b\" with=\"a\" " : "a\" with=\"b\" ") + law),
          settings);
      run.run_to(.15, 15);
      for (std::string const body : {"a", "b"})
        spins[body + (swapped ? "'" : "")] = run.get(body + ".angular_velocity");
    }
    EXPECT_GT(spins["a"], 1) << stepper;
    EXPECT_NEAR(spins["a"], spins["b"], 1e-5) << stepper;
    EXPECT_NEAR(spins["a"], spins["a'"], 1e-5) << stepper;
    EXPECT_NEAR(spins["b"], spins["b'"], 1e-5) << stepper;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Bounces, testing::Values("relaxed", "nonsmooth", "nonsmooth_adaptive"),
                         [](auto const& test) { return test.param; });

}  // namespace
}  // namespace delassus
