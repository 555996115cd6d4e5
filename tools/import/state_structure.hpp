// How the continuous states of an FMU hang together, as its ModelStructure says: what an implicit integrator makes its
// Jacobian from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "xml/fmi/description.hpp"

namespace delassus {

struct StateStructure {
  // Value references of the variables in the order of the states; an array of FMI 3 counts with all of its elements.
  std::vector<std::uint32_t> states, derivatives;
  std::size_t size = 0;  // scalar states
  // For each scalar derivative the scalar states that it depends on; nothing where the FMU does not say.
  std::optional<std::vector<std::vector<std::size_t>>> dependencies;
  bool directional_derivatives = false;  // of Model Exchange
};

// Of size 0 where the description makes no sense.
StateStructure state_structure(ModelDescription const& description);

}  // namespace delassus
