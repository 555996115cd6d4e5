// A refused request. The instance is unchanged. The message names the variable, its value and the rule.
#pragma once

#include <stdexcept>
#include <string>

#include "fmu/instance/status.hpp"

namespace delassus {

class SlaveError : public std::runtime_error {
 public:
  SlaveError(Status status, std::string const& message) : std::runtime_error(message), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

namespace refusal {

[[noreturn]] inline void refuse(std::string const& message) {
  throw SlaveError(Status::error, message);
}

// The call changes nothing, and the host may try another one.
[[noreturn]] inline void discard(std::string const& message) {
  throw SlaveError(Status::discard, message);
}

inline std::string quoted(std::string const& text) {
  return "'" + text + "'";
}

}  // namespace refusal

}  // namespace delassus
