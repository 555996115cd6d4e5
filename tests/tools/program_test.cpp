// The program as a user and a script meet it: exit codes, messages, files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/support/broken_fmu.hpp"
#include "tests/support/program_run.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/json.hpp"
#include "tools/support/temporary_folder.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

using test::Outcome;
using test::Program;

TEST_F(Program, ShowsHelpWithAnExampleForEveryCommand) {
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_CONTAINS(run("--version").output, "delassus ");
  for (std::string const command : {"build", "describe", "check", "simulate", "cosim", "solve", "analyse",
                                    "reproduce", "report", "sweep", "examples"}) {
    Outcome const help = run(command + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_CONTAINS(help.output, "Example");
    EXPECT_CONTAINS(help.output, "delassus " + command);
  }
}

TEST_F(Program, NamesAnUnknownCommandAndWhatMayBeMeant) {
  EXPECT_CONTAINS(run("simulat impact").errors, "there is no command 'simulat'; did you mean 'simulate'?");
  EXPECT_CONTAINS(run("").errors, "name a command: build, describe, check");
}

TEST_F(Program, EndsWithTwoForBadUsage) {
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("frobnicate").code, 2);
  EXPECT_EQ(run("build").code, 2);
  EXPECT_EQ(run("build impact --fmi 4").code, 2);
  EXPECT_EQ(run("simulate impact --step 0,1").code, 2);
  EXPECT_EQ(run("simulate impact --step 0").code, 2);
  EXPECT_EQ(run("simulate impact --stop -1").code, 2);
  EXPECT_EQ(run("simulate impact --step 1e-30").code, 2);
  EXPECT_EQ(run("describe impact --json --xml").code, 2);
}

TEST_F(Program, NamesTheFileThatIsMissing) {
  for (std::string const command :
       {"build missing.xml", "describe missing.fmu", "check missing.fmu", "simulate missing.fmu"}) {
    Outcome const outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_CONTAINS(outcome.errors, "missing.");
    EXPECT_CONTAINS(outcome.errors, "No such file or directory");
  }
}

TEST_F(Program, SuggestsTheExampleThatIsMeant) {
  Outcome const outcome = run("build painlevee_rod");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "did you mean 'painleve_rod'?");
}

TEST_F(Program, NamesTheLineOfABadScene) {
  write("bad.xml", "<scene name=\"bad\">\n  <body name=\"a\" type=\"point\" mass=\"-1\"/>\n</scene>\n");
  for (std::string const command : {"build", "simulate", "describe"}) {
    Outcome const outcome = run(command + " bad.xml");
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_CONTAINS(outcome.errors, "bad.xml:2:");
  }
  EXPECT_FALSE(exists("bad.fmu"));
}

TEST_F(Program, ListsTheExamplesAndPrintsOne) {
  Outcome const list = run("examples");
  EXPECT_EQ(list.code, 0);
  EXPECT_CONTAINS(list.output, "painleve_rod");
  Outcome const scene = run("examples impact");
  EXPECT_EQ(scene.output, read_file(std::filesystem::path(DELASSUS_SCENES_DIR) / "impact.xml"));
  EXPECT_EQ(run("examples impacts").code, 2);
}

TEST_F(Program, BuildsChecksDescribesAndRunsAnFmu) {
  Outcome const build = run("build impact -o 'my model.fmu' --fmi 2");
  ASSERT_EQ(build.code, 0) << build.errors;
  EXPECT_CONTAINS(build.errors, "wrote my model.fmu");
  Outcome const check = run("check 'my model.fmu'");
  EXPECT_EQ(check.code, test::checked_code) << check.output;
  EXPECT_CONTAINS(check.output, test::checked);
  EXPECT_CONTAINS(run("describe 'my model.fmu'").output, "ground.zeta");
  Outcome const simulate = run("simulate 'my model.fmu'");
  EXPECT_EQ(simulate.code, 0) << simulate.errors;
  EXPECT_EQ(read_csv(simulate.output, "out").rows(), 101u);
  EXPECT_CONTAINS(simulate.errors, "100 steps to 0.1 s");
}

TEST_F(Program, GivesTheSameBytesDirectlyAndThroughFmi2AndFmi3) {
  std::string const direct = run("simulate painleve_rod --step 0.01").output;
  EXPECT_FALSE(direct.empty());
  EXPECT_EQ(run("simulate painleve_rod --step 0.01 --fmi 2").output, direct);
  EXPECT_EQ(run("simulate painleve_rod --step 0.01 --fmi 3").output, direct);
}

TEST_F(Program, MeetsTheNumbersOfThePaperForTheSlippingRod) {
  Outcome const outcome = run("simulate painleve_rod -o rod.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  TimeTable const table = read_csv(read_file(path("rod.csv")), "rod.csv");
  auto const last = [&](std::string const& name) {
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      if (table.names[i] == name) return table.columns[i].back();
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  // theory.md, 5.3, at t = 0.2
  EXPECT_NEAR(last("rod.position[1]"), .395733635246296, 1e-7);
  EXPECT_NEAR(last("rod.position[2]"), .682439077661898, 1e-7);
  EXPECT_NEAR(last("rod.angle"), .751094353079093, 1e-7);
}

TEST_F(Program, SuggestsTheVariableThatIsMeant) {
  Outcome const outcome = run("simulate impact --set ground.zetta=1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "'ground.zetta'");
  EXPECT_CONTAINS(outcome.errors, "did you mean 'ground.zeta'?");
  EXPECT_EQ(outcome.output, "");
}

TEST_F(Program, AnswersWrongArgumentsWithWhatToWrite) {
  write("scene.xml",
        R"(<scene name="s"><gravity acceleration="0 -9.81"/><body name="b" type="planar" mass="1">
<box half_size="0.1 0.1"/><initial position="0 0.5"/></body><contact name="c" point="b" mu="0.3"/></scene>)");
  write("negative.csv", "time,c.mu\n0,-0.2\n");
  write("loop.ssd", read_file(DELASSUS_SCENES_DIR "/../../tools/systems/positioning/SystemStructure.ssd"));
  for (auto const& [command, answer] : std::vector<std::pair<std::string, std::string>>{
           {"simulate scene.xml --set mu=0.3", "no variable 'mu'; did you mean 'c.mu'?"},
           {"simulate scene.xml --set stepper=relaxed", "did you mean 'solver.stepper'?"},
           {"simulate scene.xml --set b.angle=1", "what it starts with is b.initial.angle"},
           {"simulate scene.xml --plot a.svg --show b.pos", "to show; did you mean 'b.position'?"},
           {"simulate scene.xml --plot a.jpg",
            "a picture is written as .svg, .png or .pdf; name the file a.svg"},
           {"report scene.xml -o a.pdf", "a report is a page for a browser; name the file a.html"},
           {"simulate scene.xml --set contact.mu=2", "no variable 'contact.mu'; did you mean 'c.mu'?"},
           {"simulate positioning",
            "positioning is a system of several components, which `delassus cosim positioning` runs"},
           {"simulate scene.xml --end 1", "no option '--end'; did you mean '--stop'?"},
           {"simulate scene.xml --input negative.csv",
            "negative.csv: c.mu is -0.2 at time 0; it must be >= 0"},
           {"cosim scene.xml",
            "scene.xml is a scene, which `delassus simulate scene.xml` runs; cosim takes a system"},
           {"cosim impact", "impact is a scene"},
           {"cosim cart_pol", "neither a file nor an example of a system; did you mean 'cart_pole'?"},
           {"sweep scene.xml --vary mu=1,2 --connect a.b:c.d", "--save loop.ssd` writes a loop"},
           {"simulate loop.ssd",
            "loop.ssd is a system of several components, which `delassus cosim loop.ssd` runs"},
           {"analyse loop.ssd", "which `delassus cosim loop.ssd` runs"},
           {"describe negative.csv", "negative.csv is a table of rows (CSV)"},
           {"check negative.csv", "negative.csv is a table of rows (CSV)"},
           {"cosim positioning --stop 0", "--stop must be later than --start"},
           {"cosim positioning --set controller.proportional_gain=60deg",
            "controller: proportional_gain cannot be '60deg'"},
           {"solve impact", "impact is a scene; solve takes problem files"}}) {
    Outcome const outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_CONTAINS(outcome.errors, answer);
  }
  EXPECT_FALSE(exists("a.png"));
}

// Differences of a step over a jump say nothing: a box that lies flat has its corners at one height.
TEST_F(Program, ChecksBoxesThatLieFlatWithoutFindings) {
  std::string const slope =
      R"(<body name="w" type="fixed"><plane normal="-0.3420201433256687 0.9396926207859084"/></body>
<body name="b" type="planar" mass="1"><box half_size="0.1 0.1"/>
<initial position="-0.03420201433256687 0.09396926207859084" angle="20deg"/></body>
<contact name="c" point="b" with="w" mu=")";
  std::string const stack =
      R"(<body name="a" type="planar" mass="1"><box half_size="0.2 0.1"/><initial position="0 0.1"/></body>
<body name="b" type="planar" mass="1"><box half_size="0.1 0.1"/><initial position="0 0.3" velocity="1 0"/></body>
<contact name="c" point="b" with="a" mu="0.2"/><contact name="d" point="a" mu="0.5"/>)";
  std::string tiles;
  for (int k = -5; k < 15; ++k)
    tiles += "<body name=\"t" + std::to_string(k + 5) +
             "\" type=\"fixed\"><box half_size=\"0.1 0.05\"/><initial position=\"" + std::to_string(0.2 * k) +
             " -0.05\"/></body>";
  tiles += R"(<body name="block" type="planar" mass="1"><box half_size="0.15 0.05"/>
<initial position="0 0.05" velocity="3 0"/></body><contacts name="c" between="block t*" mu="0.3"/>)";
  for (std::string const& scene : {slope + "0.5\"/>", slope + "0.2\"/>", stack, tiles}) {
    write("flat.xml", "<scene name=\"flat\"><gravity acceleration=\"0 -9.81\"/>" + scene + "</scene>");
    for (std::string const version : {"2", "3"}) {
      ASSERT_EQ(run("build flat.xml --no-reference --fmi " + version + " -o flat.fmu").code, 0);
      Outcome const outcome = run("check flat.fmu");
#ifndef DELASSUS_SANITIZED
      EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
#endif
      EXPECT_EQ(outcome.output.find("derivative-exact"), std::string::npos) << outcome.output;
    }
  }
}

TEST_F(Program, NotesOnceWhatASceneHardlyMeans) {
  write("scene.xml", R"(<scene name="s"><gravity acceleration="0 -9.81"/>
<body name="b" type="planar" mass="1"><box half_size="0.1 0.1"/><initial position="0 9" angle="30"/></body></scene>)");
  for (std::string const command : {"simulate scene.xml", "describe scene.xml",
                                    "build scene.xml --no-reference", "simulate scene.xml --fmi 3"}) {
    Outcome const outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_CONTAINS(outcome.errors,
                    "note: scene.xml:2: attribute 'angle' of <initial>: it is in radians, and 30 rad");
    EXPECT_CONTAINS(outcome.errors, "note: scene.xml:2: body 'b' has weight and a shape, but no <contact>");
    EXPECT_EQ(outcome.errors.find("note: "), outcome.errors.rfind("note: scene.xml:2: attribute")) << command;
  }
  EXPECT_EQ(run("simulate scene.xml --quiet").errors, "");
  EXPECT_CONTAINS(run("simulate scene.xml --set b.initial.angle=90").errors,
                  "note: b.initial.angle=90: it is in radians");
  for (std::string const law :
       {R"(<pid of="rotation" proportional_gain="1"/><setpoint><point time="0" value="60"/></setpoint>)",
        R"(<signal unit="rad"/><setpoint><point time="0" value="60"/></setpoint>)",
        R"(<state_feedback unit="N.m"><state name="x" unit="rad" gain="1" reference="60"/>
                                </state_feedback>)"}) {
    write("law.xml", "<controller name=\"c\">" + law + "</controller>");
    EXPECT_CONTAINS(run("simulate law.xml").errors, "it is in radians, and 60 rad are 3437.7 degrees");
    write("law.xml", std::regex_replace("<controller name=\"c\">" + law + "</controller>",
                                        std::regex("\"60\""), "\"60deg\""));
    Outcome const degrees = run("simulate law.xml");
    EXPECT_EQ(degrees.code, 0) << degrees.errors;
    EXPECT_EQ(degrees.errors.find("note: "), std::string::npos) << degrees.errors;
  }
  write(
      "law.xml",
      R"(<controller name="c"><pid proportional_gain="1"/><setpoint><point time="0" value="60"/></setpoint></controller>)");
  EXPECT_EQ(run("simulate law.xml").errors.find("radians"), std::string::npos);  // 60 m
  write("late.csv", "time,solver.tolerance\n0.5,1e-6\n");
  EXPECT_CONTAINS(run("simulate scene.xml --input late.csv").errors, "until then its first row holds");
}

TEST_F(Program, PlotsInTheUnitThatTheDescriptionProposes) {
  write("still.xml", R"(<scene name="s"><body name="b" type="planar" mass="1"><box half_size="0.1 0.1"/>
<initial position="0 9" angle="0"/></body></scene>)");
  for (std::string const version : {"", " --fmi 2", " --fmi 3"}) {
    Outcome const outcome = run(
        "simulate still.xml --set b.initial.angle=100deg --stop 0.1 --plot a.svg --show b.angle -o a.csv" +
        version);
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    std::string const picture = read_file(path("a.svg"));
    EXPECT_CONTAINS(picture, "[deg]");
    EXPECT_CONTAINS(picture, ">100<");
    EXPECT_CONTAINS(picture, "b.initial.angle = 100 deg");
    TimeTable const table = read_csv(read_file(path("a.csv")), "a.csv");
    auto const angle = std::ranges::find(table.names, "b.angle") - table.names.begin();
    EXPECT_NEAR(table.columns[static_cast<std::size_t>(angle)].front(), 1.7453292519943295, 1e-12);  // rad
  }
}

TEST_F(Program, SetsChoicesByNameArraysByBlanksAndAnglesInDegrees) {
  Outcome const outcome =
      run("simulate painleve_rod --stop 0.01 --set solver.stepper=implicit --set 'push=1 0' --set "
          "rod.initial.angle=45deg -o out.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  TimeTable const table = read_csv(read_file(path("out.csv")), "out.csv");
  auto const column = [&](std::string const& name) {
    return table
        .columns[static_cast<std::size_t>(std::ranges::find(table.names, name) - table.names.begin())];
  };
  EXPECT_EQ(column("push[1]").front(), 1);
  EXPECT_NEAR(column("rod.angle").front(), 0.78539816339744831, 1e-15);
  EXPECT_CONTAINS(run("simulate impact --set solver.stepper=explicit").errors,
                  "it must be one of relaxed, nonsmooth, implicit");
  EXPECT_CONTAINS(run("simulate impact --set ground.zeta=big").errors, "ground.zeta cannot be 'big'");
  EXPECT_CONTAINS(run("simulate impact --set ball.position=1").errors, "cannot be set");
}

TEST_F(Program, EndsWithTwoForAValueOutsideOfItsRangeAndForOneThatTheModelRefuses) {
  Outcome const outcome = run("simulate impact --set ground.delta=-1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "ground.delta cannot be '-1': it must be >= 1e-09 s");
  Outcome const friction = run("simulate painleve_rod --set tip_ground.mu=-1");
  EXPECT_EQ(friction.code, 2);
  EXPECT_CONTAINS(friction.errors, "tip_ground.mu cannot be '-1': it must be >= 0\n");
  // FMI declares only inclusive bounds: zero is left to the model, directly and as an FMU.
  for (std::string const how : {"", " --fmi 2", " --fmi 3"}) {
    Outcome const zero = run("simulate impact --set ball.mass=0" + how);
    EXPECT_EQ(zero.code, 2) << how;
    EXPECT_CONTAINS(zero.errors, "cannot set ball.mass: ");
  }
  EXPECT_CONTAINS(run("simulate impact --set ball.mass=0").errors, "must be > 0");
  write("old.csv", "old");
  EXPECT_EQ(run("simulate impact --set ball.mass=0 -o old.csv").code, 2);
  EXPECT_EQ(read_file(path("old.csv")), "old");
}

TEST_F(Program, HoldsInputsAndWritesThemBackSoThatResultsCanBeInputs) {
  write("in.csv", "time,push\n0,0\n0.05,20\n");
  Outcome const first = run("simulate impact --input in.csv -o first.csv");
  ASSERT_EQ(first.code, 0) << first.errors;
  TimeTable const table = read_csv(read_file(path("first.csv")), "first.csv");
  ASSERT_EQ(table.names.front(), "push");
  EXPECT_EQ(table.columns[0][49], 0);
  EXPECT_EQ(table.columns[0][50], 20);
  Outcome const second = run("simulate impact --input first.csv -o second.csv");
  EXPECT_EQ(second.code, 0);
  EXPECT_CONTAINS(second.errors, "not used");
  EXPECT_EQ(read_file(path("second.csv")), read_file(path("first.csv")));
  write("in.csv", "time,pusch\n0,0\n");
  EXPECT_CONTAINS(run("simulate impact --input in.csv").errors,
                  "in.csv:1: the model has no variable 'pusch'; did you mean 'push'?");
  write("in.csv", "time,push\n0,nan\n");
  EXPECT_EQ(run("simulate impact --input in.csv").code, 2);
}

TEST_F(Program, EndsWithFourWhenTheReferenceIsNotMet) {
  ASSERT_EQ(run("simulate impact -o ref.csv").code, 0);
  EXPECT_EQ(run("simulate impact --reference ref.csv").code, 0);
  Outcome const outcome = run("simulate impact --set ground.zeta=0.3 --reference ref.csv");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_CONTAINS(outcome.errors, "ball.position");
  EXPECT_EQ(run("simulate impact --set ground.zeta=0.3 --reference ref.csv --reference-tolerance 1e3").code,
            4)
      << "modes are exact";
  EXPECT_EQ(run("simulate impact --reference missing.csv").code, 2);
}

TEST_F(Program, KeepsAnOldFileWhenItCannotWrite) {
  EXPECT_EQ(run("simulate impact -o missing/out.csv").code, 2);
  EXPECT_CONTAINS(run("build impact -o missing/out.fmu").errors,
                  "cannot write missing/out.fmu: No such file or directory");
  EXPECT_EQ(run("simulate impact -o /dev/full").code, 3) << "nothing is wrong with the arguments";
}

TEST_F(Program, SaysInJsonWhatToDoAboutAScene) {
  write("scene.xml",
        R"(<scene name="s"><body name="b" type="planar" mass="1"><disc radius="0.1"/></body></scene>)");
  auto const reports = Json::parse(run("check scene.xml --json").output);
  auto const& finding = reports.at(0).at("findings").at(0);
  EXPECT_EQ(finding.at("remedy"), "write <sphere radius=\"0.1\"/>, which is a disc in the plane");
}

TEST_F(Program, WarnsThatADistributionIsDrawnOnceInAGrid) {
  std::string const sweep = "sweep sliding_block --stop 0.02 --vary mu=0.5~0.05 ";
  Outcome const once = run(sweep);
  EXPECT_EQ(once.code, 0) << once.errors;
  EXPECT_CONTAINS(once.errors, "mu=0.5~0.05 is drawn once, for one run; --sample random --runs 100");
  for (std::string const several : {"--sample random --runs 2", "--vary seed=1:2"})
    EXPECT_EQ(run(sweep + several).errors.find("drawn once"), std::string::npos) << several;
}

TEST_F(Program, SuggestsOfTwoImpactLawsTheOneThatTheSceneHas) {
  auto const scene = [&](std::string const& law) {
    write("ball.xml",
          R"(<scene name="s"><gravity acceleration="0 -9.81"/><body name="b" type="planar" mass="1">
<sphere radius="0.1"/><initial position="0 0.5"/></body><contact name="floor" point="b" )" +
              law + "/></scene>");
  };
  scene(R"(mu="0.3" restitution="0.3")");
  EXPECT_CONTAINS(run("simulate ball.xml --set floor.zeta=0.1").errors,
                  "set floor.restitution, or write zeta=\"...\" in the scene instead of restitution");
  EXPECT_EQ(run("simulate ball.xml --stop 0.1 --set floor.restitution=0.1").code, 0);
  EXPECT_CONTAINS(run("simulate ball.xml --set floor.mo=0.3").errors, "did you mean 'floor.mu'?");
  scene(R"(mu="0.3" zeta="0.3")");
  EXPECT_CONTAINS(run("simulate ball.xml --set floor.restitution=0.1").errors,
                  "set floor.zeta, or write restitution=\"...\" in the scene instead of zeta");
  scene(R"(zeta="0.3")");
  EXPECT_CONTAINS(run("simulate ball.xml --set floor.mu=0.1").errors, "give 'floor' the attribute mu");
}

// Whoever opens a file goes by its ending.
TEST_F(Program, RefusesAFileWhoseEndingBelongsToAnotherFormatBeforeItRuns) {
  ASSERT_EQ(run("examples impact > mine.xml && '" DELASSUS_PROGRAM "' describe impact").code, 0);
  for (auto const& [command, answer] : std::vector<std::pair<std::string, std::string>>{
           {"build mine.xml -o out.ssp",
            "name the file out.fmu, or build the package of a system from its .ssd"},
           {"build mine.xml -o out.zip", "out.zip: an FMU is an .fmu; name the file out.fmu"},
           {"build mine.xml -o out", "name the file out.fmu"},
           {"build positioning -o out.fmu", "out.fmu"},
           {"simulate mine.xml -o out.svg",
            "out.svg: .svg is a picture, and a table of rows, a .csv, is written; name the file out.csv, or "
            "give --plot FILE"},
           {"simulate mine.xml -o out.HTML", ".html is a page"},
           {"cosim positioning -o out.ssp",
            "name the file out.csv, or give --plot FILE for a picture, --save"},
           {"sweep mine.xml --vary ground.mu=0,1 -o out.png", "name the file out.csv"},
           {"analyse mine.xml -o out.pdf", "name the file out.txt"},
           {"analyse mine.xml --json -o out.csv", "name the file out.json"},
           {"reproduce oprea -o out.pdf", "name the file out.html"}}) {
    Outcome const outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_CONTAINS(outcome.errors, answer);
    EXPECT_FALSE(exists(command.substr(command.rfind(' ') + 1))) << command;
  }
  for (std::string const name : {"out", "out.txt", "out.v2", "out.CSV", "/dev/null"})
    EXPECT_EQ(run("simulate mine.xml --stop 0.01 -o " + name).code, 0) << name;
  EXPECT_EQ(run("build mine.xml --no-reference -o out.FMU").code, 0);
  EXPECT_EQ(run("build mine.xml --no-reference -o /dev/null").code, 0);
}

TEST_F(Program, OverwritesNoFileThatItReads) {
  ASSERT_EQ(run("examples impact > mine.xml && '" DELASSUS_PROGRAM "' simulate mine.xml -o in.csv").code, 0);
  std::string const scene = read_file(path("mine.xml")), rows = read_file(path("in.csv"));
  for (std::string const command :
       {"simulate mine.xml -o mine.xml", "simulate mine.xml -o ./mine.xml",
        "simulate mine.xml --plot mine.xml", "simulate mine.xml --input in.csv -o in.csv",
        "simulate mine.xml --reference in.csv -o in.csv", "report mine.xml -o mine.xml",
        "report in.csv --model mine.xml -o in.csv", "build mine.xml -o mine.xml",
        "sweep mine.xml --vary ground.mu=0,1 -o mine.xml", "analyse mine.xml -o mine.xml"}) {
    Outcome const outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_CONTAINS(outcome.errors, "is read by this command and would be overwritten");
    EXPECT_EQ(read_file(path("mine.xml")), scene) << command;
    EXPECT_EQ(read_file(path("in.csv")), rows) << command;
  }
}

TEST_F(Program, SuggestsTheOptionThatWasMeant) {
  Outcome const typo = run("simulate impact --stopp 1");
  EXPECT_EQ(typo.code, 2);
  EXPECT_CONTAINS(typo.errors, "simulate has no option '--stopp'; did you mean '--stop'?");
  EXPECT_CONTAINS(run("simulate impact --hue=red").errors,
                  "simulate has no option '--hue'; `delassus simulate --help`");
  EXPECT_CONTAINS(run("simulate impact again").errors, "simulate takes no argument 'again'");
}

TEST_F(Program, TakesStopAndUntilForTheSame) {
  EXPECT_EQ(run("simulate impact --until 0.1").output, run("simulate impact --stop 0.1").output);
}

TEST_F(Program, EndsTheLastStepAtTheStopTime) {
  Outcome const outcome = run("simulate impact --stop 0.0105 --step 0.002");
  TimeTable const table = read_csv(outcome.output, "out");
  EXPECT_EQ(table.rows(), 7u);
  EXPECT_EQ(table.time[3], 3 * 0.002);
  EXPECT_EQ(table.time.back(), 0.0105);
}

TEST_F(Program, PlotsARunAndWritesNoCsvUnasked) {
  Outcome const outcome = run("simulate impact --plot out.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "");
  EXPECT_CONTAINS(read_file(path("out.svg")), "ball.position");
  EXPECT_EQ(run("simulate impact --plot out.svg --show ground.force --show energy").code, 0);
  EXPECT_EQ(read_file(path("out.svg")).find("ball.position"), std::string::npos);
  EXPECT_CONTAINS(read_file(path("out.svg")), "energy.total");
  EXPECT_CONTAINS(run("simulate impact --plot out.svg --show ground.forze").errors,
                  "did you mean 'ground.force'?");
  EXPECT_EQ(run("simulate impact --show ground.force").code, 2);
}

TEST_F(Program, PrintsJsonForScripts) {
  ASSERT_EQ(run("build impact -o a.fmu").code, 0);
  EXPECT_CONTAINS(run("check a.fmu --json").output, test::checked_as_json);
  EXPECT_CONTAINS(run("describe a.fmu --json").output, "\"name\": \"ball.position\"");
  EXPECT_CONTAINS(run("describe impact --xml --fmi 2").output, "fmiVersion=\"2.0\"");
}

// A rod of 2 kg and half length 0.3 has the inertia m (2 l)^2/12 = 0.06 kg m^2; a ball of density 3 the mass 3 pi r^2.
TEST_F(Program, DescribesCalculatedParametersAndAnglesInDegrees) {
  write(
      "rod.xml",
      R"(<scene name="rod"><interface integers="yes"/><body name="rod" type="planar" mass="2"><rod half_length="0.3"/>
<initial angle="45deg" angular_velocity="1.5707963267948966"/></body><body name="ball" type="planar" density="3">
<sphere radius="2"/><initial position="9 9"/></body><contact name="c" point="ball" with="ground"/></scene>)");
  ASSERT_EQ(run("build rod.xml --no-reference -o rod.fmu").code, 0);
  for (std::string const model : {"rod.xml", "rod.xml --fmi 2", "rod.fmu"}) {
    std::string const text = run("describe " + model).output;
    auto const line = [&](std::string const& name) {
      auto const found = text.find("\n  " + name + " ");
      return found == std::string::npos ? "no " + name
                                        : text.substr(found, text.find('\n', found + 1) - found);
    };
    EXPECT_CONTAINS(line("rod.inertia"), " 0.06 ");
    EXPECT_CONTAINS(line("ball.mass"), " 37.69911184307752 ");
    EXPECT_CONTAINS(line("solver.rule_number"), " 1 ");
    EXPECT_CONTAINS(line("rod.initial.angle"), "rad (deg)");
    EXPECT_CONTAINS(line("rod.initial.angle"), "0.7853981633974483 (45 deg)");
    EXPECT_CONTAINS(line("rod.initial.angular_velocity"), "1.5707963267948966 (90 deg/s)");
    EXPECT_CONTAINS(line("rod.angular_velocity"), "rad/s (deg/s)");
    auto const json = Json::parse(run("describe --json " + model).output);
    for (auto const& variable : json.at("variables")) {
      if (variable.at("name") == "rod.inertia") {
        EXPECT_EQ(variable.at("calculated"), "0.06");
      }
      if (variable.at("name") == "rod.mass") {
        EXPECT_TRUE(variable.at("calculated").is_null());
      }
      bool const turns = variable.at("unit") == "rad" || variable.at("unit") == "rad/s";
      EXPECT_EQ(variable.at("display_unit").is_null(), !turns) << variable.at("name");
    }
  }
}

TEST_F(Program, SaysWhatBringsAVariableThatASceneMayAskFor) {
  EXPECT_CONTAINS(run("simulate sliding_block --plot a.svg --show floor.mu_jam").errors,
                  "<interface analysis=\"yes\"/>");
  EXPECT_CONTAINS(run("simulate sliding_block --set solver.rule_number=2").errors,
                  "<interface integers=\"yes\"/>");
}

TEST_F(Program, ValidatesAgainstTheSchemasThatTheEnvironmentNames) {
  ASSERT_EQ(run("build impact -o a.fmu --no-reference").code, 0);
  write("fmi3ModelDescription.xsd",
        "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><xs:element name=\"other\"/></xs:schema>");
  ::setenv("DELASSUS_SCHEMAS", folder_.path().c_str(), 1);
  Outcome const found = run("check a.fmu");
  ::setenv("DELASSUS_SCHEMAS", path("nowhere").c_str(), 1);
  Outcome const missing = run("check a.fmu");
  ::unsetenv("DELASSUS_SCHEMAS");
  EXPECT_EQ(found.code, 1);
  EXPECT_CONTAINS(found.output, "[schema]");
  EXPECT_EQ(missing.code, 2);
  EXPECT_CONTAINS(missing.errors, "has no fmi3ModelDescription.xsd");
}

TEST_F(Program, EndsWithOneForFindingsAndThreeForAnFmuThatCrashes) {
  write("notes.fmu", make_archive({{"readme", "x"}}));
  Outcome const findings = run("check notes.fmu");
  EXPECT_EQ(findings.code, 1);
  EXPECT_CONTAINS(findings.output, "[archive-description]");
  write("noise.fmu", "PK noise");
  EXPECT_EQ(run("check noise.fmu").code, 1);
  EXPECT_EQ(run("simulate noise.fmu").code, 2);
}

TEST_F(Program, KeepsTheResultsUntilARunFails) {
  write("broken.fmu", make_archive({{"modelDescription.xml", broken_fmu_description},
                                    {"binaries/linux64/broken.so", read_file(DELASSUS_BROKEN_FMU)}}));
  ASSERT_EQ(run("simulate broken.fmu -o out.csv").code, 0);
  ::setenv("DELASSUS_DEFECT", "error", 1);
  Outcome const outcome = run("simulate broken.fmu -o out.csv");
  ::unsetenv("DELASSUS_DEFECT");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "fmi2DoStep returned error");
  TimeTable const table = read_csv(read_file(path("out.csv")), "out.csv");
  EXPECT_EQ(table.rows(), 5u);  // it fails in the first step that starts after 0.35 s
  ASSERT_EQ(table.names, (std::vector<std::string>{"u", "x", "y"}));
  EXPECT_NEAR(table.columns[1].back(), 0.8, 1e-12);
}

TEST_F(Program, RefusesToRunAVersionOfFmiThatItDoesNotKnow) {
  std::string description = broken_fmu_description;
  description.replace(description.find("\"2.0\""), 5, "\"1.0\"");
  write("old.fmu", make_archive({{"modelDescription.xml", description}}));
  Outcome const outcome = run("simulate old.fmu");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "FMI version '1.0' cannot be run");
}

TEST_F(Program, SaysNothingInAPipeThatIsClosedAndLeavesNothingBehind) {
  TemporaryFolder const temporary;
  std::string const command = "TMPDIR='" + temporary.path().string() +
                              "' '" DELASSUS_PROGRAM "' simulate impact --fmi 3 --quiet 2>'" +
                              path("errors.txt").string() + "' | head -1 >'" + path("head.txt").string() +
                              "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_file(path("errors.txt")), "");
  EXPECT_TRUE(read_file(path("head.txt")).starts_with("time,"));
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
}

}  // namespace
}  // namespace delassus
