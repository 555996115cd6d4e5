// Song et al. 2001, Table 1, corrected, and the contacts of systems that are classified by it.
#include "solver/block/sliding_class.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "solver/time/sliding_state.hpp"
#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

struct Row {
  char const* name;
  double A, B;
  SlidingClass expected;
  Paradox paradox;
};
class SlidingTable : public testing::TestWithParam<Row> {};

TEST_P(SlidingTable, HasTheRow) {
  Row const& row = GetParam();
  SlidingClass const found = classify_sliding(row.A, row.B);
  EXPECT_EQ(found, row.expected);
  EXPECT_EQ(found.paradox(), row.paradox);
}

// detached, contact, contact stable, infinitely many, rigid. The print has A < 0, B < 0 in both of the last
// two rows and A < 0, B >= 0 for the unstable contact.
INSTANTIATE_TEST_SUITE_P(
    Song, SlidingTable,
    testing::Values(
        Row{"PulledApart", 2, 3, {true, false, false, false, true}, Paradox::regular},
        Row{"PulledApartByNothing", 2, 0, {true, false, false, false, true}, Paradox::regular},
        Row{"Pressed", 2, -3, {false, true, true, false, true}, Paradox::regular},
        Row{"AtTheEdgePulledApart", 0, 3, {true, false, false, false, true}, Paradox::regular},
        Row{"AtTheEdgeLoadless", 0, 0, {false, false, false, true, false}, Paradox::indeterminate},
        Row{"AtTheEdgePressed", 0, -3, {false, false, false, false, false}, Paradox::inconsistent},
        Row{"JammedPulledApart", -2, 3, {true, true, false, false, true}, Paradox::indeterminate},
        Row{"JammedPulledByNothing", -2, 0, {true, false, false, false, true}, Paradox::regular},
        Row{"JammedPressed", -2, -3, {false, false, false, false, false}, Paradox::inconsistent}),
    [](auto const& test) { return test.param.name; });

TEST(SlidingClassification, CountsTheSolutionsOfTheComplementarityProblem) {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> number(-3, 3);
  for (int k = 0; k < 1000; ++k) {
    double const A = number(random), B = number(random);
    // By definition, over forces that hold every solution of these numbers, -B/A among them.
    int found = 0;
    for (int sixths = 0; sixths <= 18; ++sixths) {
      double const lambda = sixths / 6.0, eta = A * lambda + B;
      bool const zero = std::abs(eta) < 1e-12;
      if ((lambda == 0 && eta > -1e-12) || (lambda > 0 && zero)) ++found;
    }
    SlidingClass const sliding = classify_sliding(A, B);
    if (sliding.infinitely_many) {
      EXPECT_EQ(found, 19) << A << " " << B;
    } else {
      EXPECT_EQ(found, sliding.solutions()) << A << " " << B;
    }
  }
}

TEST(SlidingClassification, TakesWhatIsBelowItsRoundingForZero) {
  EXPECT_TRUE(classify_sliding(1e-16, -1e-16, 1e-15, 1e-15).infinitely_many);
  EXPECT_EQ(classify_sliding(-1e-16, -1, 1e-15, 1e-15), classify_sliding(0, -1));
  EXPECT_EQ(classify_sliding(-1e-14, 1, 1e-15, 1e-15), classify_sliding(-1, 1));
}

// Which contact a run starts with, as the stepper sees it.
SlidingState contact_at_start(SceneRun& run, std::string const& name) {
  SceneSlave& slave = run.slave();
  slave.contact_problem();  // puts the motion at its start
  Snapshot const state = slave.snapshot();
  SceneModel const& model = slave.model();
  auto const n = static_cast<std::size_t>(model.scene().configuration_size);
  Dynamics dynamics(model.system());
  dynamics.evaluate({0, std::span(state.stepper.x).first(n), std::span(state.stepper.x).subspan(n),
                     state.inputs, state.parameters},
                    {}, {}, {});
  for (std::size_t k = 0; k < dynamics.terms().blocks.size(); ++k) {
    if (model.system().block_name(dynamics.terms().blocks[k].identity) == name)
      return sliding_state(dynamics, k);
  }
  return {};
}

// G_A and G_B of Kikuuwe and Brogliato 2017, section 5.3: A = 4 G_B / m and B = -G_A while the tip slides to
// the left; to the right friction lifts it.
TEST(SlidingState, OfPainlevesRodHasAAndBOfThePaper) {
  for (double theta = .1; theta < 1.5; theta += .1) {
    for (double const mu : {.5, 1.3, 1.5, 2.0, 3.0}) {
      for (double const thetadot : {0.0, 2.0, 6.0}) {
        for (double const to : {-1.0, 1.0}) {
          double const c = std::cos(theta), s = std::sin(theta);
          double const G_A = 9.81 - thetadot * thetadot * s;
          double const A = 1 + 3 * c * c + to * 3 * mu * s * c;
          SceneRun run("painleve_rod", {{"rod.initial.angle", theta},
                                        {"tip_ground.mu", mu},
                                        {"rod.initial.angular_velocity", thetadot},
                                        {"rod.initial.velocity[1]", to * 20}});
          SlidingState const contact = contact_at_start(run, "tip_ground");
          ASSERT_TRUE(contact.slides);
          EXPECT_NEAR(contact.A, A, 1e-12);
          EXPECT_NEAR(contact.B, -G_A, 1e-9);
          EXPECT_NEAR(contact.mu_jam, (1 + 3 * c * c) / (3 * s * c), 1e-11);
          EXPECT_EQ(contact.direction[0], to);
          Paradox const expected = A > 0     ? Paradox::regular
                                   : G_A > 0 ? Paradox::inconsistent
                                             : Paradox::indeterminate;
          EXPECT_EQ(contact.paradox(), expected) << theta << " " << mu << " " << thetadot << " " << to;
          EXPECT_EQ(run.get("tip_ground.paradox"), static_cast<double>(expected));
        }
      }
    }
  }
}

TEST(SlidingState, IsRegularAtRestAndAboveTheGround) {
  SceneRun resting("painleve_jam", {{"rod.initial.velocity[1]", 0}}),
      flying("painleve_jam", {{"rod.initial.position[2]", 1e-3}, {"rod.initial.angular_velocity", 4}});
  EXPECT_EQ(resting.get("tip_ground.paradox"), 1);
  EXPECT_EQ(flying.get("tip_ground.paradox"), 1);
}

// The rod as two rods of half the mass in the same place, welded to one another twice: one weld is redundant,
// and the contact is that of the one rod.
TEST(SlidingState, IsTheSameWithJointsThatAreRedundant) {
  std::string const body =
      R"( type="planar" mass="0.5"><rod half_length="1"/><point name="tip" fraction="-1"/>
    <initial point="tip" position="0 0" velocity="-1 0" angle="45deg" angular_velocity="1"/></body>)";
  std::string const text =
      R"(<scene name="twins"><interface analysis="yes"/><gravity acceleration="0 -9.81"/><body name="rod")" +
      body + R"(<body name="twin")" + body +
      R"(<joint name="weld_1" type="fixed" a="rod" b="twin"/>
    <joint name="weld_2" type="fixed" a="twin" b="rod"/>
    <contact name="tip_ground" point="rod.tip" mu="2" zeta="1" delta="1e-3"/></scene>)";
  SceneRun run(std::make_shared<const SceneModel>(compile_scene(read_scene_source(text, "twins.xml"))));
  SlidingState const contact = contact_at_start(run, "tip_ground");
  ASSERT_TRUE(contact.slides);
  EXPECT_NEAR(contact.A, -.5, 1e-12);
  EXPECT_NEAR(contact.B, -9.81 + std::sin(std::numbers::pi / 4), 1e-8);
  EXPECT_NEAR(contact.mu_jam, 5.0 / 3, 1e-12);
  EXPECT_EQ(run.get("tip_ground.paradox"), static_cast<double>(Paradox::inconsistent));
  run.run_to(.02);
  EXPECT_LT(std::abs(run.get("tip_ground.velocity[1]")), 1e-6);
  EXPECT_EQ(run.get("tip_ground.paradox"), static_cast<double>(Paradox::regular));
}

}  // namespace
}  // namespace delassus
