#include "tools/check/host_environment.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace delassus {
namespace {

constexpr int last_signal = 64;

// The bits that control; the others are flags of what has happened, which change all the time.
unsigned sse_control() {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3fu;
#else
  return 0;
#endif
}

unsigned short x87_control() {
  unsigned short word = 0;
#if defined(__x86_64__)
  __asm__ volatile("fnstcw %0" : "=m"(word));
#endif
  return word;
}

std::string current_locale() {
  char const* const name = std::setlocale(LC_ALL, nullptr);
  return name != nullptr ? name : "";
}

std::string current_folder() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

unsigned current_mask() {
  mode_t const mask = ::umask(0);
  ::umask(mask);
  return mask;
}

bool same_handler(struct sigaction const& a, struct sigaction const& b) {
  return a.sa_flags == b.sa_flags && a.sa_handler == b.sa_handler;
}

}  // namespace

HostEnvironment::HostEnvironment()
    : folder_(current_folder()),
      locale_(current_locale()),
      mask_(current_mask()),
      sse_control_(sse_control()),
      x87_control_(x87_control()),
      rounding_(std::fegetround()),
      traps_(::fegetexcept()) {
  for (int number = 1; number <= last_signal; ++number)
    ::sigaction(number, nullptr, &handlers_[static_cast<std::size_t>(number)]);
}

std::vector<std::string> HostEnvironment::changes() const {
  std::vector<std::string> found;
  if (auto const folder = current_folder(); folder != folder_)
    found.push_back(fmt::format("the working directory is {}", folder));
  if (auto const locale = current_locale(); locale != locale_)
    found.push_back(fmt::format("the locale is {} instead of {}", locale, locale_));
  for (int number = 1; number <= last_signal; ++number) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) != 0) continue;
    if (!same_handler(now, handlers_[static_cast<std::size_t>(number)]))
      found.push_back(
          fmt::format("the handler of signal {} ({}) is another one", number, ::strsignal(number)));
  }
  if (std::fegetround() != rounding_ || sse_control() != sse_control_ || x87_control() != x87_control_ ||
      ::fegetexcept() != traps_)
    found.push_back("the floating-point control word is another one (rounding, traps or denormals)");
  if (current_mask() != mask_) found.push_back("the file mode mask is another one");
  return found;
}

void HostEnvironment::restore() const {
  std::error_code error;
  std::filesystem::current_path(folder_, error);
  std::setlocale(LC_ALL, locale_.c_str());
  for (int number = 1; number <= last_signal; ++number) {
    if (number != SIGKILL && number != SIGSTOP)
      ::sigaction(number, &handlers_[static_cast<std::size_t>(number)], nullptr);
  }
  std::fesetround(rounding_);
  ::fedisableexcept(FE_ALL_EXCEPT);
  ::feenableexcept(traps_);
#if defined(__x86_64__)
  _mm_setcsr(sse_control_);
  __asm__ volatile("fldcw %0" : : "m"(x87_control_));
#endif
  ::umask(mask_);
}

int thread_count() {
  std::error_code error;
  int count = 0;
  for (auto const& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    (void)task;
    ++count;
  }
  return count;
}

}  // namespace delassus
