#include "solver/time/dynamics.hpp"

#include <algorithm>

namespace delassus {
namespace {

// Of the size of what moves, or rad: what is farther apart does not touch. Crowds end their steps as exact as that.
constexpr double open_share = 1e-6;
// Of what a contact closes in a step: so much farther apart, it is not met in it.
constexpr double way_left_out = 4;

}  // namespace

Dynamics::Dynamics(System const& system)
    : system_(&system),
      delassus_(system),
      terms_(system.make_terms()),
      vdot_(static_cast<std::size_t>(system.velocity_size())) {}

void Dynamics::evaluate(Instant const& at, Relaxation relaxation, SolveSettings const& settings,
                        std::span<const BlockForce> previous) {
  assemble(at, relaxation);
  solve(settings, previous);
  if (solution_.squeezed.empty() || !at.q_end.empty()) return;
  int const rows = terms_.rows();
  Instant apart = at;
  apart.corners_part = true;
  assemble(apart, relaxation);
  if (terms_.rows() == rows) return;
  solve(settings, previous);
  if (solution_.squeezed.empty()) return;
  assemble(at, relaxation);
  solve(settings, previous);
}

void Dynamics::assemble(Instant const& at, Relaxation relaxation) {
  relaxation_ = relaxation;
  system_->evaluate(at, terms_);
  if (relaxation.observes) leave_out_what_is_to_come(at);
  delassus_.assemble(terms_, relaxation, problem_);
  largest_demand_ = problem_.b.size() > 0 ? problem_.b.cwiseAbs().maxCoeff() : 0;
}

// Overlap is as good as none, and what would be met within the step has no force yet: (70) would stop it at once.
void Dynamics::leave_out_what_is_to_come(Instant const& at) {
  double const open = open_share * system_->length_scale(at.parameter);
  for (ConstraintBlock const& block : terms_.blocks) {
    if (!is_unilateral(block.set.kind)) continue;
    auto const normal = static_cast<std::size_t>(block.first_row + block.rows() - 1);
    double& gap = terms_.Psi[normal];
    gap = std::max(gap, 0.0);
    if (gap > (system_->is_angular(block.identity) ? open_share : open))
      gap += way_left_out * relaxation_.step * std::max(0.0, -terms_.velocity[normal]);
  }
}

void Dynamics::solve(SolveSettings const& settings, std::span<const BlockForce> previous) {
  coarse_remainder_ = settings.coarse_remainder;
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

Eigen::Vector3d eta_of(Dynamics const& dynamics, std::size_t block) {
  Terms const& terms = dynamics.terms();
  ConstraintBlock const& own = terms.blocks[block];
  BlockFactors const factors = relaxation_factors(own, dynamics.relaxation());
  Eigen::Vector3d eta = Eigen::Vector3d::Zero();
  for (int row = 0; row < own.rows(); ++row) {
    auto const at = static_cast<std::size_t>(own.first_row + row);
    RelaxationFactors const& of_row = factors.of_row(row, own.rows());
    eta[row] = terms.Jdot_v[at] + of_row.damping * terms.velocity[at] + of_row.stiffness * terms.Psi[at];
  }
  for (std::size_t i = terms.J.first_of(static_cast<int>(block));
       i < terms.J.size() && terms.J.term(i).block == static_cast<int>(block); ++i) {
    JacobianTerms::Term const& term = terms.J.term(i);
    int const first = terms.M[static_cast<std::size_t>(term.mass)].first;
    Eigen::Map<const Eigen::VectorXd> const vdot(dynamics.vdot().data() + first, term.columns);
    eta.head(term.rows) += terms.J[i] * vdot;
  }
  return eta;
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
