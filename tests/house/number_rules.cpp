#include "tests/house/number_rules.hpp"

#include <algorithm>
#include <fstream>
#include <regex>

namespace delassus::house {
namespace {

namespace fs = std::filesystem;

std::string without_comment(std::string const& line) {
  return line.substr(0, line.find("//"));
}

}  // namespace

Findings functions_of_the_c_library(fs::path const& root, std::vector<Room> const& rooms) {
  static std::regex const everywhere(
      R"re((^|[^\w:])(std)?::(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|log|log2|)re"
      R"re(log10|log1p|pow|cbrt|hypot|erf|erfc|tgamma|lgamma|lerp|polar|\w+_distribution|generate_canonical)\b|)re"
      R"re(Eigen::(AngleAxis|Rotation2D))re");
  static std::regex const in_motion(R"re(std::(fmin|fmax|fma)\b)re");
  Findings findings;
  for (fs::path const& file : project_files(root)) {
    if (!is_source(file) || file.extension() == ".c") continue;
    std::string const room = file.begin()->string();
    bool const known =
        std::any_of(rooms.begin(), rooms.end(), [&](Room const& each) { return each.name == room; });
    if (!known || file.generic_string().starts_with("tools/examples/")) continue;
    bool const moves = room == "model" || room == "solver" || room == "fmu";
    std::ifstream stream(root / file);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
      std::string const code = without_comment(line);
      std::smatch match;
      if (std::regex_search(code, match, everywhere)) {
        findings.push_back({file, number,
                            "calls " + match.str() +
                                ", whose last digits differ between libraries and processors: use "
                                "model/numbers/elementary.hpp"});
      } else if (moves && std::regex_search(code, match, in_motion)) {
        findings.push_back(
            {file, number,
             "calls " + match.str() + ", which differs between libraries: write the comparison or std::max"});
      }
    }
  }
  return findings;
}

}  // namespace delassus::house
