// What a master makes of FMUs that fail in the middle of a run: what, where, when, and the rows until then.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/coupled_fmu.hpp"
#include "tools/exit_code.hpp"

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
INSTANTIATE_TEST_SUITE_P(Versions, CosimFailure, testing::Values(2, 3));

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
  EXPECT_CONTAINS(*result.failure, "controller makes steps of one size alone");
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

TEST_P(CosimFailure, SurvivesACrashAHangAndAnExitInAChildProcess) {
  struct Case {
    Deed deed;
    std::string says;
  };
  for (auto const& [deed, says] :
       {Case{Deed::crash, "controller: crashed in a step (signal 6"},
        Case{Deed::exit, "controller: called exit(7) in a step"},
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
      EXPECT_CONTAINS(std::string(error.what()), "controller makes steps of one size alone");
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
