// The FMU's shared library as a file: what it needs, what it shows, and that it shows all of the standards'
// functions.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/command_output.hpp"
#include "tools/import/fmu.hpp"

namespace delassus {
namespace {

using test::output_of;

std::string const binary = DELASSUS_FMU_BINARY;

TEST(FmuBinary, DependsOnTheCLibraryAlone) {
#ifdef DELASSUS_SANITIZED
  GTEST_SKIP() << "a sanitizer brings its own libraries";
#endif
  std::istringstream lines(output_of("objdump -p '" + binary + "' | grep NEEDED"));
  std::set<std::string> needed;
  for (std::string word, name; lines >> word >> name;) needed.insert(name);
  ASSERT_FALSE(needed.empty());
  std::set<std::string> const allowed{"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2",
                                      "ld-linux-aarch64.so.1"};
  for (std::string const& name : needed) EXPECT_TRUE(allowed.contains(name)) << name;
}

// What fmu/old_glibc.c is for. 2.17 is of 2012: the oldest system that importers of today still run on has it.
TEST(FmuBinary, LoadsWhereTheCLibraryIsOfVersion2_17) {
#ifdef DELASSUS_SANITIZED
  GTEST_SKIP() << "a sanitizer asks for what it needs";
#endif
  std::istringstream lines(output_of("objdump -T '" + binary + "' | grep -F '*UND*'"));
  int versions = 0;
  for (std::string line; std::getline(lines, line);) {
    std::size_t const at = line.find("(GLIBC_");
    if (at == std::string::npos) continue;
    int major = 0, minor = 0;
    ASSERT_EQ(std::sscanf(line.c_str() + at, "(GLIBC_%d.%d", &major, &minor), 2) << line;
    EXPECT_LE(std::pair(major, minor), std::pair(2, 17)) << line;
    ++versions;
  }
  EXPECT_GT(versions, 50);  // the list was read
}

TEST(FmuBinary, ExportsTheFmiFunctionsAndNothingElse) {
  std::istringstream lines(output_of("nm -D --defined-only '" + binary + "'"));
  std::set<std::string> exported;
  for (std::string line; std::getline(lines, line);) {
    std::string const name = line.substr(line.rfind(' ') + 1);
    EXPECT_TRUE(name.starts_with("fmi2") || name.starts_with("fmi3")) << name;
    exported.insert(name);
  }
  for (char const* const name : fmi_function_names(2, std::nullopt))
    EXPECT_TRUE(exported.contains(name)) << name;
  for (char const* const name : fmi_function_names(3, std::nullopt))
    EXPECT_TRUE(exported.contains(name)) << name;
  EXPECT_EQ(exported.size(), 44U + 75U);  // the functions of fmi2Functions.h and fmi3Functions.h
}

}  // namespace
}  // namespace delassus
