// Before a coupled system runs: its instances, and whether the plan can be kept by all of them.
#pragma once

#include "tools/cosim/component_stepper.hpp"

namespace delassus {

// Makes the instances, in child processes where the plan says so, with event mode where it is to be used. Adds to
// `notes` what the user should know. Throws CosimFailure.
CosimParticipants make_participants(CosimSystem const& system, CosimPlan const& plan,
                                    CosimWiring const& wiring, std::vector<std::string>& notes);

// Throws CommandError where the steps of the plan are none that all components can make.
void check_steps(CosimSystem const& system, CosimPlan const& plan, CosimParticipants const& participants);

// How many rows of communication points make one of the results; throws CommandError where it is no whole number.
std::size_t steps_of_a_row(CosimPlan const& plan);

}  // namespace delassus
