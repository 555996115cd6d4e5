#include "solver/problem/reduced_contact.hpp"

#include <algorithm>
#include <cmath>

#include "solver/linear/dense.hpp"
#include "solver/linear/least_norm.hpp"
#include "solver/problem/islands.hpp"
#include "solver/problem/sub_problem.hpp"

namespace delassus {
namespace {

// The forces of the eliminated blocks are T z + t, and what is demanded of them is C (A lambda - b) = 0.
struct Elimination {
  std::vector<Eigen::VectorXd> T, C;
  Eigen::VectorXd t;

  explicit Elimination(Eigen::Index rows) : t(Eigen::VectorXd::Zero(rows)) {}
  void hold(Eigen::Index row) {
    T.push_back(Eigen::VectorXd::Unit(t.size(), row));
    C.push_back(T.back());
  }
};

void eliminate(ProblemBlock const& block, ContactMode mode, Eigen::Ref<const Eigen::VectorXd> lambda,
               Elimination& elimination) {
  int const rows = block.rows();
  Eigen::Index const first = block.first, normal = first + rows - 1;
  bool const with_normal = has_normal(block.set.kind);
  if (!is_free(block.set.kind)) {
    if (mode == ContactMode::detached) return;
    if (mode == ContactMode::slip && !with_normal) {
      elimination.t.segment(first, rows) = lambda;
      return;
    }
    bool const directed =
        block.set.kind == ForceSetKind::directed2 || block.set.kind == ForceSetKind::directed3;
    if (with_normal && rows > 1 && (directed || mode == ContactMode::slip)) {
      Eigen::VectorXd along = Eigen::VectorXd::Zero(elimination.t.size());
      if (lambda[rows - 1] != 0) along.segment(first, rows) = lambda / lambda[rows - 1];
      along[normal] = 1;
      elimination.T.push_back(along);
      elimination.C.push_back(Eigen::VectorXd::Unit(elimination.t.size(), normal));
      return;
    }
  }
  for (int i = 0; i < rows; ++i) elimination.hold(first + i);
}

// `sub` has the contact as its last block.
ReducedContact reduce(SubProblem const& sub, Elimination const& elimination) {
  ReducedContact reduced;
  ProblemBlock const& contact = sub.blocks.back();
  int const rows = contact.rows();
  reduced.set = contact.set;
  Eigen::VectorXd const b = sub.b - sub.A * elimination.t;
  auto const A_cc = sub.A.block(contact.first, contact.first, rows, rows);
  reduced.A.topLeftCorner(rows, rows) = A_cc;
  reduced.b.head(rows) = b.segment(contact.first, rows);
  reduced.forces = Eigen::MatrixXd::Zero(sub.b.size(), rows);
  reduced.forces.bottomRows(rows).setIdentity();
  auto const count = static_cast<Eigen::Index>(elimination.T.size());
  reduced.eliminated = static_cast<int>(count);
  if (count == 0) return reduced;
  Eigen::MatrixXd T(sub.b.size(), count), C(count, sub.b.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    T.col(i) = elimination.T[static_cast<std::size_t>(i)];
    C.row(i) = elimination.C[static_cast<std::size_t>(i)].transpose();
  }
  // Scaled by the size of each unknown, so that the rank does not depend on units.
  Eigen::MatrixXd const CA = C * sub.A;
  Eigen::MatrixXd A_jj = CA * T;
  Eigen::VectorXd scale(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    double const size = std::sqrt(std::abs(T.col(i).dot(sub.A * T.col(i))));
    scale[i] = size > 0 ? 1 / size : 1;
  }
  A_jj = scale.asDiagonal() * A_jj * scale.asDiagonal();
  OrthogonalDecomposition const decomposition(A_jj, LeastNorm::rank_tolerance);
  reduced.deficiency = static_cast<int>(count - decomposition.rank());
  Eigen::MatrixXd demand(count, rows + 1);
  demand.leftCols(rows) = CA.middleCols(contact.first, rows);
  demand.col(rows) = C * b;
  demand = scale.asDiagonal() * demand;
  Eigen::MatrixXd const answer = decomposition.solve_columns(demand);
  Eigen::MatrixXd const A_cj = sub.A.middleRows(contact.first, rows) * T * scale.asDiagonal();
  reduced.A.topLeftCorner(rows, rows) -= A_cj * answer.leftCols(rows);
  reduced.forces.noalias() -= T * scale.asDiagonal() * answer.leftCols(rows);
  reduced.b.head(rows) -= A_cj * answer.col(rows);
  Eigen::VectorXd const left = demand.col(rows) - A_jj * answer.col(rows);
  reduced.unmet = left.cwiseQuotient(scale).cwiseAbs().maxCoeff();
  return reduced;
}

}  // namespace

ReducedContact reduce_to_contact(ContactProblem const& problem, int block) {
  std::vector<int> chosen = bilateral_neighbours(problem, block);
  chosen.push_back(block);
  SubProblem const sub = sub_problem(problem, chosen);
  Elimination elimination(sub.b.size());
  for (std::size_t k = 0; k + 1 < sub.blocks.size(); ++k)
    eliminate(sub.blocks[k], ContactMode::stick, Eigen::VectorXd::Zero(sub.blocks[k].rows()), elimination);
  ReducedContact reduced = reduce(sub, elimination);
  // Into the rows of the whole problem.
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(problem.b.size(), reduced.rows());
  for (std::size_t k = 0; k < sub.blocks.size(); ++k) {
    ProblemBlock const& origin = problem.blocks[static_cast<std::size_t>(sub.origin[k])];
    forces.middleRows(origin.first, origin.rows()) =
        reduced.forces.middleRows(sub.blocks[k].first, sub.blocks[k].rows());
  }
  reduced.forces = std::move(forces);
  return reduced;
}

ReducedContact reduce_to_contact(ContactProblem const& problem, int block, Solution const& held) {
  Islands islands;
  islands.find(problem);
  std::vector<int> chosen;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    auto const island = islands[i];
    if (std::find(island.begin(), island.end(), block) == island.end()) continue;
    for (int const k : island) {
      if (k != block) chosen.push_back(k);
    }
  }
  chosen.push_back(block);
  SubProblem const sub = sub_problem(problem, chosen);
  Elimination elimination(sub.b.size());
  for (std::size_t k = 0; k + 1 < sub.blocks.size(); ++k) {
    auto const origin = static_cast<std::size_t>(sub.origin[k]);
    eliminate(sub.blocks[k], held.modes[origin],
              held.lambda.segment(problem.blocks[origin].first, sub.blocks[k].rows()), elimination);
  }
  ReducedContact reduced = reduce(sub, elimination);
  reduced.forces.resize(0, 0);
  return reduced;
}

}  // namespace delassus
