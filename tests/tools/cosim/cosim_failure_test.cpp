// What a master makes of FMUs that fail in the middle of a run: what, where, when, and the rows until then.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/coupled_fmu.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

using test::CoupledFmu;
using test::Deed;
using test::SystemBuilder;

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// A plant that integrates and a controller that does something bad at 0.5 s.
struct Loop : SystemBuilder {
  Loop(Deed deed, int version, CoupledFmu controller = {}) {
    controller.version = version;
    add("plant", {.version = version});
    add("controller", controller);
    set("controller", "gain", -1);
    set("plant", "offset", 1);
    connect("plant.y", "controller.u");
    connect("controller.y", "plant.u");
    misbehave("controller", deed, 0.5);
  }
};

class CosimFailure : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, CosimFailure, testing::Values(2, 3),
                         [](auto const& test) { return "fmi" + std::to_string(test.param); });

TEST_P(CosimFailure, SaysWhichCallOfWhichComponentFailedWhenAndKeepsTheRows) {
  Loop loop(Deed::error, GetParam());
  CosimResult const result = run_cosimulation(loop.system, loop.plan(1, 0.1));
  ASSERT_TRUE(result.failure);
  EXPECT_CONTAINS(*result.failure, "at 0.5 s: controller: fmi");
  EXPECT_CONTAINS(*result.failure, "DoStep returned error");
  ASSERT_EQ(result.table.rows(), 6u);
  EXPECT_EQ(result.table.time.back(), 0.5);
}

TEST_P(CosimFailure, NamesTheOutputThatIsNoNumber) {
  Loop loop(Deed::nan, GetParam());
  CosimResult const result = run_cosimulation(loop.system, loop.plan(1, 0.1));
  ASSERT_TRUE(result.failure);
  EXPECT_CONTAINS(*result.failure, "at 0.4 s: controller.y is nan");
  EXPECT_EQ(result.table.rows(), 5u);
}

TEST_P(CosimFailure, TriesADiscardedStepAgainShorter) {
  // From 0.5 s on steps longer than 0.3 * gain are refused: halves and quarters of 0.1 s are fine at 0.1 * 0.3.
  Loop loop(Deed::discard, GetParam());
  loop.set("controller", "gain", 0.1);
  CosimResult const result = run_cosimulation(loop.system, loop.plan(1, 0.1));
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_GT(result.counts.discarded, 0u);
  EXPECT_EQ(result.table.time.back(), 1);
  EXPECT_NEAR(result.counts.smallest_step, 0.025, 1e-12);
  // Grid points are kept.
  for (double const time : {0.6, 0.7, 0.8, 0.9}) {
    EXPECT_TRUE(std::ranges::any_of(result.table.time, [&](double t) { return std::abs(t - time) < 1e-12; }))
        << time;
  }
}

TEST_P(CosimFailure, SaysWhyADiscardedStepCannotBeTriedAgain) {
  {
    Loop loop(Deed::discard, GetParam(), {.saves = false});
    CosimResult const result = run_cosimulation(loop.system, loop.plan(2, 0.5));
    ASSERT_TRUE(result.failure);
    EXPECT_CONTAINS(*result.failure, "controller cannot save its state");
  }
  Loop loop(Deed::discard, GetParam(), {.varies = false});
  loop.set("controller", "gain", 0.1);
  CosimResult const result = run_cosimulation(loop.system, loop.plan(1, 0.1));
  ASSERT_TRUE(result.failure);
  EXPECT_CONTAINS(*result.failure, "controller makes only steps of one size");
  EXPECT_EQ(result.table.rows(), 6u);
}

TEST_P(CosimFailure, GivesUpOnAStepThatIsDiscardedForEver) {
  Loop loop(Deed::discard, GetParam());
  loop.set("controller", "gain", 0);
  CosimResult const result = run_cosimulation(loop.system, loop.plan(1, 0.1));
  ASSERT_TRUE(result.failure);
  EXPECT_CONTAINS(*result.failure, "at 0.5 s: controller: ");
  EXPECT_CONTAINS(*result.failure, "shorter steps, down to");
  EXPECT_EQ(result.table.rows(), 6u);
}

TEST_P(CosimFailure, EndsCleanlyWhereAComponentAsksToEnd) {
  Loop loop(Deed::terminate, GetParam());
  CosimResult const result = run_cosimulation(loop.system, loop.plan(1, 0.1));
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_EQ(result.terminated_by, "controller");
  EXPECT_EQ(result.table.time.back(), 0.5);
  EXPECT_EQ(result.table.rows(), 6u);
}

TEST_P(CosimFailure, EndsCleanlyAlsoWithAdaptiveSteps) {
  Loop loop(Deed::terminate, GetParam());
  CosimPlan plan = loop.plan(1, 0.01);
  plan.step_tolerance = 1e-3;
  CosimResult const result = run_cosimulation(loop.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_EQ(result.terminated_by, "controller");
  EXPECT_GE(result.table.time.back(), 0.5);
  EXPECT_LT(result.table.time.back(), 1);
}

// The plant has made its step by then, and comes back: x' = 1 - y, y' = -x in steps of 0.1 s, five of them.
TEST_P(CosimFailure, EndsWithValuesOfOneTimeWhereAComponentEndsAtTheBeginningOfAStep) {
  for (bool const adaptive : {false, true}) {
    Loop loop(Deed::terminate_at_once, GetParam());
    CosimPlan plan = loop.plan(1, 0.1);
    plan.algorithm = CosimAlgorithm::jacobi;
    if (adaptive) {
      plan.step_tolerance = 1;
      plan.largest_step = 0.1;
    }
    CosimResult const result = run_cosimulation(loop.system, plan);
    ASSERT_FALSE(result.failure) << *result.failure;
    EXPECT_EQ(result.terminated_by, "controller");
    for (std::size_t row = 1; row < result.table.rows(); ++row)
      EXPECT_GT(result.table.time[row], result.table.time[row - 1]);
    if (adaptive) continue;
    ASSERT_EQ(result.table.rows(), 6u);
    EXPECT_DOUBLE_EQ(result.table.time.back(), 0.5);
    double x = 0, y = 0;
    for (int i = 0; i < 5; ++i) {
      double const before = x;
      x += 0.1 * (y + 1);
      y += 0.1 * -before;
    }
    EXPECT_NEAR(test::column(result.table, "plant.y").back(), x, 1e-12);
    EXPECT_NEAR(test::column(result.table, "controller.y").back(), y, 1e-12);
  }
}

// The FMU refuses to go back before a time at which it was promised that nobody does.
TEST_P(CosimFailure, PromisesNotToGoBackOnlyWhereItDoesNot) {
  Loop loop(Deed::nothing, GetParam());
  CosimPlan plan = loop.plan(1, 0.1);
  plan.step_tolerance = 1e-4;
  CosimResult const result = run_cosimulation(loop.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_GT(result.counts.rejected, 0u);
  EXPECT_EQ(result.table.time.back(), 1);
}

// From rest x' = y + 1, y' = -x, in one step and in two: y is 0, and -(h / 2) (3 h / 4) with the mean of the ramp that x is
// known to be. FMUs that get means are of order 2 whatever the degree: the two are off by a third of the difference.
TEST_P(CosimFailure, EstimatesErrorsByTheOrderOfFmusThatDoNotInterpolate) {
  Loop loop(Deed::nothing, GetParam());
  CosimPlan plan = loop.plan(1, 0.1);
  plan.algorithm = CosimAlgorithm::jacobi;
  plan.extrapolation = 2;
  plan.step_tolerance = 1e-4;
  plan.smallest_step = plan.largest_step = 0.1;
  CosimResult const result = run_cosimulation(loop.system, plan);
  ASSERT_TRUE(result.failure);
  double const difference = 0.1 * 0.1 * 3 / 8;
  EXPECT_CONTAINS(*result.failure,
                  fmt::format("has {:.3g} times the error", difference / 3 / (1e-4 * (1 + difference))));
}

TEST_P(CosimFailure, RefusesSizesOfStepsThatAreNone) {
  Loop loop(Deed::nothing, GetParam());
  for (auto const& [smallest, largest, tolerance, says] :
       {std::tuple(-1.0, 1.0, 1e-3, "the smallest step is -1 s"),
        std::tuple(0.1, 0.0, 1e-3, "the largest step is 0 s"),
        std::tuple(0.2, 0.1, 1e-3, "the smallest step is 0.2 s and the largest one 0.1 s"),
        std::tuple(0.1, 0.2, -1e-3, "the tolerance for the FMUs is -0.001")}) {
    CosimPlan plan = loop.plan(1, 0.1);
    plan.smallest_step = smallest;
    plan.largest_step = largest;
    plan.tolerance = tolerance;
    try {
      run_cosimulation(loop.system, plan);
      ADD_FAILURE() << says;
    } catch (CommandError const& error) {
      EXPECT_CONTAINS(std::string(error.what()), says);
      EXPECT_EQ(error.code(), ExitCode::usage);
    }
  }
}

TEST_P(CosimFailure, SurvivesACrashAHangAndAnExitInAChildProcess) {
  struct Case {
    Deed deed;
    std::string says;
  };
  for (auto const& [deed, says] :
       {Case{Deed::crash, "controller: crashed in a step (signal 6"},
        Case{Deed::exit, "controller: ended its process with exit code 7 in a step"},
        Case{Deed::hang, "controller: did not come back within 2 s in a step"}}) {
    Loop loop(deed, GetParam());
    CosimPlan plan = loop.plan(1, 0.1);
    plan.isolated = {false, true};
    plan.call_timeout = deed == Deed::hang ? 2 : 20;
    CosimResult const result = run_cosimulation(loop.system, plan);
    ASSERT_TRUE(result.failure);
    EXPECT_CONTAINS(*result.failure, "at 0.5 s: " + says);
    EXPECT_EQ(result.table.rows(), 6u);
  }
}

TEST_P(CosimFailure, RefusesStepsThatAComponentCannotMake) {
  Loop loop(Deed::nothing, GetParam(), {.varies = false});
  for (auto const& [stop, adaptive] : {std::pair(1.05, false), std::pair(1.0, true)}) {
    CosimPlan plan = loop.plan(stop, 0.1);
    if (adaptive) plan.step_tolerance = 1e-3;
    try {
      run_cosimulation(loop.system, plan);
      FAIL() << stop;
    } catch (CommandError const& error) {
      EXPECT_CONTAINS(std::string(error.what()), "controller makes only steps of one size");
      EXPECT_EQ(error.code(), ExitCode::usage);
    }
  }
  CosimResult const result = run_cosimulation(loop.system, loop.plan(1, 0.1));
  EXPECT_FALSE(result.failure);
}

TEST_P(CosimFailure, SaysThatAdaptiveStepsNeedStates) {
  Loop loop(Deed::nothing, GetParam(), {.saves = false});
  CosimPlan plan = loop.plan(1, 0.1);
  plan.step_tolerance = 1e-3;
  try {
    run_cosimulation(loop.system, plan);
    FAIL();
  } catch (CommandError const& error) {
    EXPECT_CONTAINS(std::string(error.what()), "controller cannot save its state");
  }
}

TEST_P(CosimFailure, KeepsTheRowsOfAnInterruptedRun) {
  Loop loop(Deed::nothing, GetParam());
  int looks = 0;
  CosimResult const result =
      run_cosimulation(loop.system, loop.plan(1, 0.1), [&](double) { return ++looks < 4; });
  ASSERT_TRUE(result.failure);
  EXPECT_CONTAINS(*result.failure, "interrupted");
  EXPECT_EQ(result.table.rows(), 5u);
}

}  // namespace
}  // namespace delassus
