#include "solver/block/exact_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solver/block/comparison_laws.hpp"
#include "solver/block/directed.hpp"
#include "solver/block/disc.hpp"
#include "solver/block/double_cone.hpp"
#include "solver/block/free.hpp"
#include "solver/block/planar.hpp"
#include "solver/block/spatial_cone.hpp"

namespace delassus {
namespace {

// Numbers in this range leave room for the products of ten that the secular equation takes.
inline bool is_ordinary(double size) {
  return size == 0 || (size > 0x1p-60 && size < 0x1p60);
}

// The problem in units that bring A and b near one. The factors are powers of two, so nothing is rounded, and
// the solution of a problem does not depend on whether it was scaled.
struct Scaled {
  Eigen::Matrix3d A;
  Eigen::Vector3d b;
  double lambda = 1;  // unscaled force = scaled force times lambda, in two factors since 2^2000 is no double
  double lambda_more = 1;

  Scaled(Eigen::Matrix3d const& A_given, Eigen::Vector3d const& b_given, double A_size, double b_size,
         int rows)
      : A(A_given), b(b_given) {
    auto const exponent_of = [](double x) { return x > 0 && std::isfinite(x) ? std::ilogb(x) : 0; };
    int const A_exponent = exponent_of(A_size), b_exponent = exponent_of(b_size);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < rows; ++j) A(i, j) = std::ldexp(A_given(i, j), -A_exponent);
      b[i] = std::ldexp(b_given[i], -b_exponent);
    }
    int const exponent = b_exponent - A_exponent;
    lambda = std::ldexp(1.0, exponent / 2);
    lambda_more = std::ldexp(1.0, exponent - exponent / 2);
  }

  double force(double scaled) const { return scaled * lambda * lambda_more; }
  // Into the solver's units, where no limit or earlier force beyond 1e60 makes a difference.
  double scaled_force(double given) const { return std::clamp(given / lambda / lambda_more, -1e60, 1e60); }
};

struct Sizes {
  double A = 0, b = 0;
  bool ordinary() const { return is_ordinary(A) && is_ordinary(b); }
};

// The diagonal of a positive semidefinite A bounds its entries.
template <int rows>
inline Sizes sizes_of(Eigen::Matrix3d const& A, Eigen::Vector3d const& b) {
  Sizes sizes;
  for (int i = 0; i < rows; ++i) {
    sizes.A = std::max(sizes.A, std::abs(A(i, i)));
    sizes.b = std::max(sizes.b, std::abs(b[i]));
  }
  return sizes;
}

BlockSolutions enumerate_disc(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double F) {
  DiscForce const force = solve_disc(A.topLeftCorner<2, 2>(), b.head<2>(), F);
  BlockSolutions solutions;
  solutions.count = 1;
  solutions.infinitely_many = force.infinitely_many;
  solutions.item[0] = {
      {force.lambda[0], force.lambda[1], 0}, force.stick ? ContactMode::stick : ContactMode::slip, true};
  return solutions;
}

BlockSolutions enumerate_scaled(ForceSet const& set, Eigen::Matrix3d const& A, Eigen::Vector3d const& b) {
  switch (set.kind) {
    case ForceSetKind::half_line:
      return enumerate_half_line(A(0, 0), b[0]);
    case ForceSetKind::interval:
      return enumerate_interval(A(0, 0), b[0], set.limit);
    case ForceSetKind::disc:
      return enumerate_disc(A, b, set.limit);
    case ForceSetKind::cone2:
      return enumerate_planar_cone(A.topLeftCorner<2, 2>(), b.head<2>(), set.limit);
    case ForceSetKind::cone3:
      return enumerate_spatial_cone(A, b, set.limit);
    case ForceSetKind::free1:
    case ForceSetKind::free2:
    case ForceSetKind::free3:
      return enumerate_free(A, b, rows_of(set.kind));
    case ForceSetKind::double_cone2:
    case ForceSetKind::double_cone3:
      return enumerate_double_cone(A, b, set.limit, rows_of(set.kind));
    case ForceSetKind::directed2:
    case ForceSetKind::directed3:
      return enumerate_directed(A, b, set.direction, rows_of(set.kind));
  }
  return {};
}

double squared_distance(Eigen::Vector3d const& lambda, Eigen::Vector3d const& previous, int rows) {
  double sum = 0;
  for (int i = 0; i < rows; ++i) sum += (lambda[i] - previous[i]) * (lambda[i] - previous[i]);
  return sum;
}

// The nearest to `previous` of the solutions that the rule prefers; of all, where it prefers none that
// exists. Equally near: the first in the order of the enumeration.
BlockSolution choose(BlockSolutions const& solutions, SolutionRule rule, Eigen::Vector3d const& previous,
                     int rows) {
  auto const preferred = [rule](BlockSolution const& solution) {
    switch (rule) {
      case SolutionRule::detach:
        return solution.mode == ContactMode::detached;
      case SolutionRule::stick:
        return solution.mode == ContactMode::stick;
      case SolutionRule::stable:
        return solution.stable;
      case SolutionRule::continuous:
        break;
    }
    return true;
  };
  BlockSolution const* best = nullptr;
  bool best_preferred = false;
  double best_distance = 0;
  for (int i = 0; i < solutions.count; ++i) {
    BlockSolution const& candidate = solutions.item[static_cast<std::size_t>(i)];
    bool const candidate_preferred = preferred(candidate);
    double const distance = squared_distance(candidate.lambda, previous, rows);
    if (best == nullptr || (candidate_preferred && !best_preferred) ||
        (candidate_preferred == best_preferred && distance < best_distance)) {
      best = &candidate;
      best_preferred = candidate_preferred;
      best_distance = distance;
    }
  }
  return *best;
}

BlockChoice solve_comparison_law(ForceSet const& set, ContactLaw law, Eigen::Matrix3d const& A,
                                 Eigen::Vector3d const& b) {
  bool const convex = law == ContactLaw::anitescu_tasora;
  if (set.kind == ForceSetKind::cone2) {
    Eigen::Matrix2d const A2 = A.topLeftCorner<2, 2>();
    Eigen::Vector2d const b2 = b.head<2>();
    return convex ? solve_anitescu_tasora<2>(A2, b2, set.limit) : solve_nakaoka<2>(A2, b2, set.limit);
  }
  return convex ? solve_anitescu_tasora<3>(A, b, set.limit) : solve_nakaoka<3>(A, b, set.limit);
}

BlockChoice solve_scaled(ForceSet const& set, ContactLaw law, SolutionRule rule, Eigen::Matrix3d const& A,
                         Eigen::Vector3d const& b, Eigen::Vector3d const& previous) {
  bool const is_cone = set.kind == ForceSetKind::cone2 || set.kind == ForceSetKind::cone3;
  if (is_cone && law != ContactLaw::coulomb) return solve_comparison_law(set, law, A, b);
  if (set.kind == ForceSetKind::disc && law == ContactLaw::nakaoka) {
    return solve_nakaoka_disc(A.topLeftCorner<2, 2>(), b.head<2>(), set.limit);
  }
  if (is_free(set.kind)) return solve_free(A, b, rows_of(set.kind));
  BlockSolutions const solutions = enumerate_scaled(set, A, b);
  if (solutions.count == 0) return {};
  BlockSolution const chosen = choose(solutions, rule, previous, rows_of(set.kind));
  return {chosen.lambda, chosen.mode, solutions.count};
}

// No solution exists. A free block has its least-squares force already, and a directed one its own rule.
// Elsewhere A is singular, and the least bad force is that of the contact with a little compliance,
// A + epsilon I: a positive definite problem always has a solution. Half the digits of A: the square root of
// the rounding unit.
BlockChoice least_bad(ForceSet const& set, ContactLaw law, SolutionRule rule, Eigen::Matrix3d A,
                      Eigen::Vector3d const& b, Eigen::Vector3d const& previous) {
  int const rows = rows_of(set.kind);
  if (is_free(set.kind)) return solve_free(A, b, rows);
  if (set.kind == ForceSetKind::directed2 || set.kind == ForceSetKind::directed3)
    return least_bad_directed(A, b, set.direction, rows);
  double const compliance = 0x1p-26 * A.diagonal().head(rows).cwiseAbs().maxCoeff();
  if (!(compliance > 0)) return {};
  for (int i = 0; i < rows; ++i) A(i, i) += compliance;
  BlockChoice choice = solve_scaled(set, law, rule, A, b, previous);
  choice.solutions = 0;
  return choice;
}

bool is_coulomb_cone_in_space(ForceSet const& set, ContactLaw law) {
  return set.kind == ForceSetKind::cone3 && law == ContactLaw::coulomb;
}

template <int rows>
BlockChoice solve_rows(ForceSet const& set, ContactLaw law, SolutionRule rule, Eigen::Matrix3d const& A,
                       Eigen::Vector3d const& b, Eigen::Vector3d const& previous) {
  Sizes const sizes = sizes_of<rows>(A, b);
  if (sizes.ordinary() || rows == 1) {
    BlockChoice const choice = solve_scaled(set, law, rule, A, b, previous);
    return choice.solutions > 0 ? choice : least_bad(set, law, rule, A, b, previous);
  }
  Scaled const scaled(A, b, sizes.A, sizes.b, rows);
  ForceSet scaled_set = set;
  if (set.kind == ForceSetKind::disc) scaled_set.limit = scaled.scaled_force(set.limit);
  Eigen::Vector3d scaled_previous = Eigen::Vector3d::Zero();
  for (int i = 0; i < rows; ++i) scaled_previous[i] = scaled.scaled_force(previous[i]);
  BlockChoice choice;
  if (is_coulomb_cone_in_space(set, law))
    choice = lone_solution_of_spatial_cone(scaled.A, scaled.b, set.limit);
  if (choice.solutions == 0)
    choice = solve_scaled(scaled_set, law, rule, scaled.A, scaled.b, scaled_previous);
  if (choice.solutions == 0) choice = least_bad(scaled_set, law, rule, scaled.A, scaled.b, scaled_previous);
  for (int i = 0; i < rows; ++i) choice.lambda[i] = scaled.force(choice.lambda[i]);
  // A force that no double holds is none.
  return choice.lambda.allFinite() ? choice : BlockChoice{};
}

// What sweeps over many contacts meet nearly always. The choice is written where the caller wants it: loading
// what was stored a moment ago in smaller pieces, as a copy does, makes a processor wait for the stores.
BlockChoice solve_ordinary_cone_in_space(ForceSet const& set, SolutionRule rule, Eigen::Matrix3d const& A,
                                         Eigen::Vector3d const& b, Eigen::Vector3d const& previous) {
  BlockChoice choice = lone_solution_of_spatial_cone(A, b, set.limit);
  if (choice.solutions == 0) choice = solve_rows<3>(set, ContactLaw::coulomb, rule, A, b, previous);
  return choice;
}

}  // namespace

BlockSolutions enumerate_block(ForceSet const& set, Eigen::Matrix3d const& A, Eigen::Vector3d const& b) {
  int const rows = rows_of(set.kind);
  Sizes const sizes = rows == 3 ? sizes_of<3>(A, b) : sizes_of<2>(A, b);
  if (rows == 1 || sizes.ordinary()) return enumerate_scaled(set, A, b);
  Scaled const scaled(A, b, sizes.A, sizes.b, rows);
  ForceSet scaled_set = set;
  if (set.kind == ForceSetKind::disc) scaled_set.limit = scaled.scaled_force(set.limit);
  BlockSolutions solutions = enumerate_scaled(scaled_set, scaled.A, scaled.b);
  int kept = 0;
  for (int i = 0; i < solutions.count; ++i) {
    BlockSolution solution = solutions.item[static_cast<std::size_t>(i)];
    for (int j = 0; j < rows; ++j) solution.lambda[j] = scaled.force(solution.lambda[j]);
    if (solution.lambda.allFinite()) solutions.item[static_cast<std::size_t>(kept++)] = solution;
  }
  solutions.count = kept;
  return solutions;
}

BlockChoice solve_block(ForceSet const& set, ContactLaw law, SolutionRule rule, Eigen::Matrix3d const& A,
                        Eigen::Vector3d const& b, Eigen::Vector3d const& previous) {
  if (is_coulomb_cone_in_space(set, law) && sizes_of<3>(A, b).ordinary())
    return solve_ordinary_cone_in_space(set, rule, A, b, previous);
  switch (rows_of(set.kind)) {
    case 1:
      return solve_rows<1>(set, law, rule, A, b, previous);
    case 2:
      return solve_rows<2>(set, law, rule, A, b, previous);
    default:
      return solve_rows<3>(set, law, rule, A, b, previous);
  }
}

}  // namespace delassus
