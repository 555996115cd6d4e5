// The force of a constraint block, to be found again at the next instant, when other blocks may be there.
#pragma once

#include <array>

#include "model/equations/system.hpp"

namespace delassus {

struct BlockForce {
  BlockIdentity identity = 0;
  std::array<double, 3> lambda = {};  // the leading rows count, the rest is zero

  bool operator==(BlockForce const&) const = default;
};

}  // namespace delassus
