// What changes mode as one, and is told so: a declared contact with all of its points, dry friction, a joint's
// friction or one of its limits. Contacts of groups come and go all the time and are not among them.
#pragma once

#include <string>

#include "model/scene/enumeration.hpp"

namespace delassus {

struct ModeSource {
  std::string name;
  bool unilateral = false;  // can be detached
  bool frictional = false;  // sticks or slips
  // What it is in where it touches and has no stick to lose.
  ContactMode touching = ContactMode::stick;
};

// A compliant contact point, whose force follows from the motion alone and which is therefore no block.
struct CompliantTouch {
  int source = 0;           // index in System::mode_sources
  double normal_force = 0;  // N
  bool rubs = false;        // whether it has friction that sticks or slips by itself
  bool sticks = false;
};

}  // namespace delassus
