#include "tools/image/png_writer.hpp"

#include <zlib.h>

#include <stdexcept>

namespace delassus {
namespace {

std::string big_endian(unsigned long number) {
  std::string bytes(4, '\0');
  for (int i = 0; i < 4; ++i)
    bytes[static_cast<std::size_t>(i)] = static_cast<char>(number >> (24 - 8 * i) & 0xff);
  return bytes;
}

Bytef const* bytes_of(std::string const& text) {
  return reinterpret_cast<Bytef const*>(text.data());
}

// Length, type, data, and the checksum of type and data.
std::string chunk(std::string const& type, std::string const& data) {
  std::string const checked = type + data;
  return big_endian(data.size()) + checked +
         big_endian(crc32(0, bytes_of(checked), static_cast<uInt>(checked.size())));
}

std::string deflated(std::string const& data) {
  uLongf size = compressBound(data.size());
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, bytes_of(data), data.size(), 9) != Z_OK)
    throw std::runtime_error("zlib cannot compress a picture");
  result.resize(size);
  return result;
}

}  // namespace

std::string write_png(PixelPicture const& picture) {
  std::size_t const row = 4 * static_cast<std::size_t>(picture.width);
  if (picture.width <= 0 || picture.height <= 0 ||
      picture.rgba.size() != row * static_cast<std::size_t>(picture.height)) {
    throw std::invalid_argument("a picture of " + std::to_string(picture.width) + " x " +
                                std::to_string(picture.height) + " pixels cannot have " +
                                std::to_string(picture.rgba.size()) + " bytes");
  }
  std::string rows;
  for (std::size_t at = 0; at < picture.rgba.size(); at += row) {
    rows += '\0';  // this row is not predicted from others
    rows.append(reinterpret_cast<char const*>(picture.rgba.data()) + at, row);
  }
  std::string const eight_bits_rgba{8, 6, 0, 0, 0};
  std::string density;
  if (picture.pixels_per_metre > 0) {
    std::string const each = big_endian(static_cast<unsigned long>(picture.pixels_per_metre + 0.5));
    density = chunk("pHYs", each + each + '\1');
  }
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", big_endian(static_cast<unsigned long>(picture.width)) +
                           big_endian(static_cast<unsigned long>(picture.height)) + eight_bits_rgba) +
         density + chunk("IDAT", deflated(rows)) + chunk("IEND", "");
}

}  // namespace delassus
