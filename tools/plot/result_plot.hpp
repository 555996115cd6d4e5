// The plot of a run: which signals are shown, and what its title says.
#pragma once

#include "tools/plot/signal_plot.hpp"
#include "tools/simulate/simulation.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

// Throws UnknownSignal where one of `shown` names neither an input or output nor an element that has some
// (`rod`); with `recorded` signals, one of these.
void check_shown(std::vector<std::string> const& shown, SignalTable const& signals,
                 std::vector<std::size_t> const& recorded = {});

// Shows what `shown` names, or else the outputs and the inputs that change, without bookkeeping such as events.count, and of
// many only some, which a line below the title says. The line below the title has the
// stepper, what the user set and the contact's coefficients. Values are in the unit that the description proposes to show.
Plot plot_result(SimulationResult const& result, SimulationPlan const& plan,
                 ModelDescription const& description, SignalTable const& signals,
                 std::vector<std::string> const& shown);

}  // namespace delassus
