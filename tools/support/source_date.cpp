#include "tools/support/source_date.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "tools/support/exit_code.hpp"

namespace delassus {

std::optional<std::time_t> source_date_epoch() {
  char const* const variable = std::getenv("SOURCE_DATE_EPOCH");
  if (variable == nullptr || *variable == '\0') return std::nullopt;
  std::string_view const text = variable;
  constexpr long long latest = 4354819199;  // 2107-12-31, where the calendar of zip ends
  long long seconds = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || seconds < 0 || seconds > latest) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("SOURCE_DATE_EPOCH is '{}'; it must be a whole number of seconds since 1970, 0 to {}",
                    text, latest));
  }
  return static_cast<std::time_t>(seconds);
}

std::string generation_date() {
  auto const seconds = source_date_epoch();
  if (!seconds) return "2000-01-01T00:00:00Z";
  std::tm calendar{};
  gmtime_r(&*seconds, &calendar);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", calendar.tm_year + 1900, calendar.tm_mon + 1,
                     calendar.tm_mday, calendar.tm_hour, calendar.tm_min, calendar.tm_sec);
}

}  // namespace delassus
