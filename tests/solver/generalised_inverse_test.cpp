// Oprea, Constraint forces computation for diagonal mass matrix systems using generalized inverses: static friction in
// redundant contacts. Numbers of theory.md, section 5.
#include "solver/analysis/generalised_inverse.hpp"
#include "solver/linear/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "tests/support/block_test_tools.hpp"

namespace delassus {
namespace {

// Table 1 and (21a).
Eigen::Matrix2d const M = Eigen::Vector2d(4, 7).asDiagonal();
Eigen::Matrix<double, 2, 3> const W{{1, 0, 1}, {0, 1, -1}};
Eigen::Vector3d const limits(4, 7, 5);
constexpr double k = 14, belt = 0.3;

// The springs. The paper prints it with the opposite sign, with which the blocks would run away.
Eigen::Vector2d springs(double q1, double q2) {
  return {-k * (2 * q1 - q2), k * (q1 - q2)};
}

// Held by the belt, the blocks move at its speed; where they were at 1.673067397710 the first force meets its limit.
double held_position(double t) {
  return 6 / k + belt * (t - 1.673067397710);
}

TEST(StaticFriction, HasTheForcesOfLeastNormOfTheBlocksOnTheBelt) {
  double const q = held_position(1);
  ContactProblem const problem = static_friction_problem(M, W, springs(q, q), limits);
  Eigen::Vector3d const expected(2.115411286411, 1.057705643206, 1.057705643206);
  EXPECT_LT((holding_forces(problem) - expected).norm(), 1e-9);
  StaticForces const exact = static_forces(problem), clipped = clipped_static_forces(problem);
  EXPECT_TRUE(exact.solved && clipped.solved);
  EXPECT_LT((exact.T - expected).norm(), 1e-9);
  EXPECT_LT((clipped.T - expected).norm(), 1e-9);
  EXPECT_EQ(clipped.rounds, 1);
  // (17) is the same here, where the blocks are held: W T = -h.
  Eigen::VectorXd const by_17 = -OrthogonalDecomposition(W).solve(springs(q, q));
  EXPECT_LT((by_17 - expected).norm(), 1e-9);
}

TEST(StaticFriction, KeepsTheFirstForceAtItsLimitWhileTheOthersHoldTheBlocks) {
  double const q = held_position(2);
  ContactProblem const problem = static_friction_problem(M, W, springs(q, q), limits);
  Eigen::Vector3d const expected(4, 3.373116929617, 3.373116929617);
  EXPECT_GT(holding_forces(problem)[0], 4);
  StaticForces const exact = static_forces(problem), clipped = clipped_static_forces(problem);
  EXPECT_TRUE(exact.solved && clipped.solved);
  EXPECT_LT((exact.T - expected).norm(), 1e-9);
  EXPECT_LT((clipped.T - expected).norm(), 1e-9);
  EXPECT_EQ(clipped.rounds, 2);
  EXPECT_LT((W * exact.T + springs(q, q)).norm(), 1e-9);  // still held
  // From 1.673067397710 on: just before, the force of least norm is within all limits.
  auto const first_force = [](double t) {
    return holding_forces(
        static_friction_problem(M, W, springs(held_position(t), held_position(t)), limits))[0];
  };
  EXPECT_LT(first_force(1.673067397709), 4);
  EXPECT_GT(first_force(1.673067397711), 4);
}

// (17) holds only where all blocks are held: with the second contact sliding it is another force, and the contacts
// that stick accelerate apart.
TEST(StaticFriction, IsNotThatOf17WhereABlockSlides) {
  Eigen::Matrix<double, 2, 1> const sticking = W.col(2);
  Eigen::Vector2d const h(3, -10);
  double const T = holding_forces(static_friction_problem(M, sticking, h, limits.tail<1>()))[0];
  double const by_17 = -OrthogonalDecomposition(sticking).solve(h)[0];
  auto const slip_acceleration = [&](double force) {
    return sticking.dot(M.inverse() * (h + sticking * force));
  };
  EXPECT_NEAR(T, -(3.0 / 4 + 10.0 / 7) / (1.0 / 4 + 1.0 / 7), 1e-12);
  EXPECT_LT(std::abs(slip_acceleration(T)), 1e-12);
  EXPECT_GT(std::abs(slip_acceleration(by_17)), 0.1);
}

// All ways in which contacts can stick or slip, each tried: 3^n. Of the forces that obey the law, that of least norm.
struct BruteForce {
  int solutions = 0;
  Eigen::VectorXd T;
};
BruteForce brute_force(Eigen::MatrixXd const& A, Eigen::VectorXd const& b, Eigen::VectorXd const& limit) {
  BruteForce result;
  Eigen::Index const n = b.size();
  double const bar = 1e-9;
  int cases = 1;
  for (Eigen::Index i = 0; i < n; ++i) cases *= 3;
  for (int number = 0; number < cases; ++number) {
    Eigen::VectorXd T = Eigen::VectorXd::Zero(n);
    std::vector<Eigen::Index> stick;
    for (Eigen::Index i = 0, rest = number; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0)
        stick.push_back(i);
      else
        T[i] = rest % 3 == 1 ? limit[i] : -limit[i];
    }
    if (!stick.empty()) {
      Eigen::VectorXd const right = (b - A * T)(stick);
      Eigen::VectorXd const held = OrthogonalDecomposition(A(stick, stick), 1e-10).solve(right);
      T(stick) = held;
    }
    Eigen::VectorXd const eta = A * T - b;
    bool obeys = true;
    for (Eigen::Index i = 0; i < n; ++i) {
      bool const within = std::abs(T[i]) <= limit[i] + bar, holds = std::abs(eta[i]) < bar;
      bool const slips = std::abs(std::abs(T[i]) - limit[i]) < bar && eta[i] * T[i] <= 0;
      obeys = obeys && within && (holds || slips);
    }
    if (!obeys) continue;
    if (++result.solutions == 1 || T.norm() < result.T.norm() - 1e-12) result.T = T;
  }
  return result;
}

struct Count {
  int loads = 0, clipping_wrong = 0, redundant = 0;
};

// `make` gives W, M and the limits for each load.
template <class Make>
Count compare(unsigned seed, int loads, Make const& make) {
  std::mt19937 random(seed);
  Count count;
  for (int load = 0; load < loads; ++load) {
    ContactProblem const problem = make(random);
    Eigen::MatrixXd const A = problem.dense();
    Eigen::VectorXd limit(problem.b.size());
    for (Eigen::Index i = 0; i < limit.size(); ++i)
      limit[i] = problem.blocks[static_cast<std::size_t>(i)].set.limit;
    BruteForce const expected = brute_force(A, problem.b, limit);
    EXPECT_GT(expected.solutions, 0) << "seed " << seed << ", load " << load;
    if (expected.solutions == 0) continue;
    StaticForces const exact = static_forces(problem), clipped = clipped_static_forces(problem);
    EXPECT_TRUE(exact.solved) << "seed " << seed << ", load " << load;
    EXPECT_LT((exact.T - expected.T).norm(), 1e-7 * limit.norm())
        << "seed " << seed << ", load " << load << ": " << exact.T.transpose() << " against "
        << expected.T.transpose();
    // What the blocks do is unique, whatever force does it: wrong is a force that moves them otherwise.
    bool const wrong = (A * (clipped.T - expected.T)).norm() > 1e-7 * (problem.b.norm() + 1);
    EXPECT_EQ(clipped.solved, !wrong) << "seed " << seed << ", load " << load;
    ++count.loads;
    count.clipping_wrong += wrong;
    count.redundant += PivotedQr(A, 1e-10).rank() < A.rows();
  }
  return count;
}

// theory.md: about 5 % of random loads.
TEST(StaticFriction, IsExactWhereClippingIsNotOnTheBelt) {
  int const loads = test::scaled(10'000);
  Count const count = compare(1, loads, [](std::mt19937& random) {
    std::uniform_real_distribution<double> load(-15, 15);
    double const h1 = load(random), h2 = load(random);
    return static_friction_problem(M, W, Eigen::Vector2d(h1, h2), limits);
  });
  double const share = static_cast<double>(count.clipping_wrong) / count.loads;
  RecordProperty("share_of_loads_that_clipping_gets_wrong", std::to_string(share));
  EXPECT_NEAR(share, 0.05, 0.02);
  EXPECT_EQ(count.redundant, count.loads);
}

TEST(StaticFriction, IsExactWhereClippingIsNotInRandomSystems) {
  Count const count = compare(2, test::scaled(5'000), [](std::mt19937& random) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0.5, 5);
    std::uniform_int_distribution<int> size(1, 4), digit(-1, 1);
    int const n = size(random), m = size(random);
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n), directions(n, m);
    for (int i = 0; i < n; ++i) mass(i, i) = uniform(random);
    for (double& entry : directions.reshaped()) entry = digit(random);
    for (int j = 0; j < m; ++j) {
      if (directions.col(j).norm() == 0) directions(0, j) = 1;
    }
    Eigen::VectorXd h(n), bound(m);
    for (double& entry : h) entry = 5 * normal(random);
    for (double& entry : bound) entry = uniform(random);
    return static_friction_problem(mass, directions, h, bound);
  });
  RecordProperty("share_of_loads_that_clipping_gets_wrong",
                 std::to_string(static_cast<double>(count.clipping_wrong) / count.loads));
  EXPECT_GT(count.clipping_wrong, 0);
  EXPECT_GT(count.redundant, count.loads / 20);
}

// The motion of the rigid blocks, from event to event: sliding contacts have the kinetic force (21b), those at rest the
// static ones of the box-constrained problem. Runge-Kutta of order four between events.
class RigidBelt {
 public:
  using State = Eigen::Vector4d;  // q1, q2, v1, v2

  RigidBelt() {
    for (Eigen::Index i = 0; i < 2; ++i) side_[i] = -1;  // both blocks slide back on the belt
  }

  Eigen::Vector3d slip(State const& x) const {
    return W.transpose() * x.tail<2>() - Eigen::Vector3d(belt, belt, 0);
  }

  // Forces, and the slip accelerations that they leave to contacts at rest.
  Eigen::Vector3d forces(State const& x, Eigen::Vector3d* slip_acceleration = nullptr) const {
    Eigen::Vector3d T = Eigen::Vector3d::Zero();
    std::vector<Eigen::Index> rest;
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (side_[i] == 0)
        rest.push_back(i);
      else
        T[i] = -limits[i] * side_[i] / (1 + 3 * std::abs(slip(x)[i]));
    }
    Eigen::Vector2d const h = springs(x[0], x[1]) + W * T;
    if (!rest.empty())
      T(rest) = static_forces(static_friction_problem(M, W(Eigen::all, rest), h, limits(rest))).T;
    if (slip_acceleration) *slip_acceleration = W.transpose() * M.inverse() * (springs(x[0], x[1]) + W * T);
    return T;
  }

  State step(State const& x, double h) const {
    auto const rate = [this](State const& at) {
      State result;
      result << at.tail<2>(), M.inverse() * (springs(at[0], at[1]) + W * forces(at));
      return result;
    };
    State const k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2), k4 = rate(x + h * k3);
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }

  // Whether a sliding contact has come to rest or gone through it, or one at rest does not hold.
  bool event(State const& x) const {
    Eigen::Vector3d acceleration;
    forces(x, &acceleration);
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (side_[i] != 0 ? slip(x)[i] * side_[i] < -1e-13 : std::abs(acceleration[i]) > 1e-9) return true;
    }
    return false;
  }

  // Contacts whose slip has ended come to rest; those that do not hold slide.
  void change(State const& x) {
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (side_[i] != 0 && slip(x)[i] * side_[i] < 1e-10) side_[i] = 0;
    }
    Eigen::Vector3d acceleration;
    forces(x, &acceleration);
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (side_[i] == 0 && std::abs(acceleration[i]) > 1e-9) side_[i] = acceleration[i] > 0 ? 1 : -1;
    }
  }

  // To `end`; notes the times of events.
  void run_to(double end) {
    while (end - t > 1e-13) {
      double h = std::min(1e-3, end - t);
      State next = step(x, h);
      bool const happened = event(next);
      if (happened) {
        double low = 0, high = h;
        for (int i = 0; i < 60 && high - low > 1e-14; ++i) {
          double const middle = (low + high) / 2;
          (event(step(x, middle)) ? high : low) = middle;
        }
        h = high;
        next = step(x, h);
      }
      x = next;
      t += h;
      if (!happened) continue;
      events.push_back(t);
      change(x);
    }
  }

  double t = 0;
  State x = State::Zero();
  std::vector<double> events;

 private:
  Eigen::Vector3d side_ = Eigen::Vector3d::Zero();  // -1, 1: slides that way, 0: at rest
};

TEST(StaticFriction, MovesTheRigidBlocksFromTransitionToTransition) {
  RigidBelt run;
  run.run_to(1);
  EXPECT_LT((run.forces(run.x) - Eigen::Vector3d(2.115411286411, 1.057705643206, 1.057705643206)).norm(),
            1e-9);
  run.run_to(2);
  EXPECT_LT((run.forces(run.x) - Eigen::Vector3d(4, 3.373116929617, 3.373116929617)).norm(), 1e-9);
  run.run_to(5);
  std::vector<double> const expected{.449130168788, 2.387353111996, 3.454174694017, 3.917440724190};
  ASSERT_GE(run.events.size(), expected.size());  // two more follow before 5 s
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(run.events[i], expected[i], 1e-8);
  EXPECT_NEAR(run.x[2], .260083718574, 1e-8);
  EXPECT_NEAR(run.x[3], -.176974420797, 1e-8);
  EXPECT_LT((run.forces(run.x) - Eigen::Vector3d(3.572229630278, 2.879564364824, -2.163402277568)).norm(),
            1e-7);
}

TEST(StaticFriction, RefusesBlocksOfAnotherKind) {
  ContactProblem const cone = ContactProblem::from_dense(Eigen::Matrix2d::Identity(), Eigen::Vector2d(1, 1),
                                                         {{0, {ForceSetKind::cone2, 0.5, {}}}});
  EXPECT_THROW(static_forces(cone), std::invalid_argument);
  EXPECT_THROW(static_friction_problem(Eigen::Matrix2d::Zero(), W, Eigen::Vector2d(1, 1), limits),
               std::invalid_argument);
}

}  // namespace
}  // namespace delassus
