// What depends on what in a coupled system: direct feedthrough from the descriptions of the FMUs, algebraic loops, and
// the order in which values go around.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/cosim/coupled_system.hpp"

namespace delassus {

enum class DependencyMoment { initialisation, communication_point };

// Direct feedthrough: whether an output of a component depends on one of its inputs without delay, as its description says.
// What the description leaves out has to be assumed to depend (FMI 2.0.4, 2.2.8; FMI 3.0, 2.4.8).
class DirectFeedthrough {
 public:
  DirectFeedthrough(CosimComponent const& component, DependencyMoment moment);
  bool operator()(std::size_t output_signal, std::size_t input_signal) const;

 private:
  struct Unknown {
    bool known = false;
    std::vector<std::size_t> variables;  // sorted
  };
  SignalTable const* signals_ = nullptr;
  std::vector<Unknown> unknowns_;  // by variable
};

// Connections that settle together. More than one, or one that feeds itself: an algebraic loop.
struct CosimSignalGroup {
  std::vector<std::size_t> connections;
  bool is_loop = false;
  std::string path;  // of a loop: plant.force -> controller.u -> controller.y -> plant.push -> plant.force
};

// In an order in which each group depends only on those before it.
std::vector<CosimSignalGroup> order_signals(CosimSystem const& system, DependencyMoment moment);

// Components that are stepped together: one, or those of algebraic loops.
struct CosimComponentGroup {
  std::vector<std::size_t> components;
  bool is_loop = false;
  std::string path;
};

// The order of Gauss-Seidel. Components run in topological order; within a cycle, components with direct
// feedthrough run after their sources; the order of the system decides the rest.
// With `wanted` (all components, by index) that order is taken instead.
std::vector<CosimComponentGroup> order_components(CosimSystem const& system,
                                                  std::vector<std::size_t> const& wanted = {});

}  // namespace delassus
