// Directional and adjoint derivatives against differences, and dependencies against what really changes: in
// initialization mode for every FMU, in continuous-time mode for Model Exchange. There setting and getting
// again is allowed and meant to give consistent values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "model/scene/number.hpp"
#include "tools/check/exercise_context.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

constexpr std::size_t most_knowns = 12;  // each costs some evaluations

// Elements of arrays are looked at one by one. A call has the values of whole variables.
struct Unknown {
  std::size_t signal = 0;
  std::optional<std::vector<std::uint64_t>> dependencies;  // as the model structure has them
};

// Something that can be moved: an input, or a state.
struct Known {
  std::size_t signal = 0;
  std::uint32_t reference = 0;
  std::size_t element = 0, size = 1;
  std::uint64_t index = 0;  // what dependencies call it
  double nominal = 1;
  std::function<void(double)> set;
};

class DerivativeExercise {
 public:
  explicit DerivativeExercise(ExerciseContext& context) : context_(context) {
    auto const& variables = context.description.variables;
    first_signals_.resize(variables.size());
    auto const& signals = context.signals.signals();
    for (std::size_t i = signals.size(); i-- > 0;) first_signals_[signals[i].variable] = i;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (context.description.version == 2)
        by_reference_.emplace(i + 1, i);
      else if (variables[i].value_reference)
        by_reference_.emplace(*variables[i].value_reference, i);
    }
  }

  void run() {
    bool const directional =
        context_.declares("providesDirectionalDerivative", "providesDirectionalDerivatives");
    bool const adjoint = context_.declares("", "providesAdjointDerivatives");
    context_.stage("moving inputs in initialization mode");
    context_.attempt(directional ? "derivative-exact" : "dependencies-true", remedy, [&] {
      auto const instance = context_.instantiate("derivatives");
      instance->enter_initialization({context_.timeline.start, std::nullopt, std::nullopt});
      Unknowns unknowns;
      add_unknowns(initial_unknowns_list, unknowns);
      check(*instance, unknowns, inputs(*instance), directional, adjoint, "at the initialisation");
    });
    if (context_.kind != InterfaceKind::model_exchange) return;
    context_.stage("moving states and inputs in continuous-time mode");
    context_.attempt(directional ? "derivative-exact" : "dependencies-true", remedy, [&] {
      auto const instance = context_.instantiate("derivatives");
      context_.initialise(*instance);
      for (std::size_t k = 0; k < std::min<std::size_t>(3, context_.timeline.steps); ++k)
        context_.step(*instance, k);
      Unknowns unknowns;
      add_unknowns(derivatives_list, unknowns);
      add_unknowns(outputs_list, unknowns);
      auto knowns = states(*instance);
      auto const more = inputs(*instance);
      knowns.insert(knowns.end(), more.begin(), more.end());
      check(*instance, unknowns, knowns, directional, adjoint, "in continuous-time mode");
    });
  }

 private:
  static constexpr char const* remedy =
      "differentiate what the getters compute, in the present mode, only with respect to the knowns";

  struct Unknowns {
    std::vector<Unknown> elements;
    std::vector<std::uint32_t> references;  // of the variables
  };

  DescribedVariable const* variable_at(std::uint64_t reference) const {
    auto const found = by_reference_.find(reference);
    return found == by_reference_.end() ? nullptr : &context_.description.variables[found->second];
  }

  std::size_t place_of(DescribedVariable const& variable) const {
    return static_cast<std::size_t>(&variable - context_.description.variables.data());
  }

  // The signals of a continuous double, one for each element; none of everything else.
  std::vector<std::size_t> signals_of(DescribedVariable const* variable) const {
    if (variable == nullptr || variable->type != "Float64" ||
        variable->effective_variability() != "continuous" || variable->clocks)
      return {};
    auto const first = first_signals_[place_of(*variable)];
    if (!first) return {};
    std::vector<std::size_t> signals(context_.signals[*first].size);
    std::iota(signals.begin(), signals.end(), *first);
    return signals;
  }

  void add_unknowns(StructureList const& list, Unknowns& unknowns) const {
    for (auto const& unknown : context_.description.model_structure) {
      if (unknown.list != list.name(context_.description.version)) continue;
      auto const* const variable = variable_at(unknown.reference);
      auto const signals = signals_of(variable);
      if (signals.empty()) continue;
      for (auto const signal : signals) unknowns.elements.push_back({signal, unknown.dependencies});
      unknowns.references.push_back(variable->value_reference.value_or(0));
    }
  }

  double nominal_of(DescribedVariable const& variable) const {
    double const nominal = std::abs(parse_double(variable.nominal).value_or(1));
    return nominal > 0 && std::isfinite(nominal) ? nominal : 1;
  }

  std::vector<Known> inputs(SimulatedInstance& instance) const {
    std::vector<Known> found;
    auto const& variables = context_.description.variables;
    for (std::size_t i = 0; i < variables.size() && found.size() < most_knowns; ++i) {
      if (variables[i].effective_causality() != "input") continue;
      for (auto const signal : signals_of(&variables[i])) {
        if (found.size() == most_knowns) break;
        Known known = known_of(variables[i], signal);
        known.set = [&instance, signal](double value) {
          instance.set_within_mode(std::vector<SignalValue>{{signal, value}});
        };
        found.push_back(std::move(known));
      }
    }
    return found;
  }

  Known known_of(DescribedVariable const& variable, std::size_t signal) const {
    return {signal,
            variable.value_reference.value_or(0),
            context_.signals[signal].offset,
            context_.signals[signal].size,
            index_of(place_of(variable)),
            nominal_of(variable),
            {}};
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
      auto const signals = signals_of(state);
      if (signals.empty()) return {};  // the places of the others are not known
      for (auto const signal : signals) {
        if (place >= all->size()) return {};
        Known known = known_of(*state, signal);
        known.set = [&face, all, place](double value) {
          (*all)[place] = value;
          face.set_states(*all);
        };
        ++place;
        if (found.size() < most_knowns) found.push_back(std::move(known));
      }
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

  void check(SimulatedInstance& instance, Unknowns const& all, std::vector<Known> const& knowns,
             bool directional, bool adjoint, std::string const& when) {
    auto const& unknowns = all.elements;
    if (unknowns.empty() || knowns.empty()) return;
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
      std::vector<double> sensitivity(unknowns.size(), 0.0);  // of element i in place i
      bool right_column = true;
      if (directional) {
        std::vector<double> seed(known.size, 0.0);
        seed[known.element] = 1;
        instance.directional_derivative(all.references, {&known.reference, 1}, seed, sensitivity);
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
      if (directional && adjoint && right_column) check_adjoint(instance, all, known, sensitivity);
    }
  }

  void check_adjoint(SimulatedInstance& instance, Unknowns const& all, Known const& known,
                     std::vector<double> const& sensitivity) const {
    std::vector<double> seed(all.elements.size()), results(known.size, 0.0);
    double expected = 0, size = 0;
    for (std::size_t i = 0; i < seed.size(); ++i) {
      seed[i] = 1.0 + 0.25 * static_cast<double>(i % 7);
      expected += seed[i] * sensitivity[i];
      size += std::abs(seed[i] * sensitivity[i]);
    }
    instance.adjoint_derivative(all.references, {&known.reference, 1}, seed, results);
    double const result = results[known.element];
    if (std::abs(result - expected) <= 1e-9 * std::max(size, 1e-12)) return;
    context_.find(
        "adjoint-exact",
        fmt::format("the adjoint derivative for {} is {}, and the directional ones give {}",
                    context_.signals[known.signal].name, format_number(result), format_number(expected)),
        "return the product of the seed with the same matrix");
  }

  ExerciseContext& context_;
  std::vector<std::optional<std::size_t>> first_signals_;  // of each variable
  std::map<std::uint64_t, std::size_t> by_reference_;      // as the model structure has it
};

}  // namespace

void exercise_derivatives(ExerciseContext& context) {
  DerivativeExercise(context).run();
}

}  // namespace delassus
