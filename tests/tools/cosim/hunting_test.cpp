// A PID controller on a block with static and kinetic friction hunts: its limit cycle against one that is computed here event by
// event, without any relaxation, and its end with friction compensation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/closed_loop.hpp"

namespace delassus {
namespace {

// The numbers of tools/systems/positioning.
constexpr double mass = 1, kinetic = 1, static_friction = 1.5, stribeck_velocity = 0.01;
constexpr double Kp = 100, Ki = 300, Kd = 12, goal = 0.05, h = 1e-3;

struct Motion {
  std::vector<double> onsets;  // s, when it begins to slide
  std::vector<double> rests;   // m, error at each rest
};

double friction(double speed) {
  double const ratio = speed / stribeck_velocity;
  return kinetic + (static_friction - kinetic) * std::exp(-ratio * ratio);
}

// A mass under a force that is constant between two samples. It rests exactly until |u| exceeds the static friction, which
// happens at samples alone; while it slides it follows m v' = u - s F(|v|), by Runge-Kutta in steps of a fiftieth of a sample, and the instant at
// which it stops is found by bisection.
class EventExactBlock {
 public:
  double x = 0, v = 0;
  Motion motion;

  void advance(double t, double u) {
    double rest = h;
    if (v == 0 && std::abs(u) > static_friction) motion.onsets.push_back(t);
    while (rest > 0) {
      if (v == 0 && std::abs(u) <= static_friction) return;
      double const s = v != 0 ? std::copysign(1, v) : std::copysign(1, u);
      double const dt = std::min(rest, h / 50);
      auto const [dx, after] = slide(s, u, dt);
      if (s * after > 0) {
        x += dx;
        v = after;
        rest -= dt;
        continue;
      }
      double low = 0, high = dt;
      for (int i = 0; i < 60; ++i) {
        double const middle = (low + high) / 2;
        (s * slide(s, u, middle).second > 0 ? low : high) = middle;
      }
      x += slide(s, u, low).first;
      v = 0;
      rest -= low;
      motion.rests.push_back(goal - x);
      // Where the force would move it on the other way at once, it does.
      if (std::abs(u) > static_friction && rest > 0) motion.onsets.push_back(t + h - rest);
    }
  }

 private:
  std::pair<double, double> slide(double s, double u, double dt) const {
    auto const rate = [&](double speed) { return (u - s * friction(speed)) / mass; };
    double const k1 = rate(v), k2 = rate(v + dt / 2 * k1), k3 = rate(v + dt / 2 * k2), k4 = rate(v + dt * k3);
    return {dt * v + dt * dt / 6 * (k1 + k2 + k3), v + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)};
  }
};

Motion event_exact(double end) {
  EventExactBlock block;
  double integral = 0;
  for (long k = 0; static_cast<double>(k) * h < end; ++k) {
    double const error = goal - block.x;
    double const u = std::clamp(Kp * error + integral - Kd * block.v, -20.0, 20.0);
    integral += h * Ki * error;
    block.advance(static_cast<double>(k) * h, u);
  }
  return block.motion;
}

// The same loop with our FMUs' slaves. `creep` is how far the block moves while it rests, from 10 ms after it came to rest.
Motion simulated(ClosedLoop& loop, double end, double& creep) {
  Motion motion;
  bool rests = true;
  int rested = 0;
  double anchor = 0;
  while (loop.time() < end) {
    double const begin = loop.time();
    loop.step();
    double const x = loop.get("plant", "block.position"), v = loop.get("plant", "block.velocity");
    // What the tolerance leaves of the speed at rest is 1e-8 m/s.
    bool const sticks = loop.get("plant", "table.mode") == static_cast<double>(ContactMode::stick);
    bool const still = sticks && std::abs(v) < 1e-6;
    if (still && !rests) motion.rests.push_back(goal - x);
    if (!still && rests) motion.onsets.push_back(begin);
    rested = still ? rested + 1 : 0;
    if (rested == 10) anchor = x;
    if (rested > 10) creep = std::max(creep, std::abs(x - anchor));
    rests = still;
  }
  return motion;
}

double period_of(Motion const& motion) {
  return motion.onsets.back() - motion.onsets[motion.onsets.size() - 3];
}

TEST(Hunting, HasTheLimitCycleOfTheEventExactReference) {
  Motion const exact = event_exact(60);
  // The reference itself has come to a cycle: both sides alike, and one after the other.
  ASSERT_GT(exact.rests.size(), 12U);
  double const amplitude = std::abs(exact.rests.back());
  EXPECT_NEAR(exact.rests.back(), -exact.rests[exact.rests.size() - 2], 1e-3 * amplitude);
  EXPECT_NEAR(exact.rests.back(), exact.rests[exact.rests.size() - 3], 1e-3 * amplitude);
  EXPECT_GT(amplitude, 1e-3);

  ClosedLoop loop(system_file("positioning"));
  ASSERT_EQ(loop.step_size(), h);
  double creep = 0;
  Motion const ours = simulated(loop, 60, creep);
  ASSERT_EQ(ours.rests.size(), exact.rests.size());
  for (std::size_t i = 0; i < exact.rests.size(); ++i)
    EXPECT_NEAR(ours.rests[i], exact.rests[i], 2e-3 * amplitude) << i;
  EXPECT_NEAR(std::abs(ours.rests.back()), amplitude, 1e-3 * amplitude);
  EXPECT_NEAR(period_of(ours), period_of(exact), 1e-3 * period_of(exact));
  EXPECT_LT(creep, 1e-9);
  RecordProperty("amplitude_mm", std::to_string(1e3 * amplitude));
  std::printf("amplitude %.6f mm (event-exact %.6f), period %.4f s (%.4f), creep at rest %.2g m\n",
              1e3 * std::abs(ours.rests.back()), 1e3 * amplitude, period_of(ours), period_of(exact), creep);
}

TEST(Hunting, EndsWithFrictionCompensation) {
  ClosedLoop loop(system_file("positioning", "compensated.ssd"));
  loop.run_to(3);
  double const x = loop.get("plant", "block.position");
  EXPECT_LT(std::abs(goal - x), 1e-4);
  double creep = 0, end = 60;
  while (loop.time() < end) {
    loop.step();
    creep = std::max(creep, std::abs(loop.get("plant", "block.position") - x));
  }
  EXPECT_LT(creep, 1e-9);
  std::printf("error %.3g mm, creep in 57 s %.2g m\n", 1e3 * (goal - x), creep);
}

TEST(Hunting, EndsFromWhicheverSideAndDistance) {
  for (double const start : {-0.05, 0.049, 0.0497, 0.0503, 0.08, 0.2}) {
    ClosedLoop loop(system_file("positioning", "compensated.ssd"));
    loop.set("plant", "block.initial.position", start);
    loop.run_to(5);
    double const x = loop.get("plant", "block.position");
    EXPECT_LE(std::abs(goal - x), 1e-4) << start;
    loop.run_to(15);
    EXPECT_NEAR(loop.get("plant", "block.position"), x, 1e-9) << start;
  }
}

// A friction model that is wrong by a tenth either way: the dead zone is there for that.
TEST(Hunting, EndsWithAFrictionModelThatIsWrongByATenth) {
  for (double const factor : {0.9, 1.1}) {
    ClosedLoop loop(system_file("positioning", "compensated.ssd"));
    loop.set("controller", "compensation", factor);
    loop.run_to(15);
    double const x = loop.get("plant", "block.position");
    EXPECT_LE(std::abs(goal - x), 1e-4) << factor;
    loop.run_to(30);
    EXPECT_NEAR(loop.get("plant", "block.position"), x, 1e-9) << factor;
  }
}

}  // namespace
}  // namespace delassus
