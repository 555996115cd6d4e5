#include "model/language/scene_notes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "model/equations/joint_rows.hpp"
#include "model/geometry/broad_phase.hpp"
#include "model/language/element_reader.hpp"
#include "model/language/quantity_notes.hpp"
#include "model/scene/number.hpp"
#include "model/scene/placed_shape.hpp"

namespace delassus {
namespace {

std::string const* written_value(SourceElement const& element, std::string_view name) {
  for (SourceAttribute const& attribute : element.attributes) {
    if (attribute.name == name) return &attribute.value;
  }
  return nullptr;
}

class NoteTaker {
 public:
  NoteTaker(SceneSource const& source, Scene const& scene) : source_(source), scene_(scene) {
    for (SourceElement const& child : source.root.children) {
      if (std::string const* const own = written_value(child, "name"))
        elements_.try_emplace({child.name, *own}, &child);
    }
    for (Joint const& joint : scene.joints) {
      if (!has_free_angle(joint.type)) sliding_joints_.insert(joint.name);
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      body_of_name_.try_emplace(scene.bodies[i].name, static_cast<int>(i));
  }

  std::vector<std::string> take() {
    note_angles(source_.root, "");
    note_rods();
    note_falling_bodies();
    note_falling_pairs();
    note_strangers();
    note_static_friction(source_.root);
    note_quantities(source_, scene_, [&](int line, std::string const& text) { note(line, text); });
    note_solver();
    note_missing_gravity();
    note_gravity_upwards();
    return std::move(notes_);
  }

 private:
  void note(int line, std::string const& text) {
    notes_.push_back(source_.file + ":" + std::to_string(line) + ": " + text);
  }

  SourceElement const* find(std::string_view element, std::string_view name) const {
    auto const found = elements_.find({std::string(element), std::string(name)});
    return found == elements_.end() ? nullptr : found->second;
  }

  // The limits of a sliding joint are lengths, which have the unit of the attribute only on paper.
  bool is_length(SourceElement const& element, std::string_view attribute) const {
    if (element.name != "joint" || (attribute != "lower" && attribute != "upper")) return false;
    std::string const* const name = written_value(element, "name");
    return name && sliding_joints_.contains(*name);
  }

  void note_angles(SourceElement const& element, std::string_view parent) {
    Element const* const definition = find_element(parent, element.name);
    for (SourceAttribute const& attribute : element.attributes) {
      Attribute const* const known = definition ? find_attribute(*definition, attribute.name) : nullptr;
      if (!known || known->unit != UnitId::radian || is_length(element, attribute.name)) continue;
      if (std::string const doubt = doubt_about_angle(attribute.value); !doubt.empty())
        note(element.line, "attribute " + quoted(attribute.name) + " of <" + element.name + ">: " + doubt);
    }
    for (SourceElement const& child : element.children) note_angles(child, element.name);
  }

  // A rod does not collide; its name in a contact is that of its middle.
  void note_rods() {
    for (Contact const& contact : scene_.contacts) {
      for (ContactSide const& side : {contact.a, contact.b}) {
        if (side.shape >= 0 || side.point.point >= 0 || side.point.body == ground_body) continue;
        Body const& body = scene_.bodies[static_cast<std::size_t>(side.point.body)];
        SourceElement const* const element = find("contact", contact.name);
        if (body.half_length < 0 || !element) continue;
        note(element->line, "contact " + quoted(contact.name) + " is with the middle of the rod " +
                                quoted(body.name) +
                                " only; name a <point> of it, or give it a <capsule>, which touches with its "
                                "whole length");
      }
    }
  }

  std::vector<double> gravity() const {
    if (scene_.gravity < 0) return {};
    auto const values = scene_.default_parameters();
    auto const first = values.begin() + scene_.gravity;
    return {first, first + scene_.dimension};
  }

  // Bodies that something holds or touches.
  std::set<int> reached_bodies() const {
    std::set<int> reached;
    for (Contact const& each : scene_.contacts) reached.insert({each.a.point.body, each.b.point.body});
    for (ContactGroup const& each : scene_.groups) {
      for (int const shape : each.shapes) reached.insert(scene_.shapes[static_cast<std::size_t>(shape)].body);
    }
    for (Joint const& each : scene_.joints) reached.insert({each.a.body, each.b.body});
    for (Spring const& each : scene_.springs) reached.insert({each.a.body, each.b.body});
    for (Rolling const& each : scene_.rollings) reached.insert({each.a.point.body, each.b.point.body});
    for (KnifeEdge const& each : scene_.knife_edges) reached.insert(each.point.body);
    for (Friction const& each : scene_.frictions) reached.insert(each.point.body);
    return reached;
  }

  // Of an element, its body; of one with a lattice the copies, which are called body_1, body_2, ...
  std::vector<int> bodies_of(SourceElement const& element, std::string const& name) const {
    std::vector<int> bodies;
    bool const lattice = std::any_of(element.children.begin(), element.children.end(),
                                     [](SourceElement const& child) { return child.name == "lattice"; });
    for (int number = 1;; ++number) {
      auto const found = body_of_name_.find(lattice ? name + "_" + std::to_string(number) : name);
      if (found != body_of_name_.end()) bodies.push_back(found->second);
      if (!lattice || found == body_of_name_.end()) return bodies;
    }
  }

  void note_falling_bodies() {
    std::vector<double> const g = gravity();
    if (std::all_of(g.begin(), g.end(), [](double component) { return component == 0; })) return;
    std::set<int> const reached = reached_bodies();
    for (SourceElement const& element : source_.root.children) {
      std::string const* const name = written_value(element, "name");
      if (element.name != "body" || !name) continue;
      Body const* falls = nullptr;
      for (int const index : bodies_of(element, *name)) {
        Body const& body = scene_.bodies[static_cast<std::size_t>(index)];
        bool const weighs = body.type != BodyType::slider || g[static_cast<std::size_t>(body.axis)] != 0;
        if (!falls && body.moves_freely() && body.shapes > 0 && weighs && !reached.contains(index))
          falls = &body;
      }
      if (!falls) continue;
      std::string const shape =
          falls->shapes == 1 ? falls->name : scene_.shapes[static_cast<std::size_t>(falls->first_shape)].name;
      note(element.line, "body " + quoted(falls->name) +
                             " has weight and a shape, but no <contact> or <contacts> names it: it falls "
                             "through everything, the ground included; write <contact name=\"" +
                             falls->name + "_ground\" point=\"" + shape +
                             "\"/>, or <contacts name=\"all\"/> for all shapes and the ground");
    }
  }

  // Bodies that touch each other, but nothing that holds them against gravity.
  void note_falling_pairs() {
    std::vector<double> const g = gravity();
    if (g.empty() || !(g[static_cast<std::size_t>(scene_.normal_axis())] < 0)) return;
    // Each body, and after them the ground with all that does not fall, belongs to a cluster.
    std::size_t const held = scene_.bodies.size();
    std::vector<std::size_t> parent(held + 1);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    auto const cluster = [&](std::size_t i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    auto const index_of = [&](int body) {
      return body == ground_body ? held : static_cast<std::size_t>(body);
    };
    auto const join = [&](int a, int b) { parent[cluster(index_of(a))] = cluster(index_of(b)); };
    for (std::size_t i = 0; i < held; ++i) {
      Body const& body = scene_.bodies[i];
      bool const weighs = body.type != BodyType::slider || g[static_cast<std::size_t>(body.axis)] != 0;
      if (!body.moves_freely() || !weighs) join(static_cast<int>(i), ground_body);
    }
    for (Contact const& each : scene_.contacts) join(each.a.point.body, each.b.point.body);
    for (ContactGroup const& each : scene_.groups) {
      int const first = scene_.shapes[static_cast<std::size_t>(each.shapes.front())].body;
      for (int const shape : each.shapes) join(scene_.shapes[static_cast<std::size_t>(shape)].body, first);
      if (each.with_ground) join(first, ground_body);
    }
    for (Joint const& each : scene_.joints) join(each.a.body, each.b.body);
    for (Spring const& each : scene_.springs) join(each.a.body, each.b.body);
    // What carries a force input may be meant to hover.
    for (ForceInput const& each : scene_.forces) join(each.point.body, ground_body);
    auto const falls = [&](ContactSide const& side) {
      return cluster(index_of(side.point.body)) != cluster(held);
    };
    auto const tell = [&](std::string_view element, std::string const& name, std::string const& remedy) {
      SourceElement const* const source = find(element, name);
      if (!source) return;
      note(source->line,
           "nothing holds the bodies of " + quoted(name) +
               " against gravity: they fall through the ground, which counts only where a <contact> or "
               "'between' names it; " +
               remedy);
    };
    for (Contact const& each : scene_.contacts) {
      if (falls(each.a))
        return tell("contact", each.name, "add <contacts name=\"all\"/>, which has the ground");
    }
    for (ContactGroup const& each : scene_.groups) {
      Shape const& first = scene_.shapes[static_cast<std::size_t>(each.shapes.front())];
      if (falls({{first.body, -1}, -1})) return tell("contacts", each.name, "write between=\"... ground\"");
    }
    for (Rolling const& each : scene_.rollings) {
      bool const alone = cluster(index_of(each.b.point.body)) != cluster(held) ||
                         cluster(index_of(each.a.point.body)) != cluster(held);
      if (alone) return tell("rolling", each.name, "a <rolling> prevents slip only: add a <contact>");
    }
  }

  // Each body by the first of its mechanism: bodies that joints connect, which overlap there.
  std::vector<std::size_t> mechanisms() const {
    std::vector<std::size_t> mechanism(scene_.bodies.size());
    std::iota(mechanism.begin(), mechanism.end(), std::size_t{0});
    auto const first = [&](int body) {
      auto i = static_cast<std::size_t>(body);
      while (mechanism[i] != i) i = mechanism[i] = mechanism[mechanism[i]];
      return i;
    };
    for (Joint const& joint : scene_.joints) {
      if (joint.a.body != ground_body && joint.b.body != ground_body)
        mechanism[first(joint.a.body)] = first(joint.b.body);
    }
    for (std::size_t i = 0; i < mechanism.size(); ++i) mechanism[i] = first(static_cast<int>(i));
    return mechanism;
  }

  // Pairs of bodies with a contact of their own.
  std::set<std::pair<int, int>> declared_pairs() const {
    std::set<std::pair<int, int>> pairs;
    for (Contact const& each : scene_.contacts)
      pairs.insert(std::minmax(each.a.point.body, each.b.point.body));
    return pairs;
  }

  // Whether a contact is between these shapes, or between their bodies.
  bool know_each_other(int shape_a, int shape_b, std::set<std::pair<int, int>> const& declared) const {
    int const a = scene_.shapes[static_cast<std::size_t>(shape_a)].body,
              b = scene_.shapes[static_cast<std::size_t>(shape_b)].body;
    return declared.contains(std::minmax(a, b)) ||
           std::ranges::any_of(scene_.groups, [&](ContactGroup const& group) {
             return group.holds(shape_a) && group.holds(shape_b);
           });
  }

  // Pairs of bodies that touch at the start, of which one has contacts, but none with the other.
  std::set<std::pair<int, int>> strangers() const {
    constexpr double touching = 1e-6;
    std::set<int> touched;
    for (Contact const& each : scene_.contacts) touched.insert({each.a.point.body, each.b.point.body});
    for (ContactGroup const& each : scene_.groups)
      for (int const shape : each.shapes) touched.insert(scene_.shapes[static_cast<std::size_t>(shape)].body);
    std::vector<double> const parameters = scene_.default_parameters(), inputs = scene_.default_inputs();
    std::vector<PlacedShape> placed;
    std::vector<Bounds> bounds;
    auto const size_of = [](PlacedShape const& shape) {
      return shape.geometry.half.norm() + shape.geometry.radius;
    };
    for (std::size_t i = 0; i < scene_.shapes.size(); ++i) {
      int const body = scene_.shapes[i].body;
      placed.push_back(place<double>(scene_, {{body, -1}, static_cast<int>(i)}, -1,
                                     initial_pose<double>(scene_, body, parameters, inputs), parameters));
      bounds.push_back(
          bounds_of(placed.back().geometry, placed.back().pose, touching * size_of(placed.back())));
    }
    std::vector<std::size_t> const mechanism = mechanisms();
    auto const may_move = [&](int body) {
      return scene_.bodies[static_cast<std::size_t>(body)].moves_freely();
    };
    std::set<std::pair<int, int>> found;
    std::set<std::pair<int, int>> const declared = declared_pairs();
    BroadPhase broad_phase;
    for (std::pair<int, int> const& near : broad_phase.find_pairs(bounds)) {
      int const a = scene_.shapes[static_cast<std::size_t>(near.first)].body,
                b = scene_.shapes[static_cast<std::size_t>(near.second)].body;
      if ((!may_move(a) && !may_move(b)) || (!touched.contains(a) && !touched.contains(b)) ||
          mechanism[static_cast<std::size_t>(a)] == mechanism[static_cast<std::size_t>(b)] ||
          know_each_other(near.first, near.second, declared))
        continue;
      PlacedShape const &one = placed[static_cast<std::size_t>(near.first)],
                        &other = placed[static_cast<std::size_t>(near.second)];
      double const gap = smallest_gap(one.geometry, one.pose, other.geometry, other.pose, scene_.dimension);
      if (gap <= touching * std::min(size_of(one), size_of(other))) found.insert(std::minmax(a, b));
    }
    return found;
  }

  // A table that was forgotten in a list.
  void note_strangers() {
    std::set<std::pair<int, int>> const pairs = strangers();
    if (pairs.empty()) return;
    std::string const &a = scene_.bodies[static_cast<std::size_t>(pairs.begin()->first)].name,
                      &b = scene_.bodies[static_cast<std::size_t>(pairs.begin()->second)].name;
    SourceElement const* const element = find("body", a);
    note(element ? element->line : source_.root.line,
         quoted(a) + " and " + quoted(b) + " touch at the start, but no contact is between them" +
             (pairs.size() > 1 ? ", nor in " + std::to_string(pairs.size() - 1) + " more such pairs" : "") +
             ": they go through each other; write <contacts name=\"" + a + "_" + b + "\" between=\"" + a +
             " " + b + "\"/>");
  }

  // The largest friction at rest is that of mu_static, and friction that grows with the slip creeps.
  void note_static_friction(SourceElement const& element) {
    for (auto const& [moving, still] : {std::pair{"mu", "mu_static"}, std::pair{"bound", "bound_static"}}) {
      std::string const *const kinetic = written_value(element, moving), *const static_ =
                                                                             written_value(element, still);
      if (!kinetic || !static_) continue;
      auto const value = parse_number(*kinetic), at_rest = parse_number(*static_);
      if (value && at_rest && *at_rest < *value)
        note(element.line,
             std::string(still) + "=\"" + *static_ + "\" is less than " + moving + "=\"" + *kinetic +
                 "\": friction that grows with the speed of the slip lets things creep; the larger "
                 "value is mostly that at rest");
    }
    for (SourceElement const& child : element.children) note_static_friction(child);
  }

  void note_solver() {
    for (SourceElement const& child : source_.root.children) {
      if (child.name != "solver") continue;
      StepperKind const stepper = scene_.solver.stepper;
      auto const unused = [&](std::string_view attribute, std::string_view with) {
        if (!written_value(child, attribute)) return;
        note(child.line, "attribute " + quoted(std::string(attribute)) +
                             " of <solver> counts for the stepper " + std::string(with) +
                             ", and the stepper of this scene is " +
                             std::string(stepper_enumeration().name_of(static_cast<int>(stepper))));
      };
      if (stepper == StepperKind::relaxed) unused("step", "nonsmooth, nonsmooth_adaptive and implicit");
      if (stepper == StepperKind::nonsmooth || stepper == StepperKind::implicit)
        unused("tolerance", "relaxed and nonsmooth_adaptive");
    }
  }

  // A scene in space has no gravity; one in which nothing can ever move was meant otherwise.
  void note_missing_gravity() {
    if (scene_.gravity >= 0 || (scene_.contacts.empty() && scene_.groups.empty()) || !scene_.forces.empty() ||
        !scene_.torques.empty() || !scene_.motions.empty() || !scene_.springs.empty())
      return;
    for (Joint const& joint : scene_.joints) {
      if (joint.drive >= 0) return;
    }
    for (Parameter const& parameter : scene_.parameters) {
      bool const speed =
          parameter.role == ParameterRole::initial_velocity || parameter.role == ParameterRole::motion;
      if (speed && std::any_of(parameter.values.begin(), parameter.values.end(),
                               [](double value) { return value != 0; }))
        return;
    }
    note(source_.root.line,
         std::string("the scene has contacts, but no <gravity>, and nothing else that moves a body: all stay "
                     "where they are; write <gravity acceleration=\"") +
             (scene_.dimension == 2 ? "0 -9.81" : "0 0 -9.81") +
             "\"/>, or an initial velocity. <gravity acceleration=\"" +
             (scene_.dimension == 2 ? "0 0" : "0 0 0") + "\"/> says that none is meant");
  }

  // The ground is below in y, in space in z; other programs have it below in y.
  void note_gravity_upwards() {
    std::vector<double> const g = gravity();
    if (g.empty() || g[static_cast<std::size_t>(scene_.normal_axis())] < 0) return;
    if (std::all_of(g.begin(), g.end(), [](double component) { return component == 0; })) return;
    auto const on_ground = [](Contact const& each) {
      return each.a.point.body == ground_body || each.b.point.body == ground_body;
    };
    bool const ground = std::any_of(scene_.contacts.begin(), scene_.contacts.end(), on_ground) ||
                        std::any_of(scene_.groups.begin(), scene_.groups.end(),
                                    [](ContactGroup const& each) { return each.with_ground; });
    if (!ground) return;
    for (SourceElement const& child : source_.root.children) {
      if (child.name == "gravity")
        note(child.line, std::string("gravity does not press anything to the ground, whose normal is ") +
                             (scene_.dimension == 2 ? "y: down is \"0 -9.81\"" : "z: down is \"0 0 -9.81\""));
    }
  }

  SceneSource const& source_;
  Scene const& scene_;
  std::vector<std::string> notes_;
  std::map<std::pair<std::string, std::string>, SourceElement const*> elements_;  // by element and name
  std::set<std::string> sliding_joints_;
  std::unordered_map<std::string, int> body_of_name_;
};

}  // namespace

std::string doubt_about_angle(std::string_view written) {
  constexpr double full_turn = 2 * std::numbers::pi;
  std::string text(written);
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  double sum = 0;
  int count = 0;
  std::string plain, degrees;
  for (std::string word; words >> word; ++count) {
    auto const value = parse_number(word);
    if (!value) return "";  // in degrees, or not a number
    sum += *value * *value;
    plain += (plain.empty() ? "" : " ") + word;
    degrees += (degrees.empty() ? "" : " ") + word + (*value == 0 ? "" : "deg");
  }
  double const angle = std::sqrt(sum);
  if (angle <= full_turn * (1 + 1e-9)) return "";
  char rounded[32];
  std::snprintf(rounded, sizeof rounded, "%.5g", angle * 180 / std::numbers::pi);
  return "it is in radians, and " + plain + " rad " + (count == 1 ? "are " : "are a turn by ") + rounded +
         " degrees; if degrees are meant, write " + (count == 1 ? degrees : "\"" + degrees + "\"");
}

std::vector<std::string> scene_notes(SceneSource const& source, Scene const& scene) {
  return NoteTaker(source, scene).take();
}

}  // namespace delassus
