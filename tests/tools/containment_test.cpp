// Code of others that attacks the process that runs it, and what it leaves behind.
#include "tools/check/contained_run.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/support/broken_fmu.hpp"
#include "tests/support/program_run.hpp"
#include "tools/check/fmu_check.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

// s. Far beyond what anything here takes.
constexpr double plenty = 100;

// A named pipe that a process says its name into, and holds open until it ends: descriptors need not be inherited.
class LifeLine {
 public:
  LifeLine() {
    EXPECT_EQ(::mkfifo(path().c_str(), 0600), 0);
    end_ = ::open(path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ::setenv(name, path().c_str(), 1);
  }
  ~LifeLine() {
    ::unsetenv(name);
    ::close(end_);
  }
  LifeLine(LifeLine const&) = delete;
  LifeLine& operator=(LifeLine const&) = delete;

  static void hold() {
    int const end = ::open(std::getenv(name), O_WRONLY | O_CLOEXEC);
    if (end < 0 || ::write(end, "x", 1) != 1) ::_exit(1);
  }

  // Whether somebody held it, and nobody does any more.
  bool is_cut() {
    bool held = false;
    for (;;) {
      pollfd wait{end_, POLLIN, 0};
      if (::poll(&wait, 1, static_cast<int>(1000 * plenty)) != 1) return false;
      char byte = 0;
      if (::read(end_, &byte, 1) <= 0) return held;
      held = true;
    }
  }

 private:
  static constexpr char name[] = "DELASSUS_LIFE_LINE";
  std::filesystem::path path() const { return folder_.path() / "life"; }

  TemporaryFolder folder_;
  int end_ = -1;
};

void start_daemon() {
  int ready[2];
  if (::pipe(ready) != 0) std::abort();
  if (::fork() != 0) {
    // Not before it is there.
    ::close(ready[1]);
    char byte = 0;
    [[maybe_unused]] ssize_t const count = ::read(ready[0], &byte, 1);
    ::close(ready[0]);
    return;
  }
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  LifeLine::hold();
  ::close(ready[1]);
  for (;;) ::pause();
}

class Contained : public testing::TestWithParam<Containment> {
 protected:
  ContainedReport run(std::function<void(ChildSend const&)> const& work, double seconds = plenty) const {
    return run_contained(work, seconds, {}, GetParam());
  }
};

TEST_P(Contained, WorkGivesItsOutputAndPrints) {
  ContainedReport const report = run([](ChildSend const& send) {
    send("result");
    write_all(STDOUT_FILENO, "printed");
  });
  EXPECT_EQ(report.end, ChildEnd::finished);
  EXPECT_EQ(report.output, "result");
  EXPECT_EQ(report.printed, "printed");
  EXPECT_EQ(report.left_processes, 0);
  EXPECT_EQ(report.signal_sent, 0);
}

TEST_P(Contained, WorkEndsAsItDoes) {
  for (int const number : {SIGSEGV, SIGABRT, SIGKILL, SIGTERM}) {
    ContainedReport const report = run([number](ChildSend const& send) {
      send("before");
      ::kill(::getpid(), number);
    });
    EXPECT_EQ(report.end, ChildEnd::crashed) << number;
    EXPECT_EQ(report.code, number);
    EXPECT_EQ(report.output, "before");
  }
  for (int const code : {0, 7}) {
    ContainedReport const report = run([code](ChildSend const&) { ::_exit(code); });
    EXPECT_EQ(report.end, ChildEnd::exited);
    EXPECT_EQ(report.code, code);
  }
  ContainedReport const report = run([](ChildSend const&) { throw std::runtime_error("why"); });
  EXPECT_EQ(report.end, ChildEnd::exited);
  EXPECT_EQ(report.printed, "why\n");
}

TEST_P(Contained, WorkCannotEndItsParentByASignalThatCanBeCaught) {
  for (int const number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGALRM, SIGSEGV}) {
    ContainedReport const report = run([number](ChildSend const& send) {
      ::kill(::getppid(), number);
      ::usleep(20'000);
      send("still here");
    });
    EXPECT_EQ(report.end, ChildEnd::finished) << number;
    EXPECT_EQ(report.output, "still here") << number;
    EXPECT_EQ(report.signal_sent, number);
  }
}

TEST_P(Contained, WorkThatKillsItsParentIsFoundOut) {
  LifeLine life;
  ContainedReport const report = run([](ChildSend const& send) {
    LifeLine::hold();
    ::kill(::getppid(), SIGKILL);
    ::usleep(20'000);
    send("still here");
  });
  if (report.containment == Containment::process_namespace) {
    EXPECT_EQ(report.end, ChildEnd::finished);
    EXPECT_EQ(report.output, "still here");
  } else {
    EXPECT_EQ(report.end, ChildEnd::crashed);
    EXPECT_EQ(report.signal_sent, SIGKILL);
  }
  EXPECT_TRUE(life.is_cut());
}

TEST_P(Contained, WorkInANamespaceReachesNobodyOutside) {
  if (GetParam() != Containment::process_namespace) GTEST_SKIP() << "would end this test";
  if (run([](ChildSend const&) {}).containment != GetParam())
    GTEST_SKIP() << "no namespaces without privileges here";
  ContainedReport const report = run([](ChildSend const& send) {
    ::kill(-1, SIGKILL);  // all that there are, but the first and itself
    send("alone");
  });
  EXPECT_EQ(report.end, ChildEnd::finished);
  EXPECT_EQ(report.output, "alone");
}

TEST_P(Contained, WorkTakesItsDescendantsWithIt) {
  LifeLine life;
  ContainedReport const report = run([](ChildSend const&) {
    start_daemon();
    start_daemon();
  });
  EXPECT_EQ(report.end, ChildEnd::finished);
  EXPECT_EQ(report.left_processes, 2);
  EXPECT_TRUE(life.is_cut());
}

TEST_P(Contained, WorkThatCrashesTakesItsDescendantsWithIt) {
  LifeLine life;
  ContainedReport const report = run([](ChildSend const&) {
    start_daemon();
    std::abort();
  });
  EXPECT_EQ(report.code, SIGABRT);
  EXPECT_TRUE(life.is_cut());
}

TEST_P(Contained, WorkThatDoesNotEndTakesItsDescendantsWithIt) {
  LifeLine life;
  ContainedReport const report = run(
      [](ChildSend const&) {
        start_daemon();
        for (;;) ::pause();
      },
      0.5);
  EXPECT_EQ(report.end, ChildEnd::timed_out);
  EXPECT_TRUE(life.is_cut());
}

// As where a signal to the checker ends it.
TEST_P(Contained, WorkEndsWithAllChildren) {
  LifeLine life;
  ContainedReport const report = run_contained(
      [](ChildSend const& send) {
        start_daemon();
        send("started");
        for (;;) ::pause();
      },
      plenty, [](std::string_view) { kill_all_children(); }, GetParam());
  EXPECT_EQ(report.end, ChildEnd::crashed);
  EXPECT_EQ(report.code, SIGKILL);
  EXPECT_TRUE(life.is_cut());
}

TEST_P(Contained, WorkMayUseProcessesThatItEnds) {
  ContainedReport const report = run([](ChildSend const&) {
    if (std::system("true") != 0) std::abort();
    // And one that is on its way.
    if (::fork() == 0) {
      ::usleep(20'000);
      ::_exit(0);
    }
  });
  EXPECT_EQ(report.end, ChildEnd::finished);
  EXPECT_EQ(report.left_processes, 0);
}

INSTANTIATE_TEST_SUITE_P(In, Contained, testing::Values(Containment::process_namespace, Containment::guard),
                         [](auto const& info) {
                           return info.param == Containment::guard ? "AGuard" : "ANamespace";
                         });

CheckReport check_with_defect(char const* defect) {
  TemporaryFolder const folder;
  write_file(folder.path() / "broken.fmu",
             make_archive({{"modelDescription.xml", broken_fmu_description},
                           {"binaries/linux64/broken.so", read_file(DELASSUS_BROKEN_FMU)}}));
  ::setenv("DELASSUS_DEFECT", defect, 1);
  CheckReport report = check_fmu(folder.path() / "broken.fmu", {.timeout = plenty});
  ::unsetenv("DELASSUS_DEFECT");
  return report;
}

TEST(CheckedFmu, ThatSendsASignalToItsCheckerIsToldSo) {
  CheckReport const report = check_with_defect("kill_parent");
  EXPECT_TRUE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].rule, "run-signals");
  EXPECT_EQ(report.findings[0].message, "the FMU sent signal 15 (Terminated) to the process that runs it");
}

TEST(CheckedFmu, ThatLeavesProcessesBehindIsToldSoAndTheyEnd) {
  LifeLine life;
  CheckReport const report = check_with_defect("daemon");
  EXPECT_FALSE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].rule, "run-processes");
  EXPECT_CONTAINS(report.findings[0].message, "after the last instance was freed");
  EXPECT_TRUE(life.is_cut());
}

}  // namespace
}  // namespace delassus
