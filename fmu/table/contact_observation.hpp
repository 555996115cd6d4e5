// What a contact or a group does at an instant, over all its points.
#pragma once

#include "fmu/table/outputs.hpp"

namespace delassus {

template <class Scalar>
struct ContactObservationOf {
  Vector3<Scalar> force = Vector3<Scalar>::Zero();  // tangential (two), then normal: sums over the points
  ContactMode mode = ContactMode::detached;         // slip where one point slips, else stick where one sticks
  int solutions = 1;                                // the most of a point's; 0 where one has none
  int points = 0;                                   // that carry force
  Scalar penetration = 0;                           // m, of the deepest
};
using ContactObservation = ContactObservationOf<double>;

// Of an Observation or a DualObservation.
template <class AnyObservation>
ContactObservationOf<typename AnyObservation::Scalar> observe_contact(AnyObservation const& observation,
                                                                      int contact);
template <class AnyObservation>
ContactObservationOf<typename AnyObservation::Scalar> observe_group(AnyObservation const& observation,
                                                                    int group);

// The worst of its points.
Paradox observe_paradox(Observation const& observation, int contact);

// The index of a block of this identity among the present ones; -1: it is not there.
int find_block(Terms const& terms, BlockIdentity identity);

}  // namespace delassus
