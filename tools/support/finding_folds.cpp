#include "tools/support/finding_folds.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace delassus {
namespace {

constexpr std::size_t most_shown = 3, fewest_folded = 3;

}  // namespace

std::vector<Finding> folded(std::vector<Finding> const& findings) {
  using Kind = std::pair<std::string, std::string>;
  std::map<Kind, std::size_t> count, seen;
  for (auto const& finding : findings) ++count[{finding.rule, finding.file}];
  std::vector<Finding> kept;
  for (auto const& finding : findings) {
    Kind const kind{finding.rule, finding.file};
    std::size_t const all = count[kind], place = seen[kind]++;
    if (all < most_shown + fewest_folded || place < most_shown) {
      kept.push_back(finding);
    } else if (place == most_shown) {
      Finding rest = finding;
      rest.message = fmt::format("and {} more of this kind, the next: {}", all - most_shown, finding.message);
      kept.push_back(std::move(rest));
    }
  }
  return kept;
}

}  // namespace delassus
