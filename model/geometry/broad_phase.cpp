#include "model/geometry/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus {
namespace {

// For levels with at most this many boxes, comparing them with all others is faster than a grid. Floors and
// walls, which are few and large, end up here.
constexpr int few = 32;

// Up to this many boxes, a sweep is faster than grids.
constexpr std::size_t swept = 256;

// The cell of a coordinate. It never decreases with the coordinate, so overlapping boxes always share a cell.
// Beyond the range of 32 bits everything is in the last cell.
std::int32_t cell_of(double coordinate, double edge) {
  constexpr double lowest = std::numeric_limits<std::int32_t>::min();
  constexpr double highest = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(std::floor(coordinate / edge), lowest, highest));
}

std::uint64_t packed(std::int64_t first, std::int32_t second) {
  return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint32_t>(second);
}

}  // namespace

Bounds bounds_of(ShapeGeometry const& shape, ShapePose const& pose, double margin) {
  Eigen::Vector3d reach = Eigen::Vector3d::Constant(margin);
  switch (shape.kind) {
    case ShapeKind::point:
      break;
    case ShapeKind::plane: {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      Bounds all{Eigen::Vector3d::Constant(-infinity), Eigen::Vector3d::Constant(infinity)};
      // The normals of floors and walls mostly lie along an axis: then the half-space is bounded on one side.
      Eigen::Vector3d const n = pose.R.col(0);
      for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] == 1) all.high[axis] = pose.position[axis] + margin;
        if (n[axis] == -1) all.low[axis] = pose.position[axis] - margin;
      }
      return all;
    }
    case ShapeKind::sphere:
      reach.array() += shape.radius;
      break;
    case ShapeKind::capsule:
      reach += pose.R.col(0).cwiseAbs() * shape.half[0];
      reach.array() += shape.radius;
      break;
    case ShapeKind::box:
      reach += pose.R.cwiseAbs() * shape.half;
      break;
  }
  return {pose.position - reach, pose.position + reach};
}

int BroadPhase::axis_of_spread(std::span<const Bounds> bounds) {
  Eigen::Array3d sum = Eigen::Array3d::Zero(), squares = Eigen::Array3d::Zero();
  double count = 0;
  for (Bounds const& box : bounds) {
    Eigen::Array3d const middle = 0.5 * (box.low + box.high).array();
    if (!std::isfinite(middle.sum())) continue;
    sum += middle;
    squares += middle * middle;
    count += 1;
  }
  int axis = 0;
  (squares * count - sum * sum).maxCoeff(&axis);
  return axis;
}

void BroadPhase::sweep(std::span<const Bounds> bounds) {
  int const axis = axis_of_spread(bounds);
  if (order_.size() != bounds.size()) {
    order_.resize(bounds.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i].shape = static_cast<int>(i);
  }
  // Insertion sort is fast here, because boxes move little from call to call.
  for (std::size_t i = 0; i < order_.size(); ++i) {
    int const shape = order_[i].shape;
    double low = bounds[static_cast<std::size_t>(shape)].low[axis];
    // NaN would break the sorting. A box with NaN overlaps nothing, wherever it is.
    if (std::isnan(low)) low = std::numeric_limits<double>::infinity();
    std::size_t place = i;
    for (; place > 0 && order_[place - 1].low > low; --place) order_[place] = order_[place - 1];
    order_[place] = {low, shape};
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    Bounds const& box = bounds[static_cast<std::size_t>(order_[i].shape)];
    double const high = box.high[axis];
    for (std::size_t j = i + 1; j < order_.size() && order_[j].low <= high; ++j) {
      if (box.overlaps(bounds[static_cast<std::size_t>(order_[j].shape)]))
        pairs_.push_back(std::minmax(int{order_[i].shape}, int{order_[j].shape}));
    }
  }
}

// Counting sort, by the second of each pair and then by the first.
void BroadPhase::sort_pairs(std::size_t shapes) {
  auto const pass = [&](auto const& from, auto& to, auto const& key) {
    place_.assign(shapes + 1, 0);
    for (auto const& pair : from) ++place_[static_cast<std::size_t>(key(pair)) + 1];
    for (std::size_t i = 0; i < shapes; ++i) place_[i + 1] += place_[i];
    to.resize(from.size());
    for (auto const& pair : from) to[place_[static_cast<std::size_t>(key(pair))]++] = pair;
  };
  pass(pairs_, sorted_, [](auto const& pair) { return pair.second; });
  pass(sorted_, pairs_, [](auto const& pair) { return pair.first; });
}

int BroadPhase::level_of(Bounds const& box) {
  // NaN compares false with everything, so such a box overlaps nothing.
  if (box.low.hasNaN() || box.high.hasNaN()) return nowhere;
  Eigen::Vector3d const extent = box.high - box.low;
  // Infinite boxes have infinite or NaN extents. Boxes turned inside out overlap in a way that grids do not
  // handle.
  double const size = extent.maxCoeff();
  if (!box.low.allFinite() || !box.high.allFinite() || !(extent.minCoeff() >= 0) ||
      !(size < std::ldexp(1.0, largest_exponent))) {
    return apart;
  }
  return std::max(size > 0 ? std::ilogb(size) + 1 : smallest_exponent, smallest_exponent) - smallest_exponent;
}

void BroadPhase::sort_into_levels(std::span<const Bounds> bounds) {
  level_.clear();
  apart_.clear();
  members_.fill(0);
  for (Bounds const& box : bounds) {
    int const level = level_of(box);
    level_.push_back(level);
    if (level >= 0) ++members_[static_cast<std::size_t>(level)];
  }
  for (std::size_t i = 0; i < level_.size(); ++i) {
    int& level = level_[i];
    if (level >= 0 && members_[static_cast<std::size_t>(level)] <= few) level = apart;
    if (level == apart) apart_.push_back(static_cast<int>(i));
  }
  for (int& members : members_)
    if (members <= few) members = 0;
}

void BroadPhase::enter(Bounds const& box, int shape, int level, bool visitor) {
  double const edge = std::ldexp(1.0, level + smallest_exponent);
  std::array<std::int32_t, 3> low, high;
  for (int axis = 0; axis < 3; ++axis) {
    low[static_cast<std::size_t>(axis)] = cell_of(box.low[axis], edge);
    high[static_cast<std::size_t>(axis)] = cell_of(box.high[axis], edge);
  }
  // 64 bits count past the last cell without overflow.
  for (std::int64_t x = low[0]; x <= high[0]; ++x) {
    for (std::int64_t y = low[1]; y <= high[1]; ++y) {
      for (std::int64_t z = low[2]; z <= high[2]; ++z) {
        entries_.push_back({packed(level, static_cast<std::int32_t>(x)),
                            packed(y, static_cast<std::int32_t>(z)), visitor ? 1 : 0, shape});
      }
    }
  }
}

// Two boxes may share several cells. The pair is reported in the cell that holds the low corner of their
// overlap.
void BroadPhase::pair_within_cells(std::span<const Bounds> bounds) {
  std::sort(entries_.begin(), entries_.end());
  for (std::size_t start = 0; start < entries_.size();) {
    Entry const& cell = entries_[start];
    double const edge = std::ldexp(1.0, static_cast<int>(cell.level_and_x >> 32) + smallest_exponent);
    std::size_t residents = start, end = start;
    while (end < entries_.size() && entries_[end].level_and_x == cell.level_and_x &&
           entries_[end].y_and_z == cell.y_and_z) {
      if (entries_[end].visitor == 0) residents = end + 1;
      ++end;
    }
    for (std::size_t i = start; i < residents; ++i) {
      Bounds const& one = bounds[static_cast<std::size_t>(entries_[i].shape)];
      for (std::size_t j = i + 1; j < end; ++j) {
        Bounds const& other = bounds[static_cast<std::size_t>(entries_[j].shape)];
        if (!one.overlaps(other)) continue;
        Eigen::Vector3d const corner = one.low.cwiseMax(other.low);
        std::int32_t const x = cell_of(corner.x(), edge), y = cell_of(corner.y(), edge),
                           z = cell_of(corner.z(), edge);
        if (static_cast<std::uint32_t>(x) != static_cast<std::uint32_t>(cell.level_and_x) ||
            packed(y, z) != cell.y_and_z) {
          continue;
        }
        pairs_.push_back(
            std::minmax(static_cast<int>(entries_[i].shape), static_cast<int>(entries_[j].shape)));
      }
    }
    start = end;
  }
}

void BroadPhase::pair_apart(std::span<const Bounds> bounds) {
  for (int const i : apart_) {
    Bounds const& box = bounds[static_cast<std::size_t>(i)];
    for (int j = 0; j < static_cast<int>(bounds.size()); ++j) {
      // Two boxes without a level meet twice here.
      if (j == i || (j < i && level_[static_cast<std::size_t>(j)] == apart)) continue;
      if (box.overlaps(bounds[static_cast<std::size_t>(j)])) pairs_.push_back(std::minmax(i, j));
    }
  }
}

std::span<const std::pair<int, int>> BroadPhase::find_pairs(std::span<const Bounds> bounds) {
  pairs_.clear();
  if (bounds.size() <= swept) {
    sweep(bounds);
    sort_pairs(bounds.size());
    return pairs_;
  }
  entries_.clear();
  sort_into_levels(bounds);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    int const own = level_[i];
    if (own < 0) continue;
    enter(bounds[i], static_cast<int>(i), own, false);
    for (int level = own + 1; level < level_count; ++level) {
      if (members_[static_cast<std::size_t>(level)] > 0) enter(bounds[i], static_cast<int>(i), level, true);
    }
  }
  pair_within_cells(bounds);
  pair_apart(bounds);
  sort_pairs(bounds.size());
  return pairs_;
}

}  // namespace delassus
