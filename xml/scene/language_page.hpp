// The reference part of model/LANGUAGE.md, written from the vocabulary: every element with its attributes and an example.
#pragma once

#include <string>
#include <string_view>

namespace delassus {

// The line of the page that separates the prose above from the reference below.
inline constexpr std::string_view language_reference_marker =
    "<!-- Written from the vocabulary by `delassus examples --language`; do not edit below. -->";

std::string write_language_reference();  // Markdown, without the marker

}  // namespace delassus
