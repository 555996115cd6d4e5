// The cascade: which methods an island gets, in which order, under which condition and with which budget. IslandSolver
// walks these tables from the top and ends at the first stage that solves the island. Every stage keeps the best force
// that it meets, so that a stage which fails costs time and nothing else.
//
// The order follows the cost. Newton's method from the force of the last step mostly takes one or two steps. Sweeps of
// projected Gauss-Seidel are cheap and come near a solution from anywhere, but converge slowly; Newton's method then
// converges fast where the modes are those of the solution. The interior-point method needs few steps where contacts
// are many and at rest. The proximal-point method follows a path where A is singular and Newton's method jumps between
// modes. Where all of these lead past a solution, a small island is searched along paths of falling compliance.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "solver/island/cascade_settings.hpp"

namespace delassus {

enum class StageName : std::uint8_t {
  // From sweeps.
  least_norm_of_last_modes,
  newton_from_last_force,
  first_sweeps,
  newton_after_first_sweeps,
  second_sweeps,
  newton_after_second_sweeps,
  interior_point,
  interior_point_nearer_boundary,
  // From equations.
  newton_near_solution,
  proximal_near_solution,
  interior_point_of_set,
  // Then.
  damped_newton,
  proximal,
  search,
  proximal_to_the_end,
  // Parts of the search.
  friction_bounds,
  compliance_path,
  damped_newton_from_centre,
  // Parts of other stages.
  anderson_acceleration,
  crossing_to_newton,
  exact_least_norm,
  least_norm_continuation,
  // Of islands of 200 blocks and more (working_set.hpp).
  working_set,
  acceleration_in_working_set,
  cluster_solves,
  equations_of_set,
  count
};

std::string_view text(StageName name);

// Stages that are left out: none, but in the measurements of tests/benchmark/ablation.cpp.
class StageSet {
 public:
  StageSet() = default;
  void add(StageName name) { bits_ |= bit(name); }
  bool contains(StageName name) const { return (bits_ & bit(name)) != 0; }

 private:
  static std::uint64_t bit(StageName name) { return std::uint64_t{1} << static_cast<unsigned>(name); }
  std::uint64_t bits_ = 0;
};

// What the conditions of the stages depend on.
struct Situation {
  bool warm = false;          // there is a force of the last step
  bool follows_last = false;  // the rule asks for the solution near it; other rules are known to sweeps only
  bool least_norm = false;    // the force of least norm is asked for
  bool large = false;         // a Newton step costs as much as dozens of sweeps
  bool searchable = false;
  bool redundant = false;  // more than twice as many rows as velocities: both interior-point paths fail
  double newton_cost = 0;  // of a step, in sweeps; zero in a small island
  double residual = 0;     // the best so far
  bool has_path = false;   // the compliance path offers all sets of the island; known in a search
};

enum class StageMethod {
  sweeps,
  newton,
  damped_newton,
  interior_point,
  proximal,
  least_norm,
  search,
  friction_bounds,
  path
};

// The force that a stage starts from.
enum class StageStart {
  present,  // where the stage before has ended
  given,    // the force of the last step, or zero
  swept,    // the result of the last sweeps
  best,     // the force with the lowest residual so far
  centre,   // the random centre of the search
};

inline constexpr int to_the_end = 0;  // as many steps as the iteration limit allows

struct Stage {
  StageName name;
  StageMethod method;
  bool (*when)(Situation const&) = [](Situation const&) { return true; };
  StageStart start = StageStart::present;
  int steps = 0, steps_large = steps;           // the budget; the second one in large islands
  int patience = 0, patience_large = patience;  // steps without progress
  // Of Newton's method its compliance; of the interior-point method how far inside the cones it starts; of sweeps how
  // many Newton steps they may cost.
  double parameter = 0;
  bool (*accelerated)(Situation const&) = [](Situation const&) { return false; };  // sweeps
};

// Where nothing is known, or a force of the last step.
std::span<const Stage> stages_from_sweeps();
// Of a large island that was swept already.
std::span<const Stage> stages_from_equations();
// After either of these.
std::span<const Stage> stages_after_opening();
// For each centre of the search.
std::span<const Stage> stages_of_search();

}  // namespace delassus
