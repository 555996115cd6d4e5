// One thing that a sweep varies, as a user writes it:
//
//   tip_ground.mu=0.1:1:50          50 values, evenly          rod.initial.angle=10deg:80deg:15
//   seed=1:100                      whole numbers              tip_ground.mu=0.01:1:20:log   evenly in the logarithm
//   tip_ground.mu=0.1,0.2,0.5       these                      solver.stepper=relaxed,implicit
//   push[1]=2~0.1                   drawn: normal              push[1]=2~0.1:1.5:2.5         cut off at both ends
//   push[1]=~1:3                    drawn: uniform             push[1]=~1:100:log            uniform in the logarithm
//   left.mu+right.mu=0.1:1:50       several together
//
// With a sample in place of a grid, a range without a count, `tip_ground.mu=0.1:1`, is uniform too.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tools/sweep/distribution.hpp"
#include "tools/sweep/subject.hpp"

namespace delassus {

struct AxisValue {
  std::variant<double, std::string> value;
  std::string text;  // as it stands in the results
};

struct SweepAxis {
  std::string name;                    // of the column
  std::string text;                    // as the user wrote the values
  std::string unit;                    // empty: none
  std::vector<SubjectSignal> targets;  // none: `seed` where the model has none, which numbers repetitions
  std::vector<AxisValue> levels;       // of a range with a count, or a list
  std::optional<Distribution> distribution;  // otherwise
  bool is_number = true;                     // no choice, text or boolean
  bool logarithmic = false;

  bool is_alias = false;  // `name` is that of a system's own parameter or input, with targets behind it

  bool is_repetition() const { return targets.empty() && !is_alias; }
};

// Throws CommandError that says what is wrong and how it is written, and UnknownSignal.
SweepAxis parse_axis(SweepSubject const& subject, std::string const& text, bool sampled);

}  // namespace delassus
