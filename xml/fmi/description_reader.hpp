// Any FMU's modelDescription.xml as data. Reading fails only for text that is no well-formed XML or that is
// hostile; whatever else may be wrong is kept as it stands for the rules to report: an unknown version gives
// version 0, a value reference that is no number gives none.
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

// `file` is for messages alone. Throws DescriptionError.
ModelDescription read_model_description(std::string const& text, std::string const& file);

}  // namespace delassus
