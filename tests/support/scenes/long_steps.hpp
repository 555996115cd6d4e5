// The stepper for long steps alone, so that energy can be asked for after every step.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "solver/time/nonsmooth_stepper.hpp"
#include "tests/support/scene_run.hpp"
#include "xml/scene/reader.hpp"

namespace delassus::test {

// The begin of a scene in the plane with weight.
inline std::string const down = "><gravity acceleration=\"0 -9.81\"/>";

class LongSteps {
 public:
  // With a tolerance: nonsmooth_adaptive.
  LongSteps(std::string const& text, double step, double tolerance = 0)
      : scene_(compile_scene(read_scene_source("<scene name=\"s\"" + text + "</scene>", "scene.xml"))),
        system_(scene_),
        parameters_(scene_.default_parameters()),
        inputs_(scene_.default_inputs()) {
    StepperSettings settings;
    settings.kind = tolerance > 0 ? StepperKind::nonsmooth_adaptive : StepperKind::nonsmooth;
    settings.step = step;
    settings.tolerance = tolerance;
    stepper_ = make_stepper(system_, settings);
    std::vector<double> q(static_cast<std::size_t>(system_.configuration_size()));
    std::vector<double> v(static_cast<std::size_t>(system_.velocity_size()));
    system_.initial_state(parameters_, inputs_, q, v);
    stepper_->start(0, q, v);
  }
  void run_to(double t) { rejected_ += stepper_->advance(t, inputs_, parameters_).rejected_steps; }
  long rejected() const { return rejected_; }
  double q(std::size_t i) const { return stepper_->q()[i]; }
  double v(std::size_t i) const { return stepper_->v()[i]; }
  double energy() const {
    Terms terms = system_.make_terms();
    Instant const at{stepper_->time(), stepper_->q(), stepper_->v(), inputs_, parameters_};
    system_.evaluate(at, terms);
    return kinetic_energy(terms, stepper_->v()) + system_.potential_energy(at);
  }
  // m, positive: the deepest of all contacts.
  double overlap() const {
    Terms terms = system_.make_terms();
    system_.evaluate({stepper_->time(), stepper_->q(), stepper_->v(), inputs_, parameters_}, terms);
    double deepest = 0;
    for (ConstraintBlock const& block : terms.blocks)
      deepest = std::max(deepest, -terms.Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)]);
    return deepest;
  }
  // The largest energy of a run beside that at its start, and what is lost at its end.
  struct Balance {
    double gained = 0, lost = 0, start = 0;
  };
  Balance balance(double end, int points) {
    Balance result;
    result.start = energy();
    for (int k = 1; k <= points; ++k) {
      run_to(end * k / points);
      result.gained = std::max(result.gained, energy() - result.start);
    }
    result.lost = result.start - energy();
    return result;
  }

 private:
  long rejected_ = 0;
  Scene scene_;
  SceneSystem system_;
  std::vector<double> parameters_, inputs_;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace delassus::test
