// Changes of contact mode: told at their exact time, and without influence on the motion, whether somebody waits
// for them or not.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

constexpr double g = 9.81;

std::shared_ptr<const SceneModel> model_of(std::string const& source) {
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(source, "test.xml")));
}

struct Told {
  double count, time, source, kind;
};
Told last_event(SceneRun& run) {
  return {run.get("events.count"), run.get("events.time"), run.get("events.source"), run.get("events.kind")};
}
double number_of(ContactEvent event) {
  return static_cast<double>(event);
}

std::string const falling_ball = R"(<scene name="drop"><gravity acceleration="0 -9.81"/>
<solver tolerance="1e-10"/><interface integers="yes"/>
<body name="ball" type="slider" axis="y" mass="2"><initial position="1" velocity="0"/></body>
<contact name="ground" point="ball" zeta="0.2" delta="1e-2"/><force name="push" point="ball"/></scene>)";

// In free fall the relaxed constraint (64) asks for force as soon as h + 2 zeta delta h' + delta^2 h'' < 0, with
// h = 1 - g t^2/2: a quadratic equation in t.
double time_of_impact() {
  double const zeta = .2, delta = 1e-2;
  double const a = -g / 2, b = -2 * zeta * delta * g, c = 1 - delta * delta * g;
  return (-b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
}

// From there on h'' + 2 (zeta/delta) h' + h/delta^2 = 0, while the force is positive: lambda/m = h'' + g. The
// oscillation decays from (h, h') at the impact; the force ends where h'' = -g for the first time after the start.
double time_of_lift_off() {
  double const zeta = .2, delta = 1e-2, t0 = time_of_impact();
  double const h0 = 1 - g * t0 * t0 / 2, v0 = -g * t0;
  double const decay = zeta / delta, frequency = std::sqrt(1 - zeta * zeta) / delta;
  double const sine = (v0 + decay * h0) / frequency;
  auto const force = [&](double s) {
    double const c = std::cos(frequency * s), d = std::sin(frequency * s), e = std::exp(-decay * s);
    double const h = e * (h0 * c + sine * d);
    double const v = e * ((-decay * h0 + frequency * sine) * c + (-decay * sine - frequency * h0) * d);
    return -2 * decay * v - h / (delta * delta) + g;
  };
  double low = 1e-6, high = low;
  while (force(high) > 0) high += 1e-5;
  low = high - 1e-5;
  for (int i = 0; i < 60; ++i) {
    double const middle = (low + high) / 2;
    (force(middle) > 0 ? low : high) = middle;
  }
  return t0 + high;
}

TEST(Event, OfAnImpactIsAtItsExactTime) {
  for (double const step : {.1, 2e-2, 7e-3}) {
    SceneRun run(model_of(falling_ball));
    run.slave().exit_initialization();
    while (run.get("events.count") < 1) run.run_to(run.time() + step);
    if (run.get("events.count") > 1) {  // a long step has the lift-off in it too
      EXPECT_NEAR(run.get("events.time"), time_of_lift_off(), 1e-9);
      continue;
    }
    Told const told = last_event(run);
    EXPECT_NEAR(told.time, time_of_impact(), 1e-9) << "step " << step;
    EXPECT_EQ(told.source, 1);
    EXPECT_EQ(told.kind, number_of(ContactEvent::made));
    while (run.get("events.count") < 2) run.run_to(run.time() + step);
    Told const lost = last_event(run);
    EXPECT_NEAR(lost.time, time_of_lift_off(), 1e-9);
    EXPECT_EQ(lost.kind, number_of(ContactEvent::lost));
  }
}

// A block that slides with v0 under mu: v = v0 - mu g t. It sticks as soon as the relaxed velocity constraint can be
// held by a force within the cone: v' + (2 zeta/delta) v = 0 needs |v'| <= mu g, so v = mu g delta/(2 zeta).
std::string const slider = R"(<scene name="slide"><gravity acceleration="0 -9.81"/>
<solver tolerance="1e-10"/>
<body name="block" type="point" mass="3"><initial position="0 0" velocity="2 0"/></body>
<contact name="floor" point="block" mu="0.4" zeta="1" delta="1e-3"/><force name="push" point="block"/></scene>)";

TEST(Event, OfSlipThatEndsInStickIsAtItsExactTime) {
  SceneRun run(model_of(slider));
  run.run_to(1);
  Told const told = last_event(run);
  EXPECT_EQ(told.count, 1);
  EXPECT_NEAR(told.time, (2 - .4 * g * 1e-3 / 2) / (.4 * g), 1e-9);
  EXPECT_EQ(told.kind, number_of(ContactEvent::stick));
  // And of stick that ends in slip, where the push exceeds mu m g: at once, at the communication point.
  run.set("push[1]", .4 * 3 * g * 1.01);
  run.run_to(1.1);
  EXPECT_EQ(last_event(run).count, 2);
  EXPECT_NEAR(last_event(run).time, 1, 1e-12);
  EXPECT_EQ(last_event(run).kind, number_of(ContactEvent::slip));
}

struct Sample {
  double t;
  std::vector<double> values;
};

// All real outputs at multiples of `step`; with early return the step is completed in parts.
std::vector<Sample> run_with(std::shared_ptr<const SceneModel> const& model, SlaveOptions const& options,
                             double step, int steps, int* events = nullptr) {
  SceneSlave slave(model, {}, options);
  slave.setup_experiment(0, {}, {});
  slave.enter_initialization();
  slave.exit_initialization();
  auto const handle = [&] {
    slave.enter_event_mode();
    slave.update_discrete_states();
    slave.leave_event_mode();
  };
  if (options.event_mode) {
    slave.update_discrete_states();
    slave.leave_event_mode();
  }
  std::vector<Sample> samples;
  for (int k = 1; k <= steps; ++k) {
    double const end = k * step;
    while (slave.time() < end) {
      double const now = slave.time();
      StepResult const result = slave.do_step(now, end - now);
      EXPECT_EQ(result.early, result.time < end);
      EXPECT_FALSE(result.early && !options.early_return);
      EXPECT_FALSE(result.event && !options.event_mode);
      if (result.event) {
        if (events) ++*events;
        handle();
      }
    }
    Sample sample{end, {}};
    for (Variable const& variable : model->table().variables()) {
      if (variable.causality != Causality::output || variable.type != VariableType::real) continue;
      std::vector<double> values(static_cast<std::size_t>(variable.size));
      slave.get(VariableType::real, true, {&variable.value_reference, 1}, values);
      sample.values.insert(sample.values.end(), values.begin(), values.end());
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

class MotionWithEvents : public testing::TestWithParam<char const*> {};

TEST_P(MotionWithEvents, IsTheMotionWithout) {
  auto const model = example_model(GetParam());
  double const step = model->scene().experiment.step * 3.7;
  auto const plain = run_with(model, {}, step, 40);
  int events = 0;
  auto const handled = run_with(model, {.event_mode = true}, step, 40);
  auto const early = run_with(model, {.event_mode = true, .early_return = true}, step, 40, &events);
  for (std::size_t k = 0; k < plain.size(); ++k) {
    for (std::size_t i = 0; i < plain[k].values.size(); ++i) {
      double const scale = std::max(1.0, std::abs(plain[k].values[i]));
      EXPECT_NEAR(plain[k].values[i], handled[k].values[i], 1e-10 * scale) << k << " " << i;
      EXPECT_NEAR(plain[k].values[i], early[k].values[i], 1e-10 * scale) << k << " " << i;
    }
  }
  RecordProperty("events", events);
}

INSTANTIATE_TEST_SUITE_P(OfScene, MotionWithEvents,
                         testing::Values("impact", "bouncing_ball", "sliding_block", "falling_rod",
                                         "painleve_rod", "belt_blocks", "gripper"),
                         [](auto const& test) { return test.param; });

TEST(Event, EndsAStepThatMayEndEarly) {
  auto const model = model_of(falling_ball);
  SceneSlave slave(model, {}, {.event_mode = true, .early_return = true});
  slave.setup_experiment(0, {}, {});
  slave.enter_initialization();
  slave.exit_initialization();
  EXPECT_EQ(slave.phase(), Phase::event);
  slave.update_discrete_states();
  slave.leave_event_mode();
  StepResult const result = slave.do_step(0, 1);
  EXPECT_TRUE(result.early);
  EXPECT_TRUE(result.event);
  EXPECT_NEAR(result.time, time_of_impact(), 1e-9);
  EXPECT_EQ(slave.time(), result.time);
  // Discrete outputs change in event mode, not before.
  std::uint32_t const mode = reference_of(model->table(), "ground.mode"),
                      number = reference_of(model->table(), "ground.mode_number");
  double before = 0, after = 0, as_integer = 0;
  slave.get(VariableType::enumeration, true, {&mode, 1}, {&before, 1});
  slave.enter_event_mode();
  EXPECT_TRUE(slave.clock_ticks());
  slave.get(VariableType::enumeration, true, {&mode, 1}, {&after, 1});
  slave.get(VariableType::integer, true, {&number, 1}, {&as_integer, 1});
  EXPECT_EQ(before, static_cast<double>(ContactMode::detached));
  EXPECT_EQ(after, static_cast<double>(ContactMode::stick));
  EXPECT_EQ(as_integer, after);
  slave.update_discrete_states();
  EXPECT_FALSE(slave.clock_ticks());
}

TEST(Event, ModeIsOfNoConsequenceForAStateThatIsTaken) {
  auto const model = model_of(falling_ball);
  SceneSlave with(model, {}, {.event_mode = true}), without(model, {}, {});
  for (SceneSlave* const slave : {&with, &without}) {
    slave->setup_experiment(0, {}, {});
    slave->enter_initialization();
    slave->exit_initialization();
  }
  without.put_state(*with.take_state());
  EXPECT_EQ(without.phase(), Phase::step);
  without.do_step(0, .5);
  with.put_state(*without.take_state());
  std::uint32_t const kind = reference_of(model->table(), "events.kind");
  double value = 0;
  with.get(VariableType::enumeration, true, {&kind, 1}, {&value, 1});
  EXPECT_EQ(value, number_of(ContactEvent::lost));  // it has bounced
  EXPECT_FALSE(with.do_step(.5, 1e-6).early);
}

// A block that a force at the bound of friction holds: in event mode the force grows.
TEST(Event, OfAnInputThatIsSetInEventModeMakesTheClockTick) {
  auto const model = model_of(R"(<scene name="block"><gravity acceleration="0 -10"/>
    <body name="block" type="slider" mass="1"/><friction name="dry" point="block" bound="5"/>
    <force name="push" point="block"/></scene>)");
  SceneSlave slave(model, {}, {.model_exchange = true});
  slave.setup_experiment(0, {}, {});
  slave.enter_initialization();
  slave.exit_initialization();
  while (slave.update_discrete_states().again) {
  }
  slave.leave_event_mode();
  slave.enter_event_mode();
  slave.update_discrete_states();
  EXPECT_FALSE(slave.clock_ticks());
  std::uint32_t const push = reference_of(model->table(), "push");
  double const force = 6;
  slave.set(VariableType::real, true, {&push, 1}, {&force, 1});
  EXPECT_TRUE(slave.update_discrete_states().again);
  EXPECT_TRUE(slave.clock_ticks());
  EXPECT_FALSE(slave.update_discrete_states().again);
  EXPECT_FALSE(slave.clock_ticks());
}

TEST(Event, IsToldByFixedStepsWithTheTimeOfTheirStep) {
  SceneRun run(model_of(slider), {{"solver.stepper", 3}, {"solver.step", 1e-4}});
  run.run_to(1, 10);
  Told const told = last_event(run);
  EXPECT_EQ(told.count, 1);
  EXPECT_NEAR(told.time, 2 / (.4 * g), 2e-4);
  EXPECT_EQ(told.kind, number_of(ContactEvent::stick));
}

TEST(IntermediateUpdate, ComesAfterEveryInternalStepAndMayEndTheStep) {
  auto const model = model_of(falling_ball);
  SceneSlave slave(model, {}, {.early_return = true});
  slave.setup_experiment(0, {}, {});
  slave.enter_initialization();
  slave.exit_initialization();
  std::uint32_t const position = reference_of(model->table(), "ball.position");
  std::vector<double> times;
  StepResult const whole = slave.do_step(0, .4, [&](double time) {
    EXPECT_EQ(slave.phase(), Phase::intermediate);
    EXPECT_EQ(slave.time(), time);
    double y = 0;
    slave.get(VariableType::real, true, {&position, 1}, {&y, 1});
    EXPECT_NEAR(y, 1 - g * time * time / 2, 1e-10);
    times.push_back(time);
    return IntermediateAnswer{};
  });
  EXPECT_EQ(whole.time, .4);
  EXPECT_GT(times.size(), 10U);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(times.back(), .4);
  StepResult const cut = slave.do_step(.4, .04, [&](double time) {
    return IntermediateAnswer{time > .4, .4123};
  });
  EXPECT_TRUE(cut.early);
  EXPECT_EQ(cut.time, .4123);
  StepResult const at_once = slave.do_step(cut.time, .01, [](double) {
    return IntermediateAnswer{true, std::numeric_limits<double>::quiet_NaN()};
  });
  EXPECT_TRUE(at_once.early);
  EXPECT_LT(at_once.time, .4223);
}

// m a = F(t), F = k t: x = k t^3/(6 m), exactly what a polynomial of order one gives in one step.
TEST(Input, IsInterpolatedByItsDerivatives) {
  auto const run_by = [&](double step, bool derivatives) {
    SceneRun run(
        model_of(R"(<scene name="free"><solver tolerance="1e-10"/><body name="mass" type="slider" mass="2"/>
                             <force name="push" point="mass"/></scene>)"));
    run.slave().exit_initialization();
    std::uint32_t const push = reference_of(run.slave().model().table(), "push");
    int const order = 1, count = static_cast<int>(std::lround(1 / step));
    for (int k = 0; k < count; ++k) {
      run.set("push", 3.0 * k / count);
      double const slope = 3;
      if (derivatives) run.slave().set_input_derivatives({&push, 1}, {&order, 1}, {&slope, 1});
      run.run_to(static_cast<double>(k + 1) / count);
    }
    EXPECT_NEAR(run.get("push"), derivatives ? 3.0 : 3.0 * (count - 1) / count, 1e-12);
    return run.get("mass.position");
  };
  double const exact = 3.0 / (6 * 2);
  EXPECT_NEAR(run_by(1e-2, true), exact, 1e-10);
  EXPECT_NEAR(run_by(1e-4, true), exact, 1e-10);
  EXPECT_GT(std::abs(run_by(1e-2, false) - exact), 1e-4);  // held inputs are of first order
}

TEST(Input, OfARampGivesTheSameFrictionalMotionAtLongSteps) {
  auto const run_by = [&](double step) {
    SceneRun run(model_of(slider), {{"block.initial.velocity[1]", 0}, {"solver.tolerance", 1e-12}});
    run.slave().exit_initialization();
    std::uint32_t const push = reference_of(run.slave().model().table(), "push[1]");
    int const order = 1, count = static_cast<int>(std::lround(1 / step));
    double const slope = 20;  // N/s: it starts to slip at .4 m g/20 = 0.5886 s
    for (int k = 0; k < count; ++k) {
      run.set("push[1]", slope * k / count);
      run.slave().set_input_derivatives({&push, 1}, {&order, 1}, {&slope, 1});
      run.run_to(static_cast<double>(k + 1) / count);
    }
    EXPECT_NEAR(run.get("events.time"), .4 * 3 * g / slope, 1e-8);
    return run.get("block.position[1]");
  };
  EXPECT_NEAR(run_by(1e-2), run_by(1e-4), 1e-6);
}

TEST(Input, DerivativesThatMakeNoSenseAreRefused) {
  SceneRun run(model_of(slider));
  run.slave().exit_initialization();
  std::uint32_t const push = reference_of(run.slave().model().table(), "push[1]"),
                      mass = reference_of(run.slave().model().table(), "block.mass");
  int const none = 0, one = 1;
  double const slope = 1, nothing = std::nan("");
  EXPECT_THROW(run.slave().set_input_derivatives({&push, 1}, {&none, 1}, {&slope, 1}), SlaveError);
  EXPECT_THROW(run.slave().set_input_derivatives({&mass, 1}, {&one, 1}, {&slope, 1}), SlaveError);
  EXPECT_THROW(run.slave().set_input_derivatives({&push, 1}, {&one, 1}, {&nothing, 1}), SlaveError);
}

// Without feedthrough a controller can read, compute and write in any order.
TEST(Input, StaysAsItWasWhereAnotherValueOfTheCallIsDiscarded) {
  SceneRun run("biped_foot"), other("biped_foot");
  run.run_to(1e-2);
  other.run_to(1e-2);
  VariableTable const& table = run.slave().model().table();
  std::uint32_t const references[]{reference_of(table, "ankle_torque"), reference_of(table, "ankle.lower")};
  double const values[]{5, 2};
  EXPECT_THROW(run.slave().set(VariableType::real, false, references, values), SlaveError);
  EXPECT_EQ(run.get("ankle_torque"), 0);
  EXPECT_EQ(run.get("ankle.lower"), -.8);
  for (SceneRun* const each : {&run, &other}) {
    each->set("ankle_torque", 5);
    each->run_to(2e-2);
  }
  EXPECT_EQ(run.slave().take_state()->bytes(), other.slave().take_state()->bytes());
}

TEST(Feedthrough, CanBeLeftOutOfTheInterface) {
  std::string source = slider;
  source.insert(source.find("<solver"), R"(<interface feedthrough="no"/>)");
  auto const model = model_of(source);
  SceneRun run(model);
  run.slave().exit_initialization();
  double const before = run.get("floor.force[1]");
  run.set("push[1]", 5);
  EXPECT_EQ(run.get("floor.force[1]"), before);
  run.set("push[1]", 0);
  run.run_to(1);
  run.set("push[1]", 5);
  EXPECT_NEAR(run.get("floor.force[1]"), 0, 1e-6);
  run.run_to(1.1);
  EXPECT_NEAR(run.get("floor.force[1]"), -5, 1e-6);  // it sticks, and friction holds the push
  for (Variable const& variable : model->table().variables()) {
    if (variable.causality == Causality::output) {
      EXPECT_TRUE(variable.input_dependencies.empty()) << variable.name;
    }
  }
  EXPECT_FALSE(model->table().offers_model_exchange());
  // The motion is the same.
  SceneRun direct(model_of(slider));
  direct.run_to(1);
  direct.set("push[1]", 5);
  direct.run_to(1.1);
  EXPECT_EQ(direct.get("block.position[1]"), run.get("block.position[1]"));
}

}  // namespace
}  // namespace delassus
