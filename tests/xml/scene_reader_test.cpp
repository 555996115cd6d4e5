// Scenes from XML text: lines are exact, and malformed or hostile text is refused at once with the line of
// the trouble.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

struct Refusal {
  int line = -1;
  std::string message;
};

Refusal refusal_of(std::string const& text) {
  try {
    read_scene_source(text, "test.xml");
  } catch (SceneError const& error) {
    return {error.line(), error.what()};
  }
  ADD_FAILURE() << "was not refused: " << text.substr(0, 200);
  return {};
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string const& text)
      : path(std::filesystem::temp_directory_path() /
             ("delassus_scene_" +
              std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + ".xml")) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;
  std::filesystem::path const path;
};

TEST(SceneText, BecomesATreeWithTheLinesOfItsElements) {
  auto const source = read_scene_source(
      "<?xml version=\"1.0\"?>\n"
      "<!-- a remark\n over two lines -->\n"
      "<scene name=\"a\">\n"
      "  <body name=\"b\"\n"
      "        mass=\"1\">\n"
      "    <initial position=\"0 1\"/> <!-- another -->\n"
      "  </body>\n"
      "\n"
      "  <contact point=\"b\"/>\n"
      "</scene>\n",
      "test.xml");
  EXPECT_EQ(source.file, "test.xml");
  EXPECT_EQ(source.root.name, "scene");
  EXPECT_EQ(source.root.line, 4);
  ASSERT_EQ(source.root.children.size(), 2u);
  auto const& body = source.root.children[0];
  EXPECT_EQ(body.line, 5) << "the line of a tag is the one that it begins on";
  ASSERT_EQ(body.attributes.size(), 2u);
  EXPECT_EQ(body.attributes[0].name, "name");
  EXPECT_EQ(body.attributes[1].name, "mass");
  EXPECT_EQ(body.attributes[1].value, "1");
  ASSERT_EQ(body.children.size(), 1u);
  EXPECT_EQ(body.children[0].line, 7);
  EXPECT_EQ(source.root.children[1].line, 10);
}

TEST(SceneText, KeepsExactLinesBeyondTheSixteenBitsOfLibxml) {
  auto const source =
      read_scene_source("<scene>" + std::string(70'000, '\n') + "<body\nname=\"b\"/></scene>", "long.xml");
  ASSERT_EQ(source.root.children.size(), 1u);
  EXPECT_EQ(source.root.children[0].line, 70'001);
}

TEST(SceneText, HasItsCharactersUnescaped) {
  auto const source =
      read_scene_source("<scene description=\"&lt;a&gt; &amp; &quot;b&quot; &#246; \xc3\xb6\"/>", "test.xml");
  EXPECT_EQ(source.root.attributes.at(0).value, "<a> & \"b\" \xc3\xb6 \xc3\xb6");
}

TEST(SceneText, MayBeginWithAByteOrderMarkAndUseOtherEncodings) {
  EXPECT_EQ(read_scene_source("\xef\xbb\xbf<scene/>", "test.xml").root.name, "scene");
  auto const latin = read_scene_source(
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<scene name=\"\xf6\"/>", "test.xml");
  EXPECT_EQ(latin.root.attributes.at(0).value, "\xc3\xb6");
  EXPECT_EQ(latin.root.line, 2);
}

TEST(MalformedSceneText, IsRefusedWithFileLineAndReason) {
  auto const mismatch = refusal_of("<scene>\n  <body>\n</scene>\n");
  EXPECT_EQ(mismatch.line, 3);
  EXPECT_TRUE(contains(mismatch.message, "test.xml:3: ")) << mismatch.message;
  EXPECT_TRUE(contains(mismatch.message, "mismatch")) << mismatch.message;
  EXPECT_FALSE(contains(mismatch.message, "\n")) << mismatch.message;

  EXPECT_EQ(refusal_of("<scene>\n<body name=b/>\n</scene>").line, 2);
  EXPECT_TRUE(contains(refusal_of("<scene>\n<body mass=1/>\n</scene>").message, "in quotation marks"));
  EXPECT_TRUE(contains(refusal_of("<scene description=\"a & b\"/>").message, "write &amp; for a single &"));
  EXPECT_EQ(refusal_of("<scene>\n<body name=\"a\" name=\"b\"/>\n</scene>").line, 2);
  EXPECT_EQ(refusal_of("<scene/>\n<scene/>").line, 2);
  EXPECT_EQ(refusal_of("<scene>\n").line, 2);
  EXPECT_EQ(refusal_of("no XML at all").line, 1);
  EXPECT_TRUE(contains(refusal_of("").message, "empty"));
  EXPECT_GE(refusal_of(std::string("<scene>\0</scene>", 16)).line, 1);
  EXPECT_EQ(refusal_of("<scene>\n\xff\xfe</scene>").line, 2);
}

TEST(TextBetweenElements, IsRefusedWithItsLine) {
  auto const refusal = refusal_of("<scene>\n  <body/>\n  mass = 1\n  <body/>\n</scene>");
  EXPECT_EQ(refusal.line, 3);
  EXPECT_TRUE(contains(refusal.message, "mass = 1")) << refusal.message;
  EXPECT_TRUE(contains(refusal.message, "attribute")) << refusal.message;
  EXPECT_EQ(refusal_of("<scene>\n<![CDATA[x]]></scene>").line, 2);
  EXPECT_EQ(refusal_of("<scene>\n&#65;</scene>").line, 2);
}

TEST(DocumentTypes, AreRefusedWithTheirLine) {
  auto const refusal = refusal_of("<?xml version=\"1.0\"?>\n<!DOCTYPE scene>\n<scene/>");
  EXPECT_EQ(refusal.line, 2);
  EXPECT_TRUE(contains(refusal.message, "DOCTYPE")) << refusal.message;
}

TEST(DocumentTypes, AreRefusedBeforeTheirEntitiesAreExpanded) {
  std::string laughs = "<!DOCTYPE scene [\n<!ENTITY a0 \"ha\">\n";
  for (int i = 1; i < 40; ++i) {
    auto const before = "&a" + std::to_string(i - 1) + ";";
    laughs += "<!ENTITY a" + std::to_string(i) + " \"";
    for (int repeat = 0; repeat < 10; ++repeat) laughs += before;
    laughs += "\">\n";
  }
  auto const begin = std::chrono::steady_clock::now();
  auto const refusal = refusal_of(laughs + "]>\n<scene name=\"&a39;\">&a39;</scene>");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_EQ(refusal.line, 1);
  EXPECT_TRUE(contains(refusal.message, "DOCTYPE")) << refusal.message;
}

TEST(Entities, ThatReadOtherFilesAreRefused) {
  auto const refusal = refusal_of(
      "<!DOCTYPE scene [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><scene name=\"n\">&x;</scene>");
  EXPECT_TRUE(contains(refusal.message, "DOCTYPE")) << refusal.message;
  EXPECT_TRUE(contains(refusal_of("<scene name=\"&unknown;\"/>").message, "unknown"));
}

TEST(SceneLimits, StopTextThatIsTooLargeTooDeepOrTooMany) {
  EXPECT_TRUE(
      contains(refusal_of("<scene>" + std::string((16u << 20) + 1, ' ') + "</scene>").message, "bytes"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<a>\n";
  EXPECT_EQ(refusal_of(deep).line, 33);
  std::string many = "<scene>";
  for (int i = 0; i < 600'000; ++i) many += "<a/>";
  EXPECT_TRUE(contains(refusal_of(many + "</scene>").message, "500000 elements"));
}

TEST(SceneReader, LeavesNothingBehindAfterAFailure) {
  refusal_of("<scene>");
  EXPECT_EQ(read_scene_source("<scene/>", "test.xml").root.name, "scene");
}

TEST(SceneFile, MayNameItsSchemaForAnEditor) {
  std::string const schema =
      " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:noNamespaceSchemaLocation='scene.xsd'";
  auto const scene = [&](std::string const& of_scene, std::string const& of_body) {
    return read_scene_source("<scene name='s'" + of_scene +
                                 "><body name='b' type='planar' mass='1' inertia='1'" + of_body +
                                 "/></scene>",
                             "s.xml");
  };
  EXPECT_EQ(compile_scene(scene(schema, "")).bodies.size(), 1u);
  EXPECT_THROW(compile_scene(scene("", schema)), SceneError);
}

TEST(SceneFile, ThatIsMissingOrAFolderIsRefusedByName) {
  try {
    read_scene_file("/nowhere/scene.xml");
    FAIL();
  } catch (SceneError const& error) {
    EXPECT_TRUE(contains(error.what(), "/nowhere/scene.xml")) << error.what();
    EXPECT_TRUE(contains(error.what(), "cannot be opened")) << error.what();
  }
  EXPECT_THROW(read_scene_file(std::filesystem::temp_directory_path()), SceneError);
}

TEST(SceneFile, ReportsWhatTheCompilerRefusesWithTheLineOfTheText) {
  TemporaryFile const file("<scene name=\"a\">\n  <nonsense/>\n</scene>\n");
  try {
    read_scene_file(file.path);
    FAIL();
  } catch (SceneError const& error) {
    EXPECT_EQ(error.line(), 2) << error.what();
    EXPECT_TRUE(contains(error.what(), "nonsense")) << error.what();
  }
}

TEST(SceneFiles, OfTheModelCanAllBeRead) {
  int count = 0;
  for (auto const& entry : std::filesystem::directory_iterator(DELASSUS_SCENES_DIR)) {
    if (entry.path().extension() != ".xml") continue;
    ++count;
    EXPECT_NO_THROW(EXPECT_FALSE(read_scene_file(entry.path()).bodies.empty())) << entry.path();
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace delassus
