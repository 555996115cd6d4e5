// All solutions of contact problems against brute force that knows nothing of how they are found, and against the
// papers' numbers.
#include "solver/all_solutions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "solver/block_solver.hpp"
#include "tests/block_test_tools.hpp"
#include "tests/random_block.hpp"

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
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> const qr(M);
    Eigen::VectorXd const z = qr.solve(right);
    // A singular combination has no solution, but for right-hand sides that do not happen by chance.
    if (!qr.isInvertible() || (M * z - right).norm() > 1e-8 * right.norm() || z.norm() > 1e9) continue;
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
        scan_square();
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
    Eigen::PartialPivLU<Eigen::MatrixXd> const lu(M);
    if (std::abs(lu.determinant()) < 1e-13 * std::pow(M.norm(), unknowns)) return false;
    lambda = T * lu.solve(problem_.b(rows_));
    return lambda.allFinite();
  }

  // eta_t x e of each slip; false where a normal force is not positive or friction would drive.
  bool crosses(std::vector<double> const& angles, Eigen::Vector2d& cross, bool& admissible) const {
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
    Eigen::Vector2d last = Eigen::Vector2d::Zero(), cross;
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

  void scan_square() {
    double const two_pi = 2 * std::acos(-1.0);
    int const steps = steps_;
    struct Node {
      Eigen::Vector2d cross;
      bool known = false, good = false;
    };
    std::vector<Node> node(at(steps * steps));
    for (int i = 0; i < steps; ++i)
      for (int j = 0; j < steps; ++j) {
        Node& here = node[at(i * steps + j)];
        here.known = crosses({two_pi * i / steps, two_pi * j / steps}, here.cross, here.good);
      }
    for (int i = 0; i < steps; ++i)
      for (int j = 0; j < steps; ++j) {
        bool known = true, good = false;
        Eigen::Vector2d low = Eigen::Vector2d::Constant(1e300), high = -low;
        for (int di = 0; di < 2; ++di)
          for (int dj = 0; dj < 2; ++dj) {
            Node const& corner = node[at((i + di) % steps * steps + (j + dj) % steps)];
            known = known && corner.known;
            good = good || corner.good;
            low = low.cwiseMin(corner.cross);
            high = high.cwiseMax(corner.cross);
          }
        if (!known || !good) continue;
        // A curve that bends may miss the corners: a part of the spread is added.
        Eigen::Vector2d const spread = 0.5 * (high - low);
        if ((low - spread).maxCoeff() > 0 || (high + spread).minCoeff() < 0) continue;
        refine({two_pi * (i + 0.5) / steps, two_pi * (j + 0.5) / steps});
      }
  }

  // Newton's method on the whole of it: unknown lambda and s, equations as the law states them.
  void refine(std::vector<double> const& angles) {
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
      Eigen::VectorXd const step = M.fullPivLu().solve(-error);
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
    Searched searched = dimension == 2 ? search_plane(problem) : SpaceSearch(problem, 36).run();
    if (searched.margin < 1e-7) {
      ++tally.on_edge;
      continue;
    }
    // A coarse grid may step over a close pair: look closer, and closer.
    for (int const steps : {100, 300, 1000}) {
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

// 10,000 problems in all.
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
  compare(random, kind.dimension, kind.contacts, kind.deficient, scaled(kind.count), tally);
  report(kind.name, tally);
  EXPECT_GE(tally.compared, scaled(kind.count) * 98 / 100);
  EXPECT_LE(tally.undecided, scaled(kind.count) / 100);
  ASSERT_FALSE(tally.by_count.empty());
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
                                         Kind{"TwoDeficientInSpace", 3, 2, true, 300, true, true}),
                         [](auto const& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace delassus
