// Springs with dampers, between two points or about an axis: force -k s - c s' along a row, for the stretch s.
//
// Over a step of h seconds from s_0 to s_1 the force -k (s_0 + s_1)/2 - c (s_1 - s_0)/h does the work of the
// potential k s^2/2, and the damper takes what it should, however long the step is. Because s_1 = s_0 + h J v_mid,
// it is a constraint that gives way,
//
//   J v_mid + lambda/g + (k/g) s_0 = 0,   g = k h/2 + c.
//
// A soft spring is taken from the last estimate of the step's end instead: as a constraint it would only make
// the contact problem badly scaled.
#include <algorithm>

#include "model/equations/scene_terms.hpp"
#include "model/equations/spring.hpp"

namespace delassus {
template <class Scalar>
Scalar rest_length(Scene const& scene, Spring const& spring, std::span<const Scalar> parameter,
                   std::span<const Scalar> input) {
  if (spring.length >= 0) return parameter[static_cast<std::size_t>(spring.length)];
  return initial_distance<Scalar>(scene, spring.a, spring.b, parameter, input);
}

template <class Scalar>
Scalar SceneTerms<Scalar>::response(ConstraintRowOf<Scalar> const& row, int plus, int minus) const {
  auto const of_side = [&](int index, Vector3<Scalar> const& direction, Vector3<Scalar> const& moment) {
    if (index == ground_body || !body(index).moves_freely()) return Scalar(0.0);
    Body const& b = body(index);
    Scalar sum =
        (b.type == BodyType::slider ? direction[b.axis] * direction[b.axis] : direction.squaredNorm()) /
        parameter(b.mass);
    if (b.type == BodyType::planar) sum += moment[2] * moment[2] / parameter(b.inertia);
    if (b.type == BodyType::rigid) {
      // At most: by the smallest moment of inertia, for which the smallest diagonal element serves.
      Matrix3<Scalar> const I =
          terms_.M[static_cast<std::size_t>(b.mass_block)].M.template bottomRightCorner<3, 3>();
      sum += moment.squaredNorm() / std::min(I(0, 0), std::min(I(1, 1), I(2, 2)));
    }
    return sum;
  };
  return of_side(plus, row.plus_direction, row.plus_moment) +
         of_side(minus, row.minus_direction, row.minus_moment);
}

template <class Scalar>
void SceneTerms<Scalar>::apply_spring(BlockIdentity identity, ConstraintRowOf<Scalar> const& row,
                                      Scalar stiffness, Scalar damping, Scalar stretch, Scalar stretch_at_end,
                                      int plus, int minus) {
  note_arm(row, plus, minus);
  Scalar force = -stiffness * stretch - damping * row.velocity;
  if (of_step()) {
    double const h = at_.step;
    Scalar const g = stiffness * h / 2 + damping;
    if (g * h * at_.theta * response(row, plus, minus) > stiff_share) {
      ConstraintRowOf<Scalar> with_bias = row;
      with_bias.Psi = h * stiffness / g * stretch;
      int const block = add_block(identity, {ForceSetKind::free1}, {}, {&with_bias, 1}, plus, minus);
      terms_.blocks[static_cast<std::size_t>(block)].compliance = 1 / (at_.theta * h * g);
      return;
    }
    force = -stiffness * (stretch + stretch_at_end) / 2 - damping * (stretch_at_end - stretch) / h;
  }
  apply_force(plus, pose(plus).twist.origin, force * row.plus_direction);
  apply_torque(plus, force * row.plus_moment);
  apply_force(minus, pose(minus).twist.origin, force * row.minus_direction);
  apply_torque(minus, force * row.minus_moment);
}

template <class Scalar>
void SceneTerms<Scalar>::write_springs() {
  for (std::size_t i = 0; i < scene_.springs.size(); ++i) {
    Spring const& spring = scene_.springs[i];
    int const body_a = spring.a.body, body_b = spring.b.body;
    BodyPoseOf<Scalar> const &a = pose(body_a), &b = pose(body_b);
    BlockIdentity const identity = identity_of(BlockOwner::spring, i);
    Scalar const stiffness = parameter(spring.stiffness), damping = parameter(spring.damping);
    if (spring.torsional) {
      Vector3<Scalar> const axis =
          spring.axis >= 0 ? vector_parameter<Scalar>(at_.parameter, spring.axis, scene_.dimension)
                           : Vector3<Scalar>::UnitZ();
      auto const turn_at = [&](std::vector<BodyPoseOf<Scalar>> const& poses) {
        return relative_turn<Scalar>(scene_, body_a, body_b, axis, at_, pose(poses, body_a),
                                     pose(poses, body_b));
      };
      Scalar const rest = parameter(spring.length);
      RelativeTurnOf<Scalar> turn = turn_at(work_.poses);
      Scalar start = turn.angle, end = turn.angle;
      note_held(body_a, body_b);
      note_held(body_b, body_a);
      if (of_step()) {
        Vector3<Scalar> const turned = at_.step * (move(body_a).omega - move(body_b).omega);
        start = turn_at(work_.start).angle;
        // A damper alone has no potential, and follows the velocity.
        Scalar const change = stiffness > 0 ? fit_to_turn<Scalar>(turned, turn_at(work_.end).angle - start,
                                                                  a.twist, b.twist, turn.row)
                                            : turn.row.plus_moment.dot(turned);
        end = start + change;
      }
      apply_spring(identity, turn.row, stiffness, damping, start - rest, end - rest, body_a, body_b);
      continue;
    }
    Vector3<Scalar> const in_a = point_in_body<Scalar>(scene_, spring.a, at_.parameter),
                          in_b = point_in_body<Scalar>(scene_, spring.b, at_.parameter);
    auto const span_at = [&](std::vector<BodyPoseOf<Scalar>> const& poses) -> Vector3<Scalar> {
      return pose(poses, body_a).point(in_a) - pose(poses, body_b).point(in_b);
    };
    Scalar const rest = rest_length<Scalar>(scene_, spring, at_.parameter, at_.input);
    Vector3<Scalar> const s = span_at(work_.poses);
    // Over a step |s_1| - |s_0| = (s_0 + s_1).(s_1 - s_0)/(|s_0| + |s_1|).
    Scalar const start = span_at(poses_at_start()).norm(), end = span_at(poses_at_end()).norm();
    Scalar const length = (start + end) / 2;
    if (!(length > 0)) continue;  // no direction of the force
    Vector3<Scalar> const d = s / length, p_a = a.point(in_a), p_b = b.point(in_b);
    ConstraintRowOf<Scalar> row;
    row.plus_direction = d;
    row.plus_moment = (p_a - a.twist.origin).cross(d);
    row.minus_direction = -d;
    row.minus_moment = -(p_b - b.twist.origin).cross(d);
    row.velocity = d.dot(a.twist.at(p_a) - b.twist.at(p_b));
    apply_spring(identity, row, stiffness, damping, start - rest, end - rest, body_a, body_b);
  }
}

// Explicit instantiations for both scalars.
template double rest_length(Scene const&, Spring const&, std::span<const double>, std::span<const double>);
template Dual rest_length(Scene const&, Spring const&, std::span<const Dual>, std::span<const Dual>);
template double SceneTerms<double>::response(ConstraintRowOf<double> const&, int, int) const;
template Dual SceneTerms<Dual>::response(ConstraintRowOf<Dual> const&, int, int) const;
template void SceneTerms<double>::write_springs();
template void SceneTerms<Dual>::write_springs();

}  // namespace delassus
