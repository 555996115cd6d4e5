// Runs through states where a rigid sliding contact has no solution (Painleve, dynamic jamming), against
// impulse theory and against integrations of the rigid motion that are made here.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

constexpr double g = 9.81, regular = 1, indeterminate = 2, inconsistent = 3;  // <contact>.paradox
constexpr double detached = 1, stick = 2, slip = 3;                           // <contact>.mode
constexpr double nonsmooth = 2, implicit = 3;                                 // solver.stepper

void record(std::string const& name, double figure) {
  std::ostringstream text;
  text.precision(10);
  text << figure;
  testing::Test::RecordProperty(name, text.str());
}

// The rod of the scene: m = l = 1, inertia 1/3, leaning to the right of its tip by theta from the ground. The
// contact-space matrix of its tip (Kikuuwe and Brogliato 2017, (109)): tangential first, normal last.
struct Rod {
  double theta;
  double t() const { return 1 + 3 * std::sin(theta) * std::sin(theta); }
  double n() const { return 1 + 3 * std::cos(theta) * std::cos(theta); }
  double tn() const { return -3 * std::sin(theta) * std::cos(theta); }
  double determinant() const { return t() * n() - tn() * tn(); }
  // The force or impulse that changes the tip's velocity by (a, b).
  std::array<double, 2> force_for(double a, double b) const {
    return {(n() * a - tn() * b) / determinant(), (t() * b - tn() * a) / determinant()};
  }
  double spin_of(std::array<double, 2> const& p) const {  // change of angular velocity
    return 3 * (std::sin(theta) * p[0] - std::cos(theta) * p[1]);
  }
};
constexpr double pi_4 = std::numbers::pi / 4;

// ---- The impact without collision of a tip that slides at 1 m/s, 45 degrees, mu = 2 (Genot and Brogliato
// 1999; Peiret et al. 2019, section 5). Friction stops the slip, and the normal velocity is zero before and
// after: the impulse p solves A p = (1, 0), p = (5/8, 3/8), inside the cone because mu > mu_jam = 5/3.

struct Jam {
  double delta = 0, peak = 0, duration = 0, impulse = 0, spin = 0;
  double energy_gain = 0, highest_gap = 0, last_speed = 0;
};

// Sampled at 400 points over 20 delta.
Jam jam(double delta, std::map<std::string, double> values = {}) {
  values["tip_ground.delta"] = delta;
  SceneRun run("painleve_jam", values);
  Jam result;
  result.delta = delta;
  result.peak = run.get("tip_ground.force[2]");
  EXPECT_EQ(run.get("tip_ground.paradox"), inconsistent);
  double energy = run.get("energy.total");
  for (int k = 1; k <= 400; ++k) {
    run.run_to(20 * delta * k / 400);
    double const now = run.get("energy.total");
    EXPECT_TRUE(std::isfinite(now));
    result.peak = std::max(result.peak, run.get("tip_ground.force[2]"));
    result.energy_gain = std::max(result.energy_gain, now - energy);
    energy = std::min(energy, now);
    result.highest_gap = std::max(result.highest_gap, std::abs(run.get("tip_ground.gap")));
  }
  // The momentum that the ground gave, less the weight's.
  result.impulse = run.get("rod.velocity[2]") + g * run.time();
  result.spin = run.get("rod.angular_velocity");
  result.last_speed = std::abs(run.get("tip_ground.velocity[1]"));
  EXPECT_EQ(run.get("tip_ground.mode"), stick);
  EXPECT_EQ(run.get("tip_ground.paradox"), regular);
  SceneRun again("painleve_jam", values);
  result.duration =
      again.time_when([](SceneRun& r) { return r.get("tip_ground.velocity[1]") > -.01; }, 20 * delta, 50);
  return result;
}

TEST(ImpactWithoutCollision, LastsHalfAsLongWithTwiceTheForceWhenDeltaIsHalved) {
  Rod const rod{pi_4};
  std::vector<Jam> runs;
  for (double delta = 4e-3; delta > 2e-4; delta /= 2) runs.push_back(jam(delta));
  for (Jam const& run : runs) {
    std::string const at = "_at_delta_" + std::to_string(run.delta);
    record("peak" + at, run.peak);
    record("duration" + at, run.duration);
    record("impulse" + at, run.impulse);
    record("energy_gain" + at, run.energy_gain);
    // (65) at the start: stick with eta = 0, zeta = 1, so that the tip's slip falls as exp(-2 t/delta).
    EXPECT_NEAR(run.peak, rod.force_for(2 / run.delta, g)[1], 1e-9 * run.peak);
    EXPECT_NEAR(run.duration, run.delta / 2 * std::log(100), 1e-6 * run.delta);
    EXPECT_LT(run.last_speed, 1e-8);
    EXPECT_LT(run.highest_gap, 1e-10);  // it neither sinks in nor lifts off
    EXPECT_LT(run.energy_gain, 1e-9);
  }
  for (std::size_t i = 1; i < runs.size(); ++i) {
    EXPECT_NEAR(runs[i].peak / runs[i - 1].peak, 2, .04) << runs[i].delta;
    EXPECT_NEAR(runs[i].duration / runs[i - 1].duration, .5, 1e-4) << runs[i].delta;
  }
}

TEST(ImpactWithoutCollision, GivesTheImpulseThatStopsTheTip) {
  Rod const rod{pi_4};
  auto const p = rod.force_for(1, 0);
  EXPECT_NEAR(p[0], .625, 1e-15);
  EXPECT_NEAR(p[1], .375, 1e-15);
  double previous = 0;
  for (double const delta : {4e-4, 2e-4, 1e-4, 5e-5}) {
    Jam const run = jam(delta);
    // The rod goes on for 20 delta, through which weight and spin act: an error of order one.
    double const error = std::abs(run.spin - rod.spin_of(p));
    EXPECT_LT(error, 200 * delta);
    EXPECT_NEAR(run.impulse, p[1], 200 * delta);
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), 1, .05) << delta;
    }
    previous = error;
  }
}

// Afterwards the tip rests and the rod turns about it as a pendulum: theta'' = -(3/4) g cos(theta),
// integrated here.
double pendulum_after_the_jam(double end, double& spin) {
  double theta = pi_4;
  spin = Rod{pi_4}.spin_of(Rod{pi_4}.force_for(1, 0));
  auto const f = [](double angle) { return -.75 * g * std::cos(angle); };
  int const n = 2000;
  double const h = end / n;
  for (int k = 0; k < n; ++k) {
    double const a1 = f(theta), v1 = spin, a2 = f(theta + h / 2 * v1), v2 = spin + h / 2 * a1,
                 a3 = f(theta + h / 2 * v2), v3 = spin + h / 2 * a2, a4 = f(theta + h * v3),
                 v4 = spin + h * a3;
    theta += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    spin += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return theta;
}

TEST(ImpactWithoutCollision, ConvergesToTheRigidMotionWithOrderOneInDelta) {
  double spin = 0;
  double const theta = pendulum_after_the_jam(.1, spin);
  double previous = 0;
  for (double const delta : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    SceneRun run("painleve_jam", {{"tip_ground.delta", delta}});
    run.run_to(.1, 10);
    double const error = std::hypot(run.get("rod.angle") - theta, run.get("rod.angular_velocity") - spin);
    record("error_at_delta_" + std::to_string(delta), error);
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), 1, .05) << delta;
    }
    EXPECT_EQ(run.get("tip_ground.mode"), stick);
    EXPECT_NEAR(run.get("tip_ground.position[1]"), -delta / 2,
                delta / 100);  // how far it slid: v delta/(2 zeta)
    previous = error;
  }
}

TEST(ImpactWithoutCollision, TakesOneInelasticStepOfTheImplicitScheme) {
  double spin = 0;
  double const theta = pendulum_after_the_jam(.1, spin);
  auto const p = Rod{pi_4}.force_for(1, 0);
  double previous = 0;
  for (double const h : {1e-3, 5e-4, 2.5e-4}) {
    SceneRun run("painleve_jam", {{"solver.stepper", implicit}, {"solver.step", h}});
    EXPECT_EQ(run.get("tip_ground.paradox"), inconsistent);
    EXPECT_NEAR(run.get("tip_ground.force[1]") * h, p[0], 4 * h);
    EXPECT_NEAR(run.get("tip_ground.force[2]") * h, p[1], 8 * h);
    double const energy = run.get("energy.total");
    run.run_to(h);
    EXPECT_LT(std::abs(run.get("tip_ground.velocity[1]")), h);
    EXPECT_LT(run.get("energy.total"), energy);
    EXPECT_EQ(run.get("tip_ground.paradox"), regular);
    run.run_to(.1);
    double const error = std::hypot(run.get("rod.angle") - theta, run.get("rod.angular_velocity") - spin);
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), 1, .1) << h;
    }
    previous = error;
  }
}

// ---- Several solutions: G_A < 0. The contact has no force yet, and `continuous` lets it go, as the stable
// of Song's two solutions does; `stick` jams it.

TEST(IndeterminateRod, LiftsOffUnlessTheRuleHoldsIt) {
  SceneRun free("painleve_jam", {{"rod.initial.angular_velocity", 4}});
  EXPECT_EQ(free.get("tip_ground.paradox"), indeterminate);
  free.run_to(.01);
  EXPECT_EQ(free.get("tip_ground.mode"), detached);
  // Free fall: the centre, and the tip from it.
  double const s = std::sin(pi_4 + .04), y = std::sin(pi_4) + 4 * std::cos(pi_4) * .01 - g * 1e-4 / 2;
  EXPECT_NEAR(free.get("tip_ground.gap"), y - s, 1e-10);
  EXPECT_EQ(free.get("tip_ground.paradox"), regular);

  SceneRun held("painleve_jam", {{"rod.initial.angular_velocity", 4}, {"solver.rule", 3}});
  EXPECT_EQ(held.get("tip_ground.paradox"), indeterminate);
  EXPECT_EQ(held.get("tip_ground.mode"), stick);
  double const energy = held.get("energy.total");
  held.run_to(1e-3);
  EXPECT_NEAR(held.get("tip_ground.velocity[1]"), -std::exp(-2), 1e-6);
  EXPECT_LT(held.get("energy.total"), energy);
}

// ---- A tip that lands in the jam bounces by zeta. In units of delta, while it sticks, the gap x follows x''
// + 2 zeta x' + x = 0 from x = 0, x' = -w, and the slip falls as exp(-2 zeta tau). The force leaves the cone
// where b_n = -b_t/7 (45 degrees, mu = 2: A^-1 b on lambda_t = 2 lambda_n); slip and stick end there
// together, and the tip is free with the speed that it has.

double lift_off_after_landing(double zeta, double w) {
  double const omega = std::sqrt(1 - zeta * zeta);
  auto const velocity = [&](double tau) {
    return -w * std::exp(-zeta * tau) * (std::cos(omega * tau) - zeta / omega * std::sin(omega * tau));
  };
  auto const leaves = [&](double tau) {
    double const x = -w / omega * std::exp(-zeta * tau) * std::sin(omega * tau);
    return -2 * zeta * velocity(tau) - x < -2 * zeta * std::exp(-2 * zeta * tau) / 7;
  };
  double low = 0, high = .01;
  for (; !leaves(high) && high < 20; high += .01) low = high;
  for (int k = 0; k < 100; ++k) {
    double const middle = (low + high) / 2;
    (leaves(middle) ? high : low) = middle;
  }
  return velocity(high);
}

std::string scene_text(std::string const& name) {
  std::ifstream file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string replaced(std::string text, std::string const& what, std::string const& by) {
  std::size_t const at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::shared_ptr<const SceneModel> jam_with(std::string const& law) {
  std::string const text =
      replaced(scene_text("painleve_jam"), R"(mu="2" zeta="1" delta)", R"(mu="2" )" + law + " delta");
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(text, "jam.xml")));
}

// The closed form has one zeta for all rows, as (64) has it.
TEST(LandingInTheJam, BouncesByZeta) {
  double const delta = 1e-6;
  for (double const w : {.5, .1}) {
    double previous = w;
    for (double const zeta : {.1, .2, .4, .6}) {
      SceneRun run(jam_with(R"(zeta="1" tangential_zeta="1")"), {{"tip_ground.delta", delta},
                                                                 {"tip_ground.zeta", zeta},
                                                                 {"tip_ground.tangential_zeta", zeta},
                                                                 {"rod.initial.velocity[2]", -w}});
      EXPECT_EQ(run.get("tip_ground.paradox"), inconsistent);
      double const energy = run.get("energy.total");
      run.time_when([](SceneRun& r) { return r.get("tip_ground.mode") == detached; }, 10 * delta, 100);
      double const speed = run.get("tip_ground.velocity[2]");
      record("lift_off_from_" + std::to_string(w) + "_with_zeta_" + std::to_string(zeta), speed);
      EXPECT_NEAR(speed, lift_off_after_landing(zeta, w), 2e-5) << zeta << " " << w;
      EXPECT_LT(speed, previous);
      EXPECT_LT(run.get("energy.total"), energy);
      previous = speed;
    }
  }
}

// ---- Laws under which the jam itself presses the tip in, and it bounces: a compliant contact, and smooth
// friction on a rigid one. In units of delta the depth y grows by y'' = alpha (y + 2 zeta y') while the tip
// slides, in the end as the mode of the rate r, r^2 = alpha (1 + 2 zeta r), which is all that is left of the
// load that began it. The slip, of 1 m/s, loses 7 for each 1 of y' (45 degrees, mu = 2: 7/2 and -1/2 per
// normal impulse) and has stopped at y' = 1/7. Then the tip rests, y'' + 2 zeta y' + y = 0, until the force y
// + 2 zeta y' is zero.

double lift_off_after_compression(double zeta, double alpha) {
  double const rate = alpha * zeta + std::sqrt(alpha * alpha * zeta * zeta + alpha);
  double const y = 1 / (7 * rate), ydot = 1.0 / 7, omega = std::sqrt(1 - zeta * zeta);
  // The force follows the same equation.
  double const force = y + 2 * zeta * ydot, force_rate = ydot - 2 * zeta * (2 * zeta * ydot + y);
  double const tau = std::atan2(omega * force, -(force_rate + zeta * force)) / omega;
  double const a = y, b = (ydot + zeta * y) / omega, co = std::cos(omega * tau), si = std::sin(omega * tau);
  return -std::exp(-zeta * tau) * (-zeta * (a * co + b * si) + omega * (b * co - a * si));
}

// The tip's normal speed where its force ends after the jam, within `end`.
double lift_off(SceneRun& run, double end) {
  double const energy = run.get("energy.total");
  bool pressed = false;
  run.time_when(
      [&](SceneRun& r) {
        pressed = pressed || r.get("tip_ground.force[2]") > 200;
        return pressed && r.get("tip_ground.force[2]") == 0;
      },
      end, 1000);
  EXPECT_TRUE(pressed);
  EXPECT_LT(run.get("tip_ground.force[2]"), 1e-3);  // the weight would press by newtons
  EXPECT_LT(std::abs(run.get("tip_ground.velocity[1]")), 1e-3);
  EXPECT_LT(run.get("energy.total"), energy);
  return run.get("tip_ground.velocity[2]");
}

// A Kelvin-Voigt contact of the stiffness m/delta^2 and damping 2 zeta m/delta with m = 1/1.6, the mass that
// the resting tip has against normal forces: alpha = m/2.
TEST(CompliantJam, GivesBackByItsDampingWhatTheSlipHasPressedIn) {
  double const alpha = 5.0 / 16;
  // Stronge's e = 1 at zeta = 0: the normal work of compression, 1/2 (1/7)(2/7) + 1/2 (1/7)^2/1.6, comes back
  // as 1/2 v^2/1.6.
  EXPECT_NEAR(lift_off_after_compression(0, alpha), std::sqrt(3.2 * (1 / 49.0 + 1 / 156.8)), 1e-12);
  auto const model = jam_with(R"(law="kelvin_voigt" stiffness="625000" damping="250")");
  double last = 1;
  for (double const zeta : {.05, .1, .2, .4, .6}) {
    double previous = 0;
    for (double const delta : {4e-4, 1e-4, 2.5e-5}) {
      SceneRun run(model, {{"tip_ground.stiffness", .625 / (delta * delta)},
                           {"tip_ground.damping", 2 * zeta * .625 / delta},
                           {"tip_ground.delta", delta / 20},
                           {"solver.tolerance", 1e-9}});
      double const speed = lift_off(run, 100 * delta);
      record("lift_off_with_zeta_" + std::to_string(zeta) + "_delta_" + std::to_string(delta), speed);
      // Weight acts for delta log(1/delta), the time that the growing mode takes.
      double const error = speed - lift_off_after_compression(zeta, alpha);
      EXPECT_GT(error, 0);
      EXPECT_LT(error, 20 * delta * std::log(1 / delta));
      if (previous > 0) {
        EXPECT_LT(error, previous / 2.5);
      }
      previous = error;
      if (delta < 5e-5) {
        EXPECT_LT(speed, last);
        last = speed;
      }
    }
  }
}

// Smooth friction, mu tanh(v/gamma), cannot stick, and the rigid contact has no solution: the force is then
// that of the opposite A, 2 b_n, which lets the gap follow x'' = (x + 2 zeta x')/delta^2: alpha = 1.
TEST(SmoothlyRubbingJam, GivesBackByZetaWhatTheSlipHasPressedIn) {
  auto const model = jam_with(R"(zeta="0.5" friction="smooth" gamma="1e-4")");
  double last = 1;
  for (double const zeta : {.05, .1, .2, .4, .6}) {
    double previous = 0;
    for (double const delta : {4e-4, 1e-4, 2.5e-5}) {
      SceneRun run(model,
                   {{"tip_ground.zeta", zeta}, {"tip_ground.delta", delta}, {"solver.tolerance", 1e-9}});
      EXPECT_EQ(run.get("tip_ground.paradox"), inconsistent);
      EXPECT_EQ(run.get("tip_ground.solutions"), 0);
      double const speed = lift_off(run, 30 * delta);
      record("lift_off_with_zeta_" + std::to_string(zeta) + "_delta_" + std::to_string(delta), speed);
      EXPECT_EQ(run.get("tip_ground.paradox"), regular);
      double const error = std::abs(speed - lift_off_after_compression(zeta, 1));
      record("error_with_zeta_" + std::to_string(zeta) + "_delta_" + std::to_string(delta), error);
      EXPECT_LT(error, 10 * delta * std::log(1 / delta));
      if (previous > 0) {
        EXPECT_LT(error, previous / 2);
      }
      previous = error;
      if (delta < 5e-5) {
        EXPECT_LT(speed, last);
        last = speed;
      }
    }
  }
}

// ---- Dynamic jamming: the rod slides regularly, its own friction turns it up, and the force grows without
// bound as G_B falls to zero.

struct SlidingRod {
  double t = 0, theta, thetadot, speed;  // of the tip, to the right
};

// The rigid motion while it slips to the left, until G_B = 0, where lambda = G_A/(4 G_B) is beyond every
// bound.
SlidingRod slide_until_the_jam(SlidingRod rod, double mu) {
  auto const rates = [mu](std::array<double, 3> const& x) {
    double const s = std::sin(x[0]), c = std::cos(x[0]);
    double const lambda = (g - x[1] * x[1] * s) / (1 + 3 * c * c - 3 * mu * s * c);
    double const spin = 3 * lambda * (mu * s - c);
    return std::array<double, 3>{x[1], spin, mu * lambda + c * x[1] * x[1] + s * spin};
  };
  double const end = std::atan((3 * mu - std::sqrt(9 * mu * mu - 16)) / 2);
  std::array<double, 3> x{rod.theta, rod.thetadot, rod.speed};
  while (x[0] < end - 1e-9) {
    // G_B falls to zero in a time of about (end - theta)/thetadot.
    double const h = 1e-3 * (end - x[0]) / x[1];
    auto const along = [&](std::array<double, 3> const& d, double by) {
      return std::array<double, 3>{x[0] + by * d[0], x[1] + by * d[1], x[2] + by * d[2]};
    };
    auto const a = rates(x), b = rates(along(a, h / 2)), c = rates(along(b, h / 2)), d = rates(along(c, h));
    for (std::size_t i = 0; i < 3; ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    rod.t += h;
  }
  return {rod.t, x[0], x[1], x[2]};
}

struct Message {
  Status status;
  std::string category, text;
};

TEST(DynamicJamming, IsReachedByTheSlidingRodItselfAndPassed) {
  SlidingRod const critical = slide_until_the_jam({0, std::numbers::pi / 6, 2, -8}, 2);
  record("time_of_the_rigid_jam", critical.t);
  double previous_error = 0, previous_peak = 0, previous_duration = 0;
  for (double const delta : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    SceneRun run(jam_with(R"(zeta="1" tangential_zeta="1")"), {{"tip_ground.delta", delta},
                                                               {"rod.initial.angle", std::numbers::pi / 6},
                                                               {"rod.initial.angular_velocity", 2},
                                                               {"rod.initial.velocity[1]", -8}});
    EXPECT_EQ(run.get("tip_ground.paradox"), regular);
    run.run_to(.05);
    EXPECT_EQ(run.get("tip_ground.mode"), slip);
    double const begins =
        run.time_when([](SceneRun& r) { return r.get("tip_ground.paradox") == inconsistent; }, .06, 1000);
    EXPECT_NEAR(begins, critical.t, .1 * delta);
    // tan(theta) of G_B = 0 (Kikuuwe and Brogliato 2017, 5.3)
    EXPECT_NEAR(std::tan(run.get("rod.angle")), (6 - std::sqrt(20)) / 2, 2 * delta);
    double const peak = run.get("tip_ground.force[2]"), energy = run.get("energy.total");
    double const ends = run.time_when([](SceneRun& r) { return r.get("tip_ground.mode") != stick; },
                                      begins + 20 * delta, 200);
    EXPECT_LT(run.get("energy.total"), energy);
    record("peak_at_delta_" + std::to_string(delta), peak);
    record("duration_at_delta_" + std::to_string(delta), ends - begins);
    if (previous_peak > 0) {
      EXPECT_NEAR(peak / previous_peak, 2, .15) << delta;
      EXPECT_NEAR((ends - begins) / previous_duration, .5, .05) << delta;
      EXPECT_LT(std::abs(begins - critical.t), previous_error);
    }
    previous_peak = peak;
    previous_duration = ends - begins;
    previous_error = std::abs(begins - critical.t);
    run.run_to(.1, 50);
    EXPECT_TRUE(std::isfinite(run.get("energy.total")));
    EXPECT_LE(run.get("energy.total"), energy);
  }
}

// ---- What the user is told.

TEST(Paradox, IsToldOnceWhenItBeginsAndOnceWhenItEnds) {
  for (double const stepper : {1.0, nonsmooth, implicit}) {
    for (int const steps : {1, 7, 200}) {
      std::vector<Message> messages;
      SceneRun run(example_model("painleve_jam"), {{"solver.stepper", stepper}},
                   [&](Status status, std::string_view category, std::string const& text) {
                     messages.push_back({status, std::string(category), text});
                   });
      run.run_to(.04, steps);
      ASSERT_EQ(messages.size(), 2U) << stepper << " " << steps;
      for (Message const& message : messages) {
        EXPECT_EQ(message.category, "logContact");
        EXPECT_NE(message.text.find("'tip_ground'"), std::string::npos) << message.text;
      }
      EXPECT_EQ(messages[0].status, Status::warning);
      std::vector<char const*> parts{"no solution from t = 0 s on", "mu = 2,",
                                     "normal acceleration -9.81 m/s2 without"};
      // nonsmooth tells what holds on average over its step, in which the rod turns.
      if (stepper != nonsmooth) parts.insert(parts.end(), {"mu_jam = 1.66667", "-0.5 m/s2 for each newton"});
      for (char const* part : parts)
        EXPECT_NE(messages[0].text.find(part), std::string::npos) << part << " in " << messages[0].text;
      EXPECT_EQ(messages[1].status, Status::ok);
      EXPECT_NE(messages[1].text.find("is no longer inconsistent from t = "), std::string::npos)
          << messages[1].text;
    }
  }
}

TEST(Paradox, IsToldAgainAfterARollback) {
  std::vector<std::string> messages;
  SceneRun run(example_model("painleve_jam"), {},
               [&](Status, std::string_view, std::string const& text) { messages.push_back(text); });
  run.run_to(1e-3);
  ASSERT_EQ(messages.size(), 1U);
  std::string const bytes = serialise(run.slave().snapshot());
  run.run_to(.02);
  ASSERT_EQ(messages.size(), 2U);
  double const angle = run.get("rod.angle");
  run.slave().restore(deserialise(bytes));
  EXPECT_EQ(run.get("tip_ground.paradox"), inconsistent);
  run.run_to(.02);
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[1], messages[2]);
  EXPECT_EQ(run.get("rod.angle"), angle);
}

// ---- Peiret et al. 2019, section 6: the arm at x = .340, theta_3 = 101.75 deg, xdot = -1, theta_3' = 0,
// phi' = 1, mu = .5, (45)-(47). The scene has rho = 2 and all terms of c: per unit normal force half of (46),
// and the free part (.3566, .2114, -9.7809).

std::map<std::string, double> arm_state(double phidot) {
  double const L1 = .5, L2 = .5, L3 = .1, h = .6, x = .340, t3 = 101.75 * std::numbers::pi / 180;
  // Shoulder and elbow that put the wrist in its place, the elbow up.
  double const wx = x - L3 * std::cos(t3), wz = h - L3 * std::sin(t3), reach = std::hypot(wx, wz);
  double const t1 = std::atan2(wz, wx) - std::acos(reach / (2 * L1));
  double const t2 = std::atan2(wz - L1 * std::sin(t1), wx - L1 * std::cos(t1));
  EXPECT_NEAR(t1 * 180 / std::numbers::pi, 2.5, .1);
  EXPECT_NEAR(t2 * 180 / std::numbers::pi, 106.2, .1);
  // L1 s1 t1' + L2 s2 t2' = 1, L1 c1 t1' + L2 c2 t2' = 0
  double const s1 = L1 * std::sin(t1), c1 = L1 * std::cos(t1), s2 = L2 * std::sin(t2), c2 = L2 * std::cos(t2);
  double const det = s1 * c2 - s2 * c1, w1 = c2 / det, w2 = -c1 / det;
  std::map<std::string, double> values{{"tip_ground.mu", .5},
                                       {"turntable.initial.angular_velocity[3]", phidot}};
  auto const link = [&](std::string const& name, double angle, double rate, double px, double pz, double vx,
                        double vz) {
    values[name + ".initial.rotation[2]"] = angle;
    values[name + ".initial.angular_velocity[2]"] = rate;
    values[name + ".initial.angular_velocity[3]"] = phidot;
    values[name + ".initial.position[1]"] = px;
    values[name + ".initial.position[3]"] = pz;
    values[name + ".initial.velocity[1]"] = vx;
    values[name + ".initial.velocity[2]"] = px * phidot;
    values[name + ".initial.velocity[3]"] = vz;
  };
  link("link_1", t1, w1, 0, h, 0, 0);
  link("link_2", t2, w2, c1, h - s1, -s1 * w1, -c1 * w1);
  link("link_3", t3, 0, c1 + c2, h - s1 - s2, -1, 0);
  return values;
}

// In space the slide can turn aside: it does, until its direction leaves the locking angle (41) about e_jam,
// half of which is acos(mu_jam/mu); then it slides on regularly.
TEST(ArticulatedArm, TurnsOutOfTheLockingAngleWhereItHasNoSolution) {
  auto values = arm_state(1);
  double previous_peak = 0, previous_duration = 0;
  for (double const delta : {5e-4, 2.5e-4, 1.25e-4}) {
    values["tip_ground.delta"] = delta;
    std::vector<std::string> messages;
    SceneRun run(example_model("articulated_arm"), values,
                 [&](Status, std::string_view, std::string const& text) { messages.push_back(text); });
    EXPECT_NEAR(run.get("tip_ground.velocity[1]"), -1, 1e-12);
    EXPECT_NEAR(run.get("tip_ground.velocity[2]"), .340, 1e-12);
    EXPECT_NEAR(run.get("tip_ground.velocity[3]"), 0, 1e-12);
    EXPECT_EQ(run.get("tip_ground.paradox"), inconsistent);
    double const energy = run.get("energy.total"), peak = run.get("tip_ground.force[3]");
    double const duration =
        run.time_when([](SceneRun& r) { return r.get("tip_ground.paradox") == regular; }, 10 * delta, 50);
    double const half = std::atan2(run.get("tip_ground.velocity[2]"), -run.get("tip_ground.velocity[1]")) *
                        180 / std::numbers::pi;
    record("peak_at_delta_" + std::to_string(delta), peak);
    record("duration_at_delta_" + std::to_string(delta), duration);
    record("direction_at_delta_" + std::to_string(delta), half);
    EXPECT_NEAR(half, 65.3867 / 2, 100 * delta);
    if (previous_peak > 0) {
      EXPECT_NEAR(peak / previous_peak, 2, .1);
      EXPECT_NEAR(duration / previous_duration, .5, .08);
    }
    previous_peak = peak;
    previous_duration = duration;
    double highest = energy;
    for (int k = 0; k < 100; ++k) {
      run.run_to(run.time() + .002);
      highest = std::max(highest, run.get("energy.total"));
    }
    EXPECT_LT(highest - energy, 1e-6 * energy);  // NaN is not below

    ASSERT_GE(messages.size(), 2U);
    double A = 0, B = 0;
    std::size_t const at = messages[0].find("normal acceleration ");
    ASSERT_NE(at, std::string::npos) << messages[0];
    ASSERT_EQ(std::sscanf(messages[0].c_str() + at,
                          "normal acceleration %lf m/s2 without contact force and %lf m/s2 for each newton",
                          &B, &A),
              2)
        << messages[0];
    EXPECT_NEAR(A, -.311758 / 2, 1e-6);
    EXPECT_NEAR(B, -9.7809, 1e-4);
    EXPECT_NE(messages[0].find("no solution from t = 0 s"), std::string::npos) << messages[0];
    EXPECT_NE(messages[1].find("is no longer inconsistent"), std::string::npos) << messages[1];
  }
}

// Straight along e_jam there is no side to turn to.
TEST(ArticulatedArm, StopsWhereItSlidesStraightIntoTheJam) {
  auto values = arm_state(0);
  for (double const delta : {5e-4, 2.5e-4, 1.25e-4}) {
    values["tip_ground.delta"] = delta;
    SceneRun run(example_model("articulated_arm"), values);
    EXPECT_EQ(run.get("tip_ground.paradox"), inconsistent);
    EXPECT_EQ(run.get("tip_ground.mode"), stick);
    double const energy = run.get("energy.total");
    double const duration =
        run.time_when([](SceneRun& r) { return r.get("tip_ground.velocity[1]") > -.01; }, 10 * delta, 50);
    EXPECT_NEAR(duration, delta / 2 * std::log(100), 1e-3 * delta);  // zeta = 1
    run.run_to(.05, 20);
    EXPECT_EQ(run.get("tip_ground.paradox"), regular);
    EXPECT_LT(run.get("energy.total"), energy);
  }
}

TEST(ArticulatedArm, PassesUnderTheImplicitScheme) {
  auto values = arm_state(1);
  values["solver.stepper"] = implicit;
  for (double const h : {1e-3, 1e-4}) {
    values["solver.step"] = h;
    SceneRun run(example_model("articulated_arm"), values);
    EXPECT_EQ(run.get("tip_ground.paradox"), inconsistent);
    double const energy = run.get("energy.total");
    run.run_to(h);
    EXPECT_EQ(run.get("tip_ground.paradox"), regular);
    run.run_to(.1);
    EXPECT_LT(run.get("energy.total"), energy);
  }
}

// The lower of two or three blocks is pulled away under the others: at these mu the sliding contact jams, and friction stops
// it at once, but cannot drive it back. Schemes of other orders come to the same motion.
TEST(Jam, StopsASlipAndDoesNotTurnItRound) {
  auto const stack = [](int blocks, double mu) {
    std::string text =
        "<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/><experiment stop=\"0.01\" step=\"2e-4\"/>";
    for (int k = 0; k < blocks; ++k) {
      text += "<body name=\"k" + std::to_string(k) +
              "\" type=\"planar\" mass=\"1\"><box half_size=\"0.1 0.05\"/><initial position=\"0 " +
              std::to_string(0.05 + 0.1 * k) + "\" velocity=\"" + (k == 0 ? "3.7" : "0") + " 0\"/></body>";
    }
    return std::make_shared<const SceneModel>(compile_scene(read_scene_source(
        text + "<contacts name=\"c\" mu=\"" + std::to_string(mu) + "\"/></scene>", "test.xml")));
  };
  for (auto const& [blocks, mu] : {std::pair{2, 3.0}, {2, 1.0}, {3, 1.5}, {3, 1.7}, {3, 2.0}}) {
    auto const model = stack(blocks, mu);
    SceneRun other(model, {{"solver.stepper", implicit}, {"solver.step", 1e-6}});
    other.run_to(0.01);
    double const right = other.get("k0.velocity[1]"), energy = other.get("energy.total");
    for (double const step : {1e-3, 2e-4, 1e-5}) {
      for (double const stepper : {nonsmooth, 4.0}) {
        SceneRun run(model, {{"solver.stepper", stepper}, {"solver.step", step}});
        double before = run.get("energy.total");
        for (int k = 1; k <= 50; ++k) {
          run.run_to(2e-4 * k);
          EXPECT_GE(run.get("k0.velocity[1]"), -1e-9) << blocks << " blocks, mu " << mu << ", step " << step;
          EXPECT_LE(run.get("energy.total"), before * (1 + 1e-9))
              << blocks << ", mu " << mu << ", step " << step;
          before = run.get("energy.total");
        }
        // Where two contacts jam at once, what they stop with depends on how they give way.
        double const most = blocks == 2 && mu > 2 ? 0.1 : 0.02;
        EXPECT_NEAR(run.get("k0.velocity[1]"), right, most) << blocks << ", mu " << mu << ", step " << step;
        EXPECT_NEAR(before, energy, most * energy) << blocks << ", mu " << mu << ", step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace delassus
