#include "solver/dynamics.hpp"

namespace delassus {

Dynamics::Dynamics(System const& system)
    : system_(&system),
      delassus_(system),
      terms_(system.make_terms()),
      vdot_(static_cast<std::size_t>(system.velocity_size())) {}

void Dynamics::evaluate(Instant const& at, Relaxation relaxation, SolveSettings const& settings,
                        std::span<const BlockForce> previous) {
  relaxation_ = relaxation;
  system_->evaluate(at, terms_);
  delassus_.assemble(terms_, relaxation, problem_);
  largest_demand_ = problem_.b.size() > 0 ? problem_.b.cwiseAbs().maxCoeff() : 0;
  previous_forces(terms_, previous, previous_);
  solver_.solve(problem_, settings, previous_, solution_);
  delassus_.acceleration(problem_, solution_.lambda, vdot_);
}

void previous_forces(Terms const& terms, std::span<const BlockForce> forces, Eigen::VectorXd& previous) {
  // Both lists rise: one pass finds what belongs together.
  previous.resize(terms.rows());
  auto force = forces.begin();
  for (ConstraintBlock const& block : terms.blocks) {
    while (force != forces.end() && force->identity < block.identity) ++force;
    bool const known = force != forces.end() && force->identity == block.identity;
    for (int i = 0; i < block.rows(); ++i)
      previous[block.first_row + i] = known ? force->lambda[static_cast<std::size_t>(i)] : 0.0;
  }
}

void copy_forces(Terms const& terms, Eigen::Ref<const Eigen::VectorXd> lambda,
                 std::vector<BlockForce>& forces) {
  forces.resize(terms.blocks.size());
  for (std::size_t k = 0; k < forces.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    forces[k] = {block.identity, {}};
    for (int i = 0; i < block.rows(); ++i)
      forces[k].lambda[static_cast<std::size_t>(i)] = lambda[block.first_row + i];
  }
}

namespace {

template <class Scalar>
Scalar energy_of_motion(TermsOf<Scalar> const& terms, std::span<const Scalar> v) {
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  Scalar twice = 0;
  for (MassBlockOf<Scalar> const& mass : terms.M) {
    Eigen::Map<const Vector> const part(v.data() + mass.first, mass.M.rows());
    for (Eigen::Index i = 0; i < part.size(); ++i) twice += part(i) * mass.M.row(i).dot(part);
  }
  return twice / 2;
}

}  // namespace

double kinetic_energy(Terms const& terms, std::span<const double> v) {
  return energy_of_motion(terms, v);
}
Dual kinetic_energy(TermsOf<Dual> const& terms, std::span<const Dual> v) {
  return energy_of_motion(terms, v);
}

}  // namespace delassus
