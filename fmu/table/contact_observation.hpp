// Force, mode and penetration of a contact or group at an instant, over all its points.
#pragma once

#include <algorithm>

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

// Visits the points of a contact or group that may carry force.
template <class AnyObservation, class Visitor>
void visit_points(AnyObservation const& o, int element, bool grouped, Visitor const& visitor) {
  auto const& active = SceneWorkspaceOf<typename AnyObservation::Scalar>::of(o.terms()).active;
  auto const before = [&](auto const& point) {
    return point.grouped != grouped ? grouped : point.element < element;
  };
  for (auto point = std::partition_point(active.begin(), active.end(), before);
       point != active.end() && point->grouped == grouped && point->element == element; ++point) {
    visitor(*point);
  }
}

// The force at a point: tangential (two), then normal.
template <class AnyObservation>
Vector3<typename AnyObservation::Scalar> force_of(
    AnyObservation const& observation, ActivePointOf<typename AnyObservation::Scalar> const& point);

// The worst of its points.
Paradox observe_paradox(Observation const& observation, int contact);

// The index of the block with this identity; -1 if it does not exist at present.
int find_block(Terms const& terms, BlockIdentity identity);

}  // namespace delassus
