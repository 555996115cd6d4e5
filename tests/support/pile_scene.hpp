// Piles of spheres or boxes: a heap on open ground, or what has fallen into a bin whose sides grow with their number.
#pragma once

#include <string>

namespace delassus {

enum class PileKind { heap, spheres, boxes };

struct PileShape {
  PileKind kind;
  int side, layers;
};

inline std::string pile_scene_text(PileShape const& shape) {
  bool const boxes = shape.kind == PileKind::boxes;
  double const pitch = boxes ? 0.13 : 0.105, rise = boxes ? 0.12 : 0.11;  // m
  double const wall = 0.5 * pitch * (shape.side - 1) + (boxes ? 0.11 : 0.07);
  auto const number = [](double x) { return std::to_string(x); };
  std::string const w = number(wall),
                    first = number(-0.5 * pitch * (shape.side - 1) - (boxes ? 0.03 : 0.005)),
                    n = std::to_string(shape.side);
  std::string const walls =
      R"(<body name="walls" type="fixed"><plane name="left" normal="1 0 0" position="-)" + w +
      R"( 0 0"/><plane name="right" normal="-1 0 0" position=")" + w +
      R"( 0 0"/><plane name="front" normal="0 1 0" position="0 -)" + w +
      R"( 0"/><plane name="back" normal="0 -1 0" position="0 )" + w + R"( 0"/></body>)";
  return R"(<scene name="pile" dimension="3"><gravity acceleration="0 0 -9.81"/>)" +
         (shape.kind == PileKind::heap ? "" : walls) + R"(<body name="piece" type="rigid" density="1000">)" +
         (boxes ? R"(<box half_size="0.05 0.04 0.03"/>)" : R"(<sphere radius="0.05"/>)") +
         R"(<initial position=")" + first + " " + first + R"( 0.065")" +
         (boxes ? R"( rotation="0.3 0.2 0.4")" : "") + R"(/><lattice count=")" + n + " " + n + " " +
         std::to_string(shape.layers) + R"(" spacing=")" + number(pitch) + " " + number(pitch) + " " +
         number(rise) + R"(" shift=")" + (boxes ? "0.06 0.05 0" : "0.011 0.007 0") +
         R"("/></body><contacts name="pile" mu="0.3"/></scene>)";
}

}  // namespace delassus
