#include "tools/support/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "tools/support/atomic_file.hpp"

namespace delassus {

void open_standard_streams() {
  for (int const descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    int const mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    int opened = ::open("/dev/null", mode);
    if (opened < 0) opened = ::open("/", O_RDONLY);  // where there is no /dev
    if (opened < 0 || opened == descriptor) continue;
    ::dup2(opened, descriptor);
    ::close(opened);
  }
}

void print_text(std::string_view text) noexcept {
  write_all(STDERR_FILENO, text);
}

void print_text_within(std::chrono::milliseconds longest, std::string_view text) noexcept {
  // A pipe that is ready takes so much without making us wait.
  constexpr std::size_t piece = 512;
  while (!text.empty()) {
    pollfd wait{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&wait, 1, static_cast<int>(longest.count())) <= 0) return;
    ssize_t const written = ::write(STDERR_FILENO, text.data(), std::min(piece, text.size()));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void print_formatted(fmt::string_view format, fmt::format_args arguments) {
  print_text(fmt::vformat(format, arguments));
}

}  // namespace delassus
