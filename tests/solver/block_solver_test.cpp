#include "solver/block/exact_solver.hpp"
#include "solver/linear/dense.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/block_test_tools.hpp"
#include "tests/support/contact_problem_file.hpp"
#include "tests/support/random_block.hpp"

namespace delassus {
namespace {

using namespace test;

bool same_bits(Eigen::Vector3d const& a, Eigen::Vector3d const& b) {
  for (int i = 0; i < 3; ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}

// ---- Published and shared values

TEST(BlockSolver, ReproducesTheComparisonOfTheThreeLaws) {
  Eigen::Matrix3d A;
  A << 2, 0, .6, 0, 2, 0, .6, 0, 1.5;
  Eigen::Vector3d const b(4, 1, 3);
  ForceSet const set{ForceSetKind::cone3, .3};
  auto const near = [](Eigen::Vector3d const& lambda, double x, double y, double n) {
    EXPECT_NEAR(lambda[0], x, 1e-11);
    EXPECT_NEAR(lambda[1], y, 1e-11);
    EXPECT_NEAR(lambda[2], n, 1e-11);
  };
  near(solve(set, A, b).lambda, .509802354619, .174449298386, 1.79607905815);
  near(solve(set, A, b, ContactLaw::anitescu_tasora).lambda, .590747977983, .215412293099, 2.09598990008);
  near(solve(set, A, b, ContactLaw::nakaoka).lambda, .390270156914, .122656335030, 1.36363636364);
  EXPECT_EQ(enumerate_block(set, A, b).count, 1);
  EXPECT_EQ(solve(set, A, b).mode, ContactMode::slip);
}

// Kikuuwe and Brogliato 2017, section 5.3, with A and b of (22), (27), (109).
struct PainleveRod {
  ForceSet set{ForceSetKind::cone2, 2};
  Eigen::Matrix3d A;
  Eigen::Vector3d b;

  PainleveRod() {
    double const theta = std::acos(-1.0) / 4, angular_velocity = 4, slip_velocity = -1, zeta = 1,
                 delta = 1e-3, g = 9.81;
    double const sine = std::sin(theta), cosine = std::cos(theta);
    Eigen::Matrix<double, 2, 3> J;
    J << 1, 0, sine, 0, 1, -cosine;
    Eigen::Matrix3d const M_inverse = Eigen::Vector3d(1, 1, 3).asDiagonal();
    Eigen::Vector3d const Phi(0, g, 0);
    // Jdot v = thetadot^2 (cos, sin); the contact point touches (Psi = 0) and slides.
    Eigen::Vector2d const Jdot_v = angular_velocity * angular_velocity * Eigen::Vector2d(cosine, sine);
    A = padded(Eigen::Matrix2d(J * M_inverse * J.transpose()));
    b = padded(
        Eigen::Vector2d(J * M_inverse * Phi - Jdot_v - 2 * zeta / delta * Eigen::Vector2d(slip_velocity, 0)));
  }
};

TEST(BlockSolver, FindsTheThreeSolutionsOfThePainleveRod) {
  PainleveRod const rod;
  BlockSolutions const solutions = enumerate_block(rod.set, rod.A, rod.b);
  ASSERT_EQ(solutions.count, 3);
  EXPECT_FALSE(solutions.infinitely_many);
  EXPECT_EQ(solutions.item[0].mode, ContactMode::detached);
  EXPECT_EQ(solutions.item[0].lambda.head<2>(), Eigen::Vector2d(0, 0));
  EXPECT_EQ(solutions.item[1].mode, ContactMode::stick);
  EXPECT_NEAR(solutions.item[1].lambda[0], 1242.36504150, 1e-7);
  EXPECT_NEAR(solutions.item[1].lambda[1], 744.817541501, 1e-7);
  EXPECT_EQ(solutions.item[2].mode, ContactMode::slip);
  EXPECT_NEAR(solutions.item[2].lambda[0], 6.01483399594, 1e-10);
  EXPECT_NEAR(solutions.item[2].lambda[1], 3.00741699797, 1e-10);
  EXPECT_TRUE(solutions.item[0].stable);
  EXPECT_TRUE(solutions.item[1].stable);
  EXPECT_FALSE(solutions.item[2].stable);
}

TEST(BlockSolver, TakesTheSolutionThatTheRuleNames) {
  PainleveRod const rod;
  auto const mode = [&](SolutionRule rule, double t, double n) {
    BlockChoice const choice = solve(rod.set, rod.A, rod.b, ContactLaw::coulomb, rule, {t, n, nan});
    EXPECT_EQ(choice.solutions, 3);
    return choice.mode;
  };
  EXPECT_EQ(mode(SolutionRule::continuous, 0, 1), ContactMode::detached);
  EXPECT_EQ(mode(SolutionRule::continuous, 5, 3), ContactMode::slip);
  EXPECT_EQ(mode(SolutionRule::continuous, 1000, 700), ContactMode::stick);
  EXPECT_EQ(mode(SolutionRule::detach, 1000, 700), ContactMode::detached);
  EXPECT_EQ(mode(SolutionRule::stick, 0, 0), ContactMode::stick);
  EXPECT_EQ(mode(SolutionRule::stable, 6, 3), ContactMode::detached);
  EXPECT_EQ(mode(SolutionRule::stable, 1000, 700), ContactMode::stick);
}

TEST(BlockSolver, AgreesWithTheSolvedProblemsOfOneContact) {
  if (!std::filesystem::exists(test::contact_problem_path()))
    GTEST_SKIP() << test::contact_problem_path() << " is not there";
  int compared = 0;
  for (auto const& solved : test::read_contact_problems(test::contact_problem_path())) {
    if (solved.problem.blocks.size() != 1) continue;
    ++compared;
    ForceSet const set = solved.problem.blocks[0].set;
    Eigen::Matrix3d const A = solved.problem.dense();
    Eigen::Vector3d const b = solved.problem.b;
    double const size = 1 + b.norm();
    BlockChoice const coulomb = solve(set, A, b);
    EXPECT_LE((coulomb.lambda - solved.coulomb).norm(), 1e-9 * size);
    EXPECT_EQ(coulomb.mode, solved.modes[0] == "open"    ? ContactMode::detached
                            : solved.modes[0] == "stick" ? ContactMode::stick
                                                         : ContactMode::slip);
    EXPECT_LE((solve(set, A, b, ContactLaw::anitescu_tasora).lambda - solved.anitescu_tasora).norm(),
              1e-8 * size);
    EXPECT_LE((solve(set, A, b, ContactLaw::nakaoka).lambda - solved.nakaoka).norm(), 1e-9 * size);
  }
  EXPECT_GT(compared, 0);
}

// ---- Random problems

double random_mu(RandomBlocks& random) {
  switch (random.integer(0, 9)) {
    case 0:
      return 0;
    case 1:
      return std::pow(10.0, random.uniform(-12, 0));
    case 2:
    case 3:
      return random.uniform(0, 10);
    default:
      return random.uniform(0, 1.5);
  }
}

struct Tally {
  double worst = 0;
  int several = 0;
  int modes[4] = {0, 0, 0, 0};
};

Tally check_random_blocks(ForceSetKind kind, int count, unsigned seed) {
  RandomBlocks random(seed);
  ResidualOf residual;
  Tally tally;
  int const rows = rows_of(kind);
  for (int i = 0; i < count; ++i) {
    ForceSet const set{kind, random_mu(random)};
    double const decades = random.integer(0, 3) == 0 ? 8 : random.uniform(0, 8);
    bool const body = kind == ForceSetKind::cone3 && random.integer(0, 1) == 0;
    Eigen::MatrixXd const A =
        body ? Eigen::MatrixXd(random.rigid_body_matrix()) : random.matrix_over_decades(rows, decades);
    int const mode = random.integer(has_normal(kind) ? 1 : 2, kind == ForceSetKind::half_line ? 2 : 3);
    RandomBlock block = random.with_mode(set, A, static_cast<ContactMode>(mode));
    if (random.integer(0, 4) == 0) {  // any b
      for (int j = 0; j < rows; ++j) block.b[j] = random.normal();
    }
    BlockSolutions const solutions = enumerate_block(set, block.A, block.b);
    auto const context = [&] {
      std::ostringstream text;
      text.precision(17);
      text << "problem " << i << " mu " << set.limit << "\nA\n" << block.A << "\nb " << block.b.transpose();
      return text.str();
    };
    EXPECT_GE(solutions.count, 1) << context();
    // A positive definite A has at most three solutions (secular_equation.hpp).
    EXPECT_LE(solutions.count, 3) << context();
    for (int j = 0; j < solutions.count; ++j) {
      auto const& solution = solutions.item[static_cast<std::size_t>(j)];
      double const error = residual(set, block.A, block.b, solution.lambda);
      tally.worst = std::max(tally.worst, error);
      EXPECT_LE(error, bar) << context() << "\nsolution " << solution.lambda.transpose();
    }
    BlockChoice const choice =
        solve(set, block.A, block.b, ContactLaw::coulomb, SolutionRule::continuous, block.lambda);
    double const error = residual(set, block.A, block.b, choice.lambda);
    tally.worst = std::max(tally.worst, error);
    EXPECT_LE(error, bar) << context() << "\nchoice " << choice.lambda.transpose();
    EXPECT_EQ(choice.solutions, solutions.count) << context();
    ++tally.modes[static_cast<int>(choice.mode)];
    if (solutions.count > 1) ++tally.several;
    if (testing::Test::HasFailure()) break;
  }
  return tally;
}

TEST(BlockSolver, SolvesAMillionSpatialContactsOfAnyConditioning) {
  unsigned const seed = 20260101;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  int const count = scaled(1000000);
  Tally const tally = check_random_blocks(ForceSetKind::cone3, count, seed);
  RecordProperty("worst_residual", std::to_string(tally.worst));
  std::cout << "worst residual " << tally.worst << ", several solutions in " << tally.several << " of "
            << count << '\n';
  for (int mode = 1; mode <= 3; ++mode) EXPECT_GT(tally.modes[mode], count / 10);
  EXPECT_GT(tally.several, 0);
}

TEST(BlockSolver, SolvesTheOtherForceSetsOfAnyConditioning) {
  unsigned const seed = 20260102;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  for (auto const kind :
       {ForceSetKind::half_line, ForceSetKind::interval, ForceSetKind::disc, ForceSetKind::cone2}) {
    Tally const tally = check_random_blocks(kind, scaled(200000), seed);
    std::cout << "worst residual " << tally.worst << ", several " << tally.several << '\n';
  }
}

TEST(BlockSolver, FollowsTheComparisonLawsOfAnyConditioning) {
  unsigned const seed = 20260103;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  ResidualOf residual;
  double worst = 0;
  for (int i = 0; i < scaled(100000); ++i) {
    auto const kind = random.integer(0, 3) == 0 ? ForceSetKind::cone2 : ForceSetKind::cone3;
    int const rows = rows_of(kind);
    RandomBlock const block =
        random.with_mode({kind, random_mu(random)}, random.matrix_over_decades(rows, random.uniform(0, 8)),
                         static_cast<ContactMode>(random.integer(1, 3)));
    BlockChoice const convex = solve(block.set, block.A, block.b, ContactLaw::anitescu_tasora);
    double const error = residual(block.set, block.A, block.b, convex.lambda, ContactLaw::anitescu_tasora);
    worst = std::max(worst, error);
    ASSERT_LE(error, bar) << i << " mu " << block.set.limit << "\n"
                          << block.A << "\nb " << block.b.transpose() << "\nlambda "
                          << convex.lambda.transpose();
    ASSERT_EQ(convex.solutions, 1);

    // (80) in words, with another factorisation of A.
    Eigen::MatrixXd const A = block.A.topLeftCorner(rows, rows);
    Eigen::VectorXd r = PivotedLu(A).solve(block.b.head(rows));
    double const conditioning = A.trace() * inverse_of_regular(A).trace();
    if (conditioning > 1e6) continue;
    double const most = block.set.limit * std::max(r[rows - 1], 0.0);
    double const tangential = r.head(rows - 1).norm();
    Eigen::Vector3d expected = Eigen::Vector3d::Zero();
    for (int j = 0; j < rows; ++j) {
      expected[j] = r[rows - 1] <= 0                      ? 0
                    : j == rows - 1 || tangential <= most ? r[j]
                                                          : r[j] * most / tangential;
    }
    BlockChoice const closed = solve(block.set, block.A, block.b, ContactLaw::nakaoka);
    ASSERT_LE((closed.lambda - expected).norm(), 1e-14 * conditioning * r.norm()) << i;
  }
  std::cout << "worst residual " << worst << '\n';
}

// ---- Special cases

TEST(BlockSolver, SlipsAgainstTheLoadWhereNothingIsCoupled) {
  Eigen::Matrix3d const A = Eigen::Vector3d(2, 2, 4).asDiagonal();
  BlockChoice const choice = solve({ForceSetKind::cone3, .5}, A, {30, 40, 8});
  EXPECT_EQ(choice.mode, ContactMode::slip);
  EXPECT_NEAR((choice.lambda - Eigen::Vector3d(.6, .8, 2)).norm(), 0, 1e-15);
}

TEST(BlockSolver, TreatsAFrictionlessConeAsAHalfLine) {
  unsigned const seed = 41;
  RandomBlocks random(seed);
  for (int i = 0; i < 1000; ++i) {
    Eigen::Matrix3d const A = random.matrix_over_decades(3, 3);
    Eigen::Vector3d const b(random.normal(), random.normal(), random.normal());
    BlockChoice const choice = solve({ForceSetKind::cone3, 0}, A, b);
    EXPECT_EQ(choice.lambda, Eigen::Vector3d(0, 0, std::max(b[2], 0.0) / A(2, 2)));
    EXPECT_EQ(choice.solutions, 1);
  }
}

// Friction so small that b_t - a b_n / n nearly cancels: a lambda_n that satisfied its row within the tolerance
// left a tangential row beyond it, and the slip was taken for one along the force.
TEST(BlockSolver, FindsTheSlipWhoseSignHangsOnTheLastDigitsOfTheNormalForce) {
  struct Case {
    double mu;
    Eigen::Matrix3d A;
    Eigen::Vector3d b;
  };
  auto const symmetric = [](double xx, double xy, double yy, double xn, double yn, double n) {
    return Eigen::Matrix3d{{xx, xy, xn}, {xy, yy, yn}, {xn, yn, n}};
  };
  ResidualOf residual;
  for (Case const& item : {Case{1.0549891477389632e-12,
                                symmetric(0.027152994670572778, 0.06807352237122602, 0.20864159884173752,
                                          -0.033873383836868734, -0.1200719483352819, 0.074789345864535173),
                                {-0.011834686845852031, -0.041950751491569897, 0.026129910491823866}},
                           Case{8.0803612147617388e-12,
                                symmetric(0.025305470157817863, -0.0007387207995615951, 0.061229408161247494,
                                          -0.002269144293325523, 0.051292172858177172, 0.043075841563662655),
                                {-0.18478078208437945, 4.1768202414926456, 3.5077485888526416}},
                           Case{3.1850445236517329e-12,
                                symmetric(0.4286893964313131, -0.0071846520209782952, 0.0017368566167844219,
                                          -0.2368368518257529, 0.0050531951129106304, 0.13157150290125769),
                                {-0.97905307703847966, 0.0208892585171465, 0.54389966668206446}}}) {
    ForceSet const set{ForceSetKind::cone3, item.mu};
    BlockSolutions const solutions = enumerate_block(set, item.A, item.b);
    ASSERT_EQ(solutions.count, 1) << "mu " << item.mu;
    EXPECT_LE(residual(set, item.A, item.b, solutions.item[0].lambda), bar);
    EXPECT_EQ(solve(set, item.A, item.b).solutions, 1);
  }
}

// Halley's steps also vanish where L / R of the secular equation has an extremum, which is no root: taken for
// one, it hid the second slip, which is the force of the last step here.
TEST(BlockSolver, FindsTheSlipBehindAnExtremumOfTheSecularRatio) {
  Eigen::Matrix3d const A{{0.00022754401331834923, 0.00034908652528711532, -0.00026342865175443993},
                          {0.00034908652528711532, 0.016265745924022863, 0.0010733194499154281},
                          {-0.00026342865175443993, 0.0010733194499154281, 0.00050472985745754798}};
  Eigen::Vector3d const b(0.12644473264998451, -0.83323441231720863, -0.030325681083019973);
  Eigen::Vector3d const previous(41.078331405201943, -45.801252659597147, 58.754011174987845);
  ForceSet const set{ForceSetKind::cone3, 1.0471429654058499};
  EXPECT_EQ(enumerate_block(set, A, b).count, 3);
  BlockChoice const choice = solve(set, A, b, ContactLaw::coulomb, SolutionRule::continuous, previous);
  EXPECT_EQ(choice.solutions, 3);
  EXPECT_LE((choice.lambda - previous).norm(), 1e-9 * previous.norm());
  EXPECT_LE(ResidualOf()(set, A, b, choice.lambda), bar);
}

TEST(BlockSolver, RestsWithoutForceWhereThereIsNoLoad) {
  unsigned const seed = 42;
  RandomBlocks random(seed);
  for (auto const kind : {ForceSetKind::half_line, ForceSetKind::interval, ForceSetKind::disc,
                          ForceSetKind::cone2, ForceSetKind::cone3}) {
    for (double const limit : {0.0, 0.5, 10.0}) {
      Eigen::Matrix3d A = Eigen::Matrix3d::Constant(nan);
      A.topLeftCorner(rows_of(kind), rows_of(kind)) = random.matrix_over_decades(rows_of(kind), 2);
      BlockSolutions const solutions = enumerate_block({kind, limit}, A, Eigen::Vector3d::Zero());
      EXPECT_EQ(solutions.count, 1);
      EXPECT_EQ(solutions.item[0].lambda.norm(), 0);
    }
  }
}

TEST(BlockSolver, SaysThatARigidNormalRowUnderLoadHasNoSolution) {
  Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  A(2, 2) = 0;
  BlockChoice const choice = solve({ForceSetKind::cone3, .5}, A, {1, 0, 1});
  EXPECT_EQ(choice.solutions, 0);
  EXPECT_TRUE(choice.lambda.allFinite());
  EXPECT_GT(choice.lambda[2], 0);  // it pushes, at least
  EXPECT_EQ(solve({ForceSetKind::cone3, .5}, A, {1, 0, -1}).mode, ContactMode::detached);
  EXPECT_TRUE(enumerate_block({ForceSetKind::cone3, .5}, A, {1, 0, 0}).infinitely_many);
  EXPECT_EQ(enumerate_block({ForceSetKind::half_line, 0}, Eigen::Matrix3d::Zero(), {1, nan, nan}).count, 0);
}

// Matrices of every rank with small whole numbers, and loads inside and outside their range.
TEST(BlockSolver, ReportsOnlySolutionsForSingularMatrices) {
  unsigned const seed = 43;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  ResidualOf residual;
  int none = 0, infinite = 0;
  for (int i = 0; i < scaled(200000); ++i) {
    auto const kind = static_cast<ForceSetKind>(random.integer(0, 4));
    int const rows = rows_of(kind);
    int const rank = random.integer(0, rows);
    Eigen::MatrixXd G(rows, rank);
    for (Eigen::Index j = 0; j < G.size(); ++j) G(j) = random.integer(-3, 3);
    Eigen::Matrix3d A = Eigen::Matrix3d::Constant(nan);
    Eigen::Vector3d b = Eigen::Vector3d::Constant(nan);
    A.topLeftCorner(rows, rows) = G * G.transpose();
    Eigen::VectorXd load(rows);
    for (double& x : load) x = random.integer(-3, 3);
    bool const in_range = random.integer(0, 1) == 0;
    b.head(rows) = in_range ? Eigen::VectorXd(A.topLeftCorner(rows, rows) * load) : load;
    if (random.integer(0, 3) == 0) {  // another scale, where the numbers are no longer whole
      double const scale = std::pow(10.0, random.uniform(-150, 150));
      A *= scale;
      b *= std::pow(10.0, random.uniform(-140, 140));
    }
    ForceSet const set{kind, random.integer(0, 4) * 0.5};
    BlockSolutions const solutions = enumerate_block(set, A, b);
    auto const context = [&] {
      std::ostringstream text;
      text.precision(17);
      text << "problem " << i << " kind " << static_cast<int>(kind) << " limit " << set.limit << "\nA\n"
           << A << "\nb " << b.transpose();
      return text.str();
    };
    for (int j = 0; j < solutions.count; ++j) {
      auto const& lambda = solutions.item[static_cast<std::size_t>(j)].lambda;
      ASSERT_LE(residual(set, A, b, lambda), bar) << context() << "\nlambda " << lambda.transpose();
    }
    for (auto const law : {ContactLaw::coulomb, ContactLaw::anitescu_tasora, ContactLaw::nakaoka}) {
      BlockChoice const choice = solve(set, A, b, law);
      ASSERT_TRUE(choice.lambda.head(rows).allFinite()) << context();
      if (law == ContactLaw::coulomb) {
        ASSERT_EQ(choice.solutions, solutions.count) << context();
      }
      if (law == ContactLaw::anitescu_tasora && choice.solutions > 0) {
        ASSERT_LE(residual(set, A, b, choice.lambda, law), bar)
            << context() << "\nlambda " << choice.lambda.transpose();
      }
    }
    // A load in the range of A that a force of the set makes has a solution.
    bool const admissible = in_range && has_normal(kind) && load[rows - 1] > 0 &&
                            (rows == 1 || load.head(rows - 1).norm() <= set.limit * load[rows - 1]);
    if (admissible) {
      ASSERT_GE(solutions.count, 1) << context();
    }
    none += solutions.count == 0;
    infinite += solutions.infinitely_many;
  }
  EXPECT_GT(none, 0);
  EXPECT_GT(infinite, 0);
}

// ---- Invariants

TEST(BlockSolver, GivesTheSameBitsInUnitsThatDifferByPowersOfTwo) {
  unsigned const seed = 51;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  for (int i = 0; i < scaled(20000); ++i) {
    RandomBlock const block =
        random.with_mode({ForceSetKind::cone3, random.uniform(0, 3)}, random.matrix_over_decades(3, 5),
                         static_cast<ContactMode>(random.integer(1, 3)));
    BlockChoice const expected = solve(block.set, block.A, block.b);
    for (int const exponent : {-480, -70, 3, 90, 480}) {
      Eigen::Matrix3d const A = std::ldexp(1.0, exponent) * block.A;
      Eigen::Vector3d const b = std::ldexp(1.0, exponent / 2) * block.b;
      BlockChoice const choice = solve(block.set, A, b);
      Eigen::Vector3d const lambda = std::ldexp(1.0, exponent - exponent / 2) * choice.lambda;
      ASSERT_TRUE(same_bits(lambda, expected.lambda)) << exponent << '\n'
                                                      << lambda.transpose() << '\n'
                                                      << expected.lambda.transpose();
    }
  }
}

TEST(BlockSolver, TurnsWithTheTangentialAxes) {
  unsigned const seed = 52;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  for (int i = 0; i < scaled(20000); ++i) {
    Eigen::Matrix3d const A = random.matrix_over_decades(3, 2);
    RandomBlock const block = random.with_mode({ForceSetKind::cone3, random.uniform(0, 1)}, A,
                                               static_cast<ContactMode>(random.integer(1, 3)));
    Eigen::Matrix3d const turn =
        Eigen::AngleAxisd(random.uniform(-3, 3), Eigen::Vector3d::UnitZ()).toRotationMatrix();
    BlockSolutions const before = enumerate_block(block.set, A, block.b);
    BlockSolutions const after = enumerate_block(block.set, turn * A * turn.transpose(), turn * block.b);
    ASSERT_EQ(before.count, after.count);
    for (std::size_t j = 0; j < static_cast<std::size_t>(before.count); ++j) {
      ASSERT_EQ(before.item[j].mode, after.item[j].mode);
      ASSERT_LE((turn * before.item[j].lambda - after.item[j].lambda).norm(),
                1e-9 * before.item[j].lambda.norm())
          << i;
    }
  }
}

TEST(BlockSolver, SolvesSlightlyNonsymmetricDataAsItStands) {
  unsigned const seed = 53;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  ResidualOf residual;
  for (int i = 0; i < scaled(20000); ++i) {
    Eigen::Matrix3d A = random.rigid_body_matrix();
    for (int j = 0; j < 9; ++j) A(j) *= 1 + 1e-3 * random.uniform(-1, 1);
    RandomBlock const block = random.with_mode({ForceSetKind::cone3, random.uniform(0, 1)}, A,
                                               static_cast<ContactMode>(random.integer(1, 3)));
    BlockChoice const choice = solve(block.set, A, block.b);
    ASSERT_EQ(choice.solutions, 1);
    ASSERT_LE(residual(block.set, A, block.b, choice.lambda), bar);
  }
}

TEST(BlockSolver, AllocatesNothing) {
  unsigned const seed = 61;
  RandomBlocks random(seed);
  for (auto const kind : {ForceSetKind::half_line, ForceSetKind::interval, ForceSetKind::disc,
                          ForceSetKind::cone2, ForceSetKind::cone3}) {
    int const rows = rows_of(kind);
    for (int i = 0; i < 300; ++i) {
      Eigen::MatrixXd A = random.matrix_over_decades(rows, 6);
      if (i % 3 == 0) A.row(rows - 1) *= 0, A.col(rows - 1) *= 0;
      RandomBlock const block =
          random.with_mode({kind, random.uniform(0, 5)}, A, static_cast<ContactMode>(random.integer(1, 3)));
      long const before = test::allocation_count;
      enumerate_block(block.set, block.A, block.b);
      for (auto const law : {ContactLaw::coulomb, ContactLaw::anitescu_tasora, ContactLaw::nakaoka}) {
        solve(block.set, block.A, block.b, law);
      }
      ASSERT_EQ(test::allocation_count, before);
    }
  }
}

}  // namespace
}  // namespace delassus
