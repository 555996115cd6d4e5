// How lists of what variables depend on are collected and shared. In a pile of n bodies n variables depend on n others: each
// list is made once for all that have it, so that a table takes time and room in proportion to the scene.
#include "fmu/table/variable_table_builder.hpp"

namespace delassus {

void VariableTableBuilder::append_all(Meaning meaning, Dependencies::Indices const& indices, Parts& to) {
  for (int const index : indices.own()) append_one(meaning, index, to);
  auto& translated = translated_[static_cast<std::size_t>(meaning)];
  for (auto const& part : indices.parts()) {
    auto const [place, is_new] = translated.try_emplace(part.get(), Translated{part, {}});
    if (is_new) {
      Parts all;
      for (int const index : *part) append_one(meaning, index, all);
      place->second.to = Parts::shared(all.merged());
    }
    to.append(place->second.to);
  }
}

void VariableTableBuilder::append_one(Meaning meaning, int index, Parts& to) {
  switch (meaning) {
    case Meaning::parameter: {
      // Hidden and constant parameters are not knowns.
      Variable const* const variable = variable_of_parameter(index);
      if (variable && variable->causality != Causality::local) to.add(variable->value_reference);
      return;
    }
    case Meaning::inputs:
      return append_of(inputs_of_body_, index, to);
    case Meaning::motions:
      return append_of(motions_of_body_, index, to);
    case Meaning::positions:
      return append_of(positions_of_body_, index, to);
    case Meaning::velocities:
      return append_of(velocities_of_body_, index, to);
    case Meaning::deflections:
      return append_of(deflections_of_body_, index, to);
    case Meaning::start_motions:
      if (dependencies_.constrains_velocities(index))
        append_all(Meaning::motions, dependencies_.cluster(index), to);
      return;
  }
}

void VariableTableBuilder::append_of(ReferencesOf const& references_of, int key, Parts& to) {
  if (auto const found = references_of.find(key); found != references_of.end()) {
    for (std::uint32_t const reference : found->second) to.add(reference);
  }
}

void VariableTableBuilder::append_settings(Parts& to) {
  if (shared_settings_.empty()) shared_settings_ = Parts::shared(settings_);
  to.append(shared_settings_);
}

References VariableTableBuilder::share(Parts parts) {
  parts.normalise();
  if (parts.parts().empty()) return {parts.own()};
  if (parts.own().empty() && parts.parts().size() == 1) return References(parts.parts().front());
  std::vector<void const*> addresses;
  for (auto const& part : parts.parts()) addresses.push_back(part.get());
  auto const [place, is_new] = unions_.try_emplace({std::move(addresses), parts.own()});
  if (is_new) place->second = {parts, {parts.merged()}};
  return place->second.references;
}

}  // namespace delassus
