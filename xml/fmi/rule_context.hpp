// What the sources of the rules share: the description, indexes into it, and the list of findings. For this
// room only.
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

  // The severity is the rule's, from all_rules().
  void report(std::string_view rule, int line, std::string message, std::string remedy);

  // Where the model structure, a dependency or a `derivative` points: an index from 1 in FMI 2, a value
  // reference in FMI 3. Null where it points nowhere.
  DescribedVariable const* resolve(std::uint64_t reference) const;
  std::uint64_t reference_of(DescribedVariable const& variable) const;  // the inverse
  DescribedType const* type_of(DescribedVariable const& variable) const;

  // A variable's own attribute, or the one of its declared type (FMI 3.0, 2.4.7.5: its attributes are used as
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

// One per theme, each in its own source.
void check_elements(RuleContext& context);  // element_rules.cpp: what the standard names
void check_document(RuleContext& context);  // document_rules.cpp: root, interfaces, experiment, categories
void check_types(RuleContext& context);     // type_rules.cpp: units, types, ranges
void check_variables(
    RuleContext& context);  // variable_rules.cpp: names, references, causality, dimensions, clocks
void check_clock_attributes(RuleContext& context);  // clock_rules.cpp: clocks, previous, reinit
void check_starts(RuleContext& context);            // start_rules.cpp
void check_structure(RuleContext& context);         // structure_rules.cpp

// `variable "name"`, for messages.
std::string quoted(DescribedVariable const& variable);

}  // namespace delassus
