// Ten thousand problems of which it is known whether they have a solution, from zero forces and with the
// settings that everybody gets.
//
// DELASSUS_SEED=n takes other problems. DELASSUS_DUMP_FAILURES=folder writes the first failures of each
// family there as `family_seed_index.dat` (tools/solve/problem_file.hpp), for `delassus solve` and the benchmarks.
#include "tests/support/generated_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "solver/island/compliance_path.hpp"
#include "solver/island/contact_solver.hpp"
#include "solver/problem/residual.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/block_test_tools.hpp"
#include "tools/solve/problem_file.hpp"

namespace delassus {
namespace {

using test::GeneratedProblem;
using test::ProblemFamily;

constexpr double solved = 1e-8;    // scale-free residual on the raw data
constexpr int most_messages = 20;  // of a family
constexpr int most_files = 5;      // of a family

int count_of(ProblemFamily family) {
  switch (family) {
    case ProblemFamily::dense:
    case ProblemFamily::tower:
    case ProblemFamily::spheres:
    case ProblemFamily::bodies:
      return 1600;
    case ProblemFamily::one_body:
    case ProblemFamily::mixed:
      return 1000;
    case ProblemFamily::singular:
      return 600;
    case ProblemFamily::planar:
      return 400;
    default:
      return 150;
  }
}

unsigned seed() {
  char const* const text = std::getenv("DELASSUS_SEED");
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1;
}

// The residual is relative to the force. Where no force is a solution, a huge one may still make it small:
// then this number is huge too.
double relative_force(ContactProblem const& problem, Eigen::VectorXd const& lambda) {
  double const rho = scale_free_rho(static_cast<double>(problem.b.size()), problem.A.trace());
  return lambda.norm() / (rho * problem.b.norm());
}

// Counts, times and failures of a family.
class Record {
 public:
  explicit Record(ProblemFamily family) : family_(family) {}
  Record(Record const&) = delete;
  Record& operator=(Record const&) = delete;
  ~Record() {
    std::printf(
        "%-13s %5d problems, %4d failed, %7.3f s; slowest: index %d, %zu blocks, %.4f s, %d iterations\n",
        std::string(test::name_of(family_)).c_str(), count_, failures_, total_, slowest_.index,
        slowest_.blocks, slowest_.seconds, slowest_.iterations);
  }

  Solution solve(int index, ContactProblem const& problem) {
    Solution solution;
    auto const begin = std::chrono::steady_clock::now();
    solver_.solve(problem, {}, Eigen::VectorXd::Zero(problem.b.size()), solution);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ++count_;
    total_ += seconds;
    if (seconds > slowest_.seconds) slowest_ = {index, problem.blocks.size(), seconds, solution.iterations};
    return solution;
  }

  void fail(int index, ContactProblem const& problem, Solution const& solution, double residual) {
    std::string const name =
        std::string(test::name_of(family_)) + "_" + std::to_string(seed()) + "_" + std::to_string(index);
    if (++failures_ <= most_messages) {
      ADD_FAILURE() << "family " << test::name_of(family_) << ", seed " << seed() << ", index " << index
                    << ", " << problem.blocks.size() << " blocks: residual " << residual << ", status "
                    << text(solution.status) << ", " << solution.iterations << " iterations, force "
                    << relative_force(problem, solution.lambda) << " rho |b|";
    } else if (failures_ == most_messages + 1) {
      ADD_FAILURE() << "and more";
    }
    char const* const folder = std::getenv("DELASSUS_DUMP_FAILURES");
    if (folder && failures_ <= most_files) {
      std::filesystem::create_directories(folder);
      std::ofstream(std::filesystem::path(folder) / (name + ".dat")) << problem_text(problem);
    }
  }

 private:
  struct Slowest {
    int index = 0;
    std::size_t blocks = 0;
    double seconds = 0;
    int iterations = 0;
  };
  ProblemFamily family_;
  ContactSolver solver_;
  int count_ = 0, failures_ = 0;
  double total_ = 0;
  Slowest slowest_;
};

class GeneratedProblems : public testing::TestWithParam<ProblemFamily> {};
class ProblemsWithSolution : public GeneratedProblems {};
class ProblemsWithoutSolution : public GeneratedProblems {};

TEST_P(ProblemsWithSolution, AreSolvedByTheForceThatTheyWereMadeFrom) {
  for (int i = 0; i < 100; ++i) {
    GeneratedProblem const generated = generate_problem(GetParam(), seed(), i);
    if (generated.known.size() == 0) continue;
    EXPECT_LE(scale_free_residual(generated.problem, generated.known), test::bar)
        << "seed " << seed() << ", " << i;
  }
}

TEST_P(ProblemsWithSolution, AreSolvedByDefaultSettingsFromZeroForces) {
  Record record(GetParam());
  for (int i = 0; i < test::scaled(count_of(GetParam())); ++i) {
    ContactProblem const problem = generate_problem(GetParam(), seed(), i).problem;
    Solution const solution = record.solve(i, problem);
    double const residual = scale_free_residual(problem, solution.lambda);
    bool const good = residual <= solved && solution.status == SolveStatus::converged;
    if (!solution.lambda.allFinite() || !good) record.fail(i, problem, solution, residual);
  }
}

// Problems that steps towards lower compliance, sweeps and starts from ninety other forces had all missed.
struct Missed {
  ProblemFamily family;
  unsigned seed;
  int index;
};

void expect_solved(Missed const& missed) {
  auto const [family, seed, index] = missed;
  ContactProblem const problem = generate_problem(family, seed, index).problem;
  Solution solution;
  ContactSolver().solve(problem, {}, Eigen::VectorXd::Zero(problem.b.size()), solution);
  EXPECT_EQ(solution.status, SolveStatus::converged) << test::name_of(family) << " " << seed << " " << index;
  EXPECT_LE(scale_free_residual(problem, solution.lambda), solved)
      << test::name_of(family) << " " << seed << " " << index;
}

// Some motion opens all their contacts, so that the path of falling compliance ends in a solution, though it
// turns back on the way, in some dozens of times.
TEST(ProblemsThatWereMissed, AreSolvedAtTheEndOfAPathThatTurnsBackOnTheWay) {
  using enum ProblemFamily;
  for (Missed const missed :
       {Missed{tower, 1, 1481}, Missed{tower, 5, 956}, Missed{tower, 8, 751}, Missed{bodies, 10, 889},
        Missed{bodies, 11, 1308}, Missed{spheres, 100, 140}, Missed{bodies, 104, 1310},
        Missed{bodies, 113, 1360}, Missed{tower, 127, 1353}}) {
    expect_solved(missed);
  }
}

// Bodies that jam: every way that follows the forces leads off to infinity.
TEST(ProblemsThatWereMissed, AreSolvedByFrictionBoundsOrFromAnotherCentreWhereForcesRunOffToInfinity) {
  using enum ProblemFamily;
  for (Missed const missed :
       {Missed{singular, 3, 573}, Missed{singular, 4, 418}, Missed{singular, 5, 160},
        Missed{singular, 7, 248}, Missed{singular, 8, 328}, Missed{mixed, 9, 374}, Missed{one_body, 2, 482},
        Missed{one_body, 11, 911}, Missed{spheres, 5, 1571}, Missed{singular, 12, 155}}) {
    expect_solved(missed);
  }
}

TEST(ProblemsThatWereMissed, GiveTheSameBitsAgainWithoutAnAllocation) {
  using enum ProblemFamily;
  for (auto const [family, seed, index] :
       {Missed{tower, 8, 751}, Missed{singular, 8, 328}, Missed{spheres, 143, 1276}, Missed{mixed, 9, 374},
        Missed{pathless, 1, 1388}}) {
    ContactProblem const problem = generate_problem(family, seed, index).problem;
    Eigen::VectorXd const zero = Eigen::VectorXd::Zero(problem.b.size());
    ContactSolver solver;
    Solution solution;
    solver.solve(problem, {}, zero, solution);
    Eigen::VectorXd const lambda = solution.lambda;
    long const before = test::allocation_count;
    solver.solve(problem, {}, zero, solution);
    EXPECT_EQ(test::allocation_count - before, 0) << test::name_of(family) << " " << seed << " " << index;
    EXPECT_EQ(solution.lambda, lambda);
  }
}

// Where the curve is known in closed form: one freedom that two contacts share, without friction. For A of ones
// and b = (1, 1) both forces are 1 / (2 + d) where the centre is zero.
TEST(CompliancePathTest, FollowsTheForcesOfTwoContactsThatShareALoad) {
  ContactProblem const problem =
      ContactProblem::from_dense(Eigen::Matrix2d::Ones(), Eigen::Vector2d::Ones(),
                                 {{0, {ForceSetKind::half_line, 0}}, {1, {ForceSetKind::half_line, 0}}});
  IslandProblem island;
  std::array<int, 2> const both{0, 1};
  island.gather(problem, both);
  island.set_measure(ResidualMeasure::scale_free, ContactLaw::coulomb);
  CompliancePath path;
  ASSERT_TRUE(path.begin(island, BlockVector(2, Eigen::Vector3d::Zero())));
  for (int i = 0; i < 200 && path.d() > 1e-6; ++i) {
    for (Eigen::Vector3d const& force : path.lambda()) EXPECT_NEAR(force[0], 1 / (2 + path.d()), 1e-12);
    ASSERT_TRUE(path.advance());
  }
  EXPECT_LE(path.d(), 1e-6);
}

// ---- Directed frictions and double cones, to whose solutions neither a compliance path nor friction bounds lead

// Unsolved of 2000 problems of low rank. Of 25,000 problems (seeds 1 to 5) 9 are, without damped Newton from the centres of
// the search 334; of 50,000 that another generator drew from all kinds of sets 241 are, 0.5 %. This is half of that share.
constexpr int most_unsolved = 5;

TEST(ProblemsWithoutPath, AreSolvedByTheForceThatTheyWereMadeFrom) {
  for (int i = 0; i < 1000; ++i) {
    GeneratedProblem const generated = generate_problem(ProblemFamily::pathless, seed(), i);
    EXPECT_LE(scale_free_residual(generated.problem, generated.known), test::bar)
        << "seed " << seed() << ", " << i;
  }
}

TEST(ProblemsWithoutPath, AreSolvedWhereAIsRegularAndNeverCalledSolvedWhereTheyAreNot) {
  Record record(ProblemFamily::pathless);
  int unsolved = 0;
  for (int i = 0; i < test::scaled(4000); ++i) {
    ContactProblem const problem = generate_problem(ProblemFamily::pathless, seed(), i).problem;
    Solution const solution = record.solve(i, problem);
    double const residual = scale_free_residual(problem, solution.lambda);
    bool const converged = solution.status == SolveStatus::converged;
    bool const regular = i % 2 == 0;  // the others are of low rank
    bool const ended = solution.lambda.allFinite() && solution.iterations <= SolveSettings{}.iteration_limit;
    if (!ended || (converged && residual > solved) || (!converged && regular))
      record.fail(i, problem, solution, residual);
    if (!converged && !regular) ++unsolved;
  }
  EXPECT_LE(unsolved, most_unsolved) << "of low rank, seed " << seed();
}

// A is regular, and each of them was called inconsistent or stalled while the search had no attempt for them.
TEST(ProblemsWithoutPath, AreSolvedByDampedNewtonFromTheCentresOfTheSearch) {
  using enum ProblemFamily;
  for (Missed const missed : {Missed{pathless, 1, 1388}, Missed{pathless, 1, 3564}, Missed{pathless, 3, 9874},
                              Missed{pathless, 4, 2464}, Missed{pathless, 4, 7140}, Missed{pathless, 5, 4202},
                              Missed{pathless, 5, 6204}}) {
    expect_solved(missed);
  }
}

// No method can begin there, and no other centre of the search changes that.
TEST(ProblemsWithoutPath, EndWithAFiniteForceWhereNumbersAreNotFinite) {
  for (double const bad : {test::nan, std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < 100; ++i) {
      ContactProblem problem = generate_problem(ProblemFamily::pathless, seed(), i).problem;
      auto const expect_end = [&](std::string const& where) {
        Solution solution;
        ContactSolver().solve(problem, {}, Eigen::VectorXd::Zero(problem.b.size()), solution);
        EXPECT_TRUE(solution.lambda.allFinite()) << bad << " in " << where << ", " << i;
        EXPECT_NE(solution.status, SolveStatus::converged) << bad << " in " << where << ", " << i;
      };
      Eigen::MatrixXd A = problem.dense();
      Eigen::VectorXd b = problem.b;
      problem.b[problem.b.size() / 2] = bad;
      expect_end("b");
      A(0, 0) = bad;
      problem = ContactProblem::from_dense(A, b, problem.blocks);
      expect_end("A");
    }
  }
}

TEST_P(ProblemsWithoutSolution, EndWithAFiniteForceAndSayThatItIsNoSolution) {
  Record record(GetParam());
  for (int i = 0; i < test::scaled(count_of(GetParam())); ++i) {
    ContactProblem const problem = generate_problem(GetParam(), seed(), i).problem;
    Solution const solution = record.solve(i, problem);
    bool const said = solution.status == SolveStatus::inconsistent ||
                      solution.status == SolveStatus::stalled ||
                      solution.status == SolveStatus::iteration_limit;
    if (!said || !solution.lambda.allFinite() || solution.iterations > SolveSettings{}.iteration_limit)
      record.fail(i, problem, solution, scale_free_residual(problem, solution.lambda));
  }
}

std::vector<ProblemFamily> families(bool with_solution) {
  std::vector<ProblemFamily> result;
  for (ProblemFamily const family : test::problem_families)
    if (has_solution(family) == with_solution) result.push_back(family);
  return result;
}
std::string family_name(testing::TestParamInfo<ProblemFamily> const& info) {
  return std::string(test::name_of(info.param));
}
INSTANTIATE_TEST_SUITE_P(OfEachFamily, ProblemsWithSolution, testing::ValuesIn(families(true)), family_name);
INSTANTIATE_TEST_SUITE_P(OfEachFamily, ProblemsWithoutSolution, testing::ValuesIn(families(false)),
                         family_name);

}  // namespace
}  // namespace delassus
