// A plane with a convex shape: only the vertices of the core can be nearest.
#include "model/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {
namespace {

void keep_vertex(Placed const& plane, Eigen::Vector3d const& vertex, double radius, int feature,
                 double margin, ContactPoints& contacts) {
  Eigen::Vector3d const n = plane.pose.R.col(0);
  double const distance = n.dot(vertex - plane.pose.position);
  ContactPoint contact =
      make_contact(FeaturePair::face_point, n, vertex - distance * n, vertex, distance, 0, radius);
  contact.feature = feature;
  keep(contact, margin, contacts);
}

}  // namespace

void plane_contacts(Placed const& plane, Placed const& other, int dimension, double margin,
                    ContactPoints& contacts) {
  double const radius = radius_of(other.shape);
  if (other.shape.kind == ShapeKind::box) {
    for (int vertex = 0; vertex < vertex_count(dimension); ++vertex) {
      keep_vertex(plane, box_vertex(other, vertex, dimension), radius, vertex, margin, contacts);
    }
  } else if (other.shape.kind == ShapeKind::capsule) {
    Segment const segment = segment_of(other);
    keep_vertex(plane, segment.at(-segment.half), radius, 0, margin, contacts);
    keep_vertex(plane, segment.at(segment.half), radius, 1, margin, contacts);
  } else {
    keep_vertex(plane, other.pose.position, radius, 0, margin, contacts);
  }
}

}  // namespace delassus::narrow_phase
