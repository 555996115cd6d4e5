// Several blocks at once: the parts of the solver against Eigen and brute force, and the whole on random
// problems.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <iostream>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "solver/island/contact_solver.hpp"
#include "solver/linear/block_factor.hpp"
#include "solver/linear/dense.hpp"
#include "solver/problem/delassus_operator.hpp"
#include "solver/problem/form_matrix.hpp"
#include "solver/problem/redundancy.hpp"
#include "solver/problem/residual.hpp"
#include "solver/time/stepper.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/block_test_tools.hpp"

namespace delassus {
namespace {

std::vector<double> const no_inputs;

using test::scaled;

// Random problems: A = J M^-1 J^T of a sparse J, as blocks between pairs of rigid bodies give it, and b = J w
// in the range of J, so that redundant rows agree with one another.
struct RandomProblemSettings {
  int bodies = 4;
  int blocks = 8;
  int duplicates = 0;  // blocks whose rows repeat those of an earlier block
  double most_mu = 0.3;
  std::vector<ForceSetKind> kinds = {};
};

ContactProblem random_problem(std::mt19937_64& engine, RandomProblemSettings const& settings) {
  std::normal_distribution<double> normal;
  auto const uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  auto const integer = [&](int high) { return std::uniform_int_distribution<int>(0, high - 1)(engine); };

  std::vector<ProblemBlock> blocks;
  int rows = 0;
  for (int k = 0; k < settings.blocks; ++k) {
    ForceSet set;
    set.kind = settings.kinds[static_cast<std::size_t>(integer(static_cast<int>(settings.kinds.size())))];
    // A block that repeats another must have as many rows.
    if (k >= settings.blocks - settings.duplicates)
      set = blocks[static_cast<std::size_t>(k - settings.blocks + settings.duplicates)].set;
    bool const bounded = set.kind == ForceSetKind::interval || set.kind == ForceSetKind::disc;
    set.limit = bounded ? uniform(0, 3) : uniform(0, settings.most_mu);
    double const angle = uniform(-3.1, 3.1);
    set.direction = {set.limit * std::cos(angle), set.limit * std::sin(angle)};
    blocks.push_back({rows, set});
    rows += rows_of(set.kind);
  }

  int const size = 6;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, size * settings.bodies);
  for (int k = 0; k < settings.blocks; ++k) {
    ProblemBlock const& block = blocks[static_cast<std::size_t>(k)];
    if (k >= settings.blocks - settings.duplicates) {
      ProblemBlock const& model = blocks[static_cast<std::size_t>(k - settings.blocks + settings.duplicates)];
      J.middleRows(block.first, block.rows()) = J.middleRows(model.first, model.rows());
      continue;
    }
    int const one = integer(settings.bodies), other = integer(settings.bodies + 1);  // the last is the ground
    // Contact frame (two tangents, a normal) and lever arms, as between rigid bodies.
    Eigen::Matrix3d random;
    for (double& x : random.reshaped()) x = normal(engine);
    Eigen::Matrix3d const frame = Eigen::HouseholderQR<Eigen::Matrix3d>(random).householderQ();
    for (int const body : {one, other}) {
      if (body == settings.bodies || (body == other && other == one)) continue;
      Eigen::Vector3d const arm(normal(engine), normal(engine), normal(engine));
      Eigen::Matrix3d cross;
      cross << 0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0;
      Eigen::Matrix<double, 3, 6> both;
      both << frame.transpose(), frame.transpose() * cross.transpose();
      double const sign = body == one ? 1 : -1;
      J.block(block.first, size * body, block.rows(), size) = sign * both.bottomRows(block.rows());
    }
  }
  Eigen::VectorXd inverse_mass(size * settings.bodies);
  for (int i = 0; i < settings.bodies; ++i) {
    double const mass = std::pow(10.0, uniform(-1, 1));
    inverse_mass.segment(size * i, 3).setConstant(1 / mass);
    inverse_mass.segment(size * i + 3, 3).setConstant(uniform(1, 4) / mass);
  }
  Eigen::VectorXd w(size * settings.bodies);
  for (double& x : w) x = 10 * normal(engine);
  // Products entry by entry: a general product may sum equal rows in different orders.
  Eigen::MatrixXd A(rows, rows);
  Eigen::VectorXd b(rows);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j)
      A(i, j) = (J.row(i).array() * inverse_mass.transpose().array() * J.row(j).array()).sum();
    b[i] = J.row(i).dot(w);
  }
  return ContactProblem::from_dense(0.5 * (A + A.transpose()), b, blocks);
}

std::vector<ForceSetKind> const all_kinds{
    ForceSetKind::half_line, ForceSetKind::interval,     ForceSetKind::disc,         ForceSetKind::cone2,
    ForceSetKind::cone3,     ForceSetKind::free1,        ForceSetKind::free2,        ForceSetKind::free3,
    ForceSetKind::directed2, ForceSetKind::double_cone2, ForceSetKind::double_cone3, ForceSetKind::directed3};

Solution solve(ContactProblem const& problem, Eigen::VectorXd const& previous,
               SolveSettings const& settings = {}) {
  ContactSolver solver;
  Solution solution;
  solver.solve(problem, settings, previous, solution);
  return solution;
}
Solution solve(ContactProblem const& problem) {
  return solve(problem, Eigen::VectorXd::Zero(problem.b.size()));
}

SolveSettings least_norm() {
  SolveSettings settings;
  settings.least_norm = true;
  return settings;
}

// ---- The parts

TEST(BlockMatrix, AgreesWithTheDenseMatrixAlsoWhenItIsFilledAgain) {
  std::mt19937_64 engine(1);
  BlockMatrix refilled;
  for (int trial = 0; trial < 50; ++trial) {
    ContactProblem const problem = random_problem(engine, {3 + trial % 4, 2 + trial % 9, 0, .3, all_kinds});
    Eigen::MatrixXd const dense = problem.dense();
    Eigen::VectorXd const x = Eigen::VectorXd::Random(dense.rows());
    Eigen::VectorXd product(dense.rows());
    problem.A.multiply(problem.blocks, x, product);
    EXPECT_LE((product - dense * x).norm(), 1e-13 * dense.norm());
    EXPECT_NEAR(problem.A.trace(), dense.trace(), 1e-12 * dense.trace());
    EXPECT_EQ(ContactProblem::from_dense(dense, problem.b, problem.blocks).dense(), dense);
    refilled.clear(problem.blocks.size());
    for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
      refilled.begin_row();
      EXPECT_EQ(problem.A.row(k)[0].column, static_cast<int>(k));
      for (auto const& entry : problem.A.row(k)) refilled.at(entry.column) += 2 * entry.value;
      for (auto const& entry : problem.A.row(k)) refilled.at(entry.column) -= entry.value;
    }
    EXPECT_LE((refilled.dense(problem.blocks) - dense).norm(), 1e-14 * dense.norm());
  }
}

TEST(BlockFactor, SolvesSparseSystemsAsADenseFactorisationDoesWithSizesThatChange) {
  std::mt19937_64 engine(2);
  auto const integer = [&](int high) { return std::uniform_int_distribution<int>(0, high)(engine); };
  BlockFactor factor;
  for (int trial = 0; trial < 60; ++trial) {
    int const nodes = 1 + trial;
    Eigen::MatrixXi adjacent = Eigen::MatrixXi::Identity(nodes, nodes);
    // From chains to nearly full: a node lies in many elements then, whose sizes together exceed the number of nodes.
    for (int i = 0; i < (1 + trial % 8) * nodes; ++i) {
      int const a = integer(nodes - 1), b = integer(nodes - 1);
      adjacent(a, b) = adjacent(b, a) = 1;
    }
    std::vector<std::size_t> first{0};
    std::vector<int> neighbours;
    for (int i = 0; i < nodes; ++i) {
      for (int j = 0; j < nodes; ++j)
        if (adjacent(i, j) != 0) neighbours.push_back(j);
      first.push_back(neighbours.size());
    }
    factor.analyse(first, neighbours, 3);
    for (int repeat = 0; repeat < 2; ++repeat) {
      std::vector<int> sizes, offset{0};
      for (int i = 0; i < nodes; ++i) {
        sizes.push_back(i == 0 ? 1 : integer(3));
        offset.push_back(offset.back() + sizes.back());
      }
      // Nonsymmetric, with a diagonal that needs no exchange of rows between nodes.
      Eigen::MatrixXd dense = 20.0 * nodes * Eigen::MatrixXd::Identity(offset.back(), offset.back());
      factor.begin(sizes);
      for (int i = 0; i < nodes; ++i) {
        for (int j = 0; j < nodes; ++j) {
          if (adjacent(i, j) == 0 ||
              sizes[static_cast<std::size_t>(i)] * sizes[static_cast<std::size_t>(j)] == 0)
            continue;
          auto part = dense.block(offset[static_cast<std::size_t>(i)], offset[static_cast<std::size_t>(j)],
                                  sizes[static_cast<std::size_t>(i)], sizes[static_cast<std::size_t>(j)]);
          part += Eigen::MatrixXd::Random(part.rows(), part.cols());
          BlockFactor::Place const place = factor.place(i, j);
          for (Eigen::Index c = 0; c < part.cols(); ++c)
            for (Eigen::Index r = 0; r < part.rows(); ++r) place.data[r + c * place.stride] = part(r, c);
        }
      }
      ASSERT_TRUE(factor.factorise());
      Eigen::VectorXd const right = Eigen::VectorXd::Random(offset.back());
      Eigen::VectorXd x = right;
      factor.solve(x.data());
      Eigen::VectorXd const expected = RegularLu(dense).solve(right);
      EXPECT_LE((x - expected).norm(), 1e-12 * expected.norm()) << nodes << " nodes";
    }
  }
}

TEST(BlockFactor, SolvesSymmetricSystemsFromTheirNeededBlocksAlone) {
  std::mt19937_64 engine(3);
  auto const integer = [&](int high) { return std::uniform_int_distribution<int>(0, high)(engine); };
  BlockFactor factor;
  for (int trial = 0; trial < 60; ++trial) {
    int const nodes = 1 + trial;
    Eigen::MatrixXi adjacent = Eigen::MatrixXi::Identity(nodes, nodes);
    for (int i = 0; i < 2 * nodes; ++i) {
      int const a = integer(nodes - 1), b = integer(nodes - 1);
      adjacent(a, b) = adjacent(b, a) = 1;
    }
    std::vector<std::size_t> first{0};
    std::vector<int> neighbours, sizes, offset{0};
    for (int i = 0; i < nodes; ++i) {
      for (int j = 0; j < nodes; ++j)
        if (adjacent(i, j) != 0) neighbours.push_back(j);
      first.push_back(neighbours.size());
      sizes.push_back(trial % 2 == 0 ? 6 : 1 + integer(7));
      offset.push_back(offset.back() + sizes.back());
    }
    factor.analyse(first, neighbours, 6);
    Eigen::MatrixXd dense = 20.0 * nodes * Eigen::MatrixXd::Identity(offset.back(), offset.back());
    factor.begin(sizes, BlockFactor::Form::symmetric);
    for (int i = 0; i < nodes; ++i) {
      for (int j = 0; j < nodes; ++j) {
        if (adjacent(i, j) == 0 || !factor.is_needed(i, j)) continue;
        std::size_t const row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
        auto part = dense.block(offset[row], offset[column], sizes[row], sizes[column]);
        Eigen::MatrixXd change = Eigen::MatrixXd::Random(sizes[row], sizes[column]);
        if (i == j) change = (change + change.transpose()).eval();
        part += change;
        if (i != j) dense.block(offset[column], offset[row], sizes[column], sizes[row]) += change.transpose();
        BlockFactor::Place const place = factor.place(i, j);
        for (Eigen::Index c = 0; c < part.cols(); ++c)
          for (Eigen::Index r = 0; r < part.rows(); ++r) place.data[r + c * place.stride] = part(r, c);
      }
    }
    ASSERT_TRUE(factor.factorise());
    Eigen::VectorXd const right = Eigen::VectorXd::Random(offset.back());
    Eigen::VectorXd x = right;
    factor.solve(x.data());
    Eigen::VectorXd const expected = RegularLu(dense).solve(right);
    EXPECT_LE((x - expected).norm(), 1e-12 * expected.norm()) << nodes << " nodes";
  }
}

TEST(BlockFactor, SaysThatASymmetricMatrixIsNotPositive) {
  std::vector<std::size_t> const first{0, 1};
  std::vector<int> const neighbour{0}, size{2};
  BlockFactor factor;
  factor.analyse(first, neighbour, 6);
  for (double const last : {1.0, -1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    factor.begin(size, BlockFactor::Form::symmetric);
    BlockFactor::Place const place = factor.place(0, 0);
    place.data[0] = 2;
    place.data[place.stride + 1] = last;
    EXPECT_EQ(factor.factorise(), last > 0) << last;
  }
}

// ---- Random problems

TEST(ContactSolver, SolvesRandomMixedProblemsToRounding) {
  struct Mix {
    char const* name;
    RandomProblemSettings settings;
  };
  std::vector<ForceSetKind> const cones{ForceSetKind::cone3};
  for (Mix const& mix :
       {Mix{"few blocks on many bodies", {6, 9, 0, .3, all_kinds}},
        Mix{"repeated rows", {6, 9, 3, .3, all_kinds}}, Mix{"spatial contacts", {6, 9, 0, .5, cones}}}) {
    std::mt19937_64 engine(7);
    double worst = 0;
    for (int i = 0; i < scaled(2000); ++i) {
      ContactProblem const problem = random_problem(engine, mix.settings);
      Solution const solution = solve(problem);
      double const residual = scale_free_residual(problem, solution.lambda);
      worst = std::max(worst, residual);
      ASSERT_LE(residual, 1e-12) << mix.name << " " << i;
      ASSERT_EQ(solution.status, SolveStatus::converged) << mix.name << " " << i;
    }
    std::cout << mix.name << ": worst residual " << worst << "\n";
  }
}

// More rows than the bodies have freedoms: Coulomb friction may then have no solution at all. What is called
// solved is solved.
TEST(ContactSolver, SolvesNearlyAllProblemsWithMoreRowsThanFreedomsAndSaysWhichNot) {
  std::vector<ForceSetKind> const cones{ForceSetKind::cone3};
  for (RandomProblemSettings const& settings :
       {RandomProblemSettings{3, 12, 0, .3, all_kinds}, RandomProblemSettings{2, 12, 0, .5, cones}}) {
    SolveSettings precise;
    precise.acceptable = 1e-12;
    std::mt19937_64 engine(8);
    int unsolved = 0;
    int const count = scaled(1000);
    for (int i = 0; i < count; ++i) {
      ContactProblem const problem = random_problem(engine, settings);
      Solution const solution = solve(problem, Eigen::VectorXd::Zero(problem.b.size()), precise);
      ASSERT_TRUE(solution.lambda.allFinite());
      bool const solved = scale_free_residual(problem, solution.lambda) <= 1e-12;
      ASSERT_EQ(solved, solution.status == SolveStatus::converged) << i;
      unsolved += !solved;
    }
    EXPECT_LE(unsolved, 1 + count / 200);
  }
}

TEST(ContactSolver, GivesBilateralForcesOfLeastNormAsThePseudoInverseDoes) {
  std::mt19937_64 engine(9);
  for (int i = 0; i < 300; ++i) {
    ContactProblem const problem = random_problem(
        engine, {2, 6, i % 3, .3, {ForceSetKind::free1, ForceSetKind::free2, ForceSetKind::free3}});
    SymmetricEigen const eigen(problem.dense());
    Eigen::VectorXd coordinates = eigen.vectors.transpose() * problem.b;
    for (Eigen::Index k = 0; k < coordinates.size(); ++k)
      coordinates[k] *= eigen.values[k] > 1e-11 * eigen.values.maxCoeff() ? 1 / eigen.values[k] : 0;
    Eigen::VectorXd const expected = eigen.vectors * coordinates;
    Eigen::VectorXd const previous = Eigen::VectorXd::Random(problem.b.size());
    EXPECT_LE((solve(problem, previous, least_norm()).lambda - expected).norm(), 1e-7 * expected.norm()) << i;
  }
}

// Static friction that is redundant: every way of sticking and slipping is tried, and of those that hold, the
// force of least norm is the answer (theory of Oprea's belts: clipped forces stay at their bound).
Eigen::VectorXd least_box_force(Eigen::MatrixXd const& A, Eigen::VectorXd const& b,
                                Eigen::VectorXd const& F) {
  auto const n = static_cast<int>(b.size());
  Eigen::VectorXd best;
  int const count = static_cast<int>(std::pow(3, n));
  for (int code = 0; code < count; ++code) {
    std::vector<int> inside;
    Eigen::VectorXd lambda(n);
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      lambda[i] = (rest % 3 - 1) * F[i];
      if (rest % 3 == 1) inside.push_back(i);
    }
    if (!inside.empty()) {
      Eigen::VectorXd const right = (b - A * lambda)(inside);
      Eigen::VectorXd const solved = OrthogonalDecomposition(A(inside, inside), 1e-10).solve(right);
      lambda(inside) = solved;
    }
    Eigen::VectorXd const eta = A * lambda - b;
    bool holds = true;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      bool const sticks = rest % 3 == 1;
      holds = holds && (sticks ? std::abs(eta[i]) < 1e-9 * b.norm() && std::abs(lambda[i]) <= F[i] + 1e-12
                               : (rest % 3 - 1) * eta[i] <= 1e-9 * b.norm());
    }
    if (holds && (best.size() == 0 || lambda.norm() < best.norm())) best = lambda;
  }
  return best;
}

TEST(ContactSolver, GivesRedundantStaticFrictionOfLeastNormWithinItsBounds) {
  std::mt19937_64 engine(10);
  std::normal_distribution<double> normal;
  int clipped = 0;
  for (int i = 0; i < 400; ++i) {
    int const n = 3 + i % 3;
    Eigen::MatrixXd const W = Eigen::MatrixXd::NullaryExpr(n, 2, [&] { return normal(engine); });
    Eigen::VectorXd const load = Eigen::VectorXd::NullaryExpr(2, [&] { return 2 * normal(engine); });
    Eigen::MatrixXd const A = W * W.transpose();
    Eigen::VectorXd const b = W * load;
    Eigen::VectorXd const F = Eigen::VectorXd::NullaryExpr(n, [&] { return .2 + std::abs(normal(engine)); });
    std::vector<ProblemBlock> blocks;
    for (int k = 0; k < n; ++k) blocks.push_back({k, {ForceSetKind::interval, F[k]}});
    Eigen::VectorXd const expected = least_box_force(A, b, F);
    ASSERT_EQ(expected.size(), n) << i;
    clipped += (expected.cwiseAbs() - F).cwiseAbs().minCoeff() < 1e-9;
    for (Eigen::VectorXd const& previous :
         {Eigen::VectorXd(Eigen::VectorXd::Zero(n)), F, Eigen::VectorXd(-F)}) {
      EXPECT_LE(
          (solve(ContactProblem::from_dense(A, b, blocks), previous, least_norm()).lambda - expected).norm(),
          1e-9 * F.norm())
          << i << "\nexpected " << expected.transpose() << "\nF " << F.transpose();
    }
  }
  EXPECT_GT(clipped, 50);
}

// ---- What must hold for any problem

TEST(ContactSolver, DoesNotAllocateOnceItHasSeenTheSizes) {
  std::mt19937_64 engine(11);
  std::vector<ContactProblem> problems;
  for (int i = 0; i < 6; ++i) problems.push_back(random_problem(engine, {3, 10, i % 3, .3, all_kinds}));
  ContactSolver solver;
  std::vector<Solution> solutions(problems.size());
  std::vector<Eigen::VectorXd> previous;
  for (ContactProblem const& problem : problems) previous.push_back(Eigen::VectorXd::Zero(problem.b.size()));
  auto const solve_all = [&] {
    for (std::size_t i = 0; i < problems.size(); ++i) {
      solver.solve(problems[i], {}, previous[i], solutions[i]);
      solver.solve(problems[i], least_norm(), previous[i], solutions[i]);
    }
  };
  solve_all();
  long const before = test::allocation_count;
  solve_all();
  EXPECT_EQ(test::allocation_count - before, 0);
}

TEST(ContactSolver, GivesTheSameBitsWhateverItSolvedBefore) {
  std::mt19937_64 engine(12);
  ContactSolver used;
  Solution solution;
  for (int i = 0; i < 50; ++i) {
    ContactProblem const problem = random_problem(engine, {3, 3 + i % 9, i % 3, .3, all_kinds});
    used.solve(problem, {}, Eigen::VectorXd::Zero(problem.b.size()), solution);
    Solution const fresh = solve(problem);
    EXPECT_EQ(solution.lambda, fresh.lambda);
    EXPECT_EQ(solution.modes, fresh.modes);
    EXPECT_EQ(solution.solutions, fresh.solutions);
    EXPECT_EQ(solution.residual, fresh.residual);
  }
}

TEST(ContactSolver, SaysThatContradictoryJointsHaveNoSolution) {
  // Two joints hold the same freedom at different accelerations; a contact lies beside them.
  Eigen::MatrixXd const A{{2, 2, .5}, {2, 2, .5}, {.5, .5, 1}};
  Eigen::Vector3d const b(1, 3, 2);
  ContactProblem const problem = ContactProblem::from_dense(
      A, b, {{0, {ForceSetKind::free1}}, {1, {ForceSetKind::free1}}, {2, {ForceSetKind::half_line}}});
  Solution const solution = solve(problem);
  EXPECT_EQ(solution.status, SolveStatus::inconsistent);
  EXPECT_TRUE(solution.lambda.allFinite());
  EXPECT_EQ(solution.solutions[0], 0);
  EXPECT_EQ(solution.solutions[1], 0);
  EXPECT_GT(solution.residual, .01);
  // Without the contact: the least-squares force of least norm, 2 (x + y) = 2.
  ContactProblem const joints = ContactProblem::from_dense(
      A.topLeftCorner(2, 2), b.head(2), {{0, {ForceSetKind::free1}}, {1, {ForceSetKind::free1}}});
  EXPECT_EQ(solve(joints).status, SolveStatus::inconsistent);
  Solution const least = solve(joints, Eigen::VectorXd::Zero(2), least_norm());
  EXPECT_EQ(least.status, SolveStatus::inconsistent);
  EXPECT_LE((least.lambda - Eigen::Vector2d(.5, .5)).norm(), 1e-12);
}

TEST(ContactSolver, EndsOnNumbersThatAreNoneAndOnHugeOnes) {
  std::mt19937_64 engine(13);
  for (double const bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    for (int i = 0; i < 40; ++i) {
      ContactProblem problem = random_problem(engine, {4, i % 2 == 0 ? 8 : 1, 0, .3, all_kinds});
      problem.b[problem.b.size() / 2] = bad;
      EXPECT_TRUE(solve(problem).lambda.allFinite()) << bad << " in b, " << i;
      Eigen::MatrixXd A = problem.dense();
      A(0, 0) = bad;
      EXPECT_TRUE(solve(ContactProblem::from_dense(A, Eigen::VectorXd::Ones(A.rows()), problem.blocks))
                      .lambda.allFinite())
          << bad << " in A, " << i;
    }
    ContactProblem const problem = random_problem(engine, {4, 8, 0, .3, all_kinds});
    EXPECT_TRUE(solve(problem, Eigen::VectorXd::Constant(problem.b.size(), bad)).lambda.allFinite()) << bad;
  }
}

TEST(Redundancy, NamesTheBlocksThatShareAFreedom) {
  // Rows 0 and 2 hold the same freedom, row 1 another one; block 3 moves nothing.
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4);
  A(0, 0) = A(2, 2) = A(0, 2) = A(2, 0) = 5;
  A(1, 1) = 1e-3;
  std::vector<ProblemBlock> blocks;
  for (int k = 0; k < 4; ++k) blocks.push_back({k, {ForceSetKind::free1}});
  ContactProblem const problem = ContactProblem::from_dense(A, Eigen::VectorXd::Zero(4), blocks);
  Redundancy const all = find_redundancy(problem);
  EXPECT_EQ(all.deficiency, 2);
  EXPECT_EQ(all.blocks, (std::vector<int>{0, 2, 3}));
  std::vector<int> const some{1, 2};
  EXPECT_EQ(find_redundancy(problem, some).deficiency, 0);
  EXPECT_TRUE(find_redundancy(problem, some).blocks.empty());
}

// ---- From a system to forces and motion

// Point masses in the plane that rods connect, the first to the origin, in one mass block or one per mass;
// gravity; and a coordinate without a velocity, which counts the path of the last mass's height. A floor
// under the last mass is a block of its own while the mass is near it.
class Chain final : public System {
 public:
  Chain(int count, bool one_block) : count_(count), one_block_(one_block) {}
  static constexpr double length = 1, g = 9.81, floor = -10;

  int configuration_size() const override { return 2 * count_ + 1; }
  int velocity_size() const override { return 2 * count_; }
  Terms make_terms() const override {
    Terms terms;
    terms.Phi = Eigen::VectorXd::Zero(velocity_size());
    int const masses = one_block_ ? 1 : count_, size = one_block_ ? 2 * count_ : 2;
    for (int k = 0; k < masses; ++k) terms.M.push_back({size * k, Eigen::MatrixXd::Zero(size, size)});
    return terms;
  }
  double mass(int k) const { return 1 + .5 * k; }

  void evaluate(Instant const& at, Terms& terms) const override {
    terms.blocks.clear();
    terms.J.clear();
    for (auto* const list : {&terms.velocity, &terms.Jdot_v, &terms.Psi}) list->clear();
    for (int k = 0; k < count_; ++k) {
      MassBlock& block = terms.M[one_block_ ? 0 : static_cast<std::size_t>(k)];
      int const first = one_block_ ? 2 * k : 0;
      block.M(first, first) = block.M(first + 1, first + 1) = mass(k);
      terms.Phi.segment<2>(2 * k) << 0, mass(k) * g;
    }
    Eigen::Vector2d last = Eigen::Vector2d::Zero(), last_velocity = Eigen::Vector2d::Zero();
    for (int k = 0; k < count_; ++k) {
      auto const i = static_cast<std::size_t>(2 * k);
      Eigen::Vector2d const position(at.q[i], at.q[i + 1]), velocity(at.v[i], at.v[i + 1]);
      Eigen::Vector2d const rod = position - last, relative = velocity - last_velocity;
      // Psi = (|rod|^2 - length^2) / 2.
      terms.blocks.push_back(
          {static_cast<BlockIdentity>(10 + k), k, {ForceSetKind::free1}, {1, .05}, {1, .05}});
      terms.velocity.push_back(rod.dot(relative));
      terms.Jdot_v.push_back(relative.squaredNorm());
      terms.Psi.push_back(.5 * (rod.squaredNorm() - length * length));
      if (one_block_) {
        auto J = terms.J.add(k, 0, 1, 2 * count_);
        J.middleCols<2>(2 * k) = rod.transpose();
        if (k > 0) J.middleCols<2>(2 * k - 2) = -rod.transpose();
      } else {
        if (k > 0) terms.J.add(k, k - 1, 1, 2) = -rod.transpose();
        terms.J.add(k, k, 1, 2) = rod.transpose();
      }
      last = position;
      last_velocity = velocity;
    }
    if (last[1] > floor + 1) return;
    terms.blocks.push_back({99, count_, {ForceSetKind::half_line}, {1, .05}, {1, .05}});
    terms.velocity.push_back(last_velocity[1]);
    terms.Jdot_v.push_back(0);
    terms.Psi.push_back(last[1] - floor);
    terms.J.add(count_, one_block_ ? 0 : count_ - 1, 1, one_block_ ? 2 * count_ : 2).rightCols<1>()(0, 0) = 1;
  }
  void configuration_rate(Instant const& at, std::span<double> qdot) const override {
    std::copy(at.v.begin(), at.v.end(), qdot.begin());
    qdot.back() = at.v.back();
    step_seen = at.step;
  }
  // Its forces have no potential here, so that its energy is not watched.
  double potential_energy(Instant const&) const override { return 0; }
  bool is_driven() const override { return true; }
  std::string block_name(BlockIdentity identity) const override { return std::to_string(identity); }

  mutable double step_seen = -1;

 private:
  int count_;
  bool one_block_;
};

TEST(DelassusOperator, AgreesWithDenseMatricesInOneMassBlockOfManyColumnsAndInSmallOnes) {
  int const n = 5;
  Eigen::VectorXd q = Eigen::VectorXd::Random(2 * n + 1), v = Eigen::VectorXd::Random(2 * n);
  std::vector<ContactProblem> problems(2);
  for (bool const one_block : {false, true}) {
    Chain const chain(n, one_block);
    Terms terms = chain.make_terms();
    std::size_t const size = 2 * n;
    chain.evaluate({0, std::span(q.data(), size + 1), std::span(v.data(), size), {}, {}}, terms);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n, 2 * n), M_inverse = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    for (int k = 0; k < n; ++k) {
      J.block<1, 2>(k, 2 * k) =
          (q.segment<2>(2 * k) - (k > 0 ? q.segment<2>(2 * k - 2) : Eigen::Vector2d(0, 0))).transpose();
      if (k > 0) J.block<1, 2>(k, 2 * k - 2) = -J.block<1, 2>(k, 2 * k);
      M_inverse.block<2, 2>(2 * k, 2 * k) = Eigen::Matrix2d::Identity() / chain.mass(k);
    }
    DelassusOperator delassus(chain);
    ContactProblem& problem = problems[one_block ? 1 : 0];
    delassus.assemble(terms, {}, problem);
    form_matrix(problem);
    EXPECT_LE((problem.dense() - J * M_inverse * J.transpose()).norm(), 1e-13);
    double const zeta = 1, delta = .05;
    Eigen::VectorXd expected = J * M_inverse * terms.Phi;
    for (int k = 0; k < n; ++k) {
      auto const i = static_cast<std::size_t>(k);
      expected[k] -= terms.Jdot_v[i] + 2 * zeta / delta * terms.velocity[i] + terms.Psi[i] / (delta * delta);
    }
    EXPECT_LE((problem.b - expected).norm(), 1e-12 * expected.norm());
    Eigen::VectorXd const lambda = Eigen::VectorXd::Random(n);
    std::vector<double> vdot(static_cast<std::size_t>(2 * n));
    delassus.acceleration(problem, lambda, vdot);
    Eigen::Map<Eigen::VectorXd> const found(vdot.data(), 2 * n);
    EXPECT_LE((found - M_inverse * (J.transpose() * lambda - terms.Phi)).norm(), 1e-12);
  }
}

// One mass on a rod is the pendulum theta'' = -g sin(theta): integrated here by itself.
double pendulum_angle(double theta, double t) {
  int const steps = 20000;
  double const h = t / steps;
  double omega = 0;
  auto const f = [](double angle) { return -Chain::g * std::sin(angle); };
  for (int i = 0; i < steps; ++i) {
    double const k1 = omega, l1 = f(theta), k2 = omega + h / 2 * l1, l2 = f(theta + h / 2 * k1);
    double const k3 = omega + h / 2 * l2, l3 = f(theta + h / 2 * k2), k4 = omega + h * l3,
                 l4 = f(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return theta;
}

TEST(Steppers, MoveAPendulumOnARodAndCoordinatesWithoutAVelocity) {
  Chain const chain(1, false);
  double const expected = pendulum_angle(1, .7);
  for (StepperKind const kind : {StepperKind::relaxed, StepperKind::nonsmooth, StepperKind::implicit}) {
    StepperSettings settings;
    settings.kind = kind;
    settings.tolerance = 1e-11;
    settings.step = 1e-4;
    auto const stepper = make_stepper(chain, settings);
    std::vector<double> const q{std::sin(1.0), -std::cos(1.0), 0}, v{0, 0};
    stepper->start(0, q, v);
    StepReport const report = stepper->advance(.7, no_inputs, {});
    bool const relaxed = kind == StepperKind::relaxed;
    EXPECT_NEAR(std::atan2(stepper->q()[0], -stepper->q()[1]), expected, relaxed ? 1e-8 : 1e-3);
    EXPECT_NEAR(stepper->q()[2], stepper->q()[1] + std::cos(1.0), 1e-10);
    EXPECT_EQ(report.worst, SolveStatus::converged);
    ASSERT_EQ(stepper->state().lambda.size(), 1U);
    EXPECT_EQ(stepper->state().lambda[0].identity, 10U);
    EXPECT_NEAR(chain.step_seen, relaxed ? 0 : 1e-4, 1e-9);
  }
}

TEST(Steppers, DoNotAllocateWhileTheBlocksStayTheSame) {
  Chain const chain(6, false);
  for (StepperKind const kind : {StepperKind::relaxed, StepperKind::nonsmooth, StepperKind::implicit}) {
    StepperSettings settings;
    settings.kind = kind;
    auto const stepper = make_stepper(chain, settings);
    std::vector<double> q, v(12);
    for (int k = 1; k <= 6; ++k) q.insert(q.end(), {.6 * k, -.8 * k});
    q.push_back(0);
    stepper->start(0, q, v);
    for (double const t : {.01, .02, .03}) stepper->advance(t, no_inputs, {});
    long const before = test::allocation_count;
    for (int i = 0; i < 50; ++i) stepper->advance(.03 + .001 * (i + 1), no_inputs, {});
    EXPECT_EQ(test::allocation_count - before, 0);
    auto const other = make_stepper(chain, settings);
    other->restore(stepper->state());
    stepper->advance(.2, no_inputs, {});
    other->advance(.2, no_inputs, {});
    EXPECT_EQ(stepper->state(), other->state());
  }
}

TEST(Dynamics, FindsTheForceOfABlockAgainByItsIdentity) {
  Chain const chain(1, false);
  Dynamics dynamics(chain);
  std::vector<double> const q{0, Chain::floor + .5, 0}, v{0, 0};
  // Identities that are gone (5, 50) or new (99) do not shift the others.
  std::vector<BlockForce> const previous{{5, {1, 2, 3}}, {10, {7}}, {50, {4}}};
  dynamics.evaluate({0, q, v, {}, {}}, {}, {}, previous);
  std::vector<BlockForce> forces;
  dynamics.copy_forces(forces);
  ASSERT_EQ(forces.size(), 2U);
  EXPECT_EQ(forces[0].identity, 10U);
  EXPECT_EQ(forces[1].identity, 99U);
  EXPECT_EQ(forces[0].lambda[0], dynamics.solution().lambda[0]);
  EXPECT_EQ(forces[1].lambda[0], dynamics.solution().lambda[1]);
  EXPECT_EQ(forces[1].lambda[1], 0);
}

}  // namespace
}  // namespace delassus
