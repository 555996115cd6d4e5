// Pictures as an animated GIF that repeats for ever, by giflib, where it was found at build time. The same pictures give the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/image/png_writer.hpp"

namespace delassus {

// Whether this program has giflib.
bool has_gif_writer();

// Opaque pictures of one size. Colours are those of the samples that it is given, in no more than 255.
class GifWriter {
 public:
  // `hundredths`: of a second, that a picture stays.
  GifWriter(std::vector<PixelPicture> const& samples, int hundredths);
  ~GifWriter();
  GifWriter(GifWriter const&) = delete;
  GifWriter& operator=(GifWriter const&) = delete;

  void add(PixelPicture const& picture);
  std::string finish();

 private:
  struct File;
  std::uint8_t nearest(std::uint8_t const* rgba);
  void check(bool fine) const;

  File* file_;
  std::string bytes_;
  int width_ = 0, height_ = 0, hundredths_ = 4;
  std::vector<std::array<std::uint8_t, 3>> colours_;
  std::unordered_map<std::uint32_t, std::uint8_t> known_;  // the nearest one of colours looked for before
  std::vector<std::uint8_t> shown_;                        // indices of the picture before
};

}  // namespace delassus
