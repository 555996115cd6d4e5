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

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "tests/support/command_output.hpp"
#include "tools/import/package_description.hpp"
#include "tools/import/signal_table.hpp"
#include "tools/package/package_files.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/temporary_folder.hpp"
#include "xml/scene/reader.hpp"

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
  int steps;
  // Not where a last digit decides on more: how fingers that hold a box share its weight, when a box on its edge tips over.
  bool sharp = true;
};

void PrintTo(Case const& chosen, std::ostream* out) {
  *out << chosen.name << ", FMI " << chosen.fmi_version;
}

std::unique_ptr<const Model> library_model(std::string const& name) {
  fs::path const scenes = DELASSUS_SCENES_DIR, scene = scenes / (name + ".xml");
  if (fs::exists(scene)) return std::make_unique<const SceneModel>(read_scene_file(scene));
  return std::make_unique<const ControllerModel>(
      read_controller_file(scenes.parent_path() / "controllers" / (name + ".xml")));
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
        model_(library_model(chosen.name)),
        description_(package_description(*model_, chosen.fmi_version)),
        signals_(description_) {}

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
    std::string command = platform.command + " '" + platform.runner + "' '" + drive + library + "' " +
                          std::to_string(chosen_.fmi_version) + " '" + model_->token(chosen_.fmi_version) +
                          "' '" + resources + "' " +
                          std::to_string(model_->table().default_experiment().step) + " " +
                          std::to_string(chosen_.steps);
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
  std::unique_ptr<const Model> model_;
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
  // The same arithmetic everywhere: without fused operations the basic ones are exact to the bit. What differs is the
  // mathematical functions of the C libraries, by a unit in the last place.
  static void expect_like_native(Platform const& platform, double bound) {
    if (auto const reason = reason_to_skip(platform); !reason.empty()) GTEST_SKIP() << reason;
    PlatformRun const run(GetParam());
    Rows const expected = run.on(native), rows = run.on(platform);
    ASSERT_EQ(expected.size(), static_cast<std::size_t>(GetParam().steps) + 1);
    ASSERT_EQ(rows.size(), expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i].size(), expected[i].size());
    Difference const difference = difference_of(rows, expected, run.names());
    if (difference.columns == 0) {
      std::printf("  the bits of the native run\n");
    } else {
      std::printf(
          "  %d of %zu outputs differ from the native run, %s most: by %.3g of its largest value; positions "
          "by %.3g m\n",
          difference.columns, run.names().size(), difference.column.c_str(), difference.largest,
          difference.motion);
    }
    EXPECT_LE(difference.motion, 1e-6);
    if (GetParam().sharp) {
      EXPECT_LE(difference.largest, bound) << difference.column;
    }
  }
};

TEST_P(PlatformBinary, RunsOnWindowsAsItDoesHere) {
  expect_like_native(windows, 1e-10);
}

TEST_P(PlatformBinary, RunsOnArmAsItDoesHere) {
  expect_like_native(arm, 1e-10);
}

// A few of either kind; all of the library with DELASSUS_ALL_EXAMPLES=1, which takes some minutes.
std::vector<Case> cases() {
  std::vector<Case> chosen;
  if (std::getenv("DELASSUS_ALL_EXAMPLES") == nullptr) {
    chosen = {{"painleve_rod", 2, 100}, {"painleve_rod", 3, 100},        {"four_bar", 2, 50},
              {"box_stack", 3, 20},     {"bouncing_ball", 3, 100},       {"position_pid", 2, 200},
              {"position_pid", 3, 200}, {"position_compensator", 3, 200}};
  } else {
    for (char const* const kind : {"scenes", "controllers"}) {
      for (auto const& file : fs::directory_iterator(fs::path(DELASSUS_SCENES_DIR).parent_path() / kind)) {
        if (file.path().extension() != ".xml") continue;
        std::string const name = file.path().stem().string();
        DefaultExperiment const experiment = library_model(name)->table().default_experiment();
        int const steps =
            static_cast<int>(std::lround((experiment.stop - experiment.start) / experiment.step));
        for (int const version : {2, 3}) chosen.push_back({name, version, std::min(steps, 100), false});
      }
    }
    std::ranges::sort(chosen, {}, &Case::name);
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
