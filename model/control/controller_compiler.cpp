// Compiles a controller: checks its words and numbers against the vocabulary.
#include <algorithm>
#include <array>
#include <set>

#include "model/control/controller.hpp"
#include "model/language/element_reader.hpp"
#include "model/language/vocabulary.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

// Variables that the FMU of every controller has.
constexpr std::array<std::string_view, 7> reserved{"time",  "setpoint", "output",     "reference",
                                                   "error", "profile",  "sample_time"};

// The unit of rotation that corresponds to a unit of translation.
UnitId rotational(UnitId unit) {
  switch (unit) {
    case UnitId::metre:
      return UnitId::radian;
    case UnitId::metre_per_second:
      return UnitId::radian_per_second;
    case UnitId::newton:
      return UnitId::newton_metre;
    case UnitId::newton_per_metre:
      return UnitId::newton_metre_per_radian;
    case UnitId::newton_second_per_metre:
      return UnitId::newton_metre_second_per_radian;
    case UnitId::newton_per_metre_second:
      return UnitId::newton_metre_per_radian_second;
    default:
      return unit;
  }
}

UnitId unit_named(std::string_view name) {
  auto const units = all_units();
  auto const found =
      std::find_if(units.begin(), units.end(), [&](Unit const& each) { return each.name == name; });
  return static_cast<UnitId>(found - units.begin());
}

// The unit of a gain: the one whose exponents are those of the quotient.
UnitId quotient(UnitId numerator, UnitId denominator) {
  auto exponents = unit(numerator).exponents;
  for (std::size_t i = 0; i < exponents.size(); ++i) exponents[i] -= unit(denominator).exponents[i];
  auto const units = all_units();
  auto const found =
      std::find_if(units.begin(), units.end(), [&](Unit const& each) { return each.exponents == exponents; });
  return found == units.end() ? UnitId::one : static_cast<UnitId>(found - units.begin());
}

class ControllerCompiler {
 public:
  explicit ControllerCompiler(SceneSource const& source) : source_(source) {}

  Controller compile() {
    SourceElement const& root = source_.root;
    if (root.name != "controller") {
      throw SceneError(source_.file, root.line,
                       "the root element is <" + root.name + "> and must be <controller>");
    }
    check_structure(source_.file, root, *find_element("", "controller"));
    ElementReader const controller(source_.file, root, *find_element("", "controller"));
    controller_.name = controller.name();
    controller_.description = controller.text("description");
    expose(controller, "sample_time", UnitId::second);
    SourceElement const* law = nullptr;
    SourceElement const* setpoint = nullptr;
    for (SourceElement const& child : root.children) {
      if (child.name == "experiment") {
        add_experiment(reader(child, "controller"));
      } else if (child.name == "setpoint") {
        setpoint = &child;
      } else if (law) {
        throw SceneError(source_.file, child.line,
                         "<controller> has <" + law->name + "> and <" + child.name + ">; it takes one law");
      } else {
        law = &child;
      }
    }
    if (!law) {
      throw SceneError(source_.file, root.line,
                       "<controller> has no law; write one of <pid>, <friction_compensation>, <gripper>, "
                       "<state_feedback> or <signal> into it");
    }
    add_law(*law);
    if (setpoint) add_setpoint(*setpoint);
    if (!setpoint && controller_.law == ControlLawKind::signal)
      throw SceneError(source_.file, law->line, "<signal> needs a <setpoint> with its points beside it");
    if (std::string const problem = problem_with_parameters(controller_, controller_.default_parameters());
        !problem.empty())
      throw SceneError(source_.file, law->line, problem);
    return std::move(controller_);
  }

 private:
  ElementReader reader(SourceElement const& element, std::string_view parent) const {
    return {source_.file, element, *find_element(parent, element.name)};
  }

  void add(Parameter parameter) {
    parameter.first = next_;
    next_ += parameter.size();
    controller_.parameters.push_back(std::move(parameter));
  }

  void expose(ElementReader const& element, std::string_view attribute, UnitId unit,
              std::string const& prefix = "") {
    Attribute const& definition = element.definition(attribute);
    add({.name = prefix + std::string(definition.name),
         .description = std::string(definition.description),
         .unit = unit,
         .range = definition.range,
         .tunable = definition.exposure == Exposure::tunable,
         .values = {element.number(attribute, unit)}});
  }

  // Turns all numbers of a law into parameters, in the order of the vocabulary.
  void expose_all(ElementReader const& element, Element const& definition) {
    for (Attribute const& attribute : definition.attributes) {
      if (attribute.exposure == Exposure::none) continue;
      expose(element, attribute.name, rotates_ ? rotational(attribute.unit) : attribute.unit);
    }
  }

  void add_experiment(ElementReader const& element) {
    controller_.experiment = {element.number("start"), element.number("stop"), element.number("step")};
    Experiment const& experiment = controller_.experiment;
    if (experiment.stop <= experiment.start) {
      element.fail("the experiment stops at " + format_number(experiment.stop) + " s and starts at " +
                   format_number(experiment.start) + " s; it must stop later");
    }
    if (experiment.step >= experiment.stop - experiment.start) {
      element.fail("the experiment's step " + format_number(experiment.step) +
                   " s must be shorter than the experiment");
    }
  }

  void add_law(SourceElement const& law) {
    Element const& definition = *find_element("controller", law.name);
    ElementReader const element(source_.file, law, definition);
    std::vector<ControllerPort>&inputs = controller_.inputs, &outputs = controller_.outputs;
    controller_.actuators = 1;
    if (law.name == "pid" || law.name == "friction_compensation") {
      bool const compensates = law.name == "friction_compensation";
      controller_.law = compensates ? ControlLawKind::friction_compensation : ControlLawKind::pid;
      controller_.rate_is_measured = element.choice("rate") == 2;
      rotates_ = element.choice("of") == 2;
      UnitId const place = rotates_ ? UnitId::radian : UnitId::metre,
                   force = rotates_ ? UnitId::newton_metre : UnitId::newton;
      inputs = {{"setpoint", "setpoint, added to that of the profile", place},
                {"measurement", "measured value", place}};
      if (controller_.rate_is_measured)
        inputs.push_back(
            {"measured_rate", "measured rate of change", rotational_if(UnitId::metre_per_second)});
      inputs.push_back({"feedforward", "feedforward, added to the output", force});
      outputs = {{"output", "command to the actuator", force},
                 {"reference", "setpoint at the last sample, including the profile", place},
                 {"error", "reference minus measurement at the last sample", place},
                 {"integral", "integral part of the output", force}};
      if (compensates) outputs.push_back({"friction_force", "friction compensation in the output", force});
      setpoint_unit_ = place;
      expose_all(element, definition);
    } else if (law.name == "gripper") {
      controller_.law = ControlLawKind::gripper;
      controller_.actuators = 2;
      inputs = {{"setpoint", "wanted squeezing force, added to that of the profile", UnitId::newton},
                {"left_force", "measured normal force at the left finger", UnitId::newton},
                {"right_force", "measured normal force at the right finger", UnitId::newton},
                {"left_slip", "measured slip speed at the left finger", UnitId::metre_per_second},
                {"right_slip", "measured slip speed at the right finger", UnitId::metre_per_second}};
      outputs = {
          {"left_squeeze", "force that closes the left finger", UnitId::newton},
          {"right_squeeze", "force that closes the right finger", UnitId::newton},
          {"reference", "wanted squeezing force at the last sample, including the reserve", UnitId::newton},
          {"error", "reference minus the mean of both measured forces", UnitId::newton},
          {"reserve", "squeezing force added because of slip", UnitId::newton}};
      setpoint_unit_ = UnitId::newton;
      expose_all(element, definition);
    } else if (law.name == "state_feedback") {
      add_state_feedback(law, element, definition);
    } else {
      controller_.law = ControlLawKind::signal;
      setpoint_unit_ = unit_of(element);
      outputs = {{"output", "value of the signal", setpoint_unit_}};
      add({.name = "initial_output",
           .description = "output before the first sample",
           .unit = setpoint_unit_,
           .range = any_number,
           .values = {0}});
    }
  }

  void add_state_feedback(SourceElement const& law, ElementReader const& element, Element const& definition) {
    controller_.law = ControlLawKind::state_feedback;
    UnitId const force = unit_of(element);
    rotates_ = force == UnitId::newton_metre;
    expose_all(element, definition);
    std::set<std::string> names;
    std::vector<ControllerPort>& inputs = controller_.inputs;
    for (SourceElement const& child : law.children) {
      ElementReader const state = reader(child, "state_feedback");
      std::string const name = state.name();
      if (std::find(reserved.begin(), reserved.end(), name) != reserved.end() ||
          controller_.parameter(name) >= 0)
        state.fail("the name " + quoted(name) +
                   " of a state is one that the FMU already has; choose another");
      if (!names.insert(name).second) state.fail("two states have the name " + quoted(name));
      UnitId const unit = unit_of(state);
      if (inputs.empty()) {
        setpoint_unit_ = unit;
        inputs.push_back({"setpoint", "setpoint of " + name + ", added to that of the profile", unit});
      }
      inputs.push_back({name, "measured state", unit});
      expose(state, "gain", quotient(force, unit), name + ".");
      expose(state, "reference", unit, name + ".");
      ++controller_.states;
    }
    if (controller_.states == 0) element.fail("<state_feedback> has no <state>: nothing is fed back");
    controller_.outputs = {
        {"output", "command to the actuator", force},
        {"reference", "setpoint at the last sample, including the profile", setpoint_unit_},
        {"error", "reference of the first state minus its measurement", setpoint_unit_}};
  }

  void add_setpoint(SourceElement const& setpoint) {
    ElementReader const element = reader(setpoint, "controller");
    controller_.shape = static_cast<ProfileShape>(element.choice("shape"));
    std::vector<double> times, values;
    for (SourceElement const& child : setpoint.children) {
      ElementReader const point = reader(child, "setpoint");
      times.push_back(point.number("time"));
      values.push_back(point.number("value", setpoint_unit_));
      if (times.size() > 1 && !(times.back() > times[times.size() - 2])) {
        point.fail("the point at " + format_number(times.back()) +
                   " s must be later than the one before it, at " + format_number(times[times.size() - 2]) +
                   " s");
      }
    }
    if (times.empty()) element.fail("<setpoint> has no <point>");
    controller_.points = static_cast<int>(times.size());
    add({.name = "profile.period",
         .description = std::string(element.definition("period").description),
         .unit = UnitId::second,
         .range = not_negative,
         .values = {element.number("period")}});
    add({.name = "profile.times",
         .description = "times of the points of the setpoint",
         .unit = UnitId::second,
         .range = any_number,
         .vector = true,
         .values = std::move(times)});
    add({.name = "profile.values",
         .description = "values of the points of the setpoint",
         .unit = setpoint_unit_,
         .range = any_number,
         .tunable = true,
         .vector = true,
         .values = std::move(values)});
  }

  UnitId rotational_if(UnitId unit) const { return rotates_ ? rotational(unit) : unit; }

  static UnitId unit_of(ElementReader const& element) {
    auto const choices = element.definition("unit").choices;
    return unit_named(choices[static_cast<std::size_t>(element.choice("unit")) - 1].name);
  }

  SceneSource const& source_;
  Controller controller_;
  bool rotates_ = false;
  UnitId setpoint_unit_ = UnitId::one;
  int next_ = 0;
};

}  // namespace

Controller compile_controller(SceneSource const& source) {
  return ControllerCompiler(source).compile();
}

}  // namespace delassus
