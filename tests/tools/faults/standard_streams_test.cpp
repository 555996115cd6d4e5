// Standard input, output and error that are closed, full, or a terminal or reader that has gone: results that go elsewhere
// and the exit code are the same, and results that were to go there are missed with a reason.
#include "tools/support/standard_streams.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <vector>

#include "tests/support/program_run.hpp"
#include "tools/support/csv.hpp"

namespace delassus {
namespace {

using test::Outcome;

// s. No run takes so long.
constexpr int limit = 120;

class StandardStreams : public test::Program {
 protected:
  StandardStreams() {
    write("row.csv", "time,push[1]\n0,1\n");
    write("wrong.csv", "time,block.position[1]\n0,5\n");
    write("my.xml", R"(<scene name="my"><gravity acceleration="0 -9.81"/><experiment stop="0.1" step="0.01"/>
  <body name="ball" type="point" mass="1"><initial position="0 1"/></body>
  <contact name="ground" point="ball" mu="0.4"/></scene>)");
  }

  // As a shell does; the exit code, or 128 and the number of a signal.
  int shell(std::string const& arguments) const {
    std::string const command = "cd '" + folder_.path().string() + "' && '" DELASSUS_PROGRAM "' " + arguments;
    int const status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // With `prepare` in the new process, before the program; the exit code, or 128 and the number of a signal.
  int run_after(std::function<void()> const& prepare, std::vector<std::string> arguments,
                std::function<void()> const& meanwhile = {}) const {
    arguments.insert(arguments.begin(), DELASSUS_PROGRAM);
    std::vector<char*> pointers;
    for (auto& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    std::string const folder = folder_.path().string();
    pid_t const process = ::fork();
    if (process == 0) {
      if (::chdir(folder.c_str()) != 0) ::_exit(99);
      prepare();
      ::alarm(limit);
      ::execv(pointers[0], pointers.data());
      ::_exit(99);
    }
    if (meanwhile) meanwhile();
    int status = 0;
    ::waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  void log_to(std::string const& file) const {
    ::dup2(::open(path(file).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
  }
};

// What stands in the file is written by `command` with its streams as they are, and must be the same with other streams.
struct ResultInAFile {
  std::string command, file;
  int code = 0;
};

std::vector<ResultInAFile> const commands{
    {"simulate painleve_rod --set tip_ground.mu=2 -o out.csv", "out.csv"},
    {"simulate impact --fmi 3 -o out.csv", "out.csv"},
    {"simulate sliding_block --input row.csv --reference wrong.csv -o out.csv", "out.csv", 4},
    {"cosim positioning --stop 0.1 --isolate -o out.csv", "out.csv"},
    {"sweep my.xml --vary mu=0.1:0.5:3 --jobs 2 -o out.csv", "out.csv"},
    {"report my.xml -o out.html", "out.html"},
    {"build my.xml -o out.fmu", "out.fmu"},
    {"analyse painleve_rod -o out.json --json", "out.json"},
    {"examples positioning --copy-to out", "out/positioning/pid.xml"},
};

TEST_F(StandardStreams, MayAllFailWithoutAChangeOfFilesAndExitCodes) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (auto const& [command, file, code] : commands) {
    int const usual = shell(command + " >stdout.txt 2>stderr.txt");
    EXPECT_EQ(usual, code) << command << read_file(path("stderr.txt"));
    ASSERT_TRUE(exists(file)) << command << read_file(path("stderr.txt"));
    std::string const expected = read_file(path(file));
    std::filesystem::remove_all(file.starts_with("out/") ? path("out") : path(file));
    for (std::string const streams : {" 2>/dev/full", " 2>&-", " <&- >&-", " <&- >&- 2>&-"}) {
      // Where standard output is open, it has nothing that another stream was to have.
      std::string const open_output = streams.find(" >&-") == std::string::npos ? " >stdout.txt" : "";
      EXPECT_EQ(shell(command + streams + open_output), usual) << command << streams;
      ASSERT_TRUE(exists(file)) << command << streams;
      EXPECT_TRUE(read_file(path(file)) == expected) << command << streams;
      std::filesystem::remove_all(file.starts_with("out/") ? path("out") : path(file));
      if (open_output.empty()) continue;
      EXPECT_EQ(read_file(path("stdout.txt")), "") << command << streams;
    }
  }
}

TEST_F(StandardStreams, MayBeClosedWhereChildProcessesAreSpokenTo) {
  ASSERT_EQ(shell("build my.xml -o my.fmu 2>stderr.txt"), 0) << read_file(path("stderr.txt"));
  std::string const expected = run("check my.fmu").output;
  for (std::string const streams : {" <&-", " 2>&-", " <&- 2>&-"}) {
    EXPECT_EQ(shell("check my.fmu >stdout.txt" + streams), test::checked_code) << streams;
    EXPECT_EQ(read_file(path("stdout.txt")), expected) << streams;
  }
}

TEST_F(StandardStreams, MissResultsWithAReasonAndExitCode3) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (std::string const command :
       {"simulate impact", "simulate impact -o -", "cosim positioning --stop 0.1",
        "sweep my.xml --vary mu=0.1,0.2", "check my.xml", "check my.xml --json", "describe impact",
        "examples", "examples impact", "analyse impact", "--help", "simulate --help", "--version",
        "report my.xml -o -", "cosim positioning --stop 0.1 --json", "build my.xml -o -", "check --rules",
        "examples --schema"}) {
    EXPECT_EQ(shell(command + " >/dev/full 2>stderr.txt"), 3) << command;
    EXPECT_CONTAINS(read_file(path("stderr.txt")),
                    "delassus: cannot write standard output: No space left on device");
    EXPECT_EQ(shell(command + " >&- 2>stderr.txt"), 3) << command;
    EXPECT_CONTAINS(read_file(path("stderr.txt")), "delassus: cannot write standard output: it is closed");
    EXPECT_EQ(shell(command + " >/dev/full 2>&1"), 3) << command;
  }
}

TEST_F(StandardStreams, CostNoResultThatGoesElsewhere) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (std::string const command :
       {"simulate impact -o - --plot out.svg", "cosim positioning --stop 0.1 -o - --plot out.svg",
        "cosim positioning --stop 0.1 --json -o out.svg",
        "sweep my.xml --vary mu=0.1:0.5:3 -o - --plot out.svg"}) {
    std::filesystem::remove(path("out.svg"));
    bool const rows = command.ends_with("-o out.svg");
    std::string const file = rows ? "out.csv" : "out.svg";
    std::string const whole = rows ? command.substr(0, command.size() - 3) + "csv" : command;
    EXPECT_EQ(shell(whole + " >/dev/full 2>stderr.txt"), 3) << whole;
    EXPECT_TRUE(exists(file)) << whole;
  }
}

// As `cat` and all others: the status says that a reader did not want the rest.
TEST_F(StandardStreams, EndTheProgramByItsSignalWhereTheReaderOfAPipeHasGone) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  auto const with_pipe = [&](bool ignored) {
    return run_after(
        [&] {
          ::signal(SIGPIPE, ignored ? SIG_IGN : SIG_DFL);
          ::dup2(ends[1], STDOUT_FILENO);
          log_to("stderr.txt");
        },
        {"simulate", "impact", "--quiet"});
  };
  EXPECT_EQ(with_pipe(false), 128 + SIGPIPE);
  EXPECT_EQ(read_file(path("stderr.txt")), "");
  // Whoever ignores that signal is told.
  EXPECT_EQ(with_pipe(true), 3);
  EXPECT_EQ(read_file(path("stderr.txt")), "delassus: cannot write standard output: Broken pipe\n");
  // A pipe of messages without a reader is no reason to end.
  EXPECT_EQ(run_after([&] { ::dup2(ends[1], STDERR_FILENO); }, {"simulate", "impact", "-o", "out.csv"}), 0);
  EXPECT_TRUE(exists("out.csv"));
  ::close(ends[1]);
}

// Somebody else, as a program at the other end of a pipe, may have set O_NONBLOCK.
TEST_F(StandardStreams, WaitForASlowReaderAlsoWhereTheyAreSetNotToWait) {
  ASSERT_EQ(run("simulate sliding_block --step 1e-4 -o whole.csv").code, 0);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  std::string text;
  int const code = run_after([&] { ::dup2(ends[1], STDOUT_FILENO); },
                             {"simulate", "sliding_block", "--step", "1e-4", "--quiet"},
                             [&] {
                               ::close(ends[1]);
                               ::usleep(300'000);
                               char buffer[1000];
                               for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
                                 text.append(buffer, static_cast<std::size_t>(count));
                             });
  ::close(ends[0]);
  EXPECT_EQ(code, 0);
  EXPECT_GT(text.size(), std::size_t{1} << 17) << "more than a pipe holds";
  EXPECT_TRUE(text == read_file(path("whole.csv")));
}

// A terminal: its end that a window has, and its other end.
struct Terminal {
  int window = -1, line = -1;

  Terminal() {
    window = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (window < 0 || ::grantpt(window) != 0 || ::unlockpt(window) != 0) return;
    line = ::open(::ptsname(window), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~Terminal() {
    ::close(line);
    close_window();
  }
  void close_window() {
    if (window >= 0) ::close(window);
    window = -1;
  }
};

TEST_F(StandardStreams, MayBeATerminalThatWentAway) {
  ASSERT_EQ(run("simulate sliding_block -o usual.csv").code, 0);
  Terminal terminal;
  if (terminal.line < 0) GTEST_SKIP() << "no terminals here";
  terminal.close_window();
  int const code = run_after(
      [&] {
        for (int const stream : {0, 1, 2}) ::dup2(terminal.line, stream);
      },
      {"simulate", "sliding_block", "-o", "out.csv"});
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(read_file(path("out.csv")) == read_file(path("usual.csv")));
}

TEST_F(StandardStreams, KeepTheRowsWhereATerminalGoesAwayDuringARun) {
  Terminal terminal;
  if (terminal.line < 0) GTEST_SKIP() << "no terminals here";
  int const code = run_after(
      [&] {
        ::setsid();
        ::ioctl(terminal.line, TIOCSCTTY, 0);
        for (int const stream : {0, 1, 2}) ::dup2(terminal.line, stream);
      },
      {"simulate", "sliding_block", "--stop", "1e4", "--step", "1e-2", "-o", "out.csv"},
      [&] {
        ::close(std::exchange(terminal.line, -1));
        // Progress: the run has begun.
        char bytes[100];
        std::string shown;
        for (pollfd wait{terminal.window, POLLIN, 0}; shown.find('%') == std::string::npos;) {
          if (::poll(&wait, 1, 1000 * limit) <= 0) break;
          ssize_t const count = ::read(terminal.window, bytes, sizeof bytes);
          if (count <= 0) break;
          shown.append(bytes, static_cast<std::size_t>(count));
        }
        EXPECT_CONTAINS(shown, "%");
        terminal.close_window();
      });
  EXPECT_EQ(code, 3);
  ASSERT_TRUE(exists("out.csv"));
  EXPECT_GT(read_csv(read_file(path("out.csv")), "out.csv").rows(), 0u);
}

TEST_F(StandardStreams, MayBeFullInEveryRankUnderMpi) {
  if (!std::filesystem::exists(std::filesystem::path(DELASSUS_PROGRAM).parent_path() /
                               "share/delassus/delassus_mpi.so"))
    GTEST_SKIP() << "the program was built without MPI (libopenmpi-dev)";
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun (openmpi-bin)";
#ifdef DELASSUS_SANITIZED
  ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // Open MPI keeps what it has to the end
#endif
  ASSERT_EQ(run("sweep my.xml --vary mu=0.1:0.5:8 -o usual.csv").code, 0);
  std::string const command =
      "cd '" + folder_.path().string() +
      "' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun --oversubscribe -n "
      "2 sh -c \"exec '" DELASSUS_PROGRAM
      "' sweep my.xml --vary mu=0.1:0.5:8 -o out.csv <&- >&- 2>/dev/full\" >stdout.txt 2>stderr.txt";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(path("stderr.txt"));
  EXPECT_EQ(read_file(path("out.csv")), read_file(path("usual.csv")));
}

// ---- in this process

// Does something in a copy of this process whose streams may be closed; its exit code.
int in_a_copy(std::function<int()> const& work) {
  pid_t const process = ::fork();
  if (process == 0) ::_exit(work());
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(StandardStreamsOfAProcess, AreOpenAfterItsStartAndAreNotTakenByFiles) {
  EXPECT_EQ(in_a_copy([] {
              for (int const stream : {0, 1, 2}) ::close(stream);
              open_standard_streams();
              int const next = ::open("/dev/null", O_RDONLY);
              char byte = 0;
              bool const right = next > 2 && ::read(0, &byte, 1) == 0 && ::write(1, "x", 1) < 0 &&
                                 errno == EBADF && ::write(2, "x", 1) == 1;
              return right ? 0 : 1;
            }),
            0);
}

TEST(StandardStreamsOfAProcess, AreLeftAloneWhereTheyAreOpen) {
  EXPECT_EQ(in_a_copy([] {
              int ends[2];
              if (::pipe(ends) != 0) return 2;
              ::dup2(ends[1], STDOUT_FILENO);
              open_standard_streams();
              char byte = 0;
              return ::write(STDOUT_FILENO, "x", 1) == 1 && ::read(ends[0], &byte, 1) == 1 && byte == 'x' ? 0
                                                                                                          : 1;
            }),
            0);
}

TEST(StandardStreamsOfAProcess, DoNotKeepAProgramThatEndsWhereNobodyReads) {
  EXPECT_EQ(in_a_copy([] {
              int ends[2];
              if (::pipe(ends) != 0) return 2;
              ::dup2(ends[1], STDERR_FILENO);
              ::alarm(limit);
              print_text_within(std::chrono::milliseconds(10), std::string(1'000'000, 'x'));
              char bytes[1000];
              return ::read(ends[0], bytes, sizeof bytes) == 1000 ? 0 : 1;  // as far as there was room
            }),
            0);
}

}  // namespace
}  // namespace delassus
