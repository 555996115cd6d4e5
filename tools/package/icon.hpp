// The icon of an FMU: a rod that leans on the ground, and the friction cone that holds its contact force. One
// list of shapes is both pictures.
#pragma once

#include <string>

#include "tools/image/png_writer.hpp"

namespace delassus {

std::string write_icon_svg();
PixelPicture icon_picture(int size);  // pixels, square

}  // namespace delassus
