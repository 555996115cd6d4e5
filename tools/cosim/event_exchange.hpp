// Event mode of the components that have it (FMI 3): what happens at one instant, until nothing changes any more.
#pragma once

#include <string>
#include <vector>

#include "tools/cosim/component_stepper.hpp"

namespace delassus {

class CosimEvents {
 public:
  // All must outlive this.
  CosimEvents(CosimWiring const& wiring, CosimParticipants& participants);

  bool any() const { return !handlers_.empty(); }
  double next() const {
    return next_;
  }  // s, the earliest that a component has announced; infinite where none has

  // Whether a discrete input of a component in event mode is no longer what it was given last, or an announced event
  // is due.
  bool due(CosimHistory const& history) const;

  // All components with event mode enter it (after the initialisation they are in it), values and clocks go through
  // the connections until they stay, discrete states are updated until no component asks for more. Changes the present
  // outputs of `history`. Answers with the component that asks to end the run, or nothing. Throws CosimFailure.
  std::string handle(CosimHistory& history, bool after_initialisation);

 private:
  bool hand_on(CosimHistory& history);
  void read(CosimHistory& history);

  CosimWiring const& wiring_;
  CosimParticipants& participants_;
  std::vector<std::size_t> handlers_;
  std::vector<double> given_;      // inputs, as they were set last in event mode
  std::vector<double> announced_;  // s, by component
  std::vector<bool> ticked_;       // clocks, in this instant
  double next_ = 0;
};

}  // namespace delassus
