#include "tools/sweep/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "fmu/content/sealed_bytes.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

constexpr std::string_view first_line = "delassus-sweep-journal 1\n";

// A machine that loses its power loses no more than the runs of this time, s. (A process that is killed loses none.)
constexpr double longest_unsynchronised = 5;

// A sweep that was killed holds its lock until its workers are gone too.
constexpr int lock_attempts = 20;

[[noreturn]] void fail(std::string const& action, std::filesystem::path const& file, int error) {
  throw FileError(fmt::format("cannot {} {}: {}", action, file.string(), std::strerror(error)));
}

[[noreturn]] void fail_to_write(std::filesystem::path const& file) {
  throw StorageError(
      fmt::format("cannot write {}: {}; finished runs are kept", file.string(), std::strerror(errno)));
}

std::string checksum(std::string_view line) {
  return fmt::format("{:016x}", content_hash(line));
}

// ` (process 4711)`, or nothing where the kernel does not tell.
std::string lock_holder(struct stat const& file) {
  std::ifstream locks("/proc/locks");
  std::string const place =
      fmt::format("{:02x}:{:02x}:{}", major(file.st_dev), minor(file.st_dev), file.st_ino);
  // 1: FLOCK  ADVISORY  WRITE 4711 fe:00:12345 0 EOF
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, process, where;
    if (!(words >> number >> kind >> advisory >> access >> process >> where)) continue;
    if (kind == "FLOCK" && where == place && process != "0" && process.find('-') == std::string::npos)
      return fmt::format(" (process {})", process);
  }
  return "";
}

// Line by line, without what follows the last end of line.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    lines.push_back(text.substr(0, end));
  return lines;
}

}  // namespace

SweepJournal::SweepJournal(std::filesystem::path file, std::vector<std::string> const& facts,
                           std::size_t runs, bool restart)
    : file_(std::move(file)), head_(first_line), facts_(facts), rows_(runs) {
  std::string all;
  for (auto const& fact : facts_) {
    head_ += "# " + fact + "\n";
    all += fact + "\n";
  }
  head_ += "plan " + content_hash_text(all) + "\n";
  open_and_lock();
  try {
    std::string const content = read_file(file_, std::size_t{1} << 36);
    if (content.empty() || restart) {
      begin();
    } else {
      go_on(content);
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

// The lock is the kernel's (flock): it goes with the last process of a sweep, however that ends.
void SweepJournal::open_and_lock() {
  for (int attempt = 0;; ++attempt) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("write", file_, errno);
    int const error = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    struct stat ours {
    }, named{};
    bool const same = ::fstat(descriptor_, &ours) == 0 && ::stat(file_.c_str(), &named) == 0 &&
                      ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
    // Some network file systems have no locks; a sweep there is not worse off than without one. And one that has ended
    // meanwhile has removed its journal.
    if (error != EWOULDBLOCK && error != EINTR && same) return;
    std::string const holder = lock_holder(ours);
    ::close(descriptor_);
    descriptor_ = -1;
    if (attempt < lock_attempts) {
      ::usleep(100'000);
      continue;
    }
    throw CommandError(
        ExitCode::run_failed,
        fmt::format("another sweep{} is writing {}; wait for it, end it, or name another output", holder,
                    file_.string()));
  }
}

SweepJournal::~SweepJournal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SweepJournal::begin() {
  if (::ftruncate(descriptor_, 0) != 0 || !write_all(descriptor_, head_)) fail_to_write(file_);
}

void SweepJournal::go_on(std::string const& content) {
  auto const lines = lines_of(content);
  auto const expected = lines_of(head_);
  // One that was cut in its head has no run in it.
  if (std::string_view(head_).starts_with(content) && content.size() < head_.size()) return begin();
  if (lines.empty() || lines[0] != expected[0]) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("{} is no journal of a sweep of this version; move it away, or give --restart "
                    "to begin anew",
                    file_.string()));
  }
  for (std::size_t i = 1; i < std::max(expected.size(), std::size_t{1}); ++i) {
    if (i < lines.size() && lines[i] == expected[i]) continue;
    auto const shown = [](std::string_view line) {
      return std::string(line.starts_with("# ") ? line.substr(2) : "nothing");
    };
    throw CommandError(
        ExitCode::usage,
        fmt::format(
            "{} has finished runs of another sweep: '{}' there, '{}' here. Give the options of then to go "
            "on with it, name another output, or give --restart to drop it and begin anew",
            file_.string(), shown(i < lines.size() ? lines[i] : ""), shown(expected[i])));
  }
  for (std::size_t i = expected.size(); i < lines.size(); ++i) {
    auto const blank = lines[i].find(' ');
    if (blank == std::string_view::npos) continue;
    std::string_view const rest = lines[i].substr(blank + 1);
    auto const end = rest.find(' ');
    if (lines[i].substr(0, blank) != checksum(rest) || end == std::string_view::npos) continue;
    auto const run = parse_integer<std::uint64_t>(rest.substr(0, end));
    if (run && *run >= 1 && *run <= rows_.size()) rows_[*run - 1] = std::string(rest.substr(end + 1));
  }
  // What was cut would swallow the next line.
  if (!content.ends_with('\n') && !write_all(descriptor_, "\n")) fail_to_write(file_);
}

void SweepJournal::add(std::size_t run, std::string const& row) {
  std::string const rest = fmt::format("{} {}", run + 1, row);
  if (!write_all(descriptor_, checksum(rest) + " " + rest + "\n")) fail_to_write(file_);
  auto const now = Clock::now();
  if (std::chrono::duration<double>(now - synchronised_).count() < longest_unsynchronised) return;
  synchronised_ = now;
  ::fdatasync(descriptor_);
}

void SweepJournal::remove() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

}  // namespace delassus
