// README's figures of speed are those of tools/benchmark: they stand between its two comments, with date and processor, and
// nowhere else; and the script finds them in what the benchmarks print.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "tests/support/command_output.hpp"

namespace delassus::house {
namespace {

namespace fs = std::filesystem;

fs::path const speed_root = DELASSUS_ROOT;
constexpr char const* speed_comment = "<!-- speed";
constexpr char const* speed_end = "<!-- end of speed";

std::string page_of(fs::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(SpeedFigures, OfTheReadmeStandBetweenTheCommentsWithDateAndProcessor) {
  auto page = page_of(speed_root / "README.md");
  auto const begin = page.find(speed_comment), end = page.find(speed_end);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  auto const inside = page.substr(begin, end - begin);
  EXPECT_TRUE(std::regex_search(inside, std::regex(R"(On one core of .+ \(\d{4}-\d\d-\d\d)"))) << inside;
  page.erase(begin, end - begin);
  std::smatch found;
  EXPECT_FALSE(std::regex_search(
      page, found,
      std::regex(R"(\d ?(ns|us|µs|ms)\b|\d minutes|steps a second|runs a second|times as fast)")))
      << "\"" << found.str() << "\" stands outside of the two comments: let tools/benchmark write it";
}

TEST(SpeedFigures, AreTakenFromWhatTheBenchmarksPrint) {
  fs::path const folder = fs::path(testing::TempDir()) / "speed_figures";
  fs::create_directories(folder);
  std::ofstream(folder / "one_contact") << "name,iterations,cpu_time,\"each\",\"wrong\"\n"
                                           "\"solve_block_of_mix/0\",10,3.9,4.81694e-08,0\n";
  std::ofstream(folder / "whole_steps") << "ten boxes, each on top of the other\n"
                                           "  ours       30303 steps/s, 40 contacts at the end\n"
                                           "a hundred spheres fall into a bin\n"
                                           "  ours         812 steps/s, 300 contacts at the end\n";
  std::ofstream(folder / "fmu")
      << "FMI 2: a step of one box on a slope 9.9 us in process, 8.8 us through doStep: -1.1 %\n"
         "FMI 3: a step of one box on a slope 3.31 us in process, 3.46 us through doStep: 4 %\n";
  std::ofstream(folder / "cosim")
      << "FMI 3  jacobi       degree 0  no states                 3.24e+06 steps/s\n";
  fs::path const page = folder / "page.md";
  std::ofstream(page) << "before\n<!-- speed -->\nold 7 ns\n<!-- end of speed -->\nafter\n";
  std::string const script =
      "'" + (speed_root / "tools/benchmark").string() + "' --from '" + folder.string() + "'";
  auto const printed = test::output_of(script + " --write '" + page.string() + "' 2>&1");
  auto const text = std::regex_replace(page_of(page), std::regex("\n"), " ");
  EXPECT_TRUE(std::regex_search(
      text,
      std::regex(
          R"(^before <!-- speed --> On one core of .+ \(\d{4}-\d\d-\d\d\): one contact 48 ns; )"
          R"(a step of ten stacked boxes 33 us, of a hundred falling spheres 1,200 us; )"
          R"(`doStep` with a box on a slope 3\.5 us; 3,200,000 communication steps a second of two FMUs\. )"
          R"(<!-- end of speed --> after $)")))
      << text << printed;

  fs::remove(folder / "cosim");
  EXPECT_NE(test::output_of(script + " --short 2>&1").find("has not the figure"), std::string::npos);
  EXPECT_EQ(page_of(page).find("  "), std::string::npos) << "unchanged where a figure is missing";
  fs::remove_all(folder);
}

}  // namespace
}  // namespace delassus::house
