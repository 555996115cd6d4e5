// A scene as it was written: a tree of elements with their line numbers. The XML reader creates it, or a program creates it in
// code. compile_scene checks it and turns it into a Scene.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace delassus {

struct SourceAttribute {
  std::string name;
  std::string value;
};

struct SourceElement {
  std::string name;
  int line = 0;
  std::vector<SourceAttribute> attributes;
  std::vector<SourceElement> children;
};

struct SceneSource {
  std::string file;  // for messages
  SourceElement root;
};

// An error in a scene: place, fact and rule. what() reads `file:line: message`.
class SceneError : public std::runtime_error {
 public:
  SceneError(std::string const& file, int line, std::string const& message)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + message), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

}  // namespace delassus
