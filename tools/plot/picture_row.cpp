#include "tools/plot/picture_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/scene/number.hpp"

namespace delassus {
namespace {

double attribute(std::string const& svg, std::string const& name) {
  std::string const before = " " + name + "=\"";
  auto const begin = svg.find(before);
  if (begin == std::string::npos) throw std::invalid_argument("the picture has no " + name);
  auto const first = begin + before.size();
  return parse_number(svg.substr(first, svg.find('"', first) - first)).value_or(0);
}

}  // namespace

std::string picture_row(std::vector<std::string> const& pictures) {
  double width = 0, height = 0;
  std::string inside;
  for (auto const& picture : pictures) {
    // A place for the nested document; its namespace is that of the outer one.
    inside += fmt::format("<svg x=\"{:.0f}\" ", width) + picture.substr(picture.find("<svg ") + 5);
    width += attribute(picture, "width") + 12;
    height = std::max(height, attribute(picture, "height"));
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
             "{0:.0f} {1:.0f}\" role=\"img\">\n",
             width - 12, height) +
         inside + "</svg>\n";
}

}  // namespace delassus
