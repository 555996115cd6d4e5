#include "solver/time/passage_guard.hpp"

#include "model/scene/decimal_times.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {

void PassageGuard::fail(double t, Passage const& passage, std::string const& why) const {
  std::vector<std::string> const sides = system_->block_sides(passage.identity);
  std::string const who = sides.size() == 2 ? sides[0] + " and " + sides[1] + " (" +
                                                  system_->block_description(passage.identity) + ")"
                                            : "the bodies of " + system_->block_description(passage.identity);
  throw StepFailure(who + " pass through each other at t = " + format_time(t) + " s: " + why,
                    StepFailure::Retry::no_use);
}

}  // namespace delassus
