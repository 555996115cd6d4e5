// Forces of bodies that stand on more points than they need: their shares are those of least norm, and change as
// little as the loads do.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "model/equations/scene_terms.hpp"
#include "solver/time/stepper.hpp"
#include "tests/support/scenes/joined_text.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

// A scene that is driven, and the forces that the ground exerts on its bodies, in the order of the contacts.
class DrivenScene {
 public:
  DrivenScene(std::string const& source, StepperKind kind, double step)
      : scene_(compile_scene(read_scene_source(source, "shared_forces"))),
        system_(scene_),
        parameters_(scene_.default_parameters()),
        inputs_(scene_.default_inputs()) {
    StepperSettings settings;
    settings.kind = kind;
    settings.step = step;
    stepper_ = make_stepper(system_, settings);
    std::vector<double> q(static_cast<std::size_t>(scene_.configuration_size)),
        v(static_cast<std::size_t>(scene_.velocity_size));
    system_.initial_state(parameters_, inputs_, q, v);
    stepper_->start(0, q, v);
  }

  void drive(double torque) {
    for (Joint const& joint : scene_.joints) inputs_[static_cast<std::size_t>(joint.drive)] = torque;
  }
  void push(Eigen::Vector3d const& force) {
    for (int i = 0; i < 3; ++i) inputs_[static_cast<std::size_t>(scene_.forces[0].first + i)] = force[i];
  }

  std::vector<Eigen::Vector3d> forces_at(double t) {
    if (t > 0) stepper_->advance(t, inputs_, parameters_);
    Dynamics const& dynamics = stepper_->observe(inputs_, parameters_);
    Eigen::Vector3d const n = Eigen::Vector3d::UnitZ();
    Eigen::Vector3d t1, t2;
    contact_tangents<double>(3, n, t1, t2);
    std::vector<Eigen::Vector3d> forces;
    for (ConstraintBlock const& block : dynamics.terms().blocks) {
      if (block.set.kind != ForceSetKind::cone3) continue;
      Eigen::Vector3d const lambda = dynamics.solution().lambda.segment<3>(block.first_row);
      forces.emplace_back(lambda[0] * t1 + lambda[1] * t2 + lambda[2] * n);
    }
    return forces;
  }

 private:
  Scene scene_;
  SceneSystem system_;
  std::vector<double> parameters_, inputs_;
  std::unique_ptr<Stepper> stepper_;
};

struct Scheme {
  StepperKind kind;
  double step;
};
constexpr Scheme schemes[] = {{StepperKind::relaxed, 1e-3},
                              {StepperKind::implicit, 1e-3},
                              {StepperKind::implicit, 1e-2},
                              {StepperKind::nonsmooth, 1e-3},
                              {StepperKind::nonsmooth, 1e-2}};

// A push F at the height h of the centre is shared equally, and tips: of the normal forces, four at the distances +-a
// along the push and +-b across it, 4 dN a = F h.
TEST(SharedForces, OfABoxOnFourCornersAreThoseOfLeastNorm) {
  double const mass = 12, a = 0.3, b = 0.2, h = 0.1, weight = mass * g;
  std::string const scene =
      text("<scene name='box' dimension='3'><gravity acceleration='0 0 ", -g,
           "'/><body name='box' type='rigid' mass='", mass, "' inertia='0.2 0.4 0.5'><box half_size='", a,
           " ", b, " ", h, "'/><initial position='0 0 ", h,
           "'/></body><contact name='c' point='box' mu='0.8'/><force name='push' point='box'/></scene>");
  for (Scheme const& scheme : schemes) {
    DrivenScene run(scene, scheme.kind, scheme.step);
    std::vector<Eigen::Vector3d> last;
    double const dt = 0.01;
    for (int i = 0; i <= 100; ++i) {
      double const t = i * dt;
      // Below 0.8 of the weight, and without tipping over.
      Eigen::Vector3d const F(0.4 * weight * std::sin(5 * t), 0.3 * weight * std::sin(7 * t), 0);
      run.push(F);
      std::vector<Eigen::Vector3d> const forces = run.forces_at(t);
      ASSERT_EQ(forces.size(), 4u);
      // Corners come in any order: their normal forces are those of the four combinations of signs.
      std::vector<double> expected, found;
      for (double const x : {-1.0, 1.0})
        for (double const y : {-1.0, 1.0})
          expected.push_back(weight / 4 + x * F[0] * h / (4 * a) + y * F[1] * h / (4 * b));
      for (Eigen::Vector3d const& force : forces) {
        EXPECT_NEAR(force[0], -F[0] / 4, 1e-6 * weight) << static_cast<int>(scheme.kind) << " t " << t;
        EXPECT_NEAR(force[1], -F[1] / 4, 1e-6 * weight) << static_cast<int>(scheme.kind) << " t " << t;
        found.push_back(force[2]);
      }
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(found[k], expected[k], 1e-6 * weight) << static_cast<int>(scheme.kind) << " t " << t;
      // |dF/dt| <= 2 and 2.1 weights a second, in a force of one corner a quarter of it and what tips.
      double const steepest = weight * (2 * (0.25 + h / (4 * a)) + 2.1 * (0.25 + h / (4 * b)));
      for (std::size_t k = 0; k < last.size(); ++k)
        EXPECT_LT((forces[k] - last[k]).norm(), steepest * dt + 1e-6 * weight);
      last = forces;
    }
  }
}

// A car on spheres or short capsules. The contacts of an axle hold it sideways both in the same way, so that one of them
// would do. With the torque u at each of n wheels,
//
//   acceleration  A = n u/r / (M + n (m + I/r^2)),   force of the ground along  f = u/r - I A/r^2,
//
// and the push F from the side is shared equally: by symmetry between the axles' ends, by the least norm between the
// wheels of an axle.
struct Car {
  int axles = 2;
  double chassis = 20, wheel = 1, heading = 0;
  bool capsules = false;
  double delta = 1e-3;

  static constexpr double r = 0.15, H = 0.25;
  double I() const { return 0.01 * wheel; }
  int wheels() const { return 2 * axles; }
  double weight() const { return g * (chassis + wheels() * wheel); }
  Eigen::Vector2d place(int i) const {
    int const axle = i / 2;
    return {0.4 - 0.8 * axle / (axles - 1), i % 2 == 0 ? 0.3 : -0.3};
  }
  Eigen::Vector3d along() const { return {std::cos(heading), std::sin(heading), 0}; }
  Eigen::Vector3d across() const { return {-std::sin(heading), std::cos(heading), 0}; }

  std::string scene() const {
    std::string const turned = text(" rotation='0 0 ", heading, "'");
    std::string out =
        text("<scene name='car' dimension='3'><gravity acceleration='0 0 ", -g,
             "'/><body name='chassis' type='rigid' mass='", chassis, "' inertia='", chassis / 20, " ",
             chassis / 10, " ", chassis / 8, "'><initial position='0 0 ", H, "'", turned, "/></body>");
    for (int i = 0; i < wheels(); ++i) {
      Eigen::Vector3d const at = place(i)[0] * along() + place(i)[1] * across();
      out += text("<body name='w", i, "' type='rigid' mass='", wheel, "' inertia='", I(), " ", I(), " ", I(),
                  "'>",
                  capsules ? "<capsule radius='0.15' half_length='0.05' rotation='0 0 1.5707963267948966'/>"
                           : "<sphere radius='0.15'/>",
                  "<initial position='", at[0], " ", at[1], " ", r, "'", turned, "/></body><joint name='j", i,
                  "' type='revolute' a='w", i, "' b='chassis' axis='0 1 0' drive='t", i, "' delta='", delta,
                  "'/><contact name='c", i, "' point='w", i, "' mu='0.8' delta='", delta, "'/>");
    }
    return out + "<force name='push' point='chassis'/></scene>";
  }

  double force_along(double u) const {
    double const A = wheels() * u / r / (chassis + wheels() * (wheel + I() / (r * r)));
    return u / r - I() * A / (r * r);
  }
  // N/s: more than any force changes where u and F change so fast. Levers: H, the places of the wheels, and their mean
  // squares.
  double steepest(double u_rate, double F_rate) const {
    return u_rate / r * (1 + H / 0.1) + F_rate / wheels() * (1 + H / 0.3);
  }
};

TEST(SharedForces, OfTheWheelsOfACarHaveNoSpikes) {
  Car truck{.axles = 3}, heavy{.chassis = 1000, .wheel = 50}, turned{.heading = 0.37}, stiff{.delta = 3e-4};
  for (Car const& car : {Car{}, truck, heavy, turned, Car{.capsules = true}, stiff}) {
    for (Scheme const& scheme : schemes) {
      if (car.capsules && scheme.kind != StepperKind::relaxed) continue;  // two points a wheel
      DrivenScene run(car.scene(), scheme.kind, scheme.step);
      double const weight = car.weight(), dt = 0.01, u_most = 0.1 * weight * Car::r / car.wheels(),
                   F_most = 0.1 * weight;
      std::vector<Eigen::Vector3d> last;
      for (int i = 0; i <= 150; ++i) {
        double const t = i * dt;
        // At rest, driven, braked, pushed from the side, at rest.
        double const u = t < 0.2 || t > 0.8 ? 0 : u_most * std::sin((t - 0.2) * 2 * pi / 0.6);
        double const F = t < 0.8 || t > 1.2 ? 0 : F_most * std::sin((t - 0.8) * pi / 0.4);
        run.drive(u);
        run.push(F * car.across());
        std::vector<Eigen::Vector3d> const forces = run.forces_at(t);
        std::size_t const wheels = static_cast<std::size_t>(car.wheels()), points = forces.size() / wheels;
        ASSERT_EQ(forces.size(), wheels * (car.capsules ? 2 : 1));
        std::string const which =
            text("axles ", car.axles, ", chassis ", car.chassis, ", heading ", car.heading, ", stepper ",
                 static_cast<int>(scheme.kind), " ", scheme.step, ", t ", t);
        for (std::size_t w = 0; w < wheels; ++w) {
          Eigen::Vector3d force = Eigen::Vector3d::Zero();
          for (std::size_t p = 0; p < points; ++p) force += forces[w * points + p];
          EXPECT_NEAR(force.dot(car.across()), -F / static_cast<double>(wheels), 2e-5 * weight) << which;
          EXPECT_NEAR(force.dot(car.along()), car.force_along(u), 2e-5 * weight) << which;
          if (u == 0 && F == 0 && t < 0.2) {
            EXPECT_NEAR(force[2], weight / static_cast<double>(wheels), 2e-5 * weight) << which;
          }
        }
        double const most = dt * car.steepest(u_most * 2 * pi / 0.6, F_most * pi / 0.4) + 2e-5 * weight;
        for (std::size_t k = 0; k < last.size(); ++k) EXPECT_LT((forces[k] - last[k]).norm(), most) << which;
        last = forces;
      }
    }
  }
}

}  // namespace
}  // namespace delassus
