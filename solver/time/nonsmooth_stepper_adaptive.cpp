// Steps that are divided until their halves agree with the whole.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/time/nonsmooth_stepper.hpp"
#include "solver/time/run_check.hpp"

namespace delassus {

using namespace nonsmooth;

namespace {

// Divisions of a step, as nonsmooth_adaptive makes them. A step with an impact near its end, which its halves miss, is
// divided as often; then the impact is missed by a 4,096th of it at most. A crowd has an impact in every step.
constexpr int most_halves = 12, most_halves_of_crowd = 3;
// Of second order, the halves have a third of their difference from the whole as an error.
constexpr double error_share = 3;
// A division that leaves more than this share of the difference has not helped: a change of mode within a step leaves a
// half of it in one of both halves, rounding all of it. After so many in a row, no more of them will help.
constexpr double helpful_share = 0.75;
constexpr int most_in_vain = 3;
// Of the state: differences above are not of rounding, as those of a stiff contact that longer steps jump over.
constexpr double largest_rounding = 1e-7;

// Whether a velocity that is `whole` after a step and `halves` after its halves is that of a bounce which leads nowhere:
// what presses the contact together, `demand` (m/s2), takes it back before it has led further than is allowed. A body
// comes to rest by infinitely many of these, and how many of them are found is no error of what it does.
bool leads_nowhere(double whole, double halves, double demand, double allowed) {
  double const fastest = std::max(std::abs(whole), std::abs(halves));
  return fastest * fastest <= 2 * demand * allowed;
}

}  // namespace

void NonsmoothStepper::step_adaptively(double h, Divided divided, Drive const& drive, StepReport& report) {
  auto const depth = static_cast<std::size_t>(divided.times);
  if (starts_.size() <= depth) starts_.resize(depth + 1);
  starts_[depth].state = trial_;
  std::vector<double>& whole = starts_[depth].whole;
  bool known = true, met = false;
  auto const count_impacts = [&](int before) {
    if (impacts_ == before) return;
    met = true;
    --divisible_impacts_;
  };
  int before = impacts_;
  try {
    StepReport attempt = report;
    step(h, drive, attempt);
    whole = trial_.x;
    count_impacts(before);
    if (met && divisible_impacts_ <= 0) {
      report = std::move(attempt);
      return;
    }
  } catch (StepFailure const&) {
    known = false;
  }
  int const most = is_crowd(terms_) ? most_halves_of_crowd : most_halves;
  trial_ = starts_[depth].state;
  StepReport halves = report;
  double difference = 0;  // in units of what is allowed
  double of_ways = 0;     // the same without bounces that lead nowhere
  try {
    for (int half = 1; half <= 2; ++half) {
      before = impacts_;
      step(h / 2, drive, halves);
      count_impacts(before);
      trial_.t = starts_[depth].state.t + half * h / 2;
    }
    for (std::size_t i = 0; known && i < whole.size(); ++i) {
      double const allowed = error_share * settings_.tolerance * (1 + std::abs(trial_.x[i]));
      double const own = std::abs(whole[i] - trial_.x[i]) / allowed;
      difference = std::max(difference, own);
      bool const is_velocity = i >= qdot_.size();
      if (!(met && is_velocity && leads_nowhere(whole[i], trial_.x[i], largest_demand(), allowed)))
        of_ways = std::max(of_ways, own);
    }
  } catch (StepFailure const&) {
    if (divided.times >= most) throw;
    known = false;
  }
  bool const fine = known && difference <= 1;
  bool const in_vain = known && difference > helpful_share * divided.difference &&
                       difference * error_share * settings_.tolerance <= largest_rounding;
  divided.in_vain = in_vain ? divided.in_vain + 1 : 0;
  bool const met_enough = met && divisible_impacts_ <= 0;
  if (fine || met_enough || divided.times >= most || divided.in_vain >= most_in_vain) {
    report = std::move(halves);
    if (!known || of_ways > 1) ++report.coarse_steps;
    return;
  }
  ++report.rejected_steps;
  trial_ = starts_[depth].state;
  ++divided.times;
  divided.difference = known ? difference : std::numeric_limits<double>::infinity();
  step_adaptively(h / 2, divided, drive, report);
  trial_.t = starts_[depth].state.t + h / 2;
  step_adaptively(h / 2, divided, drive, report);
}

}  // namespace delassus
