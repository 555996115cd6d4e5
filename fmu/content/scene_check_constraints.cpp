// Contacts, frictions, joints and springs.
#include <algorithm>

#include "fmu/content/scene_checker.hpp"
#include "model/equations/joint_rows.hpp"
#include "model/geometry/narrow_phase.hpp"

namespace delassus {
void SceneChecker::check_friction_parameters(FrictionParameters const& law) {
  bool const frictional = law.kinetic != -1, has_static = frictional && law.static_ != -1;
  parameter_if(frictional, "kinetic friction", law.kinetic);
  parameter_if(has_static, "static friction", law.static_);
  parameter_if(has_static, "Stribeck velocity", law.stribeck_velocity);
  parameter_if(frictional && law.weakening != -1, "weakening", law.weakening);
}

void SceneChecker::check_law(ContactParameters const& law, bool of_contact) {
  demand(law.normal >= NormalLaw::rigid && law.normal <= NormalLaw::hunt_crossley, "has an unknown law");
  demand(law.friction >= FrictionLaw::coulomb && law.friction <= FrictionLaw::compliant,
         "has an unknown friction");
  demand(law.restitution_law >= RestitutionLaw::newton && law.restitution_law <= RestitutionLaw::poisson,
         "has an unknown impact law");
  check_friction_parameters(law.mu);
  bool const frictional = law.frictional(), compliant = law.compliant(),
             bilateral = law.normal == NormalLaw::bilateral, smooth = law.friction == FrictionLaw::smooth,
             yields = law.friction == FrictionLaw::compliant;
  demand(frictional || (!smooth && !yields), "has a law of friction, and none");
  demand(!smooth || !bilateral, "is bilateral with smooth friction");
  demand(!yields || compliant, "has compliant friction and a rigid normal law");
  demand(of_contact || (!bilateral && !yields), "has a law that groups cannot have");
  parameter_if(smooth, "gamma", law.gamma);
  parameter_if(yields, "tangential stiffness", law.tangential_stiffness);
  parameter_if(yields, "tangential damping", law.tangential_damping);
  parameter_if(compliant, "stiffness", law.stiffness);
  parameter_if(compliant, "damping", law.damping);
  parameter_if(law.normal == NormalLaw::hunt_crossley, "exponent", law.exponent);
  bool const bounces = !compliant && law.restitution != -1;
  demand(!bounces || !bilateral, "is bilateral and bounces");
  parameter_if(bounces, "restitution", law.restitution);
  parameter_if(!compliant && !bounces, "zeta", law.zeta);
  parameter_if(!compliant || (frictional && law.friction == FrictionLaw::coulomb), "delta", law.delta);
  parameter_if(!compliant && frictional && law.tangential_zeta != -1, "tangential zeta", law.tangential_zeta);
  parameter_if(!compliant && frictional && law.tangential_delta != -1, "tangential delta",
               law.tangential_delta);
}

void SceneChecker::check_contact(Contact const& contact) {
  about("contact", contact.name);
  check_side(contact.a);
  check_side(contact.b);
  check_pair(contact.a.point.body, contact.b.point.body);
  demand(moves(contact.b.point.body), "has a second side that nothing moves");
  ShapeKind const kind_a = kind_of(contact.a), kind_b = kind_of(contact.b);
  demand(can_collide(kind_a, kind_b), "is between shapes that do not touch");
  check_law(contact.law, true);
  Body const& on = body(contact.b.point.body);
  bool const on_ground = contact.a.point.body == ground_body;
  demand(!on_ground || on.type != BodyType::slider ||
             (on.axis == scene_.normal_axis() && !contact.law.frictional()),
         "is between the ground and a slider that moves along it");
  for (ShapeKind const kind : {kind_a, kind_b})
    demand(
        contact.law.normal != NormalLaw::bilateral || (kind != ShapeKind::box && kind != ShapeKind::capsule),
        "is bilateral with several points");
  bool const yields = contact.law.friction == FrictionLaw::compliant;
  demand(!yields || kind_a == ShapeKind::plane, "has compliant friction, and not with a plane");
  demand(contact.deflections == (yields ? points_on_plane(kind_b, scene_.dimension) : 0),
         "has a wrong number of deflections");
  demand(contact.first_deflection == (yields ? configuration_ : -1),
         "has deflections that do not follow the coordinates before them");
  configuration_ += 2 * contact.deflections;
  parameter_if(on_ground, "height", contact.height);
}

void SceneChecker::check_group(ContactGroup const& group, std::size_t index) {
  about("contacts", group.name);
  demand(!group.shapes.empty() && group.shapes.size() < (1U << 20U), "has no shapes, or too many");
  int before = -1;
  for (int const shape : group.shapes) {
    demand(has(scene_.shapes, shape) && shape > before, "has a list of shapes that does not rise");
    before = shape;
  }
  check_law(group.law, false);
  parameter_if(group.with_ground, "height", group.height);
  for (auto const& pair : group.declared) {
    for (int const shape : pair)
      demand(shape == -1 || has(scene_.shapes, shape), "leaves out a shape that is not there");
  }
  demand(std::is_sorted(group.declared.begin(), group.declared.end()), "leaves out pairs in no order");
  for (int const other : group.yields_to)
    demand(has(scene_.groups, other) && static_cast<std::size_t>(other) != index,
           "yields to contacts that are not there");
}

void SceneChecker::check_friction(Friction const& friction) {
  about("friction", friction.name);
  check_place(friction.point);
  check_place({friction.relative_to, -1});
  check_pair(friction.point.body, friction.relative_to);
  demand(friction.axes.size() == 1 || friction.axes.size() == 2, "has neither one nor two axes");
  for (int const axis : friction.axes)
    demand(axis >= 0 && axis < scene_.dimension, "has an axis that is none");
  demand(friction.axes.front() != friction.axes.back() || friction.axes.size() == 1, "has one axis twice");
  if (friction.point.body != ground_body && body(friction.point.body).type == BodyType::slider)
    demand(friction.axes.size() == 1 && friction.axes.front() == body(friction.point.body).axis,
           "acts across its slider");
  demand(friction.bound.kinetic != -1, "has no bound");
  check_friction_parameters(friction.bound);
  parameter("zeta", friction.zeta);
  parameter("delta", friction.delta);
}

void SceneChecker::check_joint(Joint const& joint) {
  about("joint", joint.name);
  demand(joint.type >= JointType::fixed && joint.type <= JointType::point_on_line, "has an unknown type");
  bool const plane = scene_.dimension == 2;
  demand(!plane || (joint.type != JointType::spherical && joint.type != JointType::cylindrical),
         "is for space, and the scene has dimension 2");
  check_place(joint.a);
  check_place(joint.b);
  check_pair(joint.a.body, joint.b.body);
  demand(joint.type != JointType::distance || joint.b.body != ground_body, "keeps its distance from nothing");
  demand(!joint.meets_at_start || (joint.b.point == -1 && joint.type != JointType::distance),
         "meets at the start, and has a point where");
  bool const turns = rotations_of(joint.type, scene_.dimension) > 0 ||
                     (has_free_angle(joint.type) &&
                      (joint.drive != -1 || joint.friction != -1 || joint.lower != -1 || joint.upper != -1));
  for (int const end : {joint.a.body, joint.b.body})
    demand(!turns || !moves(end) || body(end).turns(), "acts on the turning of a body that does not turn");
  bool const free = has_free_coordinate(joint.type),
             takes_axis = free || joint.type == JointType::point_on_line;
  parameter_if(takes_axis && !(plane && joint.type == JointType::revolute), "axis", joint.axis,
               scene_.dimension);
  parameter_if(joint.type == JointType::distance && joint.length != -1, "length", joint.length);
  parameter("zeta", joint.zeta);
  parameter("delta", joint.delta);
  parameter_if(free && joint.lower != -1, "lower limit", joint.lower);
  parameter_if(free && joint.upper != -1, "upper limit", joint.upper);
  parameter_if(free && joint.friction != -1, "friction", joint.friction);
  demand(free || joint.drive == -1, "has a drive, and no free coordinate");
}

void SceneChecker::check_rolling(Rolling const& rolling) {
  about("rolling", rolling.name);
  check_side(rolling.a);
  check_side(rolling.b);
  check_pair(rolling.a.point.body, rolling.b.point.body);
  demand(moves(rolling.b.point.body), "has a second side that nothing moves");
  ShapeKind const kind_a = kind_of(rolling.a), kind_b = kind_of(rolling.b);
  demand(can_collide(kind_a, kind_b) && (kind_b == ShapeKind::sphere || kind_b == ShapeKind::point) &&
             kind_a != ShapeKind::box && kind_a != ShapeKind::capsule,
         "is between shapes that do not roll");
  parameter("zeta", rolling.zeta);
  parameter("delta", rolling.delta);
  parameter_if(rolling.a.point.body == ground_body, "height", rolling.height);
}

void SceneChecker::check_spring(Spring const& spring) {
  about("spring", spring.name);
  check_place(spring.a);
  check_place(spring.b);
  check_pair(spring.a.body, spring.b.body);
  parameter("stiffness", spring.stiffness);
  parameter("damping", spring.damping);
  parameter_if(spring.torsional || spring.length != -1, "length", spring.length);
  parameter_if(spring.torsional && scene_.dimension == 3, "axis", spring.axis, scene_.dimension);
  if (!spring.torsional) return;
  for (PointReference const& end : {spring.a, spring.b})
    demand(end.point == -1 && (!moves(end.body) || body(end.body).turns()),
           "turns a body that does not turn");
}

}  // namespace delassus
