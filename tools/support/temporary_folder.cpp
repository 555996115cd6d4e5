#include "tools/support/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "tools/support/atomic_file.hpp"

namespace delassus {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::filesystem::path const parent = std::filesystem::temp_directory_path(error);
  if (error)
    throw FileError("no folder for temporary files: " + error.message() + "; set TMPDIR to one that exists");
  std::string name = (parent / "delassus-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw FileError("cannot make a temporary folder in " + parent.string() + ": " + std::strerror(errno));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace delassus
