// Where the energy of a recorded run went: what the bodies hold, what inputs and prescribed motions brought in, and the rest,
// which is what friction, impacts, dampers and the relaxation of the contacts took:
//
//   dissipated(t) = energy.total(0) + work(t) - energy.total(t)
//
// Work is the sum over the rows of force times way: an input holds over a step, velocities are taken as straight lines between rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/report/recorded_scene.hpp"

namespace delassus {

struct EnergyBalance {
  std::size_t kinetic = 0, potential = 0, total = 0;  // columns of the table
  std::vector<double> work, dissipated;               // J, one for each row
  std::vector<std::string> counted;                   // whose work is in it
  std::vector<std::string> notes;                     // what the outputs do not tell
};

// Nothing where the table lacks the energies.
std::optional<EnergyBalance> balance_energy(RecordedScene& scene);

}  // namespace delassus
