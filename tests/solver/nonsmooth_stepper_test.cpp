// The stepper for long steps: energy and momentum, order, stiff springs and contacts, friction, mechanisms.
#include "solver/time/nonsmooth_stepper.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>

#include "model/scene/number.hpp"
#include "tests/support/scene_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

// A scene in the stepper alone, so that energy can be asked for after every step.
class LongSteps {
 public:
  // With a tolerance: nonsmooth_adaptive.
  LongSteps(std::string const& text, double step, double tolerance = 0)
      : scene_(compile_scene(read_scene_source("<scene name=\"s\"" + text + "</scene>", "scene.xml"))),
        system_(scene_),
        parameters_(scene_.default_parameters()),
        inputs_(scene_.default_inputs()) {
    StepperSettings settings;
    settings.kind = tolerance > 0 ? StepperKind::nonsmooth_adaptive : StepperKind::nonsmooth;
    settings.step = step;
    settings.tolerance = tolerance;
    stepper_ = make_stepper(system_, settings);
    std::vector<double> q(static_cast<std::size_t>(system_.configuration_size()));
    std::vector<double> v(static_cast<std::size_t>(system_.velocity_size()));
    system_.initial_state(parameters_, inputs_, q, v);
    stepper_->start(0, q, v);
  }
  void run_to(double t) { rejected_ += stepper_->advance(t, inputs_, parameters_).rejected_steps; }
  long rejected() const { return rejected_; }
  double q(std::size_t i) const { return stepper_->q()[i]; }
  double v(std::size_t i) const { return stepper_->v()[i]; }
  double energy() const {
    Terms terms = system_.make_terms();
    Instant const at{stepper_->time(), stepper_->q(), stepper_->v(), inputs_, parameters_};
    system_.evaluate(at, terms);
    return kinetic_energy(terms, stepper_->v()) + system_.potential_energy(at);
  }
  // m, positive: the deepest of all contacts.
  double overlap() const {
    Terms terms = system_.make_terms();
    system_.evaluate({stepper_->time(), stepper_->q(), stepper_->v(), inputs_, parameters_}, terms);
    double deepest = 0;
    for (ConstraintBlock const& block : terms.blocks)
      deepest = std::max(deepest, -terms.Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)]);
    return deepest;
  }
  // The largest energy of a run beside that at its start, and what is lost at its end.
  struct Balance {
    double gained = 0, lost = 0, start = 0;
  };
  Balance balance(double end, int points) {
    Balance result;
    result.start = energy();
    for (int k = 1; k <= points; ++k) {
      run_to(end * k / points);
      result.gained = std::max(result.gained, energy() - result.start);
    }
    result.lost = result.start - energy();
    return result;
  }

 private:
  long rejected_ = 0;
  Scene scene_;
  SceneSystem system_;
  std::vector<double> parameters_, inputs_;
  std::unique_ptr<Stepper> stepper_;
};

std::string const down = "><gravity acceleration=\"0 -9.81\"/>";
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

// A mass meets a spring of 1e5 N/m with 1 m/s: it comes back with 1 m/s after half a period, for every step.
TEST(NonsmoothStepper, BouncesOffAKelvinVoigtContactWithItsOwnSpeed) {
  for (double const h : {1e-2, 1e-3, 1e-4}) {
    LongSteps run(
        "><body name=\"b\" type=\"point\" mass=\"1\"><initial position=\"0 0.0512\" velocity=\"0 "
        "-1\"/></body>"
        "<contact name=\"c\" point=\"b\" law=\"kelvin_voigt\" stiffness=\"1e5\"/>",
        h);
    run.run_to(.2);
    EXPECT_NEAR(run.v(1), 1, 1e-9) << h;
    double const exact = .2 - .0512 - 3.14159265358979 / std::sqrt(1e5);
    if (h < 1e-3) {
      EXPECT_NEAR(run.q(1), exact, 1e-5);
    }
  }
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

// Ten boxes on each other neither sink nor creep nor gain.
TEST(NonsmoothStepper, LeavesAStackAsItIs) {
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
TEST(NonsmoothStepper, LetsNoEnergyOfACrowdGrow) {
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

TEST(NonsmoothStepper, LeavesAWallAsItIs) {
  LongSteps run(wall(""), 1e-2);
  std::vector<double> before;
  for (std::size_t i = 0; i < 20 * 7; ++i) before.push_back(run.q(i));
  run.run_to(.5);
  for (std::size_t i = 0; i < 20 * 7; ++i) EXPECT_NEAR(run.q(i), before[i], 1e-7) << i;
}

// 36 boxes that spin between four walls, at a step in which each meets all of its neighbours: the ordering of their
// equations once wrote beyond its memory.
TEST(NonsmoothStepper, SurvivesBoxesThatMeetAllAroundInOneStep) {
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
TEST(NonsmoothStepper, ShowsTheWeightAsForceOfAStackThatHasFallen) {
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
TEST(NonsmoothStepper, BouncesACrowdWithItsRestitution) {
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
TEST(NonsmoothStepper, GivesNoBallOfACrowdMoreThanItsRestitution) {
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
TEST(NonsmoothStepper, BouncesEachBallOfACrowdAsIfItWereAlone) {
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
TEST(NonsmoothStepper, PassesAnImpactThroughACradleInACrowd) {
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
TEST(NonsmoothStepper, KeepsTheEnergyOfACrowdThatBounces) {
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

// A spring without damping and a mass without weight: v becomes -v after pi sqrt(m/K), however stiff it is.
TEST(NonsmoothStepper, ReboundsFromSpringsOfAnyStiffnessAfterHalfAPeriod) {
  for (int digits = 4; digits <= 9; ++digits) {
    double const stiffness = std::pow(10, digits);
    LongSteps run(
        "><body name=\"m\" type=\"point\" mass=\"1\"><initial position=\"0 0.1\" velocity=\"0 -1\"/></body>"
        "<contact name=\"c\" point=\"m\" law=\"kelvin_voigt\" stiffness=\"" +
            format_number(stiffness) + "\"/>",
        1e-3, 1e-8);
    run.run_to(.5);
    EXPECT_NEAR(run.v(1), 1, 1e-5) << stiffness;
    EXPECT_NEAR(run.q(1), .4 - M_PI / std::sqrt(stiffness), 1e-5) << stiffness;
  }
}

std::string rubbing(double stiffness, double damping, std::string const& rest) {
  return "><gravity acceleration=\"0 -10\"/><body name=\"m\" type=\"point\" mass=\"1\"><initial position=\"0 "
         "-1e-5\" " +
         rest +
         "/></body><contact name=\"c\" point=\"m\" law=\"kelvin_voigt\" stiffness=\"1e6\" mu=\"0.5\" "
         "friction=\"compliant\" tangential_stiffness=\"" +
         format_number(stiffness) + "\" tangential_damping=\"" + format_number(damping) + "\"/>";
}

// v^2/(2 mu g), but for what the spring gives way by, mu m g/K and the time C/K that its force takes.
TEST(NonsmoothStepper, SlidesAsFarAsFrictionSaysWithTangentialSpringsOfAnyStiffness) {
  for (int digits = 4; digits <= 10; ++digits) {
    double const stiffness = std::pow(10, digits), give = 5 / stiffness;
    for (double const step : {1e-2, 1e-3}) {
      LongSteps run(rubbing(stiffness, 100, "velocity=\"2 0\""), step);
      run.run_to(1);
      EXPECT_NEAR(run.q(0), .4, 2 * give + 1e-3 * step) << stiffness << " " << step;
      EXPECT_NEAR(run.v(0), 0, 1e-2) << stiffness << " " << step;
    }
    LongSteps adaptive(rubbing(stiffness, 100, "velocity=\"2 0\""), 1e-3, 1e-8);
    adaptive.run_to(1);
    EXPECT_NEAR(adaptive.q(0), .4, 2 * give + 1e-6) << stiffness;
  }
}

// Sticking, a mass on the tangential spring swings with sqrt(K/m): x = v/omega sin(omega t).
TEST(NonsmoothStepper, SwingsOnATangentialSpringWithSecondOrder) {
  double const stiffness = 1e4, omega = 100, speed = .02;
  std::vector<double> errors;
  for (double const step : {1e-3, 5e-4}) {
    LongSteps run(rubbing(stiffness, 1e-6, "velocity=\"0.02 0\""), step);
    double const start = run.energy();
    run.run_to(.1);
    errors.push_back(std::abs(run.q(0) - speed / omega * std::sin(omega * .1)));
    EXPECT_NEAR(run.energy(), start, 1e-9);
  }
  EXPECT_GE(std::log2(errors[0] / errors[1]), 1.9);
}

TEST(NonsmoothStepper, GainsNoEnergyFromTangentialSprings) {
  for (double const stiffness : {1e2, 1e4, 1e6, 1e8}) {
    for (double const damping : {1e-3, 1.0, 1e3}) {
      for (double const step : {1e-2, 1e-3}) {
        LongSteps run(rubbing(stiffness, damping, "velocity=\"2 -0.3\""), step);
        EXPECT_LE(run.balance(1, 100).gained, 1e-9) << stiffness << " " << damping << " " << step;
      }
    }
  }
}

// Up to a million tons on a kilogram, and below it: every contact carries the weight above it.
TEST(NonsmoothStepper, CarriesTheWeightAboveWhateverTheMassesAre) {
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
TEST(NonsmoothStepper, DoesNotCallAHeavyBodyAWall) {
  LongSteps run(
      down +
          "<body name=\"a\" type=\"planar\" mass=\"1\"><sphere radius=\"0.1\"/><initial position=\"0 "
          "0.1\"/></body><body name=\"b\" type=\"planar\" mass=\"1e12\"><sphere "
          "radius=\"0.1\"/><initial position=\"0 0.2995\"/></body><contacts name=\"c\"/>",
      1e-3);
  EXPECT_NO_THROW(run.run_to(.02));
}

TEST(NonsmoothStepper, EndsWhereACompliantBodyIsPressedThroughTheGround) {
  LongSteps run(
      "><body name=\"press\" type=\"prescribed\"><box half_size=\"0.3 0.2\"/><initial position=\"0 "
      "0.4\"/><motion velocity=\"0 -1\"/></body><body name=\"box\" type=\"planar\" mass=\"1\"><box "
      "half_size=\"0.1 0.1\"/><initial position=\"0 0.1\"/></body><contact name=\"floor\" "
      "point=\"box\" law=\"kelvin_voigt\" stiffness=\"1e6\" damping=\"100\"/><contact name=\"top\" "
      "point=\"box\" with=\"press\" law=\"kelvin_voigt\" stiffness=\"1e6\" damping=\"100\"/>",
      1e-3);
  run.run_to(.2);  // each contact gives way by half of the way
  EXPECT_NEAR(run.q(4), 0, 1e-3);
  try {
    run.run_to(1);
    FAIL() << "the box is below the ground";
  } catch (StepFailure const& failure) {
    EXPECT_NE(std::string(failure.what()).find("as far as they are thick"), std::string::npos)
        << failure.what();
    EXPECT_EQ(failure.retry(), StepFailure::Retry::no_use);
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
}  // namespace delassus
