// The variable table: the one source of name, unit, range, start value, description, causality and storage of
// every variable. The modelDescription.xml, the getters and setters, the documentation and the command-line
// help read it.
//
// An array of n elements has n consecutive value references. FMI 3 shows one array variable under the first
// of them, FMI 2 shows n scalars `name[1]` ... `name[n]`. Both versions address the same values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmu/table/references.hpp"
#include "model/control/controller.hpp"
#include "model/equations/mode_source.hpp"
#include "model/scene/enumeration.hpp"
#include "model/scene/scene.hpp"
#include "model/scene/unit.hpp"

namespace delassus {

enum class VariableType { real, integer, enumeration, clock };
enum class Causality { parameter, calculated_parameter, input, output, local, independent };
enum class Variability { constant, fixed, tunable, discrete, continuous };
enum class Initial { none, exact, calculated };

// Where an instance stores the value of a variable.
enum class Storage { time, parameter, setting, input, output, state, derivative, indicator, event, clock };

struct Variable {
  std::uint32_t value_reference = 0;  // of the first element
  std::string name = {};
  std::vector<std::string> aliases = {};  // further names
  std::string description = {};
  VariableType type = VariableType::real;
  Causality causality = Causality::output;
  Variability variability = Variability::continuous;
  Initial initial = Initial::none;
  UnitId unit = UnitId::one;
  Range range = any_number;        // checked by the instance; the description has only inclusive bounds
  std::vector<double> start = {};  // one value for each element; empty if the standard forbids a start
  int size = 1;                    // number of elements
  bool array = false;              // a scalar where false
  Enumeration const* enumeration = nullptr;
  Storage storage = Storage::output;
  int index = 0;  // of the first element in its storage
  // Value references with direct feedthrough to an output at communication points. For FMI 2 only inputs are
  // knowns there, for FMI 3 parameters are, too.
  References input_dependencies = {};
  References parameter_dependencies = {};
  // Of outputs and derivatives: the states that they depend on, if states are variables.
  References state_dependencies = {};
  // Of calculated variables: what the initial value depends on.
  References initial_dependencies = {};
  std::optional<std::uint32_t> derivative_of = {};  // of a derivative: its state
};

// What is reported about the last change of mode.
enum class EventValue { count, time, source, kind };
inline constexpr std::size_t event_values = 4;

struct DefaultExperiment {
  double start = 0, stop = 1, step = 1e-3, tolerance = 1e-6;
};

struct LogCategory {
  std::string_view name;
  std::string_view description;
};
std::span<const LogCategory> log_categories();  // of all kinds

class VariableTable {
 public:
  // `sources` are the event sources of the scene's system.
  VariableTable(Scene const& scene, std::vector<ModeSource> const& sources);
  explicit VariableTable(Controller const& controller);
  VariableTable(VariableTable const&) = delete;  // elements point at variables
  VariableTable& operator=(VariableTable const&) = delete;
  VariableTable(VariableTable&&) = default;
  VariableTable& operator=(VariableTable&&) = default;
  ~VariableTable() = default;

  std::string const& model_name() const { return model_name_; }  // a C identifier
  std::string const& description() const { return description_; }
  DefaultExperiment const& default_experiment() const { return experiment_; }
  bool offers_model_exchange() const { return offers_model_exchange_; }
  int event_indicators() const { return event_indicators_; }
  // The result of fixed steps is not a differentiable function of time.
  bool offers_output_derivatives() const { return offers_output_derivatives_; }
  // A sampled controller: its outputs are discrete and have no derivatives.
  bool sampled() const { return sampled_; }
  std::span<const LogCategory> log_categories() const;
  // FMI 3: whether it can be read, or set as an input, during a step.
  bool has_intermediate_update(Variable const& variable) const {
    return !sampled_ && variable.type == VariableType::real &&
           variable.variability == Variability::continuous &&
           (variable.causality == Causality::input || variable.causality == Causality::output);
  }
  std::vector<Variable> const& variables() const { return variables_; }

  // The variable that holds an element, and which element of it; null if there is none.
  struct Element {
    Variable const* variable = nullptr;
    int offset = 0;
    explicit operator bool() const { return variable != nullptr; }
  };
  Element find(std::uint32_t value_reference) const;

  // Element names as FMI 2 spells them: `mass`, `position[2]`.
  static std::string element_name(Variable const& variable, int offset);

 private:
  void index_elements();

  std::string model_name_, description_;
  DefaultExperiment experiment_;
  bool offers_model_exchange_ = false, offers_output_derivatives_ = false, sampled_ = false;
  int event_indicators_ = 0;
  std::vector<Variable> variables_;
  std::vector<Element> by_reference_;
  friend class VariableTableBuilder;
  friend class ControllerTableBuilder;
};

}  // namespace delassus
