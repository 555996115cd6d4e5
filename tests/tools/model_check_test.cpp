// `delassus check` of scenes, controllers and systems that have no FMU yet.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program_run.hpp"
#include "tools/support/json.hpp"

namespace delassus::test {
namespace {

std::string block(std::string const& attributes, std::string const& contact) {
  return R"(<scene name="block">
  <gravity acceleration="0 -9.81"/>
  <experiment stop="0.1" step="0.01"/>
  <body name="block" type="planar" )" +
         attributes + R"(>
    <box half_size="0.1 0.1"/>
    <initial position="0 0.1"/>
  </body>
)" + contact +
         "\n</scene>";
}

class ModelCheck : public Program {
 protected:
  Outcome check(std::string const& text) const {
    write("scene.xml", text);
    return run("check scene.xml");
  }
};

TEST_F(ModelCheck, FindsNothingInASceneThatRuns) {
  Outcome const outcome = check(block("mass=\"1\"", "<contact name=\"floor\" point=\"block\" mu=\"0.3\"/>"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "scene.xml: no findings; scene, run to 0.1 s\n");
}

TEST_F(ModelCheck, FindsWhatCannotBeRead) {
  Outcome const outcome = check(block("mas=\"1\"", ""));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.output, "scene.xml:4: error: ");
  EXPECT_CONTAINS(outcome.output, "[model-readable]");
  EXPECT_CONTAINS(check("<scene").output, "[model-readable]");
}

TEST_F(ModelCheck, FindsWhatIsHardlyMeant) {
  for (auto const& [attributes, contact, expected] :
       {std::tuple{"mass=\"1\"", "<contact name=\"floor\" point=\"block\" mu=\"30\"/>", "0.577"},
        {"density=\"7.85\"", "<contact name=\"floor\" point=\"block\" mu=\"0.3\"/>", "write 7850"},
        {"mass=\"1\" inertia=\"1e-9\"", "<contact name=\"floor\" point=\"block\" mu=\"0.3\"/>",
         "leave 'inertia' out"},
        {"mass=\"1\"", "", "falls through everything"}}) {
    Outcome const outcome = check(block(attributes, contact));
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    EXPECT_CONTAINS(outcome.output, expected);
    EXPECT_CONTAINS(outcome.output, "warning: ");
    EXPECT_CONTAINS(outcome.output, "[model-doubt]");
  }
}

// A body between walls that come together.
TEST_F(ModelCheck, FindsThatTheRunFailsAndWhen) {
  Outcome const outcome = check(R"(<scene name="press">
  <experiment stop="1" step="0.01"/>
  <body name="left" type="prescribed"><plane normal="1 0"/><initial position="-0.2 0"/><motion velocity="1 0"/></body>
  <body name="right" type="fixed"><plane normal="-1 0"/><initial position="0.2 0"/></body>
  <body name="box" type="planar" mass="1"><box half_size="0.1 0.1"/></body>
  <contacts name="jaws" between="left right box"/>
</scene>)");
  EXPECT_EQ(outcome.code, 3) << outcome.output << outcome.errors;
  EXPECT_CONTAINS(outcome.output, "[model-runs]");
  EXPECT_CONTAINS(outcome.output, "squeezed");
}

TEST_F(ModelCheck, IsJsonForScripts) {
  write("scene.xml", block("mass=\"1\"", "<contact name=\"floor\" point=\"block\" mu=\"30\"/>"));
  Outcome const outcome = run("check scene.xml --json");
  EXPECT_EQ(outcome.code, 1);
  Json const reports = Json::parse(outcome.output);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].at("findings").at(0).at("rule"), "model-doubt");
  EXPECT_EQ(reports[0].at("findings").at(0).at("line"), 8);
  EXPECT_EQ(reports[0].at("exercised"), true);
}

TEST_F(ModelCheck, TakesControllersSystemsAndExamples) {
  Outcome const controller = run("check position_pid");
  EXPECT_EQ(controller.code, 0) << controller.output;
  EXPECT_CONTAINS(controller.output, "controller, run to 2 s");
  EXPECT_EQ(run("check sliding_block").code, 0);
  Outcome const system = run("check positioning");
  EXPECT_EQ(system.code, 0) << system.output;
  EXPECT_CONTAINS(system.output, "system of 2 components, run");
  EXPECT_EQ(run("check no_such_thing").code, 2);
}

TEST_F(ModelCheck, FindsAStepThatMissesTheSamplesOfAController) {
  ASSERT_EQ(run("examples positioning --copy-to .").code, 0);
  auto text = read_file(path("positioning/SystemStructure.ssd"));
  text.replace(text.find("step=\"0.001\""), 12, "step=\"0.003\"");
  write("positioning/SystemStructure.ssd", text);
  Outcome const outcome = run("check positioning");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_CONTAINS(outcome.output, "[system-step]");
}

TEST_F(ModelCheck, SaysWhyADefaultExperimentOfTooManyStepsIsNotRun) {
  std::string text = block("mass=\"1\"", "<contact name=\"floor\" point=\"block\" mu=\"0.3\"/>");
  text.replace(text.find("stop=\"0.1\" step=\"0.01\""), 22, "stop=\"1e9\" step=\"1e-9\"");
  Outcome const outcome = check(text);
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_CONTAINS(outcome.output, "scene.xml:3: error: the default experiment is not run: ");
  EXPECT_CONTAINS(outcome.output, "are 1e+18 steps");
  EXPECT_CONTAINS(outcome.output, "write a longer step or an earlier stop in <experiment>");
  Json const json = Json::parse(run("check scene.xml --json").output);
  EXPECT_EQ(json[0]["findings"][0]["remedy"], "write a longer step or an earlier stop in <experiment>");
}

TEST_F(ModelCheck, LooksAtTheOtherFilesWhereOneIsMissing) {
  write("good.xml", block("mass=\"1\"", "<contact name=\"floor\" point=\"block\" mu=\"0.3\"/>"));
  write("doubtful.xml", block("mass=\"1\"", "<contact name=\"floor\" point=\"block\" mu=\"30\"/>"));
  Outcome const outcome = run("check good.xml missing.xml doubtful.xml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.output, "good.xml: no findings");
  EXPECT_CONTAINS(outcome.output, "doubtful.xml: 1 finding");
  EXPECT_CONTAINS(outcome.errors, "cannot read missing.xml");
  Outcome const scripted = run("check good.xml missing.xml doubtful.xml --json");
  EXPECT_EQ(scripted.code, 2);
  Json const json = Json::parse(scripted.output);
  ASSERT_EQ(json.size(), 3U);
  EXPECT_CONTAINS(json[1]["problem"].get<std::string>(), "cannot read missing.xml");
  EXPECT_EQ(json[2]["findings"].size(), 1U);
}

TEST_F(ModelCheck, ReadsASceneFromAPipe) {
  write("scene.xml", block("mass=\"1\"", "<contact name=\"floor\" point=\"block\" mu=\"0.3\"/>"));
  std::string const file = run("simulate scene.xml").output;
  auto const through_pipe = [&](std::string const& arguments) {
    EXPECT_EQ(std::system(("cd '" + folder_.path().string() +
                           "' && rm -f pipe && mkfifo pipe && (cat scene.xml > pipe &)")
                              .c_str()),
              0);
    return run(arguments);
  };
  EXPECT_EQ(through_pipe("simulate pipe").output, file);
  EXPECT_EQ(through_pipe("check pipe").output, "pipe: no findings; scene, run to 0.1 s\n");
  EXPECT_EQ(run("simulate - < scene.xml").output, file);
}

// Mass within R of its centre has an inertia of at most m R^2: here 1 kg (0.1^2 + 0.1^2) m2.
TEST_F(ModelCheck, DoubtsAnInertiaThatNoMassWithinTheShapesHas) {
  char const contact[] = "<contact name=\"floor\" point=\"block\" mu=\"0.3\"/>";
  Outcome const outcome = check(block("mass=\"1\" inertia=\"100\"", contact));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.output, "scene.xml:4: warning: the inertia 100 kg m2 of body 'block'");
  EXPECT_CONTAINS(outcome.output, "at most 0.02 kg m2");
  EXPECT_EQ(check(block("mass=\"1\" inertia=\"1.9\"", contact)).code, 0) << "a flywheel";
}

TEST_F(ModelCheck, SaysWhyShapesBeyondAllNumbersHaveNoInertia) {
  for (auto const& [radius, problem] :
       {std::pair{"1e200", "scene.xml:5: error: attribute 'radius' of <sphere> is 1e+200 and must be"},
        std::pair{"1e-200", "scene.xml:4: error: the inertia of body 'block' cannot be"}}) {
    std::string text = block("mass=\"1\"", "<contact name=\"floor\" point=\"block\" mu=\"0.3\"/>");
    text.replace(text.find("<box half_size=\"0.1 0.1\"/>"), 26,
                 "<sphere radius=\"" + std::string(radius) + "\"/>");
    Outcome const outcome = check(text);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_CONTAINS(outcome.output, problem);
    EXPECT_EQ(outcome.output.find("nan"), std::string::npos) << outcome.output;
  }
}

// It falls by 0.9 m in t, bounces for 2 t r/(1 - r) more, and is at rest then: at 1.7134 s.
TEST_F(ModelCheck, WarnsOfNoToleranceWhereABoxComesToRestByBounces) {
  std::string const contact = "<contact name=\"floor\" point=\"block\" mu=\"0.3\" restitution=\"0.6\"/>";
  for (std::string const tolerance : {"1e-8", "1e-10"}) {
    std::string text = block(
        "mass=\"1\"", contact + "<solver stepper=\"nonsmooth_adaptive\" tolerance=\"" + tolerance + "\"/>");
    text.replace(text.find("stop=\"0.1\""), 10, "stop=\"2\"");
    text.replace(text.find("position=\"0 0.1\""), 16, "position=\"0 1\"");
    Outcome const outcome = check(text);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    std::string const rows = run("simulate scene.xml --record block.position").output;
    std::string const last = rows.substr(rows.rfind('\n', rows.size() - 2) + 1);
    EXPECT_NEAR(std::stod(last.substr(last.rfind(',') + 1)), 0.1, std::stod(tolerance)) << last;
  }
}

}  // namespace
}  // namespace delassus::test
