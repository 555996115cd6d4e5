// Which contacts a neighbour covers.
//
// Let the box A have a contact at its point x with the outward normal n, and let B be a neighbour that
// contains x within the tolerance. n is a normal of B at x, too, if it lies in the cone of the outward
// normals of those faces of B on which x lies. Then B does not mind: x is on the common surface, for example
// on the top of two tiles at their seam. Otherwise some part of B lies in front of A. The contact is then
// possible only if the face or edge of A with the normal n goes on, from x, out of B: the side of a wall that
// stands on the floor B is exposed above the floor, the side of a tile is not, because it ends where B ends.
//
// The direction out of B is the normal f of a face of B that the other shape is near to: the one below which
// it is least deep, and others below which it is not deep either. Its projection on the face or edge of A is
// m. From x along m it is s_A to the end of the face of A, and s_B = f.(face of B - x) / f.m to the surface
// of B. The face is exposed if s_A > s_B.
//
// Points between. A box that lies across a seam touches both tiles, and its edges cross the seam. A point x on the
// seam is not a corner of what they have in common if a line through x goes on in both directions, within the other shape
// and within A or a neighbour whose face is flush with that of A and yields alike. It supports nothing that the corners do
// not support, so it is left out: the pressure is shared by the same points as on one plane. With the crossings it would be
// nearer to the middle, and friction would resist a turn on the spot by less. A corner of a tile in the middle of a plate
// that lies on it is left out for the same reason; the rims of gaps are kept, because nothing goes on there, and so is a
// ridge, where the line leaves the surface. A point beyond the rim of A, where the shapes are only near to each other, is
// left to the neighbour that it lies on.
//
// All decisions are taken on values, so that derivatives do not change them.
#include "model/geometry/exposed_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "model/geometry/narrow_phase_detail.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;
using narrow_phase::BoxFace;
using narrow_phase::Placed;

// Below this sine two directions count as parallel, or a normal as perpendicular to an edge: rotations that a
// user wrote differently, or angles of a body at rest, differ by less.
constexpr double parallel = 1e-6;
// Of the tolerance: points that are nearer to each other are one.
constexpr double apart_share = 0.1;

ShapeGeometry const& seam_values(ShapeGeometry const& shape) {
  return shape;
}
ShapeGeometry seam_values(ShapeGeometryOf<Dual> const& shape) {
  return {shape.kind, shape.radius.value, values_of(shape.half)};
}
ShapePose const& seam_values(ShapePose const& pose) {
  return pose;
}
ShapePose seam_values(ShapePoseOf<Dual> const& pose) {
  return {values_of(pose.position), values_of(pose.R)};
}

// min d.x over the shape; it is bounded.
double least_along(Placed<double> const& of, Vector3d const& d, int dimension) {
  double least = d.dot(of.pose.position) - narrow_phase::radius_of(of.shape) * d.norm();
  if (of.shape.kind == ShapeKind::capsule) least -= of.shape.half[0] * std::abs(d.dot(of.pose.R.col(0)));
  if (of.shape.kind == ShapeKind::box)
    for (int axis = 0; axis < dimension; ++axis)
      least -= of.shape.half[axis] * std::abs(d.dot(of.pose.R.col(axis)));
  return least;
}

// The box A, what touches it, and what lies beside it.
struct Seam {
  Placed<double> box, other;
  std::span<const Neighbour> beside;
  int dimension;
  double tolerance;
};

Vector3d outward(Placed<double> const& box, BoxFace const& face) {
  return face.sign * box.pose.R.col(face.axis);
}

double separation_of(Seam const& seam, BoxFace const& face) {
  Vector3d const n = outward(seam.box, face);
  return least_along(seam.other, n, seam.dimension) - n.dot(seam.box.pose.position) -
         seam.box.shape.half[face.axis];
}

bool contains(Neighbour const& B, Vector3d const& x, int dimension, double tolerance) {
  Vector3d const q = B.pose.R.transpose() * (x - B.pose.position);
  if (B.shape.kind == ShapeKind::plane) return q[0] <= tolerance;
  for (int axis = 0; axis < dimension; ++axis)
    if (!(std::abs(q[axis]) <= B.shape.half[axis] + tolerance)) return false;
  return true;
}

// Whether B contains x, within the tolerance, and n is not one of its normals there.
bool lies_in_front(Neighbour const& B, Vector3d const& x, Vector3d const& n, int dimension,
                   double tolerance) {
  if (!contains(B, x, dimension, tolerance)) return false;
  Vector3d const q = B.pose.R.transpose() * (x - B.pose.position), local = B.pose.R.transpose() * n;
  if (B.shape.kind == ShapeKind::plane) return q[0] < -tolerance || local[0] < 1 - parallel * parallel;
  for (int axis = 0; axis < dimension; ++axis) {
    bool const on_face = std::abs(q[axis]) >= B.shape.half[axis] - tolerance;
    double const part = q[axis] < 0 ? -local[axis] : local[axis];
    if (on_face ? part < -parallel : std::abs(part) > parallel) return true;
  }
  return false;
}

// A face of B: its outward normal f, and f.x of its points.
struct Surface {
  Vector3d f;
  double height;
};

// Whether the face or edge of A with the normal n goes on from x through this face of B.
bool goes_on_through(Seam const& seam, Surface const& surface, Vector3d const& x, Vector3d const& n) {
  Eigen::Matrix3d const& R = seam.box.pose.R;
  Vector3d const q = R.transpose() * (x - seam.box.pose.position), local = R.transpose() * n;
  Vector3d m = R.transpose() * surface.f;
  for (int axis = 0; axis < 3; ++axis)
    if (axis >= seam.dimension || std::abs(local[axis]) > parallel) m[axis] = 0;
  double const rate = m.norm();
  if (rate < parallel) return false;
  m /= rate;
  double s_A = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < seam.dimension; ++axis) {
    if (m[axis] == 0) continue;
    s_A = std::min(s_A, (seam.box.shape.half[axis] - (m[axis] < 0 ? -q[axis] : q[axis])) / std::abs(m[axis]));
  }
  double const s_B = (surface.height - surface.f.dot(x)) / rate;
  return s_A > s_B + seam.tolerance;
}

bool goes_on_out_of(Seam const& seam, Neighbour const& B, Vector3d const& x, Vector3d const& n) {
  if (B.shape.kind == ShapeKind::plane)
    return goes_on_through(seam, {B.pose.R.col(0), B.pose.R.col(0).dot(B.pose.position)}, x, n);
  constexpr double not_deep = 1e-2;  // of the half extent of B
  std::array<Surface, 6> surface;
  std::array<double, 6> depth{};
  std::size_t count = 0;
  for (int axis = 0; axis < seam.dimension; ++axis) {
    for (double const sign : {1.0, -1.0}) {
      Vector3d const f = sign * B.pose.R.col(axis);
      surface[count] = {f, f.dot(B.pose.position) + B.shape.half[axis]};
      depth[count] = surface[count].height - least_along(seam.other, f, seam.dimension);
      ++count;
    }
  }
  double const least = *std::min_element(depth.begin(), depth.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    if (depth[i] > std::max(least, not_deep * B.shape.half[static_cast<Eigen::Index>(i / 2)])) continue;
    if (goes_on_through(seam, surface[i], x, n)) return true;
  }
  return false;
}

bool is_covered(Seam const& seam, Vector3d const& x, Vector3d const& n) {
  return std::any_of(seam.beside.begin(), seam.beside.end(), [&](Neighbour const& B) {
    return lies_in_front(B, x, n, seam.dimension, seam.tolerance) && !goes_on_out_of(seam, B, x, n);
  });
}

// A contact as seen from the box: where it touches the box, and the normal out of the box. Contacts of faces
// that lie opposite each other may lie a little beside the face.
template <class Scalar>
Vector3d place_on_box(Seam const& seam, ContactPointOf<Scalar> const& contact, bool box_is_a) {
  ShapePose const& pose = seam.box.pose;
  Vector3d const& half = seam.box.shape.half;
  Vector3d const q = pose.R.transpose() * (values_of(box_is_a ? contact.c_a : contact.c_b) - pose.position);
  return pose.position + pose.R * q.cwiseMax(-half).cwiseMin(half);
}
template <class Scalar>
Vector3d normal_of_box(ContactPointOf<Scalar> const& contact, bool box_is_a) {
  Vector3d const n = values_of(contact.n);
  return box_is_a ? n : Vector3d(-n);
}

template <class Scalar>
void remove_covered(Seam const& seam, bool box_is_a, ContactPointsOf<Scalar>& contacts) {
  int count = 0;
  for (int i = 0; i < contacts.count; ++i) {
    ContactPointOf<Scalar> const& contact = contacts.item[static_cast<std::size_t>(i)];
    if (is_covered(seam, place_on_box(seam, contact, box_is_a), normal_of_box(contact, box_is_a))) continue;
    if (count != i) contacts.item[static_cast<std::size_t>(count)] = contact;
    ++count;
  }
  contacts.count = count;
}

// The outward normal of the face of the box that the other shape touches. Nothing where it touches an edge.
std::optional<Vector3d> normal_of_face(Placed<double> const& box, Vector3d const& n, int dimension) {
  constexpr double along = 0.99;
  for (int axis = 0; axis < dimension; ++axis) {
    double const part = n.dot(box.pose.R.col(axis));
    if (std::abs(part) > along) return std::copysign(1.0, part) * box.pose.R.col(axis);
  }
  return {};
}

// Whether x lies on a face of B that is parallel to that of A: on the common plane, not on a ridge or in a groove.
bool is_flush_at(Seam const& seam, Neighbour const& B, Vector3d const& x, Vector3d const& f) {
  if (!contains(B, x, seam.dimension, seam.tolerance)) return false;
  auto const on_face = [&](Vector3d const& normal, double height) {
    return (normal - f).norm() < parallel &&
           std::abs(normal.dot(x - B.pose.position) - height) <= seam.tolerance;
  };
  if (B.shape.kind == ShapeKind::plane) return on_face(B.pose.R.col(0), 0);
  for (int axis = 0; axis < seam.dimension; ++axis)
    for (double const sign : {1.0, -1.0})
      if (on_face(sign * B.pose.R.col(axis), B.shape.half[axis])) return true;
  return false;
}

// How far it is from x along d, which is normal to f, to the end of a box. Its faces along f do not end it. Of faces that
// are nearly parallel to d it only counts whether x is outside of them.
double way_in_box(ShapeGeometry const& shape, ShapePose const& pose, Vector3d const& x, Vector3d const& d,
                  Vector3d const& f, Seam const& seam) {
  constexpr double nearly_parallel = 1e-3, along = 0.99;
  Vector3d const q = pose.R.transpose() * (x - pose.position), local = pose.R.transpose() * d,
                 normal = pose.R.transpose() * f;
  double way = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < seam.dimension; ++axis) {
    if (std::abs(normal[axis]) > along) continue;
    if (!(std::abs(q[axis]) <= shape.half[axis] + seam.tolerance)) return 0;
    if (std::abs(local[axis]) <= nearly_parallel) continue;
    way =
        std::min(way, (shape.half[axis] - std::copysign(1.0, local[axis]) * q[axis]) / std::abs(local[axis]));
  }
  return way;
}

// The same for the other shape of the pair, whose nearest point of the core is c.
double way_in_other(Seam const& seam, Vector3d const& c, Vector3d const& d, Vector3d const& f) {
  constexpr double along_axis = 0.99;
  Placed<double> const& other = seam.other;
  if (other.shape.kind == ShapeKind::box) return way_in_box(other.shape, other.pose, c, d, f, seam);
  if (other.shape.kind != ShapeKind::capsule) return 0;
  Vector3d const axis = other.pose.R.col(0);
  double const along = axis.dot(d);
  if (std::abs(along) < along_axis) return 0;
  return other.shape.half[0] - std::copysign(1.0, along) * axis.dot(c - other.pose.position);
}

// Whether the common surface and the other shape go on from x in the direction d.
bool go_on(Seam const& seam, Vector3d const& x, Vector3d const& c, Vector3d const& d, Vector3d const& f) {
  constexpr double enough = 10;  // times the tolerance
  double const in_other = way_in_other(seam, c, d, f);
  if (in_other <= apart_share * seam.tolerance) return false;
  double const needed = std::min(in_other, enough * seam.tolerance);
  if (way_in_box(seam.box.shape, seam.box.pose, x, d, f, seam) >= needed) return true;
  return std::any_of(seam.beside.begin(), seam.beside.end(), [&](Neighbour const& B) {
    return B.yields_alike && is_flush_at(seam, B, x, f) &&
           (B.shape.kind == ShapeKind::plane || way_in_box(B.shape, B.pose, x, d, f, seam) >= needed);
  });
}

// A lone point may stand for two ends that are near to each other. Whether A is passed from rim to rim along d: the
// other shape and the common surface go on at both ends.
bool is_passed(Seam const& seam, Vector3d const& x, Vector3d const& c, Vector3d const& d, Vector3d const& f) {
  Vector3d const along = (d - f.dot(d) * f).normalized();
  return std::ranges::all_of(std::array{1.0, -1.0}, [&](double sign) {
    Vector3d const e = sign * along;
    double const in_A = way_in_box(seam.box.shape, seam.box.pose, x, e, f, seam);
    return way_in_other(seam, c, e, f) > in_A + apart_share * seam.tolerance &&
           go_on(seam, x + in_A * e, c + in_A * e, e, f);
  });
}

// How far inside of the rim of a face along f the point x is; at most the tolerance.
double inside_of_rim(ShapeGeometry const& shape, ShapePose const& pose, Vector3d const& x, Vector3d const& f,
                     Seam const& seam) {
  Vector3d const q = pose.R.transpose() * (x - pose.position), local = pose.R.transpose() * f;
  double inside = seam.tolerance;
  for (int axis = 0; axis < seam.dimension; ++axis)
    if (std::abs(local[axis]) < 0.5) inside = std::min(inside, shape.half[axis] - std::abs(q[axis]));
  return inside;
}

// Whether x lies beyond the rim of A, and on B.
bool is_of_neighbour(Seam const& seam, Neighbour const& B, Vector3d const& x, Vector3d const& f) {
  double const clearly = 1e-3 * seam.tolerance;
  if (B.shape.kind != ShapeKind::box || !B.yields_alike || !is_flush_at(seam, B, x, f)) return false;
  double const in_A = inside_of_rim(seam.box.shape, seam.box.pose, x, f, seam),
               in_B = inside_of_rim(B.shape, B.pose, x, f, seam);
  return in_A <= 0 && in_B >= -clearly && in_B > in_A + clearly;
}

// Removes the points between, and those that are left to a neighbour (above).
template <class Scalar>
void remove_between(Seam const& seam, bool box_is_a, ContactPointsOf<Scalar>& contacts) {
  auto const count = static_cast<std::size_t>(contacts.count);
  std::array<Vector3d, most_contact_points> place;
  for (std::size_t i = 0; i < count; ++i) place[i] = place_on_box(seam, contacts.item[i], box_is_a);
  auto const is_left_out = [&](std::size_t i) {
    ContactPointOf<Scalar> const& contact = contacts.item[i];
    std::optional<Vector3d> const normal =
        normal_of_face(seam.box, normal_of_box(contact, box_is_a), seam.dimension);
    if (!normal) return false;
    Vector3d const& f = *normal;
    // On the plane of the face, where a corner of the box or of the other shape may be beside it.
    Vector3d const c = values_of(box_is_a ? contact.c_b : contact.c_a),
                   on_other = c - f.dot(c - place[i]) * f;
    if (std::any_of(seam.beside.begin(), seam.beside.end(),
                    [&](Neighbour const& B) { return is_of_neighbour(seam, B, on_other, f); }))
      return true;
    auto const any_axis = [&](auto const& holds) {
      for (int axis = 0; axis < (seam.other.shape.kind == ShapeKind::box ? seam.dimension : 1); ++axis) {
        Vector3d const along = seam.other.pose.R.col(axis);
        if (std::abs(along.dot(f)) < 0.5 && holds(along)) return true;
      }
      return false;
    };
    if (count == 1) return any_axis([&](Vector3d const& d) { return is_passed(seam, place[i], c, d, f); });
    if (inside_of_rim(seam.box.shape, seam.box.pose, place[i], f, seam) >= seam.tolerance) return false;
    auto const is_between = [&](Vector3d d) {
      d -= f.dot(d) * f;
      double const length = d.norm();
      if (length <= apart_share * seam.tolerance) return false;
      d /= length;
      return go_on(seam, place[i], c, d, f) && go_on(seam, place[i], c, -d, f);
    };
    for (std::size_t j = 0; j < count; ++j)
      if (j != i && is_between(place[i] - place[j])) return true;
    return any_axis(is_between);
  };
  std::array<bool, most_contact_points> left_out{};
  for (std::size_t i = 0; i < count; ++i) left_out[i] = is_left_out(i);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (left_out[i]) continue;
    if (kept != i) contacts.item[kept] = contacts.item[i];
    ++kept;
  }
  contacts.count = static_cast<int>(kept);
}

template <class Scalar>
void find_face_contacts(Placed<Scalar> const& box, bool box_is_a, BoxFace const& face,
                        Placed<Scalar> const& other, int dimension, Scalar margin,
                        ContactPointsOf<Scalar>& contacts) {
  contacts.count = 0;
  if (other.shape.kind == ShapeKind::box) {
    if (dimension == 3) {
      narrow_phase::box_face_contacts<Scalar>(box_is_a, box, face, other, margin, contacts);
    } else {
      narrow_phase::rectangle_face_contacts<Scalar>(box_is_a, box, face, other, margin, contacts);
    }
    return;
  }
  narrow_phase::round_face_contacts<Scalar>(box, face, other, dimension, margin, contacts);
  for (int i = 0; i < contacts.count && !box_is_a; ++i) {
    ContactPointOf<Scalar>& contact = contacts.item[static_cast<std::size_t>(i)];
    contact = narrow_phase::mirrored<Scalar>(contact);
  }
}

struct RankedFace {
  double separation;
  BoxFace face;
};
using RankedFaces = std::array<RankedFace, 6>;

// The faces of the box, the farthest from the other shape first.
std::size_t rank_faces(Seam const& seam, RankedFaces& faces) {
  std::size_t count = 0;
  for (int axis = 0; axis < seam.dimension; ++axis) {
    for (double const sign : {1.0, -1.0}) {
      double const separation = separation_of(seam, {axis, sign});
      std::size_t place = count++;
      for (; place > 0 && faces[place - 1].separation < separation; --place) faces[place] = faces[place - 1];
      faces[place] = {separation, {axis, sign}};
    }
  }
  return count;
}

template <class Scalar>
void keep_exposed_contacts_of(Placed<Scalar> const& box, bool box_is_a, Placed<Scalar> const& other,
                              Surroundings const& around, int dimension, Scalar margin,
                              ContactPointsOf<Scalar>& contacts) {
  auto const& [beside, rests] = around;
  if (contacts.count == 0 || box.shape.kind != ShapeKind::box || other.shape.kind == ShapeKind::plane) return;
  bool const boxes = other.shape.kind == ShapeKind::box;
  if (beside.empty() && !rests) return;
  ShapeGeometry const shape = seam_values(box.shape), other_shape = seam_values(other.shape);
  ShapePose const pose = seam_values(box.pose), other_pose = seam_values(other.pose);
  double tolerance = seam_tolerance(shape, dimension);
  if (boxes) tolerance = std::min(tolerance, seam_tolerance(other_shape, dimension));
  Seam const seam{{shape, pose}, {other_shape, other_pose}, beside, dimension, tolerance};

  RankedFaces faces;
  std::size_t const count = rank_faces(seam, faces);
  auto const has_normal = [&](RankedFace const& ranked) {
    return normal_of_box(contacts.item[0], box_is_a).dot(outward(seam.box, ranked.face)) > 1 - parallel;
  };
  auto const find = [&](RankedFace const& ranked) {
    find_face_contacts<Scalar>(box, box_is_a, ranked.face, other, dimension, margin, contacts);
  };
  // A point has no thickness: at the lower edge of a wall it is level with the bottom of the wall.
  if (rests && other.shape.kind != ShapeKind::point) {
    auto const level = [&](RankedFace const& ranked) { return std::abs(ranked.separation) <= tolerance; };
    auto const end = faces.begin() + static_cast<std::ptrdiff_t>(count);
    auto const first = std::find_if(faces.begin(), end, level);
    if (first != end) {
      // Level with two faces, it is in front of neither: edge meets edge, or corner meets corner. Rounding would decide
      // which way it is pushed, for example a box that slides over a gap, at the instant at which it reaches the far
      // side.
      if (std::any_of(first + 1, end, level)) {
        contacts.count = 0;
      } else if (!has_normal(*first)) {
        find(*first);
      }
    }
  }
  if (contacts.count == 0 || beside.empty()) return;
  std::array<bool, 6> tried{};
  for (std::size_t i = 0; i < count; ++i) tried[i] = has_normal(faces[i]);
  remove_covered(seam, box_is_a, contacts);
  for (std::size_t i = 0; i < count && contacts.count == 0; ++i) {
    if (tried[i]) continue;
    // The other shape is nearer to the opposite face.
    if (faces[i].separation < -shape.half[faces[i].face.axis]) return;
    find(faces[i]);
    // It lies beside the other shape, which the neighbour touches; unless both are level.
    if (contacts.count == 0 && faces[i].separation > tolerance) return;
    remove_covered(seam, box_is_a, contacts);
  }
  remove_between(seam, box_is_a, contacts);
}

}  // namespace

double seam_tolerance(ShapeGeometry const& box, int dimension) {
  constexpr double of_size = 1e-6, of_thickness = 1e-2;
  auto const half = box.half.head(dimension);
  return std::min(of_size * half.maxCoeff(), of_thickness * half.minCoeff());
}

template <class Scalar>
void keep_exposed_contacts(ShapeGeometryOf<Scalar> const& a, ShapePoseOf<Scalar> const& at_a,
                           Surroundings const& around_a, ShapeGeometryOf<Scalar> const& b,
                           ShapePoseOf<Scalar> const& at_b, Surroundings const& around_b, int dimension,
                           std::type_identity_t<Scalar> margin, ContactPointsOf<Scalar>& contacts) {
  keep_exposed_contacts_of<Scalar>({a, at_a}, true, {b, at_b}, around_a, dimension, margin, contacts);
  keep_exposed_contacts_of<Scalar>({b, at_b}, false, {a, at_a}, around_b, dimension, margin, contacts);
}

// Explicit instantiations for both scalars.
template void keep_exposed_contacts(ShapeGeometryOf<double> const&, ShapePoseOf<double> const&,
                                    Surroundings const&, ShapeGeometryOf<double> const&,
                                    ShapePoseOf<double> const&, Surroundings const&, int, double,
                                    ContactPointsOf<double>&);
template void keep_exposed_contacts(ShapeGeometryOf<Dual> const&, ShapePoseOf<Dual> const&,
                                    Surroundings const&, ShapeGeometryOf<Dual> const&,
                                    ShapePoseOf<Dual> const&, Surroundings const&, int, Dual,
                                    ContactPointsOf<Dual>&);

}  // namespace delassus
