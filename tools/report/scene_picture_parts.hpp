// What pictures of scenes in the plane and in space share: colours, arrows, names, the caption.
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "tools/plot/picture_style.hpp"
#include "tools/report/scene_picture.hpp"

namespace delassus {

// As on the page (clock.js); forces have a colour that no body has.
inline constexpr std::array<std::string_view, 8> body_colours{"#7ba3d4", "#b592c8", "#74b8a0", "#d6b96a",
                                                              "#94a7b8", "#cf9a94", "#84bccb", "#a9ad78"};
inline constexpr std::string_view body_edge = "#4a5b6b", still_colour = "#b9c2cb", force_colour = "#d55e00",
                                  input_colour = "#009e73", soft_ink = "#55626f", grid_colour = "#e3e7eb";

inline std::string_view body_colour(int hue) {
  return hue < 0 ? still_colour : body_colours[static_cast<std::size_t>(hue) % body_colours.size()];
}

// The document and, after everything else, title and time.
void open_scene(PictureText& text, int width, int height);
void close_scene(PictureText& text, SceneCaption const& caption, int width);

void draw_arrow(PictureText& text, Eigen::Vector2d const& from, Eigen::Vector2d const& to,
                std::string_view colour, double width);

struct PlacedName {
  std::string text;
  Eigen::Vector2d at;
};
// Above what they name; a name that would cover another goes below, or further up.
void draw_names(PictureText& text, std::vector<PlacedName> const& names, int width);

// Whether there are so few bodies that each has its name.
bool has_names(SceneDrawing const& drawing);
bool has_form(DrawnBody const& body);

}  // namespace delassus
