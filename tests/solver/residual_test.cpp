#include "solver/problem/residual.hpp"

#include <gtest/gtest.h>

#include "solver/problem/friction_cone.hpp"
#include "tests/support/contact_problem_file.hpp"
#include "tests/support/random_block.hpp"

namespace delassus {
namespace {

using test::RandomBlocks;

ContactProblem one_block(Eigen::MatrixXd const& A, Eigen::VectorXd const& b, ForceSet set) {
  return ContactProblem::from_dense(A, b, {{0, set}});
}

TEST(FrictionCone, ProjectionIsTheNearestPointByMoreausDecomposition) {
  // v = P_K(v) + P_K°(v) with orthogonal parts, and the polar part lies in minus the dual cone.
  unsigned const seed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  for (int i = 0; i < 100000; ++i) {
    SpatialCone const cone(random.integer(0, 9) == 0 ? 0.0 : random.uniform(0, 10));
    Eigen::Vector3d const v(random.normal(), random.normal(), 3 * random.normal());
    Eigen::Vector3d const projected = cone.project(v);
    Eigen::Vector3d const polar = v - projected;
    ASSERT_TRUE(cone.contains(projected, 1e-14)) << v.transpose() << " mu " << cone.mu();
    ASSERT_LE(cone.mu() * polar.head<2>().norm(), -polar[2] + 1e-13 * v.norm())
        << v.transpose() << " mu " << cone.mu();
    ASSERT_NEAR(projected.dot(polar), 0, 1e-13 * v.squaredNorm()) << v.transpose() << " mu " << cone.mu();
  }
}

TEST(Residual, VanishesForKnownSolutionsOfEveryMode) {
  unsigned const seed = 12;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  for (auto const kind : {ForceSetKind::half_line, ForceSetKind::interval, ForceSetKind::disc,
                          ForceSetKind::cone2, ForceSetKind::cone3}) {
    int const rows = rows_of(kind);
    for (int i = 0; i < 3000; ++i) {
      int const mode = random.integer(has_normal(kind) ? 1 : 2, kind == ForceSetKind::half_line ? 2 : 3);
      auto const block = random.with_mode({kind, random.uniform(0, 3)}, random.matrix_over_decades(rows, 4),
                                          static_cast<ContactMode>(mode));
      ContactProblem const problem =
          one_block(block.A.topLeftCorner(rows, rows), block.b.head(rows), block.set);
      ASSERT_LE(scale_free_residual(problem, block.lambda.head(rows)), 1e-14) << static_cast<int>(kind);
      ASSERT_LE(unit_residual(problem, block.lambda.head(rows)), 1e-13) << static_cast<int>(kind);
    }
  }
}

TEST(Residual, SeesAForceThatIsOffByAMillionth) {
  unsigned const seed = 13;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  for (int i = 0; i < 3000; ++i) {
    auto const block =
        random.with_mode({ForceSetKind::cone3, random.uniform(0.1, 1)}, random.matrix_over_decades(3, 1),
                         static_cast<ContactMode>(random.integer(2, 3)));
    Eigen::Vector3d const wrong =
        block.lambda +
        1e-6 * block.lambda.norm() * Eigen::Vector3d(random.normal(), random.normal(), 1).normalized();
    EXPECT_GT(scale_free_residual(one_block(block.A, block.b, block.set), wrong), 1e-9);
  }
}

TEST(Residual, ScaleFreeMeasureDoesNotDependOnUnitsAndTheUnitMeasureDoes) {
  unsigned const seed = 14;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  for (int i = 0; i < 1000; ++i) {
    auto const block =
        random.with_mode({ForceSetKind::cone3, 0.5}, random.matrix_over_decades(3, 3), ContactMode::slip);
    Eigen::Vector3d const lambda(random.normal(), random.normal(), random.normal());
    double const expected = scale_free_residual(one_block(block.A, block.b, block.set), lambda);
    for (double const scale : {1e-150, 1e-9, 1e9, 1e150}) {
      // A in other units alone, then b and the force in other units alone.
      EXPECT_NEAR(scale_free_residual(one_block(scale * block.A, scale * block.b, block.set), lambda),
                  expected, 1e-12 * expected);
      EXPECT_NEAR(scale_free_residual(one_block(block.A, scale * block.b, block.set), scale * lambda),
                  expected, 1e-12 * expected);
    }
  }
  // Siconos' measure calls this answer good because A is small; the scale-free one does not.
  ContactProblem const soft =
      one_block(1e-9 * Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, 0, 1e-9), {ForceSetKind::cone3, 0.5});
  EXPECT_LT(unit_residual(soft, Eigen::Vector3d(0, 0, 2)), 1e-9);
  EXPECT_GT(scale_free_residual(soft, Eigen::Vector3d(0, 0, 2)), 0.1);
}

TEST(Residual, OfZeroIsZeroAndOfEmptyIsZero) {
  EXPECT_EQ(scale_free_residual(
                one_block(Eigen::Matrix3d::Zero(), Eigen::Vector3d::Zero(), {ForceSetKind::cone3, 1}),
                Eigen::Vector3d::Zero()),
            0);
  EXPECT_EQ(scale_free_residual({}, Eigen::VectorXd()), 0);
}

TEST(Residual, AcceptsTheSolvedProblemsOfTheSharedFileForTheThreeLaws) {
  if (!std::filesystem::exists(test::contact_problem_path()))
    GTEST_SKIP() << test::contact_problem_path() << " is not there";
  auto const problems = test::read_contact_problems(test::contact_problem_path());
  ASSERT_EQ(problems.size(), 15u);
  for (auto const& solved : problems) {
    // The file's data has twelve decimals and its solver stopped near 1e-10.
    EXPECT_LE(scale_free_residual(solved.problem, solved.coulomb), 1e-9);
    EXPECT_LE(scale_free_residual(solved.problem, solved.anitescu_tasora, ContactLaw::anitescu_tasora), 1e-9);
    EXPECT_LE(scale_free_residual(solved.problem, solved.nakaoka, ContactLaw::nakaoka), 1e-9);
  }
}

}  // namespace
}  // namespace delassus
