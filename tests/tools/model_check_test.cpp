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

}  // namespace
}  // namespace delassus::test
