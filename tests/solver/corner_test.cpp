// A corner that passes a corner: the last contact before two bodies part. A face that is taken for a plane beyond its rim would
// hold them, and squeeze what lies below.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "solver/time/stepper.hpp"
#include "tests/support/scenes/joined_text.hpp"
#include "tests/support/scenes/scene_motion.hpp"

namespace delassus {
namespace {

// A door turns about its end at the height `pivot` and pushes a block of this height along the ground, which is smooth. The
// block is so wide that it does not tip.
struct Door {
  int dimension = 2;
  double length = 1, half_thickness = 0.01, pivot = 0.011, height = 0.2, rate = 1;

  // The upper corner of the block slides along the face of the door, until it is at the end of the door. In space the
  // door turns about -y from x to -z: heights are along z.
  std::string scene(StepperKind kind, double step) const {
    bool const plane = dimension == 2;
    char const* const name = kind == StepperKind::relaxed     ? "relaxed"
                             : kind == StepperKind::nonsmooth ? "nonsmooth"
                                                              : "implicit";
    auto const at = [&](double x, double up) { return plane ? text(x, " ", up) : text(x, " 0 ", up); };
    auto const box = [&](double x, double up) { return plane ? text(x, " ", up) : text(x, " 0.2 ", up); };
    return text("<scene name='door' dimension='", dimension, "'><gravity acceleration='", plane ? "" : "0 ",
                "0 -9.81'/><solver stepper='", name, "' step='", step,
                "'/><body name='door' type='prescribed'><box half_size='", box(length / 2, half_thickness),
                "' position='", at(length / 2, 0), "'/><initial position='", at(0, pivot), "' ",
                plane ? "angle='90deg'" : "rotation='0 -90deg 0'", "/><motion angular_velocity='",
                plane ? text(-rate) : text("0 ", rate, " 0"), "'/></body><body name='block' type='",
                plane ? "planar" : "rigid", "' density='100'><box half_size='", box(2 * height, height / 2),
                "'/><initial position='", at(length / 2 + 2 * height, height / 2),
                "'/></body><contacts name='c' between='block door ground'/></scene>");
  }

  // L sin(angle) - t cos(angle) = height - pivot where they part.
  double last_angle() const {
    double const up = height - pivot, size = std::hypot(length, half_thickness);
    return std::asin(up / size) + std::atan2(half_thickness, length);
  }
  // The face moves by rate L along its normal there, the block along the ground.
  double last_speed() const { return rate * length / std::sin(last_angle()); }
  double end() const { return (1.5707963267948966 - last_angle()) / rate; }
};

double speed_after(Door const& door, StepperKind kind, double step) {
  StepperSettings settings;
  settings.kind = kind;
  settings.step = step;
  SceneMotion motion(door.scene(kind, step), settings);
  double const stop = door.end() + 0.1 / door.rate;
  for (int k = 1; k <= 20; ++k) motion.run_to(stop * k / 20);
  return motion.stepper().v()[0];
}

TEST(Corners, ABlockLeavesTheEndOfADoorAtTheSpeedOfTheClosedForm) {
  std::mt19937 engine(7);
  auto const uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  for (int i = 0; i < 24; ++i) {
    Door door;
    if (i > 0) {
      door.dimension = 2 + i % 2;
      door.length = uniform(0.5, 1.5);
      door.half_thickness = uniform(0.005, 0.05);
      door.pivot = door.half_thickness * uniform(1.05, 1.5);
      door.height = door.length * uniform(0.15, 0.6);
      door.rate = uniform(0.5, 3);
    }
    auto const error = [&](StepperKind kind) {
      return std::abs(speed_after(door, kind, 1e-3) / door.last_speed() - 1);
    };
    // The speed grows by `growth` of it in a step; relaxed contacts act 2 zeta delta = 2 ms before they close.
    double const growth = 1e-3 * door.rate / std::tan(door.last_angle());
    EXPECT_LT(error(StepperKind::relaxed), 1e-3) << i;
    EXPECT_LT(error(StepperKind::nonsmooth), 3 * growth) << i;
    EXPECT_LT(error(StepperKind::implicit), 3 * growth) << i;
  }
}

}  // namespace
}  // namespace delassus
