// The narrow phase: contact points of two shapes that touch or nearly touch. Each has a normal, a gap and an
// identity that persists while the bodies move. Also computed: how points and normals move with the bodies.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <type_traits>

#include "model/geometry/shape.hpp"

namespace delassus {

// Which features of the cores face each other; a is the first shape of the pair, b the second.
enum class FeaturePair { face_point, point_face, point_point, segment_point, point_segment, segment_segment };

// Where between the surfaces a force acts, from that of b (0) to that of a (1): at the feature that meets a face, and half
// way where neither is a face. So it does not depend on which body is named first. Of shapes that are in each other,
// lever arms would differ by the overlap.
constexpr double place_in_gap(FeaturePair pair) {
  switch (pair) {
    case FeaturePair::face_point:
      return 0;
    case FeaturePair::point_face:
      return 1;
    case FeaturePair::point_point:
    case FeaturePair::segment_point:
    case FeaturePair::point_segment:
    case FeaturePair::segment_segment:
      return 0.5;
  }
  return 0;
}

template <class Scalar>
struct ContactPointOf {
  int feature = 0;    // identity within the pair, 0 ... 255: which vertices, edges or faces meet
  Vector3<Scalar> n;  // unit normal, from a to b
  Vector3<Scalar> p;  // on the surface of b
  Scalar gap = 0;     // m; negative where the shapes overlap
  Scalar gap_at_end = std::numeric_limits<double>::quiet_NaN();  // m, of a point over a step
                                                                 // (model/equations/scene_terms.hpp)

  // For the motion of the above: c_a and c_b are the nearest points of the cores, c_b - c_a = (gap + radius_a
  // + radius_b) n; e_a and e_b the unit directions of segments, zero where there are none.
  FeaturePair pair = FeaturePair::point_point;
  Vector3<Scalar> c_a, c_b;
  Vector3<Scalar> e_a = Vector3<Scalar>::Zero(), e_b = Vector3<Scalar>::Zero();
  Scalar radius_a = 0, radius_b = 0;

  Vector3<Scalar> place_of_force() const { return p - place_in_gap(pair) * gap * n; }
};
using ContactPoint = ContactPointOf<double>;

// The most contact points of any pair: two boxes, a face clipped by a face.
inline constexpr int most_contact_points = 8;

template <class Scalar>
struct ContactPointsOf {
  std::array<ContactPointOf<Scalar>, most_contact_points> item;
  int count = 0;
};
using ContactPoints = ContactPointsOf<double>;

// Whether this pair of shapes is supported, in this order or the other.
bool can_collide(ShapeKind a, ShapeKind b);

// The number of points in which a shape may touch a plane; each has a feature of its own. 0: they do not touch.
int points_on_plane(ShapeKind kind, int dimension);

// All contact points of the pair with a gap of at most `margin`; none if a pose is not finite or the pair is
// not supported. In a scene of dimension 2 shapes lie in the x-y plane with z = 0 and turn about z: a box is
// a rectangle, a plane a line. The nearest points of shapes that are apart are among them; others, as the
// corners of a face, tell what would touch next.
template <class Scalar>
void find_contacts(ShapeGeometryOf<Scalar> const& a, ShapePoseOf<Scalar> const& at_a,
                   ShapeGeometryOf<Scalar> const& b, ShapePoseOf<Scalar> const& at_b, int dimension,
                   std::type_identity_t<Scalar> margin, ContactPointsOf<Scalar>& contacts);

// The nearest points of the pair and the normal that separates them, at any distance. If the cores are apart,
// the gap is exact and the shapes lie on both sides of the planes normal to n through these points. If they
// overlap, the gap is minus the least depth, minus the radii, and n the direction in which the overlap is
// least. The gap is infinite for a pair that is not supported and NaN if a pose is not finite; n is then zero.
ContactPoint nearest_points(ShapeGeometry const& a, ShapePose const& at_a, ShapeGeometry const& b,
                            ShapePose const& at_b, int dimension);

// The smallest gap of the pair, at any distance. A positive gap is the exact distance. If the cores overlap,
// the gap is minus the least depth, minus the radii. Infinity for a pair that is not supported, NaN if a pose
// is not finite.
double smallest_gap(ShapeGeometry const& a, ShapePose const& at_a, ShapeGeometry const& b,
                    ShapePose const& at_b, int dimension);

// The motion of a rigid body: velocity of the point at x is velocity + omega x (x - origin).
template <class Scalar>
struct TwistOf {
  Vector3<Scalar> origin = Vector3<Scalar>::Zero(), velocity = Vector3<Scalar>::Zero(),
                  omega = Vector3<Scalar>::Zero();
  bool origin_stays = false;  // of a belt: the surface moves, its origin does not
  Vector3<Scalar> at(Vector3<Scalar> const& x) const { return velocity + omega.cross(x - origin); }
  Vector3<Scalar> origin_rate() const { return origin_stays ? Vector3<Scalar>::Zero().eval() : velocity; }
};
using Twist = TwistOf<double>;

// The rates of n and p when the bodies move. The nearest points slide along the features as the bodies turn.
template <class Scalar>
struct ContactRatesOf {
  Vector3<Scalar> n, p;
};
using ContactRates = ContactRatesOf<double>;
template <class Scalar>
ContactRatesOf<Scalar> contact_rates(ContactPointOf<Scalar> const& contact, TwistOf<Scalar> const& a,
                                     TwistOf<Scalar> const& b);

}  // namespace delassus
