// Systems from files: what a structure comes to, and every mistake with its line.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/program_run.hpp"
#include "tests/support/system_files.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/ssp/structure_rules.hpp"

namespace delassus::test {
namespace {

class SystemFile : public testing::Test {
 protected:
  void SetUp() override { write_described_fmus(folder_.path() / "resources"); }

  std::filesystem::path write(std::string const& text, std::string const& name = "system.ssd") const {
    write_file(folder_.path() / name, text);
    return folder_.path() / name;
  }
  CosimSystem load(std::string const& text) const { return load_cosim_system(write(text)); }

  // Of a component by name and signal by name.
  static CosimConnection const& connection_to(CosimSystem const& system, std::string const& component,
                                              std::string const& signal) {
    for (auto const& connection : system.connections) {
      auto const& to = system.components[connection.to];
      if (to.name == component && to.signals[connection.to_signal].name == signal) return connection;
    }
    throw std::logic_error("nothing is connected to " + component + "." + signal);
  }
  static SignalValue const& setting(CosimSystem const& system, std::string const& component,
                                    std::string const& signal) {
    for (auto const& each : system.components) {
      if (each.name != component) continue;
      for (auto const& value : each.settings) {
        if (each.signals[value.signal].name == signal) return value;
      }
    }
    throw std::logic_error(component + "." + signal + " is not set");
  }
  static double number(CosimSystem const& system, std::string const& component, std::string const& signal) {
    return std::get<double>(setting(system, component, signal).value);
  }
  static double through(CosimConnection const& connection, double value) {
    return connection.factor * value + connection.offset;
  }

  TemporaryFolder folder_;
};

TEST_F(SystemFile, BecomesComponentsConnectionsAndSettings) {
  auto const system = load(coupled_structure);
  EXPECT_EQ(system.name, "coupled");
  EXPECT_EQ(system.description, "two of them");
  ASSERT_EQ(system.components.size(), 2u);
  EXPECT_EQ(system.components[0].name, "plant");
  EXPECT_EQ(system.components[0].kind, InterfaceKind::co_simulation);
  EXPECT_EQ(system.components[1].kind, std::nullopt);
  EXPECT_EQ(system.connections.size(), 5u);
  EXPECT_EQ(system.start, 0.0);
  EXPECT_EQ(system.stop, 5.0);
  EXPECT_EQ(system.step, 0.01);
  EXPECT_EQ(system.settings.at("algorithm"), "gauss-seidel");
  EXPECT_EQ(number(system, "plant", "steps"), 7);
  EXPECT_EQ(number(system, "plant", "start_mode"), 2);
}

TEST_F(SystemFile, SendsDataFromTheOutputWhateverEndIsTheStart) {
  auto const system = load(coupled_structure);
  auto const& connection = connection_to(system, "plant", "force");
  EXPECT_EQ(system.components[connection.from].name, "controller");
  EXPECT_EQ(connection.line, line_of(coupled_structure, "startConnector=\"force\""));
}

// Numbers of physics, not of this program: 1 m is 1000 mm, pi rad are 180 degrees, 2 pi rad/s are 60 revolutions
// in a minute, and 20 degrees Celsius are 293.15 K.
TEST_F(SystemFile, ConvertsUnitsBetweenComponents) {
  auto const system = load(coupled_structure);
  EXPECT_DOUBLE_EQ(through(connection_to(system, "controller", "position"), 1.25), 1250);
  EXPECT_DOUBLE_EQ(through(connection_to(system, "controller", "degrees"), std::numbers::pi), 180);
  EXPECT_DOUBLE_EQ(through(connection_to(system, "controller", "revolutions"), 2 * std::numbers::pi), 60);
  EXPECT_DOUBLE_EQ(through(connection_to(system, "plant", "temperature"), 20), 293.15);
  auto const& same = connection_to(system, "plant", "force");
  EXPECT_EQ(same.factor, 1);
  EXPECT_EQ(same.offset, 0);
}

// rpm of this structure has no rad, as is usual: a number of turns is a number.
TEST_F(SystemFile, ConvertsBetweenAConnectorAndItsVariableAlsoWhereTheyDifferInRad) {
  auto const text = replaced(
      coupled_structure, R"(<ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>)",
      R"(<ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit><ssc:Unit name="rpm"><ssc:BaseUnit s="-1" factor="0.10471975511965977"/></ssc:Unit>
    <ssc:Unit name="rad/s"><ssc:BaseUnit rad="1" s="-1"/></ssc:Unit>)");
  auto const leaving =
      replaced(text, R"(<ssd:Connector name="speed" kind="output"/>)",
               R"(<ssd:Connector name="speed" kind="output"><ssc:Real unit="rpm"/></ssd:Connector>)");
  auto const arriving =
      replaced(text, R"(<ssd:Connector name="revolutions" kind="input"/>)",
               R"(<ssd:Connector name="revolutions" kind="input"><ssc:Real unit="rad/s"/></ssd:Connector>)");
  for (auto const& each : {leaving, arriving})
    EXPECT_DOUBLE_EQ(through(connection_to(load(each), "controller", "revolutions"), 2 * std::numbers::pi),
                     60);
}

TEST_F(SystemFile, TakesWhatAConnectorIsGivenInTheUnitOfTheConnector) {
  auto const declared = replaced(
      coupled_structure, R"(<ssd:Connector name="heavy" kind="parameter">)",
      R"(<ssd:Connector name="lean" kind="parameter"><ssc:Real unit="deg"/></ssd:Connector><ssd:Connector name="heavy" kind="parameter">)");
  auto const inside = replaced(
      declared, R"(<ssd:Connector name="mass" kind="parameter"/>)",
      R"(<ssd:Connector name="mass" kind="parameter"/><ssd:Connector name="tilt" kind="parameter"/>)");
  auto const system = load(replaced(
      inside, R"(      <ssd:Connection startConnector="heavy")",
      R"(      <ssd:Connection startConnector="lean" endElement="plant" endConnector="tilt"/><ssd:Connection startConnector="heavy")"));
  for (auto const* const text : {"lean=45", "lean=45deg"}) {
    auto const values = parse_system_assignment(system, text);
    ASSERT_EQ(values.size(), 1u);
    EXPECT_DOUBLE_EQ(std::get<double>(values[0].second.value), std::numbers::pi / 4) << text;
  }
  EXPECT_THROW(parse_system_assignment(system, "heavy=45deg"), CommandError);
  EXPECT_THROW(parse_system_assignment(system, "lean=much"), CommandError);
  auto const shown = choose_columns(system, {"where", "plant.x"});
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(shown[0].unit, "cm");
  EXPECT_EQ(shown[1].unit, "m");
}

TEST_F(SystemFile, ConvertsParametersAndWhatTheSystemShows) {
  auto const system = load(coupled_structure);
  EXPECT_DOUBLE_EQ(number(system, "plant", "tilt"), std::numbers::pi);  // 180 deg
  EXPECT_DOUBLE_EQ(number(system, "plant", "mass"), 2.5);  // 2500 g through the connector `heavy`
  ASSERT_EQ(system.outputs.size(), 1u);
  EXPECT_EQ(system.outputs[0].name, "where");
  EXPECT_EQ(system.outputs[0].unit, "cm");
  EXPECT_DOUBLE_EQ(system.outputs[0].factor, 100);
  ASSERT_EQ(system.inputs.size(), 1u);
  EXPECT_EQ(system.inputs[0].name, "goal");
  ASSERT_EQ(system.parameters.size(), 1u);
  EXPECT_DOUBLE_EQ(system.parameters[0].factor, 1e-3);
}

TEST_F(SystemFile, AppliesATransformationAfterTheUnits) {
  auto const text = replaced(
      coupled_structure, R"(endElement="controller" endConnector="position"/>)",
      R"(endElement="controller" endConnector="position"><ssc:LinearTransformation factor="2" offset="5"/></ssd:Connection>)");
  EXPECT_DOUBLE_EQ(through(connection_to(load(text), "controller", "position"), 1), 2005);
  auto const suppressed = replaced(text, R"(endConnector="position">)",
                                   R"(endConnector="position" suppressUnitConversion="true">)");
  EXPECT_DOUBLE_EQ(through(connection_to(load(suppressed), "controller", "position"), 1), 7);
}

TEST_F(SystemFile, PassesThroughNestedSystemsWithTheirConversions) {
  // The position in metres goes out of `inner` in centimetres and into the controller in millimetres.
  auto text = replaced(
      coupled_structure,
      R"(      <ssd:Component name="plant" source="resources/plant.fmu" implementation="CoSimulation">)",
      R"(      <ssd:System name="inner">
        <ssd:Connectors>
          <ssd:Connector name="out" kind="output"><ssc:Real unit="cm"/></ssd:Connector>
          <ssd:Connector name="in" kind="input"/>
          <ssd:Connector name="weight" kind="parameter"/>
        </ssd:Connectors>
        <ssd:Elements>
          <ssd:Component name="body" source="resources/plant.fmu">
            <ssd:Connectors>
              <ssd:Connector name="x" kind="output"/>
              <ssd:Connector name="force" kind="input"/>
              <ssd:Connector name="mass" kind="parameter"/>
            </ssd:Connectors>
          </ssd:Component>
        </ssd:Elements>
        <ssd:Connections>
          <ssd:Connection startElement="body" startConnector="x" endConnector="out"/>
          <ssd:Connection startConnector="in" endElement="body" endConnector="force"/>
          <ssd:Connection startConnector="weight" endElement="body" endConnector="mass"><ssc:LinearTransformation factor="2"/></ssd:Connection>
        </ssd:Connections>
      </ssd:System>
      <ssd:Component name="plant" source="resources/plant.fmu" implementation="CoSimulation">)");
  text = replaced(
      text,
      R"(      <ssd:Connection startElement="plant" startConnector="x" endElement="controller" endConnector="position"/>)",
      R"(      <ssd:Connection startElement="inner" startConnector="out" endElement="controller" endConnector="position"/>
      <ssd:Connection startElement="controller" startConnector="y" endElement="inner" endConnector="in"/>)");
  text = replaced(text, R"(<ssv:Parameter name="heavy"><ssv:Real value="2500"/></ssv:Parameter>)",
                  R"(<ssv:Parameter name="heavy"><ssv:Real value="2500"/></ssv:Parameter>
              <ssv:Parameter name="inner.weight"><ssv:Real value="1500" unit="g"/></ssv:Parameter>
              <ssv:Parameter name="inner.body.tilt"><ssv:Real value="1"/></ssv:Parameter>)");
  auto const system = load(text);
  ASSERT_EQ(system.components.size(), 3u);
  EXPECT_EQ(system.components[0].name, "inner.body");
  EXPECT_EQ(system.components[0].model, system.components[1].model);  // one source, one model
  auto const& connection = connection_to(system, "controller", "position");
  EXPECT_EQ(connection.from, 0u);
  EXPECT_DOUBLE_EQ(through(connection, 1.25), 1250);
  EXPECT_EQ(connection_to(system, "inner.body", "force").from, 2u);
  EXPECT_DOUBLE_EQ(number(system, "inner.body", "mass"), 3);  // 1500 g, doubled on the way
  EXPECT_DOUBLE_EQ(number(system, "inner.body", "tilt"), 1);
}

TEST_F(SystemFile, LetsLaterBindingsAndThoseOfTheSystemWin) {
  auto const own = R"(<ssv:Parameter name="steps"><ssv:Integer value="7"/></ssv:Parameter>)";
  auto const later =
      R"(<ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version="1.0" name="later"><ssv:Parameters>
      <ssv:Parameter name="steps"><ssv:Integer value="8"/></ssv:Parameter>
    </ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding>
        </ssd:ParameterBindings>
      </ssd:Component>
      <ssd:Component name="controller")";
  auto const text = replaced(coupled_structure, R"(        </ssd:ParameterBindings>
      </ssd:Component>
      <ssd:Component name="controller")",
                             later);
  EXPECT_NE(text.find(own), std::string::npos);
  EXPECT_EQ(number(load(text), "plant", "steps"), 8);
  auto const above = replaced(text, R"(<ssv:Parameter name="plant.tilt">)",
                              R"(<ssv:Parameter name="plant.steps"><ssv:Integer value="9"/></ssv:Parameter>
              <ssv:Parameter name="plant.tilt">)");
  EXPECT_EQ(number(load(above), "plant", "steps"), 9);
}

constexpr char values_file[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="from a file">
  <ssv:Parameters>
    <ssv:Parameter name="mass"><ssv:Real value="4" unit="lb"/></ssv:Parameter>
    <ssv:Parameter name="warmth"><ssv:Boolean value="1"/></ssv:Parameter>
    <ssv:Parameter name="called"><ssv:String value="a b"/></ssv:Parameter>
    <ssv:Parameter name="v[2]"><ssv:Real value="3"/></ssv:Parameter>
  </ssv:Parameters>
  <ssv:Units>
    <ssc:Unit name="lb"><ssc:BaseUnit kg="1" factor="0.45359237"/></ssc:Unit>
  </ssv:Units>
</ssv:ParameterSet>
)xml";
constexpr char mapping_file[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<ssm:ParameterMapping xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0">
  <ssm:MappingEntry source="mass" target="mass"><ssc:LinearTransformation factor="0.5"/></ssm:MappingEntry>
  <ssm:MappingEntry source="warmth" target="warm"><ssc:BooleanMappingTransformation><ssc:MapEntry source="true" target="false"/><ssc:MapEntry source="false" target="true"/></ssc:BooleanMappingTransformation></ssm:MappingEntry>
  <ssm:MappingEntry source="called" target="label"/>
</ssm:ParameterMapping>
)xml";

std::string with_binding(std::string const& binding) {
  return replaced(coupled_structure, R"(        <ssd:ParameterBindings>
          <ssd:ParameterBinding>
)",
                  "        <ssd:ParameterBindings>\n          " + binding + R"(
          <ssd:ParameterBinding>
)");
}

TEST_F(SystemFile, TakesParametersFromFilesThroughAMapping) {
  write_file(folder_.path() / "resources/some values.ssv", values_file);
  write_file(folder_.path() / "resources/names.ssm", mapping_file);
  auto const without_heavy = [](std::string const& text) {
    return replaced(text, R"(<ssv:Parameter name="heavy"><ssv:Real value="2500"/></ssv:Parameter>)", "");
  };
  auto const text = without_heavy(with_binding(
      R"(<ssd:ParameterBinding source="resources/some%20values.ssv"><ssd:ParameterMapping source="resources/names.ssm"/></ssd:ParameterBinding>)"));
  auto const system = load(text);
  EXPECT_DOUBLE_EQ(number(system, "plant", "mass"), 2 * 0.45359237);  // an international pound
  EXPECT_EQ(number(system, "plant", "warm"), 0);
  EXPECT_EQ(std::get<std::string>(setting(system, "plant", "label").value), "a b");
  EXPECT_THROW(setting(system, "plant", "v[2]"), std::logic_error);  // with a mapping, only what it maps
  auto const plain =
      load(without_heavy(with_binding(R"(<ssd:ParameterBinding source="resources/some%20values.ssv"/>)")));
  EXPECT_DOUBLE_EQ(number(plain, "plant", "mass"), 4 * 0.45359237);
  EXPECT_EQ(number(plain, "plant", "v[2]"), 3);
}

TEST_F(SystemFile, PutsThePrefixOfABindingBeforeItsNames) {
  write_file(folder_.path() / "resources/values.ssv", values_file);
  auto const text = replaced(coupled_structure, R"(    <ssd:ParameterBindings>
      <ssd:ParameterBinding>
        <ssd:ParameterValues>
          <ssv:ParameterSet version="1.0" name="values">)",
                             R"(    <ssd:ParameterBindings>
      <ssd:ParameterBinding source="resources/values.ssv" prefix="plant."/>
      <ssd:ParameterBinding>
        <ssd:ParameterValues>
          <ssv:ParameterSet version="1.0" name="values">)");
  EXPECT_EQ(number(load(text), "plant", "v[2]"), 3);
}

TEST_F(SystemFile, ReadsParametersFromInsideOfAnFmu) {
  write_file(
      folder_.path() / "resources/plant.fmu",
      make_archive({{"modelDescription.xml", plant_description}, {"resources/values.ssv", values_file}}));
  auto const text =
      with_binding(R"(<ssd:ParameterBinding source="resources/values.ssv" sourceBase="component"/>)");
  EXPECT_EQ(number(load(text), "plant", "v[2]"), 3);
  EXPECT_THROW(load(with_binding(R"(<ssd:ParameterBinding source="other.ssv" sourceBase="component"/>)")),
               StructureError);
}

TEST_F(SystemFile, MapsEnumerationsByTheNamesOfTheirItems) {
  auto const text = replaced(
      coupled_structure, R"(    </ssd:Connections>)",
      R"(      <ssd:Connection startElement="plant" startConnector="mode" endElement="controller" endConnector="choice"><ssc:EnumerationMappingTransformation><ssc:MapEntry source="off" target="idle"/><ssc:MapEntry source="on" target="busy"/></ssc:EnumerationMappingTransformation></ssd:Connection>
    </ssd:Connections>)");
  auto const mapping = connection_to(load(text), "controller", "choice").mapping;
  EXPECT_EQ(mapping, (std::vector<std::pair<double, double>>{{1, 0}, {2, 1}}));
}

TEST_F(SystemFile, ConnectsArraysElementByElementAndKnowsAliases) {
  auto text = replaced(coupled_structure, R"(<ssd:Connector name="position" kind="input"/>)",
                       R"(<ssd:Connector name="measured" kind="input"/>)");
  text = replaced(text, R"(endConnector="position"/>)", R"(endConnector="measured"/>)");
  text = replaced(
      text, R"(    </ssd:Connections>)",
      R"(      <ssd:Connection startElement="controller" startConnector="places" endElement="controller" endConnector="pair"/>
    </ssd:Connections>)");
  auto const system = load(text);
  EXPECT_EQ(connection_to(system, "controller", "position").from, 0u);
  EXPECT_EQ(system.components[1].signals[connection_to(system, "controller", "pair[2]").from_signal].name,
            "places[2]");
}

TEST_F(SystemFile, TakesAStructureAsAComponentOfAnother) {
  write(coupled_structure, "inner.ssd");
  auto const outer =
      R"xml(<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" version="1.0" name="outer">
  <System name="outer">
    <Elements>
      <Component name="pair" type="application/x-ssp-definition" source="inner.ssd">
        <Connectors><Connector name="where" kind="output"/><Connector name="goal" kind="input"/></Connectors>
        <ParameterBindings><ParameterBinding><ParameterValues>
          <ParameterSet version="1.0" name="above"><Parameters>
            <Parameter name="heavy"><Real value="3000"/></Parameter>
          </Parameters></ParameterSet>
        </ParameterValues></ParameterBinding></ParameterBindings>
      </Component>
      <Component name="other" type="application/x-ssp-definition" source="inner.ssd"/>
      <Component name="last" source="resources/controller.fmu"><Connectors><Connector name="position" kind="input"/></Connectors></Component>
    </Elements>
    <Connections><Connection startElement="pair" startConnector="where" endElement="last" endConnector="position"/></Connections>
  </System>
</SystemStructureDescription>
)xml";
  auto const system = load_cosim_system(write(outer, "outer.ssd"));
  ASSERT_EQ(system.components.size(), 5u);
  EXPECT_EQ(system.components[0].name, "pair.plant");
  EXPECT_DOUBLE_EQ(through(connection_to(system, "last", "position"), 1), 1000);  // m, through cm, into mm
  EXPECT_DOUBLE_EQ(number(system, "pair.plant", "mass"), 3);
  EXPECT_DOUBLE_EQ(number(system, "other.plant", "mass"), 2.5);

  write(replaced(coupled_structure, "source=\"resources/controller.fmu\"",
                 "type=\"application/x-ssp-definition\" source=\"inner.ssd\""),
        "inner.ssd");
  try {
    load_cosim_system(folder_.path() / "outer.ssd");
    ADD_FAILURE() << "a structure within itself was loaded";
  } catch (StructureError const& error) {
    EXPECT_CONTAINS(std::string(error.what()), "itself as a component");
  }
}

TEST_F(SystemFile, InstantiatesASystemOfTheSameDocumentAgain) {
  auto text = replaced(coupled_structure, R"(    <ssd:Elements>
      <ssd:Component name="plant")",
                       R"(    <ssd:Elements>
      <ssd:System name="first" id="twice"><ssd:Elements><ssd:Component name="part" source="resources/plant.fmu"/></ssd:Elements></ssd:System>
      <ssd:Component name="second" type="application/x-ssp-definition" source="#twice"/>
      <ssd:Component name="plant")");
  auto const system = load(text);
  ASSERT_EQ(system.components.size(), 4u);
  EXPECT_EQ(system.components[1].name, "second.part");
}

TEST_F(SystemFile, ReadsTheStepOfOtherToolsWhereThereIsNoneOfOurs) {
  auto const ours =
      R"(<ssc:Annotation type="org.delassus.cosim"><delassus:Cosim xmlns:delassus="http://delassus.org/cosim" step="0.01" algorithm="gauss-seidel"/></ssc:Annotation>)";
  EXPECT_EQ(
      load(
          replaced(
              coupled_structure, ours,
              R"(<ssc:Annotation type="org.openmodelica"><oms:Annotations xmlns:oms="x"><oms:SimulationInformation><oms:FixedStepMaster stepSize="0.002"/></oms:SimulationInformation></oms:Annotations></ssc:Annotation>)"))
          .step,
      0.002);
  EXPECT_EQ(
      load(
          replaced(
              coupled_structure, ours,
              R"(<ssc:Annotation type="com.opensimulationplatform"><osp:Algorithm xmlns:osp="x"><osp:FixedStepAlgorithm baseStepSize="0.004"/></osp:Algorithm></ssc:Annotation>)"))
          .step,
      0.004);
}

// Mistakes: what is written instead of what, and the finding that has to come, at the line of the replaced text.
struct Mistake {
  char const* name;
  char const* part;
  char const* by;
  char const* rule;
  char const* message;
  int below = 0;  // lines below the beginning of the replaced text
};
void PrintTo(Mistake const& mistake, std::ostream* stream) {
  *stream << mistake.name;
}

constexpr char last_connection[] =
    R"(      <ssd:Connection startConnector="heavy" endElement="plant" endConnector="mass"/>)";
constexpr char tilt[] =
    R"(<ssv:Parameter name="plant.tilt"><ssv:Real value="180" unit="deg"/></ssv:Parameter>)";

Mistake const mistakes[] = {
    {"MissingFmu", R"(source="resources/plant.fmu")", R"(source="resources/plan.fmu")", "component-source",
     "\"resources/plan.fmu\" does not exist"},
    {"NoSource", R"( source="resources/controller.fmu")", "", "component-source", "has no source"},
    {"Scheme", R"(source="resources/plant.fmu")", R"(source="https://x.org/plant.fmu")", "component-source",
     "has the scheme https"},
    {"Percent", R"(source="resources/plant.fmu")", R"(source="resources/%zz.fmu")", "component-source",
     "a % that is none of a URI"},
    {"HiddenSlash", R"(source="resources/plant.fmu")", R"(source="resources%2Fplant.fmu")",
     "component-source", "hides a slash"},
    {"Backslash", R"(source="resources/plant.fmu")", R"(source="resources\plant.fmu")", "component-source",
     "write / between folders"},
    {"UnknownType", R"(source="resources/controller.fmu")",
     R"(type="text/x-modelica" source="resources/controller.fmu")", "component-type", "text/x-modelica"},
    {"SceneThatIsAnFmu", R"(source="resources/controller.fmu")",
     R"(type="application/x-delassus-scene" source="resources/controller.fmu")", "component-source",
     "is an FMU; leave type"},
    {"ImplementationThatIsNotOffered", R"(implementation="CoSimulation")",
     R"(implementation="ModelExchange")", "component-implementation",
     "asks for ModelExchange, and its source offers CoSimulation"},
    {"ScheduledExecution", R"(implementation="CoSimulation")", R"(implementation="ScheduledExecution")",
     "structure-supported", "Scheduled Execution"},
    {"UnknownVariable", R"(<ssd:Connector name="enabled" kind="input"/>)",
     R"(<ssd:Connector name="enabld" kind="input"/>)", "connector-variable",
     "no variable of resources/plant.fmu"},
    {"WrongCausality", R"(<ssd:Connector name="enabled" kind="input"/>)",
     R"(<ssd:Connector name="enabled" kind="output"/>)", "connector-causality",
     "is of kind output, and the variable is input"},
    {"WrongConnectorType", R"(<ssd:Connector name="enabled" kind="input"/>)",
     R"(<ssd:Connector name="enabled" kind="input"><ssc:Real/></ssd:Connector>)", "connector-type",
     "is of type Real, and the variable is Boolean"},
    {"WrongConnectorUnit", R"(<ssd:Connector name="temperature" kind="input"/>)",
     R"(<ssd:Connector name="temperature" kind="input"><ssc:Real unit="m"/></ssd:Connector>)",
     "connector-unit", "has the unit m (m), and the variable has K (K)"},
    {"ArrayInto2", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="x" endElement="controller" endConnector="pair"/>)",
     "connection-size", "1 elements into 2"},
    {"TwoIntoOneInput", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="x" endElement="plant" endConnector="force"/>)",
     "connection-twice", "\"plant.force\" gets its value from the connection in line"},
    {"MetresIntoNewtons", R"(startConnector="force" endElement="controller" endConnector="y"/>)",
     R"(startConnector="force" endElement="plant" endConnector="x"/>)", "connection-unit",
     "m (m) cannot become N (kg.m/s2)"},
    {"NumberIntoMetres", R"(startConnector="x" endElement="controller" endConnector="position"/>)",
     R"(startConnector="number" endElement="controller" endConnector="position"/>)", "connection-unit-number",
     "1 goes into mm as it is"},
    {"UnknownBaseUnits", R"(startConnector="x" endElement="controller" endConnector="position"/>)",
     R"(startConnector="strange" endElement="controller" endConnector="position"/>)", "connection-unit-known",
     "the base units of furlong are not known"},
    {"FloatIntoBoolean", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="x" endElement="controller" endConnector="flag"/>)",
     "connection-type", "Float64 into Boolean"},
    {"IntegerIntoByte", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="count" endElement="controller" endConnector="byte"/>)",
     "connection-type", "Int32 into Int8"},
    {"FloatIntoSingle", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="x" endElement="controller" endConnector="coarse"/>)",
     "connection-narrowing", "Float64 into Float32 loses digits"},
    {"UnlikeItems", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="mode" endElement="controller" endConnector="choice"/>)",
     "connection-items", "different items"},
    {"NumbersIntoItems", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="count" endElement="controller" endConnector="choice"/>)",
     "connection-items", "numbers of Int32 go into an enumeration"},
    {"Texts", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="name" endElement="controller" endConnector="message"/>)",
     "structure-supported", "values of type String"},
    {"FactorOfABoolean", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="touching" endElement="controller" endConnector="flag"><ssc:LinearTransformation factor="2"/></ssd:Connection>)",
     "connection-transformation", "cannot be applied to Boolean"},
    {"UnknownItemOfATable", last_connection,
     R"(      <ssd:Connection startElement="plant" startConnector="mode" endElement="controller" endConnector="choice"><ssc:EnumerationMappingTransformation><ssc:MapEntry source="off" target="idel"/></ssc:EnumerationMappingTransformation></ssd:Connection>)",
     "connection-transformation", "\"idel\" is no value"},
    {"UnknownParameter", tilt, R"(<ssv:Parameter name="plant.tlt"><ssv:Real value="1"/></ssv:Parameter>)",
     "parameter-name", "has no variable \"plant.tlt\""},
    {"ParameterOfUnlikeUnit", tilt,
     R"(<ssv:Parameter name="plant.tilt"><ssv:Real value="1" unit="m"/></ssv:Parameter>)", "parameter-unit",
     "m (m) cannot become rad (rad)"},
    {"RealForAnInteger", tilt, R"(<ssv:Parameter name="plant.steps"><ssv:Real value="3"/></ssv:Parameter>)",
     "parameter-type", "\"plant.steps\" is Int32 and gets Real \"3\""},
    {"WordForANumber", tilt, R"(<ssv:Parameter name="plant.tilt"><ssv:Real value="much"/></ssv:Parameter>)",
     "parameter-type", "gets \"much\", which is no Real"},
    {"ParameterOutOfRange", tilt,
     R"(<ssv:Parameter name="plant.mass"><ssv:Real value="11"/></ssv:Parameter>)", "parameter-range",
     "\"plant.mass\" is 11 kg; it must be from 0 to 10"},
    {"InfiniteParameter", tilt, R"(<ssv:Parameter name="plant.tilt"><ssv:Real value="INF"/></ssv:Parameter>)",
     "parameter-range", "\"plant.tilt\" is inf"},
    {"UnknownItem", tilt,
     R"(<ssv:Parameter name="plant.start_mode"><ssv:Enumeration value="onn"/></ssv:Parameter>)",
     "parameter-range", "has no item \"onn\""},
    {"ComputedParameter", tilt,
     R"(<ssv:Parameter name="plant.inertia"><ssv:Real value="1"/></ssv:Parameter>)", "parameter-settable",
     "cannot be set: it is calculatedParameter"},
    {"TwoValuesForOne", tilt, R"(<ssv:Parameter name="plant.v"><ssv:Real value="1 2 3"/></ssv:Parameter>)",
     "parameter-type", "has 2 elements and gets 3 values"},
    {"FactorOfAWholeNumber", R"(<ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">)",
     R"(<ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version="1.0" name="more"><ssv:Parameters><ssv:Parameter name="n"><ssv:Integer value="3"/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues><ssd:ParameterMapping><ssm:ParameterMapping version="1.0"><ssm:MappingEntry source="n" target="steps"><ssc:LinearTransformation factor="2"/></ssm:MappingEntry></ssm:ParameterMapping></ssd:ParameterMapping></ssd:ParameterBinding><ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">)",
     "parameter-type", "\"plant.steps\" is Int32: no factor or offset"},
    {"MissingValues", R"(<ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">)",
     R"(<ssd:ParameterBinding source="resources/none.ssv"/><ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">)",
     "parameter-source", "\"resources/none.ssv\" does not exist"},
    {"OtherKindOfValues", R"(<ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">)",
     R"(<ssd:ParameterBinding type="text/csv" source="resources/none.csv"/><ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">)",
     "parameter-source", "parameters of type text/csv are not supported"},
};

class MistakeInASystem : public SystemFile, public testing::WithParamInterface<Mistake> {};

TEST_P(MistakeInASystem, IsFoundAtItsLine) {
  auto const& mistake = GetParam();
  auto const text = replaced(coupled_structure, mistake.part, mistake.by);
  auto const findings = read_cosim_source(write(text)).findings;
  std::string all;
  for (auto const& finding : findings) {
    all += finding.rule + " " + finding_text(finding) + "\n";
    if (finding.rule != mistake.rule || finding.message.find(mistake.message) == std::string::npos) continue;
    // What is replaced by nothing stood on the line of what was before it.
    std::string const mark = *mistake.by == '\0' ? "name=\"controller\"" : mistake.by;
    EXPECT_EQ(finding.line, line_of(text, mark) + mistake.below);
    EXPECT_CONTAINS(finding.file, "system.ssd");
    if (finding.severity == Severity::error) {
      EXPECT_THROW(load_cosim_system(folder_.path() / "system.ssd"), StructureError);
    }
    return;
  }
  ADD_FAILURE() << "not found; there are:\n" << all;
}
INSTANTIATE_TEST_SUITE_P(System, MistakeInASystem, testing::ValuesIn(mistakes),
                         [](auto const& info) { return info.param.name; });

// What is against the standard and what others write and run: `check` says error, a run warns and goes on.
struct Tolerated {
  char const* name;
  char const* part;
  char const* by;
  char const* rule;
};
void PrintTo(Tolerated const& tolerated, std::ostream* stream) {
  *stream << tolerated.name;
}

Tolerated const all_tolerated[] = {
    {"StopTimeOfZero", R"(<ssd:DefaultExperiment startTime="0" stopTime="5">)",
     R"(<ssd:DefaultExperiment startTime="0" stopTime="0.0">)", "structure-experiment"},
    {"EmptyStartElement", last_connection,
     R"(      <ssd:Connection startElement="" startConnector="heavy" endElement="plant" endConnector="mass"/>)",
     "connection-element"},
    {"UndefinedUnit", R"(<ssd:Connector name="temperature" kind="input"/>)",
     R"(<ssd:Connector name="temperature" kind="input"><ssc:Real unit="Kelvin"/></ssd:Connector>)",
     "structure-unit"},
    {"UndefinedUnitOfAParameter", tilt,
     R"(<ssv:Parameter name="plant.tilt"><ssv:Real value="3" unit="grad"/></ssv:Parameter>)",
     "structure-unit"},
    {"UndefinedEnumeration", R"(<ssd:Connector name="mode" kind="output"/>)",
     R"(<ssd:Connector name="mode" kind="output"><ssc:Enumeration name="Modes"/></ssd:Connector>)",
     "structure-enumeration"},
};

class ToleratedInASystem : public SystemFile, public testing::WithParamInterface<Tolerated> {};

TEST_P(ToleratedInASystem, IsAnErrorOfTheCheckAndAWarningOfARun) {
  auto const file = write(replaced(coupled_structure, GetParam().part, GetParam().by));
  auto const has_rule = [](std::vector<Finding> const& findings) {
    return std::ranges::any_of(findings, [](Finding const& finding) {
      return finding.rule == GetParam().rule && finding.severity == Severity::error && finding.tolerated;
    });
  };
  EXPECT_TRUE(has_rule(read_cosim_source(file).findings));
  std::vector<Finding> warnings;
  auto const system = load_cosim_system(file, "", &warnings);
  EXPECT_TRUE(has_rule(warnings));
  auto const plain = load(coupled_structure);
  EXPECT_EQ(system.components.size(), plain.components.size());
  EXPECT_EQ(system.connections.size(), plain.connections.size());
  if (std::string_view(GetParam().rule) == "structure-experiment") {
    EXPECT_FALSE(system.stop);
  }
}
INSTANTIATE_TEST_SUITE_P(System, ToleratedInASystem, testing::ValuesIn(all_tolerated),
                         [](auto const& info) { return info.param.name; });

// SSP 2.0, 5.3.1.5: parameter sets are applied before the initialisation; connections carry values from then on. Of
// several values that of the higher level is taken.
TEST_F(SystemFile, WarnsOfAVariableThatHasAValueAndAConnection) {
  auto const text = replaced(
      coupled_structure, tilt,
      std::string(tilt) + R"(<ssv:Parameter name="controller.position"><ssv:Real value="1"/></ssv:Parameter>)"
                          R"(<ssv:Parameter name="plant.mass"><ssv:Real value="1"/></ssv:Parameter>)");
  std::vector<Finding> warnings;
  auto const system = load_cosim_system(write(text), "", &warnings);
  std::string all;
  std::size_t count = 0;
  for (auto const& warning : warnings) {
    all += warning.message + "\n";
    count += warning.rule == "parameter-connected";
  }
  EXPECT_EQ(count, 2u) << all;
  EXPECT_CONTAINS(all, "\"controller.position\" has a value here and is connected with \"plant.x\"");
  EXPECT_CONTAINS(all, "\"plant.mass\" has a value");
  EXPECT_NO_THROW(connection_to(system, "controller", "position"));
}

TEST_F(SystemFile, ReportsEveryErrorAtOnce) {
  auto text = replaced(coupled_structure, R"(endConnector="position"/>)", R"(endConnector="postion"/>)");
  text = replaced(text, R"(endConnector="degrees"/>)", R"(endConnector="degres"/>)");
  try {
    load(text);
    ADD_FAILURE();
  } catch (StructureError const& error) {
    std::string const what = error.what();
    EXPECT_CONTAINS(what, "\"controller\" has no connector \"postion\"; write \"position\"");
    EXPECT_CONTAINS(what, "\"controller\" has no connector \"degres\"; write \"degrees\"");
  }
}

TEST_F(SystemFile, ThatMultipliesItselfComesToAnEnd) {
  std::string systems;
  for (int i = 0; i < 24; ++i) {
    auto const next = "#s" + std::to_string(i + 1);
    systems += "<System name=\"s" + std::to_string(i) + "\" id=\"s" + std::to_string(i) +
               "\"><Elements><Component name=\"a\" source=\"" + next + "\"/><Component name=\"b\" source=\"" +
               next + "\"/></Elements></System>";
  }
  systems += "<System name=\"s24\" id=\"s24\"/>";
  auto const text =
      "<SystemStructureDescription version=\"1.0\" name=\"many\"><System name=\"root\"><Elements>" + systems +
      "</Elements></System></SystemStructureDescription>";
  EXPECT_THROW(load(text), StructureError);
}

TEST_F(SystemFile, FindsARingOfSystemsWithoutAComponent) {
  auto const text = replaced(coupled_structure, R"(    <ssd:Elements>
      <ssd:Component name="plant")",
                             R"(    <ssd:Elements>
      <ssd:System name="a"><ssd:Connectors><ssd:Connector name="i" kind="input"/><ssd:Connector name="o" kind="output"/></ssd:Connectors><ssd:Connections><ssd:Connection startConnector="i" endConnector="o"/></ssd:Connections></ssd:System>
      <ssd:Component name="plant")");
  auto const ring = replaced(text, R"(    <ssd:Connections>
      <ssd:Connection startElement="plant")",
                             R"(    <ssd:Connections>
      <ssd:Connection startElement="a" startConnector="o" endElement="a" endConnector="i"/>
      <ssd:Connection startElement="plant")");
  auto const with_value = replaced(ring, R"(<ssv:Parameter name="heavy">)",
                                   R"(<ssv:Parameter name="a.i"><ssv:Real value="1"/></ssv:Parameter>
              <ssv:Parameter name="heavy">)");
  auto const findings = read_cosim_source(write(with_value)).findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rule, "connection-ring");
}

TEST_F(SystemFile, WarnsOfMappingsWithoutSourceAndOfNamesThatOthersDoNotKnow) {
  write_file(folder_.path() / "resources/values.ssv", values_file);
  auto text = with_binding(
      R"(<ssd:ParameterBinding source="resources/values.ssv"><ssd:ParameterMapping><ssm:ParameterMapping version="1.0"><ssm:MappingEntry source="mas" target="mass"/></ssm:ParameterMapping></ssd:ParameterMapping></ssd:ParameterBinding>)");
  text = replaced(text, R"(<ssd:Connector name="pair" kind="input"/>)",
                  R"(<ssd:Connector name="pair[1]" kind="input"/>)");
  auto const findings = read_cosim_source(write(text)).findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].rule, "mapping-source");
  EXPECT_EQ(findings[0].line, line_of(text, "MappingEntry source"));
  EXPECT_EQ(findings[1].rule, "connector-scalar");
}

}  // namespace
}  // namespace delassus::test
