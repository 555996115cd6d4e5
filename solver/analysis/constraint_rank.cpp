#include "solver/analysis/constraint_rank.hpp"

#include <algorithm>
#include <cmath>

#include "solver/analysis/distance_from_cone.hpp"
#include "solver/linear/dense.hpp"

namespace delassus {
namespace {

// Singular values below this fraction of the largest are rounding. Rows come scaled to one, and what they are made of
// carries some tens of units of rounding.
constexpr double rank_tolerance = 1e-11;
// Demands that disagree by less, in the unit of the larger ones, count as the same.
constexpr double agreement = 1e-9;

int rank_of_values(Eigen::VectorXd const& values) {
  if (values.size() == 0 || !(values[0] > 0)) return 0;
  return static_cast<int>((values.array() > rank_tolerance * values[0]).count());
}

int rank_of(Eigen::MatrixXd const& A) {
  return A.size() == 0 ? 0 : rank_of_values(singular_values(A));
}

// Orthonormal columns that A maps to zero.
Eigen::MatrixXd null_space(Eigen::MatrixXd const& A) {
  if (A.cols() == 0) return Eigen::MatrixXd(0, 0);
  if (A.rows() == 0) return Eigen::MatrixXd::Identity(A.cols(), A.cols());
  SingularValues const decomposition(A);
  return decomposition.V.rightCols(A.cols() - rank_of_values(decomposition.values));
}

Eigen::MatrixXd stacked(Eigen::MatrixXd const& above, Eigen::MatrixXd const& below) {
  Eigen::MatrixXd result(above.rows() + below.rows(), above.cols());
  result << above, below;
  return result;
}

// Rows of length one, and their right-hand sides with them. A row of zeros stays.
void scale_rows(Eigen::MatrixXd& J, Eigen::VectorXd& c) {
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    double const length = J.row(i).norm();
    if (length == 0) continue;
    J.row(i) /= length;
    c[i] /= length;
  }
}

// Some z has J_b z + c_b = 0, J_u z + c_u >= 0. With y the combinations of rows that vanish, y^T J = 0, this asks for
// slacks s >= 0 with y^T (0, s) = y^T c (Farkas).
bool is_compatible(FrictionlessProblem const& problem, Eigen::MatrixXd const& dependencies, double scale) {
  Eigen::VectorXd c(problem.c_b.size() + problem.c_u.size());
  c << problem.c_b, problem.c_u;
  Eigen::VectorXd const demand = dependencies.transpose() * c;
  Eigen::MatrixXd const slack = dependencies.bottomRows(problem.J_u.rows()).transpose();
  return distance_from_cone(slack, demand) <= agreement * (c.norm() + scale) + 1e-12;
}

// F = M x + J_b^T l_b + J_u^T l_u, l_u >= 0: along the motions Z that have neither inertia nor a bilateral constraint,
// unilateral forces carry F.
bool is_balanced(FrictionlessProblem const& problem, Eigen::MatrixXd const& Z) {
  Eigen::VectorXd const load = Z.transpose() * problem.F;
  Eigen::MatrixXd const carried = Z.transpose() * problem.J_u.transpose();
  return distance_from_cone(carried, load) <= agreement * problem.F.norm() + 1e-12;
}

// Their forces carry every load along Z: each direction and its opposite.
bool is_balanced_for_every_force(FrictionlessProblem const& problem, Eigen::MatrixXd const& Z) {
  Eigen::MatrixXd const carried = Z.transpose() * problem.J_u.transpose();
  for (Eigen::Index i = 0; i < Z.cols(); ++i) {
    Eigen::VectorXd const direction = Eigen::VectorXd::Unit(Z.cols(), i);
    if (distance_from_cone(carried, direction) > agreement) return false;
    if (distance_from_cone(carried, -direction) > agreement) return false;
  }
  return true;
}

// Rows that add nothing to those before them.
std::vector<int> rows_that_can_go(Eigen::MatrixXd const& J) {
  std::vector<int> result;
  Eigen::MatrixXd basis(J.cols(), 0);
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    Eigen::VectorXd rest = J.row(i).transpose();
    for (int twice = 0; twice < 2; ++twice) rest -= basis * (basis.transpose() * rest);
    if (rest.norm() <= 1e-8) {
      result.push_back(static_cast<int>(i));
      continue;
    }
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.rightCols(1) = rest.normalized();
  }
  return result;
}

}  // namespace

FrictionlessProblem frictionless_problem(Terms const& terms, std::span<const int> blocks) {
  struct Row {
    int block, row;
    bool unilateral;
  };
  std::vector<Row> rows;
  for (int const k : blocks) {
    ConstraintBlock const& block = terms.blocks[static_cast<std::size_t>(k)];
    ForceSetKind const kind = block.set.kind;
    bool const bilateral = kind == ForceSetKind::double_cone2 || kind == ForceSetKind::double_cone3;
    if (has_normal(kind)) {
      rows.push_back({k, block.rows() - 1, !bilateral});
    } else if (is_free(kind)) {
      for (int row = 0; row < block.rows(); ++row) rows.push_back({k, row, false});
    }
  }
  auto const middle =
      std::stable_partition(rows.begin(), rows.end(), [](Row const& row) { return !row.unilateral; });
  auto const count_b = middle - rows.begin();

  // The masses that the rows touch, one after the other.
  std::vector<Eigen::Index> first(terms.M.size(), -1);
  std::vector<bool> wanted(terms.blocks.size());
  for (Row const& row : rows) wanted[static_cast<std::size_t>(row.block)] = true;
  Eigen::Index n = 0;
  for (std::size_t k = 0; k < terms.J.size(); ++k) {
    JacobianTerms::Term const& term = terms.J.term(k);
    Eigen::Index& at = first[static_cast<std::size_t>(term.mass)];
    if (!wanted[static_cast<std::size_t>(term.block)] || at >= 0) continue;
    at = n;
    n += term.columns;
  }
  FrictionlessProblem result;
  result.M = Eigen::MatrixXd::Zero(n, n);
  result.F.resize(n);
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (first[k] < 0) continue;
    Eigen::Index const size = terms.M[k].M.rows();
    result.M.block(first[k], first[k], size, size) = terms.M[k].M;
    result.F.segment(first[k], size) = terms.Phi.segment(terms.M[k].first, size);
  }
  auto const count = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(count, n);
  Eigen::VectorXd c(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    Row const& row = rows[static_cast<std::size_t>(i)];
    ConstraintBlock const& block = terms.blocks[static_cast<std::size_t>(row.block)];
    (row.unilateral ? result.blocks_u : result.blocks_b).push_back(row.block);
    c[i] = terms.Jdot_v[static_cast<std::size_t>(block.first_row + row.row)];
    for (std::size_t k = 0; k < terms.J.size(); ++k) {
      JacobianTerms::Term const& term = terms.J.term(k);
      if (term.block == row.block)
        J.row(i).segment(first[static_cast<std::size_t>(term.mass)], term.columns) += terms.J[k].row(row.row);
    }
  }
  result.J_b = J.topRows(count_b);
  result.J_u = J.bottomRows(count - count_b);
  result.c_b = c.head(count_b);
  result.c_u = c.tail(count - count_b);
  return result;
}

ConstraintRank constraint_rank(FrictionlessProblem const& given) {
  FrictionlessProblem problem = given;
  scale_rows(problem.J_b, problem.c_b);
  scale_rows(problem.J_u, problem.c_u);
  double const heaviest = problem.M.size() > 0 ? problem.M.cwiseAbs().maxCoeff() : 0;
  if (heaviest > 0) {
    problem.M /= heaviest;
    problem.F /= heaviest;
  }
  Eigen::MatrixXd const J = stacked(problem.J_b, problem.J_u);
  ConstraintRank result;
  result.velocities = static_cast<int>(problem.M.rows());
  result.rows_b = static_cast<int>(problem.J_b.rows());
  result.rows_u = static_cast<int>(problem.J_u.rows());
  result.mass = rank_of(problem.M);
  result.bilateral = rank_of(problem.J_b);
  result.unilateral = rank_of(problem.J_u);
  result.all = rank_of(J);

  Eigen::MatrixXd const dependencies = null_space(J.transpose());
  Eigen::MatrixXd const inert = null_space(stacked(problem.M, problem.J_b));
  result.compatible = is_compatible(problem, dependencies, problem.F.norm());
  result.balanced = is_balanced(problem, inert);
  result.balanced_for_every_force = is_balanced_for_every_force(problem, inert);
  result.solvable = result.compatible && result.balanced;
  result.regular = inert.cols() == 0 && result.bilateral == result.rows_b;
  if (inert.cols() == 0)
    result.acceleration_unique = Certainty::yes;
  else if (result.rows_u == 0)
    result.acceleration_unique = Certainty::no;
  result.multipliers_unique = result.all == result.rows_b + result.rows_u;
  result.unilateral_force_unique = result.all == result.bilateral + result.unilateral;
  for (Eigen::Index i = 0; i < dependencies.rows(); ++i) {
    if (dependencies.cols() > 0 && dependencies.row(i).norm() > 1e-7)
      result.dependent.push_back(static_cast<int>(i));
  }
  result.redundant = rows_that_can_go(J);
  return result;
}

std::string explain(ConstraintRank const& rank) {
  int const rows = rank.rows_b + rank.rows_u;
  if (!rank.compatible)
    return "the constraints contradict one another: no acceleration satisfies all of them";
  if (!rank.balanced)
    return "no forces exist: along a motion without inertia the load is not carried by any constraint";
  std::string result = "solutions exist; the force J^T lambda of all constraints together is unique";
  switch (rank.acceleration_unique) {
    case Certainty::yes:
      result += ", and so is the acceleration";
      break;
    case Certainty::no:
      result += ", the acceleration is not: a motion has neither inertia nor a constraint";
      break;
    case Certainty::unknown:
      result += "; M is singular, and whether the acceleration is unique depends on the load";
      break;
  }
  if (rank.multipliers_unique) return result + "; each multiplier is unique";
  result += "; the " + std::to_string(rows) + " rows have rank " + std::to_string(rank.all) + ": " +
            std::to_string(rank.dependent.size()) +
            " of them depend on one another, and their multipliers are not " + "determined by the motion";
  if (rank.dependent.size() < static_cast<std::size_t>(rows)) result += "; those of the other rows are";
  if (rank.rows_u > 0 && rank.rows_b > 0 && rank.unilateral_force_unique)
    result += "; the forces of joints and of contacts are unique each by itself";
  return result;
}

int kkt_rank(Eigen::Ref<const Eigen::MatrixXd> M, Eigen::Ref<const Eigen::MatrixXd> F,
             Eigen::Ref<const Eigen::MatrixXd> N) {
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(M.rows() + F.cols(), M.cols() + N.cols());
  whole.topLeftCorner(M.rows(), M.cols()) = M;
  whole.topRightCorner(M.rows(), N.cols()) = N;
  whole.bottomLeftCorner(F.cols(), M.cols()) = F.transpose();
  return rank_of(whole);
}

}  // namespace delassus
