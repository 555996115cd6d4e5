// Two boxes in 3D. Boxes are apart if and only if their projections are apart on one of 15 axes: the face
// normals of a, those of b, and the cross products of their edges (separating axis theorem). The axis of
// largest separation, or least depth, tells what touches: a face of one box with the part of the other in
// front of it, or two edges.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/geometry/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {
namespace {

int crossing_feature(int edge_a, int edge_b) {
  return first_edge_feature + 12 * edge_a + edge_b;
}

template <class Scalar>
Segment<Scalar> edge_segment(Placed<Scalar> const& box, int axis, int vertex_on_it) {
  Vector3<Scalar> middle = local_vertex<Scalar>(box.shape, vertex_on_it, 3);
  middle[axis] = 0;
  return {box.pose.position + box.pose.R * middle, box.pose.R.col(axis), box.shape.half[axis]};
}

template <class Scalar>
Segment<Scalar> numbered_edge(Placed<Scalar> const& box, int edge) {
  int const axis = edge / 4, first = edge / 2 % 2, second = edge % 2;
  return edge_segment<Scalar>(box, axis, first << ((axis + 1) % 3) | second << ((axis + 2) % 3));
}

template <class Scalar>
struct FaceAxis {
  Scalar separation = -std::numeric_limits<double>::infinity();
  int axis = 0;
  Scalar sign = 1;
};

template <class Scalar>
struct EdgeAxis {
  Scalar separation = -std::numeric_limits<double>::infinity();
  int axis_a = 0, axis_b = 0;
  Vector3<Scalar> n = Vector3<Scalar>::Zero();
};

// Two boxes in the frame of a, which all 15 axes share.
template <class Scalar>
struct Relative {
  Relative(Placed<Scalar> const& a, Placed<Scalar> const& b)
      : turn(a.pose.R.transpose() * b.pose.R),
        size(turn.cwiseAbs()),
        along_a(b.pose.position - a.pose.position) {
    along_b = b.pose.R.transpose() * along_a;
    along_a = (a.pose.R.transpose() * along_a).eval();
  }
  Matrix3<Scalar> turn, size;        // the axes of b, in columns, along those of a; and without signs
  Vector3<Scalar> along_a, along_b;  // from a to b, along the axes of each
};

template <class Scalar>
FaceAxis<Scalar> farthest_face_of_a(Placed<Scalar> const& a, Placed<Scalar> const& b,
                                    Relative<Scalar> const& relative) {
  FaceAxis<Scalar> best;
  for (int axis = 0; axis < 3; ++axis) {
    Scalar const reach = relative.size(axis, 0) * b.shape.half[0] + relative.size(axis, 1) * b.shape.half[1] +
                         relative.size(axis, 2) * b.shape.half[2];
    Scalar const distance = relative.along_a[axis];
    Scalar const separation = abs(distance) - a.shape.half[axis] - reach;
    if (separation > best.separation) best = {separation, axis, distance < 0 ? -1.0 : 1.0};
  }
  return best;
}

template <class Scalar>
FaceAxis<Scalar> farthest_face_of_b(Placed<Scalar> const& a, Placed<Scalar> const& b,
                                    Relative<Scalar> const& relative) {
  FaceAxis<Scalar> best;
  for (int axis = 0; axis < 3; ++axis) {
    Scalar const reach = relative.size(0, axis) * a.shape.half[0] + relative.size(1, axis) * a.shape.half[1] +
                         relative.size(2, axis) * a.shape.half[2];
    Scalar const distance = -relative.along_b[axis];
    Scalar const separation = abs(distance) - b.shape.half[axis] - reach;
    if (separation > best.separation) best = {separation, axis, distance < 0 ? -1.0 : 1.0};
  }
  return best;
}

// With C = turn, n = a_i x b_j has the parts -C(i2, j) and C(i1, j) along the axes i1, i2 of a that follow i, and
// C(i, j2) and -C(i, j1) along those of b that follow j.
template <class Scalar>
EdgeAxis<Scalar> farthest_edges(Placed<Scalar> const& a, Placed<Scalar> const& b,
                                Relative<Scalar> const& relative) {
  EdgeAxis<Scalar> best;
  Matrix3<Scalar> const &C = relative.turn, &size = relative.size;
  bool opposite = false;
  Scalar sine_of_best = 0;
  for (int i = 0; i < 3; ++i) {
    int const i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      int const j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      Scalar const sine = sqrt(C(i1, j) * C(i1, j) + C(i2, j) * C(i2, j));
      if (!(sine > 2e-6)) continue;  // parallel edges: the normals of the faces do
      Scalar const distance = C(i1, j) * relative.along_a[i2] - C(i2, j) * relative.along_a[i1];
      Scalar const reach = size(i2, j) * a.shape.half[i1] + size(i1, j) * a.shape.half[i2] +
                           size(i, j2) * b.shape.half[j1] + size(i, j1) * b.shape.half[j2];
      Scalar const separation = (abs(distance) - reach) / sine;
      if (!(separation > best.separation)) continue;
      best.separation = separation;
      best.axis_a = i;
      best.axis_b = j;
      opposite = distance < 0;
      sine_of_best = sine;
    }
  }
  if (sine_of_best > 0) {
    best.n = a.pose.R.col(best.axis_a).cross(b.pose.R.col(best.axis_b)) /
             (opposite ? -sine_of_best : sine_of_best);
  }
  return best;
}

// The edge of each box that is nearest to the other box. False if their nearest points lie beyond their ends.
template <class Scalar>
bool edge_contact(Placed<Scalar> const& a, Placed<Scalar> const& b, EdgeAxis<Scalar> const& axis,
                  ContactPointOf<Scalar>& contact) {
  int vertex_a = 0, vertex_b = 0;
  for (int i = 0; i < 3; ++i) {
    if (axis.n.dot(a.pose.R.col(i)) > 0) vertex_a |= 1 << i;
    if (axis.n.dot(b.pose.R.col(i)) < 0) vertex_b |= 1 << i;
  }
  Segment<Scalar> const edge_a = edge_segment<Scalar>(a, axis.axis_a, vertex_a);
  Segment<Scalar> const edge_b = edge_segment<Scalar>(b, axis.axis_b, vertex_b);
  Scalar t_a = 0, t_b = 0;
  if (!nearest_inside<Scalar>(edge_a, edge_b, t_a, t_b)) return false;
  contact = make_contact<Scalar>(FeaturePair::segment_segment, axis.n, edge_a.at(t_a), edge_b.at(t_b),
                                 axis.separation);
  contact.e_a = edge_a.direction;
  contact.e_b = edge_b.direction;
  contact.feature = crossing_feature(edge_of(axis.axis_a, vertex_a), edge_of(axis.axis_b, vertex_b));
  return true;
}

// A corner of the polygon that is being clipped: its coordinates in the reference face and, w, above it; and
// the edge to the next corner: an edge of the incident box, or -1 - the side of the reference face that cut.
template <class Scalar>
struct Corner {
  std::array<Scalar, 2> across;
  Scalar w;
  int feature, edge;
};

template <class Scalar>
struct Polygon {
  std::array<Corner<Scalar>, 16> corner;
  std::size_t count = 0;
  void add(Corner<Scalar> const& item) {
    if (count < corner.size()) corner[count++] = item;
  }
};

// What becomes of a corner that the face cuts off: the features that meet there, with a gap and a normal of their own,
// whose rate is that of the gap; or the point in front of the face, as if the face had no end.
enum class CutBy { features, face };

// The face of one box with the part of the other box in front of it.
template <class Scalar>
class FaceClipping {
 public:
  FaceClipping(bool reference_is_a, Placed<Scalar> const& reference, Placed<Scalar> const& incident,
               FaceAxis<Scalar> const& face, CutBy cut_by)
      : cut_by_(cut_by),
        reference_is_a_(reference_is_a),
        reference_(reference),
        incident_(incident),
        face_(face),
        outward_(face.sign * reference.pose.R.col(face.axis)),
        across_{(face.axis + 1) % 3, (face.axis + 2) % 3} {}

  void find(Scalar margin, ContactPointsOf<Scalar>& contacts) {
    start();
    for (int side = 0; side < 4; ++side) clip(side);
    remove_doubles();
    for (std::size_t i = 0; i < polygon_.count; ++i) {
      Corner<Scalar> const& corner = polygon_.corner[i];
      ContactPointOf<Scalar> contact = contact_of(corner);
      if (cut_by_ == CutBy::features && !has_features(corner, contact)) continue;
      keep<Scalar>(contact, margin, contacts);
    }
  }

 private:
  Scalar half(int side) const { return reference_.shape.half[across_[static_cast<std::size_t>(side / 2)]]; }

  // The incident face: the face of the incident box whose normal is most opposed to the reference face.
  void start() {
    int axis = 0;
    Vector3<Scalar> const turned = incident_.pose.R.transpose() * outward_;
    turned.cwiseAbs().maxCoeff(&axis);
    int const first = 1 << ((axis + 1) % 3), second = 1 << ((axis + 2) % 3);
    int const base = turned[axis] < 0 ? 1 << axis : 0;
    incident_face_ = {0, axis, turned[axis] < 0 ? 1.0 : -1.0};
    std::array<int, 4> const around{0, first, first | second, second};
    for (std::size_t i = 0; i < 4; ++i) {
      int const vertex = base | around[i];
      Vector3<Scalar> const q = reference_.pose.R.transpose() *
                                (box_vertex<Scalar>(incident_, vertex, 3) - reference_.pose.position);
      // The edges run along the first axis, then the second, and back.
      int const edge = edge_of(i % 2 == 0 ? (axis + 1) % 3 : (axis + 2) % 3, vertex);
      polygon_.add({{q[across_[0]], q[across_[1]]},
                    face_.sign * q[face_.axis],
                    vertex_feature(!reference_is_a_, vertex),
                    edge});
    }
  }

  // The vertices of the reference box at the two ends of a side differ in one bit, which edge_of ignores.
  int vertex_at(int side, int other_side) const {
    int vertex = face_.sign > 0 ? 1 << face_.axis : 0;
    for (int const s : {side, other_side})
      if (s % 2 == 1) vertex |= 1 << across_[static_cast<std::size_t>(s / 2)];
    return vertex;
  }

  // The feature of a cut: a vertex of the reference box if it cuts the line of an earlier cut, otherwise the
  // two edges.
  int feature_of_cut(int edge, int side) const {
    if (edge < 0) return vertex_feature(reference_is_a_, vertex_at(side, -1 - edge));
    int const own = edge_of(across_[static_cast<std::size_t>(1 - side / 2)], vertex_at(side, side));
    return reference_is_a_ ? crossing_feature(own, edge) : crossing_feature(edge, own);
  }

  // Clips the polygon at one side. The polygon is convex, so at most one edge leaves and one returns.
  void clip(int side) {
    std::size_t const u = static_cast<std::size_t>(side / 2), v = 1 - u;
    Scalar const sign = side % 2 == 1 ? 1 : -1, half = this->half(side);
    // Boxes of equal width on top of each other: their corners count as corners, in spite of rounding.
    Scalar const tolerance = 1e-4 * half;
    bool const all_inside = std::all_of(
        polygon_.corner.begin(), polygon_.corner.begin() + static_cast<std::ptrdiff_t>(polygon_.count),
        [&](Corner<Scalar> const& corner) { return sign * corner.across[u] - half <= tolerance; });
    if (all_inside) return;
    Polygon<Scalar> result;
    for (std::size_t i = 0; i < polygon_.count; ++i) {
      Corner<Scalar> here = polygon_.corner[i];
      Corner<Scalar> const& next = polygon_.corner[(i + 1) % polygon_.count];
      Scalar const beyond = sign * here.across[u] - half, next_beyond = sign * next.across[u] - half;
      bool const inside = beyond <= tolerance, next_inside = next_beyond <= tolerance;
      Scalar const share = beyond / (beyond - next_beyond);
      // A corner on the side, within the tolerance, is kept and is itself the cut.
      bool const cut = inside != next_inside && share > 0 && share < 1;
      Corner<Scalar> crossing{};
      if (cut) {
        crossing.across[u] = sign * half;
        crossing.across[v] = here.across[v] + share * (next.across[v] - here.across[v]);
        crossing.w = here.w + share * (next.w - here.w);
        crossing.feature = feature_of_cut(here.edge, side);
        crossing.edge = inside ? -1 - side : here.edge;
      }
      if (inside) {
        if (!next_inside && !cut) here.edge = -1 - side;
        result.add(here);
      }
      if (cut) result.add(crossing);
    }
    polygon_ = result;
  }

  // Of several corners at the same place, the one with the smallest feature is kept: a vertex rather than two
  // edges.
  void remove_doubles() {
    Scalar const near = 1e-9 * std::max(half(0), half(2));
    std::size_t count = 0;
    for (std::size_t i = 0; i < polygon_.count; ++i) {
      Corner<Scalar> const& corner = polygon_.corner[i];
      std::size_t same = 0;
      while (same < count && !(abs(polygon_.corner[same].across[0] - corner.across[0]) <= near &&
                               abs(polygon_.corner[same].across[1] - corner.across[1]) <= near))
        ++same;
      if (same == count) {
        polygon_.corner[count++] = corner;
      } else if (corner.feature < polygon_.corner[same].feature) {
        polygon_.corner[same] = corner;
      }
    }
    polygon_.count = count;
  }

  ContactPointOf<Scalar> contact_of(Corner<Scalar> const& corner) const {
    Scalar const distance = corner.w - reference_.shape.half[face_.axis];
    Vector3<Scalar> const c = reference_.pose.position + corner.w * outward_ +
                              corner.across[0] * reference_.pose.R.col(across_[0]) +
                              corner.across[1] * reference_.pose.R.col(across_[1]);
    ContactPointOf<Scalar> contact =
        make_contact<Scalar>(FeaturePair::face_point, outward_, c - distance * outward_, c, distance);
    if (!reference_is_a_) contact = mirrored<Scalar>(contact);
    contact.feature = corner.feature;
    return contact;
  }

  // Makes the contact one of the features that meet at the corner. False: they meet elsewhere.
  bool has_features(Corner<Scalar> const& corner, ContactPointOf<Scalar>& contact) const {
    int const feature = corner.feature;
    if (feature >= first_edge_feature) return of_edges(feature - first_edge_feature, contact);
    bool const of_a = feature < 8;
    if (of_a == reference_is_a_) {
      Vector3<Scalar> const vertex = box_vertex<Scalar>(reference_, feature % 8, 3);
      ContactPointOf<Scalar> of_vertex = nearest_of_box_and_point<Scalar>(incident_, vertex, 0, 3);
      if (!(of_vertex.gap > 0)) {
        Vector3<Scalar> const n = incident_face_.sign * incident_.pose.R.col(incident_face_.axis);
        Scalar const distance =
            n.dot(vertex - incident_.pose.position) - incident_.shape.half[incident_face_.axis];
        of_vertex = make_contact<Scalar>(FeaturePair::face_point, n, vertex - distance * n, vertex, distance);
      }
      contact = reference_is_a_ ? mirrored<Scalar>(of_vertex) : of_vertex;
      contact.feature = feature;
    }
    return true;
  }

  // An edge of each box. Level ones are cut at the height of the face, which does not depend on where.
  bool of_edges(int crossing, ContactPointOf<Scalar>& contact) const {
    constexpr double level = 1e-6, nearly_level = 1e-3;
    int const edge_a = crossing / 12, edge_b = crossing % 12;
    Segment<Scalar> const own = numbered_edge<Scalar>(reference_, reference_is_a_ ? edge_a : edge_b);
    Segment<Scalar> const other = numbered_edge<Scalar>(incident_, reference_is_a_ ? edge_b : edge_a);
    Scalar const slope = abs(outward_.dot(other.direction));
    if (slope <= level) return true;
    Scalar t_own = 0, t_other = 0;
    if (!nearest_inside<Scalar>(own, other, t_own, t_other)) return slope <= nearly_level;
    Vector3<Scalar> n = own.direction.cross(other.direction).normalized();
    if (n.dot(outward_) < 0) n = -n;
    Vector3<Scalar> const c_own = own.at(t_own), c_other = other.at(t_other);
    int const feature = contact.feature;
    contact = make_contact<Scalar>(FeaturePair::segment_segment, n, c_own, c_other, n.dot(c_other - c_own));
    contact.e_a = own.direction;
    contact.e_b = other.direction;
    if (!reference_is_a_) contact = mirrored<Scalar>(contact);
    contact.feature = feature;
    return true;
  }

  CutBy cut_by_;
  bool reference_is_a_;
  Placed<Scalar> const &reference_, &incident_;
  FaceAxis<Scalar> const& face_;
  FaceAxis<Scalar> incident_face_{};
  Vector3<Scalar> outward_;
  std::array<int, 2> across_;
  Polygon<Scalar> polygon_;
};

// Boxes that are apart are nearest at a vertex of one of them, or where two edges cross.
template <class Scalar>
ContactPointOf<Scalar> nearest_apart(Placed<Scalar> const& a, Placed<Scalar> const& b) {
  ContactPointOf<Scalar> best = nearest_vertex<Scalar>(a, b, 3);
  // All edges: each axis with the four combinations of the signs of the other two.
  for (int edge_a = 0; edge_a < 24; ++edge_a) {
    int const axis_a = edge_a / 8, vertex_a = edge_a % 8;
    if ((vertex_a >> axis_a & 1) != 0) continue;
    Segment<Scalar> const segment_a = edge_segment<Scalar>(a, axis_a, vertex_a);
    for (int edge_b = 0; edge_b < 24; ++edge_b) {
      int const axis_b = edge_b / 8, vertex_b = edge_b % 8;
      if ((vertex_b >> axis_b & 1) != 0) continue;
      Segment<Scalar> const segment_b = edge_segment<Scalar>(b, axis_b, vertex_b);
      Scalar t_a = 0, t_b = 0;
      if (!nearest_inside<Scalar>(segment_a, segment_b, t_a, t_b)) continue;
      Vector3<Scalar> const c_a = segment_a.at(t_a), c_b = segment_b.at(t_b);
      Vector3<Scalar> n = segment_a.direction.cross(segment_b.direction).normalized();
      if (n.dot(c_b - c_a) < 0) n = -n;
      Scalar const distance = n.dot(c_b - c_a);
      if (!(distance < best.gap)) continue;
      best = make_contact<Scalar>(FeaturePair::segment_segment, n, c_a, c_b, distance);
      best.e_a = segment_a.direction;
      best.e_b = segment_b.direction;
      best.feature = crossing_feature(edge_of(axis_a, vertex_a), edge_of(axis_b, vertex_b));
    }
  }
  return best;
}

// If they are apart, the distance; otherwise the least depth.
template <class Scalar>
ContactPointOf<Scalar> nearest_by_axes(Placed<Scalar> const& a, Placed<Scalar> const& b,
                                       FaceAxis<Scalar> const& face_a, FaceAxis<Scalar> const& face_b,
                                       EdgeAxis<Scalar> const& edges) {
  bool const of_a = !(face_b.separation > face_a.separation);
  FaceAxis<Scalar> const& face = of_a ? face_a : face_b;
  Scalar const size = a.shape.half.maxCoeff() + b.shape.half.maxCoeff();
  bool const of_edges = edges.separation > face.separation + same_gap * size;
  Scalar const separation = of_edges ? edges.separation : face.separation;
  Vector3<Scalar> const outward = face.sign * (of_a ? a : b).pose.R.col(face.axis);
  ContactPointOf<Scalar> contact;
  if (of_edges && edge_contact<Scalar>(a, b, edges, contact)) return contact;
  if (!(separation > 0)) return deepest_vertex<Scalar>(of_a, of_a ? b : a, outward, face.separation, 3);
  contact = nearest_apart<Scalar>(a, b);
  if (axis_is_as_good<Scalar>(separation, contact.gap, size)) {
    contact.n = of_edges ? edges.n : of_a ? outward : Vector3<Scalar>(-outward);
  }
  return contact;
}

}  // namespace

template <class Scalar>
ContactPointOf<Scalar> nearest_of_boxes(Placed<Scalar> const& a, Placed<Scalar> const& b) {
  Relative<Scalar> const relative(a, b);
  FaceAxis<Scalar> const face_a = farthest_face_of_a<Scalar>(a, b, relative),
                         face_b = farthest_face_of_b<Scalar>(a, b, relative);
  EdgeAxis<Scalar> const edges = farthest_edges<Scalar>(a, b, relative);
  return nearest_by_axes<Scalar>(a, b, face_a, face_b, edges);
}

template <class Scalar>
void box_contacts(Placed<Scalar> const& a, Placed<Scalar> const& b, Scalar margin,
                  ContactPointsOf<Scalar>& contacts) {
  Relative<Scalar> const relative(a, b);
  FaceAxis<Scalar> const face_a = farthest_face_of_a<Scalar>(a, b, relative),
                         face_b = farthest_face_of_b<Scalar>(a, b, relative);
  if (!(std::max(face_a.separation, face_b.separation) <= margin)) return;
  EdgeAxis<Scalar> const edges = farthest_edges<Scalar>(a, b, relative);
  Scalar const separation = std::max({face_a.separation, face_b.separation, edges.separation});
  if (!(separation <= margin)) return;

  Scalar const size = std::min(a.shape.half.maxCoeff(), b.shape.half.maxCoeff());
  bool const of_a = !clearly_larger<Scalar>(face_b.separation, face_a.separation, size);
  FaceAxis<Scalar> const& face = of_a ? face_a : face_b;
  // Boxes deep in each other have no features that meet.
  bool const deep = separation < -deep_share * size;
  ContactPointOf<Scalar> contact;
  if (deep && clearly_larger<Scalar>(edges.separation, face.separation, size) &&
      edge_contact<Scalar>(a, b, edges, contact)) {
    keep<Scalar>(contact, margin, contacts);
    return;
  }
  FaceClipping<Scalar> clipping(of_a, of_a ? a : b, of_a ? b : a, face, deep ? CutBy::face : CutBy::features);
  clipping.find(margin, contacts);
  // No axis separates boxes by more than their distance. A face that leaves out the nearest points gets them added.
  Scalar const tolerance = same_gap * (a.shape.half.maxCoeff() + b.shape.half.maxCoeff());
  if (deep && contacts.count > 0) return;
  if (remove_deeper<Scalar>(separation - tolerance, contacts) > separation + tolerance)
    add_nearest<Scalar>(nearest_by_axes<Scalar>(a, b, face_a, face_b, edges), margin, tolerance, contacts);
}

template <class Scalar>
void box_face_contacts(bool reference_is_a, Placed<Scalar> const& reference, BoxFace const& face,
                       Placed<Scalar> const& incident, Scalar margin, ContactPointsOf<Scalar>& contacts) {
  FaceAxis<Scalar> const axis{0, face.axis, face.sign};
  FaceClipping<Scalar>(reference_is_a, reference, incident, axis, CutBy::face).find(margin, contacts);
}

// Explicit instantiations for both scalars.
template void box_face_contacts(bool, Placed<double> const&, BoxFace const&, Placed<double> const&, double,
                                ContactPointsOf<double>&);
template void box_face_contacts(bool, Placed<Dual> const&, BoxFace const&, Placed<Dual> const&, Dual,
                                ContactPointsOf<Dual>&);
template ContactPointOf<double> nearest_of_boxes(Placed<double> const&, Placed<double> const&);
template ContactPointOf<Dual> nearest_of_boxes(Placed<Dual> const&, Placed<Dual> const&);
template void box_contacts(Placed<double> const&, Placed<double> const&, double, ContactPointsOf<double>&);
template void box_contacts(Placed<Dual> const&, Placed<Dual> const&, Dual, ContactPointsOf<Dual>&);

}  // namespace delassus::narrow_phase
