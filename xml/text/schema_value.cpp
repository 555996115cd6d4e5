#include "xml/text/schema_value.hpp"

#include <cmath>
#include <limits>

#include "model/scene/number.hpp"

namespace delassus {
namespace {
constexpr std::string_view blanks = " \t\r\n";
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
  return format_number(value);
}

std::vector<std::string_view> split_at_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
    auto const end = text.find_first_of(blanks, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<double> parse_double(std::string_view text) {
  text = trimmed(text);
  if (text == "INF") return std::numeric_limits<double>::infinity();
  if (text == "-INF") return -std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return std::nullopt;
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  // A valid number beyond the range of doubles becomes zero or infinity, as in XML Schema.
  if (error == std::errc::result_out_of_range) {
    auto const exponent = text.find_first_of("eE");
    bool const tiny = exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
    value = tiny ? 0 : std::numeric_limits<double>::infinity();
    return text.starts_with('-') ? -value : value;
  }
  if (error != std::errc{}) return std::nullopt;
  return value;
}

std::optional<bool> parse_boolean(std::string_view text) {
  text = trimmed(text);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

}  // namespace delassus
