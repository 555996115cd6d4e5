// The rules of the house hold in this tree; and each of them finds what breaks it in a small tree made for it.
#include "tests/house/house_rules.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/command_output.hpp"

namespace delassus::house {
namespace {

namespace fs = std::filesystem;

fs::path const root = DELASSUS_ROOT;

std::vector<Room> rooms() {
  return read_rooms(root / "tests/house/folders.txt");
}

// Each finding as a failure of its own, at its file and line.
void expect_none(Findings const& findings) {
  for (Finding const& finding : findings)
    ADD_FAILURE_AT((root / finding.file).c_str(), finding.line)
        << finding.file.string() << ": " << finding.rule;
}

TEST(House, HasIncludesThatPointOneWayBetweenRoomsAndFolders) {
  expect_none(includes_against_the_order(root, rooms()));
}
TEST(House, HasAPlaceInTheOrderForEveryFolder) {
  expect_none(folders_without_a_place(root, rooms()));
}
TEST(House, HasNoFolderAbove35Sources) {
  expect_none(crowded_folders(root, 35));
}
TEST(House, HasAHeaderForEverySource) {
  expect_none(sources_without_a_header(root, rooms()));
}
TEST(House, HasNoTwoSourcesOfOneName) {
  expect_none(names_that_mean_two_things(root, rooms()));
}
TEST(House, PrintsInOnePlaceWhereNothingIsLost) {
  expect_none(prints_that_can_fail(root, rooms()));
}
TEST(House, HasPagesThatAreReadInOneGo) {
  expect_none(long_pages(root, rooms(), 900, 700));
}
TEST(House, WrapsMarkdownAt120Characters) {
  expect_none(long_lines(root, 120));
}
TEST(House, IsWrittenAsClangFormat14WritesIt) {
  std::string const program = DELASSUS_CLANG_FORMAT;
  if (program.empty()) GTEST_SKIP() << "clang-format is not installed";
  std::string const version = test::output_of(program + " --version");
  if (version.find("version 14.") == std::string::npos)
    GTEST_SKIP() << "needs clang-format 14, since others write other lines; here is " << version;

  std::string files;
  for (fs::path const& file : project_files(root)) {
    if (is_source(file)) files += " '" + file.string() + "'";
  }
  std::string const findings =
      test::output_of("cd '" + root.string() + "' && " + program + " --dry-run" + files + " 2>&1");
  EXPECT_EQ(findings, "") << "run " << program << " -i on these files";
}
TEST(House, NamesNoFolderOfOneMachine) {
  expect_none(paths_of_a_machine(root));
}

// A tree with a folder `model/low` before `model/high`, and `tools/top` behind both.
class SampleTree : public testing::Test {
 protected:
  SampleTree() { fs::remove_all(tree_), fs::create_directories(tree_); }
  ~SampleTree() override { fs::remove_all(tree_); }

  void write(std::string const& file, std::string const& text) const {
    fs::create_directories((tree_ / file).parent_path());
    std::ofstream(tree_ / file) << text;
  }

  fs::path const tree_ =
      fs::path(testing::TempDir()) /
      ("house_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::vector<Room> const rooms_ = {{"model", {"low", "high", "high/inner"}}, {"tools", {"top"}}};
};

// Files and lines of findings, as text.
std::string where(Findings const& findings) {
  std::string text;
  for (Finding const& finding : findings)
    text += finding.file.generic_string() + ":" + std::to_string(finding.line) + " ";
  return text;
}

TEST_F(SampleTree, HasFindingsWhereIncludesPointToTheRight) {
  write("model/low/a.hpp", "#pragma once\n");
  write("model/low/b.hpp", "#include <vector>\n\n#include \"model/high/c.hpp\"\n");
  write("model/high/c.hpp", "#include \"model/low/a.hpp\"\n#include \"tools/top/d.hpp\"\n");
  write("model/high/inner/e.hpp", "#include \"model/high/c.hpp\"\n#include \"model/low/a.hpp\"\n");
  write("tools/top/d.hpp",
        "#include \"model/high/inner/e.hpp\"\n#include \"d.hpp\"\n#include \"tests/t.hpp\"\n");
  write("tests/t.hpp", "#include \"tools/top/d.hpp\"\n#include \"model/high/c.hpp\"\n");
  EXPECT_EQ(where(includes_against_the_order(tree_, rooms_)),
            "model/high/c.hpp:2 model/low/b.hpp:3 tools/top/d.hpp:2 tools/top/d.hpp:3 ");
}

TEST_F(SampleTree, HasAFindingWhereAFolderHasNoPlace) {
  write("model/low/a.hpp", "");
  write("model/new/b.hpp", "");
  write("model/c.hpp", "");
  write("model/scenes/d.xml", "");
  EXPECT_EQ(where(folders_without_a_place(tree_, rooms_)), "model:1 model/new:1 ");
}

TEST_F(SampleTree, HasAFindingWhereAFolderIsCrowded) {
  for (char const* name : {"a.cpp", "a.hpp", "b.c", "b.h"}) write(std::string("tests/four/") + name, "");
  for (char const* name : {"a.cpp", "a.hpp", "b.c", "c.xml"}) write(std::string("tests/three/") + name, "");
  EXPECT_EQ(where(crowded_folders(tree_, 3)), "tests/four:1 ");
}

TEST_F(SampleTree, HasAFindingWhereASourceHasNoHeader) {
  write("model/low/joint.hpp", "");
  write("model/low/joint.cpp", "");
  write("model/low/joint_in_space_rows.cpp", "");
  write("model/low/joints.cpp", "");
  write("model/high/joint.cpp", "");
  write("tools/top/main.cpp", "");
  write("tests/joint_test.cpp", "");
  EXPECT_EQ(where(sources_without_a_header(tree_, rooms_)), "model/high/joint.cpp:1 model/low/joints.cpp:1 ");
}

TEST_F(SampleTree, HasFindingsWhereOneNameMeansTwoThings) {
  write("fmu/fmi2/component.cpp", "");
  write("fmu/fmi3/component.cpp", "");
  write("model/low/archive.hpp", "");
  write("model/low/contact.hpp", "");
  write("model/high/contacts.hpp", "");
  write("tools/top/archive.cpp", "");
  std::vector<Room> rooms = rooms_;
  rooms.push_back({"fmu", {"fmi2", "fmi3"}});
  EXPECT_EQ(where(names_that_mean_two_things(tree_, rooms)), "tools/top/archive:1 model/high/contacts:1 ");
}

TEST_F(SampleTree, HasFindingsWhereSomethingIsPrintedPastTheStreams) {
  write("model/low/a.cpp", "std::snprintf(text, size, format);\nfmt::print(stderr, text);\n");
  write("model/high/b.cpp", "std::cerr << text;\nprint_message(text);\nfprintf(stderr, text);\n");
  write("tools/top/c.cpp", "// std::cout\nfmt::format(text);\n  puts (text);\noutputs(text);\n");
  write("tools/examples/d.c", "puts(text);\n");
  write("tests/e.cpp", "puts(text);\n");
  EXPECT_EQ(where(prints_that_can_fail(tree_, rooms_)),
            "model/high/b.cpp:1 model/high/b.cpp:3 model/low/a.cpp:2 tools/top/c.cpp:1 tools/top/c.cpp:3 ");
}

TEST_F(SampleTree, HasFindingsWhereAPageIsLongOrMissing) {
  write("README.md", "one two\nthree  four\n");
  write("model/README.md", "one two three");
  write("tests/README.md", "one two");
  EXPECT_EQ(where(long_pages(tree_, rooms_, 4, 2)), "model/README.md:1 tools/README.md:1 ");
  EXPECT_EQ(where(long_pages(tree_, rooms_, 3, 3)), "README.md:1 tools/README.md:1 ");
}

TEST_F(SampleTree, HasFindingsInProseThatIsTooWide) {
  std::string const wide(12, 'x');
  write("a.md", wide + "\n" + "| " + wide + " |\n```\n" + wide + "\n```\n" + wide + "\n");
  write("b.md", "[word](https://" + wide + ")\nêêêêêêêêêê\nêêêêêêêêêêê\n");
  write("c.txt", wide);
  EXPECT_EQ(where(long_lines(tree_, 10)), "a.md:1 a.md:6 b.md:3 ");
}

TEST_F(SampleTree, HasFindingsWhereAPathOfAMachineStands) {
  std::string const slash = "/";
  write("a.md", "in\n`" + slash + "home/somebody/delassus`\n");
  write("b.cpp", "char const* file = \"" + slash + "work/main/a.xml\";\n");
  write("c.md", "/usr/share/doc, ~/projects/main, network/home/page and /rooted\n");
  EXPECT_EQ(where(paths_of_a_machine(tree_)), "a.md:2 b.cpp:1 ");
}

TEST_F(SampleTree, LeavesOutBuildAndHiddenFolders) {
  write("build/a.cpp", "");
  write("build-sanitize/a.cpp", "");
  write(".git/a.cpp", "");
  write("model/low/build/a.cpp", "");
  write(".clang-format", "");
  EXPECT_EQ(project_files(tree_), (std::vector<fs::path>{".clang-format", "model/low/build/a.cpp"}));
}

}  // namespace
}  // namespace delassus::house
