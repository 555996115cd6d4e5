// How relaxed and compliant runs come to the rigid motion: the order in delta and in eps, measured from runs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <sstream>

#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

constexpr double g = 9.81, implicit = 3;

void record(std::string const& name, double figure) {
  std::ostringstream text;
  text.precision(12);
  text << figure;
  testing::Test::RecordProperty(name, text.str());
}

// A uniform rod of half length l on its tip, sliding to the left (xi = -1) or to the right under friction mu:
// the rigid motion x = (theta, theta', place of the tip, velocity of the tip) by classical Runge-Kutta steps.
struct RigidRod {
  double l, mu, xi;
  std::array<double, 4> rates(std::array<double, 4> const& x) const {
    double const s = std::sin(x[0]), c = std::cos(x[0]), share = -mu * xi;  // lambda_t / lambda_n
    // Per mass, with the inertia l^2/3: the tip's normal acceleration is zero.
    double const lambda = (g - l * x[1] * x[1] * s) / (1 + 3 * c * c - 3 * share * s * c);
    double const spin = 3 / l * lambda * (share * s - c);
    return {x[1], spin, x[3], share * lambda + l * (c * x[1] * x[1] + s * spin)};
  }
  std::array<double, 4> after(std::array<double, 4> x, double time, int steps) const {
    double const h = time / steps;
    for (int k = 0; k < steps; ++k) {
      auto const along = [&](std::array<double, 4> const& d, double by) {
        return std::array<double, 4>{x[0] + by * d[0], x[1] + by * d[1], x[2] + by * d[2], x[3] + by * d[3]};
      };
      auto const a = rates(x), b = rates(along(a, h / 2)), c = rates(along(b, h / 2)), d = rates(along(c, h));
      for (std::size_t i = 0; i < 4; ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return x;
  }
};

// ---- Kikuuwe and Brogliato 2017, 5.3: the run that slips throughout. While a contact slips one way, (64)
// holds its normal row at zero and its force is the rigid one: the relaxed motion is the rigid motion, for
// every delta.
TEST(PainleveRod, IsTheRigidRodForEveryDeltaWhileItSlips) {
  auto const rigid = RigidRod{1, .6, -1}.after({1, -1, 0, -2}, .2, 2000);
  for (double const delta : {1e-2, 1e-3, 1e-4}) {
    SceneRun run("painleve_rod", {{"tip_ground.delta", delta}});
    run.run_to(.2);
    EXPECT_NEAR(run.get("rod.angle"), rigid[0], 1e-9) << delta;
    EXPECT_NEAR(run.get("rod.angular_velocity"), rigid[1], 1e-9) << delta;
    EXPECT_NEAR(run.get("tip_ground.position[1]"), rigid[2], 1e-9) << delta;
    EXPECT_NEAR(run.get("tip_ground.velocity[1]"), rigid[3], 1e-8) << delta;
  }
  // The theory's number at delta = 1e-3.
  EXPECT_NEAR(rigid[0], .751094353079093, 1e-11);
  EXPECT_NEAR(rigid[1], -1.610986458506549, 1e-11);
}

// ---- Song et al. 2001, Case 1 (theory.md, section 3): the tip slides to the left, turns round without a
// stick, and slides back. In print: at about .205 s.
constexpr double rigid_reversal = .203115306222, rigid_flat = .224835164686;
constexpr double L = .234, m = .088;

std::shared_ptr<const SceneModel> rigid_song_rod() {
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(
      R"(<scene name="song_rod"><gravity acceleration="0 -9.81"/>
        <solver stepper="relaxed" tolerance="1e-11"/>
        <body name="rod" type="planar" mass="0.088"><rod half_length="0.234"/><point name="tip" fraction="-1"/>
          <initial point="tip" position="0 0" angle="42.3deg"/></body>
        <contact name="tip_ground" point="rod.tip" mu="0.27" delta="1e-4"/></scene>)",
      "rigid.xml")));
}

// When the tip turns round and when the rod lies flat.
struct Times {
  double reversal, flat;
};
Times times_of(SceneRun& run) {
  run.run_to(.19);
  double const reversal =
      run.time_when([](SceneRun& r) { return r.get("tip_ground.velocity[1]") > 0; }, .21, 20);
  double const flat = run.time_when([](SceneRun& r) { return r.get("rod.angle") < 0; }, .23, 20);
  return {reversal, flat};
}

TEST(SongRod, TurnsRoundWithOrderOneInDeltaToTheRigidTime) {
  std::vector<Times> times;
  std::vector<double> const deltas{8e-5, 4e-5, 2e-5, 1e-5};
  for (double const delta : deltas) {
    SceneRun run(rigid_song_rod(), {{"tip_ground.delta", delta}});
    times.push_back(times_of(run));
    record("reversal_at_delta_" + std::to_string(delta * 1e6) + "e-6", times.back().reversal);
    record("flat_at_delta_" + std::to_string(delta * 1e6) + "e-6", times.back().flat);
  }
  for (std::size_t i = 1; i < times.size(); ++i) {
    double const order = std::log2((times[i - 1].flat - rigid_flat) / (times[i].flat - rigid_flat));
    record("order_" + std::to_string(i), order);
    EXPECT_NEAR(order, 1, .1) << deltas[i];
  }
  double const reversal = 2 * times[3].reversal - times[2].reversal, flat = 2 * times[3].flat - times[2].flat;
  record("reversal_extrapolated", reversal);
  record("flat_extrapolated", flat);
  EXPECT_NEAR(reversal, rigid_reversal, 2e-9);
  EXPECT_NEAR(flat, rigid_flat, 2e-9);
}

TEST(SongRod, ComesToTheRigidTimesWithTheImplicitSchemeToo) {
  std::vector<double> errors;
  for (double const h : {4e-5, 2e-5, 1e-5}) {
    SceneRun run(rigid_song_rod(), {{"solver.stepper", implicit}, {"solver.step", h}});
    run.run_to(.2);
    // The last step before the rod is flat, and the line to the next.
    double const end = .23;
    double before = run.get("rod.angle"), t = run.time();
    while (t < end) {
      double const next = t + h;
      run.run_to(next);
      double const after = run.get("rod.angle");
      if (after < 0) {
        errors.push_back(std::abs(t + h * before / (before - after) - rigid_flat));
        break;
      }
      before = after;
      t = next;
    }
  }
  ASSERT_EQ(errors.size(), 3U);
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 1, .15);
}

TEST(SongRod, ComesToTheRigidTimeWithOrderOneInTheCompliance) {
  double const T = std::sqrt(L / g);
  // The rigid time from our own rigid runs.
  SceneRun coarse(rigid_song_rod(), {{"tip_ground.delta", 1e-5}}),
      fine(rigid_song_rod(), {{"tip_ground.delta", 5e-6}});
  double const limit = 2 * times_of(fine).reversal - times_of(coarse).reversal;
  EXPECT_NEAR(limit, rigid_reversal, 1e-9);
  double previous = 0;
  for (double const eps : {1e-2, 1e-3, 1e-4}) {
    SceneRun run("song_rod", {{"tip_ground.stiffness", m * L / (T * T) / std::pow(eps * L, 2)},
                              {"tip_ground.damping", 2.0 / 3 * T / (std::sqrt(eps) * L)},
                              {"tip_ground.delta", 1e-7},
                              {"solver.tolerance", 1e-11}});
    double const error = times_of(run).reversal - limit;
    record("error_at_eps_" + std::to_string(eps), error);
    EXPECT_GT(error, 0);
    if (previous > 0) {
      double const order = std::log10(previous / error);
      record("order_at_eps_" + std::to_string(eps), order);
      EXPECT_NEAR(order, 1, .02) << eps;
    }
    previous = error;
  }
}

}  // namespace
}  // namespace delassus
