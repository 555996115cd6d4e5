#include "tools/ssp/system_run_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/check/check_rules.hpp"
#include "tools/check/model_check.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/cosim/master.hpp"
#include "tools/cosim/unconnected_inputs.hpp"

namespace delassus {

void check_system_run(CosimSystem const& system, std::string const& file, CheckSettings const& settings,
                      CheckReport& report) {
  auto const add = [&](std::string_view rule, int line, std::string message, std::string remedy) {
    report.findings.push_back(
        {std::string(rule), check_rule(rule).severity, file, line, std::move(message), std::move(remedy)});
  };
  std::set<RunnableModel const*> told;  // components of one source share their model
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    CosimComponent const& component = system.components[i];
    if (auto const open = unconnected_inputs(system, i); !open.empty())
      add("input-unconnected", component.line,
          fmt::format("nothing is connected to {} of \"{}\"", fmt::join(open, ", "), component.name),
          "connect it, or give it a value by a <ParameterBinding>; otherwise it keeps its start value");
    if (!told.insert(component.model.get()).second) continue;
    IntegrationSettings integration;  // of components in Model Exchange
    integration.method = settings.solver;
    component.model->set_integration(integration);
    for (auto const& note : component.model->notes())
      report.findings.push_back(located_finding("model-doubt", note, file));
  }
  bool const ours = std::ranges::any_of(
      system.components, [](CosimComponent const& component) { return component.model->runs_in_process(); });
  if (!ours || (!system.stop && system.components.empty())) return;
  CosimPlan plan = default_plan(system);
  if (!plan.step_warning.empty()) add("system-step", 0, plan.step_warning, "");
  if (!(plan.step > 0) || (plan.stop - plan.start) / plan.step > most_steps) {
    Finding finding = too_many_steps(plan.start, plan.stop, plan.step, file);
    finding.remedy =
        "write a longer step (<run step=\"...\"/> in the annotation org.delassus.cosim) or an earlier "
        "stopTime";
    report.findings.push_back(std::move(finding));
    return;
  }
  if (settings.progress) settings.progress("default experiment");
  plan.keeps_checkpoints = false;
  WatchedRun const run = watch_run(
      [&](WatchedRun::Watch const& watch) {
        plan.log = watch.log;
        CosimResult result;
        run_cosimulation(
            system, plan,
            [&](double share) { return watch.reached(plan.start + share * (plan.stop - plan.start)); },
            result);
        return result.interrupted ? std::string() : result.failure.value_or("");
      },
      settings);
  add_run_findings(report, run, file, plan.stop);
}

}  // namespace delassus
