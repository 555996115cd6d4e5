// The master: order, loops, initial values, events, isolation, pace, rows.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "tests/support/coupled_fmu.hpp"
#include "tools/cosim/graph.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

using test::column;
using test::CoupledFmu;
using test::Deed;
using test::SystemBuilder;

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

class CosimMaster : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, CosimMaster, testing::Values(2, 3),
                         [](auto const& test) { return "fmi" + std::to_string(test.param); });

TEST(CosimMasterOfOne, GivesTheBitsOfASimulation) {
  for (int const version : {0, 2, 3}) {
    SystemBuilder builder;
    builder.add_model("plant", std::make_shared<RunnableModel>("block_on_slope", version));
    CosimPlan const plan = builder.plan(0.503, 0.01);
    CosimResult const result = run_cosimulation(builder.system, plan);
    ASSERT_FALSE(result.failure) << *result.failure;
    RunnableModel model("block_on_slope", version);
    auto const instance = model.instantiate(InstanceLog{});
    SimulationPlan single;
    single.stop = 0.503;
    single.step = 0.01;
    SimulationResult const expected = run_simulation(*instance, single, {});
    EXPECT_EQ(result.table.time, expected.table.time);
    EXPECT_EQ(result.table.columns, expected.table.columns);
  }
}

TEST_P(CosimMaster, StepsThoseThatDependAtOnceAfterThoseTheyDependOn) {
  SystemBuilder builder;
  int const version = GetParam();
  builder.add("shaper", {.version = version, .direct = true});
  builder.add("sensor", {.version = version, .direct = true});
  builder.add("plant", {.version = version});
  builder.add("source", {.version = version});
  builder.connect("plant.y", "sensor.u");
  builder.connect("sensor.y", "shaper.u");
  builder.connect("shaper.y", "plant.u");
  CosimResult const result = run_cosimulation(builder.system, builder.plan(1, 0.1));
  EXPECT_EQ(result.order, (std::vector<std::string>{"plant", "sensor", "shaper", "source"}));
  // Along that order nothing is older than the step: plant' = shaper = sensor = plant, held over a step.
  builder.set("plant", "offset", 1);
  CosimResult const moving = run_cosimulation(builder.system, builder.plan(1, 0.1));
  auto const& plant = column(moving.table, "plant.y");
  auto const& shaper = column(moving.table, "shaper.y");
  for (std::size_t k = 0; k < plant.size(); ++k) EXPECT_EQ(plant[k], shaper[k]) << k;
  EXPECT_NEAR(plant.back(), std::pow(1.1, 10) - 1, 1e-12);
}

TEST_P(CosimMaster, JacobiIsAStepOlderForEveryHop) {
  SystemBuilder builder;
  builder.add("ramp", {.version = GetParam()});
  builder.set("ramp", "offset", 1);
  builder.add("first", {.version = GetParam(), .direct = true});
  builder.add("second", {.version = GetParam(), .direct = true});
  builder.add("sink", {.version = GetParam()});
  builder.connect("ramp.y", "first.u");
  builder.connect("first.y", "second.u");
  builder.connect("second.y", "sink.u");
  CosimPlan plan = builder.plan(1, 0.125);
  plan.algorithm = CosimAlgorithm::jacobi;
  CosimResult const held = run_cosimulation(builder.system, plan);
  EXPECT_EQ(column(held.table, "second.y").back(), 0.75);
  // A line is extrapolated without error, once there are two points on it; three hops take three steps.
  plan.extrapolation = 1;
  CosimResult const extrapolated = run_cosimulation(builder.system, plan);
  EXPECT_NEAR(column(extrapolated.table, "second.y").back(), 1, 1e-12);
}

TEST_P(CosimMaster, FindsAnAlgebraicLoopAndNamesIt) {
  SystemBuilder builder;
  builder.add("a", {.version = GetParam(), .direct = true});
  builder.add("b", {.version = GetParam(), .direct = true});
  builder.connect("a.y", "b.u");
  builder.connect("b.y", "a.u");
  CosimPlan plan = builder.plan(1, 0.1);
  plan.loops = LoopTreatment::refuse;
  try {
    run_cosimulation(builder.system, plan);
    FAIL();
  } catch (CommandError const& error) {
    EXPECT_CONTAINS(std::string(error.what()), "algebraic loop: a.y -> b.u -> b.y -> a.u -> a.y");
  }
}

TEST_P(CosimMaster, SolvesALoopThatPlainRepetitionWouldNot) {
  // a = -3 b + 1, b = 2 a + 0.5: a = -0.5/7, b = 2.5/7, with a gain of -6 around the loop.
  SystemBuilder builder;
  builder.add("a", {.version = GetParam(), .direct = true});
  builder.add("b", {.version = GetParam(), .direct = true});
  builder.set("a", "gain", -3);
  builder.set("a", "offset", 1);
  builder.set("b", "gain", 2);
  builder.set("b", "offset", 0.5);
  builder.connect("a.y", "b.u");
  builder.connect("b.y", "a.u");
  CosimResult const result = run_cosimulation(builder.system, builder.plan(1, 0.1));
  ASSERT_FALSE(result.failure) << *result.failure;
  for (double const value : column(result.table, "a.y")) EXPECT_NEAR(value, -0.5 / 7, 1e-8);
  for (double const value : column(result.table, "b.y")) EXPECT_NEAR(value, 2.5 / 7, 1e-8);
  EXPECT_GT(result.counts.loop_sweeps, 0u);
}

TEST_P(CosimMaster, SaysThatALoopWithoutSolutionDoesNotAgree) {
  // a = b + 1, b = a.
  SystemBuilder builder;
  builder.add("a", {.version = GetParam(), .direct = true});
  builder.add("b", {.version = GetParam(), .direct = true});
  builder.set("a", "offset", 1);
  builder.connect("a.y", "b.u");
  builder.connect("b.y", "a.u");
  CosimResult const result = run_cosimulation(builder.system, builder.plan(1, 0.1));
  ASSERT_TRUE(result.failure);
  EXPECT_CONTAINS(*result.failure, "a.y -> b.u -> b.y -> a.u -> a.y");
}

TEST_P(CosimMaster, SaysWhoKeepsALoopFromBeingSolved) {
  SystemBuilder builder;
  builder.add("a", {.version = GetParam(), .direct = true});
  builder.add("b", {.version = GetParam(), .direct = true, .saves = false});
  builder.set("b", "gain", 0.5);
  builder.set("b", "offset", 1);
  builder.connect("a.y", "b.u");
  builder.connect("b.y", "a.u");
  CosimPlan plan = builder.plan(4, 0.1);
  try {
    run_cosimulation(builder.system, plan);
    FAIL();
  } catch (CommandError const& error) {
    EXPECT_CONTAINS(std::string(error.what()), "b cannot save its state");
    EXPECT_CONTAINS(std::string(error.what()), "--loops delay");
  }
  // With a delay the loop converges as a fixed-point iteration over time.
  plan.loops = LoopTreatment::delay;
  CosimResult const result = run_cosimulation(builder.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_NEAR(column(result.table, "a.y").back(), 2, 1e-9);
}

TEST_P(CosimMaster, HandsInitialValuesThroughAChainInTheOrderOfDependencies) {
  SystemBuilder builder;
  int const version = GetParam();
  builder.add("last", {.version = version, .direct = true});
  builder.add("middle", {.version = version, .direct = true});
  builder.add("first", {.version = version, .direct = true});
  builder.set("first", "offset", 3);
  builder.set("middle", "gain", 2);
  builder.set("last", "gain", 5);
  builder.connect("first.y", "middle.u");
  builder.connect("middle.y", "last.u", 10);
  CosimResult const result = run_cosimulation(builder.system, builder.plan(1, 0.1));
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_EQ(column(result.table, "last.y").front(), 300);
}

TEST_P(CosimMaster, GivesTheSameBitsInChildProcesses) {
  for (auto const algorithm :
       {CosimAlgorithm::jacobi, CosimAlgorithm::gauss_seidel, CosimAlgorithm::implicit}) {
    SystemBuilder builder;
    builder.add_model("plant", std::make_shared<RunnableModel>("sliding_block", GetParam()));
    builder.add("controller", {.version = GetParam(), .direct = true});
    builder.set("controller", "gain", -30);
    builder.connect("plant.block.velocity[1]", "controller.u");
    builder.connect("controller.y", "plant.push[1]");
    CosimPlan plan = builder.plan(0.2, 0.01);
    plan.algorithm = algorithm;
    plan.extrapolation = 1;
    CosimResult const here = run_cosimulation(builder.system, plan);
    plan.isolated = {true, true};
    CosimResult const apart = run_cosimulation(builder.system, plan);
    ASSERT_FALSE(here.failure) << *here.failure;
    ASSERT_FALSE(apart.failure) << *apart.failure;
    EXPECT_EQ(here.table.time, apart.table.time);
    EXPECT_EQ(here.table.columns, apart.table.columns);
    EXPECT_EQ(here.table.columns, run_cosimulation(builder.system,
                                                   [&] {
                                                     CosimPlan again = plan;
                                                     again.isolated.clear();
                                                     return again;
                                                   }())
                                      .table.columns)
        << "a second run";
  }
}

TEST_P(CosimMaster, RecordsWhatAndWhenItIsToldTo) {
  SystemBuilder builder;
  builder.add("plant", {.version = GetParam()});
  builder.set("plant", "offset", 1);
  CosimPlan plan = builder.plan(1, 0.01);
  plan.output_step = 0.25;
  plan.recorded = choose_columns(builder.system, {"plant.y", "plant.gain"});
  CosimResult const result = run_cosimulation(builder.system, plan);
  EXPECT_EQ(result.table.time, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(result.table.names, (std::vector<std::string>{"plant.y", "plant.gain"}));
  EXPECT_NEAR(result.table.columns[0][2], 0.5, 1e-12);
  plan.output_step = 0.015;
  EXPECT_THROW(run_cosimulation(builder.system, plan), CommandError);
  EXPECT_THROW(choose_columns(builder.system, {"plant.z"}), UnknownSignal);
}

TEST_P(CosimMaster, RecordsOutputsOfTheSystemByTheirTableAndUnit) {
  SystemBuilder builder;
  std::size_t const ramp = builder.add("ramp", {.version = GetParam()});
  builder.set("ramp", "offset", 1);
  std::size_t const y = builder.system.components[ramp].signals.resolve("y").front();
  builder.system.outputs.push_back({"shown", ramp, y, 100, 0, {{0, 7}}, "cm"});
  CosimPlan const plan = builder.plan(1, 0.5);
  CosimResult const result = run_cosimulation(builder.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_EQ(column(result.table, "shown"), (std::vector<double>{7, 50, 100}));
  SignalTable const signals = recorded_signals(builder.system, plan.recorded);
  EXPECT_EQ(signals[signals.resolve("shown").front()].unit, "cm");
}

TEST_P(CosimMaster, KeepsThePaceOfTheClock) {
  SystemBuilder builder;
  builder.add("plant", {.version = GetParam()});
  CosimPlan plan = builder.plan(0.2, 0.01);
  plan.pace = 2;
  auto const began = std::chrono::steady_clock::now();
  CosimResult const result = run_cosimulation(builder.system, plan);
  // Never ahead of the clock; how late is the machine's business, and counted.
  EXPECT_GE(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(), 0.1);
  EXPECT_LE(result.overruns, 20u);
}

TEST(CosimEvents, EndsTheStepOfAllWhereOneReturnsEarly) {
  for (auto const algorithm : {CosimAlgorithm::jacobi, CosimAlgorithm::gauss_seidel}) {
    SystemBuilder builder;
    builder.add("watcher", {.version = 2});
    builder.add("counter", {.version = 3, .events = true});
    builder.set("counter", "offset", 1);
    builder.misbehave("counter", Deed::event, 0.33);
    builder.connect("counter.y", "watcher.u");
    CosimPlan plan = builder.plan(1, 0.1);
    plan.algorithm = algorithm;
    plan.order = {0, 1};  // the watcher has stepped when the counter ends early
    plan.event_mode = true;
    CosimResult const result = run_cosimulation(builder.system, plan);
    ASSERT_FALSE(result.failure) << *result.failure;
    EXPECT_EQ(result.counts.early_returns, 1u);
    EXPECT_EQ(result.counts.events, 1u);
    EXPECT_EQ(result.table.rows(), 12u);  // the event has a row of its own
    EXPECT_DOUBLE_EQ(result.table.time[4], 0.33);
    auto const& n = column(result.table, "counter.n");
    EXPECT_EQ(n[3], 0);
    EXPECT_EQ(n[4], 1);
    EXPECT_EQ(n.back(), 1);
    // The watcher integrates what the counter's ramp was at the beginning of each step.
    EXPECT_NEAR(column(result.table, "watcher.y")[4], 0.1 * (0 + 0.1 + 0.2) + 0.03 * 0.3, 1e-12);
  }
}

TEST(CosimEvents, StepsToAnAnnouncedEvent) {
  SystemBuilder builder;
  builder.add("counter", {.version = 3, .events = true});
  builder.misbehave("counter", Deed::announced_event, 0.47);
  CosimPlan plan = builder.plan(1, 0.1);
  plan.event_mode = true;
  CosimResult const result = run_cosimulation(builder.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_EQ(result.counts.early_returns, 0u);
  EXPECT_DOUBLE_EQ(result.table.time[5], 0.47);
  EXPECT_EQ(column(result.table, "counter.n")[4], 0);
  EXPECT_EQ(column(result.table, "counter.n")[5], 1);
}

// 3 * 0.1 is not 0.3: the event and the end of the third step are the same all the same.
TEST(CosimEvents, MakesNoStepOfARoundingErrorBeforeAnAnnouncedEvent) {
  for (double const when : {0.3, 3 * 0.1}) {
    for (bool const adaptive : {false, true}) {
      SystemBuilder builder;
      builder.add("counter", {.version = 3, .events = true});
      builder.misbehave("counter", Deed::announced_event, when);
      CosimPlan plan = builder.plan(1, 0.1);
      plan.event_mode = true;
      if (adaptive) {
        plan.step_tolerance = 1e-3;
        plan.output_step = 0.1;
      }
      CosimResult const result = run_cosimulation(builder.system, plan);
      ASSERT_FALSE(result.failure) << *result.failure;
      EXPECT_EQ(result.table.rows(), 11u);
      EXPECT_GT(result.counts.smallest_step, 0.01);
      EXPECT_EQ(column(result.table, "counter.n")[2], 0);
      EXPECT_EQ(column(result.table, "counter.n")[3], 1);
    }
  }
}

// The loop repeats its steps after the counter has asked for its event.
TEST(CosimEvents, AreNotForgottenByALoopThatComesLater) {
  SystemBuilder builder;
  builder.add("counter", {.version = 3, .events = true});
  builder.add("one", {.version = 2, .direct = true});
  builder.add("other", {.version = 3, .direct = true});
  builder.set("one", "gain", 0.5);
  builder.set("one", "offset", 1);
  builder.set("other", "gain", -0.5);
  builder.connect("one.y", "other.u");
  builder.connect("other.y", "one.u");
  builder.misbehave("counter", Deed::event, 0.33);
  CosimPlan plan = builder.plan(1, 0.1);
  plan.event_mode = true;
  CosimResult const result = run_cosimulation(builder.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  ASSERT_EQ(result.order.front(), "counter");
  EXPECT_GE(result.counts.loop_sweeps, result.counts.steps);
  EXPECT_EQ(result.counts.events, 1u);
  EXPECT_EQ(column(result.table, "counter.n").back(), 1);
  EXPECT_NEAR(column(result.table, "one.y").back(), 0.8, 1e-8);
}

// wave.y is 0, 0.1 and 0 again, exactly: 0.1 * (1 - 20 * 0) and 0.1 * (1 - 20 * 0.1) are added. The last value that the
// mirror was given in event mode, before the first step, is that of the event, and yet the input has been another one.
TEST(CosimEvents, SeeTheContinuousInputsOfTheirInstant) {
  SystemBuilder builder;
  builder.add("ramp", {.version = 2});
  builder.add("wave", {.version = 2});
  builder.add("mirror", {.version = 3, .direct = true, .events = true});
  builder.set("ramp", "offset", 1);
  builder.set("wave", "gain", -20);
  builder.set("wave", "offset", 1);
  builder.connect("ramp.y", "wave.u");
  builder.connect("wave.y", "mirror.u");
  builder.misbehave("mirror", Deed::announced_event, 0.2);
  CosimPlan plan = builder.plan(0.5, 0.1);
  plan.algorithm = CosimAlgorithm::jacobi;
  plan.event_mode = true;
  CosimResult const result = run_cosimulation(builder.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  ASSERT_EQ(column(result.table, "wave.y")[1], 0.1);
  ASSERT_EQ(column(result.table, "wave.y")[2], 0);
  ASSERT_EQ(column(result.table, "mirror.n")[2], 1);
  EXPECT_EQ(column(result.table, "mirror.y")[2], 0);
}

TEST(CosimEvents, CarriesDiscreteValuesAndTicksInTheSameInstant) {
  SystemBuilder builder;
  builder.add("receiver", {.version = 3, .events = true});
  builder.add("sender", {.version = 3, .events = true});
  builder.misbehave("sender", Deed::event, 0.33);
  builder.connect("sender.n", "receiver.m");
  builder.connect("sender.tick", "receiver.tock");  // which makes event mode needed
  CosimResult const result = run_cosimulation(builder.system, builder.plan(1, 0.1));
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_DOUBLE_EQ(result.table.time[4], 0.33);
  EXPECT_EQ(column(result.table, "receiver.m")[4], 1);
  EXPECT_EQ(column(result.table, "receiver.ticks")[3], 0);
  EXPECT_EQ(column(result.table, "receiver.ticks")[4], 1);
  EXPECT_EQ(column(result.table, "receiver.ticks").back(), 1);
}

// Its interface for co-simulation has event mode, and is not the one that is run.
TEST(CosimEvents, AreNotThoseOfAnInterfaceThatIsNotRun) {
  SystemBuilder builder;
  std::size_t const plant = builder.add_model("plant", std::make_shared<RunnableModel>("block_on_slope", 3));
  auto& component = builder.system.components[plant];
  ASSERT_NE(component.model->description().interface("CoSimulation"), nullptr);
  ASSERT_TRUE(component.model->description().interface("CoSimulation")->flag("hasEventMode"));
  component.kind = InterfaceKind::model_exchange;
  CosimPlan plan = builder.plan(0.1, 0.01);
  plan.event_mode = true;
  CosimResult const result = run_cosimulation(builder.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_CONTAINS(result.notes[0], "no component has event mode");
}

TEST(CosimEvents, SaysWhyEventModeIsNotUsed) {
  SystemBuilder builder;
  builder.add("counter", {.version = 3, .events = true});
  builder.add("stiff", {.version = 2, .saves = false});
  CosimPlan plan = builder.plan(1, 0.1);
  plan.event_mode = true;
  CosimResult const result = run_cosimulation(builder.system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_CONTAINS(result.notes[0], "stiff cannot save its state");
}

}  // namespace
}  // namespace delassus
