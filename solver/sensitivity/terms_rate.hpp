// Products with the terms of a system and with their derivatives along a direction.
#pragma once

#include <Eigen/Core>

#include "model/equations/system.hpp"
#include "solver/problem/delassus_operator.hpp"

namespace delassus {

// Of a term with its derivative: which of both.
enum class DualPart { value, derivative };

// y += J^T u and y += J u, with J or its derivative.
void add_transposed_product(TermsOf<Dual> const& terms, DualPart part, Eigen::Ref<const Eigen::VectorXd> u,
                            Eigen::VectorXd& y);
void add_product(TermsOf<Dual> const& terms, DualPart part, Eigen::Ref<const Eigen::VectorXd> u,
                 Eigen::VectorXd& y);

// y -= dM a
void subtract_mass_rate(TermsOf<Dual> const& terms, Eigen::Ref<const Eigen::VectorXd> a, Eigen::VectorXd& y);

// dPhi
Eigen::VectorXd force_rate(TermsOf<Dual> const& terms);

// Of each row the derivative of H = Jdot v + (2 zeta/delta) J v + (1/delta^2) Psi. `step_rate` is that of the relaxation's step.
Eigen::VectorXd demand_rate(TermsOf<Dual> const& terms, Relaxation const& relaxation, double step_rate);

}  // namespace delassus
