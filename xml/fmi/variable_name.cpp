#include "xml/fmi/variable_name.hpp"

namespace delassus {
namespace {

// A recursive-descent parser. Each function removes what it recognises from the front of the text.
class NameParser {
 public:
  explicit NameParser(std::string_view text) : rest_(text) {}

  bool name() {
    // A variable may be called `der`: only the parenthesis makes it a derivative.
    if (!take("der(")) return identifier() && rest_.empty();
    return identifier() && (!take(",") || unsigned_integer()) && take(")") && rest_.empty();
  }

 private:
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_nondigit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  // B-name [arrayIndices] {"." B-name [arrayIndices]}
  bool identifier() {
    do {
      if (!base_name() || !array_indices()) return false;
    } while (take("."));
    return true;
  }

  bool base_name() {
    if (take("'")) return quoted_rest();
    if (rest_.empty() || !is_nondigit(rest_.front())) return false;
    while (!rest_.empty() && (is_nondigit(rest_.front()) || is_digit(rest_.front()))) rest_.remove_prefix(1);
    return true;
  }

  // Any printable ASCII, at least one; apostrophe and backslash are escaped.
  bool quoted_rest() {
    for (int characters = 0; !rest_.empty(); ++characters) {
      char const character = rest_.front();
      rest_.remove_prefix(1);
      if (character == '\'') return characters > 0;
      if (character < ' ' || character > '~') return false;
      if (character == '\\') {
        if (rest_.empty() ||
            std::string_view{"'\"?\\abfnrtv"}.find(rest_.front()) == std::string_view::npos) {
          return false;
        }
        rest_.remove_prefix(1);
      }
    }
    return false;
  }

  bool array_indices() {
    if (!take("[")) return true;
    do {
      if (!unsigned_integer()) return false;
    } while (take(","));
    return take("]");
  }

  bool unsigned_integer() {
    if (rest_.empty() || !is_digit(rest_.front())) return false;
    while (!rest_.empty() && is_digit(rest_.front())) rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

bool is_structured_name(std::string_view name) {
  return NameParser(name).name();
}

}  // namespace delassus
