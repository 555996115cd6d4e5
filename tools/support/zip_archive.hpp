// Zip archives: ours, with the same bytes for the same content, and those of others, which are not trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/scene/user_error.hpp"

namespace delassus {

class ArchiveError : public UserError {
 public:
  using UserError::UserError;
};

// Whether a file begins as an archive does.
bool is_zip(std::filesystem::path const& file);

// Entries sorted by name, deflated, with the date of SOURCE_DATE_EPOCH or 1980-01-01: same entries, same
// bytes, whatever the clock, time zone and umask. Throws ArchiveError.
std::string make_archive(std::map<std::string, std::string> const& entries);

// What an archive may not be larger than. An FMU of ours is below 2 MB; the largest known ones have some
// thousand files.
struct ArchiveLimits {
  std::uint64_t entries = 20'000;
  std::uint64_t entry_bytes = std::uint64_t{1} << 30;
  std::uint64_t total_bytes = std::uint64_t{1} << 30;
  // Deflate cannot pack better than 1 : 1032. Text packs 1 : 10, an empty table perhaps 1 : 200; entries of less
  // than `ratio_bytes` do no harm whatever their ratio is.
  std::uint64_t ratio = 300, ratio_bytes = std::uint64_t{16} << 20;
  // The same for the whole archive: many entries just below the one limit are a bomb, too.
  std::uint64_t whole_ratio = 50, whole_ratio_bytes = std::uint64_t{128} << 20;
  std::size_t depth = 32;  // of folders
};

// Those above, or what the user allows: DELASSUS_UNPACKED_LIMIT (bytes, or as in 800M, 4G) in place of the limits of sizes and
// ratios, DELASSUS_ENTRY_LIMIT in place of `entries`. Throws CommandError where one of them is no such number.
ArchiveLimits usual_archive_limits();

struct ArchiveProblem {
  std::string rule;  // archive-name, archive-link, ...
  std::string message;
  std::string remedy;
};

struct ArchiveEntry {
  std::string name;  // folders end in a slash
  std::uint64_t size = 0;
  std::uint64_t index = 0;
  bool is_folder() const { return name.ends_with('/'); }
};

class Archive {
 public:
  // Throws FileError where the file cannot be read and ArchiveError where it is no zip archive. Everything
  // else that is wrong is in problems().
  explicit Archive(std::filesystem::path const& file, ArchiveLimits const& limits = usual_archive_limits());
  ~Archive();

  std::filesystem::path const& file() const { return file_; }
  std::vector<ArchiveEntry> const& entries() const { return entries_; }
  std::vector<ArchiveProblem> const& problems() const { return problems_; }
  // What does no harm.
  std::vector<ArchiveProblem> const& notes() const { return notes_; }
  bool contains(std::string_view name) const;

  // Throws ArchiveError where the entry is missing, encrypted, damaged or larger than it says.
  std::string read(std::string_view name) const;

  // Throws ArchiveError, before the first file is written, where there is any problem, and StorageError (atomic_file.hpp) where
  // there is no room.
  void extract(std::filesystem::path const& folder) const;

 private:
  struct Handle;
  void inspect();
  void demand_space(std::filesystem::path const& folder) const;
  void inspect_name(std::string const& name);
  void compare_repeated(std::vector<ArchiveEntry> const& repeated);
  void inspect_kind(std::uint64_t index, std::string const& name);
  std::string read(ArchiveEntry const& entry) const;

  std::filesystem::path file_;
  ArchiveLimits limits_;
  std::uint64_t file_bytes_ = 0;
  std::unique_ptr<Handle> handle_;
  std::vector<ArchiveEntry> entries_;
  std::vector<ArchiveProblem> problems_, notes_;
};

}  // namespace delassus
