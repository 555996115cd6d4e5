// Springs and inputs of a scene.
#include <cmath>
#include <numbers>

#include "model/language/scene_compiler.hpp"

namespace delassus {

void SceneCompiler::add_spring(ElementReader const& element) {
  Spring spring;
  spring.name = unique_name(element);
  spring.a = resolve_point(element, "a");
  spring.b = resolve_point(element, "b");
  std::string const what = "spring " + quoted(spring.name);
  check_pair(element, what, spring.a.body, spring.b.body);
  Owner const owner{ParameterRole::law, moves(spring.a.body) ? spring.a.body : spring.b.body};
  spring.stiffness = expose(spring.name + ".stiffness", element, "stiffness", owner);
  spring.damping = expose(spring.name + ".damping", element, "damping", owner);
  spring.length = expose_if_given(spring.name + ".length", element, "length", owner);
  scene_.springs.push_back(spring);
}

void SceneCompiler::add_torsion_spring(ElementReader const& element) {
  Spring spring;
  spring.torsional = true;
  spring.name = unique_name(element);
  spring.a.body = resolve_body(element, "a");
  spring.b.body = element.has("b") ? resolve_body(element, "b") : ground_body;
  std::string const what = "spring " + quoted(spring.name);
  check_pair(element, what, spring.a.body, spring.b.body);
  for (int const end : {spring.a.body, spring.b.body}) {
    if (moves(end) && !body(end).turns())
      element.fail(what + " ends at body " + quoted(body(end).name) + ", which does not turn");
  }
  Owner const owner{ParameterRole::law, moves(spring.a.body) ? spring.a.body : spring.b.body};
  spring.stiffness = expose(spring.name + ".stiffness", element, "stiffness", owner);
  spring.damping = expose(spring.name + ".damping", element, "damping", owner);
  spring.length = expose(spring.name + ".angle", element, "angle", owner);
  if (scene_.dimension == 3) {
    if (!(std::abs(element.number("angle")) < std::numbers::pi))
      element.fail(what + " measures its angle within half a turn; 'angle' must lie within it");
    spring.axis = expose_direction(spring.name + ".axis", element, "axis", owner, 2);
  } else if (element.has("axis")) {
    element.fail(what + " turns about z in the plane: leave out 'axis'");
  }
  scene_.springs.push_back(spring);
}

void SceneCompiler::add_force(ElementReader const& element) {
  ForceInput force;
  force.name = unique_name(element);
  force.point = resolve_point(element, "point");
  if (!moves(force.point.body))
    element.fail("force " + quoted(force.name) + " acts on " + quoted(element.text("point")) +
                 ", which forces do not move");
  Body const& on = body(force.point.body);
  force.in_body_frame = element.choice("frame") == 2;
  force.start = element.numbers("value", on.type == BodyType::slider ? 1 : scene_.dimension);
  force.first = add_input(force.start.size());
  scene_.forces.push_back(force);
}

void SceneCompiler::add_torque(ElementReader const& element) {
  TorqueInput torque;
  torque.name = unique_name(element);
  PointReference const reference = resolve_point(element, "body");
  if (reference.point >= 0 || reference.body == ground_body || !body(reference.body).turns()) {
    element.fail("torque " + quoted(torque.name) + " acts on " + quoted(element.text("body")) +
                 ", which is not a planar or rigid body");
  }
  torque.body = reference.body;
  torque.start = element.numbers("value", scene_.rotations());
  torque.first = add_input(torque.start.size());
  scene_.torques.push_back(torque);
}

}  // namespace delassus
