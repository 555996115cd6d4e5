#include "fmu/content/controller_check.hpp"

#include <cmath>
#include <set>
#include <stdexcept>

#include "fmu/content/parameter_check.hpp"
#include "model/language/vocabulary.hpp"

namespace delassus {
namespace {

void demand(bool holds, char const* what) {
  if (!holds) throw std::runtime_error(std::string("it ") + what);
}

bool same(Range const& a, Range const& b) {
  return a.minimum == b.minimum && a.maximum == b.maximum && a.open_minimum == b.open_minimum;
}

Parameter const& parameter_of(Controller const& controller, std::string const& name, std::size_t size) {
  for (Parameter const& each : controller.parameters) {
    if (each.name == name && each.values.size() == size) return each;
  }
  throw std::runtime_error("it has no parameter '" + name + "' with " + std::to_string(size) +
                           (size == 1 ? " value" : " values"));
}

// The parameters of an element of the language, with its ranges; answers how many they are.
std::size_t check_parameters_of(Controller const& controller, Element const& element,
                                std::string const& prefix) {
  std::size_t count = 0;
  for (Attribute const& attribute : element.attributes) {
    if (attribute.exposure == Exposure::none) continue;
    Parameter const& own = parameter_of(controller, prefix + std::string(attribute.name), 1);
    if (!same(own.range, attribute.range))
      throw std::runtime_error("parameter '" + own.name + "' has another range than the language gives it");
    ++count;
  }
  return count;
}

struct Ports {
  std::size_t inputs = 0, outputs = 0;
  int actuators = 1;
};

Ports ports_of(Controller const& controller) {
  switch (controller.law) {
    case ControlLawKind::pid:
    case ControlLawKind::friction_compensation: {
      std::size_t const friction = controller.law == ControlLawKind::friction_compensation ? 1 : 0;
      return {controller.rate_is_measured ? 4U : 3U, 4 + friction};
    }
    case ControlLawKind::gripper:
      return {5, 5, 2};
    case ControlLawKind::state_feedback:
      return {static_cast<std::size_t>(controller.states) + 1, 3};
    case ControlLawKind::signal:
      return {0, 1};
  }
  throw std::runtime_error("it has an unknown law");
}

}  // namespace

void check_controller(Controller const& c) {
  ParameterCheck const layout(c.parameters, 0);
  check_name(c.name, "the controller");
  std::set<std::string> names;
  for (Parameter const& each : c.parameters)
    demand(names.insert(each.name).second, "has one parameter twice");
  for (Parameter const& each : c.parameters) demand(!each.calculated, "has a parameter that is calculated");
  Experiment const& e = c.experiment;
  demand(std::isfinite(e.start) && std::isfinite(e.stop) && e.stop > e.start && e.step > 0 &&
             e.step < e.stop - e.start,
         "has an experiment that does not end after its start, or in less than a step");
  demand(c.shape >= ProfileShape::step && c.shape <= ProfileShape::smooth, "has an unknown shape of profile");
  demand(c.states >= 0 && static_cast<std::size_t>(c.states) <= c.inputs.size(),
         "has a wrong number of states");
  demand(c.points >= 0, "has a wrong number of points");

  Ports const ports = ports_of(c);
  demand(
      c.inputs.size() == ports.inputs && c.outputs.size() == ports.outputs && c.actuators == ports.actuators,
      "has other inputs or outputs than its law");
  for (auto const* list : {&c.inputs, &c.outputs}) {
    for (ControllerPort const& port : *list) {
      check_name(port.name, "an input or output");
      demand(is_unit(port.unit), "has an input or output of an unknown unit");
    }
  }
  std::size_t known = check_parameters_of(c, *find_element("", "controller"), "") +
                      check_parameters_of(c, *find_element("controller", text(c.law)), "");
  parameter_of(c, "initial_output", 1);
  if (c.law == ControlLawKind::signal) ++known;
  for (int i = 0; i < (c.law == ControlLawKind::state_feedback ? c.states : 0); ++i)
    known += check_parameters_of(c, *find_element("state_feedback", "state"),
                                 c.inputs[static_cast<std::size_t>(i) + 1].name + ".");
  demand(c.law != ControlLawKind::state_feedback || c.states > 0, "feeds no state back");
  demand(c.law != ControlLawKind::signal || c.points > 0, "has no points of its signal");
  if (c.points > 0) {
    auto const points = static_cast<std::size_t>(c.points);
    parameter_of(c, "profile.period", 1);
    parameter_of(c, "profile.times", points);
    parameter_of(c, "profile.values", points);
    known += 3;
  }
  demand(c.parameters.size() == known, "has parameters that its law does not know");
  if (std::string const problem = problem_with_parameters(c, c.default_parameters()); !problem.empty())
    throw std::runtime_error(problem);
}

}  // namespace delassus
