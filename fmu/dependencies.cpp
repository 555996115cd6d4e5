#include "fmu/dependencies.hpp"

namespace delassus {

void append(Dependencies::Indices& indices, Dependencies::Indices const& more) {
  for (int const index : more) {
    if (index >= 0) indices.push_back(index);
  }
}

Dependencies::Indices Dependencies::geometry(PointReference const& point) const {
  if (point.point < 0) return {};
  BodyPoint const& p = scene_.points[static_cast<std::size_t>(point.point)];
  if (p.fraction >= 0) return {p.fraction, body(p.body).half_length};
  return {p.position};
}

Dependencies::Indices Dependencies::geometry(ContactSide const& side) const {
  if (side.shape < 0) return geometry(side.point);
  Shape const& shape = scene_.shapes[static_cast<std::size_t>(side.shape)];
  Indices indices;
  append(indices,
         {shape.radius, shape.half_size, shape.half_length, shape.position, shape.rotation, shape.normal});
  if (shape.body != ground_body) append(indices, centre(body(shape.body)));
  return indices;
}

Dependencies::Indices Dependencies::inertia(Body const& b) const {
  Indices indices;
  if (b.half_length >= 0) {
    append(indices, {b.mass, b.half_length});
    return indices;
  }
  int const index = static_cast<int>(&b - scene_.bodies.data());
  for (Parameter const& parameter : scene_.parameters) {
    if (parameter.body == index && parameter.role == ParameterRole::inertia && !parameter.calculated)
      indices.push_back(parameter.first);
  }
  return indices;
}

Dependencies::Indices Dependencies::centre(Body const& b) const {
  if (b.center_of_mass < 0) return {};
  return inertia(b);
}

Dependencies::Indices Dependencies::initial_position(Body const& b) const {
  Indices indices{b.initial_position};
  if (b.initial_point >= 0 || b.center_of_mass >= 0) append(indices, {b.initial_angle});
  append(indices, geometry(PointReference{0, b.initial_point}));
  append(indices, centre(b));
  return indices;
}

Dependencies::Indices Dependencies::initial_velocity(Body const& b) const {
  Indices indices;
  append(indices, {b.initial_velocity});
  if (b.initial_point >= 0 || b.center_of_mass >= 0)
    append(indices, {b.initial_angle, b.initial_angular_velocity});
  append(indices, geometry(PointReference{0, b.initial_point}));
  append(indices, centre(b));
  return indices;
}

Dependencies::Indices Dependencies::initial_position(PointReference const& point) const {
  if (point.body == ground_body) return {};
  Indices indices = initial_position(body(point.body));
  if (point.point >= 0) append(indices, {body(point.body).initial_angle});
  return indices;
}

Dependencies::Indices Dependencies::initial_velocity(PointReference const& point) const {
  if (point.body == ground_body) return {};
  Body const& b = body(point.body);
  Indices indices = initial_velocity(b);
  append(indices, {b.motion_is_input ? -1 : b.motion_velocity});
  if (point.point >= 0) append(indices, {b.initial_angle, b.initial_angular_velocity});
  return indices;
}

Dependencies::Indices Dependencies::initial_state(int index) const {
  if (index == ground_body) return {};
  Body const& b = body(index);
  Indices indices = initial_position(b);
  append(indices, initial_velocity(b));
  append(indices, {b.initial_angle, b.initial_angular_velocity});
  if (!b.motion_is_input) append(indices, {b.motion_velocity, b.motion_angular_velocity});
  return indices;
}

std::vector<int> Dependencies::cluster(int index) const {
  std::vector<int> bodies;
  for (std::size_t i = 0; i < clusters_.of_body.size(); ++i) {
    if (clusters_.of_body[i] == clusters_.of_body[static_cast<std::size_t>(index)])
      bodies.push_back(static_cast<int>(i));
  }
  return bodies;
}

Dependencies::Indices Dependencies::forces(int index) const {
  Indices indices;
  append(indices, {scene_.gravity});
  int const cluster_index = clusters_.of_body[static_cast<std::size_t>(index)];
  for (Parameter const& parameter : scene_.parameters) {
    bool const initial = parameter.role == ParameterRole::initial_position ||
                         parameter.role == ParameterRole::initial_velocity;
    if (initial || parameter.calculated || parameter.body < 0) continue;
    if (clusters_.of_body[static_cast<std::size_t>(parameter.body)] == cluster_index)
      indices.push_back(parameter.first);
  }
  // Where something is fixed or attached at the start, it stays a matter of the initial state.
  for (Joint const& joint : scene_.joints) {
    for (int const end : {joint.a.body, joint.b.body}) {
      if (end == ground_body || clusters_.of_body[static_cast<std::size_t>(end)] != cluster_index) continue;
      append(indices, initial_position(PointReference{joint.a.body, joint.a.point}));
      append(indices, initial_position(PointReference{joint.b.body, joint.b.point}));
      append(indices, {joint.a.body == ground_body ? -1 : body(joint.a.body).initial_angle,
                       joint.b.body == ground_body ? -1 : body(joint.b.body).initial_angle});
    }
  }
  for (int const member : cluster(index)) {
    Body const& b = body(member);
    if (b.type == BodyType::fixed || b.motion_of_surface)
      append(indices, {b.initial_position, b.initial_angle});
  }
  for (Spring const& spring : scene_.springs) {
    for (int const end : {spring.a.body, spring.b.body}) {
      if (end == ground_body || clusters_.of_body[static_cast<std::size_t>(end)] != cluster_index) continue;
      append(indices, initial_position(spring.a));
      append(indices, initial_position(spring.b));
      append(indices, {spring.a.body == ground_body ? -1 : body(spring.a.body).initial_angle,
                       spring.b.body == ground_body ? -1 : body(spring.b.body).initial_angle});
    }
  }
  return indices;
}

Dependencies::Indices Dependencies::initial_state_of_forces(int index) const {
  Indices indices;
  bool const positional =
      clusters_.uses_position[static_cast<std::size_t>(clusters_.of_body[static_cast<std::size_t>(index)])];
  for (int const member : cluster(index)) {
    if (positional) {
      append(indices, initial_state(member));
    } else {
      append(indices, initial_velocity(body(member)));
    }
  }
  return indices;
}

}  // namespace delassus
