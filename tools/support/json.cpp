#include "tools/support/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "xml/text/utf8.hpp"

namespace delassus {
namespace {

bool is_plain(Json const& value) {
  return !value.is_structured() || value.empty();
}

std::string plain_text(Json const& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append(std::string& text, Json const& value, std::size_t depth) {
  if (is_plain(value)) {
    text += plain_text(value);
    return;
  }
  bool const one_line = std::ranges::all_of(value, is_plain);
  std::string const gap = one_line ? " " : "\n" + std::string(2 * depth + 2, ' ');
  text += value.is_object() ? '{' : '[';
  bool first = true;
  for (auto const& [key, member] : value.items()) {
    if (!first) text += ',';
    if (!first || !one_line) text += gap;
    first = false;
    if (value.is_object()) text += plain_text(key) + ": ";
    append(text, member, depth + 1);
  }
  if (!one_line) text += "\n" + std::string(2 * depth, ' ');
  text += value.is_object() ? '}' : ']';
}

}  // namespace

std::string write_json(Json const& value) {
  std::string text;
  append(text, value, 0);
  return text + "\n";
}

std::string write_script_json(Json const& value) {
  std::string const text = plain_text(value);
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 64);
  // Both stand only inside of strings.
  for (char const c : text) {
    if (c == '<') {
      escaped += "\\u003c";
    } else if (c == '\x7f') {
      escaped += "\\u007f";
    } else {
      escaped += c;
    }
  }
  return escaped + "\n";
}

std::string readable_text(std::string text) {
  if (!is_utf8(text)) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  }
  return text;
}

Json json_or_null(std::optional<double> const& value) {
  return value ? Json(*value) : Json();
}

Json json_or_null(std::optional<std::string> const& value) {
  return value ? Json(*value) : Json();
}

}  // namespace delassus
