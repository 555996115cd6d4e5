// A plane with a convex shape: only the vertices of the core can be nearest.
#include "model/geometry/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {
namespace {

template <class Scalar>
void keep_vertex(Placed<Scalar> const& plane, Vector3<Scalar> const& vertex, Scalar radius, int feature,
                 Scalar margin, ContactPointsOf<Scalar>& contacts) {
  Vector3<Scalar> const n = plane.pose.R.col(0);
  Scalar const distance = n.dot(vertex - plane.pose.position);
  ContactPointOf<Scalar> contact =
      make_contact<Scalar>(FeaturePair::face_point, n, vertex - distance * n, vertex, distance, 0, radius);
  contact.feature = feature;
  keep<Scalar>(contact, margin, contacts);
}

}  // namespace

template <class Scalar>
void plane_contacts(Placed<Scalar> const& plane, Placed<Scalar> const& other, int dimension, Scalar margin,
                    ContactPointsOf<Scalar>& contacts) {
  Scalar const radius = radius_of<Scalar>(other.shape);
  if (other.shape.kind == ShapeKind::box) {
    for (int vertex = 0; vertex < vertex_count(dimension); ++vertex) {
      keep_vertex<Scalar>(plane, box_vertex<Scalar>(other, vertex, dimension), radius, vertex, margin,
                          contacts);
    }
  } else if (other.shape.kind == ShapeKind::capsule) {
    Segment<Scalar> const segment = segment_of<Scalar>(other);
    keep_vertex<Scalar>(plane, segment.at(-segment.half), radius, 0, margin, contacts);
    keep_vertex<Scalar>(plane, segment.at(segment.half), radius, 1, margin, contacts);
  } else {
    keep_vertex<Scalar>(plane, other.pose.position, radius, 0, margin, contacts);
  }
}

// Explicit instantiations for both scalars.
template void plane_contacts(Placed<double> const&, Placed<double> const&, int, double,
                             ContactPointsOf<double>&);
template void plane_contacts(Placed<Dual> const&, Placed<Dual> const&, int, Dual, ContactPointsOf<Dual>&);

}  // namespace delassus::narrow_phase
