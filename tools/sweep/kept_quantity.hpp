// What is kept of a run, as a user writes it: `tip_ground.force[2]`, `max(abs(tip_ground.force[1]))`,
// `max(rod.angle) - min(rod.angle)`, `first(rod.angle < 10deg)`, `count(tip_ground.mode = slip)`. Arithmetic over the
// columns of the results, `time` and the parameters; what still is a course over time at the end counts with its final
// value. A name that is no plain word stands in apostrophes: max('der(x)').
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/sweep/subject.hpp"

namespace delassus {

// One number for each row of the results, or a single one where it does not change.
using CourseValues = std::vector<double>;

struct KeptQuantity {
  std::string text;  // as written: the name of the column
  std::string unit;  // empty: none, or not known
  std::function<CourseValues(SubjectRun const&)> course;

  double value(SubjectRun const& run) const { return course(run).back(); }
};

// An array by its name is all of its elements. Throws CommandError, with the place, and UnknownSignal.
std::vector<KeptQuantity> parse_kept(SweepSubject const& subject, std::string const& text);

// The final values of all outputs.
std::vector<KeptQuantity> keep_outputs(SweepSubject const& subject);

}  // namespace delassus
