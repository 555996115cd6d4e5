#include "model/language/element_reader.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "model/scene/number.hpp"

namespace delassus {
namespace {

bool is_name(std::string_view text) {
  auto const letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string suggestion(std::string_view word, std::vector<std::string_view> const& known) {
  if (auto const meant = did_you_mean(word, known)) return "; did you mean " + quoted(*meant) + "?";
  std::string list;
  for (std::string_view const candidate : known) list += (list.empty() ? "" : ", ") + std::string(candidate);
  return list.empty() ? "" : "; known: " + list;
}

ElementReader::ElementReader(std::string const& file, SourceElement const& source, Element const& definition)
    : file_(file), source_(source), definition_(definition) {
  std::vector<std::string_view> known;
  for (Attribute const& attribute : definition.attributes) known.push_back(attribute.name);
  for (SourceAttribute const& attribute : source.attributes) {
    if (!find_attribute(definition, attribute.name)) {
      fail("<" + source.name + "> has no attribute " + quoted(attribute.name) +
           suggestion(attribute.name, known));
    }
  }
  for (Attribute const& attribute : definition.attributes) {
    if (attribute.required && !find(attribute.name)) {
      fail("<" + source.name + "> needs the attribute " + quoted(attribute.name) + " (" +
           std::string(attribute.description) + "), for example " + std::string(definition.example));
    }
  }
}

void ElementReader::fail(std::string const& message) const {
  throw SceneError(file_, source_.line, message);
}

std::string ElementReader::text(std::string_view name) const {
  auto const* value = find(name);
  return value ? *value : "";
}

std::string ElementReader::name(std::string_view attribute) const {
  std::string const value = text(attribute);
  if (!is_name(value)) {
    fail(std::string(attribute) + " " + quoted(value) + " of <" + source_.name +
         "> is not a name: write a letter, then letters, digits and underscores");
  }
  return value;
}

int ElementReader::choice(std::string_view name) const {
  Attribute const& attribute = definition(name);
  auto const* written = find(name);
  std::string_view const wanted = written ? std::string_view(*written) : attribute.left_out;
  std::vector<std::string_view> known;
  for (EnumerationItem const& item : choices_of(attribute)) known.push_back(item.name);
  auto const found = std::find(known.begin(), known.end(), wanted);
  if (found != known.end()) return static_cast<int>(found - known.begin()) + 1;
  if (written) {
    fail("attribute " + quoted(name) + " of <" + source_.name + "> cannot be " + quoted(wanted) +
         suggestion(wanted, known));
  }
  return 0;
}

std::vector<double> ElementReader::numbers(std::string_view name, int size) const {
  Attribute const& attribute = definition(name);
  auto const* written = find(name);
  if (!written) return std::vector<double>(static_cast<std::size_t>(size), attribute.fallback.value_or(0));
  std::string const what = "attribute " + quoted(name) + " of <" + source_.name + ">";
  std::vector<double> values;
  std::istringstream words(*written);
  for (std::string word; words >> word;) {
    auto const value = parse_number(word, attribute.unit);
    if (!value) {
      fail(what + " has the value " + quoted(word) + ", which is not a finite number" +
           (word.find(',') != std::string::npos ? "; write a decimal point, and blanks between numbers"
            : attribute.unit == UnitId::radian  ? "; write radians, or degrees as 45deg"
            : attribute.unit == UnitId::one
                ? ""
                : "; write it in " + std::string(unit(attribute.unit).name) + ", without the unit"));
    }
    if (!attribute.range.contains(*value))
      fail(what + " is " + format_number(*value) + " and must be " + attribute.range.text());
    values.push_back(*value);
  }
  if (static_cast<int>(values.size()) != size) {
    fail(what + " has " + std::to_string(values.size()) + " values and needs " + std::to_string(size));
  }
  return values;
}

int ElementReader::count_of(std::string_view name) const {
  std::istringstream words(text(name));
  int count = 0;
  for (std::string word; words >> word;) ++count;
  return count;
}

std::string const* ElementReader::find(std::string_view name) const {
  auto const found = std::find_if(source_.attributes.begin(), source_.attributes.end(),
                                  [&](SourceAttribute const& a) { return a.name == name; });
  return found == source_.attributes.end() ? nullptr : &found->value;
}

void check_structure(std::string const& file, SourceElement const& element, Element const& definition) {
  std::set<std::string> seen;
  for (SourceElement const& child : element.children) {
    Element const* const known = find_element(definition.name, child.name);
    if (!known) {
      std::vector<std::string_view> words;
      for (Element const& candidate : vocabulary()) {
        if (candidate.parent == definition.name) words.push_back(candidate.name);
      }
      throw SceneError(file, child.line,
                       "<" + element.name + "> has no element " + quoted(child.name) +
                           (words.empty() ? "; it takes none" : suggestion(child.name, words)));
    }
    if (!seen.insert(child.name).second && !known->repeatable) {
      throw SceneError(file, child.line,
                       "<" + child.name + "> stands twice in <" + element.name + ">; write it once");
    }
    check_structure(file, child, *known);
  }
}

}  // namespace delassus
