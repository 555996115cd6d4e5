#include "model/language/vocabulary.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const Element> vocabulary() {
  static std::vector<Element> const elements = [] {
    std::vector<Element> all;
    for (auto const part : {scene_elements(), body_elements(), constraint_elements(), force_elements(),
                            controller_elements()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return elements;
}

Element const* find_element(std::string_view parent, std::string_view name) {
  auto const elements = vocabulary();
  auto const found = std::find_if(elements.begin(), elements.end(),
                                  [&](Element const& e) { return e.parent == parent && e.name == name; });
  return found == elements.end() ? nullptr : &*found;
}

Attribute const* find_attribute(Element const& element, std::string_view name) {
  auto const found = std::find_if(element.attributes.begin(), element.attributes.end(),
                                  [&](Attribute const& a) { return a.name == name; });
  return found == element.attributes.end() ? nullptr : &*found;
}

std::span<const EnumerationItem> choices_of(Attribute const& attribute) {
  return attribute.enumeration ? attribute.enumeration()->items : attribute.choices;
}

std::optional<std::string_view> did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  // A third of the letters may differ: one for "mas", two for "frcton", none for "x".
  std::size_t best_distance = word.size() / 3 + 1;
  std::optional<std::string_view> best;
  for (std::string_view const candidate : known) {
    std::size_t const distance = edit_distance(word, candidate);
    if (distance < best_distance || (distance == best_distance && !best && distance < word.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace delassus
