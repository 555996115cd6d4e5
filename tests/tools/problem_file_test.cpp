// Contact problems as text: back to the same bits, and every mistake with its line.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <locale>
#include <random>

#include "tools/solve/problem_file.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/temporary_folder.hpp"

namespace delassus {
namespace {

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

// Not ==, for which -0 is 0.
void expect_same_bits(ContactProblem const& a, ContactProblem const& b) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t k = 0; k < a.blocks.size(); ++k) {
    EXPECT_EQ(a.blocks[k].first, b.blocks[k].first) << k;
    EXPECT_EQ(a.blocks[k].set.kind, b.blocks[k].set.kind) << k;
    EXPECT_EQ(bits(a.blocks[k].set.limit), bits(b.blocks[k].set.limit)) << k;
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ(bits(a.blocks[k].set.direction[i]), bits(b.blocks[k].set.direction[i])) << k;
  }
  ASSERT_EQ(a.b.size(), b.b.size());
  for (Eigen::Index i = 0; i < a.b.size(); ++i) EXPECT_EQ(bits(a.b[i]), bits(b.b[i])) << i;
  ASSERT_EQ(a.A.size(), b.A.size());
  for (std::size_t k = 0; k < a.A.size(); ++k) {
    ASSERT_EQ(a.A.row(k).size(), b.A.row(k).size()) << k;
    for (std::size_t e = 0; e < a.A.row(k).size(); ++e) {
      EXPECT_EQ(a.A.row(k)[e].column, b.A.row(k)[e].column) << k;
      for (Eigen::Index i = 0; i < 9; ++i)
        EXPECT_EQ(bits(a.A.row(k)[e].value(i)), bits(b.A.row(k)[e].value(i))) << k;
    }
  }
}

// One block of each kind, all of them coupled, with numbers of all sizes.
ContactProblem one_of_each_kind() {
  std::mt19937 random(20240607);
  std::uniform_real_distribution<double> share(-1, 1), exponent(-300, 300);
  auto const number = [&] { return share(random) * std::pow(10, exponent(random)); };
  std::vector<ProblemBlock> blocks;
  int rows = 0;
  for (int kind = 0; kind <= static_cast<int>(ForceSetKind::directed3); ++kind) {
    ForceSet set{static_cast<ForceSetKind>(kind)};
    bool const unlimited = is_free(set.kind) || set.kind == ForceSetKind::half_line ||
                           set.kind == ForceSetKind::directed2 || set.kind == ForceSetKind::directed3;
    if (!unlimited) set.limit = std::abs(number());
    if (set.kind == ForceSetKind::directed2) set.direction = {number(), 0};
    if (set.kind == ForceSetKind::directed3) set.direction = {number(), number()};
    blocks.push_back({rows, set});
    rows += rows_of(set.kind);
  }
  Eigen::MatrixXd const A = Eigen::MatrixXd::NullaryExpr(rows, rows, number);
  Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(rows, number);
  b[0] = -0.0;
  b[1] = std::numeric_limits<double>::denorm_min();
  b[2] = std::numeric_limits<double>::max();
  return ContactProblem::from_dense(A, b, blocks);
}

TEST(ProblemFile, BringsEveryKindOfSetBackToTheBit) {
  ContactProblem const problem = one_of_each_kind();
  std::string const text = problem_text(problem);
  ContactProblem const again = parse_problem(text, "again");
  expect_same_bits(again, problem);
  EXPECT_EQ(problem_text(again), text);
}

TEST(ProblemFile, BringsAProblemWithoutContactsBack) {
  ContactProblem const problem = parse_problem("0 0\n", "nothing");
  EXPECT_EQ(problem.b.size(), 0);
  EXPECT_EQ(problem.A.size(), 0u);
  EXPECT_EQ(problem_text(problem), "0 0\n");
}

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(ProblemFile, DoesNotDependOnTheLocale) {
  std::string const text = problem_text(one_of_each_kind());
  std::locale const before = std::locale::global(std::locale(std::locale(), new DecimalComma));
  std::string const abroad = problem_text(parse_problem(text, "abroad"));
  std::locale::global(before);
  EXPECT_EQ(abroad, text);
}

TEST(ProblemFile, ReadsConesWithAndWithoutTheirName) {
  ContactProblem const problem = parse_problem("2 0\n0.5 1 2 3\ncone3 0.5 1 2 3\n", "cones");
  for (ProblemBlock const& block : problem.blocks) {
    EXPECT_EQ(block.set.kind, ForceSetKind::cone3);
    EXPECT_EQ(block.set.limit, 0.5);
    EXPECT_EQ(problem.b.segment(block.first, 3), Eigen::Vector3d(1, 2, 3));
  }
  EXPECT_TRUE(problem_text(problem).starts_with("2 2\n0.5 1 2 3\n0.5 1 2 3\n"));
}

TEST(ProblemFile, TakesBlocksInAnyOrderAndMissingOnesAsZero) {
  ContactProblem const problem = parse_problem(
      "3 3\nfree2 1 2\nhalf_line 3\ninterval 4 5\n"
      "2 0 1 2 0 0 0 0 0 0 0\n1 1 7 0 0 0 0 0 0 0 0\n0 2 1 0 0 2 0 0 0 0 0\n",
      "shuffled");
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(4, 4);
  expected << 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 7, 0, 1, 2, 0, 0;
  EXPECT_EQ(problem.dense(), expected);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(problem.A.row(k)[0].column, static_cast<int>(k));
}

TEST(ProblemFile, IsContentWithCarriageReturnsTabsAndEmptyLinesAtTheEnd) {
  ContactProblem const problem =
      parse_problem("1\t1\r\n free1  -3 \r\n0 0 2 0 0 0 0 0 0 0 0\r\n\r\n \n", "x");
  EXPECT_EQ(problem.b[0], -3);
  EXPECT_EQ(problem.A.diagonal(0)(0, 0), 2);
}

struct Mistake {
  std::string text, message;
};

TEST(ProblemFile, NamesTheLineAndWhatIsExpectedForEveryMistake) {
  std::string const block = "0 0 1 0 0 0 1 0 0 0 1\n";
  std::string const good = "1 1\n0.5 0 0 1\n" + block;
  ASSERT_NO_THROW(parse_problem(good, "p"));
  Mistake const mistakes[] = {
      {"", "p:1: 0 fields where there should be 2; expected 'n m'"},
      {"\n" + good, "p:1: 0 fields"},
      {"1\n", "p:1: 1 field where there should be 2; expected 'n m'"},
      {"1 1 1\n", "p:1: 3 fields"},
      {"-1 0\n", "p:1: '-1' is not a whole number >= 0"},
      {"1.0 0\n", "p:1: '1.0' is not a whole number >= 0"},
      {"1 99999999999999999999999\n", "p:1: '99999999999999999999999' is not"},
      {"1 1\n", "p:2: the file ends after 0 of 1 contact, which is what line 1 promises"},
      {"999999999999 0\n0.5 0 0 1\n", "p:3: the file ends after 1 of 999999999999 contacts"},
      {"1 1\n\n0.5 0 0 1\n" + block, "p:2: an empty line after 0 of 1 contact"},
      {"1 1\n0.5 0 0 1\n", "p:3: the file ends after 0 of 1 block"},
      {"1 2\n0.5 0 0 1\n" + block, "p:4: the file ends after 1 of 2 blocks"},
      {"1 1\n0.5 0 1\n" + block, "p:2: 3 fields where there should be 4; expected 'mu b_t1 b_t2 b_n'"},
      {"1 1\n0.5 0 0 1 1\n" + block, "p:2: 5 fields where there should be 4"},
      {"1 1\n0.5 0 0 one\n" + block, "p:2: 'one' is not a finite number"},
      {"1 1\n0.5 0 0 nan\n" + block, "p:2: 'nan' is not a finite number"},
      {"1 1\n0.5 0 -inf 1\n" + block, "p:2: '-inf' is not a finite number"},
      {"1 1\nnan 0 0 1\n" + block, "p:2: 'nan' is not a finite number"},
      {"1 1\ninf 0 0 1\n" + block, "p:2: 'inf' is not a finite number"},
      {"1 1\n1e999 0 0 1\n" + block, "p:2: '1e999' is not a finite number"},
      {"1 1\n0,5 0 0 1\n" + block, "p:2: '0,5' is not a finite number"},
      {"1 1\n-0.5 0 0 1\n" + block, "p:2: '-0.5' is negative; mu and bounds are >= 0"},
      {"1 0\ndisc -1 0 0\n", "p:2: '-1' is negative"},
      {"1 0\ndisc 1 0\n", "p:2: 3 fields where there should be 4; expected 'disc LIMIT b1 b2'"},
      {"1 0\ndirected3 1 2 3 4\n", "expected 'directed3 D1 D2 b_t1 b_t2 b_n'"},
      {"1 0\nhalfline 1\n",
       "p:2: 'halfline' is neither a number nor a set of forces; did you mean 'half_line'?"},
      {"1 0\nsomething 1\n", "the sets are half_line, interval, disc, cone2"},
      {"1 1\n0.5 0 0 1\n0 1 1 0 0 0 1 0 0 0 1\n", "p:3: block 0 1: 1 is out of range; the 1 contact"},
      {"1 1\n0.5 0 0 1\n1 0 1 0 0 0 1 0 0 0 1\n", "p:3: block 1 0: 1 is out of range"},
      {"1 1\n0.5 0 0 1\n-1 0 1 0 0 0 1 0 0 0 1\n", "p:3: '-1' is not a whole number >= 0; expected 'i j a11"},
      {"1 1\n0.5 0 0 1\n0 0 1 0 0 0 1 0 0 0\n", "p:3: 10 fields where there should be 11; expected 'i j a11"},
      {"1 1\n0.5 0 0 1\n0 0 1 0 0 0 1 0 0 0 1 2\n", "p:3: 12 fields"},
      {"1 1\n0.5 0 0 1\n0 0 1 0 0 0 inf 0 0 0 1\n", "p:3: 'inf' is not a finite number"},
      {"1 2\n0.5 0 0 1\n" + block + block, "p:4: block 0 0 is given twice"},
      {"1 1\ncone2 0.5 0 1\n" + block, "p:3: a33 is 1; block 0 0 is 2 x 2 and must be zero beyond"},
      {good + "\nmore\n",
       "p:5: 'more' follows where the problem has ended: line 1 promises 1 contact and 1 block"},
      {good + block, "p:4: '0' follows where the problem has ended"},
  };
  for (auto const& [text, message] : mistakes) {
    try {
      parse_problem(text, "p");
      ADD_FAILURE() << "no error for\n" << text;
    } catch (ProblemFileError const& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
          << error.what() << "\nexpected " << message;
    }
  }
}

TEST(ProblemFile, NamesTheFileOfAMistakeAndTheOneThatIsMissing) {
  TemporaryFolder const folder;
  write_file(folder.path() / "bad.txt", "1\n");
  try {
    read_problem(folder.path() / "bad.txt");
    ADD_FAILURE();
  } catch (ProblemFileError const& error) {
    EXPECT_NE(std::string(error.what()).find("bad.txt:1: "), std::string::npos) << error.what();
  }
  EXPECT_THROW(read_problem(folder.path() / "missing.txt"), FileError);
}

TEST(ProblemFile, ReadsTheProblemsOfOthers) {
  std::filesystem::path const folder = std::filesystem::path(DELASSUS_TEST_DATA) / "fc3d";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  int files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    SCOPED_TRACE(entry.path());
    ++files;
    ContactProblem const problem = read_problem(entry.path());
    EXPECT_GT(problem.blocks.size(), 0u);
    EXPECT_EQ(problem.b.size(), static_cast<Eigen::Index>(3 * problem.blocks.size()));
    for (ProblemBlock const& block : problem.blocks) EXPECT_EQ(block.set.kind, ForceSetKind::cone3);
    expect_same_bits(parse_problem(problem_text(problem), "again"), problem);
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace delassus
