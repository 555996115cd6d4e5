// Is the contact problem of a system at a state well posed? The analysis of Blumentals, Brogliato, Bertails-Descoubes
// 2016, collected island by island: the bounds on friction, the exact region, ranks and redundancy. For reports:
// allocates, and takes time that grows with the cube of the rows of an island.
#pragma once

#include <string>
#include <vector>

#include "model/equations/system.hpp"
#include "solver/analysis/constraint_rank.hpp"
#include "solver/analysis/friction_limits.hpp"
#include "solver/analysis/sliding_contacts.hpp"
#include "solver/analysis/sliding_region.hpp"
#include "solver/problem/contact_problem.hpp"
#include "solver/problem/redundancy.hpp"

namespace delassus {

struct WellPosednessSettings {
  double gap = 1e-6;  // m: a unilateral contact with a larger gap is open
  double separation =
      1e-3;  // m/s: and so is one that touches and moves apart faster, which Proposition 2 leaves no force
  double slip = 1e-8;   // m/s: a contact that moves along its tangents faster slides
  int row_limit = 600;  // an island of more rows is left out
};

// Whether a unilateral contact can carry a force at the instant (Proposition 2): it touches, and does not move apart.
bool is_closed(double gap, double separation_speed, WellPosednessSettings const& settings = {});

struct IslandWellPosedness {
  std::vector<int> blocks;  // of the terms, closed, rising
  bool analysed = false;    // else it has more rows than the limit, and what follows is empty
  SlidingContacts sliding;
  std::vector<FrictionLimit> limits;  // sufficient
  SlidingRegion region;               // exact
  FrictionlessProblem frictionless;   // the rows that `rank` speaks of
  ConstraintRank rank;                // without friction
  Redundancy redundancy;              // of all rows, friction that sticks included
  std::vector<std::string> findings;  // in sentences, the gravest first
};

struct WellPosedness {
  std::vector<int> open;  // unilateral contacts that are not closed
  std::vector<IslandWellPosedness> islands;
  // Over all islands.
  Certainty unique = Certainty::yes, exists = Certainty::yes;
};

// With the terms at an instant and the problem that they give (`Dynamics::terms`, `Dynamics::problem`).
WellPosedness analyse_well_posedness(Terms const& terms, ContactProblem const& problem,
                                     WellPosednessSettings const& settings = {});

}  // namespace delassus
