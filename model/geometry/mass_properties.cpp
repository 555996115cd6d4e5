#include "model/geometry/mass_properties.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace delassus {
namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

template <class Scalar>
MassPropertiesOf<Scalar> mass_properties(ShapeGeometryOf<Scalar> const& shape, int dimension,
                                         Scalar density) {
  MassPropertiesOf<Scalar> result;
  Scalar const r = shape.radius, l = shape.half[0];
  Vector3<Scalar> const h = shape.half;
  auto const principal = [&](Scalar x, Scalar y, Scalar z) {
    result.inertia = Vector3<Scalar>(x, y, z).asDiagonal();
  };
  if (dimension == 2) {
    if (shape.kind == ShapeKind::sphere) {
      result.mass = density * pi * r * r;
      principal(0, 0, result.mass * r * r / 2);
    } else if (shape.kind == ShapeKind::box) {
      result.mass = density * 4 * h[0] * h[1];
      principal(0, 0, result.mass * (h[0] * h[0] + h[1] * h[1]) / 3);
    } else if (shape.kind == ShapeKind::capsule) {
      // A rectangle and two half discs, whose centroids lie 4 r/(3 pi) beyond the ends.
      Scalar const rectangle = density * 4 * l * r, discs = density * pi * r * r;
      Scalar const shift = 4 * r / (3 * pi);
      result.mass = rectangle + discs;
      principal(
          0, 0,
          rectangle * (l * l + r * r) / 3 + discs * (r * r / 2 - shift * shift + (l + shift) * (l + shift)));
    }
    return result;
  }
  if (shape.kind == ShapeKind::sphere) {
    result.mass = density * 4 / 3 * pi * r * r * r;
    Scalar const I = 0.4 * result.mass * r * r;
    principal(I, I, I);
  } else if (shape.kind == ShapeKind::box) {
    result.mass = density * 8 * h[0] * h[1] * h[2];
    Scalar const m = result.mass / 3;
    principal(m * (h[1] * h[1] + h[2] * h[2]), m * (h[0] * h[0] + h[2] * h[2]),
              m * (h[0] * h[0] + h[1] * h[1]));
  } else if (shape.kind == ShapeKind::capsule) {
    // A cylinder and two half balls, whose centroids lie 3 r/8 beyond the ends.
    Scalar const cylinder = density * pi * r * r * 2 * l, balls = density * 4 / 3 * pi * r * r * r;
    Scalar const shift = 3 * r / 8;
    result.mass = cylinder + balls;
    Scalar const along = cylinder * r * r / 2 + balls * 0.4 * r * r;
    Scalar const across = cylinder * (r * r / 4 + l * l / 3) +
                          balls * (0.4 * r * r - shift * shift + (l + shift) * (l + shift));
    principal(along, across, across);
  }
  return result;
}

bool is_inertia(Eigen::Matrix3d const& inertia) {
  if (!inertia.allFinite()) return false;
  Eigen::Vector3d const moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  // A thin plate has exactly the sum, so rounding is tolerated.
  return moments[0] > 0 && moments[2] <= (moments[0] + moments[1]) * (1 + 1e-9);
}

// Explicit instantiations for both scalars.
template MassPropertiesOf<double> mass_properties(ShapeGeometryOf<double> const&, int, double);
template MassPropertiesOf<Dual> mass_properties(ShapeGeometryOf<Dual> const&, int, Dual);

}  // namespace delassus
