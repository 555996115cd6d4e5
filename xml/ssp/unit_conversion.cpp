#include "xml/ssp/unit_conversion.hpp"

#include <algorithm>

#include "model/scene/unit.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

constexpr std::size_t radian_index = 7;

std::array<int, 8> without_radian(std::array<int, 8> exponents) {
  exponents[radian_index] = 0;
  return exponents;
}

bool is_number(UnitMeaning const& unit) {
  return unit.exponents == std::array<int, 8>{};
}

}  // namespace

Affine unit_conversion(UnitMeaning const& from, UnitMeaning const& to) {
  if (from.factor == to.factor && from.offset == to.offset) return {};
  return {from.factor / to.factor, (from.offset - to.offset) / to.factor};
}

UnitFit compare_units(UnitMeaning const& one, UnitMeaning const& other) {
  if (one.exponents == other.exponents) return UnitFit::same_dimension;
  if (without_radian(one.exponents) == without_radian(other.exponents)) return UnitFit::angle;
  if (is_number(one) || is_number(other)) return UnitFit::dimensionless;
  return UnitFit::unlike;
}

std::optional<UnitMeaning> meaning_of(std::vector<StructureUnit> const& units, std::string_view name) {
  auto const found = std::ranges::find(units, name, &StructureUnit::name);
  if (found == units.end()) return std::nullopt;
  return UnitMeaning{found->exponents, found->factor, found->offset};
}

std::optional<UnitMeaning> meaning_of(ModelDescription const& description, std::string_view name) {
  auto const* const unit = description.unit(std::string{name});
  // A unit without BaseUnit is only a name. The unit of plain numbers needs none.
  if (unit == nullptr || unit->base_unit.empty())
    return name == "1" ? std::optional(UnitMeaning{}) : std::nullopt;
  UnitMeaning meaning;
  auto const text = [&](std::string_view key) {
    auto const found = unit->base_unit.find(std::string{key});
    return found == unit->base_unit.end() ? std::string{} : found->second;
  };
  for (std::size_t i = 0; i < base_unit_names.size(); ++i)
    meaning.exponents[i] = parse_integer<int>(text(base_unit_names[i])).value_or(0);
  meaning.factor = parse_double(text("factor")).value_or(1);
  meaning.offset = parse_double(text("offset")).value_or(0);
  return meaning;
}

std::string dimension_text(UnitMeaning const& unit) {
  std::string above, below;
  for (std::size_t i = 0; i < base_unit_names.size(); ++i) {
    int const exponent = unit.exponents[i];
    if (exponent == 0) continue;
    auto& side = exponent > 0 ? above : below;
    side += (side.empty() ? "" : ".") + std::string{base_unit_names[i]};
    if (std::abs(exponent) > 1) side += std::to_string(std::abs(exponent));
  }
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return above + "/" + (below.find('.') == std::string::npos ? below : "(" + below + ")");
}

}  // namespace delassus
