#include "tools/package/licenses.hpp"

#include <fmt/format.h>

#include <array>

#include "tools/support/atomic_file.hpp"
#include "tools/support/build_info.hpp"
#include "tools/support/share_folder.hpp"

namespace delassus {
namespace {

struct LinkedPart {
  std::string_view name, license, source;
  std::string_view file;  // in share/delassus/licenses, where its text was found
  bool windows_only = false;
};

constexpr std::array<LinkedPart, 5> linked_parts{{
    {"Eigen (linear algebra)", "MPL-2.0", "https://eigen.tuxfamily.org", "Eigen.txt"},
    {"Boost.Odeint (Dormand-Prince stepper)", "BSL-1.0", "https://www.boost.org", "Boost.txt"},
    {"cereal (archives of scene and state)", "BSD-3-Clause", "https://uscilab.github.io/cereal",
     "cereal.txt"},
    {"libstdc++ and libgcc (runtime of C++)", "GPL-3.0-or-later WITH GCC-exception-3.1",
     "https://gcc.gnu.org", "libstdc++.txt"},
    {"mingw-w64 runtime and winpthreads (in the binary for Windows)", "ZPL-2.1 AND MIT",
     "https://www.mingw-w64.org", "mingw-w64.txt", true},
}};

}  // namespace

std::map<std::string, std::string> license_files(bool with_windows) {
  std::string const folder = "documentation/licenses/";
  std::map<std::string, std::string> files;
  std::string parts;
  for (LinkedPart const& part : linked_parts) {
    if (part.windows_only && !with_windows) continue;
    auto const text = share_folder() / "licenses" / part.file;
    bool const found = std::filesystem::is_regular_file(text);
    if (found) files[folder + std::string(part.file)] = read_file(text);
    parts += fmt::format("- {}\n  licence {}, source code at {}{}\n", part.name, part.license, part.source,
                         found ? fmt::format(", text in {}", part.file) : "");
  }
  // The standard's entry point.
  files[folder + "license.txt"] = fmt::format(
      "This FMU was made by Delassus. Its binaries, its description and its documentation:\n\n{}\n"
      "The scene in resources and documentation belongs to its author.\n\n"
      "Linked into the binaries, unmodified:\n\n{}",
      license_text, parts);
  return files;
}

}  // namespace delassus
