// Points, spheres and capsules with each other: their cores are segments, some of no length.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/geometry/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {
namespace {

// Two segments count as parallel below this sine of their angle. It may be this large because the
// nearest points are used besides both ends of the overlap if they are nearer.
constexpr double parallel_sine = 0.05;

// Below this squared sine of their angle, the nearest points of two lines are not computed: up to rounding,
// the ends of the segments are then as near as the crossing.
constexpr double crossing_sine_squared = 1e-12;

template <class Scalar>
struct TwoRounds {
  Segment<Scalar> a, b;
  Scalar radius_a, radius_b;
  int dimension;
};

// The end of a, or an inner point that stands for one, against b: the foot is clamped to the segment.
template <class Scalar>
ContactPointOf<Scalar> end_of_a(TwoRounds<Scalar> const& pair, Scalar t_a) {
  Vector3<Scalar> const c_a = pair.a.at(t_a);
  Scalar const foot = (c_a - pair.b.middle).dot(pair.b.direction);
  Scalar const t_b = std::clamp(foot, -pair.b.half, pair.b.half);
  bool const inside = abs(foot) < pair.b.half;
  ContactPointOf<Scalar> contact =
      make_contact_of_points<Scalar>(inside ? FeaturePair::point_segment : FeaturePair::point_point, c_a,
                                     pair.b.at(t_b), pair.radius_a, pair.radius_b, pair.dimension);
  if (inside) contact.e_b = pair.b.direction;
  return contact;
}

template <class Scalar>
TwoRounds<Scalar> swapped(TwoRounds<Scalar> const& pair) {
  return {pair.b, pair.a, pair.radius_b, pair.radius_a, pair.dimension};
}

// The same for b. If the cores coincide, the normal is again the fixed one, not its opposite.
template <class Scalar>
ContactPointOf<Scalar> end_of_b(TwoRounds<Scalar> const& pair, Scalar t_b) {
  ContactPointOf<Scalar> contact = mirrored<Scalar>(end_of_a<Scalar>(swapped<Scalar>(pair), t_b));
  bool const inside = contact.pair == FeaturePair::segment_point;
  ContactPointOf<Scalar> result = make_contact_of_points<Scalar>(
      contact.pair, contact.c_a, contact.c_b, pair.radius_a, pair.radius_b, pair.dimension);
  if (inside) result.e_a = pair.a.direction;
  return result;
}

// For two segments that cross in the plane: the smallest motion that separates them brings an end of one onto
// the other. It is the distance to the nearest of the four sides of the parallelogram of differences. The
// distance is negative.
template <class Scalar>
ContactPointOf<Scalar> crossing_in_plane(TwoRounds<Scalar> const& pair) {
  ContactPointOf<Scalar> best;
  Scalar least = std::numeric_limits<double>::infinity();
  for (int side = 0; side < 4; ++side) {
    bool const of_a = side < 2;
    TwoRounds<Scalar> const ordered = of_a ? pair : swapped<Scalar>(pair);
    Scalar const t = side % 2 == 0 ? -ordered.a.half : ordered.a.half;
    Vector3<Scalar> const c_a = ordered.a.at(t);
    Vector3<Scalar> const& e = ordered.b.direction;
    Vector3<Scalar> const c_b = ordered.b.at((c_a - ordered.b.middle).dot(e));
    Scalar const depth = (c_b - c_a).norm();
    if (!(depth < least)) continue;
    least = depth;
    // The normal points out of b on the side of the end, opposite to c_b - c_a, because the end has to move
    // from c_a back to c_b. Its direction is that of the line, which is known even if the end lies on it.
    Vector3<Scalar> n(-e.y(), e.x(), 0);
    if (n.dot(c_b - c_a) > 0) n = -n;
    best = make_contact<Scalar>(FeaturePair::point_segment, n, c_a, c_b, -depth, ordered.radius_a,
                                ordered.radius_b);
    best.e_b = e;
    if (!of_a) best = mirrored<Scalar>(best);
  }
  return best;
}

// A minimum of the squared distance, which is convex in (t_a, t_b), is either where its derivative vanishes
// or on the boundary of the rectangle |t_a| <= half_a, |t_b| <= half_b: an end of one against the other.
template <class Scalar>
ContactPointOf<Scalar> nearest(TwoRounds<Scalar> const& pair) {
  Scalar t_a = 0, t_b = 0;
  if (nearest_inside<Scalar>(pair.a, pair.b, t_a, t_b)) {
    if (pair.dimension == 2) return crossing_in_plane<Scalar>(pair);
    // Along m = e_a x e_b and not along the difference of the points, which is noise where the segments meet.
    Vector3<Scalar> const c_a = pair.a.at(t_a), c_b = pair.b.at(t_b);
    Vector3<Scalar> n = pair.a.direction.cross(pair.b.direction).normalized();
    if (n.dot(c_b - c_a) < 0) n = -n;
    ContactPointOf<Scalar> contact = make_contact<Scalar>(FeaturePair::segment_segment, n, c_a, c_b,
                                                          n.dot(c_b - c_a), pair.radius_a, pair.radius_b);
    contact.e_a = pair.a.direction;
    contact.e_b = pair.b.direction;
    return contact;
  }
  ContactPointOf<Scalar> best = end_of_a<Scalar>(pair, -pair.a.half);
  auto const improve = [&best](ContactPointOf<Scalar> const& candidate) {
    if (candidate.gap < best.gap) best = candidate;
  };
  if (pair.a.half > 0) improve(end_of_a<Scalar>(pair, pair.a.half));
  improve(end_of_b<Scalar>(pair, -pair.b.half));
  if (pair.b.half > 0) improve(end_of_b<Scalar>(pair, pair.b.half));
  return best;
}

// Two capsules side by side touch along a line, for which two points suffice. The points lie at the ends of
// the overlap along the mean direction, and each is an end of one of the capsules. True if they exist. For capsules that
// cross at a small angle, the middles are nearer.
template <class Scalar>
bool touch_side_by_side(TwoRounds<Scalar> const& pair, std::array<ContactPointOf<Scalar>, 2>& ends) {
  Segment<Scalar> const &a = pair.a, &b = pair.b;
  if (!(a.half > 0 && b.half > 0)) return false;
  if (!(a.direction.cross(b.direction).norm() <= parallel_sine)) return false;
  Scalar const sense = a.direction.dot(b.direction) < 0 ? -1 : 1;
  Vector3<Scalar> const mean = (a.direction + sense * b.direction).normalized();
  Scalar const middle_a = mean.dot(a.middle), middle_b = mean.dot(b.middle);
  Scalar const reach_a = a.half * mean.dot(a.direction), reach_b = b.half * abs(mean.dot(b.direction));
  Scalar const low = std::max(middle_a - reach_a, middle_b - reach_b);
  Scalar const high = std::min(middle_a + reach_a, middle_b + reach_b);
  if (!(high - low > 0.01 * std::min(a.half, b.half))) return false;
  ends[0] = middle_a - reach_a >= middle_b - reach_b ? end_of_a<Scalar>(pair, -a.half)
                                                     : end_of_b<Scalar>(pair, -sense * b.half);
  ends[1] = middle_a + reach_a <= middle_b + reach_b ? end_of_a<Scalar>(pair, a.half)
                                                     : end_of_b<Scalar>(pair, sense * b.half);
  return ends[0].n.dot(ends[1].n) > 0;
}

template <class Scalar>
TwoRounds<Scalar> rounds_of(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension) {
  return {segment_of<Scalar>(a), segment_of<Scalar>(b), radius_of<Scalar>(a.shape),
          radius_of<Scalar>(b.shape), dimension};
}

}  // namespace

// The distance of a.at(t_a) and b.at(t_b), d = b.middle - a.middle, is least where
//   t_a - c t_b = d.e_a,  c t_a - t_b = d.e_b,  c = e_a.e_b.
template <class Scalar>
bool nearest_inside(Segment<Scalar> const& a, Segment<Scalar> const& b, Scalar& t_a, Scalar& t_b) {
  Scalar const sine_squared = a.direction.cross(b.direction).squaredNorm();
  if (!(sine_squared > crossing_sine_squared)) return false;
  Vector3<Scalar> const d = b.middle - a.middle;
  Scalar const c = a.direction.dot(b.direction);
  Scalar const d_a = d.dot(a.direction), d_b = d.dot(b.direction);
  t_a = (d_a - c * d_b) / sine_squared;
  t_b = (c * d_a - d_b) / sine_squared;
  return abs(t_a) < a.half && abs(t_b) < b.half;
}

template <class Scalar>
ContactPointOf<Scalar> nearest_of_round(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension) {
  return nearest<Scalar>(rounds_of<Scalar>(a, b, dimension));
}

template <class Scalar>
void round_contacts(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension, Scalar margin,
                    ContactPointsOf<Scalar>& contacts) {
  if (a.shape.kind != ShapeKind::capsule && b.shape.kind != ShapeKind::capsule) {
    keep<Scalar>(
        make_contact_of_points<Scalar>(FeaturePair::point_point, a.pose.position, b.pose.position,
                                       radius_of<Scalar>(a.shape), radius_of<Scalar>(b.shape), dimension),
        margin, contacts);
    return;
  }
  TwoRounds<Scalar> const pair = rounds_of<Scalar>(a, b, dimension);
  ContactPointOf<Scalar> single = nearest<Scalar>(pair);
  if (!(single.gap <= margin)) return;
  std::array<ContactPointOf<Scalar>, 2> ends;
  if (touch_side_by_side<Scalar>(pair, ends)) {
    ends[0].feature = 0;
    ends[1].feature = 1;
    keep<Scalar>(ends[0], margin, contacts);
    keep<Scalar>(ends[1], margin, contacts);
    Scalar const least = std::min(ends[0].gap, ends[1].gap);
    if (!(single.gap < least - same_gap * (pair.a.half + pair.b.half))) return;
  }
  bool const capsules = a.shape.kind == ShapeKind::capsule && b.shape.kind == ShapeKind::capsule;
  single.feature = capsules ? single_feature : 0;
  keep<Scalar>(single, margin, contacts);
}

// Explicit instantiations for both scalars.
template bool nearest_inside(Segment<double> const&, Segment<double> const&, double&, double&);
template bool nearest_inside(Segment<Dual> const&, Segment<Dual> const&, Dual&, Dual&);
template ContactPointOf<double> nearest_of_round(Placed<double> const&, Placed<double> const&, int);
template ContactPointOf<Dual> nearest_of_round(Placed<Dual> const&, Placed<Dual> const&, int);
template void round_contacts(Placed<double> const&, Placed<double> const&, int, double,
                             ContactPointsOf<double>&);
template void round_contacts(Placed<Dual> const&, Placed<Dual> const&, int, Dual, ContactPointsOf<Dual>&);

}  // namespace delassus::narrow_phase
