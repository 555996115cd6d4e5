// Points, spheres and capsules with each other: their cores are segments, some of no length.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/narrow_phase_detail.hpp"

namespace delassus::narrow_phase {
namespace {

// Two segments count as parallel below this sine of their angle. It may be this large because contacts at the
// two ends of the overlap are taken only where the nearest points are not much nearer than these.
constexpr double parallel_sine = 0.05;

// The squared sine of the angle below which the nearest points of two lines are not worth computing: for
// segments of any use the ends are then as near as the crossing, to rounding.
constexpr double crossing_sine_squared = 1e-12;

struct TwoRounds {
  Segment a, b;
  double radius_a, radius_b;
  int dimension;
};

// The end of a, or an inner point that stands for one, against b: the foot is clamped to the segment.
ContactPoint end_of_a(TwoRounds const& pair, double t_a) {
  Eigen::Vector3d const c_a = pair.a.at(t_a);
  double const foot = (c_a - pair.b.middle).dot(pair.b.direction);
  double const t_b = std::clamp(foot, -pair.b.half, pair.b.half);
  bool const inside = std::abs(foot) < pair.b.half;
  ContactPoint contact =
      make_contact_of_points(inside ? FeaturePair::point_segment : FeaturePair::point_point, c_a,
                             pair.b.at(t_b), pair.radius_a, pair.radius_b, pair.dimension);
  if (inside) contact.e_b = pair.b.direction;
  return contact;
}

TwoRounds swapped(TwoRounds const& pair) {
  return {pair.b, pair.a, pair.radius_b, pair.radius_a, pair.dimension};
}

// The same for b. Where the cores coincide the normal is the fixed one again, not its opposite.
ContactPoint end_of_b(TwoRounds const& pair, double t_b) {
  ContactPoint contact = mirrored(end_of_a(swapped(pair), t_b));
  bool const inside = contact.pair == FeaturePair::segment_point;
  ContactPoint result = make_contact_of_points(contact.pair, contact.c_a, contact.c_b, pair.radius_a,
                                               pair.radius_b, pair.dimension);
  if (inside) result.e_a = pair.a.direction;
  return result;
}

// Of two segments that cross in the plane: the smallest motion that parts them brings an end of one onto the
// other, the nearest of the four sides of the parallelogram of differences. The distance is negative.
ContactPoint crossing_in_plane(TwoRounds const& pair) {
  ContactPoint best;
  double least = std::numeric_limits<double>::infinity();
  for (int side = 0; side < 4; ++side) {
    bool const of_a = side < 2;
    TwoRounds const ordered = of_a ? pair : swapped(pair);
    double const t = side % 2 == 0 ? -ordered.a.half : ordered.a.half;
    Eigen::Vector3d const c_a = ordered.a.at(t);
    Eigen::Vector3d const& e = ordered.b.direction;
    Eigen::Vector3d const c_b = ordered.b.at((c_a - ordered.b.middle).dot(e));
    double const depth = (c_b - c_a).norm();
    if (!(depth < least)) continue;
    least = depth;
    // Out of b on the side of the end: from c_a back to c_b the end has to move, so n is against c_b - c_a.
    // The direction is that of the line, which is known even if the end lies on it.
    Eigen::Vector3d n(-e.y(), e.x(), 0);
    if (n.dot(c_b - c_a) > 0) n = -n;
    best = make_contact(FeaturePair::point_segment, n, c_a, c_b, -depth, ordered.radius_a, ordered.radius_b);
    best.e_b = e;
    if (!of_a) best = mirrored(best);
  }
  return best;
}

// A minimum of the squared distance, which is convex in (t_a, t_b), is either where its derivative vanishes
// or on the boundary of the rectangle |t_a| <= half_a, |t_b| <= half_b: an end of one against the other.
ContactPoint nearest(TwoRounds const& pair) {
  double t_a = 0, t_b = 0;
  if (nearest_inside(pair.a, pair.b, t_a, t_b)) {
    if (pair.dimension == 2) return crossing_in_plane(pair);
    // Along m = e_a x e_b and not along the difference of the points, which is noise where the segments meet.
    Eigen::Vector3d const c_a = pair.a.at(t_a), c_b = pair.b.at(t_b);
    Eigen::Vector3d n = pair.a.direction.cross(pair.b.direction).normalized();
    if (n.dot(c_b - c_a) < 0) n = -n;
    ContactPoint contact = make_contact(FeaturePair::segment_segment, n, c_a, c_b, n.dot(c_b - c_a),
                                        pair.radius_a, pair.radius_b);
    contact.e_a = pair.a.direction;
    contact.e_b = pair.b.direction;
    return contact;
  }
  ContactPoint best = end_of_a(pair, -pair.a.half);
  auto const improve = [&best](ContactPoint const& candidate) {
    if (candidate.gap < best.gap) best = candidate;
  };
  if (pair.a.half > 0) improve(end_of_a(pair, pair.a.half));
  improve(end_of_b(pair, -pair.b.half));
  if (pair.b.half > 0) improve(end_of_b(pair, pair.b.half));
  return best;
}

// Two capsules side by side touch along a line; two points hold them as well. They are at the ends of the
// part where both are, as seen along their mean direction, each an end of one of the capsules. True if they
// are, and as near as `single`, the nearest points: the middles of capsules at a small angle across each
// other would be nearer.
bool touch_side_by_side(TwoRounds const& pair, ContactPoint const& single,
                        std::array<ContactPoint, 2>& ends) {
  Segment const &a = pair.a, &b = pair.b;
  if (!(a.half > 0 && b.half > 0)) return false;
  if (!(a.direction.cross(b.direction).norm() <= parallel_sine)) return false;
  double const sense = a.direction.dot(b.direction) < 0 ? -1 : 1;
  Eigen::Vector3d const mean = (a.direction + sense * b.direction).normalized();
  double const middle_a = mean.dot(a.middle), middle_b = mean.dot(b.middle);
  double const reach_a = a.half * mean.dot(a.direction), reach_b = b.half * std::abs(mean.dot(b.direction));
  double const low = std::max(middle_a - reach_a, middle_b - reach_b);
  double const high = std::min(middle_a + reach_a, middle_b + reach_b);
  if (!(high - low > 0.01 * std::min(a.half, b.half))) return false;
  ends[0] =
      middle_a - reach_a >= middle_b - reach_b ? end_of_a(pair, -a.half) : end_of_b(pair, -sense * b.half);
  ends[1] =
      middle_a + reach_a <= middle_b + reach_b ? end_of_a(pair, a.half) : end_of_b(pair, sense * b.half);
  double const tolerance = 1e-3 * (pair.radius_a + pair.radius_b);
  return std::min(ends[0].gap, ends[1].gap) <= single.gap + tolerance && ends[0].n.dot(ends[1].n) > 0;
}

TwoRounds pair_of(Placed const& a, Placed const& b, int dimension) {
  return {segment_of(a), segment_of(b), radius_of(a.shape), radius_of(b.shape), dimension};
}

}  // namespace

// The distance of a.at(t_a) and b.at(t_b), d = b.middle - a.middle, is least where
//   t_a - c t_b = d.e_a,  c t_a - t_b = d.e_b,  c = e_a.e_b.
bool nearest_inside(Segment const& a, Segment const& b, double& t_a, double& t_b) {
  double const sine_squared = a.direction.cross(b.direction).squaredNorm();
  if (!(sine_squared > crossing_sine_squared)) return false;
  Eigen::Vector3d const d = b.middle - a.middle;
  double const c = a.direction.dot(b.direction);
  double const d_a = d.dot(a.direction), d_b = d.dot(b.direction);
  t_a = (d_a - c * d_b) / sine_squared;
  t_b = (c * d_a - d_b) / sine_squared;
  return std::abs(t_a) < a.half && std::abs(t_b) < b.half;
}

ContactPoint nearest_of_round(Placed const& a, Placed const& b, int dimension) {
  return nearest(pair_of(a, b, dimension));
}

void round_contacts(Placed const& a, Placed const& b, int dimension, double margin, ContactPoints& contacts) {
  if (a.shape.kind != ShapeKind::capsule && b.shape.kind != ShapeKind::capsule) {
    keep(make_contact_of_points(FeaturePair::point_point, a.pose.position, b.pose.position,
                                radius_of(a.shape), radius_of(b.shape), dimension),
         margin, contacts);
    return;
  }
  TwoRounds const pair = pair_of(a, b, dimension);
  ContactPoint single = nearest(pair);
  if (!(single.gap <= margin)) return;
  std::array<ContactPoint, 2> ends;
  if (touch_side_by_side(pair, single, ends)) {
    ends[0].feature = 0;
    ends[1].feature = 1;
    keep(ends[0], margin, contacts);
    keep(ends[1], margin, contacts);
    return;
  }
  bool const capsules = a.shape.kind == ShapeKind::capsule && b.shape.kind == ShapeKind::capsule;
  single.feature = capsules ? single_feature : 0;
  keep(single, margin, contacts);
}

}  // namespace delassus::narrow_phase
