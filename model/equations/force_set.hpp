// The set of forces that a block of constraint rows admits (Kikuuwe and Brogliato 2017, section 4.1).
// Order of components everywhere: tangential first, normal last.
#pragma once

#include <array>

namespace delassus {

enum class ForceSetKind {
  half_line,  // lambda_n >= 0: frictionless unilateral contact, one position row (43)
  interval,   // |lambda| <= limit: dry friction of known bound in one direction, one velocity row
  disc,       // |lambda| <= limit: dry friction of known bound in a plane, two velocity rows (48)
  cone2,      // |lambda_t| <= limit lambda_n: planar Coulomb contact, a velocity row, then the normal row
  cone3,  // |lambda_t| <= limit lambda_n: spatial Coulomb contact, two velocity rows, then the normal (54)
  free1,  // R^k: joints (position rows) and non-holonomic constraints (velocity rows)
  free2,
  free3,
  double_cone2,  // |lambda_t| <= limit |lambda_n|: frictional bilateral contact in the plane
  double_cone3,  // the same in space
  directed2,  // lambda_t = direction lambda_n, lambda_n >= 0: friction whose direction and share are known, such
              // as the smooth law of Song et al. 2001, (42); one velocity row, then the normal row
  directed3,  // the same in space
};

template <class Scalar>
struct ForceSetOf {
  ForceSetKind kind = ForceSetKind::half_line;
  Scalar limit = 0;  // mu (1) of a cone, the bound F (N) of an interval or disc; unused by the others
  std::array<Scalar, 2> direction = {};  // of the directed kinds: lambda_t / lambda_n
};
using ForceSet = ForceSetOf<double>;

constexpr int rows_of(ForceSetKind kind) {
  switch (kind) {
    case ForceSetKind::half_line:
    case ForceSetKind::interval:
    case ForceSetKind::free1:
      return 1;
    case ForceSetKind::disc:
    case ForceSetKind::cone2:
    case ForceSetKind::free2:
    case ForceSetKind::double_cone2:
    case ForceSetKind::directed2:
      return 2;
    case ForceSetKind::cone3:
    case ForceSetKind::free3:
    case ForceSetKind::double_cone3:
    case ForceSetKind::directed3:
      return 3;
  }
  return 0;
}

constexpr bool is_free(ForceSetKind kind) {
  return kind == ForceSetKind::free1 || kind == ForceSetKind::free2 || kind == ForceSetKind::free3;
}

// Whether the contact may come apart.
constexpr bool is_unilateral(ForceSetKind kind) {
  return kind == ForceSetKind::half_line || kind == ForceSetKind::cone2 || kind == ForceSetKind::cone3 ||
         kind == ForceSetKind::directed2 || kind == ForceSetKind::directed3;
}

// Whether the last row of the block is a normal, position-level one.
constexpr bool has_normal(ForceSetKind kind) {
  switch (kind) {
    case ForceSetKind::half_line:
    case ForceSetKind::cone2:
    case ForceSetKind::cone3:
    case ForceSetKind::double_cone2:
    case ForceSetKind::double_cone3:
    case ForceSetKind::directed2:
    case ForceSetKind::directed3:
      return true;
    default:
      return false;
  }
}

}  // namespace delassus
