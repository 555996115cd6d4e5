#include "tools/support/atomic_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>

namespace delassus {
namespace {

// Held while a file is being written, so that an end from outside leaves no temporary behind.
std::timed_mutex& writing_mutex() {
  static auto* const mutex = new std::timed_mutex;
  return *mutex;
}

[[noreturn]] void fail(std::string const& action, std::filesystem::path const& file, int error) {
  std::string const message = "cannot " + action + " " + file.string() + ": " + std::strerror(error);
  if (error == EPIPE) throw ClosedPipe(message);
  if (action == "write" && (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO))
    throw StorageError(message);
  throw FileError(message);
}

void write_to_descriptor(int descriptor, std::filesystem::path const& file, std::string_view bytes) {
  if (write_all(descriptor, bytes)) return;
  int const error = errno;
  // A standard stream that was closed is /dev/null, opened so that it cannot be written.
  std::string const reason = error == EBADF ? "it is closed" : std::strerror(error);
  std::string const message = "cannot write " + file.string() + ": " + reason;
  if (error == EPIPE) throw ClosedPipe(message);
  throw LostOutput(message);
}

// Opening /dev/stdout anew would start at the beginning of a redirected file, over what is already there.
int standard_descriptor(std::filesystem::path const& file) {
  if (file == "-" || file == "/dev/stdout" || file == "/dev/fd/1") return STDOUT_FILENO;
  if (file == "/dev/stderr" || file == "/dev/fd/2") return STDERR_FILENO;
  return -1;
}

void write_through(std::filesystem::path const& file, std::string_view bytes) {
  int const descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) fail("write", file, errno);
  int error = write_all(descriptor, bytes) ? 0 : errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) fail("write", file, error);
}

struct Content {
  std::string_view bytes;
  mode_t mode;
  bool keeps_mode;  // of the file that it replaces
};

// The error; 0: none.
int fill(int descriptor, Content const& content) {
  if (!write_all(descriptor, content.bytes)) return errno;
  if (::fchmod(descriptor, content.mode) != 0 && content.keeps_mode) return errno;
  return 0;
}

// While it has a name that is not the file's; empty otherwise. Changed and read under the mutex or at the very end.
std::string& present_temporary() {
  static auto* const name = new std::string;
  return *name;
}

// A long name leaves room for the ending.
std::string beside(std::filesystem::path const& file, std::string const& ending) {
  constexpr std::size_t most = 200;
  return (file.parent_path() / (file.filename().string().substr(0, most) + "." + ending)).string();
}

int rename_temporary(std::string const& temporary, std::filesystem::path const& file) {
  if (::rename(temporary.c_str(), file.c_str()) == 0) return 0;
  int const error = errno;
  ::unlink(temporary.c_str());
  return error;
}

// Gives a file without a name the one of `file`. False where this file system, or the lack of /proc, does not allow it.
bool give_name(int descriptor, std::filesystem::path const& file, int& error) {
  std::string const open_file = "/proc/self/fd/" + std::to_string(descriptor);
  auto const link_as = [&](std::string const& name) {
    return ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  error = 0;
  if (link_as(file.string())) return true;
  // A link replaces nothing; a name for a moment, then.
  for (int i = 0; errno == EEXIST && i < 1000; ++i) {
    std::string const temporary = beside(file, std::to_string(::getpid()) + "-" + std::to_string(i));
    present_temporary() = temporary;
    if (!link_as(temporary)) continue;
    error = rename_temporary(temporary, file);
    present_temporary().clear();
    return true;
  }
  int const reason = errno;
  present_temporary().clear();
  errno = reason;
  return false;
}

// Into a file that has no name until it is whole: nothing of it stays, whatever kills us.
bool write_unnamed(std::filesystem::path const& file, Content const& content) {
#ifdef O_TMPFILE
  std::filesystem::path const folder = file.has_parent_path() ? file.parent_path() : ".";
  int const descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  int error = fill(descriptor, content);
  bool const named = error != 0 || give_name(descriptor, file, error);
  // A full disk on a network file system may be reported only by close.
  if (::close(descriptor) != 0 && error == 0 && named) error = errno;
  if (error != 0) fail("write", file, error);
  return named;
#else
  return false;
#endif
}

void write_and_rename(std::filesystem::path const& file, Content const& content) {
  std::scoped_lock const lock(writing_mutex());
  if (write_unnamed(file, content)) return;
  std::string& temporary = present_temporary();
  temporary = beside(file, "XXXXXX");
  int const descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  int error = descriptor < 0 ? errno : fill(descriptor, content);
  if (descriptor >= 0) {
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error == 0) error = rename_temporary(temporary, file);
    if (error != 0) ::unlink(temporary.c_str());
  }
  temporary.clear();
  if (error != 0) fail("write", file, error);
}

// Also where nothing is there yet.
std::filesystem::path end_of_links(std::filesystem::path const& file) {
  constexpr int most_links = 40;  // as Linux
  std::filesystem::path path = file;
  std::error_code error;
  for (int i = 0; i < most_links; ++i) {
    if (!std::filesystem::is_symlink(path, error)) return path;
    auto const next = std::filesystem::read_symlink(path, error);
    if (error) fail("write", file, error.value());
    path = path.parent_path() / next;
  }
  fail("write", file, ELOOP);
}

mode_t mode_of_new_files() {
  mode_t const mask = ::umask(0);
  ::umask(mask);
  return static_cast<mode_t>(0666 & ~mask);
}

}  // namespace

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const written = ::write(descriptor, bytes.data(), bytes.size());
    // Whoever shares a terminal or pipe with us may have made it one that does not wait.
    if (written < 0 && errno == EAGAIN) {
      pollfd wait{descriptor, POLLOUT, 0};
      ::poll(&wait, 1, -1);
    } else if (written < 0 && errno != EINTR) {
      return false;
    }
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_file(std::filesystem::path const& file, std::string_view bytes) {
  if (int const descriptor = standard_descriptor(file); descriptor >= 0) {
    write_to_descriptor(descriptor, file == "-" ? "standard output" : file, bytes);
    return;
  }
  std::filesystem::path const target = end_of_links(file);
  struct stat status {};
  bool const exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("write", file, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_through(target, bytes);
  // rename needs only a writable folder; a file that its owner made read-only is still not ours to replace.
  if (exists && ::access(target.c_str(), W_OK) != 0) fail("write", file, errno);
  write_and_rename(
      target, {bytes, exists ? static_cast<mode_t>(status.st_mode & 07777) : mode_of_new_files(), exists});
}

void wait_for_written_files(std::chrono::milliseconds longest) {
  // Not given back: nothing else is written before the end.
  if (writing_mutex().try_lock_for(longest)) return;
  // Another thread still writes, and may do so for ever. Its file is not whole.
  std::string const temporary = present_temporary();
  if (!temporary.empty()) ::unlink(temporary.c_str());
}

void write_standard_output(std::string_view bytes) {
  write_file("-", bytes);
}

void write_each(std::initializer_list<std::function<void()>> writers) {
  std::exception_ptr first;
  for (auto const& write : writers) {
    try {
      write();
    } catch (std::exception const&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

std::string read_file(std::filesystem::path const& file, std::size_t limit) {
  int const descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail("read", file, errno);
  std::string content;
  char buffer[65536];
  int error = 0;
  while (true) {
    ssize_t const count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error = errno;
    if (count <= 0) break;
    content.append(buffer, static_cast<std::size_t>(count));
    if (content.size() > limit) {
      error = EFBIG;
      break;
    }
  }
  ::close(descriptor);
  if (error != 0) fail("read", file, error);
  return content;
}

}  // namespace delassus
