#include "solver/time/run_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {
namespace {

constexpr double speed_of_light = 299'792'458;  // m/s

// m or rad: what rounded numbers in a scene and the error of the integration may amount to; also that of the positions
// of joints at the start.
constexpr double position_tolerance = 1e-6;

std::string at_time(double t) {
  return "at t = " + format_time(t) + " s";
}

// delta^2 or its equivalent: turns an acceleration that a row is short of into a position error.
double square_of_delta(ConstraintBlock const& block, Relaxation const& relaxation) {
  double const stiffness = relaxation_factors(block, relaxation).normal.stiffness;
  return stiffness > 0 ? 1 / stiffness : block.relaxation.delta * block.relaxation.delta;
}

// How far the force and motion of a block are from its law, m/s2.
double shortfall(Dynamics const& dynamics, std::size_t k) {
  ConstraintBlock const& block = dynamics.terms().blocks[k];
  Eigen::Vector3d const eta = eta_of(dynamics, k);
  if (is_free(block.set.kind)) return eta.norm();
  if (!has_normal(block.set.kind)) return 0;
  int const normal = block.rows() - 1;
  double const force = dynamics.solution().lambda[block.first_row + normal];
  return force > 0 ? std::abs(eta[normal]) : std::max(0.0, -eta[normal]);
}

std::string joined(std::vector<std::string> const& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

void add_once(std::vector<std::string>& names, std::string const& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// `box is squeezed between left_jaw and right_jaw (contact 'left', contact 'right')`
std::string squeeze_in_words(Dynamics const& dynamics) {
  System const& system = dynamics.system();
  Terms const& terms = dynamics.terms();
  std::vector<std::string> blocks, bodies, others;
  std::set<int> masses;  // in the order of the scene
  bool prescribed = false;
  for (int const k : dynamics.solution().squeezed) {
    BlockIdentity const identity = terms.blocks[static_cast<std::size_t>(k)].identity;
    add_once(blocks, system.block_description(identity));
    std::vector<std::string> moving;
    for (std::size_t i = 0; i < terms.J.size(); ++i) {
      if (terms.J.term(i).block != k) continue;
      moving.push_back(system.mass_name(terms.J.term(i).mass));
      masses.insert(terms.J.term(i).mass);
    }
    for (auto const& name : system.block_sides(identity)) {
      if (std::find(moving.begin(), moving.end(), name) != moving.end()) continue;
      add_once(others, name);
      prescribed |= system.is_prescribed(name);
    }
  }
  for (int const mass : masses) bodies.push_back(system.mass_name(mass));
  std::string text = bodies.empty() ? joined(blocks) + " cannot be satisfied together"
                                    : joined(bodies) + (bodies.size() > 1 ? " are" : " is") + " squeezed";
  if (!bodies.empty() && others.size() == 1) text += " against " + others[0];
  if (!bodies.empty() && others.size() > 1) text += " between " + joined(others);
  if (!bodies.empty()) text += " (" + joined(blocks) + ")";
  return text + (prescribed ? ": the prescribed motion leaves no room" : ": there is no room for it");
}

std::vector<std::string> squeezed_bodies(Dynamics const& dynamics) {
  std::vector<std::string> bodies;
  for (int const k : dynamics.solution().squeezed) {
    for (std::size_t i = 0; i < dynamics.terms().J.size(); ++i) {
      auto const& term = dynamics.terms().J.term(i);
      if (term.block == k) add_once(bodies, dynamics.system().mass_name(term.mass));
    }
  }
  return bodies;
}

// Where an inertia is so small that a force beside the centre does nothing but turn its body: what looks like a squeeze
// is the rounding of its forces. Empty: it is none.
std::string tiny_inertia(Dynamics const& dynamics) {
  // Of J^2 / M by coordinate: below the square root of it, a double has half of its digits left for the others.
  constexpr double largest_ratio = 1e10;
  // Of the rows: what is no more than rounding does not move a body along.
  constexpr double least_push = 1e-12;
  Terms const& terms = dynamics.terms();
  for (int const k : dynamics.solution().squeezed) {
    for (std::size_t i = 0; i < terms.J.size(); ++i) {
      if (terms.J.term(i).block != k) continue;
      int const mass = terms.J.term(i).mass;
      auto const rows = terms.J[i];
      auto const& inertia = terms.M[static_cast<std::size_t>(mass)].M;
      // Planar bodies turn by their last coordinate, rigid ones by their last three.
      Eigen::Index const shifts = rows.cols() == 6 ? 3 : rows.cols() == 3 ? 2 : rows.cols();
      double moves = 0, turns = 0, of_largest = 0;
      for (Eigen::Index column = 0; column < rows.cols(); ++column) {
        double const yields = rows.col(column).squaredNorm() / inertia(column, column);
        if (column < shifts) {
          moves += yields;
        } else if (yields > turns) {
          turns = yields;
          of_largest = inertia(column, column);
        }
      }
      bool const pushes = rows.leftCols(shifts).squaredNorm() > least_push * rows.squaredNorm();
      if (pushes && turns > largest_ratio * moves)
        return "; the inertia of " + dynamics.system().mass_name(mass) + ", " + format_number(of_largest) +
               " kg m2, is so small beside its mass that contact forces only turn it: correct it, or leave "
               "it out, and it follows from the shapes";
    }
  }
  return "";
}

}  // namespace

SolveStatus judged_status(Dynamics const& dynamics) {
  Solution const& solution = dynamics.solution();
  if (solution.status != SolveStatus::inconsistent || !solution.squeezed.empty()) return solution.status;
  Terms const& terms = dynamics.terms();
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    if (solution.solutions[k] != 0) continue;
    ConstraintBlock const& block = terms.blocks[k];
    double const apart = eta_of(dynamics, k).norm() * square_of_delta(block, dynamics.relaxation());
    if (!is_free(block.set.kind) || !(apart <= position_tolerance)) return solution.status;
  }
  return SolveStatus::converged;
}

int worst_block(Dynamics const& dynamics) {
  int worst = -1;
  double largest = 0;
  Solution const& solution = dynamics.solution();
  for (std::size_t k = 0; k < dynamics.terms().blocks.size(); ++k) {
    // One without solution before all that are only solved badly.
    double const size = shortfall(dynamics, k) + (solution.solutions[k] == 0 ? dynamics.largest_demand() : 0);
    if (size > largest || worst < 0) {
      largest = size;
      worst = static_cast<int>(k);
    }
  }
  return worst;
}

std::string by_largest_demand(Dynamics const& dynamics) {
  Terms const& terms = dynamics.terms();
  int chosen = -1;
  double largest = -1;
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    double const size = dynamics.problem().b.segment(block.first_row, block.rows()).cwiseAbs().maxCoeff();
    if (!(size > largest)) continue;
    largest = size;
    chosen = static_cast<int>(k);
  }
  if (chosen < 0) return "";
  return ", most of all by " +
         dynamics.system().block_description(terms.blocks[static_cast<std::size_t>(chosen)].identity);
}

double work_of(Dynamics const& dynamics) {
  constexpr double besides_iterations = 10;
  return (static_cast<double>(dynamics.solution().iterations) + besides_iterations) *
         (1 + static_cast<double>(dynamics.terms().blocks.size()));
}

void check_not_squeezed(double t, Dynamics const& dynamics) {
  Solution const& solution = dynamics.solution();
  if (solution.squeezed.empty()) return;
  double smallest = std::numeric_limits<double>::infinity();
  for (int const k : solution.squeezed) {
    ConstraintBlock const& block = dynamics.terms().blocks[static_cast<std::size_t>(k)];
    smallest = std::min(smallest, square_of_delta(block, dynamics.relaxation()));
  }
  // Overlaps of rounding, between walls that do not move, are not worth the end of a run.
  if (solution.squeeze_excess * smallest <= position_tolerance) return;
  if (std::string const cause = tiny_inertia(dynamics); !cause.empty())
    throw StepFailure("the contacts of " + joined(squeezed_bodies(dynamics)) +
                          " have no solution from t = " + format_time(t) + " s on" + cause,
                      StepFailure::Retry::no_use);
  throw StepFailure(
      squeeze_in_words(dynamics) + " from t = " + format_time(t) +
          " s on, and no force solves this; use a compliant contact law (law=\"kelvin_voigt\" or "
          "\"hunt_crossley\"), or drive one side by a force instead of a motion",
      StepFailure::Retry::no_use);
}

void check_solved(double t, Dynamics const& dynamics, int& unsolved) {
  check_not_squeezed(t, dynamics);
  Solution const& solution = dynamics.solution();
  if (!dynamics.terms().blocks.empty() && !std::isfinite(solution.residual)) {
    throw StepFailure("the forces are no finite numbers " + at_time(t) + " (residual " +
                      format_number(solution.residual) + ")" + by_largest_demand(dynamics) +
                      "; an input, parameter or state is too large beside the others, or too small");
  }
  bool const solved =
      judged_status(dynamics) == SolveStatus::converged || solution.residual <= run_limits.unsolved_residual;
  unsolved = solved ? 0 : unsolved + 1;
  if (unsolved < run_limits.unsolved_steps) return;
  int const worst = worst_block(dynamics);
  System const& system = dynamics.system();
  std::string const what =
      worst < 0 ? std::string("the constraints")
                : system.block_description(dynamics.terms().blocks[static_cast<std::size_t>(worst)].identity);
  throw StepFailure(what + " could not be satisfied in " + std::to_string(unsolved) +
                        " internal steps in a row " + at_time(t) + " (the solver ended with '" +
                        std::string(text(solution.status)) + "', residual " +
                        format_number(solution.residual) +
                        "); use another stepper, a larger delta, a compliant contact law or a shorter step",
                    StepFailure::Retry::no_use);
}

void check_motion(double t, Dynamics const& dynamics, std::span<const double> x, char const* remedy) {
  double sum = 0;  // zero where all are finite
  for (double const value : x) sum += 0 * value;
  if (sum != 0) {
    // The body whose velocity it is, or else one of all.
    std::string name;
    std::size_t const n = x.size() - dynamics.vdot().size();
    for (std::size_t i = 0; i < dynamics.terms().M.size() && name.empty(); ++i) {
      MassBlock const& mass = dynamics.terms().M[i];
      for (Eigen::Index j = 0; j < mass.M.rows(); ++j) {
        if (!std::isfinite(x[n + static_cast<std::size_t>(mass.first + j)]))
          name = dynamics.system().mass_name(static_cast<int>(i));
      }
    }
    throw StepFailure("the motion" + (name.empty() ? "" : " of " + name) + " is no longer finite " +
                      at_time(t) + "; " + remedy);
  }
  std::size_t const n = x.size() - dynamics.vdot().size();
  for (std::size_t i = 0; i < dynamics.terms().M.size(); ++i) {
    MassBlock const& mass = dynamics.terms().M[i];
    // By its energy, so that a spin counts as well; translations come first in every mass block.
    double twice = 0;
    for (Eigen::Index row = 0; row < mass.M.rows(); ++row) {
      for (Eigen::Index column = 0; column < mass.M.cols(); ++column)
        twice += x[n + static_cast<std::size_t>(mass.first + row)] * mass.M(row, column) *
                 x[n + static_cast<std::size_t>(mass.first + column)];
    }
    if (twice <= mass.M(0, 0) * speed_of_light * speed_of_light) continue;
    throw StepFailure("the motion of " + dynamics.system().mass_name(static_cast<int>(i)) +
                          " diverges: it is faster than light " + at_time(t) + "; " + remedy,
                      StepFailure::Retry::no_use);
  }
}

}  // namespace delassus
