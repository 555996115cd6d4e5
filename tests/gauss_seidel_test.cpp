// Several contacts: the solved problems of the shared collection, all three laws, and what must hold for any
// problem.
#include "solver/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include <random>

#include "solver/residual.hpp"
#include "tests/contact_problem_file.hpp"

namespace delassus {
namespace {

Solution solve(ContactProblem const& problem, ContactLaw law) {
  GaussSeidel solver;
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
  ContactProblem one, many;
  one.A = Eigen::Matrix3d{{2, 0, .6}, {0, 2, 0}, {.6, 0, 1.5}};
  one.b = Eigen::Vector3d{4, 1, 3};
  one.blocks = {{0, {ForceSetKind::cone3, .3}}};
  int const count = 7;
  many.A = Eigen::MatrixXd::Zero(3 * count, 3 * count);
  many.b.resize(3 * count);
  for (int k = 0; k < count; ++k) {
    many.A.block<3, 3>(3 * k, 3 * k) = one.A;
    many.b.segment<3>(3 * k) = one.b;
    many.blocks.push_back({3 * k, {ForceSetKind::cone3, .3}});
  }
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
  ContactProblem problem;
  problem.A = J * J.transpose();
  problem.b = Eigen::VectorXd::NullaryExpr(12, [&] { return normal(random); });
  for (int k = 0; k < 4; ++k) problem.blocks.push_back({3 * k, {ForceSetKind::cone3, .5}});
  Solution const first = solve(problem, ContactLaw::coulomb), second = solve(problem, ContactLaw::coulomb);
  EXPECT_EQ(first.lambda, second.lambda);
  EXPECT_EQ(first.iterations, second.iterations);
}

}  // namespace
}  // namespace delassus
