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

void write_and_rename(std::filesystem::path const& file, mode_t mode, bool keep_mode,
                      std::string_view bytes) {
  std::scoped_lock const lock(writing_mutex());
  std::string temporary = file.string() + ".XXXXXX";
  int const descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) fail("write", file, errno);
  int error = write_all(descriptor, bytes) ? 0 : errno;
  if (error == 0 && ::fchmod(descriptor, mode) != 0 && keep_mode) error = errno;
  // A full disk on a network file system may be reported only by close.
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail("write", file, error);
  }
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
  std::error_code ignored;
  std::filesystem::path const canonical = std::filesystem::canonical(file, ignored);
  std::filesystem::path const target = ignored ? file : canonical;
  struct stat status {};
  bool const exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("write", file, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_through(target, bytes);
  // rename needs only a writable folder; a file that its owner made read-only is still not ours to replace.
  if (exists && ::access(target.c_str(), W_OK) != 0) fail("write", file, errno);
  write_and_rename(target, exists ? static_cast<mode_t>(status.st_mode & 07777) : mode_of_new_files(), exists,
                   bytes);
}

void wait_for_written_files(std::chrono::milliseconds longest) {
  // Not given back: nothing else is written before the end.
  [[maybe_unused]] bool const free = writing_mutex().try_lock_for(longest);
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
