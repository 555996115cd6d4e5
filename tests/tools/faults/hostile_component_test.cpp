// What FMUs in a child process do to it, and what comes of the run: it goes on where nothing of ours was harmed, and ends
// with component and time and the rows until then where it was.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/support/coupled_fmu.hpp"
#include "tests/support/program_run.hpp"
#include "tools/support/csv.hpp"

namespace delassus {
namespace {

using test::Outcome;

constexpr double hostile = 99;  // as in hostile_fmu.c

// x' = 1 - y, y' = -x: a plant, and a controller that harms its host in the step from 0.5 s on.
CosimResult run_loop(std::string const& deed, double call_timeout = 20) {
  ::setenv("DELASSUS_DEED", deed.c_str(), 1);
  test::SystemBuilder builder;
  builder.add("plant", {});
  builder.add("controller", {});
  builder.set("controller", "gain", -1);
  builder.set("plant", "offset", 1);
  builder.set("controller", "deed", hostile);
  builder.connect("plant.y", "controller.u");
  builder.connect("controller.y", "plant.u");
  CosimPlan plan = builder.plan(1, 0.1);
  plan.isolated = {true, true};
  plan.call_timeout = call_timeout;
  return run_cosimulation(builder.system, plan);
}

void expect_failure(std::string const& deed, std::string const& says, double call_timeout = 20) {
  CosimResult const result = run_loop(deed, call_timeout);
  ASSERT_TRUE(result.failure) << deed;
  EXPECT_CONTAINS(*result.failure, "at 0.5 s: controller: ");
  EXPECT_CONTAINS(*result.failure, says);
  ASSERT_EQ(result.table.rows(), 6u) << deed;
  EXPECT_EQ(result.table.time.back(), 0.5);
}

TEST(HostileComponent, ChangesNothingWhereItHarmsOnlyItself) {
  CosimResult const peaceful = run_loop("nothing");
  ASSERT_FALSE(peaceful.failure) << *peaceful.failure;
  ASSERT_EQ(peaceful.table.rows(), 11u);
  for (std::string const deed :
       {"write everywhere", "lie about lengths", "fork and return", "leave a copy behind", "close everything",
        "use up descriptors", "change folder", "print", "read input"}) {
    CosimResult const result = run_loop(deed);
    EXPECT_FALSE(result.failure) << deed << ": " << *result.failure;
    EXPECT_EQ(result.table.columns, peaceful.table.columns) << deed;
  }
}

TEST(HostileComponent, IsNamedWithItsTimeWhereItEndsItsProcess) {
  expect_failure("exit", "ended its process with exit code 0 in a step");
  expect_failure("return from a copy", "ended its process with exit code 0 in a step");
}

TEST(HostileComponent, IsNamedWithTheSignalThatEndedIt) {
  for (int const number :
       {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,    SIGTRAP, SIGABRT,   SIGBUS,  SIGFPE, SIGKILL, SIGUSR1, SIGSEGV,
        SIGUSR2, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,  SIGPWR,  SIGSYS})
    expect_failure("signal " + std::to_string(number),
                   "crashed in a step (signal " + std::to_string(number) + ", ");
}

TEST(HostileComponent, IsEndedAfterTheLimitWhereItStopsItself) {
  expect_failure("signal " + std::to_string(SIGSTOP),
                 "did not come back within 1 s in a step: its process was ended", 1);
}

TEST(HostileComponent, IsEndedWhereItOverwritesTheMemoryThatItShares) {
  for (std::string const deed : {"overwrite with zeros", "overwrite with ones", "overwrite with chance"})
    expect_failure(deed, "gave no answer that can be read in ");
}

// What is overwritten while it is read may be anything, also numbers that look right.
TEST(HostileComponent, CanOverwriteItsAnswersWhileTheyAreReadWithoutHarmToItsHost) {
  for (int repetition = 0; repetition < 5; ++repetition) {
    CosimResult const result =
        run_loop(repetition % 2 == 0 ? "overwrite for ever" : "overwrite and return", 1);
    EXPECT_CONTAINS(result.failure.value_or("controller"), "controller");
    EXPECT_GE(result.table.rows(), 6u);
  }
}

class HostileProgram : public test::Program {
 protected:
  HostileProgram() {
    test::write_coupled_fmu(path("plant.fmu"), {});
    test::write_coupled_fmu(path("controller.fmu"), {});
  }
  Outcome cosimulate(std::string const& deed, std::string const& more) const {
    ::setenv("DELASSUS_DEED", deed.c_str(), 1);
    return run(
        "cosim plant.fmu controller.fmu --connect plant.y:controller.u --connect controller.y:plant.u --set "
        "controller.gain=-1 --set plant.offset=1 --set controller.deed=99 --stop 1 --step 0.1 --isolate " +
        more);
  }
  std::size_t rows(std::string const& text) const { return read_csv(text, "rows").rows(); }
};

TEST_F(HostileProgram, KeepsItsResultsAndNamesComponentAndTime) {
  for (std::string const deed : {"overwrite with ones", "return from a copy", "signal 11"}) {
    std::filesystem::remove(path("x.csv"));
    Outcome const outcome = cosimulate(deed, "-o x.csv");
    EXPECT_EQ(outcome.code, 3) << deed;
    EXPECT_CONTAINS(outcome.errors, "failed at 0.5 s: controller: ");
    EXPECT_EQ(rows(read_file(path("x.csv"))), 6u) << deed;
  }
}

TEST_F(HostileProgram, HasOnlyItsOwnRowsOnStandardOutput) {
  Outcome const peaceful = cosimulate("nothing", "");
  ASSERT_EQ(peaceful.code, 0) << peaceful.errors;
  for (std::string const deed : {"print", "write everywhere", "close everything"}) {
    Outcome const outcome = cosimulate(deed, "");
    EXPECT_EQ(outcome.code, 0) << deed << outcome.errors;
    EXPECT_EQ(outcome.output, peaceful.output) << deed;
  }
}

TEST_F(HostileProgram, WritesWhereItWasToldToAfterAComponentHasChangedTheFolder) {
  EXPECT_EQ(cosimulate("change folder", "-o x.csv --plot x.svg").code, 0);
  EXPECT_EQ(rows(read_file(path("x.csv"))), 11u);
  EXPECT_TRUE(exists("x.svg"));
}

// The rows of other runs are there, and the run of the hostile FMU is a row that says what happened.
TEST_F(HostileProgram, SpoilsNoOtherRunOfASweep) {
  for (std::string const deed : {"write everywhere", "lie about lengths", "fork and return", "signal 9"}) {
    ::setenv("DELASSUS_DEED", deed.c_str(), 1);
    std::filesystem::remove(path("sweep.csv"));
    Outcome const outcome =
        run("sweep controller.fmu --vary deed=0,99,1000 --set offset=1 --stop 1 --step 0.1 --keep y --jobs 2 "
            "-o sweep.csv");
    std::string const table = read_file(path("sweep.csv"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4) << deed << table << outcome.errors;
    EXPECT_EQ(table.find("exit code 0"), std::string::npos) << table;
    bool const harmless = deed == "fork and return";
    EXPECT_EQ(outcome.code, harmless ? 0 : 1) << deed << outcome.errors << table;
  }
}

}  // namespace
}  // namespace delassus
