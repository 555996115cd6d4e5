// The integrator of Model Exchange instances against closed forms.
#include "tools/simulate/ode_integrator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/program_run.hpp"
#include "tests/support/scene_run.hpp"
#include "tools/import/fmu.hpp"
#include "tools/package/package_files.hpp"
#include "tools/simulate/integrated_instance.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

// A system written down as functions, in place of an FMU.
class WrittenSystem final : public ModelExchangeFace {
 public:
  using Rates = std::function<std::vector<double>(double, std::vector<double> const&)>;
  using Indicators = std::function<std::vector<double>(double, std::vector<double> const&)>;

  WrittenSystem(std::vector<double> start, Rates rates, Indicators indicators = {})
      : states(std::move(start)), rates_(std::move(rates)), indicators_(std::move(indicators)) {}

  std::size_t state_count() override { return states.size(); }
  std::size_t indicator_count() override { return indicators_ ? indicators_(0, states).size() : 0; }
  void enter_event_mode() override {}
  EventUpdate update_discrete_states() override { return {}; }
  void enter_continuous_time_mode() override {}
  void set_time(double now) override { time = now; }
  void set_states(std::span<const double> values) override { states.assign(values.begin(), values.end()); }
  void get_states(std::span<double> values) override { std::ranges::copy(states, values.begin()); }
  void get_derivatives(std::span<double> values) override {
    ++evaluations;
    std::ranges::copy(rates_(time, states), values.begin());
  }
  void get_indicators(std::span<double> values) override {
    std::ranges::copy(indicators_(time, states), values.begin());
  }
  void get_nominals(std::span<double> values) override { std::ranges::fill(values, nominal); }
  IntegratorStepAnswer completed_integrator_step(bool) override {
    accepted = time;
    return {event_after_step && time > 0.3, false};
  }

  std::vector<double> states;
  double time = 0, accepted = 0, nominal = 1;
  int evaluations = 0;
  bool event_after_step = false;

 private:
  Rates rates_;
  Indicators indicators_;
};

constexpr double gravity = 9.81;

WrittenSystem falling_ball() {
  return {{1, 0},
          [](double, std::vector<double> const& x) {
            return std::vector{x[1], -gravity};
          },
          [](double, std::vector<double> const& x) { return std::vector{x[0]}; }};
}

WrittenSystem oscillator() {
  return {{1, 0}, [](double, std::vector<double> const& x) { return std::vector{x[1], -x[0]}; }};
}

TEST(OdeIntegrator, FindsTheImpactOfAFallingBall) {
  WrittenSystem ball = falling_ball();
  OdeIntegrator integrator(ball, 1e-6, true);
  integrator.restart(0, true);
  ASSERT_EQ(integrator.advance(1), OdeIntegrator::Stop::state_event);
  EXPECT_NEAR(integrator.time(), std::sqrt(2 / gravity), 1e-14);
  EXPECT_LE(ball.states[0], 0);  // behind the change, as the standard wants it
  EXPECT_NEAR(ball.states[0], 0, 1e-13);
  EXPECT_NEAR(ball.states[1], -std::sqrt(2 * gravity), 1e-12);
}

TEST(OdeIntegrator, FollowsABouncingBallThroughItsImpacts) {
  WrittenSystem ball = falling_ball();
  OdeIntegrator integrator(ball, 1e-9, true);
  integrator.restart(0, true);
  double const restitution = 0.7;
  double expected = std::sqrt(2 / gravity), speed = std::sqrt(2 * gravity);
  for (int impact = 0; impact < 5; ++impact) {
    ASSERT_EQ(integrator.advance(10), OdeIntegrator::Stop::state_event);
    EXPECT_NEAR(integrator.time(), expected, 1e-12) << impact;
    ball.states = {std::numeric_limits<double>::min(), -restitution * ball.states[1]};
    integrator.restart(integrator.time(), false);
    speed *= restitution;
    expected += 2 * speed / gravity;
  }
}

TEST(OdeIntegrator, KeepsItsToleranceAndNeedsMoreWorkForASmallerOne) {
  double last_error = 1;
  int last_evaluations = 0;
  for (double const tolerance : {1e-3, 1e-6, 1e-9}) {
    WrittenSystem system = oscillator();
    OdeIntegrator integrator(system, tolerance, false);
    integrator.restart(0, true);
    ASSERT_EQ(integrator.advance(10), OdeIntegrator::Stop::end);
    EXPECT_EQ(integrator.time(), 10);
    double const error = std::hypot(system.states[0] - std::cos(10), system.states[1] + std::sin(10));
    EXPECT_LT(error, 100 * tolerance);
    EXPECT_LT(error, last_error);
    EXPECT_GT(system.evaluations, last_evaluations);
    last_error = error;
    last_evaluations = system.evaluations;
  }
}

TEST(OdeIntegrator, MeetsATimeExactlyAndAnIndicatorOfTimeAlone) {
  WrittenSystem clock{
      {}, {}, [](double time, std::vector<double> const&) { return std::vector{0.7 - time}; }};
  OdeIntegrator integrator(clock, 1e-6, true);
  integrator.restart(0, true);
  ASSERT_EQ(integrator.advance(0.5), OdeIntegrator::Stop::end);
  EXPECT_EQ(clock.time, 0.5);
  ASSERT_EQ(integrator.advance(2), OdeIntegrator::Stop::state_event);
  EXPECT_NEAR(clock.time, 0.7, 1e-14);
}

TEST(OdeIntegrator, StopsAfterAStepWhereTheModelAsksForIt) {
  WrittenSystem system = oscillator();
  system.event_after_step = true;
  OdeIntegrator integrator(system, 1e-6, true);
  integrator.restart(0, true);
  EXPECT_EQ(integrator.advance(10), OdeIntegrator::Stop::step_event);
  EXPECT_GT(integrator.time(), 0.3);
  EXPECT_LT(integrator.time(), 10);
}

TEST(OdeIntegrator, TakesShorterStepsWhereTheModelDiscardsLongOnes) {
  WrittenSystem* itself = nullptr;
  WrittenSystem system{{1}, [&](double time, std::vector<double> const& x) {
                         if (time > itself->accepted + 0.05) throw InstanceError(Status::discard, "too far");
                         return std::vector{-x[0]};
                       }};
  itself = &system;
  OdeIntegrator integrator(system, 1e-3, true);
  integrator.restart(0, true);
  ASSERT_EQ(integrator.advance(1), OdeIntegrator::Stop::end);
  EXPECT_NEAR(system.states[0], std::exp(-1), 1e-6);
}

TEST(OdeIntegrator, GivesUpWhereDerivativesAreNoNumbersOrNeverEnoughAreEvaluated) {
  WrittenSystem lost{{1}, [](double, std::vector<double> const&) {
                       return std::vector{std::numeric_limits<double>::quiet_NaN()};
                     }};
  OdeIntegrator integrator(lost, 1e-6, true);
  integrator.restart(0, true);
  EXPECT_THROW(integrator.advance(1), InstanceError);

  WrittenSystem stiff{{1}, [](double, std::vector<double> const& x) { return std::vector{-1e9 * x[0]}; }};
  OdeIntegrator limited(stiff, 1e-6, true);
  limited.restart(0, true);
  limited.limit_evaluations(10'000);
  EXPECT_THROW(limited.advance(1), TooManyEvaluations);
}

TEST(OdeIntegrator, GoesOnToTheBitFromStatesTimeAndStepSize) {
  for (double const nominal : {1.0, 0.01, 300.0}) {
    WrittenSystem first = oscillator(), second = oscillator();
    first.nominal = second.nominal = nominal;
    OdeIntegrator one(first, 1e-6, true);
    one.restart(0, true);
    one.advance(1);
    one.advance(2);
    second.states = first.states;
    OdeIntegrator other(second, 1e-6, true);
    other.restart(2, true);
    other.set_step_size(one.step_size());
    one.advance(3);
    other.advance(3);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(first.states[i]),
                std::bit_cast<std::uint64_t>(second.states[i]));
  }
}

OdeSettings with_cvode(double tolerance) {
  return {.method = OdeMethod::cvode, .tolerances = {tolerance, tolerance}};
}

// As an FMU has it that sets the height to zero: a hop that is shorter than a step went through the ground unseen.
TEST(OdeIntegrator, FindsImpactsOfEveryMethodWhereIndicatorsAreZeroAfterAnEvent) {
  for (auto const method : {OdeMethod::dopri5, OdeMethod::cvode}) {
    if (method == OdeMethod::cvode && !has_cvode()) continue;
    WrittenSystem ball = falling_ball();
    OdeIntegrator integrator(ball, OdeSettings{.method = method, .tolerances = {1e-9, 1e-9}});
    integrator.restart(0, true);
    double const restitution = 0.5;
    double expected = std::sqrt(2 / gravity), speed = std::sqrt(2 * gravity);
    for (int impact = 0; impact < 12; ++impact) {
      // It leaves zero first, which is a change from z <= 0 to z > 0, too.
      if (impact > 0) {
        ASSERT_EQ(integrator.advance(10), OdeIntegrator::Stop::state_event);
        integrator.restart(integrator.time(), false);
      }
      ASSERT_EQ(integrator.advance(10), OdeIntegrator::Stop::state_event);
      EXPECT_NEAR(integrator.time(), expected, 1e-5) << impact;
      ball.states = {0, -restitution * ball.states[1]};
      integrator.restart(integrator.time(), false);
      integrator.set_step_size(1);  // as of a step before it, or of a host
      speed *= restitution;
      expected += 2 * speed / gravity;
    }
  }
}

TEST(OdeIntegrator, KeepsItsToleranceWithCvodeAndTakesShorterStepsWhereTheModelDiscardsLongOnes) {
  if (!has_cvode()) GTEST_SKIP() << "built without SUNDIALS";
  for (double const tolerance : {1e-4, 1e-6, 1e-9}) {
    WrittenSystem system = oscillator();
    OdeIntegrator integrator(system, with_cvode(tolerance));
    integrator.restart(0, true);
    for (double const end : {1., 1.1, 9., 10.}) ASSERT_EQ(integrator.advance(end), OdeIntegrator::Stop::end);
    EXPECT_EQ(integrator.time(), 10);
    EXPECT_LT(std::hypot(system.states[0] - std::cos(10), system.states[1] + std::sin(10)), 300 * tolerance);
  }
  WrittenSystem* itself = nullptr;
  WrittenSystem system{{1}, [&](double time, std::vector<double> const& x) {
                         if (time > itself->accepted + 0.05) throw InstanceError(Status::discard, "too far");
                         return std::vector{-x[0]};
                       }};
  itself = &system;
  OdeIntegrator integrator(system, with_cvode(1e-4));
  integrator.restart(0, true);
  ASSERT_EQ(integrator.advance(1), OdeIntegrator::Stop::end);
  EXPECT_NEAR(system.states[0], std::exp(-1), 1e-3);
}

TEST(OdeIntegrator, EndsWithCvodeWhereDerivativesAreNoNumbersOrNeverEnoughAreEvaluated) {
  if (!has_cvode()) GTEST_SKIP() << "built without SUNDIALS";
  WrittenSystem lost{{1}, [](double, std::vector<double> const&) {
                       return std::vector{std::numeric_limits<double>::quiet_NaN()};
                     }};
  OdeIntegrator integrator(lost, with_cvode(1e-6));
  integrator.restart(0, true);
  EXPECT_THROW(integrator.advance(1), InstanceError);
  WrittenSystem quick{{1, 0}, [](double, std::vector<double> const& x) {
                        return std::vector{1e6 * x[1], -1e6 * x[0]};
                      }};
  OdeIntegrator limited(quick, with_cvode(1e-6));
  limited.restart(0, true);
  limited.limit_evaluations(10'000);
  EXPECT_THROW(limited.advance(1), TooManyEvaluations);
}

// Stiffness is told by rates, not by short steps: an oscillation that takes as many steps is not stiff.
TEST(OdeIntegrator, CountsStepsAsStiffOnlyWhereStabilityLimitsThem) {
  WrittenSystem stiff{{1, 1}, [](double time, std::vector<double> const& x) {
                        return std::vector{-1e5 * (x[0] - std::cos(time)), -x[1]};
                      }};
  OdeIntegrator slow(stiff, 1e-4, false);
  slow.restart(0, true);
  slow.advance(1);
  EXPECT_GT(slow.counts().stiff_steps, slow.counts().steps / 2);
  WrittenSystem quick{{1, 0}, [](double, std::vector<double> const& x) {
                        return std::vector{1e4 * x[1], -1e4 * x[0]};
                      }};
  OdeIntegrator fine(quick, 1e-6, false);
  fine.restart(0, true);
  fine.advance(1);
  EXPECT_GT(fine.counts().steps, 10'000);
  EXPECT_EQ(fine.counts().stiff_steps, 0);
}

// Columns that share no row are found together: a tridiagonal matrix of any size in three directions, an arrow in all.
TEST(OdeJacobian, NeedsAsFewDirectionsAsItsPatternAllows) {
  constexpr std::size_t size = 50;
  OdeJacobian::Rows band(size), arrow(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i == 0 ? 0 : i - 1; j < std::min(size, i + 2); ++j) band[i].push_back(j);
    arrow[i] = {0, i};
    arrow[0].push_back(i);
  }
  EXPECT_EQ(OdeJacobian(size, band).directions(), 3U);
  EXPECT_EQ(OdeJacobian(size, arrow).directions(), size);
  EXPECT_EQ(OdeJacobian(size).directions(), size);
  // Values are those of the columns alone.
  OdeJacobian jacobian(size, band);
  std::vector<double> increments(size, 0.5), values(jacobian.rows().size());
  auto const entry = [](std::size_t i, std::size_t j) { return static_cast<double>(100 * i + j); };
  jacobian.evaluate(
      increments,
      [&](std::span<const double> direction, std::span<double> change) {
        for (std::size_t i = 0; i < size; ++i) {
          change[i] = 0;
          for (auto const j : band[i]) change[i] += entry(i, j) * direction[j];
        }
      },
      values);
  for (std::size_t j = 0; j < size; ++j) {
    for (auto at = static_cast<std::size_t>(jacobian.starts()[j]);
         at < static_cast<std::size_t>(jacobian.starts()[j + 1]); ++at)
      EXPECT_EQ(values[at], entry(static_cast<std::size_t>(jacobian.rows()[at]), j));
  }
}

// Rows of a run of an FMU that is made of a scene, every 10 ms.
SimulationResult exchanged(std::string const& bodies_and_contacts, int version, double stop) {
  SceneModel const model(compile_scene(read_scene_source(
      "<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/>" + bodies_and_contacts + "</scene>", "s.xml")));
  TemporaryFolder const folder;
  auto const file = folder.path() / "s.fmu";
  write_file(file, make_archive(package_files(model, version, "")));
  ImportedFmu fmu(file, ImportBackend::own);
  auto const instance =
      make_integrated_instance(fmu.instantiate({.name = "one", .kind = InterfaceKind::model_exchange}));
  SimulationPlan plan;
  plan.stop = stop;
  plan.step = .01;
  return run_simulation(*instance, plan, {});
}

std::vector<double> const& column(SimulationResult const& result, std::string const& name) {
  auto const found = std::ranges::find(result.table.names, name);
  return result.table.columns.at(static_cast<std::size_t>(found - result.table.names.begin()));
}

class ExchangeOfVersion : public testing::TestWithParam<int> {};

// The bouncing ends at sqrt(2 H/g) (1 + e)/(1 - e), and the ball rests; it fell through the ground.
TEST_P(ExchangeOfVersion, KeepsEveryBouncingBallOnTheGround) {
  for (double const e : {.1, .3, .5, .7, .9}) {
    for (double const height : {.6, 1.1}) {
      double const end = std::sqrt(2 * (height - .1) / gravity) * (1 + e) / (1 - e);
      SimulationResult const result = exchanged(
          "<body name=\"b\" type=\"planar\" mass=\"1\"><sphere radius=\".1\"/><initial position=\"0 " +
              std::to_string(height) + "\"/></body><contact name=\"c\" point=\"b\" restitution=\"" +
              std::to_string(e) + "\"/>",
          GetParam(), end + .5);
      ASSERT_FALSE(result.failure) << *result.failure;
      std::vector<double> const& y = column(result, "b.position[2]");
      for (std::size_t row = 0; row < y.size(); ++row) {
        EXPECT_GT(y[row], .1 - 1e-6) << "e " << e << ", height " << height;
        if (result.table.time[row] <= end + 1e-3) continue;
        EXPECT_NEAR(y[row], .1, 1e-6) << "e " << e << ", height " << height;
      }
    }
  }
}

// A group has one indicator for all of its impacts. Two balls that fall on each other were thrown apart with three times
// their energy.
TEST_P(ExchangeOfVersion, CatchesEveryImpactOfAGroup) {
  for (double const e : {0., .3, .7}) {
    std::string const ball = "type=\"planar\" mass=\"1\"><sphere radius=\".1\"/><initial position=\"";
    SimulationResult const result = exchanged(
        "<body name=\"low\" " + ball + "0 .3\"/></body><body name=\"top\" " + ball +
            ".001 .9\"/></body><contacts name=\"all\" mu=\".3\" restitution=\"" + std::to_string(e) + "\"/>",
        GetParam(), 6);
    ASSERT_FALSE(result.failure) << *result.failure;
    std::vector<double> const &energy = column(result, "energy.total"),
                              &low = column(result, "low.position[2]"),
                              &top = column(result, "top.position[2]");
    for (std::size_t row = 0; row < low.size(); ++row) {
      EXPECT_LE(energy[row], energy[0] * (1 + 1e-9)) << "e " << e << ", row " << row;
      EXPECT_GT(std::min(low[row], top[row]), .1 - 1e-6) << "e " << e << ", row " << row;
    }
  }
}

// A box that rocks on two corners of one contact: the second corner closes while the first carries force.
TEST_P(ExchangeOfVersion, CatchesTheSecondCornerOfABox) {
  for (double const angle : {3., 20., 44.}) {
    for (double const e : {0., .5, .8}) {
      SimulationResult const result = exchanged(
          "<body name=\"b\" type=\"planar\" mass=\"2\"><box half_size=\".1 .1\"/><initial position=\"0 .3\" "
          "angle=\"" +
              std::to_string(angle) +
              "deg\"/></body><contact name=\"c\" point=\"b\" mu=\".5\" "
              "restitution=\"" +
              std::to_string(e) + "\"/>",
          GetParam(), 5);
      ASSERT_FALSE(result.failure) << *result.failure;
      std::vector<double> const &y = column(result, "b.position[2]"),
                                &energy = column(result, "energy.total");
      for (std::size_t row = 0; row < y.size(); ++row) {
        EXPECT_GT(y[row], .1 - 1e-6) << angle << " degrees, e " << e;
        EXPECT_LE(energy[row], energy[0] * (1 + 1e-9)) << angle << " degrees, e " << e;
      }
      EXPECT_NEAR(y.back(), .1, 1e-6) << angle << " degrees, e " << e;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ExchangeOfVersion, testing::Values(2, 3),
                         [](auto const& test) { return "fmi" + std::to_string(test.param); });

}  // namespace
}  // namespace delassus
