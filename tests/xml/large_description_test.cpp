// Descriptions of other tools have hundreds of thousands of variables. Reading and checking them takes seconds, and what the
// square of their number would take is hours.
#include <gtest/gtest.h>

#include <string>

#include "xml/fmi/description_reader.hpp"
#include "xml/fmi/rules.hpp"

namespace delassus::test {
namespace {

// A third each of parameters, of inputs, and of outputs that depend on one of both; types and units as well.
std::string description_of(int version, int thirds) {
  bool const old = version == 2;
  std::string text = old ? "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"many\" guid=\"many\">\n"
                         : "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"many\" "
                           "instantiationToken=\"many\">\n";
  text +=
      "<CoSimulation modelIdentifier=\"many\"/>\n<UnitDefinitions><Unit name=\"N\"><BaseUnit kg=\"1\" "
      "m=\"1\" "
      "s=\"-2\"/></Unit></UnitDefinitions>\n<ModelVariables>\n";
  if (!old) text += "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>\n";
  auto const add = [&](std::string const& name, int reference, std::string const& kind,
                       std::string const& start) {
    std::string const common =
        "name=\"" + name + "\" valueReference=\"" + std::to_string(reference) + "\" " + kind;
    text += old ? "<ScalarVariable " + common + "><Real unit=\"N\"" + start + "/></ScalarVariable>\n"
                : "<Float64 " + common + " unit=\"N\"" + start + "/>\n";
  };
  for (int i = 1; i <= thirds; ++i)
    add("block.p" + std::to_string(i), i, "causality=\"parameter\" variability=\"fixed\"", " start=\"1\"");
  for (int i = 1; i <= thirds; ++i)
    add("block.u" + std::to_string(i), thirds + i, "causality=\"input\"", " start=\"0\"");
  for (int i = 1; i <= thirds; ++i)
    add("block.y" + std::to_string(i), 2 * thirds + i, "causality=\"output\" initial=\"calculated\"", "");
  text += "</ModelVariables>\n<ModelStructure>";
  auto const list = [&](std::string const& element, bool initial) {
    for (int i = 1; i <= thirds; ++i)
      text += "<" + element + (old ? " index=\"" : " valueReference=\"") + std::to_string(2 * thirds + i) +
              "\" dependencies=\"" + (initial ? std::to_string(i) + " " : "") + std::to_string(thirds + i) +
              "\"/>\n";
  };
  if (old) text += "<Outputs>\n";
  list(old ? "Unknown" : "Output", false);
  if (old) text += "</Outputs><InitialUnknowns>\n";
  list(old ? "Unknown" : "InitialUnknown", true);
  if (old) text += "</InitialUnknowns>\n";
  return text + "</ModelStructure></fmiModelDescription>\n";
}

class LargeDescription : public testing::TestWithParam<int> {};

TEST_P(LargeDescription, IsReadAndChecked) {
  constexpr int thirds = 30'000;
  ModelDescription const description =
      read_model_description(description_of(GetParam(), thirds), "modelDescription.xml");
  EXPECT_EQ(description.variables.size(), static_cast<std::size_t>(3 * thirds + (GetParam() == 3 ? 1 : 0)));
  // Whatever is found is found in all of them alike, or once.
  std::vector<Finding> const small =
      check_description(read_model_description(description_of(GetParam(), 10), "modelDescription.xml"));
  EXPECT_EQ(check_description(description).size(), small.size());
}

INSTANTIATE_TEST_SUITE_P(OfFmi, LargeDescription, testing::Values(2, 3),
                         [](auto const& test) { return "Fmi" + std::to_string(test.param); });

}  // namespace
}  // namespace delassus::test
