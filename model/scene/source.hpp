// A scene as it was written: a tree of elements with their line numbers. The XML reader creates it, or a program creates it in
// code. compile_scene checks it and turns it into a Scene.
#pragma once

#include <string>
#include <vector>

#include "model/scene/user_error.hpp"

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
class SceneError : public LocatedError {
 public:
  using LocatedError::LocatedError;
};

}  // namespace delassus
