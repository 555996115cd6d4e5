// The scene as a whole, and functions that the parts share.
#include <algorithm>
#include <cmath>

#include "model/language/scene_compiler.hpp"
#include "model/numbers/elementary.hpp"
#include "model/scene/number.hpp"
#include "model/scene/pattern.hpp"

namespace delassus {
namespace {

// The length of a direction does not matter, as long as its square neither overflows nor underflows.
constexpr double smallest_direction = 1e-100, largest_direction = 1e100;

// Names that variables of the FMU already have.
constexpr std::array<std::string_view, 6> reserved{"time",   "gravity", "solver",
                                                   "energy", "contact", "events"};

// FMI's structured names: identifiers with dots between.
bool is_variable_name(std::string_view text) {
  bool start = true;
  for (char const c : text) {
    bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool const digit = c >= '0' && c <= '9';
    if (c == '.' && !start) {
      start = true;
      continue;
    }
    if (!letter && (!digit || start)) return false;
    start = false;
  }
  return !start;
}

}  // namespace

Scene SceneCompiler::compile() {
  SourceElement const& root = source_.root;
  if (root.name != "scene") {
    throw SceneError(source_.file, root.line, "the root element is <" + root.name + "> and must be <scene>");
  }
  check_structure(source_.file, root, *find_element("", "scene"));
  note_parents(root);
  ElementReader const scene = reader(root);
  scene_.name = scene.name();
  scene_.description = scene.text("description");
  scene_.dimension = scene.choice("dimension") + 1;

  // Bodies come first, because all other elements refer to them, wherever they stand in the file.
  for (SourceElement const& child : root.children) {
    if (child.name == "body") add_bodies(child);
  }
  for (SourceElement const& child : root.children) {
    if (child.name == "body") continue;
    ElementReader const element = reader(child);
    if (child.name == "gravity")
      scene_.gravity = expose("gravity", element, "acceleration", {ParameterRole::gravity}, scene_.dimension);
    if (child.name == "experiment") add_experiment(element);
    if (child.name == "solver") add_solver(element);
    if (child.name == "interface") add_interface(element);
    if (child.name == "expose") add_exposure(element);
    if (child.name == "contact") add_contact(element);
    if (child.name == "contacts") add_group(element);
    if (child.name == "friction") add_friction(element);
    if (child.name == "joint") add_joint(element);
    if (child.name == "rolling") add_rolling(element);
    if (child.name == "knife_edge") add_knife_edge(element);
    if (child.name == "spring") add_spring(element);
    if (child.name == "torsion_spring") add_torsion_spring(element);
    if (child.name == "force") add_force(element);
    if (child.name == "torque") add_torque(element);
  }
  SourceElement const* const solver = child_of(root, "solver");
  int const named = solver ? reader(*solver).choice("stepper") : 0;
  scene_.solver.stepper = named > 0 ? static_cast<StepperKind>(named) : usual_stepper();
  if (scene_.velocity_size == 0) {
    throw SceneError(source_.file, root.line,
                     scene_.bodies.empty()
                         ? "the scene has no <body>: nothing can move"
                         : "every <body> of the scene is fixed or prescribed: nothing can move");
  }
  // In q, deflections of compliant friction come after the coordinates of the bodies.
  for (Contact& contact : scene_.contacts) {
    if (contact.deflections == 0) continue;
    contact.first_deflection = scene_.configuration_size;
    scene_.configuration_size += 2 * contact.deflections;
  }
  share_pairs();
  check_start();
  return std::move(scene_);
}

void SceneCompiler::note_parents(SourceElement const& element) {
  for (SourceElement const& child : element.children) {
    parents_[&child] = &element;
    note_parents(child);
  }
}

void SceneCompiler::add_experiment(ElementReader const& element) {
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

void SceneCompiler::add_solver(ElementReader const& element) {
  scene_.solver.law = static_cast<ContactLaw>(element.choice("law"));
  scene_.solver.rule = static_cast<SolutionRule>(element.choice("rule"));
  scene_.solver.impacts = static_cast<ImpactOrder>(element.choice("impacts"));
  scene_.solver.step = element.number("step");
  scene_.solver.tolerance = element.number("tolerance");
}

void SceneCompiler::add_interface(ElementReader const& element) {
  scene_.interface = {is_yes(element, "feedthrough"), is_yes(element, "event_clock"),
                      is_yes(element, "states"), is_yes(element, "analysis"), is_yes(element, "integers")};
}

void SceneCompiler::add_exposure(ElementReader const& element) {
  ExposureRule rule;
  rule.variable = element.text("variable");
  rule.as = static_cast<ExposedAs>(element.choice("as"));
  rule.name = element.text("name");
  rule.alias = element.text("alias");
  rule.file = element.file();
  rule.line = element.line();
  if (rule.as == ExposedAs::unchanged && rule.name.empty() && rule.alias.empty())
    element.fail("<expose> changes nothing; write 'as', 'name' or 'alias'");
  for (std::string const& name : {rule.name, rule.alias}) {
    if (name.empty()) continue;
    if (!is_variable_name(name)) {
      element.fail("FMI does not permit the name " + quoted(name) +
                   ": write letters, digits and underscores, not starting with a digit, and dots between");
    }
    if (rule.variable.find('*') != std::string::npos)
      element.fail("one name cannot stand for all variables that match " + quoted(rule.variable));
  }
  scene_.exposures.push_back(rule);
}

// The stepper of a scene that names none. What a scene names says which one it means: zeta and delta (64) the relaxed model
// of Kikuuwe and Brogliato, a tolerance the adaptive stepper, a step one with fixed steps. Otherwise rigid contacts and the
// limits of joints, which may be many and have impacts, and dry friction, which stops what moves at its time, get
// `nonsmooth`, which ends every step; mechanisms without contact, and contacts with a stiffness, whose force over an impact
// matters, the accuracy of `relaxed` (tools/guide/steppers.md has the figures). Where
// such a contact has Coulomb friction, an impact is shorter than `delta` of its slip, and `nonsmooth_adaptive` has none.
StepperKind SceneCompiler::usual_stepper() const {
  auto const names = [](SourceElement const& element, std::string_view attribute) {
    return std::any_of(element.attributes.begin(), element.attributes.end(),
                       [&](auto const& own) { return own.name == attribute; });
  };
  SourceElement const* solver = nullptr;
  for (SourceElement const& child : source_.root.children) {
    for (char const* const attribute : {"zeta", "delta", "tangential_zeta", "tangential_delta"}) {
      if (names(child, attribute)) return StepperKind::relaxed;
    }
    if (child.name == "solver") solver = &child;
  }
  bool const step = solver && names(*solver, "step");
  if ((solver && names(*solver, "tolerance") && !step) || scene_.solver.law != ContactLaw::coulomb)
    return StepperKind::relaxed;
  bool rigid = false, compliant = false, rubs = false;
  auto const look = [&](ContactParameters const& law) {
    rigid |= law.normal == NormalLaw::rigid;
    compliant |= law.compliant();
    // That of compliant friction slips at the rate stiffness/damping, which an explicit method would have to resolve.
    rubs |= law.compliant() && law.frictional() && law.friction != FrictionLaw::smooth;
  };
  for (Contact const& contact : scene_.contacts) look(contact.law);
  for (ContactGroup const& group : scene_.groups) look(group.law);
  for (Joint const& joint : scene_.joints)
    rigid |= joint.friction >= 0 || joint.lower >= 0 || joint.upper >= 0;
  rigid |= !scene_.frictions.empty();
  if (step || (rigid && !compliant)) return StepperKind::nonsmooth;
  return rubs ? StepperKind::nonsmooth_adaptive : StepperKind::relaxed;
}

ElementReader SceneCompiler::reader(SourceElement const& element) const {
  auto const parent = parents_.find(&element);
  return {source_.file, element,
          *find_element(parent == parents_.end() ? "" : parent->second->name, element.name)};
}

SourceElement const* SceneCompiler::child_of(SourceElement const& element, std::string_view name) {
  for (SourceElement const& child : element.children) {
    if (child.name == name) return &child;
  }
  return nullptr;
}

bool SceneCompiler::is_reserved(std::string const& name) const {
  return std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

void SceneCompiler::claim_name(ElementReader const& element, std::string const& name) {
  if (is_reserved(name))
    element.fail("the name " + quoted(name) + " is reserved for a variable of every FMU; choose another");
  if (!names_.insert(name).second) {
    auto const first = lines_.find(name);
    element.fail("two elements have the name " + quoted(name) +
                 (first == lines_.end() ? "" : ", the other on line " + std::to_string(first->second)) +
                 "; names must differ");
  }
  lines_[name] = element.line();
}

std::string SceneCompiler::unique_name(ElementReader const& element) {
  std::string const name = element.name();
  claim_name(element, name);
  return name;
}

int SceneCompiler::add_parameter(Parameter parameter) {
  parameter.first = parameter_count_;
  parameter_count_ += parameter.size();
  scene_.parameters.push_back(std::move(parameter));
  return scene_.parameters.back().first;
}

Parameter& SceneCompiler::parameter_at(int index) {
  return *std::ranges::lower_bound(scene_.parameters, index, {}, &Parameter::first);
}

double SceneCompiler::value_at(int index) const {
  return std::ranges::lower_bound(scene_.parameters, index, {}, &Parameter::first)->values.front();
}

int SceneCompiler::expose(std::string name, ElementReader const& element, std::string_view attribute,
                          Owner owner, int size) {
  return expose_values(std::move(name), element.definition(attribute), owner,
                       element.numbers(attribute, size));
}

int SceneCompiler::expose_values(std::string name, Attribute const& attribute, Owner owner,
                                 std::vector<double> values) {
  bool const vector = values.size() > 1;
  return add_parameter({.name = std::move(name),
                        .description = std::string(attribute.description),
                        .unit = attribute.unit,
                        .range = attribute.range,
                        .tunable = attribute.exposure == Exposure::tunable,
                        .vector = vector,
                        .role = owner.role,
                        .body = owner.body,
                        .values = std::move(values)});
}

int SceneCompiler::expose_calculated(std::string name, Attribute const& attribute, Owner owner,
                                     std::string const& rule, bool tunable, int size) {
  return add_parameter({.name = std::move(name),
                        .description = rule,
                        .unit = attribute.unit,
                        .range = attribute.range,
                        .tunable = tunable,
                        .calculated = true,
                        .vector = size > 1,
                        .role = owner.role,
                        .body = owner.body,
                        .values = std::vector<double>(static_cast<std::size_t>(size), 1.0)});
}

int SceneCompiler::expose_direction(std::string name, ElementReader const& element,
                                    std::string_view attribute, Owner owner, int default_axis) {
  std::vector<double> values(static_cast<std::size_t>(scene_.dimension), 0.0);
  if (element.has(attribute)) {
    values = element.numbers(attribute, scene_.dimension);
    double const size = elementary::hypot(values[0], values[1], values.size() > 2 ? values[2] : 0.0);
    if (!(size >= smallest_direction && size <= largest_direction)) {
      element.fail("attribute " + quoted(attribute) + " has the length " + format_number(size) +
                   " and must be a direction");
    }
  } else {
    values[static_cast<std::size_t>(default_axis)] = 1;
  }
  return expose_values(std::move(name), element.definition(attribute), owner, std::move(values));
}

int SceneCompiler::add_input(std::size_t size) {
  int const first = scene_.input_size;
  scene_.input_size += static_cast<int>(size);
  return first;
}

void SceneCompiler::fail_unknown(ElementReader const& element, std::string_view attribute,
                                 std::vector<std::string_view> const& known) {
  std::string const written = element.text(attribute);
  bool const fixed_ground = written == "world" || written == "floor" || written == "earth";
  bool const copies = std::find(known.begin(), known.end(), written + "_1") != known.end();
  element.fail("attribute " + quoted(attribute) + " refers to " + quoted(written) + ", which does not exist" +
               (copies
                    ? "; the copies of its lattice are called " + written + "_1, " + written +
                          "_2, ..., and <contacts between=\"" + written + "_* ground\"/> is with all of them"
                : fixed_ground ? "; what does not move is called ground"
                               : suggestion(written, known)));
}

// Accepts `body` and `body.point`; inside a body also `point`.
PointReference SceneCompiler::resolve_point(ElementReader const& element, std::string_view attribute,
                                            std::string const& prefix) const {
  std::string const written = element.text(attribute);
  if (written.empty()) element.fail("attribute " + quoted(attribute) + " is empty; name a body or a point");
  if (written == "ground" && prefix.empty()) return {ground_body, -1};
  if (auto const found = body_of_name_.find(written); found != body_of_name_.end())
    return {found->second, -1};
  for (std::string const& name : {written, prefix + written}) {
    if (auto const found = point_of_name_.find(name); found != point_of_name_.end())
      return {scene_.points[static_cast<std::size_t>(found->second)].body, found->second};
  }
  std::vector<std::string_view> known;
  for (Body const& candidate : scene_.bodies) known.push_back(candidate.name);
  for (BodyPoint const& point : scene_.points) known.push_back(point.name);
  fail_unknown(element, attribute, known);
}

int SceneCompiler::resolve_body(ElementReader const& element, std::string_view attribute) const {
  PointReference const reference = resolve_point(element, attribute);
  if (reference.point >= 0)
    element.fail("attribute " + quoted(attribute) + " names the point " + quoted(element.text(attribute)) +
                 "; name a body");
  return reference.body;
}

ContactSide SceneCompiler::resolve_side(ElementReader const& element, std::string_view attribute) const {
  std::string const written = element.text(attribute);
  if (!element.has(attribute)) return {{ground_body, -1}, -1};
  if (written.empty())
    element.fail("attribute " + quoted(attribute) + " is empty; name a body, a shape or a point");
  if (auto const found = shape_of_name_.find(written); found != shape_of_name_.end())
    return {{scene_.shapes[static_cast<std::size_t>(found->second)].body, -1}, found->second};
  if (written != "ground" && !body_of_name_.contains(written) && !point_of_name_.contains(written)) {
    std::vector<std::string_view> known;
    for (Shape const& shape : scene_.shapes) known.push_back(shape.name);
    for (BodyPoint const& point : scene_.points) known.push_back(point.name);
    for (Body const& candidate : scene_.bodies) known.push_back(candidate.name);
    fail_unknown(element, attribute, known);
  }
  PointReference const reference = resolve_point(element, attribute);
  if (reference.point >= 0 || reference.body == ground_body) return {reference, -1};
  Body const& on = body(reference.body);
  if (on.shapes > 1) {
    std::string list;
    for (int shape = on.first_shape; shape < on.first_shape + on.shapes; ++shape)
      list += (list.empty() ? "" : ", ") + scene_.shapes[static_cast<std::size_t>(shape)].name;
    element.fail("body " + quoted(written) + " has several shapes; name the one that is meant: " + list);
  }
  return {reference, on.shapes == 1 ? on.first_shape : -1};
}

ShapeKind SceneCompiler::kind_of(ContactSide const& side) const {
  if (side.shape >= 0) return scene_.shapes[static_cast<std::size_t>(side.shape)].kind;
  return side.point.body == ground_body ? ShapeKind::plane : ShapeKind::point;
}

void SceneCompiler::check_start() const {
  std::vector<double> const parameters = scene_.default_parameters(), inputs = scene_.default_inputs();
  auto const line_of = [&](std::string const& element) {
    auto const line = lines_.find(element);
    return line == lines_.end() ? source_.root.line : line->second;
  };
  if (std::string const problem = problem_with_parameters(scene_, parameters); !problem.empty()) {
    // The first quoted word is the element that it is about.
    auto const begin = problem.find('\''), end = problem.find('\'', begin + 1);
    throw SceneError(source_.file,
                     line_of(end == std::string::npos ? "" : problem.substr(begin + 1, end - begin - 1)),
                     problem);
  }
  if (auto const problem = find_start_problem(scene_, parameters, inputs))
    throw SceneError(source_.file, line_of(problem->element), problem->message);
}

void SceneCompiler::check_pair(ElementReader const& element, std::string const& what, int body_a,
                               int body_b) const {
  if (body_a == body_b) element.fail(what + " has both ends on the same body");
  if (!moves(body_a) && !moves(body_b))
    element.fail(what + " is between bodies that cannot be moved by a force");
}

std::vector<int> SceneCompiler::bodies_matching(ElementReader const& element,
                                                std::string const& pattern) const {
  bool const many = pattern.find('*') != std::string::npos;
  std::vector<int> found;
  if (auto const body = body_of_name_.find(pattern); !many && body != body_of_name_.end())
    found.push_back(body->second);
  for (std::size_t i = 0; many && i < scene_.bodies.size(); ++i) {
    if (matches_pattern(pattern, scene_.bodies[i].name)) found.push_back(static_cast<int>(i));
  }
  if (found.empty()) {
    std::vector<std::string_view> known;
    for (Body const& candidate : scene_.bodies) known.push_back(candidate.name);
    // A copy of a lattice would be one of many that the pattern means.
    element.fail("no body has the name " + quoted(pattern) +
                 (many && !known.empty()
                      ? "; the first body is " + quoted(known.front()) + ", the last " + quoted(known.back())
                      : suggestion(pattern, known)));
  }
  return found;
}

Scene compile_scene(SceneSource const& source) {
  return SceneCompiler(source).compile();
}

}  // namespace delassus
