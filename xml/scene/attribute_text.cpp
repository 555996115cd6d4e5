#include "xml/scene/attribute_text.hpp"

#include "model/scene/number.hpp"

namespace delassus {

std::string unit_text(Attribute const& attribute) {
  if (!attribute.unit_rule.empty()) return std::string(attribute.unit_rule);
  return attribute.unit == UnitId::one ? "" : std::string(unit(attribute.unit).name);
}

std::string range_text(Attribute const& attribute) {
  std::string const text = attribute.range.text();
  return text == any_number.text() ? "" : text;
}

std::string default_text(Attribute const& attribute) {
  if (!attribute.left_out.empty()) return std::string(attribute.left_out);
  return attribute.fallback ? format_number(*attribute.fallback) : "";
}

}  // namespace delassus
