// Small systems for tests: descriptions of two FMUs that nobody runs, and a structure that couples them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tools/support/atomic_file.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus::test {

inline constexpr char plant_description[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="plant" guid="{plant}" numberOfEventIndicators="0">
  <CoSimulation modelIdentifier="plant" canHandleVariableCommunicationStepSize="true"/>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="N"><BaseUnit kg="1" m="1" s="-2"/></Unit>
    <Unit name="kg"><BaseUnit kg="1"/></Unit>
    <Unit name="K"><BaseUnit K="1"/></Unit>
    <Unit name="rad"><BaseUnit rad="1"/></Unit>
    <Unit name="rad/s"><BaseUnit rad="1" s="-1"/></Unit>
    <Unit name="1"><BaseUnit/></Unit>
    <Unit name="furlong"/>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Mode"><Enumeration><Item name="off" value="1"/><Item name="on" value="2"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="1" causality="output"><Real unit="m"/></ScalarVariable>
    <ScalarVariable name="angle" valueReference="2" causality="output"><Real unit="rad"/></ScalarVariable>
    <ScalarVariable name="speed" valueReference="3" causality="output"><Real unit="rad/s"/></ScalarVariable>
    <ScalarVariable name="number" valueReference="4" causality="output"><Real unit="1"/></ScalarVariable>
    <ScalarVariable name="strange" valueReference="5" causality="output"><Real unit="furlong"/></ScalarVariable>
    <ScalarVariable name="count" valueReference="6" causality="output" variability="discrete"><Integer/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="7" causality="output" variability="discrete"><Enumeration declaredType="Mode"/></ScalarVariable>
    <ScalarVariable name="touching" valueReference="8" causality="output" variability="discrete"><Boolean/></ScalarVariable>
    <ScalarVariable name="name" valueReference="9" causality="output" variability="discrete"><String/></ScalarVariable>
    <ScalarVariable name="force" valueReference="10" causality="input"><Real unit="N" start="0"/></ScalarVariable>
    <ScalarVariable name="temperature" valueReference="11" causality="input"><Real unit="K" start="300"/></ScalarVariable>
    <ScalarVariable name="enabled" valueReference="12" causality="input" variability="discrete"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="mass" valueReference="13" causality="parameter" variability="fixed"><Real unit="kg" min="0" max="10" start="1"/></ScalarVariable>
    <ScalarVariable name="tilt" valueReference="14" causality="parameter" variability="fixed"><Real unit="rad" start="0"/></ScalarVariable>
    <ScalarVariable name="start_mode" valueReference="15" causality="parameter" variability="fixed"><Enumeration declaredType="Mode" start="1"/></ScalarVariable>
    <ScalarVariable name="steps" valueReference="16" causality="parameter" variability="fixed"><Integer min="1" start="4"/></ScalarVariable>
    <ScalarVariable name="label" valueReference="17" causality="parameter" variability="fixed"><String start="a"/></ScalarVariable>
    <ScalarVariable name="inertia" valueReference="18" causality="calculatedParameter" variability="fixed"><Real/></ScalarVariable>
    <ScalarVariable name="v[1]" valueReference="19" causality="parameter" variability="fixed"><Real unit="m" start="0"/></ScalarVariable>
    <ScalarVariable name="v[2]" valueReference="20" causality="parameter" variability="fixed"><Real unit="m" start="0"/></ScalarVariable>
    <ScalarVariable name="warm" valueReference="21" causality="parameter" variability="fixed"><Boolean start="false"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1"/><Unknown index="2"/><Unknown index="3"/><Unknown index="4"/><Unknown index="5"/><Unknown index="6"/><Unknown index="7"/><Unknown index="8"/><Unknown index="9"/></Outputs>
  </ModelStructure>
</fmiModelDescription>
)xml";

inline constexpr char controller_description[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="controller" instantiationToken="{controller}">
  <CoSimulation modelIdentifier="controller" canHandleVariableCommunicationStepSize="true"/>
  <UnitDefinitions>
    <Unit name="mm"><BaseUnit m="1" factor="0.001"/></Unit>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="N"><BaseUnit kg="1" m="1" s="-2"/></Unit>
    <Unit name="deg"><BaseUnit rad="1" factor="0.017453292519943295"/></Unit>
    <Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit>
    <Unit name="rpm"><BaseUnit s="-1" factor="0.10471975511965977"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <EnumerationType name="Choice"><Item name="idle" value="0"/><Item name="busy" value="1"/></EnumerationType>
  </TypeDefinitions>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Float64 name="position" valueReference="1" causality="input" unit="mm" start="0"><Alias name="measured"/></Float64>
    <Float64 name="degrees" valueReference="2" causality="input" unit="deg" start="0"/>
    <Float64 name="revolutions" valueReference="3" causality="input" unit="rpm" start="0"/>
    <Float64 name="any" valueReference="4" causality="input" start="0"/>
    <Float32 name="coarse" valueReference="5" causality="input" start="0"/>
    <Int64 name="whole" valueReference="6" causality="input" start="0"/>
    <Int8 name="byte" valueReference="7" causality="input" start="0"/>
    <Boolean name="flag" valueReference="8" causality="input" start="false"/>
    <Enumeration name="choice" valueReference="9" causality="input" declaredType="Choice" start="0"/>
    <Float64 name="pair" valueReference="10" causality="input" unit="m" start="0 0"><Dimension start="2"/></Float64>
    <Float64 name="y" valueReference="11" causality="output" unit="N"/>
    <Float64 name="celsius" valueReference="12" causality="output" unit="degC"/>
    <Float64 name="places" valueReference="13" causality="output" unit="m"><Dimension start="2"/></Float64>
    <Boolean name="active" valueReference="14" causality="output"/>
    <Float64 name="gain" valueReference="15" causality="parameter" start="1"/>
    <Float64 name="sample" valueReference="16" causality="output"/>
    <String name="message" valueReference="17" causality="input"><Start value=""/></String>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="11"/><Output valueReference="12"/><Output valueReference="13"/><Output valueReference="14"/><Output valueReference="16"/>
  </ModelStructure>
</fmiModelDescription>
)xml";

// Every line that a test replaces is there once.
inline constexpr char coupled_structure[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping" version="1.0" name="coupled" description="two of them">
  <ssd:System name="root">
    <ssd:Connectors>
      <ssd:Connector name="goal" kind="input"><ssc:Real unit="cm"/></ssd:Connector>
      <ssd:Connector name="heavy" kind="parameter"><ssc:Real unit="g"/></ssd:Connector>
      <ssd:Connector name="where" kind="output"><ssc:Real unit="cm"/></ssd:Connector>
    </ssd:Connectors>
    <ssd:ParameterBindings>
      <ssd:ParameterBinding>
        <ssd:ParameterValues>
          <ssv:ParameterSet version="1.0" name="values">
            <ssv:Parameters>
              <ssv:Parameter name="plant.tilt"><ssv:Real value="180" unit="deg"/></ssv:Parameter>
              <ssv:Parameter name="heavy"><ssv:Real value="2500"/></ssv:Parameter>
            </ssv:Parameters>
          </ssv:ParameterSet>
        </ssd:ParameterValues>
      </ssd:ParameterBinding>
    </ssd:ParameterBindings>
    <ssd:Elements>
      <ssd:Component name="plant" source="resources/plant.fmu" implementation="CoSimulation">
        <ssd:Connectors>
          <ssd:Connector name="x" kind="output"><ssc:Real unit="m"/></ssd:Connector>
          <ssd:Connector name="angle" kind="output"/>
          <ssd:Connector name="speed" kind="output"/>
          <ssd:Connector name="number" kind="output"/>
          <ssd:Connector name="strange" kind="output"/>
          <ssd:Connector name="count" kind="output"/>
          <ssd:Connector name="mode" kind="output"/>
          <ssd:Connector name="touching" kind="output"/>
          <ssd:Connector name="name" kind="output"/>
          <ssd:Connector name="force" kind="input"/>
          <ssd:Connector name="temperature" kind="input"/>
          <ssd:Connector name="enabled" kind="input"/>
          <ssd:Connector name="mass" kind="parameter"/>
        </ssd:Connectors>
        <ssd:ParameterBindings>
          <ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="own">
                <ssv:Parameters>
                  <ssv:Parameter name="steps"><ssv:Integer value="7"/></ssv:Parameter>
                  <ssv:Parameter name="start_mode"><ssv:Enumeration value="on"/></ssv:Parameter>
                </ssv:Parameters>
              </ssv:ParameterSet>
            </ssd:ParameterValues>
          </ssd:ParameterBinding>
        </ssd:ParameterBindings>
      </ssd:Component>
      <ssd:Component name="controller" source="resources/controller.fmu">
        <ssd:Connectors>
          <ssd:Connector name="position" kind="input"/>
          <ssd:Connector name="degrees" kind="input"/>
          <ssd:Connector name="revolutions" kind="input"/>
          <ssd:Connector name="any" kind="input"/>
          <ssd:Connector name="coarse" kind="input"/>
          <ssd:Connector name="whole" kind="input"/>
          <ssd:Connector name="byte" kind="input"/>
          <ssd:Connector name="flag" kind="input"/>
          <ssd:Connector name="choice" kind="input"/>
          <ssd:Connector name="pair" kind="input"/>
          <ssd:Connector name="message" kind="input"/>
          <ssd:Connector name="y" kind="output"/>
          <ssd:Connector name="celsius" kind="output"/>
          <ssd:Connector name="places" kind="output"/>
          <ssd:Connector name="active" kind="output"/>
          <ssd:Connector name="sample" kind="output"/>
        </ssd:Connectors>
      </ssd:Component>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="plant" startConnector="x" endElement="controller" endConnector="position"/>
      <ssd:Connection startElement="plant" startConnector="angle" endElement="controller" endConnector="degrees"/>
      <ssd:Connection startElement="plant" startConnector="speed" endElement="controller" endConnector="revolutions"/>
      <ssd:Connection startElement="plant" startConnector="force" endElement="controller" endConnector="y"/>
      <ssd:Connection startElement="controller" startConnector="celsius" endElement="plant" endConnector="temperature"/>
      <ssd:Connection startElement="plant" startConnector="x" endConnector="where"/>
      <ssd:Connection startConnector="goal" endElement="controller" endConnector="any"/>
      <ssd:Connection startConnector="heavy" endElement="plant" endConnector="mass"/>
    </ssd:Connections>
  </ssd:System>
  <ssd:Units>
    <ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>
    <ssc:Unit name="cm"><ssc:BaseUnit m="1" factor="0.01"/></ssc:Unit>
    <ssc:Unit name="g"><ssc:BaseUnit kg="1" factor="0.001"/></ssc:Unit>
    <ssc:Unit name="deg"><ssc:BaseUnit rad="1" factor="0.017453292519943295"/></ssc:Unit>
  </ssd:Units>
  <ssd:DefaultExperiment startTime="0" stopTime="5">
    <ssd:Annotations>
      <ssc:Annotation type="org.delassus.cosim"><delassus:Cosim xmlns:delassus="http://delassus.org/cosim" step="0.01" algorithm="gauss-seidel"/></ssc:Annotation>
    </ssd:Annotations>
  </ssd:DefaultExperiment>
</ssd:SystemStructureDescription>
)xml";

// plant.fmu and controller.fmu in a folder. They have no binaries: nothing here runs them.
inline void write_described_fmus(std::filesystem::path const& folder) {
  std::filesystem::create_directories(folder);
  write_file(folder / "plant.fmu", make_archive({{"modelDescription.xml", plant_description}}));
  write_file(folder / "controller.fmu", make_archive({{"modelDescription.xml", controller_description}}));
}

// The text with one part of it replaced, which has to be there once.
inline std::string replaced(std::string text, std::string const& part, std::string const& by) {
  auto const at = text.find(part);
  if (at == std::string::npos || text.find(part, at + 1) != std::string::npos)
    throw std::logic_error("there is not exactly one: " + part);
  return text.replace(at, part.size(), by);
}

inline int line_of(std::string const& text, std::string const& part) {
  auto const at = text.find(part);
  if (at == std::string::npos) throw std::logic_error("there is no: " + part);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace delassus::test
