#include "tools/support/zip_archive.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {

struct Archive::Handle {
  zip_t* zip = nullptr;
  ~Handle() {
    if (zip != nullptr) zip_discard(zip);
  }
};

namespace {

zip_t* open_zip(std::filesystem::path const& file, std::string& reason) {
  int code = 0;
  zip_t* const zip = zip_open(file.c_str(), ZIP_RDONLY, &code);
  if (zip == nullptr) {
    if (code == ZIP_ER_OPEN)
      throw FileError(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    reason = zip_error_strerror(&error);
    zip_error_fini(&error);
  }
  return zip;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Names come from others and end up on a terminal.
std::string printable(std::string_view name) {
  std::string text;
  for (unsigned char const c : name)
    text += c < 0x20 || c == 0x7f ? fmt::format("\\x{:02x}", c) : std::string(1, static_cast<char>(c));
  return text;
}

constexpr char unpacked_limit[] = "DELASSUS_UNPACKED_LIMIT", entry_limit[] = "DELASSUS_ENTRY_LIMIT";

std::string in_words(std::uint64_t bytes) {
  constexpr std::array<std::pair<unsigned, char const*>, 3> units{{{30, "GiB"}, {20, "MiB"}, {10, "KiB"}}};
  for (auto const& [bits, unit] : units) {
    if (bytes >= std::uint64_t{1} << bits)
      return fmt::format("{:.3g} {}",
                         static_cast<double>(bytes) / static_cast<double>(std::uint64_t{1} << bits), unit);
  }
  return fmt::format("{} bytes", bytes);
}

std::string allow(char const* name, std::string const& value) {
  return fmt::format("; if you trust it, set {}={}", name, value);
}

// In whole GiB, so that there is room for the next version.
std::string allow_bytes(std::uint64_t bytes) {
  return allow(unpacked_limit, fmt::format("{}G", (bytes >> 30) + 1));
}

std::optional<std::uint64_t> limit_of_environment(char const* name, bool bytes) {
  char const* const value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  std::string_view const text = value;
  std::uint64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view const unit = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::string_view units = "KMGT";
  auto const place = unit.size() == 1 ? units.find(unit[0]) : std::string_view::npos;
  unsigned const bits =
      bytes && place != std::string_view::npos ? 10 * (static_cast<unsigned>(place) + 1) : 0;
  if (error != std::errc{} || number == 0 || (bits == 0 && !unit.empty()) ||
      number > (UINT64_MAX >> 1 >> bits))
    throw CommandError(ExitCode::usage,
                       fmt::format("{} is '{}'; it must be a whole number > 0{}", name, text,
                                   bytes ? " of bytes, or with K, M, G or T behind it, as in 4G" : ""));
  return number << bits;
}

bool has_dot_dot(std::string_view name) {
  return std::ranges::any_of(std::filesystem::path(name), [](auto const& part) { return part == ".."; });
}

}  // namespace

ArchiveLimits usual_archive_limits() {
  ArchiveLimits limits;
  if (auto const bytes = limit_of_environment(unpacked_limit, true)) {
    limits.entry_bytes = limits.total_bytes = *bytes;
    limits.ratio_bytes = limits.whole_ratio_bytes = *bytes;
  }
  limits.entries = limit_of_environment(entry_limit, false).value_or(limits.entries);
  return limits;
}

bool is_zip(std::filesystem::path const& file) {
  // What is looked at of a pipe is missing when it is read.
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  char start[2] = {};
  std::ifstream(file, std::ios::binary).read(start, 2);
  return start[0] == 'P' && start[1] == 'K';
}

Archive::Archive(std::filesystem::path const& file, ArchiveLimits const& limits)
    : file_(file), limits_(limits), handle_(std::make_unique<Handle>()) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0)
    throw FileError(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
  if (S_ISDIR(status.st_mode)) throw FileError(fmt::format("cannot read {}: it is a folder", file.string()));
  file_bytes_ = static_cast<std::uint64_t>(status.st_size);
  // Without libzip's check of consistency: it refuses good archives of other packers, which write sizes
  // behind an entry.
  std::string reason;
  handle_->zip = open_zip(file, reason);
  if (handle_->zip == nullptr) {
    throw ArchiveError(fmt::format("{} is no zip archive: {}", file.string(), reason));
  }
  inspect();
}

Archive::~Archive() = default;

void Archive::inspect() {
  auto const count =
      static_cast<std::uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(handle_->zip, 0)));
  if (count > limits_.entries) {
    problems_.push_back({"archive-entries", fmt::format("{} entries, more than {}", count, limits_.entries),
                         "leave out of the FMU what the simulation does not need" +
                             allow(entry_limit, std::to_string(count))});
    return;
  }
  std::set<std::string> seen;
  constexpr std::uint64_t most_bytes = UINT64_MAX >> 2;  // no sum of two overflows
  std::uint64_t total = 0, packed = 0;
  std::vector<ArchiveEntry> repeated;
  for (std::uint64_t i = 0; i < count; ++i) {
    zip_stat_t status;
    if (zip_stat_index(handle_->zip, i, ZIP_FL_ENC_RAW, &status) != 0 ||
        (status.valid & ZIP_STAT_NAME) == 0) {
      problems_.push_back({"archive-entry", fmt::format("entry {} cannot be read", i), "pack the FMU anew"});
      continue;
    }
    std::string const name = status.name;
    inspect_name(name);
    bool const again = !seen.insert(lower(name)).second;
    if ((status.valid & ZIP_STAT_COMP_METHOD) != 0 && status.comp_method != ZIP_CM_STORE &&
        status.comp_method != ZIP_CM_DEFLATE) {
      problems_.push_back({"archive-compression",
                           fmt::format("{} is compressed by method {}", printable(name), status.comp_method),
                           "compress with deflate (8) or store (0): the FMI standard allows no other"});
    }
    if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE) {
      problems_.push_back(
          {"archive-encryption", printable(name) + " is encrypted", "pack the FMU without a password"});
    }
    inspect_kind(i, name);
    std::uint64_t const size = (status.valid & ZIP_STAT_SIZE) != 0 ? status.size : 0;
    if (size > limits_.entry_bytes) {
      problems_.push_back(
          {"archive-size",
           fmt::format("{} has {} bytes, more than {}", printable(name), size, limits_.entry_bytes),
           "keep large data outside of the FMU" + allow_bytes(size)});
    }
    std::uint64_t const packed_size = (status.valid & ZIP_STAT_COMP_SIZE) != 0 ? status.comp_size : 0;
    if (size <= limits_.entry_bytes && size > limits_.ratio_bytes && size / limits_.ratio > packed_size) {
      problems_.push_back(
          {"archive-ratio",
           fmt::format("{} has {} bytes, packed into {}: more than {} to one", printable(name), size,
                       packed_size, limits_.ratio),
           "keep data that packs like this outside of the FMU: it looks like a bomb" + allow_bytes(size)});
    }
    packed += std::min(packed_size, file_bytes_ + 1);
    total = std::min(total + std::min(size, most_bytes), most_bytes);
    (again ? repeated : entries_).push_back({name, size, i});
  }
  compare_repeated(repeated);
  // A file that is also a folder would be unpacked over itself.
  for (auto const& entry : entries_) {
    for (auto slash = entry.name.find('/'); slash != std::string::npos && slash + 1 < entry.name.size();
         slash = entry.name.find('/', slash + 1)) {
      if (!seen.contains(lower(entry.name.substr(0, slash)))) continue;
      problems_.push_back({"archive-duplicate",
                           fmt::format("{} is a file, and {} is inside of it",
                                       printable(entry.name.substr(0, slash)), printable(entry.name)),
                           "rename one of them"});
      break;
    }
  }
  if (packed > file_bytes_) {
    problems_.push_back(
        {"archive-overlap",
         fmt::format("its entries have {} packed bytes together, the archive has {}: they overlap", packed,
                     file_bytes_),
         "pack the FMU anew: each entry needs bytes of its own"});
  }
  if (total > limits_.total_bytes) {
    problems_.push_back({"archive-size",
                         fmt::format("unpacked it has {} in {} entries, more than {}", in_words(total), count,
                                     in_words(limits_.total_bytes)),
                         "keep large data outside of the FMU" + allow_bytes(total)});
  } else if (total > limits_.whole_ratio_bytes && total / limits_.whole_ratio > file_bytes_) {
    problems_.push_back(
        {"archive-ratio",
         fmt::format("unpacked it has {} in {} entries, and {} packed: more than {} to one", in_words(total),
                     count, in_words(file_bytes_), limits_.whole_ratio),
         "keep data that packs like this outside of the FMU: it looks like a bomb" + allow_bytes(total)});
  }
}

// Some packers write an entry twice. Where both have the same bytes, every program unpacks the same files, whichever it takes; where
// they differ, one reads what another does not see.
void Archive::compare_repeated(std::vector<ArchiveEntry> const& repeated) {
  bool const trusted = problems_.empty();  // else nothing more is read
  std::string names;
  for (ArchiveEntry const& entry : repeated) {
    auto const first = std::ranges::find(entries_, entry.name, &ArchiveEntry::name);
    bool same = false;
    if (trusted && first != entries_.end() && first->size == entry.size) {
      try {
        same = entry.is_folder() || read(*first) == read(entry);
      } catch (ArchiveError const&) {
        // Damaged: not the same.
      }
    }
    if (same) {
      names += (names.empty() ? "" : ", ") + printable(entry.name);
    } else {
      problems_.push_back(
          {"archive-duplicate",
           fmt::format("two entries are named {} (upper and lower case are the same on Windows)",
                       printable(entry.name)),
           "keep one of them"});
      entries_.push_back(entry);
    }
  }
  if (!names.empty())
    notes_.push_back(
        {"archive-repeated", "there twice, with the same bytes: " + names, "pack each file once"});
}

void Archive::inspect_name(std::string const& name) {
  auto const problem = [&](std::string const& what, std::string const& remedy) {
    problems_.push_back({"archive-name", fmt::format("entry '{}' {}", printable(name), what), remedy});
  };
  bool const drive =
      name.size() > 1 && name[1] == ':' && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  if (name.empty()) problem("has no name", "pack the FMU anew");
  if (name.starts_with('/') || drive)
    problem("has an absolute name", "name entries relative to the FMU's root");
  if (name.find('\\') != std::string::npos)
    problem("has a backslash in its name", "separate folders by / as the zip format demands");
  if (has_dot_dot(name)) problem("leads out of the FMU", "remove `..` from the name");
  if (!is_utf8(name))
    problem("has bytes in its name that are no UTF-8", "write names in UTF-8, best in ASCII");
  auto const depth = static_cast<std::size_t>(std::ranges::count(name, '/'));
  if (depth > limits_.depth) {
    problems_.push_back({"archive-depth",
                         fmt::format("entry '{}...' is {} folders deep, more than {}",
                                     printable(name.substr(0, 60)), depth, limits_.depth),
                         "use fewer folders inside of each other"});
  }
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
    problem("has a control character in its name", "use letters, digits, `_`, `-` and `.`");
  }
}

void Archive::inspect_kind(std::uint64_t index, std::string const& name) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(handle_->zip, index, 0, &system, &attributes) != 0 ||
      system != ZIP_OPSYS_UNIX)
    return;
  mode_t const kind = (attributes >> 16) & S_IFMT;
  if (kind == S_IFLNK) {
    problems_.push_back(
        {"archive-link", printable(name) + " is a symbolic link", "pack the file that it points to"});
  } else if (kind != 0 && kind != S_IFREG && kind != S_IFDIR) {
    problems_.push_back(
        {"archive-link", printable(name) + " is neither a file nor a folder", "pack only files and folders"});
  }
}

bool Archive::contains(std::string_view name) const {
  return std::ranges::any_of(entries_, [&](ArchiveEntry const& entry) { return entry.name == name; });
}

std::string Archive::read(std::string_view name) const {
  auto const entry = std::ranges::find(entries_, name, &ArchiveEntry::name);
  if (entry == entries_.end()) throw ArchiveError(fmt::format("{} has no entry {}", file_.string(), name));
  return read(*entry);
}

std::string Archive::read(ArchiveEntry const& entry) const {
  auto const fail = [&](std::string const& reason) {
    throw ArchiveError(
        fmt::format("cannot read {} in {}: {}", printable(entry.name), file_.string(), reason));
  };
  if (entry.size > limits_.entry_bytes) fail(fmt::format("it has more than {} bytes", limits_.entry_bytes));
  zip_file_t* const stream = zip_fopen_index(handle_->zip, entry.index, 0);
  if (stream == nullptr) fail(zip_strerror(handle_->zip));
  // One byte more than the directory promises: an entry that inflates to more is caught here, and reading to
  // the end makes libzip compare the checksum. Memory grows with what really comes out, not with what the
  // directory claims.
  std::string content;
  char buffer[65536];
  zip_int64_t count = 0;
  while (content.size() <= entry.size && (count = zip_fread(stream, buffer, sizeof buffer)) > 0) {
    content.append(buffer, static_cast<std::size_t>(count));
  }
  std::string const reason = count < 0 ? zip_error_strerror(zip_file_get_error(stream)) : "";
  zip_fclose(stream);
  if (count < 0) fail(reason);
  if (content.size() != entry.size) fail("its size is not the one in the archive's directory");
  return content;
}

// A disk that is full disturbs others, too.
void Archive::demand_space(std::filesystem::path const& folder) const {
  std::uint64_t total = 0;
  for (ArchiveEntry const& entry : entries_) total += entry.size;
  std::error_code error;
  auto const space = std::filesystem::space(folder, error);
  if (error || total <= space.available) return;
  throw StorageError(
      fmt::format("{} is not unpacked: it needs {}, and {} has {}; set TMPDIR to a folder with more room",
                  file_.string(), in_words(total), folder.string(), in_words(space.available)));
}

void Archive::extract(std::filesystem::path const& folder) const {
  if (!problems_.empty()) {
    throw ArchiveError(fmt::format("{} is not unpacked: {} ({}): {}; `delassus check` lists everything",
                                   file_.string(), problems_.front().message, problems_.front().rule,
                                   problems_.front().remedy));
  }
  demand_space(folder);
  for (ArchiveEntry const& entry : entries_) {
    std::filesystem::path const target = folder / entry.name;
    std::error_code error;
    std::filesystem::create_directories(entry.is_folder() ? target : target.parent_path(), error);
    if (error) throw FileError(fmt::format("cannot unpack {}: {}", target.string(), error.message()));
    if (!entry.is_folder()) write_file(target, read(entry));
  }
}

}  // namespace delassus
