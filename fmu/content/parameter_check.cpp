#include "fmu/content/parameter_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "model/scene/number.hpp"

namespace delassus {
namespace {

void check_parameter_value(Parameter const& parameter, double value) {
  std::string const begin = "parameter '" + parameter.name + "' is " + format_number(value) + " and must be ";
  if (!std::isfinite(value)) throw std::runtime_error(begin + "a finite number");
  if (!parameter.calculated && !parameter.range.contains(value))
    throw std::runtime_error(begin + parameter.range.text());
}

}  // namespace

ParameterCheck::ParameterCheck(std::vector<Parameter> const& parameters, std::size_t bodies) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  for (Parameter const& parameter : parameters) {
    check_name(parameter.name, "a parameter");
    auto const refuse = [&](std::string const& reason) {
      throw std::runtime_error("parameter '" + parameter.name + "' " + reason);
    };
    if (parameter.values.empty()) refuse("has no value");
    if (sizes_.size() + parameter.values.size() > most) refuse("is one too many");
    if (parameter.first < 0 || static_cast<std::size_t>(parameter.first) != sizes_.size())
      refuse("begins at value " + std::to_string(parameter.first) + ", and follows one that ends before " +
             std::to_string(sizes_.size()));
    if (!is_unit(parameter.unit)) refuse("has an unknown unit");
    if (parameter.role < ParameterRole::gravity || parameter.role > ParameterRole::initial_velocity)
      refuse("has an unknown role");
    if (parameter.body < -1 || (parameter.body >= 0 && static_cast<std::size_t>(parameter.body) >= bodies))
      refuse("belongs to body " + std::to_string(parameter.body) + ", and there are " +
             std::to_string(bodies));
    if (std::isnan(parameter.range.minimum) || std::isnan(parameter.range.maximum))
      refuse("has a range that is none");
    for (double const value : parameter.values) check_parameter_value(parameter, value);
    sizes_.push_back(parameter.size());
    sizes_.resize(sizes_.size() + parameter.values.size() - 1, 0);
  }
}

void check_parameter_values(std::vector<Parameter> const& parameters, std::vector<double> const& values) {
  std::size_t next = 0;
  for (Parameter const& parameter : parameters) {
    for (std::size_t i = 0; i < parameter.values.size(); ++i)
      check_parameter_value(parameter, values[next++]);
  }
}

void check_name(std::string const& name, char const* what) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    throw std::runtime_error("the name of " + std::string(what) + " has characters that no name has");
}

void check_finite(std::vector<double> const& values, char const* what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw std::runtime_error(std::string(what) + ", number " + std::to_string(i + 1) + ", is " +
                             format_number(values[i]) + " and must be finite");
  }
}

}  // namespace delassus
