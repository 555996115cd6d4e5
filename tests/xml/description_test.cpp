// From the variable table to the text of a modelDescription.xml and back, for both versions of FMI.
#include <gtest/gtest.h>

#include <clocale>
#include <filesystem>
#include <limits>
#include <locale>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "fmu/table/variable_table.hpp"
#include "model/equations/scene_system.hpp"
#include "xml/fmi/description_reader.hpp"
#include "xml/fmi/description_writer.hpp"
#include "xml/fmi/rules.hpp"
#include "xml/fmi/table_description.hpp"
#include "xml/scene/reader.hpp"
#include "xml/text/schema.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

DescriptionInfo const info{.token = "{0123-4567}",
                           .generation_date_and_time = "2026-01-31T12:00:00Z",
                           .generation_tool = "Delassus 0.1",
                           .version = "1.0",
                           .author = "a person",
                           .license = "BSD-2-Clause",
                           .copyright = "(C) 2026"};

std::vector<std::filesystem::path> xml_files(std::filesystem::path const& folder) {
  std::vector<std::filesystem::path> files;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  }
  return files;
}

std::vector<std::filesystem::path> scene_files() {
  return xml_files(DELASSUS_SCENES_DIR);
}

std::vector<std::filesystem::path> controller_files() {
  return xml_files(std::filesystem::path(DELASSUS_SCENES_DIR) / "../controllers");
}

// Numbers that six digits would not carry.
constexpr char const* scene_text = R"xml(
<scene name="test_scene" description="a rod &lt;on&gt; the ground &amp; more">
  <gravity acceleration="0 -9.80665"/>
  <experiment stop="0.3" step="0.1"/>
  <body name="rod" type="planar" mass="0.30000000000000004">
    <rod half_length="0.1"/>
    <point name="tip" fraction="-1"/>
    <initial point="tip" position="1e-300 123456789.12345679" velocity="-2 0" angle="1" angular_velocity="-1"/>
  </body>
  <contact name="tip_ground" point="rod.tip" mu="0.6" zeta="1" delta="1e-3"/>
  <force name="push" point="rod"/>
  <torque name="drive" body="rod"/>
</scene>)xml";

VariableTable table_of(Scene const& scene) {
  return {scene, SceneSystem(scene).mode_sources()};
}

VariableTable test_table() {
  return table_of(compile_scene(read_scene_source(scene_text, "test.xml")));
}

std::string listed(std::vector<Finding> const& findings) {
  std::string text;
  for (auto const& each : findings)
    text += each.rule + ", line " + std::to_string(each.line) + ": " + each.message + "\n";
  return text;
}

// What a file adds to a description: where things stand.
ModelDescription without_places(ModelDescription description) {
  description.file.clear();
  description.line = 0;
  description.elements.clear();
  for (auto& each : description.interfaces) each.line = 0;
  for (auto& each : description.units) each.line = 0;
  for (auto& each : description.types) {
    each.line = 0;
    for (auto& item : each.items) item.line = 0;
  }
  for (auto& each : description.log_categories) each.line = 0;
  if (description.default_experiment) description.default_experiment->line = 0;
  for (auto& each : description.variables) each.line = 0;
  for (auto& each : description.model_structure) each.line = 0;
  return description;
}

class Descriptions : public testing::TestWithParam<int> {
 protected:
  int version() const { return GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Fmi, Descriptions, testing::Values(2, 3),
                         [](auto const& each) { return "fmi" + std::to_string(each.param); });

TEST_P(Descriptions, ReadBackAsTheyWereWritten) {
  auto const description = describe(test_table(), version(), info);
  auto const text = write_model_description(description);
  auto const read = without_places(read_model_description(text, "modelDescription.xml"));
  EXPECT_EQ(read.attributes, description.attributes);
  EXPECT_EQ(read.interfaces, description.interfaces);
  EXPECT_EQ(read.units, description.units);
  EXPECT_EQ(read.types, description.types);
  EXPECT_EQ(read.default_experiment, description.default_experiment);
  ASSERT_EQ(read.variables.size(), description.variables.size());
  for (std::size_t i = 0; i < read.variables.size(); ++i) {
    EXPECT_EQ(read.variables[i], description.variables[i]) << description.variables[i].name;
  }
  EXPECT_EQ(read.model_structure, description.model_structure);
  EXPECT_EQ(read, description);
  EXPECT_EQ(write_model_description(read), text);
}

// What an engineer reads in an importer: no number of an equation, no author of a paper, no word of the inside.
void expect_plain_words(std::string const& text, std::string const& where) {
  static std::regex const number(R"(\([0-9]+[a-z]?\))");
  EXPECT_FALSE(std::regex_search(text, number)) << where << ": " << text;
  for (char const* word : {"Kikuuwe", "Brogliato", "Song", "Peiret", "Oprea", "Blumentals", "Painleve",
                           "et al", "lambda", "slave", "master", "host"})
    EXPECT_EQ(text.find(word), std::string::npos) << where << ": " << text;
}

TEST_P(Descriptions, OfAllExamplesAreInPlainWords) {
  std::vector<ModelDescription> descriptions;
  for (auto const& file : scene_files())
    descriptions.push_back(describe(table_of(read_scene_file(file)), version(), info));
  for (auto const& file : controller_files())
    descriptions.push_back(describe(VariableTable(read_controller_file(file)), version(), info));
  ASSERT_GT(descriptions.size(), 30u);
  for (auto const& description : descriptions) {
    for (auto const& each : description.variables) {
      EXPECT_FALSE(each.description.empty()) << each.name;
      expect_plain_words(each.description, each.name);
    }
    for (auto const& each : description.types) {
      expect_plain_words(each.description, each.name);
      for (auto const& item : each.items) expect_plain_words(item.description, item.name);
    }
    for (auto const& each : description.log_categories) expect_plain_words(each.description, each.name);
  }
}

TEST_P(Descriptions, OfAllScenesKeepTheRulesAndTheSchema) {
  auto const number = std::to_string(version());
  auto const schema = std::filesystem::path(DELASSUS_TEST_DATA) / "fmi-schema" / ("fmi" + number) /
                      ("fmi" + number + "ModelDescription.xsd");
  bool const has_schema = std::filesystem::exists(schema);
  auto const files = scene_files();
  ASSERT_FALSE(files.empty());
  for (auto const& file : files) {
    SCOPED_TRACE(file.string());
    auto const text = write_model_description(describe(table_of(read_scene_file(file)), version(), info));
    auto const findings = check_description(read_model_description(text, "modelDescription.xml"));
    EXPECT_TRUE(findings.empty()) << listed(findings);
    if (has_schema) {
      auto const schema_findings = validate_schema(text, "modelDescription.xml", schema);
      EXPECT_TRUE(schema_findings.empty()) << listed(schema_findings);
    }
  }
  if (!has_schema) GTEST_SKIP() << "the rules are kept; " << schema << " is not there to validate against";
}

TEST_P(Descriptions, SayTrueDependenciesOfEveryUnknown) {
  auto const description = describe(test_table(), version(), info);
  ASSERT_FALSE(description.model_structure.empty());
  bool direct_feedthrough = false, none = false;
  for (auto const& unknown : description.model_structure) {
    ASSERT_TRUE(unknown.dependencies.has_value()) << unknown.list << " " << unknown.reference;
    direct_feedthrough =
        direct_feedthrough || (unknown.list.starts_with("Output") && !unknown.dependencies->empty());
    none = none || (unknown.list.starts_with("Output") && unknown.dependencies->empty());
  }
  EXPECT_TRUE(direct_feedthrough) << "a contact force follows the input forces at once";
  EXPECT_TRUE(none) << "a position does not";
}

TEST_P(Descriptions, CarryEveryStartValueToTheBit) {
  auto const table = test_table();
  auto const text = write_model_description(describe(table, version(), info));
  std::map<std::uint32_t, double> starts;
  for (auto const& variable : read_model_description(text, "modelDescription.xml").variables) {
    std::uint32_t offset = 0;
    auto const start = variable.start.value_or("");
    for (auto const word : split_at_blanks(start)) {
      starts[variable.value_reference.value() + offset++] = parse_double(word).value();
    }
  }
  std::size_t count = 0;
  for (auto const& variable : table.variables()) {
    for (std::size_t i = 0; i < variable.start.size(); ++i, ++count) {
      auto const reference = variable.value_reference + static_cast<std::uint32_t>(i);
      ASSERT_TRUE(starts.contains(reference)) << variable.name;
      EXPECT_EQ(starts[reference], variable.start[i]) << variable.name;
    }
  }
  EXPECT_EQ(count, starts.size());
  EXPECT_NE(text.find("0.30000000000000004"), std::string::npos);
  EXPECT_NE(text.find("123456789.12345679"), std::string::npos);
}

TEST_P(Descriptions, DefineTheUnitsAndTypesThatTheyUseAndNoOther) {
  auto const description = describe(test_table(), version(), info);
  std::set<std::string> used_units, used_types, units, types;
  for (auto const& variable : description.variables) {
    if (!variable.unit.empty()) used_units.insert(variable.unit);
    if (!variable.declared_type.empty()) used_types.insert(variable.declared_type);
  }
  for (auto const& unit : description.units) units.insert(unit.name);
  for (auto const& type : description.types) types.insert(type.name);
  EXPECT_EQ(units, used_units);
  EXPECT_EQ(types, used_types);
  EXPECT_FALSE(units.contains("1")) << "a number without unit has no unit attribute";
  ASSERT_NE(description.unit("N"), nullptr);
  EXPECT_EQ(description.unit("N")->base_unit,
            (std::map<std::string, std::string>{{"kg", "1"}, {"m", "1"}, {"s", "-2"}}));
}

TEST_P(Descriptions, EscapeWhatXmlWouldMisread) {
  auto description = describe(test_table(), version(), info);
  std::string const hostile = "<a> & \"b\" 'c' ]]> \xc3\xb6 \xf0\x9f\x98\x80 &amp;";
  for (auto& variable : description.variables) variable.description = hostile;
  description.variables.at(1).name = "'" + hostile + "'";
  description.attributes["author"] = hostile + "\nsecond line";
  auto const read = without_places(read_model_description(write_model_description(description), "x.xml"));
  EXPECT_EQ(read, description);
}

TEST_P(Descriptions, RefuseToWriteWhatXmlCannotCarry) {
  auto description = describe(test_table(), version(), info);
  for (auto const& text : {std::string("bell \a"), std::string("nul \0 inside", 12), std::string("\xff")}) {
    description.attributes["author"] = text;
    EXPECT_THROW(write_model_description(description), std::invalid_argument);
  }
}

// A locale whose numbers have a comma, for C++ streams; and for C where one is installed.
class CommaLocale {
 public:
  CommaLocale() : before_(std::locale::global(std::locale(std::locale::classic(), new Comma))) {
    c_before_ = std::setlocale(LC_ALL, nullptr);
    for (char const* const name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8"}) {
      if (std::setlocale(LC_ALL, name) != nullptr) break;
    }
  }
  ~CommaLocale() {
    std::setlocale(LC_ALL, c_before_.c_str());
    std::locale::global(before_);
  }
  CommaLocale(CommaLocale const&) = delete;
  CommaLocale& operator=(CommaLocale const&) = delete;

 private:
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale before_;
  std::string c_before_;
};

TEST_P(Descriptions, AreTheSameBytesInEveryLocale) {
  auto const text = write_model_description(describe(test_table(), version(), info));
  CommaLocale const locale;
  EXPECT_EQ(write_model_description(describe(test_table(), version(), info)), text);
  EXPECT_TRUE(check_description(read_model_description(text, "modelDescription.xml")).empty());
}

TEST_P(Descriptions, NeedATokenAndAVersionThatExists) {
  auto without_token = info;
  without_token.token.clear();
  EXPECT_THROW(describe(test_table(), version(), without_token), std::invalid_argument);
  EXPECT_THROW(describe(test_table(), 1, info), std::invalid_argument);
  ModelDescription description;
  description.version = 1;
  EXPECT_THROW(write_model_description(description), std::invalid_argument);
}

TEST(Fmi2Descriptions, HaveAScalarForEveryElementOfAnArray) {
  auto const table = test_table();
  auto const description = describe(table, 2, info);
  for (auto const& variable : table.variables()) {
    for (int element = 0; element < variable.size; ++element) {
      // The derivative of an element is that of the element: der(x[1]).
      std::string const index = variable.array ? "[" + std::to_string(element + 1) + "]" : "";
      auto const name = variable.derivative_of
                            ? variable.name.substr(0, variable.name.size() - 1) + index + ")"
                            : variable.name + index;
      auto const* const described = description.find(name);
      if (variable.storage == Storage::indicator) {  // FMI 2 has only their number
        EXPECT_EQ(described, nullptr) << name;
        continue;
      }
      ASSERT_NE(described, nullptr) << name;
      EXPECT_EQ(described->value_reference, variable.value_reference + static_cast<std::uint32_t>(element));
      EXPECT_TRUE(described->dimensions.empty());
    }
  }
}

TEST(Fmi3Descriptions, HaveOneVariableWithADimensionForAnArray) {
  auto const table = test_table();
  auto const description = describe(table, 3, info);
  ASSERT_EQ(description.variables.size(), table.variables().size());
  for (auto const& variable : table.variables()) {
    auto const* const described = description.find(variable.name);
    ASSERT_NE(described, nullptr) << variable.name;
    EXPECT_EQ(described->dimensions.empty(), !variable.array);
    EXPECT_EQ(described->size(), static_cast<std::uint64_t>(variable.size));
  }
}

TEST(DescriptionsOfBothVersions, DeclareTheSameCapabilities) {
  auto const two = describe(test_table(), 2, info), three = describe(test_table(), 3, info);
  ASSERT_NE(two.interface("CoSimulation"), nullptr);
  ASSERT_NE(three.interface("CoSimulation"), nullptr);
  EXPECT_TRUE(two.interface("CoSimulation")->flag("canGetAndSetFMUstate"));
  EXPECT_TRUE(two.interface("CoSimulation")->flag("canSerializeFMUstate"));
  EXPECT_TRUE(three.interface("CoSimulation")->flag("canGetAndSetFMUState"));
  EXPECT_TRUE(three.interface("CoSimulation")->flag("canSerializeFMUState"));
  EXPECT_EQ(two.token(), info.token);
  EXPECT_EQ(three.token(), info.token);
  ASSERT_NE(two.interface("ModelExchange"), nullptr);
  ASSERT_NE(three.interface("ModelExchange"), nullptr);
  EXPECT_TRUE(two.interface("ModelExchange")->flag("providesDirectionalDerivative"));
  EXPECT_TRUE(three.interface("ModelExchange")->flag("providesDirectionalDerivatives"));
  EXPECT_TRUE(two.interface("CoSimulation")->flag("canInterpolateInputs"));
  EXPECT_TRUE(three.interface("CoSimulation")->flag("hasEventMode"));
}

TEST(DescriptionReader, RefusesMalformedAndHostileText) {
  auto const refused_line = [](std::string const& text) {
    try {
      read_model_description(text, "x.xml");
    } catch (DescriptionError const& error) {
      EXPECT_EQ(error.file(), "x.xml");
      return error.line();
    }
    return 0;
  };
  EXPECT_EQ(refused_line("<fmiModelDescription>\n<a>\n</fmiModelDescription>"), 3);
  EXPECT_EQ(refused_line("\n<!DOCTYPE x [<!ENTITY a \"b\">]><fmiModelDescription/>"), 2);
  EXPECT_EQ(refused_line("\n<somethingElse/>"), 2);
  EXPECT_EQ(refused_line(""), 1);
}

TEST(DescriptionReader, KeepsWhatItDoesNotUnderstandForTheRules) {
  auto const description = read_model_description(
      "<fmiModelDescription fmiVersion=\"3.0\" strange=\"1\"><ModelVariables>\n"
      "<Float64 name=\"x\" valueReference=\"many\" start=\"1,5\"/></ModelVariables></fmiModelDescription>",
      "x.xml");
  EXPECT_EQ(description.attributes.at("strange"), "1");
  ASSERT_EQ(description.variables.size(), 1u);
  EXPECT_EQ(description.variables[0].line, 2);
  EXPECT_FALSE(description.variables[0].value_reference.has_value());
  EXPECT_EQ(description.variables[0].start, "1,5");
  EXPECT_EQ(read_model_description("<fmiModelDescription fmiVersion=\"1.0\"/>", "x.xml").version, 0);
}

TEST(SchemaValidation, ReportsLineAndReason) {
  auto const schema = std::filesystem::path(DELASSUS_TEST_DATA) / "fmi-schema/fmi3/fmi3ModelDescription.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << schema << " is not there";
  auto const findings = validate_schema(
      "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"t\">\n<nonsense/>\n"
      "</fmiModelDescription>",
      "x.xml", schema);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "schema");
  EXPECT_EQ(findings[0].line, 2);
  EXPECT_NE(findings[0].message.find("nonsense"), std::string::npos) << findings[0].message;

  auto const malformed = validate_schema("<a>\n</b>", "x.xml", schema);
  ASSERT_EQ(malformed.size(), 1u);
  EXPECT_EQ(malformed[0].line, 2);
  EXPECT_THROW(validate_schema("<a/>", "x.xml", "/nowhere.xsd"), std::runtime_error);
}

TEST(SchemaValues, ReadAsXmlSchemaSays) {
  EXPECT_EQ(parse_double(" 1e-3 "), 1e-3);
  EXPECT_EQ(parse_double("+.5"), 0.5);
  EXPECT_EQ(parse_double("-INF"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_double("1e999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_double("1e-999"), 0.0);
  for (auto const* const text : {"", "1,5", "0x10", "inf", "nan", "+-1", "1e", "1 2", "."}) {
    EXPECT_FALSE(parse_double(text).has_value()) << text;
  }
  EXPECT_EQ(parse_integer<std::int32_t>("+7"), 7);
  EXPECT_FALSE(parse_integer<std::int32_t>("7.0").has_value());
  EXPECT_FALSE(parse_integer<std::uint32_t>("-1").has_value());
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-INF");
}

std::vector<ModelDescription> descriptions_of_all() {
  std::vector<ModelDescription> all;
  for (int const version : {2, 3}) {
    for (auto const& file : scene_files()) {
      Scene const scene = read_scene_file(file);
      all.push_back(describe(VariableTable(scene, SceneSystem(scene).mode_sources()), version, info));
    }
    for (auto const& file : controller_files())
      all.push_back(describe(VariableTable(read_controller_file(file)), version, info));
  }
  return all;
}

// A number in parentheses, "eq. 5", "equation 5", "Fig. 5", "section 5.1": what only readers of a paper can use.
TEST(Description, HasNoEquationNumbers) {
  std::regex const citation(R"(\(\d+\)|\b[Ee]qs?\.|\b[Ee]quations? \(?\d|\bFig|\b[Ss]ection \d)");
  for (std::string const text : {"jams (39)", "after eq. 3", "equation 104", "Fig. 5", "in section 5.1"})
    ASSERT_TRUE(std::regex_search(text, citation)) << text;
  auto const expect_plain = [&](std::string const& text) {
    EXPECT_FALSE(std::regex_search(text, citation)) << text;
  };
  for (ModelDescription const& description : descriptions_of_all()) {
    if (auto const found = description.attributes.find("description"); found != description.attributes.end())
      expect_plain(found->second);
    for (auto const& variable : description.variables) expect_plain(variable.description);
    for (auto const& type : description.types) {
      expect_plain(type.description);
      for (auto const& item : type.items) expect_plain(item.description);
    }
    for (auto const& category : description.log_categories) expect_plain(category.description);
  }
}

TEST(Description, ProposesDegreesForAnglesAndTheirRates) {
  int angles = 0, rates = 0;
  for (ModelDescription const& description : descriptions_of_all()) {
    for (auto const& unit : description.units) {
      bool const turns = unit.name == "rad" || unit.name == "rad/s";
      ASSERT_EQ(unit.display_units.size(), turns ? 1 : 0) << unit.name;
      if (!turns) continue;
      EXPECT_EQ(unit.display_units[0].name, unit.name == "rad" ? "deg" : "deg/s");
      EXPECT_EQ(unit.display_units[0].factor, "57.29577951308232");
    }
    for (auto const& variable : description.variables) {
      angles += variable.unit == "rad" ? 1 : 0;
      rates += variable.unit == "rad/s" ? 1 : 0;
      EXPECT_EQ(variable.display_unit, variable.unit == "rad"     ? "deg"
                                       : variable.unit == "rad/s" ? "deg/s"
                                                                  : "")
          << variable.name;
    }
  }
  EXPECT_GT(angles, 100);
  EXPECT_GT(rates, 100);
}

}  // namespace
}  // namespace delassus
