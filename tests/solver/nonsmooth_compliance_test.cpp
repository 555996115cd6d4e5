// The stepper for long steps with compliant contacts and friction, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/scene/number.hpp"
#include "tests/support/scenes/long_steps.hpp"

namespace delassus::test {
namespace {

// A mass meets a spring of 1e5 N/m with 1 m/s: it comes back with 1 m/s after half a period, for every step.
TEST(NonsmoothCompliance, BouncesOffAKelvinVoigtContactWithItsOwnSpeed) {
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

// A spring without damping and a mass without weight: v becomes -v after pi sqrt(m/K), however stiff it is.
TEST(NonsmoothCompliance, ReboundsFromSpringsOfAnyStiffnessAfterHalfAPeriod) {
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
TEST(NonsmoothCompliance, SlidesAsFarAsFrictionSaysWithTangentialSpringsOfAnyStiffness) {
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
TEST(NonsmoothCompliance, SwingsOnATangentialSpringWithSecondOrder) {
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

TEST(NonsmoothCompliance, GainsNoEnergyFromTangentialSprings) {
  for (double const stiffness : {1e2, 1e4, 1e6, 1e8}) {
    for (double const damping : {1e-3, 1.0, 1e3}) {
      for (double const step : {1e-2, 1e-3}) {
        LongSteps run(rubbing(stiffness, damping, "velocity=\"2 -0.3\""), step);
        EXPECT_LE(run.balance(1, 100).gained, 1e-9) << stiffness << " " << damping << " " << step;
      }
    }
  }
}

TEST(NonsmoothCompliance, EndsWhereACompliantBodyIsPressedThroughTheGround) {
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

}  // namespace
}  // namespace delassus::test
