// A loop in one line: `delassus cosim plant.xml pid.xml --connect ...`, its communication step, and the structure that
// it is saved as.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/support/program_run.hpp"
#include "tools/cosim/communication_step.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/ssp/loop_structure.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/json.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/ssp/structure_rules.hpp"

namespace delassus::test {
namespace {

// The cart of tools/guide/closing_a_loop.md.
constexpr char cart[] = R"(<scene name="cart">
  <gravity acceleration="0 -9.81"/>
  <body name="cart" type="planar" mass="2">
    <box half_size="0.2 0.05"/>
    <initial position="0 0.05"/>
  </body>
  <contact name="floor" point="cart" mu="0.1"/>
  <force name="drive" point="cart"/>
  <force name="wind" point="cart"/>
</scene>)";

std::string pid(std::string const& sample_time) {
  return R"(<controller name="pid" sample_time=")" + sample_time + R"(">
  <pid proportional_gain="100" integral_gain="100" derivative_gain="20"/>
  <setpoint><point time="0" value="0.1"/></setpoint>
</controller>)";
}

constexpr char connected[] =
    "cosim plant.xml pid.xml --connect plant.cart.position[1]:pid.measurement --connect "
    "pid.output:plant.drive[1] ";

class Loop : public Program {
 protected:
  void SetUp() override {
    write("plant.xml", cart);
    write("pid.xml", pid("0.005"));
  }
  std::string refusal(std::string const& arguments) const {
    Outcome const outcome = run("cosim " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.errors;
    return outcome.errors;
  }
};

TEST_F(Loop, RunsFromFilesAndConnections) {
  Outcome const outcome = run(std::string(connected) + "--stop 0.2 -o out.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  TimeTable const table = read_csv(read_file(path("out.csv")), "out.csv");
  ASSERT_GT(table.rows(), 2u);
  EXPECT_EQ(table.time.back(), 0.2);
  auto const column = [&](std::string const& name) {
    auto const found = std::ranges::find(table.names, name);
    EXPECT_NE(found, table.names.end()) << name;
    return table.columns[static_cast<std::size_t>(found - table.names.begin())];
  };
  // 100 N/m times 0.1 m, and the drive is what the controller gives.
  EXPECT_NEAR(column("pid.output")[1], 10, 0.1);
  EXPECT_EQ(column("plant.drive[1]").back(), column("pid.output").back());
  EXPECT_GT(column("plant.cart.position[1]").back(), 0.01);
}

TEST_F(Loop, TakesItsConnectionsInEitherDirectionAndSeveralAfterOneOption) {
  ASSERT_EQ(run(std::string(connected) + "--stop 0.1 -o one.csv").code, 0);
  Outcome const other =
      run("cosim plant.xml pid.xml --connect pid.measurement:plant.cart.position[1] "
          "plant.drive[1]:pid.output --stop "
          "0.1 -o other.csv");
  ASSERT_EQ(other.code, 0) << other.errors;
  EXPECT_EQ(read_file(path("one.csv")), read_file(path("other.csv")));
}

// Its references are read by names: `../plant.xml` in a linked folder is beside the link.
TEST_F(Loop, IsSavedThroughALinkedFolderSoThatItRuns) {
  std::filesystem::create_directories(path("sub/deep"));
  std::filesystem::create_directory_symlink("sub/deep", path("link"));
  ASSERT_EQ(run(std::string(connected) + "--stop 0.1 --save link/loop.ssd -o one.csv").code, 0);
  Outcome const again = run("cosim link/loop.ssd -o again.csv");
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(read_file(path("one.csv")), read_file(path("again.csv")));
}

TEST_F(Loop, IsSavedAsAStructureThatRunsWithTheSameBits) {
  std::filesystem::create_directory(path("kept"));
  Outcome const saving =
      run(std::string(connected) +
          "--set pid.integral_gain=37.1 --set plant.floor.mu=0.07 --set 'plant.wind=0.1 0' "
          "--stop 0.3 --extrapolation 1 --save 'kept/my loop.ssd' -o one.csv");
  ASSERT_EQ(saving.code, 0) << saving.errors;
  EXPECT_CONTAINS(saving.errors, "wrote kept/my loop.ssd");
  Outcome const again = run("cosim 'kept/my loop.ssd' -o other.csv");
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(read_file(path("one.csv")), read_file(path("other.csv")));
  auto const structure = read_system_structure(read_file(path("kept/my loop.ssd")), "loop.ssd");
  EXPECT_TRUE(check_structure(structure).empty());
  EXPECT_EQ(structure.name, "my loop");
  Outcome const checked = run("check 'kept/my loop.ssd'");
  EXPECT_EQ(checked.code, 0) << checked.output;
  EXPECT_CONTAINS(checked.output, "system of 2 components, run");
}

TEST_F(Loop, TakesFmusOfBothVersionsAndExamples) {
  ASSERT_EQ(run("build plant.xml --fmi 2 --no-reference -o two.fmu").code, 0);
  ASSERT_EQ(run("build plant.xml --fmi 3 --no-reference -o three.fmu").code, 0);
  ASSERT_EQ(
      run(std::string(connected) + "--stop 0.1 --record plant.cart.position --record pid.output -o one.csv")
          .code,
      0);
  std::string const reference = read_file(path("one.csv"));
  for (std::string const file : {"two.fmu", "three.fmu"}) {
    Outcome const outcome =
        run("cosim plant=" + file +
            " pid.xml --connect plant.cart.position[1]:pid.measurement --connect pid.output:plant.drive[1] "
            "--stop 0.1 --record plant.cart.position --record pid.output -o out.csv");
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(read_file(path("out.csv")), reference) << file;
  }
  Outcome const example = run(
      "cosim plant.xml position_pid --connect plant.cart.position[1]:position_pid.measurement --stop 0.05 "
      "--save loop.ssd -o out.csv");
  ASSERT_EQ(example.code, 0) << example.errors;
  EXPECT_CONTAINS(read_file(path("loop.ssd")), "delassus:position_pid");
  EXPECT_EQ(run("cosim loop.ssd -o again.csv").code, 0);
  EXPECT_EQ(read_file(path("out.csv")), read_file(path("again.csv")));
}

TEST_F(Loop, ConnectsWholeArrays) {
  ASSERT_EQ(run("build plant.xml --fmi 3 --no-reference -o three.fmu").code, 0);
  for (std::string const models :
       {"a=plant.xml b=plant.xml", "a=three.fmu b=three.fmu", "a=three.fmu b=plant.xml"}) {
    Outcome const outcome =
        run("cosim " + models +
            " --connect a.floor.force:b.drive --set 'a.cart.initial.velocity=1 0' --stop 0.05 "
            "--save loop.ssd -o out.csv");
    ASSERT_EQ(outcome.code, 0) << models << outcome.errors;
    TimeTable const table = read_csv(read_file(path("out.csv")), "out.csv");
    auto const last = [&](std::string const& name) {
      auto const found = std::ranges::find(table.names, name);
      return table.columns.at(static_cast<std::size_t>(found - table.names.begin())).back();
    };
    // mu m g against the slip
    EXPECT_NEAR(last("b.drive[1]"), -0.1 * 2 * 9.81, 1e-6) << models;
    EXPECT_EQ(last("b.drive[2]"), last("a.floor.force[2]")) << models;
    ASSERT_EQ(run("cosim loop.ssd -o again.csv").code, 0);
    EXPECT_EQ(read_file(path("out.csv")), read_file(path("again.csv")));
  }
}

TEST_F(Loop, SaysWhatIsWrongWithAConnectionAndWhatToWrite) {
  std::string const both = "plant.xml pid.xml --connect ";
  EXPECT_CONTAINS(refusal("plant.xml pid.xml"), "nothing connects plant, pid: write --connect");
  EXPECT_CONTAINS(refusal("plant.xml pid.xml"), "pid: inputs ");
  EXPECT_CONTAINS(refusal(both + "plnt.cart.angle:pid.measurement"), "did you mean 'plant'?");
  EXPECT_CONTAINS(refusal(both + "plant.cart.angel:pid.measurement"), "cart.angle");
  EXPECT_CONTAINS(refusal(both + "cart.position[1]:pid.measurement"),
                  "did you mean 'plant.cart.position[1]'?");
  EXPECT_CONTAINS(refusal(both + "plant:pid.measurement"), "write plant.NAME");
  EXPECT_CONTAINS(refusal(both + "plant.cart.position"), "write COMPONENT.OUTPUT:COMPONENT.INPUT");
  EXPECT_CONTAINS(refusal(both + "plant.cart.position:pid.measurement"),
                  "plant.cart.position has 2 elements and pid.measurement has 1; name one element, such as "
                  "plant.cart.position[1]");
  EXPECT_CONTAINS(refusal(both + "plant.drive[1]:pid.measurement"),
                  "are both inputs; one end has to be an output");
  EXPECT_CONTAINS(refusal(both + "plant.cart.mass:pid.measurement"), "is a parameter");
  EXPECT_CONTAINS(refusal(both + "plant.cart.angle:plant.drive[1]"), "connect quantities of one dimension");
  EXPECT_CONTAINS(refusal(both + "pid.output:plant.drive[1] --connect plant.floor.force[1]:plant.drive[1]"),
                  "plant.drive[1] gets its value from pid.output already");
  EXPECT_CONTAINS(refusal("plant.xml plant.xml --connect plant.floor.force:plant.drive"),
                  "plant_1=plant.xml");
  EXPECT_CONTAINS(refusal("positioning pid.xml --connect a.b:c.d"), "is a system already");
  EXPECT_CONTAINS(refusal("plant.xml missing.xml --connect a.b:c.d"), "missing.xml");
  EXPECT_CONTAINS(refusal("plant.xml"), "--connect");
}

TEST_F(Loop, TellsInputsThatNothingDrives) {
  Outcome const outcome = run(std::string(connected) + "--stop 0.02 -o out.csv");
  EXPECT_CONTAINS(outcome.errors, "nothing is connected to ");
  EXPECT_CONTAINS(outcome.errors, "plant.wind (0 N)");
  Outcome const set = run(std::string(connected) + "--set 'plant.wind=0 0' --stop 0.02 -o out.csv");
  EXPECT_EQ(set.errors.find("plant.wind"), std::string::npos) << set.errors;
  EXPECT_EQ(run("cosim positioning --stop 0.01 -o out.csv").errors.find("nothing is connected"),
            std::string::npos);
}

TEST_F(Loop, NotesDegreesThatAreTakenForRadians) {
  std::string const set = " --stop 0.01 -o out.csv --set controller.pole_angle.reference=90";
  for (std::string const& command :
       {"cosim cart_pole" + set, "sweep cart_pole --vary plant.pole.mass=0.2,0.3" + set})
    EXPECT_CONTAINS(run(command).errors,
                    "note: controller.pole_angle.reference=90: it is in radians, and 90 rad");
  EXPECT_EQ(run("cosim cart_pole" + set + "deg").errors.find("radians"), std::string::npos);
}

// 0.005 s beside the 0.01 s of the plant: a step of 0.01 s would be two samples late.
TEST_F(Loop, StepsAtTheSampleTimeOfTheController) {
  Outcome const outcome = run(std::string(connected) + "--stop 0.1 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  Json const summary = Json::parse(outcome.output);
  EXPECT_EQ(summary.at("step").get<double>(), 0.005);
  EXPECT_EQ(summary.at("steps").get<int>(), 20);
  EXPECT_CONTAINS(outcome.errors, "note: the communication step is 0.005 s");
  EXPECT_CONTAINS(outcome.errors, "the sample time of pid (0.005 s)");
  Outcome const set = run(std::string(connected) + "--set pid.sample_time=0.0025 --stop 0.1 --json");
  EXPECT_EQ(Json::parse(set.output).at("step").get<double>(), 0.0025) << set.errors;
}

TEST_F(Loop, WarnsOfAStepThatDividesNoSampleTime) {
  Outcome const outcome = run(std::string(connected) + "--stop 0.1 --step 0.01 --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_CONTAINS(outcome.errors,
                  "warning: a communication step of 0.01 s does not divide the sample time of pid (0.005 s)");
  EXPECT_CONTAINS(outcome.errors, "A step of 0.005 s divides all");
  EXPECT_EQ(Json::parse(outcome.output).at("step").get<double>(), 0.01);
  EXPECT_EQ(run(std::string(connected) + "--stop 0.1 --step 0.001 -o out.csv").errors.find("divide"),
            std::string::npos);
}

TEST_F(Loop, StepsFinelyWhereSampleTimesHaveNoCommonDivisor) {
  write("pid.xml", pid("0.005"));
  write("slow.xml", pid("0.0070710678118654755"));
  Outcome const outcome =
      run("cosim plant.xml pid.xml slow.xml --connect plant.cart.position[1]:pid.measurement "
          "plant.cart.position[1]:slow.measurement pid.output:plant.drive[1] slow.output:plant.wind[1] "
          "--stop 0.1 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_CONTAINS(outcome.errors, "have no common divisor");
  EXPECT_EQ(Json::parse(outcome.output).at("step").get<double>(), 0.0005);
}

TEST(CommonDivisor, IsThatOfDecimalNumbers) {
  auto const of = [](std::vector<double> const& times) { return common_divisor(times); };
  EXPECT_EQ(of({0.01}), 0.01);
  EXPECT_EQ(of({0.01, 0.005}), 0.005);
  EXPECT_EQ(of({0.01, 0.003}), 0.001);
  EXPECT_EQ(of({0.3, 0.1}), 0.1);
  EXPECT_EQ(of({0.06, 0.1, 0.04}), 0.02);
  EXPECT_EQ(of({1.0 / 60, 1.0 / 30}), 1.0 / 60);
  EXPECT_EQ(of({1e-6, 1.5e-6}), 5e-7);
  EXPECT_EQ(of({}), std::nullopt);
  EXPECT_EQ(of({0.01, 0.01000001}), std::nullopt);
  EXPECT_EQ(of({0.01, std::sqrt(2) / 100}), std::nullopt);
}

// FMUs of other tools, of which only the descriptions count here: a step of an experiment, a clock, a fixed internal step.
TEST_F(Loop, StepsSuchThatClocksAndInternalStepsOfFmusAreMet) {
  auto const described = [](std::string const& interface, std::string const& clock,
                            std::string const& experiment) {
    return R"(<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t"><CoSimulation modelIdentifier="m" )" +
           interface + "/>" + experiment +
           R"(<ModelVariables><Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="u" valueReference="1" causality="input" start="0"/><Float64 name="y" valueReference="2" causality="output"/>)" +
           clock +
           R"(</ModelVariables><ModelStructure><Output valueReference="2"/></ModelStructure></fmiModelDescription>)";
  };
  auto const step = [&](std::string const& one, std::string const& other) {
    write_file(path("a.fmu"), make_archive({{"modelDescription.xml", one}}));
    write_file(path("b.fmu"), make_archive({{"modelDescription.xml", other}}));
    LoopStructure const loop({path("a.fmu").string(), path("b.fmu").string()}, {"a.y:b.u", "b.y:a.u"},
                             ImportBackend::own);
    return default_plan(loop.system(ImportBackend::own), 0.0, 1.0);
  };
  std::string const experiment = R"(<DefaultExperiment startTime="0" stopTime="1" stepSize="0.01"/>)";
  std::string const clock =
      R"(<Clock name="c" valueReference="3" causality="input" intervalVariability="constant" intervalDecimal="0.004"/>)";
  EXPECT_EQ(step(described("", "", experiment), described("", "", experiment)).step, 0.01);
  EXPECT_EQ(step(described("", "", experiment), described("", clock, "")).step, 0.002);
  EXPECT_EQ(step(described("", "", experiment), described("fixedInternalStepSize=\"0.0025\"", "", "")).step,
            0.0025);
  EXPECT_EQ(step(described("", "", ""), described("", "", "")).step, 0.002);  // a 500th part of the run
  CosimPlan const both =
      step(described("", "", experiment), described("", clock, "<DefaultExperiment stepSize=\"0.3\"/>"));
  EXPECT_EQ(both.step, 0.002);
  EXPECT_TRUE(both.step_warning.empty());
  EXPECT_NE(both.step_reason.find("the sample time of b (0.004 s)"), std::string::npos) << both.step_reason;
}

TEST_F(Loop, SaysThatAConnectionReplacesAValueForItsInput) {
  std::string const replaced = "pid.measurement is connected with plant.cart.position[1]";
  Outcome const plain = run(std::string(connected) + "--stop 0.02 -o plain.csv --save loop.ssd");
  ASSERT_EQ(plain.code, 0) << plain.errors;
  EXPECT_EQ(plain.errors.find("is connected with"), std::string::npos) << plain.errors;
  Outcome const outcome = run("cosim loop.ssd --set pid.measurement=5 -o set.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_CONTAINS(outcome.errors, "warning: " + replaced);
  EXPECT_EQ(run("cosim loop.ssd --set pid.setpoint=5 -o set.csv").errors.find("is connected with"),
            std::string::npos);
  EXPECT_CONTAINS(run("report loop.ssd --set pid.measurement=5 -o page.html").errors, "warning: " + replaced);
  for (std::string const arguments : {"--vary pid.measurement=1,2", "--vary measurement=1:2:3",
                                      "--set pid.measurement=1 --vary pid.integral_gain=1,2"}) {
    Outcome const sweep = run("sweep loop.ssd " + arguments);
    EXPECT_EQ(sweep.code, 2) << arguments << sweep.output;
    EXPECT_CONTAINS(sweep.errors, replaced);
    EXPECT_EQ(sweep.output, "");
  }
}

TEST_F(Loop, IsSavedAsNothingButAStructure) {
  std::string const loop = std::string(connected).substr(6) + "--stop 0.01 -o out.csv --save ";
  EXPECT_CONTAINS(refusal(loop + "loop.ssp"),
                  "write --save loop.ssd, and then `delassus build loop.ssd -o loop.ssp` for a package");
  for (std::string const name : {"loop.xml", "loop", "loop.csv", "-"})
    EXPECT_CONTAINS(refusal(loop + name), "write --save loop.ssd");
  for (std::string const name : {"loop.ssp", "loop.xml", "loop", "out.csv"})
    EXPECT_FALSE(exists(name)) << name;
}

TEST_F(Loop, NeverWritesOverWhatItReads) {
  std::string const before = read_file(path("plant.xml"));
  std::filesystem::create_symlink("plant.xml", path("link.csv"));
  std::filesystem::create_hard_link(path("plant.xml"), path("hard.csv"));
  std::filesystem::create_directory(path("folder"));
  for (std::string const option : {"-o plant.xml", "-o ./plant.xml", "-o folder/../plant.xml", "-o link.csv",
                                   "-o hard.csv", "--save plant.xml", "--plot link.csv"}) {
    EXPECT_EQ(run(connected + option + " --stop 0.01").code, 2) << option;
    EXPECT_EQ(read_file(path("plant.xml")), before) << option;
  }
  EXPECT_CONTAINS(refusal(std::string(connected).substr(6) + "-o a.csv --save ./a.csv"), "two outputs");
  ASSERT_EQ(run(std::string(connected) + "--stop 0.01 --save loop.ssd -o out.csv").code, 0);
  for (std::string const command :
       {"cosim loop.ssd -o plant.xml", "build loop.ssd -o pid.xml", "report loop.ssd -o pid.xml",
        "sweep loop.ssd --vary pid.integral_gain=1:2:2 -o plant.xml"}) {
    Outcome const outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command << outcome.errors;
    EXPECT_EQ(read_file(path("plant.xml")), before) << command;
  }
}

TEST_F(Loop, IsSavedWithTheCommandThatRunsItAgain) {
  Outcome const saving = run(std::string(connected) +
                             "--stop 0.05 --order pid,plant --loop-tolerance 1e-7 --loops solve "
                             "--save \"it's my loop.ssd\" -o one.csv");
  ASSERT_EQ(saving.code, 0) << saving.errors;
  auto const begin = saving.errors.find("`delassus ") + 10;
  std::string const command = saving.errors.substr(begin, saving.errors.find('`', begin) - begin);
  EXPECT_EQ(command, "cosim 'it'\\''s my loop.ssd' --order pid,plant --loops solve --loop-tolerance 1e-07");
  Outcome const again = run(command + " -o other.csv");
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(read_file(path("one.csv")), read_file(path("other.csv")));
}

TEST_F(Loop, IsNotSavedWhereItIsRefused) {
  std::string const loop = std::string(connected).substr(6) + "-o out.csv --save loop.ssd ";
  EXPECT_CONTAINS(refusal(loop + "--stop 1e9 --step 1e-9"), "are 1e+18 steps");
  refusal(loop + "--stop 0.1 --step 0.01 --output-step 0.015");
  refusal(loop + "--stop 0.1 --step 0.01 --algorithm jacobi --smallest-step 1 --largest-step 0.1");
  refusal(loop + "--stop 0.1 --step 0.01 --set pid.sample_time=-1");
  EXPECT_FALSE(exists("loop.ssd"));
  EXPECT_FALSE(exists("out.csv"));
}

TEST_F(Loop, WarnsWhereTheNumberOfAnItemGoesIntoAQuantity) {
  Outcome const outcome =
      run("cosim plant.xml pid.xml --connect plant.floor.mode:pid.measurement --connect "
          "pid.output:plant.drive[1] --stop 0.01 --save loop.ssd -o out.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_CONTAINS(outcome.errors, "warning: --connect plant.floor.mode:pid.measurement: ");
  EXPECT_CONTAINS(outcome.errors, "the number of an item goes into Float64");
  Outcome const checked = run("check loop.ssd");
  EXPECT_EQ(checked.code, 1);
  EXPECT_CONTAINS(checked.output, "[connection-number]");
  // Who says what the numbers stand for means it.
  std::string text = read_file(path("loop.ssd"));
  std::string const connection =
      "startConnector=\"floor.mode\" endElement=\"pid\" endConnector=\"measurement\"/>";
  ASSERT_NE(text.find(connection), std::string::npos);
  text.replace(text.find(connection) + connection.size() - 2, 2,
               "><ssc:LinearTransformation factor=\"0.1\"/></ssd:Connection>");
  write("meant.ssd", text);
  EXPECT_EQ(run("check meant.ssd").output.find("connection-number"), std::string::npos);
}

TEST_F(Loop, SaysInAStructureWhichSceneHasAnOutputOfTheAnalysis) {
  Outcome const saving = run(std::string(connected) + "--stop 0.01 --save loop.ssd -o out.csv");
  ASSERT_EQ(saving.code, 0) << saving.errors;
  std::string text = read_file(path("loop.ssd"));
  std::string const connector = "<ssd:Connector name=\"cart.position[1]\"";
  ASSERT_NE(text.find(connector), std::string::npos);
  text.insert(text.find(connector),
              "<ssd:Connector name=\"floor.margin\" kind=\"output\"><ssc:Real/></ssd:Connector>");
  write("asked.ssd", text);
  EXPECT_CONTAINS(run("check asked.ssd").output, "<interface analysis=\"yes\"/>");
}

TEST_F(Loop, RefusesATableAndSolversThatNothingNeeds) {
  write("rows.csv", "time,x\n0,1\n");
  EXPECT_CONTAINS(refusal("rows.csv"), "rows.csv is a table of rows (CSV)");
  EXPECT_CONTAINS(refusal(std::string(connected).substr(6) + "--stop 0.01 --solver euler"),
                  "--solver is for components in Model Exchange");
}

// Without derivatives of inputs a straight line is taken at each communication point, as if it stood there.
TEST_F(Loop, TakesLinesOfInputsAtTheCommunicationPointsOfAnFmi3Fmu) {
  write("ends.csv", "time,drive[1]\n0,30\n0.04,70\n");
  write("points.csv", "time,drive[1]\n0,30\n0.01,40\n0.02,50\n0.03,60\n0.04,70\n");
  std::string const simulate = "simulate plant.xml --fmi 3 --stop 0.04 --step 0.01 --record 'cart.*' ";
  Outcome const lines = run(simulate + "--input ends.csv --interpolate"),
                held = run(simulate + "--input points.csv");
  ASSERT_EQ(lines.code, 0) << lines.errors;
  EXPECT_CONTAINS(lines.errors, "FMI 3 co-simulation has no derivatives of inputs");
  EXPECT_EQ(lines.output, held.output);
  Outcome const direct = run("simulate plant.xml --stop 0.04 --step 0.01 --input ends.csv --interpolate");
  EXPECT_CONTAINS(direct.errors, "follow straight lines between the rows of ends.csv");
}

}  // namespace
}  // namespace delassus::test
