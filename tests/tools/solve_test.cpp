// `delassus solve` as a user and a script meet it, and the problems that `delassus simulate` writes for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program_run.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/json.hpp"

namespace delassus {
namespace {

using test::Outcome;

// A mass of 1 kg on the ground, at rest, pushed by 3 N of the 4.905 N that friction can hold: A = I, and eta = 0
// gives lambda = b.
constexpr char stick[] = "1 1\n0.5 3 0 9.81\n0 0 1 0 0 0 1 0 0 0 1\n";
// The same pushed by 6 N: friction is at its bound, 0.5 times 9.81.
constexpr char slip[] = "1 1\n0.5 6 0 9.81\n0 0 1 0 0 0 1 0 0 0 1\n";
// A joint that no force can close.
constexpr char impossible[] = "1 0\nfree1 1\n";

class Solve : public test::Program {
 protected:
  Json json(std::string const& arguments) const {
    Outcome const outcome = run("solve --json " + arguments);
    EXPECT_LE(outcome.code, 1) << outcome.errors;
    return Json::parse(outcome.output);
  }
  std::vector<std::string> files(std::string const& folder) const {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(path(folder)))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
};

std::vector<std::string> lines(std::string const& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

TEST_F(Solve, PrintsAnAlignedTable) {
  write("stick.txt", stick);
  write("a much longer name.txt", slip);
  Outcome const outcome = run("solve stick.txt 'a much longer name.txt' --repeat 3");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  auto const rows = lines(outcome.output);
  ASSERT_EQ(rows.size(), 3u) << outcome.output;
  for (std::string const heading :
       {"problem", "contacts", "status", "scale-free", "Siconos", "iterations", "part", "time, us"})
    EXPECT_CONTAINS(rows[0], heading);
  for (auto const& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << outcome.output;
  EXPECT_TRUE(rows[1].starts_with("stick.txt "));
  EXPECT_EQ(rows[1].find("converged"), rows[0].find("status"));
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(Solve, PrintsTheForcesAsJson) {
  write("stick.txt", stick);
  write("a \"slip\".txt", slip);
  Json const tree = json("stick.txt 'a \"slip\".txt' --repeat 2 --tolerance 1e-12");
  ASSERT_EQ(tree.size(), 2u);
  Json const& first = tree.front();
  Json const& second = tree.back();
  EXPECT_EQ(first.at("problem").get<std::string>(), "stick.txt");
  EXPECT_EQ(second.at("problem").get<std::string>(), "a \"slip\".txt");
  EXPECT_EQ(first.at("contacts").get<int>(), 1);
  EXPECT_EQ(first.at("rows").get<int>(), 3);
  EXPECT_EQ(first.at("status").get<std::string>(), "converged");
  EXPECT_EQ(first.at("solves").get<int>(), 2);
  EXPECT_GT(first.at("time_us").get<double>(), 0);
  EXPECT_LT(first.at("scale_free_residual").get<double>(), 1e-12);
  EXPECT_LT(first.at("siconos_residual").get<double>(), 1e-12);
  std::vector<double> const stuck = first.at("lambda").get<std::vector<double>>();
  std::vector<double> const slipped = second.at("lambda").get<std::vector<double>>();
  ASSERT_EQ(stuck.size(), 3u);
  ASSERT_EQ(slipped.size(), 3u);
  EXPECT_NEAR(stuck[0], 3, 1e-12);
  EXPECT_NEAR(stuck[2], 9.81, 1e-12);
  EXPECT_NEAR(slipped[0], 0.5 * 9.81, 1e-12);
  EXPECT_NEAR(slipped[2], 9.81, 1e-12);
}

TEST_F(Solve, KnowsTheOtherLaws) {
  write("slip.txt", slip);
  // (78): the force is the projection of b on the cone, where A = I; (80): b clamped at its own normal force.
  double const cosine = 2 / std::sqrt(5.0), sine = 1 / std::sqrt(5.0);
  double const along = 6 * sine + 9.81 * cosine;
  auto const projected =
      json("slip.txt --law anitescu-tasora").front().at("lambda").get<std::vector<double>>();
  EXPECT_NEAR(projected[0], along * sine, 1e-7);
  EXPECT_NEAR(projected[2], along * cosine, 1e-7);
  auto const clamped = json("slip.txt --law nakaoka").front().at("lambda").get<std::vector<double>>();
  EXPECT_NEAR(clamped[0], 0.5 * 9.81, 1e-7);
  EXPECT_NEAR(clamped[2], 9.81, 1e-7);
}

TEST_F(Solve, TakesEveryMethodAndMeasure) {
  write("stick.txt", stick);
  for (std::string const method : {"auto", "gauss-seidel", "newton", "interior-point", "proximal", "path"}) {
    for (std::string const measure : {"scale-free", "siconos"}) {
      Outcome const outcome =
          run("solve stick.txt --repeat 1 --iterations 100 --method " + method + " --measure " + measure);
      EXPECT_EQ(outcome.code, 0) << method << " " << measure << "\n" << outcome.output << outcome.errors;
    }
  }
}

TEST_F(Solve, EndsWithOneWhereAProblemIsNotSolved) {
  std::filesystem::create_directory(path("problems"));
  write("problems/b.txt", impossible);
  write("problems/a.txt", stick);
  write("problems/notes.md", "no problem");
  Outcome const outcome = run("solve problems --repeat 1");
  EXPECT_EQ(outcome.code, 1);
  auto const rows = lines(outcome.output);
  ASSERT_EQ(rows.size(), 3u) << outcome.output;
  EXPECT_TRUE(rows[1].starts_with("a.txt "));
  EXPECT_CONTAINS(rows[1], "converged");
  EXPECT_TRUE(rows[2].starts_with("b.txt "));
  EXPECT_CONTAINS(rows[2], "inconsistent");
  EXPECT_CONTAINS(outcome.errors, "1 of 2 problems did not converge");
}

TEST_F(Solve, EndsWithTwoForBadUsage) {
  write("stick.txt", stick);
  write("bad.txt", "1 1\n0.5 0 0\n");
  std::filesystem::create_directory(path("empty"));
  for (std::string const arguments :
       {"", "stick.txt --tolerance 0", "stick.txt --tolerance 1,5", "stick.txt --measure metres",
        "stick.txt --method guess", "stick.txt --law amontons", "stick.txt --repeat 0",
        "stick.txt --repeat some", "stick.txt --iterations -1", "stick.txt --history missing/history.csv"})
    EXPECT_EQ(run("solve " + arguments).code, 2) << arguments;
  Outcome const missing = run("solve missing.txt");
  EXPECT_EQ(missing.code, 2);
  EXPECT_CONTAINS(missing.errors, "cannot read missing.txt: No such file or directory");
  Outcome const empty = run("solve empty");
  EXPECT_EQ(empty.code, 2);
  EXPECT_CONTAINS(empty.errors, "empty has no problems");
  Outcome const bad = run("solve stick.txt bad.txt");
  EXPECT_EQ(bad.code, 2);
  EXPECT_CONTAINS(bad.errors, "bad.txt:2: 3 fields where there should be 4");
  EXPECT_EQ(bad.output, "") << "mistakes are found before the first problem is solved";
}

TEST_F(Solve, WritesTheHistoryAsCsv) {
  write("a, b.txt", stick);
  ASSERT_EQ(run("solve 'a, b.txt' --repeat 1 --history history.csv").code, 0);
  auto const rows = lines(read_file(path("history.csv")));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0], "problem,island,part,iterations,residual");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_TRUE(rows[i].starts_with("\"a, b.txt\",0,")) << rows[i];
    EXPECT_EQ(std::ranges::count(rows[i], ','), 5) << rows[i];
  }
}

TEST_F(Solve, SolvesWhatARunHasWrittenToTheForcesOfTheRun) {
  Outcome const run_outcome =
      run("simulate sliding_block --stop 0.5 --step 0.05 -o run.csv --dump-problems problems");
  ASSERT_EQ(run_outcome.code, 0) << run_outcome.errors;
  EXPECT_CONTAINS(run_outcome.errors, "problems: 11 contact problems");
  auto const names = files("problems");
  ASSERT_EQ(names.size(), 11u);
  EXPECT_EQ(names.front(), "sliding_block-00.txt");
  EXPECT_EQ(names.back(), "sliding_block-10.txt");
  TimeTable const table = read_csv(read_file(path("run.csv")), "run.csv");
  auto const column = [&](std::string const& name) {
    return table
        .columns[static_cast<std::size_t>(std::ranges::find(table.names, name) - table.names.begin())];
  };
  Json const tree = json("problems --repeat 1 --tolerance 1e-12");
  ASSERT_EQ(tree.size(), 11u);
  std::size_t row = 0;
  for (auto const& entry : tree) {
    EXPECT_EQ(entry.at("status").get<std::string>(), "converged");
    double tangential = 0, normal = 0;
    auto const lambda = entry.at("lambda").get<std::vector<double>>();
    for (std::size_t i = 0; i + 1 < lambda.size(); i += 2) {
      tangential += lambda[i];
      normal += lambda[i + 1];
    }
    EXPECT_NEAR(tangential, column("block_ground.force[1]")[row], 1e-8) << row;
    EXPECT_NEAR(normal, column("block_ground.force[2]")[row], 1e-8) << row;
    ++row;
  }
}

TEST_F(Solve, SaysWhereTheMatrixIsNotSymmetricAndSolvesItAsWritten) {
  write("skew.txt", "1 1\n0.5 3 0 9.81\n0 0 1 0 0.25 0 1 0 0.5 0 1\n");
  Outcome const skew = run("solve skew.txt --repeat 1");
  EXPECT_EQ(skew.code, 0) << skew.errors;
  EXPECT_CONTAINS(skew.errors,
                  "skew.txt: A is not symmetric: a13 of block 0 0 is 0.25, and a31 of block 0 0 is 0.5");
  EXPECT_CONTAINS(skew.errors, "solved as written");
  // Only one of the two blocks off the diagonal is stored.
  write(
      "half.txt",
      "2 3\nhalf_line 1\nhalf_line 1\n0 0 2 0 0 0 0 0 0 0 0\n1 1 2 0 0 0 0 0 0 0 0\n0 1 1 0 0 0 0 0 0 0 0\n");
  EXPECT_CONTAINS(run("solve half.txt --repeat 1").errors,
                  "a11 of block 0 1 is 1, and a11 of block 1 0 is 0");
  // What differs by rounding is symmetric.
  write("rounded.txt", "1 1\n0.5 3 0 9.81\n0 0 1 0 0.25 0 1 0 0.2500000000000001 0 1\n");
  EXPECT_EQ(run("solve rounded.txt --repeat 1").errors, "");
}

TEST_F(Solve, WritesOneInSoManyProblemsAndNoneInFreeFlight) {
  ASSERT_EQ(
      run("simulate sliding_block --stop 0.5 --step 0.05 --dump-problems thin/folder --dump-every 4").code,
      0);
  EXPECT_EQ(files("thin/folder"), (std::vector<std::string>{"sliding_block-00.txt", "sliding_block-04.txt",
                                                            "sliding_block-08.txt"}));
  Outcome const flight = run("simulate bouncing_ball --stop 0.01 --step 0.005 --dump-problems flight");
  EXPECT_EQ(flight.code, 0);
  EXPECT_EQ(flight.output, "");
  EXPECT_TRUE(files("flight").empty());
}

TEST_F(Solve, DumpsDoNotChangeTheRun) {
  ASSERT_EQ(run("simulate falling_rod -o plain.csv").code, 0);
  ASSERT_EQ(run("simulate falling_rod -o dumped.csv --dump-problems problems").code, 0);
  EXPECT_EQ(read_file(path("dumped.csv")), read_file(path("plain.csv")));
}

TEST_F(Solve, RefusesToDumpWhatAnFmuDoesNotShow) {
  ASSERT_EQ(run("build impact -o impact.fmu").code, 0);
  for (std::string const arguments :
       {"impact.fmu --dump-problems problems", "impact --fmi 2 --dump-problems problems",
        "impact --fmi 3 --dump-problems problems"}) {
    Outcome const outcome = run("simulate " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_CONTAINS(outcome.errors, "an FMU does not show its contact problems");
  }
  EXPECT_FALSE(exists("problems"));
  EXPECT_EQ(run("simulate impact --dump-every 2").code, 2);
  EXPECT_EQ(run("simulate impact --dump-problems problems --dump-every 0").code, 2);
  write("file", "");
  EXPECT_CONTAINS(run("simulate impact --dump-problems file/folder").errors, "cannot make the folder");
}

}  // namespace
}  // namespace delassus
