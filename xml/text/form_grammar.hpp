// What the schema of a standard says of a kind of document, as data: which elements and attributes there are, in which
// order and number, and which values they have. A grammar is a text of statements that end with a semicolon:
//
//   space PREFIX ADDRESS;         a name space; a name without a prefix has none
//   root NAME NAME ...;           elements that a document may begin with. They are also checked where they stand inside
//                                 of what a wildcard admits, as XML Schema does
//   TYPE: ATTRIBUTES > CONTENT;   a type of element; nothing after `>` means an empty element
//
// An attribute is `name`, `name!` if required, `name=VALUE` where not any text will do, `+TYPE` for all those of another
// type, and `*` for any other. VALUE is a simple type of XML Schema (int, dateTime), `nonempty`, `|word|word`, `/pattern/`,
// or one of these in brackets for a list: `[unsignedInt]`.
// CONTENT is a regular expression of elements, with ( ) | ? * + and {2} for "once or twice". An element is `Name`, or
// `Name=TYPE` where its type has another name; ANY is any element, TEXT (first) admits text between elements.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

struct FormName {
  std::string space, local;
  bool operator==(FormName const&) const = default;
};

struct FormValue {
  int simple_type = 0;  // xmlSchemaValType; zero: any text
  bool list = false;
  bool identity = false;  // no two in a document
  bool not_empty = false;
  std::vector<std::string> choices;
  std::optional<std::regex> pattern;
  std::string meaning;  // for messages: "an int", "one of a b"

  bool holds(std::string_view text) const;

 private:
  bool holds_one(std::string const& text) const;
};

struct FormAttribute {
  FormName name;
  bool required = false;
  FormValue value;
};

// An automaton with a state for each place in the expression where an element stands (Glushkov): bit k of a State says that
// the element read last may be the one at place k. Place 0 is the beginning.
class FormContent {
 public:
  using State = std::uint64_t;
  static constexpr State beginning = 1;
  static constexpr int most_places = 63;
  struct Place {
    FormName name;
    std::string type_name;
    int type = -1;  // of the form; -1: whatever a wildcard admits
    bool wildcard = false;
    State follow = 0;
  };

  FormContent();
  explicit FormContent(std::string_view expression, std::map<std::string, std::string> const& spaces);

  State after(State state, FormName const& child) const;  // zero: the child may not stand here
  bool may_end(State state) const { return (state & ends_) != 0; }
  bool is_empty() const { return places_.size() == 1; }
  // The first of the places in the state, which is not empty. Places of one name have one type.
  Place const& place(State state) const;
  // Wherever the name stands; zero: nowhere.
  State places_of(FormName const& child) const;
  std::vector<Place> expected(State state) const;  // what may come next
  std::vector<Place>& places() { return places_; }

 private:
  friend class ContentParser;
  std::vector<Place> places_;
  State ends_ = 1;
};

struct FormType {
  std::string name;
  std::vector<FormAttribute> attributes;
  bool any_attribute = false;
  bool text = false;
  FormContent content;
};

class DocumentForm {
 public:
  // Throws std::logic_error where the grammar is wrong.
  explicit DocumentForm(std::string_view grammar);

  FormType const& type(int index) const { return types_[static_cast<std::size_t>(index)]; }
  // Of an element that a document may begin with; -1: it may not.
  int root_type(FormName const& name) const;
  FormName const& root() const { return roots_.front().name; }
  // `prefix:name` with the prefix that the grammar has.
  std::string shown(FormName const& name) const;

 private:
  std::map<std::string, std::string> spaces_;
  std::vector<FormType> types_;
  std::vector<FormContent::Place> roots_;
};

}  // namespace delassus
