// Which boxes and planes lie beside each box of a scene and never move relative to it: on the same body, or
// both on bodies at rest. It depends on parameters only (sizes, places), and is found again when their values
// change.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/geometry/broad_phase.hpp"
#include "model/geometry/exposed_contacts.hpp"
#include "model/scene/placed_shape.hpp"

namespace delassus {

// What a side of a contact is: equal for equal sides.
using Collider = std::int64_t;
Collider collider_of(ContactSide const& side,
                     int height);  // `height` of the ground's plane, a parameter index

// One side of a contact, and the pose of its body; a view, valid for one call.
template <class Scalar>
struct SideOnBody {
  ContactSide const& side;
  PlacedShapeOf<Scalar> const& placed;
  BodyPoseOf<Scalar> const& body;
};

class ShapeNeighbours {
 public:
  // Does nothing if the values of the parameters are those of the last call.
  template <class Scalar>
  void update(Scene const& scene, std::span<const Scalar> parameter);

  // Replaces contacts of the pair on faces and edges that a neighbour covers (exposed_contacts.hpp).
  template <class Scalar>
  void keep_exposed(Scene const& scene, SideOnBody<Scalar> const& a, SideOnBody<Scalar> const& b, int height,
                    Scalar margin, ContactPointsOf<Scalar>& contacts);

 private:
  struct Side {
    ContactSide side;
    int height;
    bool at_rest;
    PlacedShape placed;  // at rest in the world, otherwise in the frame of the body
  };
  // Writes the neighbours that may touch `other`, placed in the world.
  template <class Scalar>
  void find(Scene const& scene, SideOnBody<Scalar> const& of, Collider other,
            std::vector<Neighbour>& found) const;
  void find_all(Scene const& scene);
  void find_in_frame(Scene const& scene, std::vector<Side>& sides);
  void list_partners(Scene const& scene);
  // Nothing: no contact names both. Equal for pairs whose contacts yield in the same way: all rigid ones, and those of one
  // group.
  using Law = int;
  std::optional<Law> law_of(Scene const& scene, Collider a, Collider b) const;

  bool known_ = false;
  std::vector<double> parameter_;
  std::vector<std::pair<int, int>> beside_;  // shape, index in sides_; ascending
  std::vector<Side> sides_;                  // what lies beside a shape
  struct Declared {
    std::pair<Collider, Collider> pair;
    Law law;
  };
  std::vector<Declared> declared_;                // both orders, ascending
  std::vector<std::pair<Collider, int>> groups_;  // collider, group; ascending
  std::vector<Neighbour> beside_a_, beside_b_;    // of the present pair
};

}  // namespace delassus
