// The encoding of an XML file of an FMU or a system, which has to be UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xml/text/finding.hpp"

namespace delassus {

// Of the XML declaration, in upper case; UTF-8 where there is none.
std::string declared_encoding(std::string_view text);

// FMI 2.0.4, 2.2; FMI 3.0, 2.4: all XML files are encoded in UTF-8. Looks at the declaration and at the bytes.
// Most readers know other encodings, too, so that a finding is no reason to stop.
std::vector<Finding> check_encoding(std::string const& text, std::string const& file);

// A text that can be read: itself where its bytes are of the encoding that it declares; otherwise each byte is taken
// for a character of ISO-8859-1, so that at least its structure can be looked at.
std::string readable_text(std::string const& text);

}  // namespace delassus
