// Typed and checked access to the attributes of one element, by its definition in the vocabulary. Every
// failure is a SceneError with file, line and rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/language/vocabulary.hpp"
#include "model/scene/source.hpp"

namespace delassus {

class ElementReader {
 public:
  // Refuses unknown attributes and missing required ones.
  ElementReader(std::string const& file, SourceElement const& source, Element const& definition);

  [[noreturn]] void fail(std::string const& message) const;

  bool has(std::string_view name) const { return find(name) != nullptr; }
  Attribute const& definition(std::string_view name) const { return *find_attribute(definition_, name); }

  std::string text(std::string_view name) const;  // empty if it is left out
  std::string name(std::string_view attribute = "name") const;
  // Counted from 1. If it is left out: the default of the vocabulary, or 0 if there is none.
  int choice(std::string_view name) const;
  std::vector<double> numbers(std::string_view name, int size) const;  // or the default in every component
  double number(std::string_view name) const { return numbers(name, 1).front(); }
  // Where the unit depends on other attributes.
  double number(std::string_view name, UnitId unit) const { return numbers(name, 1, unit).front(); }
  int count_of(std::string_view name) const;  // number of words in its value; 0 if it is left out
  int line() const { return source_.line; }
  std::string const& file() const { return file_; }

 private:
  std::string const* find(std::string_view name) const;
  std::vector<double> numbers(std::string_view name, int size, UnitId unit) const;

  std::string const& file_;
  SourceElement const& source_;
  Element const& definition_;
};

// Checks that every element is known inside its parent, and stands there once unless it may be repeated. Throws SceneError.
void check_structure(std::string const& file, SourceElement const& element, Element const& definition);

// For messages: 'text', and "; did you mean 'this'?" or the list of known words.
std::string quoted(std::string_view text);
std::string suggestion(std::string_view word, std::vector<std::string_view> const& known);

}  // namespace delassus
