// Makes the list of outputs, part by part. Inner header of outputs_of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fmu/table/dependencies.hpp"
#include "fmu/table/outputs.hpp"

namespace delassus {

class OutputList {
 public:
  explicit OutputList(Scene const& scene);
  std::vector<OutputDefinition> take() { return std::move(list_); }

 private:
  using Out = std::span<double>;  // of outputs without derivatives
  using Indices = Dependencies::Indices;

  static std::size_t index_of(int index) { return static_cast<std::size_t>(index); }
  template <class Vector, class Scalar>
  static void put(Vector const& vector, std::span<Scalar> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = vector[static_cast<Eigen::Index>(i)];
  }
  // Of a torque: in the plane about z.
  template <class Scalar>
  static void put_torque(Vector3<Scalar> const& torque, std::span<Scalar> out) {
    if (out.size() == 1) {
      out[0] = torque[2];
    } else {
      put(torque, out);
    }
  }

  void add(OutputDefinition definition);

  // The bodies whose positions and velocities an output depends on.
  struct Motion {
    Indices position_of, velocity_of;
  };
  static std::vector<int> moving(std::initializer_list<int> bodies);
  void add_motion(std::string const& name, std::string const& description, UnitId unit, int size,
                  Motion const& motion, Indices initial_parameters, Indices parameters,
                  OutputEvaluation evaluate);
  void add_body(Body const& body, int index);
  void add_point(BodyPoint const& point, int index);
  void add_totals();

  // output_list_contacts.cpp
  void add_contact(Contact const& contact, int index);
  void add_contact_force(Contact const& contact, int index);
  void add_solutions(std::string const& contact, int body, int index);
  void add_paradox(std::string const& contact, int body, int index);
  // How near the contact is to jamming. It depends on positions and masses, and through mu on slip speed, but
  // not on forces.
  void add_cone(Contact const& contact, int index, std::vector<int> const& motions);
  void add_group(ContactGroup const& group, int index);

  // output_list_joints.cpp
  void add_joint(Joint const& joint, std::size_t index);
  void add_joint_wrench(Joint const& joint, std::size_t index, int body);
  void add_friction(Friction const& friction, std::size_t index);
  void add_spring(Spring const& spring, std::size_t index);
  void add_rolling(Rolling const& rolling, std::size_t index);
  void add_knife_edge(KnifeEdge const& edge, std::size_t index);

  // Adds an output that depends on the forces in the cluster of a body.
  void add_forced(OutputDefinition definition, int body);
  // The force of a block, in the order of its rows.
  void add_force(std::string const& name, int body, BlockIdentity identity, int size, UnitId unit,
                 std::string const& description);
  // The same along the axes of the world, of a block between two bodies of which one is moved by it in all directions.
  void add_world_force(std::string const& name, int on, int from, BlockIdentity identity);
  void add_mode(std::string const& name, int body, BlockIdentity identity);
  std::string name_of_body(int body) const {
    return body == ground_body ? "the ground" : scene_.bodies[index_of(body)].name;
  }

  // How the components of a torque are meant, for its description.
  std::string axes_of_torque() const {
    return scene_.dimension == 2 ? ", counter-clockwise" : ", along the axes of the world";
  }

  Scene const& scene_;
  Dependencies dependencies_;
  std::vector<OutputDefinition> list_;
};

}  // namespace delassus
