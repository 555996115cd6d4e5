#include "tools/simulate/ode_stepper.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {

bool has_cvode() {
  return false;
}

void require_cvode() {
  throw CommandError(ExitCode::usage,
                     "--solver cvode needs CVODE of SUNDIALS, which this program was built without: install "
                     "libsundials-dev, "
                     "or unpack it and give -DSUNDIALS_ROOT=FOLDER to CMake, and build again");
}

std::unique_ptr<OdeStepper> make_cvode_stepper(OdeSystem& /*system*/, OdeTolerances const& /*tolerances*/) {
  require_cvode();
  return nullptr;
}

}  // namespace delassus
