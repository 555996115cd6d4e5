#include "solver/dynamics.hpp"

namespace delassus {

Dynamics::Dynamics(System const& system)
    : system_(&system),
      delassus_(system),
      terms_(system.make_terms()),
      vdot_(static_cast<std::size_t>(system.velocity_size())) {}

void Dynamics::evaluate(Instant const& at, Relaxation relaxation, SolveSettings const& settings,
                        Eigen::Ref<const Eigen::VectorXd> previous) {
  system_->evaluate(at, terms_);
  delassus_.assemble(terms_, at.v, relaxation, problem_);
  solver_.solve(problem_, settings, previous, solution_);
  delassus_.acceleration(terms_, solution_.lambda, vdot_);
}

double kinetic_energy(Terms const& terms, std::span<const double> v) {
  double twice = 0;
  for (MassBlock const& mass : terms.M) {
    Eigen::Map<const Eigen::VectorXd> const part(v.data() + mass.first, mass.M.rows());
    for (Eigen::Index i = 0; i < part.size(); ++i) twice += part(i) * mass.M.row(i).dot(part);
  }
  return twice / 2;
}

}  // namespace delassus
