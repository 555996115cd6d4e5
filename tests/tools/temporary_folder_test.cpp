// Temporary folders of runs that ended in whatever way. Each is found in a TMPDIR of the test.
#include "tools/support/temporary_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>

#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

std::size_t entries(std::filesystem::path const& folder) {
  auto const all = std::filesystem::directory_iterator(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

class RunFolders : public testing::Test {
 protected:
  RunFolders() {
    std::string name = (std::filesystem::temp_directory_path() / "folders-XXXXXX").string();
    tmp_ = ::mkdtemp(name.data());
    ::setenv("TMPDIR", tmp_.c_str(), 1);
  }
  ~RunFolders() override {
    ::unsetenv("TMPDIR");
    std::filesystem::remove_all(tmp_);
  }

  // The exit code of a process that does this.
  static int in_process(std::function<void()> const& work) {
    pid_t const child = ::fork();
    if (child == 0) {
      work();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::filesystem::path make_left_folder(std::string const& name) const {
    std::filesystem::create_directories(tmp_ / name / "1" / "binaries");
    write_file(tmp_ / name / "1" / "binaries" / "x.so", "x");
    return tmp_ / name;
  }

  std::filesystem::path tmp_;
};

TEST_F(RunFolders, AreOneForAllOfAProcessAndGoWithTheLast) {
  {
    TemporaryFolder const one;
    {
      TemporaryFolder const other;
      EXPECT_NE(one.path(), other.path());
      EXPECT_EQ(one.path().parent_path(), other.path().parent_path());
      EXPECT_EQ(entries(tmp_), 1u);
    }
    EXPECT_TRUE(std::filesystem::is_directory(one.path()));
  }
  EXPECT_EQ(entries(tmp_), 0u);
}

TEST_F(RunFolders, OfAProcessThatWasKilledAreRemovedByTheNext) {
  EXPECT_EQ(in_process([] {
              TemporaryFolder const folder;
              write_file(folder.path() / "x", "x");
              ::raise(SIGKILL);
            }),
            -SIGKILL);
  EXPECT_EQ(entries(tmp_), 1u);
  EXPECT_EQ(in_process([] { TemporaryFolder const folder; }), 0);
  EXPECT_EQ(entries(tmp_), 0u);
}

TEST_F(RunFolders, OfAProcessThatIsThereAreLeftToIt) {
  TemporaryFolder const ours;
  write_file(ours.path() / "x", "x");
  // Another program, and not a child of this process: those share its folder.
  std::string const other = "'" DELASSUS_PROGRAM "' examples positioning --copy-to '" + tmp_.string() +
                            "' 2>/dev/null && '" DELASSUS_PROGRAM "' build '" + tmp_.string() +
                            "/positioning/SystemStructure.ssd' --no-reference -o '" + tmp_.string() +
                            "/out.ssp' 2>/dev/null";
  EXPECT_EQ(std::system(other.c_str()), 0);
  EXPECT_EQ(read_file(ours.path() / "x"), "x");
}

// What a child makes is in the folder of its parent, and goes with it, whatever ends the child.
TEST_F(RunFolders, OfChildrenGoWithTheParent) {
  {
    TemporaryFolder const ours;
    EXPECT_EQ(in_process([] {
                TemporaryFolder const folder;
                ::raise(SIGKILL);
              }),
              -SIGKILL);
    EXPECT_EQ(entries(tmp_), 1u);
    EXPECT_EQ(entries(ours.path().parent_path()), 2u);
  }
  EXPECT_EQ(entries(tmp_), 0u);
}

TEST_F(RunFolders, OfOthersAreNotTouched) {
  auto const file = tmp_ / "delassus.file00";
  write_file(file, "x");
  auto const elsewhere = make_left_folder("results");
  auto const older = make_left_folder("delassus-abcdef");  // of versions that lock nothing
  std::filesystem::create_directory_symlink(elsewhere, tmp_ / "delassus.linked");
  auto const locked = make_left_folder("delassus.locked");
  int const lock = ::open(locked.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  auto const left = make_left_folder("delassus.leftxx");
  EXPECT_EQ(in_process([] { TemporaryFolder const folder; }), 0);
  EXPECT_FALSE(std::filesystem::exists(left));
  for (auto const& path : {file, older / "1", elsewhere / "1", locked / "1", tmp_ / "delassus.linked" / "1"})
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
  ::close(lock);
}

TEST_F(RunFolders, EndWithoutUnwindingToo) {
  EXPECT_EQ(in_process([] {
              TemporaryFolder const folder;
              TemporaryFolder const other;
              write_file(folder.path() / "x", "x");
              remove_temporary_folders();
              // Whatever another thread still does there fails instead of staying.
              if (std::filesystem::exists(folder.path())) ::_exit(1);
              try {
                write_file(folder.path() / "y", "y");
                ::_exit(2);
              } catch (FileError const&) {
                ::_exit(0);
              }
            }),
            0);
  EXPECT_EQ(entries(tmp_), 0u);
}

}  // namespace
}  // namespace delassus
