#include "model/scene/restitution.hpp"

#include <cmath>

namespace delassus {

// While the contact lasts, q = -delta V Gamma(t/delta) with Gamma(tau) = exp(-zeta tau) sin(w tau)/w and w =
// sqrt(1 - zeta^2) (97)(98). It ends where the force vanishes, Gamma'' = 0 (101): tau = acos(2 zeta^2 - 1)/w
// = 2 acos(zeta)/w (103), and there -Gamma' = exp(-zeta tau) (104). So log e = -2 zeta acos(zeta)/sqrt(1 -
// zeta^2), and beyond zeta = 1 the same function continues as -2 zeta acosh(zeta)/sqrt(zeta^2 - 1). With y =
// 1 - zeta both are smooth at zeta = 1, where the quotient is 1.
namespace {

template <class Scalar>
Scalar restitution(Scalar const& zeta) {
  Scalar const y = zeta - 1;
  Scalar quotient;
  if (abs(y) < 1e-4) {
    // acosh(1 + y)/sqrt(y (2 + y)) = 1 - y/3 + 2 y^2/15 - 2 y^3/35 + O(y^4): the error is below 1e-17 here,
    // where the closed form would divide one rounding error by another.
    quotient = 1 - y / 3 + 2 * y * y / 15 - 2 * y * y * y / 35;
  } else if (y < 0) {
    quotient = acos(zeta) / sqrt(1 - zeta * zeta);
  } else {
    quotient = acosh(zeta) / sqrt(zeta * zeta - 1);
  }
  return exp(-2 * zeta * quotient);
}

}  // namespace

double restitution_from_zeta(double zeta) {
  return restitution(zeta);
}
Dual restitution_from_zeta(Dual const& zeta) {
  return restitution(zeta);
}

double zeta_from_restitution(double e) {
  if (e >= 1) return 0;
  // log e(zeta) falls strictly, from 0 at zeta = 0, and behaves as -2 log(2 zeta) for large zeta: bracket it,
  // then bisect to the last bit. This takes at most a hundred halvings and runs once for each change of a parameter.
  double low = 0, high = 1;
  while (restitution_from_zeta(high) > e && high < 1e300) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 100; ++i) {
    double const middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (restitution_from_zeta(middle) > e ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

// d zeta = d e / e'(zeta). Near e = 1, where zeta is zero, e is about 1 - pi zeta.
Dual zeta_from_restitution(Dual const& e) {
  double const zeta = zeta_from_restitution(e.value);
  return {zeta, e.derivative / restitution(Dual{zeta, 1}).derivative};
}

}  // namespace delassus
