// The rules for XML files that may accompany modelDescription.xml in an FMU: terminals and icons, the build
// description, and the manifests of layered standards. They are read like all XML here: no DOCTYPE, no
// entities, limited size.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xml/fmi/description.hpp"
#include "xml/fmi/rules.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

struct CompanionContext {
  ModelDescription const& description;
  std::function<bool(std::string const& name)> has_entry;  // of the archive, by its full name
};

// Every rule that the findings of these functions can name.
std::span<const Rule> companion_rules();

// `file` is only for messages.
std::vector<Finding> check_terminals(std::string const& text, std::string const& file,
                                     CompanionContext const& context);
std::vector<Finding> check_build_description(std::string const& text, std::string const& file,
                                             CompanionContext const& context);
// `folder`: the folder below extra/ that holds the manifest.
std::vector<Finding> check_manifest(std::string const& text, std::string const& file,
                                    std::string const& folder);

}  // namespace delassus
