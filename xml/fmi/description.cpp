#include "xml/fmi/description.hpp"

#include <algorithm>
#include <limits>

#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

std::string attribute(std::map<std::string, std::string> const& attributes, std::string const& name) {
  auto const found = attributes.find(name);
  return found == attributes.end() ? std::string{} : found->second;
}

template <typename Named>
Named const* find_named(std::vector<Named> const& list, std::string const& name) {
  auto const found =
      std::find_if(list.begin(), list.end(), [&](Named const& each) { return each.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::string DescribedVariable::effective_causality() const {
  return causality.empty() ? "local" : causality;
}

// The default is continuous in FMI 2.0.4, 2.2.7. In FMI 3.0, 2.4.7.4, it depends on causality, then on type.
std::string DescribedVariable::effective_variability() const {
  if (!variability.empty()) return variability;
  if (version == 2) return "continuous";
  auto const by_causality = effective_causality();
  if (by_causality == "parameter" || by_causality == "structuralParameter" ||
      by_causality == "calculatedParameter") {
    return "fixed";
  }
  return is_float() ? "continuous" : "discrete";
}

// FMI 2.0.4, 2.2.7 and FMI 3.0, 2.4.7.5: the underlined entries of the tables "definition of initial".
std::string DescribedVariable::effective_initial() const {
  if (!initial.empty()) return initial;
  auto const by_causality = effective_causality();
  if (type == "Clock" || by_causality == "independent") return "";
  if (by_causality == "input") return version == 2 ? "" : "exact";
  if (by_causality == "parameter" || by_causality == "structuralParameter") return "exact";
  return effective_variability() == "constant" ? "exact" : "calculated";
}

std::uint64_t DescribedVariable::size() const {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t product = 1;
  for (auto const& dimension : dimensions) {
    auto const size = dimension.start.value_or(1);
    product =
        size != 0 && product > most / size ? most : product * size;  // foreign FMUs may have any dimensions
  }
  return product;
}

std::string DescribedInterface::model_identifier() const {
  return attribute(attributes, "modelIdentifier");
}

bool DescribedInterface::flag(std::string const& name) const {
  return parse_boolean(attribute(attributes, name)).value_or(false);
}

std::string ModelDescription::token() const {
  return attribute(attributes, std::string{token_attribute_name(version)});
}

DescribedInterface const* ModelDescription::interface(std::string const& kind) const {
  auto const found = std::find_if(interfaces.begin(), interfaces.end(),
                                  [&](DescribedInterface const& each) { return each.kind == kind; });
  return found == interfaces.end() ? nullptr : &*found;
}

DescribedVariable const* ModelDescription::find(std::string const& name) const {
  return find_named(variables, name);
}
DescribedType const* ModelDescription::type(std::string const& name) const {
  return find_named(types, name);
}
DescribedUnit const* ModelDescription::unit(std::string const& name) const {
  return find_named(units, name);
}

}  // namespace delassus
