#include "tools/support/temporary_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/support/atomic_file.hpp"

namespace delassus {
namespace {

constexpr std::string_view prefix = "delassus.";

// A run clears away so many at most: it was started for something else.
constexpr int most_removed = 16;

// The one folder of this process in its TMPDIR, in which all others are. It is locked (flock) for as long as this process or
// a child of it lives, however they end: a folder that can be locked belongs to nobody any more.
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path const& parent);
  ~RunFolder();
  RunFolder(RunFolder const&) = delete;
  RunFolder& operator=(RunFolder const&) = delete;

  std::filesystem::path make_inner();
  bool is_in(std::filesystem::path const& parent) const { return path_.parent_path() == parent; }
  bool is_ours() const { return owner_ == ::getpid(); }
  void remove();

 private:
  std::filesystem::path path_;
  int lock_ = -1;
  pid_t owner_ = ::getpid();
  std::size_t folders_ = 0;
};

struct Present {
  std::mutex mutex;
  std::vector<std::weak_ptr<RunFolder>> folders;  // several where TMPDIR was changed
  std::set<std::filesystem::path> looked_into;    // for what others have left
};

// Never destroyed: a thread that ends the program may look at it last.
Present& present() {
  static auto* const folders = new Present;
  return *folders;
}

[[noreturn]] void fail(std::filesystem::path const& parent, int error) {
  throw FileError("cannot make a temporary folder in " + parent.string() + ": " + std::strerror(error) +
                  "; set TMPDIR to a folder that can be written and has room");
}

// With one descriptor at a time: std::filesystem::remove_all takes one for each level, and there may be none left.
void remove_tree(std::filesystem::path const& folder) {
  DIR* const listing = ::opendir(folder.c_str());
  if (listing == nullptr) return;
  std::vector<std::string> names;
  for (dirent const* entry = ::readdir(listing); entry != nullptr; entry = ::readdir(listing)) {
    std::string_view const name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ::closedir(listing);
  for (auto const& name : names) {
    auto const path = folder / name;
    if (::unlink(path.c_str()) != 0) remove_tree(path);
  }
  ::rmdir(folder.c_str());
}

// On a network file system a lock may be unknown to other machines.
bool has_locks_of_all(std::filesystem::path const& folder) {
  constexpr std::array<long, 6> local{TMPFS_MAGIC,       EXT4_SUPER_MAGIC,      XFS_SUPER_MAGIC,
                                      BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC};
  struct statfs status {};
  return ::statfs(folder.c_str(), &status) == 0 &&
         std::ranges::find(local, static_cast<long>(status.f_type)) != local.end();
}

void remove_if_left(std::filesystem::path const& folder) {
  int const descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    remove_tree(folder);
  }
  ::close(descriptor);
}

// What runs before this one left, which were killed (SIGKILL) or crashed.
void remove_left_folders(std::filesystem::path const& parent) {
  if (!has_locks_of_all(parent)) return;
  DIR* const listing = ::opendir(parent.c_str());
  if (listing == nullptr) return;
  std::vector<std::string> names;
  for (dirent const* entry = ::readdir(listing); entry != nullptr; entry = ::readdir(listing)) {
    if (std::string_view(entry->d_name).starts_with(prefix)) names.emplace_back(entry->d_name);
  }
  ::closedir(listing);
  std::ranges::sort(names);
  int removed = 0;
  for (auto const& name : names) {
    if (++removed > most_removed) return;
    remove_if_left(parent / name);
  }
}

RunFolder::RunFolder(std::filesystem::path const& parent) {
  // Another run may take the new folder for one that is left, until it is locked.
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) fail(parent, errno);
    lock_ = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock_ < 0 && errno != ENOENT) {
      int const error = errno;
      ::rmdir(name.c_str());
      fail(parent, error);
    }
    if (lock_ < 0) continue;
    bool const taken = ::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat status {};
    if (!taken && ::stat(name.c_str(), &status) == 0) {
      path_ = name;
      return;
    }
    ::close(lock_);
  }
  fail(parent, EAGAIN);
}

RunFolder::~RunFolder() {
  if (is_ours()) remove();
  if (lock_ >= 0) ::close(lock_);
}

// Renamed first: what is still being unpacked into it then fails, instead of staying behind.
void RunFolder::remove() {
  std::error_code error;
  std::filesystem::path const gone = path_.string() + ".ended";
  std::filesystem::rename(path_, gone, error);
  // Whoever takes it for one that was left does the same.
  if (lock_ >= 0) ::close(std::exchange(lock_, -1));
  remove_tree(error ? path_ : gone);
}

std::filesystem::path RunFolder::make_inner() {
  // A child process makes its own in the folder of its parent.
  while (true) {
    std::filesystem::path const inner = path_ / std::to_string(++folders_);
    if (::mkdir(inner.c_str(), 0700) == 0) return inner;
    if (errno != EEXIST) fail(path_, errno);
  }
}

std::shared_ptr<RunFolder> run_folder() {
  std::error_code error;
  std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error)
    throw FileError("no folder for temporary files: " + error.message() + "; set TMPDIR to one that exists");
  parent = std::filesystem::absolute(parent / "x").lexically_normal().parent_path();
  auto& folders = present().folders;
  std::erase_if(folders, [](auto const& folder) { return folder.expired(); });
  for (auto const& each : folders) {
    if (auto folder = each.lock(); folder && folder->is_in(parent)) return folder;
  }
  if (present().looked_into.insert(parent).second) remove_left_folders(parent);
  auto folder = std::make_shared<RunFolder>(parent);
  folders.push_back(folder);
  return folder;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::scoped_lock const lock(present().mutex);
  auto const folder = run_folder();
  path_ = folder->make_inner();
  keep_ = folder;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  std::scoped_lock const lock(present().mutex);
  keep_.reset();
}

void remove_temporary_folders() {
  std::scoped_lock const lock(present().mutex);
  for (auto const& each : present().folders) {
    if (auto const folder = each.lock(); folder && folder->is_ours()) folder->remove();
  }
}

}  // namespace delassus
