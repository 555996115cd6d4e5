#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "tools/support/atomic_file.hpp"
#include "tools/support/temporary_folder.hpp"

namespace delassus {
namespace {

std::size_t count_files(std::filesystem::path const& folder) {
  auto const files = std::filesystem::directory_iterator(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

// As on a full disk: no file of this process may grow beyond a size.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit const limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(AtomicFile, WritesAndReadsBytesAsTheyAre) {
  TemporaryFolder const folder;
  std::string const bytes("a\0b\r\n\xff", 6);
  write_file(folder.path() / "file", bytes);
  EXPECT_EQ(read_file(folder.path() / "file"), bytes);
  EXPECT_EQ(count_files(folder.path()), 1u);
}

TEST(AtomicFile, KeepsTheOldContentAndNoTemporaryWhenTheDiskIsFull) {
  TemporaryFolder const folder;
  auto const file = folder.path() / "results.csv";
  write_file(file, "old");
  {
    FullDisk const full(1000);
    try {
      write_file(file, std::string(100'000, 'x'));
      FAIL() << "a full disk went unnoticed";
    } catch (FileError const& error) {
      EXPECT_NE(std::string(error.what()).find("results.csv"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("File too large"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(read_file(file), "old");
  EXPECT_EQ(count_files(folder.path()), 1u);
}

TEST(AtomicFile, NamesThePathAndTheReasonWhenTheFolderDoesNotExist) {
  try {
    write_file("/nonexistent-folder/out.csv", "x");
    FAIL();
  } catch (FileError const& error) {
    EXPECT_STREQ(error.what(), "cannot write /nonexistent-folder/out.csv: No such file or directory");
  }
}

TEST(AtomicFile, RefusesToReplaceAFolder) {
  TemporaryFolder const folder;
  EXPECT_THROW(write_file(folder.path(), "x"), FileError);
  EXPECT_TRUE(std::filesystem::is_directory(folder.path()));
}

TEST(AtomicFile, WritesThroughASymbolicLinkAndKeepsIt) {
  TemporaryFolder const folder;
  write_file(folder.path() / "target", "old");
  std::filesystem::create_symlink("target", folder.path() / "link");
  write_file(folder.path() / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_file(folder.path() / "target"), "new");
}

TEST(AtomicFile, KeepsThePermissionsOfTheFileThatItReplaces) {
  TemporaryFolder const folder;
  auto const file = folder.path() / "file";
  write_file(file, "old");
  std::filesystem::permissions(file, std::filesystem::perms{0600});
  write_file(file, "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms{0600});
}

TEST(AtomicFile, ReportsADeviceThatIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(write_file("/dev/full", "x"), FileError);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, RefusesToReadMoreThanItsLimit) {
  TemporaryFolder const folder;
  write_file(folder.path() / "file", "12345");
  EXPECT_EQ(read_file(folder.path() / "file", 5), "12345");
  EXPECT_THROW(read_file(folder.path() / "file", 4), FileError);
}

TEST(TemporaryFolder, IsGoneWithEverythingInItAfterwards) {
  std::filesystem::path path;
  {
    TemporaryFolder const folder;
    path = folder.path();
    std::filesystem::create_directories(path / "a" / "b");
    write_file(path / "a" / "b" / "c", "x");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace delassus
