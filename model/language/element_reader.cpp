#include "model/language/element_reader.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "model/language/likely_words.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

bool is_name(std::string_view text) {
  auto const letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string joined_words(std::vector<std::string_view> const& words) {
  constexpr std::size_t most = 40;  // a message that names the thousand bodies of a scene hides what it says
  std::string list;
  for (std::size_t i = 0; i < words.size() && i < most; ++i)
    list += (list.empty() ? "" : ", ") + std::string(words[i]);
  if (words.size() > most) list += " and " + std::to_string(words.size() - most) + " more";
  return list;
}

std::string advice_or_suggestion(std::string_view advice, std::string_view word,
                                 std::vector<std::string_view> const& known) {
  return advice.empty() ? suggestion(word, known) : "; " + std::string(advice);
}

// `10cm`, or `cm` behind a number.
bool ends_with_unit(std::string_view word, bool behind_number) {
  double ignored = 0;
  auto const* const end = std::from_chars(word.data(), word.data() + word.size(), ignored).ptr;
  std::string_view const rest = word.substr(static_cast<std::size_t>(end - word.data()));
  bool const has_number = rest.size() < word.size();
  return !rest.empty() && (has_number || behind_number) &&
         rest.find_first_of("0123456789*^+-") == std::string_view::npos;
}

// What is wrong with a word that should be a number.
std::string number_remedy(std::string_view word, Attribute const& attribute, UnitId wanted,
                          bool behind_number) {
  if (word.find(',') != std::string_view::npos) return "; write a decimal point, and blanks between numbers";
  if (word.find_first_of("()[]{};") != std::string_view::npos)
    return "; write only the numbers, with blanks between them";
  if (auto const degrees = degree_suffix(wanted); !degrees.empty())
    return "; write it in " + std::string(unit(wanted).name) + ", or in degrees as 45" + std::string(degrees);
  if (word.ends_with('%')) return "; write 0.3 instead of 30%";
  bool const is_axis = word.size() <= 2 && word.find_first_of("xyzXYZ") == word.size() - 1;
  if (attribute.kind == AttributeKind::vector && attribute.unit == UnitId::one && is_axis)
    return "; write a number for each axis: y is 0 1, and in space 0 1 0";
  if (wanted != UnitId::one && ends_with_unit(word, behind_number))
    return "; write it in " + std::string(unit(wanted).name) + ", without the unit";
  return "; write it as 0.5 or 1e-3";
}

// Why so many values are needed.
std::string count_remedy(Attribute const& attribute, int size) {
  if (attribute.kind == AttributeKind::vector && size > 1)
    return size == 2
               ? ", x and y, because the scene has dimension 2; <scene dimension=\"3\"> is in space"
               : ", x, y and z, because the scene has dimension 3; <scene dimension=\"2\"> is in the plane";
  if (attribute.kind == AttributeKind::angles && attribute.unit == UnitId::radian)
    return size == 3 ? ": the axis of the rotation times its angle, such as \"0 0 90deg\""
                     : ", an angle, because the scene has dimension 2";
  if (attribute.kind == AttributeKind::vector && attribute.name == "position") return ", along its axis";
  return "";
}

}  // namespace

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string suggestion(std::string_view word, std::vector<std::string_view> const& known) {
  if (auto const meant = did_you_mean(word, known)) return "; did you mean " + quoted(*meant) + "?";
  return known.empty() ? "" : "; known: " + joined_words(known);
}

ElementReader::ElementReader(std::string const& file, SourceElement const& source, Element const& definition)
    : file_(file), source_(source), definition_(definition) {
  std::vector<std::string_view> known;
  for (Attribute const& attribute : definition.attributes) known.push_back(attribute.name);
  for (SourceAttribute const& attribute : source.attributes) {
    if (!find_attribute(definition, attribute.name)) {
      fail("<" + source.name + "> has no attribute " + quoted(attribute.name) +
           advice_or_suggestion(advice_on_attribute(source.name, attribute.name), attribute.name, known));
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
    // friction="0.3" means the coefficient.
    if (name == "friction" && parse_number(wanted)) {
      fail("attribute 'friction' of <" + source_.name + "> names the law (" + joined_words(known) +
           "); the coefficient of friction is 'mu': write mu=\"" + std::string(wanted) + "\"");
    }
    fail("attribute " + quoted(name) + " of <" + source_.name + "> cannot be " + quoted(wanted) +
         advice_or_suggestion(advice_on_choice(name, wanted), wanted, known));
  }
  return 0;
}

std::vector<double> ElementReader::numbers(std::string_view name, int size) const {
  return numbers(name, size, definition(name).unit);
}

std::vector<double> ElementReader::numbers(std::string_view name, int size, UnitId unit) const {
  Attribute const& attribute = definition(name);
  auto const* written = find(name);
  if (!written) return std::vector<double>(static_cast<std::size_t>(size), attribute.fallback.value_or(0));
  std::string const what = "attribute " + quoted(name) + " of <" + source_.name + ">";
  std::vector<double> values;
  std::istringstream words(*written);
  for (std::string word; words >> word;) {
    auto const value = parse_number(word, unit);
    if (!value) {
      fail(what + " has the value " + quoted(word) + ", which is not a finite number" +
           number_remedy(word, attribute, unit, !values.empty()));
    }
    if (!attribute.range.contains(*value))
      fail(what + " is " + format_number(*value) + " and must be " + attribute.range.text());
    values.push_back(*value);
  }
  if (static_cast<int>(values.size()) != size) {
    fail(what +
         (values.empty()
              ? std::string(" is empty")
              : " has " + std::to_string(values.size()) + (values.size() == 1 ? " value" : " values")) +
         " and needs " + std::to_string(size) + count_remedy(attribute, size));
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
                           (words.empty() ? "; it takes none"
                                          : advice_or_suggestion(advice_on_element(element.name, child.name),
                                                                 child.name, words)));
    }
    if (!seen.insert(child.name).second && !known->repeatable) {
      throw SceneError(file, child.line,
                       "<" + child.name + "> stands twice in <" + element.name + ">; write it once");
    }
    check_structure(file, child, *known);
  }
}

}  // namespace delassus
