// Derivatives as a host asks for them: closed forms in each mode, both sides of a change of mode, the adjoint, outputs by
// time, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

class DerivativeRun : public SceneRun {
 public:
  explicit DerivativeRun(std::string const& example, std::map<std::string, double> const& values = {})
      : DerivativeRun(example, values, std::make_shared<std::vector<std::string>>()) {}

  double derivative(std::string const& unknown, std::string const& known, double seed = 1) {
    std::uint32_t const of = reference(unknown), by = reference(known);
    double result = 0;
    slave().directional_derivative(false, {&of, 1}, {&by, 1}, {&seed, 1}, {&result, 1});
    return result;
  }
  double by_time(std::string const& unknown) {
    std::uint32_t const of = reference(unknown);
    std::int32_t const order = 1;
    double result = 0;
    slave().output_derivatives(false, {&of, 1}, {&order, 1}, {&result, 1});
    return result;
  }
  std::uint32_t reference(std::string const& name) { return reference_of(slave().model().table(), name); }
  std::vector<std::string>& log() { return *log_; }

 private:
  DerivativeRun(std::string const& example, std::map<std::string, double> const& values,
                std::shared_ptr<std::vector<std::string>> log)
      : SceneRun(example_model(example), values,
                 [log](Status, std::string_view category, std::string const& message) {
                   log->push_back(std::string(category) + ": " + message);
                 }),
        log_(std::move(log)) {}
  std::shared_ptr<std::vector<std::string>> log_;
};

// The friction of a point mass with m, bound F, push f and c = 2 zeta/delta: with p = f + m c v it is -p where |p| <= F, and
// -F p/|p| beyond.
TEST(DerivativesOfSlave, friction_of_known_bound_turns_with_the_push_as_in_the_closed_form) {
  DerivativeRun run("planar_friction", {{"push[1]", 0.3},
                                        {"push[2]", -0.2},
                                        {"block.initial.velocity[1]", 0.02},
                                        {"block.initial.velocity[2]", 0.05}});
  double const c = 2 * 0.5 / 1e-2, F = 1;
  Eigen::Vector2d const p(0.3 + c * 0.02, -0.2 + c * 0.05);
  ASSERT_GT(p.norm(), F);
  Eigen::Matrix2d const slip =
      -F / p.norm() * (Eigen::Matrix2d::Identity() - p * p.transpose() / p.squaredNorm());
  for (int i = 0; i < 2; ++i) {
    std::string const force = "table.force[" + std::to_string(i + 1) + "]";
    for (int j = 0; j < 2; ++j)
      EXPECT_NEAR(run.derivative(force, "push[" + std::to_string(j + 1) + "]"), slip(i, j), 1e-14);
    EXPECT_NEAR(run.derivative(force, "table.bound"), -p[i] / p.norm(), 1e-14);
    // In initialisation the velocity follows its parameter.
    EXPECT_NEAR(run.derivative(force, "block.initial.velocity[1]"), c * slip(i, 0), 1e-12);
  }
  EXPECT_TRUE(run.log().empty());
}

TEST(DerivativesOfSlave, a_sticking_block_passes_its_push_on_and_does_not_feel_the_bound) {
  DerivativeRun run("planar_friction", {{"push[1]", 0.3},
                                        {"push[2]", -0.2},
                                        {"block.initial.velocity[1]", 0},
                                        {"block.initial.velocity[2]", 0}});
  EXPECT_NEAR(run.derivative("table.force[1]", "push[1]"), -1, 1e-14);
  EXPECT_NEAR(run.derivative("table.force[1]", "push[2]"), 0, 1e-14);
  EXPECT_NEAR(run.derivative("table.force[2]", "push[2]"), -1, 1e-14);
  EXPECT_EQ(run.derivative("table.force[1]", "table.bound"), 0);
}

TEST(DerivativesOfSlave, at_the_edge_of_slip_each_side_has_its_own_and_the_log_says_so) {
  DerivativeRun run(
      "planar_friction",
      {{"push[1]", 1}, {"push[2]", 0}, {"block.initial.velocity[1]", 0}, {"block.initial.velocity[2]", 0}});
  // Pushed harder it leaves: the force stays at the bound. Pushed less it sticks. Sideways it sticks too, as the force
  // then turns along the bound.
  EXPECT_NEAR(run.derivative("table.force[1]", "push[1]", 1), 0, 1e-13);
  ASSERT_EQ(run.log().size(), 1U);
  EXPECT_NE(run.log()[0].find("logContact: 'table' changes its mode"), std::string::npos) << run.log()[0];
  EXPECT_NEAR(run.derivative("table.force[1]", "push[1]", -1), 1, 1e-13);
  EXPECT_NEAR(run.derivative("table.force[2]", "push[2]", 1), -1, 1e-13);
  // A lower bound lets it go, a higher one does nothing.
  EXPECT_NEAR(run.derivative("table.force[1]", "table.bound", -1), 1, 1e-13);
  EXPECT_NEAR(run.derivative("table.force[1]", "table.bound", 1), 0, 1e-13);
  // What differences to each side say.
  for (double const side : {1.0, -1.0}) {
    double const h = 1e-4;
    DerivativeRun there("planar_friction", {{"push[1]", 1 + side * h},
                                            {"push[2]", 0},
                                            {"block.initial.velocity[1]", 0},
                                            {"block.initial.velocity[2]", 0}});
    EXPECT_NEAR(run.derivative("table.force[1]", "push[1]", side),
                (there.get("table.force[1]") - run.get("table.force[1]")) / h, 1e-9);
  }
}

TEST(DerivativesOfSlave, at_the_edge_of_lift_off_each_side_has_its_own) {
  // Its weight is just carried by the push, the gap is zero, and it does not move: lambda_n = eta_n = 0.
  DerivativeRun run("impact", {{"push", 9.81}, {"ball.initial.velocity", 0}});
  EXPECT_NEAR(run.get("ground.force"), 0, 1e-12);
  EXPECT_NEAR(run.derivative("ground.force", "push", 1), 0, 1e-13);
  EXPECT_NEAR(run.derivative("ground.force", "push", -1), 1, 1e-13);
  EXPECT_FALSE(run.log().empty());
  // One-sided in the state too: pressed in by dx, the relaxation answers with dx/delta^2.
  EXPECT_NEAR(run.derivative("ground.force", "ball.initial.position", -1), 1e4, 1e-7);
  EXPECT_NEAR(run.derivative("ground.force", "ball.initial.position", 1), 0, 1e-7);
}

// m xddot = -m g + push + lambda with the relaxation: lambda = m (g - 2 zeta/delta v - x/delta^2) - push.
TEST(DerivativesOfSlave, a_closed_contact_answers_as_the_relaxation_says) {
  DerivativeRun run("impact");
  run.run_to(4e-3);
  double const x = run.get("ball.position"), v = run.get("ball.velocity"), zeta = 0.2, delta = 1e-2;
  ASSERT_GT(run.get("ground.force"), 0);
  EXPECT_NEAR(run.get("ground.force"), 9.81 - 2 * zeta / delta * v - x / delta / delta, 1e-9);
  EXPECT_NEAR(run.derivative("ground.force", "push"), -1, 1e-13);
  EXPECT_NEAR(run.derivative("ground.force", "ground.zeta"), -2 / delta * v, 1e-9);
  EXPECT_NEAR(run.derivative("ground.force", "ground.delta"),
              2 * zeta * v / delta / delta + 2 * x / delta / delta / delta, 1e-6);
  double const acceleration = -9.81 + run.get("ground.force");
  EXPECT_NEAR(run.by_time("ball.position"), v, 1e-15);
  EXPECT_NEAR(run.by_time("ball.velocity"), acceleration, 1e-11);
  EXPECT_NEAR(run.by_time("ground.force"), -2 * zeta / delta * acceleration - v / delta / delta, 1e-6);
}

TEST(DerivativesOfSlave, outputs_by_time_are_those_of_a_run) {
  for (std::string const example : {"pendulum", "spinning_top", "slider_crank"}) {
    SCOPED_TRACE(example);
    DerivativeRun run(example, {{"solver.tolerance", 1e-12}});
    double const stop = run.slave().model().scene().experiment.stop, t = 0.21 * stop, h = 1e-4;
    run.run_to(t);
    Snapshot const here = run.slave().snapshot();
    std::vector<std::string> names;
    std::vector<double> rates;
    for (Variable const& variable : run.slave().model().table().variables()) {
      if (variable.causality != Causality::output || variable.variability != Variability::continuous)
        continue;
      if (variable.name.ends_with("position") || variable.name.ends_with("velocity") ||
          variable.name.ends_with("orientation") || variable.name.starts_with("energy.")) {
        for (int i = 0; i < variable.size; ++i) {
          names.push_back(VariableTable::element_name(variable, i));
          rates.push_back(run.by_time(names.back()));
        }
      }
    }
    // Five points: (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h)))/(12 h), from a start 2 h earlier.
    DerivativeRun other(example, {{"solver.tolerance", 1e-12}});
    std::vector<std::vector<double>> values;
    for (int k = -2; k <= 2; ++k) {
      other.run_to(t + k * h);
      values.emplace_back();
      for (std::string const& name : names) values.back().push_back(other.get(name));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      double const difference =
          (8 * (values[3][i] - values[1][i]) - (values[4][i] - values[0][i])) / (12 * h);
      EXPECT_NEAR(rates[i], difference, 1e-6 * std::max(1.0, std::abs(difference))) << names[i];
    }
  }
}

TEST(DerivativesOfSlave, the_adjoint_is_the_transpose) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (std::string const example : {"sliding_block", "articulated_arm", "box_on_edge", "planar_friction"}) {
    SCOPED_TRACE(example);
    DerivativeRun run(example);
    run.run_to(0.03 * run.slave().model().scene().experiment.stop);
    std::vector<std::uint32_t> unknowns, knowns;
    std::size_t rows = 0, columns = 0;
    for (Variable const& variable : run.slave().model().table().variables()) {
      if (variable.type != VariableType::real) continue;
      bool const known =
          variable.causality == Causality::input ||
          (variable.causality == Causality::parameter && variable.variability == Variability::tunable);
      if (variable.causality == Causality::output && variable.variability == Variability::continuous) {
        unknowns.push_back(variable.value_reference);
        rows += static_cast<std::size_t>(variable.size);
      } else if (known) {
        knowns.push_back(variable.value_reference);
        columns += static_cast<std::size_t>(variable.size);
      }
    }
    ASSERT_GT(columns, 0U);
    std::vector<double> seed(columns), direct(rows), back(rows), adjoint(columns);
    for (double& each : seed) each = number(random);
    for (double& each : back) each = number(random);
    run.slave().directional_derivative(true, unknowns, knowns, seed, direct);
    run.slave().adjoint_derivative(true, unknowns, knowns, back, adjoint);
    double left = 0, right = 0, size = 0;
    for (std::size_t i = 0; i < rows; ++i) left += back[i] * direct[i];
    for (std::size_t j = 0; j < columns; ++j) right += adjoint[j] * seed[j];
    // Both are the sum of back_i D_ij seed_j, and round by a share of what its terms come to without their signs.
    for (std::size_t j = 0; j < columns; ++j) {
      std::vector<double> one(columns, 0.0), column(rows);
      one[j] = seed[j];
      run.slave().directional_derivative(true, unknowns, knowns, one, column);
      for (std::size_t i = 0; i < rows; ++i) size += std::abs(back[i] * column[i]);
    }
    EXPECT_GT(size, 0);
    EXPECT_NEAR(left, right, 5e-12 * size);
  }
}

TEST(DerivativesOfSlave, calculated_parameters_follow_what_they_are_calculated_from) {
  DerivativeRun run("pendulum");  // a rod: inertia m l^2/3
  double const m = run.get("rod.mass"), l = run.get("rod.half_length");
  EXPECT_NEAR(run.derivative("rod.inertia", "rod.mass"), l * l / 3, 1e-15);
  EXPECT_NEAR(run.derivative("rod.inertia", "rod.half_length"), 2 * m * l / 3, 1e-15);
}

TEST(DerivativesOfSlave, an_implicit_stepper_has_those_of_the_problem_that_it_solves_next) {
  // Slip velocity v, force of the scheme with 2 zeta/delta = 1/h: stick where it can stop within the step.
  DerivativeRun run("planar_friction", {{"solver.stepper", 3},
                                        {"solver.step", 1e-2},
                                        {"push[1]", 0.3},
                                        {"push[2]", 0},
                                        {"block.initial.velocity[1]", 0.002},
                                        {"block.initial.velocity[2]", 0}});
  // lambda = -(push + m v/h) = -0.5
  EXPECT_NEAR(run.get("table.force[1]"), -0.5, 1e-12);
  EXPECT_NEAR(run.derivative("table.force[1]", "block.initial.velocity[1]"), -100, 1e-9);
  EXPECT_NEAR(run.derivative("table.force[1]", "solver.step"), 0.002 / 1e-4, 1e-9);
}

TEST(DerivativesOfSlave, what_has_none_is_refused_by_name) {
  DerivativeRun run("impact");
  auto const refused = [&](std::string const& unknown, std::string const& known, std::string const& says) {
    try {
      run.derivative(unknown, known);
      ADD_FAILURE() << unknown << " / " << known;
    } catch (SlaveError const& error) {
      EXPECT_EQ(error.status(), Status::error);
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  refused("ground.mode", "push", "'ground.mode' is discrete");
  refused("ball.mass", "push", "'ball.mass' is not a continuous output");
  refused("ground.force", "ball.position", "'ball.position' is not an input or parameter");
  refused("ground.force", "solver.law", "'solver.law' is not real");
  run.run_to(1e-3);
  refused("ground.force", "ball.initial.position", "'ball.initial.position' is a fixed parameter");
  std::uint32_t const reference = run.reference("ground.force");
  std::int32_t const second = 2;
  double value = 0;
  EXPECT_THROW(run.slave().output_derivatives(false, {&reference, 1}, {&second, 1}, {&value, 1}), SlaveError);
  double const seed[2] = {1, 1};
  std::uint32_t const known = run.reference("push");
  EXPECT_THROW(run.slave().directional_derivative(false, {&reference, 1}, {&known, 1}, seed, {&value, 1}),
               SlaveError);
}

}  // namespace
}  // namespace delassus
