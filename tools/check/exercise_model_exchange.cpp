// Model Exchange: whether states, derivatives and indicators are what the description says, and functions of
// what they may depend on.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "model/scene/number.hpp"
#include "tools/check/exercise_context.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || a == b;
}

class StateCheck {
 public:
  explicit StateCheck(ExerciseContext& context) : context_(context) {
    for (auto const& unknown : context.description.model_structure) {
      if (unknown.list == derivatives_list.name(context.description.version)) add_state(unknown.reference);
      if (unknown.list == event_indicators_list.name(context.description.version))
        indicators_ += elements_of(unknown.reference);
    }
    if (context.description.version == 2) {
      auto const number = context.description.attributes.find("numberOfEventIndicators");
      if (number != context.description.attributes.end())
        indicators_ = parse_integer<std::uint32_t>(number->second).value_or(0);
    }
  }

  bool run() {
    context_.stage("reading states, derivatives and indicators");
    bool const done = context_.attempt(
        "state-access", "offer the functions of Model Exchange in continuous-time mode", [&] {
          auto const instance = context_.instantiate("states");
          context_.initialise(*instance);
          for (std::size_t k = 0; k < std::min<std::size_t>(2, context_.timeline.steps); ++k)
            context_.step(*instance, k);
          check(*instance);
        });
    return done && is_function_;
  }

 private:
  DescribedVariable const* variable_at(std::uint64_t reference) const {
    auto const& variables = context_.description.variables;
    if (context_.description.version == 2)
      return reference >= 1 && reference <= variables.size() ? &variables[reference - 1] : nullptr;
    for (auto const& variable : variables) {
      if (variable.value_reference == reference) return &variable;
    }
    return nullptr;
  }

  std::vector<std::size_t> signals_of(DescribedVariable const* variable) const {
    std::vector<std::size_t> found;
    if (variable == nullptr) return found;
    auto const index = static_cast<std::size_t>(variable - context_.description.variables.data());
    for (std::size_t i = 0; i < context_.signals.signals().size(); ++i) {
      if (context_.signals[i].variable == index) found.push_back(i);
    }
    return found;
  }
  std::size_t elements_of(std::uint64_t reference) const { return signals_of(variable_at(reference)).size(); }

  void add_state(std::uint64_t reference) {
    auto const* const derivative = variable_at(reference);
    if (derivative == nullptr) return;
    auto const of = parse_integer<std::uint32_t>(derivative->derivative);
    for (auto const signal : signals_of(derivative)) derivatives_.push_back(signal);
    if (!of) return;
    for (auto const signal : signals_of(variable_at(*of))) states_.push_back(signal);
  }

  void check(SimulatedInstance& instance) {
    auto& face = *instance.model_exchange();
    std::size_t const count = face.state_count(), indicator_count = face.indicator_count();
    if (count != derivatives_.size() || indicator_count != indicators_) {
      context_.find("state-count",
                    fmt::format("the FMU has {} states and {} event indicators, its description {} and {}",
                                count, indicator_count, derivatives_.size(), indicators_),
                    "list every state derivative and event indicator in <ModelStructure>");
      return;
    }
    if (indicator_count > 0) {
      std::vector<double> indicators(indicator_count);
      face.get_indicators(indicators);
      for (double const value : indicators) {
        if (!std::isfinite(value))
          context_.find("value-finite", "an event indicator is not finite", "return an error instead");
      }
    }
    if (count == 0) return;
    std::vector<double> states(count), derivatives(count), nominals(count);
    face.get_states(states);
    face.get_derivatives(derivatives);
    face.get_nominals(nominals);
    compare_with_variables(instance, states_, states, "state");
    compare_with_variables(instance, derivatives_, derivatives, "derivative");
    for (std::size_t i = 0; i < count; ++i) {
      if (!(nominals[i] > 0) || !std::isfinite(nominals[i])) {
        context_.find("state-nominal",
                      fmt::format("the nominal of state {} is {}", i + 1, format_number(nominals[i])),
                      "return the positive size that the state usually has, or 1");
        break;
      }
    }
    check_function(face, states, derivatives, nominals);
  }

  void compare_with_variables(SimulatedInstance& instance, std::vector<std::size_t> const& signals,
                              std::vector<double> const& expected, std::string const& what) {
    if (signals.size() != expected.size()) return;  // `derivatives` of the description
    std::vector<double> values(signals.size());
    instance.get(signals, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (same(values[i], expected[i])) continue;
      context_.find(
          "state-access",
          fmt::format("{} {} is {}, and its variable {} is {}", what, i + 1, format_number(expected[i]),
                      context_.signals[signals[i]].name, format_number(values[i])),
          "order states and derivatives as <ModelStructure> lists the derivatives");
      return;
    }
  }

  // Somewhere else and back: an FMU that remembers where it was asked before is no function.
  void check_function(ModelExchangeFace& face, std::vector<double> const& states,
                      std::vector<double> const& derivatives, std::vector<double> const& nominals) {
    std::vector<double> moved = states, back(states.size()), again(states.size());
    for (std::size_t i = 0; i < moved.size(); ++i)
      moved[i] += 1e-6 * std::max(std::abs(moved[i]), nominals[i]);
    face.set_states(moved);
    face.get_states(back);
    for (std::size_t i = 0; i < moved.size(); ++i) {
      if (same(moved[i], back[i])) continue;
      context_.find("state-access",
                    fmt::format("state {} was set to {} and is {}", i + 1, format_number(moved[i]),
                                format_number(back[i])),
                    "let getContinuousStates give what setContinuousStates has set");
      return;
    }
    face.get_derivatives(again);
    face.set_states(states);
    face.get_derivatives(again);
    for (std::size_t i = 0; i < again.size(); ++i) {
      // Iterations inside the FMU may end at another rounding.
      if (std::abs(again[i] - derivatives[i]) <= 1e-12 * std::max(1.0, std::abs(derivatives[i]))) continue;
      context_.find(
          "state-function",
          fmt::format("derivative {} is {} and was {} for the same states, after others were set between",
                      i + 1, format_number(again[i]), format_number(derivatives[i])),
          "compute derivatives only from time, states and inputs");
      is_function_ = false;
      return;
    }
  }

  ExerciseContext& context_;
  std::vector<std::size_t> states_, derivatives_;
  std::size_t indicators_ = 0;
  bool is_function_ = true;
};

}  // namespace

bool exercise_model_exchange(ExerciseContext& context) {
  return context.kind != InterfaceKind::model_exchange || StateCheck(context).run();
}

}  // namespace delassus
