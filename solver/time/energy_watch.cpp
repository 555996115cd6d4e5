#include "solver/time/energy_watch.hpp"

#include <algorithm>
#include <cmath>

#include "solver/linear/mass_factor.hpp"

namespace delassus {
namespace {

// Of the largest potential energy.
constexpr double rounding_of_energy = 1e-9;
// Of the size of what moves: what overlaps by more is parted before energies are compared.
constexpr double overlap_share = 1e-7;
// Of the kinetic energy before a gain that was told: from here on, speeds are ten times too large, and grow.
constexpr double nonsense = 100;

// J: the kinetic energy that bodies which nothing holds get in h seconds from rest, h^2/2 Phi^T M^-1 Phi.
double energy_of_free_step(Terms const& terms, double h) {
  MassFactor factor(terms.M);
  factor.factorise(terms.M);
  Eigen::VectorXd weighted = terms.Phi;
  for (std::size_t k = 0; k < terms.M.size(); ++k) factor.forward(k, weighted.data() + terms.M[k].first);
  return h * h / 2 * weighted.squaredNorm();
}

// Whether a unilateral contact or limit is deeper than this.
bool overlaps(Terms const& terms, double length) {
  return std::any_of(terms.blocks.begin(), terms.blocks.end(), [&](ConstraintBlock const& block) {
    return is_unilateral(block.set.kind) &&
           terms.Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)] < -length;
  });
}

}  // namespace

bool is_left_alone(System const& system, Instant const& at) {
  return !system.is_driven() &&
         std::all_of(at.input.begin(), at.input.end(), [](double u) { return u == 0; });
}

EnergyGain look_at_energy(System const& system, Terms const& terms, Instant const& at, double h,
                          double told_share, EnergyWatch& balance) {
  EnergyGain gain;
  double const kinetic = kinetic_energy(terms, at.v), potential = system.potential_energy(at),
               energy = kinetic + potential;
  if (balance.largest == 0) balance.largest = energy_of_free_step(terms, h);
  // What was there before the gain that was told.
  if (!balance.told)
    balance.largest =
        std::max({balance.largest, kinetic, rounding_of_energy / told_share * std::abs(potential)});
  if (balance.comparable) {
    balance.gained = std::max(0.0, balance.gained + energy - balance.energy - balance.recovered);
    if (balance.told) {
      gain.diverged = !(balance.gained <= nonsense * balance.largest);
    } else if (balance.gained > told_share * balance.largest) {
      gain = {at.t, balance.gained, balance.largest};
      balance.told = true;
    }
  }
  balance.energy = energy;
  balance.recovered = 0;
  balance.comparable = is_left_alone(system, at);
  return gain;
}

EnergyGain look_at_energy_since_start(System const& system, Terms const& terms, Instant const& at, double h,
                                      EnergyWatch& balance) {
  EnergyGain gain;
  double const kinetic = kinetic_energy(terms, at.v), potential = system.potential_energy(at);
  if (balance.largest == 0) balance.largest = energy_of_free_step(terms, h);
  balance.largest =
      std::max({balance.largest, kinetic, rounding_of_energy / told_share_of_relaxed * std::abs(potential)});
  if (!balance.comparable) balance.energy = kinetic + potential;
  balance.gained = kinetic + potential - balance.energy;
  if (!balance.told && balance.gained > told_share_of_relaxed * balance.largest) {
    gain = {at.t, balance.gained, balance.largest};
    balance.told = true;
  }
  if (!balance.comparable)
    balance.comparable = !overlaps(terms, overlap_share * system.length_scale(at.parameter));
  return gain;
}

void note_recovery(Dynamics const& dynamics, EnergyWatch& balance) {
  Terms const& terms = dynamics.terms();
  for (ConstraintBlock const& block : terms.blocks) {
    if (!is_unilateral(block.set.kind)) continue;
    int const last = block.first_row + block.rows() - 1;
    balance.recovered +=
        std::max(0.0, -dynamics.solution().lambda[last] * terms.Psi[static_cast<std::size_t>(last)]);
  }
}

}  // namespace delassus
