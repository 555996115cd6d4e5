// Model Exchange through both C interfaces: the host integrates with a method of its own, and comes to the motion of
// co-simulation.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/exchange_faces.hpp"

namespace delassus::test {
namespace {

constexpr double g = 9.81;

// The classical Runge-Kutta method of order 4, with steps that end where an indicator changes its sign: found by
// bisection, each time from the beginning of the step.
template <class Face>
class Integrator {
 public:
  Integrator(Face& face, double step) : face_(face), step_(step) {
    n_ = face.states();
    m_ = face.indicators();
    x_.resize(n_);
    EXPECT_EQ(face.get_states(x_), ok);
    EXPECT_EQ(face.update(), ok);
    EXPECT_EQ(face.enter_continuous(), ok);
    z_ = indicators(0, x_);
  }

  void run_to(double end) {
    while (t_ < end - 1e-14) {
      double h = std::min(step_, end - t_);
      std::vector<double> x = after(h);
      if (changes(indicators(t_ + h, x))) {
        double low = 0, high = h;
        while (high - low > 1e-13) {
          double const middle = (low + high) / 2;
          (changes(indicators(t_ + middle, after(middle))) ? high : low) = middle;
        }
        h = high;
        x = after(h);
        event_times.push_back(t_ + h);
      }
      t_ += h;
      x_ = x;
      bool event = false;
      std::vector<double> const z = indicators(t_, x_);
      EXPECT_EQ(face_.completed(event), ok);
      if (changes(z) || event) {
        EXPECT_EQ(face_.enter_event(), ok);
        bool jumps = false;
        EXPECT_EQ(face_.update(jumps), ok);
        EXPECT_EQ(face_.enter_continuous(), ok);
        EXPECT_EQ(jumps ? face_.get_states(x_) : ok, ok);
        z_ = indicators(t_, x_);
        for (double const z : z_) EXPECT_NE(z, 0) << "after the event at " << t_ << " s";
      }
    }
  }

  void set_step(double step) { step_ = step; }

  std::vector<double> event_times;
  std::vector<double> const& x() const { return x_; }

 private:
  bool changes(std::vector<double> const& z) const {
    for (std::size_t i = 0; i < m_; ++i) {
      if ((z[i] > 0) != (z_[i] > 0)) return true;
    }
    return false;
  }
  std::vector<double> derivative(double t, std::vector<double> const& x) {
    std::vector<double> dxdt(n_);
    EXPECT_EQ(face_.set_time(t), ok);
    EXPECT_EQ(face_.set_states(x), ok);
    EXPECT_EQ(face_.get_derivatives(dxdt), ok);
    return dxdt;
  }
  std::vector<double> indicators(double t, std::vector<double> const& x) {
    std::vector<double> z(m_);
    EXPECT_EQ(face_.set_time(t), ok);
    EXPECT_EQ(face_.set_states(x), ok);
    EXPECT_EQ(face_.get_indicators(z), ok);
    return z;
  }
  std::vector<double> after(double h) {
    auto const moved = [&](std::vector<double> const& k, double by) {
      std::vector<double> x = x_;
      for (std::size_t i = 0; i < n_; ++i) x[i] += by * k[i];
      return x;
    };
    auto const k1 = derivative(t_, x_), k2 = derivative(t_ + h / 2, moved(k1, h / 2)),
               k3 = derivative(t_ + h / 2, moved(k2, h / 2)), k4 = derivative(t_ + h, moved(k3, h));
    std::vector<double> x = x_;
    for (std::size_t i = 0; i < n_; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return x;
  }

  Face& face_;
  double step_, t_ = 0;
  std::size_t n_ = 0, m_ = 0;
  std::vector<double> x_, z_;
};

template <class Face>
class ModelExchange : public testing::Test {
 protected:
  std::vector<Logged> log;

  std::unique_ptr<Face> start(Resources const& resources) {
    auto face = std::make_unique<Face>(log);
    std::string const token = resources.model->token(Face::version),
                      location = Face::location(resources.path());
    EXPECT_TRUE(face->instantiate_model_exchange(token.c_str(), location.c_str()));
    EXPECT_EQ(face->enter(), ok);
    EXPECT_EQ(face->exit(), ok);
    return face;
  }
};

using Faces = testing::Types<Fmi2ExchangeFace, Fmi3ExchangeFace>;
TYPED_TEST_SUITE(ModelExchange, Faces);

// theory: the rod of Kikuuwe and Brogliato 2017, section 5.3, computed with 25 digits elsewhere.
TYPED_TEST(ModelExchange, ComesToTheRodOfThePaper) {
  Resources const resources("painleve_rod");
  auto const face = this->start(resources);
  Integrator<TypeParam> integrator(*face, 2e-5);
  integrator.run_to(.2);
  double const expected[] = {.395733635246296,  .682439077661898,   .751094353079093,
                             -.363670691502549, -1.177538433052215, -1.610986458506549};
  ASSERT_EQ(integrator.x().size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(integrator.x()[i], expected[i], 1e-9) << i;
}

// A mass that meets the ground with 1 m/s without weight leaves at the restitution of (104), after the time at which the
// force of the damped oscillation ends.
TYPED_TEST(ModelExchange, FindsImpactAndLiftOffByItsIndicators) {
  Resources const resources("impact");
  auto const face = this->start(resources);
  Integrator<TypeParam> integrator(*face, 5e-5);
  integrator.run_to(.05);
  // theory 5.2: with weight, zeta = .2, delta = 1e-2: it leaves at .562844650931 m/s.
  ASSERT_EQ(integrator.event_times.size(), 1U);
  double const left = integrator.event_times[0], v = integrator.x()[1];
  EXPECT_NEAR(v + g * (.05 - left), .562844650931, 1e-8);
}

// Steps that are longer than a flight, and than hundreds of them at the end: the apexes e^(2k) H, the end of the bouncing at
// sqrt(2 H/g) (1 + e)/(1 - e), and rest.
TYPED_TEST(ModelExchange, LosesNoBounceInStepsOfAnyLength) {
  double const e = .8, H = .95, radius = .05, fall = std::sqrt(2 * H / g), end = fall * (1 + e) / (1 - e);
  for (double const step : {1e-3, .03, .2}) {
    Resources const resources("bouncing_ball");
    auto const face = this->start(resources);
    Integrator<TypeParam> integrator(*face, step);
    double impact = fall;
    for (int k = 1; k <= 10; ++k) {
      integrator.run_to(impact + std::pow(e, k) * fall);
      EXPECT_NEAR(integrator.x()[1], radius + std::pow(e, 2 * k) * H, 1e-9) << k << ", step " << step;
      impact += 2 * std::pow(e, k) * fall;
    }
    integrator.set_step(1e-3);  // what holds the ball at rest has a time scale of delta
    integrator.run_to(end + 1e-3);
    EXPECT_NEAR(integrator.x()[1], radius, 1e-6) << "step " << step;
    integrator.run_to(end + .2);
    EXPECT_NEAR(integrator.x()[1], radius, 1e-9) << "step " << step;
    EXPECT_NEAR(integrator.x()[4], 0, 1e-9) << "step " << step;
  }
}

class ExchangeOfScene : public testing::TestWithParam<char const*> {};

// The same motion as that of co-simulation, for scenes with joints, quaternions, deflections, prescribed bodies.
TEST_P(ExchangeOfScene, IsTheMotionOfCoSimulation) {
  Resources const resources(GetParam());
  std::vector<Logged> log;
  Fmi3ExchangeFace face(log);
  std::string const token = resources.model->token(3), location = Fmi3Face::location(resources.path());
  ASSERT_TRUE(face.instantiate_model_exchange(token.c_str(), location.c_str()));
  ASSERT_EQ(face.enter(), ok);
  ASSERT_EQ(face.exit(), ok);
  double const end = 2e-2;
  Integrator<Fmi3ExchangeFace> integrator(face, 2e-5);
  integrator.run_to(end);
  SceneRun run(resources.model, {{"solver.stepper", 1}, {"solver.tolerance", 1e-11}});
  run.run_to(end);
  std::size_t i = 0;
  for (Variable const& variable : resources.model->table().variables()) {
    if (variable.storage != Storage::state) continue;
    for (int k = 0; k < variable.size; ++k, ++i) {
      std::string const name = VariableTable::element_name(variable, k);
      EXPECT_NEAR(integrator.x()[i], run.get(name), 1e-7 * std::max(1., std::abs(run.get(name)))) << name;
    }
  }
  EXPECT_EQ(i, integrator.x().size());
}

INSTANTIATE_TEST_SUITE_P(Scenes, ExchangeOfScene,
                         testing::Values("bouncing_ball", "sliding_block", "pendulum", "spinning_top",
                                         "shaker_table", "four_bar", "rolling_ball"),
                         [](auto const& test) { return test.param; });

TEST(ModelExchangeOf, OneKindIsNotThatOfTheOther) {
  Resources const resources("impact");
  std::vector<Logged> log;
  Fmi3ExchangeFace exchange(log);
  std::string const token = resources.model->token(3), location = Fmi3Face::location(resources.path());
  ASSERT_TRUE(exchange.instantiate_model_exchange(token.c_str(), location.c_str()));
  Fmi3ExchangeFace steps(log);
  ASSERT_TRUE(steps.instantiate(token.c_str(), location.c_str()));
  ASSERT_EQ(exchange.enter(), ok);
  ASSERT_EQ(exchange.exit(), ok);
  void* state = nullptr;
  ASSERT_EQ(exchange.take(&state), ok);
  EXPECT_EQ(steps.put(state), error);
  ASSERT_EQ(exchange.release(&state), ok);
  std::vector<double> x(2);
  EXPECT_EQ(steps.get_states(x), error);
  EXPECT_EQ(exchange.step(0, 1e-3), error);
}

TEST(ModelExchangeOf, RollbackIsExactToTheBit) {
  Resources const resources("painleve_rod");
  std::vector<Logged> log;
  Fmi3ExchangeFace face(log);
  std::string const token = resources.model->token(3), location = Fmi3Face::location(resources.path());
  ASSERT_TRUE(face.instantiate_model_exchange(token.c_str(), location.c_str()));
  ASSERT_EQ(face.enter(), ok);
  ASSERT_EQ(face.exit(), ok);
  ASSERT_EQ(face.update(), ok);
  ASSERT_EQ(face.enter_continuous(), ok);
  void* state = nullptr;
  ASSERT_EQ(face.take(&state), ok);
  auto const go = [&] {
    std::vector<double> x(6), dxdt(6);
    EXPECT_EQ(face.get_states(x), ok);
    for (int k = 1; k <= 50; ++k) {
      EXPECT_EQ(face.get_derivatives(dxdt), ok);
      for (std::size_t i = 0; i < 6; ++i) x[i] += 1e-4 * dxdt[i];
      EXPECT_EQ(face.set_time(1e-4 * k), ok);
      EXPECT_EQ(face.set_states(x), ok);
      bool event = false;
      EXPECT_EQ(face.completed(event), ok);
    }
    return x;
  };
  auto const first = go();
  ASSERT_EQ(face.put(state), ok);
  EXPECT_EQ(go(), first);
  ASSERT_EQ(face.release(&state), ok);
}

}  // namespace
}  // namespace delassus::test
