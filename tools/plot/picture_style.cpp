#include "tools/plot/picture_style.hpp"

#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// Pixels.
constexpr double title_line = 48, subtitle_line = 17;

}  // namespace

void open_picture(PictureText& text, double width, double height, std::string const& title,
                  std::vector<std::string> const& subtitles, std::string const& description) {
  text.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n<desc>{3}</desc>\n"
      "<style>{4}</style>\n<rect class=\"paper\" width=\"{0:.0f}\" height=\"{1:.0f}\" rx=\"8\"/>\n"
      "<text class=\"title\" x=\"18\" y=\"28\">{2}</text>\n",
      width, height, escape_markup(title), escape_markup(description), picture_style);
  for (std::size_t i = 0; i < subtitles.size(); ++i)
    text.add("<text class=\"subtitle\" x=\"18\" y=\"{:.0f}\">{}</text>\n",
             title_line + subtitle_line * static_cast<double>(i), escape_markup(subtitles[i]));
}

double picture_heading_height(std::size_t subtitles) {
  return title_line - 2 + subtitle_line * static_cast<double>(subtitles);
}

}  // namespace delassus
