// Every call of a host ends: times at which steps are lost are refused, communication steps of more work than anybody means
// end with a message, and values that make no numbers are told and not handed on. The instance stays usable.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fmu/instance/sampled_slave.hpp"
#include "fmu/instance/scene_slave.hpp"
#include "tests/support/scene_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus::test {
namespace {

// A block that slides and a ball above it.
std::string sliding(std::string const& solver) {
  return R"(<scene name="bounds"><gravity acceleration="0 -9.81"/>)" + solver + R"(
<body name="block" type="point" mass="1"><initial velocity="1 0"/></body>
<contact name="ground" point="block" mu="0.2" zeta="1" delta="1e-3"/>
<force name="push" point="block"/></scene>)";
}

std::shared_ptr<const SceneModel> model_of(std::string const& text) {
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(text, "bounds.xml")));
}

std::string solver(std::string const& stepper, std::string const& more = "") {
  return "<solver stepper=\"" + stepper + "\" " + more + "/>";
}

void set(Slave& slave, std::string const& name, double value) {
  std::uint32_t const reference = reference_of(slave.model().table(), name);
  slave.set(VariableType::real, false, {&reference, 1}, {&value, 1});
}

// The status and message of a refusal; ok: there is none.
std::pair<Status, std::string> refusal_of(std::function<void()> const& call) {
  try {
    call();
    return {Status::ok, ""};
  } catch (SlaveError const& error) {
    return {error.status(), error.what()};
  }
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

void start(Slave& slave, double at = 0) {
  slave.setup_experiment(at, {}, {});
  slave.enter_initialization();
  slave.exit_initialization();
}

std::vector<std::string> const steppers{"relaxed", "implicit", "nonsmooth", "nonsmooth_adaptive"};

TEST(StepBounds, RefuseAStartAtWhichAControllersSamplesAreLost) {
  auto const controller = std::make_shared<const ControllerModel>(compile_controller(read_scene_source(
      R"(<controller name="c" sample_time="1e-3"><pid proportional_gain="1"/></controller>)", "c.xml")));
  SampledSlave slave(controller, {});
  auto const [status, message] = refusal_of([&] { slave.setup_experiment(1e21, {}, {}); });
  EXPECT_EQ(status, Status::error);
  EXPECT_TRUE(contains(message, "the start time is 1e+21 s and must be >= -1e+12")) << message;
  // A number of the range, which is too large for samples of a millisecond.
  slave.setup_experiment(1e11, {}, {});
  slave.enter_initialization();
  auto const [later, why] = refusal_of([&] { slave.exit_initialization(); });
  EXPECT_EQ(later, Status::error);
  EXPECT_TRUE(contains(why, "sample_time is 0.001 s, so that time would not advance evenly")) << why;
  slave.reset();
  start(slave, 1.7e9);  // seconds since 1970
  EXPECT_EQ(slave.do_step(1.7e9, 0.01).time, 1.7e9 + 0.01);
}

TEST(StepBounds, RefuseTimesThatASceneCannotAdvanceFrom) {
  double const infinity = std::numeric_limits<double>::infinity();
  for (std::string const& stepper : steppers) {
    SceneSlave slave(model_of(sliding(solver(stepper))), {});
    for (double const wrong : {1e21, -1e300, infinity, std::nan("")})
      EXPECT_EQ(refusal_of([&] { slave.setup_experiment(wrong, {}, {}); }).first, Status::error) << wrong;
    EXPECT_EQ(refusal_of([&] { slave.setup_experiment(0, std::nan(""), {}); }).first, Status::error);
    slave.setup_experiment(0, infinity, {});  // there is no stop time
    slave.enter_initialization();
    slave.exit_initialization();
    EXPECT_EQ(slave.do_step(0, 0.01).time, 0.01);
  }
  SceneSlave fine(model_of(sliding(solver("nonsmooth", "step=\"1e-3\""))), {});
  fine.setup_experiment(1e11, {}, {});
  fine.enter_initialization();
  auto const [status, message] = refusal_of([&] { fine.exit_initialization(); });
  EXPECT_EQ(status, Status::error);
  EXPECT_TRUE(contains(message, "solver.step is 0.001 s")) << message;
  fine.reset();
  start(fine);
  EXPECT_EQ(fine.do_step(0, 0.01).time, 0.01);
}

TEST(StepBounds, RefuseTimesOfModelExchangeThatAreNone) {
  SceneSlave slave(model_of(sliding(solver("relaxed"))), {}, {.model_exchange = true});
  start(slave);
  slave.update_discrete_states();
  slave.leave_event_mode();
  for (double const wrong : {1e21, -1e13, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_EQ(refusal_of([&] { slave.set_time(wrong); }).first, Status::discard) << wrong;
  slave.set_time(0.5);
  EXPECT_EQ(slave.time(), 0.5);
}

TEST(StepBounds, TellAtOnceThatAStepWouldNeedTooManyInternalSteps) {
  for (std::string const stepper : {"implicit", "nonsmooth", "nonsmooth_adaptive"}) {
    SceneSlave slave(model_of(sliding(solver(stepper, "step=\"1e-9\""))), {});
    start(slave);
    auto const [status, message] = refusal_of([&] { slave.do_step(0, 3600); });
    EXPECT_EQ(status, Status::discard) << stepper;
    EXPECT_TRUE(contains(message, "raise solver.step, or make shorter communication steps")) << message;
    EXPECT_EQ(slave.time(), 0);
    EXPECT_EQ(slave.do_step(0, 1e-7).time, 1e-7) << stepper;
    set(slave, "solver.step", 1e-3);
    EXPECT_EQ(slave.do_step(1e-7, 1).time, 1e-7 + 1) << stepper;
  }
}

// The old bound, 20 million internal steps, came after minutes. An oscillation of 1e6 rad/s needs steps below a microsecond.
TEST(StepBounds, TellSoonThatAStepOfTheRelaxedStepperWouldTakeDays) {
  SceneSlave slave(model_of(R"(<scene name="bounds"><solver stepper="relaxed"/>
<body name="block" type="point" mass="1"><initial position="1 0"/></body>
<spring name="wire" a="block" b="ground" stiffness="1e12" length="0.999999"/></scene>)"),
                   {});
  start(slave);
  auto const [status, message] = refusal_of([&] { slave.do_step(0, 1e5); });
  EXPECT_EQ(status, Status::discard) << message;
  EXPECT_TRUE(contains(message, "the communication step of 1e+05 s would take too long")) << message;
  EXPECT_TRUE(contains(message, "make shorter communication steps")) << message;
  EXPECT_EQ(slave.time(), 0);
  EXPECT_EQ(slave.do_step(0, 1e-7).time, 1e-7);
  set(slave, "wire.stiffness", 1e3);
  EXPECT_EQ(slave.do_step(1e-7, 1).time, 1e-7 + 1);
}

// Internal steps of a hundredth of a second are none that make no progress, however long the communication step is.
TEST(StepBounds, LetAStepOfManyHoursWithoutContactsBeMade) {
  SceneSlave slave(model_of(R"(<scene name="bounds"><solver stepper="relaxed"/>
<body name="block" type="point" mass="1"><initial velocity="1 0"/></body></scene>)"),
                   {});
  start(slave);
  EXPECT_EQ(slave.do_step(0, 1.1e4).time, 1.1e4);
}

TEST(StepBounds, LetStepsOfManyMinutesBeMade) {
  for (std::string const& stepper : steppers) {
    SceneSlave slave(model_of(sliding(solver(stepper, "step=\"1e-2\""))), {});
    start(slave);
    EXPECT_EQ(slave.do_step(0, 300).time, 300) << stepper;
  }
}

TEST(StepBounds, RefuseValuesBeyondAnythingThatIsMet) {
  SceneSlave slave(model_of(sliding(solver("relaxed"))), {});
  struct Wrong {
    char const* name;
    double value;
    char const* rule;
  };
  for (Wrong const& wrong : {Wrong{"ground.delta", 1e-300, ">= 1e-09"},
                             {"ground.zeta", 1e300, "<= 1e+06"},
                             {"ground.mu", 1e300, "<= 1e+06"},
                             {"block.mass", 1e300, "<= 1e+30"},
                             {"solver.step", 1e-300, ">= 1e-09"}}) {
    auto const [status, message] = refusal_of([&] { set(slave, wrong.name, wrong.value); });
    EXPECT_EQ(status, Status::discard) << wrong.name;
    EXPECT_TRUE(contains(message, std::string("'") + wrong.name + "' was set to ")) << message;
    EXPECT_TRUE(contains(message, wrong.rule)) << message;
  }
  start(slave);
  EXPECT_EQ(refusal_of([&] { set(slave, "ground.delta", 1e-300); }).first, Status::discard);
  EXPECT_EQ(slave.do_step(0, 0.01).time, 0.01);
}

// A force has no bound: what comes of it has.
TEST(StepBounds, NeverHandOnWhatIsNoNumber) {
  for (std::string const& stepper : steppers) {
    SceneSlave slave(model_of(sliding(solver(stepper))), {});
    start(slave);
    auto const before = slave.take_state();
    std::vector<std::uint32_t> outputs;
    for (Variable const& variable : slave.model().table().variables()) {
      if (variable.type != VariableType::real || variable.storage != Storage::output) continue;
      for (int i = 0; i < variable.size; ++i)
        outputs.push_back(variable.value_reference + static_cast<std::uint32_t>(i));
    }
    ASSERT_FALSE(outputs.empty());
    for (double const force : {1e100, 1e200, 1.7e308}) {
      for (char const* const component : {"push[1]", "push[2]"}) {
        slave.put_state(*before);
        set(slave, component, -force);
        auto const [status, message] = refusal_of([&] { slave.do_step(0, 0.01); });
        EXPECT_TRUE(status == Status::ok || !message.empty());
        for (std::uint32_t const reference : outputs) {
          double value = 0;
          bool const told = refusal_of([&] {
                              slave.get(VariableType::real, false, {&reference, 1}, {&value, 1});
                            }).first == Status::ok;
          if (told) {
            EXPECT_TRUE(std::isfinite(value)) << stepper << " " << force << " " << reference;
          }
        }
      }
    }
    slave.put_state(*before);
    set(slave, "push[2]", 0);
    EXPECT_EQ(slave.do_step(0, 0.01).time, 0.01) << stepper;
  }
}

}  // namespace
}  // namespace delassus::test
