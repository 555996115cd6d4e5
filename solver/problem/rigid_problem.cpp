#include "solver/problem/rigid_problem.hpp"

#include <limits>

#include "solver/problem/sub_problem.hpp"

namespace delassus {

RigidProblem rigid_problem(System const& system, Instant const& at, double closed, double least_speed) {
  Terms terms = system.make_terms();
  system.evaluate(at, terms);
  // An infinitely slow relaxation demands nothing of velocities and gaps.
  for (ConstraintBlock& block : terms.blocks) {
    block.relaxation.delta = block.tangential.delta = std::numeric_limits<double>::infinity();
  }
  DelassusOperator delassus(system);
  ContactProblem whole;
  delassus.assemble(terms, {}, whole);

  RigidProblem rigid;
  std::vector<int> chosen;
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    int const rows = block.rows();
    bool const normal = has_normal(block.set.kind);
    auto const first = static_cast<std::size_t>(block.first_row),
               last = first + static_cast<std::size_t>(rows) - 1;
    double const gap = normal ? terms.Psi[last] : 0;
    bool const bilateral =
        block.set.kind == ForceSetKind::double_cone2 || block.set.kind == ForceSetKind::double_cone3;
    if (gap > closed && !bilateral) continue;
    chosen.push_back(static_cast<int>(k));
    rigid.identity.push_back(block.identity);
    rigid.gap.push_back(gap);
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    for (int i = 0; i < rows; ++i) velocity[i] = terms.velocity[first + static_cast<std::size_t>(i)];
    rigid.velocity.push_back(velocity);
    rigid.sliding.emplace_back();
    Eigen::Vector2d tangential = Eigen::Vector2d::Zero();
    if (normal) tangential.head(rows - 1) = velocity.head(rows - 1);
    if (tangential.norm() > least_speed) rigid.sliding.back() = tangential.normalized();
  }
  SubProblem const sub = sub_problem(whole, chosen);
  rigid.problem = sub.as_problem();
  return rigid;
}

}  // namespace delassus
