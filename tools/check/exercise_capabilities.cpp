// Co-simulation: what a description declares beyond plain steps, each tried once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/check/exercise_context.hpp"
#include "tools/simulate/event_stepped_instance.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

double slack(double time) {
  return 1e-9 * std::max(1.0, std::abs(time));
}

class Capabilities {
 public:
  explicit Capabilities(ExerciseContext& context) : context_(context) {
    for (std::size_t i = 0; i < context.signals.signals().size(); ++i) {
      Signal const& signal = context.signals[i];
      bool const continuous = signal.is_float() && signal.size == 1 && signal.variability == "continuous";
      if (continuous && signal.is_output() && signal.type == "Float64") outputs_.push_back(i);
      if (continuous && signal.is_input() && signal.type == "Float64") inputs_.push_back(i);
    }
  }

  void run() {
    if (context_.declares("canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize"))
      check_variable_steps();
    if (context_.declares("", "hasEventMode")) check_event_mode();
    if (context_.declares("", "providesIntermediateUpdate")) check_intermediate_update();
    if (order_of("maxOutputDerivativeOrder") > 0 && !outputs_.empty()) check_output_derivatives();
    if (context_.declares("canInterpolateInputs", "") && !inputs_.empty()) check_input_derivatives();
  }

 private:
  unsigned order_of(std::string const& name) const {
    auto const found = context_.interface.attributes.find(name);
    return found == context_.interface.attributes.end() ? 0
                                                        : parse_integer<unsigned>(found->second).value_or(0);
  }

  std::vector<std::uint32_t> references(std::vector<std::size_t> const& signals) const {
    std::vector<std::uint32_t> found;
    found.reserve(signals.size());
    for (auto const index : signals) found.push_back(context_.signals[index].value_reference);
    return found;
  }

  // Steps of an FMU with fixed internal steps are multiples of these (FMI 3.0, 4.4.1).
  double internal_step() const {
    auto const found = context_.interface.attributes.find("fixedInternalStepSize");
    return found == context_.interface.attributes.end() ? 0 : parse_double(found->second).value_or(0);
  }

  void check_variable_steps() {
    context_.stage("making steps of different sizes");
    context_.attempt(
        "variable-step", "make steps of every size, or do not declare canHandleVariableCommunicationStepSize",
        [&] {
          auto const instance = context_.instantiate("variable");
          context_.initialise(*instance);
          double const fixed = internal_step();
          double time = context_.timeline.start;
          double const end = context_.timeline.time(std::min<std::size_t>(5, context_.timeline.steps));
          for (double const share : {1.0, 0.5, 0.25, 0.3, 1e-3, 1e-6, 1.0}) {
            double size = context_.timeline.step * share;
            if (fixed > 0) size = fixed * std::max(1.0, std::round(size / fixed));
            if (time + size > end + slack(end)) break;
            StepOutcome const outcome = instance->do_step(time, size);
            if (outcome.terminated) break;
            time += size;
            context_.read(*instance);
          }
        });
  }

  // From the FMU's own words on a step; true where the run can go on.
  void judge_step(double begin, double end, StepOutcome const& outcome, bool early_allowed) {
    if (outcome.early && !early_allowed) {
      context_.find("step-time",
                    fmt::format("a step to {} s returned early at {} s, which was not allowed",
                                format_time(end), format_time(outcome.time)),
                    "return early only where earlyReturnAllowed is true");
    } else if (outcome.early && (outcome.time < begin - slack(begin) || outcome.time > end + slack(end))) {
      context_.find("step-time",
                    fmt::format("a step from {} s to {} s says that it ended at {} s", format_time(begin),
                                format_time(end), format_time(outcome.time)),
                    "let lastSuccessfulTime be the time that the step has reached");
    }
  }

  void check_event_mode() {
    context_.stage("running with event mode and early return");
    context_.attempt("event-mode", "handle events as the standard says, or do not declare hasEventMode", [&] {
      auto request = context_.request("events");
      request.event_mode = request.early_return_allowed = true;
      std::string clock_failure;
      auto const observer = [&](SimulatedInstance& instance, double) {
        for (auto const clock : context_.clocks) {
          Signal const& signal = context_.signals[clock];
          auto const variability = context_.description.variables[signal.variable].interval_variability;
          try {
            if (signal.is_output()) instance.get_clock(clock);
            if (signal.is_input() && (variability == "countdown" || variability == "changing"))
              instance.clock_interval(clock);
          } catch (InstanceError const& error) {
            if (clock_failure.empty()) clock_failure = signal.name + ": " + error.what();
          }
        }
      };
      auto const instance = make_event_stepped_instance(context_.fmu.instantiate(request), observer);
      context_.initialise(*instance);
      Trajectory const trajectory = context_.run_from(*instance, 0);
      context_.find(judge_trajectory(instance->signals(), context_.numbers, trajectory));
      if (!clock_failure.empty()) {
        context_.find("clock-access", clock_failure,
                      "let clocks be read, and intervals be asked for, in event mode");
      }
      instance->terminate();
    });
  }

  void check_intermediate_update() {
    context_.stage("running with intermediate updates");
    context_.attempt(
        "intermediate-update", "call back in every step, or do not declare providesIntermediateUpdate", [&] {
          auto request = context_.request("intermediate");
          bool const returns = context_.declares("", "canReturnEarlyAfterIntermediateUpdate");
          request.early_return_allowed = returns;
          std::size_t calls = 0;
          double begin = context_.timeline.start, end = begin;
          std::optional<double> outside, asked;
          bool want_return = false;
          SimulatedInstance* current = nullptr;
          std::vector<std::size_t> readable;
          for (auto const index : outputs_) {
            if (is_intermediate(index)) readable.push_back(index);
          }
          for (auto const index : readable)
            request.intermediate_variables.push_back(context_.signals[index].value_reference);
          std::string read_failure;
          request.intermediate = [&](IntermediateMoment const& update) -> std::optional<double> {
            ++calls;
            if (update.time < begin - slack(begin) || update.time > end + slack(end)) outside = update.time;
            if (update.get_allowed && !readable.empty()) {
              std::vector<double> values(readable.size());
              try {
                current->get(readable, values);
              } catch (InstanceError const& error) {
                read_failure = error.what();
              }
            }
            if (!want_return || !update.can_return_early || asked || update.time >= end - slack(end))
              return std::nullopt;
            asked = update.time;
            return asked;
          };
          auto const instance = context_.fmu.instantiate(request);
          current = instance.get();
          context_.initialise(*instance);
          std::string const remedy =
              "call back with times inside of the step, and keep what the importer asks for";
          for (std::size_t k = 0; k < std::min<std::size_t>(4, context_.timeline.steps); ++k) {
            calls = 0;
            begin = context_.timeline.time(k);
            end = begin + context_.timeline.step;
            want_return = returns && k == 3;
            StepOutcome const outcome = instance->do_step(begin, context_.timeline.step);
            if (outcome.terminated) break;
            judge_step(begin, end, outcome, returns);
            if (calls == 0) {
              context_.find("intermediate-update",
                            fmt::format("the callback was not called in the step to {} s", format_time(end)),
                            remedy);
              break;
            }
            if (outside) {
              context_.find("intermediate-update",
                            fmt::format("the callback came for {} s in the step from {} s to {} s",
                                        format_number(*outside), format_time(begin), format_time(end)),
                            remedy);
              break;
            }
            if (!read_failure.empty()) {
              context_.find("intermediate-update", "reading in the callback: " + read_failure, remedy);
              break;
            }
            if (asked && !outcome.early) {
              context_.find("intermediate-update",
                            fmt::format("a return at {} s was asked for, and the step went on to {} s",
                                        format_number(*asked), format_time(end)),
                            remedy);
            }
            if (outcome.early) break;  // what follows would have to start from there
          }
        });
  }

  bool is_intermediate(std::size_t signal) const {
    auto const reference = context_.signals[signal].value_reference;
    return std::ranges::any_of(context_.description.elements, [&](DescribedElement const& element) {
      auto const found = element.attributes.find("intermediateUpdate");
      auto const own = element.attributes.find("valueReference");
      return element.parent == "ModelVariables" && found != element.attributes.end() &&
             parse_boolean(found->second).value_or(false) && own != element.attributes.end() &&
             parse_integer<std::uint32_t>(own->second) == reference;
    });
  }

  // Against the slope of the last step: not exact, so a finding needs that most points are far off.
  void check_output_derivatives() {
    context_.stage("reading derivatives of outputs");
    context_.attempt("output-derivative", "give the derivatives that maxOutputDerivativeOrder declares", [&] {
      auto const instance = context_.instantiate("slopes");
      context_.initialise(*instance);
      auto const which = references(outputs_);
      std::vector<double> before(outputs_.size()), after(outputs_.size()), slopes(outputs_.size());
      std::vector<std::vector<double>> given(outputs_.size()), measured(outputs_.size());
      std::vector<double> largest(outputs_.size());
      instance->get(outputs_, before);
      for (std::size_t k = 0; k < context_.timeline.steps; ++k) {
        context_.step(*instance, k);
        instance->get(outputs_, after);
        instance->output_derivatives(which, 1, slopes);
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
          if (!std::isfinite(slopes[i])) {
            throw InstanceError(
                Status::error,
                fmt::format("the derivative of {} is {} at {} s", context_.signals[outputs_[i]].name,
                            format_number(slopes[i]), format_time(context_.timeline.time(k + 1))));
          }
          largest[i] = std::max(largest[i], std::abs(after[i]));
          given[i].push_back(slopes[i]);
          measured[i].push_back((after[i] - before[i]) / context_.timeline.step);
        }
        before = after;
      }
      for (std::size_t i = 0; i < outputs_.size(); ++i)
        judge_slopes(context_.signals[outputs_[i]].name, given[i], measured[i], largest[i]);
    });
  }

  void judge_slopes(std::string const& name, std::vector<double> const& given,
                    std::vector<double> const& measured, double value) const {
    // What is nearly zero throughout may be the noise of an integration, and its slope that noise over a short time.
    if (value < 1e-2) return;
    // Forces of stiff contacts carry the noise of the motion many times over: what extrapolates to within a few
    // percent of the value counts as right.
    double largest = 0.03 * value / context_.timeline.step;
    for (double const slope : measured) largest = std::max(largest, std::abs(slope));
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (std::abs(given[k] - measured[k]) > 0.3 * largest) ++wrong;
    }
    if (2 * wrong <= given.size()) return;
    context_.find(
        "output-derivative",
        fmt::format(
            "the derivative of {} is far from its slope at {} of {} points, {} instead of {} at the last",
            name, wrong, given.size(), format_number(given.back()), format_number(measured.back())),
        "return the derivative with respect to time at the communication point");
  }

  void check_input_derivatives() {
    context_.stage("setting derivatives of inputs");
    context_.attempt("input-derivative", "take derivatives of inputs, or do not declare canInterpolateInputs",
                     [&] {
                       auto const instance = context_.instantiate("ramps");
                       context_.initialise(*instance);
                       auto const which = references(inputs_);
                       std::vector<double> const zeros(inputs_.size(), 0.0);
                       for (std::size_t k = 0; k < std::min<std::size_t>(3, context_.timeline.steps); ++k) {
                         instance->set_input_derivatives(which, 1, zeros);
                         context_.step(*instance, k);
                       }
                     });
  }

  ExerciseContext& context_;
  std::vector<std::size_t> outputs_, inputs_;
};

}  // namespace

void exercise_capabilities(ExerciseContext& context) {
  if (context.kind == InterfaceKind::co_simulation) Capabilities(context).run();
}

}  // namespace delassus
