// The report of `delassus reproduce`: that it is whole, that what it compares is compared rightly, and that the numbers
// which it shows are those of the papers. The numbers themselves are tested one by one where they are computed.
#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/markup_check.hpp"
#include "tests/support/program_run.hpp"
#include "tools/papers/peiret_arm.hpp"
#include "tools/papers/reproduction_page.hpp"

namespace delassus {
namespace {

using test::Outcome;
class Reproduce : public test::Program {};

TEST(PrintedValue, AgreesWithWhatRoundsToIt) {
  ReproducedValue value = compared("mu_jam", "", printed("0.421"), .420786822510);
  EXPECT_TRUE(value.agrees_with_print());
  value.ours = .4215;
  EXPECT_TRUE(value.agrees_with_print());
  value.ours = .4216;
  EXPECT_FALSE(value.agrees_with_print());
  EXPECT_FALSE(value.holds()) << "another number without a reason";
  value.reason = "a misprint";
  EXPECT_TRUE(value.holds());
  EXPECT_NEAR(printed("1.5e-3").tolerance, 5e-5, 1e-10);
  EXPECT_NEAR(printed("-9.766").tolerance, 5e-4, 1e-9);
}

TEST(PrintedValue, HasNoExcuseWhereTheNumberComputedApartIsMissed) {
  ReproducedValue value = compared("t", "s", {}, 2.0, 2.0 + 1e-6, 1e-7);
  EXPECT_FALSE(value.holds());
  value.reason = "none that counts";
  EXPECT_FALSE(value.holds());
  value.bound = 2e-6;
  EXPECT_TRUE(value.holds());
}

TEST(ReproductionPage, EscapesWhatItIsGiven) {
  ReproducedPaper paper;
  paper.key = "a";
  paper.title = "a < b & \"c\"";
  paper.items = {{"Fig. 1", "<i>", {"x < y"}, {}, {compared("q < r", "m/s2", printed("1"), 1, 1, 0)}}};
  std::string const page = write_page({paper}, "page_files");
  EXPECT_TRUE(test::is_well_formed(page)) << page;
  EXPECT_EQ(page.find("<i>"), std::string::npos);
  EXPECT_CONTAINS(page, "q &lt; r");
}

// (42) with the misprint corrected is the mass matrix of three rods: its kinetic energy is that of the rods themselves,
// integrated along them.
TEST(PeiretArm, HasTheKineticEnergyOfItsRods) {
  PeiretArm arm;
  arm.theta = {0.3, 1.1, -0.4};
  arm.rates << 0.7, -0.2, 1.3, 0.5;
  double const by_matrix = 0.5 * arm.rates.dot(arm.M() * arm.rates);
  double energy = 0, x = 0, xdot = 0, zdot = 0;
  constexpr std::array<double, 3> length{PeiretArm::L1, PeiretArm::L2, PeiretArm::L3};
  for (std::size_t i = 0; i < 3; ++i) {
    double const c = std::cos(arm.theta[i]), s = std::sin(arm.theta[i]),
                 rate = arm.rates[static_cast<Eigen::Index>(i)];
    int const n = 20000;
    for (int k = 0; k < n; ++k) {
      double const r = length[i] * (k + .5) / n;
      double const vx = xdot - r * s * rate, vz = zdot + r * c * rate, vy = (x + r * c) * arm.rates[3];
      energy += 0.5 * arm.rho * length[i] / n * (vx * vx + vy * vy + vz * vz);
    }
    xdot -= length[i] * s * rate;
    zdot += length[i] * c * rate;
    x += length[i] * c;
  }
  EXPECT_NEAR(by_matrix, energy, 1e-9);
}

TEST_F(Reproduce, NamesThePapersWhereItDoesNotKnowOne) {
  Outcome const outcome = run("reproduce peirett -o p.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "kikuuwe, peiret, song, blumentals, oprea, convergence");
  EXPECT_CONTAINS(outcome.errors, "did you mean 'peiret'?");
  EXPECT_EQ(run("reproduce").code, 2);
  EXPECT_CONTAINS(run("reproduce --help").output, "delassus reproduce -o report.html");
}

TEST_F(Reproduce, MakesOnePaperAlone) {
  Outcome const outcome = run("reproduce peiret -o p.html --json");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(exists("p.html"));
  EXPECT_TRUE(exists("p_files/peiret_fig_6.svg"));
  EXPECT_FALSE(exists("p_files/song_fig_4a.svg"));
  EXPECT_CONTAINS(outcome.output, "\"paper\": \"peiret\"");
  EXPECT_EQ(outcome.output.find("\"paper\": \"song\""), std::string::npos);
}

TEST_F(Reproduce, MakesTheWholeReportWithEveryFigureAndEveryDeviationWithinItsBound) {
  Outcome const outcome = run("reproduce -o report.html --json");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_CONTAINS(outcome.output, "\"failures\": 0");
  std::string const page = read_file(path("report.html"));
  EXPECT_TRUE(test::is_well_formed(page));
  test::expect_self_contained(page);
  EXPECT_EQ(page.find("not as stated"), std::string::npos);

  std::set<std::string> const figures{"kikuuwe_brogliato_5_1_velocity",
                                      "kikuuwe_brogliato_5_1_force",
                                      "kikuuwe_brogliato_fig_4",
                                      "kikuuwe_brogliato_5_3_motion",
                                      "kikuuwe_brogliato_5_3_force",
                                      "kikuuwe_brogliato_fig_6",
                                      "kikuuwe_brogliato_fig_7",
                                      "kikuuwe_brogliato_solutions",
                                      "peiret_fig_2_left",
                                      "peiret_fig_2_right",
                                      "peiret_fig_3_left",
                                      "peiret_fig_3_right",
                                      "peiret_fig_4",
                                      "peiret_fig_5",
                                      "peiret_fig_6",
                                      "song_fig_4a",
                                      "song_fig_4b",
                                      "song_fig_4c",
                                      "song_case_1_order",
                                      "song_fig_5a",
                                      "song_fig_5b",
                                      "song_fig_7a",
                                      "song_fig_7b",
                                      "blumentals_fig_1b",
                                      "blumentals_fig_1c",
                                      "blumentals_fig_2b",
                                      "blumentals_fig_2c",
                                      "oprea_fig_4",
                                      "oprea_fig_5",
                                      "oprea_clipping",
                                      "convergence",
                                      "paradox_velocity",
                                      "paradox_force"};
  std::set<std::string> there;
  for (auto const& entry : std::filesystem::directory_iterator(path("report_files")))
    there.insert(entry.path().stem().string());
  EXPECT_EQ(there, figures);
  for (auto const& name : figures) {
    EXPECT_CONTAINS(page, "<figure id=\"" + name + "\">");
    ASSERT_TRUE(exists("report_files/" + name + ".svg")) << name;
    ASSERT_TRUE(exists("report_files/" + name + ".csv")) << name;
    test::expect_picture(read_file(path("report_files/" + name + ".svg")), name);
    std::string const csv = read_file(path("report_files/" + name + ".csv"));
    EXPECT_GT(std::ranges::count(csv, '\n'), 4) << name;
  }

  // A print that differs is a finding of ours about the print: a new one is not to slip in behind some reason.
  std::set<std::string> differing;
  for (std::size_t at = outcome.output.find("\"print_agrees\": false"); at != std::string::npos;
       at = outcome.output.find("\"print_agrees\": false", at + 1)) {
    std::size_t const name = outcome.output.rfind("{\"name\": \"", at) + 10;
    differing.insert(outcome.output.substr(name, outcome.output.find('"', name) - name));
  }
  std::set<std::string> const known{"share of loads that clipping gets wrong",
                                    "speed after 40 s where |f_e| = F",
                                    "\u03b8\u2082 at A",
                                    "\u03b8\u2083 at A",
                                    "x at A",
                                    "locking angle at A, \u03bc = 0.5",
                                    "u\u0307_t2, free part with \u03c4\u2081 = 5 N\u00b7m (48)",
                                    "u\u0307_t1, free part with all terms of c, from the scene",
                                    "u\u0307_t2, free part with all terms of c, from the scene",
                                    "u\u0307_n, free part with all terms of c, from the scene",
                                    "A < 0, B > 0",
                                    "sliding reverses, rigid (FMU)",
                                    "stick phase at the reversal, rigid (FMU)",
                                    "sliding reverses, \u03b3 = 1 mm/s (FMU)",
                                    "cells in the print's strip without a unique solution",
                                    "solutions at 60\u00b0, \u03bc\u2081 = \u03bc\u2082 = 0.9, under gravity",
                                    "bound at 45\u00b0, normal into the room",
                                    "bound at 45\u00b0, normal into the wall"};
  EXPECT_EQ(differing, known);
}

}  // namespace
}  // namespace delassus
