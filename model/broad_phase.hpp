// Which shapes may touch: pairs whose boxes overlap. The time grows with the number of shapes and of pairs
// found, not with the square of the number of shapes.
#pragma once

#include <Eigen/Core>
#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/shape.hpp"

namespace delassus {

// An axis-aligned box.
struct Bounds {
  Eigen::Vector3d low, high;
  bool overlaps(Bounds const& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

// Of a shape, grown by `margin` on every side. A plane's are infinite.
Bounds bounds_of(ShapeGeometry const& shape, ShapePose const& pose, double margin);

class BroadPhase {
 public:
  // All pairs (i, j), i < j, of overlapping boxes, ascending. Does not allocate once it has seen as many. The
  // span holds until the next call.
  std::span<const std::pair<int, int>> find_pairs(std::span<const Bounds> bounds);

 private:
  // A grid for every size of boxes, the edges of its cells powers of two in metres: level 0 has the smallest
  // cells. Boxes are at the level whose cells are just larger than they are, so each is in a few cells only.
  static constexpr int smallest_exponent = -20, largest_exponent = 30;
  static constexpr int level_count = largest_exponent - smallest_exponent + 1;
  static constexpr int apart = -1, nowhere = -2;  // instead of a level

  // A box in a cell, at its own level or, as a visitor, at the level of larger boxes it may meet there.
  struct Entry {
    std::uint64_t level_and_x, y_and_z;
    std::int32_t visitor, shape;
    auto operator<=>(Entry const&) const = default;
  };

  static int level_of(Bounds const& box);
  void sort_into_levels(std::span<const Bounds> bounds);
  void enter(Bounds const& box, int shape, int level, bool visitor);
  void pair_within_cells(std::span<const Bounds> bounds);
  void pair_apart(std::span<const Bounds> bounds);

  std::vector<int> level_;  // of each box
  std::array<int, level_count> members_{};
  std::vector<int> apart_;
  std::vector<Entry> entries_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace delassus
