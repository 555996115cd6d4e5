// Nothing passes through anything: what a stepper asks of every motion before it accepts it
// (System::first_passage). A motion that would lead one shape through another is made again, shorter, so that it ends
// where they meet; the contact is then there for the next one. Where that does not help, the step fails and says
// which bodies, when and what to try.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/equations/system.hpp"

namespace delassus {

class PassageGuard {
 public:
  PassageGuard(System const& system, PassageSearch const& search)
      : system_(&system), search_(search), workspace_(system.make_passage_workspace()) {}

  // m: the gap at which shapes that were apart are to meet.
  void meet_at(double gap) { search_.touching = gap; }

  // In the motion from at.q to at.q_end in at.step seconds; `depth` is PassageSearch::depth.
  std::optional<Passage> find(Instant const& at, double depth = 0) {
    search_.depth = depth;
    return system_->first_passage(at, search_, workspace_.get());
  }

  // Throws StepFailure.
  [[noreturn]] void fail(double t, Passage const& passage, std::string const& why) const;

 private:
  System const* system_;
  PassageSearch search_;
  std::unique_ptr<SystemWorkspace> workspace_;
};

}  // namespace delassus
