// Joints, springs and laws, one by one, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

constexpr double g = 9.81;

SceneRun run_of(std::string const& text, std::map<std::string, double> const& values = {}) {
  return SceneRun(std::make_shared<const SceneModel>(compile_scene(read_scene_source(text, "test.xml"))),
                  values);
}

std::string space(std::string const& content) {
  return R"(<scene name="t" dimension="3"><gravity acceleration="0 0 -9.81"/><solver tolerance="1e-11"/>)" +
         content + "</scene>";
}
std::string plane(std::string const& content) {
  return R"(<scene name="t"><gravity acceleration="0 -9.81"/><solver tolerance="1e-11"/>)" + content +
         "</scene>";
}

// A body of inertia I about its centre that hangs by a point at distance l swings with sqrt(m g l/(I + m
// l^2)) for small angles.
TEST(RevoluteJointInSpace, SwingsAsAPhysicalPendulum) {
  SceneRun run = run_of(space(
      R"(<body name="b" type="rigid" mass="2" inertia="0.3 0.5 0.4"><point name="top" position="0 0 0.6"/>
    <initial point="top" rotation="0 1e-4 0"/></body><joint name="j" type="revolute" a="b.top" axis="0 1 0"/>)"));
  double const omega = std::sqrt(2 * g * 0.6 / (0.5 + 2 * 0.36));
  run.run_to(1);
  EXPECT_NEAR(run.get("j.angle"), 1e-4 * std::cos(omega) - 1e-4, 1e-11);
  EXPECT_NEAR(run.get("j.force[1]") * run.get("j.force[1]") + std::pow(run.get("j.force[2]"), 2) +
                  std::pow(run.get("j.force[3]"), 2),
              std::pow(2 * g, 2), 1e-3);
}

TEST(RevoluteJoint, TurnsUnderItsDriveAndIsStoppedByItsLimit) {
  SceneRun run = run_of(R"(<scene name="t" dimension="3"><solver tolerance="1e-11"/>
    <body name="b" type="rigid" mass="2" inertia="0.3 0.5 0.4"/>
    <joint name="j" type="revolute" a="b" axis="0 0 1" drive="motor" upper="1" delta="1e-3"/></scene>)",
                        {{"motor", 0.8}});
  run.run_to(0.5);
  EXPECT_NEAR(run.get("j.angle"), 0.8 / 0.4 * 0.125, 1e-9);
  EXPECT_NEAR(run.get("b.angular_velocity[3]"), 0.8 / 0.4 * 0.5, 1e-9);
  run.run_to(3);
  EXPECT_NEAR(run.get("j.angle"), 1, 1e-6);
  EXPECT_NEAR(run.get("j.angular_velocity"), 0, 1e-9);
}

TEST(RevoluteJoint, StopsByDryFrictionWhenTheAngularMomentumIsUsedUp) {
  SceneRun run = run_of(
      R"(<scene name="t"><solver tolerance="1e-11"/><body name="b" type="planar" mass="1" inertia="0.5">
    <initial angular_velocity="3"/></body><joint name="j" type="revolute" a="b" friction="0.25" delta="1e-5"/></scene>)");
  run.run_to(1);
  EXPECT_NEAR(run.get("b.angular_velocity"), 3 - 0.5, 1e-9);
  EXPECT_NEAR(run.get("j.friction_torque"), -0.25, 1e-12);
  run.run_to(7);
  EXPECT_NEAR(run.get("j.angle"), 9, 1e-8);  // omega^2/(2 F/I)
  EXPECT_EQ(run.get("j.mode"), static_cast<double>(ContactMode::stick));
}

TEST(PrismaticJoint, SlidesDownItsAxisAndKeepsItsOrientation) {
  for (
      std::string const& scene :
      {space(
           R"(<body name="b" type="rigid" mass="2" inertia="0.3 0.5 0.4"><initial rotation="0.3 0.2 0.1"/></body>
         <joint name="j" type="prismatic" a="b" axis="3 0 -4"/>)"),
       plane(R"(<body name="b" type="planar" mass="2" inertia="0.3"><initial angle="0.4"/></body>
         <joint name="j" type="prismatic" a="b" axis="3 -4"/>)")}) {
    SceneRun run = run_of(scene);
    run.run_to(1);
    EXPECT_NEAR(run.get("j.position"), 0.8 * g / 2, 1e-9);
    EXPECT_NEAR(run.get("j.velocity"), 0.8 * g, 1e-9);
    EXPECT_NEAR(run.get("b.velocity[1]"), 0.6 * 0.8 * g, 1e-9);
  }
}

// A body that slides and turns about the axis freely, in a force and a torque.
TEST(CylindricalJoint, LeavesSlideAndTurnFree) {
  SceneRun run = run_of(space(R"(<body name="b" type="rigid" mass="2" inertia="0.3 0.5 0.4"/>
    <joint name="j" type="cylindrical" a="b" axis="0 0 1"/><torque name="twist" body="b" value="0.1 0.2 0.4"/>
    <force name="push" point="b" value="5 6 19.62"/>)"));
  run.run_to(1);
  EXPECT_NEAR(run.get("j.position"), 0, 1e-12);  // the push carries the weight
  EXPECT_NEAR(run.get("b.angular_velocity[3]"), 1, 1e-9);
  EXPECT_NEAR(run.get("b.angular_velocity[1]"), 0, 1e-12);
  EXPECT_NEAR(run.get("b.position[1]"), 0, 1e-12);
}

TEST(FixedJoint, CarriesWeightAndMomentOfACantilever) {
  SceneRun run = run_of(space(
      R"(<body name="b" type="rigid" mass="2" inertia="0.3 0.5 0.4"><point name="end" position="-1 0 0"/></body>
    <joint name="j" type="fixed" a="b.end"/>)"));
  run.run_to(1);
  EXPECT_NEAR(run.get("b.position[3]"), 0, 1e-12);
  EXPECT_NEAR(run.get("j.force[3]"), 2 * g, 1e-9);
  double torque = 0;
  for (int i = 1; i <= 3; ++i) torque += std::pow(run.get("j.torque[" + std::to_string(i) + "]"), 2);
  EXPECT_NEAR(std::sqrt(torque), 2 * g * 1, 1e-8);
}

// A point mass on a rigid massless rod is a mathematical pendulum; on a spherical joint it swings in two
// directions alike.
TEST(DistanceAndSphericalJoints, SwingAsAMathematicalPendulum) {
  double const a = 1e-3, omega = std::sqrt(g / 2);
  SceneRun run = run_of(space(R"(<body name="peg" type="fixed"><point name="top" position="0 0 2"/></body>
    <body name="m" type="point" mass="3"><initial position="0.002 0 0"/></body><joint name="j" type="distance" a="m" b="peg.top"/>)"));
  run.run_to(0.7);
  EXPECT_NEAR(run.get("m.position[1]"), 2 * a * std::cos(omega * 0.7), 1e-8);
  EXPECT_NEAR(run.get("j.force"), -3 * g, 1e-3);

  SceneRun ball = run_of(space(
      R"(<body name="b" type="rigid" mass="3" inertia="1e-9 1e-9 1e-9"><point name="top" position="0 0 2"/>
    <initial point="top" position="0 0 2" rotation="1e-3 0.5e-3 0"/></body><joint name="j" type="spherical" a="b.top"/>)"));
  ball.run_to(0.7);
  EXPECT_NEAR(ball.get("b.position[1]"), -2 * a / 2 * std::cos(omega * 0.7), 1e-8);
  EXPECT_NEAR(ball.get("b.position[2]"), 2 * a * std::cos(omega * 0.7), 1e-8);
}

TEST(PointOnALine, SlidesAlongItAndMayTurn) {
  SceneRun run = run_of(
      plane(R"(<body name="b" type="planar" mass="2" inertia="0.3"><initial angular_velocity="2"/></body>
    <joint name="j" type="point_on_line" a="b" axis="1 -1"/>)"));
  run.run_to(1);
  EXPECT_NEAR(run.get("b.velocity[1]"), g / 2, 1e-9);
  EXPECT_NEAR(run.get("b.velocity[2]"), -g / 2, 1e-9);
  EXPECT_NEAR(run.get("b.angle"), 2, 1e-12);
}

TEST(Spring, OscillatesWithItsFrequencyAndDampingRatio) {
  // Two masses: the reduced mass is 1 kg.
  SceneRun run = run_of(
      R"(<scene name="t"><solver tolerance="1e-12"/><body name="a" type="point" mass="2"><initial position="1.1 0"/></body>
    <body name="b" type="point" mass="2"/><spring name="s" a="a" b="b" stiffness="100" damping="2" length="1"/></scene>)");
  double const zeta = 0.1, omega = 10, damped = omega * std::sqrt(1 - zeta * zeta), t = 0.8;
  run.run_to(t);
  double const expected = 0.1 * std::exp(-zeta * omega * t) *
                          (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
  EXPECT_NEAR(run.get("a.position[1]") - run.get("b.position[1]") - 1, expected, 1e-9);
}

TEST(TorsionSpring, OscillatesAboutItsRestAngle) {
  for (
      std::string const& scene :
      {space(
           R"(<body name="b" type="rigid" mass="1" inertia="0.3 0.5 0.4"/><joint name="j" type="revolute" a="b" axis="0 1 0"/>
         <torsion_spring name="s" a="b" stiffness="8" angle="0.5" axis="0 1 0"/>)"),
       plane(R"(<body name="b" type="planar" mass="1" inertia="0.5"/><joint name="j" type="revolute" a="b"/>
         <torsion_spring name="s" a="b" stiffness="8" angle="0.5"/>)")}) {
    SceneRun run = run_of(scene);
    run.run_to(1);
    EXPECT_NEAR(run.get("j.angle"), 0.5 - 0.5 * std::cos(4.0), 1e-8);
  }
}

// On a slope of tan = 0.5 * 0.99 smooth friction cannot hold: it creeps with v = gamma artanh(tan/mu).
TEST(SmoothFriction, CreepsDownASlopeWithTheSpeedOfItsLaw) {
  for (std::string const law :
       {R"(friction="smooth" gamma="1e-2")",
        R"(law="kelvin_voigt" friction="smooth" gamma="1e-2" stiffness="1e5" damping="500")"}) {
    double const slope = std::atan(0.3);
    std::string const text =
        "<scene name=\"t\"><gravity acceleration=\"" + std::to_string(g * std::sin(slope)) + " " +
        std::to_string(-g * std::cos(slope)) +
        R"("/><solver tolerance="1e-9"/><body name="b" type="point" mass="1"/><contact name="c" point="b" mu="0.5" )" +
        law + "/></scene>";
    SceneRun run = run_of(text);
    run.run_to(1);
    EXPECT_NEAR(run.get("b.velocity[1]"), 1e-2 * std::atanh(0.3 / 0.5), 1e-7) << law;
    EXPECT_EQ(run.get("c.mode"), static_cast<double>(ContactMode::slip));
  }
}

// Compliant: at rest K x = m g, and the tangential spring K_t d = pull; it slips where the pull is beyond mu
// m g.
TEST(CompliantContact, RestsWhereItsSpringsCarryTheLoad) {
  std::string const text = plane(
      R"(<body name="b" type="point" mass="2"/><contact name="c" point="b" law="kelvin_voigt" stiffness="1e5"
    damping="400" mu="0.5" friction="compliant" tangential_stiffness="4e4" tangential_damping="200"/><force name="pull" point="b"/>)");
  SceneRun run = run_of(text);
  run.run_to(2);
  EXPECT_NEAR(run.get("c.gap"), -2 * g / 1e5, 1e-9);
  double const x = run.get("b.position[1]");
  run.set("pull[1]", 5);
  run.run_to(4);
  EXPECT_NEAR(run.get("b.position[1]") - x, 5 / 4e4, 1e-9);
  EXPECT_NEAR(run.get("c.force[1]"), -5, 1e-6);
  EXPECT_EQ(run.get("c.mode"), static_cast<double>(ContactMode::stick));
  SceneRun slipping = run_of(text, {{"pull[1]", 12}});
  slipping.run_to(1);
  EXPECT_EQ(slipping.get("c.mode"), static_cast<double>(ContactMode::slip));
  EXPECT_NEAR(slipping.get("c.force[1]"), -0.5 * slipping.get("c.force[2]"), 1e-9);
}

// Hunt and Crossley: for small alpha the coefficient of restitution is 1 - alpha v_in.
TEST(HuntCrossley, LosesTheShareOfSpeedThatItsDampingTakes) {
  SceneRun run = run_of(
      R"(<scene name="t"><solver tolerance="1e-11"/><body name="b" type="point" mass="1"><initial position="0 0.01" velocity="0 -0.5"/></body>
    <contact name="c" point="b" law="hunt_crossley" stiffness="1e6" damping="0.02" exponent="1.5"/></scene>)");
  run.run_to(0.5);
  EXPECT_NEAR(run.get("b.velocity[2]") / 0.5, 1 - 0.02 * 0.5, 2e-4);
}

// Static and kinetic friction: it starts to slide at the static bound and slides under the kinetic one.
TEST(StribeckFriction, HoldsUpToTheStaticBoundAndSlidesUnderTheKineticOne) {
  std::string const text =
      plane(R"(<body name="b" type="point" mass="1"/><contact name="c" point="b" mu="0.3" mu_static="0.5"
    stribeck_velocity="0.01" delta="1e-5"/><force name="pull" point="b"/>)");
  SceneRun holding = run_of(text, {{"pull[1]", 0.49 * g}}), sliding = run_of(text, {{"pull[1]", 0.51 * g}});
  holding.run_to(1);
  EXPECT_LT(std::abs(holding.get("b.velocity[1]")), 1e-4);
  EXPECT_EQ(holding.get("c.mode"), static_cast<double>(ContactMode::stick));
  sliding.run_to(1);
  double const late = sliding.get("b.velocity[1]");
  sliding.run_to(2);
  EXPECT_NEAR(sliding.get("b.velocity[1]") - late, (0.51 - 0.3) * g, 1e-6);
}

TEST(BilateralContact, HoldsAPointOnItsPlaneWithFrictionOfTheDoubleCone) {
  // Lifted with a force above its weight: the normal force pulls down, and friction still is mu |lambda_n|.
  SceneRun run = run_of(plane(R"(<body name="b" type="point" mass="1"><initial velocity="2 0"/></body>
    <contact name="c" point="b" law="bilateral" mu="0.2"/><force name="lift" point="b" value="0 19.81"/>)"));
  run.run_to(0.5);
  EXPECT_NEAR(run.get("c.force[2]"), -10, 1e-9);
  EXPECT_NEAR(run.get("c.force[1]"), -2, 1e-9);
  EXPECT_NEAR(run.get("b.velocity[1]"), 1, 1e-9);
  EXPECT_NEAR(run.get("b.position[2]"), 0, 1e-12);
}

// A belt carries by its surface alone: what of its velocity is not in the surface does not lift.
TEST(Belt, CarriesByItsSurfaceAlone) {
  SceneRun run = run_of(
      plane(R"(<body name="belt" type="prescribed"><plane/><motion velocity="0.3 0.5" surface="yes"/></body>
    <body name="b" type="planar" density="1000"><box half_size="0.1 0.1"/><initial position="0 0.1"/></body>
    <contact name="c" point="b" with="belt" mu="0.4"/>)"));
  run.run_to(1);
  EXPECT_NEAR(run.get("b.velocity[1]"), 0.3, 1e-6);
  EXPECT_NEAR(run.get("b.position[2]"), 0.1, 1e-9);
}

// A ball on a turntable that turns about a far axis: its surface velocity at the ball is velocity + omega x
// r, and a solid ball that rolls on it moves on a circle with 2/7 of the angular velocity of the table
// (Routh).
TEST(Belt, TurnsABallThatRollsOnItWithTwoSeventhsOfItsAngularVelocity) {
  SceneRun run =
      run_of(R"(<scene name="t" dimension="3"><gravity acceleration="0 0 -9.81"/><solver tolerance="1e-10"/>
    <body name="table" type="prescribed"><plane/><motion angular_velocity="0 0 2" surface="yes"/></body>
    <body name="ball" type="rigid" density="1000"><sphere radius="0.1"/><initial position="0.5 0 0.1" velocity="0 0.3 0"
      angular_velocity="7 0 0"/></body>
    <contact name="c" point="ball" with="table" law="bilateral"/><rolling name="grip" point="ball" with="table" delta="0.1"/></scene>)");
  // It rolls at the start: v_y + omega_x r = 0.3 + 0.7 = 2 * 0.5. Its velocity turns with 4/7 rad/s.
  double const turn = 2.0 / 7 * 2, t = 3;
  run.run_to(t);
  EXPECT_NEAR(run.get("ball.velocity[1]"), -0.3 * std::sin(turn * t), 1e-6);
  EXPECT_NEAR(run.get("ball.velocity[2]"), 0.3 * std::cos(turn * t), 1e-6);
}

TEST(Energy, CountsTheCompliantContactsOfGroups) {
  SceneRun run = run_of(plane(
      R"(<body name="b" type="planar" density="100"><sphere radius="0.1"/><initial position="0 0.3"/></body>
    <contacts name="c" law="kelvin_voigt" stiffness="1000"/>)"));
  double const energy = run.get("energy.total");
  for (int k = 0; k < 50; ++k) {
    run.run_to(run.time() + 0.02);
    EXPECT_NEAR(run.get("energy.total"), energy, 1e-6 * energy);
  }
}

// The centre of mass need not be the origin of the body's frame: falling, the body turns about its centre of
// mass.
TEST(CentreOfMass, IsWhatFallsStraight) {
  SceneRun run = run_of(plane(R"(<body name="b" type="planar" mass="1" inertia="0.1" center_of_mass="0.5 0">
    <initial position="-0.5 0" velocity="0 -1" angular_velocity="2"/></body>)"));
  // The origin moves with (0, -1), so the centre of mass moves with omega x r = (0, 1) more.
  run.run_to(1);
  EXPECT_NEAR(run.get("b.position[1]"), 0 - 0.5 * std::cos(2.0), 1e-9);
  EXPECT_NEAR(run.get("b.position[2]"), 0 - g / 2 - 0.5 * std::sin(2.0), 1e-9);
}

TEST(ForceInTheBodyFrame, TurnsWithTheBody) {
  SceneRun run = run_of(
      R"(<scene name="t"><solver tolerance="1e-12"/><body name="b" type="planar" mass="1" inertia="1"><initial angular_velocity="1"/></body>
    <force name="thrust" point="b" value="1 0" frame="body"/></scene>)");
  run.run_to(1);
  EXPECT_NEAR(run.get("b.velocity[1]"), std::sin(1.0), 1e-9);
  EXPECT_NEAR(run.get("b.velocity[2]"), 1 - std::cos(1.0), 1e-9);
}

}  // namespace
}  // namespace delassus
