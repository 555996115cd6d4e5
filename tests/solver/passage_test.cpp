// Nothing passes through anything, in every stepper. Whether something has passed is judged by the places of bodies,
// in the frame of what they are shot at, and never by the gaps that the program computes.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/time/stepper.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;

template <class... Parts>
std::string text(Parts const&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

constexpr StepperKind kinds[] = {StepperKind::relaxed, StepperKind::nonsmooth, StepperKind::implicit};
char const* name_of(StepperKind kind) {
  return kind == StepperKind::relaxed ? "relaxed" : kind == StepperKind::nonsmooth ? "nonsmooth" : "implicit";
}

enum class Projectile { point, sphere, capsule, box };
// What it is shot at; each is so large across that nothing can go round it in the time of a shot.
enum class Target { plate, free_plate, prescribed_plate, bar, free_bar, plane };

struct Kind {
  int dimension = 3;
  Projectile projectile = Projectile::sphere;
  Target target = Target::plate;
  bool bounces = false, grouped = false;
  auto operator<=>(Kind const&) const = default;
};

std::string description_of(Kind const& kind) {
  constexpr char const* projectiles[] = {"point", "sphere", "capsule", "box"};
  constexpr char const* targets[] = {"plate", "free plate", "prescribed plate", "bar", "free bar", "plane"};
  return text(kind.dimension, "D, ", projectiles[static_cast<int>(kind.projectile)], " at ",
              targets[static_cast<int>(kind.target)], kind.bounces ? ", restitution" : "",
              kind.grouped ? ", group" : ", pair");
}

// Compiled once for all shots of its kind, which set its parameters.
struct Range {
  explicit Range(Kind const& of) : kind(of), scene(compile_scene(read_scene_source(source_of(of), "shots"))) {
    system = std::make_unique<SceneSystem>(scene);
  }
  Kind kind;
  Scene scene;
  std::unique_ptr<SceneSystem> system;

  static std::string source_of(Kind const& kind) {
    bool const plane = kind.dimension == 2;
    std::string const size = plane ? "0.1 1" : "0.1 1 1";
    std::string const body = plane ? "planar" : "rigid";
    std::string target;
    switch (kind.target) {
      case Target::plate:
        target = text("<body name='target' type='fixed'><box name='s' half_size='", size, "'/></body>");
        break;
      case Target::free_plate:
        target = text("<body name='target' type='", body, "' density='1000'><box name='s' half_size='", size,
                      "'/></body>");
        break;
      case Target::prescribed_plate:
        target = text("<body name='target' type='prescribed'><box name='s' half_size='", size,
                      "'/><motion velocity='", plane ? "0 0" : "0 0 0", "'/></body>");
        break;
      case Target::bar:
      case Target::free_bar:
        target = text("<body name='target' ",
                      kind.target == Target::bar ? "type='fixed'" : text("type='", body, "' density='1000'"),
                      "><capsule name='s' radius='0.1' half_length='1' rotation='",
                      plane ? "1.5707963267948966" : "0 0 1.5707963267948966", "'/></body>");
        break;
      case Target::plane:
        target = text("<body name='target' type='fixed'><plane name='s' normal='", plane ? "-1 0" : "-1 0 0",
                      "'/></body>");
        break;
    }
    constexpr char const* shapes[] = {"", "<sphere name='s' radius='0.1'/>", "", ""};
    std::string shape = shapes[static_cast<int>(kind.projectile)];
    // Before a bar in space it is a bar itself, across the other.
    std::string const across = !plane && (kind.target == Target::bar || kind.target == Target::free_bar)
                                   ? " rotation='0 1.5707963267948966 0'"
                                   : "";
    if (kind.projectile == Projectile::capsule)
      shape = text("<capsule name='s' radius='0.1' half_length='0.2'", across, "/>");
    if (kind.projectile == Projectile::box)
      shape = text("<box name='s' half_size='", plane ? "0.1 0.1" : "0.1 0.1 0.1", "'", across, "/>");
    bool const point = kind.projectile == Projectile::point;
    std::string const start = plane ? "<initial position='-50 0'/>" : "<initial position='-50 0 0'/>";
    std::string const law = text("mu='0.3'", kind.bounces ? " restitution='0.5'" : " zeta='1' delta='1e-3'");
    return text(
        "<scene name='shots' dimension='", kind.dimension, "'>", target, "<body name='projectile' ",
        point ? "type='point' mass='1'>" : text("type='", body, "' density='1000'>"), shape, start, "</body>",
        kind.grouped && !point ? text("<contacts name='c' between='projectile target' ", law, "/>")
                               : text("<contact name='c' point='projectile' with='target.s' ", law, "/>"),
        "</scene>");
  }
};

struct Shot {
  std::vector<double> parameter, q, v;
  double time = 0;  // s, of a communication step
  int steps = 5;
  StepperSettings settings;
  double speed = 0, spin = 0, half_thickness = 0, size = 0;
};

// The places of a body by its coordinates: in the plane x, y, angle; in space x, y, z and a quaternion.
struct Place {
  Vector3d position = Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};
Place place_of(Scene const& scene, std::size_t body, std::span<const double> q) {
  Place place;
  Body const& of = scene.bodies[body];
  auto const first = static_cast<std::size_t>(of.first_coordinate);
  if (of.coordinates == 0) return place;
  for (int k = 0; k < scene.dimension; ++k) place.position[k] = q[first + static_cast<std::size_t>(k)];
  if (of.coordinates == 7) {
    place.R = Eigen::Quaterniond(q[first + 3], q[first + 4], q[first + 5], q[first + 6])
                  .normalized()
                  .toRotationMatrix();
  } else if (scene.dimension == 2 && of.coordinates == 3) {
    place.R = Eigen::AngleAxisd(q[first + 2], Vector3d::UnitZ()).toRotationMatrix();
  }
  return place;
}

class Shooter {
 public:
  explicit Shooter(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double decades(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  Vector3d direction() {
    Vector3d d;
    do d = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    while (d.norm() > 1 || d.norm() < 0.1);
    return d.normalized();
  }

  Kind kind() {
    Kind kind;
    kind.dimension = 2 + pick(2);
    kind.projectile = static_cast<Projectile>(pick(4));
    kind.target = static_cast<Target>(pick(6));
    bool const bar = kind.target == Target::bar || kind.target == Target::free_bar;
    if (bar && kind.dimension == 3 && pick(3) != 0)
      kind.projectile = pick(2) == 0 ? Projectile::capsule : Projectile::box;
    kind.bounces = pick(2) == 0;
    kind.grouped = pick(2) == 0;
    return kind;
  }

  // The projectile flies along +x, slanted, at the target, which is at the origin with its front at x < 0.
  Shot shot(Range const& range, StepperKind stepper) {
    Scene const& scene = range.scene;
    Kind const& kind = range.kind;
    bool const flat = kind.dimension == 2, point = kind.projectile == Projectile::point;
    bool const bar = kind.target == Target::bar || kind.target == Target::free_bar, crossed = bar && !flat;
    Shot shot;
    shot.settings.kind = stepper;
    shot.settings.step = pick(2) == 0 ? 1e-3 : 1e-2;
    shot.settings.tolerance = 1e-6;
    shot.time = shot.settings.step * (pick(3) == 0 ? 2 : 1);
    shot.speed = decades(0.1, 1000);
    shot.spin = pick(3) == 0 ? 0 : decades(0.1, 1000);
    // Bars that tumble may come round each other: they turn little.
    if (crossed) shot.spin = std::min(shot.spin, 0.1 / shot.time);
    shot.half_thickness = decades(5e-5, 5e-2);
    shot.size = decades(1e-3, 0.3);
    shot.parameter = scene.default_parameters();
    auto const set = [&](int index, std::initializer_list<double> values) {
      for (double const value : values) shot.parameter[static_cast<std::size_t>(index++)] = value;
    };
    double const flight = uniform(0.2, 3) * shot.speed * shot.time,
                 wide = 20 * (flight + shot.speed * shot.time) + 20 * shot.size + 1;
    double reach = 0;
    for (Shape const& shape : scene.shapes) {
      bool const target = shape.body == 0;
      if (shape.kind == ShapeKind::plane) continue;
      if (target && shape.kind == ShapeKind::box) {
        flat ? set(shape.half_size, {shot.half_thickness, wide})
             : set(shape.half_size, {shot.half_thickness, wide, wide});
      } else if (target) {
        set(shape.radius, {shot.half_thickness});
        set(shape.half_length, {wide});
      } else if (shape.kind == ShapeKind::sphere) {
        set(shape.radius, {shot.size});
        reach = shot.size;
      } else if (shape.kind == ShapeKind::capsule) {
        double const half = crossed ? wide : shot.size * uniform(0.5, 10);
        set(shape.radius, {shot.size});
        set(shape.half_length, {half});
        reach = shot.size + (crossed ? 0 : half);
      } else {
        Vector3d half(shot.size, shot.size * uniform(0.2, 5), shot.size * uniform(0.2, 5));
        if (crossed) half = {wide, shot.size, shot.size};
        flat ? set(shape.half_size, {half[0], half[1]}) : set(shape.half_size, {half[0], half[1], half[2]});
        reach = crossed ? half.tail<2>().norm() : half.norm();
      }
    }
    double const delta = decades(1e-5, 1e-2);
    for (ContactParameters const* law : {scene.contacts.empty() ? nullptr : &scene.contacts[0].law,
                                         scene.groups.empty() ? nullptr : &scene.groups[0].law}) {
      if (law == nullptr) continue;
      if (law->restitution >= 0) set(law->restitution, {uniform(0, 1)});
      set(law->delta, {delta});
      set(law->mu.kinetic, {uniform(0, 1)});
    }
    Body const& body = scene.bodies[1];
    // The mass of what is struck, against that of the projectile.
    if (scene.bodies[0].density >= 0) set(scene.bodies[0].density, {decades(1, 1e4)});
    update_calculated_parameters(scene, shot.parameter);
    shot.q.resize(static_cast<std::size_t>(scene.configuration_size));
    shot.v.resize(static_cast<std::size_t>(scene.velocity_size));
    std::vector<double> const inputs = scene.default_inputs();
    range.system->initial_state(shot.parameter, inputs, shot.q, shot.v);
    auto const first = static_cast<std::size_t>(body.first_coordinate),
               velocity = static_cast<std::size_t>(body.first);
    double const front = kind.target == Target::plane ? 0 : shot.half_thickness;
    shot.q[first] = -front - reach - flight;
    double slant = crossed ? 0 : uniform(-1, 1) * std::numbers::pi / 3;
    if (kind.target == Target::prescribed_plate) {
      // The plate comes to the projectile.
      set(scene.bodies[0].motion_velocity, {-shot.speed});
      slant = 0;
    } else {
      shot.v[velocity] = shot.speed * std::cos(slant);
      shot.v[velocity + 1] = shot.speed * std::sin(slant);
    }
    if (point) return shot;
    if (flat) {
      shot.q[first + 2] = uniform(-3, 3);
      shot.v[velocity + 2] = pick(2) == 0 ? shot.spin : -shot.spin;
    } else if (crossed) {
      shot.v[velocity + 3] = shot.spin;  // about the line of approach
    } else {
      Eigen::Quaterniond const turned(Eigen::AngleAxisd(uniform(0, 3), direction()));
      shot.q[first + 3] = turned.w();
      shot.q[first + 4] = turned.x();
      shot.q[first + 5] = turned.y();
      shot.q[first + 6] = turned.z();
      Vector3d const spin = shot.spin * direction();
      for (int k = 0; k < 3; ++k) shot.v[velocity + 3 + static_cast<std::size_t>(k)] = spin[k];
    }
    return shot;
  }

 private:
  std::mt19937_64 engine_;
};

// m, in the frame of the target: how far the centre of the projectile is behind its middle plane; of crossed bars
// along the line of approach.
double behind(Range const& range, std::span<const double> q) {
  Place const target = place_of(range.scene, 0, q), projectile = place_of(range.scene, 1, q);
  Vector3d const between = projectile.position - target.position;
  bool const crossed = range.kind.dimension == 3 &&
                       (range.kind.target == Target::bar || range.kind.target == Target::free_bar);
  return crossed ? between[0] : target.R.col(0).dot(between);
}

struct Count {
  int shots = 0, passed = 0, told = 0, failed = 0;
};

TEST(Shots, PassThroughNothingInAnyStepper) {
  std::uint64_t const seed = 20261118;
  int const shots = 10000;
  std::cout << "seed " << seed << '\n';
  int const only = std::getenv("SHOT") == nullptr ? -1 : std::atoi(std::getenv("SHOT"));
  Shooter shooter(seed);
  std::map<Kind, std::unique_ptr<Range>> ranges;
  std::map<StepperKind, Count> counts;
  for (int i = 0; i < shots; ++i) {
    Kind const kind = shooter.kind();
    StepperKind const stepper_kind = kinds[i % 3];
    std::unique_ptr<Range>& range = ranges[kind];
    if (!range) range = std::make_unique<Range>(kind);
    Shot const shot = shooter.shot(*range, stepper_kind);
    if (only >= 0 && i != only) continue;
    Count& count = counts[stepper_kind];
    ++count.shots;
    auto const stepper = make_stepper(*range->system, shot.settings);
    stepper->start(0, shot.q, shot.v);
    std::vector<double> const inputs = range->scene.default_inputs();
    std::string const what = text("shot ", i, ": ", name_of(stepper_kind), ", h ", shot.settings.step, ", ",
                                  description_of(kind), ", speed ", shot.speed, ", spin ", shot.spin,
                                  ", half thickness ", shot.half_thickness, ", size ", shot.size);
    try {
      for (int k = 1; k <= shot.steps; ++k) {
        stepper->advance(k * shot.time, inputs, shot.parameter);
        double const depth = behind(*range, stepper->q());
        if (only >= 0) {
          std::cout << what << '\n' << stepper->time();
          for (double const value : stepper->state().x) std::cout << ' ' << value;
          std::cout << '\n';
        }
        // A half-space is passed nowhere; a relaxed contact sinks into it.
        bool const sinks = stepper_kind == StepperKind::relaxed && !kind.bounces;
        if (!(depth > (kind.target == Target::plane ? 1e-6 : 0)) || (kind.target == Target::plane && sinks))
          continue;
        ++count.passed;
        ADD_FAILURE() << what << ": behind by " << depth << " m at step " << k;
        break;
      }
    } catch (StepFailure const& failure) {
      bool const told = std::string(failure.what()).find("pass through each other") != std::string::npos;
      ++(told ? count.told : count.failed);
      bool const may = stepper_kind == StepperKind::relaxed && !kind.bounces;
      EXPECT_TRUE(may && told) << what << ": " << failure.what();
    }
  }
  for (StepperKind const kind : kinds) {
    Count const& count = counts[kind];
    std::cout << name_of(kind) << ": " << count.shots << " shots, " << count.passed << " passed, "
              << count.told << " ended because the contact gives way, " << count.failed << " failed\n";
  }
}

}  // namespace
}  // namespace delassus
