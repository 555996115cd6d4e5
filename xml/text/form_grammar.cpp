#include "xml/text/form_grammar.hpp"

#include <libxml/xmlschemastypes.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

struct SimpleType {
  std::string_view name;
  xmlSchemaValType type;
  std::string_view meaning;
};

constexpr SimpleType simple_types[] = {
    {"boolean", XML_SCHEMAS_BOOLEAN, "true or false"},
    {"double", XML_SCHEMAS_DOUBLE, "a number such as 0.5 or 1e-3"},
    {"float", XML_SCHEMAS_FLOAT, "a number such as 0.5 or 1e-3"},
    {"byte", XML_SCHEMAS_BYTE, "a whole number from -128 to 127"},
    {"unsignedByte", XML_SCHEMAS_UBYTE, "a whole number from 0 to 255"},
    {"short", XML_SCHEMAS_SHORT, "a whole number from -32768 to 32767"},
    {"unsignedShort", XML_SCHEMAS_USHORT, "a whole number from 0 to 65535"},
    {"int", XML_SCHEMAS_INT, "a whole number from -2147483648 to 2147483647"},
    {"unsignedInt", XML_SCHEMAS_UINT, "a whole number from 0 to 4294967295"},
    {"long", XML_SCHEMAS_LONG, "a whole number of 64 bits"},
    {"unsignedLong", XML_SCHEMAS_ULONG, "a whole number of 64 bits that is not negative"},
    {"nonNegativeInteger", XML_SCHEMAS_NNINTEGER, "a whole number that is not negative"},
    {"hexBinary", XML_SCHEMAS_HEXBINARY, "bytes as pairs of hexadecimal digits"},
    {"dateTime", XML_SCHEMAS_DATETIME, "a date and time such as 2026-01-31T12:00:00Z"},
    {"anyURI", XML_SCHEMAS_ANYURI, "an address, with %20 for a blank"},
    {"ID", XML_SCHEMAS_NCNAME, "a name of letters, digits, - and _ that no other element has"},
};

FormValue parse_value(std::string_view text) {
  FormValue value;
  if (text.starts_with('[')) {
    value = parse_value(text.substr(1, text.size() - 2));
    value.list = true;
    value.meaning = "a list, separated by blanks: each " + value.meaning;
  } else if (text.starts_with('|')) {
    while (!text.empty()) {
      text.remove_prefix(1);
      auto const end = std::min(text.find('|'), text.size());
      value.choices.emplace_back(text.substr(0, end));
      text.remove_prefix(end);
    }
    value.meaning = value.choices.size() == 1 ? value.choices.front() : "one of";
    for (auto const& choice : value.choices) {
      if (value.choices.size() > 1) value.meaning += " " + choice;
    }
  } else if (text.starts_with('/')) {
    std::string const pattern{text.substr(1, text.size() - 2)};
    value.pattern.emplace(pattern);
    value.meaning = "a text of the form " + pattern;
  } else if (text == "nonempty") {
    value.not_empty = true;
    value.meaning = "a text that is not empty";
  } else {
    auto const found = std::ranges::find(simple_types, text, &SimpleType::name);
    if (found == std::end(simple_types)) throw std::logic_error("no simple type " + std::string{text});
    value.simple_type = found->type;
    value.identity = text == "ID";
    value.meaning = found->meaning;
  }
  return value;
}

FormName parse_name(std::string_view text, std::map<std::string, std::string> const& spaces) {
  auto const colon = text.find(':');
  if (colon == std::string_view::npos) return {"", std::string{text}};
  auto const found = spaces.find(std::string{text.substr(0, colon)});
  if (found == spaces.end()) throw std::logic_error("no name space for " + std::string{text});
  return {found->second, std::string{text.substr(colon + 1)}};
}

// `Name` or `Name=TYPE`
FormContent::Place parse_place(std::string_view text, std::map<std::string, std::string> const& spaces) {
  FormContent::Place place;
  auto const equals = text.find('=');
  place.name = parse_name(text.substr(0, equals), spaces);
  place.type_name =
      equals == std::string_view::npos ? place.name.local : std::string{text.substr(equals + 1)};
  place.wildcard = text == "ANY";
  return place;
}

}  // namespace

bool FormValue::holds_one(std::string const& text) const {
  if (!choices.empty()) return std::ranges::find(choices, text) != choices.end();
  if (not_empty) return !text.empty();
  // std::regex needs stack for each character.
  if (pattern) return text.size() <= 256 && std::regex_match(text, *pattern);
  if (simple_type == 0) return true;
  auto* const type = xmlSchemaGetBuiltInType(static_cast<xmlSchemaValType>(simple_type));
  return xmlSchemaValidatePredefinedType(type, reinterpret_cast<xmlChar const*>(text.c_str()), nullptr) == 0;
}

bool FormValue::holds(std::string_view text) const {
  if (list)
    return std::ranges::all_of(split_at_blanks(text),
                               [this](std::string_view word) { return holds_one(std::string{word}); });
  return holds_one(std::string{simple_type == 0 ? text : trimmed(text)});
}

// Reads an expression and notes for each place what may follow it.
class ContentParser {
 public:
  using State = FormContent::State;
  // A part of the expression: whether it may be left out, and the places that it may begin and end with.
  struct Part {
    bool optional = true;
    State first = 0, last = 0;
  };

  ContentParser(FormContent& content, std::string_view text, std::map<std::string, std::string> const& spaces)
      : content_(content), text_(text), spaces_(spaces) {}

  void parse() {
    Part const whole = alternatives();
    if (at_ < text_.size()) throw std::logic_error("content is not understood: " + std::string{text_});
    content_.places_[0].follow = whole.first;
    content_.ends_ = whole.last | (whole.optional ? FormContent::beginning : 0);
  }

 private:
  char next() {
    at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  Part alternatives() {
    Part all = sequence();
    while (next() == '|') {
      ++at_;
      Part const other = sequence();
      all = {all.optional || other.optional, all.first | other.first, all.last | other.last};
    }
    return all;
  }

  Part sequence() {
    Part all;
    for (char c = next(); c != '\0' && c != '|' && c != ')'; c = next()) all = joined(all, repeated());
    return all;
  }

  Part joined(Part const& before, Part const& after) {
    link(before.last, after.first);
    return {before.optional && after.optional, before.first | (before.optional ? after.first : 0),
            after.last | (after.optional ? before.last : 0)};
  }

  void link(State from, State to) {
    for (; from != 0; from &= from - 1)
      content_.places_[static_cast<std::size_t>(std::countr_zero(from))].follow |= to;
  }

  Part repeated() {
    auto const begin = at_;
    Part part = single();
    char const sign = next();
    if (sign == '?' || sign == '*') part.optional = true;
    if (sign == '*' || sign == '+') link(part.last, part.first);
    if (sign == '?' || sign == '*' || sign == '+') ++at_;
    if (text_.substr(at_, 3) == "{2}") {
      auto const end = at_ + 3;
      at_ = begin;
      Part second = single();
      second.optional = true;
      part = joined(part, second);
      at_ = end;
    }
    return part;
  }

  Part single() {
    if (next() == '(') {
      ++at_;
      Part const part = alternatives();
      if (next() != ')') throw std::logic_error("no ) in " + std::string{text_});
      ++at_;
      return part;
    }
    auto const end = std::min(text_.find_first_of(" \n()|?*+{", at_), text_.size());
    if (end == at_) throw std::logic_error("content is not understood: " + std::string{text_});
    auto const index = content_.places_.size();
    if (index > FormContent::most_places) throw std::logic_error("too many places: " + std::string{text_});
    content_.places_.push_back(parse_place(text_.substr(at_, end - at_), spaces_));
    at_ = end;
    State const place = State{1} << index;
    return {false, place, place};
  }

  FormContent& content_;
  std::string_view text_;
  std::map<std::string, std::string> const& spaces_;
  std::size_t at_ = 0;
};

FormContent::FormContent() : places_(1) {}

FormContent::FormContent(std::string_view expression, std::map<std::string, std::string> const& spaces)
    : FormContent() {
  ContentParser(*this, expression, spaces).parse();
}

FormContent::State FormContent::places_of(FormName const& child) const {
  State found = 0;
  for (std::size_t i = 1; i < places_.size(); ++i) {
    if (places_[i].wildcard || places_[i].name == child) found |= State{1} << i;
  }
  return found;
}

FormContent::State FormContent::after(State state, FormName const& child) const {
  State next = 0;
  for (; state != 0; state &= state - 1)
    next |= places_[static_cast<std::size_t>(std::countr_zero(state))].follow;
  return next == 0 ? 0 : next & places_of(child);
}

FormContent::Place const& FormContent::place(State state) const {
  return places_[static_cast<std::size_t>(std::countr_zero(state))];
}

std::vector<FormContent::Place> FormContent::expected(State state) const {
  State next = 0;
  for (; state != 0; state &= state - 1)
    next |= places_[static_cast<std::size_t>(std::countr_zero(state))].follow;
  std::vector<Place> found;
  for (std::size_t i = 1; i < places_.size(); ++i) {
    auto const known = std::ranges::find(found, places_[i].name, &Place::name);
    if ((next >> i & 1) != 0 && known == found.end()) found.push_back(places_[i]);
  }
  return found;
}

DocumentForm::DocumentForm(std::string_view grammar) {
  std::map<std::string, int> indices;
  for (std::size_t begin = 0; begin < grammar.size();) {
    auto const end = std::min(grammar.find(';', begin), grammar.size());
    auto const statement = trimmed(grammar.substr(begin, end - begin));
    begin = end + 1;
    if (statement.empty()) continue;
    auto const content_at = std::min(statement.find('>'), statement.size());
    auto const words = split_at_blanks(statement.substr(0, content_at));
    if (words[0] == "space") {
      spaces_[std::string{words.at(1)}] = words.at(2);
      continue;
    }
    if (words[0] == "root") {
      for (std::size_t i = 1; i < words.size(); ++i) roots_.push_back(parse_place(words[i], spaces_));
      continue;
    }
    FormType type;
    type.name = words[0].substr(0, words[0].size() - 1);
    for (std::size_t i = 1; i < words.size(); ++i) {
      auto word = words[i];
      if (word == "*") {
        type.any_attribute = true;
      } else if (word.starts_with('+')) {
        auto const& other = types_[static_cast<std::size_t>(indices.at(std::string{word.substr(1)}))];
        type.attributes.insert(type.attributes.end(), other.attributes.begin(), other.attributes.end());
        type.any_attribute |= other.any_attribute;
      } else {
        auto const equals = word.find('=');
        FormAttribute attribute;
        if (equals != std::string_view::npos) attribute.value = parse_value(word.substr(equals + 1));
        word = word.substr(0, equals);
        attribute.required = word.ends_with('!');
        if (attribute.required) word.remove_suffix(1);
        attribute.name = parse_name(word, spaces_);
        type.attributes.push_back(std::move(attribute));
      }
    }
    auto content = trimmed(statement.substr(std::min(content_at + 1, statement.size())));
    if (content.starts_with("TEXT")) {
      type.text = true;
      content.remove_prefix(4);
    }
    type.content = FormContent(content, spaces_);
    indices[type.name] = static_cast<int>(types_.size());
    types_.push_back(std::move(type));
  }
  auto const resolve = [&](FormContent::Place& place) {
    auto const found = indices.find(place.type_name);
    if (found == indices.end()) throw std::logic_error("no type " + place.type_name);
    place.type = found->second;
  };
  for (auto& type : types_) {
    for (auto& place : type.content.places()) {
      if (!place.wildcard && &place != &type.content.places().front()) resolve(place);
    }
  }
  for (auto& place : roots_) resolve(place);
}

int DocumentForm::root_type(FormName const& name) const {
  auto const found = std::ranges::find(roots_, name, &FormContent::Place::name);
  return found == roots_.end() ? -1 : found->type;
}

std::string DocumentForm::shown(FormName const& name) const {
  for (auto const& [prefix, address] : spaces_) {
    if (address == name.space) return prefix + ":" + name.local;
  }
  return name.local;
}

}  // namespace delassus
