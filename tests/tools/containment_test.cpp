// Code of others that attacks the process that runs it, and what it leaves behind. A pipe that everything it starts inherits
// tells when the last of that has ended.
#include "tools/check/contained_run.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
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

class LifeLine {
 public:
  LifeLine() { EXPECT_EQ(::pipe(ends_), 0); }
  ~LifeLine() {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }
  LifeLine(LifeLine const&) = delete;
  LifeLine& operator=(LifeLine const&) = delete;

  // Whether nobody else has it any more.
  bool is_cut() {
    ::close(ends_[1]);
    ends_[1] = -1;
    pollfd wait{ends_[0], POLLIN, 0};
    return ::poll(&wait, 1, static_cast<int>(1000 * plenty)) == 1 && (wait.revents & POLLHUP) != 0;
  }

 private:
  int ends_[2] = {-1, -1};
};

void start_daemon() {
  if (::fork() != 0) return;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
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
