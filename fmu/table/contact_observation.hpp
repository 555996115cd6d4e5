// Force, mode and penetration of a contact or group at an instant, over all its points.
#pragma once

#include "fmu/table/outputs.hpp"

namespace delassus {

template <class Scalar>
struct ContactObservationOf {
  Vector3<Scalar> force = Vector3<Scalar>::Zero();  // tangential (two), then normal: sums over the points
  ContactMode mode = ContactMode::detached;         // slip if any point slips, else stick if any sticks
  int solutions = 1;                                // largest number over the points; 0 if a point has none
  int points = 0;                                   // that carry force
  Scalar penetration = 0;                           // m, of the deepest
};
using ContactObservation = ContactObservationOf<double>;

// For an Observation or a DualObservation.
template <class AnyObservation>
ContactObservationOf<typename AnyObservation::Scalar> observe_contact(AnyObservation const& observation,
                                                                      int contact);
template <class AnyObservation>
ContactObservationOf<typename AnyObservation::Scalar> observe_group(AnyObservation const& observation,
                                                                    int group);

// The worst of its points.
Paradox observe_paradox(Observation const& observation, int contact);

// The index of the block with this identity; -1 if it does not exist at present.
int find_block(Terms const& terms, BlockIdentity identity);

}  // namespace delassus
