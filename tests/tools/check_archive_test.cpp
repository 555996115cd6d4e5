// The checker against archives with one thing wrong each: exactly that is found, and nothing is unpacked or run.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/support/broken_fmu.hpp"
#include "tests/support/raw_zip.hpp"
#include "tools/check/check_rules.hpp"
#include "tools/check/fmu_check.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/temporary_folder.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/fmi/companion_rules.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {
namespace {

using Files = std::map<std::string, std::string>;

Files good_files() {
  return {{"modelDescription.xml", broken_fmu_description},
          {"binaries/linux64/broken.so", read_file(DELASSUS_BROKEN_FMU)}};
}

CheckReport check_bytes(std::string const& bytes) {
  TemporaryFolder const folder;
  write_file(folder.path() / "checked.fmu", bytes);
  return check_fmu(folder.path() / "checked.fmu", {.timeout = 30, .schema_folder = {}});
}

std::string text_of(CheckReport const& report) {
  std::string text;
  for (auto const& finding : report.findings) text += finding.rule + ": " + finding.message + "\n";
  return text;
}

std::vector<RawEntry> good_entries() {
  std::vector<RawEntry> entries;
  for (auto const& [name, content] : good_files()) entries.push_back({name, content});
  return entries;
}

std::string with(RawEntry const& entry) {
  auto entries = good_entries();
  entries.push_back(entry);
  return raw_zip(entries);
}

std::string with_file(std::string const& name, std::string const& content) {
  Files files = good_files();
  files[name] = content;
  return make_archive(files);
}

std::string with_description(std::string const& text) {
  return with_file("modelDescription.xml", text);
}

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  auto const at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string many_entries() {
  auto entries = good_entries();
  for (int i = 0; i < 20'000; ++i) entries.push_back({"resources/" + std::to_string(i), ""});
  return raw_zip(entries);
}

std::string overlapping() {
  auto entries = good_entries();
  for (int i = 0; i < 3; ++i) {
    RawEntry again{"resources/" + std::to_string(i), ""};
    again.at_entry = 0;
    entries.push_back(again);
  }
  return raw_zip(entries);
}

std::string deep_folder(int depth) {
  std::string name = "resources";
  for (int i = 0; i < depth; ++i) name += "/d";
  return name;
}

std::string entity_bomb() {
  std::string declarations = "<!ENTITY a0 \"ha\">";
  for (int i = 1; i < 30; ++i) {
    auto const before = "&a" + std::to_string(i - 1) + ";";
    declarations += "<!ENTITY a" + std::to_string(i) + " \"" + before + before + "\">";
  }
  return "<?xml version=\"1.0\"?><!DOCTYPE x [" + declarations +
         "]><fmiModelDescription fmiVersion=\"2.0\" modelName=\"&a29;\"/>";
}

std::string nested_elements() {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "<a>";
  return text;
}

std::string pe_file(unsigned machine) {
  std::string bytes(128, '\0');
  bytes[0] = 'M', bytes[1] = 'Z', bytes[0x3c] = 64;
  bytes.replace(64, 4, std::string("PE\0\0", 4));
  bytes[68] = static_cast<char>(machine & 0xff), bytes[69] = static_cast<char>(machine >> 8);
  return bytes;
}

std::string terminals(std::string const& inside) {
  return "<fmiTerminalsAndIcons fmiVersion=\"3.0\"><Terminals>" + inside +
         "</Terminals></fmiTerminalsAndIcons>";
}
std::string with_terminals(std::string const& inside) {
  return with_file("terminalsAndIcons/terminalsAndIcons.xml", terminals(inside));
}
std::string const good_member =
    "<TerminalMemberVariable variableName=\"x\" memberName=\"x\" variableKind=\"signal\"/>";

std::string with_build(std::string const& inside) {
  Files files = good_files();
  files["sources/model.c"] = "int i;";
  files["sources/buildDescription.xml"] =
      "<fmiBuildDescription fmiVersion=\"3.0\">" + inside + "</fmiBuildDescription>";
  return make_archive(files);
}
std::string const good_set = "<SourceFileSet><SourceFile name=\"model.c\"/></SourceFileSet>";

std::string with_manifest(std::string const& attributes) {
  return with_file("extra/org.example.thing/fmi-ls-manifest.xml",
                   "<thing xmlns:f=\"http://fmi-standard.org/fmi-ls-manifest\" " + attributes + "/>");
}

struct ArchiveCase {
  char const* name;
  std::function<std::string()> bytes;
  char const* rule;
};
void PrintTo(ArchiveCase const& archive, std::ostream* out) {
  *out << archive.name;
}

std::vector<ArchiveCase> const cases{
    {"NameThatLeadsOut",
     [] {
       return with({"resources/../../evil", "x"});
     },
     "archive-name"},
    {"NameThatIsAbsolute",
     [] {
       return with({"/tmp/evil", "x"});
     },
     "archive-name"},
    {"NameWithADrive",
     [] {
       return with({"C:/evil", "x"});
     },
     "archive-name"},
    {"NameWithABackslash",
     [] {
       return with({"resources\\evil", "x"});
     },
     "archive-name"},
    {"NameWithAControlCharacter",
     [] {
       return with({"resources/a\x1b[31m", "x"});
     },
     "archive-name"},
    {"NameThatIsNoUtf8",
     [] {
       return with({"resources/gr\xf6\xdf", "x"});
     },
     "archive-name"},
    {"NameThatIsEmpty",
     [] {
       return with({"", "x"});
     },
     "archive-name"},
    {"SymbolicLink", [] { return with({.name = "resources/l", .content = "/etc/passwd", .mode = 0120777}); },
     "archive-link"},
    {"Device", [] { return with({.name = "resources/d", .content = "", .mode = 0020666}); }, "archive-link"},
    {"Encryption", [] { return with({.name = "resources/e", .content = "0123456789abc", .flags = 1}); },
     "archive-encryption"},
    {"CompressionOfAnotherMethod", [] { return with({.name = "resources/c", .content = "x", .method = 12}); },
     "archive-compression"},
    {"NameTwice",
     [] {
       return with({"modelDescription.xml", std::string(broken_fmu_description) + "\n"});
     },
     "archive-duplicate"},
    {"NameTwiceButForCase",
     [] {
       return with({"MODELDESCRIPTION.XML", "x"});
     },
     "archive-duplicate"},
    {"FileThatIsAFolder",
     [] {
       auto entries = good_entries();
       entries.push_back({"resources/a", "x"});
       entries.push_back({"resources/a/b", "x"});
       return raw_zip(entries);
     },
     "archive-duplicate"},
    {"FoldersTooDeep",
     [] {
       return with({deep_folder(40) + "/x", "x"});
     },
     "archive-depth"},
    {"TooManyEntries", many_entries, "archive-entries"},
    {"EntryOfManyBytes",
     [] { return with({.name = "resources/b", .content = "x", .claimed_size = 3'000'000'000u}); },
     "archive-size"},
    {"BombOfZeros", [] { return with_file("resources/zeros", std::string(20u << 20, '\0')); },
     "archive-ratio"},
    {"EntriesThatOverlap", overlapping, "archive-overlap"},
    {"DamagedDescription",
     [] {
       auto entries = good_entries();
       for (auto& entry : entries) entry.wrong_checksum = entry.name == "modelDescription.xml";
       return raw_zip(entries);
     },
     "archive-entry"},
    {"NoArchive", [] { return std::string("this is no archive"); }, "archive-readable"},
    {"HalfAnArchive",
     [] {
       auto const all = make_archive(good_files());
       return all.substr(0, all.size() / 2);
     },
     "archive-readable"},
    {"NoDescription",
     [] {
       return make_archive({{"binaries/linux64/broken.so", "x"}});
     },
     "archive-description"},
    {"FolderAroundEverything",
     [] {
       return make_archive({{"fmu/modelDescription.xml", broken_fmu_description}});
     },
     "archive-description"},
    {"ExternalEntity",
     [] {
       return with_description(
           "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM "
           "\"file:///etc/passwd\">]><fmiModelDescription "
           "modelName=\"&e;\"/>");
     },
     "description-readable"},
    {"EntityBomb", [] { return with_description(entity_bomb()); }, "description-readable"},
    {"ElementsTooDeep", [] { return with_description(nested_elements()); }, "description-readable"},
    {"NoXml", [] { return with_description("modelName: broken"); }, "description-readable"},
    {"EncodingOfAnotherKind",
     [] { return with_description(replaced(broken_fmu_description, "UTF-8", "ISO-8859-1")); },
     "xml-encoding"},
    {"BytesThatAreNoUtf8",
     [] {
       return with_description(
           replaced(broken_fmu_description, "modelName=\"broken\"", "modelName=\"gr\xf6\xdf\""));
     },
     "xml-encoding"},
    {"NoBinary",
     [] {
       return make_archive({{"modelDescription.xml", broken_fmu_description}});
     },
     "archive-binaries"},
    {"BinaryThatIsText", [] { return with_file("binaries/linux64/broken.so", "not a library"); },
     "binary-format"},
    {"BinaryOfAnotherMachine", [] { return with_file("binaries/win64/broken.dll", pe_file(0xaa64)); },
     "binary-format"},
    {"BinaryOfAnotherSystem", [] { return with_file("binaries/darwin64/broken.dylib", pe_file(0x8664)); },
     "binary-format"},
    {"PlatformByItsOtherName",
     [] { return with_file("binaries/x86_64-linux/broken.so", read_file(DELASSUS_BROKEN_FMU)); },
     "archive-place"},
    {"FileAtTheRoot", [] { return with_file("notes.txt", "x"); }, "archive-place"},
    {"DocumentationWithoutIndex", [] { return with_file("documentation/page.html", "x"); }, "archive-place"},
    {"BinaryThatNeedsMore",
     [] { return with_file("binaries/linux64/broken.so", read_file(DELASSUS_BROKEN_FMU_NEEDY)); },
     "binary-dependencies"},
    {"BinaryThatExportsMore",
     [] { return with_file("binaries/linux64/broken.so", read_file(DELASSUS_BROKEN_FMU_EXPORTING)); },
     "binary-symbols"},
    {"SourceFileThatIsNotThere",
     [] {
       std::string description = broken_fmu_description;
       description = replaced(
           description, "providesDirectionalDerivative=\"true\"/>",
           "providesDirectionalDerivative=\"true\"><SourceFiles><File name=\"model.c\"/></SourceFiles>"
           "</CoSimulation>");
       return with_description(description);
     },
     "build-source"},

    {"TerminalsThatAreNoXml", [] { return with_file("terminalsAndIcons/terminalsAndIcons.xml", "<a"); },
     "companion-readable"},
    {"TerminalsWithAnEntity",
     [] {
       return with_file("terminalsAndIcons/terminalsAndIcons.xml",
                        "<!DOCTYPE x [<!ENTITY e \"e\">]><fmiTerminalsAndIcons fmiVersion=\"3.0\"/>");
     },
     "companion-readable"},
    {"TerminalsOfFmi2",
     [] {
       return with_file("terminalsAndIcons/terminalsAndIcons.xml",
                        "<fmiTerminalsAndIcons fmiVersion=\"2.0\"/>");
     },
     "companion-version"},
    {"TerminalsOfAnotherRoot",
     [] { return with_file("terminalsAndIcons/terminalsAndIcons.xml", "<terminals/>"); },
     "companion-readable"},
    {"TerminalWithAnUnknownAttribute",
     [] {
       return with_terminals("<Terminal name=\"t\" matchingrule=\"sequence\" matchingRule=\"sequence\"/>");
     },
     "companion-name"},
    {"TerminalWithoutMatchingRule", [] { return with_terminals("<Terminal name=\"t\"/>"); },
     "companion-name"},
    {"TerminalTwice",
     [] {
       return with_terminals(
           "<Terminal name=\"t\" matchingRule=\"bus\"/><Terminal name=\"t\" matchingRule=\"bus\"/>");
     },
     "terminal-name"},
    {"TerminalOfNoVariable",
     [] {
       return with_terminals("<Terminal name=\"t\" matchingRule=\"plug\">" +
                             replaced(good_member, "\"x\"", "\"z\"") + "</Terminal>");
     },
     "terminal-variable"},
    {"TerminalMemberTwice",
     [] {
       return with_terminals("<Terminal name=\"t\" matchingRule=\"plug\">" + good_member + good_member +
                             "</Terminal>");
     },
     "terminal-member"},
    {"TerminalOfALocalVariable",
     [] {
       return with_terminals("<Terminal name=\"t\" matchingRule=\"plug\">" +
                             replaced(good_member, "\"x\"", "\"der(x)\"") + "</Terminal>");
     },
     "terminal-causality"},
    {"StreamWithoutFlow",
     [] {
       return with_terminals(
           "<Terminal name=\"t\" matchingRule=\"plug\"><TerminalStreamMemberVariable "
           "inStreamMemberName=\"a\" "
           "outStreamMemberName=\"b\" inStreamVariableName=\"u\" outStreamVariableName=\"y\"/></Terminal>");
     },
     "terminal-stream"},
    {"TerminalWithoutPicture",
     [] {
       return with_terminals(
           "<Terminal name=\"t\" matchingRule=\"bus\"><TerminalGraphicalRepresentation x1=\"0\" y1=\"0\" "
           "x2=\"1\" "
           "y2=\"1\" iconBaseName=\"plug\"/></Terminal>");
     },
     "terminal-icon"},
    {"BuildOfAnotherModel",
     [] {
       return with_build("<BuildConfiguration modelIdentifier=\"other\">" + good_set +
                         "</BuildConfiguration>");
     },
     "build-configuration"},
    {"BuildOfNothing", [] { return with_build(""); }, "build-configuration"},
    {"BuildOfAFileThatIsNotThere",
     [] {
       return with_build("<BuildConfiguration modelIdentifier=\"broken\">" +
                         replaced(good_set, "model.c", "modell.c") + "</BuildConfiguration>");
     },
     "build-source"},
    {"ManifestWithoutName", [] { return with_manifest("f:fmi-ls-version=\"1\""); }, "manifest"},
    {"ManifestInAnotherFolder",
     [] { return with_manifest("f:fmi-ls-name=\"org.example.other\" f:fmi-ls-version=\"1\""); }, "manifest"},
    {"ReferenceThatIsNotThere",
     [] {
       return with_file(
           "extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml",
           "<fmiReferences xmlns:f=\"http://fmi-standard.org/fmi-ls-manifest\" "
           "f:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\" f:fmi-ls-version=\"1\"><Related type=\"text/csv\" "
           "source=\"results.csv\" role=\"result\"/></fmiReferences>");
     },
     "reference-readable"},
};

class BrokenArchive : public testing::TestWithParam<ArchiveCase> {};

TEST_P(BrokenArchive, IsFoundByItsRuleAndNoOther) {
  CheckReport const report = check_bytes(GetParam().bytes());
  ASSERT_FALSE(report.findings.empty());
  SCOPED_TRACE(text_of(report));
  for (auto const& finding : report.findings) {
    EXPECT_EQ(finding.rule, GetParam().rule);
    EXPECT_FALSE(finding.remedy.empty());
    EXPECT_FALSE(finding.file.empty());
  }
  bool const hostile = std::string_view(GetParam().rule).starts_with("archive-") &&
                       std::string_view(GetParam().rule) != "archive-place";
  EXPECT_FALSE(hostile && report.exercised);
}

INSTANTIATE_TEST_SUITE_P(Archives, BrokenArchive, testing::ValuesIn(cases),
                         [](auto const& info) { return std::string(info.param.name); });

TEST(GoodArchive, WithEverythingBesideTheDescriptionHasNoFindings) {
  Files files = good_files();
  files["documentation/index.html"] = "<html/>";
  files["resources/data.txt"] = "x";
  files["terminalsAndIcons/icon.png"] = "x";
  files["terminalsAndIcons/plug.png"] = "x";
  files["terminalsAndIcons/terminalsAndIcons.xml"] =
      terminals("<Terminal name=\"t\" matchingRule=\"plug\">" + good_member +
                "<Terminal name=\"t\" matchingRule=\"sequence\"/><TerminalGraphicalRepresentation x1=\"0\" "
                "y1=\"0\" x2=\"1\" y2=\"1\" "
                "iconBaseName=\"plug\"/></Terminal>");
  files["sources/model.c"] = "int i;";
  files["sources/buildDescription.xml"] =
      "<fmiBuildDescription fmiVersion=\"3.0\"><BuildConfiguration modelIdentifier=\"broken\">" + good_set +
      "</BuildConfiguration></fmiBuildDescription>";
  files["extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml"] =
      "<fmiReferences xmlns:f=\"http://fmi-standard.org/fmi-ls-manifest\" "
      "f:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\" "
      "f:fmi-ls-version=\"1\"><Related type=\"text/csv\" source=\"results.csv\" "
      "role=\"result\"/></fmiReferences>";
  files["extra/org.fmi-standard.fmi-ls-ref/results.csv"] = "time,x,y\n0,0,0\n0.5,1,0\n1,2,0\n";
  CheckReport const report = check_bytes(make_archive(files));
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
  EXPECT_TRUE(report.exercised);
}

// No standard forbids it, and whoever unpacks gets the same files: worth a word, and run.
TEST(GoodArchive, WithAnEntryThatStandsTwiceWithTheSameBytesHasANoteAndIsRun) {
  auto entries = good_entries();
  entries.push_back({"resources/", ""});
  entries.push_back({"resources/", ""});
  entries.push_back(entries.front());
  CheckReport const report = check_bytes(raw_zip(entries));
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "archive-repeated");
  EXPECT_EQ(report.findings[0].severity, Severity::note);
  EXPECT_NE(report.findings[0].message.find("resources/, " + entries.front().name), std::string::npos)
      << report.findings[0].message;
  EXPECT_TRUE(report.exercised);
}

TEST(GoodArchive, WrittenByteByByteIsReadAsThatOfAPacker) {
  CheckReport const report = check_bytes(raw_zip(good_entries()));
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
}

TEST(References, OfAnotherTrajectoryAreAMismatch) {
  TemporaryFolder const folder;
  write_file(folder.path() / "checked.fmu", make_archive(good_files()));
  write_file(folder.path() / "right.csv", "time,x\n0,0\n1,2\n");
  write_file(folder.path() / "wrong.csv", "time,x\n0,0\n1,2.1\n");
  CheckSettings settings{.timeout = 30, .schema_folder = {}};
  settings.reference = folder.path() / "right.csv";
  EXPECT_FALSE(check_fmu(folder.path() / "checked.fmu", settings).mismatch);
  settings.reference = folder.path() / "wrong.csv";
  CheckReport const report = check_fmu(folder.path() / "checked.fmu", settings);
  EXPECT_TRUE(report.mismatch);
  ASSERT_EQ(report.findings.size(), 1u) << text_of(report);
  EXPECT_EQ(report.findings[0].rule, "reference-results");
}

TEST(CompanionFiles, AreNotReadWithEntitiesOrWithoutBounds) {
  ModelDescription const description;
  CompanionContext const context{description, [](std::string const&) { return true; }};
  for (auto const& text : {entity_bomb(), nested_elements(), std::string()}) {
    auto const findings = check_terminals(text, "t.xml", context);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, "companion-readable");
  }
}

TEST(Utf8, IsJudgedByTheRulesOfUnicode) {
  for (auto const* const text : {"", "a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (auto const* const text :
       {"\xe4", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xf4\x90\x80\x80"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

}  // namespace
}  // namespace delassus
