// How far a force is from solving the contact problem. It lives outside every solver, and every solver is
// tested by it on the raw data.
//
// With eta = A lambda - b and De Saxce's corrected eta~ = eta + mu |eta_t| e_n (Kikuuwe and Brogliato 2017,
// (73)-(77)), the natural map's distance is d(rho) = |lambda - P_C(lambda - rho eta~)|, P_C the Euclidean
// projection on the force sets. Sets that are not convex have a map of their own with the same zeros:
//   double cone  rho eta_n, and lambda_t - P(lambda_t - rho eta_t) for the disc of radius mu |lambda_n|
//   directed     lambda_n - max(lambda_n - rho eta_n, 0), and lambda_t - direction lambda_n
//
//   scale-free:  d(rho) / max(rho |b|, |lambda|, rho |eta|) with rho = rows / trace(A): independent of units
//   unit:        d(1)   / max(|b|, |lambda|, |eta|): the measure of Siconos, for comparisons with it
// Zero where all of these vanish. For A = 0, which has no scale, rho = 1. For the law of Anitescu and Tasora
// (78) eta~ = eta. The law of Nakaoka et al. (80) has a closed form, r = A^-1 b of the whole problem (the
// pseudo-inverse where A is singular): the distance is that to lambda_n = max(r_n, 0), lambda_t = r_t clamped
// to mu lambda_n, in frictions of known bound to r clamped to the bound, and |r| is a further scale.
#pragma once

#include <limits>
#include <span>

#include "model/scene/enumeration.hpp"
#include "solver/problem/contact_problem.hpp"

namespace delassus {

double scale_free_residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                           ContactLaw law = ContactLaw::coulomb);

// The same without an allocation (for (65) and (78)), where it is asked for in a loop.
struct ResidualWorkspace {
  Eigen::VectorXd eta;
};
double scale_free_residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                           ContactLaw law, ResidualWorkspace& workspace);

double unit_residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                     ContactLaw law = ContactLaw::coulomb);

// rho of the scale-free measure; 1 where A = 0.
double scale_free_rho(double rows, double trace);

// d(rho) / max(rho |b|, min(|lambda|, most), rho |eta|, floor) for (65) and (78), of blocks that take three
// rows each. `most` keeps forces that grow without bound, as those of demands that contradict one another do,
// from looking better and better; where it is given, the rounding of lambda counts as distance too.
double residual_of_sets(std::span<const ForceSet> sets, double rho, ContactLaw law,
                        std::span<const Eigen::Vector3d> b, std::span<const Eigen::Vector3d> lambda,
                        std::span<const Eigen::Vector3d> eta, double floor = 0,
                        double most = std::numeric_limits<double>::infinity());

}  // namespace delassus
