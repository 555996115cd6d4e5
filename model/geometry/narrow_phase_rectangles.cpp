// Two boxes in 2D, and functions shared with two boxes in 3D.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/geometry/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {

template <class Scalar>
ContactPointOf<Scalar> nearest_vertex(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension) {
  ContactPointOf<Scalar> best =
      nearest_of_box_and_point<Scalar>(a, box_vertex<Scalar>(b, 0, dimension), 0, dimension);
  for (int vertex = 1; vertex < vertex_count(dimension); ++vertex) {
    ContactPointOf<Scalar> const contact =
        nearest_of_box_and_point<Scalar>(a, box_vertex<Scalar>(b, vertex, dimension), 0, dimension);
    if (contact.gap < best.gap) best = contact;
  }
  for (int vertex = 0; vertex < vertex_count(dimension); ++vertex) {
    ContactPointOf<Scalar> const contact =
        nearest_of_box_and_point<Scalar>(b, box_vertex<Scalar>(a, vertex, dimension), 0, dimension);
    if (contact.gap < best.gap) best = mirrored<Scalar>(contact);
  }
  best.feature = nearest_feature;
  return best;
}

template <class Scalar>
ContactPointOf<Scalar> deepest_vertex(bool reference_is_a, Placed<Scalar> const& incident,
                                      Vector3<Scalar> const& outward, Scalar separation, int dimension) {
  int vertex = 0;
  for (int axis = 0; axis < dimension; ++axis) {
    if (incident.pose.R.col(axis).dot(outward) < 0) vertex |= 1 << axis;
  }
  Vector3<Scalar> const c = box_vertex<Scalar>(incident, vertex, dimension);
  ContactPointOf<Scalar> contact =
      make_contact<Scalar>(FeaturePair::face_point, outward, c - separation * outward, c, separation);
  if (!reference_is_a) contact = mirrored<Scalar>(contact);
  contact.feature = vertex_feature(!reference_is_a, vertex);
  return contact;
}

namespace {

// The reference side of a rectangle: of the lines along its sides, the one farthest from the other rectangle.
template <class Scalar>
struct Side {
  Scalar separation = -std::numeric_limits<double>::infinity();
  int axis = 0;
  Scalar sign = 1;
};

template <class Scalar>
Side<Scalar> farthest_side(Placed<Scalar> const& reference, Placed<Scalar> const& other) {
  Side<Scalar> best;
  Vector3<Scalar> const d = other.pose.position - reference.pose.position;
  for (int axis = 0; axis < 2; ++axis) {
    Vector3<Scalar> const n = reference.pose.R.col(axis);
    Scalar const reach = abs(n.dot(other.pose.R.col(0))) * other.shape.half[0] +
                         abs(n.dot(other.pose.R.col(1))) * other.shape.half[1];
    Scalar const separation = abs(n.dot(d)) - reference.shape.half[axis] - reach;
    if (separation > best.separation) best = {separation, axis, n.dot(d) < 0 ? -1.0 : 1.0};
  }
  return best;
}

// The side of `incident` that is most opposed to the reference side, clipped to the part in front of it. An
// end that is cut off is replaced by the point opposite the vertex of `reference`, and gets the feature of
// that vertex.
template <class Scalar>
void clip_side(bool reference_is_a, Placed<Scalar> const& reference, Placed<Scalar> const& incident,
               Side<Scalar> const& side, Scalar margin, ContactPointsOf<Scalar>& contacts) {
  Vector3<Scalar> const outward = side.sign * reference.pose.R.col(side.axis);
  int const axis =
      abs(outward.dot(incident.pose.R.col(0))) >= abs(outward.dot(incident.pose.R.col(1))) ? 0 : 1;
  bool const positive = outward.dot(incident.pose.R.col(axis)) < 0;
  int const along = 1 - side.axis;
  Vector3<Scalar> const tangent = reference.pose.R.col(along);
  Scalar const half = reference.shape.half[along];
  // Two rectangles of equal width on top of each other: their ends count as ends, in spite of rounding.
  Scalar const tolerance = 1e-4 * half;

  std::array<Scalar, 2> u, w;
  std::array<int, 2> vertex;
  for (std::size_t i = 0; i < 2; ++i) {
    vertex[i] = (positive ? 1 << axis : 0) | (i == 1 ? 1 << (1 - axis) : 0);
    Vector3<Scalar> const q = box_vertex<Scalar>(incident, vertex[i], 2) - reference.pose.position;
    u[i] = tangent.dot(q);
    w[i] = outward.dot(q);
  }
  Scalar kept = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 2; ++i) {
    Scalar u_i = u[i], w_i = w[i];
    int feature = vertex_feature(!reference_is_a, vertex[i]);
    if (abs(u[i]) > half + tolerance) {
      Scalar const end = u[i] < 0 ? -half : half;
      Scalar const share = (end - u[i]) / (u[1 - i] - u[i]);
      if (!(share >= 0 && share <= 1)) return;  // the whole side lies beyond that end
      u_i = end;
      w_i = w[i] + share * (w[1 - i] - w[i]);
      feature =
          vertex_feature(reference_is_a, (side.sign > 0 ? 1 << side.axis : 0) | (end > 0 ? 1 << along : 0));
    }
    if (abs(u_i - kept) <= 1e-9 * half) continue;
    kept = u_i;
    Scalar const distance = w_i - reference.shape.half[side.axis];
    Vector3<Scalar> const c = reference.pose.position + u_i * tangent + w_i * outward;
    ContactPointOf<Scalar> contact =
        make_contact<Scalar>(FeaturePair::face_point, outward, c - distance * outward, c, distance);
    if (!reference_is_a) contact = mirrored<Scalar>(contact);
    contact.feature = feature;
    keep<Scalar>(contact, margin, contacts);
  }
}

}  // namespace

// For two separate convex polygons, a vertex of one is always among the nearest points.
template <class Scalar>
ContactPointOf<Scalar> nearest_of_rectangles(Placed<Scalar> const& a, Placed<Scalar> const& b) {
  Side<Scalar> const side_a = farthest_side<Scalar>(a, b), side_b = farthest_side<Scalar>(b, a);
  bool const of_a = !(side_b.separation > side_a.separation);
  Side<Scalar> const& side = of_a ? side_a : side_b;
  Vector3<Scalar> const outward = side.sign * (of_a ? a : b).pose.R.col(side.axis);
  if (!(side.separation > 0)) return deepest_vertex<Scalar>(of_a, of_a ? b : a, outward, side.separation, 2);
  ContactPointOf<Scalar> contact = nearest_vertex<Scalar>(a, b, 2);
  Scalar const size = a.shape.half.maxCoeff() + b.shape.half.maxCoeff();
  if (axis_is_as_good<Scalar>(side.separation, contact.gap, size))
    contact.n = of_a ? outward : Vector3<Scalar>(-outward);
  return contact;
}

template <class Scalar>
void rectangle_contacts(Placed<Scalar> const& a, Placed<Scalar> const& b, Scalar margin,
                        ContactPointsOf<Scalar>& contacts) {
  Side<Scalar> const side_a = farthest_side<Scalar>(a, b), side_b = farthest_side<Scalar>(b, a);
  Scalar const separation = std::max(side_a.separation, side_b.separation);
  if (!(separation <= margin)) return;
  Scalar const size =
      std::min(a.shape.half.template head<2>().maxCoeff(), b.shape.half.template head<2>().maxCoeff());
  bool const of_a = !clearly_larger<Scalar>(side_b.separation, side_a.separation, size);
  Placed<Scalar> const &reference = of_a ? a : b, &incident = of_a ? b : a;
  Side<Scalar> const& side = of_a ? side_a : side_b;
  clip_side<Scalar>(of_a, reference, incident, side, margin, contacts);
  if (contacts.count > 0) return;
  if (separation > 0) {
    keep<Scalar>(nearest_vertex<Scalar>(a, b, 2), margin, contacts);
  } else {
    keep<Scalar>(deepest_vertex<Scalar>(of_a, incident, side.sign * reference.pose.R.col(side.axis),
                                        side.separation, 2),
                 margin, contacts);
  }
}

template <class Scalar>
void rectangle_face_contacts(bool reference_is_a, Placed<Scalar> const& reference, BoxFace const& face,
                             Placed<Scalar> const& incident, Scalar margin,
                             ContactPointsOf<Scalar>& contacts) {
  clip_side<Scalar>(reference_is_a, reference, incident, {0, face.axis, face.sign}, margin, contacts);
}

// Explicit instantiations for both scalars.
template void rectangle_face_contacts(bool, Placed<double> const&, BoxFace const&, Placed<double> const&,
                                      double, ContactPointsOf<double>&);
template void rectangle_face_contacts(bool, Placed<Dual> const&, BoxFace const&, Placed<Dual> const&, Dual,
                                      ContactPointsOf<Dual>&);
template ContactPointOf<double> nearest_vertex(Placed<double> const&, Placed<double> const&, int);
template ContactPointOf<Dual> nearest_vertex(Placed<Dual> const&, Placed<Dual> const&, int);
template ContactPointOf<double> deepest_vertex(bool, Placed<double> const&, Vector3<double> const&, double,
                                               int);
template ContactPointOf<Dual> deepest_vertex(bool, Placed<Dual> const&, Vector3<Dual> const&, Dual, int);
template ContactPointOf<double> nearest_of_rectangles(Placed<double> const&, Placed<double> const&);
template ContactPointOf<Dual> nearest_of_rectangles(Placed<Dual> const&, Placed<Dual> const&);
template void rectangle_contacts(Placed<double> const&, Placed<double> const&, double,
                                 ContactPointsOf<double>&);
template void rectangle_contacts(Placed<Dual> const&, Placed<Dual> const&, Dual, ContactPointsOf<Dual>&);

}  // namespace delassus::narrow_phase
