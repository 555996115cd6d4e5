// A picture of pixels as a PNG file: 8 bits a channel, with transparency. The same pixels give the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace delassus {

struct PixelPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // four bytes a pixel, row by row from the top
  double pixels_per_metre = 0;     // for programs that print or place it; 0: not said
};

// Throws std::invalid_argument where the number of bytes does not fit the size.
std::string write_png(PixelPicture const& picture);

}  // namespace delassus
