// Runs of Model Exchange FMUs: jumps and lines of inputs, stiff models, sparse Jacobians, what is recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/support/exchange/exchanged_fmu.hpp"
#include "tests/support/program_run.hpp"
#include "tools/import/fmu.hpp"
#include "tools/simulate/integrated_instance.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/support/csv.hpp"

namespace delassus::test {
namespace {

struct ExchangeRun {
  SimulationResult result;
  IntegrationCounts counts;
  std::vector<std::string> told;

  std::vector<double> const& column(std::string const& name) const {
    auto const found = std::ranges::find(result.table.names, name);
    return result.table.columns.at(static_cast<std::size_t>(found - result.table.names.begin()));
  }
  double last(std::string const& name) const { return column(name).back(); }
};

ExchangeRun run_exchanged(ExchangedFmu const& described, SimulationPlan const& plan,
                          IntegrationSettings settings = {}) {
  ExchangeRun run;
  TemporaryFolder const folder;
  ImportedFmu fmu(make_exchanged_fmu(described, folder.path(), DELASSUS_EXCHANGED_FMU));
  settings.log = [&](LogMessage const& message) { run.told.push_back(message.text); };
  auto const instance =
      make_integrated_instance(fmu.instantiate({.name = "one", .kind = InterfaceKind::model_exchange}),
                               settings, state_structure(fmu.description()));
  run.result = run_simulation(*instance, plan, {});
  EXPECT_FALSE(run.result.failure) << *run.result.failure;
  run.counts = *integration_counts(*instance);
  return run;
}

SimulationPlan plan_of(double stop, double step, std::string const& input = "", bool interpolate = false) {
  SimulationPlan plan;
  plan.stop = stop;
  plan.step = step;
  if (!input.empty()) plan.input = read_csv(input, "in.csv");
  plan.interpolate = interpolate;
  return plan;
}

ExchangedFmu const relay{.kind = "relay", .states = 1};
ExchangedFmu const line{.kind = "line", .states = 1};

// m follows u in event mode only: without an event the jump was lost, and y stayed at 0.
TEST(ModelExchangeRun, EntersEventModeWhereAContinuousInputJumps) {
  for (auto const method : {OdeMethod::dopri5, OdeMethod::euler}) {
    auto const run = run_exchanged(relay, plan_of(1, .1, "time,u\n0,0\n.35,1\n.8,3\n"), {.method = method});
    EXPECT_NEAR(run.last("y"), .45 + .2 * 3,
                1e-12);  // at the times of the rows, which are no communication points
    EXPECT_EQ(run.last("n"), 2);
  }
}

TEST(ModelExchangeRun, EntersNoEventModeWhereNothingJumps) {
  EXPECT_EQ(run_exchanged(line, plan_of(1, .1, "time,u\n0,2\n.5,2\n")).last("n"), 0);
  auto const ramp = run_exchanged(line, plan_of(1, .1, "time,u\n0,0\n.33,1\n1,0\n", true));
  EXPECT_EQ(ramp.last("n"), 0);
}

// y = the integral of u.
TEST(ModelExchangeRun, FollowsLinesBetweenRowsAndTakesTwoRowsOfOneTimeForAJump) {
  std::string const input = "time,u\n.1,1\n.33,3\n.6,0\n.6,2\n.9,-1\n";
  double const first = .1, up = .23 * 2, down = .27 * 1.5, after = .3 * .5, last = -.1;
  for (double const step : {.1, .07, 1.}) {
    auto const run = run_exchanged(line, plan_of(1, step, input, true));
    EXPECT_NEAR(run.last("y"), first + up + down + after + last, 1e-9) << step;
    EXPECT_EQ(run.last("n"), 1) << step;
  }
  // Rows of results have the value of the line, behind a jump.
  auto const run = run_exchanged(line, plan_of(1, .1, input, true));
  auto const& u = run.column("u");
  EXPECT_NEAR(u[0], 1, 1e-15);
  EXPECT_NEAR(u[2], 1 + 2 * .1 / .23, 1e-12);
  EXPECT_NEAR(u[6], 2, 1e-12);
  EXPECT_NEAR(u[10], -1, 1e-15);
}

TEST(ModelExchangeRun, HoldsInputsBetweenRowsWhereNothingElseIsAskedFor) {
  auto const run = run_exchanged(line, plan_of(1, .1, "time,u\n0,1\n.33,3\n.6,0\n.6,2\n"));
  EXPECT_NEAR(run.last("y"), .33 + .27 * 3 + .4 * 2, 1e-12);
  EXPECT_EQ(run.last("n"), 2);
}

// Robertson's reaction as in Hairer and Wanner, Solving Ordinary Differential Equations II, IV.1; values by a solution
// with 1e-12 of another program.
TEST(ModelExchangeRun, IntegratesAStiffReactionWithCvodeInFewStepsAndToTheSameBits) {
  if (!has_cvode()) GTEST_SKIP() << "built without SUNDIALS";
  for (bool const directional : {false, true}) {
    ExchangedFmu const roberts{.kind = "roberts", .states = 3, .directional = directional};
    auto const settings =
        IntegrationSettings{.tolerance = 1e-8, .absolute_tolerance = 1e-12, .method = OdeMethod::cvode};
    auto const run = run_exchanged(roberts, plan_of(40, 4), settings);
    SimulationPlan plan = plan_of(40, 4);
    plan.recorded = {4, 6, 8};
    auto const states = run_exchanged(roberts, plan, settings);
    EXPECT_NEAR(states.last("x[1]"), 0.7158270688, 1e-7);
    EXPECT_NEAR(states.last("x[2]") * 1e5, 0.9185534764, 1e-6);
    EXPECT_NEAR(states.last("x[3]"), 0.2841637457, 1e-7);
    EXPECT_LT(run.counts.ode.steps, 1000);
    EXPECT_EQ(run.last("y"), states.last("x[1]"));
    EXPECT_TRUE(run.told.empty());
  }
}

TEST(ModelExchangeRun, SaysWhereAModelIsStiffForTheExplicitIntegrator) {
  auto const run = run_exchanged({.kind = "roberts", .states = 3}, plan_of(40, 40));
  ASSERT_EQ(run.told.size(), 1U);
  EXPECT_CONTAINS(run.told[0], "--solver cvode");
  EXPECT_TRUE(run_exchanged({.kind = "line", .states = 1}, plan_of(1, 1e-4)).told.empty());
}

// One mode of the heat equation decays as exp(-4 k sin^2(pi/(2 (n + 1))) t), whatever is known of the Jacobian; a wrong
// pattern is found out.
TEST(ModelExchangeRun, IntegratesAChainWithWhateverItsDescriptionSaysOfDependencies) {
  if (!has_cvode()) GTEST_SKIP() << "built without SUNDIALS";
  constexpr std::size_t count = 60;
  double const stop = 2e-3, rate = 4e5 * std::pow(std::sin(std::numbers::pi / (2 * (count + 1))), 2);
  double const expected = std::sin(std::numbers::pi / (count + 1)) * std::exp(-rate * stop);
  auto const neighbours = [](std::size_t i) {
    std::vector<std::size_t> known{i};
    if (i > 0) known.push_back(i - 1);
    if (i + 1 < count) known.push_back(i + 1);
    return known;
  };
  auto const itself = [](std::size_t i) { return std::vector{i}; };
  std::vector<long> evaluations;
  for (auto const& dependencies :
       {std::function<std::vector<std::size_t>(std::size_t)>(), {neighbours}, {itself}}) {
    for (bool const directional : {false, true}) {
      auto const run = run_exchanged({"chain", count, directional, dependencies}, plan_of(stop, stop),
                                     {.tolerance = 1e-7, .method = OdeMethod::cvode});
      EXPECT_NEAR(run.last("y"), expected, 1e-6);
      evaluations.push_back(run.counts.ode.evaluations);
    }
  }
  EXPECT_LT(evaluations[2], evaluations[0] / 2);  // columns that share no row are differenced together
  EXPECT_LT(evaluations[1], evaluations[0] / 2);  // derivatives instead of differences
}

// The FMU refuses times beyond the stop time.
TEST(ModelExchangeRun, NeverPassesTheStopTimeByRounding) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> share(0, 1);
  std::vector methods{OdeMethod::dopri5, OdeMethod::euler};
  if (has_cvode()) methods.push_back(OdeMethod::cvode);
  for (int round = 0; round < 60; ++round) {
    SimulationPlan plan;
    plan.start = round % 3 == 0 ? 0 : std::round((share(random) - .5) * 1e4) / 1e3;
    double const length = std::pow(10, -2 + 3 * share(random));
    plan.stop = plan.start + length;
    plan.step = length / (2 + 60 * share(random));
    if (round % 2 == 0) plan.input = read_csv("time,u\n-10,1\n.3,2\n.3,1\n20,1\n", "in.csv");
    plan.interpolate = round % 4 == 0;
    IntegrationSettings settings;
    settings.method = methods[static_cast<std::size_t>(round) % methods.size()];
    auto const run = run_exchanged(line, plan, settings);
    EXPECT_EQ(run.result.table.time.back(), plan.stop) << "start " << plan.start << ", step " << plan.step;
  }
}

class ModelExchangeProgram : public Program {
 protected:
  std::string fmu(ExchangedFmu const& described) const {
    return make_exchanged_fmu(described, folder_.path(), DELASSUS_EXCHANGED_FMU).filename().string();
  }
};

TEST_F(ModelExchangeProgram, RecordsWhatIsAskedForAndNeverOnlyTimes) {
  std::string const with = fmu({.kind = "roberts", .states = 3});
  auto const header = [&](std::string const& options) {
    auto const outcome = run("simulate " + with + " --stop .01 --step .01 " + options);
    return outcome.code == 0 ? outcome.output.substr(0, outcome.output.find('\n')) : outcome.errors;
  };
  EXPECT_EQ(header(""), "time,u,y,n");
  EXPECT_EQ(header("--record outputs"), "time,y,n");
  EXPECT_EQ(header("--record 'x[2]' --record y"), "time,x[2],y");
  EXPECT_EQ(header("--record x"), "time,x[1],x[2],x[3]");
  EXPECT_EQ(header("--record 'der*'"), "time,der(x[1]),der(x[2]),der(x[3])");
  EXPECT_EQ(header("--record all"), "time,u,y,n,x[1],der(x[1]),x[2],der(x[2]),x[3],der(x[3])");
  EXPECT_CONTAINS(header("--record 'x[4]'"), "did you mean 'x[1]'?");
  EXPECT_CONTAINS(header("--record output"), "did you mean 'outputs'?");
  EXPECT_CONTAINS(header("--record parameters"), "the model has none");
  std::string const without = fmu({.kind = "roberts", .states = 3, .output = false});
  auto const outcome = run("simulate " + without + " --stop .01 --step .01");
  EXPECT_CONTAINS(outcome.errors, "the model has no outputs; its 8 local variables are recorded");
  EXPECT_CONTAINS(outcome.output, "time,u,y,n,x[1],");
}

TEST_F(ModelExchangeProgram, SaysHowInputsAreTakenAndWhatAnIntegratorNeeds) {
  std::string const with = fmu(line);
  write("in.csv", "time,u\n0,0\n1,1\n");
  EXPECT_CONTAINS(run("simulate " + with + " --input in.csv").errors,
                  "inputs hold from each row of in.csv to the next");
  EXPECT_CONTAINS(run("simulate " + with + " --input in.csv --interpolate").errors, "straight lines");
  auto const euler = run("simulate " + with + " --solver euler --solver-step .01 --step .5");
  EXPECT_CONTAINS(euler.errors, "(euler: 100 steps, 100 evaluations, 0 events)");
  EXPECT_CONTAINS(run("simulate impact --solver cvode").errors, has_cvode() ? "--interface me" : "SUNDIALS");
  EXPECT_EQ(run("simulate impact --solver euler").code, 2);
  EXPECT_EQ(run("simulate " + with + " --absolute-tolerance 0").code, 2);
  EXPECT_EQ(run("simulate " + with + " --solver-step 1").code, 2);
  EXPECT_EQ(run("simulate impact --interpolate").code, 2);  // without --input there is nothing between rows
}

// Steps of 1e-15 s over 1 s would take years.
TEST(ModelExchangeRun, EndsWithAReasonWhereItsStepsWouldTakeForEver) {
  TemporaryFolder const folder;
  ImportedFmu fmu(make_exchanged_fmu(line, folder.path(), DELASSUS_EXCHANGED_FMU));
  auto const failure = [&](IntegrationSettings const& settings) {
    auto const instance = make_integrated_instance(
        fmu.instantiate({.name = "one", .kind = InterfaceKind::model_exchange}), settings);
    return run_simulation(*instance, plan_of(1, 1), {}).failure.value_or("none");
  };
  EXPECT_CONTAINS(failure({.method = OdeMethod::euler, .fixed_step = 1e-15}),
                  "choose a longer step of euler");
  EXPECT_CONTAINS(failure({.tolerance = 1e-30}), "less than the rounding of numbers");
}

TEST_F(ModelExchangeProgram, RefusesStepsAndTolerancesThatNoRunKeeps) {
  std::string const with = fmu(line);
  for (auto const& [options, expected] :
       {std::pair{"--solver euler --solver-step 1e-15", "1e+15 steps of the integrator"},
        {"--tolerance 1e-30", "double precision"},
        {"--solver dopri5 --tolerance 1e-17", "double precision"}}) {
    for (std::string const& command :
         {"simulate " + with, "cosim " + with + " relay.fmu --connect line.y:relay.u"}) {
      fmu(relay);
      auto const outcome = run(command + " --stop 1 --step 0.1 -o out.csv " + options);
      EXPECT_EQ(outcome.code, 2) << command << outcome.errors;
      EXPECT_CONTAINS(outcome.errors, expected);
      EXPECT_FALSE(exists("out.csv"));
    }
  }
  EXPECT_EQ(run("simulate " + with + " --tolerance 1e-15").code, 0);
}

TEST_F(ModelExchangeProgram, ChoosesTheIntegratorOfSystemsAndChecks) {
  if (!has_cvode()) GTEST_SKIP() << "built without SUNDIALS";
  fmu({.kind = "roberts", .states = 3});
  fmu(line);
  auto const last = [&](std::string const& solver) {
    auto const outcome =
        run("cosim roberts.fmu line.fmu --connect roberts.y:line.u --stop 0.4 --step 0.1 -o " + solver +
            ".csv --solver " + solver);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    TimeTable const table = read_csv(read_file(path(solver + ".csv")), "out.csv");
    auto const column = std::ranges::find(table.names, "line.y");
    return table.columns.at(static_cast<std::size_t>(column - table.names.begin())).back();
  };
  double const explicit_ = last("dopri5"), implicit = last("cvode");
  EXPECT_NE(explicit_, implicit);
  EXPECT_NEAR(explicit_, implicit, 1e-5);
  auto const checked = run("check line.fmu --solver cvode --json");
  EXPECT_EQ(checked.output.find("run-succeeds"), std::string::npos) << checked.output;
  EXPECT_EQ(run("check line.fmu --solver heun").code, 2);
}

TEST_F(ModelExchangeProgram, KeepsLocalVariablesInASweep) {
  std::string const with = fmu({.kind = "roberts", .states = 3, .output = false});
  std::string const run_options = " --interface me --stop 0.1 --step 0.1 ";
  auto const rows = run("simulate " + with + run_options + "--record 'x[1]' --set u=1").output;
  std::string const last = rows.substr(rows.rfind(',') + 1);
  auto const swept = run("sweep " + with + run_options + "--vary u=1,2 --keep 'x[1]' --keep 'max(y)'");
  ASSERT_EQ(swept.code, 0) << swept.errors;
  EXPECT_CONTAINS(swept.output,
                  "run,u,x[1],max(y),status,message\n1,1," + last.substr(0, last.size() - 1) + ",");
  EXPECT_CONTAINS(run("sweep " + with + run_options + "--vary u=1,2").output,
                  "run,u,y,n,x[1],der(x[1]),x[2]");
  // Beside outputs, only what is asked for.
  std::string const full = fmu({.kind = "roberts", .states = 3});
  auto const asked = run("sweep " + full + run_options + "--vary u=1 --keep 'x[1]'");
  EXPECT_CONTAINS(asked.output, "\n1,1," + last.substr(0, last.size() - 1) + ",ok");
}

}  // namespace
}  // namespace delassus::test
