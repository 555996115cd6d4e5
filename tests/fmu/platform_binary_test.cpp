// The FMU's binaries for other platforms, run there as far as this machine can pretend to be one (wine, qemu), beside the native
// one. All of them are packed FMUs, loaded by a small C program through the plain C interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/bits/example_bits.hpp"
#include "tests/support/command_output.hpp"
#include "tools/import/package_description.hpp"
#include "tools/import/signal_table.hpp"
#include "tools/package/package_files.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/temporary_folder.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

struct Platform {
  std::string name;     // in FMI 3's words
  std::string runner;   // program that loads the binary
  std::string command;  // what runs such programs here; empty for the native one
  bool windows = false;
};

// Wine keeps its registry where the build does; it asks for no screen and no other runtimes. The locale tells it that names are UTF-8.
Platform const windows{"x86_64-windows", DELASSUS_WINDOWS_RUN,
                       std::string(DELASSUS_WINE).empty()
                           ? ""
                           : "env -u DISPLAY LC_ALL=C.UTF-8 WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= "
                             "WINEPREFIX='" DELASSUS_WINE_FOLDER "' '" DELASSUS_WINE "'",
                       true};
Platform const arm{"aarch64-linux", DELASSUS_AARCH64_RUN,
                   std::string(DELASSUS_QEMU).empty() ? "" : "'" DELASSUS_QEMU "' -L /usr/aarch64-linux-gnu"};
Platform const native{"x86_64-linux", DELASSUS_NATIVE_RUN, ""};

std::string binary_of(std::string const& platform) {
  for (FmuBinary const& binary : fmu_binaries()) {
    if (binary.platform == platform) return binary.file.string();
  }
  return "";
}

using Rows = std::vector<std::vector<double>>;

struct Case {
  std::string name;  // of a scene or controller of the library
  int fmi_version;
};

void PrintTo(Case const& chosen, std::ostream* out) {
  *out << chosen.name << ", FMI " << chosen.fmi_version;
}

std::string percent_encoded(std::string const& text) {
  std::string encoded;
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte < 0x7f) {
      encoded += c;
    } else {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(byte));
      encoded += code;
    }
  }
  return encoded;
}

class PlatformRun {
 public:
  explicit PlatformRun(Case const& chosen)
      : chosen_(chosen),
        model_(test::example_of_library(chosen.name)),
        description_(package_description(*model_, chosen.fmi_version)),
        signals_(description_) {}

  int steps() const { return test::example_steps(model_->table()); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (Signal const& signal : signals_.signals()) {
      if (wanted(signal)) found.push_back(signal.name);
    }
    return found;
  }

  // Unpacks an FMU with the platform's binary and runs it. Its resources are in a folder whose name has blanks, and letters that no
  // code page of Windows has all of: FMI's strings are UTF-8 everywhere.
  Rows on(Platform const& platform) const {
    TemporaryFolder const folder;
    fs::path const root = folder.path() / "an FMU",
                   elsewhere = folder.path() / "r\u00e9sum\u00e9 \u03b4\u4e2d";
    std::string library;
    for (auto const& [name, content] :
         package_files(*model_, chosen_.fmi_version, PackageOptions{.platforms = {platform.name}})) {
      fs::create_directories((root / name).parent_path());
      write_file(root / name, content);
      if (name.starts_with("binaries/")) library = (root / name).string();
    }
    fs::rename(root / "resources", elsewhere);
    // Wine shows the whole file system as its drive Z.
    std::string const drive = platform.windows ? "Z:" : "";
    std::string const resources =
        (chosen_.fmi_version == 2 ? platform.windows ? "file:///" : "file://" : "") + drive +
        percent_encoded(elsewhere.string() + "/");
    std::string command =
        platform.command + " '" + platform.runner + "' '" + drive + library + "' " +
        std::to_string(chosen_.fmi_version) + " '" + model_->token(chosen_.fmi_version) + "' '" + resources +
        "' " + std::to_string(model_->table().default_experiment().step) + " " + std::to_string(steps());
    for (Signal const& signal : signals_.signals()) {
      if (wanted(signal) && signal.offset == 0)
        command += " " + std::to_string(signal.value_reference) + ":" +
                   std::to_string(chosen_.fmi_version == 3 ? signal.size : 1);
      else if (wanted(signal) && chosen_.fmi_version == 2)
        command += " " + std::to_string(signal.value_reference) + ":1";
    }
    Rows rows;
    std::istringstream lines(test::output_of(command));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      rows.emplace_back();
      for (std::string word; words >> word;)
        rows.back().push_back(std::bit_cast<double>(std::stoull(word, nullptr, 16)));
    }
    return rows;
  }

 private:
  static bool wanted(Signal const& signal) { return signal.is_output() && signal.is_float(); }

  Case chosen_;
  std::shared_ptr<const Model> model_;
  ModelDescription description_;
  SignalTable signals_;
};

std::string reason_to_skip(Platform const& platform) {
  if (binary_of(platform.name).empty() || platform.runner.empty())
    return "no cross compiler for " + platform.name + " was found when the build was configured";
  if (platform.command.empty()) return "nothing on this machine runs programs of " + platform.name;
  return "";
}

struct Difference {
  double largest = 0;  // of an output, in shares of its largest magnitude
  std::string column;
  double motion = 0;  // of a position, in m
  int columns = 0;    // that are not the same to the bit
};

Difference difference_of(Rows const& rows, Rows const& expected, std::vector<std::string> const& names) {
  Difference result;
  for (std::size_t column = 0; column < names.size(); ++column) {
    double scale = 0, difference = 0;
    for (std::size_t row = 0; row < expected.size(); ++row) {
      scale = std::max(scale, std::abs(expected[row][column]));
      difference = std::max(difference, std::abs(rows[row][column] - expected[row][column]));
    }
    if (names[column].find(".position") != std::string::npos)
      result.motion = std::max(result.motion, difference);
    double const share = scale > 1e-9 ? difference / scale : difference;
    if (difference != 0) ++result.columns;
    if (share > result.largest) result.largest = share, result.column = names[column];
  }
  return result;
}

class PlatformBinary : public testing::TestWithParam<Case> {
 protected:
  static std::string stored() { return test::example_bits()[GetParam().name]; }

  // The same bits everywhere (model/numbers/elementary.hpp), those of the native run and of the file. Where they are not, the
  // differences tell how far they are apart.
  static void expect_same_bits(Platform const& platform) {
    if (auto const reason = reason_to_skip(platform); !reason.empty()) GTEST_SKIP() << reason;
    PlatformRun const run(GetParam());
    Rows const rows = run.on(platform);
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(run.steps()) + 1);
    if (test::hash_of(rows) == stored()) return;
    Rows const expected = run.on(native);
    ASSERT_EQ(expected.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i].size(), expected[i].size());
    Difference const difference = difference_of(rows, expected, run.names());
    ADD_FAILURE() << difference.columns << " of " << run.names().size()
                  << " outputs differ from the native run, " << difference.column << " most: by "
                  << difference.largest << " of its largest value; positions by " << difference.motion
                  << " m; the native run has " << (test::hash_of(expected) == stored() ? "" : "not ")
                  << "the bits of example_bits.txt";
  }
};

TEST_P(PlatformBinary, HasTheStoredBitsHere) {
  EXPECT_EQ(test::hash_of(PlatformRun(GetParam()).on(native)), stored());
}

TEST_P(PlatformBinary, HasTheSameBitsOnWindows) {
  expect_same_bits(windows);
}

TEST_P(PlatformBinary, HasTheSameBitsOnArm) {
  expect_same_bits(arm);
}

// A few of either kind; all of the library with DELASSUS_ALL_EXAMPLES=1, which takes some minutes.
std::vector<Case> cases() {
  if (std::getenv("DELASSUS_ALL_EXAMPLES") == nullptr) {
    return {{"painleve_rod", 2},  {"painleve_rod", 3}, {"four_bar", 2},     {"box_stack", 3},
            {"bouncing_ball", 3}, {"position_pid", 2}, {"position_pid", 3}, {"position_compensator", 3}};
  }
  std::vector<Case> chosen;
  for (std::string const& name : test::example_names()) {
    for (int const version : {2, 3}) chosen.push_back({name, version});
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(Examples, PlatformBinary, testing::ValuesIn(cases()), [](auto const& info) {
  return info.param.name + "_fmi" + std::to_string(info.param.fmi_version);
});

std::set<std::string> native_exports() {
  std::set<std::string> names;
  std::istringstream lines(test::output_of("nm -D --defined-only '" DELASSUS_FMU_BINARY "'"));
  for (std::string line; std::getline(lines, line);) names.insert(line.substr(line.rfind(' ') + 1));
  return names;
}

// Of what a library of Windows imports, what every Windows has.
TEST(WindowsBinary, NeedsWhatEveryWindowsHasAndExportsTheFmiFunctionsAlone) {
  std::string const binary = binary_of(windows.name);
  if (binary.empty()) GTEST_SKIP() << "no cross compiler for Windows was found when the build was configured";
  std::string const dump = test::output_of("objdump -p '" + binary + "'");
  std::set<std::string> needed, exported;
  std::istringstream lines(dump);
  bool in_exports = false;
  for (std::string line; std::getline(lines, line);) {
    std::size_t const name = line.find("DLL Name: ");
    if (name != std::string::npos) needed.insert(line.substr(name + 10));
    if (line.find("[Ordinal/Name Pointer] Table") != std::string::npos) in_exports = true;
    if (in_exports && line.find("[ ") != std::string::npos) exported.insert(line.substr(line.rfind(' ') + 1));
    if (line.empty()) in_exports = false;
  }
  EXPECT_FALSE(needed.empty());
  for (std::string const& name : needed)
    EXPECT_TRUE(name == "KERNEL32.dll" || name == "msvcrt.dll" || name.starts_with("api-ms-win-crt-"))
        << name;
  EXPECT_EQ(exported, native_exports());
}

TEST(ArmBinary, NeedsTheCLibraryOfVersion2_17AloneAndExportsTheFmiFunctionsAlone) {
  std::string const binary = binary_of(arm.name);
  if (binary.empty()) GTEST_SKIP() << "no cross compiler for ARM was found when the build was configured";
  std::istringstream needed(test::output_of("readelf -d '" + binary + "' | grep NEEDED"));
  for (std::string line; std::getline(needed, line);) {
    std::string const name = line.substr(line.find('[') + 1, line.find(']') - line.find('[') - 1);
    EXPECT_TRUE(name == "libc.so.6" || name == "libm.so.6" || name == "ld-linux-aarch64.so.1") << name;
  }
  std::istringstream versions(
      test::output_of("readelf -V '" + binary + "' | grep -o 'GLIBC_[0-9.]*' | sort -u"));
  int count = 0;
  for (std::string version; versions >> version; ++count) EXPECT_EQ(version, "GLIBC_2.17");
  EXPECT_GT(count, 0);
  std::set<std::string> exported;
  std::istringstream symbols(
      test::output_of("readelf -sW --dyn-syms '" + binary + "' | grep -v UND | grep ' FUNC \\| OBJECT '"));
  for (std::string line; std::getline(symbols, line);) exported.insert(line.substr(line.rfind(' ') + 1));
  EXPECT_EQ(exported, native_exports());
}

}  // namespace
}  // namespace delassus
