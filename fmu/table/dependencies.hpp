// The parameters that an output depends on, by index.
#pragma once

#include <vector>

#include "fmu/table/parted_list.hpp"
#include "model/scene/cluster.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

class Dependencies {
 public:
  using Indices = PartedList<int>;

  explicit Dependencies(Scene const& scene);

  // For the position of a point in the frame of its body.
  Indices geometry(PointReference const& point) const;
  Indices geometry(ContactSide const& side) const;
  // For inertia. That of a rod is calculated from its mass and half length, which the user can set.
  Indices inertia(Body const& body) const;

  // For the initial motion of the origin of a body. If it is given for another point, it also depends on the
  // arm to it.
  Indices initial_position(Body const& body) const;
  // Joints, rolling and knife edges change the velocities that contradict them, so that those of all bodies in a cluster
  // that has any depend on each other.
  Indices initial_velocity(Body const& body) const;
  Indices initial_spin(Body const& body) const;
  // The same for a point on a body.
  Indices initial_position(PointReference const& point) const;
  Indices initial_velocity(PointReference const& point) const;
  // For the whole initial state of a body.
  Indices initial_state(int body) const;

  // For the forces in the cluster of a body: directly, and through the initial state.
  Indices const& forces(int body) const { return of_cluster(body).forces; }
  Indices const& initial_state_of_forces(int body) const { return of_cluster(body).initial_state; }
  std::vector<int> const& members(int body) const { return of_cluster(body).members; }  // of its cluster
  Indices const& cluster(int body) const { return of_cluster(body).bodies; }            // the same, shared
  // Whether joints and the like change the velocities that the bodies of this cluster are given.
  bool constrains_velocities(int body) const { return of_cluster(body).constrains_velocities; }
  bool is_first_of_cluster(int body) const { return members(body).front() == body; }

 private:
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }
  int index_of(Body const& b) const { return static_cast<int>(&b - scene_.bodies.data()); }
  // As they are given, before joints change them.
  Indices given_velocity(Body const& body) const;
  Indices given_state(Body const& body) const;
  void append_constraints(Body const& body, Indices& indices) const;
  // For the centre of mass in the body's frame.
  Indices centre(Body const& body) const;

  // Computed once: a pile of bodies is one cluster, and all its outputs share these.
  struct ClusterDependencies {
    std::vector<int> members;
    Indices bodies, forces, initial_state;
    Indices given_states;                // of all members, where velocities are constrained
    bool constrains_velocities = false;  // by joints, rolling, knife edges, bilateral contacts
  };
  std::size_t cluster_of(int body) const {
    return static_cast<std::size_t>(clusters_.of_body[static_cast<std::size_t>(body)]);
  }
  ClusterDependencies const& of_cluster(int body) const { return of_cluster_[cluster_of(body)]; }
  // Each in one pass over the scene.
  void find_constrained();
  void find_forces();
  void find_initial_states();

  Scene const& scene_;
  Clusters clusters_;
  std::vector<Indices> inertia_of_body_;
  std::vector<ClusterDependencies> of_cluster_;  // by cluster, which is the index of its first body
};

void append(Dependencies::Indices& indices,
            Dependencies::Indices const& more);  // leaves out those that are -1

}  // namespace delassus
