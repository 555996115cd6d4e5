// JSON as the program writes it. Sources compose a Json and include <nlohmann/json.hpp>; how it becomes text is compiled
// here, once. A number reads back as the same double. JSON has no NaN and no infinity: both are written as null.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace delassus {

using Json = nlohmann::ordered_json;

// For people and scripts: a list or an object that holds only plain values is one line, everything else has a line for
// each member. Ends with a newline. Bytes that are not UTF-8 become U+FFFD.
std::string write_json(Json const& value);

// For a script element of a page: no blanks, and no `<` that could end the element.
std::string write_script_json(Json const& value);

// The text itself where it is UTF-8; otherwise with a question mark for each byte beyond ASCII.
std::string readable_text(std::string text);

// null where there is no value.
Json json_or_null(std::optional<double> const& value);
Json json_or_null(std::optional<std::string> const& value);

}  // namespace delassus
