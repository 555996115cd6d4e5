// The contact problem of rigid bodies at an instant, without relaxation: b = J M^-1 Phi - Jdot v, so that
// eta = A lambda - b is the acceleration of the constraint rows. This is the problem of Painleve's paradox and of
// Peiret et al. 2019, (46)-(49), where a contact slides already and friction opposes that motion; the relaxed one of
// Kikuuwe and Brogliato 2017, (27), lets a slip end within delta, and has stick as a mode besides.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "solver/problem/contact_problem.hpp"
#include "solver/problem/delassus_operator.hpp"

namespace delassus {

struct RigidProblem {
  ContactProblem problem;
  std::vector<BlockIdentity> identity;    // of each block
  std::vector<Eigen::Vector3d> velocity;  // of its rows, J v
  std::vector<double> gap;                // Psi of the normal row, 0 where there is none
  // The unit vector along which each contact slides, where it does so faster than the given speed: what
  // AllSolutionsSettings::sliding takes.
  std::vector<std::optional<Eigen::Vector2d>> sliding;
};

// Contacts that are farther apart than `closed` (m) are left out. `least_speed` in m/s.
RigidProblem rigid_problem(System const& system, Instant const& at, double closed = 1e-6,
                           double least_speed = 1e-9);

}  // namespace delassus
