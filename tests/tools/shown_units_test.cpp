// Every picture and page shows what the description proposes (displayUnit), and a terminal gets text only.
#include <gtest/gtest.h>

#include "tests/support/program_run.hpp"

namespace delassus::test {
namespace {

constexpr char rod[] = R"(<scene name="rod">
  <gravity acceleration="0 -9.81"/>
  <experiment stop="0.02" step="0.01"/>
  <body name="rod" type="planar" mass="1">
    <rod half_length="0.5"/>
    <point name="end" fraction="-1"/>
    <initial angle="30deg" angular_velocity="90deg/s"/>
  </body>
  <joint name="pin" type="revolute" a="rod.end" b="ground"/>
</scene>)";

class ShownUnits : public Program {
 protected:
  void SetUp() override { write("rod.xml", rod); }
};

TEST_F(ShownUnits, AreDegreesInReports) {
  ASSERT_EQ(run("report rod.xml -o rod.html").code, 0);
  std::string const page = read_file(path("rod.html"));
  EXPECT_CONTAINS(page, R"("name":"rod.angle","unit":"deg")");
  EXPECT_CONTAINS(page, R"("name":"rod.angular_velocity","unit":"deg/s")");
  EXPECT_CONTAINS(page, R"("name":"rod.initial.angle","value":"30","unit":"deg")");
  EXPECT_EQ(page.find(R"("unit":"rad")"), std::string::npos);
}

TEST_F(ShownUnits, AreDegreesInPicturesOfSweeps) {
  for (std::string const kept : {"rod.angular_velocity", "max(rod.angular_velocity)"}) {
    auto const outcome = run("sweep rod.xml --vary rod.initial.angle=10deg:30deg:5 --keep '" + kept +
                             "' --plot rod.svg -o out.csv --restart");
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    std::string const svg = read_file(path("rod.svg"));
    EXPECT_CONTAINS(svg, "deg/s");
    EXPECT_CONTAINS(svg, "rod.initial.angle [deg]");
  }
}

TEST_F(ShownUnits, HaveNoPartInATableOfBytes) {
  write("bytes.csv", std::string("\x7f"
                                 "ELF\x02\x1b[31m\x00\xff,more\n1,2\n",
                                 22));
  Outcome const outcome = run("simulate rod.xml --input bytes.csv");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, R"(the first column is '\x7fELF\x02\x1b[31m\x00\xff'; it must be time)");
  for (char const c : outcome.errors)
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c < '\x7f')) << static_cast<int>(c);
}

TEST_F(ShownUnits, FolderIsNoPicture) {
  EXPECT_CONTAINS(run("simulate rod.xml --plot .").errors, "'.' is a folder");
  EXPECT_CONTAINS(run("simulate rod.xml --stop 0.01 --step 0.01 -o out.csv").errors,
                  "rod.xml: 1 step to 0.01 s");
}

}  // namespace
}  // namespace delassus::test
