// The rules of model descriptions: good texts give no finding, and each deliberate mistake gives exactly its
// rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <string>

#include "xml/fmi/description_reader.hpp"
#include "xml/fmi/rules.hpp"
#include "xml/fmi/variable_name.hpp"
#include "xml/text/schema.hpp"

namespace delassus {
namespace {

constexpr char const* good2 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="pendulum" guid="{p2}" generationDateAndTime="2026-02-28T12:00:00Z" variableNamingConvention="structured">
  <CoSimulation modelIdentifier="pendulum" canGetAndSetFMUstate="true" canSerializeFMUstate="true" canHandleVariableCommunicationStepSize="true"/>
  <UnitDefinitions>
    <Unit name="rad"><BaseUnit rad="1"/><DisplayUnit name="deg" factor="57.29577951308232"/></Unit>
    <Unit name="m"><BaseUnit m="1"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Angle"><Real unit="rad" min="-10" max="10"/></SimpleType>
    <SimpleType name="Mode"><Enumeration><Item name="stick" value="1"/><Item name="slip" value="2"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <LogCategories>
    <Category name="logEvents"/>
    <Category name="logStatusError"/>
  </LogCategories>
  <DefaultExperiment startTime="0" stopTime="2" tolerance="1e-6" stepSize="0.01"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="length" valueReference="1" causality="parameter" variability="fixed" initial="exact"><Real unit="m" min="0" max="5" nominal="1" start="1"/></ScalarVariable>
    <ScalarVariable name="length_twice" valueReference="2" causality="calculatedParameter" variability="fixed" initial="calculated"><Real unit="m"/></ScalarVariable>
    <ScalarVariable name="push[1]" valueReference="3" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="angle" valueReference="4" causality="output" variability="continuous" initial="exact"><Real declaredType="Angle" displayUnit="deg" start="0.5"/></ScalarVariable>
    <ScalarVariable name="der(angle)" valueReference="5" causality="local" variability="continuous" initial="calculated"><Real derivative="5"/></ScalarVariable>
    <ScalarVariable name="force" valueReference="6" causality="output" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="7" causality="output" variability="discrete" initial="calculated"><Enumeration declaredType="Mode"/></ScalarVariable>
    <ScalarVariable name="first_mode" valueReference="8" causality="parameter" variability="tunable"><Enumeration declaredType="Mode" start="2"/></ScalarVariable>
    <ScalarVariable name="steps" valueReference="9" causality="parameter" variability="fixed"><Integer min="1" max="9" start="3"/></ScalarVariable>
    <ScalarVariable name="angle_again" valueReference="4" causality="local" variability="continuous" initial="calculated"><Real unit="rad"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="5" dependencies=""/>
      <Unknown index="7" dependencies="2 4" dependenciesKind="fixed dependent"/>
      <Unknown index="8" dependencies="4"/>
    </Outputs>
    <Derivatives>
      <Unknown index="6" dependencies="4"/>
    </Derivatives>
    <InitialUnknowns>
      <Unknown index="3" dependencies="2" dependenciesKind="constant"/>
      <Unknown index="6" dependencies="4 5"/>
      <Unknown index="7" dependencies="4"/>
      <Unknown index="8" dependencies="4"/>
    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)xml";

constexpr char const* good3 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="pendulum" instantiationToken="{p3}" generationDateAndTime="2026-02-28T12:00:00Z" variableNamingConvention="structured"
    xmlns:other="http://example.org/other">
  <CoSimulation modelIdentifier="pendulum" canGetAndSetFMUState="true" canSerializeFMUState="true" providesIntermediateUpdate="true" canReturnEarlyAfterIntermediateUpdate="true" hasEventMode="true" fixedInternalStepSize="1e-3" other:flag="x"/>
  <UnitDefinitions>
    <Unit name="rad"><BaseUnit rad="1"/><DisplayUnit name="deg" factor="57.29577951308232"/></Unit>
    <Unit name="m"><BaseUnit m="1"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <Float64Type name="Angle" unit="rad" min="-10" max="10"/>
    <EnumerationType name="Mode"><Item name="stick" value="1"/><Item name="slip" value="2"/></EnumerationType>
  </TypeDefinitions>
  <LogCategories>
    <Category name="logEvents"/>
    <Category name="logStatusError"/>
  </LogCategories>
  <DefaultExperiment startTime="0" stopTime="2" tolerance="1e-6" stepSize="0.01"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <UInt64 name="count" valueReference="1" causality="structuralParameter" start="2" min="0"/>
    <Float64 name="lengths" valueReference="2" causality="parameter" initial="exact" unit="m" min="0" max="5" start="1 2"><Dimension valueReference="1"/></Float64>
    <Float64 name="push" valueReference="3" causality="input" start="0 0 0"><Dimension start="3"/></Float64>
    <Float64 name="angle" valueReference="4" causality="output" initial="exact" declaredType="Angle" start="0.5"><Alias name="angle_in_degrees" displayUnit="deg"/></Float64>
    <Float64 name="der(angle)" valueReference="5" derivative="4"/>
    <Enumeration name="mode" valueReference="6" causality="output" declaredType="Mode"/>
    <Enumeration name="first_mode" valueReference="7" causality="parameter" declaredType="Mode" start="2"/>
    <Clock name="tick" valueReference="8" causality="input" intervalVariability="triggered"/>
    <Int32 name="ticks" valueReference="9" causality="output" clocks="8"/>
    <Int8 name="small" valueReference="10" causality="parameter" start="-128"/>
    <String name="file" valueReference="11" causality="parameter"><Start value="a b"/></String>
    <Binary name="bytes" valueReference="12" causality="parameter"><Start value="00ff"/></Binary>
    <Float64 name="indicator" valueReference="13" causality="local"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="4" dependencies=""/>
    <Output valueReference="6" dependencies="3"/>
    <Output valueReference="9" dependencies="8"/>
    <ContinuousStateDerivative valueReference="5" dependencies="3 4" dependenciesKind="fixed dependent"/>
    <InitialUnknown valueReference="5" dependencies="4" dependenciesKind="constant"/>
    <InitialUnknown valueReference="6" dependencies="3"/>
    <EventIndicator valueReference="13"/>
  </ModelStructure>
</fmiModelDescription>
)xml";

// A good text in which one piece is replaced.
struct Mistake {
  char const* name;
  int version;
  char const* from;
  char const* to;
  char const* rule;
};
void PrintTo(Mistake const& mistake, std::ostream* out) {
  *out << mistake.name << ", FMI " << mistake.version;
}

constexpr Mistake mistakes[] = {
    {"VersionOfNoStandard", 2, "fmiVersion=\"2.0\"", "fmiVersion=\"7\"", "fmi-version"},
    {"VersionMissing", 3, "fmiVersion=\"3.0\"", "", "fmi-version"},
    {"MaintenanceReleaseAsVersion", 2, "fmiVersion=\"2.0\"", "fmiVersion=\"2.0.4\"", "fmi-version"},
    {"VersionWithLeadingZero", 3, "fmiVersion=\"3.0\"", "fmiVersion=\"3.01\"", "fmi-version"},
    {"VersionThatFewKnow", 3, "fmiVersion=\"3.0\"", "fmiVersion=\"3.1-beta.1\"", "fmi-version-support"},
    {"Fmi3SpellingOfACapability", 2, "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"",
     "canGetAndSetFMUState=\"true\"", "unknown-attribute"},
    {"Fmi2SpellingOfACapability", 3, "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"",
     "canGetAndSetFMUstate=\"true\"", "unknown-attribute"},
    {"UnitOnAnInteger", 3, "<Int8 ", "<Int8 unit=\"m\" ", "unknown-attribute"},
    {"ElementOfTheOtherVersion", 3, "<ModelStructure>", "<ModelStructure><Outputs/>", "unknown-element"},
    {"ElementAtAWrongPlace", 2, "<LogCategories>", "<LogCategories><Unit name=\"s\"/>", "unknown-element"},
    {"ModelNameMissing", 3, "modelName=\"pendulum\"", "", "missing-attribute"},
    {"ValueReferenceMissing", 2, "name=\"steps\" valueReference=\"9\"", "name=\"steps\"",
     "missing-attribute"},
    {"FlagThatIsNoBoolean", 2, "canHandleVariableCommunicationStepSize=\"true\"",
     "canHandleVariableCommunicationStepSize=\"yes\"", "attribute-value"},
    {"CausalityThatIsNone", 2,
     "causality=\"local\" variability=\"continuous\" initial=\"calculated\"><Real unit",
     "causality=\"internal\" variability=\"continuous\" initial=\"calculated\"><Real unit",
     "attribute-value"},
    {"ValueReferenceThatIsNegative", 3, "name=\"small\" valueReference=\"10\"",
     "name=\"small\" valueReference=\"-10\"", "attribute-value"},
    {"ValueReferenceBeyond32Bits", 3, "name=\"small\" valueReference=\"10\"",
     "name=\"small\" valueReference=\"4294967296\"", "attribute-value"},
    {"StopTimeWithComma", 3, "stopTime=\"2\"", "stopTime=\"2,5\"", "attribute-value"},
    {"ConventionThatIsNone", 2, "variableNamingConvention=\"structured\"",
     "variableNamingConvention=\"Structured\"", "attribute-value"},

    {"NoInterface", 2,
     "<CoSimulation modelIdentifier=\"pendulum\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
     "canHandleVariableCommunicationStepSize=\"true\"/>",
     "", "interface-present"},
    {"ModelIdentifierWithBlank", 3, "modelIdentifier=\"pendulum\"", "modelIdentifier=\"a pendulum\"",
     "model-identifier"},
    {"ModelIdentifierWithDigitFirst", 2, "modelIdentifier=\"pendulum\"", "modelIdentifier=\"2pendulum\"",
     "model-identifier"},
    {"EmptyGuid", 2, "guid=\"{p2}\"", "guid=\"\"", "token"},
    {"BlankToken", 3, "instantiationToken=\"{p3}\"", "instantiationToken=\" \"", "token"},
    {"DateThatDoesNotExist", 3, "2026-02-28T", "2026-02-30T", "generation-date"},
    {"DateWithoutZone", 2, "12:00:00Z", "12:00:00", "generation-date"},
    {"DateInWords", 3, "2026-02-28T12:00:00Z", "28 February 2026", "generation-date"},
    {"SerializeWithoutGet", 2, "canGetAndSetFMUstate=\"true\" ", "", "state-capabilities"},
    {"SerializeWithGetFalse", 3, "canGetAndSetFMUState=\"true\"", "canGetAndSetFMUState=\"false\"",
     "state-capabilities"},
    {"EarlyReturnWithoutUpdate", 3, "providesIntermediateUpdate=\"true\" ", "", "early-return"},
    {"ClocksWithoutEventMode", 3, " hasEventMode=\"true\"", "", "clock-event-mode"},
    {"InternalStepOfZero", 3, "fixedInternalStepSize=\"1e-3\"", "fixedInternalStepSize=\"0\"",
     "internal-step"},
    {"StopBeforeStart", 2, "startTime=\"0\" stopTime=\"2\"", "startTime=\"3\" stopTime=\"2\"",
     "default-experiment"},
    {"NegativeTolerance", 3, "tolerance=\"1e-6\"", "tolerance=\"-1e-6\"", "default-experiment"},
    {"StepAsLongAsTheRun", 2, "stepSize=\"0.01\"", "stepSize=\"2\"", "default-experiment"},
    {"StepOfZero", 3, "stepSize=\"0.01\"", "stepSize=\"0\"", "default-experiment"},
    {"EndlessRun", 3, "stopTime=\"2\"", "stopTime=\"INF\"", "default-experiment"},
    {"CategoryTwice", 2, "name=\"logStatusError\"", "name=\"logEvents\"", "log-category"},

    {"UnitTwice", 2, "<Unit name=\"m\">", "<Unit name=\"m\"><BaseUnit m=\"1\"/></Unit><Unit name=\"m\">",
     "unit-unique"},
    {"DisplayUnitTwice", 3, "<DisplayUnit name=\"deg\"",
     "<DisplayUnit name=\"deg\"/><DisplayUnit name=\"deg\"", "unit-unique"},
    {"UnitWithoutExponents", 3, "<BaseUnit m=\"1\"/>", "", "unit-base"},
    {"UnitThatIsNotDefined", 2, "<Real unit=\"m\"/>", "<Real unit=\"km\"/>", "unit"},
    {"UnitOfATypeThatIsNotDefined", 3, "name=\"Angle\" unit=\"rad\"",
     "name=\"Distance\" unit=\"km\"/><Float64Type name=\"Angle\" unit=\"rad\"", "unit"},
    {"DisplayUnitThatIsNotDefined", 2, "displayUnit=\"deg\"", "displayUnit=\"grad\"", "display-unit"},
    {"DisplayUnitOfAnAliasThatIsNotDefined", 3, "displayUnit=\"deg\"", "displayUnit=\"grad\"",
     "display-unit"},
    {"DisplayUnitWithoutUnit", 3, "<Float64 name=\"indicator\"",
     "<Float64 displayUnit=\"deg\" name=\"indicator\"", "display-unit"},
    {"TypeTwice", 3, "<EnumerationType ", "<Float64Type name=\"Angle\"/><EnumerationType ", "type-unique"},
    {"DeclaredTypeThatIsNotDefined", 2, "declaredType=\"Mode\" start", "declaredType=\"Modes\" start",
     "declared-type"},
    {"DeclaredTypeOfAnotherBase", 3, "<Int8 ", "<Int8 declaredType=\"Mode\" ", "declared-type"},
    {"ItemNameTwice", 2, "<Item name=\"slip\"", "<Item name=\"stick\"", "enumeration-items"},
    {"ItemValueTwice", 3, "<Item name=\"slip\" value=\"2\"/>",
     "<Item name=\"slip\" value=\"2\"/><Item name=\"fly\" value=\"2\"/>", "enumeration-items"},
    {"MinimumAboveMaximum", 2, "min=\"0\" max=\"5\"", "min=\"6\" max=\"5\"", "range"},
    {"MaximumBeyondTheType", 3, "<Int8 ", "<Int8 max=\"128\" ", "range"},
    {"NominalOfZero", 2, "nominal=\"1\"", "nominal=\"0\"", "nominal"},

    {"NameThatIsEmpty", 3, "name=\"small\"", "name=\"\"", "variable-name"},
    {"NameThatIsNotStructured", 2, "name=\"length_twice\"", "name=\"length twice\"", "variable-name"},
    {"NameWithLineBreak", 3, "name=\"small\"", "name=\"sm&#10;all\"", "variable-name"},
    {"NameTwice", 2, "name=\"force\"", "name=\"length\"", "name-unique"},
    {"AliasNamedAsAVariable", 3, "name=\"angle_in_degrees\"", "name=\"small\"", "name-unique"},
    {"VariableNamedAsAType", 3, "name=\"small\"", "name=\"Mode\"", "type-name-clash"},
    {"DerivativeNameOfAnInteger", 3, "name=\"small\"", "name=\"der(small)\"", "derivative-name"},
    {"ValueReferenceTwice", 3, "name=\"bytes\" valueReference=\"12\"", "name=\"bytes\" valueReference=\"11\"",
     "value-reference-unique"},
    {"AliasWithAnotherUnit", 2, "<Real unit=\"rad\"/>", "<Real unit=\"m\"/>", "alias-set"},
    {"TwoInputsOnOneReference", 2, "name=\"length\" valueReference=\"1\"",
     "name=\"length\" valueReference=\"3\"", "alias-set"},
    {"TwoStartsOnOneReference", 2, "initial=\"calculated\"><Real unit=\"rad\"/>",
     "initial=\"exact\"><Real unit=\"rad\" start=\"0.5\"/>", "alias-set"},
    {"NoIndependentVariable", 3, "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>",
     "", "independent-variable"},
    {"TwoIndependentVariables", 2, "</ModelVariables>",
     "<ScalarVariable name=\"clock\" valueReference=\"99\" causality=\"independent\"><Real/></ScalarVariable>"
     "</ModelVariables>",
     "independent-variable"},
    {"IndependentVariableOfIntegers", 3,
     "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>",
     "<Int32 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"/>",
     "independent-variable"},
    {"ContinuousParameter", 2, "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"",
     "causality=\"parameter\" variability=\"continuous\" initial=\"exact\"", "causality-variability"},
    {"FixedInput", 3, "causality=\"input\" start", "causality=\"input\" variability=\"fixed\" start",
     "causality-variability"},
    {"IntegerThatIsContinuousByDefault", 2, "causality=\"parameter\" variability=\"fixed\"><Integer",
     "causality=\"parameter\"><Integer", "continuous-float"},
    {"ContinuousEnumeration", 3, "<Enumeration name=\"mode\"",
     "<Enumeration variability=\"continuous\" name=\"mode\"", "continuous-float"},
    {"InitialOfAnInput", 2, "causality=\"input\" variability=\"continuous\"",
     "causality=\"input\" variability=\"continuous\" initial=\"exact\"", "initial"},
    {"ApproximateParameter", 3, "causality=\"parameter\" initial=\"exact\"",
     "causality=\"parameter\" initial=\"approx\"", "initial"},
    {"InitialOfTime", 3, "causality=\"independent\"", "causality=\"independent\" initial=\"exact\"",
     "initial"},
    {"MultipleSetOfAParameter", 3, "<Int8 ", "<Int8 canHandleMultipleSetPerTimeInstant=\"false\" ",
     "multiple-set"},
    {"DerivativeOfNothing", 3, "name=\"indicator\"", "derivative=\"77\" name=\"indicator\"", "derivative"},
    {"DerivativeOfAParameter", 2, "<Real unit=\"rad\"/>", "<Real unit=\"rad\" derivative=\"2\"/>",
     "derivative"},
    {"DimensionOfZero", 3, "<Dimension start=\"3\"/>", "<Dimension start=\"0\"/>", "dimension"},
    {"DimensionWithBoth", 3, "<Dimension start=\"3\"/>", "<Dimension/>", "dimension"},
    {"DimensionGivenByAParameter", 3, "<Dimension valueReference=\"1\"/>",
     "<Dimension valueReference=\"10\"/>", "dimension"},
    {"DimensionGivenByNothing", 3, "<Dimension valueReference=\"1\"/>", "<Dimension valueReference=\"77\"/>",
     "dimension"},
    {"DimensionThatStartsAtZero", 3, "start=\"2\" min=\"0\"", "start=\"0\" min=\"0\"", "dimension"},
    {"ClockThatIsNone", 3, "clocks=\"8\"", "clocks=\"4\"", "clocks"},
    {"ClockedContinuousVariable", 3, "<Float64 name=\"indicator\"",
     "<Float64 clocks=\"8\" name=\"indicator\"", "clocks"},
    {"TriggeredClockWithInterval", 3, "intervalVariability=\"triggered\"",
     "intervalVariability=\"triggered\" intervalDecimal=\"0.1\"", "clock-attributes"},
    {"ConstantClockWithoutInterval", 3, "intervalVariability=\"triggered\"",
     "intervalVariability=\"constant\"", "clock-attributes"},
    {"ClockWithIntervalOfZero", 3, "intervalVariability=\"triggered\"",
     "intervalVariability=\"fixed\" intervalDecimal=\"0\"", "clock-attributes"},
    {"ShiftWithoutInterval", 3, "intervalVariability=\"triggered\"",
     "intervalVariability=\"fixed\" shiftDecimal=\"1\"", "clock-attributes"},
    {"CounterWithoutFraction", 3, "intervalVariability=\"triggered\"",
     "intervalVariability=\"tunable\" intervalCounter=\"1\" resolution=\"10\"", "clock-attributes"},
    {"InputClockWithoutPriority", 3, "<CoSimulation ",
     "<ScheduledExecution modelIdentifier=\"pendulum\"/><CoSimulation ", "clock-attributes"},
    {"PreviousOfItself", 3, "clocks=\"8\"", "clocks=\"8\" previous=\"9\"", "previous"},
    {"PreviousOfAnotherType", 3, "clocks=\"8\"", "clocks=\"8\" previous=\"6\"", "previous"},
    {"PreviousWithoutClock", 3, "name=\"mode\" ", "name=\"mode\" previous=\"9\" ", "previous"},
    {"ClockedStateWithoutPrevious", 3, "<InitialUnknown valueReference=\"5\"",
     "<ClockedState valueReference=\"9\"/><InitialUnknown valueReference=\"5\"", "previous"},
    {"IntermediateInteger", 3, "<Int8 ", "<Int8 intermediateUpdate=\"true\" ", "intermediate-variable"},
    {"ReinitOfNoState", 3, "<Float64 name=\"indicator\"", "<Float64 reinit=\"true\" name=\"indicator\"",
     "reinit"},
    {"ReinitOfAnAlgebraicVariable", 2, "<Real unit=\"m\"/>", "<Real unit=\"m\" reinit=\"true\"/>", "reinit"},

    {"ParameterWithoutStart", 2, "max=\"9\" start=\"3\"", "max=\"9\"", "start-required"},
    {"InputWithoutStart", 3, "causality=\"input\" start=\"0 0 0\"", "causality=\"input\"", "start-required"},
    {"StringWithoutStart", 3, "<Start value=\"a b\"/>", "", "start-required"},
    {"ExactOutputWithoutStart", 2, "displayUnit=\"deg\" start=\"0.5\"", "displayUnit=\"deg\"",
     "start-required"},
    {"StartOfACalculatedParameter", 2, "<Real unit=\"m\"/>", "<Real unit=\"m\" start=\"2\"/>",
     "start-forbidden"},
    {"StartOfAnOutputThatIsCalculatedByDefault", 2,
     "name=\"force\" valueReference=\"6\" causality=\"output\" variability=\"continuous\"><Real/>",
     "name=\"force\" valueReference=\"6\" causality=\"output\" variability=\"continuous\"><Real "
     "start=\"0\"/>",
     "start-forbidden"},
    {"StartOfTime", 3, "causality=\"independent\"", "causality=\"independent\" start=\"0\"",
     "start-forbidden"},
    {"StartWithComma", 2, "nominal=\"1\" start=\"1\"", "nominal=\"1\" start=\"1,5\"", "start-value"},
    {"StartThatIsNoInteger", 2, "max=\"9\" start=\"3\"", "max=\"9\" start=\"3.0\"", "start-value"},
    {"StartBeyondTheType", 3, "start=\"-128\"", "start=\"-129\"", "start-value"},
    {"TooFewStartValues", 3, "start=\"0 0 0\"", "start=\"0 0\"", "start-value"},
    {"StartValuesForAScalar", 2, "<Real start=\"0\"/>", "<Real start=\"0 0\"/>", "start-value"},
    {"StartThatIsNotHexadecimal", 3, "value=\"00ff\"", "value=\"00fx\"", "start-value"},
    {"StartBelowMinimum", 3, "start=\"1 2\"", "start=\"1 -2\"", "start-range"},
    {"StartAboveTheMaximumOfItsType", 2, "displayUnit=\"deg\" start=\"0.5\"",
     "displayUnit=\"deg\" start=\"11\"", "start-range"},
    {"StartThatIsNoItem", 2, "declaredType=\"Mode\" start=\"2\"", "declaredType=\"Mode\" start=\"3\"",
     "start-item"},

    {"StructureThatPointsNowhere", 3, "<EventIndicator valueReference=\"13\"/>",
     "<EventIndicator valueReference=\"77\"/>", "structure-reference"},
    {"OutputListedTwice", 2, "<Unknown index=\"5\" dependencies=\"\"/>",
     "<Unknown index=\"5\" dependencies=\"\"/><Unknown index=\"5\" dependencies=\"\"/>",
     "structure-reference"},
    {"OutputThatIsNotListed", 3, "<Output valueReference=\"4\" dependencies=\"\"/>", "", "outputs"},
    {"ParameterListedAsOutput", 2, "<Unknown index=\"5\" dependencies=\"\"/>",
     "<Unknown index=\"5\" dependencies=\"\"/><Unknown index=\"2\" dependencies=\"\"/>", "outputs"},
    {"DerivativeWithoutItsState", 3, "<ContinuousStateDerivative ",
     "<ContinuousStateDerivative valueReference=\"13\"/><ContinuousStateDerivative ", "derivatives"},
    {"DiscreteEventIndicator", 3, "<EventIndicator valueReference=\"13\"/>",
     "<EventIndicator valueReference=\"9\"/>", "event-indicators"},
    {"CalculatedOutputThatIsNoInitialUnknown", 3, "<InitialUnknown valueReference=\"6\" dependencies=\"3\"/>",
     "", "initial-unknowns"},
    {"CalculatedParameterThatIsNoInitialUnknown", 2,
     "<Unknown index=\"3\" dependencies=\"2\" dependenciesKind=\"constant\"/>", "", "initial-unknowns"},
    {"ExactOutputAsInitialUnknown", 3, "<InitialUnknown valueReference=\"6\" dependencies=\"3\"/>",
     "<InitialUnknown valueReference=\"6\" dependencies=\"3\"/><InitialUnknown valueReference=\"4\" "
     "dependencies=\"\"/>",
     "initial-unknowns"},
    {"InitialUnknownsOutOfOrder", 2,
     "<Unknown index=\"7\" dependencies=\"4\"/>\n      <Unknown index=\"8\" dependencies=\"4\"/>",
     "<Unknown index=\"8\" dependencies=\"4\"/>\n      <Unknown index=\"7\" dependencies=\"4\"/>",
     "initial-unknowns-order"},
    {"DependencyOnNothing", 2, "<Unknown index=\"6\" dependencies=\"4\"/>",
     "<Unknown index=\"6\" dependencies=\"44\"/>", "dependencies"},
    {"DependenciesOutOfOrder", 2, "dependencies=\"4 5\"", "dependencies=\"5 4\"", "dependencies-order"},
    {"FewerKindsThanDependencies", 3, "dependenciesKind=\"fixed dependent\"", "dependenciesKind=\"fixed\"",
     "dependencies-kind"},
    {"KindsWithoutDependencies", 2, "dependencies=\"2 4\" dependenciesKind", "dependenciesKind",
     "dependencies-kind"},
    {"FixedKindAtTheStart", 2, "dependenciesKind=\"constant\"", "dependenciesKind=\"fixed\"",
     "dependencies-kind"},
    {"InitialUnknownThatDependsOnAnother", 3, "<InitialUnknown valueReference=\"6\" dependencies=\"3\"/>",
     "<InitialUnknown valueReference=\"6\" dependencies=\"5\"/>", "initial-dependencies"},
};

std::string good(int version) {
  return version == 2 ? good2 : good3;
}

std::string broken(Mistake const& mistake) {
  auto text = good(mistake.version);
  std::string const from = mistake.from;
  auto const at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the good text has no " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), mistake.to);
}

std::string listed(std::vector<Finding> const& findings) {
  std::string text;
  for (auto const& each : findings) {
    text +=
        each.rule + ", line " + std::to_string(each.line) + ": " + each.message + "; " + each.remedy + "\n";
  }
  return text;
}

TEST(GoodDescriptions, HaveNoFindings) {
  for (int const version : {2, 3}) {
    auto const findings = check_description(read_model_description(good(version), "good.xml"));
    EXPECT_TRUE(findings.empty()) << listed(findings);
  }
}

TEST(GoodDescriptions, AreValidAgainstTheSchemasOfTheStandards) {
  for (std::string const version : {"2", "3"}) {
    auto const schema = std::filesystem::path(DELASSUS_TEST_DATA) / "fmi-schema" / ("fmi" + version) /
                        ("fmi" + version + "ModelDescription.xsd");
    if (!std::filesystem::exists(schema)) GTEST_SKIP() << schema << " is not there";
    auto const findings = validate_schema(good(version == "2" ? 2 : 3), "good.xml", schema);
    EXPECT_TRUE(findings.empty()) << listed(findings);
  }
}

class BrokenDescription : public testing::TestWithParam<Mistake> {};

TEST_P(BrokenDescription, IsFoundByItsRuleAndNoOther) {
  auto const findings = check_description(read_model_description(broken(GetParam()), "broken.xml"));
  ASSERT_FALSE(findings.empty());
  SCOPED_TRACE(listed(findings));
  for (auto const& finding : findings) {
    EXPECT_EQ(finding.rule, GetParam().rule);
    EXPECT_EQ(finding.file, "broken.xml");
    EXPECT_GT(finding.line, 0);
    EXPECT_FALSE(finding.message.empty());
    EXPECT_FALSE(finding.remedy.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Mistakes, BrokenDescription, testing::ValuesIn(mistakes), [](auto const& info) {
  return info.param.name + ("Fmi" + std::to_string(info.param.version));
});

TEST(Rules, HaveEachAMistakeThatBreaksThem) {
  std::set<std::string_view> broken_rules;
  for (auto const& mistake : mistakes) broken_rules.insert(mistake.rule);
  for (auto const& rule : all_rules()) {
    if (rule.name == "schema") continue;  // validate_schema has its own tests
    EXPECT_TRUE(broken_rules.contains(rule.name)) << rule.name;
  }
}

TEST(Rules, HaveDifferentNamesInKebabCase) {
  std::set<std::string_view> names;
  for (auto const& rule : all_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_EQ(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos)
        << rule.name;
    EXPECT_FALSE(rule.demand.empty());
  }
}

TEST(Rules, StandOnThePageOfRules) {
  std::ifstream stream(std::filesystem::path(DELASSUS_SCENES_DIR) / "../../xml/RULES.md");
  if (!stream) GTEST_SKIP() << "the sources are not there";
  std::string const text{std::istreambuf_iterator<char>(stream), {}};
  for (auto const& rule : all_rules()) {
    EXPECT_NE(text.find("| `" + std::string{rule.name} + "` | "), std::string::npos) << rule.name;
    EXPECT_NE(text.find(rule.demand), std::string::npos) << rule.demand;
  }
}

TEST(Findings, NameTheLineOfTheElement) {
  auto text = good(3);
  auto const name = text.find("name=\"small\"");
  auto const line =
      1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(name), '\n'));
  text.replace(text.find("start=\"-128\""), 12, "start=\"-129\"");
  auto const findings = check_description(read_model_description(text, "broken.xml"));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, line);
}

TEST(Findings, SuggestTheSpellingOfTheRightVersion) {
  auto text = good(3);
  std::string const from = "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"";
  text.replace(text.find(from), from.size(), "canGetAndSetFMUstate=\"true\"");
  auto const findings = check_description(read_model_description(text, "broken.xml"));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].remedy.find("canGetAndSetFMUState"), std::string::npos) << findings[0].remedy;
}

TEST(StructuredNames, FollowTheGrammarOfTheStandard) {
  for (auto const* const name :
       {"v_min", "vehicle.engine.speed", "robot.axis.'motor #234'", "der(pipe[3,4].T[14],2)",
        "rod.contact.force[1]", "der(x)", "der", "_a1", "'it\\'s'"}) {
    EXPECT_TRUE(is_structured_name(name)) << name;
  }
  for (auto const* const name : {"", "1a", "a b", "a.", ".a", "a[]", "a[1", "a[-1]", "der(x", "der(x,)",
                                 "der(der(x))", "''", "'a", "a..b", "gr\xc3\xb6\xc3\x9f\x65", "a[1]b"}) {
    EXPECT_FALSE(is_structured_name(name)) << name;
  }
}

}  // namespace
}  // namespace delassus
