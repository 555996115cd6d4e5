#include "tools/support/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>

#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

// Those of this process. Never destroyed: a thread that ends the program may look at it last.
struct PresentFolders {
  std::mutex mutex;
  std::set<std::filesystem::path> paths;
};

PresentFolders& present_folders() {
  static auto* const folders = new PresentFolders;
  return *folders;
}

}  // namespace

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
  std::scoped_lock const lock(present_folders().mutex);
  present_folders().paths.insert(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  std::scoped_lock const lock(present_folders().mutex);
  present_folders().paths.erase(path_);
}

void remove_temporary_folders() {
  std::scoped_lock const lock(present_folders().mutex);
  std::error_code ignored;
  for (auto const& path : present_folders().paths) std::filesystem::remove_all(path, ignored);
}

}  // namespace delassus
