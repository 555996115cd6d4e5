// Errors that the user can correct. Whatever is thrown for a wrong value, name or file derives from them.
#pragma once

#include <stdexcept>
#include <string>

namespace delassus {

// what() says what is wrong and by which rule.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Something wrong in a file. what() reads `file:line: message`, without the line where `line` is 0.
class LocatedError : public UserError {
 public:
  LocatedError(std::string const& file, int line, std::string const& message)
      : UserError(file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + message),
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

}  // namespace delassus
