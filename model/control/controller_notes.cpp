#include "model/control/controller_notes.hpp"

#include <algorithm>

#include "model/language/scene_notes.hpp"

namespace delassus {
namespace {

// An attribute has no unit of its own: the law gives it one, which its parameter has.
bool is_angle(Controller const& controller, std::string_view parameter) {
  return std::ranges::any_of(controller.parameters, [&](Parameter const& each) {
    return each.name == parameter && each.unit == UnitId::radian;
  });
}

std::string own_name(SourceElement const& element) {
  for (SourceAttribute const& attribute : element.attributes) {
    if (attribute.name == "name") return attribute.value;
  }
  return "";
}

}  // namespace

std::vector<std::string> controller_notes(SceneSource const& source, Controller const& controller) {
  std::vector<std::string> notes;
  auto const note = [&](SourceElement const& element, auto const& parameter_of) {
    for (SourceAttribute const& attribute : element.attributes) {
      if (!is_angle(controller, parameter_of(attribute.name))) continue;
      if (std::string const doubt = doubt_about_angle(attribute.value); !doubt.empty())
        notes.push_back(source.file + ":" + std::to_string(element.line) + ": attribute '" + attribute.name +
                        "' of <" + element.name + ">: " + doubt);
    }
  };
  for (SourceElement const& child : source.root.children) {
    bool const is_setpoint = child.name == "setpoint";
    if (!is_setpoint) note(child, [](std::string const& attribute) { return attribute; });
    for (SourceElement const& part : child.children) {
      note(part, [&](std::string const& attribute) -> std::string {
        if (is_setpoint) return attribute == "value" ? "profile.values" : "";
        return own_name(part) + "." + attribute;
      });
    }
  }
  return notes;
}

}  // namespace delassus
