// What every stepper owes: no allocation once it runs, a state that is complete, and failures that leave it
// untouched.
#include "solver/time/stepper.hpp"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/scene_run.hpp"

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

}  // namespace
}  // namespace delassus
