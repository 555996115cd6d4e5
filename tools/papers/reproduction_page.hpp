// The reproductions as one page that needs nothing else, and as JSON for scripts.
#pragma once

#include <string>
#include <vector>

#include "tools/papers/reproduction.hpp"

namespace delassus {

// Well-formed XML that is also HTML; pictures are inside, `folder` is where the links to their files point. No script,
// nothing is loaded.
std::string write_page(std::vector<ReproducedPaper> const& papers, std::string const& folder);

std::string write_json(std::vector<ReproducedPaper> const& papers, std::string const& folder);

}  // namespace delassus
