// Islands whose A is there as W^T W, over bodies, beside the same islands with A as blocks, over contacts.
#include "solver/island/body_equations.hpp"
#include "solver/linear/dense.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "solver/island/contact_solver.hpp"
#include "solver/island/force_equations.hpp"
#include "solver/island/interior_point.hpp"
#include "solver/problem/residual.hpp"
#include "tests/support/body_rows.hpp"
#include "tests/support/random_block.hpp"

namespace delassus {
namespace {

using test::BodyRows;
using test::RandomBlocks;

constexpr int boxes = 8;

// A tower of boxes of unequal masses, each on four corners, that is pushed: 96 rows of rank 48.
ContactProblem tower(double mu, double push) {
  RandomBlocks random(7);
  BodyRows rows;
  for (int k = 0; k < boxes; ++k) {
    double const mass = std::pow(10.0, random.uniform(-1, 1));
    Eigen::VectorXd diagonal = Eigen::VectorXd::Constant(6, mass);
    diagonal.tail(3) *= 0.1;
    int const body = rows.add_body(diagonal);
    Eigen::Matrix3d const frame = test::contact_frame(Eigen::Vector3d::UnitZ());
    for (double const x : {-0.4, 0.4}) {
      for (double const y : {-0.3, 0.3}) {
        rows.add_block({ForceSetKind::cone3, mu});
        rows.add_term(body, test::point_rows(frame, {x, y, -0.2}));
        rows.add_term(body - 1, -test::point_rows(frame, {x, y, 0.2}));
      }
    }
  }
  ContactProblem problem = rows.problem();
  Eigen::VectorXd v = Eigen::VectorXd::Zero(rows.columns());
  for (int k = 0; k < boxes; ++k) {
    v[6 * k + 2] = -1;
    v[6 * k] = push * k / boxes;
  }
  problem.b = -rows.relative(v);
  return problem;
}

ContactProblem without_factor(ContactProblem problem) {
  problem.W = {};
  return problem;
}

std::vector<int> all_blocks(ContactProblem const& problem) {
  std::vector<int> all(problem.blocks.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(ContactProblem, HasTheSameProductTraceAndMatrixWithAndWithoutA) {
  ContactProblem const formed = tower(0.5, 0.2);
  ContactProblem factored = formed;
  factored.A.clear(0);
  ASSERT_TRUE(formed.formed());
  ASSERT_FALSE(factored.formed());
  Eigen::VectorXd const x = Eigen::VectorXd::LinSpaced(formed.b.size(), -1, 2);
  Eigen::VectorXd one(x.size()), other(x.size());
  formed.multiply(x, one);
  factored.multiply(x, other);
  EXPECT_LT((one - other).norm(), 1e-13 * one.norm());
  EXPECT_NEAR(formed.trace(), factored.trace(), 1e-13 * formed.trace());
  EXPECT_LT((formed.dense() - factored.dense()).norm(), 1e-13 * formed.trace());
}

TEST(ForceEquations, AreSolvedAsADenseMatrixSolvesThemInBothForms) {
  ContactProblem const problem = tower(0.5, 0.2);
  Eigen::MatrixXd const A = problem.dense();
  RandomBlocks random(3);
  std::vector<Eigen::Matrix3d> N(problem.blocks.size());
  BlockVector f(problem.blocks.size());
  Eigen::MatrixXd all = Eigen::MatrixXd::Identity(A.rows(), A.rows());
  Eigen::VectorXd right(A.rows());
  for (std::size_t k = 0; k < N.size(); ++k) {
    Eigen::Matrix3d half;
    for (double& x : half.reshaped()) x = random.normal();
    N[k] = half * half.transpose();
    N[k](0, 2) += 0.3;  // as of a slip, not symmetric
    for (double& x : f[k]) x = random.normal();
    auto const row = static_cast<Eigen::Index>(3 * k);
    all.middleRows(row, 3) += N[k] * A.middleRows(row, 3);
    right.segment<3>(row) = f[k];
  }
  Eigen::VectorXd const expected = RegularLu(all).solve(right);
  for (bool const as_blocks : {false, true}) {
    IslandProblem island;
    if (as_blocks) {
      island.gather_blocks(problem, all_blocks(problem));
    } else {
      island.gather(problem, all_blocks(problem));
    }
    ASSERT_EQ(island.factored(), !as_blocks);
    ForceEquations equations;
    BlockVector const zero(f.size(), Eigen::Vector3d::Zero());
    equations.begin(island, zero);
    ASSERT_TRUE(equations.factorise(island, N, zero));
    BlockVector d = f, deta;
    equations.solve(island, N, d, deta);
    Eigen::VectorXd found(A.rows()), motion(A.rows());
    for (std::size_t k = 0; k < d.size(); ++k) {
      found.segment<3>(static_cast<Eigen::Index>(3 * k)) = d[k];
      motion.segment<3>(static_cast<Eigen::Index>(3 * k)) = deta[k];
    }
    EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm()) << (as_blocks ? "contacts" : "bodies");
    EXPECT_LT((motion - A * expected).norm(), 1e-10 * expected.norm()) << (as_blocks ? "contacts" : "bodies");
  }
}

// The tower, with a slider and frictions of one row beside it: terms of all sizes.
ContactProblem tower_with_slider() {
  RandomBlocks random(5);
  BodyRows rows;
  Eigen::Matrix3d const frame = test::contact_frame(Eigen::Vector3d::UnitZ());
  int last = -1;
  for (int k = 0; k < boxes; ++k) {
    int const body = rows.add_body(Eigen::VectorXd::Constant(6, random.uniform(0.5, 2)));
    for (double const x : {-0.4, 0.4}) {
      rows.add_block({ForceSetKind::cone3, 0.5});
      rows.add_term(body, test::point_rows(frame, {x, 0.3, -0.2}));
      if (last >= 0) rows.add_term(last, -test::point_rows(frame, {x, 0.3, 0.2}));
    }
    last = body;
  }
  int const slider = rows.add_body(Eigen::VectorXd::Constant(1, 2.0));
  rows.add_block({ForceSetKind::interval, 1.0});
  rows.add_term(slider, Eigen::MatrixXd::Constant(1, 1, 1.0));
  rows.add_term(last, test::point_rows(frame, {0.1, 0.2, 0.3}).topRows(1));
  for (int k = 0; k < 12; ++k) {
    rows.add_block({ForceSetKind::interval, 1.0});
    rows.add_term(slider, Eigen::MatrixXd::Constant(1, 1, 1.0 + k));
  }
  ContactProblem problem = rows.problem();
  problem.b = Eigen::VectorXd::Zero(problem.b.size());
  return problem;
}

TEST(BodyEquations, AreSolvedAsADenseMatrixSolvesThemWhereNothingSlips) {
  for (ContactProblem const& problem : {tower(0.5, 0.2), tower_with_slider()}) {
    Eigen::MatrixXd const A = problem.dense();
    RandomBlocks random(4);
    std::vector<double> n(problem.blocks.size());
    std::vector<Eigen::Matrix3d> N(problem.blocks.size());
    BlockVector f(problem.blocks.size(), Eigen::Vector3d::Zero());
    Eigen::MatrixXd all = Eigen::MatrixXd::Identity(A.rows(), A.rows());
    Eigen::VectorXd right(A.rows());
    for (std::size_t k = 0; k < n.size(); ++k) {
      n[k] = k % 5 == 3 ? 0 : std::pow(10.0, random.uniform(-1, 2));  // zero: without force, as if open
      N[k] = n[k] * Eigen::Matrix3d::Identity();
      ProblemBlock const& block = problem.blocks[k];
      for (int row = 0; row < block.rows(); ++row) {
        f[k][row] = right[block.first + row] = random.normal();
        all.row(block.first + row) += n[k] * A.row(block.first + row);
      }
    }
    Eigen::VectorXd const expected = RegularLu(all).solve(right);
    IslandProblem island;
    island.gather(problem, all_blocks(problem));
    ASSERT_TRUE(island.factored());
    BodyEquations equations;
    equations.begin(island);
    // Symmetric, general, and symmetric again: neither leaves anything behind.
    for (bool const symmetric : {true, false, true}) {
      BlockVector d = f;
      if (symmetric) {
        ASSERT_TRUE(equations.factorise(island, n));
        equations.solve(island, n, d);
      } else {
        ASSERT_TRUE(equations.factorise(island, N));
        equations.solve(island, N, d);
      }
      double difference = 0;
      for (std::size_t k = 0; k < d.size(); ++k) {
        ProblemBlock const& block = problem.blocks[k];
        for (int row = 0; row < block.rows(); ++row)
          difference = std::max(difference, std::abs(d[k][row] - expected[block.first + row]));
      }
      EXPECT_LT(difference, 1e-11 * expected.norm()) << (symmetric ? "symmetric" : "general");
    }
  }
}

// The motion that follows is unique where mu is small, though the forces on four corners are not.
TEST(Islands, MoveTheSameWhetherTheyAreSolvedOverBodiesOrOverContacts) {
  for (double const push : {0.0, 0.2, 3.0}) {
    ContactProblem const problem = tower(0.3, push);
    Eigen::VectorXd const zero = Eigen::VectorXd::Zero(problem.b.size());
    ContactSolver solver;
    Solution over_bodies, over_contacts;
    solver.solve(problem, {}, zero, over_bodies);
    solver.solve(without_factor(problem), {}, zero, over_contacts);
    EXPECT_EQ(over_bodies.status, SolveStatus::converged);
    EXPECT_EQ(over_contacts.status, SolveStatus::converged);
    EXPECT_LT(scale_free_residual(problem, over_bodies.lambda), 1e-11);
    Eigen::VectorXd one(zero.size()), other(zero.size());
    problem.multiply(over_bodies.lambda, one);
    problem.multiply(over_contacts.lambda, other);
    EXPECT_LT((one - other).norm(), 1e-8 * problem.b.norm()) << "push " << push;
  }
}

TEST(Islands, GetTheSameForceOfLeastNormOverBodiesWhateverTheLastForceWas) {
  ContactProblem const problem = tower(0.5, 0.1);
  SolveSettings settings;
  settings.least_norm = true;
  settings.tolerance = 1e-12;
  ContactSolver solver;
  Solution first, second;
  Eigen::VectorXd previous = Eigen::VectorXd::Zero(problem.b.size());
  solver.solve(problem, settings, previous, first);
  RandomBlocks random(5);
  for (double& x : previous) x = random.normal();
  solver.solve(problem, settings, previous, second);
  EXPECT_EQ(first.status, SolveStatus::converged);
  EXPECT_EQ(second.status, SolveStatus::converged);
  EXPECT_LT((first.lambda - second.lambda).norm(), 1e-7 * first.lambda.norm());
  // Where all contacts stick, least norm means orthogonal to what A does not see.
  Eigen::MatrixXd const unseen = OrthogonalDecomposition(problem.dense(), 1e-10).null_space();
  ASSERT_GT(unseen.cols(), 0);
  for (ContactMode const mode : first.modes) ASSERT_EQ(mode, ContactMode::stick);
  EXPECT_LT((unseen.transpose() * first.lambda).norm(), 1e-7 * first.lambda.norm());
}

TEST(InteriorPoint, StaysInsideOfTheConesAndComesToASolutionInBothForms) {
  for (double const push : {0.2, 3.0}) {
    ContactProblem const with_factor = tower(0.5, push);
    for (ContactProblem const& problem : {with_factor, without_factor(with_factor)}) {
      IslandProblem island;
      island.gather(problem, all_blocks(problem));
      island.set_measure(ResidualMeasure::scale_free, ContactLaw::coulomb);
      ASSERT_TRUE(InteriorPoint::applies(island));
      InteriorPoint method;
      BlockVector const zero(island.size(), Eigen::Vector3d::Zero());
      method.begin(island, zero, 1);
      double residual = 1;
      BlockVector eta;
      int steps = 0;
      for (; steps < 40 && residual > 1e-7 && method.step(island); ++steps) {
        for (Eigen::Vector3d const& force : method.lambda())
          ASSERT_LT(force.head<2>().norm(), 0.5 * force[2]);
        island.eta(method.lambda(), eta);
        residual = island.residual(method.lambda(), eta);
      }
      EXPECT_LE(residual, 1e-7) << "push " << push << ", " << steps << " steps";
    }
  }
}

TEST(InteriorPoint, IsNotOfferedWhereAContactIsBilateral) {
  ContactProblem problem = tower(0.5, 0);
  problem.blocks[3].set = {ForceSetKind::double_cone3, 0.5};
  IslandProblem island;
  island.gather(problem, all_blocks(problem));
  EXPECT_FALSE(InteriorPoint::applies(island));
}

}  // namespace
}  // namespace delassus
