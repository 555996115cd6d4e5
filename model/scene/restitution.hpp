// The relation between the damping ratio zeta of the relaxation and the coefficient of restitution e of
// Newton's impact law (Kikuuwe and Brogliato 2017, section 5.2).
#pragma once

#include "model/geometry/dual.hpp"

namespace delassus {

// Equation (104) for zeta < 1, its continuation for zeta >= 1: the ratio V_a / V of a mass without weight. zeta >= 0.
double restitution_from_zeta(double zeta);
Dual restitution_from_zeta(Dual const& zeta);

// The inverse, for 0 < e <= 1.
double zeta_from_restitution(double e);
Dual zeta_from_restitution(Dual const& e);

}  // namespace delassus
