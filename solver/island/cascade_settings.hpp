// Every number that steers the solution of an island, with its meaning, its unit and the reason for its value. The
// stages that these numbers belong to, and their order, are the tables of cascade.hpp.
//
// Residuals are scale-free (residual.hpp): distances from the law beside the size of the problem, without unit.
// Compliances are shares of a compliance that the island has: of each block's own one (the mean of the diagonal of its
// A_kk) unless another is named. Costs count sweeps: the time of one sweep of projected Gauss-Seidel over the island.
//
// Values were found on the problems of tests/support/generated_problem, ../shared/fc3d and falling piles of 100 to
// 10,000 contacts; EXPERIMENTS.md has the figures.
#pragma once

#include <cstddef>

namespace delassus {

// Which sizes of islands are treated alike.
struct IslandSizes {
  // Blocks. Beyond this, a Newton step costs as much as dozens of sweeps, and sweeps come first.
  std::size_t large = 50;
  // Blocks. Up to this size, an island that nothing has solved is searched along paths, which takes thousands of
  // factorisations.
  std::size_t searchable = 150;
  // Blocks. From this size on, open contacts are left out (working_set.hpp). Where a residual above `coarse` is
  // acceptable, this begins with the first large island.
  std::size_t working_set = 200;
  double coarse = 1e-6;
  // Blocks of an island whose force of least norm is sought at all: in a pile one force is as good as another.
  std::size_t least_norm = 100;
  // Rows of an island whose force of least norm is worth a dense decomposition, O(rows^3).
  int dense_least_norm = 60;
};

// How much work an island may take.
struct WorkLimits {
  // The share 1/search of the allowed iterations is spent before it is known that a search can succeed, but no fewer
  // than `least` iterations.
  int search = 5;
  int least = 1000;
  // In a small island a digit beyond the acceptable residual is cheap: this factor times the iterations for digits may
  // go into one more digit.
  int digits_in_small_island = 3;
  double better_digit = 0.1;  // of the acceptable residual
  // In a large island the iterations for digits, divided by this, may follow the first acceptable force.
  int digits_in_large_island = 10;
  // Where a coarse residual is acceptable and the force of the last step is not near a solution, the iterations for
  // digits are divided by this: the next step changes the force again. What rests gets all of them, and does not creep.
  int digits_after_change = 10;
};

// Projected Gauss-Seidel, with or without Anderson acceleration.
struct SweepSettings {
  // Sweeps of the first and second attempt: small islands mostly need fewer, large ones have farther to carry forces.
  int first = 10, first_large = 20;
  int second = 30, second_large = 50;
  // An attempt lasts at least as long as this many Newton steps take: sweeps are the surer method at the same cost.
  double first_worth = 1, second_worth = 2;
  double most = 3000;  // sweeps; where a Newton step costs more, try it all the same
  // The residual costs as much as a sweep: compute it after the first, the last and each fifth sweep.
  int between_residuals = 5;
};

// Semismooth Newton with a small compliance around the present force, which makes singular equations regular.
struct NewtonSettings {
  // Far below what decides a force, far above rounding.
  double compliance = 1e-8;
  int steps = 15;  // converges within a few steps or jumps between modes
  // Steps without a new lowest residual after which it gives up: cheap in a small island, dear in a large one.
  int patience = 3, patience_large = 1;
  int patience_of_joints = 2;  // equations without inequalities take one step; a second one refines it
  // A force from the last step with a residual above this is too far away in a large island.
  double near = 1e-3;
  // Sweeps. In a large island whose Newton step costs more, sweep before any Newton step.
  double tried_at_once = 50;
  // A step in contradictory modes leads to forces beyond this multiple of all that are needed. Such a force is a
  // solution or nothing, and no point to go on from.
  double lost = 10;
  // A step in unchanged modes that leaves more than this share of the residual was the last that could help.
  double gain = 0.5;
  int stagnation = 2;  // such steps in a row after which rows count as consistent up to rounding
  // A residual where stagnation means that only rounding is left.
  double last_bits = 1e-12;
};

// Semismooth Newton with a line search on the distance between lambda and its projected image.
struct DampedNewtonSettings {
  int steps = 100;
  // Of a search: many centres are better than many steps, and a larger compliance reaches farther.
  int steps_from_centre = 60;
  double compliance_from_centre = 1e-6;
  double shortest = 1e-4;  // share of the full step
  int short_steps = 3;     // in a row, after which it gives up
  double decrease = 1e-3;  // Armijo's condition: share of the predicted decrease
  // The merit function may grow beyond that of the last step, but not beyond the worst of so many (a nonmonotone line
  // search after Grippo, Lampariello and Lucidi 1986).
  static constexpr std::size_t memory = 5;
};

// The primal-dual interior-point method, and the Newton steps that end it.
struct InteriorPointSettings {
  int steps = 50;
  // Steps that leave more than `gain` of the residual after which it gives up: its path has turned back. Of a working
  // set sooner, because sweeps go on there.
  int patience = 10, patience_of_set = 5;
  double gain = 0.5;
  // Where the path starts, as a share of the usual force inside the cones. Where one path runs into the boundary,
  // another may not.
  double inside = 1.0, inside_next = 0.1;
  // Near a solution the modes are often those of the solution, and Newton's method ends the work. The residual of the
  // first attempt, and that of each next beside the last.
  double first_crossing = 1e-4, next_crossing = 1e-2;
  int crossing_steps = 8, crossing_patience = 1;
  // A residual that is too small for a path through the middle of the cones to help.
  double too_near = 1e-6;
};

// The proximal-point method: the problems (A + D, b + D lambda_k), each solved by Newton's method.
struct ProximalSettings {
  // D of the first problem is the residual, within these limits.
  double first_most = 1e-2, first_least = 1e-7;
  double most = 10, least = 1e-9;  // of all others
  // Newton steps before a search, and near a solution.
  int steps = 1200, steps_near = 12;
  double near = 3e-5;  // a residual from which a few steps may end the work on a large island
  // An inner problem is solved to this share of the residual outside, but not below rounding.
  double inner_share = 1e-2, inner_tolerance = 1e-11;
  int inner_steps = 30, inner_patience = 5;
  // An inner problem that was not solved was too hard: D grows by this factor.
  double unsolved = 3;
  // One that was solved at once, or for nothing, may be harder: factors of D after so many Newton steps.
  int at_once = 3, soon = 5, moderate = 6, late = 12;
  double after_at_once = 0.2, after_soon = 0.3, after_moderate = 0.5, after_late = 1.5;
  double gain = 0.5;  // a problem that leaves more than this share of the residual was solved for nothing
};

// Where no other stage helps: paths of falling compliance and friction bounds from random centres.
struct SearchSettings {
  int path_factorisations = 15000;  // of one path; the longest that led to a solution took some 10,000
  int bound_rounds = 6;             // of friction bounds from one centre
  // Along a path: the largest compliance at which its force may be near a solution. Newton's method is tried each time
  // the compliance has changed by the factor `attempt_share`, or after so many steps.
  double first_attempt = 0.3, attempt_share = 0.5;
  int attempt_steps = 20;
  // The first centre is this share of the mean force; the others are 10^(a u + c) of it, u uniform in [-1, 1].
  double first_centre = 0.1;
  double centre_decades = 1.25, centre_offset = -0.25;
};

// The force of least norm of a redundant island.
struct LeastNormSettings {
  // D, the same for all rows, beside their mean compliance: of the problem whose solution tends to the least norm, and
  // where the force is then made exact in the modes that it leads to.
  double soft_compliance = 1e-6, modes_compliance = 1e-8;
  // The latter, where a coarse remainder is given, in shares of that: rows that disagree by it have a self-stress of a tenth
  // of their force there, so that few slip of it.
  double modes_compliance_of_remainder = 10;
  // Residual of the soft problem that is good enough to tell the modes, where what comes after makes up for it.
  double soft_tolerance = 1e-8;
  int steps_warm = 4;  // Newton steps from the force of the last step, whose modes are mostly right
  int steps = 12;
  int exact_attempts = 3;     // of a dense decomposition, each in the modes of the last
  double same_force = 1e-12;  // of the norm: two forces are the same
  // Residual that redundant rows may leave together and still count as consistent: positions are rounded to 1e-16 m and
  // integrated to 1e-12 m, and 1/delta^2 makes of it up to 1e-6 of the accelerations.
  double undecided_remainder = 1e-6;
  // Share of the mean compliance: a remainder that moves rows less, as a force, is not decided by them. Of a remainder of
  // 1e-6 then at most 1e-9 is, which counts as solved.
  double undecided_share = 1e-3;
  int passes_to_self_stress = 3;  // each divides all other parts of the force by some 1e6
  int refinements = 5;            // solutions about the last one, each divides the effect of D by some 1e6
  double refinement_gain = 0.1;   // share of the residual that a refinement must leave at most
  double gain = 0.5;              // the same of a proximal step
  int stagnation = 3;             // proximal steps in a row that gain less
  // The continuation that is left where all this fails: D from this multiple of soft_compliance down to it, each from
  // the solution of the last.
  double first_factor = 1e6, next_factor = 10;
};

// An island without its open contacts (working_set.hpp).
struct WorkingSetSettings {
  int first_sweeps = 30;  // over all blocks: they tell which contacts carry force
  // An open contact may well close while the others are solved where eta_n is below this share of the mean of b.
  double nearly_closed = 0.02;
  // Sweeps between two choices of the set, which are a round. The first is short, because in a pile of a thousand
  // contacts clusters are cheap; the others are longer, because Anderson acceleration restarts in each and in a large
  // pile comes into its own after some dozens of sweeps.
  int first_round = 40, longest_round = 80;
  int rounds = 20;  // before equations are solved
  // The residual costs as much as a sweep. Where the force of the last step was good, few sweeps are enough: it is
  // computed after these as well.
  int sweeps_between_residuals = 20, few_sweeps = 10;
  // Rounds. Where sweeps will end within so many at the present rate, clusters would only disturb them: acceleration
  // restarts, and the residual at the edge of a cluster grows.
  double soon = 2;
  // The set hardly changes, and an order of elimination, which tells the cost of equations, takes as long as some
  // sweeps.
  int rounds_between_orders = 4;
  // Steps that equations need where the residual is below `near`, and elsewhere. A round is slow where at its rate more
  // sweeps are left than these steps cost. Equations take over after as many slow sweeps, and more than
  // `least_slow_sweeps`.
  double near = 3e-5, steps_near = 6, steps_far = 15, least_slow_sweeps = 60;
  // Steps that equations may take before sweeps go on; twice as many the next time, and so on. Near a solution few are
  // enough or none. But always as many as take the time of the sweeps before them, which were in vain.
  int first_steps_near = 6, first_steps_far = 40;
  // How often equations may take over from sweeps before the whole island is solved.
  int handovers = 6;
};

// Clusters of contacts that are solved with all other forces fixed (local_solves.hpp).
struct ClusterSettings {
  // Share of the residual that the selected contacts carry. After a round that leaves more than `little_gained` of the
  // residual, the rest, 1 - share, shrinks by the factor `rest`, some times in a row.
  double share = 0.6, rest = 0.7, little_gained = 0.7;
  int widenings = 4;
  // Residual of a cluster beside that of the island: a hundredth took 1.3 s on a pile where a tenth takes 0.8.
  double tolerance = 0.1;
  int iterations = 60;  // of one cluster: Newton steps and others
  // Of the blocks of the set. A larger cluster is as hard as the set itself, whose equations are the better way.
  double largest = 0.5;
};

struct CascadeSettings {
  IslandSizes sizes;
  WorkLimits limits;
  SweepSettings sweeps;
  NewtonSettings newton;
  DampedNewtonSettings damped_newton;
  InteriorPointSettings interior_point;
  ProximalSettings proximal;
  SearchSettings search;
  LeastNormSettings least_norm;
  WorkingSetSettings working_set;
  ClusterSettings clusters;
};

inline constexpr CascadeSettings cascade;

}  // namespace delassus
