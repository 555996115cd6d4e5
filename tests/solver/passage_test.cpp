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
#include <string>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/time/stepper.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/scenes/joined_text.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;

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
  int steps = 3;
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
    shot.settings.tolerance = 1e-4;
    shot.time = shot.settings.step;
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
    double const flight = uniform(0.1, 1.9) * shot.speed * shot.time,
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
    double const delta = decades(1e-4, 1e-2);
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
    double const slant = crossed ? 0 : uniform(-1, 1) * std::numbers::pi / 3;
    if (kind.target == Target::prescribed_plate) {
      // The plate comes to the projectile.
      set(scene.bodies[0].motion_velocity, {-shot.speed});
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

class EveryStepper : public testing::TestWithParam<StepperKind> {};
INSTANTIATE_TEST_SUITE_P(Of, EveryStepper, testing::ValuesIn(kinds),
                         [](auto const& info) { return std::string(name_of(info.param)); });

// A run may end with a reason instead: where the relaxed law itself gives way so far, and rarely where a step is too
// long for what spins at many revolutions in it.
TEST_P(EveryStepper, LetsNoneOf10000ShotsPass) {
  std::uint64_t const seed = 20261118;
  int const shots = 10000;
  std::cout << "seed " << seed << '\n';
  Shooter shooter(seed);
  std::map<Kind, std::unique_ptr<Range>> ranges;
  int gave_way = 0, ended = 0;
  for (int i = 0; i < shots; ++i) {
    Kind const kind = shooter.kind();
    std::unique_ptr<Range>& range = ranges[kind];
    if (!range) range = std::make_unique<Range>(kind);
    Shot const shot = shooter.shot(*range, GetParam());
    auto const stepper = make_stepper(*range->system, shot.settings);
    stepper->start(0, shot.q, shot.v);
    std::vector<double> const inputs = range->scene.default_inputs();
    bool const gives_way = GetParam() == StepperKind::relaxed && !kind.bounces;
    try {
      for (int k = 1; k <= shot.steps; ++k) {
        stepper->advance(k * shot.time, inputs, shot.parameter);
        // A half-space has no other side. What gives way sinks into it; the others by rounding.
        if (kind.target == Target::plane && gives_way) continue;
        ASSERT_LE(behind(*range, stepper->q()), kind.target == Target::plane ? 1e-6 : 0.0)
            << "seed " << seed << ", shot " << i << ", h " << shot.settings.step << ", "
            << description_of(kind) << ", speed " << shot.speed << ", spin " << shot.spin
            << ", half thickness " << shot.half_thickness << ", size " << shot.size << ", step " << k;
      }
    } catch (StepFailure const& failure) {
      bool const told = std::string(failure.what()).find("pass through each other") != std::string::npos;
      ++(gives_way && told ? gave_way : ended);
    }
  }
  std::cout << shots << " shots, " << gave_way << " ended because the relaxed law gives way, " << ended
            << " ended for another reason\n";
  EXPECT_LE(ended, shots / 200);
  if (GetParam() != StepperKind::relaxed) {
    EXPECT_EQ(gave_way, 0);
  }
}

// A scene in its own words, advanced in steps; `look` sees the coordinates after each.
template <class Look>
void run(std::string const& source, StepperKind kind, double h, int steps, Look look) {
  Scene const scene = compile_scene(read_scene_source(source, "passage"));
  SceneSystem const system(scene);
  StepperSettings settings;
  settings.kind = kind;
  settings.step = h;
  auto const stepper = make_stepper(system, settings);
  std::vector<double> const parameters = scene.default_parameters(), inputs = scene.default_inputs();
  std::vector<double> q(static_cast<std::size_t>(scene.configuration_size)),
      v(static_cast<std::size_t>(scene.velocity_size));
  system.initial_state(parameters, inputs, q, v);
  stepper->start(0, q, v);
  for (int k = 1; k <= steps; ++k) {
    stepper->advance(k * h, inputs, parameters);
    look(scene, stepper->q(), stepper->v());
  }
}

TEST_P(EveryStepper, StopsABulletAtAPlateOf2Millimetres) {
  for (double const speed : {10.0, 50.0, 100.0, 1000.0}) {
    for (std::string const law : {"mu='0.3'", "restitution='0.5'"}) {
      run(text("<scene name='bullet' dimension='3'><body name='wall' type='fixed'><box half_size='0.001 1 "
               "1'/></body>"
               "<body name='ball' type='rigid' mass='0.1'><sphere radius='0.01'/><initial position='-",
               2.5 * speed * 1e-2, " 0 0' velocity='", speed,
               " 0 0'/></body><contacts name='c' between='ball wall' ", law, "/></scene>"),
          GetParam(), 1e-2, 5, [&](Scene const&, std::span<const double> q, std::span<const double>) {
            EXPECT_LE(q[0], -0.011 + 1e-6) << speed << " m/s, " << law;
          });
    }
  }
}

// The closed form: without a bounce both go on with the velocity of the centre of mass, otherwise relative to it with
// the share e of their speed.
TEST_P(EveryStepper, LetsTwoSpheresCollideHeadOn) {
  for (double const e : {0.0, 0.5}) {
    bool const bounces = GetParam() != StepperKind::implicit && e > 0;
    auto const ball = [&](char const* name, double x, double v) {
      return text("<body name='", name, "' type='rigid' mass='1'><sphere radius='0.01'/><initial position='",
                  x, " 0 0' velocity='", v, " 0 0'/></body>");
    };
    std::vector<double> last;
    run(text("<scene name='balls' dimension='3'>", ball("a", 0, 50), ball("b", 1.234, -50),
             "<contacts name='c' between='a b' ",
             e > 0 ? text("restitution='", e, "'") : "zeta='1' delta='1e-4'", "/></scene>"),
        GetParam(), 1e-2, 5, [&](Scene const&, std::span<const double> q, std::span<const double> v) {
          EXPECT_GE(q[7] - q[0], 0.02 - 1e-6);
          last.assign(v.begin(), v.end());
        });
    EXPECT_NEAR(last[0], bounces ? -e * 50 : 0, 1e-6);
    EXPECT_NEAR(last[6], bounces ? e * 50 : 0, 1e-6);
  }
}

// The rod reaches beyond the plate where it turns to it; its tip is at 500 m/s.
TEST_P(EveryStepper, LetsNoSpinningRodThroughAPlateOfATenthOfAMillimetre) {
  for (int const dimension : {2, 3}) {
    bool const flat = dimension == 2;
    for (double const h : {1e-3, 1e-2}) {
      run(text("<scene name='rod' dimension='", dimension,
               "'><body name='plate' type='fixed'><box half_size='", flat ? "5e-5 20" : "5e-5 20 20",
               "'/></body><body name='rod' type='", flat ? "planar" : "rigid",
               "' density='1000'><capsule radius='0.005' half_length='0.5'/><initial position='",
               flat ? "-0.3 0' angle='1.5'" : "-0.3 0 0' rotation='0 0 1.5'", " angular_velocity='",
               flat ? "1000" : "0 0 1000",
               "'/></body><contacts name='c' between='plate rod' restitution='0.3' mu='0.2'/></scene>"),
          GetParam(), h, 5, [&](Scene const& scene, std::span<const double> q, std::span<const double>) {
            Place const rod = place_of(scene, 1, q);
            double const reach = 0.5 * std::abs(rod.R(0, 0)) + 0.005;
            EXPECT_LE(rod.position[0], 0);
            EXPECT_LE(rod.position[0] + reach, 5e-5)
                << "a tip is behind the plate; " << dimension << "D, h " << h;
          });
    }
  }
}

TEST_P(EveryStepper, StopsABodyOfSeveralShapes) {
  for (double const spin : {0.0, 100.0, 1000.0}) {
    run(text("<scene name='dumbbell' dimension='3'><body name='plate' type='fixed'><box half_size='5e-4 20 "
             "20'/></body>"
             "<body name='dumbbell' type='rigid' density='1000'><sphere name='a' radius='0.02' position='0 "
             "0.3 0'/>"
             "<sphere name='b' radius='0.02' position='0 -0.3 0'/><initial position='-1.5 0 0' velocity='100 "
             "0 0' "
             "angular_velocity='0 0 ",
             spin,
             "'/></body><contacts name='c' between='plate dumbbell' restitution='0.2' mu='0.2'/></scene>"),
        GetParam(), 1e-3, 30, [&](Scene const& scene, std::span<const double> q, std::span<const double>) {
          Place const body = place_of(scene, 1, q);
          EXPECT_LE(body.position[0] + 0.3 * std::abs(body.R(0, 1)), -5e-4 - 0.02 + 1e-4) << "spin " << spin;
        });
  }
}

// A row of thin plates that stand free, hit by a fast ball: the order along the row stays.
TEST_P(EveryStepper, KeepsTheOrderOfARowThatIsHit) {
  for (double const speed : {20.0, 300.0}) {
    std::string row;
    for (int i = 0; i < 6; ++i)
      row += text("<body name='plate", i,
                  "' type='rigid' density='3000'><box half_size='5e-4 0.2 0.2'/><initial position='",
                  0.01 * i, " 0 0'/></body>");
    run(text("<scene name='row' dimension='3'><body name='ball' type='rigid' density='8000'><sphere "
             "radius='0.03'/>"
             "<initial position='-0.5 0 0' velocity='",
             speed, " 0 0'/></body>", row,
             "<contacts name='c' between='ball plate*' restitution='0.1'/></scene>"),
        GetParam(), 1e-3, 40, [&](Scene const&, std::span<const double> q, std::span<const double>) {
          for (std::size_t i = 0; i + 1 < 7; ++i)
            EXPECT_LE(q[7 * i] + (i == 0 ? 0.03 + 5e-4 : 1e-3), q[7 * (i + 1)] + 1e-5)
                << speed << " m/s, body " << i;
        });
  }
}

// With zeta = 0 a contact is a spring: at 10 m/s and delta = 1e-2 it gives way by 0.1 m, through the plate.
TEST(Relaxed, EndsWithAReasonWhereTheContactGivesWayTooFar) {
  try {
    run("<scene name='soft'><body name='plate' type='fixed'><box half_size='0.01 1'/></body><body "
        "name='ball' "
        "type='planar' density='1000'><sphere radius='0.01'/><initial position='-0.1 0' "
        "velocity='10 0'/></body><contacts name='touch' between='plate ball' zeta='0' delta='1e-2'/></scene>",
        StepperKind::relaxed, 1e-2, 5, [](Scene const&, std::span<const double>, std::span<const double>) {});
    FAIL() << "it went through without a word";
  } catch (StepFailure const& failure) {
    std::string const message = failure.what();
    for (char const* const part : {"plate", "ball", "'touch'", "t = 0.0", "smaller delta", "nonsmooth"})
      EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
  }
}

// Bodies that overlap are moved apart, and nothing else is: once the plate went on by its velocity times a second.
TEST(Nonsmooth, LeavesAPrescribedBodyOnItsWayWhereItMovesOthersApart) {
  run("<scene name='pushed'><body name='plate' type='prescribed'><box half_size='0.1 1'/><motion "
      "velocity='-10 "
      "0'/></body><body name='box' type='planar' density='1000'><box half_size='0.1 0.1'/><initial "
      "position='-0.5 0' "
      "angle='0.3'/></body><contacts name='c' between='plate box' "
      "mu='0.3'/></scene>",
      StepperKind::nonsmooth, 1e-2, 20,
      [step = 0](Scene const&, std::span<const double> q, std::span<const double>) mutable {
        EXPECT_NEAR(q[0], -0.1 * ++step, 1e-9);
        EXPECT_LE(q[3], q[0] - 0.19);
      });
}

// A ball of 1 cm at 100 m/s, 0.5 m before a plate of 2 mm; as it flies on for 0.01 s it would be behind.
TEST(FirstPassage, IsWhereTheShapesMeetAndIsFoundWithoutAnAllocation) {
  Scene const scene =
      compile_scene(read_scene_source("<scene name='s' dimension='3'><body name='plate' type='fixed'><box "
                                      "half_size='0.001 9 9'/></body><body "
                                      "name='ball' type='rigid' mass='1'><sphere radius='0.01'/><initial "
                                      "position='-0.511 0 0' velocity='100 0 "
                                      "0'/></body><contacts name='c' between='plate ball'/></scene>",
                                      "passage"));
  SceneSystem const system(scene);
  std::vector<double> const parameters = scene.default_parameters(), inputs = scene.default_inputs();
  std::vector<double> q(7), v(6);
  system.initial_state(parameters, inputs, q, v);
  std::vector<double> q_end = q;
  auto const workspace = system.make_passage_workspace();
  Instant at{0, q, v, inputs, parameters, 1e-2};
  auto const find = [&](double step, double touching) {
    q_end[0] = q[0] + 100 * step;
    at.step = step;
    at.q_end = q_end;
    return system.first_passage(at, {.touching = touching}, workspace.get());
  };
  auto const met = find(1e-2, 1e-9);
  ASSERT_TRUE(met);
  EXPECT_NEAR(met->time, 5e-3, 2e-11);
  EXPECT_NEAR(met->gap, 0.5, 1e-12);
  EXPECT_EQ(system.block_sides(met->identity), (std::vector<std::string>{"plate", "ball"}));
  // What ends where it touches, or sinks in by less than a fifth of half the thickness, has passed nothing.
  EXPECT_FALSE(find(5e-3, 1e-9));
  EXPECT_FALSE(find(5e-3 + 1e-6, 1e-9));
  EXPECT_TRUE(find(5e-3 + 3e-6, 1e-9));
  // Where shapes may sink in, the motion is to end half as deep as that: 0.1 mm.
  auto const sunk = find(1e-2, -1);
  ASSERT_TRUE(sunk);
  EXPECT_NEAR(sunk->time, 5e-3 + 1e-6, 2e-7);
  long const before = test::allocation_count;
  find(1e-2, 1e-9);
  EXPECT_EQ(test::allocation_count, before);
}

}  // namespace
}  // namespace delassus
