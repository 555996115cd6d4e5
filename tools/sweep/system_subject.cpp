#include "tools/sweep/system_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "fmu/content/sealed_bytes.hpp"
#include "model/scene/number.hpp"
#include "tools/cosim/communication_step.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/cosim/master.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/cosim/unconnected_inputs.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

class SystemSubject final : public SweepSubject {
 public:
  explicit SystemSubject(SubjectRequest const& request)
      : request_(request), system_(load_cosim_system(request.model, request.variant)) {
    auto const refuse = [](bool given, char const* option) {
      if (given)
        throw CommandError(
            ExitCode::usage,
            fmt::format("{} is for single models; a system says itself how it is run", option));
    };
    refuse(request.fmi_version != 0, "--fmi");
    refuse(!request.interface.empty(), "--interface");
    refuse(!request.input.empty(), "--input");
    refuse(!request.solver.empty(), "--solver");
    plan_ = default_plan(system_, request.start, request.stop, request.step);
    plan_.event_mode = request.event_mode;
    plan_.tolerance = request.tolerance;
    plan_.log = [this](LogMessage const& message) {
      if (run_ == nullptr || message.status != Status::warning) return;
      if (run_->warnings++ == 0) run_->warning = message.text;
    };
    for (auto const& text : request.settings) {
      for (auto& setting : parse_system_assignment(system_, text))
        plan_.settings.push_back(std::move(setting));
    }
    if (auto const in_vain = settings_in_vain(system_, plan_.settings); !in_vain.empty())
      throw CommandError(ExitCode::usage, "--set: " + in_vain.front());
    settle_step(system_, plan_);
    for (auto const& component : system_.components) add_part(component.name, component.signals);
    add_columns_of(request.kept);
    for (auto const& column : plan_.recorded) {
      Signal const& signal = system_.components[column.component].signals[column.signal];
      add_series({column.name, column.unit, column.mapping.empty() ? signal.items : std::vector<SignalItem>{},
                  signal.is_output()});
    }
  }

  std::vector<SubjectValue> parse_setting(std::string const& text) const override {
    std::vector<SubjectValue> values;
    for (auto& [component, value] : parse_system_assignment(system_, text))
      values.push_back({{component, value.signal}, std::move(value.value)});
    return values;
  }
  std::optional<std::string> unit_of_alias(std::string_view name) const override {
    for (auto const* const exposed : {&system_.parameters, &system_.inputs}) {
      for (auto const& connector : *exposed) {
        if (connector.name == name) return connector.unit;
      }
    }
    return std::nullopt;
  }

  std::string source_of(SubjectSignal target) const override {
    return source_of_input(system_, target.part, target.signal);
  }

  SubjectRun run(std::vector<SubjectValue> const& values) override {
    SubjectRun run;
    run_ = &run;
    CosimPlan plan = plan_;
    for (auto const& [target, value] : values)
      plan.settings.emplace_back(target.part, SignalValue{target.signal, value});
    settle_step(system_, plan);
    try {
      CosimResult result = run_cosimulation(system_, plan);
      run.table = std::move(result.table);
      run.terminated = result.terminated_by.has_value();
      if (result.failure) run.failure = without_folder(*result.failure);
    } catch (std::exception const& error) {
      run.failure = without_folder(error.what());
    }
    run_ = nullptr;
    return run;
  }

  std::vector<std::string> facts() const override {
    // Only by their contents: where a system lies changes nothing.
    std::vector<std::string> facts;
    std::set<std::filesystem::path> noted;
    for (auto const& file : system_.files) {
      if (noted.insert(file).second)
        facts.push_back(fmt::format("file {} {}", file.filename().string(),
                                    content_hash_text(read_file(file, std::size_t{1} << 32))));
    }
    facts.push_back(fmt::format("time {} {} {}", format_number(plan_.start), format_number(plan_.stop),
                                format_number(plan_.step)));
    if (!request_.variant.empty()) facts.push_back("variant " + request_.variant);
    if (plan_.tolerance) facts.push_back("tolerance " + format_number(*plan_.tolerance));
    if (plan_.event_mode) facts.emplace_back("event-mode");
    for (auto const& setting : request_.settings) facts.push_back("set " + setting);
    return facts;
  }

  std::string title() const override { return system_.name.empty() ? request_.model : system_.name; }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = notes_on_components(system_);
    std::ranges::move(notes_on_system_settings(system_, request_.settings), std::back_inserter(notes));
    return notes;
  }

 private:
  // Local variables of components, where they are asked for.
  void add_columns_of(std::vector<std::string> const& kept) {
    std::vector<std::string> missing;
    for (auto const& component : system_.components) {
      for (auto const& signal : component.signals.signals()) {
        std::string const name = component.name + "." + signal.name;
        bool const known =
            std::ranges::any_of(plan_.recorded, [&](CosimColumn const& each) { return each.name == name; });
        if (signal.is_number() && !known && signal.causality != "independent" && is_named_in(kept, name))
          missing.push_back(name);
      }
    }
    if (missing.empty()) return;
    for (auto& column : choose_columns(system_, missing)) plan_.recorded.push_back(std::move(column));
  }

  SubjectRequest request_;
  CosimSystem system_;
  CosimPlan plan_;
  SubjectRun* run_ = nullptr;  // that warnings belong to
};

}  // namespace

std::unique_ptr<SweepSubject> make_system_subject(SubjectRequest const& request) {
  return std::make_unique<SystemSubject>(request);
}

}  // namespace delassus
