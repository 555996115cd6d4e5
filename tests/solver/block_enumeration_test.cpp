// The enumeration of a block's solutions against searches that know nothing of it.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>
#include <utility>

#include "solver/block/exact_solver.hpp"
#include "solver/linear/dense.hpp"
#include "tests/support/block_test_tools.hpp"
#include "tests/support/random_block.hpp"

namespace delassus {
namespace {

using namespace test;

// All solutions of a planar contact by a search over the ratio m = lambda_t / lambda_n: eta_n = 0 makes
// lambda_n = b_n / (n + m a), and eta_t must vanish inside the cone or oppose lambda_t at its sides.
int search_planar(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double mu, int steps, double& margin) {
  int count = b[1] <= 0 ? 1 : 0;
  margin = std::abs(b[1]);
  auto const normal = [&](double m) { return b[1] / (A(1, 1) + m * A(1, 0)); };
  auto const eta_t = [&](double m) { return (A(0, 0) * m + A(0, 1)) * normal(m) - b[0]; };
  for (int i = 0; i < steps; ++i) {
    double const m0 = mu * (2.0 * i / steps - 1), m1 = mu * (2.0 * (i + 1) / steps - 1);
    if (normal(m0) > 0 && normal(m1) > 0 && (eta_t(m0) > 0) != (eta_t(m1) > 0)) ++count;
  }
  for (double const sigma : {1.0, -1.0}) {
    double const m = sigma * mu;
    margin = std::min({margin, std::abs(A(1, 1) + m * A(1, 0)), std::abs(eta_t(m))});
    if (normal(m) > 0 && sigma * eta_t(m) < 0) ++count;
  }
  return count;
}

TEST(Enumeration, AgreesWithASearchOverTheForceRatioInThePlane) {
  unsigned const seed = 31;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  std::set<int> seen;
  for (int i = 0; i < scaled(20000); ++i) {
    Eigen::Matrix2d const A = random.matrix_over_decades(2, 3);
    Eigen::Vector2d const b(random.normal(), random.normal());
    double const mu = random.uniform(0.01, 5);
    double margin = 0;
    int expected = search_planar(A, b, mu, 1000, margin);
    if (margin < 1e-5) continue;  // on the edge of two cases
    BlockSolutions const solutions = enumerate_block({ForceSetKind::cone2, mu}, padded(A), padded(b));
    // A crossing within one step of where lambda_n changes sign: look closer.
    if (solutions.count != expected) expected = search_planar(A, b, mu, 1000000, margin);
    ASSERT_EQ(solutions.count, expected) << i << " mu " << mu << "\n" << A << "\nb " << b.transpose();
    seen.insert(expected);
  }
  EXPECT_EQ(seen, (std::set<int>{1, 3}));
}

// Singular planar contacts with small whole numbers, decided exactly: A = (x, y) (x, y)^T, mu = p / q.
TEST(Enumeration, DecidesSingularPlanarContactsAsWholeNumbersDo) {
  ResidualOf residual;
  int none = 0, several = 0, infinite = 0;
  for (int x = -3; x <= 3; ++x)
    for (int y = -3; y <= 3; ++y)
      for (int bt = -3; bt <= 3; ++bt)
        for (int bn = -3; bn <= 3; ++bn)
          for (auto const& [p, q] : {std::pair{0, 1}, {1, 2}, {1, 1}, {2, 1}, {3, 1}}) {
            double const mu = double(p) / q;
            // Stick: x lambda_t + y lambda_n = z with (bt, bn) = z (x, y). Is there such a force in the cone,
            // and how many?
            bool const consistent = bt * y == bn * x && !(x == 0 && y == 0 && (bt != 0 || bn != 0));
            bool stick = false, stick_many = false;
            if (consistent) {
              int const z_sign = x == 0 && y == 0 ? 0 : (bt * x + bn * y > 0) - (bt * x + bn * y < 0);
              // On lambda = lambda_n (m, 1), z = lambda_n (x m + y): the range of x m + y over |m| <= mu,
              // times q.
              int const low = -std::abs(x) * p + y * q, high = std::abs(x) * p + y * q;
              if (z_sign > 0) stick = high > 0, stick_many = stick && p > 0;
              if (z_sign < 0) stick = low < 0, stick_many = stick && p > 0;
              if (z_sign == 0) stick_many = low <= 0 && high >= 0;  // besides lambda = 0
            }
            // Slip with s > 0: lambda_n = bn / d, d = y (y + sigma mu x), and sigma eta_t < 0.
            std::set<std::pair<double, double>> slips;
            bool slip_many = false;
            for (int const sigma : {1, -1}) {
              int const d = y * (y * q + sigma * p * x);            // times q
              int const along_per_n = x * (p * x + sigma * y * q);  // d (sigma eta_t) / d lambda_n, times q
              if (d == 0) {
                // Any lambda_n > 0 with along_per_n lambda_n < q sigma bt.
                if (bn == 0 && (sigma * bt > 0 || along_per_n < 0)) slip_many = true;
                continue;
              }
              if (bn * d <= 0) continue;
              // sigma eta_t = along_per_n bn / d - sigma bt
              int const along = (along_per_n * bn - sigma * bt * d) * (d > 0 ? 1 : -1);
              if (along < 0) slips.insert({sigma * mu * bn * q / d, double(bn) * q / d});
            }
            int const expected = (bn <= 0) + static_cast<int>(slips.size()) + (stick ? 1 : 0);
            bool const many = stick_many || slip_many;
            Eigen::Matrix2d A;
            A << x * x, x * y, x * y, y * y;
            Eigen::Vector2d const b(bt, bn);
            ForceSet const set{ForceSetKind::cone2, mu};
            BlockSolutions const solutions = enumerate_block(set, padded(A), padded(b));
            auto const context = [&] {
              std::ostringstream text;
              text << "x " << x << " y " << y << " b " << bt << ' ' << bn << " mu " << mu << " count "
                   << solutions.count << " expected " << expected;
              return text.str();
            };
            if (!many) {
              ASSERT_EQ(solutions.count, expected) << context();
            }
            ASSERT_EQ(solutions.count == 0, expected == 0 && !many) << context();
            ASSERT_EQ(solutions.infinitely_many, many) << context();
            for (int i = 0; i < solutions.count; ++i) {
              ASSERT_LE(
                  residual(set, padded(A), padded(b), solutions.item[static_cast<std::size_t>(i)].lambda),
                  bar)
                  << context();
            }
            BlockChoice const choice = solve(set, padded(A), padded(b));
            ASSERT_TRUE(choice.lambda.head<2>().allFinite()) << context();
            ASSERT_EQ(choice.solutions, solutions.count) << context();
            none += expected == 0 && !many;
            several += expected > 1;
            infinite += many;
          }
  EXPECT_GT(none, 0);
  EXPECT_GT(several, 0);
  EXPECT_GT(infinite, 0);
}

// Slips of a spatial contact by a dense scan of the angle: eta_n = 0 gives lambda_n, and e_perp . eta_t must
// cross zero where e . eta_t < 0. Stick by another factorisation.
int scan_spatial(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu, int steps) {
  int count = b[2] <= 0 ? 1 : 0;
  Eigen::Vector3d const r = PivotedLu(A).solve(b);
  if (r[2] > 0 && r.head<2>().norm() <= mu * r[2]) ++count;
  double const two_pi = 2 * std::acos(-1.0);
  double last = 0;
  bool last_good = false;
  for (int i = 0; i <= steps; ++i) {
    double const angle = two_pi * i / steps;
    Eigen::Vector2d const e(std::cos(angle), std::sin(angle));
    double const lambda_n = b[2] / (A(2, 2) + mu * A.row(2).head<2>().dot(e));
    Eigen::Vector2d const eta_t =
        lambda_n * (mu * A.topLeftCorner<2, 2>() * e + A.col(2).head<2>()) - b.head<2>();
    double const across = e[0] * eta_t[1] - e[1] * eta_t[0];
    bool const good = lambda_n > 0 && e.dot(eta_t) < 0;
    if (i > 0 && good && last_good && (across > 0) != (last > 0)) ++count;
    last = across;
    last_good = good;
  }
  return count;
}

TEST(Enumeration, AgreesWithADenseScanOfTheAngleInSpace) {
  unsigned const seed = 32;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  int several = 0;
  for (int i = 0; i < scaled(5000); ++i) {
    Eigen::Matrix3d const A = random.matrix_over_decades(3, random.uniform(0, 4));
    double const mu = random.uniform(0.01, random.integer(0, 1) == 0 ? 1.0 : 10.0);
    auto const mode = static_cast<ContactMode>(random.integer(1, 3));
    RandomBlock block = random.with_mode({ForceSetKind::cone3, mu}, A, mode);
    if (random.integer(0, 1) == 0) block.b = {random.normal(), random.normal(), 0.3 * random.normal()};
    int const found = enumerate_block(block.set, A, block.b).count;
    int expected = scan_spatial(A, block.b, mu, 5000);
    // Two crossings within one step of the grid, or one at the edge of what is admissible: look closer.
    if (found != expected) expected = scan_spatial(A, block.b, mu, 200000);
    if (found != expected) expected = scan_spatial(A, block.b, mu, 8000000);
    ASSERT_EQ(found, expected) << i << " mu " << mu << "\n" << A << "\nb " << block.b.transpose();
    several += found > 1;
  }
  EXPECT_GT(several, 0);
}

TEST(Enumeration, CallsASlipStableWhereAHarderPressLiftsTheContact) {
  // d eta_n / d lambda_n by finite differences, with the tangential force from the disc problem of radius mu
  // lambda_n.
  unsigned const seed = 33;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  int unstable = 0, stable = 0;
  for (int i = 0; i < scaled(20000); ++i) {
    Eigen::Matrix3d const A = random.matrix_over_decades(3, random.uniform(0, 3));
    double const mu = random.uniform(0.5, 8);
    Eigen::Vector3d const b(random.normal(), random.normal(), 0.3 * random.normal());
    BlockSolutions const solutions = enumerate_block({ForceSetKind::cone3, mu}, A, b);
    for (int j = 0; j < solutions.count; ++j) {
      auto const& solution = solutions.item[static_cast<std::size_t>(j)];
      if (solution.mode != ContactMode::slip) continue;
      auto const eta_n = [&](double lambda_n) {
        Eigen::Vector3d const rest = b - A.col(2) * lambda_n;
        Eigen::Vector3d const t = solve({ForceSetKind::disc, mu * lambda_n}, A, rest).lambda;
        return A(2, 0) * t[0] + A(2, 1) * t[1] + A(2, 2) * lambda_n - b[2];
      };
      double const lambda_n = solution.lambda[2], h = 1e-5 * lambda_n;
      double const slope = (eta_n(lambda_n + h) - eta_n(lambda_n - h)) / (2 * h);
      if (std::abs(slope) < 1e-3 * A.trace()) continue;
      ASSERT_EQ(solution.stable, slope > 0) << i << " mu " << mu << "\n" << A << "\nb " << b.transpose();
      ++(solution.stable ? stable : unstable);
    }
  }
  EXPECT_GT(stable, 0);
  EXPECT_GT(unstable, 0);
}

// ---- Joints, bilateral contact, friction of known direction

TEST(FreeBlock, TakesTheForceThatLeavesNoMotionAndOfSeveralTheLeast) {
  RandomBlocks random(31);
  ForceSetKind const kinds[] = {ForceSetKind::free1, ForceSetKind::free2, ForceSetKind::free3};
  for (int i = 0; i < scaled(3000); ++i) {
    int const rows = 1 + i % 3, rank = random.integer(1, rows);
    Eigen::MatrixXd J(rows, rank);
    for (Eigen::Index k = 0; k < J.size(); ++k) J(k) = random.normal();
    Eigen::Matrix3d A = Eigen::Matrix3d::Constant(nan);
    A.topLeftCorner(rows, rows) = J * J.transpose();
    Eigen::Vector3d b = Eigen::Vector3d::Constant(nan), any = b;
    for (int k = 0; k < rows; ++k) any[k] = random.normal();
    b.head(rows) = A.topLeftCorner(rows, rows) * any.head(rows);
    OrthogonalDecomposition const reference(A.topLeftCorner(rows, rows), 1e-10);
    if (reference.rank() != rank || reference.largest_pivot() > 1e5 * reference.smallest_pivot())
      continue;  // badly conditioned by chance
    if (b.head(rows).norm() < .1 * reference.largest_pivot() * any.head(rows).norm())
      continue;  // b is mostly rounding
    ForceSet const set{kinds[rows - 1]};
    Eigen::VectorXd const expected = reference.solve(b.head(rows));
    BlockChoice const choice = solve(set, A, b);
    EXPECT_EQ(choice.mode, ContactMode::stick);
    EXPECT_EQ(choice.solutions, 1) << A << "\n" << b.transpose();
    EXPECT_LE((choice.lambda.head(rows) - expected).norm(), 1e-7 * expected.norm());
    EXPECT_EQ(enumerate_block(set, A, b).infinitely_many, rank < rows);
    if (rank == rows) continue;
    // Out of reach: the least-squares force, and no solution.
    b.head(rows) = any.head(rows);
    BlockChoice const least = solve(set, A, b);
    EXPECT_EQ(least.solutions, 0);
    EXPECT_LE((least.lambda.head(rows) - reference.solve(any.head(rows))).norm(),
              1e-7 * expected.norm() + 1e-6);
    EXPECT_EQ(enumerate_block(set, A, b).count, 0);
  }
  BlockChoice const impossible =
      solve({ForceSetKind::free1}, Eigen::Matrix3d::Zero(), Eigen::Vector3d(1, nan, nan));
  EXPECT_EQ(impossible.solutions, 0);
  EXPECT_EQ(impossible.lambda[0], 0);
}

TEST(DoubleCone, HasInThePlaneTheSolutionsThatEachCaseAloneGives) {
  RandomBlocks random(32);
  ResidualOf residual;
  int const problems = scaled(20000);
  int several = 0;
  for (int i = 0; i < problems; ++i) {
    double const mu = random.uniform(0.01, 2);
    Eigen::Matrix2d const A = random.matrix_over_decades(2, 2);
    Eigen::Vector2d const b(random.normal(), random.normal());
    // Stick; then slip to either side (sign of lambda_t) under either sign of lambda_n.
    int expected = 0;
    Eigen::Vector2d const stick = A.inverse() * b;
    double nearest = std::abs(std::abs(stick[0]) - mu * std::abs(stick[1])) / stick.norm();
    expected += std::abs(stick[0]) <= mu * std::abs(stick[1]);
    for (double const to : {1.0, -1.0}) {
      for (double const press : {1.0, -1.0}) {
        Eigen::Vector2d const w(to * mu * press, 1);  // lambda = lambda_n w
        double const lambda_n = b[1] / A.row(1).dot(w);
        Eigen::Vector2d const eta = A * (lambda_n * w) - b;
        expected += press * lambda_n > 0 && to * eta[0] < 0;
        nearest = std::min(nearest, std::abs(eta[0]) / b.norm());
      }
    }
    if (nearest < 1e-9) continue;  // on the edge between two modes
    ForceSet const set{ForceSetKind::double_cone2, mu};
    BlockSolutions const solutions = enumerate_block(set, padded(A), padded(b));
    ASSERT_EQ(solutions.count, expected) << A << "\n" << b.transpose() << " mu " << mu;
    several += solutions.count > 1;
    for (int k = 0; k < solutions.count; ++k)
      ASSERT_LE(residual(set, padded(A), padded(b), solutions.item[static_cast<std::size_t>(k)].lambda), bar);
  }
  EXPECT_GT(several, problems / 200);
}

TEST(DoubleCone, PressesOnTheSideOfTheLoadAsTheConeWouldAndMirrored) {
  RandomBlocks random(33);
  ResidualOf residual;
  for (int i = 0; i < scaled(5000); ++i) {
    ForceSet const cone{ForceSetKind::cone3, random.uniform(0, .3)},
        both{ForceSetKind::double_cone3, cone.limit};
    RandomBlock const block =
        random.with_mode(cone, random.rigid_body_matrix(), static_cast<ContactMode>(random.integer(2, 3)));
    if (!(block.b[2] > 0)) continue;
    Eigen::Vector3d const expected = solve(cone, block.A, block.b).lambda;
    BlockChoice const choice =
        solve(both, block.A, block.b, ContactLaw::coulomb, SolutionRule::continuous, expected);
    EXPECT_LE((choice.lambda - expected).norm(), 1e-12 * expected.norm());
    Eigen::Vector3d const mirror(1, 1, -1);
    Eigen::Matrix3d const A = mirror.asDiagonal() * block.A * mirror.asDiagonal();
    Eigen::Vector3d const b = mirror.cwiseProduct(block.b), mirrored = mirror.cwiseProduct(expected);
    BlockChoice const other = solve(both, A, b, ContactLaw::coulomb, SolutionRule::continuous, mirrored);
    EXPECT_LE((other.lambda - mirrored).norm(), 1e-12 * expected.norm());
    EXPECT_LE(residual(both, A, b, other.lambda), bar);
    EXPECT_EQ(other.mode, choice.mode);
  }
  // No normal load: no force, and friction has nothing to hold with.
  ForceSet const set{ForceSetKind::double_cone3, .1};
  EXPECT_EQ(solve(set, Eigen::Matrix3d::Identity(), Eigen::Vector3d(1, 0, 0)).lambda,
            Eigen::Vector3d::Zero());
  EXPECT_EQ(solve(set, Eigen::Matrix3d::Identity(), Eigen::Vector3d(1, 0, 0)).mode, ContactMode::slip);
  EXPECT_EQ(solve(set, Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, 0, 0)).mode, ContactMode::stick);
}

// Song et al. 2001, Table 1, and the numbers of their case 2: a = -5.96873, B = -b_n = 13.50956.
TEST(DirectedBlock, HasTheCasesOfSongsTable) {
  auto const block = [](double a) {  // A_nn = 1, A_nt = 0.5
    return std::pair{ForceSet{ForceSetKind::directed2, 0, {2 * (a - 1), nan}},
                     padded(Eigen::Matrix2d{{40, .5}, {.5, 1}})};
  };
  auto const with = [&](double a, double b_n) {
    auto const [set, A] = block(a);
    return enumerate_block(set, A, padded(Eigen::Vector2d(3, b_n)));
  };
  EXPECT_EQ(with(2, 3).count, 1);
  EXPECT_EQ(with(2, 3).item[0].mode, ContactMode::slip);
  EXPECT_TRUE(with(2, 3).item[0].stable);
  EXPECT_DOUBLE_EQ(with(2, 3).item[0].lambda[1], 1.5);
  EXPECT_DOUBLE_EQ(with(2, 3).item[0].lambda[0], 3);
  EXPECT_EQ(with(2, -3).count, 1);
  EXPECT_EQ(with(2, -3).item[0].mode, ContactMode::detached);
  BlockSolutions const two = with(-5.96873, -13.50956);
  ASSERT_EQ(two.count, 2);
  EXPECT_EQ(two.item[0].mode, ContactMode::detached);
  EXPECT_TRUE(two.item[0].stable);
  EXPECT_FALSE(two.item[1].stable);
  EXPECT_NEAR(two.item[1].lambda[1], 2.263389257, 1e-5);
  EXPECT_EQ(with(-1, 2).count, 0);
  EXPECT_EQ(with(0, -1).count, 1);
  EXPECT_TRUE(with(0, 0).infinitely_many);
  EXPECT_EQ(with(0, 1).count, 0);
  auto const [set, A] = block(-1);
  BlockChoice const none = solve(set, A, padded(Eigen::Vector2d(3, 2)));
  EXPECT_EQ(none.solutions, 0);
  EXPECT_DOUBLE_EQ(none.lambda[1], 2);
}

}  // namespace
}  // namespace delassus
