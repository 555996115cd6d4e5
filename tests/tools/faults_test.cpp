// What goes wrong around the program: disks, descriptors, signals, places. A table of faults, each over all commands. The
// ordinary suite runs a few commands and moments; `tools/test --faults` all of them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "tests/support/faults/fault_run.hpp"
#include "tests/support/program_run.hpp"

#if __has_include("tools/support/standard_streams.hpp")
#define DELASSUS_PRINTS_MAY_FAIL
#endif

namespace delassus {
namespace {

using test::all_faults;
using test::Fault;
using test::FaultCommand;
using test::FaultOutcome;
using test::FaultRuns;
using test::files_below;

// Made once: the inputs take some seconds.
FaultRuns& runs() {
  static FaultRuns all;
  return all;
}

// How many moments are tried: as many as DELASSUS_FAULTS says, at most all; without it a few.
int count(int all, int few) {
  return all_faults() ? std::min(all, std::max(few, std::atoi(std::getenv("DELASSUS_FAULTS")))) : few;
}

std::function<void()> limited(__rlimit_resource_t resource, rlim_t value) {
  return [resource, value] {
    rlimit const limit{value, value};
    ::setrlimit(resource, &limit);
  };
}

std::map<std::string, std::string> preloaded(std::string const& fault, int at) {
  return {{"LD_PRELOAD", DELASSUS_FAILING_WRITE},
          {"DELASSUS_FAULT", fault},
          {"DELASSUS_FAULT_AT", std::to_string(at)}};
}

#ifdef DELASSUS_SANITIZED
#define SKIP_WITHOUT_PRELOAD() GTEST_SKIP() << "nothing can be preloaded before a sanitizer"
#else
#define SKIP_WITHOUT_PRELOAD() static_cast<void>(0)
#endif

// ---- standard streams

#ifdef DELASSUS_PRINTS_MAY_FAIL
void redirect(int descriptor, char const* file) {
  int const target = ::open(file, O_RDWR);
  ::dup2(target, descriptor);
}

void pipe_without_reader(int descriptor) {
  int ends[2];
  if (::pipe(ends) != 0) return;
  ::dup2(ends[1], descriptor);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Faults, OfStandardErrorCostNeitherResultsNorTheExitCode) {
  std::vector<Fault> const faults{
      {.name = "stderr closed", .prepare = [] { ::close(2); }},
      {.name = "stderr full", .prepare = [] { redirect(2, "/dev/full"); }},
      {.name = "stderr without a reader", .prepare = [] { pipe_without_reader(2); }},
      {.name = "stdin closed", .prepare = [] { ::close(0); }},
      {.name = "stdin and stderr closed", .prepare = [] { ::close(0), ::close(2); }},
  };
  for (Fault fault : faults) {
    fault.codes = {0};
    fault.may_be_silent = true;
    runs().run_all(fault);
  }
}

TEST(Faults, OfStandardOutputCostNoFile) {
  std::vector<Fault> const faults{
      {.name = "stdout closed", .prepare = [] { ::close(1); }},
      {.name = "stdin and stdout closed", .prepare = [] { ::close(0), ::close(1); }},
      {.name = "all closed", .prepare = [] { ::close(0), ::close(1), ::close(2); }},
      {.name = "stdout full", .prepare = [] { redirect(1, "/dev/full"); }},
      {.name = "stdout without a reader", .prepare = [] { pipe_without_reader(1); }},
  };
  for (Fault fault : faults) {
    for (FaultCommand const& command : runs().commands()) {
      // Of these the file is the result; of the others standard output is.
      bool const writes_file = !command.outputs.empty() && command.name != "solve";
      fault.codes = writes_file ? std::set{0} : std::set{0, 3, -SIGPIPE};
      fault.may_be_silent = fault.may_cut_output = true;
      runs().run(command, fault);
    }
  }
}
#endif

// ---- limits

TEST(Faults, OfTooFewDescriptorsEndWithAMessage) {
  for (rlim_t const most : {4, 6, 8, 12, 20, 40})
    runs().run_all({.name = "at most " + std::to_string(most) + " descriptors",
                    .prepare = limited(RLIMIT_NOFILE, most)});
}

TEST(Faults, OfFilesThatMayNotGrowLeaveTheOldFileAndAMessage) {
  for (rlim_t const most : {0, 1, 4000, 100'000})
    runs().run_all({.name = "files of at most " + std::to_string(most) + " bytes",
                    .prepare = limited(RLIMIT_FSIZE, most)});
  FaultOutcome const outcome =
      runs().run(runs().command("simulate"),
                 {.name = "files of at most 100 bytes", .prepare = limited(RLIMIT_FSIZE, 100), .codes = {3}});
  EXPECT_CONTAINS(outcome.errors, "cannot write out/x.csv: File too large");
}

TEST(Faults, OfTooLittleMemoryEndWithAMessage) {
#ifdef DELASSUS_SANITIZED
  GTEST_SKIP() << "a sanitizer takes all addresses";
#endif
  for (rlim_t const megabytes : {60, 80, 100, 130, 200})
    runs().run_all({.name = std::to_string(megabytes) + " MB",
                    .prepare = limited(RLIMIT_AS, megabytes << 20),
                    // Before main, or in the loader, nothing is ours.
                    .codes = {0, 1, 2, 3, 4, 127}});
}

TEST(Faults, OfALimitOfProcessorTimeAreAnInterruption) {
  if (!all_faults()) GTEST_SKIP() << "takes some seconds of processor time; tools/test --faults does it";
  FaultOutcome const outcome =
      runs().run(runs().command("build"), {.name = "a second of processor time", .prepare = [] {
                                             rlimit const limit{1, 30};
                                             ::setrlimit(RLIMIT_CPU, &limit);
                                           }});
  if (outcome.code != 0) {
    EXPECT_CONTAINS(outcome.errors, "interrupted");
  }
}

// ---- disks

TEST(Faults, OfADiskThatIsFullOrFailsLeaveTheOldFileAndAMessage) {
  SKIP_WITHOUT_PRELOAD();
  for (std::string const fault : {"full", "broken"}) {
    for (int at = 1; at <= count(12, 2); ++at)
      runs().run_all(
          {.name = fault + " at write " + std::to_string(at), .environment = preloaded(fault, at)});
  }
  FaultOutcome const outcome = runs().run(
      runs().command("simulate"), {.name = "full", .environment = preloaded("full", 1), .codes = {3}});
  EXPECT_CONTAINS(outcome.errors, "cannot write out/x.csv: No space left on device");
}

TEST(Faults, OfCallsThatWriteLessThanTheyWereGivenChangeNothing) {
  SKIP_WITHOUT_PRELOAD();
  runs().run_all({.name = "short writes", .environment = preloaded("short", 1), .codes = {0}});
}

TEST(Faults, OfAFileSystemWithoutUnnamedFilesChangeNothing) {
  SKIP_WITHOUT_PRELOAD();
  runs().run_all({.name = "no unnamed files", .environment = preloaded("unnamed", 1), .codes = {0}});
}

// In a mount namespace of its own, so that the file system goes with the program: out/ is looked at from inside, by the same
// shell that mounts it.
TEST(Faults, OfASmallFileSystemLeaveWhatWasThere) {
  test::FaultRuns& all = runs();
  std::string const mount = "mount -t tmpfs -o size=";
  std::string const inside = ::geteuid() == 0 ? "unshare -m" : "unshare -rm";
  std::string const at = "cd '" + all.folder().string() + "' && " + inside + " sh -c '" + mount;
  if (std::system((at + "64k none tmp' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "no file system can be mounted here without privileges";
  auto const run = [&](std::string const& size, std::string const& folder, std::string const& arguments) {
    return WEXITSTATUS(std::system(
        (at + size + " none " + folder +
         " && export TMPDIR=tmp && echo old >out/x.csv && (\"" DELASSUS_PROGRAM "\" " + arguments +
         " 2>errors.txt; echo $? >code.txt) && rm -rf seen && mkdir seen && cp -r out tmp seen/'")
            .c_str()));
  };
  auto const seen = all.folder() / "seen";
  auto const code = [&] { return std::stoi(read_file(all.folder() / "code.txt")); };
  auto const errors = [&] { return read_file(all.folder() / "errors.txt"); };

  ASSERT_EQ(run("8k", "out", "simulate in/block.xml -o out/x.csv"), 0);
  EXPECT_EQ(code(), 3);
  EXPECT_CONTAINS(errors(), "cannot write out/x.csv: No space left on device");
  EXPECT_EQ(files_below(seen / "out"), (std::map<std::string, std::string>{{"x.csv", "old\n"}}));

  for (std::string const arguments : {"simulate in/block.fmu -o out/x.csv",
                                      "cosim in/loop.ssp --stop 0.1 -o out/x.csv", "check in/block.fmu"}) {
    ASSERT_EQ(run("64k", "tmp", arguments), 0);
    EXPECT_EQ(code(), 3) << arguments;
    EXPECT_CONTAINS(errors(), "set TMPDIR to a folder with more room");
    EXPECT_EQ(read_file(seen / "out" / "x.csv"), "old\n");
    EXPECT_TRUE(std::filesystem::is_empty(seen / "tmp")) << arguments;
  }
  std::filesystem::remove(all.folder() / "errors.txt");
  std::filesystem::remove(all.folder() / "code.txt");
  std::filesystem::remove_all(seen);
}

// ---- kill -9

TEST(Faults, OfSigkillInTheMiddleOfAWriteLeaveTheOldFileOrTheNew) {
  SKIP_WITHOUT_PRELOAD();
  for (std::string const fault : {"kill", "name"}) {
    for (int at = 1; at <= count(12, 3); ++at)
      runs().run_all({.name = fault + " " + std::to_string(at),
                      .environment = preloaded(fault, at),
                      // A worker that is killed is a row of a sweep, a component that is killed a failure.
                      .codes = {0, 1, 2, 3, 4, -SIGKILL},
                      .may_change_output = fault == "kill",
                      .may_leave_folder = true,
                      .may_leave_file = fault == "name"});
  }
}

TEST(Faults, OfSigkillAtAnyMomentLeaveNothingThatTheNextRunDoesNotRemove) {
  std::mt19937 random(19);
  for (int i = 0; i < count(20, 1); ++i) {
    for (FaultCommand const& command : runs().commands()) {
      double const share = std::uniform_real_distribution<double>(0, 1)(random);
      runs().run(command, {.name = "SIGKILL after " + std::to_string(share) + " of the usual time",
                           .codes = {0, 1, -SIGKILL},
                           .may_leave_folder = true,
                           .may_leave_file = true,
                           .disturb = [share](pid_t process, double usual) {
                             ::usleep(static_cast<useconds_t>(1e6 * share * usual));
                             ::kill(process, SIGKILL);
                           }});
    }
  }
  // It unpacks an FMU, and finds what is left of the others.
  std::filesystem::create_directories(runs().folder() / "tmp" / "delassus.ended0" / "1");
  std::string const command = "cd '" + runs().folder().string() +
                              "' && TMPDIR=tmp '" DELASSUS_PROGRAM
                              "' simulate in/block.fmu -o out/x.csv 2>/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_TRUE(std::filesystem::is_empty(runs().folder() / "tmp"));
}

TEST(Faults, OfSigkillDoNotCostAnotherRunThatIsStillThere) {
  auto const tmp = runs().folder() / "tmp";
  runs().run(runs().command("simulate_fmu"),
             {.name = "another run begins", .codes = {0}, .disturb = [&](pid_t, double usual) {
                // While this one has its FMU unpacked, or before, or after.
                for (int i = 0; i < 5; ++i) {
                  ::usleep(static_cast<useconds_t>(2e5 * usual));
                  std::string const other = "cd '" + runs().folder().string() +
                                            "' && TMPDIR=tmp '" DELASSUS_PROGRAM
                                            "' simulate in/block.fmu --stop 0.01 >/dev/null 2>&1";
                  EXPECT_EQ(std::system(other.c_str()), 0);
                }
              }});
}

// ---- signals

TEST(Faults, OfSignalsAtAnyMomentLeaveNothingBehind) {
  std::mt19937 random(20);
  for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGPIPE, SIGXFSZ}) {
    for (int i = 0; i < count(12, 1); ++i) {
      for (FaultCommand const& command : runs().commands()) {
        double const share = std::uniform_real_distribution<double>(0, 1)(random);
        // The signal itself: before the program listens.
        runs().run(command, {.name = std::string(::strsignal(number)) + " after " + std::to_string(share) +
                                     " of the usual time",
                             .codes = {0, 1, 3, -number},
                             .may_be_silent = true,  // nothing can be said before that, either
                             .may_cut_output = true,
                             .disturb = [share, number](pid_t process, double usual) {
                               ::usleep(static_cast<useconds_t>(1e6 * share * usual));
                               ::kill(process, number);
                             }});
      }
    }
  }
}

TEST(Faults, OfASecondSignalLeaveNothingBehind) {
  std::mt19937 random(21);
  for (int i = 0; i < count(12, 1); ++i) {
    for (FaultCommand const& command : runs().commands()) {
      double const share = std::uniform_real_distribution<double>(0, 0.7)(random);
      runs().run(command, {.name = "SIGTERM twice, from " + std::to_string(share) + " of the usual time on",
                           .codes = {0, 1, 3, -SIGTERM},
                           .may_be_silent = true,
                           .may_cut_output = true,
                           .disturb = [share](pid_t process, double usual) {
                             ::usleep(static_cast<useconds_t>(1e6 * share * usual));
                             ::kill(process, SIGTERM);
                             ::usleep(120'000);
                             ::kill(process, SIGTERM);
                           }});
    }
  }
}

TEST(Faults, OfASignalInTheMiddleOfAWriteLeaveNothingBehind) {
  SKIP_WITHOUT_PRELOAD();
  for (int at = 1; at <= count(12, 2); ++at)
    runs().run_all({.name = "SIGTERM at write " + std::to_string(at),
                    .environment = preloaded("terminate", at),
                    .codes = {0, 1, 3, -SIGTERM},
                    .may_change_output = true});
}

TEST(Faults, OfTheLongestCommandLeaveNothingBehindEither) {
  if (!all_faults()) GTEST_SKIP() << "reproducing a paper takes half a minute; tools/test --faults does it";
  FaultCommand const& command = runs().command("reproduce");
  for (double const share : {0.02, 0.3, 0.9}) {
    for (int const number : {SIGINT, SIGTERM, SIGKILL}) {
      runs().run(command, {.name = std::string(::strsignal(number)) + " after " + std::to_string(share) +
                                   " of the usual time",
                           .codes = {0, 3, -number},
                           .may_be_silent = true,
                           .may_leave_folder = number == SIGKILL,
                           .may_leave_file = number == SIGKILL,
                           .disturb = [share, number](pid_t process, double usual) {
                             ::usleep(static_cast<useconds_t>(1e6 * share * usual));
                             ::kill(process, number);
                           }});
    }
  }
  runs().run(
      command,
      {.name = "files of at most 4000 bytes", .prepare = limited(RLIMIT_FSIZE, 4000), .codes = {2, 3}});
}

// ---- the environment

TEST(Faults, OfTheEnvironmentChangeNothing) {
  std::vector<Fault> const faults{
      {.name = "no HOME", .prepare = [] { ::unsetenv("HOME"); }},
      {.name = "no PATH", .prepare = [] { ::unsetenv("PATH"); }},
      {.name = "nothing but TMPDIR",
       .prepare =
           [] {
             std::string const folder = std::getenv("TMPDIR");
             ::clearenv();
             ::setenv("TMPDIR", folder.c_str(), 1);
           }},
      {.name = "a mask of all", .prepare = [] { ::umask(0777); }},
      {.name = "SIGCHLD ignored", .prepare = [] { std::signal(SIGCHLD, SIG_IGN); }},
      {.name = "every signal blocked",
       .prepare =
           [] {
             sigset_t all;
             sigfillset(&all);
             ::sigprocmask(SIG_SETMASK, &all, nullptr);
           }},
      {.name = "a session of its own", .prepare = [] { ::setsid(); }},
  };
  for (Fault fault : faults) {
    fault.codes = {0};
    if (fault.name == "a mask of all" && ::geteuid() != 0) continue;  // what is unpacked cannot be read again
    runs().run_all(fault);
  }
}

TEST(Faults, OfTmpdirEndWithAMessage) {
  std::string const folder = runs().folder().string();
  write_file(folder + "/file", "");
  for (std::string const& place : std::vector<std::string>{folder + "/missing", folder + "/file",
                                                           std::string("/proc"), folder + "/file/below"}) {
    for (std::string const name : {"simulate_fmu", "cosim", "check", "sweep"}) {
      FaultOutcome const outcome =
          runs().run(runs().command(name),
                     {.name = "TMPDIR=" + place, .environment = {{"TMPDIR", place}}, .codes = {2, 3}});
      EXPECT_CONTAINS(outcome.errors, "TMPDIR");
    }
    // These need none.
    for (std::string const name : {"simulate", "check_scene", "analyse"})
      runs().run(runs().command(name),
                 {.name = "TMPDIR=" + place, .environment = {{"TMPDIR", place}}, .codes = {0}});
  }
  std::filesystem::remove(folder + "/file");
}

TEST(Faults, OfALocaleWithADecimalCommaChangeNothing) {
  auto const locales = runs().folder() / "locales";
  std::filesystem::create_directories(locales);
  std::string const make =
      "localedef -i de_DE -f UTF-8 '" + (locales / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
  bool const here = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  std::setlocale(LC_ALL, "C");
  if (!here && std::system(make.c_str()) != 0)
    GTEST_SKIP() << "no locale with a decimal comma is installed, and none can be made (package locales)";
  std::map<std::string, std::string> environment{{"LC_ALL", "de_DE.UTF-8"}, {"LANG", "de_DE.UTF-8"}};
  if (!here) environment["LOCPATH"] = locales.string();
  runs().run_all({.name = "LC_ALL=de_DE.UTF-8", .environment = environment, .codes = {0}});
  std::filesystem::remove_all(locales);
}

// ---- places

class OddPlaces : public test::Program {
 protected:
  OddPlaces() {
    std::filesystem::copy(runs().folder() / "in" / "block.xml", path("block.xml"));
    std::filesystem::copy(runs().folder() / "in" / "block.fmu", path("block.fmu"));
  }
  static std::string in_quotes(std::string const& text) {
    std::string quoted = "'";
    for (char const c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
  }
};

TEST_F(OddPlaces, AreReadAndWritten) {
  ASSERT_EQ(run("simulate block.xml -o expected.csv").code, 0);
  std::string const expected = read_file(path("expected.csv"));
  std::vector<std::string> names{"a b",
                                 "it's \"quoted\"",
                                 "two\nlines",
                                 "-dash",
                                 "--output",
                                 "\xc3\xbcml\xc3\xa4ut",
                                 "$HOME;*?[x]",
                                 "a\\b",
                                 "%s%n%20",
                                 "#1,2:3=4",
                                 std::string(200, 'n')};
  for (auto const& name : names) {
    SCOPED_TRACE(name);
    std::filesystem::copy(path("block.xml"), path(name + ".xml"));
    std::filesystem::copy(path("block.fmu"), path(name + ".fmu"));
    std::filesystem::create_directory(path(name));
    std::string const given = in_quotes("./" + name);
    EXPECT_EQ(run("simulate " + given + ".xml -o " + given + "/out.csv").code, 0);
    EXPECT_EQ(read_file(path(name + "/out.csv")), expected);
    EXPECT_EQ(run("simulate " + given + ".xml --output=" + in_quotes(name + ".csv")).code, 0);
    EXPECT_EQ(read_file(path(name + ".csv")), expected);
    EXPECT_EQ(run("sweep " + given + ".fmu --vary mu=0.2,0.3 -o " + given + "/sweep.csv").code, 0);
    EXPECT_EQ(files_below(path(name)).size(), 2u);
    if (all_faults()) {
      EXPECT_EQ(run("check " + given + ".fmu").code, test::checked_code);
      EXPECT_EQ(run("report " + given + ".xml -o " + given + "/out.html").code, 0);
      EXPECT_EQ(run("describe " + given + ".fmu").code, 0);
    }
  }
}

TEST_F(OddPlaces, ThatCannotBeWrittenAreRefusedWithAMessage) {
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_directory(path("closed"));
  std::filesystem::create_symlink("loop.csv", path("loop.csv"));
  std::filesystem::create_symlink("missing/out.csv", path("dangling.csv"));
  std::filesystem::permissions(path("closed"), std::filesystem::perms{0555});
  std::vector<std::string> places{"folder",
                                  "loop.csv",
                                  "dangling.csv",
                                  "block.xml/out.csv",
                                  "missing/out.csv",
                                  "/proc/out.csv",
                                  std::string(300, 'n') + ".csv",
                                  "block.xml",
                                  "folder/"};
  if (::geteuid() != 0) places.push_back("closed/out.csv");
  auto const before = read_file(path("block.xml"));
  std::vector<std::string> commands{"simulate block.xml -o ", "sweep block.xml --vary mu=0.1,0.2 -o "};
  if (all_faults()) {
    commands.insert(commands.end(),
                    {"report block.xml -o ", "build block.xml --no-reference -o ", "analyse block.xml -o "});
  }
  for (auto const& command : commands) {
    for (auto const& place : places) {
      SCOPED_TRACE(command + place);
      auto const outcome = run(command + in_quotes(place));
      EXPECT_TRUE(outcome.code == 2 || outcome.code == 3) << outcome.code;
      EXPECT_FALSE(outcome.errors.empty());
    }
  }
  EXPECT_EQ(read_file(path("block.xml")), before);
  EXPECT_TRUE(std::filesystem::is_empty(path("folder")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("loop.csv")));
  std::filesystem::permissions(path("closed"), std::filesystem::perms{0755});
}

TEST_F(OddPlaces, ThatAreDevicesAreWrittenThrough) {
  for (std::string const command : {"simulate block.xml -o ", "sweep block.xml --vary mu=0.1,0.2 -o ",
                                    "cosim positioning --stop 0.01 -o "}) {
    EXPECT_EQ(run(command + "/dev/null").code, 0) << command;
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
    EXPECT_FALSE(std::filesystem::exists("/dev/null.journal")) << command;
    auto const outcome = run(command + "/dev/stdout");
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_CONTAINS(outcome.output, ",");
    EXPECT_FALSE(std::filesystem::exists("/dev/stdout.journal")) << command;
  }
}

TEST_F(OddPlaces, ThatWereRemovedMeanwhileAreSaidToBe) {
  std::string const command =
      "cd '" + path("gone").string() + "' && rmdir ../gone && '" DELASSUS_PROGRAM "' ";
  for (std::string const arguments : {"simulate sliding_block -o x.csv", "simulate ../block.fmu -o x.csv"}) {
    std::filesystem::create_directory(path("gone"));
    int const status =
        std::system((command + arguments + " 2>'" + path("errors.txt").string() + "'").c_str());
    EXPECT_TRUE(WIFEXITED(status) && (WEXITSTATUS(status) == 2 || WEXITSTATUS(status) == 3)) << status;
    EXPECT_FALSE(read_file(path("errors.txt")).empty());
  }
}

}  // namespace
}  // namespace delassus
