// Two boxes in 2D, and functions shared with two boxes in 3D.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/geometry/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {

template <class Scalar>
ContactPointOf<Scalar> nearest_vertex(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension) {
  ContactPointOf<Scalar> best;
  best.gap = std::numeric_limits<double>::infinity();
  for (bool const of_a : {false, true}) {
    for (int vertex = 0; vertex < vertex_count(dimension); ++vertex) {
      ContactPointOf<Scalar> const contact = nearest_of_box_and_point<Scalar>(
          of_a ? b : a, box_vertex<Scalar>(of_a ? a : b, vertex, dimension), 0, dimension);
      if (!(contact.gap < best.gap)) continue;
      best = of_a ? mirrored<Scalar>(contact) : contact;
      best.feature = contact.pair == FeaturePair::face_point ? vertex_feature(of_a, vertex) : nearest_feature;
    }
  }
  return best;
}

template <class Scalar>
Scalar remove_deeper(Scalar least, ContactPointsOf<Scalar>& contacts) {
  Scalar smallest = std::numeric_limits<double>::infinity();
  int count = 0;
  for (int i = 0; i < contacts.count; ++i) {
    ContactPointOf<Scalar> const& contact = contacts.item[static_cast<std::size_t>(i)];
    if (contact.gap < least) continue;
    smallest = std::min(smallest, contact.gap);
    if (count != i) contacts.item[static_cast<std::size_t>(count)] = contact;
    ++count;
  }
  contacts.count = count;
  return smallest;
}

template <class Scalar>
void add_nearest(ContactPointOf<Scalar> const& nearest, Scalar margin, Scalar tolerance,
                 ContactPointsOf<Scalar>& contacts) {
  auto const end = contacts.item.begin() + contacts.count;
  auto const nearer = [](ContactPointOf<Scalar> const& one, ContactPointOf<Scalar> const& other) {
    return one.gap < other.gap;
  };
  if (contacts.count > 0 &&
      !(nearest.gap < std::min_element(contacts.item.begin(), end, nearer)->gap - tolerance))
    return;
  auto const same = std::find_if(contacts.item.begin(), end, [&nearest](ContactPointOf<Scalar> const& other) {
    return other.feature == nearest.feature;
  });
  if (same != end) {
    *same = nearest;
  } else if (contacts.count == most_contact_points) {
    *std::max_element(contacts.item.begin(), end, nearer) = nearest;
  } else {
    keep<Scalar>(nearest, margin, contacts);
  }
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
// end that is cut off is replaced by the vertex of `reference` with the incident side or, if only the reference side
// counts, by the point opposite that vertex.
template <class Scalar>
void clip_side(bool reference_is_a, Placed<Scalar> const& reference, Placed<Scalar> const& incident,
               Side<Scalar> const& side, bool only_reference, Scalar margin,
               ContactPointsOf<Scalar>& contacts) {
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
    bool const cut = abs(u[i]) > half + tolerance;
    int reference_vertex = 0;
    if (cut) {
      Scalar const end = u[i] < 0 ? -half : half;
      Scalar const share = (end - u[i]) / (u[1 - i] - u[i]);
      if (!(share >= 0 && share <= 1)) return;  // the whole side lies beyond that end
      u_i = end;
      w_i = w[i] + share * (w[1 - i] - w[i]);
      reference_vertex = (side.sign > 0 ? 1 << side.axis : 0) | (end > 0 ? 1 << along : 0);
      feature = vertex_feature(reference_is_a, reference_vertex);
    }
    if (abs(u_i - kept) <= 1e-9 * half) continue;
    kept = u_i;
    Scalar const distance = w_i - reference.shape.half[side.axis];
    Vector3<Scalar> const c = reference.pose.position + u_i * tangent + w_i * outward;
    ContactPointOf<Scalar> contact =
        make_contact<Scalar>(FeaturePair::face_point, outward, c - distance * outward, c, distance);
    if (!reference_is_a) contact = mirrored<Scalar>(contact);
    if (cut && !only_reference) {
      Vector3<Scalar> const v = box_vertex<Scalar>(reference, reference_vertex, 2);
      ContactPointOf<Scalar> of_vertex = nearest_of_box_and_point<Scalar>(incident, v, 0, 2);
      if (!(of_vertex.gap > 0)) {
        Vector3<Scalar> const n = (positive ? 1.0 : -1.0) * incident.pose.R.col(axis);
        Scalar const depth = n.dot(v - incident.pose.position) - incident.shape.half[axis];
        of_vertex = make_contact<Scalar>(FeaturePair::face_point, n, v - depth * n, v, depth);
      }
      contact = reference_is_a ? mirrored<Scalar>(of_vertex) : of_vertex;
    }
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
  bool const deep = separation < -deep_share * size;
  clip_side<Scalar>(of_a, reference, incident, side, deep, margin, contacts);
  if (deep && contacts.count > 0) return;
  Scalar const tolerance = same_gap * (a.shape.half.maxCoeff() + b.shape.half.maxCoeff());
  if (remove_deeper<Scalar>(separation - tolerance, contacts) > separation + tolerance)
    add_nearest<Scalar>(nearest_of_rectangles<Scalar>(a, b), margin, tolerance, contacts);
}

template <class Scalar>
void rectangle_face_contacts(bool reference_is_a, Placed<Scalar> const& reference, BoxFace const& face,
                             Placed<Scalar> const& incident, Scalar margin,
                             ContactPointsOf<Scalar>& contacts) {
  clip_side<Scalar>(reference_is_a, reference, incident, {0, face.axis, face.sign}, true, margin, contacts);
}

// Explicit instantiations for both scalars.
template void rectangle_face_contacts(bool, Placed<double> const&, BoxFace const&, Placed<double> const&,
                                      double, ContactPointsOf<double>&);
template void rectangle_face_contacts(bool, Placed<Dual> const&, BoxFace const&, Placed<Dual> const&, Dual,
                                      ContactPointsOf<Dual>&);
template double remove_deeper(double, ContactPointsOf<double>&);
template Dual remove_deeper(Dual, ContactPointsOf<Dual>&);
template void add_nearest(ContactPointOf<double> const&, double, double, ContactPointsOf<double>&);
template void add_nearest(ContactPointOf<Dual> const&, Dual, Dual, ContactPointsOf<Dual>&);
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
