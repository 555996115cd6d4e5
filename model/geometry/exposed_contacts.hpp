// Contacts of boxes that have neighbours: boxes and planes that do not move relative to them, flush tiles of
// a floor for example. The narrow phase looks at pairs. It takes the side of a tile for a wall, although the
// next tile covers it, and what slides over the floor is caught at the seams. Here the contacts on covered
// faces and edges are replaced by contacts on exposed ones.
#pragma once

#include <span>

#include "model/geometry/narrow_phase.hpp"
#include "model/geometry/shape.hpp"

namespace delassus {

// A box or plane beside a box, in the frame of the world.
struct Neighbour {
  ShapeGeometry shape;
  ShapePose pose;
  bool yields_alike = true;  // as the box: both contacts are rigid, or have the same law
};

// What surrounds one shape of a pair: the neighbours that do not move relative to it and may touch the other
// shape of the pair, too; and whether it cannot move.
struct Surroundings {
  std::span<const Neighbour> beside;
  bool rests = false;
};

// m. Boxes within this distance of each other have no gap between them, and a step that is not higher is
// none. It is far above rounding errors and far below what matters for a body of this size.
double seam_tolerance(ShapeGeometry const& box, int dimension);

// Changes `contacts`, which are those of find_contacts for the same pair and margin.
//
// A contact at a point x of a box is kept unless a neighbour covers the box there (exposed_contacts.cpp). If
// none is left, the other faces of the box are tried in the order of their distances; if the next one lies
// beside the other shape, there is no contact: it is the neighbour that is touched. What passes over a face
// of a box at rest at a distance within the tolerance does not touch the other faces and edges of this box. Where two
// faces are passed so at once, edge meets edge, and nothing touches.
//
// Of the contacts that are left, those on a flush seam that lie between others are left out (exposed_contacts.cpp).
template <class Scalar>
void keep_exposed_contacts(ShapeGeometryOf<Scalar> const& a, ShapePoseOf<Scalar> const& at_a,
                           Surroundings const& around_a, ShapeGeometryOf<Scalar> const& b,
                           ShapePoseOf<Scalar> const& at_b, Surroundings const& around_b, int dimension,
                           std::type_identity_t<Scalar> margin, ContactPointsOf<Scalar>& contacts);

}  // namespace delassus
