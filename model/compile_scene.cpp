// From a scene as written to a scene that is checked: every word against the vocabulary, every number against
// its range, every reference against what exists.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "model/element_reader.hpp"
#include "model/number.hpp"
#include "model/scene.hpp"

namespace delassus {
namespace {

// Names that variables of the FMU already have.
constexpr std::array<std::string_view, 5> reserved{"time", "gravity", "solver", "energy", "contact"};

class Compiler {
 public:
  explicit Compiler(SceneSource const& source) : source_(source) {}

  Scene compile() {
    SourceElement const& root = source_.root;
    if (root.name != "scene") {
      throw SceneError(source_.file, root.line,
                       "the root element is <" + root.name + "> and must be <scene>");
    }
    check_structure(root, *find_element("", "scene"));
    ElementReader const scene = reader(root);
    scene_.name = scene.name();
    scene_.description = scene.text("description");
    scene_.dimension = scene.choice("dimension", 1) + 1;

    // Bodies first: everything else refers to them, wherever it stands in the file.
    for (SourceElement const& child : root.children) {
      if (child.name == "body") add_body(child);
    }
    for (SourceElement const& child : root.children) {
      if (child.name == "gravity")
        scene_.gravity = expose("gravity", reader(child), "acceleration", scene_.dimension);
      if (child.name == "experiment") add_experiment(reader(child));
      if (child.name == "solver") add_solver(reader(child));
      if (child.name == "contact") add_contact(reader(child));
      if (child.name == "friction") add_friction(reader(child));
      if (child.name == "force") add_force(reader(child));
      if (child.name == "torque") add_torque(reader(child));
    }
    if (scene_.bodies.empty())
      throw SceneError(source_.file, root.line, "the scene has no <body>: nothing can move");
    return std::move(scene_);
  }

 private:
  // Every element is known where it stands, and stands once unless it may be repeated.
  void check_structure(SourceElement const& element, Element const& definition) {
    std::set<std::string> seen;
    for (SourceElement const& child : element.children) {
      Element const* known = find_element(definition.name, child.name);
      if (!known) {
        std::vector<std::string_view> words;
        for (Element const& candidate : vocabulary()) {
          if (candidate.parent == definition.name) words.push_back(candidate.name);
        }
        throw SceneError(source_.file, child.line,
                         "<" + element.name + "> has no element " + quoted(child.name) +
                             (words.empty() ? "; it takes none" : suggestion(child.name, words)));
      }
      if (!seen.insert(child.name).second && !known->repeatable) {
        throw SceneError(source_.file, child.line,
                         "<" + child.name + "> stands twice in <" + element.name + ">; write it once");
      }
      parents_[&child] = &element;
      check_structure(child, *known);
    }
  }

  ElementReader reader(SourceElement const& element) const {
    auto const parent = parents_.find(&element);
    return {source_.file, element,
            *find_element(parent == parents_.end() ? "" : parent->second->name, element.name)};
  }

  std::string unique_name(ElementReader const& element) {
    std::string const name = element.name();
    if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
      element.fail("the name " + quoted(name) + " is reserved for a variable of every FMU; choose another");
    }
    if (!names_.insert(name).second)
      element.fail("two elements have the name " + quoted(name) + "; names must differ");
    return name;
  }

  int add_parameter(Parameter parameter) {
    parameter.first = parameter_count_;
    parameter_count_ += parameter.size();
    scene_.parameters.push_back(std::move(parameter));
    return scene_.parameters.back().first;
  }

  // An exposed attribute becomes the parameter `name`; its index is the answer.
  int expose(std::string name, ElementReader const& element, std::string_view attribute_name, int size = 1) {
    Attribute const& attribute = element.definition(attribute_name);
    return add_parameter({.name = std::move(name),
                          .description = std::string(attribute.description),
                          .unit = attribute.unit,
                          .range = attribute.range,
                          .tunable = attribute.exposure == Exposure::tunable,
                          .vector = attribute.kind == AttributeKind::vector && size > 1,
                          .values = element.numbers(attribute_name, size)});
  }

  int expose_calculated(std::string name, Attribute const& attribute, std::string const& rule, bool tunable) {
    return add_parameter({.name = std::move(name),
                          .description = rule,
                          .unit = attribute.unit,
                          .range = attribute.range,
                          .tunable = tunable,
                          .calculated = true,
                          .values = {1}});
  }

  void add_body(SourceElement const& source) {
    ElementReader const element = reader(source);
    Body body;
    body.name = unique_name(element);
    body.type = static_cast<BodyType>(element.choice("type", 1) - 1);
    body.axis = element.choice("axis", 1) - 1;
    body.first = scene_.degrees_of_freedom();
    body.directions = body.type == BodyType::slider ? 1 : scene_.dimension;
    if (body.type == BodyType::planar && scene_.dimension != 2) {
      element.fail("body " + quoted(body.name) +
                   " is planar, and the scene has dimension 3; use dimension=\"2\"");
    }
    if (body.type != BodyType::slider && element.has("axis")) {
      element.fail("body " + quoted(body.name) + " is no slider: leave out 'axis'");
    }
    if (body.axis >= scene_.dimension)
      element.fail("body " + quoted(body.name) + " has the axis z in a scene of dimension 2");
    if (body.type != BodyType::planar && element.has("inertia")) {
      element.fail("body " + quoted(body.name) + " does not turn: leave out 'inertia', or make it planar");
    }
    body.mass = expose(body.name + ".mass", element, "mass");

    int const index = static_cast<int>(scene_.bodies.size());
    SourceElement const* rod = child_of(source, "rod");
    if (body.type == BodyType::planar) {
      if (rod) {
        if (element.has("inertia"))
          element.fail("body " + quoted(body.name) + " is a rod, whose inertia follows: leave out 'inertia'");
        body.half_length = expose(body.name + ".half_length", reader(*rod), "half_length");
        body.inertia = expose_calculated(body.name + ".inertia", element.definition("inertia"),
                                         "moment of inertia of the rod: mass half_length^2 / 3", false);
      } else if (element.has("inertia")) {
        body.inertia = expose(body.name + ".inertia", element, "inertia");
      } else {
        element.fail("planar body " + quoted(body.name) + " needs the attribute 'inertia' or a <rod>");
      }
    } else if (rod) {
      reader(*rod).fail("body " + quoted(body.name) + " does not turn and cannot be a rod; make it planar");
    }
    scene_.bodies.push_back(body);
    for (SourceElement const& child : source.children) {
      if (child.name == "point") add_point(reader(child), index);
    }
    SourceElement const* initial = child_of(source, "initial");
    SourceElement const nothing{"initial", source.line, {}, {}};
    add_initial(
        initial ? reader(*initial) : ElementReader(source_.file, nothing, *find_element("body", "initial")),
        index);
  }

  static SourceElement const* child_of(SourceElement const& element, std::string_view name) {
    for (SourceElement const& child : element.children) {
      if (child.name == name) return &child;
    }
    return nullptr;
  }

  void add_point(ElementReader const& element, int body_index) {
    Body const& body = scene_.bodies[static_cast<std::size_t>(body_index)];
    BodyPoint point{.name = body.name + "." + element.name(), .body = body_index};
    if (body.type != BodyType::planar) {
      element.fail("body " + quoted(body.name) +
                   " is a point mass without extent; refer to it by its name, or make it planar");
    }
    if (!names_.insert(point.name).second)
      element.fail("two points have the name " + quoted(point.name) + "; names must differ");
    if (element.has("position") == element.has("fraction")) {
      element.fail("point " + quoted(point.name) + " needs either 'position' or, on a rod, 'fraction'");
    }
    if (element.has("fraction")) {
      if (body.half_length < 0)
        element.fail("point " + quoted(point.name) + " has a 'fraction', but its body is no <rod>");
      point.fraction = expose(point.name + ".fraction", element, "fraction");
    } else {
      point.position = expose(point.name + ".position", element, "position", 2);
    }
    scene_.points.push_back(point);
  }

  void add_initial(ElementReader const& element, int body_index) {
    Body& body = scene_.bodies[static_cast<std::size_t>(body_index)];
    std::string const prefix = body.name + ".initial.";
    if (element.has("point")) {
      PointReference const point = resolve(element, "point", body.name + ".");
      if (point.body != body_index)
        element.fail("the initial 'point' of body " + quoted(body.name) + " lies on another body");
      body.initial_point = point.point;
    }
    body.initial_position = expose(prefix + "position", element, "position", body.directions);
    body.initial_velocity = expose(prefix + "velocity", element, "velocity", body.directions);
    if (body.type == BodyType::planar) {
      body.initial_angle = expose(prefix + "angle", element, "angle");
      body.initial_angular_velocity = expose(prefix + "angular_velocity", element, "angular_velocity");
    } else if (element.has("angle") || element.has("angular_velocity")) {
      element.fail("body " + quoted(body.name) + " does not turn: leave out 'angle' and 'angular_velocity'");
    }
  }

  // A body's name, or body.point; within a body also the point's own name.
  PointReference resolve(ElementReader const& element, std::string_view attribute,
                         std::string const& prefix = "") const {
    std::string const written = element.text(attribute);
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (scene_.bodies[i].name == written) return {static_cast<int>(i), -1};
      known.push_back(scene_.bodies[i].name);
    }
    for (std::size_t i = 0; i < scene_.points.size(); ++i) {
      if (scene_.points[i].name == written || scene_.points[i].name == prefix + written) {
        return {scene_.points[i].body, static_cast<int>(i)};
      }
      known.push_back(scene_.points[i].name);
    }
    element.fail("attribute " + quoted(attribute) + " refers to " + quoted(written) +
                 ", which does not exist" + suggestion(written, known));
  }

  void add_experiment(ElementReader const& element) {
    scene_.experiment = {element.number("start"), element.number("stop"), element.number("step")};
    if (scene_.experiment.stop <= scene_.experiment.start) {
      element.fail("the experiment stops at " + format_number(scene_.experiment.stop) + " s and starts at " +
                   format_number(scene_.experiment.start) + " s; it must stop later");
    }
    if (scene_.experiment.step >= scene_.experiment.stop - scene_.experiment.start) {
      element.fail("the experiment's step " + format_number(scene_.experiment.step) +
                   " s must be shorter than the experiment");
    }
  }

  void add_solver(ElementReader const& element) {
    scene_.solver.stepper = static_cast<StepperKind>(element.choice("stepper", 1));
    scene_.solver.law = static_cast<ContactLaw>(element.choice("law", 1));
    scene_.solver.rule = static_cast<SolutionRule>(element.choice("rule", 1));
    scene_.solver.step = element.number("step");
    scene_.solver.tolerance = element.number("tolerance");
  }

  void add_contact(ElementReader const& element) {
    Contact contact;
    contact.name = unique_name(element);
    contact.point = resolve(element, "point");
    Body const& body = scene_.bodies[static_cast<std::size_t>(contact.point.body)];
    if (body.type == BodyType::slider && body.axis != scene_.normal_axis()) {
      element.fail("contact " + quoted(contact.name) + ": slider " + quoted(body.name) +
                   " moves along the ground and never meets it");
    }
    if (body.type == BodyType::slider && element.has("mu")) {
      element.fail("contact " + quoted(contact.name) + ": slider " + quoted(body.name) +
                   " has no tangential motion: leave out 'mu'");
    }
    if (element.has("zeta") && element.has("restitution")) {
      element.fail("contact " + quoted(contact.name) +
                   " has both 'zeta' and 'restitution'; the one follows from the other, write one");
    }
    if (element.has("mu")) contact.mu = expose(contact.name + ".mu", element, "mu");
    if (element.has("restitution")) {
      contact.restitution = expose(contact.name + ".restitution", element, "restitution");
      contact.zeta = expose_calculated(
          contact.name + ".zeta", element.definition("zeta"),
          "damping ratio that gives the coefficient of restitution, inverse of (104)", true);
    } else {
      contact.zeta = expose(contact.name + ".zeta", element, "zeta");
    }
    contact.delta = expose(contact.name + ".delta", element, "delta");
    contact.height = expose(contact.name + ".height", element, "height");
    scene_.contacts.push_back(contact);
  }

  void add_friction(ElementReader const& element) {
    Friction friction;
    friction.name = unique_name(element);
    friction.point = resolve(element, "point");
    Body const& body = scene_.bodies[static_cast<std::size_t>(friction.point.body)];
    if (element.has("axes")) {
      std::istringstream words(element.text("axes"));
      for (std::string word; words >> word;) {
        int const axis = word == "x" ? 0 : word == "y" ? 1 : word == "z" ? 2 : -1;
        if (axis < 0 || axis >= scene_.dimension ||
            std::count(friction.axes.begin(), friction.axes.end(), axis) > 0 ||
            (body.type == BodyType::slider && axis != body.axis)) {
          element.fail("friction " + quoted(friction.name) + " cannot act along " + quoted(word) +
                       ": name directions in which its body moves, each once");
        }
        friction.axes.push_back(axis);
      }
      if (friction.axes.empty() || friction.axes.size() > 2) {
        element.fail("friction " + quoted(friction.name) + " needs one or two axes");
      }
    } else if (body.type == BodyType::slider) {
      friction.axes = {body.axis};
    } else {
      friction.axes = {0, 1};
    }
    friction.bound = expose(friction.name + ".bound", element, "bound");
    friction.zeta = expose(friction.name + ".zeta", element, "zeta");
    friction.delta = expose(friction.name + ".delta", element, "delta");
    scene_.frictions.push_back(friction);
  }

  void add_force(ElementReader const& element) {
    ForceInput force;
    force.name = unique_name(element);
    force.point = resolve(element, "point");
    force.first = scene_.input_count();
    force.start =
        element.numbers("value", scene_.bodies[static_cast<std::size_t>(force.point.body)].directions);
    scene_.forces.push_back(force);
  }

  void add_torque(ElementReader const& element) {
    TorqueInput torque;
    torque.name = unique_name(element);
    PointReference const body = resolve(element, "body");
    if (body.point >= 0 || scene_.bodies[static_cast<std::size_t>(body.body)].type != BodyType::planar) {
      element.fail("torque " + quoted(torque.name) + " acts on " + quoted(element.text("body")) +
                   ", which is not a planar body");
    }
    torque.body = body.body;
    torque.first = scene_.input_count();
    torque.start = element.number("value");
    scene_.torques.push_back(torque);
  }

  SceneSource const& source_;
  Scene scene_;
  std::map<SourceElement const*, SourceElement const*> parents_;
  std::set<std::string> names_;
  int parameter_count_ = 0;
};

}  // namespace

Scene compile_scene(SceneSource const& source) {
  return Compiler(source).compile();
}

}  // namespace delassus
