#include "tools/import/state_structure.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "tools/import/instance_interfaces.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// FMI 2 counts variables from 1, FMI 3 has value references.
DescribedVariable const* referred_variable(ModelDescription const& description, std::uint64_t reference) {
  auto const& variables = description.variables;
  if (description.version == 2)
    return reference >= 1 && reference <= variables.size() ? &variables[reference - 1] : nullptr;
  auto const found = std::ranges::find_if(
      variables, [&](DescribedVariable const& each) { return each.value_reference == reference; });
  return found == variables.end() ? nullptr : &*found;
}

struct StatePlace {
  std::size_t first = 0, count = 0;
};

}  // namespace

StateStructure state_structure(ModelDescription const& description) {
  StateStructure structure;
  std::map<std::uint32_t, StatePlace> places;  // by the value reference of the state
  std::vector<DescribedUnknown const*> unknowns;
  std::vector<std::size_t> counts;
  for (auto const& unknown : description.model_structure) {
    if (unknown.list != derivatives_list.name(description.version)) continue;
    auto const* const derivative = referred_variable(description, unknown.reference);
    auto const state_reference =
        derivative == nullptr ? std::nullopt : parse_integer<std::uint64_t>(derivative->derivative);
    auto const* const state = state_reference ? referred_variable(description, *state_reference) : nullptr;
    // The number of elements of an array may be a parameter, which only the FMU knows.
    if (state == nullptr || !state->value_reference || !derivative->value_reference ||
        std::ranges::any_of(state->dimensions,
                            [](auto const& each) { return each.value_reference.has_value(); }))
      return {};
    auto const count = static_cast<std::size_t>(state->size());
    places[*state->value_reference] = {structure.size, count};
    structure.states.push_back(*state->value_reference);
    structure.derivatives.push_back(*derivative->value_reference);
    structure.size += count;
    unknowns.push_back(&unknown);
    counts.push_back(count);
  }
  auto const* const interface =
      description.interface(std::string(interface_element(InterfaceKind::model_exchange)));
  structure.directional_derivatives =
      interface != nullptr && interface->flag(description.version == 2 ? "providesDirectionalDerivative"
                                                                       : "providesDirectionalDerivatives");
  std::vector<std::size_t> all(structure.size);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> rows;
  bool anything_said = false;
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    std::vector<std::size_t> row;
    if (unknowns[k]->dependencies) {
      anything_said = true;
      for (auto const reference : *unknowns[k]->dependencies) {
        auto const* const known = referred_variable(description, reference);
        if (known == nullptr || !known->value_reference || !known->is_float()) continue;
        auto const place = places.find(*known->value_reference);
        if (place == places.end()) continue;
        for (std::size_t i = 0; i < place->second.count; ++i) row.push_back(place->second.first + i);
      }
      std::ranges::sort(row);
      row.erase(std::unique(row.begin(), row.end()), row.end());
    } else {
      row = all;
    }
    for (std::size_t i = 0; i < counts[k]; ++i) rows.push_back(row);
  }
  if (anything_said) structure.dependencies = std::move(rows);
  return structure;
}

}  // namespace delassus
