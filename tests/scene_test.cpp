// The scene language: what is accepted, and what is said about what is not.
#include "model/scene.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "model/vocabulary.hpp"
#include "xml/scene_reader.hpp"

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

TEST(Scene, CalculatesTheInertiaOfARodAndZetaFromRestitution) {
  Scene const scene = compile(replaced(good, "mu=\"0.5\"", "restitution=\"0.5\""));
  auto const values = scene.default_parameters();
  EXPECT_DOUBLE_EQ(values[static_cast<std::size_t>(scene.bodies[0].inertia)], 2 * 3 * 3 / 3.0);
  EXPECT_NEAR(values[static_cast<std::size_t>(scene.contacts[0].zeta)], .255275637649, 1e-12);
}

TEST(Scene, TakesAnglesInRadiansAndInDegrees) {
  auto const angle = [](std::string const& text) {
    Scene const scene = compile(replaced(good, "</body>", "<initial angle=\"" + text + "\"/></body>"));
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
        BadScene{"NoDelta", "mu=\"0.5\"", "delta=\"0\"", 6, "'delta' of <contact> is 0 and must be > 0"},
        BadScene{"NegativeZeta", "mu=\"0.5\"", "zeta=\"-1\"", 6,
                 "'zeta' of <contact> is -1 and must be >= 0"},
        BadScene{"TooMuchRestitution", "mu=\"0.5\"", "restitution=\"1.5\"", 6, "must be > 0 and <= 1"},
        BadScene{"ZetaAndRestitution", "mu=\"0.5\"", "zeta=\"1\" restitution=\"0.5\"", 6, "write one"},
        BadScene{"NotANumber", "mass=\"2\"", "mass=\"2kg\"", 2, "'2kg', which is not a finite number"},
        BadScene{"Infinite", "mass=\"2\"", "mass=\"inf\"", 2, "'inf', which is not a finite number"},
        BadScene{"DecimalComma", "mass=\"2\"", "mass=\"2,5\"", 2, "'2,5', which is not a finite number"},
        BadScene{"TwoNamesAlike", "name=\"push\"", "name=\"rod\"", 7, "two elements have the name 'rod'"},
        BadScene{"ReservedName", "name=\"push\"", "name=\"time\"", 7, "reserved"},
        BadScene{"NotAName", "name=\"push\"", "name=\"2 push\"", 7, "is not a name"},
        BadScene{"UnknownPoint", "point=\"rod.tip\" mu", "point=\"rod.tp\" mu", 6,
                 "'rod.tp', which does not exist; did you mean 'rod.tip'?"},
        BadScene{"UnknownType", "type=\"planar\"", "type=\"plannar\"", 2, "did you mean 'planar'?"},
        BadScene{"WrongCount", "value=\"1 2\"", "value=\"1 2 3\"", 7, "has 3 values and needs 2"},
        BadScene{"NoInertia", "<rod half_length=\"3\"/>", "", 2, "needs the attribute 'inertia' or a <rod>"},
        BadScene{"TwoRods", "<rod half_length=\"3\"/>", "<rod half_length=\"3\"/><rod half_length=\"3\"/>", 3,
                 "stands twice"},
        BadScene{"PlanarInSpace", "name=\"demo\"", "name=\"demo\" dimension=\"3\"", 2,
                 "is planar, and the scene has dimension 3"},
        BadScene{"NotXml", "</scene>", "</scne>", 9, "scne"},
        BadScene{"WrongRoot", "<scene name=\"demo\">", "<scene name=\"demo\"><body/>", 1,
                 "<body> needs the attribute 'name'"},
        BadScene{"TorqueOnPoint", "body=\"rod\"", "body=\"rod.tip\"", 8, "not a planar body"},
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

TEST(Vocabulary, StandsInTheReadmeOfTheModel) {
  std::ifstream file(std::string(DELASSUS_SCENES_DIR) + "/../README.md");
  std::string const readme{std::istreambuf_iterator<char>(file), {}};
  for (Element const& element : vocabulary()) {
    auto const row = readme.find("| `" + std::string(element.name) + "` | " + std::string(element.parent));
    ASSERT_NE(row, std::string::npos) << element.name;
    std::string const line = readme.substr(row, readme.find('\n', row) - row);
    EXPECT_NE(line.find("`" + std::string(element.example) + "`"), std::string::npos) << element.name;
    for (Attribute const& attribute : element.attributes) {
      std::string const name =
          attribute.required ? "*" + std::string(attribute.name) + "*" : std::string(attribute.name);
      EXPECT_NE(line.find(name), std::string::npos) << element.name << " " << attribute.name;
    }
  }
}

TEST(Vocabulary, SuggestsTheNearestWordAndNoneForNonsense) {
  std::vector<std::string_view> const known{"mass", "inertia", "mu"};
  EXPECT_EQ(did_you_mean("mas", known), "mass");
  EXPECT_EQ(did_you_mean("intertia", known), "inertia");
  EXPECT_FALSE(did_you_mean("velocity", known));
}

}  // namespace
}  // namespace delassus
