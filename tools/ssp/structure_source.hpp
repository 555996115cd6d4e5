// A system structure with the files that it refers to: an .ssp, unpacked for as long as this lives, or an .ssd
// (or .xml) with its folder. What its URIs stand for is decided here: nothing outside of a package is reached
// from inside of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/support/temporary_folder.hpp"
#include "xml/ssp/structure.hpp"

namespace delassus {

// What sources that are examples of this program begin with: delassus:painleve_rod.
inline constexpr std::string_view example_scheme = "delassus:";

// Whether a file is a system: by its extension, by SystemStructure.ssd in an archive, or by its root element. A folder
// with a SystemStructure.ssd is one, too, and so is the name of an example.
bool is_system_file(std::filesystem::path const& file);

class StructureSource {
 public:
  // `named`: as in is_system_file. `variant`: of several .ssd files in a package or folder the one of that file name, in
  // a package also the one whose structure has that name; empty: SystemStructure.ssd. Throws FileError, ArchiveError and StructureError.
  explicit StructureSource(std::filesystem::path const& named, std::string const& variant = "");

  // A structure that was put together here, as if it were the file `shown`. Throws StructureError.
  struct Written {
    std::string text;
  };
  StructureSource(Written written, std::filesystem::path const& shown);

  std::filesystem::path const& file() const { return file_; }  // that was named
  SystemStructure const& structure() const { return structure_; }
  std::string const& text() const { return text_; }
  bool is_package() const { return package_ != nullptr; }  // or inside of one
  // The root for relative URIs.
  std::filesystem::path const& folder() const { return folder_; }
  // The .ssd itself, on this machine: two structures of one location are the same.
  std::filesystem::path const& location() const { return location_; }
  // All .ssd files of a package, the default one first.
  std::vector<std::string> const& variants() const { return variants_; }

  // The file that a URI stands for, which exists; `line` is where it was written. A fragment is left out.
  // Throws StructureError.
  std::filesystem::path resolve(std::string const& uri, int line) const;

  // The structure that a URI stands for: a package, with its variant in the fragment, or another .ssd. One inside of a
  // package reaches no further than the package. Throws as above.
  std::shared_ptr<const StructureSource> inner(std::string const& uri, int line) const;

 private:
  struct Found {
    std::filesystem::path file;
  };
  StructureSource(Found const& found, std::string const& variant);
  StructureSource(StructureSource const& outer, std::filesystem::path const& location,
                  std::string const& shown);
  [[noreturn]] void fail(int line, std::string const& message) const;
  void open_package(std::string const& variant);

  std::filesystem::path file_, folder_, location_;
  std::shared_ptr<const TemporaryFolder> package_;
  std::vector<std::string> variants_;
  std::string text_;
  SystemStructure structure_;
};

// `#...` of a URI, decoded; empty where there is none.
std::string uri_fragment(std::string const& uri);

// A relative path as a URI: blanks and the like percent-encoded.
std::string path_to_uri(std::string const& path);

}  // namespace delassus
