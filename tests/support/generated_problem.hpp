// Seeded contact problems of several families, of which it is known whether they have a solution.
//
// A solution is known to be there for one of these reasons:
//   - The problem was made from it: lambda is drawn from the force sets with a mode for each block, eta as
//     this mode admits it, and b = A lambda - eta.
//   - Some motion u opens all contacts: J u lies inside the dual cones, eta_n > mu |eta_t| for each contact.
//     Then every b has a solution (Acary, Cadoux, Lemarechal and Malick 2011, ZAMM 91, where the motion is to
//     satisfy J u + w inside the dual cones: a multiple of ours does so for every w). Equivalently, no force
//     in the cones but zero has A lambda = 0. Spheres have such a motion, that of growing apart in
//     proportion; so have towers, whose boxes are lifted off one another. A regular A is the simplest case.
//   - All sets are polyhedra, which means problems in the plane, and b = J v. For each friction bound of the
//     paper's fixed-point map the convex quadratic program in the velocities has v = 0 among its admissible
//     points, hence a solution that is bounded and depends continuously on the bounds, and multipliers
//     without any condition on the constraints. Brouwer's theorem gives the fixed point. No motion needs to
//     open the contacts: bodies may jam.
// Those without have a certificate, which is described in unsolvable_problem.cpp.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string_view>

#include "solver/problem/contact_problem.hpp"
#include "tests/support/random_block.hpp"

namespace delassus::test {

enum class ProblemFamily {
  dense,     // spatial contacts, A of full rank over up to six decades
  singular,  // spatial contacts, A of low rank
  tower,     // boxes on one another, each on four corners
  spheres,   // graphs of touching spheres
  bodies,    // graphs of bodies that touch anywhere
  one_body,  // many contacts of one body
  mixed,     // all kinds of sets but directed frictions and double cones
  planar,    // bodies in the plane, which may jam
  // Without solution:
  unsupported,    // a contact of what cannot move, and which asks for a motion
  contradictory,  // joints that contradict one another
  pinched,        // a body between walls that come nearer
  paradox,        // Painleve's with a singular A: sliding would need a pulling contact
  // With a solution, which the solver need not find:
  pathless,  // two to six blocks, directed frictions or double cones among them: no compliance path and no friction
             // bounds lead to their solution
};

// Those that the solver must solve, or say that they have no solution.
inline constexpr std::array problem_families{
    ProblemFamily::dense,   ProblemFamily::singular,    ProblemFamily::tower,         ProblemFamily::spheres,
    ProblemFamily::bodies,  ProblemFamily::one_body,    ProblemFamily::mixed,         ProblemFamily::planar,
    ProblemFamily::paradox, ProblemFamily::unsupported, ProblemFamily::contradictory, ProblemFamily::pinched};

constexpr std::string_view name_of(ProblemFamily family) {
  constexpr std::array<std::string_view, 13> names{
      "dense",  "singular",    "tower",         "spheres", "bodies",  "one_body", "mixed",
      "planar", "unsupported", "contradictory", "pinched", "paradox", "pathless"};
  return names[static_cast<std::size_t>(family)];
}

constexpr bool has_solution(ProblemFamily family) {
  return family < ProblemFamily::unsupported || family == ProblemFamily::pathless;
}

struct GeneratedProblem {
  ContactProblem problem;
  Eigen::VectorXd known;  // a solution, where the problem was made from one; else empty
};

// The same numbers give the same problem.
GeneratedProblem generate_problem(ProblemFamily family, unsigned seed, int index);

// From 1 to `most`, small numbers more often.
int random_size(RandomBlocks& random, int most);
// Between 0 and 2, for all contacts of a problem or each.
double random_mu(RandomBlocks& random);
Eigen::Vector3d random_vector(RandomBlocks& random);

}  // namespace delassus::test
