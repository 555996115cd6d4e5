#include "model/geometry/narrow_phase.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/geometry/narrow_phase_detail.hpp"

namespace delassus {
namespace narrow_phase {

template <class Scalar>
ContactPointOf<Scalar> make_contact(FeaturePair pair, Vector3<Scalar> const& n, Vector3<Scalar> const& c_a,
                                    Vector3<Scalar> const& c_b, Scalar distance, Scalar radius_a,
                                    Scalar radius_b) {
  ContactPointOf<Scalar> contact;
  contact.pair = pair;
  contact.n = n;
  contact.c_a = c_a;
  contact.c_b = c_b;
  contact.radius_a = radius_a;
  contact.radius_b = radius_b;
  contact.gap = distance - radius_a - radius_b;
  contact.p = c_b - radius_b * n;
  return contact;
}

template <class Scalar>
ContactPointOf<Scalar> make_contact_of_points(FeaturePair pair, Vector3<Scalar> const& c_a,
                                              Vector3<Scalar> const& c_b, Scalar radius_a, Scalar radius_b,
                                              int dimension) {
  Vector3<Scalar> const u = c_b - c_a;
  Scalar const distance = u.norm();
  // Below the rounding error of the positions, the direction is noise.
  Scalar const rounding = 4 * std::numeric_limits<double>::epsilon() * (c_a.norm() + c_b.norm());
  Vector3<Scalar> n = Vector3<Scalar>::Unit(dimension - 1);
  if (distance > std::max<Scalar>(rounding, std::numeric_limits<double>::min())) n = u / distance;
  return make_contact<Scalar>(pair, n, c_a, c_b, distance, radius_a, radius_b);
}

template <class Scalar>
ContactPointOf<Scalar> mirrored(ContactPointOf<Scalar> const& contact) {
  ContactPointOf<Scalar> result = contact;
  result.n = -contact.n;
  std::swap(result.c_a, result.c_b);
  std::swap(result.e_a, result.e_b);
  std::swap(result.radius_a, result.radius_b);
  result.p = result.c_b - result.radius_b * result.n;
  switch (contact.pair) {
    case FeaturePair::face_point:
      result.pair = FeaturePair::point_face;
      break;
    case FeaturePair::point_face:
      result.pair = FeaturePair::face_point;
      break;
    case FeaturePair::segment_point:
      result.pair = FeaturePair::point_segment;
      break;
    case FeaturePair::point_segment:
      result.pair = FeaturePair::segment_point;
      break;
    case FeaturePair::point_point:
    case FeaturePair::segment_segment:
      break;
  }
  return result;
}

template <class Scalar>
void keep(ContactPointOf<Scalar> const& contact, Scalar margin, ContactPointsOf<Scalar>& contacts) {
  if (contact.gap <= margin && contacts.count < most_contact_points) {
    contacts.item[static_cast<std::size_t>(contacts.count++)] = contact;
  }
}

namespace {

// The order in which the functions for pairs take their shapes.
int rank(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::plane:
      return 0;
    case ShapeKind::box:
      return 1;
    case ShapeKind::capsule:
      return 2;
    case ShapeKind::sphere:
    case ShapeKind::point:
      break;
  }
  return 3;
}

template <class Scalar>
void find_ordered(Placed<Scalar> const& a, Placed<Scalar> const& b, int dimension, Scalar margin,
                  ContactPointsOf<Scalar>& contacts) {
  if (a.shape.kind == ShapeKind::plane) {
    plane_contacts<Scalar>(a, b, dimension, margin, contacts);
  } else if (a.shape.kind != ShapeKind::box) {
    round_contacts<Scalar>(a, b, dimension, margin, contacts);
  } else if (b.shape.kind != ShapeKind::box) {
    box_round_contacts<Scalar>(a, b, dimension, margin, contacts);
  } else if (dimension == 3) {
    box_contacts<Scalar>(a, b, margin, contacts);
  } else {
    rectangle_contacts<Scalar>(a, b, margin, contacts);
  }
}

// Poses that are not finite touch nothing. Otherwise comparisons with NaN would decide.
template <class Scalar>
bool is_finite(ShapePoseOf<Scalar> const& pose) {
  // Zero times a finite number is zero; zero times infinity or NaN is NaN.
  return ((0 * pose.position).sum() + (0 * pose.R).sum()) == 0;
}

ContactPoint ordered_nearest(Placed<double> const& a, Placed<double> const& b, int dimension) {
  if (a.shape.kind == ShapeKind::plane) {
    ContactPoints contacts;
    plane_contacts<double>(a, b, dimension, std::numeric_limits<double>::infinity(), contacts);
    ContactPoint& nearest = contacts.item[0];
    if (contacts.count == 0) nearest.gap = std::numeric_limits<double>::quiet_NaN();
    for (int i = 1; i < contacts.count; ++i) {
      ContactPoint const& other = contacts.item[static_cast<std::size_t>(i)];
      if (other.gap < nearest.gap) nearest = other;
    }
    return nearest;
  }
  if (a.shape.kind != ShapeKind::box) return nearest_of_round<double>(a, b, dimension);
  if (b.shape.kind != ShapeKind::box) return nearest_of_box_and_round<double>(a, b, dimension);
  return dimension == 3 ? nearest_of_boxes<double>(a, b) : nearest_of_rectangles<double>(a, b);
}

}  // namespace

// Explicit instantiations for both scalars.
template ContactPointOf<double> make_contact(FeaturePair, Vector3<double> const&, Vector3<double> const&,
                                             Vector3<double> const&, double, double, double);
template ContactPointOf<Dual> make_contact(FeaturePair, Vector3<Dual> const&, Vector3<Dual> const&,
                                           Vector3<Dual> const&, Dual, Dual, Dual);
template ContactPointOf<double> make_contact_of_points(FeaturePair, Vector3<double> const&,
                                                       Vector3<double> const&, double, double, int);
template ContactPointOf<Dual> make_contact_of_points(FeaturePair, Vector3<Dual> const&, Vector3<Dual> const&,
                                                     Dual, Dual, int);
template ContactPointOf<double> mirrored(ContactPointOf<double> const&);
template ContactPointOf<Dual> mirrored(ContactPointOf<Dual> const&);
template void keep(ContactPointOf<double> const&, double, ContactPointsOf<double>&);
template void keep(ContactPointOf<Dual> const&, Dual, ContactPointsOf<Dual>&);
}  // namespace narrow_phase

int points_on_plane(ShapeKind kind, int dimension) {
  switch (kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
      return 1;
    case ShapeKind::capsule:
      return 2;
    case ShapeKind::box:
      return dimension == 2 ? 4 : 8;
    case ShapeKind::plane:
      break;
  }
  return 0;
}

bool can_collide(ShapeKind a, ShapeKind b) {
  return a != b || (a != ShapeKind::plane && a != ShapeKind::point);
}

template <class Scalar>
void find_contacts(ShapeGeometryOf<Scalar> const& a, ShapePoseOf<Scalar> const& at_a,
                   ShapeGeometryOf<Scalar> const& b, ShapePoseOf<Scalar> const& at_b, int dimension,
                   std::type_identity_t<Scalar> margin, ContactPointsOf<Scalar>& contacts) {
  contacts.count = 0;
  if (!can_collide(a.kind, b.kind) || !narrow_phase::is_finite(at_a) || !narrow_phase::is_finite(at_b))
    return;
  if (narrow_phase::rank(a.kind) <= narrow_phase::rank(b.kind)) {
    narrow_phase::find_ordered({a, at_a}, {b, at_b}, dimension, margin, contacts);
    return;
  }
  narrow_phase::find_ordered({b, at_b}, {a, at_a}, dimension, margin, contacts);
  for (int i = 0; i < contacts.count; ++i) {
    ContactPointOf<Scalar>& contact = contacts.item[static_cast<std::size_t>(i)];
    contact = narrow_phase::mirrored(contact);
  }
}

ContactPoint nearest_points(ShapeGeometry const& a, ShapePose const& at_a, ShapeGeometry const& b,
                            ShapePose const& at_b, int dimension) {
  ContactPoint none;
  none.n = none.p = none.c_a = none.c_b = Eigen::Vector3d::Zero();
  none.gap = std::numeric_limits<double>::infinity();
  if (!can_collide(a.kind, b.kind)) return none;
  none.gap = std::numeric_limits<double>::quiet_NaN();
  if (!narrow_phase::is_finite(at_a) || !narrow_phase::is_finite(at_b)) return none;
  if (narrow_phase::rank(a.kind) <= narrow_phase::rank(b.kind)) {
    return narrow_phase::ordered_nearest({a, at_a}, {b, at_b}, dimension);
  }
  return narrow_phase::mirrored(narrow_phase::ordered_nearest({b, at_b}, {a, at_a}, dimension));
}

double smallest_gap(ShapeGeometry const& a, ShapePose const& at_a, ShapeGeometry const& b,
                    ShapePose const& at_b, int dimension) {
  return nearest_points(a, at_a, b, at_b, dimension).gap;
}

// With u = c_b - c_a = D n, D = gap + radius_a + radius_b, P = I - n n^T, and V_a(x), V_b(x) the velocities
// of the bodies at x. p = c_b - radius_b n always, and u' = D' n + D n' gives n' = P u' / D; it remains to
// say how c_a and c_b move.
//
// face_point: n is fixed in a, so n' = omega_a x n; c_b is fixed in b. p' = V_b(c_b) - radius_b n'.
//
// point_face: n is fixed in b, n' = omega_b x n; c_a is fixed in a, p = c_a + (radius_a + gap) n. The gap of
// a point x fixed in the face is n.(x - c_a) - radius_a; for the x that is at p now, n'.(x - c_a) = 0 and
// V_a(c_a) and V_a(p) have the same part along n, hence gap' = n.(V_b(p) - V_a(p)).
//
// point_point: c_a and c_b are fixed in their bodies.
//
// segment_point: c_a slides along e_a at the speed s: u' = V_b(c_b) - V_a(c_a) - s e_a. It stays the foot of
// c_b, 0 = (u.e_a)' = (V_b - V_a).e_a - s + u.(omega_a x e_a).
//
// point_segment: c_b slides along e_b at the speed s: u' = V_b(c_b) + s e_b - V_a(c_a), and
// 0 = (u.e_b)' = (V_b - V_a).e_b + s + u.(omega_b x e_b).
//
// segment_segment: both slide, u' = V_b + s_b e_b - V_a - s_a e_a. With c = e_a.e_b,
//   0 = (u.e_a)' = g_a - s_a + c s_b,  g_a = (V_b - V_a).e_a + u.(omega_a x e_a),
//   0 = (u.e_b)' = g_b - c s_a + s_b,  g_b = (V_b - V_a).e_b + u.(omega_b x e_b),
// so s_b = (c g_a - g_b) / (1 - c^2). The normal does not need D, which may be zero: n = +- m / |m| with
// m = e_a x e_b, m' = (omega_a x e_a) x e_b + e_a x (omega_b x e_b), n' = +- P m' / |m|, and |m|^2 = 1 - c^2.
template <class Scalar>
ContactRatesOf<Scalar> contact_rates(ContactPointOf<Scalar> const& contact, TwistOf<Scalar> const& a,
                                     TwistOf<Scalar> const& b) {
  Vector3<Scalar> const& n = contact.n;
  Vector3<Scalar> const v_a = a.at(contact.c_a), v_b = b.at(contact.c_b);
  Vector3<Scalar> const u = contact.c_b - contact.c_a;
  Scalar const D = contact.gap + contact.radius_a + contact.radius_b;
  auto const turned = [&n, D](Vector3<Scalar> const& rate_of_u) -> Vector3<Scalar> {
    if (D == 0) return Vector3<Scalar>::Zero();
    return (rate_of_u - n * n.dot(rate_of_u)) / D;
  };
  ContactRatesOf<Scalar> rates{Vector3<Scalar>::Zero(), v_b};
  Vector3<Scalar> rate_of_c_b = v_b;
  switch (contact.pair) {
    case FeaturePair::face_point:
      rates.n = a.omega.cross(n);
      break;
    case FeaturePair::point_face: {
      rates.n = b.omega.cross(n);
      Scalar const rate_of_gap = n.dot(b.at(contact.p) - a.at(contact.p));
      rates.p = v_a + (contact.radius_a + contact.gap) * rates.n + rate_of_gap * n;
      return rates;
    }
    case FeaturePair::point_point:
      rates.n = turned(v_b - v_a);
      break;
    case FeaturePair::segment_point: {
      Scalar const s = (v_b - v_a).dot(contact.e_a) + u.dot(a.omega.cross(contact.e_a));
      rates.n = turned(v_b - v_a - s * contact.e_a);
      break;
    }
    case FeaturePair::point_segment: {
      Scalar const s = -(v_b - v_a).dot(contact.e_b) - u.dot(b.omega.cross(contact.e_b));
      rate_of_c_b = v_b + s * contact.e_b;
      rates.n = turned(rate_of_c_b - v_a);
      break;
    }
    case FeaturePair::segment_segment: {
      Vector3<Scalar> const turn_a = a.omega.cross(contact.e_a), turn_b = b.omega.cross(contact.e_b);
      Vector3<Scalar> const m = contact.e_a.cross(contact.e_b);
      Scalar const length = m.norm();
      if (length == 0) return {Vector3<Scalar>::Zero(), Vector3<Scalar>::Zero()};
      Vector3<Scalar> const rate_of_m = turn_a.cross(contact.e_b) + contact.e_a.cross(turn_b);
      Scalar const sign = n.dot(m) < 0 ? -1 : 1;
      rates.n = sign / length * (rate_of_m - n * n.dot(rate_of_m));
      Scalar const g_a = (v_b - v_a).dot(contact.e_a) + u.dot(turn_a);
      Scalar const g_b = (v_b - v_a).dot(contact.e_b) + u.dot(turn_b);
      rate_of_c_b += (contact.e_a.dot(contact.e_b) * g_a - g_b) / (length * length) * contact.e_b;
      break;
    }
  }
  rates.p = rate_of_c_b - contact.radius_b * rates.n;
  return rates;
}

// Explicit instantiations for both scalars.
template void find_contacts(ShapeGeometryOf<double> const&, ShapePoseOf<double> const&,
                            ShapeGeometryOf<double> const&, ShapePoseOf<double> const&, int, double,
                            ContactPointsOf<double>&);
template void find_contacts(ShapeGeometryOf<Dual> const&, ShapePoseOf<Dual> const&,
                            ShapeGeometryOf<Dual> const&, ShapePoseOf<Dual> const&, int, Dual,
                            ContactPointsOf<Dual>&);
template ContactRatesOf<double> contact_rates(ContactPointOf<double> const&, TwistOf<double> const&,
                                              TwistOf<double> const&);
template ContactRatesOf<Dual> contact_rates(ContactPointOf<Dual> const&, TwistOf<Dual> const&,
                                            TwistOf<Dual> const&);

}  // namespace delassus
