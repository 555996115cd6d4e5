// The page of the language is the vocabulary's, and its examples are scenes that compile, or parts of such.
#include "xml/scene/language_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "model/language/vocabulary.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

std::filesystem::path const model_folder = std::filesystem::path(DELASSUS_SCENES_DIR) / "..";

std::string text_of(std::filesystem::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string page() {
  return text_of(model_folder / "LANGUAGE.md");
}

// The part above the reference, which is written by hand.
std::string prose() {
  return page().substr(0, page().find(language_reference_marker));
}

std::vector<std::string> xml_blocks(std::string const& text) {
  std::string const open = "```xml\n", close = "```\n";
  std::vector<std::string> blocks;
  for (std::size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
    at += open.size();
    std::size_t const end = text.find(close, at);
    blocks.push_back(text.substr(at, end - at));
    at = end;
  }
  return blocks;
}

void compile(SceneSource const& source) {
  source.root.name == "scene" ? static_cast<void>(compile_scene(source))
                              : static_cast<void>(compile_controller(source));
}

bool same_words(SourceElement const& a, SourceElement const& b) {
  auto const same = [](SourceAttribute const& x, SourceAttribute const& y) {
    return x.name == y.name && x.value == y.value;
  };
  return a.name == b.name && std::is_permutation(a.attributes.begin(), a.attributes.end(),
                                                 b.attributes.begin(), b.attributes.end(), same);
}

// Whether `wanted`, its children aside, stands in the element called `parent` somewhere under `tree`.
bool stands_in(SourceElement const& tree, std::string_view parent, SourceElement const& wanted) {
  return std::any_of(tree.children.begin(), tree.children.end(), [&](SourceElement const& child) {
    return (tree.name == parent && same_words(child, wanted)) || stands_in(child, parent, wanted);
  });
}

TEST(LanguagePage, HasTheReferenceThatTheVocabularyWrites) {
  auto const at = page().find(language_reference_marker);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(page().substr(at + language_reference_marker.size() + 1), write_language_reference())
      << "write it again: sed -i '/^<!-- Written from the vocabulary/q' model/LANGUAGE.md && delassus "
         "examples "
         "--language >> model/LANGUAGE.md";
}

TEST(LanguagePage, HasCompleteExamplesThatCompileInItsProse) {
  auto const blocks = xml_blocks(prose());
  EXPECT_GE(blocks.size(), 3U);
  for (std::string const& block : blocks)
    EXPECT_NO_THROW(compile(read_scene_source(block, "LANGUAGE.md"))) << block;
}

TEST(LanguagePage, TakesTheExampleOfEveryElementFromASceneThatCompiles) {
  for (Element const& element : vocabulary()) {
    auto const example = read_scene_source(std::string(element.example), "example").root;
    std::vector<SceneSource> sources;
    if (element.found_in.empty()) {
      for (std::string const& block : xml_blocks(prose()))
        sources.push_back(read_scene_source(block, "LANGUAGE.md"));
    } else {
      sources.push_back(read_source_file(model_folder / element.found_in));
    }
    bool const found = std::any_of(sources.begin(), sources.end(), [&](SceneSource const& source) {
      return element.parent.empty() ? same_words(source.root, example)
                                    : stands_in(source.root, element.parent, example);
    });
    EXPECT_TRUE(found) << element.example << " does not stand in " << element.found_in;
    for (SceneSource const& source : sources) EXPECT_NO_THROW(compile(source)) << element.found_in;
  }
}

TEST(LanguagePage, LinksOnlyToHeadingsAndFilesThatExist) {
  std::string const text = page();
  std::vector<std::string> anchors;
  for (std::size_t at = 0; (at = text.find("\n##", at)) != std::string::npos; ++at) {
    std::string heading = text.substr(at + 1, text.find('\n', at + 1) - at - 1), anchor;
    heading.erase(0, heading.find(' ') + 1);
    for (char const c : heading) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    EXPECT_EQ(std::count(anchors.begin(), anchors.end(), anchor), 0)
        << anchor << " is the anchor of two headings";
    anchors.push_back(anchor);
  }
  for (std::size_t at = 0; (at = text.find("](", at)) != std::string::npos; ++at) {
    std::string const target = text.substr(at + 2, text.find(')', at) - at - 2);
    if (target.starts_with('#')) {
      EXPECT_EQ(std::count(anchors.begin(), anchors.end(), target.substr(1)), 1) << target;
    } else {
      EXPECT_TRUE(std::filesystem::exists(model_folder / target)) << target;
    }
  }
}

TEST(Vocabulary, HasADefaultAmongItsChoicesForEveryChoiceThatMayBeLeftOut) {
  for (Element const& element : vocabulary()) {
    for (Attribute const& attribute : element.attributes) {
      EXPECT_FALSE(attribute.description.empty()) << element.name << " " << attribute.name;
      if (attribute.kind != AttributeKind::choice || attribute.required) continue;
      if (element.name == "expose") continue;     // left out: the variable stays as it is
      if (attribute.name == "stepper") continue;  // left out: the scene decides (tests/model/scene_test.cpp)
      auto const choices = choices_of(attribute);
      EXPECT_TRUE(std::any_of(choices.begin(), choices.end(),
                              [&](auto const& item) { return item.name == attribute.left_out; }))
          << element.name << " " << attribute.name;
    }
  }
}

}  // namespace
}  // namespace delassus
