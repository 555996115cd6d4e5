#include "tools/image/gif_writer.hpp"

#include <gif_lib.h>

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

namespace delassus {
namespace {

constexpr std::size_t palette_size = 256;
constexpr int transparent = 255;

int take_bytes(GifFileType* gif, GifByteType const* bytes, int count) {
  static_cast<std::string*>(gif->UserData)
      ->append(reinterpret_cast<char const*>(bytes), static_cast<std::size_t>(count));
  return count;
}

// The commonest colours as they are, so that paper stays white; giflib's choice, which is coarse, for the rest.
std::vector<std::array<std::uint8_t, 3>> choose_colours(std::vector<PixelPicture> const& samples) {
  std::vector<GifByteType> red, green, blue;
  unsigned width = 0, height = 0;
  for (PixelPicture const& sample : samples) {
    width = static_cast<unsigned>(sample.width);
    height += static_cast<unsigned>(sample.height);
    for (std::size_t i = 0; i < sample.rgba.size(); i += 4) {
      red.push_back(sample.rgba[i]);
      green.push_back(sample.rgba[i + 1]);
      blue.push_back(sample.rgba[i + 2]);
    }
  }
  constexpr std::size_t most_exact = 128;
  std::map<std::array<std::uint8_t, 3>, std::size_t> counts;
  for (std::size_t i = 0; i < red.size(); ++i) ++counts[{red[i], green[i], blue[i]}];
  std::vector<std::pair<std::size_t, std::array<std::uint8_t, 3>>> order;
  for (auto const& [colour, count] : counts) order.emplace_back(count, colour);
  std::ranges::sort(order, std::greater{});
  std::vector<std::array<std::uint8_t, 3>> colours;
  bool const all_fit = order.size() < palette_size;
  for (std::size_t i = 0; i < (all_fit ? order.size() : most_exact); ++i) colours.push_back(order[i].second);
  if (all_fit) return colours;
  std::vector<GifByteType> indices(red.size());
  std::array<GifColorType, palette_size> map{};
  int size = static_cast<int>(palette_size - 1 - most_exact);  // the last one is no colour
  if (GifQuantizeBuffer(width, height, &size, red.data(), green.data(), blue.data(), indices.data(),
                        map.data()) == GIF_ERROR)
    throw std::runtime_error("giflib finds no colours for a GIF");
  for (int i = 0; i < size && colours.size() < palette_size - 1; ++i) {
    GifColorType const& colour = map[static_cast<std::size_t>(i)];
    colours.push_back({colour.Red, colour.Green, colour.Blue});
  }
  return colours;
}

}  // namespace

struct GifWriter::File {
  GifFileType* gif = nullptr;
};

bool has_gif_writer() {
  return true;
}

GifWriter::GifWriter(std::vector<PixelPicture> const& samples, int hundredths)
    : file_(new File),
      width_(samples.at(0).width),
      height_(samples.at(0).height),
      hundredths_(hundredths),
      colours_(choose_colours(samples)) {
  int error = 0;
  file_->gif = EGifOpen(&bytes_, take_bytes, &error);
  if (file_->gif == nullptr) throw std::runtime_error("giflib cannot begin a GIF");
  EGifSetGifVersion(file_->gif, true);
  std::array<GifColorType, palette_size> map{};
  for (std::size_t i = 0; i < colours_.size(); ++i) map[i] = {colours_[i][0], colours_[i][1], colours_[i][2]};
  ColorMapObject* const palette = GifMakeMapObject(static_cast<int>(palette_size), map.data());
  bool const begun = EGifPutScreenDesc(file_->gif, width_, height_, 8, 0, palette) == GIF_OK;
  GifFreeMapObject(palette);
  check(begun);
  // Repeated for ever, in the form that Netscape gave it.
  constexpr std::array<GifByteType, 3> for_ever{1, 0, 0};
  check(EGifPutExtensionLeader(file_->gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
        EGifPutExtensionBlock(file_->gif, 11, "NETSCAPE2.0") == GIF_OK &&
        EGifPutExtensionBlock(file_->gif, 3, for_ever.data()) == GIF_OK &&
        EGifPutExtensionTrailer(file_->gif) == GIF_OK);
}

GifWriter::~GifWriter() {
  int error = 0;
  if (file_->gif != nullptr) EGifCloseFile(file_->gif, &error);
  delete file_;
}

void GifWriter::check(bool fine) const {
  if (!fine) throw std::runtime_error("giflib cannot write a GIF");
}

std::uint8_t GifWriter::nearest(std::uint8_t const* rgba) {
  std::uint32_t const colour = static_cast<std::uint32_t>(rgba[0] << 16 | rgba[1] << 8 | rgba[2]);
  auto const [known, is_new] = known_.try_emplace(colour, std::uint8_t{0});
  if (is_new) {
    int least = 1 << 30;
    for (std::size_t i = 0; i < colours_.size(); ++i) {
      int distance = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        int const apart = colours_[i][k] - rgba[k];
        distance += apart * apart;
      }
      if (distance >= least) continue;
      least = distance;
      known->second = static_cast<std::uint8_t>(i);
    }
  }
  return known->second;
}

// Only the part that differs from the picture before is written, and in it only the pixels that differ.
void GifWriter::add(PixelPicture const& picture) {
  if (picture.width != width_ || picture.height != height_)
    throw std::invalid_argument("the pictures of a GIF have one size");
  std::size_t const count = picture.rgba.size() / 4;
  std::vector<std::uint8_t> indices(count);
  for (std::size_t i = 0; i < count; ++i) indices[i] = nearest(&picture.rgba[4 * i]);
  int left = 0, right = width_ - 1, top = 0, bottom = height_ - 1;
  bool const first = shown_.empty();
  if (!first) {
    left = width_, right = -1, top = height_, bottom = -1;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        auto const at =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
        if (indices[at] == shown_[at]) continue;
        left = std::min(left, x), right = std::max(right, x);
        top = std::min(top, y), bottom = y;
      }
    }
    if (right < left) left = right = top = bottom = 0;  // nothing moved: one pixel, for its time
  }
  GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths_,
                               first ? NO_TRANSPARENT_COLOR : transparent};
  std::array<GifByteType, 4> extension{};
  EGifGCBToExtension(&control, extension.data());
  check(EGifPutExtension(file_->gif, GRAPHICS_EXT_FUNC_CODE, 4, extension.data()) == GIF_OK);
  check(EGifPutImageDesc(file_->gif, left, top, right - left + 1, bottom - top + 1, false, nullptr) ==
        GIF_OK);
  std::vector<GifPixelType> line(static_cast<std::size_t>(right - left + 1));
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      auto const at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
      bool const same = !first && indices[at] == shown_[at];
      line[static_cast<std::size_t>(x - left)] = same ? GifPixelType{transparent} : indices[at];
    }
    check(EGifPutLine(file_->gif, line.data(), static_cast<int>(line.size())) == GIF_OK);
  }
  shown_ = std::move(indices);
}

std::string GifWriter::finish() {
  int error = 0;
  bool const closed = EGifCloseFile(file_->gif, &error) == GIF_OK;
  file_->gif = nullptr;
  check(closed);
  return std::move(bytes_);
}

}  // namespace delassus
