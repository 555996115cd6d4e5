// The first values of a coupled system, in initialisation mode.
#pragma once

#include "tools/cosim/component_stepper.hpp"

namespace delassus {

// Sets parameters and start values, enters initialisation mode and hands values through the connections, each after
// those that it depends on; where they depend on each other around a loop, until they agree. Then leaves the mode.
// Throws CosimFailure.
void initialise(CosimSystem const& system, CosimPlan const& plan, CosimParticipants& participants);

// Texts and binary values, as they are at the present.
void hand_on_texts(CosimWiring const& wiring, CosimParticipants& participants);

}  // namespace delassus
