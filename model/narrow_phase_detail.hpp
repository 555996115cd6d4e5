// What the sources of the narrow phase share; not for anybody else. Every function below takes its pair in
// one order only (the plane or the box first); narrow_phase.cpp mirrors the result for the other.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "model/narrow_phase.hpp"
#include "model/shape.hpp"

namespace delassus::narrow_phase {

// A shape and where it is; a view, for the length of a call.
struct Placed {
  ShapeGeometry const& shape;
  ShapePose const& pose;
};

// By how much the core is blown up.
inline double radius_of(ShapeGeometry const& shape) {
  return shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule ? shape.radius : 0;
}

// The core of a round shape: middle + t direction, |t| <= half. Points and spheres have half = 0.
struct Segment {
  Eigen::Vector3d middle, direction;
  double half = 0;
  Eigen::Vector3d at(double t) const { return middle + t * direction; }
};
inline Segment segment_of(Placed const& round) {
  return {round.pose.position, round.pose.R.col(0),
          round.shape.kind == ShapeKind::capsule ? round.shape.half[0] : 0.0};
}

// Vertices of a box are numbered by their signs: bit i is set where the vertex is on the positive side of
// axis i.
inline double sign_of(int vertex, int axis) {
  return (vertex >> axis & 1) != 0 ? 1 : -1;
}
inline Eigen::Vector3d local_vertex(ShapeGeometry const& box, int vertex, int dimension) {
  return {sign_of(vertex, 0) * box.half[0], sign_of(vertex, 1) * box.half[1],
          dimension == 3 ? sign_of(vertex, 2) * box.half[2] : 0};
}
inline Eigen::Vector3d box_vertex(Placed const& box, int vertex, int dimension) {
  return box.pose.position + box.pose.R * local_vertex(box.shape, vertex, dimension);
}
inline int vertex_count(int dimension) {
  return dimension == 3 ? 8 : 4;
}

// The features of two capsules, or a capsule and a box, that touch at the two ends of their overlap are 0 and
// 1. Where they touch once the point slides along the whole length as they turn, so it is neither of the two.
inline constexpr int single_feature = 2;

// The features of two boxes say which vertex it is or which two edges cross, whichever of the boxes has the
// face of reference: vertices of a 0 ... 7, of b 8 ... 15, edge i of a and j of b 16 + 12 i + j. The nearest
// points of boxes apart that have nothing in front of a face have one feature, as they pass smoothly from
// vertices to edges.
inline int vertex_feature(bool of_a, int vertex) {
  return of_a ? vertex : 8 + vertex;
}
inline constexpr int first_edge_feature = 16;
inline constexpr int nearest_feature = first_edge_feature + 12 * 12;

// Whether the shapes are so much farther apart along one axis that it is chosen instead of the preferred one:
// faces are preferred to edges, faces of a to those of b. Without it boxes at rest, for which several axes
// are equal but for rounding, would change their normals and points from step to step.
inline bool clearly_larger(double separation, double preferred, double size) {
  constexpr double relative = 0.01, absolute = 1e-3;
  return separation > preferred + relative * std::abs(preferred) + absolute * size;
}

// A contact with c_b - c_a = distance n.
ContactPoint make_contact(FeaturePair pair, Eigen::Vector3d const& n, Eigen::Vector3d const& c_a,
                          Eigen::Vector3d const& c_b, double distance, double radius_a = 0,
                          double radius_b = 0);
// The same with the normal from the nearest points; where these coincide it is the vertical one.
ContactPoint make_contact_of_points(FeaturePair pair, Eigen::Vector3d const& c_a, Eigen::Vector3d const& c_b,
                                    double radius_a, double radius_b, int dimension);
// The same contact of the pair in the other order.
ContactPoint mirrored(ContactPoint const& contact);
// Adds the contact if it is within the margin (and not NaN).
void keep(ContactPoint const& contact, double margin, ContactPoints& contacts);

// plane_contacts.cpp
void plane_contacts(Placed const& plane, Placed const& other, int dimension, double margin,
                    ContactPoints& contacts);

// round_contacts.cpp: points, spheres and capsules.
ContactPoint nearest_of_round(Placed const& a, Placed const& b, int dimension);
void round_contacts(Placed const& a, Placed const& b, int dimension, double margin, ContactPoints& contacts);
// The nearest points of two lines if both are inside of the segments, and the segments are not parallel.
bool nearest_inside(Segment const& a, Segment const& b, double& t_a, double& t_b);

// round_box_contacts.cpp
ContactPoint nearest_of_box_and_point(Placed const& box, Eigen::Vector3d const& point, double radius,
                                      int dimension);
ContactPoint nearest_of_box_and_round(Placed const& box, Placed const& round, int dimension);
void box_round_contacts(Placed const& box, Placed const& round, int dimension, double margin,
                        ContactPoints& contacts);

// box_contacts.cpp: in 3D; rectangle_contacts.cpp: in 2D. The gaps are distances where positive, the least
// depth over the separating axes where negative.
void box_contacts(Placed const& a, Placed const& b, double margin, ContactPoints& contacts);
double box_gap(Placed const& a, Placed const& b);
void rectangle_contacts(Placed const& a, Placed const& b, double margin, ContactPoints& contacts);
double rectangle_gap(Placed const& a, Placed const& b);

// The vertices of each box against the other: of all these the nearest contact, exact for boxes apart unless
// they are nearest where two edges cross.
ContactPoint nearest_vertex(Placed const& a, Placed const& b, int dimension);
// The vertex of `incident` that is deepest below the face of `reference` with the unit normal `outward`,
// which is `separation` away; the last resort where clipping leaves nothing.
ContactPoint deepest_vertex(bool reference_is_a, Placed const& incident, Eigen::Vector3d const& outward,
                            double separation, int dimension);

}  // namespace delassus::narrow_phase
