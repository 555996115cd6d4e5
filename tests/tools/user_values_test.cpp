// Values and file names as users write them, through every command that takes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/program_run.hpp"
#include "tools/support/csv.hpp"

namespace delassus {
namespace {

using test::Outcome;
using test::Program;

// A full turn is 360 degrees; a spin of 90 degrees a second has turned a free body by 45 after half a second.
TEST_F(Program, TakesDegreesOfAnglesAndOfTheirRates) {
  auto const scene = [](std::string const& angle, std::string const& rate) {
    return "<scene name=\"top\"><experiment stop=\"0.5\" step=\"0.25\"/><body name=\"top\" type=\"planar\" "
           "mass=\"1\" "
           "inertia=\"1\"><initial angle=\"" +
           angle + "\" angular_velocity=\"" + rate + "\"/></body></scene>";
  };
  write("top.xml", scene("60deg", "90deg/s"));
  write("rest.xml", scene("0", "0"));
  ASSERT_EQ(run("simulate top.xml -o scene.csv").code, 0);
  Outcome const set =
      run("simulate rest.xml --set top.initial.angle=60deg --set top.initial.angular_velocity=90deg/s -o "
          "set.csv");
  ASSERT_EQ(set.code, 0) << set.errors;
  EXPECT_EQ(read_file(path("scene.csv")), read_file(path("set.csv")));
  TimeTable const table = read_csv(read_file(path("scene.csv")), "scene.csv");
  auto const angle = std::ranges::find(table.names, "top.angle");
  ASSERT_NE(angle, table.names.end());
  EXPECT_NEAR(table.columns[static_cast<std::size_t>(angle - table.names.begin())].back(),
              105 * std::acos(-1) / 180, 1e-12);
  Outcome const swept = run(
      "sweep rest.xml --vary top.initial.angular_velocity=0:90deg/s:2 --keep top.angle -o sweep.csv --quiet");
  EXPECT_EQ(swept.code, 0) << swept.errors;
  EXPECT_CONTAINS(run("simulate rest.xml --set top.initial.angular_velocity=90deg").errors,
                  "in rad/s, such as 0.5, or in degrees, such as 45deg/s");
  write("wrong.xml", scene("60deg", "90rpm"));
  EXPECT_CONTAINS(run("simulate wrong.xml").errors, "write it in rad/s, or in degrees as 45deg/s");
  write("turn.xml",
        "<controller name=\"turn\"><pid of=\"rotation\" proportional_gain=\"1\"/><setpoint><point time=\"0\" "
        "value=\"60deg\"/></setpoint></controller>");
  EXPECT_CONTAINS(run("describe turn.xml").output, "1.0471975511965976");
}

TEST_F(Program, SaysThatAMassMustBeMoreThanZero) {
  EXPECT_CONTAINS(run("describe sliding_block").output, "> 0");
  ASSERT_EQ(run("build sliding_block --no-reference -o block.fmu").code, 0);
  std::string const described = run("describe block.fmu").output;
  auto const mass = described.find("block.mass");
  ASSERT_NE(mass, std::string::npos);
  EXPECT_NE(described.substr(mass, described.find('\n', mass) - mass).find(" > 0 "), std::string::npos);
}

// A force beside the centre of such a body does nothing but turn it, to more digits than a double has.
TEST_F(Program, NamesAnInertiaThatIsTooSmallInsteadOfASqueeze) {
  write("tiny.xml", R"(<scene name="tiny">
  <gravity acceleration="0 -9.81"/>
  <experiment stop="0.3" step="0.01"/>
  <body name="box" type="planar" mass="1" inertia="1e-15">
    <box half_size="0.1 0.1"/>
    <initial position="0 0.1"/>
  </body>
  <contact name="floor" point="box" mu="0.3"/>
</scene>)");
  Outcome const outcome = run("simulate tiny.xml -o out.csv");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "the inertia of box, 1e-15 kg m2, is so small beside its mass");
  EXPECT_EQ(outcome.errors.find("squeezed"), std::string::npos) << outcome.errors;
  EXPECT_CONTAINS(outcome.errors, "note: tiny.xml:4: the inertia 1e-15 kg m2");
}

// The reason that a model gives, in every way that a value takes to it.
TEST_F(Program, KeepsTheReasonOfARefusedValueInEveryCommand) {
  ASSERT_EQ(run("build sliding_block --fmi 2 --no-reference -o two.fmu").code, 0);
  ASSERT_EQ(run("build sliding_block --fmi 3 --no-reference -o three.fmu").code, 0);
  for (std::string const model : {"sliding_block", "two.fmu", "three.fmu"}) {
    Outcome const alone = run("simulate " + model + " --set block.mass=0 -o out.csv");
    EXPECT_EQ(alone.code, 2) << model;
    EXPECT_CONTAINS(alone.errors, "'block.mass' was set to 0 and must be > 0");
    Outcome const coupled =
        run("cosim plant=" + model +
            " position_pid --connect plant.block.position[1]:position_pid.measurement --stop 0.1 "
            "--set plant.block.mass=0 -o out.csv");
    EXPECT_EQ(coupled.code, 2) << model << coupled.errors;
    EXPECT_CONTAINS(coupled.errors, "'block.mass' was set to 0 and must be > 0");
    Outcome const swept = run("sweep " + model + " --vary block.mass=0,1 --stop 0.1 --restart -o sweep.csv");
    EXPECT_CONTAINS(swept.errors, "'block.mass' was set to 0 and must be > 0");
  }
}

TEST_F(Program, RefusesToWriteOverWhatItReadsUnderEveryName) {
  ASSERT_EQ(run("examples sliding_block --copy-to .").code, 0);
  std::string const before = read_file(path("sliding_block.xml"));
  std::filesystem::create_symlink("sliding_block.xml", path("symbolic.csv"));
  std::filesystem::create_hard_link(path("sliding_block.xml"), path("hard.csv"));
  std::filesystem::create_directory(path("folder"));
  ASSERT_EQ(run("simulate sliding_block.xml --stop 0.1 -o results.csv").code, 0);
  for (std::string const name :
       {"sliding_block.xml", "./folder/../sliding_block.xml", "symbolic.csv", "hard.csv"}) {
    for (std::string const command :
         {"simulate sliding_block.xml -o ", "build sliding_block.xml -o ", "analyse sliding_block.xml -o ",
          "sweep sliding_block.xml --vary mu=0.1,0.2 -o ", "report sliding_block.xml -o ",
          "report results.csv --model sliding_block.xml -o "}) {
      Outcome const outcome = run(command + name);
      EXPECT_EQ(outcome.code, 2) << command << name << outcome.errors;
      EXPECT_EQ(read_file(path("sliding_block.xml")), before) << command << name;
    }
  }
  EXPECT_CONTAINS(run("simulate sliding_block.xml -o a.svg --plot ./a.svg").errors, "two outputs");
  EXPECT_CONTAINS(run("simulate sliding_block.xml --input results.csv -o results.csv").errors,
                  "would be overwritten");
}

}  // namespace
}  // namespace delassus
