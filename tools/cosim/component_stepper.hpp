// One communication step of all components: tried, and taken back where it cannot be kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cosim/graph.hpp"
#include "tools/cosim/history.hpp"
#include "tools/cosim/participant.hpp"
#include "tools/cosim/run_plan.hpp"

namespace delassus {

using CosimParticipants = std::vector<std::unique_ptr<CosimParticipant>>;

struct CosimAttempt {
  enum class Outcome {
    done,
    early,      // a component ended before the others: the step has to end at `end`
    discarded,  // a component refused, or a loop did not converge
  } outcome = Outcome::done;
  double end = 0;          // s
  bool event = false;      // a component asks for event mode
  std::string terminated;  // a component that asks to end the run; empty: none
  std::string reason;      // of a discarded step
};

class CosimStepper {
 public:
  // All must outlive this. Throws CommandError where a loop cannot be treated as the plan wants.
  CosimStepper(CosimSystem const& system, CosimPlan const& plan, CosimWiring const& wiring,
               CosimParticipants& participants);

  std::vector<CosimComponentGroup> const& groups() const { return groups_; }
  CosimHistory& history() { return history_; }

  // From the present of the history to `end`, `size` being the step that FMUs are told. Where it is done, the new
  // outputs wait for `keep`; in all other cases everybody is back where they were. Throws CosimFailure.
  CosimAttempt attempt(double size, double end, CosimCounts& counts);
  std::vector<double> const& outputs() const { return next_; }  // at the end of an attempt
  void keep(double end);
  // At a new beginning of the history: derivatives of outputs, for polynomials without a past.
  void read_slopes();

  // Inputs as the outputs of the present make them.
  void write_present_inputs(std::vector<double>& inputs) const;

  void save(CosimParticipant::Checkpoint which);
  void restore(CosimParticipant::Checkpoint which);

 private:
  void prepare_loop(CosimComponentGroup const& group) const;
  void set_inputs(std::size_t component, double h, std::vector<bool> const& known_at_end);
  void step_one(std::size_t component, double size, double& end, CosimAttempt& attempt);
  void step_group(CosimComponentGroup const& group, double size, double& end, CosimAttempt& attempt);
  void iterate_group(CosimComponentGroup const& group, double size, double end, CosimAttempt& attempt,
                     CosimCounts& counts);
  void take_back(std::string const& why);

  CosimSystem const& system_;
  CosimPlan const& plan_;
  CosimWiring const& wiring_;
  CosimParticipants& participants_;
  std::vector<CosimComponentGroup> groups_;
  CosimHistory history_;
  std::vector<double> next_, inputs_, slopes_, curvatures_;
  std::vector<bool> stepped_, known_;  // by component, in this attempt
};

}  // namespace delassus
