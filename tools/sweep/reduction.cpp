#include "tools/sweep/reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace delassus {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double minimum(Course const& course) {
  return *std::ranges::min_element(course.values);
}
double maximum(Course const& course) {
  return *std::ranges::max_element(course.values);
}
double final_value(Course const& course) {
  return course.values.back();
}
double start_value(Course const& course) {
  return course.values.front();
}

// Sum over the intervals, of which `part(a, b)` is the mean.
template <class Part>
double sum(Course const& course, Part const& part) {
  double total = 0;
  for (std::size_t i = 1; i < course.time.size(); ++i)
    total += (course.time[i] - course.time[i - 1]) * part(course.values[i - 1], course.values[i]);
  return total;
}

double length(Course const& course) {
  return course.time.back() - course.time.front();
}

double integral(Course const& course) {
  return sum(course, [](double a, double b) { return (a + b) / 2; });
}

double mean(Course const& course) {
  return length(course) > 0 ? integral(course) / length(course) : course.values.front();
}

// The mean of the square of a line from a to b is (a^2 + a b + b^2) / 3.
double root_mean_square(Course const& course) {
  if (!(length(course) > 0)) return std::abs(course.values.front());
  return std::sqrt(sum(course, [](double a, double b) { return (a * a + a * b + b * b) / 3; }) /
                   length(course));
}

double time_of(Course const& course, std::span<const double>::iterator place) {
  return course.time[static_cast<std::size_t>(place - course.values.begin())];
}
double time_of_maximum(Course const& course) {
  return time_of(course, std::ranges::max_element(course.values));
}
double time_of_minimum(Course const& course) {
  return time_of(course, std::ranges::min_element(course.values));
}

double changes(Course const& course) {
  double count = 0;
  for (std::size_t i = 1; i < course.values.size(); ++i)
    count += course.values[i] != course.values[i - 1] ? 1 : 0;
  return count;
}

bool passes_zero(Condition condition) {
  return condition.relation == Relation::equal && !condition.exact;
}

bool holds(double difference, Relation relation) {
  switch (relation) {
    case Relation::less:
      return difference < 0;
    case Relation::less_or_equal:
      return difference <= 0;
    case Relation::greater:
      return difference > 0;
    case Relation::greater_or_equal:
      return difference >= 0;
    case Relation::equal:
      return difference == 0;
    case Relation::not_equal:
      return difference != 0;
  }
  return false;
}

// Where the line from one point to the next is zero.
double zero_time(Course const& course, std::size_t i) {
  double const a = course.values[i - 1], b = course.values[i];
  double const share = a == b ? 1 : std::clamp(a / (a - b), 0.0, 1.0);
  return course.time[i - 1] + share * (course.time[i] - course.time[i - 1]);
}

// Does it begin to hold at point i, or since the point before?
bool begins(Course const& course, Condition condition, std::size_t i) {
  double const now = course.values[i];
  if (i == 0) return holds(now, condition.relation);
  double const before = course.values[i - 1];
  if (passes_zero(condition) && ((before < 0 && now > 0) || (before > 0 && now < 0))) return true;
  return holds(now, condition.relation) && !holds(before, condition.relation);
}

double first_time(Course const& course, Condition condition) {
  for (std::size_t i = 0; i < course.time.size(); ++i) {
    if (!begins(course, condition, i)) continue;
    return i == 0 || condition.exact ? course.time[i] : zero_time(course, i);
  }
  return nothing;
}

double count(Course const& course, Condition condition) {
  double number = 0;
  for (std::size_t i = 0; i < course.time.size(); ++i) number += begins(course, condition, i) ? 1 : 0;
  return number;
}

double duration(Course const& course, Condition condition) {
  double total = 0;
  for (std::size_t i = 1; i < course.time.size(); ++i) {
    bool const from = holds(course.values[i - 1], condition.relation),
               to = holds(course.values[i], condition.relation);
    double const begin = course.time[i - 1], end = course.time[i];
    if (condition.exact || from == to) {
      total += from ? end - begin : 0;
    } else {
      double const zero = zero_time(course, i);
      total += from ? zero - begin : end - zero;
    }
  }
  return total;
}

constexpr std::array<Reduction, 10> all_reductions{
    {{"final", "value at the end", final_value},
     {"start", "value at the start", start_value},
     {"min", "least value", minimum},
     {"max", "largest value", maximum},
     {"mean", "mean over time", mean},
     {"rms", "root of the mean square over time", root_mean_square},
     {"integral", "integral over time", integral, false, false},
     {"time_of_max", "time of the largest value, the first one", time_of_maximum, true},
     {"time_of_min", "time of the least value, the first one", time_of_minimum, true},
     {"changes", "how often the value changes from one point to the next", changes, false, false}}};

constexpr std::array<ConditionReduction, 3> all_condition_reductions{
    {{"first", "first time at which it holds; empty where it never does", first_time, true},
     {"count", "how often it begins to hold, also at the start", count},
     {"duration", "time during which it holds", duration, true}}};

}  // namespace

std::span<const Reduction> reductions() {
  return all_reductions;
}

std::span<const ConditionReduction> condition_reductions() {
  return all_condition_reductions;
}

}  // namespace delassus
