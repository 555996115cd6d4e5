// What a contact or a group does at an instant, over all its points.
#pragma once

#include "fmu/outputs.hpp"

namespace delassus {

struct ContactObservation {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  // tangential (two), then normal: sums over the points
  ContactMode mode = ContactMode::detached;         // slip where one point slips, else stick where one sticks
  int solutions = 1;                                // the most of a point's; 0 where one has none
  int points = 0;                                   // that carry force
  double penetration = 0;                           // m, of the deepest
};

ContactObservation observe_contact(Observation const& observation, int contact);
ContactObservation observe_group(Observation const& observation, int group);

// The worst of its points.
Paradox observe_paradox(Observation const& observation, int contact);

// The index of a block of this identity among the present ones; -1: it is not there.
int find_block(Observation const& observation, BlockIdentity identity);

}  // namespace delassus
