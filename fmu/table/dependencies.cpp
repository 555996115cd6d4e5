#include "fmu/table/dependencies.hpp"

namespace delassus {

void append(Dependencies::Indices& indices, Dependencies::Indices const& more) {
  for (int const index : more.own()) {
    if (index >= 0) indices.add(index);
  }
  for (auto const& part : more.parts()) indices.add(part);
}

Dependencies::Dependencies(Scene const& scene)
    : scene_(scene),
      clusters_(clusters_of(scene)),
      inertia_of_body_(scene.bodies.size()),
      of_cluster_(scene.bodies.size()) {
  for (Parameter const& parameter : scene.parameters) {
    if (parameter.body >= 0 && parameter.role == ParameterRole::inertia && !parameter.calculated)
      inertia_of_body_[static_cast<std::size_t>(parameter.body)].add(parameter.first);
  }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    of_cluster_[cluster_of(static_cast<int>(i))].members.push_back(static_cast<int>(i));
  for (ClusterDependencies& cluster : of_cluster_) cluster.bodies = Indices::shared(cluster.members);
  find_constrained();
  find_forces();
  find_initial_states();
}

void Dependencies::find_constrained() {
  auto const constrain = [&](int body_index) {
    if (body_index != ground_body) of_cluster_[cluster_of(body_index)].constrains_velocities = true;
  };
  for (Joint const& joint : scene_.joints) {
    constrain(joint.a.body);
    constrain(joint.b.body);
  }
  for (Rolling const& rolling : scene_.rollings) {
    constrain(rolling.a.point.body);
    constrain(rolling.b.point.body);
  }
  for (KnifeEdge const& edge : scene_.knife_edges) constrain(edge.point.body);
  for (Contact const& contact : scene_.contacts) {
    if (contact.law.normal != NormalLaw::bilateral) continue;
    constrain(contact.a.point.body);
    constrain(contact.b.point.body);
  }
}

Dependencies::Indices Dependencies::geometry(PointReference const& point) const {
  if (point.point < 0) return {};
  BodyPoint const& p = scene_.points[static_cast<std::size_t>(point.point)];
  if (p.fraction >= 0) return {p.fraction, body(p.body).half_length};
  return {p.position};
}

Dependencies::Indices Dependencies::geometry(ContactSide const& side) const {
  if (side.shape < 0) {
    Indices indices = geometry(side.point);
    if (side.point.body != ground_body) append(indices, centre(body(side.point.body)));
    return indices;
  }
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
  return inertia_of_body_[static_cast<std::size_t>(index_of(b))];
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

void Dependencies::append_constraints(Body const& b, Indices& indices) const {
  if (!b.moves_freely() || !of_cluster(index_of(b)).constrains_velocities) return;
  ClusterDependencies const& cluster = of_cluster(index_of(b));
  append(indices, cluster.forces);
  append(indices, cluster.given_states);
}

Dependencies::Indices Dependencies::initial_velocity(Body const& b) const {
  Indices indices = given_velocity(b);
  append_constraints(b, indices);
  return indices;
}

Dependencies::Indices Dependencies::initial_spin(Body const& b) const {
  Indices indices;
  append(indices, {b.initial_angular_velocity});
  append_constraints(b, indices);
  return indices;
}

Dependencies::Indices Dependencies::given_velocity(Body const& b) const {
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
  Indices indices = given_state(body(index));
  append_constraints(body(index), indices);
  return indices;
}

Dependencies::Indices Dependencies::given_state(Body const& b) const {
  Indices indices = initial_position(b);
  append(indices, given_velocity(b));
  append(indices, {b.initial_angle, b.initial_angular_velocity});
  if (!b.motion_is_input) append(indices, {b.motion_velocity, b.motion_angular_velocity});
  return indices;
}

void Dependencies::find_forces() {
  std::vector<Indices> forces(of_cluster_.size());
  for (Parameter const& parameter : scene_.parameters) {
    bool const initial = parameter.role == ParameterRole::initial_position ||
                         parameter.role == ParameterRole::initial_velocity;
    if (initial || parameter.calculated || parameter.body < 0) continue;
    forces[cluster_of(parameter.body)].add(parameter.first);
  }
  // Attachments and rest lengths that come from the initial state always depend on it.
  auto const append_start_of = [&](PointReference const& a, PointReference const& b) {
    int const inside = a.body != ground_body ? a.body : b.body;  // both ends are in one cluster
    if (inside == ground_body) return;
    for (PointReference const& end : {a, b}) {
      append(forces[cluster_of(inside)], initial_position(end));
      if (end.body != ground_body) append(forces[cluster_of(inside)], {body(end.body).initial_angle});
    }
  };
  for (Joint const& joint : scene_.joints) append_start_of(joint.a, joint.b);
  for (Spring const& spring : scene_.springs) append_start_of(spring.a, spring.b);
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    Body const& b = scene_.bodies[i];
    if (b.type == BodyType::fixed || b.motion_of_surface)
      append(forces[cluster_of(static_cast<int>(i))], {b.initial_position, b.initial_angle});
  }
  for (std::size_t i = 0; i < of_cluster_.size(); ++i) {
    if (of_cluster_[i].members.empty()) continue;
    append(forces[i], {scene_.gravity});
    of_cluster_[i].forces = Indices::shared(forces[i].merged());
  }
}

void Dependencies::find_initial_states() {
  for (ClusterDependencies& cluster : of_cluster_) {
    if (cluster.members.empty()) continue;
    bool const positional = clusters_.uses_position[cluster_of(cluster.members.front())];
    Indices states, velocities;
    for (int const member : cluster.members) {
      if (positional || cluster.constrains_velocities) append(states, given_state(body(member)));
      if (!positional) append(velocities, given_velocity(body(member)));
    }
    if (positional || cluster.constrains_velocities) cluster.given_states = Indices::shared(states.merged());
    cluster.initial_state = positional ? cluster.given_states : Indices::shared(velocities.merged());
  }
}

}  // namespace delassus
