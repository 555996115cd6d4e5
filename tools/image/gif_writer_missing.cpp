// In place of gif_writer.cpp where giflib was not found.
#include <stdexcept>

#include "tools/image/gif_writer.hpp"

namespace delassus {

struct GifWriter::File {};

bool has_gif_writer() {
  return false;
}

GifWriter::GifWriter(std::vector<PixelPicture> const&, int) : file_(nullptr) {
  throw std::logic_error("this program has no giflib");
}

GifWriter::~GifWriter() = default;
void GifWriter::add(PixelPicture const&) {}
std::string GifWriter::finish() {
  return {};
}

}  // namespace delassus
