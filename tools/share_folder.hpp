// What lies beside the program: example scenes and the FMU's binaries. `share/delassus` is looked for next to
// the executable (build tree) and one folder up (installed), so an installation can be moved as a whole.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace delassus {

std::filesystem::path share_folder();  // throws CommandError where there is none

struct Example {
  std::string name;  // of its file, without .xml
  std::filesystem::path file;
};
std::vector<Example> examples();  // sorted by name

struct FmuBinary {
  std::string platform;  // as FMI 3 names it: x86_64-linux
  std::filesystem::path file;
};
std::vector<FmuBinary> fmu_binaries();  // sorted by platform; throws CommandError where there is none

}  // namespace delassus
