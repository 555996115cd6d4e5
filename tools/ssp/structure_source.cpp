#include "tools/ssp/structure_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/language/vocabulary.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

// None where a `%` is not followed by two digits of base 16.
std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    auto const [end, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
    if (error != std::errc{} || end != text.data() + i + 3) return std::nullopt;
    decoded += static_cast<char>(value);
    i += 2;
  }
  return decoded;
}

// Of `http://...`; a colon behind the first slash is part of a name.
std::string scheme_of(std::string_view uri) {
  auto const colon = uri.find(':');
  if (colon == std::string_view::npos || colon < 2 ||
      uri.substr(0, colon).find('/') != std::string_view::npos)
    return "";
  return std::string(uri.substr(0, colon));
}

// In a folder the variants of a structure lie beside it.
std::filesystem::path variant_path(std::filesystem::path const& file, std::string const& variant) {
  std::filesystem::path const name = variant;
  if (file.filename() != structure_file_name || name.extension() != ".ssd" || name.has_parent_path())
    return file;
  auto const sibling = file.parent_path() / name;
  std::error_code error;
  return std::filesystem::exists(sibling, error) ? sibling : file;
}

}  // namespace

bool is_system_file(std::filesystem::path const& named) {
  auto const file = find_system(named);
  auto const extension = file.extension();
  if (extension == ".ssp" || extension == ".ssd") return true;
  std::error_code error;
  if (extension == ".fmu" || !std::filesystem::is_regular_file(file, error)) return false;
  try {
    if (is_zip(file)) return Archive(file).contains(structure_file_name);
    return is_system_structure(read_file(file, scene_limits.bytes));
  } catch (std::exception const&) {
    return false;  // the reader that takes it for something else says what is wrong with it
  }
}

StructureSource::StructureSource(std::filesystem::path const& named, std::string const& variant)
    : StructureSource(Found{variant_path(find_system(named), variant)}, variant) {}

StructureSource::StructureSource(Found const& found, std::string const& variant)
    : file_(found.file),
      folder_(file_.parent_path()),
      location_(std::filesystem::absolute(file_).lexically_normal()) {
  auto const& file = file_;
  if (file.extension() == ".ssp" || is_zip(file)) {
    open_package(variant);
    return;
  }
  text_ = read_file(file, description_limits.bytes);
  structure_ = read_system_structure(text_, file.string());
  if (!variant.empty() && variant != structure_.name && variant != file.filename())
    fail(0, fmt::format("there is no variant '{}': this is one structure, '{}'", variant, structure_.name));
}

StructureSource::StructureSource(Written written, std::filesystem::path const& shown)
    : file_(shown),
      folder_(shown.parent_path()),
      location_(std::filesystem::absolute(shown).lexically_normal()),
      text_(std::move(written.text)),
      structure_(read_system_structure(text_, shown.string())) {}

StructureSource::StructureSource(StructureSource const& outer, std::filesystem::path const& location,
                                 std::string const& shown)
    : file_(outer.is_package() ? outer.file_ : location),
      folder_(location.parent_path()),
      location_(std::filesystem::absolute(location).lexically_normal()),
      package_(outer.package_),
      text_(read_file(location, description_limits.bytes)),
      structure_(read_system_structure(text_, shown)) {}

std::shared_ptr<const StructureSource> StructureSource::inner(std::string const& uri, int line) const {
  auto const found = resolve(uri, line);
  if (is_zip(found) || found.extension() == ".ssp")
    return std::make_shared<const StructureSource>(found, uri_fragment(uri));
  auto const shown = is_package() ? file_.string() + "/" + uri : found.string();
  return std::shared_ptr<const StructureSource>(new StructureSource(*this, found, shown));
}

void StructureSource::open_package(std::string const& variant) {
  Archive const archive(file_);
  for (auto const& entry : archive.entries()) {
    if (entry.name.ends_with(".ssd") && entry.name.find('/') == std::string::npos)
      variants_.push_back(entry.name);
  }
  std::ranges::sort(variants_, {},
                    [](std::string const& name) { return std::pair(name != structure_file_name, name); });
  if (variants_.empty() || (variant.empty() && variants_.front() != structure_file_name)) {
    fail(0, variants_.empty()
                ? std::string("there is no SystemStructure.ssd at the root of the archive; pack the files "
                              "themselves and not the folder that they are in")
                : fmt::format("there is no SystemStructure.ssd at the root of the archive; choose one of {} "
                              "with --variant",
                              fmt::join(variants_, ", ")));
  }
  package_ = std::make_shared<const TemporaryFolder>();
  folder_ = package_->path();
  archive.extract(folder_);
  std::vector<std::string_view> known;
  std::vector<std::string> names;
  for (auto const& candidate : variants_) {
    bool const by_file = variant.empty() ? candidate == structure_file_name : candidate == variant;
    std::string const shown = file_.string() + "/" + candidate;
    std::string text = read_file(folder_ / candidate, description_limits.bytes);
    // Other variants are only read for their names, and may be wrong otherwise.
    std::string name;
    try {
      name = by_file || !variant.empty() ? read_system_structure(text, shown).name : "";
    } catch (std::exception const&) {
      if (by_file) throw;
    }
    names.push_back(name);
    if (!by_file && (variant.empty() || name != variant)) continue;
    text_ = std::move(text);
    location_ = folder_ / candidate;
    structure_ = read_system_structure(text_, shown);
    return;
  }
  for (auto const& each : variants_) known.push_back(each);
  for (auto const& each : names) known.push_back(each);
  auto const near = did_you_mean(variant, known);
  fail(0, fmt::format("there is no variant '{}'; {}", variant,
                      near ? fmt::format("did you mean '{}'?", *near)
                           : fmt::format("there are {}", fmt::join(variants_, ", "))));
}

void StructureSource::fail(int line, std::string const& message) const {
  throw StructureError(structure_.file.empty() ? file_.string() : structure_.file, line, message);
}

std::filesystem::path StructureSource::resolve(std::string const& uri, int line) const {
  std::string rest = uri.substr(0, uri.find('#'));
  auto const scheme = scheme_of(rest);
  if (scheme == "file" && !is_package()) {
    rest.erase(0, rest.starts_with("file://") ? 7 : 5);
    if (!rest.starts_with('/'))
      fail(line, fmt::format("\"{}\" is on another machine; write file:///path or a relative name", uri));
  } else if (!scheme.empty()) {
    fail(line, fmt::format("\"{}\" has the scheme {}; write the name of a file relative to the structure",
                           uri, scheme));
  }
  if (rest.find('?') != std::string::npos)
    fail(line, fmt::format("\"{}\" has a query; write the name of a file (a ? in it as %3F)", uri));
  auto const decoded = percent_decoded(rest);
  if (!decoded) fail(line, fmt::format("\"{}\" has a % that is none of a URI; write %25 for it", uri));
  if (decoded->empty()) fail(line, fmt::format("\"{}\" names no file", uri));
  if (std::ranges::any_of(*decoded, [](unsigned char c) { return c < 0x20 || c == 0x7f; }) ||
      std::ranges::count(*decoded, '/') != std::ranges::count(rest, '/'))
    fail(line, fmt::format("\"{}\" hides a slash or a control character behind a %", uri));
  if (decoded->find('\\') != std::string::npos)
    fail(line, fmt::format("\"{}\" has a backslash; write / between folders", uri));

  auto const found = (folder_ / *decoded).lexically_normal();
  if (is_package() && *found.lexically_relative(package_->path()).begin() == "..")
    fail(line, fmt::format("\"{}\" leads out of the package; put the file into resources/", uri));
  std::error_code error;
  if (std::filesystem::is_directory(found, error)) fail(line, fmt::format("\"{}\" is a folder", uri));
  if (!std::filesystem::exists(found, error)) {
    fail(line, is_package()
                   ? fmt::format("\"{}\" is not in {}; pack it, or correct the name", uri, file_.string())
                   : fmt::format("\"{}\" does not exist in {}; add the file, or correct the name", uri,
                                 folder_.empty() ? "this folder" : folder_.string()));
  }
  return found;
}

std::string uri_fragment(std::string const& uri) {
  auto const hash = uri.find('#');
  if (hash == std::string::npos) return "";
  return percent_decoded(std::string_view(uri).substr(hash + 1)).value_or(uri.substr(hash + 1));
}

std::string path_to_uri(std::string const& path) {
  std::string uri;
  for (unsigned char const c : path) {
    bool const plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       std::string_view("/-._~").find(static_cast<char>(c)) != std::string_view::npos;
    uri += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return uri;
}

}  // namespace delassus
