// A structure with its components: every element at its place, with structures that are components of others in
// their place, and the models loaded. What is wrong is found here and collected, not thrown, so that a user sees
// all of it at once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cosim/coupled_system.hpp"
#include "tools/import/backend.hpp"
#include "tools/ssp/structure_source.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

class FindingList {
 public:
  // The same finding from two places in a system that is there twice is one.
  void add(Finding finding);
  void add(std::string_view rule, std::string const& file, int line, std::string message, std::string remedy);
  // An error that a run can put up with.
  void add_tolerated(std::string_view rule, std::string const& file, int line, std::string message,
                     std::string remedy);
  bool has_errors() const;      // those that a run cannot put up with
  std::vector<Finding> take();  // sorted by file and line, those of the first file first

 private:
  std::vector<Finding> findings_;
};

struct SystemInstance {
  StructureElement const* element = nullptr;     // a system, also where `reference` names it; or a component
  StructureElement const* reference = nullptr;   // the component whose source is the structure of `element`
  std::shared_ptr<const StructureSource> scope;  // the file of `element`
  SystemInstance const* parent = nullptr;
  std::string name, path;                // arm; robot.arm, empty for the root
  std::optional<std::size_t> component;  // index in CosimSystem::components
  std::filesystem::path source_file;     // of a component, where it is a file
  std::vector<std::unique_ptr<SystemInstance>> children;

  bool is_component() const { return component.has_value(); }
  SystemInstance const* child(std::string_view child_name) const;
  std::string const& file() const { return scope->structure().file; }
};

// Adds the components to `system`, FMUs through `backend`. Those that cannot be loaded are left out, with a finding.
std::unique_ptr<SystemInstance> instantiate_structure(std::shared_ptr<const StructureSource> source,
                                                      CosimSystem& system, FindingList& findings,
                                                      ImportBackend backend);

// The signals that a connector or parameter of a component names: a scalar, the elements of an array, or an alias
// of FMI 3. Empty where there are none.
std::vector<std::size_t> component_signals(CosimComponent const& component, std::string_view name);

// The variable's name nearest to a wrong one, as a remedy.
std::string near_signal(CosimComponent const& component, std::string_view name, std::string const& otherwise);

}  // namespace delassus
