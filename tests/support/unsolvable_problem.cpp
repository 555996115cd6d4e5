// Why there is no solution. Coulomb's law asks for eta_n >= 0 of every contact and eta = 0 of every joint;
// with eta = A lambda - b, any z with A z = 0 has z^T eta = -z^T b whatever lambda is. So a z with A z = 0
// and z^T b > 0, which is not negative in normal rows, zero in those of friction and anything in those of
// joints, excludes every lambda. `unsupported`, `contradictory` and `pinched` have such a z. `paradox` has
// another reason, which is given there.
#include "tests/support/unsolvable_problem.hpp"
#include "solver/linear/dense.hpp"

#include <cmath>

#include "tests/support/body_rows.hpp"

namespace delassus::test {
namespace {

Eigen::VectorXd unit_mass() {
  Eigen::VectorXd mass(6);
  mass << 1, 1, 1, 0.1, 0.1, 0.1;
  return mass;
}

// Spheres on the ground around what has no solution; they share the last body with it.
BodyRows company(RandomBlocks& random) {
  BodyRows rows;
  int const bodies = random_size(random, 8);
  for (int i = 0; i < bodies; ++i) {
    rows.add_body(unit_mass());
    for (int const other : {-1, i - 1}) {
      if (i == 0 && random.integer(0, 1) == 0) continue;
      Eigen::Vector3d normal = random_vector(random);
      normal[2] = 1 + std::abs(normal[2]);
      Eigen::Matrix3d const frame = contact_frame(normal);
      rows.add_block({ForceSetKind::cone3, random_mu(random)});
      rows.add_term(i, point_rows(frame, -0.5 * normal.normalized()));
      rows.add_term(other, -point_rows(frame, 0.5 * normal.normalized()));
    }
  }
  return rows;
}

// b of what falls, before the part without solution gets its own.
ContactProblem falling(BodyRows const& rows, RandomBlocks& random) {
  ContactProblem problem = rows.problem();
  Eigen::VectorXd v(rows.columns());
  for (double& x : v) x = 0.3 * random.normal();
  for (int i = 0; i < rows.bodies(); ++i) v[6 * i + 2] -= 1;
  problem.b = -rows.relative(v);
  return problem;
}

double demand(RandomBlocks& random) {
  return std::pow(10.0, random.uniform(-2, 1));
}

ContactProblem unsupported(RandomBlocks& random) {
  BodyRows rows = company(random);
  rows.add_block({ForceSetKind::cone3, random_mu(random)});
  // Half of them can at least slide.
  if (random.integer(0, 1) == 0) {
    Eigen::MatrixXd J = point_rows(contact_frame(random_vector(random)), random_vector(random));
    J.row(2).setZero();
    rows.add_term(rows.bodies() - 1, J);
  }
  ContactProblem problem = falling(rows, random);
  problem.b[problem.b.size() - 1] = demand(random);
  return problem;
}

ContactProblem contradictory(RandomBlocks& random) {
  BodyRows rows = company(random);
  Eigen::MatrixXd const J = point_rows(contact_frame(random_vector(random)), random_vector(random));
  for (int k = 0; k < 2; ++k) {
    rows.add_block({ForceSetKind::free1});
    rows.add_term(rows.bodies() - 1, J.bottomRows(1));
  }
  ContactProblem problem = falling(rows, random);
  problem.b[problem.b.size() - 1] += demand(random);
  return problem;
}

ContactProblem pinched(RandomBlocks& random) {
  BodyRows rows = company(random);
  Eigen::Vector3d const normal = random_vector(random).normalized();
  bool const friction = random.integer(0, 3) > 0;
  for (double const sign : {1.0, -1.0}) {
    Eigen::MatrixXd const J = point_rows(contact_frame(sign * normal), -0.5 * sign * normal);
    ForceSet const set{friction ? ForceSetKind::cone3 : ForceSetKind::half_line,
                       friction ? random_mu(random) : 0};
    rows.add_block(set);
    rows.add_term(rows.bodies() - 1, J.bottomRows(rows_of(set.kind)));
  }
  ContactProblem problem = falling(rows, random);
  // The two normal rows are opposite, and so are their b until the walls move.
  problem.b[problem.b.size() - 1] += demand(random);
  return problem;
}

// One contact on one freedom, A = w w^T. With b_n > 0 it cannot stay detached, with b not parallel to w it
// cannot stick. If it slides, eta_n = 0 says w^T lambda = b_n / w_n, so eta_t = w_t b_n / w_n - b_t is known,
// and with it the direction d of sliding and w^T lambda = lambda_n (w_n - mu w_t^T d). Here w_n > 0 and mu
// w_t^T d > w_n, so that lambda_n would have to be negative.
//
// Half of them hide the freedom: a joint takes k freedoms of k + 1, and w is what it leaves of the contact's
// rows.
ContactProblem paradox(RandomBlocks& random) {
  int const rows = random.integer(2, 3);
  int const joint = random.integer(0, 1) == 0 ? 0 : random.integer(1, 3);
  Eigen::VectorXd direction(rows - 1);
  for (double& x : direction) x = random.normal();
  direction.normalize();
  double const mu = random.uniform(0.3, 2), w_n = random.uniform(0.2, 1);
  double const along = w_n / mu * random.uniform(1.3, 4);
  Eigen::VectorXd w(rows), b(rows);
  w << along * direction, w_n;
  if (rows == 3) w.head(2) += random.normal() * Eigen::Vector2d(-direction[1], direction[0]);
  double const b_n = demand(random);
  b << w.head(rows - 1) * b_n / w_n - demand(random) * direction, b_n;

  int const freedoms = joint + 1;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(joint + rows, freedoms);  // of the joint, then of the contact
  for (int i = 0; i < joint; ++i)
    for (int j = 0; j < joint; ++j) J(i, j) = random.normal() + (i == j ? 3 : 0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < joint; ++j) J(joint + i, j) = random.normal();
  J.bottomRightCorner(rows, 1) = w;
  Eigen::VectorXd all(joint + rows);
  for (double& x : all.head(joint)) x = random.normal();
  // The joint's force moves the contact by what is then subtracted again.
  Eigen::VectorXd const held = RegularLu(J.topLeftCorner(joint, joint)).solve(all.head(joint));
  all.tail(rows) = b + J.bottomLeftCorner(rows, joint) * held;

  std::vector<ProblemBlock> blocks;
  if (joint > 0) {
    constexpr std::array kinds{ForceSetKind::free1, ForceSetKind::free2, ForceSetKind::free3};
    blocks.push_back({0, {kinds[static_cast<std::size_t>(joint - 1)]}});
  }
  blocks.push_back({joint, {rows == 2 ? ForceSetKind::cone2 : ForceSetKind::cone3, mu}});
  Eigen::MatrixXd const A = J * J.transpose();
  return ContactProblem::from_dense(0.5 * (A + A.transpose()), all, blocks);
}

}  // namespace

ContactProblem unsolvable_problem(ProblemFamily family, RandomBlocks& random) {
  switch (family) {
    case ProblemFamily::unsupported:
      return unsupported(random);
    case ProblemFamily::contradictory:
      return contradictory(random);
    case ProblemFamily::pinched:
      return pinched(random);
    default:
      return paradox(random);
  }
}

}  // namespace delassus::test
