// System structures: what the reader reads, and what the rules find without looking at the components.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/program_run.hpp"
#include "tests/support/system_files.hpp"
#include "xml/ssp/structure_master.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/ssp/structure_rewriter.hpp"
#include "xml/ssp/structure_rules.hpp"
#include "xml/ssp/unit_conversion.hpp"
#include "xml/text/schema.hpp"

namespace delassus::test {
namespace {

TEST(SystemStructure, OfTheTestsIsValidAgainstTheSchemaOfTheStandard) {
  auto const schema = std::filesystem::path(DELASSUS_TEST_DATA) / "ssp-schema/SystemStructureDescription.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << "the schemas are not there";
  for (auto const& finding : validate_schema(coupled_structure, "coupled.ssd", schema))
    ADD_FAILURE() << finding.line << ": " << finding.message;
}

TEST(SystemStructure, IsReadWithItsLines) {
  auto const structure = read_system_structure(coupled_structure, "coupled.ssd");
  for (auto const& finding : check_structure(structure))
    ADD_FAILURE() << finding.line << ": " << finding.message;
  EXPECT_EQ(structure.name, "coupled");
  EXPECT_EQ(structure.version, "1.0");
  ASSERT_EQ(structure.system.elements.size(), 2u);
  EXPECT_EQ(structure.system.elements[0].source, "resources/plant.fmu");
  EXPECT_EQ(structure.system.elements[0].implementation, "CoSimulation");
  EXPECT_EQ(structure.system.elements[1].type, fmu_component_type);
  EXPECT_EQ(structure.system.connections.size(), 8u);
  EXPECT_EQ(structure.system.connections[0].line,
            line_of(coupled_structure, "startConnector=\"x\" endElement"));
  EXPECT_EQ(structure.units.size(), 4u);
  EXPECT_EQ(structure.run.step, 0.01);
}

std::string under_other_prefixes(std::string text) {
  for (std::string const prefix : {"ssd:", "ssc:", "ssv:"}) {
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
      if (text.compare(at - 1, 1, "<") == 0 || text.compare(at - 2, 2, "</") == 0) {
        text.replace(at, prefix.size(), "other" + prefix);
        at += 5;
      }
      at += prefix.size();
    }
  }
  for (std::string const prefix : {"ssd", "ssc", "ssv"})
    text = replaced(text, "xmlns:" + prefix + "=", "xmlns:other" + prefix + "=");
  return text;
}

TEST(SystemStructure, IsTheSameUnderAnyPrefix) {
  auto const structure = read_system_structure(under_other_prefixes(coupled_structure), "other.ssd");
  EXPECT_TRUE(check_structure(structure).empty());
  EXPECT_EQ(structure.system.elements.size(), 2u);
  EXPECT_EQ(structure.run.step, 0.01);
}

TEST(SystemStructure, ThatIsNoneIsRefused) {
  EXPECT_THROW(read_system_structure("", "empty.ssd"), StructureError);
  EXPECT_THROW(read_system_structure("<scene name=\"a\"/>", "scene.xml"), StructureError);
  EXPECT_THROW(read_system_structure("<SystemStructureDescription", "cut.ssd"), StructureError);
  EXPECT_THROW(
      read_system_structure("<!DOCTYPE a [<!ENTITY b SYSTEM \"/etc/passwd\">]><SystemStructureDescription/>",
                            "hostile.ssd"),
      StructureError);
  EXPECT_TRUE(is_system_structure(coupled_structure));
  EXPECT_FALSE(is_system_structure("<scene name=\"a\"/>"));
}

TEST(SystemStructure, OfVersion2MayHaveItsTypesAndDimensions) {
  auto const structure =
      read_system_structure(R"xml(<SystemStructureDescription version="2.0" name="two"><System name="s">
<Connectors>
<Connector name="a" kind="input"><Float64 unit="m"/><Dimension size="2"/><Dimension size="3"/></Connector>
<Connector name="b" kind="local"><UInt16/><Dimension sizeConnector="n"/></Connector>
<Connector name="n" kind="structuralParameter"><UInt64/></Connector>
</Connectors></System><Units><Unit name="m"><BaseUnit m="1"/></Unit></Units></SystemStructureDescription>)xml",
                            "two.ssd");
  EXPECT_TRUE(check_structure(structure).empty());
  EXPECT_EQ(structure.system.connectors[0].size, 6u);
  EXPECT_EQ(structure.system.connectors[1].size, std::nullopt);
  EXPECT_EQ(structure.system.connectors[1].type, "UInt16");
}

// SSP 2.0, 5.3.2.1, the table of allowed connections, each line of it: and nothing else.
TEST(ConnectionFlow, IsThatOfTheStandardsTable) {
  std::string const table = R"(
S structuralParameter S calculatedParameter
S structuralParameter S output
S structuralParameter S local
S parameter S calculatedParameter
S parameter S output
S parameter S local
S input S output
S input S local
S structuralParameter E structuralParameter
S structuralParameter E parameter
S structuralParameter E input
S structuralParameter E inout
S parameter E parameter
S parameter E input
S parameter E inout
S input E input
S input E inout
E constant E structuralParameter
E constant E parameter
E constant E input
E constant E inout
E calculatedParameter E parameter
E calculatedParameter E input
E calculatedParameter E inout
E output E input
E output E inout
E local E input
E local E inout
E inout E input
E constant S constant
E constant S calculatedParameter
E constant S output
E constant S local
E calculatedParameter S calculatedParameter
E calculatedParameter S output
E calculatedParameter S local
E output S output
E output S local
E local S output
E local S local
E inout S output
E inout S local
)";
  constexpr char const* kinds[] = {
      "input",    "output", "parameter", "calculatedParameter", "structuralParameter",
      "constant", "local",  "inout"};
  int allowed = 0;
  for (bool const from_system : {false, true}) {
    for (bool const to_system : {false, true}) {
      for (auto const* const from : kinds) {
        for (auto const* const to : kinds) {
          auto const side = [](bool system) { return system ? "S " : "E "; };
          auto const line = std::string("\n") + side(from_system) + from + " " + side(to_system) + to + "\n";
          auto const back = std::string("\n") + side(to_system) + to + " " + side(from_system) + from + "\n";
          auto const expected = table.find(line) != std::string::npos   ? Flow::to_end
                                : table.find(back) != std::string::npos ? Flow::to_start
                                                                        : Flow::none;
          allowed += expected == Flow::to_end ? 1 : 0;
          EXPECT_EQ(connection_flow({from, from_system}, {to, to_system}), expected) << line;
        }
      }
    }
  }
  EXPECT_EQ(allowed, 42);
}

TEST(UnitConversion, AgreesWithPhysics) {
  UnitMeaning const metre{{0, 1}, 1, 0}, inch{{0, 1}, 0.0254, 0}, mile{{0, 1}, 1609.344, 0};
  EXPECT_DOUBLE_EQ(unit_conversion(mile, inch)(1), 63360);
  EXPECT_DOUBLE_EQ(unit_conversion(inch, metre)(100), 2.54);
  UnitMeaning const kelvin{{0, 0, 0, 0, 1}, 1, 0}, celsius{{0, 0, 0, 0, 1}, 1, 273.15},
      fahrenheit{{0, 0, 0, 0, 1}, 5.0 / 9, 273.15 - 32 * 5.0 / 9};
  EXPECT_NEAR(unit_conversion(celsius, fahrenheit)(100), 212, 1e-10);
  EXPECT_NEAR(unit_conversion(fahrenheit, celsius)(-40), -40, 1e-10);
  EXPECT_DOUBLE_EQ(unit_conversion(celsius, kelvin)(0), 273.15);
  auto const there_and_back = unit_conversion(celsius, fahrenheit).then(unit_conversion(fahrenheit, celsius));
  EXPECT_NEAR(there_and_back(37.5), 37.5, 1e-10);
  EXPECT_TRUE(unit_conversion(inch, inch).is_identity());
}

TEST(UnitConversion, TellsDimensionsApart) {
  UnitMeaning const one{}, radian{{0, 0, 0, 0, 0, 0, 0, 1}, 1, 0}, metre{{0, 1}, 1, 0},
      newton{{1, 1, -2}, 1, 0};
  EXPECT_EQ(compare_units(metre, metre), UnitFit::same_dimension);
  EXPECT_EQ(compare_units(one, radian), UnitFit::angle);
  EXPECT_EQ(compare_units(one, metre), UnitFit::dimensionless);
  EXPECT_EQ(compare_units(newton, metre), UnitFit::unlike);
  EXPECT_EQ(dimension_text(newton), "kg.m/s2");
  EXPECT_EQ(dimension_text(one), "1");
  EXPECT_EQ(dimension_text({{-1, 2, -1}, 1, 0}), "m2/(kg.s)");
}

struct Mistake {
  char const* name;
  char const* part;
  char const* by;
  char const* rule;
  char const* message;
};
void PrintTo(Mistake const& mistake, std::ostream* stream) {
  *stream << mistake.name;
}

constexpr char last_connection[] =
    R"(      <ssd:Connection startConnector="heavy" endElement="plant" endConnector="mass"/>)";
constexpr char last_connector[] = R"(<ssd:Connector name="sample" kind="output"/>)";
constexpr char metre[] = R"(<ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>)";
constexpr char tilt[] =
    R"(<ssv:Parameter name="plant.tilt"><ssv:Real value="180" unit="deg"/></ssv:Parameter>)";

Mistake const mistakes[] = {
    {"UnknownElement", metre, R"(<ssc:Unitt name="m"/>)", "structure-name", "<Unitt> inside <Units>"},
    {"UnknownAttribute", R"(startElement="plant" startConnector="angle")",
     R"(startElment="plant" startConnector="angle")", "structure-name", "has the attribute startElment"},
    {"MissingAttribute", last_connector, R"(<ssd:Connector name="sample"/>)", "structure-name",
     "has no kind"},
    {"NoNumber", R"(factor="0.01")", R"(factor="0,01")", "structure-name", "factor=\"0,01\""},
    {"NoKind", last_connector, R"(<ssd:Connector name="sample" kind="outputs"/>)", "structure-name",
     "kind=\"outputs\""},
    {"Version", R"(version="1.0" name="coupled")", R"(version="Draft20180219" name="coupled")",
     "structure-version", "Draft20180219"},
    {"Experiment", R"(<ssd:DefaultExperiment startTime="0" stopTime="5">)",
     R"(<ssd:DefaultExperiment startTime="5" stopTime="5">)", "structure-experiment",
     "is not later than startTime"},
    {"UnknownRunSetting", R"(step="0.01")", R"(stp="0.01")", "run-settings", "has the attribute stp"},
    {"NegativeStep", R"(step="0.01")", R"(step="-0.01")", "run-settings", "step=\"-0.01\""},
    {"UnknownAlgorithm", R"(algorithm="gauss-seidel")", R"(algorithm="gauss")", "run-settings",
     "algorithm=\"gauss\""},
    {"UnknownExtrapolation", R"(algorithm="gauss-seidel")", R"(extrapolation="linear")", "run-settings",
     "extrapolation=\"linear\""},
    {"ElementTwice", R"(<ssd:Component name="controller" source=)", R"(<ssd:Component  name="plant" source=)",
     "element-name", "the element \"plant\" is there twice"},
    {"ElementWithoutName", R"(<ssd:Component name="controller" source=)", R"(<ssd:Component source=)",
     "element-name", "an element has no name"},
    {"ConnectorTwice", last_connector, R"(<ssd:Connector name="active" kind="output" />)", "connector-name",
     "\"active\" is there twice"},
    {"ConnectorLikeAnElement", R"(<ssd:Connector name="where" kind="output">)",
     R"(<ssd:Connector name="plant.where" kind="output">)", "connector-apart",
     "begins with the name of its element \"plant\""},
    {"UndefinedUnit", last_connector,
     R"(<ssd:Connector name="sample" kind="output"><ssc:Real unit="mm"/></ssd:Connector>)", "structure-unit",
     "the unit \"mm\" is not defined"},
    {"UnitTwice", metre, R"(<ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>
<ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>)",
     "structure-unit", "the unit \"m\" is defined twice"},
    {"UnitOfNothing", R"(<ssc:Unit name="g"><ssc:BaseUnit kg="1" factor="0.001"/></ssc:Unit>)",
     R"(<ssc:Unit name="g"><ssc:BaseUnit kg="1" factor="0"/></ssc:Unit>)", "structure-unit",
     "has the factor 0"},
    {"UndefinedEnumeration", last_connector,
     R"(<ssd:Connector name="sample" kind="output"><ssc:Enumeration name="Mode"/></ssd:Connector>)",
     "structure-enumeration", "the enumeration \"Mode\" is not defined"},
    {"UnknownStartElement", last_connection,
     R"(      <ssd:Connection startElement="plnt" startConnector="x" endConnector="where"/>)",
     "connection-end", "has no element \"plnt\""},
    {"UnknownConnector", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="y" endElement="controller" endConnector="any"/>)",
     "connection-end", "\"plant\" has no connector \"y\""},
    {"OutputToOutput", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="x" endElement="controller" endConnector="y"/>)",
     "connection-kind", "of kind output cannot be connected with"},
    {"InputToInput", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="force" endElement="controller" endConnector="any"/>)",
     "connection-kind", "of kind input cannot be connected with"},
    {"OutputToInputOfTheSystem", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="angle" endConnector="goal"/>)",
     "connection-kind", "(of the system around)"},
    {"OutputToParameter", last_connection,
     R"(      <ssd:Connection startElement="controller" startConnector="y" endElement="plant" endConnector="mass"/>)",
     "connection-kind", "of kind parameter"},
    {"WithItself", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="x" endElement="plant" endConnector="x"/>)",
     "connection-self", "connected with itself"},
    {"Twice", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="angle" endElement="controller" endConnector="any"/>)",
     "connection-twice", "gets its value from the connection in line"},
    {"Indices", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="x" startIndices="1" endElement="controller" endConnector="pair"/>)",
     "structure-supported", "startIndices and endIndices"},
    {"TableForAFloat", R"(startConnector="x" endConnector="where"/>)",
     R"(startConnector="x" endConnector="where"><ssc:IntegerMappingTransformation><ssc:MapEntry source="1" target="2"/></ssc:IntegerMappingTransformation></ssd:Connection>)",
     "connection-transformation", "does not fit \"x\" of type Real"},
    {"EntryTwice", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="mode" endElement="controller" endConnector="choice"><ssc:IntegerMappingTransformation><ssc:MapEntry source="1" target="2"/><ssc:MapEntry source="1" target="3"/></ssc:IntegerMappingTransformation></ssd:Connection>)",
     "connection-transformation", "has the source \"1\" twice"},
    {"Acausal", last_connector, R"(<ssd:Connector name="sample" kind="unspecified"/>)", "structure-supported",
     "of kind unspecified"},
    {"SignalDictionaryReference", R"(    <ssd:Elements>)",
     R"(    <ssd:Elements><ssd:SignalDictionaryReference name="bus" dictionary="can"/>)",
     "structure-supported", "refers to a signal dictionary"},
    {"BindingOfNothing", R"(<ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">)",
     R"(<ssd:ParameterBinding/><ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">)",
     "structure-name", "has neither source nor <ParameterValues>"},
    {"ParameterOfNothing", tilt, R"(<ssv:Parameter name="plant.tilt"/>)", "structure-name",
     "the parameter \"plant.tilt\" has no value"},
    {"ParameterTwice", tilt, R"(<ssv:Parameter name="heavy"><ssv:Real value="1"/></ssv:Parameter>
<ssv:Parameter name="heavy"><ssv:Real value="2"/></ssv:Parameter>)",
     "parameter-twice", "is in one set twice"},
    {"ParameterOfUndefinedUnit", tilt,
     R"(<ssv:Parameter name="plant.tilt"><ssv:Real value="1" unit="grad"/></ssv:Parameter>)",
     "structure-unit", "the unit \"grad\" is not defined"},
};

class MistakeInAStructure : public testing::TestWithParam<Mistake> {};

TEST_P(MistakeInAStructure, IsFoundAtItsLine) {
  auto const& mistake = GetParam();
  auto const text = replaced(coupled_structure, mistake.part, mistake.by);
  std::string all;
  int const line = line_of(text, mistake.by);
  for (auto const& finding : check_structure(read_system_structure(text, "wrong.ssd"))) {
    all += finding.rule + " " + std::to_string(finding.line) + ": " + finding.message + "\n";
    if (finding.rule != mistake.rule || finding.message.find(mistake.message) == std::string::npos) continue;
    // Of two of a kind, the second is the one too many.
    bool const of_two =
        std::string(mistake.name) == "UnitTwice" || std::string(mistake.name) == "ParameterTwice";
    EXPECT_EQ(finding.line, of_two ? line + 1 : line) << finding.message;
    EXPECT_FALSE(finding.remedy.empty());
    return;
  }
  ADD_FAILURE() << "not found; there are:\n" << all;
}
INSTANTIATE_TEST_SUITE_P(Structure, MistakeInAStructure, testing::ValuesIn(mistakes),
                         [](auto const& info) { return info.param.name; });

TEST(StructureRules, HaveKebabCaseNamesAndStandOnThePageOfRules) {
  std::ifstream stream(std::filesystem::path(DELASSUS_SCENES_DIR) / "../../xml/RULES.md");
  if (!stream) GTEST_SKIP() << "the sources are not there";
  std::string const text{std::istreambuf_iterator<char>(stream), {}};
  for (auto const& rule : structure_rules()) {
    EXPECT_EQ(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos)
        << rule.name;
    EXPECT_NE(text.find("| `" + std::string{rule.name} + "` | "), std::string::npos) << rule.name;
    EXPECT_NE(text.find(rule.demand), std::string::npos) << rule.demand;
  }
}

TEST(StructureRewriter, ChangesSourcesAndNothingElse) {
  SourceReplacements const replacements{
      .components = {{"resources/plant.fmu", {"resources/other%20plant.fmu", ""}},
                     {"resources/controller.fmu", {"resources/c.ssp", "application/x-ssp-package"}}},
      .files = {}};
  auto const rewritten = replace_sources(coupled_structure, replacements);
  auto expected = replaced(coupled_structure, "resources/plant.fmu", "resources/other%20plant.fmu");
  expected = replaced(expected, R"(source="resources/controller.fmu")",
                      R"(source="resources/c.ssp" type="application/x-ssp-package")");
  EXPECT_EQ(rewritten, expected);
}

// As OMSimulator reads it (Model::getSystemType): by letter, prefixes and all, and of the annotations the first.
constexpr char oms_annotation[] =
    R"(<ssc:Annotation type="org.openmodelica"><oms:Annotations xmlns:oms="https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd"><oms:SimulationInformation><oms:FixedStepMaster description="oms-ma" stepSize="0.005" relativeTolerance="1e-08"/></oms:SimulationInformation></oms:Annotations></ssc:Annotation>)";

TEST(StructureMaster, IsTheFirstAnnotationOfTheSystemAndNothingElseChanges) {
  auto const text = announce_master(coupled_structure, {.step = 0.005, .tolerance = 1e-8});
  auto const at = text.find("<ssd:Annotations>", text.find("</ssd:Connections>"));
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.find("<ssc:Annotation ", at), text.find(oms_annotation, at));
  EXPECT_EQ(replaced(replaced(text, oms_annotation, ""), "<ssd:Annotations></ssd:Annotations>", ""),
            coupled_structure);
  // Ours is still what counts here.
  EXPECT_EQ(read_system_structure(text, "coupled.ssd").run.step, 0.01);
  auto const schema = std::filesystem::path(DELASSUS_TEST_DATA) / "ssp-schema/SystemStructureDescription.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << "the schemas are not there";
  for (auto const& finding : validate_schema(text, "coupled.ssd", schema))
    ADD_FAILURE() << finding.line << ": " << finding.message;
}

TEST(StructureMaster, IsAnnouncedUnderThePrefixesOfTheStandard) {
  std::string const other = under_other_prefixes(coupled_structure);
  EXPECT_EQ(announce_master(other, {.step = 0.005, .tolerance = 1e-8}),
            announce_master(coupled_structure, {.step = 0.005, .tolerance = 1e-8}));
  // Without a prefix, too, and where it is declared besides.
  std::string const bare =
      R"(<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" version="1.0" name="n"><System name="s"/></SystemStructureDescription>)";
  for (std::string const& declared :
       {bare, replaced(bare, " version=",
                       R"( xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" version=)")}) {
    auto const text = announce_master(declared, {.step = 0.005, .tolerance = 1e-8});
    EXPECT_CONTAINS(text, "<ssd:SystemStructureDescription ");
    EXPECT_CONTAINS(text, R"(<ssd:System name="s"><ssd:Annotations><ssc:Annotation )");
    EXPECT_EQ(check_structure(read_system_structure(text, "n.ssd")).size(), 0u);
  }
  // A prefix that means something else stays.
  auto const taken = replaced(
      bare, R"(<System name="s"/>)",
      R"(<System name="s"/><Annotations><c:Annotation xmlns:c="http://ssp-standard.org/SSP1/SystemStructureCommon" type="x"><ssd:x xmlns:ssd="y"/></c:Annotation></Annotations>)");
  EXPECT_CONTAINS(announce_master(taken, {.step = 0.005, .tolerance = 1e-8}), "<System name=\"s\">");
}

TEST(StructureMaster, LeavesTheSettingsOfOthersAlone) {
  auto const text = announce_master(coupled_structure, {.step = 0.005, .tolerance = 1e-8});
  EXPECT_EQ(announce_master(text, {.step = 0.1, .tolerance = 1e-3}), text);
}

}  // namespace
}  // namespace delassus::test
