// One spatial contact's matrix and right-hand side as scalars: A = [T c; r n], b = (b_t, b_n). For a
// symmetric A the column c and the row r are equal (the a of the papers); both are kept, so that data whose A
// is slightly nonsymmetric is solved as it stands.
#pragma once

#include <Eigen/Core>

namespace delassus {

struct SpatialContact {
  double txx, txy, tyx, tyy;
  double cx, cy;
  double rx, ry, n;
  double bx, by, bn;

  SpatialContact(Eigen::Matrix3d const& A, Eigen::Vector3d const& b)
      : txx(A(0, 0)),
        txy(A(0, 1)),
        tyx(A(1, 0)),
        tyy(A(1, 1)),
        cx(A(0, 2)),
        cy(A(1, 2)),
        rx(A(2, 0)),
        ry(A(2, 1)),
        n(A(2, 2)),
        bx(b[0]),
        by(b[1]),
        bn(b[2]) {}
};

}  // namespace delassus
