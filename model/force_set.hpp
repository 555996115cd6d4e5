// The set of forces that a block of constraint rows admits (Kikuuwe and Brogliato 2017, section 4.1).
// Order of components everywhere: tangential first, normal last.
#pragma once

namespace delassus {

enum class ForceSetKind {
  half_line,  // lambda_n >= 0: frictionless unilateral contact, one position row (43)
  interval,   // |lambda| <= limit: dry friction of known bound in one direction, one velocity row
  disc,       // |lambda| <= limit: dry friction of known bound in a plane, two velocity rows (48)
  cone2,  // |lambda_t| <= limit lambda_n: planar Coulomb contact, one velocity row, then the normal position
          // row
  cone3,  // |lambda_t| <= limit lambda_n: spatial Coulomb contact, two velocity rows, then the normal row
          // (54)
};

struct ForceSet {
  ForceSetKind kind = ForceSetKind::half_line;
  double limit = 0;  // mu (1) of a cone, the bound F (N) of an interval or disc; unused by the half-line
};

constexpr int rows_of(ForceSetKind kind) {
  switch (kind) {
    case ForceSetKind::half_line:
    case ForceSetKind::interval:
      return 1;
    case ForceSetKind::disc:
    case ForceSetKind::cone2:
      return 2;
    case ForceSetKind::cone3:
      return 3;
  }
  return 0;
}

// Whether the last row of the block is a normal, position-level one.
constexpr bool has_normal(ForceSetKind kind) {
  return kind == ForceSetKind::half_line || kind == ForceSetKind::cone2 || kind == ForceSetKind::cone3;
}

}  // namespace delassus
