#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/temporary_folder.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

std::map<std::string, std::string> const two_files{{"modelDescription.xml", "<x/>"},
                                                   {"binaries/x86_64-linux/m.so", std::string(5000, 'b')}};

class EnvironmentVariable {
 public:
  EnvironmentVariable(char const* name, char const* value) : name_(name) {
    char const* const before = std::getenv(name);
    had_ = before != nullptr;
    if (had_) before_ = before;
    ::setenv(name, value, 1);
    ::tzset();
  }
  ~EnvironmentVariable() {
    had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_);
    ::tzset();
  }

 private:
  char const* name_;
  bool had_ = false;
  std::string before_;
};

// The bytes of an archive with one entry renamed; both names have the same length, so the archive stays
// whole.
std::string renamed(std::string bytes, std::string const& from, std::string const& to) {
  EXPECT_EQ(from.size(), to.size());
  for (std::size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; at += to.size())
    bytes.replace(at, from.size(), to);
  return bytes;
}

bool has_rule(Archive const& archive, std::string const& rule) {
  return std::ranges::any_of(archive.problems(),
                             [&](ArchiveProblem const& problem) { return problem.rule == rule; });
}

class ArchiveFile : public testing::Test {
 protected:
  std::filesystem::path write(std::string const& bytes) {
    write_file(folder_.path() / "a.fmu", bytes);
    return folder_.path() / "a.fmu";
  }
  TemporaryFolder folder_;
};

using HostileArchive = ArchiveFile;

TEST_F(ArchiveFile, GivesBackWhatWasPacked) {
  Archive const archive(write(make_archive(two_files)));
  EXPECT_TRUE(archive.problems().empty());
  ASSERT_EQ(archive.entries().size(), 2u);
  for (auto const& [name, content] : two_files) EXPECT_EQ(archive.read(name), content);
  archive.extract(folder_.path() / "out");
  EXPECT_EQ(read_file(folder_.path() / "out/binaries/x86_64-linux/m.so"), std::string(5000, 'b'));
}

TEST_F(ArchiveFile, HasTheSameBytesInEveryTimeZone) {
  std::string const here = make_archive(two_files);
  for (char const* const zone :
       {"UTC0", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Auckland", "EST5EDT"}) {
    EnvironmentVariable const elsewhere("TZ", zone);
    EXPECT_EQ(make_archive(two_files), here) << zone;
  }
}

TEST_F(ArchiveFile, TakesItsDateFromSourceDateEpoch) {
  EnvironmentVariable const first("SOURCE_DATE_EPOCH", "1700000000");
  std::string const one = make_archive(two_files);
  EnvironmentVariable const second("SOURCE_DATE_EPOCH", "1600000000");
  EXPECT_NE(make_archive(two_files), one);
  EnvironmentVariable const wrong("SOURCE_DATE_EPOCH", "yesterday");
  EXPECT_THROW(make_archive(two_files), std::runtime_error);
}

TEST_F(HostileArchive, IsRefusedWhenANameLeadsOutOfTheFolder) {
  Archive const archive(write(renamed(make_archive({{"abcdefghij", "x"}}), "abcdefghij", "../../evil")));
  EXPECT_TRUE(has_rule(archive, "archive-name"));
  EXPECT_THROW(archive.extract(folder_.path() / "out"), ArchiveError);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
}

TEST_F(HostileArchive, IsRefusedWhenANameIsAbsoluteOrHasABackslashOrControlCharacter) {
  std::vector<std::string> const names{"/etc/passw", "C:\\evil.tx", "C:/evil.tx", "a\\b\\c\\d\\ef",
                                       "abc\x1b[31mde"};
  for (auto const& name : names) {
    Archive const archive(write(renamed(make_archive({{"abcdefghij", "x"}}), "abcdefghij", name)));
    EXPECT_TRUE(has_rule(archive, "archive-name")) << name;
    EXPECT_THROW(archive.extract(folder_.path() / "out"), ArchiveError) << name;
  }
}

TEST_F(HostileArchive, IsRefusedWhenAnEntryIsASymbolicLink) {
  std::string bytes = make_archive({{"link", "/etc/passwd"}});
  std::string const regular("\xa4\x81", 2),
      link("\xff\xa1", 2);  // 0100644 and 0120777, high half of the external attributes
  auto const at = bytes.rfind(regular);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 2, link);
  Archive const archive(write(bytes));
  EXPECT_TRUE(has_rule(archive, "archive-link"));
  EXPECT_THROW(archive.extract(folder_.path() / "out"), ArchiveError);
}

TEST_F(HostileArchive, IsRefusedWhenItHasTooManyEntriesOrBytes) {
  auto const file = write(make_archive(two_files));
  EXPECT_TRUE(has_rule(Archive(file, {.entries = 1}), "archive-entries"));
  EXPECT_TRUE(has_rule(Archive(file, {.entry_bytes = 4000}), "archive-size"));
  EXPECT_TRUE(has_rule(Archive(file, {.total_bytes = 5001}), "archive-size"));
  EXPECT_THROW(Archive(file, {.entry_bytes = 4000}).read("binaries/x86_64-linux/m.so"), ArchiveError);
}

TEST_F(HostileArchive, IsRefusedWhenTwoNamesDifferInCaseAlone) {
  Archive const archive(write(make_archive({{"Name", "1"}, {"name", "2"}})));
  EXPECT_TRUE(has_rule(archive, "archive-duplicate"));
}

TEST_F(HostileArchive, IsNotedWhenACompressionMethodIsNotTheStandards) {
  std::string bytes = make_archive({{"a", std::string(5000, 'b')}});
  // Method 8 stands at offset 8 of the local header and 10 of the directory's; 12 is bzip2.
  bytes[8] = 12;
  bytes[bytes.find("PK\x01\x02") + 10] = 12;
  EXPECT_TRUE(has_rule(Archive(write(bytes)), "archive-compression"));
}

TEST_F(HostileArchive, FailsToReadAnEntryWhoseBytesAreDamaged) {
  std::string content;
  for (int i = 0; i < 5000; ++i) content += static_cast<char>(i * i % 251);
  std::string bytes = make_archive({{"a", content}});
  bytes[200] = static_cast<char>(bytes[200] ^ 0x55);
  EXPECT_THROW(Archive(write(bytes)).read("a"), ArchiveError);
}

TEST_F(HostileArchive, IsNoArchiveWhenItIsCutOrEmptyOrSomethingElse) {
  std::string const bytes = make_archive(two_files);
  EXPECT_THROW(Archive(write(bytes.substr(0, bytes.size() / 2))), ArchiveError);
  EXPECT_THROW(Archive(write("")), ArchiveError);
  EXPECT_THROW(Archive(write("<scene/>")), ArchiveError);
  EXPECT_THROW(Archive(folder_.path() / "missing.fmu"), FileError);
  EXPECT_THROW(Archive{folder_.path()}, FileError);
}

// Each entry is just below the limit of its own, and packs like text; together they are not.
TEST_F(HostileArchive, IsRefusedWhenAllEntriesTogetherAreABomb) {
  std::map<std::string, std::string> entries;
  for (int i = 0; i < 9; ++i) entries["zeros" + std::to_string(i)] = std::string(std::size_t{15} << 20, '\0');
  auto const file = write(make_archive(entries));
  Archive const archive(file);
  ASSERT_EQ(archive.problems().size(), 1u);
  EXPECT_EQ(archive.problems()[0].rule, "archive-ratio");
  EXPECT_NE(archive.problems()[0].message.find("unpacked it has 135 MiB in 9 entries"), std::string::npos)
      << archive.problems()[0].message;
  try {
    archive.extract(folder_.path() / "out");
    FAIL();
  } catch (ArchiveError const& error) {
    EXPECT_NE(std::string(error.what()).find("if you trust it, set DELASSUS_UNPACKED_LIMIT=1G"),
              std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
  EnvironmentVariable const limit("DELASSUS_UNPACKED_LIMIT", "1G");
  EXPECT_TRUE(Archive(file).problems().empty());
}

TEST_F(ArchiveFile, MayBeAsLargeAsTheUserSays) {
  auto const file = write(make_archive(two_files));
  {
    EnvironmentVariable const limit("DELASSUS_UNPACKED_LIMIT", "5K");
    EXPECT_TRUE(Archive(file).problems().empty());
  }
  {
    EnvironmentVariable const limit("DELASSUS_UNPACKED_LIMIT", "5000");
    ASSERT_EQ(Archive(file).problems().size(), 1u);
    EXPECT_EQ(Archive(file).problems()[0].message,
              "unpacked it has 4.89 KiB in 2 entries, more than 4.88 KiB");
  }
  EnvironmentVariable const limit("DELASSUS_ENTRY_LIMIT", "1");
  EXPECT_TRUE(has_rule(Archive(file), "archive-entries"));
}

TEST_F(ArchiveFile, HasNoLimitThatIsNoNumber) {
  auto const file = write(make_archive(two_files));
  for (char const* const value : {"4 GB", "-1", "0", "many", "4g", "99999999999999999999", "9999999T"}) {
    EnvironmentVariable const limit("DELASSUS_UNPACKED_LIMIT", value);
    EXPECT_THROW(Archive{file}, CommandError) << value;
  }
}

}  // namespace
}  // namespace delassus
