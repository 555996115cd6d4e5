// A picture as a file, in the format that the ending of its name asks for: .svg, .png or .pdf.
#pragma once

#include <string>

namespace delassus {

// Throws CommandError where the ending is none of these, or where what draws PNG and PDF is not installed: before the
// work whose picture it is. `-` is SVG to standard output; an empty name is no picture.
void check_picture_file(std::string const& file);

// Throws CommandError and FileError.
void write_picture(std::string const& file, std::string const& svg);

}  // namespace delassus
