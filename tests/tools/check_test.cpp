// The checker against FMUs with one defect each: tests/broken_fmu.c.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <tuple>

#include "tests/support/broken_fmu.hpp"
#include "tools/check/check_rules.hpp"
#include "tools/check/fmu_check.hpp"
#include "tools/import/fmu.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/child_process.hpp"
#include "tools/support/finding_folds.hpp"
#include "tools/support/temporary_folder.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/fmi/companion_rules.hpp"
#include "xml/fmi/rules.hpp"
#include "xml/ssp/structure_rules.hpp"

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

CheckReport check_with_defect(char const* defect, double timeout = 20,
                              std::map<std::string, std::string> const& files = broken_files()) {
  ::setenv("DELASSUS_DEFECT", defect, 1);
  CheckReport report = check_with(files, timeout);
  ::unsetenv("DELASSUS_DEFECT");
  return report;
}

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  auto const at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::map<std::string, std::string> model_exchange_files() {
  auto files = broken_files();
  files["modelDescription.xml"] =
      replaced(broken_fmu_description, broken_fmu_co_simulation, broken_fmu_model_exchange);
  return files;
}

std::map<std::string, std::string> fmi3_files() {
  return {{"modelDescription.xml", broken_fmu3_description},
          {"binaries/x86_64-linux/broken.so", read_file(DELASSUS_BROKEN_FMU3)}};
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
  EXPECT_EQ(report.findings[0].message, "crashed while initialising (signal 11, Segmentation fault)");
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
#ifdef DELASSUS_SANITIZED
  std::string const code = "exit code";  // the leak checker may change it
#else
  std::string const code = "exit code 0";
#endif
  EXPECT_NE(report.findings[0].message.find(code), std::string::npos) << report.findings[0].message;
}

TEST(Checker, ReportsWhatAnFmuLogsWhenItRefuses) {
  CheckReport const report = check_with_defect("refuse");
  EXPECT_TRUE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_NE(report.findings[0].message.find("this FMU refuses to be instantiated"), std::string::npos)
      << report.findings[0].message;
}

enum class Kind { co_simulation, model_exchange, indicator, fmi3 };

struct DefectCase {
  char const* defect;
  char const* rule;
  Kind kind = Kind::co_simulation;
  bool failed = false;
};

// Model Exchange with one event indicator.
std::map<std::string, std::string> indicator_files() {
  auto files = model_exchange_files();
  auto& description = files["modelDescription.xml"];
  description = replaced(description, "numberOfEventIndicators=\"0\"", "numberOfEventIndicators=\"1\"");
  return files;
}

std::map<std::string, std::string> files_of(Kind kind) {
  return kind == Kind::fmi3             ? fmi3_files()
         : kind == Kind::indicator      ? indicator_files()
         : kind == Kind::model_exchange ? model_exchange_files()
                                        : broken_files();
}

class CheckerOfDefects : public testing::TestWithParam<DefectCase> {};

TEST_P(CheckerOfDefects, NamesTheRuleThatTheDefectBreaks) {
  CheckReport const report = check_with_defect(GetParam().defect, 20, files_of(GetParam().kind));
  ASSERT_FALSE(report.findings.empty());
  SCOPED_TRACE(text_of(report));
  for (auto const& finding : report.findings) {
    EXPECT_EQ(finding.rule, GetParam().rule) << finding.message;
    EXPECT_FALSE(finding.remedy.empty());
  }
  EXPECT_EQ(report.failed, GetParam().failed);
}

constexpr DefectCase defects[] = {
    {"version", "binary-version"},
    {"token", "token-checked"},
    {"leak", "memory-balance"},
    {"reset", "reset-reproduces"},
    {"nan", "value-finite"},
    {"rollback", "rollback-exact"},
    {"consumed", "rollback-exact"},
    {"serialize", "serialisation-exact"},
    {"cut", "state-validated"},
    {"error", "run-succeeds", Kind::co_simulation, true},
    {"abort", "run-survives", Kind::co_simulation, true},
    {"memory", "run-survives", Kind::co_simulation, true},
    {"crash_instantiate", "run-survives", Kind::co_simulation, true},
    {"crash_free", "run-survives", Kind::co_simulation, true},
    {"no_memory", "memory-refused"},
    {"set", "set-get"},
    {"steps", "variable-step"},
    {"lag", "time-value"},
    {"derivative", "derivative-exact"},
    {"output_derivative", "output-derivative"},
    {"input_derivative", "input-derivative"},
    {"late", "callback-after-free"},
    {"print", "run-prints"},
    {"chatter", "log-quiet"},
    {"category", "log-category-used"},
    {"folder", "environment-kept"},
    {"locale", "environment-kept"},
    {"signal", "environment-kept"},
    {"rounding", "environment-kept"},
    {"thread", "threads-ended"},

    {"crash", "run-survives", Kind::model_exchange, true},
    {"rollback", "rollback-exact", Kind::model_exchange},
    {"reset", "reset-reproduces", Kind::model_exchange},
    {"nominal", "state-nominal", Kind::model_exchange},
    {"states", "state-access", Kind::model_exchange},
    {"function", "state-function", Kind::model_exchange},
    {"endless_event", "run-succeeds", Kind::model_exchange, true},
    {"indicator_zero", "indicator-nonzero", Kind::indicator},
    {"indicator_noise", "indicator-noise", Kind::indicator},
    {"indicator_jump", "indicator-continuous", Kind::indicator},

    {"logger", "run-survives", Kind::fmi3, true},
    {"string", "set-get", Kind::fmi3},
    {"binary", "set-get", Kind::fmi3},
    {"clock", "clock-access", Kind::fmi3},
    {"event_mode", "event-mode", Kind::fmi3},
    {"endless_event", "event-mode", Kind::fmi3},
    {"past_event", "event-mode", Kind::fmi3},
    {"early", "step-time", Kind::fmi3, true},
    {"silent_lag", "time-value", Kind::fmi3},
    {"no_callback", "intermediate-update", Kind::fmi3},
    {"callback_time", "intermediate-update", Kind::fmi3},
    {"no_return", "intermediate-update", Kind::fmi3},
    {"derivative", "derivative-exact", Kind::fmi3},
    {"adjoint", "adjoint-exact", Kind::fmi3},
};

INSTANTIATE_TEST_SUITE_P(Defects, CheckerOfDefects, testing::ValuesIn(defects), [](auto const& info) {
  return std::string(info.param.defect) + (info.param.kind == Kind::fmi3             ? "_fmi3"
                                           : info.param.kind == Kind::indicator      ? "_of_one"
                                           : info.param.kind == Kind::model_exchange ? "_model_exchange"
                                                                                     : "");
});

TEST(Checker, FindsNothingInACorrectModelExchangeFmu) {
  CheckReport const report = check_with_defect("none", 20, model_exchange_files());
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
  EXPECT_TRUE(report.exercised);
}

TEST(Checker, CountsTheOtherEventIndicatorsThatHaveTheSameDefect) {
  auto files = indicator_files();
  std::string& description = files["modelDescription.xml"];
  description = replaced(description, "numberOfEventIndicators=\"1\"", "numberOfEventIndicators=\"2\"");
  CheckReport const report = check_with_defect("indicator_jump", 20, files);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_TRUE(report.findings[0].message.ends_with("; so does 1 other")) << report.findings[0].message;
}

TEST(Checker, FindsNothingInACorrectModelExchangeFmuWithAnEventIndicator) {
  CheckReport const report = check_with_defect("indicator", 20, indicator_files());
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
  EXPECT_TRUE(report.exercised);
}

TEST(Checker, FindsNothingInACorrectFmuOfBothInterfaceTypes) {
  auto files = broken_files();
  files["modelDescription.xml"] = replaced(broken_fmu_description, broken_fmu_co_simulation,
                                           std::string(broken_fmu_model_exchange) + broken_fmu_co_simulation);
  CheckReport const report = check_with_defect("none", 20, files);
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
}

TEST(Checker, FindsNothingInACorrectFmi3Fmu) {
  CheckReport const report = check_with_defect("none", 20, fmi3_files());
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
  EXPECT_TRUE(report.exercised);
}

// FMI 3.0, 4.2.1: without an early return, too, lastSuccessfulTime may be another time than the end of the step.
TEST(Checker, FindsNothingWhereAnFmi3FmuTellsThatItsStepsDoNotReachTheirEnd) {
  CheckReport const report = check_with_defect("lag", 20, fmi3_files());
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
  EXPECT_TRUE(report.exercised);
}

// A description that says something else than what the FMU does.
struct DescriptionCase {
  char const* name;
  Kind kind;
  char const* from;
  char const* to;
  char const* rule;
};

class CheckerOfDescriptions : public testing::TestWithParam<DescriptionCase> {};

TEST_P(CheckerOfDescriptions, FindsThatTheFmuDoesSomethingElse) {
  auto files = files_of(GetParam().kind);
  auto& description = files["modelDescription.xml"];
  description = replaced(description, GetParam().from, GetParam().to);
  CheckReport const report = check_with_defect("none", 20, files);
  ASSERT_FALSE(report.findings.empty());
  SCOPED_TRACE(text_of(report));
  for (auto const& finding : report.findings) EXPECT_EQ(finding.rule, GetParam().rule);
}

INSTANTIATE_TEST_SUITE_P(
    Descriptions, CheckerOfDescriptions,
    testing::Values(DescriptionCase{"DependencyLeftOut", Kind::co_simulation,
                                    "<InitialUnknowns><Unknown index=\"5\" dependencies=\"4\"/>",
                                    "<InitialUnknowns><Unknown index=\"5\" dependencies=\"\"/>",
                                    "dependencies-true"},
                    DescriptionCase{"DependencyOfAnOutputLeftOut", Kind::model_exchange,
                                    "<Unknown index=\"5\" dependencies=\"4\"/></Outputs>",
                                    "<Unknown index=\"5\" dependencies=\"\"/></Outputs>",
                                    "dependencies-true"},
                    DescriptionCase{"StartOfAnotherValue", Kind::co_simulation, "<Real start=\"2\"/>",
                                    "<Real start=\"2.5\"/>", "start-value-kept"},
                    DescriptionCase{"RangeThatIsLeft", Kind::co_simulation, "min=\"0\"",
                                    "min=\"0\" max=\"1\"", "value-range"},
                    DescriptionCase{"IndicatorTooMany", Kind::model_exchange, "numberOfEventIndicators=\"0\"",
                                    "numberOfEventIndicators=\"1\"", "run-succeeds"}),
    [](auto const& info) { return std::string(info.param.name); });

// FMI 2.0.4, 2.3: all functions of Model Exchange or of co-simulation; FMI 3.0, 2.5: all functions.
TEST(Checker, FindsThatAFunctionIsNotExported) {
  for (auto const& [kind, file, from, to, rule] :
       {std::tuple{Kind::co_simulation, "binaries/linux64/broken.so", "fmi2CancelStep", "fmi2CancelStop",
                   "binary-exports"},
        std::tuple{Kind::co_simulation, "binaries/linux64/broken.so", "fmi2SetTime", "fmi2SetTide", ""},
        std::tuple{Kind::fmi3, "binaries/x86_64-linux/broken.so", "fmi3SetTime", "fmi3SetTide",
                   "binary-exports-all"}}) {
    auto files = files_of(kind);
    auto& library = files[file];
    library = replaced(library, from, to);
    CheckReport const report = check_with_defect("none", 20, files);
    EXPECT_TRUE(report.exercised);
    if (std::string_view(rule).empty()) {
      EXPECT_TRUE(report.findings.empty()) << text_of(report);
      continue;
    }
    ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
    EXPECT_EQ(report.findings[0].rule, rule);
    EXPECT_EQ(report.findings[0].severity, Severity::error);
    EXPECT_NE(report.findings[0].message.find(from), std::string::npos);
  }
}

// The loader would end in a bus error.
TEST(Checker, FindsThatALibraryIsCutOff) {
  auto files = broken_files();
  auto& library = files["binaries/linux64/broken.so"];
  library.resize(4096);  // what debuggers read, at the end, may be more than half of it
  CheckReport const report = check_with(files);
  EXPECT_TRUE(report.failed);
  EXPECT_FALSE(report.exercised);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "binary-format");
  EXPECT_NE(report.findings[0].message.find("cut off"), std::string::npos) << report.findings[0].message;

  TemporaryFolder const folder;
  write_file(folder.path() / "broken.fmu", make_archive(files));
  ImportedFmu fmu(folder.path() / "broken.fmu");
  try {
    fmu.instantiate({.name = "cut"});
    ADD_FAILURE() << "a library without its end was loaded";
  } catch (LibraryError const& error) {
    EXPECT_NE(std::string(error.what()).find("broken.so does not load: it is cut off"), std::string::npos)
        << error.what();
  }
}

TEST(Checker, FindsThatALibraryNeedsAnotherThatIsNotThere) {
  auto files = broken_files();
  auto& library = files["binaries/linux64/broken.so"];
  library = replaced(library, "libm.so.6", "libm.so.9");
  CheckReport const report = check_with(files);
  EXPECT_TRUE(report.failed);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "binary-loads");
}

// 82 of 98 FMUs of the cross-check say ISO-8859-1: it is one finding of many.
TEST(Checker, ChecksTheRestOfAnFmuThatIsNotInUtf8) {
  for (bool const declared : {true, false}) {
    auto files = broken_files();
    auto& description = files["modelDescription.xml"];
    description = replaced(description, "modelName=\"broken\"", "modelName=\"gr\xf6\xdf\"");
    if (declared) description = replaced(description, "UTF-8", "ISO-8859-1");
    description = replaced(description, "causality=\"input\"", "causality=\"inputt\"");
    CheckReport const report = check_with(files);
    std::set<std::string> rules;
    for (auto const& finding : report.findings) rules.insert(finding.rule);
    EXPECT_TRUE(rules.contains("xml-encoding")) << text_of(report);
    EXPECT_TRUE(rules.contains("attribute-value")) << text_of(report);
    EXPECT_EQ(report.exercised, declared);  // bytes that are of no encoding keep importers from reading it
  }
}

TEST(Findings, OfOneRuleInOneFileAreFoldedWhereThereAreMany) {
  std::vector<Finding> findings;
  for (int i = 0; i < 40; ++i)
    findings.push_back({"unit-base", Severity::note, "a.xml", i + 1, "a unit", ""});
  for (int i = 0; i < 5; ++i) findings.push_back({"unit-base", Severity::note, "b.xml", i + 1, "a unit", ""});
  findings.push_back({"token", Severity::error, "a.xml", 1, "no token", ""});
  auto const few = folded(findings);
  ASSERT_EQ(few.size(), 4u + 5u + 1u);
  EXPECT_NE(few[3].message.find("37 more"), std::string::npos) << few[3].message;
  EXPECT_EQ(few[3].line, 4);
  EXPECT_EQ(few.back().message, "no token");
}

TEST(CheckRules, HaveDifferentNamesAndStandInTheGuide) {
  std::set<std::string_view> names;
  for (auto const rules : {all_rules(), companion_rules(), structure_rules(), check_rules()}) {
    for (auto const& rule : rules) EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
  }
  std::ifstream stream(std::filesystem::path(DELASSUS_SCENES_DIR) / "../../tools/guide/rules.md");
  if (!stream) GTEST_SKIP() << "the sources are not there";
  std::string const text{std::istreambuf_iterator<char>(stream), {}};
  for (auto const rules : {companion_rules(), check_rules()}) {
    for (auto const& rule : rules) {
      EXPECT_NE(text.find("| `" + std::string{rule.name} + "` | "), std::string::npos) << rule.name;
      EXPECT_NE(text.find(rule.demand), std::string::npos) << rule.demand;
    }
  }
}

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
  EXPECT_EQ(report.findings[0].rule, "binary-format");
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

void read_to_the_end(int channel) {
  for (char byte = 0; ::read(channel, &byte, 1) > 0;) {
  }
}

TEST(ChildProcess, ReadsTheEndOfItsChannelAlthoughAnotherOneWasStartedAfterIt) {
  ChildProcess first(read_to_the_end, ChildProcess::Prints::with_ours);
  ChildProcess const second(read_to_the_end, ChildProcess::Prints::with_ours);
  first.close_channel();
  EXPECT_TRUE(first.ends_within(20));
  EXPECT_FALSE(second.has_ended());
}

TEST(ChildProcess, TellsHowItEnded) {
  ChildProcess leaves([](int) { ::_exit(7); }, ChildProcess::Prints::with_ours);
  ChildProcess throws([](int) { throw std::runtime_error("why"); }, ChildProcess::Prints::caught);
  ASSERT_TRUE(leaves.ends_within(20) && throws.ends_within(20));
  char said[8]{};
  EXPECT_EQ(::read(throws.prints(), said, sizeof said), 4);
  EXPECT_STREQ(said, "why\n");
  EXPECT_EQ(in_words(leaves.end(), 20, "in a step"), "ended its process with exit code 7 in a step");
  EXPECT_EQ(throws.end().code, 1);
  EXPECT_FALSE(throws.exists());
}

}  // namespace
}  // namespace delassus
