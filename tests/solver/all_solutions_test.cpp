// All solutions of contact problems against brute force that knows nothing of how they are found, and against the
// papers' numbers.
#include "solver/analysis/solutions/all_solutions.hpp"
#include "solver/linear/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "solver/block/exact_solver.hpp"
#include "tests/support/block_test_tools.hpp"
#include "tests/support/random_block.hpp"

namespace delassus {
namespace {

using namespace test;

struct Problem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  std::vector<double> mu;
  int dimension = 2;

  int contacts() const { return static_cast<int>(mu.size()); }
  ContactProblem contact_problem() const {
    std::vector<ProblemBlock> blocks;
    for (int i = 0; i < contacts(); ++i)
      blocks.push_back(
          {dimension * i,
           {dimension == 2 ? ForceSetKind::cone2 : ForceSetKind::cone3, mu[static_cast<std::size_t>(i)]}});
    return ContactProblem::from_dense(A, b, blocks);
  }
};

// A of full rank, or J J^T with fewer velocities than rows; b anything, what some force would need, or what lets it
// pass nowhere.
Problem random_problem(RandomBlocks& random, int dimension, int contacts, bool deficient) {
  Problem problem;
  problem.dimension = dimension;
  int const rows = dimension * contacts;
  if (deficient) {
    int const rank = random.integer(1, rows - 1);
    Eigen::MatrixXd W(rank, rows);
    for (Eigen::Index i = 0; i < W.size(); ++i) W(i) = random.normal();
    problem.A = W.transpose() * W;
  } else {
    problem.A = random.matrix_over_decades(rows, random.uniform(0, 2.5));
  }
  double const most = random.integer(0, 1) == 0 ? 1.0 : 6.0;
  for (int i = 0; i < contacts; ++i) problem.mu.push_back(random.uniform(0.05, most));
  problem.b.resize(rows);
  double const normal_share = random.integer(0, 1) == 0 ? 1.0 : 0.2;
  for (int i = 0; i < rows; ++i)
    problem.b[i] = random.normal() * ((i + 1) % dimension == 0 ? normal_share : 1.0);
  return problem;
}

std::string text_of(Problem const& problem) {
  std::ostringstream text;
  text.precision(17);
  text << "A\n" << problem.A << "\nb " << problem.b.transpose() << "\nmu";
  for (double const mu : problem.mu) text << ' ' << mu;
  return text.str();
}

// What a search found: solutions, and how near it came to the edge between two cases.
struct Searched {
  std::vector<Eigen::VectorXd> lambda;
  double margin = 1e300;

  void near(double distance) { margin = std::min(margin, std::abs(distance)); }
};

// In the plane by complementarity: each contact is one of lambda = 0; eta = 0; eta_n = 0 with lambda_t = +-mu lambda_n.
// All equations stand in one square system in (lambda, eta) that Cramer's rule, by a QR factorisation, solves; nothing
// is eliminated.
Searched search_plane(Problem const& problem) {
  Searched result;
  int const n = problem.contacts(), rows = 2 * n;
  int combinations = 1;
  for (int i = 0; i < n; ++i) combinations *= 4;
  for (int code = 0; code < combinations; ++code) {
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(2 * rows, 2 * rows);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(2 * rows);
    M.topLeftCorner(rows, rows) = problem.A;
    M.topRightCorner(rows, rows) = -Eigen::MatrixXd::Identity(rows, rows);
    right.head(rows) = problem.b;
    for (int i = 0, rest = code; i < n; ++i, rest /= 4) {
      int const t = 2 * i, row = rows + t;
      int const mode = rest % 4;
      if (mode == 0) {
        M(row, t) = M(row + 1, t + 1) = 1;
      } else if (mode == 1) {
        M(row, rows + t) = M(row + 1, rows + t + 1) = 1;
      } else {
        M(row, rows + t + 1) = 1;
        M(row + 1, t) = 1;
        M(row + 1, t + 1) = (mode == 2 ? -1 : 1) * problem.mu[static_cast<std::size_t>(i)];
      }
    }
    PivotedQr const qr(M);
    Eigen::VectorXd const z = qr.solve(right);
    // A singular combination has no solution, but for right-hand sides that do not happen by chance.
    if (qr.rank() < M.rows() || (M * z - right).norm() > 1e-8 * right.norm() || z.norm() > 1e9) continue;
    Eigen::VectorXd const lambda = z.head(rows), eta = z.tail(rows);
    double worst = -1e300;
    for (int i = 0, rest = code; i < n; ++i, rest /= 4) {
      int const t = 2 * i, mode = rest % 4;
      double const mu = problem.mu[static_cast<std::size_t>(i)];
      double const side = mode == 2 ? 1 : -1;
      if (mode == 0) worst = std::max(worst, -eta[t + 1]);
      if (mode == 1) worst = std::max(worst, std::abs(lambda[t]) - mu * lambda[t + 1]);
      if (mode >= 2) worst = std::max({worst, -lambda[t + 1], side * eta[t]});
    }
    result.near(worst);
    if (worst <= 0) result.lambda.push_back(lambda);
  }
  return result;
}

// In space: slip directions by a grid over their angles. With all directions given, the forces are linear in what is
// left, and each slipping contact leaves eta_t x e = 0. Where these change sign around a cell of the grid, Newton's
// method on (lambda, s) in the equations of the modes as they stand looks for the solution, and only what it finds
// counts.
class SpaceSearch {
 public:
  SpaceSearch(Problem const& problem, int steps) : problem_(problem), steps_(steps) {}

  Searched run() {
    int combinations = 1;
    for (int i = 0; i < problem_.contacts(); ++i) combinations *= 3;
    for (int code = 0; code < combinations; ++code) {
      modes_.clear();
      for (int i = 0, rest = code; i < problem_.contacts(); ++i, rest /= 3) modes_.push_back(rest % 3);
      auto const slips = std::count(modes_.begin(), modes_.end(), 2);
      prepare();
      if (slips == 0) {
        if (Eigen::VectorXd lambda; forces({}, lambda)) judge(lambda);
      } else if (slips == 1) {
        scan_line();
      } else {
        scan_grid(static_cast<int>(slips));
      }
    }
    return std::move(result_);
  }

 private:
  // Columns of the unknowns and rows of the equations, for which only slipping columns depend on the angles.
  void prepare() {
    rows_.clear();
    for (int i = 0; i < problem_.contacts(); ++i) {
      if (modes_[at(i)] == 1) rows_.insert(rows_.end(), {3 * i, 3 * i + 1, 3 * i + 2});
      if (modes_[at(i)] == 2) rows_.push_back(3 * i + 2);
    }
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  bool forces(std::vector<double> const& angles, Eigen::VectorXd& lambda) const {
    int const all = 3 * problem_.contacts(), unknowns = static_cast<int>(rows_.size());
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(all, unknowns);
    std::size_t slip = 0;
    int column = 0;
    for (int i = 0; i < problem_.contacts(); ++i) {
      if (modes_[at(i)] == 1)
        for (int j = 0; j < 3; ++j) T(3 * i + j, column++) = 1;
      if (modes_[at(i)] == 2) {
        double const mu = problem_.mu[at(i)];
        T(3 * i, column) = mu * std::cos(angles[slip]);
        T(3 * i + 1, column) = mu * std::sin(angles[slip]);
        T(3 * i + 2, column++) = 1;
        ++slip;
      }
    }
    lambda = Eigen::VectorXd::Zero(all);
    if (unknowns == 0) return true;
    Eigen::MatrixXd const M = problem_.A(rows_, Eigen::all) * T;
    RegularLu const lu(M);
    if (std::abs(lu.determinant()) < 1e-13 * std::pow(M.norm(), unknowns)) return false;
    lambda = T * lu.solve(problem_.b(rows_));
    return lambda.allFinite();
  }

  // eta_t x e of each slip; false where a normal force is not positive or friction would drive.
  bool crosses(std::vector<double> const& angles, Eigen::Vector3d& cross, bool& admissible) const {
    Eigen::VectorXd lambda;
    if (!forces(angles, lambda)) return false;
    Eigen::VectorXd const eta = problem_.A * lambda - problem_.b;
    std::size_t slip = 0;
    admissible = true;
    for (int i = 0; i < problem_.contacts(); ++i) {
      if (modes_[at(i)] != 2) continue;
      double const c = std::cos(angles[slip]), s = std::sin(angles[slip]);
      cross[static_cast<Eigen::Index>(slip)] = c * eta[3 * i + 1] - s * eta[3 * i];
      admissible = admissible && lambda[3 * i + 2] > 0 && c * eta[3 * i] + s * eta[3 * i + 1] < 0;
      ++slip;
    }
    return true;
  }

  void scan_line() {
    double const two_pi = 2 * std::acos(-1.0);
    int const steps = steps_ * 12;
    Eigen::Vector3d last = Eigen::Vector3d::Zero(), cross;
    bool last_known = false, last_good = false, good = false;
    for (int i = 0; i <= steps; ++i) {
      double const angle = two_pi * i / steps;
      bool const known = crosses({angle}, cross, good);
      // What is admissible may begin within a step.
      if (known && last_known && (good || last_good) && (cross[0] > 0) != (last[0] > 0))
        refine({angle - two_pi / steps / 2});
      last = cross;
      last_known = known;
      last_good = good;
    }
  }

  // Over two or three angles.
  void scan_grid(int size) {
    double const two_pi = 2 * std::acos(-1.0);
    int const steps = steps_;
    struct Node {
      Eigen::Vector3d cross = Eigen::Vector3d::Zero();
      bool known = false, good = false;
    };
    int nodes = 1;
    for (int i = 0; i < size; ++i) nodes *= steps;
    auto const place = [&](int index, int direction) {
      for (int i = 0; i < direction; ++i) index /= steps;
      return index % steps;
    };
    auto const angles_at = [&](int index, double shift) {
      std::vector<double> angles;
      for (int i = 0; i < size; ++i) angles.push_back(two_pi * (place(index, i) + shift) / steps);
      return angles;
    };
    std::vector<Node> node(at(nodes));
    for (int index = 0; index < nodes; ++index) {
      Node& here = node[at(index)];
      here.known = crosses(angles_at(index, 0), here.cross, here.good);
    }
    for (int index = 0; index < nodes; ++index) {
      bool known = true, good = false;
      Eigen::Vector3d low = Eigen::Vector3d::Constant(1e300), high = -low;
      for (int corner = 0; corner < 1 << size; ++corner) {
        int other = 0, stride = 1;
        for (int i = 0; i < size; ++i, stride *= steps)
          other += stride * ((place(index, i) + (corner >> i & 1)) % steps);
        Node const& there = node[at(other)];
        known = known && there.known;
        good = good || there.good;
        low = low.cwiseMin(there.cross);
        high = high.cwiseMax(there.cross);
      }
      if (!known || !good) continue;
      // A curve that bends may miss the corners: a part of the spread is added.
      Eigen::Vector3d const spread = 0.5 * (high - low);
      if ((low - spread).head(size).maxCoeff() > 0 || (high + spread).head(size).minCoeff() < 0) continue;
      refine(angles_at(index, 0.5));
    }
  }

  // Newton's method: first on the angles, with differences for derivatives, then on the whole of it, unknown lambda
  // and s, equations as the law states them.
  void refine(std::vector<double> angles) {
    for (int iteration = 0; iteration < 12; ++iteration) {
      auto const size = static_cast<Eigen::Index>(angles.size());
      Eigen::Vector3d here, there;
      bool ignored = false;
      if (!crosses(angles, here, ignored)) return;
      Eigen::MatrixXd J(size, size);
      double const h = 1e-7;
      for (Eigen::Index j = 0; j < size; ++j) {
        std::vector<double> moved = angles;
        moved[static_cast<std::size_t>(j)] += h;
        if (!crosses(moved, there, ignored)) return;
        J.col(j) = (there - here).head(size) / h;
      }
      Eigen::VectorXd step = PivotedLu(J).solve(-here.head(size));
      if (!step.allFinite()) return;
      if (step.norm() > 0.3) step *= 0.3 / step.norm();
      for (Eigen::Index j = 0; j < size; ++j) angles[static_cast<std::size_t>(j)] += step[j];
      if (step.norm() < 1e-7) break;
    }
    int const all = 3 * problem_.contacts();
    Eigen::VectorXd lambda;
    if (!forces(angles, lambda)) return;
    auto const slips = static_cast<int>(angles.size());
    Eigen::VectorXd s = Eigen::VectorXd::Zero(slips);
    Eigen::VectorXd eta = problem_.A * lambda - problem_.b;
    for (int i = 0, slip = 0; i < problem_.contacts(); ++i) {
      if (modes_[at(i)] != 2) continue;
      s[slip++] =
          -eta.segment<2>(3 * i).dot(lambda.segment<2>(3 * i)) / lambda.segment<2>(3 * i).squaredNorm();
    }
    for (int iteration = 0; iteration < 50; ++iteration) {
      Eigen::MatrixXd M = Eigen::MatrixXd::Zero(all + slips, all + slips);
      Eigen::VectorXd error = Eigen::VectorXd::Zero(all + slips);
      eta = problem_.A * lambda - problem_.b;
      for (int i = 0, slip = 0; i < problem_.contacts(); ++i) {
        for (int j = 0; j < 3; ++j) {
          int const row = 3 * i + j;
          if (modes_[at(i)] == 0) {
            M(row, row) = 1;
            error[row] = lambda[row];
            continue;
          }
          M.row(row).head(all) = problem_.A.row(row);
          error[row] = eta[row];
          if (modes_[at(i)] == 2 && j < 2) {
            M(row, row) += s[slip];
            M(row, all + slip) = lambda[row];
            error[row] += s[slip] * lambda[row];
          }
        }
        if (modes_[at(i)] != 2) continue;
        double const mu = problem_.mu[at(i)];
        for (int j = 0; j < 2; ++j) M(all + slip, 3 * i + j) = 2 * lambda[3 * i + j];
        M(all + slip, 3 * i + 2) = -2 * mu * mu * lambda[3 * i + 2];
        error[all + slip] = lambda.segment<2>(3 * i).squaredNorm() - std::pow(mu * lambda[3 * i + 2], 2);
        ++slip;
      }
      Eigen::VectorXd const step = PivotedLu(M).solve(-error);
      if (!step.allFinite()) return;
      lambda += step.head(all);
      s += step.tail(slips);
      if (step.norm() < 1e-13 * (lambda.norm() + s.norm())) break;
    }
    judge(lambda);
  }

  // Counts what solves the law in these modes.
  void judge(Eigen::VectorXd const& lambda) {
    Eigen::VectorXd const eta = problem_.A * lambda - problem_.b;
    double const force = lambda.norm(), motion = problem_.b.norm() + problem_.A.norm() * force;
    double worst = -1e300, left = 0;
    for (int i = 0; i < problem_.contacts(); ++i) {
      double const mu = problem_.mu[at(i)], lambda_n = lambda[3 * i + 2];
      Eigen::Vector2d const lambda_t = lambda.segment<2>(3 * i), eta_t = eta.segment<2>(3 * i);
      if (modes_[at(i)] == 0) worst = std::max(worst, -eta[3 * i + 2]);
      if (modes_[at(i)] == 1) {
        worst = std::max(worst, lambda_t.norm() - mu * lambda_n);
        left = std::max(left, eta.segment<3>(3 * i).norm() / motion);
      }
      if (modes_[at(i)] == 2) {
        worst = std::max({worst, -lambda_n, eta_t.dot(lambda_t) / lambda_t.norm()});
        left = std::max({left, std::abs(eta[3 * i + 2]) / motion,
                         std::abs(lambda_t.norm() - mu * lambda_n) / force,
                         std::abs(eta_t[0] * lambda_t[1] - eta_t[1] * lambda_t[0]) / (motion * force)});
      }
    }
    if (left > 1e-9) return;
    result_.near(worst);
    if (worst > 0) return;
    for (Eigen::VectorXd const& known : result_.lambda) {
      double const apart = (known - lambda).norm();
      if (apart < 1e-6 * std::max(known.norm(), force)) return;
    }
    result_.lambda.push_back(lambda);
  }

  Problem const& problem_;
  int steps_;
  std::vector<int> modes_;
  std::vector<int> rows_;
  Searched result_;
};

// Whether every force of one list is in the other. `rounding` is a force that counts as zero.
bool contains_all(std::vector<Eigen::VectorXd> const& some, std::vector<FoundSolution> const& all,
                  double rounding) {
  for (Eigen::VectorXd const& lambda : some) {
    bool const found = std::any_of(all.begin(), all.end(), [&](FoundSolution const& solution) {
      return (solution.lambda - lambda).norm() <= 1e-6 * lambda.norm() + rounding;
    });
    if (!found) return false;
  }
  return true;
}

struct Tally {
  std::map<std::size_t, int> by_count;
  int compared = 0, undecided = 0, on_edge = 0;
};

void compare(RandomBlocks& random, int dimension, int contacts, bool deficient, int count, Tally& tally) {
  for (int i = 0; i < count; ++i) {
    Problem const problem = random_problem(random, dimension, contacts, deficient);
    AllSolutions const all = all_solutions(problem.contact_problem());
    std::vector<FoundSolution> const found = all.combined();
    int const first_steps = contacts == 3 ? 20 : 36;
    Searched searched = dimension == 2 ? search_plane(problem) : SpaceSearch(problem, first_steps).run();
    if (searched.margin < 1e-7) {
      ++tally.on_edge;
      continue;
    }
    // A coarse grid may step over a close pair: look closer, and closer.
    for (int const factor : {3, 9, 27}) {
      int const steps = factor * first_steps;
      if (contacts == 3 && factor > 3) break;  // a cube has too many cells
      if (dimension == 2 || found.size() == searched.lambda.size()) break;
      searched = SpaceSearch(problem, steps).run();
    }
    if (!all.exhaustive()) ++tally.undecided;
    ASSERT_EQ(found.size(), searched.lambda.size()) << "problem " << i << "\n" << text_of(problem);
    double const rounding = 1e-12 * problem.b.norm() / problem.A.norm();
    ASSERT_TRUE(contains_all(searched.lambda, found, rounding)) << "problem " << i << "\n"
                                                                << text_of(problem);
    for (FoundSolution const& solution : found)
      ASSERT_LE(solution.residual, 1e-10) << "problem " << i << "\n" << text_of(problem);
    ++tally.compared;
    ++tally.by_count[found.size()];
  }
}

void report(char const* what, Tally const& tally) {
  std::ostringstream text;
  text << what << ": " << tally.compared << " compared, " << tally.undecided << " undecided, "
       << tally.on_edge << " on the edge of two cases; number of solutions:";
  for (auto const& [count, problems] : tally.by_count) text << ' ' << count << " in " << problems;
  std::cout << text.str() << '\n';
}

// 10,000 problems of one and two contacts in all, and some of three.
struct Kind {
  char const* name;
  int dimension, contacts;
  bool deficient;
  int count;
  bool unsolvable, several;  // that there are such among them
};

class OfRandomProblems : public testing::TestWithParam<Kind> {};

TEST_P(OfRandomProblems, AreThoseThatBruteForceFinds) {
  Kind const kind = GetParam();
  unsigned const seed = 20261117;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  Tally tally;
  int const count = kind.contacts == 3 ? std::max(kind.count / DELASSUS_TEST_SCALE, 5) : scaled(kind.count);
  compare(random, kind.dimension, kind.contacts, kind.deficient, count, tally);
  report(kind.name, tally);
  EXPECT_GE(tally.compared, count * 98 / 100);
  EXPECT_EQ(tally.undecided, 0);
  ASSERT_FALSE(tally.by_count.empty());
  if (DELASSUS_TEST_SCALE > 1) return;  // too few for every case to occur
  EXPECT_EQ(tally.by_count.contains(0), kind.unsolvable);
  EXPECT_EQ(tally.by_count.rbegin()->first > 1, kind.several);
}

INSTANTIATE_TEST_SUITE_P(AllSolutions, OfRandomProblems,
                         testing::Values(Kind{"OneInThePlane", 2, 1, false, 2000, false, true},
                                         Kind{"TwoInThePlane", 2, 2, false, 3000, false, true},
                                         Kind{"TwoDeficientInThePlane", 2, 2, true, 1000, true, true},
                                         Kind{"OneInSpace", 3, 1, false, 2000, false, true},
                                         Kind{"OneDeficientInSpace", 3, 1, true, 500, true, true},
                                         Kind{"TwoInSpace", 3, 2, false, 1200, false, true},
                                         Kind{"TwoDeficientInSpace", 3, 2, true, 300, true, true},
                                         Kind{"ThreeInSpace", 3, 3, false, 100, false, true}),
                         [](auto const& test) { return std::string(test.param.name); });

// ---- Three contacts in space, joints, other sets

TEST(AllSolutions, OfThreeContactsInSpaceHaveAmongThemWhateverTheSolverFindsFromManyStarts) {
  unsigned const seed = 3;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomBlocks random(seed);
  int several = 0, undecided = 0;
  for (int i = 0; i < std::max(80 / DELASSUS_TEST_SCALE, 5); ++i) {
    Problem const problem = random_problem(random, 3, 3, false);
    ContactProblem const contacts = problem.contact_problem();
    AllSolutions const all = all_solutions(contacts);
    AllSolutionsSettings by_search;
    by_search.contacts = 0;
    by_search.starts = 40;
    AllSolutions const searched = all_solutions(contacts, by_search);
    EXPECT_FALSE(searched.exhaustive());
    EXPECT_EQ(searched.islands[0].method, SolutionMethod::search);
    undecided += all.exhaustive() ? 0 : 1;
    std::vector<Eigen::VectorXd> found;
    for (FoundSolution const& solution : searched.combined()) found.push_back(solution.lambda);
    ASSERT_FALSE(found.empty()) << text_of(problem);
    ASSERT_TRUE(contains_all(found, all.combined(), 1e-9)) << "problem " << i << "\n" << text_of(problem);
    // Generic problems have an odd number of them.
    EXPECT_EQ(all.combined().size() % 2, 1U) << text_of(problem);
    several += all.combined().size() > 1;
  }
  EXPECT_EQ(undecided, 0);
  EXPECT_TRUE(several > 0 || DELASSUS_TEST_SCALE > 1);
}

// A contact with joints: as the contact of the Schur complement alone, and the joints' rows do not move.
TEST(AllSolutions, TakeJointsIntoAccountBySchurComplement) {
  RandomBlocks random(4);
  for (int i = 0; i < scaled(500); ++i) {
    Eigen::MatrixXd const A = random.matrix_over_decades(6, 2);
    Eigen::VectorXd b(6);
    for (double& x : b) x = random.normal();
    ForceSet const cone{ForceSetKind::cone3, random.uniform(.1, 4)};
    ContactProblem const problem = ContactProblem::from_dense(A, b, {{0, {ForceSetKind::free3}}, {3, cone}});
    Eigen::Matrix3d const answer = A.topLeftCorner<3, 3>().inverse();
    Eigen::Matrix3d const A_c =
        A.bottomRightCorner<3, 3>() - A.bottomLeftCorner<3, 3>() * answer * A.topRightCorner<3, 3>();
    Eigen::Vector3d const b_c = b.tail<3>() - A.bottomLeftCorner<3, 3>() * answer * b.head<3>();
    BlockSolutions const expected = enumerate_block(cone, 0.5 * (A_c + A_c.transpose()), b_c);
    auto const found = all_solutions(problem).combined();
    ASSERT_EQ(found.size(), static_cast<std::size_t>(expected.count));
    for (FoundSolution const& solution : found) {
      EXPECT_LT((A * solution.lambda - b).head<3>().norm(), 1e-9 * b.norm());
      double nearest = 1e300;
      bool stable = false;
      for (int k = 0; k < expected.count; ++k) {
        BlockSolution const& item = expected.item[static_cast<std::size_t>(k)];
        double const distance = (item.lambda - solution.lambda.tail<3>()).norm();
        if (distance < nearest) stable = item.stable;
        nearest = std::min(nearest, distance);
      }
      EXPECT_LT(nearest, 1e-8 * (solution.lambda.norm() + 1));
      EXPECT_EQ(solution.stable, stable);
    }
  }
}

// Frictionless contacts and dry friction of known bound, whose problem is convex: one solution, which projected
// iterations find.
TEST(AllSolutions, OfHalfLinesAndIntervalsIsTheOneOfTheConvexProblem) {
  RandomBlocks random(6);
  for (int i = 0; i < scaled(500); ++i) {
    Eigen::MatrixXd const A = random.matrix_over_decades(4, 1);
    Eigen::VectorXd b(4);
    for (double& x : b) x = random.normal();
    double const F = random.uniform(.1, 2);
    ContactProblem const problem = ContactProblem::from_dense(
        A, b,
        {{0, {ForceSetKind::half_line}}, {1, {ForceSetKind::interval, F}}, {2, {ForceSetKind::disc, F}}});
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(4);
    for (int sweep = 0; sweep < 4000; ++sweep) {
      lambda -= (A * lambda - b) / A.norm();
      lambda[0] = std::max(lambda[0], 0.0);
      lambda[1] = std::clamp(lambda[1], -F, F);
      double const norm = lambda.tail<2>().norm();
      if (norm > F) lambda.tail<2>() *= F / norm;
    }
    AllSolutions const all = all_solutions(problem);
    EXPECT_TRUE(all.exhaustive());
    auto const found = all.combined();
    ASSERT_EQ(found.size(), 1U) << A << "\nb " << b.transpose() << " F " << F;
    EXPECT_LT((found[0].lambda - lambda).norm(), 1e-8 * (1 + lambda.norm()));
    EXPECT_TRUE(found[0].stable);
  }
}

// A box at rest on three points: nine rows, six ways to move. All stick, in infinitely many ways.
TEST(AllSolutions, SayWhereASingularMatrixLeavesInfinitelyMany) {
  Eigen::MatrixXd J(9, 6);
  Eigen::Vector3d const points[] = {{1, 0, -.5}, {-1, 1, -.5}, {-1, -1, -.5}};
  for (int i = 0; i < 3; ++i) {
    Eigen::Matrix3d cross;
    Eigen::Vector3d const& r = points[i];
    cross << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
    J.middleRows<3>(3 * i) << Eigen::Matrix3d::Identity(), -cross;
  }
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(6);
  weight[2] = 9.81;
  ForceSet const cone{ForceSetKind::cone3, .5};
  ContactProblem const problem =
      ContactProblem::from_dense(J * J.transpose(), J * weight, {{0, cone}, {3, cone}, {6, cone}});
  AllSolutions const all = all_solutions(problem);
  EXPECT_TRUE(all.infinitely_many());
  auto const found = all.combined();
  ASSERT_FALSE(found.empty());
  bool stick = false;
  for (FoundSolution const& solution : found) {
    EXPECT_LE(solution.residual, 1e-10);
    EXPECT_NEAR(solution.lambda[2] + solution.lambda[5] + solution.lambda[8], 9.81, 1e-8);
    bool const all_stick = std::all_of(solution.modes.begin(), solution.modes.end(),
                                       [](ContactMode mode) { return mode == ContactMode::stick; });
    EXPECT_TRUE(!all_stick || solution.one_of_many);
    stick = stick || all_stick;
  }
  EXPECT_TRUE(stick);
}

// Joints that contradict one another leave no solution.
TEST(AllSolutions, AreNoneWhereJointsContradictOneAnother) {
  Eigen::MatrixXd A(3, 3);
  A << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  ContactProblem const problem = ContactProblem::from_dense(
      A, Eigen::Vector3d(1, 2, 1),
      {{0, {ForceSetKind::free1}}, {1, {ForceSetKind::free1}}, {2, {ForceSetKind::half_line}}});
  AllSolutions const all = all_solutions(problem);
  EXPECT_EQ(all.count(), 0);
  EXPECT_TRUE(all.exhaustive());
}

// ---- The papers' numbers

// Kikuuwe and Brogliato 2017, section 5.3: m = l = 1, theta = 45 deg, mu = 2, thetadot = 4, pdot_t = -1, zeta = 1,
// delta = 1e-3. A of (117), misprint corrected; b of (27).
TEST(AllSolutions, OfPainlevesRodAreDetachmentSlipAndStick) {
  double const s = std::sqrt(.5), thetadot = 4, delta = 1e-3;
  Eigen::Matrix2d const A{{1 + 3 * s * s, -3 * s * s}, {-3 * s * s, 1 + 3 * s * s}};
  Eigen::Vector2d const b(-thetadot * thetadot * s + 2 / delta, 9.81 - thetadot * thetadot * s);
  // Jdot v = thetadot^2 (cos, sin) of the arm from the centre to the tip, which points down and back: (109).
  auto const found =
      all_solutions(ContactProblem::from_dense(A, b, {{0, {ForceSetKind::cone2, 2}}})).combined();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].lambda.isZero(0));
  EXPECT_EQ(found[1].modes[0], ContactMode::stick);
  EXPECT_NEAR(found[1].lambda[0], 1242.36504150, 1e-9 * 1242);
  EXPECT_NEAR(found[1].lambda[1], 744.817541501, 1e-9 * 745);
  EXPECT_EQ(found[2].modes[0], ContactMode::slip);
  EXPECT_NEAR(found[2].lambda[0], 6.01483399594, 1e-9 * 6);
  EXPECT_NEAR(found[2].lambda[1], 3.00741699797, 1e-9 * 3);
  EXPECT_TRUE(found[0].stable && found[1].stable);
  EXPECT_FALSE(found[2].stable);  // the middle one of their Fig. 7
  // G_B of (120) is d eta_n / d lambda_n of the slip over det A, up to the sign of the direction.
  EXPECT_NEAR(found[2].normal_answer[0], 1 + 3 * s * s - 3 * 2 * s * s, 1e-12);
}

// Song et al. 2001, Case 2, with the inertia .088/12 that their numbers ask for, a conjecture: rod of 1 m and 1 kg at 70
// deg under gravity and a torque of -1 N.m, mu = 1. It is about to slide into the jam.
TEST(AllSolutions, OfSongsSecondCaseAreTwo) {
  double const l = .5, I = .088 / 12, theta = 70 * M_PI / 180, c = l * std::cos(theta),
               s = l * std::sin(theta);
  Eigen::MatrixXd J(2, 3);
  J << 1, 0, s, 0, 1, -c;
  Eigen::Vector3d const inverse_mass(1, 1, 1 / I), force(0, -9.81, -1);
  Eigen::Matrix2d const A = J * inverse_mass.asDiagonal() * J.transpose();
  Eigen::Vector2d const b = -J * inverse_mass.cwiseProduct(force);
  EXPECT_NEAR(-b[1], 13.50956, 1e-5);  // B
  AllSolutionsSettings settings;
  settings.sliding = {Eigen::Vector2d(-1, 0)};
  auto const found =
      all_solutions(ContactProblem::from_dense(A, b, {{0, {ForceSetKind::cone2, 1}}}), settings).combined();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].lambda.isZero(0));
  EXPECT_TRUE(found[0].stable);
  EXPECT_NEAR(found[1].lambda[1], 2.263389257, 1e-9);
  EXPECT_FALSE(found[1].stable);
  EXPECT_NEAR(found[1].normal_answer[0], -5.96873, 1e-5);  // A
}

// Blumentals et al. 2016, Fig. 1: the Painleve-Klein rod, length 1, mass 1, at 60 deg with mu_1 = mu_2 = .9 under gravity,
// sliding with xi = -1. Their condition |mu_1 - mu_2| < 2/tan(theta) holds, and there are three solutions.
TEST(AllSolutions, OfThePainleveKleinRodAreThreeWhereTheSlidingDirectionIsKnown) {
  double const theta = M_PI / 3, c = std::cos(theta) / 2, s = std::sin(theta) / 2;
  Eigen::MatrixXd J(4, 3);  // of the lower end, then the upper: tangential, normal
  J << 1, 0, s, 0, 1, -c, 1, 0, -s, 0, 1, c;
  Eigen::Vector3d const inverse_mass(1, 1, 12), gravity(0, 9.81, 0);
  Eigen::MatrixXd const A = J * inverse_mass.asDiagonal() * J.transpose();
  Eigen::VectorXd const b = J * gravity;
  ForceSet const guide{ForceSetKind::double_cone2, .9};
  ContactProblem const problem = ContactProblem::from_dense(A, b, {{0, guide}, {2, guide}});
  AllSolutionsSettings settings;
  settings.sliding = {Eigen::Vector2d(-1, 0), Eigen::Vector2d(-1, 0)};
  AllSolutions const all = all_solutions(problem, settings);
  EXPECT_TRUE(all.exhaustive());
  auto found = all.combined();
  ASSERT_EQ(found.size(), 3U);
  std::sort(found.begin(), found.end(),
            [](auto const& x, auto const& y) { return x.lambda[1] < y.lambda[1]; });
  double const expected[][2] = {{-2.7411, 12.5511}, {4.905, 4.905}, {12.5511, -2.7411}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found[i].lambda[1], expected[i][0], 1e-4);
    EXPECT_NEAR(found[i].lambda[3], expected[i][1], 1e-4);
    EXPECT_NEAR(found[i].lambda[0], .9 * std::abs(found[i].lambda[1]), 1e-12);  // against xi = -1
  }
}

}  // namespace
}  // namespace delassus
