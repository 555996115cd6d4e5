// A course over time as one number. Between communication points a course is a straight line; what is exact for that
// is what is computed.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace delassus {

// A value at each time; times do not decrease.
struct Course {
  std::span<const double> time, values;
};

struct Reduction {
  std::string_view name, description;
  double (*value)(Course const& course);
  bool is_time = false;  // the result is one, s; otherwise it has the unit of the course where `same_unit`
  bool same_unit = true;
};
std::span<const Reduction> reductions();

enum class Relation { less, less_or_equal, greater, greater_or_equal, equal, not_equal };

// left - right over time, and how it is compared with zero. `exact`: choices and whole numbers, which jump; otherwise
// `equal` means that the difference passes through zero.
struct Condition {
  Relation relation = Relation::greater;
  bool exact = false;
};

struct ConditionReduction {
  std::string_view name, description;
  double (*value)(Course const& difference, Condition condition);
  bool is_time = false;
};
std::span<const ConditionReduction> condition_reductions();

}  // namespace delassus
