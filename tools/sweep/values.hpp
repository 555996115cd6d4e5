// Which values each run of a sweep has. A grid has every combination of the levels of its axes, the last axis fastest;
// a sample has as many runs as it is told, an independent draw or one part of a Latin hypercube each.
//
// What is drawn depends on the seed, on the name of the axis and on its place: within a sample the number of the run.
// Beside a grid it is the number of the run too, unless there is a repetition axis (`seed` where the model has no such
// parameter): then runs of one seed have the same draws whatever the other axes say, so that a difference between them
// is that of the other axes and not of chance. Beside a sample, each seed is a sample of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/sweep/axis.hpp"

namespace delassus {

enum class SamplingKind { grid, latin, random };

struct Sampling {
  SamplingKind kind = SamplingKind::grid;
  std::size_t runs = 0;  // of a sample
  std::uint64_t seed = 1;
};

class SweepPlan {
 public:
  // Throws CommandError where axes repeat a name, where there are too many runs or none.
  SweepPlan(std::vector<SweepAxis> axes, Sampling const& sampling);

  std::vector<SweepAxis> const& axes() const { return axes_; }
  Sampling const& sampling() const { return sampling_; }
  std::size_t runs() const { return runs_; }

  std::vector<AxisValue> values(std::size_t run) const;  // one an axis
  // Which level of an axis of the grid; nothing for what is drawn.
  std::optional<std::size_t> level(std::size_t run, std::size_t axis) const;
  // Whether all runs of one combination of the other axes are the same: a repetition without anything drawn.
  bool repeats_in_vain() const;

  std::vector<std::string> facts() const;

 private:
  bool is_drawn(SweepAxis const& axis) const;
  double draw(std::size_t run, std::size_t axis) const;

  std::vector<SweepAxis> axes_;
  Sampling sampling_;
  std::size_t runs_ = 0;
  std::vector<std::size_t> strides_;       // of the grid
  std::optional<std::size_t> repetition_;  // which axis
  std::vector<std::vector<double>>
      columns_;  // of samples, an axis each: runs of the first seed, of the next, ...
};

}  // namespace delassus
