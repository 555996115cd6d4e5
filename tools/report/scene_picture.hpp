// One instant of a recorded scene as a picture of pixels: bodies, joints, springs, forces, names, the time. In the plane it is drawn as SVG; in
// space bodies are shaded (shaded_bodies.hpp) between an SVG of the ground below and one of forces and names above them.
#pragma once

#include <string>

#include "tools/image/png_writer.hpp"
#include "tools/report/track_player.hpp"

namespace delassus {

struct SceneCaption {
  std::string title, time;
};

// Throws CommandError as svg_renderer.hpp does.
PixelPicture draw_picture(TrackPlayer const& player, SceneCaption const& caption, int width, int height);

// For a scene in the plane.
std::string plane_svg(TrackPlayer const& player, SceneCaption const& caption, int width, int height);

// For a scene in space.
PixelPicture space_picture(TrackPlayer const& player, SceneCaption const& caption, int width, int height);

}  // namespace delassus
