#include "tests/support/scenes/random_scene.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <ostream>
#include <random>
#include <vector>

#include "model/scene/number.hpp"

namespace delassus {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// What a sequence of random numbers is for.
enum class Stream : std::uint64_t { scene = 1, body, joint, spring, law, frame };

class Draw {
 public:
  Draw(std::uint64_t seed, Stream stream, std::size_t index = 0) {
    std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                        static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(index)};
    engine_.seed(words);
  }
  // Not the distributions of the library: their numbers differ from one library to the next.
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
  }
  double decades(double low, double high) { return std::pow(10, uniform(low, high)); }
  bool chance(double share) { return uniform(0, 1) < share; }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  template <std::size_t count>
  double one_of(std::array<double, count> const& values) {
    return values[below(count)];
  }
  Vector3d in_cube(bool space) {
    Vector3d const x{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    return space ? x : Vector3d{x[0], x[1], 0};
  }
  Matrix3d rotation(bool space) {
    Vector3d const axis = in_cube(true);
    double const angle = uniform(-3, 3);
    return Eigen::AngleAxisd(angle, space ? axis.normalized() : Vector3d::UnitZ()).toRotationMatrix();
  }

 private:
  std::mt19937_64 engine_;
};

// How often a unit is a factor of a quantity.
struct Dimension {
  double metre = 0, kilogram = 0, second = 0;
};
constexpr Dimension number{}, length{1}, mass{0, 1}, time{0, 0, 1}, speed{1, 0, -1}, rate{0, 0, -1},
    acceleration{1, 0, -2}, force{1, 1, -2}, torque{2, 1, -2}, inertia{2, 1, 0}, stiffness{0, 1, -2},
    damping{0, 1, -1}, torsional_damping{2, 1, -1}, slowness{-1, 0, 1};

struct PlacedBody {
  std::string name;
  Vector3d x = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
  double radius = 0;  // of a sphere about its origin that holds it
  double mass = 0;
  bool turns = true;
  bool stands = false;  // a box that lies flat
  double top = 0;
  std::string points;  // elements that joints and springs add
};

class Writer {
 public:
  Writer(SceneRecipe const& recipe, SceneFrame const& frame)
      : recipe_(recipe), frame_(frame), scene_(recipe.seed, Stream::scene) {
    size_ = scene_.decades(-2, 0);
    gravity_ = recipe.floor && recipe.gravity ? 9.81 : 0;
    up_ = recipe.space ? Vector3d::UnitZ() : Vector3d::UnitY();
  }

  std::string write() {
    for (int i = 0; i < recipe_.bodies; ++i) add_body(static_cast<std::size_t>(i));
    if (recipe_.floor) add_floor();
    if (recipe_.joints) {
      for (std::size_t i = 0; i < bodies_.size(); ++i) add_joint(i);
    }
    if (recipe_.springs) {
      for (std::size_t i = 0; i < bodies_.size(); ++i) add_spring(i);
    }
    if (recipe_.contacts) add_contacts();
    std::string text =
        "<scene name=\"random\" dimension=\"" + std::string(recipe_.space ? "3" : "2") + "\">\n";
    if (gravity_ > 0)
      text += "<gravity" + vector("acceleration", frame_.turn * (-gravity_ * up_), acceleration) + "/>\n";
    text += "<experiment" + value("stop", .2, time) + value("step", .01, time) + "/>\n";
    for (std::size_t i = 0; i < bodies_.size(); ++i) text += heads_[i] + bodies_[i].points + "</body>\n";
    if (recipe_.floor) text += floor_ + floor_points_ + "</body>\n";
    return text + rest_ + "</scene>\n";
  }

 private:
  double scaled(double x, Dimension const& of) const {
    // A factor of one leaves the bits as they are.
    return x * std::pow(frame_.metre, of.metre) * std::pow(frame_.kilogram, of.kilogram) *
           std::pow(frame_.second, of.second);
  }
  static std::string text(std::string const& name, std::string const& of) {
    return " " + name + "=\"" + of + "\"";
  }
  std::string value(std::string const& name, double x, Dimension const& of) const {
    return text(name, format_number(scaled(x, of)));
  }
  std::string vector(std::string const& name, Vector3d const& x, Dimension const& of) const {
    std::string all = format_number(scaled(x[0], of)) + " " + format_number(scaled(x[1], of));
    if (recipe_.space) all += " " + format_number(scaled(x[2], of));
    return text(name, all);
  }
  // A rotation as the scene writes it.
  std::string turned(std::string const& in_plane, Matrix3d const& R) const {
    if (!recipe_.space) return text(in_plane, format_number(std::atan2(R(1, 0), R(0, 0))));
    Eigen::AngleAxisd const turn(R);
    return vector("rotation", turn.angle() * turn.axis(), number);
  }

  // A shape about `position` in the body's frame; its half extents along the axes, and how far it reaches.
  struct Made {
    std::string text;
    double reach = 0, height = 0;
    bool box = false;
  };
  Made make_shape(Draw& draw, std::string const& name, Vector3d const& position, Matrix3d const& R) {
    std::size_t const kind = draw.below(3);
    std::string const at = text("name", name) + vector("position", position, length);
    Made made;
    if (kind == 0) {
      double const radius = size_ * draw.uniform(.3, 1);
      made = {"<sphere" + at + value("radius", radius, length) + "/>", radius, radius};
    } else if (kind == 1) {
      double const radius = size_ * draw.uniform(.2, .5), half = size_ * draw.uniform(.2, .8);
      made = {"<capsule" + at + value("radius", radius, length) + value("half_length", half, length) +
                  turned("rotation", R) + "/>",
              radius + half, radius};
    } else {
      Vector3d half{draw.uniform(.2, 1), draw.uniform(.2, 1), draw.uniform(.2, 1)};
      half *= size_;
      if (!recipe_.space) half[2] = 0;
      made = {"<box" + at + vector("half_size", half, length) + turned("rotation", R) + "/>", half.norm(),
              half.dot(up_), true};
    }
    made.reach += position.norm();
    return made;
  }

  void add_body(std::size_t index) {
    Draw draw(recipe_.seed, Stream::body, index);
    PlacedBody body;
    body.name = "b" + std::to_string(index);
    body.mass = recipe_.wide_masses ? draw.decades(-3, 3) : draw.decades(-.5, .5);
    // A ball that cannot turn takes angular momentum away.
    body.turns = !draw.chance(.15) || recipe_.free();
    Matrix3d const turn = draw.rotation(recipe_.space);
    bool const wants_to_lie = draw.chance(.35), wants_to_stand_on = draw.chance(.6);
    std::string shapes;
    bool single = true, box = false;
    double height = 0;
    if (!body.turns) {
      body.radius = height = size_ * draw.uniform(.3, 1);
      shapes = "<sphere" + value("radius", body.radius, length) + "/>";
    } else {
      std::size_t const count = recipe_.compound ? 1 + draw.below(3) : 1;
      single = count == 1;
      for (std::size_t k = 0; k < count; ++k) {
        Vector3d const position = single ? Vector3d::Zero() : Vector3d(size_ * draw.in_cube(recipe_.space));
        Matrix3d const R = single ? Matrix3d::Identity() : draw.rotation(recipe_.space);
        Made const made = make_shape(draw, "s" + std::to_string(k), position, R);
        shapes += made.text;
        body.radius = std::max(body.radius, made.reach);
        height = made.height;
        box = made.box;
      }
      body.R = turn;
    }
    bool const lies = recipe_.floor && single && wants_to_lie;
    PlacedBody const* const below =
        lies && box && wants_to_stand_on && !bodies_.empty() && bodies_.back().stands ? &bodies_.back()
                                                                                      : nullptr;
    if (lies) {
      body.R = Matrix3d::Identity();
      body.stands = box;
    }
    // Towards the middle, so that bodies meet.
    Vector3d const at_random = draw.in_cube(recipe_.space);
    double const approach = draw.uniform(0, 12);
    Vector3d omega = draw.uniform(0, 15) * (recipe_.space ? at_random : Vector3d::UnitZ());
    double width = 1.2 * std::pow(recipe_.bodies, recipe_.space ? 1 / 3. : .5);
    Draw places(recipe_.seed, Stream::body, 1000 + index);
    for (int attempt = 0;; ++attempt) {
      width *= 1.01;
      body.x = width * size_ * places.in_cube(recipe_.space);
      double const above = lies ? height : body.radius + size_ * places.uniform(0, width);
      if (recipe_.floor) body.x += (above - body.x.dot(up_)) * up_;
      // Lowest point of a stack: that of the one below.
      if (below && attempt == 0) {
        body.x = below->x + .3 * size_ * places.in_cube(recipe_.space);
        body.x += (below->top + height - body.x.dot(up_)) * up_;
      }
      body.top = body.x.dot(up_) + height;
      bool apart = true;
      for (PlacedBody const& other : bodies_) {
        if (below && attempt == 0 && &other == below) continue;
        apart &= (other.x - body.x).norm() > 1.001 * (other.radius + body.radius);
      }
      if (apart) break;
    }
    Vector3d velocity = approach * (size_ * draw.in_cube(recipe_.space) - body.x);
    if (lies) {
      velocity -= velocity.dot(up_) * up_;
      omega = Vector3d::Zero();
      if (draw.chance(.5)) velocity = Vector3d::Zero();
    }
    std::string head = "<body" + text("name", body.name) +
                       text("type", !body.turns     ? "point"
                                    : recipe_.space ? "rigid"
                                                    : "planar") +
                       value("mass", body.mass, mass);
    if (body.turns && draw.chance(.3)) {
      double const scale = body.mass * size_ * size_;
      Vector3d const spread =
          scale * Vector3d{draw.uniform(.02, .5), draw.uniform(.02, .5), draw.uniform(.02, .5)};
      Vector3d const moments{spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]};
      head += recipe_.space ? vector("inertia", moments, inertia) : value("inertia", moments[2], inertia);
      head += vector("center_of_mass", .2 * size_ * draw.in_cube(recipe_.space), length);
    }
    head += ">" + shapes + "<initial" + vector("position", frame_.turn * body.x + frame_.shift, length) +
            vector("velocity", frame_.turn * velocity, speed);
    if (body.turns) {
      head += turned("angle", frame_.turn * body.R);
      head += recipe_.space ? vector("angular_velocity", frame_.turn * omega, rate)
                            : value("angular_velocity", omega[2], rate);
    }
    heads_.push_back(head + "/>");
    bodies_.push_back(body);
  }

  void add_floor() {
    floor_ = "<body" + text("name", "floor") + text("type", "fixed") + ">";
    std::size_t const kind = scene_.below(4);
    if (kind == 0) {
      Vector3d half = Vector3d::Constant(20 * size_) - 19 * size_ * up_;
      floor_ += "<box" + text("name", "p0") + vector("half_size", half, length) +
                vector("position", -size_ * up_, length) + "/>";
    } else {
      floor_ += "<plane" + text("name", "p0") + vector("normal", up_, number) + "/>";
    }
    if (kind == 2) {  // a wall beside all bodies
      double reach = 0;
      for (PlacedBody const& body : bodies_) reach = std::max(reach, body.x[0] + body.radius);
      floor_ += "<plane" + text("name", "p1") +
                vector("normal", -Vector3d::UnitX() + scene_.uniform(0, .5) * up_, number) +
                vector("position", (reach + .1 * size_) * Vector3d::UnitX(), length) + "/>";
    }
    floor_ += "<initial" + vector("position", frame_.shift, length) + turned("angle", frame_.turn) + "/>";
  }

  // A point of a body, or of the floor, where `x` is.
  std::string add_point(PlacedBody* body, std::string const& name, Vector3d const& x) {
    if (body && !body->turns) return body->name;  // a point mass has no other point
    std::string const element =
        "<point" + text("name", name) +
        vector("position", body ? Vector3d(body->R.transpose() * (x - body->x)) : x, length) + "/>";
    (body ? body->points : floor_points_) += element;
    return (body ? body->name : "floor") + "." + name;
  }
  // Another body, or the floor.
  PlacedBody* other_than(Draw& draw, std::size_t index, double of_floor, bool& found) {
    bool const to_floor = recipe_.floor && draw.chance(of_floor);
    std::size_t const other = index > 0 ? draw.below(index) : 0;
    found = to_floor || index > 0;
    return to_floor || index == 0 ? nullptr : &bodies_[other];
  }

  void add_joint(std::size_t index) {
    Draw draw(recipe_.seed, Stream::joint, index);
    if (!draw.chance(.6)) return;
    bool found = false;
    PlacedBody* const b = other_than(draw, index, .3, found);
    PlacedBody& a = bodies_[index];
    if (!found || (!recipe_.floor && !b)) return;
    constexpr std::array<char const*, 7> types{"revolute",  "prismatic",   "fixed",        "distance",
                                               "spherical", "cylindrical", "point_on_line"};
    std::size_t kind = draw.below(types.size());
    if (!recipe_.space && (kind == 4 || kind == 5)) kind = 0;
    if (!a.turns || (b && !b->turns)) kind = 3;
    bool const rigid = types[kind] == std::string("distance");
    std::string const name = "j" + std::to_string(index);
    Vector3d const x =
        b && !rigid ? Vector3d((a.x + b->x) / 2) : Vector3d(a.x + .3 * size_ * draw.in_cube(recipe_.space));
    rest_ += "<joint" + text("name", name) + text("type", types[kind]) + text("a", add_point(&a, name, x));
    if (rigid) {
      Vector3d const end = (b ? b->x : a.x + 1.5 * size_ * up_) + .2 * size_ * draw.in_cube(recipe_.space);
      rest_ += text("b", add_point(b, name, end));
    } else {
      rest_ += text("b", b ? b->name : "floor");
    }
    bool const turning = kind == 0, sliding = kind == 1 || kind == 5;
    Vector3d const axis = draw.in_cube(recipe_.space).normalized();
    if ((turning && recipe_.space) || sliding || kind == 6)
      rest_ += vector("axis", b ? Vector3d(b->R.transpose() * axis) : axis, number);
    double const lower = -draw.uniform(.02, .5), upper = draw.uniform(.02, .5), rub = draw.uniform(0, 5);
    bool const limited = draw.chance(.5), rubbed = draw.chance(.5);
    Dimension const coordinate = turning ? number : length;
    double const scale = turning ? 1 : size_;
    if ((turning || sliding) && recipe_.limits && limited)
      rest_ += value("lower", scale * lower, coordinate) + value("upper", scale * upper, coordinate);
    if ((turning || sliding) && recipe_.dissipation && rubbed) {
      double const most = a.mass * rub * (turning ? size_ : 1);
      rest_ += value("friction", most, turning ? torque : force);
    }
    rest_ += text("zeta", "1") + value("delta", .01, time) + "/>\n";
  }

  void add_spring(std::size_t index) {
    Draw draw(recipe_.seed, Stream::spring, index);
    if (!draw.chance(.6)) return;
    bool found = false;
    PlacedBody* const b = other_than(draw, index, .4, found);
    PlacedBody& a = bodies_[index];
    if (!found || (!recipe_.floor && !b)) return;
    double const lightest = b ? std::min(a.mass, b->mass) : a.mass;
    double const frequency = draw.decades(.5, 3), share = draw.uniform(0, 1);
    std::string const name = "k" + std::to_string(index);
    bool const torsional = draw.chance(.3) && a.turns && (!b || b->turns);
    double const k = lightest * frequency * frequency * (torsional ? size_ * size_ : 1);
    double const c = recipe_.dissipation ? share * k / frequency : 0;
    if (torsional) {
      rest_ += "<torsion_spring" + text("name", name) + text("a", a.name) + text("b", b ? b->name : "floor") +
               value("stiffness", k, torque) + value("damping", c, torsional_damping) +
               value("angle", draw.uniform(-1, 1) * std::min(.5, 10 / frequency), number);
      if (recipe_.space) rest_ += vector("axis", draw.in_cube(true).normalized(), number);
      rest_ += "/>\n";
      return;
    }
    // So that a stiff spring throws the lighter body with some ten sizes a second.
    double const stretch = draw.uniform(-1, 1) * std::min(.3, 10 / frequency) * size_;
    Vector3d const from = a.x + .3 * size_ * draw.in_cube(recipe_.space);
    Vector3d const to = (b ? b->x : a.x + 2 * size_ * up_) + .3 * size_ * draw.in_cube(recipe_.space);
    rest_ += "<spring" + text("name", name) + text("a", add_point(&a, name, from)) +
             text("b", add_point(b, name, to)) + value("stiffness", k, stiffness) +
             value("damping", c, damping) +
             value("length", std::max((to - from).norm() - stretch, 0.0), length) + "/>\n";
  }

  std::string make_law(Draw& draw) {
    std::string law;
    std::size_t const kind = recipe_.compliant ? draw.below(6) : draw.below(6) % 4;
    bool const compliant = kind >= 4;
    double const delta = draw.decades(-4, -2), zeta = draw.one_of(std::array{0., .2, 1., 2.}),
                 e = draw.one_of(std::array{0., .3, .5, .8, 1.}), frequency = draw.decades(2, 3.5),
                 share = draw.uniform(0, 1);
    double typical = 0;
    for (PlacedBody const& body : bodies_) typical += std::log(body.mass);
    typical = std::exp(typical / static_cast<double>(bodies_.size()));
    double const k = typical * frequency * frequency;
    switch (kind) {
      case 0:
        law = text("zeta", "1") + value("delta", 1e-3, time);
        break;
      case 1:
        law = value("zeta", zeta, number) + value("delta", delta, time);
        break;
      case 2:
      case 3:
        law = value("restitution", e, number) + value("delta", delta, time);
        break;
      case 4:
        law = text("law", "kelvin_voigt") + value("stiffness", k, stiffness) +
              value("damping", share * k / frequency, damping);
        break;
      default:
        law = text("law", "hunt_crossley") +
              value("stiffness", k / std::sqrt(size_),
                    {stiffness.metre - .5, stiffness.kilogram, stiffness.second}) +
              value("damping", share, slowness) + text("exponent", "1.5");
    }
    std::size_t const friction = draw.below(5);
    double const mu = draw.uniform(0, 2);
    if (friction == 0) return law;
    law += value("mu", friction == 1 ? draw.one_of(std::array{0., .5, 1., 2.}) : mu, number);
    if (compliant) law += value("delta", 1e-3, time);
    if (friction == 2 && recipe_.smooth_friction)
      law += text("friction", "smooth") + value("gamma", size_ * draw.uniform(.01, .5), speed);
    if (friction == 3 && draw.chance(.5))
      law += value("mu_static", mu + .3, number) + value("stribeck_velocity", size_ * .1, speed);
    if (friction == 4 && draw.chance(.3)) law += value("weakening", draw.uniform(0, .5) / size_, slowness);
    return law;
  }

  void add_contacts() {
    if (!recipe_.law_of_each) {
      Draw draw(recipe_.seed, Stream::law);
      std::string const law = make_law(draw);
      std::string all = recipe_.floor ? "floor" : "";
      for (PlacedBody const& body : bodies_) all += (all.empty() ? "" : " ") + body.name;
      rest_ += "<contacts" + text("name", "touch") + text("between", all) + law + "/>\n";
      return;
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        if (j == i && !recipe_.floor) continue;
        Draw draw(recipe_.seed, Stream::law, 1 + 100 * i + j);
        rest_ += "<contacts" + text("name", "touch_" + std::to_string(i) + "_" + std::to_string(j)) +
                 text("between", bodies_[i].name + " " + (j == i ? "floor" : bodies_[j].name)) +
                 make_law(draw) + "/>\n";
      }
    }
    // A point that sticks out of a body.
    for (std::size_t i = 0; recipe_.floor && i < bodies_.size(); ++i) {
      Draw draw(recipe_.seed, Stream::law, 100000 + i);
      if (!bodies_[i].turns || bodies_[i].stands || draw.chance(.7)) continue;
      std::string const point = add_point(&bodies_[i], "tip", bodies_[i].x + 1.1 * bodies_[i].radius * up_);
      rest_ += "<contact" + text("name", "tip_" + std::to_string(i)) + text("point", point) +
               text("with", "floor.p0") + make_law(draw) + "/>\n";
    }
  }

  SceneRecipe const& recipe_;
  SceneFrame const& frame_;
  Draw scene_;
  double size_ = 1, gravity_ = 0;
  Vector3d up_;
  std::vector<PlacedBody> bodies_;
  std::vector<std::string> heads_;
  std::string floor_, floor_points_, rest_;
};

}  // namespace

std::ostream& operator<<(std::ostream& stream, SceneRecipe const& recipe) {
  auto const has = [&](char const* name, bool value) {
    if (value) stream << ", ." << name << " = true";
  };
  stream << "{.seed = " << recipe.seed << "U, .bodies = " << recipe.bodies;
  has("space", recipe.space);
  has("floor", recipe.floor);
  has("gravity", recipe.gravity);
  has("contacts", recipe.contacts);
  has("joints", recipe.joints);
  has("springs", recipe.springs);
  has("compound", recipe.compound);
  has("wide_masses", recipe.wide_masses);
  has("law_of_each", recipe.law_of_each);
  has("compliant", recipe.compliant);
  has("smooth_friction", recipe.smooth_friction);
  has("dissipation", recipe.dissipation);
  has("limits", recipe.limits);
  return stream << "}";
}

SceneFrame random_frame(SceneRecipe const& recipe) {
  Draw draw(recipe.seed, Stream::frame);
  SceneFrame frame;
  frame.turn = draw.rotation(recipe.space);
  frame.shift = draw.in_cube(recipe.space);
  return frame;
}

std::string random_scene(SceneRecipe const& recipe, SceneFrame const& frame) {
  return Writer(recipe, frame).write();
}

}  // namespace delassus
