// The closed-loop examples: each has the result that its folder says, in a loop written by hand and in the master, and shows what
// its text promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/closed_loop.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/cosim/master.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/csv.hpp"
#include "xml/text/schema.hpp"

namespace delassus {
namespace {

struct ExampleSystem {
  char const* folder;
  char const* structure;
  char const* expected;
};

// How far another compiler's last digits may carry: as a share of a column's largest magnitude.
constexpr double tolerance = 1e-3;

class ClosedLoopExamples : public testing::TestWithParam<ExampleSystem> {
 protected:
  std::filesystem::path file() const { return system_file(GetParam().folder, GetParam().structure); }
};

TEST_P(ClosedLoopExamples, HaveTheResultThatTheirFolderSays) {
  auto const path = system_file(GetParam().folder, GetParam().expected);
  TimeTable const expected = read_csv(read_file(path), path.string());
  ClosedLoop loop(file());
  ASSERT_EQ(expected.names, loop.output_names());
  ASSERT_GE(expected.rows(), 5U);
  for (std::size_t row = 0; row < expected.rows(); ++row) {
    loop.run_to(expected.time[row]);
    auto const values = loop.outputs();
    for (std::size_t column = 0; column < values.size(); ++column) {
      double largest = 0;
      for (double const value : expected.columns[column]) largest = std::max(largest, std::abs(value));
      EXPECT_NEAR(values[column], expected.columns[column][row], tolerance * largest)
          << expected.names[column] << " at " << expected.time[row] << " s";
    }
  }
}

TEST_P(ClosedLoopExamples, RunInTheMasterAsInALoopWrittenByHand) {
  CosimSystem const system = load_cosim_system(file());
  ClosedLoop loop(file());
  ASSERT_EQ(system.stop, loop.stop());
  CosimPlan plan = default_plan(system, std::nullopt, 1.0);
  ASSERT_EQ(plan.step, loop.step_size());
  plan.recorded = choose_columns(system, loop.output_names());
  CosimResult const result = run_cosimulation(system, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  // Controllers before the plant, whose forces follow them at once: no delay, and no iteration.
  EXPECT_EQ(result.order.back(), "plant");
  EXPECT_EQ(result.counts.loop_sweeps, 0U);
  loop.run_to(1);
  auto const values = loop.outputs();
  auto const names = loop.output_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const found = std::find(result.table.names.begin(), result.table.names.end(), names[i]);
    ASSERT_NE(found, result.table.names.end()) << names[i];
    double const value =
        result.table.columns[static_cast<std::size_t>(found - result.table.names.begin())].back();
    EXPECT_NEAR(value, values[i], 1e-9 * (1 + std::abs(values[i]))) << names[i];
  }
}

TEST_P(ClosedLoopExamples, AreValidSystemStructures) {
  auto const schema = std::filesystem::path(DELASSUS_TEST_DATA) / "ssp-schema/SystemStructureDescription.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << schema << " is not there";
  for (Finding const& finding : validate_schema(read_file(file()), file().string(), schema))
    ADD_FAILURE() << finding.message;
}

INSTANTIATE_TEST_SUITE_P(
    System, ClosedLoopExamples,
    testing::Values(ExampleSystem{"positioning", "SystemStructure.ssd", "expected.csv"},
                    ExampleSystem{"positioning", "compensated.ssd", "expected_compensated.csv"},
                    ExampleSystem{"gripper_lift", "SystemStructure.ssd", "expected.csv"},
                    ExampleSystem{"hammer", "SystemStructure.ssd", "expected.csv"},
                    ExampleSystem{"cart_pole", "SystemStructure.ssd", "expected.csv"},
                    ExampleSystem{"wiping_arm", "SystemStructure.ssd", "expected.csv"}),
    [](auto const& test) {
      return std::string(test.param.folder) +
             (std::string(test.param.structure) == "SystemStructure.ssd" ? "" : "_compensated");
    });

double slipped(ClosedLoop& loop) {
  return loop.get("plant", "hand.position[2]") - loop.get("plant", "box.position[2]");
}

TEST(GripperLift, HoldsTheBoxAgainstAPullThatItsForceAloneWouldNotHold) {
  ClosedLoop loop(system_file("gripper_lift"));
  loop.run_to(2.2);
  EXPECT_NEAR(loop.get("plant", "box.position[2]"), 0.24, 1e-3);
  EXPECT_EQ(loop.get("grip", "reserve"), 0);  // nothing has slipped so far
  EXPECT_LT(std::abs(slipped(loop)), 1e-7);
  loop.run_to(4);
  EXPECT_GT(loop.get("grip", "reserve"), 1);
  EXPECT_LT(std::abs(slipped(loop)), 1e-4);
  EXPECT_NEAR(loop.get("plant", "box.position[2]"), 0.24, 1e-3);

  // The variant whose parameter values switch the reaction off, in the master.
  CosimSystem const careless = load_cosim_system(system_file("gripper_lift", "careless.ssd"));
  CosimPlan plan = default_plan(careless, std::nullopt, 3.0);
  plan.recorded = choose_columns(careless, {"box_height", "reserve"});
  CosimResult const result = run_cosimulation(careless, plan);
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_NEAR(result.table.columns[0].back(), 0.04, 1e-3);  // on the floor again
  EXPECT_EQ(result.table.columns[1].back(), 0);
}

TEST(Hammer, DrivesTheAnchorByBlowsAndNeverByPushing) {
  ClosedLoop loop(system_file("hammer"));
  double const before = loop.get("plant", "anchor.position");
  std::vector<double> positions{before};
  for (int blow = 1; blow <= 15; ++blow) {
    loop.run_to(0.2 * blow);
    positions.push_back(loop.get("plant", "anchor.position"));
    EXPECT_LE(std::abs(loop.get("controller", "output")), 30);
  }
  // Blow after blow the same way, once the first is over.
  double const stroke = positions[3] - positions[2];
  EXPECT_GT(stroke, 1e-3);
  for (std::size_t i = 3; i < positions.size(); ++i)
    EXPECT_NEAR(positions[i] - positions[i - 1], stroke, 1e-2 * stroke);
  // The same hammer without its swing only leans against the anchor.
  ClosedLoop pushing(system_file("hammer"));
  for (int point = 1; point <= 3; ++point)
    pushing.set("controller", "profile.values[" + std::to_string(point) + "]", 0);
  pushing.set("plant", "hammer.initial.position", before - 0.0401);
  pushing.run_to(1);
  EXPECT_NEAR(pushing.get("controller", "output"), 24, 1);
  EXPECT_NEAR(pushing.get("plant", "anchor.position"), before, 1e-6);
}

TEST(CartPole, StaysUpInALimitCycleThatFrictionCauses) {
  auto const extremes = [](ClosedLoop& loop, double from, double to) {
    double least = 1e9, most = -1e9, tilt = 0;
    loop.run_to(from);
    while (loop.time() < to) {
      loop.step();
      least = std::min(least, loop.get("plant", "cart.position"));
      most = std::max(most, loop.get("plant", "cart.position"));
      tilt = std::max(tilt, std::abs(loop.get("plant", "pole.angle") - std::numbers::pi / 2));
    }
    return std::array{least, most, tilt};
  };
  ClosedLoop loop(system_file("cart_pole"));
  auto const [least, most, tilt] = extremes(loop, 8, 30);
  EXPECT_NEAR(most, -least, 0.02);
  EXPECT_GT(most, 0.5);
  EXPECT_LT(most, 0.8);
  EXPECT_LT(tilt, 0.2);
  EXPECT_GT(tilt, 0.05);
  // Without friction the same controller brings it to rest.
  ClosedLoop smooth(system_file("cart_pole"));
  smooth.set("plant", "rail.bound", 0);
  smooth.set("plant", "rail.bound_static", 0);
  auto const rest = extremes(smooth, 20, 30);
  EXPECT_LT(rest[1] - rest[0], 1e-3);
  EXPECT_LT(rest[2], 1e-3);
}

TEST(WipingArm, KeepsItsTipOnTheTableAndDoesNotJam) {
  ClosedLoop loop(system_file("wiping_arm"));
  loop.run_to(0.5);
  double least = 1e9, most = -1e9;
  while (loop.time() < loop.stop()) {
    loop.step();
    EXPECT_GT(loop.get("plant", "tip_ground.margin"), 0.05);
    EXPECT_NEAR(loop.get("plant", "tip_ground.force[3]"), 5, 0.5);  // what the biases were computed for
    EXPECT_LT(std::abs(loop.get("plant", "tip_ground.gap")), 1e-6);
    least = std::min(least, loop.get("plant", "tip_ground.position[2]"));
    most = std::max(most, loop.get("plant", "tip_ground.position[2]"));
  }
  EXPECT_GT(most, 0.18);
  EXPECT_LT(least, -0.18);
}

}  // namespace
}  // namespace delassus
