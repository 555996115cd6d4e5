#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "tools/support/csv.hpp"

namespace delassus {
namespace {

std::string error_of(std::string const& text) {
  try {
    read_csv(text, "in.csv");
  } catch (CsvError const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Csv, HasTimeFirstThenTheNamesAndEndsLinesInLineFeeds) {
  TimeTable table;
  table.names = {"rod.position[1]", "a[1,2]"};
  table.add_row(0, {1.5, -0.1});
  table.add_row(0.1, {1e-300, 3});
  EXPECT_EQ(write_csv(table), "time,rod.position[1],\"a[1,2]\"\n0,1.5,-0.1\n0.1,1e-300,3\n");
}

TEST(Csv, ReadsBackEveryDoubleToTheBit) {
  constexpr unsigned seed = 20240611;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  TimeTable table;
  table.names = {"x", "with \"quotes\", and comma"};
  for (int i = 0; i < 10'000; ++i) {
    auto const value = [&] {
      double v = 0;
      do v = std::bit_cast<double>(random());
      while (!std::isfinite(v));
      return v;
    };
    table.add_row(i * 0.1, {value(), value()});
  }
  table.add_row(1e9, {std::numeric_limits<double>::infinity(), -0.0});
  TimeTable const back = read_csv(write_csv(table), "in.csv");
  EXPECT_EQ(back.names, table.names);
  EXPECT_EQ(back.time, table.time);
  EXPECT_EQ(back.columns, table.columns);
  EXPECT_TRUE(std::signbit(back.columns[1].back()));
}

TEST(Csv, ReadsWhatSpreadsheetsWrite) {
  TimeTable const table = read_csv("\xEF\xBB\xBF\"time\" , \"push[1]\"\r\n0, +1\r\n\r\n1 ,2\r\n", "in.csv");
  EXPECT_EQ(table.names, std::vector<std::string>{"push[1]"});
  EXPECT_EQ(table.time, (std::vector<double>{0, 1}));
  EXPECT_EQ(table.columns[0], (std::vector<double>{1, 2}));
}

TEST(Csv, NamesTheFileAndTheLineOfEveryMistake) {
  EXPECT_EQ(error_of(""), "in.csv:1: the file is empty; the first line names the columns: time,<name>,...");
  EXPECT_EQ(error_of("t,x\n0,1\n"),
            "in.csv:1: the first column is 't'; it must be time (columns are separated by commas)");
  EXPECT_EQ(error_of("time;x\n0;1\n"),
            "in.csv:1: the first column is 'time;x'; it must be time (columns are separated by commas)");
  EXPECT_EQ(error_of("time,x,x\n"), "in.csv:1: two columns are named 'x'");
  EXPECT_EQ(error_of("time,x,\n"), "in.csv:1: a column has no name");
  EXPECT_EQ(error_of("time,x\n"), "in.csv:2: no row follows the names of the columns");
  EXPECT_EQ(error_of("time,x\n0,1\n1\n"), "in.csv:3: 1 values; the first line names 2 columns");
  EXPECT_EQ(error_of("time,x\n0,1\n1,1,5\n"), "in.csv:3: 3 values; the first line names 2 columns");
  EXPECT_EQ(error_of("time,x\n0,one\n"),
            "in.csv:2: 'one' in column x is not a number; write it like 0.5 or 1e-3");
  EXPECT_EQ(error_of("time,x\n0,\n"), "in.csv:2: '' in column x is not a number; write it like 0.5 or 1e-3");
  EXPECT_EQ(error_of("time,x\n0,1\n\n-1,1\n"), "in.csv:4: time -1 comes after 0; times must not decrease");
  EXPECT_EQ(error_of("time,x\nnan,1\n"), "in.csv:2: time is nan; it must be a finite number");
  EXPECT_EQ(error_of("time,\"x\n0,1\n"), "in.csv:1: a quotation mark is not closed on its line");
}

TEST(Csv, HoldsTheLastRowAtOrBeforeATime) {
  TimeTable const table = read_csv("time,x\n0,1\n1,2\n1,3\n2,4\n", "in.csv");
  auto const x = [&](double t) { return table.columns[0][table.row_at(t, 1e-9)]; };
  EXPECT_EQ(x(-1), 1);
  EXPECT_EQ(x(0.999), 1);
  EXPECT_EQ(x(1 - 1e-12), 3);  // a communication point that missed the row by rounding
  EXPECT_EQ(x(1), 3);          // of two rows at one time the last
  EXPECT_EQ(x(7), 4);
}

TEST(Csv, DoesNotDependOnTheLocale) {
  std::string const before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr)
    GTEST_SKIP() << "no locale with a decimal comma is installed";
  TimeTable const table = read_csv("time,x\n0.5,1.5\n", "in.csv");
  EXPECT_EQ(table.columns[0][0], 1.5);
  EXPECT_EQ(write_csv(table), "time,x\n0.5,1.5\n");
  std::setlocale(LC_ALL, before.c_str());
}

// Names of a foreign FMU: a spreadsheet that opens the results computes nothing.
TEST(Csv, WritesNoNameThatASpreadsheetTakesForAFormula) {
  TimeTable table;
  table.names = {"=HYPERLINK(\"http://example.org\",\"x\")",
                 "+x",
                 "-x",
                 "@SUM(a)",
                 "\tx",
                 "'-x'",
                 "'=x'.y",
                 "-x'",
                 "''-x",
                 "'''=x'",
                 "'",
                 "''",
                 "'x'",
                 "a=b",
                 "-1",
                 "two\nlines",
                 "two\r\nlines, and \"quotes\""};
  table.columns.resize(table.names.size());
  table.add_row(0, std::vector<double>(table.names.size(), -1));
  std::string const text = write_csv(table);
  EXPECT_NE(text.find(",'+x,'-x,'@SUM(a),"), std::string::npos) << text;
  EXPECT_NE(text.find("\"'=HYPERLINK(\"\"http://example.org\"\",\"\"x\"\")\""), std::string::npos) << text;
  EXPECT_NE(text.find(",'-x','=x'.y,"), std::string::npos)
      << "FMI's own quotation is one apostrophe already: " << text;
  EXPECT_NE(text.find("\n0,-1,-1,"), std::string::npos) << "numbers stay numbers: " << text;
  for (std::string const sign : {"=", "+", "@", "\t", "-x"}) {
    EXPECT_EQ(text.find("," + sign), std::string::npos) << text;
    EXPECT_EQ(text.find(",\"" + sign), std::string::npos) << text;
  }
  EXPECT_EQ(read_csv(text, "in.csv").names, table.names);
}

TEST(Csv, WritesTextThatIsANumberAsItIs) {
  for (std::string const number : {"-1", "+0.5", "-1e-3", "1"}) EXPECT_EQ(csv_text(number), number);
  EXPECT_EQ(csv_text("-1+cmd()"), "'-1+cmd()");
}

TEST(Csv, CountsTheLinesOfANameInQuotationMarks) {
  EXPECT_EQ(read_csv("time,\"a\nb\"\n0,1\n", "in.csv").names, std::vector<std::string>{"a\nb"});
  EXPECT_EQ(error_of("time,\"a\nb\"\n0,one\n"),
            "in.csv:3: 'one' in column a\nb is not a number; write it like 0.5 or 1e-3");
}

}  // namespace
}  // namespace delassus
