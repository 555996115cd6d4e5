// Two sweeps that would write one file.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/support/program_run.hpp"

namespace delassus {
namespace {

class SweepLock : public test::Program {
 protected:
  // A process of another sweep, as far as anybody can see.
  pid_t hold(std::string const& file) const {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    pid_t const child = ::fork();
    if (child == 0) {
      int const descriptor = ::open(path(file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      char const byte = ::flock(descriptor, LOCK_EX) == 0 ? 'y' : 'n';
      [[maybe_unused]] ssize_t const written = ::write(ready[1], &byte, 1);
      for (;;) ::pause();
    }
    char byte = 'n';
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'y');
    ::close(ready[0]);
    ::close(ready[1]);
    return child;
  }
  static void kill_and_wait(pid_t process) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
};

constexpr char sweep[] = "sweep sliding_block --vary mu=0.2,0.3 --keep block.position -o ";

TEST_F(SweepLock, EndsTheSecondSweepAndNamesTheFirst) {
  write("out.csv", "old");
  pid_t const first = hold("out.csv.journal");
  auto const second = run(std::string(sweep) + "out.csv");
  EXPECT_EQ(second.code, 3);
  EXPECT_CONTAINS(second.errors, "another sweep (process " + std::to_string(first) + ") is writing ");
  EXPECT_CONTAINS(second.errors, "out.csv.journal; wait for it, end it, or name another output");
  EXPECT_EQ(read_file(path("out.csv")), "old");
  EXPECT_EQ(run(std::string(sweep) + "out.csv --restart").code, 3)
      << "--restart drops a journal, not another sweep";
  // Another name of the same file.
  std::filesystem::create_symlink("out.csv", path("link.csv"));
  EXPECT_EQ(run(std::string(sweep) + "link.csv").code, 3);
  EXPECT_EQ(run(std::string(sweep) + "other.csv").code, 0);

  kill_and_wait(first);
  EXPECT_EQ(run(std::string(sweep) + "out.csv").code, 0) << "a dead process is no obstacle";
  EXPECT_FALSE(exists("out.csv.journal"));
}

// It has removed its journal, which a second one had opened already.
TEST_F(SweepLock, OfASweepThatHasEndedMeanwhileIsNoObstacle) {
  pid_t const first = hold("out.csv.journal");
  std::thread ending([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::filesystem::remove(path("out.csv.journal"));
    kill_and_wait(first);
  });
  auto const second = run(std::string(sweep) + "out.csv");
  ending.join();
  EXPECT_EQ(second.code, 0) << second.errors;
  EXPECT_FALSE(exists("out.csv.journal"));
}

}  // namespace
}  // namespace delassus
