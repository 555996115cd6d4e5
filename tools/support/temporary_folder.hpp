// A folder for the time of one run, removed with everything in it.
#pragma once

#include <filesystem>

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
};

// All that exist, for a program that ends without unwinding.
void remove_temporary_folders();

}  // namespace delassus
