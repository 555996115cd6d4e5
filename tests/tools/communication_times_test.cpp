// The communication points of runs: decimal numbers, and none beyond the stop time, by rounding either.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "model/scene/number.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/scene_run.hpp"
#include "tools/import/delegating_instance.hpp"
#include "tools/import/package_description.hpp"
#include "tools/simulate/in_process_instance.hpp"
#include "tools/simulate/simulation.hpp"

namespace delassus {
namespace {

struct Step {
  double begin, size;
};

// Only notes the steps that it is asked for.
class NotingInstance final : public DelegatingInstance {
 public:
  NotingInstance(std::unique_ptr<SimulatedInstance> inner, std::vector<Step>& steps)
      : DelegatingInstance(std::move(inner)), steps_(steps) {}
  StepOutcome do_step(double current, double size) override {
    steps_.push_back({current, size});
    return {current + size, false};
  }

 private:
  std::vector<Step>& steps_;
};

std::vector<Step> steps_of(double start, double stop, double step, TimeTable& table) {
  std::shared_ptr<const Model> const model = example_model("impact");
  std::vector<Step> steps;
  NotingInstance instance(make_in_process_instance(model, SignalTable(package_description(*model, 2)), {}),
                          steps);
  SimulationPlan plan;
  plan.start = start;
  plan.stop = stop;
  plan.step = step;
  SimulationResult const result = run_simulation(instance, plan, {});
  EXPECT_FALSE(result.failure) << *result.failure;
  table = result.table;
  return steps;
}

TEST(CommunicationTimes, NeverPassTheStopTimeAndAreDecimal) {
  for (std::string const step :
       {"2e-5", "1e-3", "0.003", "0.007", "0.01", "0.05", "0.1", "0.3", "1e-4", "1.7e-3"}) {
    for (std::string const stop : {"0.1", "0.3", "0.7", "1", "1.1", "0.0105"}) {
      for (std::string const start : {"0", "-0.1", "0.01"}) {
        auto const value = [](std::string const& text) { return std::strtod(text.c_str(), nullptr); };
        TimeTable table;
        auto const steps = steps_of(value(start), value(stop), value(step), table);
        ASSERT_EQ(steps.size() + 1, table.rows());
        for (std::size_t k = 0; k < steps.size(); ++k) {
          ASSERT_LE(steps[k].begin + steps[k].size, value(stop)) << start << " " << step << " " << stop;
          ASSERT_EQ(steps[k].begin, table.time[k]);
          if (k + 1 < steps.size()) {
            ASSERT_EQ(steps[k].size, value(step));
          }
          // Steps and starts here are multiples of a microsecond.
          double const microseconds =
              std::round(value(start) * 1e6) + static_cast<double>(k) * std::round(value(step) * 1e6);
          ASSERT_EQ(table.time[k], microseconds / 1e6) << start << " " << step << " " << k;
        }
        ASSERT_EQ(table.time.back(), value(stop));
        ASSERT_NEAR(steps.back().begin + steps.back().size, value(stop), 1e-15);
      }
    }
  }
}

TEST(CommunicationTimes, WithoutAStepAreFiveHundredDecimalOnes) {
  EXPECT_EQ(default_step(0, 0.3), 6e-4);
  EXPECT_EQ(default_step(0, 1.1), 2.2e-3);
  EXPECT_EQ(default_step(0.1, 0.4), 6e-4);
}

using CommunicationTimesOfTheProgram = test::Program;

TEST_F(CommunicationTimesOfTheProgram, HaveNoRoundingErrorsInAnyTable) {
  ASSERT_EQ(run("build sliding_block -o block.fmu").code, 0);
  write("loop.ssd", R"(<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="1.0" name="loop"
  xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription">
  <ssd:System name="loop"><ssd:Elements><ssd:Component name="plant" type="application/x-fmu-sharedlibrary" source="block.fmu"/></ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>)");
  for (std::string const command :
       {"simulate sliding_block --stop 0.5 --step 0.05", "simulate block.fmu --stop 0.5 --step 0.05",
        "simulate block.fmu --interface me --stop 0.5 --step 0.05",
        "cosim loop.ssd --until 0.5 --step 0.05"}) {
    test::Outcome const outcome = run(command + " -o out.csv");
    ASSERT_EQ(outcome.code, 0) << command << ": " << outcome.errors;
    TimeTable const table = read_csv(read_file(path("out.csv")), "out.csv");
    ASSERT_EQ(table.rows(), 11U) << command;
    for (std::size_t k = 0; k < table.rows(); ++k)
      EXPECT_EQ(table.time[k], static_cast<double>(5 * k) / 100) << command;
  }
}

}  // namespace
}  // namespace delassus
