// Blumentals, Brogliato, Bertails-Descoubes 2016, Propositions 1 to 8 and appendix E, on systems small enough to be
// solved by hand. M qdd + F = J_b^T lambda_b + J_u^T lambda_u, J_b qdd + c_b = 0,
// 0 <= lambda_u orthogonal to J_u qdd + c_u >= 0.
#include "solver/analysis/constraint_rank.hpp"
#include "solver/linear/dense.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/block_test_tools.hpp"
#include "tests/support/scene_state.hpp"

namespace delassus {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Matrix no_rows(Eigen::Index n) {
  return Matrix(0, n);
}

FrictionlessProblem problem(Matrix M, Vector F, Matrix J_b, Vector c_b, Matrix J_u, Vector c_u) {
  return {std::move(M), std::move(J_b), std::move(J_u), std::move(F), std::move(c_b), std::move(c_u), {}, {}};
}
FrictionlessProblem bilateral(Matrix M, Vector F, Matrix J, Vector c) {
  Eigen::Index const n = M.cols();
  return problem(std::move(M), std::move(F), std::move(J), std::move(c), no_rows(n), Vector(0));
}
FrictionlessProblem unilateral(Matrix M, Vector F, Matrix J, Vector c) {
  Eigen::Index const n = M.cols();
  return problem(std::move(M), std::move(F), no_rows(n), Vector(0), std::move(J), std::move(c));
}

// The second coordinate has no mass. Held in it, (4) is regular: qdd = (-F_1, -c), lambda = F_2. Held in the first, the
// second acceleration is free, and F_2 must be zero.
TEST(Proposition1, WantsAConstraintWhereThereIsNoMass) {
  Matrix const M{{1, 0}, {0, 0}}, second{{0, 1}}, first{{1, 0}};
  ConstraintRank const held =
      constraint_rank(bilateral(M, Eigen::Vector2d(2, 3), second, Vector::Constant(1, 5)));
  EXPECT_EQ(held.mass, 1);
  EXPECT_FALSE(held.mass_definite());
  EXPECT_TRUE(held.regular && held.solvable && held.multipliers_unique);
  EXPECT_EQ(held.acceleration_unique, Certainty::yes);

  ConstraintRank const loose =
      constraint_rank(bilateral(M, Eigen::Vector2d(2, 0), first, Vector::Constant(1, 5)));
  EXPECT_TRUE(loose.solvable && !loose.regular);
  EXPECT_EQ(loose.acceleration_unique, Certainty::no);
  EXPECT_TRUE(loose.multipliers_unique);  // lambda = F_1 - c
  EXPECT_FALSE(loose.balanced_for_every_force);
  ConstraintRank const pushed =
      constraint_rank(bilateral(M, Eigen::Vector2d(2, 3), first, Vector::Constant(1, 5)));
  EXPECT_TRUE(pushed.compatible);
  EXPECT_FALSE(pushed.balanced || pushed.solvable);
}

// Item (ii): twice the same row, asked for the same acceleration, or for two.
TEST(Proposition1, LeavesTheForceUniqueWhereRedundantConstraintsAgree) {
  Matrix const M = Matrix::Identity(2, 2), J{{1, 0}, {2, 0}};
  Eigen::Vector2d const F(2, 3);
  ConstraintRank const agreeing = constraint_rank(bilateral(M, F, J, Eigen::Vector2d(1, 2)));
  EXPECT_TRUE(agreeing.compatible && agreeing.solvable);
  EXPECT_EQ(agreeing.acceleration_unique, Certainty::yes);
  EXPECT_FALSE(agreeing.multipliers_unique || agreeing.regular);
  EXPECT_EQ(agreeing.bilateral, 1);
  EXPECT_EQ(agreeing.dependent, (std::vector<int>{0, 1}));
  EXPECT_EQ(agreeing.redundant, (std::vector<int>{1}));
  ConstraintRank const contradicting = constraint_rank(bilateral(M, F, J, Eigen::Vector2d(1, 3)));
  EXPECT_FALSE(contradicting.compatible || contradicting.solvable);
}

// More constraints than coordinates, and singular mass: three rods that hold a massless point of the plane in two
// directions. The multiplier of a row that depends on nothing stays unique.
TEST(Proposition1, TellsWhichMultipliersAreUnique) {
  Matrix const M = Eigen::Vector3d(1, 0, 2).asDiagonal(), J{{1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  ConstraintRank const rank =
      constraint_rank(bilateral(M, Eigen::Vector3d(1, 2, 3), J, Eigen::Vector3d(4, 5, 4)));
  EXPECT_TRUE(rank.solvable);
  EXPECT_EQ(rank.acceleration_unique, Certainty::yes);
  EXPECT_EQ(rank.dependent, (std::vector<int>{0, 2}));  // lambda_2 = F_2 = 2 alone is determined
  EXPECT_NE(explain(rank).find("those of the other rows are"), std::string::npos) << explain(rank);
}

// Proposition 3, a mass over two floors. (i), (ii), (iv), (v).
TEST(Proposition3, HasUniqueForcesWhereTheRowsAreIndependent) {
  Matrix const M = Matrix::Identity(2, 2);
  Eigen::Vector2d const F(1, 1);
  ConstraintRank const corner =
      constraint_rank(unilateral(M, F, Matrix::Identity(2, 2), Eigen::Vector2d(0, 0)));
  EXPECT_TRUE(corner.solvable && corner.multipliers_unique);
  // Two floors at the same height: lambda_1 + lambda_2 = 1 is determined, and the acceleration.
  Matrix const floors{{1, 0}, {1, 0}};
  ConstraintRank const redundant = constraint_rank(unilateral(M, F, floors, Eigen::Vector2d(0, 0)));
  EXPECT_TRUE(redundant.solvable && !redundant.multipliers_unique);
  EXPECT_EQ(redundant.acceleration_unique, Certainty::yes);
  // (iv): floors that move differently are no contradiction, c = (0, 3) has the higher one carry. Nothing is in
  // Im(A_nu) there, so that (v) says nothing.
  EXPECT_TRUE(constraint_rank(unilateral(M, F, floors, Eigen::Vector2d(0, 3))).solvable);
}

// (iv): lambda >= 0, J^T lambda = 0 has lambda = (1, 1) for a floor and a ceiling, and lambda^T c >= 0 asks for room
// between them, c_1 + c_2 >= 0. The force plays no part.
TEST(Proposition3, IsSolvableWhereAFloorAndACeilingLeaveRoom) {
  Matrix const M = Matrix::Identity(1, 1), J{{1}, {-1}};
  for (double const force : {-7.0, 0.0, 7.0}) {
    Vector const F = Vector::Constant(1, force);
    EXPECT_TRUE(constraint_rank(unilateral(M, F, J, Eigen::Vector2d(1, 2))).solvable);
    EXPECT_TRUE(
        constraint_rank(unilateral(M, F, J, Eigen::Vector2d(3, -3))).solvable);  // (v): c is in Im(A_nu)
    EXPECT_FALSE(constraint_rank(unilateral(M, F, J, Eigen::Vector2d(1, -2))).solvable);
  }
}

// (vi): without mass the floor must carry the weight. T has only zero in common with Ker M where floor and ceiling hold.
TEST(Proposition3, IsSolvableWithoutMassWhereTheTangentConeIsZero) {
  Matrix const M = Matrix::Zero(1, 1), floor{{1}}, both{{1}, {-1}};
  Vector const down = Vector::Constant(1, 3), up = Vector::Constant(1, -3), zero = Vector::Zero(1);
  ConstraintRank const pressed = constraint_rank(unilateral(M, down, floor, zero));
  EXPECT_TRUE(pressed.solvable && !pressed.balanced_for_every_force);
  EXPECT_EQ(pressed.acceleration_unique, Certainty::unknown);
  EXPECT_FALSE(constraint_rank(unilateral(M, up, floor, zero)).solvable);
  ConstraintRank const held = constraint_rank(unilateral(M, up, both, Eigen::Vector2d(1, 1)));
  EXPECT_TRUE(held.solvable && held.balanced_for_every_force);
}

// Proposition 2 is in well_posedness_test.cpp: it decides which contacts are closed.
TEST(Proposition4, HasOneAccelerationHoweverManyConstraintsThereAre) {
  // Five half-planes through the origin of a plane, all allowing (0, 1): Assumption 1 holds.
  Matrix const J{{0, 1}, {1, 1}, {-1, 1}, {2, 1}, {-2, 1}};
  ConstraintRank const rank =
      constraint_rank(unilateral(Matrix{{2, 1}, {1, 3}}, Eigen::Vector2d(4, 9), J, Vector::Zero(5)));
  EXPECT_TRUE(rank.solvable);
  EXPECT_EQ(rank.acceleration_unique, Certainty::yes);
  EXPECT_FALSE(rank.multipliers_unique);
  EXPECT_EQ(rank.all, 2);
  EXPECT_EQ(rank.redundant.size(), 3u);
}

// A joint that holds x + y, and floors under x and y: Assumption 3 holds where the floors leave room along the joint.
TEST(Proposition5, HasOneAccelerationWhereJointAndFloorsLeaveRoom) {
  Matrix const M = Matrix::Identity(2, 2), J_b{{1, 1}}, J_u = Matrix::Identity(2, 2);
  auto const with = [&](double c_b, Eigen::Vector2d const& c_u) {
    return constraint_rank(problem(M, Eigen::Vector2d(1, 2), J_b, Vector::Constant(1, c_b), J_u, c_u));
  };
  ConstraintRank const room = with(0, {1, 1});
  EXPECT_TRUE(room.solvable);
  EXPECT_EQ(room.acceleration_unique, Certainty::yes);
  EXPECT_FALSE(room.multipliers_unique);       // three rows in two coordinates
  EXPECT_FALSE(room.unilateral_force_unique);  // (1, 1) is a force of the joint and of both floors
  EXPECT_TRUE(with(0, {1, -1}).solvable);      // the floors meet in one point of the joint's line
  EXPECT_FALSE(with(0, {-1, -1}).solvable);    // both floors push up, the joint does not let them
}

// Proposition 6 and Corollary 1 with M > 0 have the same; without a mass in x only the joint keeps x.
TEST(Proposition6, NeedsNoRankOfTheMass) {
  Matrix const M = Eigen::Vector2d(0, 1).asDiagonal(), J_b{{1, 0}}, J_u{{1, 1}};
  ConstraintRank const rank = constraint_rank(
      problem(M, Eigen::Vector2d(5, 1), J_b, Vector::Constant(1, 2), J_u, Vector::Constant(1, 1)));
  EXPECT_TRUE(rank.solvable && rank.regular);
  EXPECT_EQ(rank.acceleration_unique, Certainty::yes);
  EXPECT_TRUE(rank.multipliers_unique && rank.unilateral_force_unique);
}

// (i): A_c > 0 where all rows are independent; (iii): the forces of both kinds are unique each where no force of the one
// is one of the other, also if each kind is redundant in itself.
TEST(Proposition7, SeparatesTheForcesOfJointsAndContacts) {
  Matrix const M = Matrix::Identity(3, 3);
  Eigen::Vector3d const F(1, 2, 3);
  ConstraintRank const independent = constraint_rank(
      problem(M, F, Matrix{{1, 0, 0}}, Vector::Zero(1), Matrix{{0, 1, 0}, {1, 0, 1}}, Vector::Zero(2)));
  EXPECT_TRUE(independent.multipliers_unique && independent.unilateral_force_unique);
  ConstraintRank const redundant = constraint_rank(problem(
      M, F, Matrix{{1, 0, 0}, {1, 0, 0}}, Vector::Zero(2), Matrix{{0, 0, 1}, {0, 0, 1}}, Vector::Zero(2)));
  EXPECT_TRUE(redundant.solvable && redundant.unilateral_force_unique && !redundant.multipliers_unique);
  ConstraintRank const shared =
      constraint_rank(problem(M, F, Matrix{{1, 0, 0}}, Vector::Zero(1), Matrix{{1, 0, 0}}, Vector::Zero(1)));
  EXPECT_TRUE(shared.solvable && !shared.unilateral_force_unique);
}

// (v) as printed: lambda_u >= 0 with J_u^T lambda_u = 0 is only zero here, so that the implication holds and the problem
// should be solvable. But the joint asks for x'' = -1 and the floor for x'' >= 0.
TEST(Proposition7, ItemVIsNotEnoughWhereAFloorRepeatsAJoint) {
  Matrix const M = Matrix::Identity(2, 2), row{{1, 0}};
  auto const with = [&](double c_b, double c_u) {
    return constraint_rank(
        problem(M, Eigen::Vector2d(1, 2), row, Vector::Constant(1, c_b), row, Vector::Constant(1, c_u)));
  };
  EXPECT_FALSE(with(1, 0).solvable);
  EXPECT_TRUE(with(1, 1).solvable);
  EXPECT_TRUE(with(1, 2).solvable);
}

// (vii): the joint holds x, M has no mass in y and z, and three floors with normals that positively span the plane hold
// these; with two floors a load can escape.
TEST(Proposition7, ItemVIIWantsFloorsAllAroundWhatHasNoMass) {
  Matrix const M = Eigen::Vector3d(1, 0, 0).asDiagonal(), J_b{{1, 0, 0}};
  Matrix const three{{0, 1, 0}, {0, -1, 1}, {0, -1, -1}}, two = three.topRows(2);
  Vector const c_b = Vector::Zero(1);
  Eigen::Vector3d const down(1, 1, 0), side(1, 0, -1);
  EXPECT_TRUE(constraint_rank(problem(M, side, J_b, c_b, three, Vector::Ones(3))).balanced_for_every_force);
  EXPECT_TRUE(constraint_rank(problem(M, side, J_b, c_b, three, Vector::Ones(3))).solvable);
  EXPECT_FALSE(constraint_rank(problem(M, side, J_b, c_b, two, Vector::Ones(2))).balanced_for_every_force);
  EXPECT_FALSE(constraint_rank(problem(M, side, J_b, c_b, two, Vector::Ones(2))).solvable);
  EXPECT_TRUE(constraint_rank(problem(M, down, J_b, c_b, two, Vector::Ones(2))).solvable);
}

// Redundant joints that agree, and a floor: solvable where a z with J_b z = -c_b and a y in Ker J_b lift all floors.
// With M > 0, as the derivation from (17) has it; without mass the load must be carried too (Proposition 3(vi)).
TEST(Proposition8, IsSolvableWhereAMotionOfTheJointsLiftsTheFloors) {
  Matrix const M = Matrix::Identity(2, 2), J_b{{1, 0}, {3, 0}};
  Eigen::Vector2d const F(1, 2);
  auto const with = [&](Eigen::Vector2d const& c_b, Matrix const& J_u, double c_u) {
    return constraint_rank(problem(M, F, J_b, c_b, J_u, Vector::Constant(1, c_u)));
  };
  EXPECT_TRUE(with({1, 3}, Matrix{{0, 1}}, -100).solvable);  // y = (0, 100)
  EXPECT_TRUE(with({1, 3}, Matrix{{1, 0}}, 1).solvable);     // z = (-1, 0) just does
  EXPECT_FALSE(with({1, 3}, Matrix{{1, 0}}, 0.9).solvable);
  EXPECT_FALSE(with({1, 2}, Matrix{{0, 1}}, 0).solvable);  // the assumption: c_b is not in Im(J_b)
  EXPECT_FALSE(constraint_rank(problem(Matrix::Zero(2, 2), F, J_b, Eigen::Vector2d(1, 3), Matrix{{0, -1}},
                                       Vector::Constant(1, 5)))
                   .solvable);
}

// Appendix E, (69) and (70), by the ranks of images; and its example with an indefinite M.
TEST(AppendixE, HasTheRankOfTheMatrixFromImages) {
  Matrix const M{{1, 0}, {0, -1}}, F{{1}, {0}};
  EXPECT_EQ(kkt_rank(M, F, -F), 3);
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  auto const rank = [](Matrix const& A) { return PivotedLu(A, 1e-9).rank(); };
  auto const beside = [](Matrix const& A, Matrix const& B) {
    Matrix C(A.rows(), A.cols() + B.cols());
    C << A, B;
    return C;
  };
  auto const intersection = [&](Matrix const& A, Matrix const& B) {
    return rank(A) + rank(B) - rank(beside(A, B));
  };
  int singular = 0;
  for (int k = 0; k < 500; ++k) {
    Eigen::Index const n = 1 + k % 4, m = 1 + k / 4 % 4;
    auto const low_rank = [&](Eigen::Index rows, Eigen::Index columns, Eigen::Index most) {
      Matrix left(rows, most), right(most, columns);
      for (double& entry : left.reshaped()) entry = normal(random);
      for (double& entry : right.reshaped()) entry = normal(random);
      return Matrix(left * right);
    };
    Matrix const root = low_rank(n, n, 1 + k % 3), mass = root * root.transpose();
    Matrix const J_T = low_rank(n, m, 1 + k % 2);
    Matrix const N = k % 2 == 0 ? Matrix(-J_T) : low_rank(n, m, 2);
    Matrix column(n + m, n), other = Matrix::Zero(n + m, m);
    column << mass, J_T.transpose();
    other.topRows(n) = N;
    auto const expected =
        rank(mass) + rank(J_T) + rank(N) - intersection(mass, J_T) - intersection(column, other);
    EXPECT_EQ(kkt_rank(mass, J_T, N), expected) << "seed 2, matrix " << k;
    if (k % 2 != 0) continue;
    ConstraintRank const found =
        constraint_rank(bilateral(mass, Vector::Zero(n), J_T.transpose(), Vector::Zero(m)));
    EXPECT_EQ(found.regular, expected == n + m) << "seed 2, matrix " << k;  // (iii')
    singular += expected < n + m;
  }
  EXPECT_GT(singular, 50);
  EXPECT_LT(singular, 250);
}

// Against the equations themselves: with bilateral rows alone (4) is linear, and its solutions are known from its
// decomposition. Right-hand sides in and out of the image, masses and rows of every rank.
TEST(ConstraintRank, AgreesWithTheLinearEquations) {
  std::mt19937 random(4);
  std::uniform_int_distribution<int> digit(-1, 1);
  int solvable = 0, unsolvable = 0, loose = 0;
  for (int k = 0; k < test::scaled(5'000); ++k) {
    Eigen::Index const n = 1 + k % 4, m = 1 + k / 4 % 4;
    Matrix root(n, n), J(m, n);
    Vector F(n), c(m);
    for (double& entry : root.reshaped()) entry = digit(random);
    for (double& entry : J.reshaped()) entry = digit(random);
    for (double& entry : F) entry = digit(random);
    for (double& entry : c) entry = k % 3 == 0 ? digit(random) : 0;
    Matrix const M = root * root.transpose();
    Matrix whole = Matrix::Zero(n + m, n + m);
    whole << M, -J.transpose(), J, Matrix::Zero(m, m);
    Vector right(n + m);
    right << -F, -c;
    PivotedLu const lu(whole, 1e-9);
    bool const expected = (whole * lu.solve(right) - right).norm() < 1e-9;
    Matrix const kernel = lu.kernel();
    bool const qdd_unique = lu.is_invertible() || kernel.topRows(n).norm() < 1e-9;
    ConstraintRank const rank = constraint_rank(bilateral(M, F, J, c));
    ASSERT_EQ(rank.solvable, expected) << "seed 4, problem " << k;
    ++(expected ? solvable : unsolvable);
    loose += !qdd_unique;
    EXPECT_EQ(rank.acceleration_unique, certainty(qdd_unique)) << "seed 4, problem " << k;
    if (!lu.is_invertible()) {
      EXPECT_LT((J.transpose() * kernel.bottomRows(m)).norm(), 1e-9);  // J^T lambda is unique
      for (Eigen::Index i = 0; i < m; ++i) {
        bool const listed = std::count(rank.dependent.begin(), rank.dependent.end(), static_cast<int>(i)) > 0;
        EXPECT_EQ(listed, kernel.row(n + i).norm() > 1e-9) << "seed 4, problem " << k << ", row " << i;
      }
    }
    // The rows that stay have the same rank, and none of them can go.
    EXPECT_EQ(static_cast<int>(rank.redundant.size()), m - rank.bilateral);
  }
  int const all = solvable + unsolvable;
  EXPECT_GT(solvable, all / 10);
  EXPECT_GT(unsolvable, all / 10);
  EXPECT_GT(loose, all / 50);
}

// Against a search for the active set: (16) is solvable where for some set of unilateral rows that hold as joints the
// linear equations have a solution with lambda_u >= 0 and the others' accelerations >= 0. With M > 0 and independent
// bilateral rows, the search needs sets of independent rows alone.
TEST(ConstraintRank, AgreesWithTheSearchForActiveSets) {
  std::mt19937 random(6);
  std::uniform_int_distribution<int> digit(-2, 2);
  int solvable = 0, unsolvable = 0;
  for (int k = 0; k < test::scaled(3'000); ++k) {
    Eigen::Index const n = 1 + k % 3, m_b = k / 3 % 2, m_u = 1 + k / 6 % 4;
    Matrix J(m_b + m_u, n);
    Vector F(n), c(m_b + m_u);
    for (double& entry : J.reshaped()) entry = digit(random);
    for (double& entry : F) entry = digit(random);
    for (double& entry : c) entry = digit(random);
    if (m_b == 1 && J.row(0).norm() == 0) continue;
    bool expected = false;
    for (unsigned active = 0; active < 1u << m_u && !expected; ++active) {
      std::vector<Eigen::Index> rows, others;
      for (Eigen::Index i = 0; i < m_b + m_u; ++i)
        (i < m_b || active >> (i - m_b) & 1u ? rows : others).push_back(i);
      Matrix const held = J(rows, Eigen::all);
      Matrix const A = held * held.transpose();
      Vector lambda(0);
      if (!rows.empty()) {
        PivotedLu const lu(A);
        if (lu.rank() < A.rows()) continue;
        Vector const right = held * F - c(rows);
        lambda = lu.solve(right);
      }
      Vector const qdd = held.transpose() * lambda - F;
      Vector const apart = J(others, Eigen::all) * qdd + c(others);
      bool const forces =
          rows.size() <= static_cast<std::size_t>(m_b) || lambda.tail(lambda.size() - m_b).minCoeff() > -1e-9;
      expected = forces && (others.empty() || apart.minCoeff() > -1e-9);
    }
    ConstraintRank const rank = constraint_rank(
        problem(Matrix::Identity(n, n), F, J.topRows(m_b), c.head(m_b), J.bottomRows(m_u), c.tail(m_u)));
    ASSERT_EQ(rank.solvable, expected) << "seed 6, problem " << k << "\n" << J << "\nc " << c.transpose();
    ++(expected ? solvable : unsolvable);
  }
  EXPECT_GT(solvable, (solvable + unsolvable) / 10);
  EXPECT_GT(unsolvable, (solvable + unsolvable) / 10);
}

// The four-bar linkage in space: 20 rows, 17 of them independent.
TEST(ConstraintRank, FindsTheThreeRedundantRowsOfTheFourBarLinkage) {
  SceneState const state = scene_state("four_bar");
  std::vector<int> blocks;
  for (std::size_t k = 0; k < state.terms.blocks.size(); ++k) blocks.push_back(static_cast<int>(k));
  FrictionlessProblem const scene = frictionless_problem(state.terms, blocks);
  ConstraintRank const rank = constraint_rank(scene);
  EXPECT_EQ(rank.velocities, 18);
  EXPECT_TRUE(rank.mass_definite());
  EXPECT_EQ(rank.rows_b, 20);
  EXPECT_EQ(rank.all, 17);
  EXPECT_EQ(rank.redundant.size(), 3u);
  EXPECT_TRUE(rank.solvable);
  EXPECT_EQ(rank.acceleration_unique, Certainty::yes);
  EXPECT_FALSE(rank.multipliers_unique);
  // A = J M^-1 J^T of the rows is that of the contact problem.
  Matrix const A = scene.J_b * Cholesky(scene.M).solve_columns(scene.J_b.transpose());
  EXPECT_LT((A - state.problem.dense()).norm(), 1e-10 * A.norm());
}

}  // namespace
}  // namespace delassus
