#include "solver/time/sliding_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/linear/dense.hpp"
#include "solver/problem/form_matrix.hpp"

namespace delassus {
namespace {

// Of sums of a few terms, each of which carries some rounding of its own.
constexpr double rounding = 1e-12;

// Of the largest pivot: below, rows of joints are redundant.
constexpr double rank_tolerance = 1e-10;

// Of the largest demand in the system: bodies that lie on one another move against each other by rounding.
constexpr double negligible = 1e-9;

// Of delta: within this time no slide covers a gap that matters.
constexpr double touching_fraction = 1e-6;

bool can_slide(ForceSetKind kind) {
  return kind == ForceSetKind::cone2 || kind == ForceSetKind::cone3 || kind == ForceSetKind::directed2 ||
         kind == ForceSetKind::directed3;
}
bool is_directed(ForceSetKind kind) {
  return kind == ForceSetKind::directed2 || kind == ForceSetKind::directed3;
}

bool has_joints(ContactProblem const& problem, std::size_t contact) {
  FactorTerms const& W = problem.W;
  for (FactorTerms::Term const& term : W.of_block(contact)) {
    for (int const i : W.of_mass(term.mass)) {
      int const block = W.terms()[static_cast<std::size_t>(i)].block;
      if (is_free(problem.blocks[static_cast<std::size_t>(block)].set.kind)) return true;
    }
  }
  return false;
}

struct Joints {
  std::vector<int> blocks,
      masses;  // that the contact moves, directly or through one another; its own masses first
  int rows = 0;
};

// What a force of the contact reaches by way of joints. Beyond another contact nothing moves: that keeps its
// force.
Joints joints_around(ContactProblem const& problem, std::size_t contact) {
  FactorTerms const& W = problem.W;
  Joints found;
  auto const add_masses = [&](std::size_t block) {
    for (FactorTerms::Term const& term : W.of_block(block)) {
      if (std::find(found.masses.begin(), found.masses.end(), term.mass) == found.masses.end())
        found.masses.push_back(term.mass);
    }
  };
  add_masses(contact);
  for (std::size_t next = 0; next < found.masses.size(); ++next) {
    for (int const i : W.of_mass(found.masses[next])) {
      int const block = W.terms()[static_cast<std::size_t>(i)].block;
      ForceSetKind const kind = problem.blocks[static_cast<std::size_t>(block)].set.kind;
      if (!is_free(kind) || std::find(found.blocks.begin(), found.blocks.end(), block) != found.blocks.end())
        continue;
      found.blocks.push_back(block);
      found.rows += rows_of(kind);
      add_masses(static_cast<std::size_t>(block));
    }
  }
  return found;
}

// The columns of W of some blocks, dense, over the velocities of some masses.
Eigen::MatrixXd columns_of(ContactProblem const& problem, std::vector<int> const& blocks, int columns,
                           std::vector<int> const& first_row, int rows) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(rows, columns);
  Eigen::Index first = 0;
  for (int const block : blocks) {
    for (FactorTerms::Term const& term : problem.W.of_block(static_cast<std::size_t>(block))) {
      Eigen::Map<const Eigen::MatrixXd> const numbers(problem.W.numbers(term), term.columns, term.rows);
      dense.block(first_row[static_cast<std::size_t>(term.mass)], first, term.columns, term.rows) += numbers;
    }
    first += problem.blocks[static_cast<std::size_t>(block)].rows();
  }
  return dense;
}

// A_cc - A_cj A_jj^+ A_jc = R^T R, where R is what a least-squares fit of the contact's columns by the
// joints' leaves.
Eigen::Matrix3d answered_by_joints(ContactProblem const& problem, std::size_t contact, Joints const& joints) {
  std::vector<int> first_row(static_cast<std::size_t>(problem.W.masses()), -1);
  int rows = 0;
  auto const place = [&](std::size_t block) {
    for (FactorTerms::Term const& term : problem.W.of_block(block)) {
      int& first = first_row[static_cast<std::size_t>(term.mass)];
      if (first >= 0) continue;
      first = rows;
      rows += term.columns;
    }
  };
  place(contact);
  for (int const block : joints.blocks) place(static_cast<std::size_t>(block));
  int const own = problem.blocks[contact].rows();
  Eigen::MatrixXd const W_j = columns_of(problem, joints.blocks, joints.rows, first_row, rows);
  Eigen::MatrixXd const W_c = columns_of(problem, {static_cast<int>(contact)}, own, first_row, rows);
  PivotedQr const fit(W_j, rank_tolerance);
  // Directions beyond the rank are those that the joints leave free.
  Eigen::MatrixXd R = fit.rotate(W_c);
  R.topRows(fit.rank()).setZero();
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  A.topLeftCorner(own, own) = R.transpose() * R;
  return A;
}

}  // namespace

SlidingState sliding_state(Dynamics const& dynamics, std::size_t block) {
  SlidingState contact;
  Terms const& terms = dynamics.terms();
  ConstraintBlock const& own = terms.blocks[block];
  if (!can_slide(own.set.kind)) return contact;
  int const tangential = own.rows() - 1;
  auto const first = static_cast<std::size_t>(own.first_row);
  BlockFactors const factors = relaxation_factors(own, dynamics.relaxation());
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();
  double acting = 0;  // the square of what acts on the contact besides its force and the relaxation
  for (int row = 0; row <= tangential; ++row) {
    auto const at = first + static_cast<std::size_t>(row);
    if (row < tangential) velocity[row] = terms.velocity[at];
    RelaxationFactors const& of_row = factors.of_row(row, own.rows());
    double const part = dynamics.problem().b[own.first_row + row] + of_row.damping * terms.velocity[at] +
                        of_row.stiffness * terms.Psi[at];
    acting += part * part;
  }
  // Every step asks this of every contact, and most neither slip nor are fast.
  bool const slips = dynamics.solution().modes[block] == ContactMode::slip;
  double const floor = negligible * dynamics.largest_demand();
  double const damping = factors.tangential.damping;
  bool const fast = damping * damping * velocity.squaredNorm() > std::max(acting, floor * floor);
  if (!slips && !fast) return contact;
  double const speed = velocity.norm(), relaxing = damping * speed;
  double const gap = terms.Psi[first + static_cast<std::size_t>(tangential)];
  Eigen::Vector3d lambda = Eigen::Vector3d::Zero();
  lambda.head(own.rows()) = dynamics.solution().lambda.segment(own.first_row, own.rows());
  bool const touches =
      lambda[tangential] > 0 || std::sqrt(factors.normal.stiffness) * gap <= touching_fraction * speed;
  if (!touches) return contact;

  // Friction for the unit normal force, -mu xi. Where the relaxation demands more than all that acts, a force
  // of slip may point away from the slide that it stops, and xi is that of the slide.
  Eigen::Vector2d friction = Eigen::Vector2d::Zero();
  if (is_directed(own.set.kind)) {
    for (int row = 0; row < tangential; ++row)
      friction[row] = own.set.direction[static_cast<std::size_t>(row)];
  } else if (fast) {
    friction = -own.set.limit / speed * velocity;
  } else {
    friction.head(tangential) = lambda.head(tangential);
    if (friction.norm() > 0) friction *= own.set.limit / friction.norm();
  }
  contact.mu = friction.norm();
  if (!(contact.mu > 0)) return contact;
  contact.direction = -friction / contact.mu;

  Eigen::Matrix3d A;
  if (has_joints(dynamics.problem(), block)) {
    Joints const joints = joints_around(dynamics.problem(), block);
    if (joints.rows > most_joint_rows) return contact;
    A = answered_by_joints(dynamics.problem(), block, joints);
    // Joints hold the point of contact: no force moves it.
    double const alone = form_diagonal(dynamics.problem().W, block)(tangential, tangential);
    if (A(tangential, tangential) <= rounding * alone) A.setZero();
  } else {
    A = form_diagonal(dynamics.problem().W, block);
  }
  Eigen::Vector3d const A_lambda = A * lambda, eta = eta_of(dynamics, block);
  contact.slides = true;
  contact.A = A(tangential, tangential);
  double h_squared = 0;
  for (int row = 0; row < tangential; ++row) {
    contact.A += A(tangential, row) * friction[row];
    h_squared += A(tangential, row) * A(tangential, row);
  }
  contact.mu_jam = h_squared > 0 ? A(tangential, tangential) / std::sqrt(h_squared)
                                 : std::numeric_limits<double>::infinity();
  contact.B = eta[tangential] - A_lambda[tangential];
  contact.kind = classify_sliding(contact.A, contact.B,
                                  rounding * (A(tangential, tangential) + contact.mu * std::sqrt(h_squared)),
                                  rounding * (std::abs(A_lambda[tangential]) + std::sqrt(acting) + relaxing));
  return contact;
}

}  // namespace delassus
