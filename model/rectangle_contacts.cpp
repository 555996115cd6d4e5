// Two boxes in 2D, and what they share with two boxes in 3D.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {

ContactPoint nearest_vertex(Placed const& a, Placed const& b, int dimension) {
  ContactPoint best = nearest_of_box_and_point(a, box_vertex(b, 0, dimension), 0, dimension);
  for (int vertex = 1; vertex < vertex_count(dimension); ++vertex) {
    ContactPoint const contact = nearest_of_box_and_point(a, box_vertex(b, vertex, dimension), 0, dimension);
    if (contact.gap < best.gap) best = contact;
  }
  for (int vertex = 0; vertex < vertex_count(dimension); ++vertex) {
    ContactPoint const contact = nearest_of_box_and_point(b, box_vertex(a, vertex, dimension), 0, dimension);
    if (contact.gap < best.gap) best = mirrored(contact);
  }
  best.feature = nearest_feature;
  return best;
}

ContactPoint deepest_vertex(bool reference_is_a, Placed const& incident, Eigen::Vector3d const& outward,
                            double separation, int dimension) {
  int vertex = 0;
  for (int axis = 0; axis < dimension; ++axis) {
    if (incident.pose.R.col(axis).dot(outward) < 0) vertex |= 1 << axis;
  }
  Eigen::Vector3d const c = box_vertex(incident, vertex, dimension);
  ContactPoint contact =
      make_contact(FeaturePair::face_point, outward, c - separation * outward, c, separation);
  if (!reference_is_a) contact = mirrored(contact);
  contact.feature = vertex_feature(!reference_is_a, vertex);
  return contact;
}

namespace {

// A side of a rectangle: of all lines along its sides the one farthest from the other rectangle.
struct Side {
  double separation = -std::numeric_limits<double>::infinity();
  int axis = 0;
  double sign = 1;
};

Side farthest_side(Placed const& reference, Placed const& other) {
  Side best;
  Eigen::Vector3d const d = other.pose.position - reference.pose.position;
  for (int axis = 0; axis < 2; ++axis) {
    Eigen::Vector3d const n = reference.pose.R.col(axis);
    double const reach = std::abs(n.dot(other.pose.R.col(0))) * other.shape.half[0] +
                         std::abs(n.dot(other.pose.R.col(1))) * other.shape.half[1];
    double const separation = std::abs(n.dot(d)) - reference.shape.half[axis] - reach;
    if (separation > best.separation) best = {separation, axis, n.dot(d) < 0 ? -1.0 : 1.0};
  }
  return best;
}

// The side of `incident` that faces the side of reference most, cut down to what lies in front of the latter.
// An end that is cut off is replaced by the point opposite the vertex of `reference`, and named after that.
void clip_side(bool reference_is_a, Placed const& reference, Placed const& incident, Side const& side,
               double margin, ContactPoints& contacts) {
  Eigen::Vector3d const outward = side.sign * reference.pose.R.col(side.axis);
  int const axis =
      std::abs(outward.dot(incident.pose.R.col(0))) >= std::abs(outward.dot(incident.pose.R.col(1))) ? 0 : 1;
  bool const positive = outward.dot(incident.pose.R.col(axis)) < 0;
  int const along = 1 - side.axis;
  Eigen::Vector3d const tangent = reference.pose.R.col(along);
  double const half = reference.shape.half[along];
  // Two rectangles of the same width on each other: their ends are ends, in spite of rounding.
  double const tolerance = 1e-4 * half;

  std::array<double, 2> u, w;
  std::array<int, 2> vertex;
  for (std::size_t i = 0; i < 2; ++i) {
    vertex[i] = (positive ? 1 << axis : 0) | (i == 1 ? 1 << (1 - axis) : 0);
    Eigen::Vector3d const q = box_vertex(incident, vertex[i], 2) - reference.pose.position;
    u[i] = tangent.dot(q);
    w[i] = outward.dot(q);
  }
  double kept = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 2; ++i) {
    double u_i = u[i], w_i = w[i];
    int feature = vertex_feature(!reference_is_a, vertex[i]);
    if (std::abs(u[i]) > half + tolerance) {
      double const end = u[i] < 0 ? -half : half;
      double const share = (end - u[i]) / (u[1 - i] - u[i]);
      if (!(share >= 0 && share <= 1)) return;  // all of the side is beyond that end
      u_i = end;
      w_i = w[i] + share * (w[1 - i] - w[i]);
      feature =
          vertex_feature(reference_is_a, (side.sign > 0 ? 1 << side.axis : 0) | (end > 0 ? 1 << along : 0));
    }
    if (std::abs(u_i - kept) <= 1e-9 * half) continue;
    kept = u_i;
    double const distance = w_i - reference.shape.half[side.axis];
    Eigen::Vector3d const c = reference.pose.position + u_i * tangent + w_i * outward;
    ContactPoint contact =
        make_contact(FeaturePair::face_point, outward, c - distance * outward, c, distance);
    if (!reference_is_a) contact = mirrored(contact);
    contact.feature = feature;
    keep(contact, margin, contacts);
  }
}

}  // namespace

// Of two convex polygons apart from each other a vertex of one is always among the nearest points.
double rectangle_gap(Placed const& a, Placed const& b) {
  double const separation = std::max(farthest_side(a, b).separation, farthest_side(b, a).separation);
  return separation > 0 ? nearest_vertex(a, b, 2).gap : separation;
}

void rectangle_contacts(Placed const& a, Placed const& b, double margin, ContactPoints& contacts) {
  Side const side_a = farthest_side(a, b), side_b = farthest_side(b, a);
  double const separation = std::max(side_a.separation, side_b.separation);
  if (!(separation <= margin)) return;
  double const size = std::min(a.shape.half.head<2>().maxCoeff(), b.shape.half.head<2>().maxCoeff());
  bool const of_a = !clearly_larger(side_b.separation, side_a.separation, size);
  Placed const &reference = of_a ? a : b, &incident = of_a ? b : a;
  Side const& side = of_a ? side_a : side_b;
  clip_side(of_a, reference, incident, side, margin, contacts);
  if (contacts.count > 0) return;
  if (separation > 0) {
    keep(nearest_vertex(a, b, 2), margin, contacts);
  } else {
    keep(deepest_vertex(of_a, incident, side.sign * reference.pose.R.col(side.axis), side.separation, 2),
         margin, contacts);
  }
}

}  // namespace delassus::narrow_phase
