#include <sys/stat.h>
#include <zip.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

#include "tools/support/source_date.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus {
namespace {

struct SourceRelease {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};

struct DosTime {
  zip_uint16_t time = 0, date = 0;
};

// Noon, whatever the hour of SOURCE_DATE_EPOCH: libzip takes the stamp through the local time zone, and no
// zone has a day without a noon.
DosTime stamp() {
  std::time_t const earliest = 315532800;  // 1980-01-01, where the calendar of zip begins
  std::time_t const seconds = std::max<std::time_t>(earliest, source_date_epoch().value_or(earliest));
  std::tm calendar{};
  gmtime_r(&seconds, &calendar);
  return {static_cast<zip_uint16_t>(12 << 11),
          static_cast<zip_uint16_t>(((calendar.tm_year - 80) << 9) | ((calendar.tm_mon + 1) << 5) |
                                    calendar.tm_mday)};
}

bool is_library(std::string const& name) {
  return name.ends_with(".so") || name.ends_with(".dll") || name.ends_with(".dylib");
}

void check(bool succeeded, zip_t* archive, std::string const& name) {
  if (!succeeded) throw ArchiveError("cannot pack " + name + ": " + zip_strerror(archive));
}

void add_entry(zip_t* archive, std::string const& name, std::string const& content, DosTime const& time) {
  zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
  check(source != nullptr, archive, name);
  zip_int64_t const index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) zip_source_free(source);
  check(index >= 0, archive, name);
  auto const entry = static_cast<zip_uint64_t>(index);
  zip_uint32_t const mode = S_IFREG | (is_library(name) ? 0755u : 0644u);
  check(zip_set_file_compression(archive, entry, ZIP_CM_DEFLATE, 9) == 0, archive, name);
  check(zip_file_set_dostime(archive, entry, time.time, time.date, 0) == 0, archive, name);
  check(zip_file_set_external_attributes(archive, entry, 0, ZIP_OPSYS_UNIX, mode << 16) == 0, archive, name);
}

std::string content_of(zip_source_t* source) {
  zip_stat_t status;
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
    throw ArchiveError("cannot read the new archive back");
  std::string bytes(status.size, '\0');
  zip_int64_t const count = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (count < 0 || static_cast<std::size_t>(count) != bytes.size())
    throw ArchiveError("cannot read the new archive back");
  return bytes;
}

}  // namespace

std::string make_archive(std::map<std::string, std::string> const& entries) {
  zip_error_t error;
  zip_error_init(&error);
  std::unique_ptr<zip_source_t, SourceRelease> buffer(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!buffer) throw ArchiveError(std::string("cannot make an archive: ") + zip_error_strerror(&error));
  zip_t* archive = zip_open_from_source(buffer.get(), ZIP_TRUNCATE, &error);
  if (archive == nullptr)
    throw ArchiveError(std::string("cannot make an archive: ") + zip_error_strerror(&error));
  zip_source_keep(buffer.get());  // the archive owns one reference, `buffer` the other
  try {
    DosTime const time = stamp();
    for (auto const& [name, content] : entries) add_entry(archive, name, content, time);
    check(zip_close(archive) == 0, archive, "the archive");
  } catch (...) {
    zip_discard(archive);
    throw;
  }
  return content_of(buffer.get());
}

}  // namespace delassus
