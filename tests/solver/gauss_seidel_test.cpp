// Several contacts: the solved problems of the shared collection, all three laws, and what must hold for any
// problem.
#include "solver/island/contact_solver.hpp"
#include "solver/linear/dense.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "solver/problem/residual.hpp"
#include "tests/support/contact_problem_file.hpp"

namespace delassus {
namespace {

Solution solve(ContactProblem const& problem, ContactLaw law) {
  ContactSolver solver;
  Solution solution;
  SolveSettings settings;
  settings.law = law;
  solver.solve(problem, settings, Eigen::VectorXd::Zero(problem.b.size()), solution);
  return solution;
}

TEST(Solution, StartsAsAFailure) {
  EXPECT_EQ(Solution{}.status, SolveStatus::not_solved);
  EXPECT_GT(Solution{}.residual, 1e300);
}

TEST(GaussSeidel, SolvesAProblemWithoutContacts) {
  ContactProblem problem;
  Solution const solution = solve(problem, ContactLaw::coulomb);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  EXPECT_EQ(solution.residual, 0);
}

// Blocks that do not act on one another are solved as if each were alone.
TEST(GaussSeidel, TreatsIndependentBlocksAsAlone) {
  Eigen::Matrix3d const A{{2, 0, .6}, {0, 2, 0}, {.6, 0, 1.5}};
  Eigen::Vector3d const b{4, 1, 3};
  int const count = 7;
  Eigen::MatrixXd many_A = Eigen::MatrixXd::Zero(3 * count, 3 * count);
  Eigen::VectorXd many_b(3 * count);
  std::vector<ProblemBlock> blocks;
  for (int k = 0; k < count; ++k) {
    many_A.block<3, 3>(3 * k, 3 * k) = A;
    many_b.segment<3>(3 * k) = b;
    blocks.push_back({3 * k, {ForceSetKind::cone3, .3}});
  }
  ContactProblem const many = ContactProblem::from_dense(many_A, many_b, blocks);
  // Kikuuwe and Brogliato 2017 (65): the worked example, computed apart.
  Eigen::Vector3d const expected{.509802354619, .174449298386, 1.79607905815};
  Solution const solution = solve(many, ContactLaw::coulomb);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  for (int k = 0; k < count; ++k) EXPECT_LT((solution.lambda.segment<3>(3 * k) - expected).norm(), 1e-11);
}

TEST(GaussSeidel, SolvesTheSharedProblemsByAllThreeLaws) {
  if (!std::filesystem::exists(test::contact_problem_path()))
    GTEST_SKIP() << test::contact_problem_path() << " is not there";
  auto const problems = test::read_contact_problems(test::contact_problem_path());
  EXPECT_EQ(problems.size(), 15U);
  for (auto const& solved : problems) {
    auto const expect = [&](ContactLaw law, Eigen::VectorXd const& lambda) {
      Solution const solution = solve(solved.problem, law);
      EXPECT_EQ(solution.status, SolveStatus::converged);
      EXPECT_LT((solution.lambda - lambda).norm(), 1e-10 * (1 + lambda.norm()))
          << contact_law_enumeration().name_of(static_cast<int>(law)) << ", " << solved.problem.blocks.size()
          << " contacts, " << solution.iterations << " sweeps";
    };
    expect(ContactLaw::coulomb, solved.coulomb);
    expect(ContactLaw::anitescu_tasora, solved.anitescu_tasora);
    expect(ContactLaw::nakaoka, solved.nakaoka);
  }
}

TEST(GaussSeidel, GivesTheSameBitsOnRepetition) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd const J = Eigen::MatrixXd::NullaryExpr(12, 20, [&] { return normal(random); });
  Eigen::VectorXd const b = Eigen::VectorXd::NullaryExpr(12, [&] { return normal(random); });
  std::vector<ProblemBlock> blocks;
  for (int k = 0; k < 4; ++k) blocks.push_back({3 * k, {ForceSetKind::cone3, .5}});
  ContactProblem const problem = ContactProblem::from_dense(J * J.transpose(), b, blocks);
  Solution const first = solve(problem, ContactLaw::coulomb), second = solve(problem, ContactLaw::coulomb);
  EXPECT_EQ(first.lambda, second.lambda);
  EXPECT_EQ(first.iterations, second.iterations);
}

// The part that sweeps, alone: Newton's method must not hide that it has stopped working.
TEST(GaussSeidel, ConvergesBySweepsAloneToTheSharedSolutions) {
  if (!std::filesystem::exists(test::contact_problem_path()))
    GTEST_SKIP() << test::contact_problem_path() << " is not there";
  for (auto const& solved : test::read_contact_problems(test::contact_problem_path())) {
    for (ContactLaw const law : {ContactLaw::coulomb, ContactLaw::anitescu_tasora}) {
      ContactSolver solver;
      SolveSettings settings;
      settings.law = law;
      settings.method = SolveMethod::gauss_seidel;
      settings.least_norm = false;
      settings.iteration_limit = 2000;
      Solution solution;
      solver.solve(solved.problem, settings, Eigen::VectorXd::Zero(solved.problem.b.size()), solution);
      Eigen::VectorXd const& expected = law == ContactLaw::coulomb ? solved.coulomb : solved.anitescu_tasora;
      EXPECT_EQ(solution.status, SolveStatus::converged);
      EXPECT_LE(scale_free_residual(solved.problem, solution.lambda, law), 3e-13);
      EXPECT_LT((solution.lambda - expected).norm(), 1e-10 * (1 + expected.norm()));
    }
  }
}

// ---- Parts of the solver of several blocks

TEST(Islands, AreTheConnectedBlocksInRisingOrder) {
  // 0-3, 1 alone, 2-5-4.
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(6, 6);
  A(0, 3) = A(3, 0) = A(2, 5) = A(5, 2) = A(5, 4) = A(4, 5) = .1;
  std::vector<ProblemBlock> blocks;
  for (int k = 0; k < 6; ++k) blocks.push_back({k, {ForceSetKind::half_line}});
  Islands islands;
  islands.find(ContactProblem::from_dense(A, Eigen::VectorXd::Zero(6), blocks));
  ASSERT_EQ(islands.size(), 3U);
  auto const list = [&](std::size_t i) { return std::vector<int>(islands[i].begin(), islands[i].end()); };
  EXPECT_EQ(list(0), (std::vector<int>{0, 3}));
  EXPECT_EQ(list(1), (std::vector<int>{1}));
  EXPECT_EQ(list(2), (std::vector<int>{2, 4, 5}));
  islands.find(ContactProblem());
  EXPECT_EQ(islands.size(), 0U);
}

TEST(LeastNorm, AgreesWithEigensCompleteOrthogonalDecomposition) {
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  auto const random = [&](Eigen::Index m, Eigen::Index n) {
    return Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(m, n, [&] { return normal(engine); }));
  };
  LeastNorm solver;
  for (int trial = 0; trial < 300; ++trial) {
    Eigen::Index const m = 1 + trial % 17, n = 1 + trial % 13, rank = 1 + trial % std::min(m, n);
    Eigen::MatrixXd const A = random(m, rank) * random(rank, n);
    Eigen::VectorXd const b = random(m, 1);
    OrthogonalDecomposition const expected(A, 1e-11);
    Eigen::MatrixXd work = A;
    Eigen::VectorXd right = b, x(n);
    EXPECT_EQ(solver.solve(work, right, x), expected.rank());
    Eigen::VectorXd const reference = expected.solve(b);
    EXPECT_LE((x - reference).norm(), 1e-9 * reference.norm()) << m << " x " << n << ", rank " << rank;
  }
  Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(3, 3);
  Eigen::VectorXd right = Eigen::VectorXd::Ones(3), x = Eigen::VectorXd::Ones(3);
  EXPECT_EQ(solver.solve(zero, right, x), 0);
  EXPECT_EQ(x, Eigen::VectorXd::Zero(3));
}

}  // namespace
}  // namespace delassus
