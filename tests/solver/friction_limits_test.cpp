// Blumentals, Brogliato, Bertails-Descoubes 2016, section 3: bounds on friction and exact regions, against closed forms
// of the paper's two examples, against the numbers of theory.md (section 4) and against brute force.
#include "solver/analysis/friction_limits.hpp"
#include "solver/linear/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solver/analysis/p_matrix.hpp"
#include "solver/analysis/sliding_region.hpp"
#include "tests/support/block_test_tools.hpp"
#include "tests/support/scene_state.hpp"

namespace delassus {
namespace {

constexpr double g = 9.81;
constexpr double degree = M_PI / 180;

// Both ends slide to the left, xi = -1.
SlidingContacts klein_rod(double theta, double mu = 0.3) {
  SceneState const state =
      scene_state("painleve_klein", [&](Scene const& scene, std::vector<double>& parameters) {
        parameters[static_cast<std::size_t>(scene.bodies[1].initial_angle)] = theta;
        parameters[static_cast<std::size_t>(scene.shapes[0].position) + 1] = std::sin(theta);
      });
  SlidingContacts result = sliding_contacts(state.problem, state.terms.velocity);
  for (SlidingContact& contact : result.contacts) contact.mu = mu;
  return result;
}

// Falls: the head slides down the wall, the foot away from it. The wall is contact 0, its normal into the room.
SlidingContacts ladder() {
  SceneState const state = scene_state("ladder");
  return sliding_contacts(state.problem, state.terms.velocity);
}

TEST(FrictionLimits, OfTheKleinRodAreThoseOfTheClosedForm) {
  EXPECT_NEAR(singular_value_limit(klein_rod(45 * degree)), 2.0 / 3, 1e-12);
  EXPECT_NEAR(singular_value_limit(klein_rod(60 * degree)), .577350269190, 1e-12);
  for (double degrees = 5; degrees < 90; degrees += 2.5) {
    double const theta = degrees * degree, c = std::cos(theta), s = std::sin(theta);
    double const limit = singular_value_limit(klein_rod(theta));
    EXPECT_NEAR(limit / std::min(1 / (3 * s * c), c / s), 1, 1e-11) << degrees;
    // As the paper prints it, below (41).
    double const printed = 2 / (3 * std::sqrt(1 - std::cos(4 * theta))) *
                           std::sqrt(-(3 * c * c + 1) * std::abs(3 * c * c - 1) + 9 * std::pow(c, 4) + 1);
    EXPECT_NEAR(limit / printed, 1, 1e-7) << degrees;
    EXPECT_LT(limit, 2 / std::tan(theta)) << degrees;
  }
}

// Proposition 9 and its excesses.
TEST(FrictionLimits, NameTheContactsThatExceedThemAndByHowMuch) {
  SlidingContacts rod = klein_rod(60 * degree);
  rod.contacts[1].mu = 0.9;
  std::vector<FrictionLimit> const limits = friction_limits(rod);
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_EQ(limits[0].criterion, FrictionCriterion::bilateral);
  EXPECT_TRUE(limits[0].applies);
  EXPECT_FALSE(limits[0].guaranteed);
  EXPECT_NEAR(limits[0].limit, .577350269190, 1e-12);
  ASSERT_EQ(limits[0].excesses.size(), 1u);
  EXPECT_EQ(limits[0].excesses[0].contact, 1);
  EXPECT_NEAR(limits[0].excesses[0].excess, 0.9 - .577350269190, 1e-11);
  rod.contacts[1].mu = 0.57;
  EXPECT_TRUE(friction_limits(rod)[0].guaranteed);
  EXPECT_TRUE(friction_limits(rod)[0].excesses.empty());
  rod.contacts[0].mu = rod.contacts[1].mu = 0;
  EXPECT_TRUE(friction_limits(rod).empty());
}

// The paper takes |mu_1 - mu_2| < 2/tan(theta) for the condition of a unique solution. It is that of a solution for
// every load; a unique one needs mu_1 + mu_2 < 2/tan(theta) (theory.md, section 4).
TEST(SlidingRegion, OfTheKleinRodHasAStripOfExistenceAndATriangleOfUniqueness) {
  for (double const degrees : {30.0, 45.0, 60.0, 75.0}) {
    SlidingContacts const rod = klein_rod(degrees * degree);
    double const edge = 2 / std::tan(degrees * degree);
    for (double mu_1 = 0.0131; mu_1 < 5; mu_1 += 0.11) {
      for (double mu_2 = 0.017; mu_2 < 5; mu_2 += 0.13) {
        SlidingRegion const region = sliding_region(rod, Eigen::Vector2d(mu_1, mu_2));
        EXPECT_EQ(region.unique == Certainty::yes, mu_1 + mu_2 < edge)
            << degrees << " " << mu_1 << " " << mu_2;
        EXPECT_EQ(region.exists == Certainty::yes, std::abs(mu_1 - mu_2) < edge)
            << degrees << " " << mu_1 << " " << mu_2;
      }
    }
  }
}

TEST(SlidingRegion, OfTheKleinRodHasThreeSolutionsUnderItsWeight) {
  SlidingContacts const rod = klein_rod(60 * degree, 0.9);
  EXPECT_EQ(sliding_region(rod).unique, Certainty::no);
  EXPECT_EQ(sliding_region(rod).exists, Certainty::yes);
  // w = -J_n M^-1 F with the weight: both ends fall with g.
  std::vector<Eigen::VectorXd> const all = sliding_solutions(rod, rod.mu(), Eigen::Vector2d(-g, -g));
  ASSERT_EQ(all.size(), 3u);
  for (Eigen::Vector2d const& expected : {Eigen::Vector2d(4.905, 4.905), Eigen::Vector2d(12.5511, -2.7411),
                                          Eigen::Vector2d(-2.7411, 12.5511)}) {
    double nearest = 1;
    for (Eigen::VectorXd const& lambda : all) nearest = std::min(nearest, (lambda - expected).norm());
    EXPECT_LT(nearest, 1e-4) << expected.transpose();
  }
  for (Eigen::VectorXd const& lambda : all) {  // (37)
    Eigen::Vector2d const residual =
        rod.A_n * lambda - rod.A_t * (0.9 * lambda.cwiseAbs()) - Eigen::Vector2d(g, g);
    EXPECT_LT(residual.norm(), 1e-12);
  }
  SlidingContacts const slippery = klein_rod(60 * degree, 0.5);
  EXPECT_EQ(sliding_solutions(slippery, slippery.mu(), Eigen::Vector2d(-g, -g)).size(), 1u);
}

// Proposition 13. The paper reads "around 0.65" from its Fig. 2(b), which could not be reproduced: the two sides of the
// wall's normal and the four directions of sliding have .4084, .4555, .5609 and .7519; with the misprint of (57) left in
// .32 to .45, with that of (62) .48 to .71, nearest .638 for a foot that slides to the wall while the head goes down.
TEST(FrictionLimits, OfTheLadderAreThoseOfProposition13) {
  SlidingContacts const into_the_room = ladder(), into_the_wall = with_normals_turned(ladder(), 1);
  MixedFriction const room = mixed_friction(into_the_room), wall = mixed_friction(into_the_wall);
  EXPECT_NEAR(room.beta_2 / 1.09901904695, 1, 1e-11);
  EXPECT_NEAR(wall.beta_2 / 1.09901904695, 1, 1e-11);
  EXPECT_NEAR(room.limit / .751895854423, 1, 1e-11);
  EXPECT_NEAR(wall.limit / .408396596354, 1, 1e-11);
  // The one that holds for the ladder is the larger: the sides of a bilateral normal are the same problem.
  std::vector<FrictionLimit> const limits = friction_limits(into_the_wall);
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_EQ(limits[0].criterion, FrictionCriterion::mixed);
  EXPECT_NEAR(limits[0].limit / .751895854423, 1, 1e-11);
  EXPECT_TRUE(limits[0].guaranteed);  // mu = 0.2
  EXPECT_TRUE(limits[0].excesses.empty());
}

// Fig. 2(c): mu_u < (4 - 3 mu_b)/(3 - 2 mu_b), mu_b < 4/3 (theory.md, section 4), whichever side the normal is on.
TEST(SlidingRegion, OfTheLadderIsTheClosedForm) {
  for (unsigned const turned : {0u, 1u}) {
    SlidingContacts const contacts = with_normals_turned(ladder(), turned);
    for (double mu_b = 0; mu_b < 1.6; mu_b += 0.0397) {
      for (double mu_u = 0.001; mu_u < 1.6; mu_u += 0.0413) {
        bool const inside = mu_b < 4.0 / 3 && mu_u < (4 - 3 * mu_b) / (3 - 2 * mu_b);
        EXPECT_EQ(sliding_region(contacts, Eigen::Vector2d(mu_b, mu_u)).unique == Certainty::yes, inside)
            << mu_b << " " << mu_u;
      }
    }
    for (double const mu_b : {0.0, 0.2, 0.5, 0.9, 1.2, 1.33}) {
      double const edge = (4 - 3 * mu_b) / (3 - 2 * mu_b);
      EXPECT_EQ(sliding_region(contacts, Eigen::Vector2d(mu_b, edge * (1 - 1e-9))).unique, Certainty::yes);
      EXPECT_EQ(sliding_region(contacts, Eigen::Vector2d(mu_b, edge * (1 + 1e-9))).unique, Certainty::no);
    }
  }
}

// Proposition 14 with the wall without friction: one contact is left, for which the bound is exact.
TEST(FrictionLimits, OfTheLadderAtASmoothWallAreThoseOfProposition14) {
  SlidingContacts contacts = ladder();
  contacts.contacts[0].mu = 0;
  contacts.contacts[1].mu = 1.5;
  std::vector<FrictionLimit> const limits = friction_limits(contacts);
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_EQ(limits[0].criterion, FrictionCriterion::unilateral_beside_joints);
  EXPECT_NEAR(limits[0].limit, 4.0 / 3, 1e-12);
  ASSERT_EQ(limits[0].excesses.size(), 1u);
  EXPECT_EQ(limits[0].excesses[0].contact, 1);  // the ground, also after the wall is gone
  EXPECT_NEAR(limits[0].excesses[0].excess, 1.5 - 4.0 / 3, 1e-12);
}

// Kikuuwe and Brogliato 2017, 5.3: 4 G_B/m = 1 + 3 c^2 -+ 3 mu s c for the rod that slides one way or the other. (51) is
// exact for one contact in the direction that jams; in the other, no friction is too much.
TEST(FrictionLimits, OfOneContactIsExact) {
  for (double const theta : {0.3, 45 * degree, 1.2}) {
    double const c = std::cos(theta), s = std::sin(theta), limit = (1 + 3 * c * c) / (3 * s * c);
    for (double const speed : {-1.0, 1.0}) {
      SceneState const state = scene_state(
          "painleve_rod",
          [&](Scene const& scene, std::vector<double>& parameters) {
            parameters[static_cast<std::size_t>(scene.bodies[0].initial_angle)] = theta;
          },
          [&](std::vector<double>&, std::vector<double>& v) {
            v = {speed, 0, 0};
          });
      SlidingContacts const contacts = sliding_contacts(state.problem, state.terms.velocity);
      ASSERT_EQ(contacts.size(), 1);
      EXPECT_NEAR(singular_value_limit(contacts) / limit, 1, 1e-12);
      EXPECT_EQ(friction_limits(contacts)[0].criterion, FrictionCriterion::unilateral);
      for (double const mu : {0.1, limit * (1 - 1e-9), limit * (1 + 1e-9), 10.0}) {
        SlidingRegion const region = sliding_region(contacts, Eigen::VectorXd::Constant(1, mu));
        double const A_s = 1 + 3 * c * c + 3 * mu * s * c * speed;  // jams to the left
        EXPECT_EQ(region.unique == Certainty::yes, A_s > 0) << mu << " " << speed;
        EXPECT_EQ(region.exists == Certainty::yes, A_s > 0) << mu << " " << speed;
      }
    }
  }
}

// (64) for one contact in space beside joints, at rest: whatever way it starts. That is mu_jam of Peiret et al. 2019,
// (36), .420786822510 in configuration A (theory.md, section 2).
TEST(FrictionLimits, OfAContactAtRestBesideJointsIsTheJammingCoefficient) {
  SceneState const state =
      scene_state("articulated_arm", {},
                  [](std::vector<double>&, std::vector<double>& v) { std::fill(v.begin(), v.end(), 0.0); });
  SlidingContacts const contacts = sliding_contacts(state.problem, state.terms.velocity);
  ASSERT_EQ(contacts.size(), 1);
  EXPECT_FALSE(contacts.all_slide());
  std::vector<FrictionLimit> const limits = friction_limits(contacts);
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_EQ(limits[0].criterion, FrictionCriterion::unilateral_beside_joints);
  EXPECT_NEAR(limits[0].limit / .420786822510, 1, 1e-9);
}

// Theorem 3: the maximum over [0, 1]^n, here by a grid and by random points, is at a corner.
TEST(PMatrix, HasItsBeta2AtACorner) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  int found = 0;
  for (int attempt = 0; found < test::scaled(300) && attempt < 100'000; ++attempt) {
    Eigen::Index const n = 1 + attempt % 4;
    Eigen::MatrixXd M = Eigen::MatrixXd::Identity(n, n);
    for (double& entry : M.reshaped()) entry += 0.7 * normal(random);
    if (test_p_matrix(M).is_p != Certainty::yes) continue;
    ++found;
    double const beta = beta_2(M);
    double best = 0;
    for (int k = 0; k < 500; ++k) {
      Eigen::VectorXd d(n);
      for (double& entry : d) entry = k % 3 == 0 ? std::round(uniform(random)) : uniform(random);
      Eigen::MatrixXd const D = d.asDiagonal();
      Eigen::MatrixXd const X = inverse_of_regular(Eigen::MatrixXd::Identity(n, n) - D + D * M) * D;
      best = std::max(best, singular_values(X)[0]);
    }
    EXPECT_LE(best, beta * (1 + 1e-10)) << "attempt " << attempt << "\n" << M;
    EXPECT_GE(best, beta * 0.999999) << "attempt " << attempt;  // all corners were among the points
    // Symmetric and positive definite, it is |M^-1|_2.
    Eigen::MatrixXd const S = M * M.transpose();
    Eigen::VectorXd const values = singular_values(S);
    EXPECT_NEAR(beta_2(S) * values[n - 1], 1, 1e-9);
  }
  EXPECT_GE(found, 100);
}

TEST(PMatrix, IsFoundWhereAllPrincipalMinorsArePositive) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  int yes = 0, no = 0;
  for (int attempt = 0; attempt < test::scaled(20'000); ++attempt) {
    Eigen::Index const n = 1 + attempt % 5;
    Eigen::MatrixXd M = 1.2 * Eigen::MatrixXd::Identity(n, n);
    for (double& entry : M.reshaped()) entry += 0.8 * normal(random);
    bool expected = true;
    for (unsigned subset = 1; subset < 1u << n; ++subset) {
      std::vector<Eigen::Index> rows;
      for (Eigen::Index i = 0; i < n; ++i) {
        if (subset >> i & 1u) rows.push_back(i);
      }
      expected = expected && RegularLu(M(rows, rows)).determinant() > 0;
    }
    PMatrix const test = test_p_matrix(M);
    ASSERT_EQ(test.is_p, certainty(expected)) << "seed 11, attempt " << attempt << "\n" << M;
    ++(expected ? yes : no);
    if (expected) continue;
    ASSERT_FALSE(test.rows.empty());
    EXPECT_LE(RegularLu(M(test.rows, test.rows)).determinant(), 1e-12) << M;
  }
  EXPECT_GT(yes, 20);
  EXPECT_GT(no, 20);
}

// Random sliding contacts, some bilateral.
SlidingContacts random_contacts(std::mt19937& random, Eigen::Index count, Eigen::Index bilateral) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1.5);
  Eigen::MatrixXd J_n(count, count + 1), J_t(count, count + 1);
  for (double& entry : J_n.reshaped()) entry = normal(random);
  for (double& entry : J_t.reshaped()) entry = normal(random);
  SlidingContacts result;
  result.A_n = J_n * J_n.transpose();
  result.A_t = result.A_tangents = J_n * J_t.transpose();
  double const scale = std::uniform_real_distribution<double>(0.02, 1.0)(random);
  for (Eigen::Index i = 0; i < count; ++i)
    result.contacts.push_back({static_cast<int>(i), i < bilateral, 1, scale * uniform(random), true});
  return result;
}

// Against the definition of the problem: the signs of all 2^m pieces, and the solutions of random loads.
TEST(SlidingRegion, AgreesWithBruteForceOnRandomContacts) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int counts[2][3] = {};
  int guaranteed = 0, unguaranteed = 0, exceptions_without = 0;
  int const problems = test::scaled(3'000);
  for (int k = 0; k < problems; ++k) {
    Eigen::Index const count = 1 + k % 4, bilateral = k / 4 % (count + 1);
    SlidingContacts const contacts = random_contacts(random, count, bilateral);
    Eigen::VectorXd const mu = contacts.mu();
    SlidingRegion const region = sliding_region(contacts, mu);
    ++counts[0][static_cast<int>(region.unique)];
    ++counts[1][static_cast<int>(region.exists)];
    // lambda_i > 0 has the column A_n - A_t mu; else a bilateral contact has A_n + A_t mu, a unilateral one e_i.
    int positive = 0, negative = 0;
    for (unsigned piece = 0; piece < 1u << count; ++piece) {
      Eigen::MatrixXd columns = contacts.A_n - contacts.A_t * mu.asDiagonal();
      for (Eigen::Index i = 0; i < count; ++i) {
        if (piece >> i & 1u) continue;
        if (i < bilateral)
          columns.col(i) = contacts.A_n.col(i) + contacts.A_t.col(i) * mu[i];
        else
          columns.col(i) = Eigen::VectorXd::Unit(count, i);
      }
      ++(RegularLu(columns).determinant() > 0 ? positive : negative);
    }
    ASSERT_EQ(region.unique, certainty(positive == 0 || negative == 0)) << "seed 3, problem " << k;
    bool some_without = false;
    int const loads = count == 2 ? 360 : 20;
    for (int load = 0; load < loads; ++load) {
      Eigen::VectorXd w(count);
      for (double& entry : w) entry = normal(random);
      if (count == 2)
        w = Eigen::Vector2d(std::cos(2 * M_PI * load / loads), std::sin(2 * M_PI * load / loads));
      if (count == 1) w[0] = load % 2 == 0 ? 1 : -1;
      std::vector<Eigen::VectorXd> const all = sliding_solutions(contacts, mu, w);
      ASSERT_TRUE(region.unique != Certainty::yes || all.size() == 1) << "seed 3, problem " << k;
      ASSERT_TRUE(region.exists != Certainty::yes || !all.empty()) << "seed 3, problem " << k;
      some_without = some_without || all.empty();
      for (Eigen::VectorXd const& lambda : all) {
        Eigen::VectorXd const eta =
            contacts.A_n * lambda - contacts.A_t * (mu.cwiseProduct(lambda.cwiseAbs())) + w;
        double const bar = 1e-9 * (1 + lambda.norm() * contacts.A_n.norm());
        for (Eigen::Index i = 0; i < count; ++i) {
          if (i < bilateral)
            EXPECT_LT(std::abs(eta[i]), bar);
          else
            EXPECT_TRUE(lambda[i] >= 0 && eta[i] > -bar && std::min(lambda[i], eta[i]) < bar);
        }
      }
    }
    // A cone narrower than the steps may be missed.
    if (region.exists == Certainty::no) exceptions_without += !some_without;
    for (FrictionLimit const& limit : friction_limits(contacts)) {
      ++(limit.guaranteed ? guaranteed : unguaranteed);
      EXPECT_TRUE(!limit.guaranteed || region.unique == Certainty::yes) << "seed 3, problem " << k;
      EXPECT_TRUE(!limit.excesses.empty() || limit.criterion == FrictionCriterion::mixed || limit.guaranteed);
    }
  }
  EXPECT_GT(counts[0][static_cast<int>(Certainty::yes)], problems / 10);
  EXPECT_GT(counts[0][static_cast<int>(Certainty::no)], problems / 10);
  EXPECT_GT(counts[1][static_cast<int>(Certainty::no)], problems / 100);
  EXPECT_EQ(counts[0][static_cast<int>(Certainty::unknown)], 0);
  EXPECT_LE(exceptions_without, problems / 500);
  EXPECT_GT(guaranteed, problems / 20);
  EXPECT_GT(unguaranteed, problems / 20);
}

// The bounds, taken for every mu at once: at the bound and below, every choice of coefficients has one solution.
TEST(FrictionLimits, HoldForEveryChoiceOfCoefficientsBelowThem) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int k = 0; k < test::scaled(300); ++k) {
    Eigen::Index const count = 2 + k % 2, bilateral = k / 2 % (count + 1);
    SlidingContacts const contacts = random_contacts(random, count, bilateral);
    double const limit = friction_limits(contacts)[0].limit;
    for (int choice = 0; choice < 20; ++choice) {
      Eigen::VectorXd mu(count);
      for (double& entry : mu) entry = choice == 0 ? limit * 0.999999 : limit * uniform(random);
      if (choice == 0 && !std::isfinite(limit)) continue;
      EXPECT_EQ(sliding_region(contacts, mu).unique, Certainty::yes)
          << "seed 5, problem " << k << ", limit " << limit << ", mu " << mu.transpose();
    }
  }
}

}  // namespace
}  // namespace delassus
