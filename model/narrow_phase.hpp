// Where two shapes touch, or would: points with a normal, a gap and an identity that stays while the bodies
// move, and how these move with the bodies.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>

#include "model/shape.hpp"

namespace delassus {

// Which features of the cores face each other; a is the first shape of the pair, b the second.
enum class FeaturePair { face_point, point_face, point_point, segment_point, point_segment, segment_segment };

struct ContactPoint {
  int feature = 0;    // identity within the pair, 0 ... 255: which vertices, edges or faces meet
  Eigen::Vector3d n;  // unit normal, from a to b
  Eigen::Vector3d p;  // on the surface of b
  double gap = 0;     // m; negative where the shapes overlap

  // For the motion of the above: c_a and c_b are the nearest points of the cores, c_b - c_a = (gap + radius_a
  // + radius_b) n; e_a and e_b the unit directions of segments, zero where there are none.
  FeaturePair pair = FeaturePair::point_point;
  Eigen::Vector3d c_a, c_b;
  Eigen::Vector3d e_a = Eigen::Vector3d::Zero(), e_b = Eigen::Vector3d::Zero();
  double radius_a = 0, radius_b = 0;
};

// Box on box has the most: a face clipped by a face.
inline constexpr int most_contact_points = 8;

struct ContactPoints {
  std::array<ContactPoint, most_contact_points> item;
  int count = 0;
};

// Whether this pair of shapes is supported, in this order or the other.
bool can_collide(ShapeKind a, ShapeKind b);

// All contact points of the pair with a gap of at most `margin`; none where a pose is not finite or the pair
// is not supported. In a scene of dimension 2 shapes lie in the x-y plane with z = 0 and turn about z: a box
// is a rectangle, a plane a line. Boxes that have a face in front of each other touch where these overlap: a
// vertex or an edge beside it is left out even where it is nearer than some of the points.
void find_contacts(ShapeGeometry const& a, ShapePose const& at_a, ShapeGeometry const& b,
                   ShapePose const& at_b, int dimension, double margin, ContactPoints& contacts);

// The smallest gap of the pair, however far apart they are; exact where it is positive (the distance). Where
// cores overlap it is minus the least depth, less the radii. Infinity for a pair that is not supported, NaN
// where a pose is not finite.
double smallest_gap(ShapeGeometry const& a, ShapePose const& at_a, ShapeGeometry const& b,
                    ShapePose const& at_b, int dimension);

// The motion of a rigid body: velocity of the point at x is velocity + omega x (x - origin).
struct Twist {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero(),
                  omega = Eigen::Vector3d::Zero();
  bool origin_stays = false;  // of a surface that moves over a body at rest: its origin does not move with it
  Eigen::Vector3d at(Eigen::Vector3d const& x) const { return velocity + omega.cross(x - origin); }
  Eigen::Vector3d origin_rate() const { return origin_stays ? Eigen::Vector3d::Zero().eval() : velocity; }
};

// How n and p move when the bodies do; the nearest points slide along the features as the bodies turn.
struct ContactRates {
  Eigen::Vector3d n, p;
};
ContactRates contact_rates(ContactPoint const& contact, Twist const& a, Twist const& b);

}  // namespace delassus
