// The blocks that appear and disappear: contact points of declared pairs and of groups.
//
// A contact point with normal n (from a to b), tangents t and place p has the rows t . (V_b(p) - V_a(p)) and
// n . (V_b(p) - V_a(p)), the last with Psi = gap. As the shapes roll and turn, n and p move (contact_rates);
// the tangents turn with n but not about it, t' = -(t . n') n, so that the friction cone does not rotate
// relative to the force.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/equations/contact_law.hpp"
#include "model/equations/scene_terms.hpp"
#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

// m/s2. A contact is left out if it could carry force only under a larger acceleration towards each other:
// the relaxed law (64) acts if Psi + 2 zeta delta Psi' + delta^2 Psi'' < 0. A body that is accelerated faster
// is noticed as soon as it has the speed.
constexpr double fastest_approach = 100;
// The same of gravity, where that is more; in a step, of gravity only, and of the size of the body: so that the contacts of a
// step are the same in all units.
constexpr double fastest_of_gravity = 10, near_share = 1e-3;

// Half of the least width of a shape.
template <class Scalar>
Scalar half_size_of(ShapeGeometryOf<Scalar> const& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
      return shape.radius;
    case ShapeKind::box: {
      Scalar const least = smaller(shape.half[0], shape.half[1]);
      return shape.half[2] > 0 ? smaller(least, shape.half[2]) : least;
    }
    case ShapeKind::point:
    case ShapeKind::plane:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

// The average n of both normals and p of both places are exact for a vertex on a face and for spheres. Of other points,
// the gap changes over a step by h n.v + d, v the relative velocity at p and d of third order. With n + tau and p + r it
// changes by what the row says (as with Gonzalez' discrete gradient), so that a contact that is held neither opens nor
// overlaps: tau.v + r.(n cross omega) = d/h, of which the smallest tau and r/L are taken. Both bodies have the same
// point and opposite forces there, so that momentum stays.
template <class Scalar>
void fit_to_gap(ContactPointOf<Scalar>& contact, double h, TwistOf<Scalar> const& a,
                TwistOf<Scalar> const& b) {
  constexpr double rounding = 1e-14, most = 0.1;
  if (!(contact.gap_at_end == contact.gap_at_end)) return;
  Vector3<Scalar> const v = b.at(contact.p) - a.at(contact.p), turn = contact.n.cross(b.omega - a.omega);
  Scalar const d = contact.gap_at_end - contact.gap - h * contact.n.dot(v);
  Scalar const from_a = (contact.p - a.origin).norm(), from_b = (contact.p - b.origin).norm();
  Scalar const L = smaller(from_a, from_b);
  if (!(abs(d) > rounding * (contact.p.norm() + from_a + from_b + contact.radius_b))) return;
  Scalar const square = v.squaredNorm() + L * L * turn.squaredNorm();
  if (!(abs(d) < most * h * sqrt(square))) return;
  contact.n += d / (h * square) * v;
  contact.p += d / (h * square) * L * L * turn;
}

// Whether a contact at c on a box, which moves along it with this velocity, is beyond the rim after the time t.
template <class Scalar>
bool leaves_box(PlacedShapeOf<Scalar> const& box, Eigen::Vector3d const& c, Eigen::Vector3d const& n,
                Eigen::Vector3d const& velocity, double closing, double t) {
  // One that is within a tenth of its way from the rim then may be beside it. Slower drift is rounding.
  constexpr double of_way = 1.1, drift = 1e-3;
  if (box.geometry.kind != ShapeKind::box) return false;
  Eigen::Matrix3d const R = values_of(box.pose.R);
  Eigen::Vector3d const half = values_of(box.geometry.half),
                        q = R.transpose() * (c - values_of(box.pose.position)),
                        moves = R.transpose() * velocity, normal = R.transpose() * n;
  for (int axis = 0; axis < 3; ++axis) {
    double const speed = std::abs(moves[axis]);
    if (std::abs(normal[axis]) > 0.5 || speed < drift * closing) continue;
    if (half[axis] - (moves[axis] < 0 ? -q[axis] : q[axis]) < of_way * speed * t) return true;
  }
  return false;
}

}  // namespace

template <class Scalar>
void contact_tangents(int dimension, Vector3<Scalar> const& n, Vector3<Scalar>& t1, Vector3<Scalar>& t2) {
  if (dimension == 3) return tangents_of<Scalar>(n, t1, t2);
  t1 = {n[1], -n[0], 0};
  t2 = Vector3<Scalar>::UnitZ();
}

// The pair of a contact with an impact law only holds it closed: no bounce comes from it.
template <class Scalar>
RelaxationPairOf<Scalar> SceneTerms<Scalar>::relaxation_of(ContactParameters const& law) const {
  return {law.zeta >= 0 ? parameter(law.zeta) : Scalar(1.0), parameter(law.delta)};
}

// Friction does not fade because a contact bounces: the slip decays at least as fast as in section 5.1 of
// Kikuuwe and Brogliato 2017 (2 zeta = 1), and as in (64) where zeta is larger.
template <class Scalar>
RelaxationPairOf<Scalar> SceneTerms<Scalar>::tangential_relaxation_of(ContactParameters const& law) const {
  RelaxationPairOf<Scalar> pair = relaxation_of(law);
  pair.zeta = law.tangential_zeta >= 0 ? parameter(law.tangential_zeta) : std::max<Scalar>(pair.zeta, 0.5);
  if (law.tangential_delta >= 0) pair.delta = parameter(law.tangential_delta);
  return pair;
}

template <class Scalar>
Scalar SceneTerms<Scalar>::margin_of(ContactParameters const& law, Scalar speed, Scalar extent) const {
  if (law.compliant() && !of_step()) return 0.0;
  if (law.normal == NormalLaw::bilateral) return std::numeric_limits<double>::infinity();
  double const of_gravity = fastest_of_gravity * gravity();
  if (at_.step > 0) {
    // The fixed-step schemes use (1/2, step) instead of (zeta, delta). A point mass without gravity has no other measure.
    Scalar const step = at_.step, size = near_share * extent;
    Scalar const fastest = extent > 0 || of_gravity > 0 ? of_gravity : fastest_approach;
    return step * speed + std::max<Scalar>(fastest * step * step, size);
  }
  RelaxationPairOf<Scalar> const relaxation = relaxation_of(law);
  return 2 * relaxation.zeta * relaxation.delta * speed +
         std::max<Scalar>(fastest_approach, of_gravity) * relaxation.delta * relaxation.delta;
}

template <class Scalar>
double SceneTerms<Scalar>::gravity() const {
  if (scene_.gravity < 0) return 0;
  Vector3<Scalar> const g = vector_parameter<Scalar>(at_.parameter, scene_.gravity, scene_.dimension);
  return elementary::hypot(value_of(g[0]), value_of(g[1]), value_of(g[2]));
}

// The speed of the fastest point of a body within `extent` of `around`.
template <class Scalar>
Scalar SceneTerms<Scalar>::speed_of(int body_index, Vector3<Scalar> const& around, Scalar extent) const {
  TwistOf<Scalar> const& twist = pose(body_index).twist;
  return twist.at(around).norm() + twist.omega.norm() * extent;
}

// The rows of a contact that is about to close hold for an instant: they take the face for a plane. A corner that will have
// left its face before it reaches it does not touch. Where it is stopped all the same, a body may be squeezed that has a way
// out, as a block that a door pushes away when the end of the door passes it; only then such contacts are left out
// (Dynamics::evaluate), because they come and go with the velocity.
template <class Scalar>
void SceneTerms<Scalar>::remove_leaving(Pair const& pair, PlacedShapeOf<Scalar> const& on_a,
                                        PlacedShapeOf<Scalar> const& on_b) {
  constexpr double touching = 1e-9, nearly_parallel = 1e-6;
  if (!at_.corners_part || pair.law->compliant() || pair.law->normal == NormalLaw::bilateral) return;
  RelaxationPairOf<Scalar> const relaxation = relaxation_of(*pair.law);
  double const horizon =
      at_.step > 0 ? at_.step : value_of(relaxation.delta) * std::max(1.0, 2 * value_of(relaxation.zeta));
  double const size =
      std::max(value_of(Scalar(on_a.geometry.half.norm())), value_of(Scalar(on_b.geometry.half.norm())));
  auto const leaves = [&](ContactPointOf<Scalar> const& contact) {
    Eigen::Vector3d const n = values_of(contact.n), c_a = values_of(contact.c_a),
                          c_b = values_of(contact.c_b);
    Eigen::Vector3d const v = values_of(
        Vector3<Scalar>(pose(pair.body_b).twist.at(contact.p) - pose(pair.body_a).twist.at(contact.p)));
    double const gap = value_of(contact.gap), closing = -n.dot(v);
    if (!(gap > touching * size) || !(gap < closing * horizon)) return false;
    // The way along a shape until the gap is closed, beside that to the rim.
    auto const beyond = [&](PlacedShapeOf<Scalar> const& shape, Eigen::Vector3d const& c,
                            Eigen::Vector3d const& velocity) {
      return leaves_box(shape, c, n, velocity, closing, gap / closing);
    };
    switch (contact.pair) {
      case FeaturePair::face_point:
        return beyond(on_a, c_b, v);
      case FeaturePair::point_face:
        return beyond(on_b, c_a, -v);
      case FeaturePair::segment_segment: {
        // The crossing moves along both edges: alpha e_a - beta e_b = v.
        Eigen::Vector3d const e_a = values_of(contact.e_a), e_b = values_of(contact.e_b);
        double const k = e_a.dot(e_b), determinant = 1 - k * k;
        if (determinant < nearly_parallel) return false;
        double const alpha = (v.dot(e_a) - k * v.dot(e_b)) / determinant,
                     beta = (k * v.dot(e_a) - v.dot(e_b)) / determinant;
        return beyond(on_a, c_a, alpha * e_a) || beyond(on_b, c_b, beta * e_b);
      }
      case FeaturePair::point_point:
      case FeaturePair::segment_point:
      case FeaturePair::point_segment:
        break;
    }
    return false;
  };
  int count = 0;
  for (int i = 0; i < work_.points.count; ++i) {
    ContactPointOf<Scalar> const& contact = work_.points.item[static_cast<std::size_t>(i)];
    if (leaves(contact)) continue;
    if (count != i) work_.points.item[static_cast<std::size_t>(count)] = contact;
    ++count;
  }
  work_.points.count = count;
}

template <class Scalar>
void SceneTerms<Scalar>::write_contacts() {
  auto const extent = [](PlacedShapeOf<Scalar> const& placed) {
    return placed.geometry.half.norm() + placed.geometry.radius;
  };
  for (std::size_t i = 0; i < scene_.contacts.size(); ++i) {
    Contact const& contact = scene_.contacts[i];
    Pair const pair{contact.a.point.body,
                    contact.b.point.body,
                    static_cast<int>(i),
                    false,
                    &contact.law,
                    identity_of(BlockOwner::contact, i),
                    contact.first_deflection};
    auto const place_side = [&](ContactSide const& side, std::vector<BodyPoseOf<Scalar>> const& poses) {
      return place<Scalar>(scene_, side, contact.height, pose(poses, side.point.body), at_.parameter);
    };
    PlacedShapeOf<Scalar> const on_a = place_side(contact.a, poses_at_start()),
                                on_b = place_side(contact.b, poses_at_start());
    Scalar const speed = speed_of(pair.body_a, on_b.pose.position, extent(on_b)) +
                         speed_of(pair.body_b, on_b.pose.position, extent(on_b));
    // That of a plane and of a point is zero; a point has an arm.
    Scalar const smaller_one = smaller(extent(on_a), extent(on_b)), both = extent(on_a) + extent(on_b);
    Scalar const arm = (on_b.pose.position - pose(poses_at_start(), pair.body_b).twist.origin).norm();
    Scalar const size = smaller_one > 0 ? smaller_one : (both > 0 ? both : arm);
    Scalar const margin = margin_of(contact.law, speed, size);
    find_contacts<Scalar>(on_a.geometry, on_a.pose, on_b.geometry, on_b.pose, scene_.dimension, margin,
                          work_.points);
    work_.neighbours.template keep_exposed<Scalar>(
        scene_, {contact.a, on_a, pose(poses_at_start(), pair.body_a)},
        {contact.b, on_b, pose(poses_at_start(), pair.body_b)}, contact.height, margin, work_.points);
    remove_leaving(pair, on_a, on_b);
    if (of_step() && work_.points.count > 0) {
      PlacedShapeOf<Scalar> const a_end = place_side(contact.a, work_.end),
                                  b_end = place_side(contact.b, work_.end);
      find_points_at_end({contact.a, a_end, pose(work_.end, pair.body_a)},
                         {contact.b, b_end, pose(work_.end, pair.body_b)}, contact.height);
      note_appearing_points(pair, smaller(half_size_of(on_a.geometry), half_size_of(on_b.geometry)));
    }
    write_points(pair);
  }
}

template <class Scalar>
void SceneTerms<Scalar>::write_groups() {
  for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
    place_group(scene_.groups[g]);
    for (auto const& [i, j] : work_.broad_phase.find_pairs(work_.bounds)) {
      GroupSideOf<Scalar> const *a = &work_.sides[static_cast<std::size_t>(i)],
                                *b = &work_.sides[static_cast<std::size_t>(j)];
      if (a->body == b->body || (!a->moves && !b->moves)) continue;
      if (!can_collide(a->placed.geometry.kind, b->placed.geometry.kind)) continue;
      if (!scene_.has_law_of(scene_.groups[g], a->side.shape, b->side.shape)) continue;
      // The normal points out of the side that cannot move, as for declared pairs.
      if (!b->moves || b->placed.geometry.kind == ShapeKind::plane) std::swap(a, b);
      std::size_t const part = (static_cast<std::size_t>(i) << 28U) | (static_cast<std::size_t>(j) << 8U);
      write_group_pair(g, *a, *b, part);
    }
  }
}

template <class Scalar>
void SceneTerms<Scalar>::place_group(ContactGroup const& group) {
  std::size_t const count = group.shapes.size() + (group.with_ground ? 1 : 0);
  work_.sides.resize(count);
  work_.bounds.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    int const shape = k < group.shapes.size() ? group.shapes[k] : -1;
    GroupSideOf<Scalar>& side = work_.sides[k];
    side.body = shape >= 0 ? scene_.shapes[static_cast<std::size_t>(shape)].body : ground_body;
    side.moves = side.body != ground_body && body(side.body).moves_freely();
    side.side = {{side.body, -1}, shape};
    auto const place_at = [&](std::vector<BodyPoseOf<Scalar>> const& poses) {
      return place<Scalar>(scene_, side.side, group.height, pose(poses, side.body), at_.parameter);
    };
    side.placed = place_at(poses_at_start());
    if (of_step()) side.placed_at_end = place_at(work_.end);
    side.extent = side.placed.geometry.half.norm() + side.placed.geometry.radius;
    side.rests = side.body == ground_body || body(side.body).type == BodyType::fixed;
    side.speed = side.rests ? 0 : speed_of(side.body, side.placed.pose.position, side.extent);
    side.margin = margin_of(group.law, side.speed, side.extent);
    // The speed of approach of a rotating plane depends on the place, so it is paired with everything.
    bool const anywhere = side.placed.geometry.kind == ShapeKind::plane && !side.rests;
    PlacedShape const& values = values_of(side.placed);
    work_.bounds[k] = bounds_of(values.geometry, values.pose,
                                anywhere ? std::numeric_limits<double>::infinity() : value_of(side.margin));
  }
}

template <class Scalar>
void SceneTerms<Scalar>::write_group_pair(std::size_t group, GroupSideOf<Scalar> const& a,
                                          GroupSideOf<Scalar> const& b, std::size_t part) {
  ContactParameters const& law = scene_.groups[group].law;
  ShapePoseOf<Scalar> const &at_a = a.placed.pose, &at_b = b.placed.pose;
  Scalar const margin =
      a.rests ? b.margin : margin_of(law, pose(a.body).twist.at(at_b.position).norm() + b.speed, b.extent);
  // For most pairs with overlapping bounding boxes, the bounding spheres show that they are apart.
  Vector3<Scalar> const between = at_b.position - at_a.position;
  Scalar const distance = a.placed.geometry.kind == ShapeKind::plane ? at_a.R.col(0).dot(between) - b.extent
                                                                     : between.norm() - a.extent - b.extent;
  if (!(distance <= margin)) return;
  find_contacts<Scalar>(a.placed.geometry, at_a, b.placed.geometry, at_b, scene_.dimension, margin,
                        work_.points);
  int const height = scene_.groups[group].height;
  work_.neighbours.template keep_exposed<Scalar>(scene_, {a.side, a.placed, pose(poses_at_start(), a.body)},
                                                 {b.side, b.placed, pose(poses_at_start(), b.body)}, height,
                                                 margin, work_.points);
  Pair const pair{
      a.body, b.body, static_cast<int>(group), true, &law, identity_of(BlockOwner::group, group, part), -1};
  remove_leaving(pair, a.placed, b.placed);
  if (of_step() && work_.points.count > 0) {
    find_points_at_end({a.side, a.placed_at_end, pose(work_.end, a.body)},
                       {b.side, b.placed_at_end, pose(work_.end, b.body)}, height);
    note_appearing_points(pair, smaller(half_size_of(a.placed.geometry), half_size_of(b.placed.geometry)));
  }
  write_points(pair);
}

// Two shapes with one contact point have the same one, whichever of their features it lies on; unless it is so far from
// where it was that it did not move there: one corner leaves a tile and another one comes. A corner that had the side of a
// step before it, and is over its top, is no longer the same.
template <class Scalar>
bool SceneTerms<Scalar>::is_same_point(ContactPointOf<Scalar> const& point, ContactPointOf<Scalar> const& end,
                                       int body_a, int body_b) const {
  constexpr double most = 2, least_cosine = 0.3;
  if (end.n.dot(point.n) < least_cosine) return false;
  if (end.feature == point.feature) return true;
  if (work_.points.count != 1 || work_.points_at_end.count != 1) return false;
  auto const speed = [&](int index) {
    TwistOf<Scalar> const& twist = move(index);
    return value_of(Scalar(twist.velocity.norm() + twist.omega.norm() * (point.p - twist.origin).norm()));
  };
  return value_of(Scalar((end.p - point.p).norm())) <= most * at_.step * (speed(body_a) + speed(body_b));
}

// In a step, a point has the average of its places and normals at both ends: exact for a vertex on a face and for
// points and spheres (step_pose.hpp), of third order for two edges. A point that is not there at the end, as that of a
// ball on a tile that it leaves for the next one, goes on as it would: at its start it would push beside the ball.
template <class Scalar>
void SceneTerms<Scalar>::find_points_at_end(SideOnBody<Scalar> const& a, SideOnBody<Scalar> const& b,
                                            int height) {
  constexpr double anywhere = std::numeric_limits<double>::infinity();
  find_contacts<Scalar>(a.placed.geometry, a.placed.pose, b.placed.geometry, b.placed.pose, scene_.dimension,
                        anywhere, work_.points_at_end);
  work_.neighbours.template keep_exposed<Scalar>(scene_, a, b, height, anywhere, work_.points_at_end);
  for (int i = 0; i < work_.points.count; ++i) {
    ContactPointOf<Scalar>& point = work_.points.item[static_cast<std::size_t>(i)];
    bool found = false;
    for (int j = 0; j < work_.points_at_end.count && !found; ++j) {
      ContactPointOf<Scalar> const& end = work_.points_at_end.item[static_cast<std::size_t>(j)];
      if (!is_same_point(point, end, a.side.point.body, b.side.point.body)) continue;
      point.n = (point.n + end.n) / 2;
      point.p = (point.p + end.p) / 2;
      point.gap_at_end = end.gap;
      found = true;
    }
    if (found) continue;
    auto const from_start = [&](int index) {
      TwistOf<Scalar> twist = move(index);
      twist.origin = pose(poses_at_start(), index).twist.origin;
      return twist;
    };
    ContactRatesOf<Scalar> const rates =
        contact_rates<Scalar>(point, from_start(a.side.point.body), from_start(b.side.point.body));
    point.n += at_.step / 2 * rates.n;
    point.p += at_.step / 2 * rates.p;
  }
}

// Features of a pair that overlap at the end of a step and are not there at its start. Their gap at its start follows
// from the motion over it. Compliant ones join the points of the step: without their force, the energy that they hold at
// the end would come from nowhere.
template <class Scalar>
void SceneTerms<Scalar>::note_appearing_points(Pair const& pair, Scalar half_size) {
  if (pair.law->compliant()) {
    int const there = work_.points.count;
    bool const only = there == 1 && work_.points_at_end.count == 1;
    for (int j = 0; j < work_.points_at_end.count && work_.points.count < most_contact_points; ++j) {
      ContactPointOf<Scalar> const& end = work_.points_at_end.item[static_cast<std::size_t>(j)];
      bool known =
          !(end.gap < 0) || (only && is_same_point(work_.points.item[0], end, pair.body_a, pair.body_b));
      for (int i = 0; i < there; ++i)
        known |= work_.points.item[static_cast<std::size_t>(i)].feature == end.feature;
      if (known) continue;
      ContactPointOf<Scalar>& point = work_.points.item[static_cast<std::size_t>(work_.points.count++)];
      point = end;
      point.gap_at_end = end.gap;
      point.gap = end.gap - at_.step * end.n.dot(move(pair.body_b).at(end.p) - move(pair.body_a).at(end.p));
    }
    return;
  }
  if (pair.law->normal == NormalLaw::bilateral || work_.points.count == 0) return;
  for (int j = 0; j < work_.points_at_end.count; ++j) {
    ContactPointOf<Scalar> const& end = work_.points_at_end.item[static_cast<std::size_t>(j)];
    if (!(end.gap < 0)) continue;
    bool known = false;
    for (int i = 0; i < work_.points.count; ++i)
      known |= work_.points.item[static_cast<std::size_t>(i)].feature == end.feature;
    BlockIdentity const identity = pair.first_identity + static_cast<BlockIdentity>(end.feature);
    if (known || !is_open(identity, pair.law->restitution >= 0)) continue;
    double const rate = value_of(end.n.dot(move(pair.body_b).at(end.p) - move(pair.body_a).at(end.p)));
    terms_.open.push_back(
        {identity, value_of(end.gap) - at_.step * rate, rate, value_of(end.gap), value_of(half_size)});
  }
}

template <class Scalar>
void SceneTerms<Scalar>::write_points(Pair const& pair) {
  // Blocks come in the order of their identities.
  auto const count = static_cast<std::size_t>(work_.points.count);
  std::array<std::size_t, most_contact_points> order;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t place = i;
    int const feature = work_.points.item[i].feature;
    for (; place > 0 && work_.points.item[order[place - 1]].feature > feature; --place)
      order[place] = order[place - 1];
    order[place] = i;
  }
  work_.rubbing.clear();
  for (std::size_t i = 0; i < count; ++i) write_point(pair, work_.points.item[order[i]]);
  for (RubbingPointOf<Scalar> const& point : work_.rubbing) {
    int const block = add_block(point.identity, point.set, {},
                                std::span<const ConstraintRowOf<Scalar>>(point.rows)
                                    .first(static_cast<std::size_t>(scene_.dimension - 1)),
                                pair.body_b, pair.body_a);
    terms_.blocks[static_cast<std::size_t>(block)].compliance = point.compliance;
  }
}

template <class Scalar>
void SceneTerms<Scalar>::write_point(Pair const& pair, ContactPointOf<Scalar> const& given) {
  ContactParameters const& law = *pair.law;
  ContactPointOf<Scalar> contact = given;
  if (of_step() && !law.compliant())
    fit_to_gap<Scalar>(contact, at_.step, move(pair.body_a), move(pair.body_b));
  BodyPoseOf<Scalar> const &pose_a = pose(pair.body_a), &pose_b = pose(pair.body_b);
  ContactRatesOf<Scalar> rates = contact_rates<Scalar>(contact, pose_a.twist, pose_b.twist);
  if (double const share = place_in_gap(contact.pair); share > 0) {
    Scalar const rate = contact.n.dot(pose_b.twist.at(contact.p) - pose_a.twist.at(contact.p));
    // Over a step the place and the normal are averages, too.
    bool const has_end = contact.gap_at_end == contact.gap_at_end;
    Scalar const gap = has_end ? (contact.gap + contact.gap_at_end) / 2 : contact.gap;
    rates.p -= share * (rate * contact.n + gap * rates.n);
    contact.p -= share * gap * contact.n;
  }
  Vector3<Scalar> t1, t2;
  contact_tangents<Scalar>(scene_.dimension, of_step() ? Vector3<Scalar>(contact.n.normalized()) : contact.n,
                           t1, t2);
  auto const tangential_rows = static_cast<std::size_t>(scene_.dimension - 1);
  std::array<ConstraintRowOf<Scalar>, 3> rows;
  PointRows<Scalar> const of_bodies(contact.p, rates.p, pose_b.twist, pose_a.twist);
  auto const write_tangential = [&](PointRows<Scalar> const& of_surfaces) {
    for (std::size_t k = 0; k < tangential_rows; ++k) {
      Vector3<Scalar> const& t = k == 0 ? t1 : t2;
      of_surfaces.write(t, -t.dot(rates.n) * contact.n, rows[k]);
    }
  };
  if (is_belt(pair.body_a) || is_belt(pair.body_b)) {
    write_tangential(PointRows<Scalar>(contact.p, rates.p, pose_b.surface, pose_a.surface));
  } else {
    write_tangential(of_bodies);
  }
  ConstraintRowOf<Scalar>& normal = rows[tangential_rows];
  of_bodies.write(contact.n, rates.n, normal);
  normal.Psi = contact.gap;

  ActivePointOf<Scalar>& active = work_.active.emplace_back();
  active.element = pair.element;
  active.grouped = pair.grouped;
  active.body_a = pair.body_a;
  active.body_b = pair.body_b;
  active.feature = contact.feature;
  active.gap = contact.gap;
  active.p = contact.p;
  active.n = contact.n;
  for (std::size_t k = 0; k < tangential_rows; ++k)
    active.velocity[static_cast<Eigen::Index>(k)] = rows[k].velocity;
  active.velocity[2] = normal.velocity;

  std::span<const ConstraintRowOf<Scalar>> const all =
      std::span<const ConstraintRowOf<Scalar>>(rows).first(tangential_rows + 1);
  if (law.compliant()) {
    if (of_step()) {
      write_compliant_point_over_step(pair, contact, active, all, t1, t2);
    } else {
      write_compliant_point(pair, contact, active, all.first(tangential_rows), t1, t2);
    }
    return;
  }
  bool const plane = scene_.dimension == 2, bilateral = law.normal == NormalLaw::bilateral;
  BlockIdentity const identity = pair.first_identity + static_cast<BlockIdentity>(contact.feature);
  if (!bilateral && is_open(identity, law.restitution >= 0)) {
    terms_.open.push_back(
        {identity, value_of(contact.gap), value_of(normal.velocity), value_of(contact.gap_at_end)});
    return;
  }
  ForceSetOf<Scalar> set;
  Vector2<Scalar> slip = active.velocity.template head<2>();
  if (of_step()) {
    Vector3<Scalar> const relative = move(pair.body_b).at(contact.p) - move(pair.body_a).at(contact.p);
    slip = {t1.dot(relative), plane ? Scalar(0.0) : t2.dot(relative)};
  }
  if (!law.frictional()) {
    set.kind = bilateral ? ForceSetKind::free1 : ForceSetKind::half_line;
  } else if (law.friction == FrictionLaw::smooth && !(of_step() && !bilateral)) {
    set.kind = plane ? ForceSetKind::directed2 : ForceSetKind::directed3;
    Vector2<Scalar> const share = smooth_friction<Scalar>(law, at_.parameter, slip);
    set.direction = {share[0], share[1]};
  } else {
    set.kind = bilateral ? (plane ? ForceSetKind::double_cone2 : ForceSetKind::double_cone3)
                         : (plane ? ForceSetKind::cone2 : ForceSetKind::cone3);
    set.limit = friction_bound<Scalar>(law.mu, at_.parameter, slip.norm());
  }
  active.block = add_block(identity, set, relaxation_of(law), law.frictional() ? all : all.last(1),
                           pair.body_b, pair.body_a);
  ConstraintBlockOf<Scalar>& block = terms_.blocks[static_cast<std::size_t>(active.block)];
  block.tangential = tangential_relaxation_of(law);
  if (set.kind != ForceSetKind::half_line && law.friction == FrictionLaw::smooth && of_step() && !bilateral)
    block.slip_compliance = slip_compliance(law, slip, force_of(identity, tangential_rows));
  if (law.restitution >= 0) block.restitution = parameter(law.restitution);
  block.restitution_law = law.restitution_law;
}

// Friction mu lambda_n tanh(|s|/gamma) against a slip s. Over a step, its direction and share from the last estimate of s
// would jam where friction is steep, or turn round from estimate to estimate. As a contact that gives way by the ratio of
// slip to force of the last estimate,
//
//   J v_mid + c lambda_t = 0,   c = |s|/(mu lambda_n tanh(|s|/gamma)),   |lambda_t| <= mu lambda_n,
//
// it opposes the slip that it leads to, and estimates come nearer from one side (Kacanov's iteration). No force is known:
// Coulomb's.
template <class Scalar>
Scalar SceneTerms<Scalar>::slip_compliance(ContactParameters const& law, Vector2<Scalar> const& slip,
                                           Scalar const& normal_force) const {
  if (!(normal_force > 0)) return 0;
  Scalar const speed = slip.norm();
  // tanh(x)/x is 1 to rounding below.
  constexpr double nearly_at_rest = 1e-9;
  Scalar const gamma = parameter(law.gamma);
  Vector2<Scalar> const used =
      speed > nearly_at_rest * gamma ? slip : Vector2<Scalar>(nearly_at_rest * gamma, 0);
  Scalar const share = smooth_friction<Scalar>(law, at_.parameter, used).norm();
  if (!(share > 0)) return 0;
  return used.norm() / (share * normal_force * at_.theta * at_.step);
}

template <class Scalar>
Scalar SceneTerms<Scalar>::force_of(BlockIdentity identity, std::size_t row) const {
  auto const found =
      std::lower_bound(at_.forces.begin(), at_.forces.end(), identity,
                       [](BlockForce const& force, BlockIdentity wanted) { return force.identity < wanted; });
  return found != at_.forces.end() && found->identity == identity ? found->lambda[row] : 0.0;
}

// Explicit instantiations for both scalars.
template void contact_tangents(int, Vector3<double> const&, Vector3<double>&, Vector3<double>&);
template void contact_tangents(int, Vector3<Dual> const&, Vector3<Dual>&, Vector3<Dual>&);
template double SceneTerms<double>::slip_compliance(ContactParameters const&, Vector2<double> const&,
                                                    double const&) const;
template Dual SceneTerms<Dual>::slip_compliance(ContactParameters const&, Vector2<Dual> const&,
                                                Dual const&) const;
template void SceneTerms<double>::write_contacts();
template void SceneTerms<Dual>::write_contacts();
template void SceneTerms<double>::write_groups();
template void SceneTerms<Dual>::write_groups();

}  // namespace delassus
