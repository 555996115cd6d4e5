// Signals to the program while it is inside a step that does not end: it answers, keeps the rows that are whole, says
// where they are and leaves nothing behind. No time is asserted but a limit far beyond what an answer takes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/broken_fmu.hpp"
#include "tests/support/program_run.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

using test::Outcome;
using test::Program;
using Clock = std::chrono::steady_clock;

// s. Steps below never end; an answer takes a tenth of a second.
constexpr int limit = 20;

// Communication steps of 80 million internal steps.
constexpr char endless_scene[] = R"(<scene name="endless">
  <gravity acceleration="0 -9.81"/>
  <solver stepper="implicit" step="1e-3"/>
  <experiment stop="1.6e5" step="8e4"/>
  <body name="ball" type="point" mass="1"><initial position="0 1"/></body>
  <contact name="ball_ground" point="ball" mu="0.4"/>
</scene>
)";

class Interruption : public Program {
 protected:
  Interruption() {
    write("broken.fmu", make_archive({{"modelDescription.xml", broken_fmu_description},
                                      {"binaries/linux64/broken.so", read_file(DELASSUS_BROKEN_FMU)}}));
    write("broken.ssd", R"(<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
  xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="alone">
  <ssd:System name="alone">
    <ssd:Elements>
      <ssd:Component name="it" type="application/x-fmu-sharedlibrary" source="broken.fmu">
        <ssd:Connectors><ssd:Connector name="x" kind="output"><ssc:Real/></ssd:Connector></ssd:Connectors>
      </ssd:Component>
    </ssd:Elements>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="1"/>
</ssd:SystemStructureDescription>
)");
    write("endless.xml", endless_scene);
    std::filesystem::create_directory(path("temporary"));
  }

  // Ends with 9 where the program cannot be started.
  pid_t start(std::string const& arguments) const {
    std::vector<std::string> words{DELASSUS_PROGRAM};
    std::istringstream stream(arguments);
    for (std::string word; stream >> word;) words.push_back(word);
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::string const folder = folder_.path().string(), temporary = path("temporary").string();
    pid_t const child = ::fork();
    if (child != 0) return child;
    if (::chdir(folder.c_str()) != 0) ::_exit(9);
    ::setenv("DELASSUS_DEFECT", "stuck", 1);
    ::setenv("TMPDIR", temporary.c_str(), 1);
    ::dup2(::open("stdout.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
    ::dup2(::open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
    ::execv(pointers[0], pointers.data());
    ::_exit(9);
  }

  // The exit code; -signal where one killed it; -1000 where it did not end in time.
  int wait_for(pid_t process) const {
    int status = 0;
    for (auto const end = Clock::now() + std::chrono::seconds(limit); Clock::now() < end;) {
      if (::waitpid(process, &status, WNOHANG) == process)
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(process, SIGKILL);
    ::waitpid(process, &status, 0);
    return -1000;
  }

  void wait_until_stuck() const {
    for (auto const end = Clock::now() + std::chrono::seconds(120); Clock::now() < end && !exists("stuck");)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_TRUE(exists("stuck"));
  }
  // Where the model cannot tell: it has done more than reading the model and building an FMU of it take, which is longer
  // with sanitizers.
  void wait_until_busy(pid_t process) const {
#ifdef DELASSUS_SANITIZED
    constexpr time_t busy = 15;
#else
    constexpr time_t busy = 1;
#endif
    clockid_t clock{};
    timespec taken{};
    for (auto const end = Clock::now() + std::chrono::seconds(120);
         Clock::now() < end && taken.tv_sec < busy;) {
      siginfo_t ended{};
      ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT), 0);
      ASSERT_EQ(ended.si_pid, 0) << read_file(path("stderr.txt"));
      ASSERT_EQ(::clock_getcpuclockid(process, &clock), 0);
      ::clock_gettime(clock, &taken);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  Outcome interrupt(std::string const& arguments, int signal) const {
    pid_t const process = start(arguments);
    wait_until_stuck();
    ::kill(process, signal);
    int const code = wait_for(process);
    return {code, read_file(path("stdout.txt")), read_file(path("stderr.txt"))};
  }
  Outcome interrupt_busy(std::string const& arguments, int signal) const {
    pid_t const process = start(arguments);
    wait_until_busy(process);
    ::kill(process, signal);
    int const code = wait_for(process);
    return {code, read_file(path("stdout.txt")), read_file(path("stderr.txt"))};
  }

  // Before the step that starts after 0.35 s there are five rows.
  void expect_five_rows(std::string const& text, std::string const& x) const {
    TimeTable const table = read_csv(text, "rows");
    EXPECT_EQ(table.rows(), 5u);
    auto const column = std::ranges::find(table.names, x) - table.names.begin();
    ASSERT_LT(static_cast<std::size_t>(column), table.names.size());
    EXPECT_NEAR(table.columns[static_cast<std::size_t>(column)].back(), 0.8, 1e-12);
  }
  void expect_nothing_left_behind() const {
    EXPECT_TRUE(std::filesystem::is_empty(path("temporary")));
    for (auto const& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".journal") continue;
      EXPECT_EQ(entry.path().filename().string().find(".csv."), std::string::npos) << entry.path();
    }
  }
};

TEST_F(Interruption, InsideAStepOfAnFmuKeepsTheRowsBefore) {
  for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::filesystem::remove(path("stuck"));
    Outcome const outcome = interrupt("simulate broken.fmu -o out.csv --plot out.svg", signal);
    EXPECT_EQ(outcome.code, 3) << signal;
    EXPECT_CONTAINS(outcome.errors,
                    "broken.fmu was interrupted at 0.4 s; the rows until then are in out.csv");
    expect_five_rows(read_file(path("out.csv")), "x");
    expect_nothing_left_behind();
  }
}

TEST_F(Interruption, InsideAStepOfAnFmuWritesTheRowsToStandardOutput) {
  Outcome const outcome = interrupt("simulate broken.fmu", SIGTERM);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "the rows until then are on standard output");
  expect_five_rows(outcome.output, "x");
}

TEST_F(Interruption, InsideAStepOfAnFmuDrawsThePlotThatIsAllThatIsKept) {
  Outcome const outcome = interrupt("simulate broken.fmu --plot out.svg", SIGTERM);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "out.svg shows the rows until then");
  EXPECT_CONTAINS(read_file(path("out.svg")), "</svg>");
}

TEST_F(Interruption, InsideAStepOfACoupledSystemKeepsTheRowsBefore) {
  for (std::string const where : {"", " --isolate --call-timeout 1000"}) {
    std::filesystem::remove(path("stuck"));
    Outcome const outcome = interrupt("cosim broken.ssd --step 0.1 -o out.csv" + where, SIGTERM);
    EXPECT_EQ(outcome.code, 3) << where;
    EXPECT_CONTAINS(outcome.errors, "broken.ssd was interrupted at 0.4 s");
    EXPECT_CONTAINS(outcome.errors, "the rows until then are in out.csv");
    expect_five_rows(read_file(path("out.csv")), "it.x");
    expect_nothing_left_behind();
  }
}

TEST_F(Interruption, InsideAStepOfASweepKeepsTheRunsBefore) {
  Outcome const outcome = interrupt("sweep broken.fmu --vary rate=1:3:3 --jobs 1 -o out.csv", SIGTERM);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "interrupted; 0 of 3 runs are kept in out.csv.journal");
  EXPECT_TRUE(exists("out.csv.journal"));
  expect_nothing_left_behind();
}

TEST_F(Interruption, InsideAStepOfACheckNamesTheFmu) {
  Outcome const outcome = interrupt("check broken.fmu --timeout 1000", SIGTERM);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "interrupted while checking broken.fmu");
  expect_nothing_left_behind();
}

TEST_F(Interruption, InsideAStepOfAReportKeepsTheRowsBesideIt) {
  Outcome const outcome = interrupt("report broken.fmu -o out.html", SIGTERM);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.errors, "the rows until then are in out.html.csv");
  EXPECT_FALSE(exists("out.html"));
  expect_five_rows(read_file(path("out.html.csv")), "x");
  ASSERT_EQ(run("report out.html.csv --model broken.fmu -o again.html").code, 0);
}

TEST_F(Interruption, InsideAStepOfASceneKeepsTheRowsBefore) {
  for (std::string const how : {"", " --fmi 2", " --fmi 3"}) {
    Outcome const outcome = interrupt_busy("simulate endless.xml -o out.csv" + how, SIGTERM);
    EXPECT_EQ(outcome.code, 3) << how;
    EXPECT_CONTAINS(outcome.errors, "endless.xml was interrupted at 0 s");
    EXPECT_EQ(read_csv(read_file(path("out.csv")), "out.csv").rows(), 1u);
    expect_nothing_left_behind();
  }
}

TEST_F(Interruption, InsideTheReferenceRunOfABuildWritesNothing) {
  pid_t const process = start("build endless.xml -o out.fmu");
  std::this_thread::sleep_for(
      std::chrono::seconds(1));  // before or after its beginning, the answer is the same
  ::kill(process, SIGTERM);
  EXPECT_EQ(wait_for(process), 3);
  EXPECT_CONTAINS(read_file(path("stderr.txt")), "interrupted");
  EXPECT_CONTAINS(read_file(path("stderr.txt")), "nothing was written");
  EXPECT_FALSE(exists("out.fmu"));
}

// `timeout` signals the program and then its process group.
TEST_F(Interruption, KeepsItsRowsWhereASignalComesTwiceAtOnce) {
  pid_t const process = start("simulate broken.fmu -o out.csv");
  wait_until_stuck();
  ::kill(process, SIGTERM);
  ::kill(process, SIGTERM);
  EXPECT_EQ(wait_for(process), 3);
  EXPECT_TRUE(exists("out.csv"));
}

// Nobody reads the pipe that the rows go to, so that the first signal cannot finish its work.
TEST_F(Interruption, EndsAtOnceAtTheSecondSignal) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  pid_t const process = start("simulate broken.fmu -o pipe");
  wait_until_stuck();
  ::kill(process, SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::kill(process, SIGTERM);
  EXPECT_EQ(wait_for(process), -SIGTERM);
}

TEST_F(Interruption, LeavesASignalThatIsIgnoredIgnored) {
  pid_t const process = start("simulate broken.fmu -o out.csv");
  wait_until_stuck();
  ::kill(process, SIGHUP);
  ASSERT_EQ(wait_for(process), 3);
  std::filesystem::remove(path("stuck"));

  struct sigaction const ignore = [] {
    struct sigaction action {};
    action.sa_handler = SIG_IGN;
    return action;
  }();
  struct sigaction before {};
  ::sigaction(SIGHUP, &ignore, &before);
  pid_t const ignoring = start("simulate broken.fmu -o out.csv");
  ::sigaction(SIGHUP, &before, nullptr);
  wait_until_stuck();
  ::kill(ignoring, SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(::waitpid(ignoring, nullptr, WNOHANG), 0);
  ::kill(ignoring, SIGTERM);
  EXPECT_EQ(wait_for(ignoring), 3);
}

TEST_F(Program, BuildsWithoutReferenceResultsWhereTheDefaultExperimentTakesTooLong) {
  write("endless.xml", endless_scene);
  Outcome const outcome = run("build endless.xml -o out.fmu --reference-limit 0.5");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_CONTAINS(outcome.errors, "warning: the default experiment of endless was at 0 of ");
  EXPECT_CONTAINS(outcome.errors, " s after 0.5 s of processor time: the FMU has no reference results");
  EXPECT_CONTAINS(outcome.errors, "--no-reference");
  Archive const archive(path("out.fmu"));
  EXPECT_TRUE(archive.contains("modelDescription.xml"));
  EXPECT_FALSE(archive.contains("extra/org.fmi-standard.fmi-ls-ref/endless_ref.csv"));
  EXPECT_EQ(run("build endless.xml -o out.fmu --reference-limit 0").code, 2);
}

}  // namespace
}  // namespace delassus
