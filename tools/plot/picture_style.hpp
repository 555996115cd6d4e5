// How pictures look: one style, light and dark, and the colours of their lines. Numbers and text of a picture are
// written through PictureText.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

// Okabe and Ito's colours, which stay apart for every common colour blindness and on white as well as on
// near-black.
inline constexpr std::array<std::string_view, 6> picture_colours{"#0072b2", "#d55e00", "#009e73",
                                                                 "#cc79a7", "#e69f00", "#56b4e9"};

inline std::string_view picture_colour(std::size_t place) {
  return picture_colours[place % picture_colours.size()];
}

// Plain rules and no variables: viewers that know little of CSS still show the light form. Below the class `chart`,
// so that several pictures in one page say the same thing and touch nothing else.
inline constexpr std::string_view picture_style = R"(
.chart text{font-family:Inter,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-size:12px;fill:#3c4854}
.chart .paper{fill:#ffffff}
.chart .title{font-size:15px;font-weight:600;fill:#16202b}
.chart .subtitle{fill:#5c6975}
.chart .tick{fill:#5c6975;font-size:11.5px}
.chart .quantity{font-weight:600;fill:#26323e}
.chart .grid{stroke:#e7ebef;stroke-width:1;fill:none}
.chart .zero{stroke:#b9c2cb;stroke-width:1;fill:none}
.chart .frame{stroke:#9aa5b1;stroke-width:1;fill:none}
.chart .note{font-size:12px;fill:#16202b;paint-order:stroke;stroke:#ffffff;stroke-width:3px;stroke-linejoin:round}
.chart .ink{stroke:#26323e}
.chart .inkfill{fill:#26323e}
.chart .plane{fill:#7b8794;fill-opacity:.13;stroke:#9aa5b1}
.chart .line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
@media screen and (prefers-color-scheme:dark){
.chart text{fill:#c3ccd5}
.chart .paper{fill:#171d24}
.chart .title{fill:#eef2f5}
.chart .subtitle,.chart .tick{fill:#98a4b0}
.chart .quantity{fill:#dbe2e8}
.chart .grid{stroke:#29323b}
.chart .zero{stroke:#56626e}
.chart .frame{stroke:#6b7783}
.chart .note{fill:#eef2f5;stroke:#171d24}
.chart .ink{stroke:#dbe2e8}
.chart .inkfill{fill:#dbe2e8}
.chart .plane{stroke:#6b7783}
}
)";

// SVG as it is written.
class PictureText {
 public:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// The document with its style, title and lines below it; `description` is for readers who cannot see the picture.
void open_picture(PictureText& text, double width, double height, std::string const& title,
                  std::vector<std::string> const& subtitles, std::string const& description);

// Pixels that the title and so many lines below it take.
double picture_heading_height(std::size_t subtitles);

}  // namespace delassus
