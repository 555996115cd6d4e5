// What is skipped is told: each reason has a row in tests/skipped.txt that says what to do, tests/skipped.awk makes a table of
// it, and a claim that only such tests or benchmarks show has a remark "(needs ...)".
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/command_output.hpp"

namespace delassus::house {
namespace {

namespace fs = std::filesystem;

fs::path const skip_root = DELASSUS_ROOT;

std::string content_of(fs::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t count_of(std::string const& text, std::string const& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) ++count;
  return count;
}

// The table of a log, written by the program that tools/test runs.
std::string table_of(std::string const& log, std::string const& name) {
  fs::path const file = fs::path(testing::TempDir()) / ("skipped_" + name + ".log");
  std::ofstream(file) << log;
  std::string const tests = (skip_root / "tests").string();
  auto const table = test::output_of("awk -f '" + tests + "/skipped.awk' '" + tests + "/skipped.txt' '" +
                                     file.string() + "' 2>&1");
  fs::remove(file);
  return table;
}

// The texts of `GTEST_SKIP() << ... << "text"` statements; a path in between is written "folder/file".
std::vector<std::string> reasons_in(std::string const& source) {
  static std::regex const literal(R"re("((?:[^"\\]|\\.)*)")re");
  std::vector<std::string> reasons;
  for (auto at = source.find("GTEST_SKIP() "); at != std::string::npos;
       at = source.find("GTEST_SKIP() ", at + 1)) {
    auto const statement = source.substr(at, source.find(";\n", at) - at);
    std::string reason;
    for (std::sregex_iterator each(statement.begin(), statement.end(), literal), end; each != end; ++each)
      reason += each->str(1);
    if (reason.empty()) continue;  // a variable: the reason stands elsewhere
    reasons.push_back((reason.starts_with(" ") ? "\"folder/file\"" : "") + reason);
  }
  return reasons;
}

// All tests of the source can be skipped, or it is a benchmark.
bool needs_more(fs::path const& file) {
  if (file.generic_string().find("tests/benchmark/") != std::string::npos) return true;
  auto const text = content_of(file);
  auto const set_up = text.find("void SetUp()");
  bool const all =
      set_up != std::string::npos &&
      text.substr(set_up, text.find("\n  }", set_up) - set_up).find("GTEST_SKIP") != std::string::npos;
  std::size_t const tests = count_of(text, "\nTEST");
  return tests > 0 && (all || count_of(text, "GTEST_SKIP() ") >= tests);
}

// Some test of it can be skipped.
bool may_need_more(fs::path const& file) {
  return needs_more(file) || content_of(file).find("GTEST_SKIP()") != std::string::npos;
}

TEST(SkippedTests, HaveEachAReasonWithARowThatSaysWhatToDo) {
  std::string log;
  int reasons = 0;
  for (auto const& entry : fs::recursive_directory_iterator(skip_root / "tests")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    if (entry.path().filename() == "skipped_test.cpp") continue;
    for (auto const& reason : reasons_in(content_of(entry.path()))) {
      log += entry.path().filename().string() + ":1: Skipped\n" + reason + "\n";
      ++reasons;
    }
  }
  ASSERT_GT(reasons, 20);
  EXPECT_EQ(table_of(log, "all").find("no row in"), std::string::npos) << table_of(log, "all");
}

TEST(SkippedTests, AreCountedByReasonInOneTable) {
  auto const table = table_of(
      "[ RUN      ] A.B\n/a/b_test.cpp:46: Skipped\n\"/data/of/me/fc3d/x.txt\" is not there\n"
      "/a/c_test.cpp:3: Skipped\nno Chromium was found\n"
      "/a/b_test.cpp:46: Skipped\n\"/data/of/you/fc3d/x.txt\" is not there\nSkipped: what nobody knows\n",
      "few");
  EXPECT_NE(table.find("4 tests were skipped"), std::string::npos) << table;
  EXPECT_NE(table.find("     2  \"fc3d/x.txt\" is not there"), std::string::npos) << table;
  EXPECT_NE(table.find("tools/test --browser"), std::string::npos) << table;
  EXPECT_NE(table.find("no row in"), std::string::npos) << table;
  EXPECT_LT(table.find("fc3d"), table.find("Chromium")) << "the most frequent reason first\n" << table;
  EXPECT_NE(table_of("all is fine\n", "none").find("no test was skipped"), std::string::npos);
}

TEST(Claims, SayWhereACleanMachineDoesNotShowThem) {
  static std::regex const name(R"(`(tests/[a-z0-9_/]+\.cpp)`)");
  std::ifstream stream(skip_root / "tests/CLAIMS.md");
  int line_number = 0, rows = 0, remarks = 0;
  for (std::string line; std::getline(stream, line);) {
    ++line_number;
    std::vector<fs::path> files;
    for (std::sregex_iterator each(line.begin(), line.end(), name), end; each != end; ++each)
      files.push_back(skip_root / each->str(1));
    if (!line.starts_with("| ") || files.empty()) continue;
    ++rows;
    bool all = true, any = false;
    for (auto const& file : files) {
      ASSERT_TRUE(fs::exists(file)) << file << ", line " << line_number;
      bool const more = needs_more(file);
      all = all && more;
      any = any || may_need_more(file);
    }
    bool const remark = line.find("(needs ") != std::string::npos;
    remarks += remark ? 1 : 0;
    if (all) {
      EXPECT_TRUE(remark) << "CLAIMS.md:" << line_number << " needs a remark (needs ...): " << line;
    }
    if (!any) {
      EXPECT_FALSE(remark) << "CLAIMS.md:" << line_number << " is shown on a clean machine: " << line;
    }
  }
  EXPECT_GT(rows, 100);
  EXPECT_GT(remarks, 5);
}

}  // namespace
}  // namespace delassus::house
