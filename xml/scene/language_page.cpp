#include "xml/scene/language_page.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "model/language/vocabulary.hpp"
#include "xml/scene/attribute_text.hpp"

namespace delassus {
namespace {

struct Chapter {
  std::string_view title;
  std::string_view meaning;
  std::string_view root;
};
constexpr std::array<Chapter, 2> chapters{{
    {"Elements of a scene", "A scene is one `<scene>` with the elements below inside it, in any order.",
     "scene"},
    {"Elements of a controller",
     "A controller is one `<controller>` with one law inside it: `<pid>`, `<friction_compensation>`, "
     "`<gripper>`, "
     "`<state_feedback>` or `<signal>`. The units of gains and limits below are those of a translation; for "
     "a "
     "rotation read rad for m, and N.m for N.",
     "controller"},
}};

// A vertical bar ends a cell, and outside of code a tag is HTML and a star is emphasis.
std::string in_cell(std::string_view text) {
  std::string escaped;
  bool code = false;
  for (char const c : text) {
    if (c == '`') code = !code;
    if (c == '|' || (!code && (c == '<' || c == '*'))) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string in_code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

bool is_unique(std::string_view name) {
  auto const elements = vocabulary();
  return std::count_if(elements.begin(), elements.end(), [&](Element const& e) { return e.name == name; }) ==
         1;
}

std::string title_of(Element const& element) {
  std::string const tag = "`<" + std::string(element.name) + ">`";
  return is_unique(element.name) ? tag : tag + " in `<" + std::string(element.parent) + ">`";
}

std::string anchor_of(Element const& element) {
  std::string const name{element.name};
  return is_unique(element.name) ? name : name + "-in-" + std::string(element.parent);
}

std::string link_to(Element const& element) {
  return "[" + title_of(element) + "](#" + anchor_of(element) + ")";
}

// The element and all that stands inside it, in the order of the vocabulary, parents first.
std::vector<Element const*> elements_under(Element const& root) {
  std::vector<Element const*> list{&root};
  for (Element const& element : vocabulary()) {
    if (element.parent != root.name) continue;
    auto const inside = elements_under(element);
    list.insert(list.end(), inside.begin(), inside.end());
  }
  return list;
}

// Wraps text at 120 characters.
std::string wrapped(std::string_view text) {
  constexpr std::size_t width = 120;
  std::string lines;
  while (text.size() > width) {
    std::size_t const end = text.rfind(' ', width);
    if (end == std::string_view::npos) break;
    lines += std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(end + 1);
  }
  return lines + std::string(text) + "\n";
}

std::string value_text(Attribute const& attribute) {
  std::string const range = range_text(attribute);
  auto const with_range = [&](std::string const& kind) { return range.empty() ? kind : kind + " " + range; };
  switch (attribute.kind) {
    case AttributeKind::name:
      return "name";
    case AttributeKind::reference:
      return "reference";
    case AttributeKind::text:
      return "text";
    case AttributeKind::choice:
      return "choice";
    case AttributeKind::number:
      return with_range("number");
    case AttributeKind::vector:
      return with_range("vector");
    case AttributeKind::angles:
      return with_range("number; vector in space");
  }
  return "";
}

std::string exposure_text(Attribute const& attribute) {
  switch (attribute.exposure) {
    case Exposure::none:
      return "";
    case Exposure::fixed:
      return "fixed";
    case Exposure::tunable:
      return "tunable";
  }
  return "";
}

// Choices without descriptions stand in one line.
std::string choices_text(Attribute const& attribute) {
  std::string text;
  for (EnumerationItem const& item : choices_of(attribute)) {
    if (item.description.empty()) {
      text += (text.empty() ? ": " : ", ") + in_code(item.name);
    } else {
      text += "<br>" + in_code(item.name) + ": " + in_cell(item.description);
    }
  }
  return text;
}

std::string write_attributes(Element const& element) {
  std::string text = "| attribute | value | unit | default | FMU | meaning |\n|---|---|---|---|---|---|\n";
  for (Attribute const& attribute : element.attributes) {
    bool const is_choice = attribute.kind == AttributeKind::choice;
    auto const choices = choices_of(attribute);
    std::string left_out = default_text(attribute);
    bool const is_word = is_choice && std::any_of(choices.begin(), choices.end(),
                                                  [&](auto const& item) { return item.name == left_out; });
    if (attribute.required) {
      left_out = "**required**";
    } else {
      left_out = is_word ? in_code(left_out) : in_cell(left_out);
    }
    text += "| " + in_code(attribute.name) + " | " + in_cell(value_text(attribute)) + " | " +
            in_cell(unit_text(attribute)) + " | " + left_out + " | " + exposure_text(attribute) + " | " +
            in_cell(attribute.description) + choices_text(attribute) + " |\n";
  }
  return text;
}

std::string write_element(Element const& element) {
  std::string text = "### " + title_of(element) + "\n" + wrapped(element.description);
  std::string place;
  if (!element.parent.empty()) {
    place = "In `<" + std::string(element.parent) + ">`, " +
            (element.repeatable ? "any number of times." : "at most once.") + " ";
  }
  auto const elements = vocabulary();
  bool const has_children = std::any_of(elements.begin(), elements.end(),
                                        [&](Element const& child) { return child.parent == element.name; });
  std::string const file{element.found_in};
  text += "\n" + place + "Example" + (has_children ? ", without the elements inside it" : "") +
          (file.empty() ? "" : ", from [" + file + "](" + file + ")") + ":\n\n```xml\n" +
          std::string(element.example) + "\n```\n\n";
  return text + write_attributes(element) + "\n";
}

}  // namespace

std::string write_language_reference() {
  std::string text;
  for (Chapter const& chapter : chapters) {
    text += "\n## " + std::string(chapter.title) + "\n" + wrapped(chapter.meaning) + "\n";
    auto const elements = elements_under(*find_element("", chapter.root));
    text += "| element | meaning |\n|---|---|\n";
    for (Element const* element : elements)
      text += "| " + link_to(*element) + " | " + in_cell(element->description) + " |\n";
    text += "\n";
    for (Element const* element : elements) text += write_element(*element);
    text.pop_back();  // the blank line after the last element
  }
  return text;
}

}  // namespace delassus
