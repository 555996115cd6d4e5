// The meaning of units: exponents of the base units, factor and offset (SSP 1.0 section 4.3.2, FMI 2.0
// section 2.2.2: value in base units = factor * value + offset).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "xml/fmi/description.hpp"
#include "xml/ssp/structure.hpp"

namespace delassus {

struct UnitMeaning {
  std::array<int, 8> exponents{};  // kg, m, s, A, K, mol, cd, rad
  double factor = 1, offset = 0;
  bool operator==(UnitMeaning const&) const = default;
};

// y = factor * x + offset
struct Affine {
  double factor = 1, offset = 0;
  double operator()(double x) const { return factor * x + offset; }
  Affine then(Affine const& next) const { return {next.factor * factor, next.factor * offset + next.offset}; }
  bool is_identity() const { return factor == 1 && offset == 0; }
};

// The conversion from one unit to another of the same dimension. Equal units give exactly 1 and 0.
Affine unit_conversion(UnitMeaning const& from, UnitMeaning const& to);

enum class UnitFit {
  same_dimension,
  angle,          // they differ only in rad, as 1/s and rad/s do
  dimensionless,  // one of them is a plain number, the other is not
  unlike
};
UnitFit compare_units(UnitMeaning const& one, UnitMeaning const& other);

// None if the unit is not defined or has no base units.
std::optional<UnitMeaning> meaning_of(std::vector<StructureUnit> const& units, std::string_view name);
std::optional<UnitMeaning> meaning_of(ModelDescription const& description, std::string_view name);

// `kg.m2/s2`, for messages.
std::string dimension_text(UnitMeaning const& unit);

}  // namespace delassus
