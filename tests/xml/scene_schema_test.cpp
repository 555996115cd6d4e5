// The XSD of the scene language in the repository is the vocabulary's, and accepts what the reader accepts.
#include "xml/scene/vocabulary_schema.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model/language/vocabulary.hpp"
#include "xml/scene/reader.hpp"
#include "xml/text/schema.hpp"

namespace delassus {
namespace {

std::filesystem::path const schema_file = std::filesystem::path(DELASSUS_SCENES_DIR) / "../scene.xsd";

std::string text_of(std::filesystem::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(SceneSchema, InTheRepositoryIsTheOneThatTheVocabularyWrites) {
  EXPECT_EQ(text_of(schema_file), write_scene_schema())
      << "write it again: delassus examples --schema > model/scene.xsd";
}

TEST(SceneSchema, AcceptsEverySceneOfTheLibrary) {
  for (auto const& entry : std::filesystem::directory_iterator(DELASSUS_SCENES_DIR)) {
    auto const findings =
        validate_schema(text_of(entry.path()), entry.path().filename().string(), schema_file);
    for (Finding const& finding : findings) ADD_FAILURE() << entry.path() << ": " << finding.message;
  }
}

TEST(SceneSchema, AcceptsTheExampleOfEveryElement) {
  std::string scene, bodies;
  for (Element const& element : vocabulary()) {
    if (element.parent == "scene" && element.name != "body") scene += std::string(element.example);
    if (element.parent == "body") bodies += std::string(element.example);
  }
  std::string const text =
      "<scene name=\"all\"><body name=\"b\" type=\"planar\">" + bodies + "</body>" + scene + "</scene>";
  for (Finding const& finding : validate_schema(text, "all.xml", schema_file))
    ADD_FAILURE() << finding.message;
}

struct Wrong {
  char const* what;
  char const* text;
};
class SceneSchemaRefuses : public testing::TestWithParam<Wrong> {};
TEST_P(SceneSchemaRefuses, WhatTheReaderRefusesToo) {
  std::string const text = GetParam().text;
  EXPECT_FALSE(validate_schema(text, "wrong.xml", schema_file).empty());
  EXPECT_THROW(compile_scene(read_scene_source(text, "wrong.xml")), SceneError);
}
INSTANTIATE_TEST_SUITE_P(
    SceneSchema, SceneSchemaRefuses,
    testing::Values(
        Wrong{"UnknownElement", R"(<scene name="a"><bdy name="b" type="point" mass="1"/></scene>)"},
        Wrong{"UnknownAttribute", R"(<scene name="a"><body name="b" type="point" mas="1"/></scene>)"},
        Wrong{"MissingAttribute", R"(<scene name="a"><body type="point" mass="1"/></scene>)"},
        Wrong{"UnknownChoice", R"(<scene name="a"><body name="b" type="round" mass="1"/></scene>)"},
        Wrong{"NotANumber", R"(<scene name="a"><body name="b" type="point" mass="1kg"/></scene>)"},
        Wrong{"NotAName", R"(<scene name="a"><body name="1b" type="point" mass="1"/></scene>)"}),
    [](auto const& test) { return std::string(test.param.what); });

}  // namespace
}  // namespace delassus
