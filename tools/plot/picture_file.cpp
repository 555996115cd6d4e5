#include "tools/plot/picture_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "tools/plot/svg_renderer.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

enum class PictureFormat { svg, png, pdf };

// Two pixels for one of the SVG: sharp on screens of today, and at 192 dots an inch on paper.
constexpr double png_scale = 2, inch = 0.0254, svg_pixels_per_inch = 96;

PictureFormat format_of(std::string const& file) {
  if (file == "-") return PictureFormat::svg;
  std::string ending = std::filesystem::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (ending == ".svg") return PictureFormat::svg;
  if (ending == ".png") return PictureFormat::png;
  if (ending == ".pdf") return PictureFormat::pdf;
  // /dev/stdout and the like have no ending.
  std::error_code missing;
  if (ending.empty() && std::filesystem::exists(file, missing) &&
      !std::filesystem::is_regular_file(file, missing) && !std::filesystem::is_directory(file, missing))
    return PictureFormat::svg;
  if (std::filesystem::is_directory(file, missing)) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("'{}' is a folder: a picture is written to a file; name it {}", file,
                    (std::filesystem::path(file) / "picture.svg").lexically_normal().string()));
  }
  throw CommandError(ExitCode::usage,
                     fmt::format("'{}': a picture is written as .svg, .png or .pdf; name the file {}", file,
                                 (ending.empty() ? std::filesystem::path(file + ".svg")
                                                 : std::filesystem::path(file).replace_extension(".svg"))
                                     .string()));
}

// <title>my_rod</title>, which is still markup.
std::string title_of(std::string const& svg) {
  auto const begin = svg.find("<title>");
  if (begin == std::string::npos) return "";
  std::string title = svg.substr(begin + 7, svg.find("</title>", begin) - begin - 7);
  for (auto const& [markup, text] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    for (auto at = title.find(markup); at != std::string::npos; at = title.find(markup, at + 1))
      title.replace(at, std::char_traits<char>::length(markup), text);
  }
  return title;
}

}  // namespace

void check_picture_file(std::string const& file) {
  if (file.empty() || format_of(file) == PictureFormat::svg) return;
  try {
    demand_renderer(file);
  } catch (CommandError const& error) {
    throw CommandError(error.code(),
                       fmt::format("{}. {} needs nothing of that", error.what(),
                                   std::filesystem::path(file).replace_extension(".svg").string()));
  }
}

void write_picture(std::string const& file, std::string const& svg) {
  switch (format_of(file)) {
    case PictureFormat::svg:
      write_file(file, svg);
      return;
    case PictureFormat::png: {
      PixelPicture pixels = render_pixels(svg, png_scale);
      pixels.pixels_per_metre = png_scale * svg_pixels_per_inch / inch;
      write_file(file, write_png(pixels));
      return;
    }
    case PictureFormat::pdf:
      write_file(file, render_pdf(svg, title_of(svg)));
      return;
  }
}

}  // namespace delassus
