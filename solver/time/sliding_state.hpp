// A contact of a system that slides, as Song's classification asks for it: A and B of
// block/sliding_class.hpp.
//
// A is that of the contact while it slides on and the joints around it answer: with W of A = W^T W, the part
// of the contact's columns that is orthogonal to those of the joints (the Schur complement over the joint
// rows, without forming it, and whether they are redundant or not). Other contacts keep their present forces.
// B is taken from (65) as the stepper solves it, with what the relaxation demands of gap and normal velocity;
// where the contact persists, both are zero, and B is the normal acceleration without this contact.
//
// When does a contact slide? Where its force is that of slip; and where it sticks, or would, while the
// relaxation still takes away the speed of a slide, that is while (2 zeta/delta) |v_t| is more than what acts
// on the contact otherwise. A jam is just that: the sticking force that stops the slide grows like 1/delta.
// It touches where it has a force, or where its gap is below what the slide covers in a millionth of delta.
#pragma once

#include <Eigen/Core>
#include <cstddef>

#include "solver/block/sliding_class.hpp"
#include "solver/time/dynamics.hpp"

namespace delassus {

struct SlidingState {
  bool slides = false;  // and touches; else nothing below means anything, and the contact counts as regular
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // xi: friction acts against it
  double mu = 0;
  double mu_jam = 0;  // a/|h|, Peiret et al. 2019, (36): no direction jams below it
  double A = 0;       // 1/kg
  double B = 0;       // m/s2
  SlidingClass kind;

  Paradox paradox() const { return slides ? kind.paradox() : Paradox::regular; }
};

// The block, of Coulomb's unilateral law or of a directed one, after Dynamics::evaluate. Blocks of other
// kinds, and contacts that are held by more than `most_joint_rows` rows of joints, whose answer would take
// too long, do not slide in this sense. Allocates where there are joints.
SlidingState sliding_state(Dynamics const& dynamics, std::size_t block);

inline constexpr int most_joint_rows = 300;

}  // namespace delassus
