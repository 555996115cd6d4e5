#include "xml/text/encoding.hpp"

#include <algorithm>

#include "xml/text/utf8.hpp"

namespace delassus {
namespace {

std::string_view written_encoding(std::string_view text) {
  if (!text.starts_with("<?xml")) return {};
  auto const declaration = text.substr(0, text.find("?>"));
  auto const at = declaration.find("encoding");
  auto const quote = at == declaration.npos ? at : declaration.find_first_of("\"'", at);
  if (quote == declaration.npos) return {};
  return declaration.substr(quote + 1, declaration.find(declaration[quote], quote + 1) - quote - 1);
}

int line_of_foreign_bytes(std::string_view text) {
  int line = 1;
  for (std::size_t begin = 0; begin < text.size();) {
    auto const end = std::min(text.find('\n', begin), text.size());
    if (!is_utf8(text.substr(begin, end - begin))) break;
    begin = end + 1;
    ++line;
  }
  return line;
}

}  // namespace

std::string declared_encoding(std::string_view text) {
  auto const written = written_encoding(text);
  if (written.empty()) return "UTF-8";
  std::string upper{written};
  std::ranges::transform(upper, upper.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return upper;
}

std::vector<Finding> check_encoding(std::string const& text, std::string const& file) {
  std::string const remedy = "encode the file in UTF-8 and write encoding=\"UTF-8\"";
  if (declared_encoding(text) != "UTF-8") {
    return {{"xml-encoding", Severity::error, file, 1,
             "the file says that its encoding is " + std::string{written_encoding(text)}, remedy}};
  }
  if (!is_utf8(text)) {
    return {{"xml-encoding", Severity::error, file, line_of_foreign_bytes(text),
             "the file has bytes that are not UTF-8", remedy}};
  }
  return {};
}

std::string readable_text(std::string const& text) {
  if (declared_encoding(text) != "UTF-8" || is_utf8(text)) return text;
  std::string converted;
  for (unsigned char const c : text) {
    if (c < 0x80) {
      converted += static_cast<char>(c);
    } else {
      converted += static_cast<char>(0xc0 | (c >> 6));
      converted += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
  return converted;
}

}  // namespace delassus
