// The checker against FMUs with one defect each: tests/broken_fmu.c.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "tests/broken_fmu.hpp"
#include "tools/archive.hpp"
#include "tools/atomic_file.hpp"
#include "tools/child_process.hpp"
#include "tools/fmu_check.hpp"
#include "tools/temporary_folder.hpp"

namespace delassus {
namespace {

std::map<std::string, std::string> broken_files() {
  return {{"modelDescription.xml", broken_fmu_description},
          {"binaries/linux64/broken.so", read_file(DELASSUS_BROKEN_FMU)}};
}

CheckReport check_with(std::map<std::string, std::string> const& files, double timeout = 20) {
  TemporaryFolder const folder;
  write_file(folder.path() / "broken.fmu", make_archive(files));
  return check_fmu(folder.path() / "broken.fmu", {.timeout = timeout, .schema_folder = {}});
}

CheckReport check_with_defect(char const* defect, double timeout = 20) {
  ::setenv("DELASSUS_DEFECT", defect, 1);
  CheckReport report = check_with(broken_files(), timeout);
  ::unsetenv("DELASSUS_DEFECT");
  return report;
}

std::string text_of(CheckReport const& report) {
  std::string text;
  for (auto const& finding : report.findings) text += finding.rule + ": " + finding.message + "\n";
  return text;
}

TEST(Checker, FindsNothingInACorrectFmu) {
  CheckReport const report = check_with_defect("none");
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
  EXPECT_TRUE(report.exercised);
  EXPECT_FALSE(report.failed);
}

TEST(Checker, FindsThatAnFmuCrashesAndSaysWhere) {
  CheckReport const report = check_with_defect("crash");
  EXPECT_TRUE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "run-survives");
  EXPECT_EQ(report.findings[0].message, "crashed with signal 11 (Segmentation fault) while initialising");
}

TEST(Checker, FindsThatAnFmuHangsAndEndsIt) {
  auto const before = std::chrono::steady_clock::now();
  CheckReport const report = check_with_defect("hang", 1);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
  EXPECT_TRUE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "run-ends");
  EXPECT_NE(report.findings[0].message.find("while making 10 steps"), std::string::npos)
      << report.findings[0].message;
}

TEST(Checker, FindsThatAnFmuEndsItsHost) {
  CheckReport const report = check_with_defect("exit");
  EXPECT_TRUE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "run-survives");
  EXPECT_NE(report.findings[0].message.find("exit code 0"), std::string::npos) << report.findings[0].message;
}

TEST(Checker, ReportsWhatAnFmuLogsWhenItRefuses) {
  CheckReport const report = check_with_defect("refuse");
  EXPECT_TRUE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_NE(report.findings[0].message.find("this FMU refuses to be instantiated"), std::string::npos)
      << report.findings[0].message;
}

struct DefectCase {
  char const* defect;
  char const* rule;
};

class CheckerOfDefects : public testing::TestWithParam<DefectCase> {};

TEST_P(CheckerOfDefects, NamesTheRuleThatTheDefectBreaks) {
  CheckReport const report = check_with_defect(GetParam().defect);
  ASSERT_FALSE(report.findings.empty());
  for (auto const& finding : report.findings) {
    EXPECT_EQ(finding.rule, GetParam().rule) << finding.message;
    EXPECT_FALSE(finding.remedy.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Defects, CheckerOfDefects,
    testing::Values(DefectCase{"version", "binary-version"}, DefectCase{"token", "token-checked"},
                    DefectCase{"leak", "memory-balance"}, DefectCase{"reset", "reset-reproduces"},
                    DefectCase{"nan", "value-finite"}, DefectCase{"rollback", "rollback-exact"},
                    DefectCase{"serialize", "serialisation-exact"}, DefectCase{"cut", "state-validated"},
                    DefectCase{"error", "run-succeeds"}, DefectCase{"abort", "run-survives"}),
    [](auto const& info) { return std::string(info.param.defect); });

TEST(Checker, FindsThatInstancesShareTheirState) {
  std::string const text = text_of(check_with_defect("shared"));
  EXPECT_NE(text.find("instances-independent"), std::string::npos) << text;
}

TEST(Checker, FindsThatALibraryIsNoLibrary) {
  auto files = broken_files();
  files["binaries/linux64/broken.so"] = "not a library";
  CheckReport const report = check_with(files);
  EXPECT_TRUE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "binary-loads");
}

TEST(Checker, FindsThatThereIsNoBinaryOrNoDescription) {
  auto files = broken_files();
  files.erase("binaries/linux64/broken.so");
  EXPECT_NE(text_of(check_with(files)).find("archive-binaries"), std::string::npos);
  files.erase("modelDescription.xml");
  files["readme"] = "x";
  EXPECT_NE(text_of(check_with(files)).find("archive-description"), std::string::npos);
}

TEST(Checker, NamesTheLineWhereADescriptionIsNoXml) {
  auto files = broken_files();
  files["modelDescription.xml"] = "<fmiModelDescription>\n<\n";
  CheckReport const report = check_with(files);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "description-readable");
  EXPECT_GT(report.findings[0].line, 0);
}

TEST(Checker, LeavesNoTemporaryFolderBehindAnFmuThatCrashes) {
  TemporaryFolder const folder;
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  check_with_defect("crash");
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ChildProcess, KeepsWhatWasSentBeforeACrash) {
  ChildReport const report = run_in_child(
      [](ChildSend const& send) {
        send("before");
        std::abort();
      },
      20);
  EXPECT_EQ(report.end, ChildEnd::crashed);
  EXPECT_EQ(report.output, "before");
}

}  // namespace
}  // namespace delassus
