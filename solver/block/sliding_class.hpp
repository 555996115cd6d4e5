// One rigid contact that slides: how many solutions it has, which of them a stiff contact would stay at, and
// whether a rigid model serves there (Song, Kraus, Kumar and Dupont 2001, Table 1).
//
// While it slides along xi (a unit vector), friction is known up to the normal force,
// lambda_t = -mu lambda_n xi, and the normal acceleration is A lambda_n + B, where with the contact-space
// matrix [[H, h], [h^T, a]]
//
//   A = a - mu h.xi    negative where it jams (Peiret et al. 2019, (39)); 4 G_B/m of Kikuuwe and Brogliato 2017
//   B                  the normal acceleration without the contact; their -G_A
//
// What is left of the contact problem is a linear complementarity problem of one row,
//
//   0 <= lambda_n,   A lambda_n + B >= 0,   lambda_n (A lambda_n + B) = 0.
//
//   A > 0, B >= 0  detached, stable                              rigid
//   A > 0, B < 0   contact, stable                               rigid
//   A = 0, B > 0   detached, stable                              rigid
//   A = 0, B = 0   infinitely many                               compliant
//   A = 0, B < 0   none                                          compliant
//   A < 0, B > 0   contact, unstable: discard; detached, stable  rigid, detached
//   A < 0, B < 0   none                                          compliant
//
// (The last rows of the table are garbled in print: it has A < 0, B < 0 twice.) At A < 0, B = 0 the two
// solutions of the last row but one are one, lambda_n = 0: detached.
#pragma once

#include "model/scene/enumeration.hpp"

namespace delassus {

struct SlidingClass {
  bool detached = false;         // lambda_n = 0 is a solution, and a stable one
  bool contact = false;          // lambda_n = -B/A > 0 is one
  bool contact_stable = false;   // d eta_n / d lambda_n = A > 0
  bool infinitely_many = false;  // every lambda_n >= 0 is one
  bool rigid = false;            // a rigid model serves; else a compliant one is to be preferred

  int solutions() const { return (detached ? 1 : 0) + (contact ? 1 : 0); }  // where they are finitely many
  Paradox paradox() const {
    if (infinitely_many || solutions() > 1) return Paradox::indeterminate;
    return solutions() == 1 ? Paradox::regular : Paradox::inconsistent;
  }
  bool operator==(SlidingClass const&) const = default;
};

// What is not larger than its rounding counts as zero.
SlidingClass classify_sliding(double A, double B, double rounding_of_A = 0, double rounding_of_B = 0);

}  // namespace delassus
