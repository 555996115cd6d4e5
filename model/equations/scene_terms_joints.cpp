// The blocks that are always there: joints, frictions of known bound, rolling, knife edges.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/equations/contact_law.hpp"
#include "model/equations/scene_terms.hpp"

namespace delassus {
namespace {

ForceSetKind free_set(int rows) {
  return rows == 1 ? ForceSetKind::free1 : rows == 2 ? ForceSetKind::free2 : ForceSetKind::free3;
}

// The rows of a rigid body. For the usual numbers of rows the compiler knows the size.
template <int fixed_count, class Scalar>
void write_rigid_rows(std::span<const ConstraintRowOf<Scalar>> rows, bool is_plus, Scalar* J) {
  int const count = fixed_count > 0 ? fixed_count : static_cast<int>(rows.size());
  for (int i = 0; i < count; ++i) {
    ConstraintRowOf<Scalar> const& row = rows[static_cast<std::size_t>(i)];
    Vector3<Scalar> const& direction = is_plus ? row.plus_direction : row.minus_direction;
    Vector3<Scalar> const& moment = is_plus ? row.plus_moment : row.minus_moment;
    for (int k = 0; k < 3; ++k) {
      J[k * count + i] = direction[k];
      J[(k + 3) * count + i] = moment[k];
    }
  }
}

}  // namespace

template <class Scalar>
int SceneTerms<Scalar>::add_block(BlockIdentity identity, ForceSetOf<Scalar> const& set,
                                  RelaxationPairOf<Scalar> const& relaxation,
                                  std::span<const ConstraintRowOf<Scalar>> rows, int plus, int minus) {
  int const index = static_cast<int>(terms_.blocks.size());
  terms_.blocks.push_back({identity, static_cast<int>(terms_.velocity.size()), set, relaxation, relaxation});
  for (ConstraintRowOf<Scalar> const& row : rows) {
    if (!is_unilateral(set.kind)) note_arm(row, plus, minus);
    terms_.velocity.push_back(row.velocity);
    terms_.Jdot_v.push_back(of_step() ? Scalar(0.0) : row.Jdot_v);
    terms_.Psi.push_back(row.Psi);
  }
  auto const add_side = [&](int body_index, bool is_plus) {
    if (body_index == ground_body || !body(body_index).moves_freely()) return;
    Body const& b = body(body_index);
    int const count = static_cast<int>(rows.size());
    if (b.type == BodyType::rigid) {  // most of all bodies
      Scalar* const J = terms_.J.add_unset(index, b.mass_block, count, 6).data();
      if (count == 3) {
        write_rigid_rows<3, Scalar>(rows, is_plus, J);
      } else {
        write_rigid_rows<0, Scalar>(rows, is_plus, J);
      }
      return;
    }
    auto J = terms_.J.add(index, b.mass_block, count, b.degrees_of_freedom);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ConstraintRowOf<Scalar> const& row = rows[i];
      project_on_velocities(b, is_plus ? row.plus_direction : row.minus_direction,
                            is_plus ? row.plus_moment : row.minus_moment,
                            J.row(static_cast<Eigen::Index>(i)));
    }
  };
  add_side(plus, true);
  add_side(minus, false);
  return index;
}

template <class Scalar>
JointRowsOf<Scalar> SceneTerms<Scalar>::rows_of_joint(Joint const& joint) const {
  auto const rows_at = [&](std::vector<BodyPoseOf<Scalar>> const& poses) {
    return evaluate_joint<Scalar>(scene_, joint, at_, pose(poses, joint.a.body), pose(poses, joint.b.body));
  };
  JointRowsOf<Scalar> rows = rows_at(work_.poses);
  if (!of_step()) return rows;
  JointRowsOf<Scalar> const start = rows_at(work_.start);
  for (std::size_t i = 0; i < rows.row.size(); ++i) rows.row[i].Psi = start.row[i].Psi;
  rows.coordinate = start.coordinate;
  JointRowsOf<Scalar> const end = rows_at(work_.end);
  rows.coordinate_at_end = end.coordinate;
  rows.rate = rows.along;
  if (has_free_angle(joint.type)) {
    Vector3<Scalar> const turned = at_.step * (move(joint.a.body).omega - move(joint.b.body).omega);
    rows.coordinate_at_end = start.coordinate + fit_to_turn<Scalar>(turned, end.coordinate - start.coordinate,
                                                                    pose(joint.a.body).twist,
                                                                    pose(joint.b.body).twist, rows.along);
  }
  // |s_1| - |s_0| = (s_0 + s_1).(s_1 - s_0)/(|s_0| + |s_1|)
  if (joint.type == JointType::distance) {
    Scalar const length = (start.distance + end.distance) / 2;
    if (length > 0) rows.row[0] = scaled<Scalar>(rows.row[0], rows.distance / length);
  }
  return rows;
}

template <class Scalar>
void SceneTerms<Scalar>::write_joints() {
  for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
    Joint const& joint = scene_.joints[i];
    int const a = joint.a.body, b = joint.b.body;
    JointRowsOf<Scalar> const joint_rows = rows_of_joint(joint);
    RelaxationPairOf<Scalar> const own{parameter(joint.zeta), parameter(joint.delta)};
    auto const identity = [&](JointPart part) {
      return identity_of(BlockOwner::joint, i, static_cast<std::size_t>(part));
    };
    std::span<const ConstraintRowOf<Scalar>> const rows(joint_rows.row);
    auto const translations = static_cast<std::size_t>(joint_rows.translations),
               rotations = static_cast<std::size_t>(joint_rows.rotations);
    if (translations > 0) {
      add_block(identity(JointPart::translations), {free_set(joint_rows.translations)}, own,
                rows.first(translations), a, b);
    }
    if (rotations > 0) {
      add_block(identity(JointPart::rotations), {free_set(joint_rows.rotations)}, own,
                rows.subspan(translations, rotations), a, b);
      // In space, an axis moves by w of its own body, so that the rows of two that turn are not those of their spins.
      if (scene_.dimension == 3) {
        note_held(a, b);
        note_held(b, a);
      }
    }
    if (!joint_rows.has_coordinate) continue;
    // What turns one body by another: both have to turn in the same way.
    if (has_free_angle(joint.type) &&
        (joint.lower >= 0 || joint.upper >= 0 || joint.friction >= 0 || joint.drive >= 0)) {
      note_held(a, b);
      note_held(b, a);
    }
    // `sign` is that of the row, `room` how far the coordinate is from the limit.
    auto const write_limit = [&](JointPart part, Scalar const& sign, Scalar const& limit) {
      ConstraintRowOf<Scalar> row = scaled<Scalar>(joint_rows.along, sign);
      row.Psi = sign * (joint_rows.coordinate - limit);
      if (is_open(identity(part), false)) {
        terms_.open.push_back({identity(part), value_of(row.Psi), value_of(row.velocity),
                               value_of(sign * (joint_rows.coordinate_at_end - limit))});
        return;
      }
      add_block(identity(part), {ForceSetKind::half_line}, own, {&row, 1}, a, b);
    };
    if (joint.lower >= 0) write_limit(JointPart::lower_limit, 1.0, parameter(joint.lower));
    if (joint.upper >= 0) write_limit(JointPart::upper_limit, -1.0, parameter(joint.upper));
    if (joint.friction >= 0) {
      ConstraintRowOf<Scalar> row = of_step() ? joint_rows.rate : joint_rows.along;
      row.Psi = 0;
      // A velocity row: 2 zeta = 1, as in (70).
      add_block(identity(JointPart::friction), {ForceSetKind::interval, parameter(joint.friction)},
                {0.5, own.delta}, {&row, 1}, a, b);
    }
    if (joint.drive >= 0) {
      Scalar const drive = at_.input[static_cast<std::size_t>(joint.drive)];
      ConstraintRowOf<Scalar> const& row = joint_rows.along;
      note_arm(row, a, b);
      apply_force(a, pose(a).twist.origin, drive * row.plus_direction);
      apply_torque(a, drive * row.plus_moment);
      apply_force(b, pose(b).twist.origin, drive * row.minus_direction);
      apply_torque(b, drive * row.minus_moment);
    }
  }
}

template <class Scalar>
void SceneTerms<Scalar>::write_frictions() {
  for (std::size_t i = 0; i < scene_.frictions.size(); ++i) {
    Friction const& friction = scene_.frictions[i];
    BodyPoseOf<Scalar> const &on = pose(friction.point.body), &other = pose(friction.relative_to);
    Vector3<Scalar> const p = on.point(point_in_body<Scalar>(scene_, friction.point, at_.parameter));
    std::array<ConstraintRowOf<Scalar>, 2> rows;
    Scalar squared_speed = 0;
    for (std::size_t k = 0; k < friction.axes.size(); ++k) {
      rows[k] = point_row<Scalar>(Vector3<Scalar>::Unit(friction.axes[k]), Vector3<Scalar>::Zero(), p,
                                  on.twist.at(p), on.surface, other.surface);
      Scalar const speed = of_step()
                               ? Vector3<Scalar>::Unit(friction.axes[k])
                                     .dot(move(friction.point.body).at(p) - move(friction.relative_to).at(p))
                               : rows[k].velocity;
      squared_speed += speed * speed;
    }
    Scalar const bound = friction_bound<Scalar>(friction.bound, at_.parameter, sqrt(squared_speed));
    add_block(identity_of(BlockOwner::friction, i),
              {friction.axes.size() == 1 ? ForceSetKind::interval : ForceSetKind::disc, bound},
              {parameter(friction.zeta), parameter(friction.delta)},
              std::span<const ConstraintRowOf<Scalar>>(rows).first(friction.axes.size()), friction.point.body,
              friction.relative_to);
  }
}

template <class Scalar>
void SceneTerms<Scalar>::write_rollings() {
  for (std::size_t i = 0; i < scene_.rollings.size(); ++i) {
    Rolling const& rolling = scene_.rollings[i];
    int const body_a = rolling.a.point.body, body_b = rolling.b.point.body;
    BodyPoseOf<Scalar> const &a = pose(body_a), &b = pose(body_b);
    PlacedShapeOf<Scalar> const on_a = place<Scalar>(scene_, rolling.a, rolling.height, a, at_.parameter),
                                on_b = place<Scalar>(scene_, rolling.b, rolling.height, b, at_.parameter);
    find_contacts<Scalar>(on_a.geometry, on_a.pose, on_b.geometry, on_b.pose, scene_.dimension,
                          std::numeric_limits<double>::infinity(), work_.points);
    if (work_.points.count == 0) continue;
    ContactPointOf<Scalar> const& contact = work_.points.item[0];
    ContactRatesOf<Scalar> const rates = contact_rates<Scalar>(contact, a.twist, b.twist);
    Vector3<Scalar> t1, t2;
    contact_tangents<Scalar>(scene_.dimension, contact.n, t1, t2);
    std::array<ConstraintRowOf<Scalar>, 2> rows;
    auto const count = static_cast<std::size_t>(scene_.dimension - 1);
    for (std::size_t k = 0; k < count; ++k) {
      Vector3<Scalar> const& t = k == 0 ? t1 : t2;
      rows[k] = point_row<Scalar>(t, -t.dot(rates.n) * contact.n, contact.p, rates.p, b.surface, a.surface);
    }
    add_block(identity_of(BlockOwner::rolling, i), {free_set(static_cast<int>(count))},
              {parameter(rolling.zeta), parameter(rolling.delta)},
              std::span<const ConstraintRowOf<Scalar>>(rows).first(count), body_b, body_a);
  }
}

template <class Scalar>
void SceneTerms<Scalar>::write_knife_edges() {
  for (std::size_t i = 0; i < scene_.knife_edges.size(); ++i) {
    KnifeEdge const& edge = scene_.knife_edges[i];
    BodyPoseOf<Scalar> const& on = pose(edge.point.body);
    Vector3<Scalar> const p = on.point(point_in_body<Scalar>(scene_, edge.point, at_.parameter));
    Vector3<Scalar> const d =
        on.R * vector_parameter<Scalar>(at_.parameter, edge.direction, scene_.dimension).stableNormalized();
    ConstraintRowOf<Scalar> const row =
        point_row<Scalar>(d, on.twist.omega.cross(d), p, on.twist.at(p), on.twist, ground_.twist);
    add_block(identity_of(BlockOwner::knife_edge, i), {ForceSetKind::free1},
              {parameter(edge.zeta), parameter(edge.delta)}, {&row, 1}, edge.point.body, ground_body);
  }
}

// Explicit instantiations for both scalars.
template int SceneTerms<double>::add_block(BlockIdentity, ForceSetOf<double> const&, RelaxationPair const&,
                                           std::span<const ConstraintRowOf<double>>, int, int);
template int SceneTerms<Dual>::add_block(BlockIdentity, ForceSetOf<Dual> const&,
                                         RelaxationPairOf<Dual> const&,
                                         std::span<const ConstraintRowOf<Dual>>, int, int);
template void SceneTerms<double>::write_joints();
template void SceneTerms<Dual>::write_joints();
template void SceneTerms<double>::write_frictions();
template void SceneTerms<Dual>::write_frictions();
template void SceneTerms<double>::write_rollings();
template void SceneTerms<Dual>::write_rollings();
template void SceneTerms<double>::write_knife_edges();
template void SceneTerms<Dual>::write_knife_edges();

}  // namespace delassus
