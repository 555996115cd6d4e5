// Standard input, output and error, any of which may be closed, full or gone. What is said to the user is written here
// and nowhere else: a message that cannot be written costs no result and no exit code.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <string_view>

namespace delassus {

// At the start of a program. Descriptors 0, 1 and 2 that are closed would be taken by the next file or pipe, and what is
// printed would go there: /dev/null takes their place. Writing to a standard output that was closed fails as before, so
// that results which were to go there are not lost in silence.
void open_standard_streams();

// To standard error, whole; where that fails, nothing.
void print_text(std::string_view text) noexcept;

// The same, but not waiting longer than this for a reader that has stopped: for a program that ends.
void print_text_within(std::chrono::milliseconds longest, std::string_view text) noexcept;

void print_formatted(fmt::string_view format, fmt::format_args arguments);

// `print_message("note: {}\n", text)`
template <typename... Arguments>
void print_message(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_formatted(format, fmt::make_format_args(arguments...));
}

}  // namespace delassus
