// Inner header of the narrow phase. Every function below takes its pair in one order only (the plane or the
// box first); narrow_phase.cpp mirrors the result for the other order.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "model/geometry/narrow_phase.hpp"
#include "model/geometry/shape.hpp"

namespace delassus::narrow_phase {

// A shape and its pose; a view, valid for one call.
template <class Scalar>
struct Placed {
  ShapeGeometryOf<Scalar> const& shape;
  ShapePoseOf<Scalar> const& pose;
};

// The radius around the core.
template <class Scalar>
inline Scalar radius_of(ShapeGeometryOf<Scalar> const& shape) {
  return shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule ? shape.radius : 0;
}

// The core of a round shape: middle + t direction, |t| <= half. Points and spheres have half = 0.
template <class Scalar>
struct Segment {
  Vector3<Scalar> middle, direction;
  Scalar half = 0;
  Vector3<Scalar> at(Scalar t) const { return middle + t * direction; }
};
template <class Scalar>
inline Segment<Scalar> segment_of(Placed<Scalar> const& round) {
  return {round.pose.position, round.pose.R.col(0),
          round.shape.kind == ShapeKind::capsule ? round.shape.half[0] : 0.0};
}

// Vertices of a box are numbered by their signs: bit i is set where the vertex is on the positive side of
// axis i.
inline double sign_of(int vertex, int axis) {
  return (vertex >> axis & 1) != 0 ? 1 : -1;
}
template <class Scalar>
inline Vector3<Scalar> local_vertex(ShapeGeometryOf<Scalar> const& box, int vertex, int dimension) {
  return {sign_of(vertex, 0) * box.half[0], sign_of(vertex, 1) * box.half[1],
          dimension == 3 ? sign_of(vertex, 2) * box.half[2] : 0};
}
template <class Scalar>
inline Vector3<Scalar> box_vertex(Placed<Scalar> const& box, int vertex, int dimension) {
  return box.pose.position + box.pose.R * local_vertex<Scalar>(box.shape, vertex, dimension);
}
inline int vertex_count(int dimension) {
  return dimension == 3 ? 8 : 4;
}

// Two capsules have the features 0 and 1 at both ends of their overlap. Where they touch between, the point slides
// along the whole length as they turn, so it has a feature of its own.
inline constexpr int single_feature = 2;
// A capsule and a box: 0 and 1 for the ends of the capsule, 2 for all between them over a face, then the edges of the
// box by their numbers, then its vertices.
inline constexpr int first_edge_of_box = 3, first_vertex_of_box = first_edge_of_box + 12;
// Edges are numbered 0 ... 11 by their axis and the signs of the other two. Either end of the edge gives its number.
inline int edge_of(int axis, int vertex_on_it) {
  int const first = vertex_on_it >> ((axis + 1) % 3) & 1, second = vertex_on_it >> ((axis + 2) % 3) & 1;
  return 4 * axis + 2 * first + second;
}

// Of the size of a shape: gaps that differ by less are equal. It is above rounding errors, and far below the depth at
// which a contact counts as open.
inline constexpr double same_gap = 1e-10;

// Of the size: boxes that overlap more deeply are pushed apart along one face.
inline constexpr double deep_share = 1e-3;

// The feature of two boxes says which vertex touches or which two edges cross, whichever box has the
// reference face: vertices of a 0 ... 7, of b 8 ... 15, edge i of a with edge j of b 16 + 12 i + j. If a
// vertex is nearest to an edge or a vertex, which only separate boxes have, that is a single feature.
inline int vertex_feature(bool of_a, int vertex) {
  return of_a ? vertex : 8 + vertex;
}
inline constexpr int first_edge_feature = 16;
inline constexpr int nearest_feature = first_edge_feature + 12 * 12;

// Whether the separation along one axis is so much larger that it replaces the preferred axis. Faces are
// preferred to edges, and faces of a to those of b. Without this preference boxes at rest, for which several
// axes are equal up to rounding, would change their normals and points from step to step.
template <class Scalar>
inline bool clearly_larger(Scalar separation, Scalar preferred, Scalar size) {
  constexpr double relative = 0.01, absolute = 1e-3;
  return separation > preferred + relative * abs(preferred) + absolute * size;
}

// A contact with c_b - c_a = distance n.
template <class Scalar>
ContactPointOf<Scalar> make_contact(FeaturePair pair, Vector3<Scalar> const& n, Vector3<Scalar> const& c_a,
                                    Vector3<Scalar> const& c_b, Scalar distance, Scalar radius_a = 0,
                                    Scalar radius_b = 0);
// The same with the normal from the nearest points. If they coincide, the normal is vertical.
template <class Scalar>
ContactPointOf<Scalar> make_contact_of_points(FeaturePair pair, Vector3<Scalar> const& c_a,
                                              Vector3<Scalar> const& c_b, Scalar radius_a, Scalar radius_b,
                                              int dimension);
// The same contact of the pair in the other order.
template <class Scalar>
ContactPointOf<Scalar> mirrored(ContactPointOf<Scalar> const& contact);
// Adds the contact if it is within the margin (and not NaN).
template <class Scalar>
void keep(ContactPointOf<Scalar> const& contact, Scalar margin, ContactPointsOf<Scalar>& contacts);

// narrow_phase_planes.cpp
template <class Scalar>
void plane_contacts(Placed<Scalar> const& plane, Placed<Scalar> const& other, int dimension, Scalar margin,
                    ContactPointsOf<Scalar>& contacts);

// narrow_phase_round.cpp: points, spheres and capsules.
template <class Scalar>
ContactPointOf<Scalar> nearest_of_round(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension);
template <class Scalar>
void round_contacts(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension, Scalar margin,
                    ContactPointsOf<Scalar>& contacts);
// The nearest points of two lines, if both lie inside the segments and the segments are not parallel.
template <class Scalar>
bool nearest_inside(Segment<Scalar> const& a, Segment<Scalar> const& b, Scalar& t_a, Scalar& t_b);

// narrow_phase_round_boxes.cpp
template <class Scalar>
ContactPointOf<Scalar> nearest_of_box_and_point(Placed<Scalar> const& box, Vector3<Scalar> const& point,
                                                Scalar radius, int dimension);
template <class Scalar>
ContactPointOf<Scalar> nearest_of_box_and_round(Placed<Scalar> const& box, Placed<Scalar> const& round,
                                                int dimension);
template <class Scalar>
void box_round_contacts(Placed<Scalar> const& box, Placed<Scalar> const& round, int dimension, Scalar margin,
                        ContactPointsOf<Scalar>& contacts);

// narrow_phase_boxes.cpp in 3D, narrow_phase_rectangles.cpp in 2D. The gap of the nearest points is the
// distance if it is positive, otherwise the least depth over the separating axes.
template <class Scalar>
void box_contacts(Placed<Scalar> const& a, Placed<Scalar> const& b, Scalar margin,
                  ContactPointsOf<Scalar>& contacts);
template <class Scalar>
ContactPointOf<Scalar> nearest_of_boxes(Placed<Scalar> const& a, Placed<Scalar> const& b);
template <class Scalar>
void rectangle_contacts(Placed<Scalar> const& a, Placed<Scalar> const& b, Scalar margin,
                        ContactPointsOf<Scalar>& contacts);
template <class Scalar>
ContactPointOf<Scalar> nearest_of_rectangles(Placed<Scalar> const& a, Placed<Scalar> const& b);

// Contacts of one given face of a box, of which no other face or edge counts: the part of the other shape in
// front of it or behind it, within the margin; nothing beside it. `axis` and `sign` say which face.
struct BoxFace {
  int axis = 0;
  double sign = 1;
};
template <class Scalar>
void box_face_contacts(bool reference_is_a, Placed<Scalar> const& reference, BoxFace const& face,
                       Placed<Scalar> const& incident, Scalar margin, ContactPointsOf<Scalar>& contacts);
template <class Scalar>
void rectangle_face_contacts(bool reference_is_a, Placed<Scalar> const& reference, BoxFace const& face,
                             Placed<Scalar> const& incident, Scalar margin,
                             ContactPointsOf<Scalar>& contacts);
// The box is a.
template <class Scalar>
void round_face_contacts(Placed<Scalar> const& box, BoxFace const& face, Placed<Scalar> const& round,
                         int dimension, Scalar margin, ContactPointsOf<Scalar>& contacts);

// The difference of two points that nearly coincide has a direction full of rounding errors. If the best
// separating axis is as good as the distance between the nearest points, its direction is exact and is taken.
template <class Scalar>
inline bool axis_is_as_good(Scalar separation, Scalar distance, Scalar size) {
  constexpr double relative = 1e-11, absolute = 1e-14;
  return distance < 1e-6 * size && separation >= distance - relative * distance - absolute * size;
}

// Of contacts of boxes: removes those with a smaller gap than `least`, which a corner beside a face has, and returns the
// smallest gap that is left, infinity for none.
template <class Scalar>
Scalar remove_deeper(Scalar least, ContactPointsOf<Scalar>& contacts);
// Adds the nearest points, unless they are there, or instead of the farthest ones if there are too many.
template <class Scalar>
void add_nearest(ContactPointOf<Scalar> const& nearest, Scalar margin, Scalar tolerance,
                 ContactPointsOf<Scalar>& contacts);

// The nearest contact of a vertex of one box with the other box. It is exact for separate boxes, unless two
// crossing edges are nearer.
template <class Scalar>
ContactPointOf<Scalar> nearest_vertex(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension);
// The vertex of `incident` that is deepest below the face of `reference` with the unit normal `outward`,
// which is `separation` away. This is the last resort if clipping leaves nothing.
template <class Scalar>
ContactPointOf<Scalar> deepest_vertex(bool reference_is_a, Placed<Scalar> const& incident,
                                      Vector3<Scalar> const& outward, Scalar separation, int dimension);

}  // namespace delassus::narrow_phase
