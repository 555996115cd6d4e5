// Values as XML Schema writes them (xs:double, xs:boolean, xs:int, lists), independent of the locale. Doubles
// get the fewest digits that read back as the same double.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

std::string number_text(double value);
std::vector<std::string_view> split_at_blanks(std::string_view text);
std::string_view trimmed(std::string_view text);

// xs:double: INF, -INF and NaN are numbers, `inf` and `0x1p3` are not.
std::optional<double> parse_double(std::string_view text);

// xs:boolean: true, false, 1, 0.
std::optional<bool> parse_boolean(std::string_view text);

template <std::integral Integer>
std::optional<Integer> parse_integer(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  Integer value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A list of xs:unsignedInt and the like, separated by blanks.
template <std::integral Integer>
std::optional<std::vector<Integer>> parse_integers(std::string_view text) {
  std::vector<Integer> values;
  for (auto const word : split_at_blanks(text)) {
    auto const value = parse_integer<Integer>(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

}  // namespace delassus
