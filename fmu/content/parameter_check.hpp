// What every list of parameters must satisfy that was read from bytes, which anybody may have written. What refers to
// a parameter does so by the index of its first value in the array of all values.
#pragma once

#include <string>
#include <vector>

#include "model/scene/parameter.hpp"

namespace delassus {

class ParameterCheck {
 public:
  // Throws std::runtime_error unless they follow one another without gaps, with finite values in their ranges, and
  // belong to one of so many bodies.
  ParameterCheck(std::vector<Parameter> const& parameters, std::size_t bodies);

  // Whether a parameter of so many values begins there.
  bool begins_at(int index, int size) const {
    return index >= 0 && static_cast<std::size_t>(index) < sizes_.size() &&
           sizes_[static_cast<std::size_t>(index)] == size;
  }

 private:
  std::vector<int> sizes_;  // by the index of a value: that of the parameter which begins there, otherwise 0
};

// The same for a state: finite values, and in range where they do not follow from others. `values` has one for each.
void check_parameter_values(std::vector<Parameter> const& parameters, std::vector<double> const& values);

// Whether a unit that was read is one.
constexpr bool is_unit(UnitId unit) {
  return unit >= UnitId::one && unit <= UnitId::newton_second_per_radian;
}

// Throws std::runtime_error where a name has control characters, at which messages and C strings would end.
void check_name(std::string const& name, char const* what);

// Throws std::runtime_error with the place and number of the first value that is not finite.
void check_finite(std::vector<double> const& values, char const* what);

}  // namespace delassus
