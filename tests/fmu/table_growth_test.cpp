// Scenes of thousands of bodies: the work of reading and describing them grows with their size, and not with its square.
// What is counted are lists and their numbers; sizes are such that the square would take minutes.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fmu/content/scene_model.hpp"
#include "model/language/scene_notes.hpp"
#include "xml/fmi/table_description.hpp"
#include "xml/scene/reader.hpp"

namespace delassus::test {
namespace {

// A pile: every force depends on all bodies.
Scene pile(int layers) {
  return compile_scene(read_scene_source(
      R"(<scene name="pile" dimension="3"><gravity acceleration="0 0 -9.81"/>
<body name="ball" type="rigid" mass="1"><sphere radius="0.05"/><initial position="0 0 0.05"/>
<lattice count="10 10 )" +
          std::to_string(layers) + R"(" spacing="0.105 0.105 0.105"/></body>
<contacts name="all" mu="0.3"/></scene>)",
      "pile.xml"));
}

// A chain in the plane, with joints that derive all velocities from each other.
Scene chain(int links) {
  std::string text = R"(<scene name="chain"><gravity acceleration="0 -9.81"/>)";
  for (int i = 0; i < links; ++i) {
    std::string const n = std::to_string(i);
    text += "<body name=\"b" + n +
            "\" type=\"planar\" mass=\"1\"><rod half_length=\"0.5\"/><point name=\"s\" position=\"-0.5 0\"/>"
            "<point name=\"e\" position=\"0.5 0\"/><initial position=\"" +
            n + ".5 0\"/></body>";
    text += "<joint name=\"j" + n + "\" type=\"revolute\" a=\"b" + n + ".s\"" +
            (i > 0 ? " b=\"b" + std::to_string(i - 1) + ".e\"" : "") + "/>\n";
  }
  return compile_scene(read_scene_source(text + "</scene>", "chain.xml"));
}

DescriptionInfo info() {
  DescriptionInfo info;
  info.token = "t";
  return info;
}

// Numbers in all different lists of dependencies, for each variable.
double numbers_of(Scene const& scene) {
  SceneModel const model(scene);
  std::set<void const*> seen;
  std::size_t numbers = 0;
  auto const& variables = model.table().variables();
  for (Variable const& variable : variables) {
    for (References const* const list : {&variable.input_dependencies, &variable.parameter_dependencies,
                                         &variable.state_dependencies, &variable.initial_dependencies}) {
      if (seen.insert(list->identity()).second) numbers += list->size();
    }
  }
  return static_cast<double>(numbers) / static_cast<double>(variables.size());
}

TEST(TableGrowth, OfAPileIsThatOfItsBodies) {
  double const small = numbers_of(pile(2)), large = numbers_of(pile(8));
  EXPECT_LT(large, 1.1 * small);
  EXPECT_LT(large, 20);
}

TEST(TableGrowth, OfAChainIsThatOfItsLinks) {
  double const small = numbers_of(chain(100)), large = numbers_of(chain(400));
  EXPECT_LT(large, 1.1 * small);
  EXPECT_LT(large, 30);
}

TEST(TableGrowth, OfTheDescriptionOfAPileIsThatOfItsBodies) {
  auto const names_of = [](Scene const& scene, int version) {
    SceneModel const model(scene);
    ModelDescription const description = describe(model.table(), version, info());
    std::size_t names = 0;
    for (DescribedUnknown const& unknown : description.model_structure)
      names += unknown.dependencies ? unknown.dependencies->size() : 1;
    return static_cast<double>(names) / static_cast<double>(description.model_structure.size());
  };
  for (int const version : {2, 3}) EXPECT_LT(names_of(pile(8), version), 1.1 * names_of(pile(4), version));
}

// A list that is left out stands for all knowns. Where a known input is not in it, an importer would see a direct feedthrough
// that is none.
TEST(TableGrowth, LeavesOutNoListThatKeepsAnInputApart) {
  Scene scene = compile_scene(read_scene_source(
      R"(<scene name="two" dimension="3"><gravity acceleration="0 0 -9.81"/>
<body name="ball" type="rigid" mass="1"><sphere radius="0.05"/><initial position="0 0 0.05"/>
<lattice count="10 10 2" spacing="0.105 0.105 0.105"/></body><contacts name="all" between="ball_* ground"/>
<body name="apart" type="point" mass="1"/><force name="push" point="apart"/></scene>)",
      "two.xml"));
  SceneModel const model(scene);
  for (int const version : {2, 3}) {
    for (DescribedUnknown const& unknown : describe(model.table(), version, info()).model_structure)
      ASSERT_TRUE(unknown.dependencies.has_value()) << unknown.list << " " << unknown.reference;
  }
}

std::string text_of(int bodies) {
  std::string text =
      R"(<scene name="many" dimension="3"><gravity acceleration="0 0 -9.81"/><interface states="no"/>)";
  for (int i = 0; i < bodies; ++i) {
    std::string const n = std::to_string(i);
    text += "<body name=\"b" + n +
            "\" type=\"rigid\" mass=\"1\"><sphere name=\"s\" radius=\"0.1\"/>"
            "<initial position=\"" +
            n + " 0 0.1\"/></body><contact name=\"c" + n + "\" point=\"b" + n +
            ".s\" law=\"hunt_crossley\"/><force name=\"f" + n + "\" point=\"b" + n +
            "\"/><expose variable=\"b" + n + ".mass\" as=\"hidden\"/>\n";
  }
  return text + "</scene>";
}

// Elements that refer to elements, each by name; notes on them as well. It was quadratic in a dozen places.
TEST(SceneGrowth, ReadsTwentyThousandBodiesWithContactsForcesAndNames) {
  constexpr int bodies = 20'000;
  SceneSource const source = read_scene_source(text_of(bodies), "many.xml");
  Scene const scene = compile_scene(source);
  EXPECT_EQ(scene.contacts.size(), static_cast<std::size_t>(bodies));
  EXPECT_TRUE(scene_notes(source, scene).empty());
  // Clusters of their own, whose dependencies are found in one pass, and rules of <expose> for each.
  SceneModel const model(compile_scene(read_scene_source(text_of(bodies / 4), "many.xml")));
  EXPECT_GT(model.table().variables().size(), static_cast<std::size_t>(10 * bodies / 4));
}

TEST(SceneGrowth, RefusesAnElementOfTwoHundredThousandAttributes) {
  std::string text = "<scene name=\"a\">\n<body name=\"b\"";
  for (int i = 0; i < 200'000; ++i) text += " a" + std::to_string(i) + "=\"1\"";
  try {
    read_scene_source(text + "/></scene>", "wide.xml");
    FAIL();
  } catch (SceneError const& error) {
    EXPECT_EQ(std::string(error.what()).find("wide.xml:2: an element has more than 1000 attributes"), 0U)
        << error.what();
  }
}

// What looks like many attributes and is none.
TEST(SceneGrowth, CountsNoAttributesInRemarks) {
  std::string remark = "<!-- <body";
  for (int i = 0; i < 2000; ++i) remark += " a=\"1\"";
  std::string const text =
      "<scene name=\"a\">" + remark + " -->" + "<body name=\"b\" type=\"point\" mass=\"1\"/></scene>";
  EXPECT_EQ(read_scene_source(text, "remark.xml").root.children.size(), 1U);
}

}  // namespace
}  // namespace delassus::test
