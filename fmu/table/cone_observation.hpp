// How near a declared contact is to jamming at an instant (Peiret et al. 2019): its generalised friction
// cone, with the joints taken into account and the other contacts absent. If it touches at several points,
// each number is the worst over the points.
#pragma once

#include "fmu/table/outputs.hpp"

namespace delassus {

// FMI values are finite, and plots show what matters only beside numbers of like size. mu_jam of a contact that is open,
// or whose friction does not couple to its normal motion, is infinite: so much above mu stands for it and for all that is
// farther away. No surface has such friction.
constexpr double largest_margin = 10;

template <class Scalar>
struct ConeObservationOf {
  Scalar mu_crit = 0;              // (34)
  Scalar mu_jam = largest_margin;  // (36)
  Scalar margin = largest_margin;  // mu_jam - mu at the present slip speed; negative if some directions jam
  Scalar locking_angle = 0;        // (41), rad
};
using ConeObservation = ConeObservationOf<double>;

ConeObservation observe_cone(Observation const& observation, int contact);
ConeObservationOf<Dual> observe_cone(DualObservation const& observation, int contact);

}  // namespace delassus
