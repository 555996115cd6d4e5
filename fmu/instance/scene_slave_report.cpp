// Log messages about a step.
#include <cmath>

#include "fmu/instance/scene_slave.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

// Six digits: more would show rounding errors.
std::string rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return format_number(value);
  double const scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return format_number(std::round(value * scale) / scale);
}

}  // namespace

void SceneSlave::report_step(StepReport const& report) {
  for (ParadoxEvent const& event : report.paradoxes) report_paradox(event);
  if (trace_work_) {
    log_(Status::ok, "logSolver",
         std::to_string(report.internal_steps) + " internal steps, " + std::to_string(report.rejected_steps) +
             " rejected, largest residual " + rounded(report.worst_residual) +
             " until t = " + format_number(time()) + " s");
  }
  if (report.most_solutions <= 1 && report.worst == SolveStatus::converged) return;
  std::string const when = " until t = " + format_number(time()) + " s";
  if (report.most_solutions > 1) {
    log_(Status::ok, "logContact",
         "the contact problem had up to " + std::to_string(report.most_solutions) + " solutions" + when +
             "; solver.rule selected one of them");
  }
  if (report.worst != SolveStatus::converged) {
    log_(Status::warning, "logContact",
         "the contact solver ended with '" + std::string(delassus::text(report.worst)) + "' and residual " +
             format_number(report.worst_residual) + when);
  }
}

void SceneSlave::report_paradox(ParadoxEvent const& event) {
  std::string const name = "'" + model_->system().block_name(event.identity) + "'";
  std::string const when = " from t = " + format_number(event.t) + " s on";
  SlidingState const& contact = event.contact;
  std::string const numbers = ": mu = " + rounded(contact.mu) + ", mu_jam = " + rounded(contact.mu_jam) +
                              ", normal acceleration " + rounded(contact.B) +
                              " m/s2 without contact force and " + rounded(contact.A) +
                              " m/s2 for each newton of it";
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
      log_(Status::warning, "logContact",
           "contact " + name +
               " is inconsistent (Painleve paradox): the rigid sliding contact has no solution" + when +
               numbers + "; it jams, and the slip stops or changes direction as in an impact");
      break;
  }
}

}  // namespace delassus
