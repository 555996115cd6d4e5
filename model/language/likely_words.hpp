// Words that people write because other programs or everyday speech have them, and what to write here instead. They
// are tried before words that are spelt alike: `radius` of a <body> is not a misspelt `axis`.
#pragma once

#include <string_view>

namespace delassus {

// Each answers with what to write instead of a word that the language does not have; empty: nothing is known. Case,
// `_` and `-` do not matter.
std::string_view advice_on_element(std::string_view parent, std::string_view word);
std::string_view advice_on_attribute(std::string_view element, std::string_view word);
std::string_view advice_on_choice(std::string_view attribute, std::string_view word);

}  // namespace delassus
