// The broad phase: finds the pairs of shapes whose bounding boxes overlap. Many boxes are sorted into grids,
// so the time grows with the number of shapes and of pairs found, not with the square of the number of
// shapes. Up to a few hundred boxes are swept along the axis of largest spread, which is faster.
#pragma once

#include <Eigen/Core>
#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/geometry/shape.hpp"

namespace delassus {

// An axis-aligned box.
struct Bounds {
  Eigen::Vector3d low, high;
  bool overlaps(Bounds const& other) const {
    return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] &&
           other.low[1] <= high[1] && low[2] <= other.high[2] && other.low[2] <= high[2];
  }
};

// The bounds of a shape, grown by `margin` on every side. Those of a plane are infinite, except where its
// normal lies along an axis.
Bounds bounds_of(ShapeGeometry const& shape, ShapePose const& pose, double margin);

class BroadPhase {
 public:
  // All pairs (i, j), i < j, of overlapping boxes, ascending. It allocates only for more boxes or pairs than
  // ever before. The span is valid until the next call.
  std::span<const std::pair<int, int>> find_pairs(std::span<const Bounds> bounds);

 private:
  // One grid for each size of boxes, with cell edges that are powers of two in metres. Level 0 has the
  // smallest cells. A box belongs to the level whose cells are just larger than the box, so it lies in few
  // cells.
  static constexpr int smallest_exponent = -20, largest_exponent = 30;
  static constexpr int level_count = largest_exponent - smallest_exponent + 1;
  static constexpr int apart = -1, nowhere = -2;  // instead of a level

  // A box in a cell: at its own level or, as a visitor, at the level of larger boxes.
  struct Entry {
    std::uint64_t level_and_x, y_and_z;
    std::int32_t visitor, shape;
    auto operator<=>(Entry const&) const = default;
  };

  static int axis_of_spread(std::span<const Bounds> bounds);
  void sweep(std::span<const Bounds> bounds);

  static int level_of(Bounds const& box);
  void sort_into_levels(std::span<const Bounds> bounds);
  void enter(Bounds const& box, int shape, int level, bool visitor);
  void pair_within_cells(std::span<const Bounds> bounds);
  void pair_apart(std::span<const Bounds> bounds);
  void sort_pairs(std::size_t shapes);

  // What the sweep sorts: the beginning of each box and its index. The order of the last call is nearly the
  // order of this one.
  struct Beginning {
    double low;
    int shape;
  };
  std::vector<Beginning> order_;
  std::vector<int> level_;  // of each box
  std::array<int, level_count> members_{};
  std::vector<int> apart_;
  std::vector<Entry> entries_;
  std::vector<std::pair<int, int>> pairs_, sorted_;
  std::vector<std::size_t> place_;
};

}  // namespace delassus
