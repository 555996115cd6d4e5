// SVG as pixels and as PDF, by librsvg in a module that is loaded here (picture_module.c). The module is built where
// librsvg is found.
#pragma once

#include <string>

#include "tools/image/png_writer.hpp"

namespace delassus {

// Throw CommandError: where the module was not built, or its libraries or fonts are not on this machine, with what to
// install; where the SVG cannot be drawn.
void demand_renderer(std::string const& what);
std::string render_pdf(std::string const& svg, std::string const& title);
// `scale`: pixels for one pixel of the SVG.
PixelPicture render_pixels(std::string const& svg, double scale);
// Draws over pixels that are there, which are opaque; the SVG is stretched to their width.
void render_over(PixelPicture& pixels, std::string const& svg);

}  // namespace delassus
