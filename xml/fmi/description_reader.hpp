// Reads the modelDescription.xml of any FMU. Reading fails only if the text is not well-formed XML or is
// hostile. Everything else is kept for the rules to report: an unknown version becomes version 0, a value
// reference that is not a number becomes none.
#pragma once

#include <stdexcept>
#include <string>

#include "xml/fmi/description.hpp"

namespace delassus {

// what() reads `file:line: message`.
class DescriptionError : public std::runtime_error {
 public:
  DescriptionError(std::string const& file, int line, std::string const& message)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + message),
        file_(file),
        message_(message),
        line_(line) {}
  std::string const& file() const { return file_; }
  std::string const& message() const { return message_; }
  int line() const { return line_; }

 private:
  std::string file_, message_;
  int line_;
};

// `file` is only for messages. Throws DescriptionError.
ModelDescription read_model_description(std::string const& text, std::string const& file);

}  // namespace delassus
