// A source of contact events: something that has one mode and whose changes of mode are reported. It is a
// declared contact with all its points, a dry friction, the friction of a joint or one of its limits.
// Contacts of groups come and go all the time and are not sources.
#pragma once

#include <string>

#include "model/scene/enumeration.hpp"

namespace delassus {

struct ModeSource {
  std::string name;
  bool unilateral = false;  // can be detached
  bool frictional = false;  // sticks or slips
  // The mode while it touches, if it cannot stick.
  ContactMode touching = ContactMode::stick;
};

// A compliant contact point. Its force depends only on the motion, so it has no constraint block.
struct CompliantTouch {
  int source = 0;           // index in System::mode_sources
  double normal_force = 0;  // N
  bool rubs = false;        // whether it has friction that sticks or slips by itself
  bool sticks = false;
  double gap = 0;  // m, of open ones, too
  double spare =
      0;  // N: of its friction, the bound less the force that sticking takes; negative where it slips
};

}  // namespace delassus
