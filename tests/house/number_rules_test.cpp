#include "tests/house/number_rules.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace delassus::house {
namespace {

namespace fs = std::filesystem;

TEST(HouseNumbers, ComeFromNoFunctionThatDiffersBetweenLibraries) {
  fs::path const root = DELASSUS_ROOT;
  for (Finding const& finding :
       functions_of_the_c_library(root, read_rooms(root / "tests/house/folders.txt"))) {
    ADD_FAILURE() << finding.file.generic_string() << ":" << finding.line << ": " << finding.rule;
  }
}

TEST(HouseNumbers, HaveFindingsWhereTheCLibraryIsCalled) {
  fs::path const tree = fs::path(testing::TempDir()) / "house_numbers";
  fs::remove_all(tree);
  auto const write = [&](std::string const& file, std::string const& text) {
    fs::create_directories((tree / file).parent_path());
    std::ofstream(tree / file) << text;
  };
  write("model/low/a.hpp", "double a = std::sin(1);\ndouble b = elementary::sin(1);  // not std::sin\n");
  write("model/low/b.cpp",
        "using std::pow;\nthrow std::logic_error(\"\");\ndouble c = ::exp(2), d = std::sqrt(2);\n");
  write("model/low/c.cpp",
        "std::normal_distribution<double> x;\nEigen::AngleAxisd y;\ndouble z = std::fmax(1, 2);\n");
  write("tools/low/d.cpp", "double e = std::fmax(1, 2);\ndouble f = std::hypot(1, 2);\n");
  write("tools/examples/e.cpp", "double g = std::sin(1);\n");
  write("tests/f.cpp", "double g = std::sin(1);\n");
  std::string found;
  for (Finding const& finding : functions_of_the_c_library(tree, {{"model", {"low"}}, {"tools", {"low"}}}))
    found += finding.file.generic_string() + ":" + std::to_string(finding.line) + " ";
  EXPECT_EQ(found,
            "model/low/a.hpp:1 model/low/b.cpp:1 model/low/b.cpp:3 model/low/c.cpp:1 model/low/c.cpp:2 "
            "model/low/c.cpp:3 tools/low/d.cpp:2 ");
  fs::remove_all(tree);
}

}  // namespace
}  // namespace delassus::house
