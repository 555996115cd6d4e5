#include "tools/sweep/model_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fmu/content/sealed_bytes.hpp"
#include "model/scene/number.hpp"
#include "tools/package/runnable_model.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/simulate/recorded_signals.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

class ModelSubject final : public SweepSubject {
 public:
  explicit ModelSubject(SubjectRequest const& request)
      : request_(request), model_(request.model, request.fmi_version) {
    if (!request.variant.empty())
      throw CommandError(ExitCode::usage, "--variant is for systems; a single model has none");
    if (!request.interface.empty())
      kind_ = request.interface == "me" ? InterfaceKind::model_exchange : InterfaceKind::co_simulation;
    if (model_.runs_in_process() && (kind_ || request.event_mode)) {
      throw CommandError(ExitCode::usage,
                         "--interface and --event-mode are for FMUs; give --fmi to run a scene through one");
    }
    if (!request.solver.empty()) {
      if (model_.runs_in_process() || kind_ == InterfaceKind::co_simulation)
        throw CommandError(ExitCode::usage,
                           "--solver is for Model Exchange: give --interface me (of a scene also --fmi)");
      IntegrationSettings integration;
      integration.method = ode_method(request.solver);
      model_.set_integration(integration);
    }
    auto const file = find_model(request.model).file;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
      throw CommandError(ExitCode::usage,
                         fmt::format("{} is a pipe; a sweep looks at its model again when it is resumed, so "
                                     "write it to a file",
                                     request.model));
    model_hash_ = content_hash_text(read_file(file, std::size_t{1} << 32));
    SignalTable signals(model_.description());
    plan_ = plan_times(model_.description(), request.start, request.stop, request.step);
    plan_.tolerance = request.tolerance;
    if (plan_.tolerance && !(*plan_.tolerance > 0)) {
      throw CommandError(ExitCode::usage,
                         fmt::format("--tolerance is {}; it must be > 0", format_number(*plan_.tolerance)));
    }
    plan_.interpolate = request.interpolate;
    count_steps(plan_);
    if (!request.input.empty()) {
      std::string const bytes = read_file(request.input);
      plan_.input = read_csv(bytes, request.input);
      find_inputs(signals, *plan_.input);
      input_hash_ = content_hash_text(bytes);
    }
    name_series(signals);
    add_part("", std::move(signals));
    for (auto const& text : request.settings) {
      for (auto& [target, value] : parse_setting(text))
        settings_.push_back({target.signal, std::move(value)});
    }
  }

  SubjectRun run(std::vector<SubjectValue> const& values) override {
    SubjectRun run;
    run_ = &run;
    SimulationPlan plan = plan_;
    plan.settings = settings_;
    for (auto const& [target, value] : values) plan.settings.push_back({target.signal, value});
    try {
      if (!instance_) instantiate();
      SimulationResult result = run_simulation(*instance_, plan, {});
      run.table = std::move(result.table);
      run.constants = std::move(result.parameter_values);
      run.terminated = result.terminated;
      if (result.failure) run.failure = without_folder(*result.failure);
    } catch (std::exception const& error) {
      run.failure = without_folder(error.what());
    }
    make_ready(run.failure.has_value());
    run_ = nullptr;
    return run;
  }

  std::vector<std::string> facts() const override {
    std::vector<std::string> facts{"model " + model_hash_,
                                   fmt::format("time {} {} {}", format_number(plan_.start),
                                               format_number(plan_.stop), format_number(plan_.step))};
    if (plan_.tolerance) facts.push_back("tolerance " + format_number(*plan_.tolerance));
    if (kind_) facts.push_back("interface " + request_.interface);
    if (!request_.solver.empty()) facts.push_back("solver " + request_.solver);
    if (request_.interpolate) facts.emplace_back("interpolate");
    if (request_.fmi_version != 0) facts.push_back(fmt::format("fmi {}", request_.fmi_version));
    if (request_.event_mode) facts.emplace_back("event-mode");
    for (auto const& setting : request_.settings) facts.push_back("set " + setting);
    if (plan_.input) facts.push_back("input " + input_hash_);
    return facts;
  }

  std::string title() const override {
    auto const name = model_.description().attributes.find("modelName");
    return name == model_.description().attributes.end() ? request_.model : name->second;
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = model_.notes();
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    std::ranges::move(notes_on_settings(parts().front().signals, request_.settings),
                      std::back_inserter(notes));
    return notes;
  }

 private:
  // What is recorded: inputs, outputs, or local variables where there are none, and what else is asked for; then, in the
  // order of run_simulation, parameters.
  void name_series(SignalTable const& signals) {
    bool const has_outputs =
        std::ranges::any_of(signals.signals(), [](Signal const& each) { return each.is_output(); });
    auto const add = [&](std::size_t i, bool is_result) {
      add_series({signals[i].name, signals[i].unit, signals[i].items, is_result});
    };
    DefaultRecord const usual = default_record(signals);
    plan_.recorded = usual.signals;
    if (!has_outputs && !usual.note.empty()) {
      auto const told = usual.note.find("; ");
      notes_.push_back(usual.note.substr(0, told) + "; what it has instead is kept (--keep chooses)");
    }
    for (std::size_t i = 0; i < signals.signals().size(); ++i) {
      Signal const& signal = signals[i];
      bool const other = signal.is_number() && signal.causality != "parameter" &&
                         signal.causality != "independent" && !std::ranges::count(plan_.recorded, i);
      if (other && is_named_in(request_.kept, signal.name)) plan_.recorded.push_back(i);
    }
    for (auto const i : plan_.recorded) {
      bool const is_result = signals[i].is_output() ||
                             (!has_outputs && !signals[i].is_input() && signals[i].causality != "parameter");
      add(i, is_result);
    }
    for (std::size_t i = 0; i < signals.signals().size(); ++i) {
      if (signals[i].is_number() && signals[i].causality == "parameter") add(i, false);
    }
  }

  void instantiate() {
    instance_ = model_.instantiate(
        [this](LogMessage const& message) {
          if (run_ == nullptr || message.status != Status::warning) return;
          if (run_->warnings++ == 0) run_->warning = message.text;
        },
        kind_, request_.event_mode);
    if (!request_.solver.empty() && instance_->model_exchange() == nullptr)
      throw CommandError(ExitCode::usage, "--solver is for Model Exchange: give --interface me");
  }

  // A scene after a reset runs as a new one does, to the bit, which saves reading its variables again. What FMUs of
  // others carry over is not known, so that each of their runs has an instance of its own.
  void make_ready(bool failed) {
    if (failed || !model_.runs_in_process()) {
      instance_.reset();
      return;
    }
    try {
      instance_->reset();
    } catch (InstanceError const&) {
      instance_.reset();
    }
  }

  SubjectRequest request_;
  RunnableModel model_;
  std::optional<InterfaceKind> kind_;
  SimulationPlan plan_;
  std::vector<SignalValue> settings_;
  std::vector<std::string> notes_;
  std::string model_hash_, input_hash_;
  std::unique_ptr<SimulatedInstance> instance_;
  SubjectRun* run_ = nullptr;  // that warnings belong to
};

}  // namespace

std::unique_ptr<SweepSubject> make_model_subject(SubjectRequest const& request) {
  return std::make_unique<ModelSubject>(request);
}

}  // namespace delassus
