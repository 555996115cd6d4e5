// The analysis of a scene at a state, as a whole.
#include "solver/analysis/well_posedness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scene_state.hpp"

namespace delassus {
namespace {

WellPosedness analyse(SceneState const& state) {
  return analyse_well_posedness(state.terms, state.problem);
}

bool says(IslandWellPosedness const& island, std::string const& words) {
  return std::any_of(island.findings.begin(), island.findings.end(),
                     [&](std::string const& finding) { return finding.find(words) != std::string::npos; });
}

// Blumentals et al. 2016, Proposition 2: with h = 0 and hdot = 0 the acceleration decides; with h > 0, or with h = 0 and
// hdot > 0, there is no force.
TEST(Proposition2, LeavesAForceWhereAContactTouchesAndDoesNotMoveApart) {
  EXPECT_TRUE(is_closed(0, 0));
  EXPECT_TRUE(is_closed(0, -1));  // an impact, which the relaxation gives a force
  EXPECT_FALSE(is_closed(0, 1));
  EXPECT_FALSE(is_closed(0.1, 0));
  EXPECT_FALSE(is_closed(0.1, -1));
  EXPECT_TRUE(is_closed(-0.1, 1));  // presses still
}

// theory.md, section 4: the triangle of uniqueness at 60 degrees ends at mu_1 + mu_2 = 2/tan(60 deg) = 1.1547.
TEST(WellPosedness, OfTheKleinRodEndsWithTheTriangle) {
  auto const with = [](double mu) {
    return scene_state("painleve_klein", [&](Scene const& scene, std::vector<double>& parameters) {
      for (auto const& contact : scene.contacts)
        parameters[static_cast<std::size_t>(contact.law.mu.kinetic)] = mu;
    });
  };
  WellPosedness const slippery = analyse(with(0.3));
  ASSERT_EQ(slippery.islands.size(), 1u);
  EXPECT_EQ(slippery.unique, Certainty::yes);
  EXPECT_TRUE(slippery.open.empty());
  EXPECT_TRUE(slippery.islands[0].limits.at(0).guaranteed);
  EXPECT_TRUE(slippery.islands[0].rank.multipliers_unique);
  EXPECT_TRUE(says(slippery.islands[0], "one solution, whatever acts"));
  WellPosedness const rough = analyse(with(0.9));
  EXPECT_EQ(rough.unique, Certainty::no);
  EXPECT_EQ(rough.exists, Certainty::yes);
  EXPECT_EQ(rough.islands[0].limits.at(0).excesses.size(), 2u);
  EXPECT_TRUE(says(rough.islands[0], "no load without a solution, but some with several"));
}

TEST(WellPosedness, OfTheLadderHasTheBoundOfProposition13) {
  WellPosedness const result = analyse(scene_state("ladder"));
  ASSERT_EQ(result.islands.size(), 1u);
  IslandWellPosedness const& island = result.islands[0];
  ASSERT_EQ(island.limits.size(), 1u);
  EXPECT_EQ(island.limits[0].criterion, FrictionCriterion::mixed);
  EXPECT_NEAR(island.limits[0].limit / .751895854423, 1, 1e-9);
  EXPECT_EQ(result.unique, Certainty::yes);
  EXPECT_EQ(island.sliding.contacts[0].block, 0);
  EXPECT_TRUE(island.sliding.contacts[0].bilateral);
}

// Peiret et al. 2019, configuration A: mu = 0.5 is above mu_jam = .4208, so that at rest it is not safe. It is the
// direction of sliding that decides.
TEST(WellPosedness, OfTheArmDependsOnTheDirectionOfSliding) {
  auto const sliding = [](double mu, double speed) {
    return analyse(scene_state(
        "articulated_arm",
        [&](Scene const& scene, std::vector<double>& parameters) {
          parameters[static_cast<std::size_t>(scene.contacts[0].law.mu.kinetic)] = mu;
        },
        [&](std::vector<double>&, std::vector<double>& v) {
          // All links alike along x.
          for (std::size_t i = 0; i < v.size(); ++i) v[i] = i % 6 == 0 ? speed : 0;
        }));
  };
  WellPosedness const out = sliding(0.5, 1), back = sliding(0.5, -1), rest = sliding(0.5, 0);
  ASSERT_EQ(out.islands.size(), 1u);
  EXPECT_EQ(out.islands[0].sliding.size(), 1);
  EXPECT_GT(out.islands[0].sliding.eliminated, 0);
  // The last two links lean back from above the contact, so that it jams when pushed ahead of them, like chalk.
  EXPECT_EQ(out.unique, Certainty::yes);
  EXPECT_EQ(back.unique, Certainty::no);
  EXPECT_EQ(back.exists, Certainty::no);
  EXPECT_EQ(rest.unique, Certainty::no);
  EXPECT_EQ(sliding(0.42, 0).unique, Certainty::yes);
  EXPECT_EQ(sliding(0.421, 0).unique, Certainty::no);
}

TEST(WellPosedness, OfTheFourBarLinkageSaysWhatIsUniqueThoughLambdaIsNot) {
  WellPosedness const result = analyse(scene_state("four_bar"));
  ASSERT_EQ(result.islands.size(), 1u);
  IslandWellPosedness const& island = result.islands[0];
  EXPECT_EQ(island.rank.all, 17);
  EXPECT_EQ(island.redundancy.deficiency, 3);
  EXPECT_TRUE(island.limits.empty());
  EXPECT_TRUE(says(island, "the acceleration"));
  EXPECT_TRUE(says(island, "not determined by the motion"));
  EXPECT_EQ(result.unique, Certainty::yes);
}

// A box on a floor, flat, at rest: four corners, whose normals are one too many in space.
TEST(WellPosedness, OfStackedBoxesSaysThatNormalsAreRedundant) {
  WellPosedness const result = analyse(scene_state("box_stack"));
  ASSERT_FALSE(result.islands.empty());
  bool redundant = false;
  for (IslandWellPosedness const& island : result.islands) {
    redundant = redundant || !island.rank.multipliers_unique;
    EXPECT_TRUE(island.rank.solvable);
    EXPECT_EQ(island.rank.acceleration_unique, Certainty::yes);
    if (island.limits.empty() || island.rank.multipliers_unique) continue;
    EXPECT_FALSE(island.limits[0].applies);  // A_n is singular
    EXPECT_TRUE(says(island, "not independent"));
    EXPECT_FALSE(island.region.independent);
    EXPECT_EQ(island.region.unique, Certainty::no);
  }
  EXPECT_TRUE(redundant);
}

// Two blocks on a belt: dry friction of known bound alone, no contact.
TEST(WellPosedness, OfFrictionOfKnownBoundNamesWhatIsNotCovered) {
  WellPosedness const result = analyse(scene_state("belt_blocks"));
  ASSERT_EQ(result.islands.size(), 1u);
  EXPECT_EQ(result.islands[0].sliding.size(), 0);
  EXPECT_EQ(result.islands[0].sliding.not_covered, (std::vector<int>{2}));  // the others slide on the belt
  EXPECT_EQ(result.islands[0].redundancy.deficiency, 1);
  EXPECT_TRUE(says(result.islands[0], "while friction sticks as well"));
}

TEST(WellPosedness, LeavesOpenContactsAndLargeIslandsOut) {
  SceneState const state =
      scene_state("falling_rod", {}, [](std::vector<double>& q, std::vector<double>&) { q[1] += 1e-4; });
  WellPosedness const result = analyse(state);
  EXPECT_EQ(result.open.size() + result.islands.size(), state.terms.blocks.size());
  WellPosednessSettings settings;
  settings.row_limit = 3;
  SceneState const ladder = scene_state("ladder");
  WellPosedness const small = analyse_well_posedness(ladder.terms, ladder.problem, settings);
  ASSERT_EQ(small.islands.size(), 1u);
  EXPECT_FALSE(small.islands[0].analysed);
  EXPECT_EQ(small.unique, Certainty::unknown);
  EXPECT_TRUE(says(small.islands[0], "4 rows are more than the limit of 3"));
}

// Every scene of the library gets through, and what is sure by a bound is sure by the exact condition too.
TEST(WellPosedness, NeverContradictsItself) {
  for (char const* const name : {"articulated_arm",
                                 "belt_blocks",
                                 "biped_foot",
                                 "block_on_slope",
                                 "bouncing_ball",
                                 "box_on_edge",
                                 "box_stack",
                                 "falling_rod",
                                 "four_bar",
                                 "gripper",
                                 "iftomm_a01_pendulum",
                                 "iftomm_a02_four_bar_2",
                                 "iftomm_a03_squeezer",
                                 "iftomm_a04_bricard",
                                 "iftomm_a05_governor",
                                 "impact",
                                 "ladder",
                                 "painleve_klein",
                                 "painleve_rod",
                                 "pendulum",
                                 "planar_friction",
                                 "rolling_ball",
                                 "rolling_disc",
                                 "shaker_table",
                                 "skate",
                                 "slider_crank",
                                 "sliding_block",
                                 "song_rod",
                                 "sphere_pile",
                                 "spinning_top",
                                 "wheel_on_rail"}) {
    WellPosedness const result = analyse(scene_state(name));
    for (IslandWellPosedness const& island : result.islands) {
      EXPECT_TRUE(island.analysed) << name;
      EXPECT_FALSE(island.findings.empty()) << name;
      EXPECT_TRUE(island.rank.solvable) << name;
      EXPECT_TRUE(island.rank.mass_definite()) << name;
      for (FrictionLimit const& limit : island.limits) {
        EXPECT_FALSE(limit.statement.empty()) << name;
        EXPECT_TRUE(!limit.guaranteed || island.region.unique != Certainty::no) << name;
      }
      EXPECT_TRUE(island.region.unique != Certainty::yes || island.region.exists == Certainty::yes) << name;
    }
  }
}

}  // namespace
}  // namespace delassus
