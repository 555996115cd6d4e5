// M, Phi, J, Jdot v and Psi of scenes, against finite differences and against the matrices of the papers.
#include "model/scene_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solver/delassus_operator.hpp"
#include "xml/scene_reader.hpp"

namespace delassus {
namespace {

std::string const everything = R"(<scene name="everything">
<gravity acceleration="0.3 -9.81"/>
<body name="rod" type="planar" mass="2"><rod half_length="0.7"/><point name="tip" fraction="-1"/><point name="side" position="0.2 0.4"/></body>
<body name="block" type="point" mass="3"/>
<body name="lift" type="slider" axis="y" mass="5"/>
<contact name="tip_ground" point="rod.tip" mu="0.6" zeta="0.8" delta="0.01"/>
<contact name="side_ground" point="rod.side" mu="0.3"/>
<contact name="lift_ground" point="lift"/>
<friction name="table" point="block" bound="2"/>
<friction name="brake" point="rod.side" bound="1" axes="x"/>
<force name="push" point="rod.side" value="1 2"/>
<torque name="drive" body="rod" value="0.5"/>
<force name="pull" point="block" value="3 4"/>
<force name="hoist" point="lift" value="6"/>
</scene>)";

struct RandomState {
  std::vector<double> q, v;
};

RandomState random_state(int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-2, 2);
  RandomState state;
  for (int i = 0; i < n; ++i) {
    state.q.push_back(uniform(random));
    state.v.push_back(uniform(random));
  }
  return state;
}

Eigen::MatrixXd dense_jacobian(System const& system, Terms const& terms) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(system.rows(), system.velocity_size());
  for (JacobianTerm const& term : terms.J) {
    J.block(system.blocks()[static_cast<std::size_t>(term.block)].first_row, term.column, term.J.rows(),
            term.J.cols()) += term.J;
  }
  return J;
}

class SceneSystemTest : public testing::Test {
 protected:
  Scene scene = compile_scene(read_scene_source(everything, "everything.xml"));
  SceneSystem system{scene};
  std::vector<double> parameters = scene.default_parameters(), inputs = scene.default_inputs();
  std::mt19937_64 random{20261116};

  Instant at(RandomState const& state) const { return {0, state.q, state.v, inputs, parameters}; }
};

TEST_F(SceneSystemTest, NormalRowsOfJAreTheDerivativeOfPsi) {
  for (int trial = 0; trial < 50; ++trial) {
    RandomState const state = random_state(system.velocity_size(), random);
    Terms terms = system.make_terms();
    system.evaluate(at(state), terms);
    Eigen::MatrixXd const J = dense_jacobian(system, terms);
    for (int column = 0; column < system.velocity_size(); ++column) {
      double const h = 1e-6;
      RandomState plus = state, minus = state;
      plus.q[static_cast<std::size_t>(column)] += h;
      minus.q[static_cast<std::size_t>(column)] -= h;
      Terms ahead = system.make_terms(), behind = system.make_terms();
      system.evaluate(at(plus), ahead);
      system.evaluate(at(minus), behind);
      for (ConstraintBlock const& block : system.blocks()) {
        if (!has_normal(block.kind)) continue;
        int const row = block.first_row + block.rows() - 1;
        EXPECT_NEAR(J(row, column), (ahead.Psi(row) - behind.Psi(row)) / (2 * h), 1e-9) << block.name;
      }
    }
  }
}

TEST_F(SceneSystemTest, JTimesVIsTheVelocityOfTheContactPointAndJdotVItsBias) {
  for (int trial = 0; trial < 50; ++trial) {
    RandomState const state = random_state(system.velocity_size(), random);
    Terms terms = system.make_terms();
    system.evaluate(at(state), terms);
    Eigen::Map<const Eigen::VectorXd> const v(state.v.data(), system.velocity_size());
    Eigen::VectorXd const velocity = dense_jacobian(system, terms) * v;
    // With constant v, d/dt (J v) = Jdot v.
    double const h = 1e-5;
    auto const velocity_at = [&](double t) {
      RandomState moved = state;
      for (std::size_t i = 0; i < moved.q.size(); ++i) moved.q[i] += t * moved.v[i];
      Terms there = system.make_terms();
      system.evaluate(at(moved), there);
      return Eigen::VectorXd(dense_jacobian(system, there) * v);
    };
    Eigen::VectorXd const bias = (velocity_at(h) - velocity_at(-h)) / (2 * h);
    EXPECT_LT((bias - terms.Jdot_v).cwiseAbs().maxCoeff(), 1e-7);
    auto const motion = system.motion_of(scene.contacts[0].point, at(state));
    EXPECT_NEAR(velocity(0), motion.velocity[0], 1e-12);
    EXPECT_NEAR(velocity(1), motion.velocity[1], 1e-12);
  }
}

// Virtual work: -Phi . v is the power of gravity and of the inputs.
TEST_F(SceneSystemTest, PhiDoesTheWorkOfGravityAndInputs) {
  for (int trial = 0; trial < 50; ++trial) {
    RandomState const state = random_state(system.velocity_size(), random);
    Terms terms = system.make_terms();
    system.evaluate(at(state), terms);
    Eigen::Map<const Eigen::VectorXd> const v(state.v.data(), system.velocity_size());
    auto const side = system.motion_of(scene.forces[0].point, at(state));
    double const gravity_x = 0.3, gravity_y = -9.81;
    double const power = 2 * (gravity_x * v(0) + gravity_y * v(1)) +
                         3 * (gravity_x * v(3) + gravity_y * v(4)) + 5 * gravity_y * v(5) +
                         1 * side.velocity[0] + 2 * side.velocity[1] + 0.5 * v(2) + 3 * v(3) + 4 * v(4) +
                         6 * v(5);
    EXPECT_NEAR(-terms.Phi.dot(v), power, 1e-11);
  }
}

// Kikuuwe and Brogliato 2017, 5.3: A = J M^-1 J^T of the rod with m = l = 1 (117, misprint corrected).
TEST(SceneSystem, HasTheDelassusMatrixOfPainlevesRod) {
  Scene const scene = read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/painleve_rod.xml");
  SceneSystem const system(scene);
  auto const parameters = scene.default_parameters(), inputs = scene.default_inputs();
  for (double const theta : {0.1, 0.7, 1.0, 1.5}) {
    std::vector<double> const q{0, 0, theta}, v{0, 0, 0};
    Terms terms = system.make_terms();
    system.evaluate({0, q, v, inputs, parameters}, terms);
    ContactProblem problem;
    DelassusOperator(system).assemble(terms, v, {}, problem);
    double const c = std::cos(theta), s = std::sin(theta);
    EXPECT_NEAR(problem.A(0, 0), 1 + 3 * s * s, 1e-14);
    EXPECT_NEAR(problem.A(0, 1), -3 * s * c, 1e-14);
    EXPECT_NEAR(problem.A(1, 0), -3 * s * c, 1e-14);
    EXPECT_NEAR(problem.A(1, 1), 1 + 3 * c * c, 1e-14);
  }
}

TEST(SceneSystem, PutsTheNamedPointWhereTheInitialStateAsks) {
  Scene const scene = read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/painleve_rod.xml");
  SceneSystem const system(scene);
  auto const parameters = scene.default_parameters(), inputs = scene.default_inputs();
  std::vector<double> q(3), v(3);
  system.initial_state(parameters, q, v);
  auto const motion = system.motion_of(scene.contacts[0].point, {0, q, v, inputs, parameters});
  EXPECT_NEAR(motion.position[0], 0, 1e-16);
  EXPECT_NEAR(motion.position[1], 0, 1e-16);
  EXPECT_NEAR(motion.velocity[0], -2, 1e-15);
  EXPECT_NEAR(motion.velocity[1], 0, 1e-15);
  EXPECT_NEAR(q[0], std::cos(1.0), 1e-15);
}

}  // namespace
}  // namespace delassus
