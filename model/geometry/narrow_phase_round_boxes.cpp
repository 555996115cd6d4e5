// Points, spheres and capsules with a box, or in 2D a rectangle; the box is a. Everything is done in the
// frame of the box, on its first `dimension` axes.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/geometry/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {
namespace {

// A segment lies along a face or an edge below this sine of the angle between them.
constexpr double along_sine = 0.05;
// Below this sine it is level, up to rounding: the side of a face then cuts it at the height of the face.
constexpr double level_slope = 1e-6;

template <class Scalar>
struct BoxAndSegment {
  Placed<Scalar> const& box;
  Vector3<Scalar> half;   // zero along z in 2D
  Segment<Scalar> local;  // the core of the round shape, in the frame of the box
  Scalar radius;
  int dimension;
};

template <class Scalar>
Vector3<Scalar> local_of(Placed<Scalar> const& box, Vector3<Scalar> const& point) {
  return box.pose.R.transpose() * (point - box.pose.position);
}

template <class Scalar>
Vector3<Scalar> world_of(Placed<Scalar> const& box, Vector3<Scalar> const& local) {
  return box.pose.position + box.pose.R * local;
}

// The vector from the nearest point of the box to q; zero inside.
template <class Scalar>
Vector3<Scalar> excess_of(Vector3<Scalar> const& half, Vector3<Scalar> const& q) {
  return q - q.cwiseMax(-half).cwiseMin(half);
}

// A material point q of the round shape against the plane of the face on the side `sign` of `axis`.
template <class Scalar>
ContactPointOf<Scalar> contact_of_face(Placed<Scalar> const& box, int axis, Scalar sign,
                                       Vector3<Scalar> const& q, Scalar radius) {
  Vector3<Scalar> const n = sign * box.pose.R.col(axis), c_b = world_of<Scalar>(box, q);
  Scalar const distance = sign * q[axis] - box.shape.half[axis];
  return make_contact<Scalar>(FeaturePair::face_point, n, c_b - distance * n, c_b, distance, 0, radius);
}

// The feature nearest to a point q: beyond one face that face, beyond two faces their edge, beyond three
// their vertex; inside the box the nearest face.
template <class Scalar>
ContactPointOf<Scalar> contact_of_point(Placed<Scalar> const& box, Vector3<Scalar> const& half,
                                        Vector3<Scalar> const& q, Scalar radius, int dimension) {
  Vector3<Scalar> const excess = excess_of<Scalar>(half, q);
  int outside = 0, beyond = 0, within = 0, shallowest = 0;
  for (int axis = 0; axis < dimension; ++axis) {
    if (excess[axis] != 0) {
      ++outside;
      beyond = axis;
    } else {
      within = axis;
    }
    if (half[axis] - abs(q[axis]) < half[shallowest] - abs(q[shallowest])) shallowest = axis;
  }
  Scalar const distance = excess.norm();
  if (outside >= 2 && distance > std::numeric_limits<double>::min()) {
    bool const vertex = outside == dimension;
    Vector3<Scalar> const n = box.pose.R * (excess / distance), c_b = world_of<Scalar>(box, q);
    ContactPointOf<Scalar> contact =
        make_contact<Scalar>(vertex ? FeaturePair::point_point : FeaturePair::segment_point, n,
                             c_b - distance * n, c_b, distance, 0, radius);
    if (!vertex) contact.e_a = box.pose.R.col(within);
    return contact;
  }
  int const axis = outside == 1 ? beyond : shallowest;
  return contact_of_face<Scalar>(box, axis, q[axis] < 0 ? -1 : 1, q, radius);
}

// Where the squared distance f(t) of the point at t of the segment to the box is least. Half its derivative,
// g(t) = e.excess(t), never decreases and is linear between the at most six t at which the segment passes the
// plane of a face; so the zero lies between two of these and is found exactly. Where g vanishes on a whole
// interval (the segment is parallel to a face or passes through the box) its middle is taken.
template <class Scalar>
Scalar nearest_parameter(BoxAndSegment<Scalar> const& pair) {
  Segment<Scalar> const& segment = pair.local;
  std::array<Scalar, 8> t;  // ascending
  std::size_t count = 0;
  t[count++] = -segment.half;
  for (int axis = 0; axis < pair.dimension; ++axis) {
    for (Scalar const sign : {-1.0, 1.0}) {
      Scalar const at = (sign * pair.half[axis] - segment.middle[axis]) / segment.direction[axis];
      if (!(abs(at) < segment.half)) continue;  // also for NaN and infinity of a parallel plane
      std::size_t place = count++;
      for (; t[place - 1] > at; --place) t[place] = t[place - 1];
      t[place] = at;
    }
  }
  t[count++] = segment.half;
  std::array<Scalar, 8> g;
  for (std::size_t i = 0; i < count; ++i)
    g[i] = segment.direction.dot(excess_of<Scalar>(pair.half, segment.at(t[i])));
  auto const zero_between = [&t, &g](std::size_t i) {
    return t[i] + (t[i + 1] - t[i]) * (-g[i] / (g[i + 1] - g[i]));
  };
  Scalar first = segment.half, last = -segment.half;
  for (std::size_t i = 0; i < count; ++i) {
    if (g[i] < 0) continue;
    first = i == 0 || g[i] == 0 ? t[i] : zero_between(i - 1);
    break;
  }
  for (std::size_t i = count; i-- > 0;) {
    if (g[i] > 0) continue;
    last = i + 1 == count || g[i] == 0 ? t[i] : zero_between(i);
    break;
  }
  return 0.5 * (first + last);
}

// The nearest points of a segment that does not meet the box. Inside the segment the box has a vertex or an
// edge there, at the ends the segment is a point.
template <class Scalar>
ContactPointOf<Scalar> contact_apart(BoxAndSegment<Scalar> const& pair, Scalar t) {
  Segment<Scalar> const& segment = pair.local;
  Vector3<Scalar> const q = segment.at(t), excess = excess_of<Scalar>(pair.half, q);
  ContactPointOf<Scalar> const of_point =
      contact_of_point<Scalar>(pair.box, pair.half, q, pair.radius, pair.dimension);
  if (!(abs(t) < segment.half) || of_point.pair == FeaturePair::face_point) return of_point;
  Vector3<Scalar> const e = pair.box.pose.R * segment.direction;
  ContactPointOf<Scalar> contact = of_point;
  contact.e_b = e;
  if (of_point.pair == FeaturePair::point_point) {
    contact.pair = FeaturePair::point_segment;
    return contact;
  }
  Vector3<Scalar> const across = of_point.e_a.cross(e);
  if (across.norm() < 1e-6) {  // parallel to the edge: the same as for one of its points
    contact.e_b.setZero();
    return contact;
  }
  // The normal comes from the directions. The difference of the points is noise if the segment touches the
  // edge.
  Vector3<Scalar> n = across.normalized();
  if (n.dot(of_point.n) < 0) n = -n;
  contact = make_contact<Scalar>(FeaturePair::segment_segment, n, of_point.c_b - excess.norm() * n,
                                 of_point.c_b, excess.norm(), 0, pair.radius);
  contact.e_a = of_point.e_a;
  contact.e_b = e;
  return contact;
}

// A segment through the box: the smallest motion that separates them is along a face normal or along the
// cross product of the segment with an edge; in 2D along the normal of the segment. All separations are
// negative.
template <class Scalar>
ContactPointOf<Scalar> contact_through(BoxAndSegment<Scalar> const& pair) {
  Segment<Scalar> const& segment = pair.local;
  Vector3<Scalar> const low = segment.at(-segment.half), high = segment.at(segment.half);
  Scalar best = -std::numeric_limits<double>::infinity(), best_sign = 1;
  int best_axis = 0;
  for (int axis = 0; axis < pair.dimension; ++axis) {
    for (Scalar const sign : {1.0, -1.0}) {
      Scalar const separation = std::min(sign * low[axis], sign * high[axis]) - pair.half[axis];
      if (!(separation > best)) continue;
      best = separation;
      best_axis = axis;
      best_sign = sign;
    }
  }
  Vector3<Scalar> const& deepest = best_sign * low[best_axis] <= best_sign * high[best_axis] ? low : high;
  ContactPointOf<Scalar> contact =
      contact_of_face<Scalar>(pair.box, best_axis, best_sign, deepest, pair.radius);

  Scalar const size = pair.half.head(pair.dimension).minCoeff();
  Vector3<Scalar> const e = pair.box.pose.R * segment.direction;
  for (int k = pair.dimension == 3 ? 0 : 2; k < 3; ++k) {
    Vector3<Scalar> n = segment.direction.cross(Vector3<Scalar>::Unit(k));
    Scalar const sine = n.norm();
    if (!(sine > 1e-3)) continue;
    n /= n.dot(segment.middle) < 0 ? -sine : sine;
    Scalar const separation = n.dot(segment.middle) - pair.half.dot(n.cwiseAbs());
    if (!clearly_larger<Scalar>(separation, best, size)) continue;
    // The edge, or vertex, of the box that is farthest along n, and the point of the segment it meets.
    Vector3<Scalar> corner;
    for (int i = 0; i < 3; ++i) corner[i] = n[i] < 0 ? -pair.half[i] : pair.half[i];
    if (pair.dimension == 3) {
      corner[k] = 0;
      Scalar t_edge = 0, t_segment = 0;
      if (!nearest_inside<Scalar>({corner, Vector3<Scalar>::Unit(k), pair.half[k]}, segment, t_edge,
                                  t_segment))
        continue;
      corner[k] = t_edge;
    }
    best = separation;
    Vector3<Scalar> const world_n = pair.box.pose.R * n, c_a = world_of<Scalar>(pair.box, corner);
    contact =
        make_contact<Scalar>(pair.dimension == 3 ? FeaturePair::segment_segment : FeaturePair::point_segment,
                             world_n, c_a, c_a + separation * world_n, separation, 0, pair.radius);
    if (pair.dimension == 3) contact.e_a = pair.box.pose.R.col(k);
    contact.e_b = e;
  }
  return contact;
}

template <class Scalar>
struct NearestOf {
  ContactPointOf<Scalar> contact;
  bool apart;
};

template <class Scalar>
NearestOf<Scalar> nearest(BoxAndSegment<Scalar> const& pair) {
  if (!(pair.local.half > 0)) {
    return {contact_of_point<Scalar>(pair.box, pair.half, pair.local.middle, pair.radius, pair.dimension),
            true};
  }
  Scalar const t = nearest_parameter<Scalar>(pair);
  bool const apart =
      excess_of<Scalar>(pair.half, pair.local.at(t)).norm() > std::numeric_limits<double>::min();
  return {apart ? contact_apart<Scalar>(pair, t) : contact_through<Scalar>(pair), apart};
}

// Clips the part [low, high] of the segment to what lies between the two faces across `axis`.
template <class Scalar>
void clip(BoxAndSegment<Scalar> const& pair, int axis, Scalar& low, Scalar& high) {
  Scalar const middle = pair.local.middle[axis], slope = pair.local.direction[axis], half = pair.half[axis];
  if (slope == 0) {
    if (abs(middle) > half) high = low - 1;
    return;
  }
  Scalar const one = (-half - middle) / slope, other = (half - middle) / slope;
  low = std::max(low, std::min(one, other));
  high = std::min(high, std::max(one, other));
}

// Where a segment along an edge, at q outside of both its faces, passes the end of the edge: the vertex there
// with the foot of it on the segment.
template <class Scalar>
ContactPointOf<Scalar> contact_of_vertex(BoxAndSegment<Scalar> const& pair, Vector3<Scalar> const& q) {
  Segment<Scalar> const& segment = pair.local;
  Vector3<Scalar> const vertex = q.cwiseMax(-pair.half).cwiseMin(pair.half);
  Scalar const foot = (vertex - segment.middle).dot(segment.direction);
  bool const inside = abs(foot) < segment.half;
  ContactPointOf<Scalar> contact = make_contact_of_points<Scalar>(
      inside ? FeaturePair::point_segment : FeaturePair::point_point, world_of<Scalar>(pair.box, vertex),
      world_of<Scalar>(pair.box, segment.at(std::clamp(foot, -segment.half, segment.half))), 0, pair.radius,
      pair.dimension);
  if (inside) contact.e_b = pair.box.pose.R * segment.direction;
  return contact;
}

// Which feature of the box and of the segment meet in a contact: an end of the segment, or what lies between
// its ends.
template <class Scalar>
int feature_of(BoxAndSegment<Scalar> const& pair, ContactPointOf<Scalar> const& contact) {
  Vector3<Scalar> const on_segment = local_of<Scalar>(pair.box, contact.c_b),
                        on_box = local_of<Scalar>(pair.box, contact.c_a);
  if (contact.pair != FeaturePair::segment_segment && contact.pair != FeaturePair::point_segment) {
    Scalar const along = (on_segment - pair.local.middle).dot(pair.local.direction);
    if (!(abs(along) > (1 - 1e-6) * pair.local.half)) return single_feature;  // parallel to a face or an edge
    return along < 0 ? 0 : 1;
  }
  int vertex = 0;
  for (int axis = 0; axis < pair.dimension; ++axis)
    if (on_box[axis] > 0) vertex |= 1 << axis;
  if (contact.pair == FeaturePair::point_segment) return first_vertex_of_box + vertex;
  int along = 0;
  (pair.box.pose.R.transpose() * contact.e_a).cwiseAbs().maxCoeff(&along);
  return first_edge_of_box + edge_of(along, vertex);
}

// Where a segment over a face, at q, passes the side `side` of the face: the edge there with the segment. Their
// nearest points move as the bodies turn, unlike q, which no body carries. False if these lie beyond an end.
template <class Scalar>
bool contact_of_side(BoxAndSegment<Scalar> const& pair, int face, int side, Vector3<Scalar> const& q,
                     ContactPointOf<Scalar>& contact) {
  Segment<Scalar> const& segment = pair.local;
  if (pair.dimension == 2) {
    contact = contact_of_vertex<Scalar>(pair, q);
    contact.feature = feature_of<Scalar>(pair, contact);
    return true;
  }
  int const along = 3 - face - side;
  Vector3<Scalar> middle = Vector3<Scalar>::Zero(), outward = Vector3<Scalar>::Zero();
  middle[face] = q[face] < 0 ? -pair.half[face] : pair.half[face];
  middle[side] = q[side] < 0 ? -pair.half[side] : pair.half[side];
  outward[face] = q[face] < 0 ? -1 : 1;
  int const feature = first_edge_of_box +
                      edge_of(along, (middle[face] > 0 ? 1 << face : 0) | (middle[side] > 0 ? 1 << side : 0));
  if (abs(segment.direction[face]) <= level_slope) {
    contact = contact_of_face<Scalar>(pair.box, face, outward[face], q, pair.radius);
    contact.feature = feature;
    return true;
  }
  Segment<Scalar> const edge{middle, Vector3<Scalar>::Unit(along), pair.half[along]};
  Scalar t_edge = 0, t_segment = 0;
  if (!nearest_inside<Scalar>(edge, segment, t_edge, t_segment)) return false;
  Vector3<Scalar> n = edge.direction.cross(segment.direction).normalized();
  if (n.dot(outward) < 0) n = -n;
  Scalar const distance = n.dot(segment.at(t_segment) - edge.at(t_edge));
  n = (pair.box.pose.R * n).eval();
  Vector3<Scalar> const c_b = world_of<Scalar>(pair.box, segment.at(t_segment));
  contact = make_contact<Scalar>(FeaturePair::segment_segment, n, c_b - distance * n, c_b, distance, 0,
                                 pair.radius);
  contact.e_a = pair.box.pose.R.col(along);
  contact.e_b = pair.box.pose.R * segment.direction;
  contact.feature = feature;
  return true;
}

template <class Scalar>
struct LineContact {
  std::array<ContactPointOf<Scalar>, 4> end;
  std::size_t count = 0;
};

// The points at which a segment along a face, or along an edge outside both its faces, touches it: the ends of
// the part beside it. Each is an end of the segment, or the side of the face that the segment passes,
// with the end beyond.
template <class Scalar>
LineContact<Scalar> touch_along(BoxAndSegment<Scalar> const& pair, NearestOf<Scalar> const& single) {
  Segment<Scalar> const& segment = pair.local;
  LineContact<Scalar> line;
  Scalar low = -segment.half, high = segment.half;
  int low_side = -1, high_side = -1;
  auto const clip_between = [&](int axis) {
    Scalar const low_before = low, high_before = high;
    clip(pair, axis, low, high);
    if (low != low_before) low_side = axis;
    if (high != high_before) high_side = axis;
  };
  Vector3<Scalar> const n = pair.box.pose.R.transpose() * single.contact.n;
  int along = 0, face = 0;
  segment.direction.cwiseAbs().maxCoeff(&along);
  n.head(pair.dimension).cwiseAbs().maxCoeff(&face);
  Scalar const slope = segment.direction[along];
  bool const along_edge = pair.dimension == 3 && single.apart && 1 - slope * slope <= along_sine * along_sine;
  if (along_edge) {
    // This case comes first because it includes a face: a segment beside an edge may start over the face and
    // end beyond the edge.
    clip_between(along);
  } else {
    if (!(abs(segment.direction[face]) <= along_sine && abs(n[face]) > 0.99)) return line;
    for (int axis = 0; axis < pair.dimension; ++axis)
      if (axis != face) clip_between(axis);
  }
  if (!(high - low > 0.01 * std::min(segment.half, pair.half[along]))) return line;
  // What does not face as the nearest points do is on the other side of the box.
  auto const add = [&](ContactPointOf<Scalar> const& contact) {
    for (std::size_t i = 0; i < line.count; ++i)
      if (line.end[i].feature == contact.feature) return;
    if (contact.n.dot(single.contact.n) > 0) line.end[line.count++] = contact;
  };
  for (int i = 0; i < 2; ++i) {
    Vector3<Scalar> q = segment.at(i == 0 ? low : high);
    int const side = i == 0 ? low_side : high_side;
    // A segment through the box meets none of its edges.
    bool const cut = side >= 0 && single.apart;
    ContactPointOf<Scalar> end;
    bool found = true;
    if (along_edge) {
      if (cut) q[along] = std::clamp(q[along], -pair.half[along], pair.half[along]);
      end = contact_of_point<Scalar>(pair.box, pair.half, q, pair.radius, pair.dimension);
      if (cut && end.pair == FeaturePair::segment_point) end = contact_of_vertex<Scalar>(pair, q);
      end.feature = feature_of<Scalar>(pair, end);
      if (cut && end.pair == FeaturePair::face_point) {
        int over = 0;
        (q.cwiseAbs() - pair.half).maxCoeff(&over);
        found = over != side && contact_of_side<Scalar>(pair, over, side, q, end);
      }
    } else if (cut) {
      found = contact_of_side<Scalar>(pair, face, side, q, end);
    } else {
      end = contact_of_face<Scalar>(pair.box, face, n[face] < 0 ? -1 : 1, q, pair.radius);
      end.feature = i;
    }
    if (found) add(end);
    if (!cut) continue;
    // The end beyond the side, too: it may come over the face next.
    end = contact_of_point<Scalar>(pair.box, pair.half, segment.at(i == 0 ? -segment.half : segment.half),
                                   pair.radius, pair.dimension);
    end.feature = i;
    add(end);
  }
  return line;
}

template <class Scalar>
BoxAndSegment<Scalar> box_and_round(Placed<Scalar> const& box, Placed<Scalar> const& round, int dimension) {
  Segment<Scalar> const segment = segment_of<Scalar>(round);
  Vector3<Scalar> half = box.shape.half;
  if (dimension == 2) half[2] = 0;
  Vector3<Scalar> middle = local_of<Scalar>(box, segment.middle),
                  direction = box.pose.R.transpose() * segment.direction;
  if (dimension == 2) middle[2] = direction[2] = 0;
  return {box, half, {middle, direction, segment.half}, radius_of<Scalar>(round.shape), dimension};
}

}  // namespace

template <class Scalar>
ContactPointOf<Scalar> nearest_of_box_and_point(Placed<Scalar> const& box, Vector3<Scalar> const& point,
                                                Scalar radius, int dimension) {
  Vector3<Scalar> half = box.shape.half;
  if (dimension == 2) half[2] = 0;
  return contact_of_point<Scalar>(box, half, local_of<Scalar>(box, point), radius, dimension);
}

template <class Scalar>
ContactPointOf<Scalar> nearest_of_box_and_round(Placed<Scalar> const& box, Placed<Scalar> const& round,
                                                int dimension) {
  return nearest<Scalar>(box_and_round<Scalar>(box, round, dimension)).contact;
}

template <class Scalar>
void box_round_contacts(Placed<Scalar> const& box, Placed<Scalar> const& round, int dimension, Scalar margin,
                        ContactPointsOf<Scalar>& contacts) {
  BoxAndSegment<Scalar> const pair = box_and_round<Scalar>(box, round, dimension);
  NearestOf<Scalar> single = nearest<Scalar>(pair);
  if (!(single.contact.gap <= margin)) return;
  if (round.shape.kind != ShapeKind::capsule || !(pair.local.half > 0)) {
    keep<Scalar>(single.contact, margin, contacts);
    return;
  }
  single.contact.feature = feature_of<Scalar>(pair, single.contact);
  LineContact<Scalar> const line = touch_along<Scalar>(pair, single);
  // The nearest points, too, unless they are among the ends: a capsule that tips over an edge is nearest between.
  bool with_single = single.apart || line.count < 2;
  Scalar least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < line.count; ++i) least = std::min(least, line.end[i].gap);
  if (single.apart && !(single.contact.gap < least - same_gap * (pair.radius + pair.local.half)))
    with_single = false;
  if (with_single) keep<Scalar>(single.contact, margin, contacts);
  if (with_single && !single.apart) return;
  for (std::size_t i = 0; i < line.count; ++i) {
    if (!with_single || line.end[i].feature != single.contact.feature)
      keep<Scalar>(line.end[i], margin, contacts);
  }
}

template <class Scalar>
void round_face_contacts(Placed<Scalar> const& box, BoxFace const& face, Placed<Scalar> const& round,
                         int dimension, Scalar margin, ContactPointsOf<Scalar>& contacts) {
  BoxAndSegment<Scalar> pair = box_and_round<Scalar>(box, round, dimension);
  // At the end of a face, in spite of rounding.
  pair.half *= 1 + 1e-6;
  Segment<Scalar> const& segment = pair.local;
  Scalar low = -segment.half, high = segment.half;
  for (int axis = 0; axis < dimension; ++axis)
    if (axis != face.axis) clip(pair, axis, low, high);
  if (!(low <= high)) return;
  Scalar const slope = face.sign * segment.direction[face.axis];
  Scalar const radius = pair.radius;
  auto const keep_end = [&box, &face, &segment, &contacts, radius, margin](Scalar t, int feature) {
    ContactPointOf<Scalar> contact =
        contact_of_face<Scalar>(box, face.axis, face.sign, segment.at(t), radius);
    contact.feature = feature;
    keep<Scalar>(contact, margin, contacts);
  };
  bool const capsule = round.shape.kind == ShapeKind::capsule;
  if (capsule && abs(slope) <= along_sine && high - low > 0.01 * segment.half) {
    keep_end(low, 0);
    keep_end(high, 1);
  } else {
    keep_end(slope > 0 ? low : high, capsule ? single_feature : 0);
  }
}

// Explicit instantiations for both scalars.
template void round_face_contacts(Placed<double> const&, BoxFace const&, Placed<double> const&, int, double,
                                  ContactPointsOf<double>&);
template void round_face_contacts(Placed<Dual> const&, BoxFace const&, Placed<Dual> const&, int, Dual,
                                  ContactPointsOf<Dual>&);
template ContactPointOf<double> nearest_of_box_and_point(Placed<double> const&, Vector3<double> const&,
                                                         double, int);
template ContactPointOf<Dual> nearest_of_box_and_point(Placed<Dual> const&, Vector3<Dual> const&, Dual, int);
template ContactPointOf<double> nearest_of_box_and_round(Placed<double> const&, Placed<double> const&, int);
template ContactPointOf<Dual> nearest_of_box_and_round(Placed<Dual> const&, Placed<Dual> const&, int);
template void box_round_contacts(Placed<double> const&, Placed<double> const&, int, double,
                                 ContactPointsOf<double>&);
template void box_round_contacts(Placed<Dual> const&, Placed<Dual> const&, int, Dual, ContactPointsOf<Dual>&);

}  // namespace delassus::narrow_phase
