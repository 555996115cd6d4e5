// documentation/licenses of an FMU: our licence and what is linked into its binaries, with the licence texts that
// were found when the program was built.
#pragma once

#include <map>
#include <string>

namespace delassus {

// By their names in the archive. `with_windows`: there is a binary for Windows, which has a runtime of its own.
std::map<std::string, std::string> license_files(bool with_windows);

}  // namespace delassus
