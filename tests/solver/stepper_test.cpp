// What every stepper owes: no allocation once it runs, a state that is complete, and failures that leave it
// untouched.
#include "solver/time/stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/scene_run.hpp"
#include "tests/support/scenes/joined_text.hpp"
#include "tests/support/scenes/scene_motion.hpp"

namespace delassus {
namespace {

class Steppers : public testing::TestWithParam<StepperKind> {
 protected:
  Scene scene = read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/painleve_rod.xml");
  SceneSystem system{scene};
  std::vector<double> parameters = scene.default_parameters(), inputs = scene.default_inputs();

  std::unique_ptr<Stepper> started(double tolerance = 1e-8) const {
    StepperSettings settings;
    settings.kind = GetParam();
    settings.tolerance = tolerance;
    auto stepper = make_stepper(system, settings);
    std::vector<double> q(3), v(3);
    system.initial_state(parameters, inputs, q, v);
    stepper->start(0, q, v);
    return stepper;
  }
};

TEST_P(Steppers, DoNotAllocateOnceTheyRun) {
  auto const stepper = started();
  stepper->advance(.02, inputs, parameters);
  stepper->advance(.03, inputs, parameters);
  long const before = test::allocation_count;
  for (int k = 0; k < 100; ++k) stepper->advance(.03 + .001 * (k + 1), inputs, parameters);
  EXPECT_EQ(test::allocation_count - before, 0);
}

TEST_P(Steppers, ContinueFromATakenStateInAnotherStepperToTheSameBits) {
  auto const first = started(), second = started();
  first->advance(.0123, inputs, parameters);
  second->restore(first->state());
  for (double const t : {.0124, .02, .05, .1}) {
    first->advance(t, inputs, parameters);
    second->advance(t, inputs, parameters);
    EXPECT_EQ(first->state(), second->state()) << t;
  }
}

TEST_P(Steppers, StayWhereTheyAreWhenAStepFails) {
  auto const stepper = started();
  stepper->advance(.01, inputs, parameters);
  StepperState const before = stepper->state();
  std::vector<double> const absurd{1e308, 1e308, 1e308};
  EXPECT_THROW(stepper->advance(.02, absurd, parameters), StepFailure);
  EXPECT_EQ(stepper->state(), before);
  stepper->advance(.02, inputs, parameters);
  auto const undisturbed = started();
  undisturbed->advance(.01, inputs, parameters);
  undisturbed->advance(.02, inputs, parameters);
  EXPECT_EQ(stepper->state().x, undisturbed->state().x);
}

INSTANTIATE_TEST_SUITE_P(Of, Steppers,
                         testing::Values(StepperKind::relaxed, StepperKind::nonsmooth, StepperKind::implicit),
                         [](auto const& test) {
                           return std::string(stepper_enumeration().name_of(static_cast<int>(test.param)));
                         });

// Towards the end of an impact, where the time scale is delta: a hundredth of the tolerance gives a smaller
// error.
TEST(RelaxedStepper, FollowsItsTolerance) {
  auto const velocity = [](double tolerance) {
    SceneRun run("impact", {{"solver.tolerance", tolerance}});
    run.run_to(.02);
    return run.get("ball.velocity");
  };
  // q'' + (2 zeta/delta) q' + q/delta^2 = 0 while the force is positive; zeta = 0.2, delta = 0.01, q(0) = 0,
  // q'(0) = -1.
  double const zeta = .2, tau = 2, w = std::sqrt(1 - zeta * zeta);
  double const exact = -std::exp(-zeta * tau) * (std::cos(w * tau) - zeta / w * std::sin(w * tau));
  double previous = 1;
  for (double const tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    double const error = std::abs(velocity(tolerance) - exact);
    EXPECT_LT(error, 100 * tolerance);
    EXPECT_LT(error, previous);
    previous = error;
  }
}

// On a slope with mu = tan(angle) friction takes of the speed what gravity gives downhill, so that their sum stays, however the
// path bends.
TEST(Steppers, TurnFrictionWithTheSlipOnACurvedPath) {
  constexpr double angle = 0.35, speed = 2;
  auto const error = [&](StepperKind kind, double step) {
    StepperSettings settings;
    settings.kind = kind;
    settings.step = step;
    SceneMotion motion(
        text("<scene name='slope' dimension='3'><gravity acceleration='0 0 -9.81'/><body name='s' "
             "type='fixed'><plane normal='",
             -std::sin(angle), " 0 ", std::cos(angle),
             "'/></body><body name='p' type='point' mass='1'><initial velocity='0 ", speed,
             " 0'/></body><contact name='c' point='p' with='s' mu='", std::tan(angle), "'/></scene>"),
        settings);
    motion.run_to(1);
    auto const v = motion.stepper().v();
    double const downhill = -(v[0] * std::cos(angle) + v[2] * std::sin(angle));
    return std::abs(std::hypot(v[0], v[1], v[2]) + downhill - speed);
  };
  EXPECT_LT(error(StepperKind::nonsmooth, 1e-2), 1e-4);
  EXPECT_LT(error(StepperKind::nonsmooth, 1e-3), 1e-6);
  // Of first order in delta, which is 1 ms, and in the step.
  EXPECT_LT(error(StepperKind::relaxed, 1e-3), 4e-3);
  EXPECT_LT(error(StepperKind::implicit, 1e-3), 4e-3);
}

}  // namespace
}  // namespace delassus
