// Forces and torques along the axes of the world, and the motion of named points, against the laws of Newton and Euler
// and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;

std::shared_ptr<const SceneModel> model_of(std::string const& scene) {
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(scene, "scene.xml")));
}

// A vector output; in the plane the third component is zero.
Vector3d vector(SceneRun& run, std::string const& name) {
  Vector3d value = Vector3d::Zero();
  for (int k = 0; k < run.slave().model().scene().dimension; ++k)
    value[k] = run.get(name + "[" + std::to_string(k + 1) + "]");
  return value;
}
// In the plane a torque is one number, about z.
Vector3d torque(SceneRun& run, std::string const& name) {
  if (run.slave().model().scene().dimension == 3) return vector(run, name);
  return {0, 0, run.get(name)};
}

void expect_near(Vector3d const& found, Vector3d const& wanted, double tolerance, std::string const& what) {
  EXPECT_LT((found - wanted).norm(), tolerance)
      << what << ": " << found.transpose() << " instead of " << wanted.transpose();
}

struct Wrench {
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  // about the place of the body
  void add(Vector3d const& f, Vector3d const& t, Vector3d const& arm) {
    force += f;
    torque += t + arm.cross(f);
  }
};

std::string stepper_text(std::string const& stepper) {
  return "<solver stepper='" + stepper + "' step='1e-3'/>";
}

// An arm on a hinge with friction, drive and stops pushes a block along the ground.
std::string plane_scene(std::string const& law) {
  return "<scene name='plane'><gravity acceleration='0.3 -9.81'/>"
         "<body name='arm' type='planar' mass='2' inertia='0.3'><point name='root' position='-0.5 0.1'/>"
         "<capsule radius='0.05' half_length='0.5'/><initial position='0 0.4' angle='-30deg' "
         "angular_velocity='-0.4' "
         "velocity='0.1 0.2'/></body>"
         "<body name='block' type='planar' mass='3' inertia='0.2'><box half_size='0.3 0.2'/>"
         "<initial position='0.8 0.2' velocity='-0.2 0'/></body>"
         "<joint name='hinge' type='revolute' a='arm.root' lower='-0.5' upper='0.5' friction='0.7' "
         "drive='motor'/>"
         "<contact name='side' point='block' with='arm' mu='0.3' " +
         law + "/><contact name='floor' point='block' mu='0.4' " + law +
         "/><force name='push' point='block' value='-30 1'/></scene>";
}

// What acts on a body of a scene is its mass times its acceleration less gravity; in space with the gyroscopic torque.
TEST(WorldForces, OnABodyAreItsMassTimesItsAccelerationLessGravity) {
  for (std::string const law : {"", "law='kelvin_voigt' stiffness='2e4' damping='50'",
                                "law='hunt_crossley' stiffness='5e4' damping='0.2' friction='smooth'"}) {
    for (std::string const stepper : {"relaxed", "nonsmooth", "implicit"}) {
      std::string scene = plane_scene(law);
      scene.insert(scene.find("<gravity"), stepper_text(stepper));
      SceneRun run(model_of(scene));
      double carried = 0, driven = 0;
      for (int k = 1; k <= 30; ++k) {
        run.set("motor", 3 * std::cos(k));
        run.run_to(0.02 * k);
        std::string const at = law + " " + stepper + " t = " + std::to_string(run.time());
        Vector3d const arm = vector(run, "arm.position"), block = vector(run, "block.position"),
                       root = vector(run, "arm.root.world_position");
        Vector3d const side = vector(run, "side.world_force"), side_torque = torque(run, "side.world_torque");
        Vector3d const g(0.3, -9.81, 0);
        auto const expect_newton = [&](std::string const& body, Wrench const& wrench, double mass,
                                       double inertia) {
          Vector3d a = Vector3d::Zero();
          for (int i = 0; i < 2; ++i)
            a[i] = run.get("der(" + body + ".state.velocity[" + std::to_string(i + 1) + "])");
          expect_near(wrench.force, mass * (a - g), 1e-8 * (1 + mass * a.norm()), body + " force " + at);
          double const spin = run.get("der(" + body + ".state.angular_velocity)");
          EXPECT_NEAR(wrench.torque[2], inertia * spin, 1e-8 * (1 + std::abs(inertia * spin))) << body << at;
        };
        Wrench on_block, on_arm;
        on_block.add(side, side_torque, Vector3d::Zero());
        on_block.add(vector(run, "floor.world_force"), torque(run, "floor.world_torque"), Vector3d::Zero());
        on_block.add({-30, 1, 0}, Vector3d::Zero(), Vector3d::Zero());
        expect_newton("block", on_block, 3, 0.2);
        on_arm.add(-side, -side_torque, block - arm);
        on_arm.add(vector(run, "hinge.world_force"), torque(run, "hinge.world_torque"), root - arm);
        expect_newton("arm", on_arm, 2, 0.3);
        carried = std::max(carried, side.norm());
        driven = std::max(driven, std::abs(torque(run, "hinge.world_torque")[2]));
      }
      EXPECT_GT(carried, 1) << law << stepper << ": the arm touches the block";
      EXPECT_GT(driven, 1) << law << stepper;
    }
  }
}

// In space a mast that turns carries an arm, and the arm a hand that touches the floor, by joints of all kinds.
std::string space_scene(std::string const& joint, std::string const& stepper) {
  return "<scene name='space' dimension='3'><gravity acceleration='0.2 0.5 -9.81'/>" + stepper_text(stepper) +
         "<body name='mast' type='prescribed'><point name='top' position='0.1 0.2 0.3'/>"
         "<initial position='0 0 1' rotation='0.2 0.1 0.3'/>"
         "<motion velocity='0.1 0 0' angular_velocity='0.2 0.1 0.6'/></body>"
         "<body name='arm' type='rigid' mass='2' inertia='0.1 0.2 0.25 0.01 0.02 0.03'>"
         "<point name='root' position='-0.5 0 0.1'/><point name='end' position='0.5 0.1 0'/>"
         "<initial position='0.6 0.1 0.9' rotation='0.3 0.2 -0.1'/></body>"
         "<body name='hand' type='rigid' mass='0.7' inertia='0.02 0.03 0.025'><sphere radius='0.2'/>"
         "<point name='grip' position='-0.15 0.05 0.2'/>"
         "<initial position='1.2 0.2 0.6' rotation='0.1 -0.4 0.2'/></body>"
         "<joint name='shoulder' a='arm.root' b='mast' " +
         joint +
         "/><joint name='wrist' type='spherical' a='hand.grip' b='arm'/>"
         "<contact name='touch' point='hand' mu='0.4' height='0.3'/>"
         "<force name='pull' point='hand' value='2 -3 1'/></scene>";
}

TEST(WorldForces, InSpaceMoveTheBodiesOfJointsOfEveryKind) {
  for (std::string const joint :
       {"type='revolute' axis='0.2 1 0.1' lower='-0.1' upper='0.1' friction='0.5' drive='motor'",
        "type='prismatic' axis='1 0.2 0.5' lower='-0.02' upper='0.02' friction='1' drive='motor'",
        "type='cylindrical' axis='1 0.2 0.5' lower='-0.02' upper='0.02'", "type='fixed'", "type='spherical'",
        "type='point_on_line' axis='0.3 1 0'"}) {
    for (std::string const stepper : {"relaxed", "nonsmooth", "implicit"}) {
      SceneRun run(model_of(space_scene(joint, stepper)));
      bool const driven = joint.find("motor") != std::string::npos;
      double largest_stop = 0;
      for (int k = 1; k <= 15; ++k) {
        if (driven) run.set("motor", 4 * std::cos(k));
        run.run_to(0.02 * k);
        std::string const at = joint + " " + stepper + " t = " + std::to_string(run.time());
        Vector3d const g(0.2, 0.5, -9.81),
            arm = vector(run, "arm.position"), hand = vector(run, "hand.position"),
            root = vector(run, "arm.root.world_position"), grip = vector(run, "hand.grip.world_position");
        auto const expect_euler = [&](std::string const& body, Wrench const& wrench, double mass,
                                      Eigen::Matrix3d const& inertia) {
          Vector3d a, alpha;
          for (int i = 0; i < 3; ++i) {
            std::string const element = "[" + std::to_string(i + 1) + "])";
            a[i] = run.get("der(" + body + ".state.velocity" + element);
            alpha[i] = run.get("der(" + body + ".state.angular_velocity" + element);
          }
          std::array<double, 4> w{};
          for (std::size_t i = 0; i < 4; ++i)
            w[i] = run.get(body + ".orientation[" + std::to_string(i + 1) + "]");
          Eigen::Matrix3d const R = Eigen::Quaterniond(w[0], w[1], w[2], w[3]).toRotationMatrix(),
                                I = R * inertia * R.transpose();
          Vector3d const omega = vector(run, body + ".angular_velocity"), momentum = I * omega;
          double const scale = 1 + mass * a.norm() + (I * alpha).norm();
          expect_near(wrench.force, mass * (a - g), 1e-8 * scale, body + " force " + at);
          expect_near(wrench.torque, I * alpha + omega.cross(momentum), 1e-8 * scale, body + " torque " + at);
        };
        Wrench on_hand, on_arm;
        bool const turns =
            joint.find("spherical") == std::string::npos && joint.find("point_on_line") == std::string::npos;
        Vector3d const touch = vector(run, "touch.world_force"), wrist = vector(run, "wrist.world_force"),
                       shoulder = vector(run, "shoulder.world_force");
        on_hand.add(touch, torque(run, "touch.world_torque"), Vector3d::Zero());
        on_hand.add(wrist, Vector3d::Zero(), grip - hand);
        on_hand.add({2, -3, 1}, Vector3d::Zero(), Vector3d::Zero());
        expect_euler("hand", on_hand, 0.7, Vector3d(0.02, 0.03, 0.025).asDiagonal());
        on_arm.add(-wrist, Vector3d::Zero(), grip - arm);
        on_arm.add(shoulder, turns ? torque(run, "shoulder.world_torque") : Vector3d::Zero(), root - arm);
        Eigen::Matrix3d inertia;
        inertia << 0.1, 0.01, 0.02, 0.01, 0.2, 0.03, 0.02, 0.03, 0.25;
        expect_euler("arm", on_arm, 2, inertia);
        if (joint.find("revolute") != std::string::npos) {
          double const size = run.get("shoulder.stop_torque");
          Vector3d const stop = vector(run, "shoulder.world_stop_torque");
          EXPECT_NEAR(stop.norm(), std::abs(size), 1e-9 * (1 + std::abs(size))) << at;
          largest_stop = std::max(largest_stop, std::abs(size));
        } else if (joint.find("lower") != std::string::npos) {
          double const size = run.get("shoulder.stop_force");
          EXPECT_NEAR(vector(run, "shoulder.world_stop_force").norm(), std::abs(size),
                      1e-9 * (1 + std::abs(size)))
              << at;
          largest_stop = std::max(largest_stop, std::abs(size));
        }
      }
      EXPECT_EQ(largest_stop > 0, joint.find("lower") != std::string::npos) << joint << stepper;
    }
  }
}

// An arm on a frame that is turned by 40 degrees lies on its lower stop: the hinge carries the weight, along y of the
// world, and the stop holds the moment. Along the axes of the frame the same force has two components.
TEST(WorldForces, OfAnArmOnItsStopCarryItsWeightAndItsMoment) {
  for (std::string const stepper : {"relaxed", "nonsmooth", "implicit"}) {
    SceneRun plane(
        model_of("<scene name='arm'><gravity acceleration='0 -10'/>" + stepper_text(stepper) +
                 "<body name='frame' type='fixed'><initial angle='40deg'/></body><body name='arm' "
                 "type='planar' mass='2' "
                 "inertia='0.1'><point name='root' position='-0.5 0'/><initial position='0.5 0'/></body>"
                 "<joint name='hinge' type='revolute' a='arm.root' b='frame' lower='0' upper='1'/></scene>"));
    plane.run_to(0.5, 10);
    expect_near(vector(plane, "hinge.world_force"), {0, 20, 0}, 1e-8, stepper);
    EXPECT_NEAR(plane.get("hinge.stop_torque"), 10, 1e-8) << stepper;
    EXPECT_NEAR(plane.get("hinge.world_torque"), 10, 1e-8) << stepper;
    double const angle = 40 * std::numbers::pi / 180;
    EXPECT_NEAR(plane.get("hinge.force[1]"), 20 * std::sin(angle), 1e-8) << stepper;
    EXPECT_NEAR(plane.get("hinge.force[2]"), 20 * std::cos(angle), 1e-8) << stepper;

    // The same in space: the axis is -y, about which the arm falls, and the load is beside the hinge along y, too.
    SceneRun space(model_of(
        "<scene name='arm' dimension='3'><gravity acceleration='0 0 -10'/>" + stepper_text(stepper) +
        "<body name='frame' type='fixed'><initial rotation='0 0 90deg'/></body><body name='arm' type='rigid' "
        "mass='2' inertia='0.1 0.1 0.1'><point name='root' position='-0.5 -0.3 0'/><initial position='0.5 "
        "0.3 0'/>"
        "</body><joint name='hinge' type='revolute' a='arm.root' b='frame' axis='-1 0 0' lower='0' "
        "upper='1'/>"
        "</scene>"));
    space.run_to(0.5, 10);
    expect_near(vector(space, "hinge.world_force"), {0, 0, 20}, 1e-8, stepper);
    EXPECT_NEAR(space.get("hinge.stop_torque"), 10, 1e-8) << stepper;
    expect_near(vector(space, "hinge.world_stop_torque"), {0, -10, 0}, 1e-8, stepper);
    expect_near(vector(space, "hinge.world_torque"), {6, -10, 0}, 1e-8, stepper);
  }
}

// A ladder on a rough floor and a smooth wall: N = m g cot(angle)/2 at the wall, which friction at the floor holds.
TEST(WorldForces, OfALadderAtRestAreThoseOfStatics) {
  for (std::string const stepper : {"nonsmooth", "implicit"}) {
    double const angle = std::numbers::pi / 3, half = 1.5;
    std::string const at =
        std::to_string(half * std::cos(angle)) + " " + std::to_string(half * std::sin(angle));
    SceneRun run(
        model_of("<scene name='leaning'><gravity acceleration='0 -9.81'/>" + stepper_text(stepper) +
                 "<body name='wall' type='fixed'><plane normal='1 0'/></body><body name='ladder' "
                 "type='planar' mass='8'>"
                 "<rod half_length='1.5'/><point name='foot' fraction='1'/><point name='head' fraction='-1'/>"
                 "<initial position='" +
                 at +
                 "' angle='-60deg'/></body><contact name='top' point='ladder.head' with='wall'/>"
                 "<contact name='bottom' point='ladder.foot' mu='0.9'/></scene>"));
    run.run_to(0.2, 4);
    double const weight = 8 * 9.81, wall = weight / std::tan(angle) / 2;
    expect_near(vector(run, "top.world_force"), {wall, 0, 0}, 1e-4, stepper);
    expect_near(vector(run, "bottom.world_force"), {-wall, weight, 0}, 1e-4, stepper);
    // About the middle, the head is at half (-cos, sin) and the foot at half (cos, -sin).
    EXPECT_NEAR(run.get("top.world_torque"), -half * std::sin(angle) * wall, 1e-3) << stepper;
    EXPECT_NEAR(run.get("bottom.world_torque"), half * (std::cos(angle) * weight - std::sin(angle) * wall),
                1e-3)
        << stepper;
  }
}

// The resultant of what a slope exerts on a block at rest carries its weight through its centre, whatever the shares of
// the corners.
TEST(WorldForces, OfABlockAtRestOnASlopeCarryItsWeightThroughItsCentre) {
  for (std::string const stepper : {"nonsmooth", "implicit"}) {
    SceneRun run(model_of(
        "<scene name='slope' dimension='3'><gravity acceleration='0 0 -9.81'/>" + stepper_text(stepper) +
        "<body name='slope' type='fixed'><plane normal='-0.5 0 0.8660254037844386'/></body><body "
        "name='block' "
        "type='rigid' mass='2'><box half_size='0.2 0.1 0.1'/><initial position='-0.05 0 0.08660254037844387' "
        "rotation='0 -30deg 0'/></body><contact name='c' point='block' with='slope' mu='0.8'/></scene>"));
    run.run_to(0.2, 4);
    expect_near(vector(run, "c.world_force"), {0, 0, 2 * 9.81}, 1e-6, stepper);
    expect_near(vector(run, "c.world_torque"), Vector3d::Zero(), 1e-6, stepper);
    expect_near({run.get("c.force[1]"), run.get("c.force[2]"), run.get("c.force[3]")},
                {9.81, 0, 9.81 * std::sqrt(3)}, 1e-6, stepper + " along the slope");
  }
}

// A stack of two boxes and a box beside it: the group carries all three, and what the two press on each other cancels.
TEST(WorldForces, OfAGroupAreTheWeightOfAllThatItCarries) {
  for (std::string const law : {"mu='0.5'", "law='kelvin_voigt' stiffness='1e5' damping='2e3'"}) {
    SceneRun run(model_of(
        "<scene name='stack'><gravity acceleration='0 -10'/><solver stepper='nonsmooth' step='1e-3'/>"
        "<body name='low' type='planar' mass='3'><box half_size='0.2 0.1'/><initial position='2 0.1'/></body>"
        "<body name='high' type='planar' mass='1'><box half_size='0.1 0.1'/><initial position='2.05 "
        "0.3'/></body>"
        "<body name='beside' type='planar' mass='2'><box half_size='0.1 0.1'/><initial position='-1 "
        "0.1'/></body>"
        "<contacts name='all' between='low high beside ground' " +
        law + "/></scene>"));
    run.run_to(1, 20);
    expect_near(vector(run, "all.world_force"), {0, 60, 0}, 1e-4, law);
    EXPECT_NEAR(run.get("all.world_torque"), 2 * 30 + 2.05 * 10 - 1 * 20, 1e-2) << law;
    EXPECT_NEAR(run.get("all.force"), 70, 1e-4) << law << ": normal forces of all pairs, each counted once";
  }
}

// A hoist lifts a load by a clamp: the power of the clamp's force is the rate of the energy.
TEST(WorldForces, DoTheWorkThatTheEnergyShows) {
  for (std::string const stepper : {"relaxed", "nonsmooth", "implicit"}) {
    SceneRun run(
        model_of("<scene name='hoist'><gravity acceleration='0 -9.81'/>" + stepper_text(stepper) +
                 "<body name='hook' type='prescribed'><motion velocity='0.3 0.5'/></body><body name='load' "
                 "type='planar' mass='4' inertia='1'><initial position='0.2 -1' velocity='0.3 0.5'/></body>"
                 "<joint name='clamp' type='fixed' a='load' b='hook'/></scene>"));
    run.run_to(0.1);
    Vector3d const force = vector(run, "clamp.world_force"), velocity = vector(run, "load.velocity");
    double const before = run.get("energy.total");
    run.run_to(0.2);
    EXPECT_NEAR((run.get("energy.total") - before) / 0.1, force.dot(velocity), 1e-6) << stepper;
    expect_near(force, {0, 4 * 9.81, 0}, 1e-7, stepper);
    EXPECT_NEAR(run.get("clamp.world_torque"), 0, 1e-7) << stepper << ", about the point of the load";
  }
}

// A spring of 4 m that is 5 m long, and a mass at its end that moves away at 0.6 m/s along it.
TEST(WorldForces, OfSpringsFollowFromStretchAndRate) {
  SceneRun run(
      model_of("<scene name='springs'><body name='mass' type='point' mass='1'><initial position='3 4' "
               "velocity='1 0'/></body>"
               "<body name='wheel' type='planar' mass='1' inertia='1'><initial position='9 9' angle='20deg' "
               "angular_velocity='2'/></body><spring name='rope' a='mass' b='ground' stiffness='10' "
               "damping='2' length='4'/>"
               "<torsion_spring name='coil' a='wheel' stiffness='5' damping='3' angle='0.5'/></scene>"));
  EXPECT_NEAR(run.get("rope.force"), -10 - 2 * 0.6, 1e-12);
  expect_near(vector(run, "rope.world_force"), {-11.2 * 0.6, -11.2 * 0.8, 0}, 1e-12, "rope");
  EXPECT_NEAR(run.get("coil.torque"), 5 * 0.5 - 3 * 2, 1e-12);
}

// A disc that rolls down a slope is held by a third of the pull of its weight; a skate is held across its blade.
TEST(WorldForces, OfRollingAndOfKnifeEdgesLieInTheirDirections) {
  SceneRun disc(model_of(
      "<scene name='disc'><gravity acceleration='4 -8'/><solver stepper='nonsmooth' step='1e-3'/><body "
      "name='disc' "
      "type='planar' mass='3'><sphere radius='0.1'/><initial position='0 0.1'/></body><contact name='floor' "
      "point='disc'/><rolling name='grip' point='disc'/></scene>"));
  disc.run_to(0.1, 2);
  // The shape counts as a sphere or a cylinder: the friction is I/(I + m r^2) of the pull.
  double const inertia = disc.get("disc.inertia"), share = inertia / (inertia + 3 * 0.01);
  expect_near(vector(disc, "grip.world_force"), {-12 * share, 0, 0}, 1e-6, "grip");
  expect_near(vector(disc, "floor.world_force"), {0, 24, 0}, 1e-6, "floor");

  SceneRun skate(model_of(
      "<scene name='skate'><solver stepper='nonsmooth' step='1e-3'/><gravity acceleration='0 -5'/><body "
      "name='skate' type='planar' mass='2' "
      "inertia='1'>"
      "<initial angle='30deg'/></body><knife_edge name='blade' point='skate' direction='0 1'/></scene>"));
  skate.run_to(0.1, 2);
  // Across the blade, (-sin, cos) of 30 degrees, the weight of 10 N is held.
  double const held = 10 * std::cos(std::numbers::pi / 6);
  expect_near(vector(skate, "blade.world_force"), {-held / 2, held * std::sqrt(3) / 2, 0}, 1e-6, "blade");
}

// The motion of named points: on a body that flies and turns, and on one whose motion is prescribed.
TEST(NamedPoints, MoveAsPointsOfTheirRigidBodies) {
  SceneRun plane(model_of(
      "<scene name='rod'><body name='rod' type='planar' mass='1'><rod half_length='2'/><point name='tip' "
      "fraction='1'/><initial position='1 2' angle='20deg' velocity='0.5 -1' "
      "angular_velocity='3'/></body></scene>"));
  plane.run_to(0.7, 7);
  double const angle = 20 * std::numbers::pi / 180 + 3 * 0.7;
  expect_near(vector(plane, "rod.tip.world_position"),
              {1.35 + 2 * std::cos(angle), 1.3 + 2 * std::sin(angle), 0}, 1e-9, "tip");
  expect_near(vector(plane, "rod.tip.world_velocity"),
              {0.5 - 6 * std::sin(angle), -1 + 6 * std::cos(angle), 0}, 1e-8, "tip's velocity");

  SceneRun space(
      model_of("<scene name='table' dimension='3'><body name='table' type='prescribed'><point name='rim' "
               "position='0.5 0 "
               "0.1'/><initial position='0 0 1'/><motion input='yes' velocity='0 0 0' angular_velocity='0 0 "
               "0'/></body>"
               "<body name='weight' type='point' mass='1'/></scene>"));
  space.set("table.velocity[1]", 0.2);
  space.set("table.angular_velocity[3]", 2);
  space.run_to(0.4, 4);
  expect_near(vector(space, "table.rim.world_position"),
              {0.08 + 0.5 * std::cos(0.8), 0.5 * std::sin(0.8), 1.1}, 1e-6, "rim");
  expect_near(vector(space, "table.rim.world_velocity"), {0.2 - std::sin(0.8), std::cos(0.8), 0}, 1e-6,
              "rim's velocity");
}

// Open contacts, and those of any friction: the margin tells which can jam, in numbers that fit on one plot.
TEST(JammingOutputs, AreOfTheSizeOfFrictionCoefficients) {
  auto const rod = [](std::string const& height) {
    return "<scene name='rod'><interface analysis='yes'/><gravity acceleration='0 -9.81'/><body name='rod' "
           "type='planar' mass='1'><rod half_length='1'/><point name='tip' fraction='-1'/><initial "
           "point='tip' "
           "position='0 " +
           height +
           "' velocity='-1 0' angle='45deg'/></body><contact name='tip' point='rod.tip' mu='2'/></scene>";
  };
  SceneRun open(model_of(rod("1")));
  EXPECT_EQ(open.get("tip.mu_jam"), 12);
  EXPECT_EQ(open.get("tip.margin"), 10);
  EXPECT_EQ(open.get("tip.mu_crit"), 0);
  open.set("tip.mu", 50);
  EXPECT_EQ(open.get("tip.margin"), 10) << "an open contact does not jam, whatever its friction";
  SceneRun closed(model_of(rod("0")));
  EXPECT_NEAR(closed.get("tip.mu_jam"), 5.0 / 3, 1e-9);
  EXPECT_NEAR(closed.get("tip.margin"), 5.0 / 3 - 2, 1e-9);
}

}  // namespace
}  // namespace delassus
