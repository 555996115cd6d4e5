#include "tools/support/share_folder.hpp"

#include <algorithm>

#include "tools/support/exit_code.hpp"

namespace delassus {
namespace fs = std::filesystem;

fs::path share_folder() {
  std::error_code error;
  fs::path const program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (fs::path const& folder :
       {program / "share" / "delassus", program.parent_path() / "share" / "delassus"}) {
    if (fs::is_directory(folder, error)) return folder;
  }
  throw CommandError(ExitCode::usage,
                     "share/delassus was found neither in " + program.string() + " nor in " +
                         program.parent_path().string() +
                         ": build all targets, or install the program together with its share folder");
}

namespace {

std::vector<Example> files_in(char const* folder) {
  std::vector<Example> found;
  std::error_code error;
  for (auto const& entry : fs::directory_iterator(share_folder() / folder, error)) {
    if (entry.path().extension() == ".xml") found.push_back({entry.path().stem().string(), entry.path()});
  }
  std::ranges::sort(found, {}, &Example::name);
  return found;
}

}  // namespace

std::vector<Example> examples() {
  return files_in("scenes");
}

std::vector<Example> controller_examples() {
  return files_in("controllers");
}

std::vector<Example> system_examples() {
  std::vector<Example> found;
  std::error_code error;
  for (auto const& entry : fs::directory_iterator(share_folder() / "systems", error)) {
    fs::path const structure = entry.path() / structure_file_name;
    if (fs::is_regular_file(structure, error)) found.push_back({entry.path().filename().string(), structure});
  }
  std::ranges::sort(found, {}, &Example::name);
  return found;
}

std::vector<Example> all_examples() {
  std::vector<Example> all = examples();
  for (auto const& more : {controller_examples(), system_examples()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

fs::path find_system(std::string const& argument) {
  std::error_code error;
  fs::path const named = argument;
  if (fs::is_directory(named, error)) {
    fs::path const inside = named / structure_file_name;
    return fs::exists(inside, error) ? inside : named;
  }
  if (named.empty() || fs::exists(named, error) || named.has_extension() || named.has_parent_path())
    return named;
  try {
    for (auto const& example : system_examples()) {
      if (example.name == named) return example.file;
    }
  } catch (CommandError const&) {
    // Without a share folder there are no examples.
  }
  return named;  // opening it says what is wrong
}

std::vector<FmuBinary> fmu_binaries() {
  std::vector<FmuBinary> found;
  std::error_code error;
  fs::path const folder = share_folder() / "binaries";
  for (auto const& platform : fs::directory_iterator(folder, error)) {
    for (char const* const name : {"delassus_fmu.so", "delassus_fmu.dll", "delassus_fmu.dylib"}) {
      if (fs::is_regular_file(platform.path() / name)) {
        found.push_back({platform.path().filename().string(), platform.path() / name});
      }
    }
  }
  if (found.empty()) {
    throw CommandError(ExitCode::usage,
                       "no FMU binary lies in " + folder.string() + ": build all targets, or install them");
  }
  std::ranges::sort(found, {}, &FmuBinary::platform);
  return found;
}

}  // namespace delassus
