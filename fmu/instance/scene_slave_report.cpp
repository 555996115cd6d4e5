// Log messages about a step.
#include <algorithm>
#include <cmath>

#include "fmu/instance/scene_slave.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

std::string rounded(double value) {
  return rounded_for_people(value);
}

}  // namespace

std::string SceneSlave::start_correction() const {
  // What is less comes of numbers that were rounded in the scene.
  constexpr double noticeable = 1e-6;
  SceneSystem const& system = model_->system();
  std::string text;
  if (projected_.largest_change > noticeable) {
    std::vector<double> q(stepper_->q().size()), given(stepper_->v().size());
    system.initial_state(state_.parameters, state_.inputs, q, given);
    std::vector<double> const used(stepper_->v().begin(), stepper_->v().end());
    MassBlock const& mass = projection_.terms().M[static_cast<std::size_t>(projected_.mass)];
    auto const numbers = [&](std::vector<double> const& v) {
      std::string list;
      for (Eigen::Index i = 0; i < mass.M.rows(); ++i)
        list += (i == 0 ? "" : " ") + rounded(v[static_cast<std::size_t>(mass.first + i)]);
      return list;
    };
    text =
        "the velocities at the start contradict the joints; they were changed to the nearest ones that the "
        "joints "
        "allow, most of all those of '" +
        system.mass_name(projected_.mass) + "': from " + numbers(given) + " to " + numbers(used) +
        " (m/s, then rad/s); a velocity is that of the centre of mass, or of the point that <initial "
        "point=\"...\"> "
        "names: give the point at the joint no velocity, and the body its angular_velocity";
  }
  if (projected_.block >= 0 && projected_.remainder > noticeable) {
    ConstraintBlock const& block = projection_.terms().blocks[static_cast<std::size_t>(projected_.block)];
    text += (text.empty() ? "" : "; ") + std::string("prescribed motions contradict each other at ") +
            system.block_description(block.identity) + ", by " + rounded(projected_.remainder) +
            " m/s or rad/s";
  }
  return text;
}

void SceneSlave::report_step(StepReport const& report) {
  for (ParadoxEvent const& event : report.paradoxes) report_paradox(event);
  if (trace_work_) {
    log_(Status::ok, "logSolver",
         std::to_string(report.internal_steps) + " internal steps, " + std::to_string(report.rejected_steps) +
             " rejected, largest residual " + rounded(report.worst_residual) +
             " until t = " + format_time(time()) + " s");
  }
  if (report.least_share_of_restitution < 1 - 1e-6) {
    double const percent = 100 * std::max(report.least_share_of_restitution, 0.0);
    if (state_.told.note({"impacts bounced less than restitution asks for", true, false, "with", " % of it"},
                         time(), percent))
      log_(Status::warning, "logContact",
           "an impact until t = " + format_time(time()) +
               (percent > 0 ? " s bounced with " + rounded(percent) + " % of what restitution asks for"
                            : " s did not bounce, though restitution asks for it") +
               ": all of it would have created energy, or has no solution");
  }
  if (report.energy.gained > 0) {
    log_(Status::warning, "logStatusWarning",
         "the stepper " +
             std::string(stepper_enumeration().name_of(static_cast<int>(stepper_->settings().kind))) +
             " has created energy: " + rounded(report.energy.gained) +
             " J until t = " + format_time(report.energy.t) + " s, beside " + rounded(report.energy.largest) +
             " J of kinetic energy at most, without an input; use " +
             (stepper_->settings().kind == StepperKind::relaxed
                  ? "a smaller delta of what gives way, or the stepper nonsmooth"
              : is_nonsmooth(stepper_->settings().kind) ? "a shorter solver.step, or the stepper relaxed"
                                                        : "a shorter solver.step, or the stepper nonsmooth") +
             ". This is said once in a run");
  }
  if (report.late_angle.mass >= 0) {
    LateAngle const& late = report.late_angle;
    log_(Status::warning, "logStatusWarning",
         "the angle of '" + model_->system().mass_name(late.mass) + "', which turns by " +
             rounded(late.turn) + " rad in a step, has fallen behind its angular velocity by " +
             rounded(late.angle) + " rad until t = " + format_time(late.t) +
             " s, and does so further, and a drive of it does less work: use a shorter solver.step (half of "
             "it makes it a quarter) or the "
             "stepper "
             "relaxed. This is said once in a run");
  }
  if (report.coarse_steps > 0) {
    log_(Status::warning, "logStatusWarning",
         "solver.tolerance = " + format_number(stepper_->settings().tolerance) +
             " is not kept in the step until t = " + format_time(time()) +
             " s: steps were divided as often as it helps, and " +
             (report.coarse_steps == 1 ? "one part still differs"
                                       : std::to_string(report.coarse_steps) + " parts still differ") +
             " from what two halves give by more; use a larger tolerance, or the stepper relaxed. This is "
             "said "
             "once in a run");
  }
  if (report.most_solutions <= 1 && report.worst == SolveStatus::converged) return;
  std::string const when = " until t = " + format_time(time()) + " s";
  if (report.most_solutions > 1 &&
      state_.told.note({"the contact problem had several solutions", false, true, "", ""}, time())) {
    log_(Status::ok, "logContact",
         "the contact problem had up to " + std::to_string(report.most_solutions) + " solutions" + when +
             "; solver.rule selected one of them");
  }
  if (report.worst != SolveStatus::converged) {
    SceneSystem const& system = model_->system();
    // A scene without contacts has no contact problem.
    // Of an impact, the block is not known.
    bool const known = system.block_name(report.worst_block) != "?";
    std::string const what =
        (!known || system.is_contact(report.worst_block) ? "the contact solver ended with '"
                                                         : "the solver of the joints ended with '") +
        std::string(delassus::text(report.worst)) + "'";
    if (state_.told.note({what, true, true, "with the residual", ""}, time(), report.worst_residual))
      log_(Status::warning, "logContact",
           what + " and residual " + rounded(report.worst_residual) +
               (known ? " at " + system.block_description(report.worst_block) : " in an impact") + when);
  }
}

void SceneSlave::run_ends() {
  if (!log_) return;
  for (auto const& sum : state_.told.take_sums())
    log_(sum.is_warning ? Status::warning : Status::ok, "logContact", sum.text);
}

void SceneSlave::report_paradox(ParadoxEvent const& event) {
  std::string const name = "'" + model_->system().block_name(event.identity) + "'";
  std::string const when = " from t = " + format_time(event.t) + " s on";
  SlidingState const& contact = event.contact;
  std::string const numbers = ": mu = " + rounded(contact.mu) + ", mu_jam = " + rounded(contact.mu_jam) +
                              ", normal acceleration " + rounded(contact.B) +
                              " m/s2 without contact force and " + rounded(contact.A) +
                              " m/s2 for each newton of it";
  bool const jams = event.after == Paradox::inconsistent;
  bool const held = jams && contact.A == 0 && std::isinf(contact.mu_jam);
  std::string const became = event.after == Paradox::regular ? " was no longer " : " was ";
  std::string const state(
      paradox_enumeration().name_of(static_cast<int>(became == " was " ? event.after : event.before)));
  std::string const subject =
      "contact " + name + (held ? " was at a point that joints hold" : became + state);
  if (!state_.told.note({subject, jams, true, "", ""}, event.t)) return;
  switch (event.after) {
    case Paradox::regular:
      log_(Status::ok, "logContact",
           "contact " + name + " is no longer " +
               std::string(paradox_enumeration().name_of(static_cast<int>(event.before))) + when);
      break;
    case Paradox::indeterminate:
      log_(Status::ok, "logContact",
           "contact " + name +
               " is indeterminate (Painleve paradox): the rigid sliding contact has several solutions" +
               when + numbers + "; solver.rule selects one");
      break;
    case Paradox::inconsistent:
      if (held) {
        log_(Status::warning, "logContact",
             "contact " + name + " is at a point that joints hold" + when +
                 ": its normal force is indeterminate, and with it friction (mu = " + rounded(contact.mu) +
                 "), which may be none or stop the motion; move the contact away from the joint, or set mu "
                 "to 0");
        break;
      }
      log_(Status::warning, "logContact",
           "contact " + name +
               " is inconsistent (Painleve paradox): the rigid sliding contact has no solution" + when +
               numbers + "; it jams, and the slip stops or changes direction as in an impact");
      break;
  }
}

}  // namespace delassus
