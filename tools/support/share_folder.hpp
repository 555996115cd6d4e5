// What lies beside the program: example scenes, controllers and systems, and the FMU's binaries. `share/delassus` is looked for next to
// the executable (build tree) and one folder up (installed), so an installation can be moved as a whole.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace delassus {

std::filesystem::path share_folder();  // throws CommandError where there is none

struct Example {
  std::string name;  // of its file, without .xml; of a system: of its folder
  std::filesystem::path file;
};
std::vector<Example> examples();             // scenes, sorted by name
std::vector<Example> controller_examples();  // likewise
// Coupled systems: each is a folder with a SystemStructure.ssd, which is the file, and what that refers to.
std::vector<Example> system_examples();
std::vector<Example> all_examples();  // scenes, controllers, systems

// What SSP calls the structure of a system in its folder or package.
inline constexpr char structure_file_name[] = "SystemStructure.ssd";

// The file of a system structure that a user named: a file, a folder with one in it, or one of the examples. Unchanged where it
// is none.
std::filesystem::path find_system(std::string const& argument);

struct FmuBinary {
  std::string platform;  // as FMI 3 names it: x86_64-linux
  std::filesystem::path file;
};
std::vector<FmuBinary> fmu_binaries();  // sorted by platform; throws CommandError where there is none

}  // namespace delassus
