// `delassus sweep`: known physics over a sweep, the same table however it was computed, interrupted and resumed, and runs
// that fail.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <thread>

#include "model/scene/number.hpp"
#include "tests/support/broken_fmu.hpp"
#include "tests/support/markup_check.hpp"
#include "tests/support/program_run.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

using test::Outcome;

constexpr double g = 9.81;

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;

  std::size_t column(std::string const& name) const {
    auto const found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<std::size_t>(found - names.begin());
  }
  std::string const& text(std::size_t row, std::string const& name) const {
    return rows.at(row).at(column(name));
  }
  double number(std::size_t row, std::string const& name) const {
    return parse_number(text(row, name)).value_or(std::nan(""));
  }
};

class Sweep : public test::Program {
 protected:
  Table table(std::string const& file) const {
    Table table;
    std::istringstream stream(read_file(path(file)));
    for (std::string line; std::getline(stream, line);) {
      std::vector<std::string> cells{""};
      bool quoted = false;
      for (char const c : line) {
        if (c == '"') {
          quoted = !quoted;
        } else if (c == ',' && !quoted) {
          cells.emplace_back();
        } else {
          cells.back() += c;
        }
      }
      if (table.names.empty()) {
        table.names = cells;
      } else {
        table.rows.push_back(cells);
      }
    }
    return table;
  }

  Table swept(std::string const& arguments) const {
    Outcome const outcome = run("sweep " + arguments + " -o out.csv");
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return table("out.csv");
  }

  // The program in the background; its process.
  pid_t start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), DELASSUS_PROGRAM);
    std::vector<char*> words;
    for (auto& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    std::string const folder = folder_.path().string(), errors = path("background.txt").string();
    pid_t const child = ::fork();
    if (child != 0) return child;
    if (::chdir(folder.c_str()) != 0) ::_exit(9);
    int const log = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(log, STDERR_FILENO);
    ::execv(words[0], words.data());
    ::_exit(9);
  }

  // A sweep of 100 runs in the background, of which no more than 20 can finish, so that it is interrupted in the middle
  // however slow the machine is. Waits until the journal has so many runs; then sends the signal. The number of finished
  // runs in it.
  std::size_t interrupt(std::string const& sweep, std::string const& output, std::size_t runs,
                        int signal) const {
    write("wait", "");
    ::setenv("DELASSUS_DEFECT", "waiting", 1);
    std::vector<std::string> words{"sweep", "-o", output};
    std::istringstream stream(sweep);
    for (std::string word; stream >> word;) words.push_back(word);
    pid_t const process = start(words);
    std::string const journal = output + ".journal";
    for (int i = 0; i < 60000; ++i) {
      if (exists(journal) && finished_in(journal) >= runs) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(process, signal);
    ::waitpid(process, nullptr, 0);
    ::unsetenv("DELASSUS_DEFECT");
    std::filesystem::remove(path("wait"));
    std::size_t const finished = finished_in(journal);
    EXPECT_GE(finished, runs);
    EXPECT_LE(finished, 20u);
    return finished;
  }
  std::size_t finished_in(std::string const& journal) const {
    std::istringstream stream(read_file(path(journal)));
    std::size_t count = 0;
    bool head = true;
    for (std::string line; std::getline(stream, line);) {
      if (!head && !stream.eof()) ++count;
      if (line.starts_with("plan ")) head = false;
    }
    return count;
  }

  // With a file in it that changes nothing but the bytes of the FMU.
  void write_broken_fmu(std::string const& name = "broken.fmu", std::string const& note = "") const {
    write(name, make_archive({{"modelDescription.xml", broken_fmu_description},
                              {"documentation/note.txt", note},
                              {"binaries/linux64/broken.so", read_file(DELASSUS_BROKEN_FMU)}}));
  }
};

// ---- known physics

// A block of speed v stops after v^2 / (2 mu g), at the time v / (mu g), where it is rigid. The relaxed one sticks as soon
// as its speed is mu g delta / (2 zeta), and then loses it by exp(-2 zeta t / delta): with zeta = 1 this is mu g delta^2 / 8
// more.
TEST_F(Sweep, FindsTheStoppingDistanceOfASlidingBlock) {
  Table const found = swept(
      "sliding_block --vary mu=0.3:1:15 --vary block.initial.velocity[1]=1,1.5,2 --keep 'block.position[1]' "
      "--keep 'max(abs(block_ground.force[1]))' --keep 'first(block.velocity[1] < 1e-6)'");
  ASSERT_EQ(found.rows.size(), 45u);
  double const delta = 1e-3;
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    double const mu = found.number(row, "block_ground.mu"),
                 v = found.number(row, "block.initial.velocity[1]");
    EXPECT_NEAR(found.number(row, "block.position[1]"), v * v / (2 * mu * g) + mu * g * delta * delta / 8,
                1e-8)
        << row;
    EXPECT_NEAR(found.number(row, "max(abs(block_ground.force[1]))"), mu * 2 * g, 1e-5) << row;
    // Between two communication points the velocity is drawn as a line, with the kink somewhere within.
    EXPECT_NEAR(found.number(row, "first(block.velocity[1] < 1e-6)"), v / (mu * g), .012) << row;
    EXPECT_EQ(found.text(row, "status"), "ok");
  }
}

// It slips where mu is below the slope's 0.495, with the acceleration g (sin - mu cos), and does not move at all above.
TEST_F(Sweep, FindsTheFrictionBelowWhichABlockSlips) {
  Table const found =
      swept("block_on_slope --vary mu=0.4:0.6:41 --keep 'block.position[1] - start(block.position[1])'");
  double const angle = std::atan(0.495);
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    double const mu = found.number(row, "block_slope.mu");
    double const moved = found.number(row, "block.position[1] - start(block.position[1])");
    if (mu > 0.495 + 1e-9) {
      EXPECT_NEAR(moved, 0, 1e-12) << mu;
    } else if (mu < 0.495 - 1e-9) {
      double const a = g * (std::sin(angle) - mu * std::cos(angle));
      EXPECT_NEAR(std::abs(moved), a / 2 * std::cos(angle), 2e-3 * a) << mu;
    }
  }
}

TEST_F(Sweep, GivesWhatSingleRunsGive) {
  Table const found =
      swept("painleve_rod --vary mu=0.2,0.7 --vary solver.stepper=relaxed,implicit --runs-folder runs");
  ASSERT_EQ(found.rows.size(), 4u);
  for (std::size_t row = 0; row < 4; ++row) {
    ASSERT_EQ(run("simulate painleve_rod -o one.csv --set tip_ground.mu=" + found.text(row, "tip_ground.mu") +
                  " --set solver.stepper=" + found.text(row, "solver.stepper"))
                  .code,
              0);
    EXPECT_EQ(read_file(path("one.csv")),
              read_file(path("runs/run-00000" + std::to_string(row + 1) + ".csv")));
    Table const one = table("one.csv");
    for (auto const& name : one.names) {
      if (std::ranges::find(found.names, name) == found.names.end()) continue;
      EXPECT_EQ(found.text(row, name), one.rows.back().at(one.column(name))) << name;
    }
  }
}

TEST_F(Sweep, GivesTheSameThroughAnFmu) {
  std::string const arguments =
      "bouncing_ball --vary restitution=0.2:0.8:4 --stop 0.5 --keep 'ball.position' --keep "
      "'count(ball.velocity[2] > 0)' --keep events.count";
  Outcome const direct = run("sweep " + arguments), fmi2 = run("sweep --fmi 2 " + arguments),
                fmi3 = run("sweep --fmi 3 " + arguments);
  EXPECT_EQ(direct.code, 0) << direct.errors;
  EXPECT_EQ(direct.output, fmi2.output);
  EXPECT_EQ(direct.output, fmi3.output);
}

// ---- systems

// Without friction, integral and rate, the loop is an oscillator: it reaches its goal after a quarter of its period,
// (pi / 2) sqrt(m / k), up to the sample time of the controller, 1 ms, and a step.
TEST_F(Sweep, RunsASystemOfAPlantAndItsController) {
  std::string const system = DELASSUS_SCENES_DIR "/../../tools/systems/positioning/SystemStructure.ssd";
  std::string const arguments =
      "'" + system +
      "' --stop 0.4 --set plant.table.bound=0 --set plant.table.bound_static=0 --set "
      "controller.integral_gain=0 --set "
      "controller.derivative_gain=0 --vary controller.proportional_gain=50:200:4 --vary mass=0.5,1,2 --keep "
      "'first(position > 0.05)' --keep plant.block.velocity";
  Table const found = swept(arguments + " --runs-folder runs");
  ASSERT_EQ(found.rows.size(), 12u);
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    double const k = found.number(row, "controller.proportional_gain"),
                 m = found.number(row, "plant.block.mass");
    EXPECT_NEAR(found.number(row, "first(position > 0.05)"), M_PI / 2 * std::sqrt(m / k), 2e-3) << row;
  }
  ASSERT_EQ(run("cosim '" + system +
                "' --until 0.4 --set plant.table.bound=0 --set plant.table.bound_static=0 --set "
                "controller.integral_gain=0 --set controller.derivative_gain=0 --set "
                "controller.proportional_gain=100 "
                "--set plant.block.mass=2 -o one.csv")
                .code,
            0);
  EXPECT_EQ(read_file(path("one.csv")), read_file(path("runs/run-000006.csv")));
  ASSERT_EQ(run("sweep " + arguments + " --jobs 1 -o one.csv").code, 0);
  EXPECT_EQ(read_file(path("one.csv")), read_file(path("out.csv")));
  Outcome const refused = run("sweep '" + system + "' --vary mass=1:2 --fmi 3");
  EXPECT_EQ(refused.code, 2);
  EXPECT_CONTAINS(refused.errors, "--fmi is for single models");
}

// ---- samples

TEST_F(Sweep, DrawsALatinHypercubeThatASeedReproduces) {
  std::string const arguments =
      "sliding_block --stop 0.02 --sample latin --runs 40 --vary mu=0.1:0.9 --vary "
      "block.initial.velocity[1]=2~0.1 "
      "--keep 'block.velocity[1]'";
  Outcome const once = run("sweep " + arguments), twice = run("sweep --jobs 3 " + arguments),
                other = run("sweep --seed 2 " + arguments);
  EXPECT_EQ(once.code, 0) << once.errors;
  EXPECT_EQ(once.output, twice.output);
  EXPECT_NE(once.output, other.output);
  write("out.csv", once.output);
  Table const found = table("out.csv");
  std::set<int> strata;
  for (std::size_t row = 0; row < 40; ++row)
    strata.insert(static_cast<int>((found.number(row, "block_ground.mu") - .1) / .8 * 40));
  EXPECT_EQ(strata.size(), 40u);
}

TEST_F(Sweep, RepeatsTheDrawsOfASeedForEveryOtherValue) {
  Table const found = swept(
      "sliding_block --stop 0.02 --vary mu=0.1:1:3 --vary block.initial.velocity[1]=2~0.1 --vary seed=1:4 "
      "--keep "
      "'block.velocity[1]'");
  ASSERT_EQ(found.rows.size(), 12u);
  for (std::size_t row = 0; row < 12; ++row)
    EXPECT_EQ(found.text(row, "block.initial.velocity[1]"), found.text(row % 4, "block.initial.velocity[1]"));
  Outcome const vain = run("sweep sliding_block --stop 0.02 --vary mu=0.1:1:2 --vary seed=1:2 -o vain.csv");
  EXPECT_EQ(vain.code, 0);
  EXPECT_CONTAINS(vain.errors, "note: the model has no parameter seed and nothing is drawn");
}

TEST_F(Sweep, NotesDegreesThatAreTakenForRadians) {
  std::string const rod = "sweep painleve_rod --stop 0.002 -o out.csv ";
  for (std::string const values : {"-100~5", "~0:100", "0:100:3", "0deg:100:3", "1,100,2", "0~1:-2:100"}) {
    Outcome const outcome =
        run(rod + "--sample random --runs 2 --restart --vary 'rod.initial.angle=" + values + "'");
    EXPECT_CONTAINS(outcome.errors, "note: rod.initial.angle=" + values + ": it is in radians, and ");
    EXPECT_CONTAINS(outcome.errors, "100 rad are 5729.6 degrees");
  }
  for (std::string const values : {"-100deg~5deg", "0:1:100", "30deg,60deg"})
    EXPECT_EQ(run(rod + "--vary 'rod.initial.angle=" + values + "' --sample random --runs 2")
                  .errors.find("radians"),
              std::string::npos);
  EXPECT_CONTAINS(run(rod + "--vary mu=0.1:1:2 --set rod.initial.angle=45").errors,
                  "note: rod.initial.angle=45: it is in radians");
}

// ---- the same table to the byte

std::string const many =
    "sliding_block --stop 0.2 --vary mu=0.1:1:20 --vary block.initial.velocity[1]=2~0.2 --vary seed=1:5";

std::string const waiting = "broken.fmu --vary rate=1:100";

TEST_F(Sweep, WritesTheSameTableForAnyNumberOfJobs) {
  ASSERT_EQ(run("sweep " + many + " --jobs 1 -o one.csv").code, 0);
  ASSERT_EQ(run("sweep " + many + " --jobs 5 -o five.csv").code, 0);
  EXPECT_EQ(read_file(path("one.csv")), read_file(path("five.csv")));
  EXPECT_EQ(table("one.csv").rows.size(), 100u);
  EXPECT_FALSE(exists("one.csv.journal"));
}

TEST_F(Sweep, WritesTheSameTableUnderMpi) {
  if (!std::filesystem::exists(std::filesystem::path(DELASSUS_PROGRAM).parent_path() /
                               "share/delassus/delassus_mpi.so"))
    GTEST_SKIP() << "the program was built without MPI (libopenmpi-dev)";
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun (openmpi-bin)";
  ASSERT_EQ(run("sweep " + many + " --jobs 1 -o one.csv").code, 0);
#ifdef DELASSUS_SANITIZED
  ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // Open MPI keeps what it has to the end
#endif
  std::string const launcher =
      "cd '" + folder_.path().string() +
      "' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun --oversubscribe ";
  for (std::string const ranks : {"2", "4"}) {
    std::string const command = launcher + "-n " + ranks + " '" DELASSUS_PROGRAM "' sweep " + many +
                                " -o ranks.csv >stdout.txt 2>stderr.txt";
    ASSERT_EQ(std::system(command.c_str()), 0) << read_file(path("stderr.txt"));
    EXPECT_EQ(read_file(path("one.csv")), read_file(path("ranks.csv"))) << ranks;
    std::filesystem::remove(path("ranks.csv"));
  }
  // Rank 0 that refuses lets the others go.
  write("ranks.csv.journal", "delassus-sweep-journal 1\n# another\nplan 0\n");
  std::string const refused =
      launcher + "-n 3 '" DELASSUS_PROGRAM "' sweep " + many + " -o ranks.csv >stdout.txt 2>stderr.txt";
  int const status = std::system(refused.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_CONTAINS(read_file(path("stderr.txt")), "ranks.csv.journal has finished runs of another sweep");
  // What is wrong with the arguments is said once.
  std::string const wrong =
      launcher + "-n 3 '" DELASSUS_PROGRAM "' sweep sliding_block --vary nu=1:2 2>stderr.txt";
  EXPECT_NE(std::system(wrong.c_str()), 0);
  std::string const errors = read_file(path("stderr.txt"));
  auto const first = errors.find("no variable 'nu'");
  ASSERT_NE(first, std::string::npos) << errors;
  EXPECT_EQ(errors.find("no variable 'nu'", first + 1), std::string::npos) << errors;
}

// ---- interruptions

TEST_F(Sweep, GoesOnAfterItWasKilledWithoutLosingOrRepeatingARun) {
  write_broken_fmu();
  ASSERT_EQ(run("sweep " + waiting + " -o whole.csv").code, 0);
  std::size_t const finished = interrupt(waiting + " --jobs 2", "killed.csv", 10, SIGKILL);
  EXPECT_FALSE(exists("killed.csv"));
  Outcome const resumed = run("sweep " + waiting + " -o killed.csv");
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_CONTAINS(resumed.errors, std::to_string(finished) + " of 100 runs are finished already");
  EXPECT_EQ(read_file(path("whole.csv")), read_file(path("killed.csv")));
  EXPECT_FALSE(exists("killed.csv.journal"));
}

TEST_F(Sweep, KeepsTheFinishedRunsOnCtrlCAndSaysHowToGoOn) {
  write_broken_fmu();
  std::size_t const finished = interrupt(waiting + " --jobs 1", "stopped.csv", 3, SIGINT);
  std::string const errors = read_file(path("background.txt"));
  EXPECT_CONTAINS(
      errors, "interrupted; " + std::to_string(finished) + " of 100 runs are kept in stopped.csv.journal");
  EXPECT_CONTAINS(errors, "The same command goes on from there");
}

TEST_F(Sweep, DoesARunAgainWhoseLineWasCutOrDamaged) {
  write_broken_fmu();
  ASSERT_EQ(run("sweep " + waiting + " -o whole.csv").code, 0);
  std::size_t const finished = interrupt(waiting + " --jobs 2", "cut.csv", 10, SIGKILL);
  std::string journal = read_file(path("cut.csv.journal"));
  std::size_t const damaged = journal.find("ok", journal.find("\nplan "));
  ASSERT_NE(damaged, std::string::npos);
  journal[damaged] = 'q';
  journal.resize(journal.size() - 3);
  write("cut.csv.journal", journal);
  Outcome const resumed = run("sweep " + waiting + " -o cut.csv");
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_CONTAINS(resumed.errors, std::to_string(finished - 2) + " of 100 runs are finished already");
  EXPECT_EQ(read_file(path("whole.csv")), read_file(path("cut.csv")));
}

TEST_F(Sweep, RefusesTheJournalOfAnotherSweep) {
  write_broken_fmu();
  interrupt(waiting + " --jobs 1", "out.csv", 2, SIGKILL);
  std::string const journal = read_file(path("out.csv.journal"));
  Outcome const refused = run("sweep broken.fmu --vary rate=1:99 -o out.csv");
  EXPECT_EQ(refused.code, 2);
  EXPECT_CONTAINS(refused.errors,
                  "out.csv.journal has finished runs of another sweep: 'vary rate=1:100' there, "
                  "'vary rate=1:99' here");
  EXPECT_CONTAINS(refused.errors, "--restart");
  EXPECT_EQ(read_file(path("out.csv.journal")), journal);
  // Which runs finish depends on how long they may take.
  Outcome const shorter = run("sweep " + waiting + " --run-timeout 5 -o out.csv");
  EXPECT_EQ(shorter.code, 2);
  EXPECT_CONTAINS(shorter.errors, "run-timeout 5");
  // Another model under the same name is another sweep, too.
  write_broken_fmu("broken.fmu", "another one");
  EXPECT_EQ(run("sweep " + waiting + " -o out.csv").code, 2);
  Outcome const anew = run("sweep broken.fmu --vary rate=1:3 -o out.csv --restart");
  EXPECT_EQ(anew.code, 0) << anew.errors;
  EXPECT_EQ(table("out.csv").rows.size(), 3u);
}

// Whatever a system is made of: its FMUs, its values and their names, structures inside of it, and its variants.
TEST_F(Sweep, RefusesTheJournalOfASystemOfOtherFiles) {
  std::string const namespaces =
      R"(xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0")";
  auto const structure = [&](std::string const& name, std::string const& elements) {
    return "<SystemStructureDescription " + namespaces + " name=\"" + name + "\"><System name=\"" + name +
           "\"><Elements>" + elements +
           "</Elements></System><DefaultExperiment stopTime=\"1\"/></SystemStructureDescription>";
  };
  auto const values = [](std::string const& value) {
    return R"(<ParameterSet xmlns="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="v"><Parameters><Parameter name="u0"><Real value=")" +
           value + R"("/></Parameter></Parameters></ParameterSet>)";
  };
  auto const names = [](std::string const& comment) {
    return R"(<ParameterMapping xmlns="http://ssp-standard.org/SSP1/SystemStructureParameterMapping" version="1.0"><MappingEntry source="u0" target="u"/></ParameterMapping><!--)" +
           comment + "-->";
  };
  std::string const other =
      R"(<Component name="other" source="other.fmu"><ParameterBindings><ParameterBinding source="values.ssv"><ParameterMapping source="names.ssm"/></ParameterBinding></ParameterBindings></Component>)";
  std::filesystem::create_directories(path("system"));
  write("system/SystemStructure.ssd", structure("plain", other));
  write("system/variant.ssd",
        structure(
            "outer",
            R"(<Component name="inner" type="application/x-ssp-definition" source="inner.ssd"/>)" + other));
  write("system/inner.ssd", structure("inner", R"(<Component name="part" source="part.fmu"/>)"));
  write("system/values.ssv", values("1"));
  write("system/names.ssm", names("before"));
  write_broken_fmu("system/part.fmu");
  write_broken_fmu("system/other.fmu");
  std::string const sweep = "system --variant variant.ssd --vary inner.part.rate=1:100 --step 0.1";
  interrupt(sweep + " --jobs 1", "out.csv", 2, SIGKILL);
  auto const expect_refused = [&](std::string const& file, std::string const& text) {
    std::string const before = read_file(path(file));
    write(file, text.empty() ? before + "<!-- another one -->" : text);
    Outcome const refused = run("sweep " + sweep + " -o out.csv");
    EXPECT_EQ(refused.code, 2) << file << refused.errors;
    EXPECT_CONTAINS(refused.errors, "has finished runs of another sweep: 'file " +
                                        std::filesystem::path(file).filename().string());
    write(file, before);
  };
  expect_refused("system/variant.ssd", "");
  expect_refused("system/inner.ssd", "");
  expect_refused("system/values.ssv", values("2"));
  expect_refused("system/names.ssm", names("after"));
  write_broken_fmu("another.fmu", "another one");
  expect_refused("system/part.fmu", read_file(path("another.fmu")));
  expect_refused("system/other.fmu", read_file(path("another.fmu")));
  // Neither what is not used nor the place matters.
  write("system/SystemStructure.ssd", structure("other", other));
  std::filesystem::rename(path("system"), path("moved"));
  Outcome const resumed =
      run("sweep moved --variant variant.ssd --vary inner.part.rate=1:100 --step 0.1 -o out.csv");
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_CONTAINS(resumed.errors, "of 100 runs are finished already");
}

// ---- runs that fail

TEST_F(Sweep, HasARowWithTheReasonForEachRunThatFails) {
  write_broken_fmu();
  ::setenv("DELASSUS_DEFECT", "moody", 1);
  Outcome const outcome = run("sweep broken.fmu --vary rate=1:9 --run-timeout 5 --jobs 2 -o out.csv");
  ::unsetenv("DELASSUS_DEFECT");
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  EXPECT_CONTAINS(outcome.errors, "6 of 9 runs failed; the first one, run 3, crashed");
  Table const found = table("out.csv");
  ASSERT_EQ(found.rows.size(), 9u);
  std::vector<std::string> states;
  for (std::size_t row = 0; row < 9; ++row) states.push_back(found.text(row, "status"));
  EXPECT_EQ(states, (std::vector<std::string>{"ok", "ok", "crashed", "timeout", "failed", "failed", "crashed",
                                              "ok", "crashed"}));
  EXPECT_NEAR(found.number(1, "x"), 2, 1e-12);
  EXPECT_NEAR(found.number(7, "x"), 8, 1e-12);
  EXPECT_EQ(found.text(2, "x"), "");
  EXPECT_CONTAINS(found.text(2, "message"), "Segmentation fault");
  EXPECT_CONTAINS(found.text(3, "message"), "did not come back within 5 s");
  EXPECT_CONTAINS(found.text(4, "message"), "exit code 0");
  EXPECT_CONTAINS(found.text(5, "message"), "at 0 s: fmi2DoStep returned error");
  EXPECT_CONTAINS(found.text(8, "message"), "Aborted");  // though a process of its own lives on
  EXPECT_CONTAINS(found.text(6, "message"), "crashed (signal 6, Aborted); it printed: the rate is 7");
}

TEST_F(Sweep, EndsWithThreeWhereNoRunSucceeds) {
  Outcome const outcome = run("sweep sliding_block --vary mu=-2,-1 -o out.csv");
  EXPECT_EQ(outcome.code, 3);
  Table const found = table("out.csv");
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_EQ(found.text(row, "status"), "failed");
    EXPECT_CONTAINS(found.text(row, "message"), "block_ground.mu");
  }
}

// ---- pictures and bad input

TEST_F(Sweep, DrawsCurvesMapsAndSamples) {
  for (auto const& [name, arguments] : std::vector<std::pair<std::string, std::string>>{
           {"curve", "--vary mu=0.1:1:10"},
           {"curves", "--vary mu=0.1:1:10 --vary solver.stepper=relaxed,implicit"},
           {"band", "--vary mu=0.1:1:5 --vary block.initial.velocity[1]=2~0.1 --vary seed=1:4"},
           {"log", "--vary mu=0.01:1:10:log"},
           {"map", "--vary mu=0.1:1:8 --vary block.initial.velocity[1]=1:2:7"},
           {"sample", "--sample random --runs 20 --vary mu=0.1:1"}}) {
    Outcome const outcome =
        run("sweep sliding_block --stop 0.05 --keep 'block.position[1]' --keep 'block.velocity[1]' "
            "--show 'block.velocity[1]' --plot " +
            name + ".svg -o out.csv " + arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    std::string const svg = read_file(path(name + ".svg"));
    EXPECT_TRUE(test::is_well_formed(svg)) << name;
    test::expect_self_contained(svg);
    EXPECT_CONTAINS(svg, "block.velocity[1]");
    EXPECT_CONTAINS(svg, "block_ground.mu");
    EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
  }
}

TEST_F(Sweep, RefusesBadArgumentsBeforeTheFirstRun) {
  struct Case {
    std::string arguments, message;
  };
  for (auto const& [arguments, message] : std::vector<Case>{
           {"sliding_block", "--vary is required"},
           {"sliding_block --vary mu=0.1:1", "counts only whole numbers; say how many values"},
           {"sliding_block --vary mu=1:2 --vary mu=1:3", "block_ground.mu is varied twice"},
           {"sliding_block --vary mu=1:2 --runs 5", "give --sample latin or --sample random"},
           {"sliding_block --vary mu=1:2 --sample latin", "a sample needs --runs"},
           {"sliding_block --vary mu=1:2 --keep 'max(block)'", "the model has no variable 'block'"},
           {"sliding_block --vary mu=1:2 --run-timeout 0", "--run-timeout is 0; it must be > 0"},
           {"sliding_block --vary mu=1:2 --restart", "--restart needs -o"},
           {"sliding_block --vary mu=1:2 -o nowhere/out.csv", "there is no folder nowhere"},
           {"sliding_block --vary mu=1:2 -o .", "it is a folder"},
           {"sliding_block --vary mu=1:2 --step 0", "the step is 0 s"},
           {"sliding_block --vary mu=1:2 --interface me", "are for FMUs"},
           {"sliding_block --vary mu=0:1:10000 --vary push[1]=0:1:10000", "more than 10000000 runs"},
           {"sliding_block --vary solver.stepper=implicit,relaxed --plot a.svg", "vary a number"},
           {"sliding_block --vary mu=1:2 --plot a.svg --show time", "--show time is not kept"},
           {"sliding_blok --vary mu=1:2", "did you mean 'sliding_block'?"}}) {
    Outcome const outcome = run("sweep " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.errors;
    EXPECT_CONTAINS(outcome.errors, message);
    EXPECT_EQ(outcome.output, "") << arguments;
  }
}

}  // namespace
}  // namespace delassus
