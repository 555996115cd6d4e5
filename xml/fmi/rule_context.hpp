// Shared by the sources of the rules: the description, indexes into it, and the list of findings. Inner
// header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "xml/fmi/description.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

class RuleContext {
 public:
  explicit RuleContext(ModelDescription const& description);

  ModelDescription const& description() const { return description_; }
  int version() const { return description_.version; }

  // The severity comes from all_rules().
  void report(std::string_view rule, int line, std::string message, std::string remedy);

  // The variable that the model structure, a dependency or a `derivative` refers to: by an index from 1 in
  // FMI 2, by value reference in FMI 3. Null if there is none.
  DescribedVariable const* resolve(std::uint64_t reference) const;
  std::uint64_t reference_of(DescribedVariable const& variable) const;  // the inverse
  DescribedType const* type_of(DescribedVariable const& variable) const;

  // The attribute of a variable, or that of its declared type (FMI 3.0, 2.4.7.5: attributes of the type are
  // defaults).
  std::string effective(DescribedVariable const& variable, std::string DescribedVariable::*own,
                        std::string DescribedType::*declared) const;

  std::vector<Finding> take_findings();

 private:
  ModelDescription const& description_;
  std::vector<Finding> findings_;
  std::unordered_map<std::uint64_t, DescribedVariable const*> by_reference_;
  std::unordered_map<std::string, DescribedType const*> types_;
};

// One function for each topic, each in its own source.
void check_elements(RuleContext& context);  // rules_elements.cpp: names of elements and attributes
void check_document(RuleContext& context);  // rules_document.cpp: root, interfaces, experiment, categories
void check_types(RuleContext& context);     // rules_types.cpp: units, types, ranges
void check_variables(
    RuleContext& context);  // rules_variables.cpp: names, references, causality, dimensions, clocks
void check_clock_attributes(RuleContext& context);  // rules_clocks.cpp: clocks, previous, reinit
void check_starts(RuleContext& context);            // rules_start.cpp
void check_structure(RuleContext& context);         // rules_model_structure.cpp

// `variable "name"`, for messages.
std::string quoted(DescribedVariable const& variable);

}  // namespace delassus
