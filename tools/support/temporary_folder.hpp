// Folders for the time of one run, removed with everything in them. All of a process are in one, `delassus.XXXXXX` in TMPDIR,
// which is removed with the last of them, by whatever ends the program, and after SIGKILL or a crash by the next run: it
// is locked (flock) while a process of its run lives, and on a local file system a run removes those that nobody locks.
#pragma once

#include <filesystem>
#include <memory>

namespace delassus {

class TemporaryFolder {
 public:
  TemporaryFolder();  // in TMPDIR or /tmp, readable only by its owner; throws FileError
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::shared_ptr<void> keep_;  // the folder that it is in
};

// All that exist, for a program that ends without unwinding.
void remove_temporary_folders();

}  // namespace delassus
