// Sampled controllers: their laws against closed forms, their sampling against its promises, and their FMUs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fmu/instance/sampled_slave.hpp"
#include "model/control/control_law.hpp"
#include "tests/support/fmi_faces.hpp"
#include "tools/check/fmu_check.hpp"
#include "tools/import/package_description.hpp"
#include "tools/package/package_files.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/fmi/table_description.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

std::shared_ptr<const ControllerModel> controller_of(std::string const& text) {
  return std::make_shared<const ControllerModel>(compile_controller(read_scene_source(text, "test.xml")));
}

std::shared_ptr<const ControllerModel> library_controller(std::string const& name) {
  return std::make_shared<const ControllerModel>(
      read_controller_file(std::string(DELASSUS_SCENES_DIR) + "/../controllers/" + name + ".xml"));
}

std::vector<std::string> const library{"position_pid", "position_compensator", "gripper_force", "disturbance",
                                       "balance"};

// A controller, run by names.
class ControllerRun {
 public:
  explicit ControllerRun(std::shared_ptr<const ControllerModel> model, SlaveOptions const& options = {})
      : slave(std::move(model), {}, options) {
    slave.setup_experiment(0, {}, {});
    slave.enter_initialization();
  }
  void set(std::string const& name, double value) {
    std::uint32_t const reference = reference_of(slave.model().table(), name);
    slave.set(VariableType::real, false, {&reference, 1}, {&value, 1});
  }
  double get(std::string const& name) {
    std::uint32_t const reference = reference_of(slave.model().table(), name);
    double value = 0;
    slave.get(VariableType::real, false, {&reference, 1}, {&value, 1});
    return value;
  }
  void step(double size) { slave.do_step(slave.time(), size); }

  SampledSlave slave;
};

std::string pid(std::string const& attributes, std::string const& setpoint = "") {
  return R"(<controller name="c" sample_time="0.01"><pid )" + attributes + "/>" + setpoint + "</controller>";
}

std::string error_of(std::string const& text) {
  try {
    compile_controller(read_scene_source(text, "test.xml"));
  } catch (SceneError const& error) {
    return error.what();
  }
  return "";
}

TEST(PidLaw, IsTheSumOfItsPartsForAConstantError) {
  ControllerRun run(controller_of(
      pid(R"(proportional_gain="20" integral_gain="5" derivative_gain="3" rate="measured" bias="0.5")")));
  run.set("setpoint", 1);
  run.set("measurement", 0.75);
  run.set("measured_rate", 0.1);
  run.set("feedforward", -2);
  run.slave.exit_initialization();
  for (int k = 0; k < 50; ++k) {
    run.step(0.01);
    // 20 * 0.25 + 5 * 0.25 * k h - 3 * 0.1 - 2 + 0.5
    EXPECT_NEAR(run.get("output"), 3.2 + 5 * 0.25 * 0.01 * k, 1e-12) << k;
    EXPECT_NEAR(run.get("integral"), 5 * 0.25 * 0.01 * k, 1e-12);
  }
  EXPECT_EQ(run.get("error"), 0.25);
  EXPECT_EQ(run.get("reference"), 1);
}

TEST(PidLaw, FiltersTheDerivativeAsAFirstOrderLag) {
  double const filter = 0.04, h = 0.01, gain = 2;
  ControllerRun run(
      controller_of(pid(R"(proportional_gain="0" derivative_gain="2" derivative_filter="0.04")")));
  run.slave.exit_initialization();
  run.step(h);
  EXPECT_EQ(run.get("output"), 0);  // the first sample has no difference
  run.set("measurement", -1);       // a step: a geometric series with the ratio Tf/(Tf + h)
  for (int k = 0; k < 30; ++k) {
    run.step(h);
    EXPECT_NEAR(run.get("output"), gain / (filter + h) * std::pow(filter / (filter + h), k), 1e-12);
  }
  for (int k = 1; k < 2000; ++k) {  // a ramp: the gain times its slope
    run.set("measurement", -1 - 0.3 * h * k);
    run.step(h);
  }
  EXPECT_NEAR(run.get("output"), gain * 0.3, 1e-10);
}

TEST(PidLaw, DoesNotWindUp) {
  std::string const gains =
      R"(proportional_gain="1" integral_gain="10" output_minimum="-2" output_maximum="2")";
  for (bool const tracks : {false, true}) {
    ControllerRun run(controller_of(pid(gains + (tracks ? R"( tracking_time="0.05")" : ""))));
    run.set("setpoint", 1);
    run.slave.exit_initialization();
    for (int k = 0; k < 1000; ++k) run.step(0.01);
    EXPECT_EQ(run.get("output"), 2);
    // Back-calculation comes to rest where h Ki e = (h/Tt) (P + I - 2): I = 2 - 1 + 10 * 0.05.
    EXPECT_NEAR(run.get("integral"), tracks ? 1.5 : 1, tracks ? 1e-9 : 0.1 + 1e-9);
    // Below the limit as soon as the error turns; an integral that had wound up would stay there for 10 s.
    run.set("measurement", 2);
    run.step(0.01);
    EXPECT_LT(run.get("output"), 1);
  }
}

TEST(FrictionCompensation, FeedsTheStribeckCurveForwardAndRestsInItsDeadZone) {
  ControllerRun run(controller_of(
      R"(<controller name="c" sample_time="0.01"><friction_compensation rate="measured" proportional_gain="0" integral_gain="1"
         friction="3" friction_static="4" stribeck_velocity="0.1" dead_zone="0.01" compensation="0.5"/></controller>)"));
  run.slave.exit_initialization();
  auto const sampled = [&](double position, double speed) {
    run.set("measurement", position);
    run.set("measured_rate", speed);
    run.step(0.01);
    return run.get("friction_force");
  };
  EXPECT_DOUBLE_EQ(sampled(-0.02, 0), 0.5 * 4);
  EXPECT_DOUBLE_EQ(sampled(0.02, 0), -0.5 * 4);
  EXPECT_DOUBLE_EQ(sampled(-0.02, 0.1), 0.5 * (3 + std::exp(-1)));
  double const before = run.get("integral");
  EXPECT_EQ(sampled(0.0099, 0), 0);
  double const inside = run.get("integral");
  for (int k = 0; k < 100; ++k) EXPECT_EQ(sampled(0.0099, 0), 0);
  EXPECT_EQ(run.get("integral"), inside);
  EXPECT_NE(inside, before);
}

TEST(FrictionCompensation, FollowsTheDirectionOfAMovingSetpoint) {
  ControllerRun run(controller_of(
      R"(<controller name="c" sample_time="0.01"><friction_compensation proportional_gain="0" friction="3" friction_static="4"
         dead_zone="1"/><setpoint><point time="0" value="0"/><point time="1" value="-0.5"/></setpoint></controller>)"));
  run.slave.exit_initialization();
  run.step(0.01);
  EXPECT_DOUBLE_EQ(run.get("friction_force"), -4);
  for (int k = 0; k < 100; ++k) run.step(0.01);
  EXPECT_EQ(run.get("friction_force"), 0);  // it stands, and the dead zone is wide
}

TEST(GripperLaw, RampsUpItsForceAndReactsToSlip) {
  ControllerRun run(controller_of(
      R"(<controller name="c" sample_time="0.01"><gripper force_rate="50" slip_gain="1000" slip_force="2" slip_threshold="0.001"
         release_time="0.5" output_maximum="20"/></controller>)"));
  run.set("setpoint", 10);
  run.slave.exit_initialization();
  for (int k = 0; k < 20; ++k) {
    run.step(0.01);
    EXPECT_NEAR(run.get("left_squeeze"), 0.5 * (k + 1), 1e-12);
    EXPECT_EQ(run.get("right_squeeze"), run.get("left_squeeze"));
  }
  run.step(0.01);
  EXPECT_NEAR(run.get("left_squeeze"), 10, 1e-12);
  // Without contact on both sides a tangential speed is no slip.
  run.set("left_slip", 0.1);
  run.set("left_force", 5);
  run.step(0.01);
  EXPECT_EQ(run.get("reserve"), 0);
  run.set("right_force", 5);
  run.step(0.01);
  EXPECT_NEAR(run.get("reserve"), 2 + 0.01 * 1000 * 0.1, 1e-12);
  run.step(0.01);
  EXPECT_NEAR(run.get("reserve"), 2 + 2 * 0.01 * 1000 * 0.1, 1e-12);
  run.set("left_slip", 0);
  for (int k = 1; k <= 10; ++k) {
    run.step(0.01);
    EXPECT_NEAR(run.get("reserve"), 4 * std::pow(0.5 / 0.51, k), 1e-12);
  }
  run.set("right_slip", -10);
  run.step(0.01);
  EXPECT_EQ(run.get("left_squeeze"), 20);
}

TEST(StateFeedbackLaw, IsLinearWithinItsLimits) {
  ControllerRun run(controller_of(
      R"(<controller name="c" sample_time="0.01"><state_feedback output_minimum="-5" output_maximum="5" bias="1">
         <state name="x" unit="m" gain="2" reference="0.5"/><state name="w" unit="rad/s" gain="-3"/></state_feedback></controller>)"));
  run.set("x", 1);
  run.set("w", 0.5);
  run.set("setpoint", 0.25);
  run.slave.exit_initialization();
  run.step(0.01);
  EXPECT_DOUBLE_EQ(run.get("output"), 1 - 2 * (1 - 0.75) + 3 * 0.5);
  run.set("x", -100);
  run.step(0.01);
  EXPECT_EQ(run.get("output"), 5);
  auto const& table = run.slave.model().table();
  auto const unit_of = [&](std::string const& name) {
    return unit(table.find(reference_of(table, name)).variable->unit).name;
  };
  EXPECT_EQ(unit_of("x.gain"), "N/m");
  EXPECT_EQ(unit_of("w.gain"), "N.s/rad");
  EXPECT_EQ(unit_of("w.reference"), "rad/s");
}

TEST(Profile, HasTheValuesAndRatesOfItsShape) {
  std::vector<double> const times{1, 2, 4}, values{0, 2, -2};
  auto const at = [&](double t, ProfileShape shape, double period = 0) {
    return profile_at(t, shape, period, times, values);
  };
  EXPECT_EQ(at(0, ProfileShape::linear).value, 0);
  EXPECT_EQ(at(1.25, ProfileShape::linear).value, 0.5);
  EXPECT_EQ(at(1.25, ProfileShape::linear).rate, 2);
  EXPECT_EQ(at(3, ProfileShape::linear).rate, -2);
  EXPECT_EQ(at(9, ProfileShape::linear).value, -2);
  EXPECT_EQ(at(9, ProfileShape::linear).rate, 0);
  EXPECT_EQ(at(1.99, ProfileShape::step).value, 0);
  EXPECT_EQ(at(2, ProfileShape::step).value, 2);
  EXPECT_EQ(at(3, ProfileShape::smooth).value, 0);
  EXPECT_EQ(at(3, ProfileShape::smooth).rate, -4 * 1.875 / 2);  // 15/8 of the mean speed
  EXPECT_EQ(at(2, ProfileShape::smooth).rate, 0);
  // From the last point back to the first until the period is over, and again.
  EXPECT_EQ(at(4.5, ProfileShape::linear, 4).value, -1);
  EXPECT_EQ(at(1.25 + 400, ProfileShape::linear, 4).value, 0.5);
  EXPECT_EQ(at(1.25 - 400, ProfileShape::linear, 4).value, 0);  // not yet
}

// The integral of a constant error counts the samples.
int samples_of(ControllerRun& run) {
  return static_cast<int>(std::lround(run.get("integral")));
}
std::string const counting =
    R"(<controller name="c" sample_time="0.1"><pid proportional_gain="0" integral_gain="10"/></controller>)";

class Sampling : public testing::TestWithParam<double> {};
TEST_P(Sampling, IsExactForWhateverCommunicationSteps) {
  ControllerRun run(controller_of(counting));
  run.set("setpoint", 1);
  run.slave.exit_initialization();
  double const step = GetParam();
  for (int k = 1; k * step <= 200; ++k) {
    // As a host adds its steps up, with all its rounding.
    run.step(step);
    double const time = run.slave.time();
    // The integral before the last sample in [0, time).
    int const expected = static_cast<int>(std::ceil(time / 0.1 - 1e-6)) - 1;
    ASSERT_EQ(samples_of(run), expected) << "at " << time;
  }
}
INSTANTIATE_TEST_SUITE_P(Controller, Sampling, testing::Values(0.1, 0.05, 0.01, 0.03, 0.25, 0.7, 1.0 / 3),
                         [](auto const& test) {
                           return "every_" + std::to_string(std::lround(1e3 * test.param)) + "_ms";
                         });

TEST(Sampling, DoesNotDriftInAMillionSteps) {
  ControllerRun run(controller_of(counting));
  run.set("sample_time", 1e-3);
  run.set("integral_gain", 1000);
  run.set("setpoint", 1);
  run.slave.exit_initialization();
  for (int k = 0; k < 1'000'000; ++k) run.step(1e-3);
  EXPECT_EQ(samples_of(run), 999'999);
}

TEST(Sampling, HoldsOutputsAndLetsNoInputThrough) {
  ControllerRun run(controller_of(
      R"(<controller name="c" sample_time="0.1"><pid proportional_gain="2" initial_output="7"/></controller>)"));
  run.set("setpoint", 1);
  EXPECT_EQ(run.get("output"), 7);
  run.slave.exit_initialization();
  EXPECT_EQ(run.get("output"), 7);
  run.step(0.04);
  EXPECT_EQ(run.get("output"), 2);
  run.set("setpoint", 5);
  EXPECT_EQ(run.get("output"), 2);
  run.step(0.04);
  EXPECT_EQ(run.get("output"), 2);
  run.set("proportional_gain", 3);
  run.step(0.02);  // ends at the next sample, which belongs to the step after it
  EXPECT_EQ(run.get("output"), 2);
  run.step(0.04);
  EXPECT_EQ(run.get("output"), 15);
}

TEST(Sampling, SeesInputsAsTheirDerivativesCarryThemOn) {
  ControllerRun run(
      controller_of(R"(<controller name="c" sample_time="0.1"><pid proportional_gain="1"/></controller>)"));
  run.set("setpoint", 1);
  run.slave.exit_initialization();
  std::uint32_t const reference = reference_of(run.slave.model().table(), "setpoint");
  int const order = 1;
  double const slope = 2;
  run.slave.set_input_derivatives({&reference, 1}, {&order, 1}, {&slope, 1});
  run.step(0.35);
  EXPECT_NEAR(run.get("output"), 1 + 2 * 0.3, 1e-15);
  EXPECT_NEAR(run.get("setpoint"), 1 + 2 * 0.35, 1e-15);
  run.step(0.1);
  EXPECT_NEAR(run.get("output"), 1 + 2 * 0.35, 1e-15);
}

TEST(EventMode, TakesEachSampleAtItsEventWithTheInputsThatAreSetThere) {
  std::string const text =
      R"(<controller name="c" sample_time="0.1"><pid proportional_gain="1" integral_gain="3"/></controller>)";
  ControllerRun with(controller_of(text), {.event_mode = true, .early_return = true});
  ControllerRun without(controller_of(text));
  with.slave.exit_initialization();
  without.slave.exit_initialization();
  ASSERT_EQ(with.slave.phase(), Phase::event);
  double const step = 0.25;
  int events = 0;
  auto const handle = [&](double setpoint) {
    with.set("setpoint", setpoint);
    double const held = with.get("output");
    std::optional<double> const next = with.slave.update_discrete_states().next;
    ++events;
    ASSERT_TRUE(next);
    EXPECT_EQ(*next, events / 10.0);  // the double next to the decimal number
    EXPECT_NE(with.get("output"), held);
    with.slave.leave_event_mode();
  };
  handle(1);
  for (int k = 0; k < 20; ++k) {
    double const end = step * (k + 1);
    while (with.slave.time() < end) {
      StepResult const result = with.slave.do_step(with.slave.time(), end - with.slave.time());
      if (!result.event) continue;
      with.slave.enter_event_mode();
      handle(1 + result.time);
    }
  }
  // A host without event mode that steps from sample to sample and sets the same inputs gets the same outputs, to the bit.
  for (int k = 0; k < 51; ++k) {
    without.set("setpoint", 1 + (k == 0 ? 0 : 0.1 * k));
    without.slave.do_step(without.slave.time(), 0.1);
  }
  EXPECT_EQ(events, 51);
  EXPECT_EQ(with.get("output"), without.get("output"));
}

TEST(EventMode, WithoutEarlyReturnShowsOutputsInEventModeAlone) {
  ControllerRun run(
      controller_of(R"(<controller name="c" sample_time="0.1"><pid proportional_gain="2"/></controller>)"),
      {.event_mode = true});
  run.set("setpoint", 1);
  run.slave.exit_initialization();
  run.slave.update_discrete_states();
  run.slave.leave_event_mode();
  EXPECT_EQ(run.get("output"), 2);
  run.set("setpoint", 4);
  StepResult const quiet = run.slave.do_step(0, 0.05);
  EXPECT_FALSE(quiet.event || quiet.early);
  StepResult const passed = run.slave.do_step(0.05, 0.1);
  EXPECT_TRUE(passed.event);
  EXPECT_FALSE(passed.early);
  EXPECT_EQ(run.get("output"), 2);
  run.slave.enter_event_mode();
  run.slave.update_discrete_states();
  EXPECT_EQ(run.get("output"), 8);
}

TEST(Controller, ContinuesFromASavedStateToTheBit) {
  for (std::string const& name : library) {
    auto const model = library_controller(name);
    ControllerRun run(model), other(model);
    run.slave.exit_initialization();
    auto const go = [&](ControllerRun& of, int from, int to) {
      std::vector<double> seen;
      for (int k = from; k < to; ++k) {
        int input = 0;
        for (ControllerPort const& port : model->controller().inputs)
          of.set(port.name, 0.1 * std::sin(0.3 * k + ++input));
        of.step(model->table().default_experiment().step * (k % 3 == 0 ? 0.7 : 1.1));
        for (ControllerPort const& port : model->controller().outputs) seen.push_back(of.get(port.name));
      }
      return seen;
    };
    go(run, 0, 40);
    auto const saved = run.slave.take_state();
    std::string const bytes = saved->bytes();
    auto const first = go(run, 40, 200);
    run.slave.put_state(*saved);
    EXPECT_EQ(go(run, 40, 200), first) << name;
    other.slave.put_state(*other.slave.read_state(bytes));
    EXPECT_EQ(go(other, 40, 200), first) << name;
    EXPECT_THROW(other.slave.read_state(std::string_view(bytes).substr(0, bytes.size() - 1)),
                 std::runtime_error);
  }
}

TEST(Controller, RefusesTheStateOfAnother) {
  ControllerRun one(library_controller("position_pid")), other(library_controller("balance"));
  EXPECT_THROW(one.slave.put_state(*other.slave.take_state()), SlaveError);
  EXPECT_THROW(one.slave.read_state(other.slave.take_state()->bytes()), SlaveError);
  SceneSlave scene(example_model("impact"), {});
  EXPECT_THROW(one.slave.put_state(*scene.take_state()), SlaveError);
  EXPECT_THROW(scene.put_state(*one.slave.take_state()), SlaveError);
}

TEST(Controller, RefusesValuesThatDoNotGoTogether) {
  ControllerRun run(library_controller("position_pid"));
  run.slave.exit_initialization();
  try {
    run.set("output_minimum", 30);
    FAIL();
  } catch (SlaveError const& error) {
    EXPECT_EQ(error.status(), Status::discard);
    EXPECT_NE(std::string(error.what()).find("output_minimum is 30 and output_maximum 20"),
              std::string::npos);
  }
  EXPECT_EQ(run.get("output_minimum"), -20);
  EXPECT_THROW(run.set("sample_time", 1e-2), SlaveError);  // fixed
  EXPECT_THROW(run.set("derivative_filter", -1), SlaveError);
}

TEST(Controller, IsAsItWasAfterADiscard) {
  ControllerRun run(library_controller("position_pid"));
  run.slave.exit_initialization();
  VariableTable const& table = run.slave.model().table();
  std::uint32_t const references[]{reference_of(table, "measurement"), reference_of(table, "output_minimum")};
  double const values[]{0.5, 30};
  EXPECT_THROW(run.slave.set(VariableType::real, false, references, values), SlaveError);
  EXPECT_EQ(run.get("measurement"), 0);
  EXPECT_EQ(run.get("output_minimum"), -20);
}

TEST(Controller, RefusesAStepOfMoreSamplesThanAnybodyMeans) {
  ControllerRun run(library_controller("position_pid"));
  run.set("sample_time", 1e-13);
  run.slave.exit_initialization();
  try {
    run.step(0.01);
    FAIL();
  } catch (SlaveError const& error) {
    EXPECT_EQ(error.status(), Status::discard);
    EXPECT_NE(std::string(error.what()).find("raise sample_time"), std::string::npos) << error.what();
  }
  EXPECT_EQ(run.slave.time(), 0);
}

TEST(Controller, TakesStatesOfInstancesWithAndWithoutEventMode) {
  auto const model = library_controller("position_pid");
  ControllerRun with(model, {.event_mode = true}), without(model);
  with.set("setpoint", 1);
  with.slave.exit_initialization();
  ASSERT_EQ(with.slave.phase(), Phase::event);
  without.slave.put_state(*with.slave.take_state());
  EXPECT_EQ(without.slave.phase(), Phase::step);
  without.step(0.1);
  with.slave.put_state(*without.slave.take_state());
  EXPECT_EQ(with.get("output"), without.get("output"));
}

// 0.3 is 300 times 0.001 but for a rounding, and 0.5 and 0.6 likewise.
TEST(Setpoint, OfASquareWaveChangesAtTheSampleThatItIsDueAt) {
  ControllerRun run(controller_of(R"(<controller name="c" sample_time="1e-3"><signal/>
      <setpoint shape="step" period="0.1"><point time="0" value="1"/><point time="0.05" value="-1"/></setpoint></controller>)"));
  run.slave.exit_initialization();
  for (int k = 0; k < 1000; ++k) {
    run.step(1e-3);
    EXPECT_EQ(run.get("output"), k % 100 < 50 ? 1 : -1) << k;
  }
}

TEST(Setpoint, ThatComesThroughTheInputHasARateToo) {
  double const h = 0.01;
  ControllerRun run(
      controller_of(pid(R"(proportional_gain="0" derivative_gain="2" rate="measured" rate_weight="1")")));
  run.slave.exit_initialization();
  for (int k = 0; k < 20; ++k) {
    run.set("setpoint", 0.3 * h * k);
    run.step(h);
    EXPECT_NEAR(run.get("output"), k == 0 ? 0 : 2 * 0.3, 1e-12) << k;
  }
}

TEST(FrictionCompensation, PushesTheWayThatASetpointOfAnotherFmuMoves) {
  double const h = 0.01;
  ControllerRun run(
      controller_of(R"(<controller name="c" sample_time="0.01"><friction_compensation proportional_gain="0"
      integral_gain="1" friction="3" friction_static="3" stribeck_velocity="0.01" dead_zone="1e-3" standstill="1e-4"/></controller>)"));
  run.slave.exit_initialization();
  for (int k = 0; k < 20; ++k) {
    run.set("setpoint", -0.3 * h * k);
    run.set("measurement", -0.3 * h * k - 1e-4);  // ahead of it, and inside of the dead zone
    run.step(h);
    EXPECT_NEAR(run.get("friction_force"), k == 0 ? 0 : -3, 1e-12) << k;
  }
  EXPECT_NEAR(run.get("integral"), 18 * h * 1e-4, 1e-12);  // it rests where the setpoint stands alone
}

TEST(ControllerReader, SaysWhatIsWrongAndWhere) {
  auto const says = [](std::string const& text, std::string const& part) {
    std::string const error = error_of(text);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  says(
      R"(<controller name="c"><state_feedback><state name="bias" unit="m" gain="1"/></state_feedback></controller>)",
      "the name 'bias' of a state is one that the FMU already has");
  says(R"(<controller name="c"/>)", "has no law; write one of <pid>");
  says("<controller name=\"c\">\n<pdi proportional_gain=\"1\"/></controller>",
       "test.xml:2: <controller> has no element 'pdi'; did you mean 'pid'?");
  says(R"(<controller name="c"><pid/></controller>)", "needs the attribute 'proportional_gain'");
  says(R"(<controller name="c"><pid proportional_gain="1"/><signal/></controller>)", "it takes one law");
  says(R"(<controller name="c" sample_time="0"><pid proportional_gain="1"/></controller>)", "must be > 0");
  says(pid(R"(proportional_gain="1" output_minimum="2" output_maximum="1")"),
       "must not be above the maximum");
  says(pid(R"(proportional_gain="1")", R"(<setpoint/>)"), "has no <point>");
  says(pid(R"(proportional_gain="1")",
           R"(<setpoint><point time="1" value="1"/><point time="1" value="2"/></setpoint>)"),
       "must be later than the one before it");
  says(pid(R"(proportional_gain="1")",
           R"(<setpoint period="0.5"><point time="0" value="1"/><point time="1" value="2"/></setpoint>)"),
       "the period must not be shorter");
  says(R"(<controller name="c"><state_feedback/></controller>)", "nothing is fed back");
  says(
      R"(<controller name="c"><state_feedback><state name="time" unit="m" gain="1"/></state_feedback></controller>)",
      "choose another");
  says(R"(<controller name="c"><signal/></controller>)", "needs a <setpoint>");
  says(R"(<scene name="c"/>)", "must be <controller>");
}

TEST(ControllerReader, ReadsTheGainsOfARotationInItsUnits) {
  auto const model = controller_of(pid(R"(of="rotation" proportional_gain="1")"));
  auto const unit_of = [&](std::string const& name) {
    return unit(model->table().find(reference_of(model->table(), name)).variable->unit).name;
  };
  EXPECT_EQ(unit_of("proportional_gain"), "N.m/rad");
  EXPECT_EQ(unit_of("integral_gain"), "N.m/(rad.s)");
  EXPECT_EQ(unit_of("derivative_gain"), "N.m.s/rad");
  EXPECT_EQ(unit_of("output"), "N.m");
  EXPECT_EQ(unit_of("measurement"), "rad");
}

TEST(ControllerDescription, DeclaresNoFeedthroughAndNothingThatItCannotDo) {
  for (std::string const& name : library) {
    auto const model = library_controller(name);
    for (int const version : {2, 3}) {
      ModelDescription const description = package_description(*model, version);
      EXPECT_EQ(description.interface("ModelExchange"), nullptr);
      auto const& interface = *description.interface("CoSimulation");
      EXPECT_FALSE(
          interface.flag(version == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives"));
      EXPECT_FALSE(interface.flag("providesIntermediateUpdate"));
      EXPECT_EQ(interface.flag("hasEventMode"), version == 3);
      int outputs = 0;
      for (auto const& entry : description.model_structure) {
        if (entry.list.find("Output") == std::string::npos) continue;
        ++outputs;
        ASSERT_TRUE(entry.dependencies);
        EXPECT_TRUE(entry.dependencies->empty());
      }
      EXPECT_EQ(outputs, static_cast<int>(model->controller().outputs.size()));
    }
  }
}

// Through the C interface of the binary that every FMU carries.
template <class Face>
std::vector<double> through_the_binary(ControllerModel const& model) {
  TemporaryFolder const folder;
  std::ofstream(folder.path() / controller_archive_name, std::ios::binary) << model.archive();
  std::vector<test::Logged> log;
  Face face(log);
  EXPECT_TRUE(face.instantiate(model.token(Face::version).c_str(), Face::location(folder.path()).c_str()));
  std::vector<std::string> inputs, outputs;
  for (ControllerPort const& port : model.controller().inputs) inputs.push_back(port.name);
  for (ControllerPort const& port : model.controller().outputs) outputs.push_back(port.name);
  auto const in = Face::references(model.table(), inputs), out = Face::references(model.table(), outputs);
  EXPECT_EQ(face.enter(), test::ok);
  EXPECT_EQ(face.exit(), test::ok);
  std::vector<double> seen, values(inputs.size()), read(outputs.size());
  double time = 0;
  for (int k = 0; k < 1200; ++k) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = 0.1 * std::sin(0.3 * k + static_cast<double>(i));
    if (!values.empty()) {
      EXPECT_EQ(face.set(in, values), test::ok);
    }
    double const size = model.table().default_experiment().step * (k % 2 == 0 ? 0.6 : 1.7);
    EXPECT_EQ(face.step(time, size), test::ok);
    time += size;
    EXPECT_EQ(face.get(out, read), test::ok);
    seen.insert(seen.end(), read.begin(), read.end());
  }
  return seen;
}

TEST(ControllerFmu, IsTheSameToTheBitInBothVersions) {
  for (std::string const& name : library) {
    auto const model = library_controller(name);
    auto const fmi2 = through_the_binary<test::Fmi2Face>(*model);
    EXPECT_EQ(fmi2, through_the_binary<test::Fmi3Face>(*model)) << name;
    EXPECT_NE(*std::min_element(fmi2.begin(), fmi2.end()), *std::max_element(fmi2.begin(), fmi2.end()))
        << name;
  }
}

TEST(ControllerFmu, PassesEveryCheckInBothVersions) {
  TemporaryFolder const folder;
  for (std::string const& name : library) {
    auto const model = library_controller(name);
    for (int const version : {2, 3}) {
#ifdef DELASSUS_SANITIZED
      if (version != 2 + static_cast<int>(name.size() % 2))
        continue;  // one in turn: each takes half a minute
#endif
      auto const file = folder.path() / (name + ".fmu");
      auto const files = package_files(
          *model, version,
          PackageOptions{.scene_text = "<controller/>", .reference = true, .platforms = {"x86_64-linux"}});
      EXPECT_TRUE(files.contains("resources/controller.delassus"));
      EXPECT_TRUE(files.contains("documentation/controller.xml"));
      EXPECT_NE(files.at("documentation/index.html").find("<h2>The law</h2>"), std::string::npos);
      write_file(file, make_archive(files));
      CheckReport const report = check_fmu(file, {});
      EXPECT_TRUE(report.exercised);
      EXPECT_FALSE(report.failed);
      for (Finding const& finding : report.findings) {
#ifdef DELASSUS_SANITIZED
        if (finding.rule == "binary-dependencies") continue;  // on the sanitizers' libraries
#endif
        ADD_FAILURE() << name << " " << version << ": " << finding.rule << ": " << finding.message;
      }
    }
  }
}

}  // namespace
}  // namespace delassus
