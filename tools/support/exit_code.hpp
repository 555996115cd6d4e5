// What the program tells a script when it ends, and the exception that carries it up to main.
#pragma once

#include <stdexcept>
#include <string>

namespace delassus {

enum class ExitCode {
  fine = 0,
  findings = 1,
  usage = 2,               // bad arguments, a bad scene, a file that cannot be read or written
  run_failed = 3,          // the FMU or the run failed, or standard output did not take the results
  reference_mismatch = 4,  // the run went well and its results are not the expected ones
};

class CommandError : public std::runtime_error {
 public:
  CommandError(ExitCode code, std::string const& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace delassus
