// Directional and adjoint derivatives against differences, and dependencies against what really changes: in
// initialization mode for every FMU, in continuous-time mode for Model Exchange. There setting and getting
// again is allowed and meant to give consistent values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "model/scene/number.hpp"
#include "tools/check/exercise_context.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

constexpr std::size_t most_knowns = 12;  // each costs some evaluations

struct Unknown {
  std::size_t signal = 0;
  std::uint32_t reference = 0;
  std::optional<std::vector<std::uint64_t>> dependencies;  // as the model structure has them
};

// Something that can be moved: an input, or a state.
struct Known {
  std::size_t signal = 0;
  std::uint32_t reference = 0;
  std::uint64_t index = 0;  // what dependencies call it
  double nominal = 1;
  std::function<void(double)> set;
};

class DerivativeExercise {
 public:
  explicit DerivativeExercise(ExerciseContext& context) : context_(context) {}

  void run() {
    bool const directional =
        context_.declares("providesDirectionalDerivative", "providesDirectionalDerivatives");
    bool const adjoint = context_.declares("", "providesAdjointDerivatives");
    context_.stage("moving inputs in initialization mode");
    context_.attempt(directional ? "derivative-exact" : "dependencies-true", remedy, [&] {
      auto const instance = context_.instantiate("derivatives");
      instance->enter_initialization({context_.timeline.start, std::nullopt, std::nullopt});
      auto const unknowns = unknowns_of(initial_unknowns_list);
      check(*instance, unknowns, inputs(*instance), directional, adjoint, "at the initialisation");
    });
    if (context_.kind != InterfaceKind::model_exchange) return;
    context_.stage("moving states and inputs in continuous-time mode");
    context_.attempt(directional ? "derivative-exact" : "dependencies-true", remedy, [&] {
      auto const instance = context_.instantiate("derivatives");
      context_.initialise(*instance);
      for (std::size_t k = 0; k < std::min<std::size_t>(3, context_.timeline.steps); ++k)
        context_.step(*instance, k);
      auto unknowns = unknowns_of(derivatives_list);
      auto const outputs = unknowns_of(outputs_list);
      unknowns.insert(unknowns.end(), outputs.begin(), outputs.end());
      auto knowns = states(*instance);
      auto const more = inputs(*instance);
      knowns.insert(knowns.end(), more.begin(), more.end());
      check(*instance, unknowns, knowns, directional, adjoint, "in continuous-time mode");
    });
  }

 private:
  static constexpr char const* remedy =
      "differentiate what the getters compute, in the present mode, only with respect to the knowns";

  DescribedVariable const* variable_at(std::uint64_t reference) const {
    auto const& variables = context_.description.variables;
    if (context_.description.version == 2)
      return reference >= 1 && reference <= variables.size() ? &variables[reference - 1] : nullptr;
    auto const found = std::ranges::find_if(
        variables, [&](DescribedVariable const& each) { return each.value_reference == reference; });
    return found == variables.end() ? nullptr : &*found;
  }

  // The only signal of a continuous double that is no array; arrays are left to their exporters.
  std::optional<std::size_t> scalar_signal(DescribedVariable const* variable) const {
    if (variable == nullptr || variable->type != "Float64" ||
        variable->effective_variability() != "continuous" || !variable->dimensions.empty() ||
        variable->clocks)
      return std::nullopt;
    return context_.signals.find(variable->name);
  }

  std::vector<Unknown> unknowns_of(StructureList const& list) const {
    std::vector<Unknown> found;
    for (auto const& unknown : context_.description.model_structure) {
      if (unknown.list != list.name(context_.description.version)) continue;
      auto const* const variable = variable_at(unknown.reference);
      if (auto const signal = scalar_signal(variable))
        found.push_back({*signal, variable->value_reference.value_or(0), unknown.dependencies});
    }
    return found;
  }

  double nominal_of(DescribedVariable const& variable) const {
    double const nominal = std::abs(parse_double(variable.nominal).value_or(1));
    return nominal > 0 && std::isfinite(nominal) ? nominal : 1;
  }

  std::vector<Known> inputs(SimulatedInstance& instance) const {
    std::vector<Known> found;
    auto const& variables = context_.description.variables;
    for (std::size_t i = 0; i < variables.size() && found.size() < most_knowns; ++i) {
      auto const& variable = variables[i];
      auto const signal = scalar_signal(&variable);
      if (!signal || variable.effective_causality() != "input") continue;
      Known known{*signal, variable.value_reference.value_or(0), index_of(i), nominal_of(variable), {}};
      known.set = [&instance, index = *signal](double value) {
        instance.set_within_mode(std::vector<SignalValue>{{index, value}});
      };
      found.push_back(std::move(known));
    }
    return found;
  }

  std::uint64_t index_of(std::size_t variable) const {
    return context_.description.version == 2
               ? variable + 1
               : context_.description.variables[variable].value_reference.value_or(0);
  }

  std::vector<Known> states(SimulatedInstance& instance) const {
    std::vector<Known> found;
    auto& face = *instance.model_exchange();
    auto const all = std::make_shared<std::vector<double>>(face.state_count());
    if (!all->empty()) face.get_states(*all);
    std::size_t place = 0;
    for (auto const& unknown : context_.description.model_structure) {
      if (unknown.list != derivatives_list.name(context_.description.version)) continue;
      auto const* const derivative = variable_at(unknown.reference);
      auto const of =
          derivative == nullptr ? std::nullopt : parse_integer<std::uint32_t>(derivative->derivative);
      auto const* const state = of ? variable_at(*of) : nullptr;
      auto const signal = scalar_signal(state);
      if (!signal || place >= all->size()) return {};  // arrays of states: places are not one to one
      Known known{*signal,
                  state->value_reference.value_or(0),
                  index_of(static_cast<std::size_t>(state - context_.description.variables.data())),
                  nominal_of(*state),
                  {}};
      known.set = [&face, all, place](double value) {
        (*all)[place] = value;
        face.set_states(*all);
      };
      ++place;
      if (found.size() < most_knowns) found.push_back(std::move(known));
    }
    return found;
  }

  std::vector<double> read(SimulatedInstance& instance, std::vector<Unknown> const& unknowns) const {
    std::vector<std::size_t> signals;
    signals.reserve(unknowns.size());
    for (auto const& unknown : unknowns) signals.push_back(unknown.signal);
    std::vector<double> values(signals.size());
    instance.get(signals, values);
    return values;
  }

  void check(SimulatedInstance& instance, std::vector<Unknown> const& unknowns,
             std::vector<Known> const& knowns, bool directional, bool adjoint, std::string const& when) {
    if (unknowns.empty() || knowns.empty()) return;
    std::vector<std::uint32_t> rows, columns;
    for (auto const& unknown : unknowns) rows.push_back(unknown.reference);
    std::set<std::string> reported;
    for (auto const& known : knowns) {
      double value = 0;
      instance.get({&known.signal, 1}, {&value, 1});
      auto const here = read(instance, unknowns);
      double const step = 1e-5 * std::max(std::abs(value), known.nominal);
      auto const at = [&](double moved) {
        known.set(moved);
        return read(instance, unknowns);
      };
      auto const above = at(value + step), below = at(value - step), near_above = at(value + step / 2),
                 near_below = at(value - step / 2);
      known.set(value);
      std::vector<double> sensitivity(unknowns.size(), 0.0);
      bool right_column = true;
      if (directional) {
        double const seed = 1;
        instance.directional_derivative(rows, {&known.reference, 1}, {&seed, 1}, sensitivity);
      }
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        auto const& name = context_.signals[unknowns[i].signal].name;
        auto const& source = context_.signals[known.signal].name;
        if (unknowns[i].signal == known.signal) continue;
        bool const moves = above[i] != here[i] || below[i] != here[i];
        auto const& dependencies = unknowns[i].dependencies;
        if (moves && dependencies && std::ranges::find(*dependencies, known.index) == dependencies->end()) {
          if (reported.insert(name).second)
            context_.find("dependencies-true",
                          fmt::format("{} changes with {} {}, on which it does not depend by the "
                                      "model structure",
                                      name, source, when),
                          fmt::format("add {} to its dependencies", source));
        }
        if (!directional) continue;
        double const coarse = (above[i] - below[i]) / (2 * step),
                     fine = (near_above[i] - near_below[i]) / step;
        double const exact = fine + (fine - coarse) / 3;
        double const right = (above[i] - here[i]) / step, left = (here[i] - below[i]) / step;
        double const size = std::max(
            {std::abs(exact), std::abs(sensitivity[i]), std::abs(here[i]) / known.nominal * 1e-3, 1e-9});
        // Iterations inside an FMU leave errors of their own in what is differenced. Where an output jumps, the finer
        // difference is twice the coarser one, and there is nothing to compare with.
        double const rounding = 1e-8 * std::max(std::abs(here[i]), 1.0) / step;
        double const allowed = 1e-4 * size + rounding + 3 * std::abs(fine - coarse);
        // At a kink, such as the largest of several, either side will do, and it may be that of a third one. Where a
        // side is not straight, as beside a jump, the differences say nothing: a contact opens or moves between.
        double const half = step / 2;
        std::array const slopes{(below[i] - near_below[i]) / -half, (near_below[i] - here[i]) / -half,
                                (near_above[i] - here[i]) / half, (above[i] - near_above[i]) / half};
        auto const [least, most] = std::ranges::minmax(slopes);
        bool const straight = most - least <= 0.02 * std::max(std::abs(least), std::abs(most)) + 4 * rounding;
        bool const kink = std::abs(right - left) > 0.1 * std::max(std::abs(right), std::abs(left)) + rounding;
        // Differences that still change with their step say nothing either.
        bool const unsettled = std::abs(fine - coarse) > 0.02 * std::max(std::abs(fine), std::abs(coarse));
        bool const near = kink || unsettled || !straight || std::abs(sensitivity[i] - exact) <= allowed ||
                          std::abs(sensitivity[i] - right) <= 1e-3 * size + rounding ||
                          std::abs(sensitivity[i] - left) <= 1e-3 * size + rounding;
        right_column = right_column && near;
        if (!near && reported.insert(name + source).second) {
          context_.find(
              "derivative-exact",
              fmt::format("the derivative of {} with respect to {} is {} {}, and that of differences {}",
                          name, source, format_number(sensitivity[i]), when, format_number(exact)),
              remedy);
        }
      }
      // Against directional derivatives that are wrong themselves, right adjoint ones would be wrong.
      if (directional && adjoint && right_column) check_adjoint(instance, unknowns, rows, known, sensitivity);
    }
  }

  void check_adjoint(SimulatedInstance& instance, std::vector<Unknown> const& unknowns,
                     std::vector<std::uint32_t> const& rows, Known const& known,
                     std::vector<double> const& sensitivity) const {
    std::vector<double> seed(unknowns.size());
    double expected = 0, size = 0, result = 0;
    for (std::size_t i = 0; i < seed.size(); ++i) {
      seed[i] = 1.0 + 0.25 * static_cast<double>(i % 7);
      expected += seed[i] * sensitivity[i];
      size += std::abs(seed[i] * sensitivity[i]);
    }
    instance.adjoint_derivative(rows, {&known.reference, 1}, seed, {&result, 1});
    if (std::abs(result - expected) <= 1e-9 * std::max(size, 1e-12)) return;
    context_.find(
        "adjoint-exact",
        fmt::format("the adjoint derivative for {} is {}, and the directional ones give {}",
                    context_.signals[known.signal].name, format_number(result), format_number(expected)),
        "return the product of the seed with the same matrix");
  }

  ExerciseContext& context_;
};

}  // namespace

void exercise_derivatives(ExerciseContext& context) {
  DerivativeExercise(context).run();
}

}  // namespace delassus
