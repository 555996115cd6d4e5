#include "tools/plot/svg_renderer.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "tools/support/exit_code.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/shared_library.hpp"
#include "tools/support/source_date.hpp"

namespace delassus {
namespace {

using Message = std::array<char, 512>;

class RendererModule {
 public:
  // Loaded once and never unloaded: GLib, which is below librsvg, cannot be.
  static RendererModule const& get() {
    static RendererModule const* const module = new RendererModule;
    return *module;
  }

  int (*size)(char const*, std::size_t, double, int*, int*, char*, std::size_t) = nullptr;
  int (*draw)(char const*, std::size_t, int, int, unsigned char*, char*, std::size_t) = nullptr;
  int (*pdf)(char const*, std::size_t, char const*, char const*,
             int (*)(void*, unsigned char const*, unsigned), void*, char*, std::size_t) = nullptr;
  int (*fonts)() = nullptr;

 private:
  RendererModule() : library_(load()) {
    bind(size, "delassus_picture_size");
    bind(draw, "delassus_picture_draw");
    bind(pdf, "delassus_picture_pdf");
    bind(fonts, "delassus_picture_fonts");
    if (fonts() == 0)
      throw CommandError(ExitCode::usage,
                         "this machine has no font to write with; install one, such as fonts-dejavu-core");
  }

  static std::filesystem::path file() { return share_folder() / "delassus_pictures.so"; }

  static SharedLibrary load() {
    if (!std::filesystem::exists(file()))
      throw CommandError(ExitCode::usage,
                         "librsvg was not found when delassus was built; install librsvg2-dev, configure and "
                         "build again");
    try {
      return SharedLibrary(file());
    } catch (LibraryError const& error) {
      throw CommandError(ExitCode::usage,
                         fmt::format("librsvg does not load; install librsvg2-2 ({})", error.what()));
    }
  }

  template <class Function>
  void bind(Function& function, char const* symbol) {
    library_.bind(function, symbol);
    if (function == nullptr)
      throw CommandError(
          ExitCode::run_failed,
          fmt::format("{} has no {}: it is of another version of the program", file().string(), symbol));
  }

  SharedLibrary library_;
};

void check_drawing(int result, Message const& message) {
  if (result != 0)
    throw CommandError(ExitCode::run_failed, fmt::format("a picture cannot be drawn: {}", message.data()));
}

// Cairo's pixels are words of 0xAARRGGBB with colours times alpha.
std::uint8_t unmultiplied(std::uint32_t colour, std::uint32_t alpha) {
  return static_cast<std::uint8_t>(alpha == 0 ? 0 : (colour * 255 + alpha / 2) / alpha);
}

std::vector<std::uint8_t> rgba_of(std::vector<std::uint32_t> const& words) {
  std::vector<std::uint8_t> rgba;
  rgba.reserve(4 * words.size());
  for (std::uint32_t const word : words) {
    std::uint32_t const alpha = word >> 24;
    for (int const shift : {16, 8, 0}) rgba.push_back(unmultiplied(word >> shift & 0xff, alpha));
    rgba.push_back(static_cast<std::uint8_t>(alpha));
  }
  return rgba;
}

void draw_over(std::vector<std::uint32_t>& words, int width, int height, std::string const& svg) {
  Message message{};
  check_drawing(RendererModule::get().draw(svg.data(), svg.size(), width, height,
                                           reinterpret_cast<unsigned char*>(words.data()), message.data(),
                                           message.size()),
                message);
}

}  // namespace

void demand_renderer(std::string const& what) {
  try {
    RendererModule::get();
  } catch (CommandError const& error) {
    throw CommandError(error.code(), fmt::format("{} cannot be written: {}", what, error.what()));
  }
}

std::string render_pdf(std::string const& svg, std::string const& title) {
  std::string pdf;
  Message message{};
  auto const take = [](void* to, unsigned char const* bytes, unsigned count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<char const*>(bytes), count);
    return 0;
  };
  check_drawing(RendererModule::get().pdf(svg.data(), svg.size(), title.c_str(), generation_date().c_str(),
                                          take, &pdf, message.data(), message.size()),
                message);
  return pdf;
}

PixelPicture render_pixels(std::string const& svg, double scale) {
  PixelPicture picture;
  Message message{};
  check_drawing(RendererModule::get().size(svg.data(), svg.size(), scale, &picture.width, &picture.height,
                                           message.data(), message.size()),
                message);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(picture.width) *
                                   static_cast<std::size_t>(picture.height));
  draw_over(words, picture.width, picture.height, svg);
  picture.rgba = rgba_of(words);
  return picture;
}

void render_over(PixelPicture& pixels, std::string const& svg) {
  std::vector<std::uint32_t> words;
  words.reserve(pixels.rgba.size() / 4);
  for (std::size_t i = 0; i < pixels.rgba.size(); i += 4)
    words.push_back(0xff000000U | static_cast<std::uint32_t>(pixels.rgba[i]) << 16 |
                    static_cast<std::uint32_t>(pixels.rgba[i + 1]) << 8 | pixels.rgba[i + 2]);
  draw_over(words, pixels.width, pixels.height, svg);
  pixels.rgba = rgba_of(words);
}

}  // namespace delassus
