#include "tools/import/fmil_import.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {

bool has_fmil() {
  return false;
}

void require_fmil() {
  throw CommandError(ExitCode::usage,
                     "this program was built without FMI Library: install FMI Library 3 "
                     "(github.com/modelon-community/fmi-library), "
                     "configure with -DFMIL_ROOT=FOLDER and build again; or leave --backend fmil out");
}

Fmi2Access fmi2_through_fmil(std::filesystem::path const&) {
  require_fmil();
  return {};
}

Fmi3Access fmi3_through_fmil(std::filesystem::path const&) {
  require_fmil();
  return {};
}

}  // namespace delassus
