// The scene language: what is accepted, and what is said about what is not.
#include "model/scene/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "model/language/scene_notes.hpp"
#include "model/language/vocabulary.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

// Line 1 is the <scene>, line 2 the <body>, line 3 its <rod>, line 4 its <point>, line 6 the <contact>.
std::string const good = R"(<scene name="demo">
<body name="rod" type="planar" mass="2">
<rod half_length="3"/>
<point name="tip" fraction="-1"/>
</body>
<contact name="tip_ground" point="rod.tip" mu="0.5"/>
<force name="push" point="rod.tip" value="1 2"/>
<torque name="drive" body="rod" value="3"/>
</scene>)";

Scene compile(std::string const& text) {
  return compile_scene(read_scene_source(text, "demo.xml"));
}

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  auto const at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Parameter const& parameter(Scene const& scene, std::string const& name) {
  for (Parameter const& p : scene.parameters) {
    if (p.name == name) return p;
  }
  throw std::invalid_argument(name);
}

TEST(Scene, GivesEveryNumberAStructuredNameAUnitAndAValue) {
  Scene const scene = compile(good);
  EXPECT_EQ(parameter(scene, "rod.mass").values, std::vector<double>{2});
  EXPECT_EQ(parameter(scene, "rod.mass").unit, UnitId::kilogram);
  EXPECT_EQ(parameter(scene, "tip_ground.mu").values, std::vector<double>{.5});
  EXPECT_TRUE(parameter(scene, "tip_ground.mu").tunable);
  EXPECT_FALSE(parameter(scene, "rod.mass").tunable);
  EXPECT_EQ(parameter(scene, "rod.initial.position").size(), 2);
  EXPECT_EQ(scene.default_inputs(), (std::vector<double>{1, 2, 3}));
}

TEST(Scene, CalculatesTheInertiaOfARod) {
  Scene const scene = compile(good);
  auto const values = scene.default_parameters();
  EXPECT_DOUBLE_EQ(values[static_cast<std::size_t>(scene.bodies[0].inertia)], 2 * 3 * 3 / 3.0);
}

TEST(Scene, ThatNamesNoStepperGetsTheOneThatItsWordsMean) {
  auto const stepper = [](std::string const& from, std::string const& to) {
    return compile(replaced(good, from, to)).solver.stepper;
  };
  std::string const contact = R"(<contact name="tip_ground" point="rod.tip" mu="0.5"/>)", end = "</scene>";
  EXPECT_EQ(compile(good).solver.stepper, StepperKind::nonsmooth);
  EXPECT_EQ(stepper("mu=\"0.5\"", "restitution=\"0.5\""), StepperKind::nonsmooth);
  // The relaxed model by its name, the adaptive stepper by its tolerance, a law that only it has.
  EXPECT_EQ(stepper("mu=\"0.5\"", "zeta=\"0.5\""), StepperKind::relaxed);
  EXPECT_EQ(stepper("mu=\"0.5\"", "restitution=\"0.5\" delta=\"1e-3\""), StepperKind::relaxed);
  EXPECT_EQ(stepper("mu=\"0.5\"", "mu=\"0.5\" tangential_zeta=\"1\""), StepperKind::relaxed);
  EXPECT_EQ(stepper(end, R"(<solver tolerance="1e-6"/></scene>)"), StepperKind::relaxed);
  EXPECT_EQ(stepper(end, R"(<solver law="nakaoka"/></scene>)"), StepperKind::relaxed);
  // Without rigid contact; fixed steps on request.
  EXPECT_EQ(stepper(contact, ""), StepperKind::relaxed);
  EXPECT_EQ(stepper("mu=\"0.5\"", "law=\"kelvin_voigt\" stiffness=\"1e5\" damping=\"10\""),
            StepperKind::relaxed);
  EXPECT_EQ(stepper("mu=\"0.5\"", "mu=\"0.5\" law=\"kelvin_voigt\" stiffness=\"1e5\""),
            StepperKind::nonsmooth_adaptive);
  EXPECT_EQ(stepper(contact, R"(<solver step="1e-2"/>)"), StepperKind::nonsmooth);
  // What is named holds.
  EXPECT_EQ(stepper(end, R"(<solver stepper="relaxed"/></scene>)"), StepperKind::relaxed);
  EXPECT_EQ(compile(replaced(replaced(good, "mu=\"0.5\"", "zeta=\"0.5\""), end,
                             R"(<solver stepper="implicit"/></scene>)"))
                .solver.stepper,
            StepperKind::implicit);
}

TEST(Scene, TakesRestitutionAsALawOfItsOwn) {
  Scene const scene = compile(replaced(good, "mu=\"0.5\"", "restitution=\"0.5\""));
  EXPECT_EQ(parameter(scene, "tip_ground.restitution").values, std::vector<double>{.5});
  EXPECT_LT(scene.contacts[0].law.zeta, 0);
  EXPECT_EQ(
      parameter(compile(replaced(good, "mu=\"0.5\"", "restitution=\"0\"")), "tip_ground.restitution").values,
      std::vector<double>{0});
}

TEST(Scene, TakesAnglesInRadiansAndInDegrees) {
  auto const angle = [](std::string const& text) {
    Scene const scene =
        compile(replaced(good, "</body>", "<initial point=\"tip\" angle=\"" + text + "\"/></body>"));
    return parameter(scene, "rod.initial.angle").values[0];
  };
  EXPECT_EQ(angle("1.2"), 1.2);
  EXPECT_DOUBLE_EQ(angle("45deg"), 0.785398163397448309616);
}

struct BadScene {
  char const* what;
  char const* from;
  char const* to;
  int line;
  char const* message;
};

class SceneRefuses : public testing::TestWithParam<BadScene> {};

TEST_P(SceneRefuses, WithFileLineAndRule) {
  BadScene const& bad = GetParam();
  try {
    compile(replaced(good, bad.from, bad.to));
    FAIL() << "accepted";
  } catch (SceneError const& error) {
    std::string const text = error.what();
    EXPECT_EQ(error.line(), bad.line) << text;
    EXPECT_TRUE(text.starts_with("demo.xml:" + std::to_string(bad.line) + ": ")) << text;
    EXPECT_NE(text.find(bad.message), std::string::npos) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scene, SceneRefuses,
    testing::Values(
        BadScene{"UnknownElement", "<contact", "<contct", 6, "did you mean 'contact'?"},
        BadScene{"UnknownAttribute", "mass=\"2\"", "mass=\"2\" inertai=\"1\"", 2, "did you mean 'inertia'?"},
        BadScene{"MissingAttribute", " mass=\"2\"", "", 2, "<body> needs the attribute 'mass'"},
        BadScene{"NoMass", "mass=\"2\"", "mass=\"0\"", 2, "'mass' of <body> is 0 and must be > 0"},
        BadScene{"NegativeMass", "mass=\"2\"", "mass=\"-1\"", 2, "is -1 and must be > 0"},
        BadScene{"NegativeFriction", "mu=\"0.5\"", "mu=\"-0.5\"", 6,
                 "'mu' of <contact> is -0.5 and must be >= 0"},
        BadScene{"NoDelta", "mu=\"0.5\"", "delta=\"0\"", 6, "'delta' of <contact> is 0 and must be >= 1e-09"},
        BadScene{"NegativeZeta", "mu=\"0.5\"", "zeta=\"-1\"", 6,
                 "'zeta' of <contact> is -1 and must be >= 0"},
        BadScene{"TooMuchRestitution", "mu=\"0.5\"", "restitution=\"1.5\"", 6, "must be >= 0 and <= 1"},
        BadScene{"ZetaAndRestitution", "mu=\"0.5\"", "zeta=\"1\" restitution=\"0.5\"", 6, "write one"},
        BadScene{"ImpactLawWithoutRestitution", "mu=\"0.5\"", "impact_law=\"poisson\"", 6,
                 "has no 'restitution'"},
        BadScene{"NotANumber", "mass=\"2\"", "mass=\"2kg\"", 2,
                 "'2kg', which is not a finite number; write it in kg, without the unit"},
        BadScene{"Infinite", "mass=\"2\"", "mass=\"inf\"", 2, "'inf', which is not a finite number"},
        BadScene{"DecimalComma", "mass=\"2\"", "mass=\"2,5\"", 2, "'2,5', which is not a finite number"},
        BadScene{"UnitBehindABlank", "mass=\"2\"", "mass=\"2 t\"", 2, "write it in kg, without the unit"},
        BadScene{"Sum", "mass=\"2\"", "mass=\"1+1\"", 2, "write it as 0.5 or 1e-3"},
        BadScene{"Empty", "mass=\"2\"", "mass=\"\"", 2, "is empty and needs 1"},
        BadScene{"NameOfAnAxis", "<torque name=\"drive\" body=\"rod\" value=\"3\"",
                 "<knife_edge name=\"k\" point=\"rod\" direction=\"y\"", 8,
                 "write a number for each axis: y is 0 1"},
        BadScene{"LawOfImpacts", "mu=\"0.5\"", "law=\"newton\"", 6, "write restitution=\"0.5\""},
        BadScene{"Brackets", "value=\"1 2\"", "value=\"(1 2)\"", 7, "write only the numbers"},
        BadScene{"Percent", "mu=\"0.5\"", "mu=\"50%\"", 6, "write 0.3 instead of 30%"},
        // Words of other programs, and attributes at the wrong place.
        BadScene{"MuStaticWithoutMu", "mu=\"0.5\"", "mu_static=\"0.5\"", 6,
                 "no 'mu', which is the friction of sliding: write mu=\"0.5\" if both are equal"},
        BadScene{"FrictionAsANumber", "mu=\"0.5\"", "friction=\"0.3\"", 6, "write mu=\"0.3\""},
        BadScene{"StiffnessOfARigidContact", "mu=\"0.5\"", "stiffness=\"1e5\"", 6,
                 "has the law rigid: write law=\"kelvin_voigt\" or law=\"hunt_crossley\", or leave out "
                 "'stiffness'"},
        BadScene{"Elasticity", "mu=\"0.5\"", "elasticity=\"0.5\"", 6, "write 'restitution'"},
        BadScene{"BodiesOfAContact", "point=\"rod.tip\" mu", "body1=\"rod\" mu", 6, "write point=\"...\""},
        BadScene{"LawOfHertz", "mu=\"0.5\"", "law=\"Hertz\"", 6, "write hunt_crossley"},
        BadScene{"Cylinder", "<rod half_length=\"3\"/>", "<cylinder radius=\"1\"/>", 3,
                 "<capsule radius=\"0.1\" half_length=\"0.2\"/> is a cylinder with round caps"},
        BadScene{"LengthOfARod", "half_length=\"3\"", "length=\"6\"", 3, "write 'half_length', half of the"},
        BadScene{"PlaneOnABodyThatMoves", "<rod half_length=\"3\"/>", "<plane/>", 3,
                 "cannot be a half-space"},
        BadScene{"PositionOfABody", "mass=\"2\"", "mass=\"2\" position=\"0 1\"", 2, "<initial position="},
        BadScene{"RadiusOfABody", "mass=\"2\"", "mass=\"2\" radius=\"1\"", 2, "<sphere radius=\"0.1\"/>"},
        BadScene{"BodyThatIsDynamic", "type=\"planar\"", "type=\"dynamic\"", 2, "write planar in a scene of"},
        BadScene{"Damper", "<force name=\"push\"", "<damper name=\"push\"", 7,
                 "write <spring stiffness=\"0\""},
        BadScene{"GravityInSpace", "</scene>", "<gravity acceleration=\"0 0 -9.81\"/></scene>", 9,
                 "has 3 values and needs 2, x and y, because the scene has dimension 2"},
        BadScene{"TwoNamesAlike", "name=\"push\"", "name=\"rod\"", 7,
                 "two elements have the name 'rod', the other on line 2"},
        BadScene{"ReservedName", "name=\"push\"", "name=\"time\"", 7, "reserved"},
        BadScene{"NotAName", "name=\"push\"", "name=\"2 push\"", 7, "is not a name"},
        BadScene{"UnknownPoint", "point=\"rod.tip\" mu", "point=\"rod.tp\" mu", 6,
                 "'rod.tp', which does not exist; did you mean 'rod.tip'?"},
        BadScene{"UnknownType", "type=\"planar\"", "type=\"plannar\"", 2, "did you mean 'planar'?"},
        BadScene{"WrongCount", "value=\"1 2\"", "value=\"1 2 3\"", 7, "has 3 values and needs 2"},
        BadScene{"NoInertia", "<rod half_length=\"3\"/>", "", 2,
                 "needs the attribute 'inertia', a <rod> or a shape"},
        BadScene{"TwoRods", "<rod half_length=\"3\"/>", "<rod half_length=\"3\"/><rod half_length=\"3\"/>", 3,
                 "stands twice"},
        BadScene{"PlanarInSpace", "name=\"demo\"", "name=\"demo\" dimension=\"3\"", 2,
                 "is planar, and the scene has dimension 3"},
        BadScene{"NotXml", "</scene>", "</scne>", 9, "scne"},
        BadScene{"WrongRoot", "<scene name=\"demo\">", "<scene name=\"demo\"><body/>", 1,
                 "<body> needs the attribute 'name'"},
        BadScene{"TorqueOnPoint", "body=\"rod\"", "body=\"rod.tip\"", 8, "not a planar or rigid body"},
        BadScene{"PointTwice", "<point name=\"tip\" fraction=\"-1\"/>",
                 "<point name=\"tip\" fraction=\"-1\" position=\"0 0\"/>", 4, "either 'position' or"}),
    [](auto const& test) { return test.param.what; });

TEST(Scene, RefusesASliderThatNeverMeetsTheGround) {
  try {
    compile(R"(<scene name="s"><body name="b" type="slider" mass="1"/>
<contact name="c" point="b"/></scene>)");
    FAIL();
  } catch (SceneError const& error) {
    EXPECT_EQ(error.line(), 2);
    EXPECT_NE(std::string(error.what()).find("never meets it"), std::string::npos) << error.what();
  }
}

TEST(Scene, RefusesAnExperimentThatEndsBeforeItStarts) {
  EXPECT_THROW(compile(replaced(good, "</scene>", "<experiment start=\"2\" stop=\"1\"/></scene>")),
               SceneError);
  EXPECT_THROW(compile(replaced(good, "</scene>", "<experiment stop=\"1\" step=\"1\"/></scene>")),
               SceneError);
}

// Whole scenes that are wrong, each with what is said about it.
struct WrongScene {
  char const* what;
  char const* text;  // line 1 is the <scene>
  int line;
  char const* message;
};

class SceneOfManyBodiesRefuses : public testing::TestWithParam<WrongScene> {};

TEST_P(SceneOfManyBodiesRefuses, WithLineReasonAndRemedy) {
  try {
    compile(GetParam().text);
    FAIL() << "accepted";
  } catch (SceneError const& error) {
    EXPECT_EQ(error.line(), GetParam().line) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scene, SceneOfManyBodiesRefuses,
    testing::Values(WrongScene{"OverlappingBodies", R"(<scene name="a" dimension="3">
<body name="p" type="rigid" density="1"><sphere radius="0.1"/></body>
<body name="q" type="rigid" density="1"><sphere radius="0.1"/><initial position="0.15 0 0"/></body>
<contact name="c" point="p" with="q"/></scene>)",
                               4, "'p.sphere' overlaps 'q.sphere' at the start by 0.05"},
                    WrongScene{"OverlapInAGroup", R"(<scene name="a" dimension="3">
<body name="p" type="rigid" density="1"><sphere radius="0.1"/><initial position="0 0 0.05"/></body>
<contacts name="c"/></scene>)",
                               3, "at the start by 0.05 m (c); at most 0.001 m"},
                    WrongScene{"ImpossibleInertia", R"(<scene name="a" dimension="3">
<body name="p" type="rigid" mass="1" inertia="1 1 3"/></scene>)",
                               2, "one that no mass distribution has"},
                    WrongScene{"NegativeInertia", R"(<scene name="a" dimension="3">
<body name="p" type="rigid" mass="1" inertia="1 1 1 2 0 0"/></scene>)",
                               2, "one that no mass distribution has"},
                    WrongScene{"JointThatDoesNotMeet", R"(<scene name="a">
<body name="p" type="planar" mass="1"><rod half_length="1"/><point name="e" fraction="1"/></body>
<body name="q" type="planar" mass="1"><rod half_length="1"/><point name="s" fraction="-1"/><initial position="2.25 0"/></body>
<joint name="j" type="revolute" a="p.e" b="q.s"/></scene>)",
                               4, "the parts of joint 'j' do not meet: at the start they are 0.25 m apart"},
                    WrongScene{"PointWithPoint", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<body name="q" type="point" mass="1"><initial position="1 0"/></body>
<contact name="c" point="p" with="q"/></scene>)",
                               4, "which is not supported"},
                    WrongScene{"PlaneOnAMovingBody", R"(<scene name="a">
<body name="p" type="planar" mass="1" inertia="1">
<plane/></body></scene>)",
                               3, "cannot be a half-space"},
                    WrongScene{"BothSidesOnOneBody", R"(<scene name="a">
<body name="p" type="planar" mass="1" inertia="1"><sphere name="s" radius="1"/><sphere name="t" radius="1"/></body>
<contact name="c" point="p.s" with="p.t"/></scene>)",
                               3, "has both ends on the same body"},
                    WrongScene{"NothingCanMove", R"(<scene name="a">
<body name="p" type="fixed"/></scene>)",
                               1, "nothing can move"},
                    WrongScene{"SeveralShapesMeant", R"(<scene name="a">
<body name="p" type="planar" mass="1" inertia="1"><sphere name="s" radius="1"/><sphere name="t" radius="1"/></body>
<contact name="c" point="p"/></scene>)",
                               3, "name the one that is meant: p.s, p.t"},
                    WrongScene{"MassAndDensity", R"(<scene name="a">
<body name="p" type="planar" mass="1" density="2"><sphere radius="1"/></body></scene>)",
                               2, "has both 'mass' and 'density'"},
                    WrongScene{"NoMass", R"(<scene name="a">
<body name="p" type="point"/></scene>)",
                               2, "needs the attribute 'mass'"},
                    WrongScene{"RigidInThePlane", R"(<scene name="a">
<body name="p" type="rigid" mass="1" inertia="1 1 1"/></scene>)",
                               2, "use dimension=\"3\""},
                    WrongScene{"NameThatFmiDoesNotPermit", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<expose variable="p.position" name="2nd position"/></scene>)",
                               3, "FMI does not permit the name '2nd position'"},
                    WrongScene{"LawWithForeignAttribute", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<contact name="c" point="p" law="kelvin_voigt" zeta="0.3"/></scene>)",
                               3, "leave out 'zeta'"},
                    WrongScene{"CompliantFrictionOnRigidContact", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<contact name="c" point="p" mu="0.3" friction="compliant"/></scene>)",
                               3, "has compliant friction and a rigid normal law"},
                    WrongScene{"LimitOfASphericalJoint", R"(<scene name="a" dimension="3">
<body name="p" type="rigid" mass="1" inertia="1 1 1"/>
<joint name="j" type="spherical" a="p" lower="1"/></scene>)",
                               3, "leave out 'lower'"},
                    WrongScene{"UnknownBodyInAGroup", R"(<scene name="a">
<body name="ball" type="planar" density="1"><sphere radius="1"/><initial position="0 1"/></body>
<contacts name="c" between="bal ground"/></scene>)",
                               3, "did you mean 'ball'?"},
                    WrongScene{"HugeLattice", R"(<scene name="a">
<body name="b" type="point" mass="1">
<lattice count="1000 1000" spacing="1 1"/></body></scene>)",
                               3, "at most 100000 are possible"},
                    WrongScene{"ContactWithALattice", R"(<scene name="a">
<body name="b" type="planar" mass="1"><sphere radius="0.1"/><initial position="0 1"/><lattice count="2 1" spacing="1 1"/></body>
<contact name="c" point="b"/></scene>)",
                               3, "the copies of its lattice are called b_1, b_2, ..."},
                    WrongScene{"BilateralBox", R"(<scene name="a">
<body name="p" type="planar" mass="1"><box half_size="0.1 0.1"/><initial position="0 0.1"/></body>
<contact name="c" point="p" law="bilateral"/></scene>)",
                               3, "possible for a point or a sphere only, not for a box"},
                    WrongScene{"LimitBeyondTheStart", R"(<scene name="a">
<body name="p" type="planar" mass="1" inertia="1"/>
<joint name="j" type="revolute" a="p" lower="0.5" upper="1"/></scene>)",
                               3, "starts beyond its lower limit 0.5"},
                    WrongScene{"LimitBeyondHalfATurnInSpace", R"(<scene name="a" dimension="3">
<body name="p" type="rigid" mass="1" inertia="1 1 1"/>
<joint name="j" type="revolute" a="p" upper="4"/></scene>)",
                               3, "measures its angle within half a turn"},
                    WrongScene{"HingeDrivingAPointMass", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<joint name="j" type="revolute" a="p" drive="motor"/></scene>)",
                               3, "which does not turn"},
                    WrongScene{"DriveWithoutAName", R"(<scene name="a">
<body name="p" type="planar" mass="1" inertia="1"/>
<joint name="j" type="revolute" a="p" drive="1 x"/></scene>)",
                               3, "drive '1 x' of <joint> is not a name"},
                    WrongScene{"DistanceOfZero", R"(<scene name="a">
<body name="p" type="point" mass="1"/><body name="q" type="point" mass="1"/>
<joint name="j" type="distance" a="p" b="q"/></scene>)",
                               3, "a distance of zero has no direction"},
                    WrongScene{"DistanceThatIsNotTheLength", R"(<scene name="a">
<body name="p" type="point" mass="1"/><body name="q" type="point" mass="1"><initial position="3 4"/></body>
<joint name="j" type="distance" a="p" b="q" length="4"/></scene>)",
                               3, "are 5 m apart at the start, and its length is 4 m"},
                    WrongScene{"DirectionThatIsTooLong", R"(<scene name="a">
<body name="p" type="planar" mass="1" inertia="1"/>
<joint name="j" type="prismatic" a="p" axis="1e200 0"/></scene>)",
                               3, "must be a direction"},
                    WrongScene{"EmptyReference", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<contact name="c" point="p" with=""/></scene>)",
                               3, "'with' is empty"},
                    WrongScene{"MassThatOverflows", R"(<scene name="a">
<body name="p" type="planar" density="1e20"><sphere radius="1e12"/></body></scene>)",
                               2, "kg and must be > 0 and <= 1e+30"},
                    WrongScene{"DensityBeyondAllMatter", R"(<scene name="a">
<body name="p" type="planar" density="1e300"><sphere radius="0.1"/></body></scene>)",
                               2, "'density' of <body> is 1e+300 and must be > 0 and <= 1e+21"},
                    WrongScene{"DeltaBelowTheRoundingOfPositions", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<contact name="c" point="p" delta="1e-300"/></scene>)",
                               3, "'delta' of <contact> is 1e-300 and must be >= 1e-09"},
                    WrongScene{"ZetaThatMeansAsMuchAsPossible", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<contact name="c" point="p" zeta="1e300"/></scene>)",
                               3, "'zeta' of <contact> is 1e+300 and must be >= 0 and <= 1e+06"},
                    WrongScene{"FrictionThatMeansAsMuchAsPossible", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<contact name="c" point="p" mu="1e300"/></scene>)",
                               3, "'mu' of <contact> is 1e+300 and must be >= 0 and <= 1e+06"},
                    WrongScene{"StartBeyondAllClocks", R"(<scene name="a">
<body name="p" type="point" mass="1"/>
<experiment start="1e21" stop="2e21" step="1e19"/></scene>)",
                               3, "'start' of <experiment> is 1e+21 and must be >= -1e+12 and <= 1e+12"},
                    WrongScene{"BilateralContactThatIsOpen", R"(<scene name="a">
<body name="p" type="point" mass="1"><initial position="0 0.5"/></body>
<contact name="c" point="p" law="bilateral"/></scene>)",
                               3, "do not meet: at the start the gap is 0.5 m"}),
    [](auto const& test) { return std::string(test.param.what); });

TEST(Scene, TakesMassCentreAndInertiaFromShapesAndDensity) {
  // A dumbbell of two balls of 0.1 m at -0.5 and 0.5, and a ball alone.
  Scene const scene = compile(R"(<scene name="a" dimension="3">
<body name="bell" type="rigid" density="3000"><sphere name="l" radius="0.1" position="0 0 0"/><sphere name="r" radius="0.1" position="1 0 0"/></body>
<body name="brick" type="rigid" mass="6"><box half_size="0.1 0.2 0.3"/></body></scene>)");
  auto const values = scene.default_parameters();
  auto const value = [&](std::string const& name, int k = 0) {
    return values[static_cast<std::size_t>(parameter(scene, name).first + k)];
  };
  double const ball = 3000 * 4.0 / 3 * M_PI * 1e-3;
  EXPECT_NEAR(value("bell.mass"), 2 * ball, 1e-12);
  EXPECT_NEAR(value("bell.center_of_mass"), 0.5, 1e-15);
  EXPECT_NEAR(value("bell.inertia", 0), 2 * 0.4 * ball * 0.01, 1e-12);
  EXPECT_NEAR(value("bell.inertia", 1), 2 * (0.4 * ball * 0.01 + ball * 0.25), 1e-12);
  EXPECT_NEAR(value("brick.inertia", 0), 6.0 / 3 * (0.04 + 0.09), 1e-14);
  EXPECT_NEAR(value("brick.inertia", 2), 6.0 / 3 * (0.01 + 0.04), 1e-14);
}

// The moments of a capsule, added up from many thin discs and thin strips.
TEST(Scene, TakesTheInertiaOfACapsuleFromItsShape) {
  double const r = 0.1, l = 0.3;
  double volume = 0, along = 0, across = 0, area = 0, polar = 0;
  int const slices = 200'000;
  for (int i = 0; i < slices; ++i) {
    double const h = 2 * (l + r) / slices, x = -(l + r) + (i + 0.5) * h;
    double const beyond = std::max(0.0, std::abs(x) - l), radius = std::sqrt(r * r - beyond * beyond);
    double const disc = M_PI * radius * radius * h;
    volume += disc;
    along += disc * radius * radius / 2;
    across += disc * (radius * radius / 4 + x * x);
    area += 2 * radius * h;
    polar += 2 * radius * h * (radius * radius / 3 + x * x);
  }
  Scene const space = compile(R"(<scene name="a" dimension="3">
<body name="b" type="rigid" density="1"><capsule radius="0.1" half_length="0.3"/></body></scene>)");
  auto const v3 = space.default_parameters();
  auto const at = [&](Scene const& scene, std::vector<double> const& values, std::string const& name,
                      int k = 0) {
    return values[static_cast<std::size_t>(parameter(scene, name).first + k)];
  };
  EXPECT_NEAR(at(space, v3, "b.mass"), volume, 1e-8 * volume);
  EXPECT_NEAR(at(space, v3, "b.inertia", 0), along, 1e-6 * along);
  EXPECT_NEAR(at(space, v3, "b.inertia", 1), across, 1e-6 * across);
  Scene const plane = compile(R"(<scene name="a">
<body name="b" type="planar" density="1"><capsule radius="0.1" half_length="0.3"/></body></scene>)");
  auto const v2 = plane.default_parameters();
  EXPECT_NEAR(at(plane, v2, "b.mass"), area, 1e-6 * area);
  EXPECT_NEAR(at(plane, v2, "b.inertia"), polar, 1e-5 * polar);
}

TEST(Scene, CopiesABodyOnALattice) {
  Scene const scene =
      compile(R"(<scene name="a"><body name="b" type="point" mass="1"><initial position="1 2"/>
<lattice count="2 2" spacing="0.5 0.25" shift="0.1 0"/></body></scene>)");
  ASSERT_EQ(scene.bodies.size(), 4U);
  EXPECT_EQ(parameter(scene, "b_4.initial.position").values, (std::vector<double>{1.6, 2.25}));
  EXPECT_EQ(scene.velocity_size, 8);
}

TEST(Vocabulary, HasAnExampleForEveryElementThatUsesOnlyKnownWords) {
  for (Element const& element : vocabulary()) {
    auto const source = read_scene_source(std::string(element.example), "example");
    EXPECT_EQ(source.root.name, element.name);
    EXPECT_FALSE(element.description.empty());
    for (SourceAttribute const& attribute : source.root.attributes) {
      EXPECT_TRUE(find_attribute(element, attribute.name)) << element.name << " " << attribute.name;
    }
  }
}

TEST(Vocabulary, SuggestsTheNearestWordAndNoneForNonsense) {
  std::vector<std::string_view> const known{"mass", "inertia", "mu"};
  EXPECT_EQ(did_you_mean("mas", known), "mass");
  EXPECT_EQ(did_you_mean("intertia", known), "inertia");
  EXPECT_FALSE(did_you_mean("velocity", known));
}

// ---- What compiles, but is hardly meant.

std::vector<std::string> notes_of(std::string const& text) {
  SceneSource const source = read_scene_source(text, "demo.xml");
  return scene_notes(source, compile_scene(source));
}

TEST(SceneNotes, TellDegreesThatWereTakenForRadians) {
  auto const notes = [](std::string const& initial) {
    return notes_of(replaced(good, "</body>", "<initial position=\"0 9\" " + initial + "/>\n</body>"));
  };
  ASSERT_EQ(notes("angle=\"30\"").size(), 1U);
  EXPECT_EQ(notes("angle=\"30\"")[0],
            "demo.xml:5: attribute 'angle' of <initial>: it is in radians, and 30 rad are 1718.9 degrees; if "
            "degrees are meant, write 30deg");
  // A full turn is one; more may be written in degrees, and an angular velocity may be any.
  EXPECT_TRUE(notes("angle=\"6.283185307179586\"").empty());
  EXPECT_TRUE(notes("angle=\"720deg\" angular_velocity=\"30\"").empty());
  // A limit of a turning joint is an angle, that of a sliding one a length.
  std::string const joint = "<joint name=\"j\" type=\"revolute\" a=\"rod\" upper=\"90\"/></scene>";
  ASSERT_EQ(notes_of(replaced(good, "</scene>", joint)).size(), 1U);
  EXPECT_NE(notes_of(replaced(good, "</scene>", joint))[0].find("write 90deg"), std::string::npos);
  EXPECT_TRUE(notes_of(replaced(good, "</scene>", replaced(joint, "revolute", "prismatic"))).empty());
  EXPECT_NE(
      doubt_about_angle("0 0 90").find("a turn by 5156.6 degrees; if degrees are meant, write \"0 0 90deg\""),
      std::string::npos);
  EXPECT_EQ(doubt_about_angle("3 3 3"), "");
}

// Line 3 is a ball, line 4 a second one.
std::string scene_of_balls(std::string const& rest, std::string const& gravity = "0 -9.81") {
  return "<scene name=\"s\">\n<gravity acceleration=\"" + gravity + R"("/>
<body name="ball" type="planar" mass="1"><sphere radius="0.1"/><initial position="0 1"/></body>
<body name="other" type="planar" mass="1"><sphere radius="0.1"/><initial position="1 1"/></body>
)" + rest +
         "</scene>";
}

TEST(SceneNotes, TellABodyThatFallsThroughEverything) {
  std::string const contact = R"(<contact name="c" point="other"/>)";
  auto const notes = notes_of(scene_of_balls(contact));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].starts_with("demo.xml:3: body 'ball' has weight and a shape, but no <contact>"))
      << notes[0];
  EXPECT_NE(notes[0].find(R"(<contact name="ball_ground" point="ball"/>)"), std::string::npos);
  EXPECT_EQ(notes_of(scene_of_balls("")).size(), 2U);
  // A group, a joint or a spring reaches it; without weight or shape it does not fall, or touches nothing.
  EXPECT_TRUE(notes_of(scene_of_balls(R"(<contacts name="all"/>)")).empty());
  EXPECT_TRUE(notes_of(scene_of_balls(contact + R"(<joint name="j" type="revolute" a="ball"/>)")).empty());
  EXPECT_TRUE(
      notes_of(scene_of_balls(contact + R"(<spring name="k" a="ball" b="ground" stiffness="1"/>)")).empty());
  EXPECT_TRUE(notes_of(scene_of_balls("", "0 0")).empty());
  EXPECT_TRUE(notes_of(R"(<scene name="s"><gravity acceleration="0 -9.81"/>
<body name="stone" type="point" mass="1"/></scene>)")
                  .empty());
}

TEST(SceneNotes, TellOfBodiesThatTouchOnlyEachOther) {
  auto const notes = notes_of(scene_of_balls(R"(<contacts name="both" between="ball other"/>)"));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].starts_with("demo.xml:5: nothing holds the bodies of 'both' against gravity"))
      << notes[0];
  EXPECT_NE(notes[0].find(R"(between="... ground")"), std::string::npos);
  EXPECT_EQ(notes_of(scene_of_balls(R"(<contact name="c" point="ball" with="other"/>)")).size(), 1U);
  // What is held by one of them, or by a joint, does not fall.
  std::string const held = R"(<contact name="c" point="ball" with="other"/>)";
  EXPECT_TRUE(notes_of(scene_of_balls(held + R"(<contact name="g" point="other"/>)")).empty());
  EXPECT_TRUE(notes_of(scene_of_balls(held + R"(<joint name="j" type="revolute" a="ball"/>)")).empty());
  EXPECT_TRUE(notes_of(scene_of_balls(R"(<contacts name="both" between="ball other ground"/>)")).empty());
  EXPECT_TRUE(notes_of(scene_of_balls(held, "0 0")).empty());
}

TEST(SceneNotes, TellOfFrictionThatIsLessAtRest) {
  auto const notes = notes_of(scene_of_balls(R"(<contacts name="all" mu="0.5" mu_static="0.2"/>)"));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("mu_static=\"0.2\" is less than mu=\"0.5\""), std::string::npos) << notes[0];
  EXPECT_TRUE(notes_of(scene_of_balls(R"(<contacts name="all" mu="0.2" mu_static="0.5"/>)")).empty());
}

TEST(SceneNotes, TellOfAttributesThatTheStepperDoesNotKnow) {
  auto const notes_with = [](std::string const& solver) {
    return notes_of(scene_of_balls("<contacts name=\"all\"/><solver " + solver + "/>"));
  };
  ASSERT_EQ(notes_with("stepper=\"nonsmooth\" tolerance=\"1e-6\"").size(), 1U);
  EXPECT_NE(notes_with("stepper=\"nonsmooth\" tolerance=\"1e-6\"")[0].find(
                "the stepper of this scene is nonsmooth"),
            std::string::npos);
  EXPECT_EQ(notes_with("stepper=\"relaxed\" step=\"1e-4\"").size(), 1U);
  EXPECT_TRUE(notes_with("step=\"1e-4\"").empty());
  EXPECT_TRUE(notes_with("tolerance=\"1e-9\"").empty());
  EXPECT_TRUE(notes_with("stepper=\"nonsmooth_adaptive\" tolerance=\"1e-9\" step=\"1e-3\"").empty());
}

// Which group has the law of the pair of balls, shapes 0 and 1, and which one that of the ground, -1.
TEST(PairsOfShapes, HaveOneLaw) {
  auto const laws = [](std::string const& contacts) {
    Scene const scene = compile_scene(read_scene_source(scene_of_balls(contacts), "demo.xml"));
    std::string text;
    for (auto const& [a, b] : {std::pair{0, 1}, {-1, 0}, {1, -1}}) {
      for (ContactGroup const& group : scene.groups) {
        if (group.holds(a) && group.holds(b) && scene.has_law_of(group, a, b)) text += group.name + " ";
      }
      text += "| ";
    }
    return text;
  };
  EXPECT_EQ(laws(R"(<contacts name="all"/>)"), "all | all | all | ");
  EXPECT_EQ(laws(R"(<contacts name="all"/><contact name="c" point="ball"/>)"), "all | | all | ");
  EXPECT_EQ(laws(R"(<contact name="c" point="other" with="ball"/><contacts name="all"/>)"), "| all | all | ");
  EXPECT_EQ(laws(R"(<contacts name="all"/><contacts name="balls" between="ball other"/>)"),
            "balls | all | all | ");
  EXPECT_EQ(laws(R"(<contacts name="one"/><contacts name="two"/>)"), "one | one | one | ");
  // Another plane: a step above the ground.
  EXPECT_EQ(laws(R"(<contacts name="all"/><contact name="c" point="ball" height="0.2"/>)"),
            "all | all | all | ");
  // Who draws the ground means it instead of the one that every scene has.
  std::string const floor = R"(<body name="floor" type="fixed"><plane/></body>)";
  EXPECT_EQ(laws(floor + R"(<contacts name="all"/>)"), "all | | | ");
  EXPECT_EQ(laws(floor + R"(<contacts name="all" between="* ground"/>)"), "all | all | all | ");
  EXPECT_EQ(laws(R"(<body name="floor" type="fixed"><plane position="0 -1"/></body><contacts name="all"/>)"),
            "all | all | all | ");
}

TEST(PairsOfShapes, AreNotDeclaredTwice) {
  for (std::string const second : {R"(<contact name="d" point="ball" mu="0.9"/>)",
                                   R"(<contact name="d" point="ground" with="ball"/>)"}) {
    try {
      compile_scene(
          read_scene_source(scene_of_balls(R"(<contact name="c" point="ball"/>)" + second), "demo.xml"));
      ADD_FAILURE() << second;
    } catch (SceneError const& error) {
      EXPECT_NE(std::string(error.what()).find("as contact 'c' is: their forces would add up"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(SceneNotes, TellOfASceneWithContactsInWhichNothingCanMove) {
  std::string const still =
      replaced(scene_of_balls(R"(<contacts name="all"/>)"), "<gravity acceleration=\"0 -9.81\"/>\n", "");
  auto const notes = notes_of(still);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].starts_with("demo.xml:1: the scene has contacts, but no <gravity>")) << notes[0];
  EXPECT_TRUE(notes_of(replaced(still, "\"0 1\"", "\"0 1\" velocity=\"1 0\"")).empty());
  EXPECT_TRUE(notes_of(replaced(still, "</scene>", "<force name=\"f\" point=\"ball\"/></scene>")).empty());
  EXPECT_TRUE(notes_of(scene_of_balls(R"(<contacts name="all"/>)", "0 0")).empty());
}

TEST(SceneNotes, TellOfGravityThatDoesNotPressToTheGround) {
  std::string const group = R"(<contacts name="all"/>)";
  auto const notes = notes_of(scene_of_balls(group, "0 9.81"));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(
      notes[0],
      "demo.xml:2: gravity does not press anything to the ground, whose normal is y: down is \"0 -9.81\"");
  EXPECT_EQ(notes_of(scene_of_balls(group, "9.81 0")).size(), 1U);
  EXPECT_TRUE(notes_of(scene_of_balls(group, "5 -8")).empty());
  EXPECT_TRUE(notes_of(scene_of_balls(R"(<contacts name="balls" between="ball other"/>)", "0 9.81")).empty());
}

TEST(SceneNotes, TellOfAContactWithTheMiddleOfARod) {
  auto const notes = notes_of(replaced(good, "point=\"rod.tip\" mu", "point=\"rod\" mu"));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("demo.xml:6: contact 'tip_ground' is with the middle of the rod 'rod' only"),
            std::string::npos)
      << notes[0];
}

TEST(SceneNotes, TellOfBodiesThatTouchWithoutAContact) {
  auto const notes = [](std::string const& rest) {
    return notes_of(
        "<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/>\n"
        "<body name=\"low\" type=\"planar\" mass=\"1\"><box half_size=\"0.1 0.1\"/><initial position=\"0 "
        "0.1\"/></body>\n"
        "<body name=\"top\" type=\"planar\" mass=\"1\"><box half_size=\"0.1 0.1\"/><initial position=\"0 "
        "0.3\"/></body>\n" +
        rest + "</scene>");
  };
  auto const alone = notes("<contact name=\"cl\" point=\"low\"/><contact name=\"ct\" point=\"top\"/>");
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(
      alone[0],
      "demo.xml:2: 'low' and 'top' touch at the start, but no contact is between them: they go through each "
      "other; write <contacts name=\"low_top\" between=\"low top\"/>");
  EXPECT_TRUE(notes("<contacts name=\"c\" between=\"low top ground\"/>").empty());
  EXPECT_TRUE(notes("<contact name=\"cl\" point=\"low\"/><contact name=\"ct\" point=\"top\"/><contact "
                    "name=\"c\" point=\"top\" with=\"low\"/>")
                  .empty());
  EXPECT_TRUE(
      notes("<contact name=\"cl\" point=\"low\"/><joint name=\"j\" type=\"fixed\" a=\"low\" b=\"top\"/>")
          .empty());
  auto const table = notes_of(
      "<scene name=\"s\"><gravity acceleration=\"0 -9.81\"/><body name=\"table\" type=\"fixed\"><box "
      "half_size=\"1 "
      "0.1\"/><initial position=\"0 0.5\"/></body><body name=\"box\" type=\"planar\" mass=\"1\"><box "
      "half_size=\"0.1 "
      "0.1\"/><initial position=\"0 0.7\"/></body><contacts name=\"c\" between=\"box ground\"/></scene>");
  ASSERT_EQ(table.size(), 1U);
  EXPECT_NE(table[0].find("'table' and 'box' touch at the start"), std::string::npos) << table[0];
}

TEST(SceneNotes, HaveNothingToSayOfTheScenesOfTheLibrary) {
  for (auto const& entry : std::filesystem::directory_iterator(DELASSUS_SCENES_DIR)) {
    if (entry.path().extension() != ".xml") continue;
    SceneSource const source = read_source_file(entry.path());
    for (auto const& note : scene_notes(source, compile_scene(source))) ADD_FAILURE() << note;
  }
}

}  // namespace
}  // namespace delassus
