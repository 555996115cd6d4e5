// <expose>: what a scene fixes, hides and names.
#include <gtest/gtest.h>

#include "tests/support/scene_run.hpp"
#include "xml/fmi/description_writer.hpp"
#include "xml/fmi/table_description.hpp"

namespace delassus {
namespace {

std::shared_ptr<const SceneModel> model_with(std::string const& rules) {
  std::string const text = R"(<scene name="t"><gravity acceleration="0 -9.81"/>
<body name="ball" type="planar" density="1000"><sphere radius="0.1"/><initial position="0 1"/></body>
<contact name="c" point="ball" mu="0.5"/><force name="push" point="ball"/>
)" + rules + "</scene>";
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(text, "t.xml")));
}

Variable const* find(SceneModel const& model, std::string const& name) {
  for (Variable const& variable : model.table().variables()) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

std::string refusal(std::string const& rules) {
  try {
    model_with(rules);
  } catch (std::exception const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Expose, HidesAVariableWhoseValueStays) {
  auto const model =
      model_with(R"(<expose variable="ball.initial.*" as="hidden"/><expose variable="push" as="hidden"/>)");
  EXPECT_FALSE(find(*model, "ball.initial.position"));
  EXPECT_FALSE(find(*model, "push"));
  SceneRun run(model);
  EXPECT_EQ(run.get("ball.position[2]"), 1);
  run.run_to(0.1);
  EXPECT_NEAR(run.get("ball.velocity[2]"), -0.981, 1e-9);
}

TEST(Expose, NamesInputsAndOutputs) {
  auto const model = model_with(
      R"(<expose variable="push" name="controller.force"/><expose variable="ball.position" name="x"/>)");
  SceneRun run(model, {{"controller.force[1]", 10}});
  run.run_to(0.1);
  EXPECT_GT(run.get("x[1]"), 0);
  EXPECT_FALSE(find(*model, "push"));
}

TEST(Expose, FixesATunableParameter) {
  auto const model = model_with(R"(<expose variable="c.mu" as="fixed"/>)");
  EXPECT_EQ(find(*model, "c.mu")->variability, Variability::fixed);
  SceneRun run(model, {{"c.mu", 0.3}});
  run.run_to(0.1);
  EXPECT_THROW(run.set("c.mu", 0.4), SlaveError);
}

TEST(Expose, MakesAConstantThatCanBeReadAndNotSet) {
  auto const model = model_with(R"(<expose variable="c.mu" as="constant"/>)");
  SceneRun run(model);
  EXPECT_EQ(run.get("c.mu"), 0.5);
  EXPECT_THROW(run.set("c.mu", 0.4), SlaveError);
  DescriptionInfo info;
  info.token = "t";
  for (int const version : {2, 3}) {
    std::string const xml = write_model_description(describe(model->table(), version, info));
    EXPECT_NE(xml.find("variability=\"constant\""), std::string::npos);
    EXPECT_NE(xml.find("causality=\"local\""), std::string::npos);
  }
}

TEST(Expose, MakesADensityTunableAndWhatFollowsFromIt) {
  auto const model = model_with(R"(<expose variable="ball.density" as="tunable"/>)");
  EXPECT_EQ(find(*model, "ball.mass")->variability, Variability::tunable);
  SceneRun run(model, {{"push[1]", 10}});
  run.run_to(0.1);
  double const before = run.get("ball.velocity[1]");
  run.set("ball.density", 2000);
  run.run_to(0.2);
  EXPECT_NEAR(run.get("ball.velocity[1]") - before, before / 2, 1e-9);
}

TEST(Parameters, ThatDoNotGoTogetherAreRefusedWhenTheRunStartsAndWhileItRuns) {
  auto const model = std::make_shared<const SceneModel>(compile_scene(read_scene_source(
      R"(<scene name="t" dimension="3"><body name="b" type="rigid" mass="1" inertia="1 1 1"/>
<joint name="j" type="prismatic" a="b" lower="-1" upper="1"/><contact name="c" point="b" height="-1"/><expose variable="b.inertia" as="tunable"/></scene>)",
      "t.xml")));
  auto const refusal_of = [&](std::map<std::string, double> const& values) -> std::string {
    SceneRun run(model, values);
    try {
      run.run_to(0.01);
    } catch (SlaveError const& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal_of({{"b.inertia[3]", 5}}).find("no mass distribution has"), std::string::npos);
  EXPECT_NE(refusal_of({{"j.axis[1]", 0}}).find("the axis of joint 'j' is not a direction"),
            std::string::npos);
  EXPECT_NE(refusal_of({{"j.lower", 2}}).find("lower limit above its upper one"), std::string::npos);
  EXPECT_NE(refusal_of({{"b.initial.position[3]", -3}}).find("overlaps 'ground' at the start by 2"),
            std::string::npos);
  SceneRun run(model);
  run.run_to(0.01);
  EXPECT_THROW(run.set("b.inertia[3]", 5), SlaveError);
  EXPECT_EQ(run.get("b.inertia[3]"), 1);
  run.run_to(0.02);
}

TEST(ImplicitStepper, WarnsThatItDoesNotBounce) {
  auto const model = std::make_shared<const SceneModel>(compile_scene(read_scene_source(
      R"(<scene name="t"><solver stepper="implicit"/><body name="b" type="point" mass="1"/>
<body name="c" type="point" mass="1"><initial position="1 0"/></body>
<contact name="bouncy" point="b" restitution="0.9"/><contact name="dull" point="c"/></scene>)",
      "t.xml")));
  std::string log;
  SceneSlave slave(model,
                   [&](Status, std::string_view, std::string const& message) { log += message + "\n"; });
  slave.setup_experiment(0, {}, {});
  slave.enter_initialization();
  slave.exit_initialization();
  EXPECT_NE(log.find("'bouncy' should bounce"), std::string::npos) << log;
  EXPECT_EQ(log.find("dull"), std::string::npos) << log;
}

// What the default stepper does not know is said where it was changed, and only there.
TEST(NonsmoothStepper, WarnsOfASettingThatCountsForNothing) {
  auto const model = std::make_shared<const SceneModel>(compile_scene(read_scene_source(
      R"(<scene name="t"><body name="b" type="point" mass="1"/><contact name="c" point="b"/></scene>)",
      "t.xml")));
  auto const warnings = [&](std::map<std::string, double> const& values) {
    std::vector<std::string> told;
    SceneRun run(model, values,
                 [&](Status, std::string_view, std::string const& message) { told.push_back(message); });
    run.run_to(1e-2);
    return told;
  };
  EXPECT_TRUE(warnings({}).empty());
  EXPECT_TRUE(warnings({{"c.delta", 1e-4}, {"solver.stepper", 1}}).empty());
  ASSERT_EQ(warnings({{"c.delta", 1e-4}}).size(), 1U);
  EXPECT_NE(warnings({{"c.delta", 1e-4}})[0].find("c.delta was set and counts for nothing"),
            std::string::npos);
  // A zeta that would bounce is told as what is lost by it.
  ASSERT_EQ(warnings({{"c.zeta", 0.2}}).size(), 1U);
  EXPECT_NE(warnings({{"c.zeta", 0.2}})[0].find("should bounce by its zeta 0.2"), std::string::npos);
}

TEST(RepeatedMessages, AreToldOnceAndCountedAtTheEndOfTheRun) {
  RepeatedMessages told;
  RepeatedMessages::Kind const kind{"impacts were weak", true, false, "with", " %"};
  EXPECT_TRUE(told.note(kind, 0.1 + 0.2, 50));
  EXPECT_FALSE(told.note(kind, 0.5, 20));
  EXPECT_FALSE(told.note(kind, 0.7, 30));
  EXPECT_TRUE(told.note({"another", false, true, "", ""}, 1));
  auto const sums = told.take_sums();
  ASSERT_EQ(sums.size(), 1U) << "what came once was told";
  EXPECT_EQ(sums[0].text,
            "2 times more, the last time at t = 0.7 s: impacts were weak; at worst with 20 %, at t = 0.5 s");
  EXPECT_TRUE(told.take_sums().empty());
}

// A capsule whose round end turns about a hinge touches a wall there: its contact has no motion of its own, and its
// force is indeterminate in one step and not in the next.
TEST(RepeatedMessages, OfARunAreAFewAndHaveTheirCount) {
  auto const model = std::make_shared<const SceneModel>(compile_scene(read_scene_source(
      R"(<scene name="t"><gravity acceleration="0 -9.81"/>
<body name="p" type="planar" mass="1"><capsule radius="0.02" half_length="0.5"/>
<point name="top" position="-0.5 0"/><initial position="0.5 0"/></body>
<joint name="h" type="revolute" a="p.top"/>
<body name="wall" type="fixed"><plane normal="1 0" position="-0.0199 0"/></body>
<contact name="c" point="p" with="wall" mu="0.3" restitution="1"/></scene>)",
      "t.xml")));
  std::vector<std::string> told;
  SceneRun run(model, {}, [&](Status status, std::string_view, std::string const& message) {
    if (status == Status::warning) told.push_back(message);
  });
  run.run_to(0.3, 300);
  std::size_t const during = told.size();
  EXPECT_GE(during, 1U);
  EXPECT_LE(during, 2U);
  run.slave().terminate();
  ASSERT_GT(told.size(), during);
  for (std::size_t i = during; i < told.size(); ++i)
    EXPECT_NE(told[i].find(" times more, the last time at t = "), std::string::npos) << told[i];
  // Before the end of the run nothing is told twice, and after it nothing more.
  std::size_t const all = told.size();
  run.slave().reset();
  EXPECT_EQ(told.size(), all);
}

TEST(Expose, SaysWhatIsWrongWithARule) {
  EXPECT_NE(refusal(R"(<expose variable="ball.positon" as="hidden"/>)").find("t.xml:4: "), std::string::npos)
      << refusal(R"(<expose variable="ball.positon" as="hidden"/>)");
  EXPECT_NE(refusal(R"(<expose variable="ball.positon" as="hidden"/>)").find("did you mean 'ball.position'?"),
            std::string::npos);
  EXPECT_NE(refusal(R"(<expose variable="ball.position" as="fixed"/>)").find("is not a parameter"),
            std::string::npos);
  EXPECT_NE(refusal(R"(<expose variable="ball.initial.position" as="tunable"/>)").find("cannot be tunable"),
            std::string::npos);
  EXPECT_NE(refusal(R"(<expose variable="ball.position" name="c.mu"/>)")
                .find("two variables of the FMU have the name 'c.mu'"),
            std::string::npos);
  EXPECT_NE(refusal(R"(<expose variable="ball.*" name="x"/>)").find("one name cannot stand for all"),
            std::string::npos);
}

// What only a study of contact problems wants, and what repeats other variables, comes where a scene asks for it.
TEST(Interface, HasAnalysisAndIntegersOnRequest) {
  std::vector<std::string> const analysis{"c.solutions", "c.paradox",       "c.mu_crit",       "c.mu_jam",
                                          "c.margin",    "c.locking_angle", "contact.residual"},
      integers{"c.mode_number", "events.kind_number", "solver.stepper_number", "solver.rule_number"};
  auto const expect_there = [&](std::string const& rules, bool has_analysis, bool has_integers) {
    auto const model = model_with(rules);
    for (auto const& name : analysis) EXPECT_EQ(find(*model, name) != nullptr, has_analysis) << rules << name;
    for (auto const& name : integers) EXPECT_EQ(find(*model, name) != nullptr, has_integers) << rules << name;
    for (char const* const name : {"c.mode", "c.force", "c.world_force", "events.kind", "solver.rule"})
      EXPECT_TRUE(find(*model, name)) << rules << name;
  };
  expect_there("", false, false);
  expect_there("<interface analysis='no' integers='no'/>", false, false);
  expect_there("<interface integers='yes'/>", false, true);
  expect_there("<interface analysis='yes'/>", true, true);
}

TEST(Interface, ChangesNoMotion) {
  SceneRun plain(model_with("")), analysed(model_with("<interface analysis='yes'/>"));
  for (SceneRun* const run : {&plain, &analysed}) run->run_to(0.6, 6);
  for (char const* const name : {"ball.position[1]", "ball.position[2]", "ball.angle", "c.force[2]"})
    EXPECT_EQ(plain.get(name), analysed.get(name)) << name;
}

}  // namespace
}  // namespace delassus
