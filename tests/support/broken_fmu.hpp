// The descriptions of the FMUs in broken_fmu.c and broken_fmu3.c.
#pragma once

namespace delassus {

inline constexpr char broken_fmu_description[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="broken" guid="{broken}" numberOfEventIndicators="0">
  <CoSimulation modelIdentifier="broken" canHandleVariableCommunicationStepSize="true" canInterpolateInputs="true" maxOutputDerivativeOrder="1" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
  <LogCategories>
    <Category name="logEvents"/>
    <Category name="logStatusError"/>
  </LogCategories>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="rate" valueReference="1" causality="parameter" variability="fixed"><Real start="2"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="2" causality="output" variability="continuous" initial="exact"><Real min="0" start="0"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="3" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="4" causality="output" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="5" variability="continuous"><Real derivative="3"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="3" dependencies=""/><Unknown index="5" dependencies="4"/></Outputs>
    <Derivatives><Unknown index="6" dependencies=""/></Derivatives>
    <InitialUnknowns><Unknown index="5" dependencies="4"/><Unknown index="6" dependencies="2"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)xml";

// The interface element of the above, and what makes it one of Model Exchange.
inline constexpr char broken_fmu_co_simulation[] =
    R"xml(<CoSimulation modelIdentifier="broken" canHandleVariableCommunicationStepSize="true" canInterpolateInputs="true" maxOutputDerivativeOrder="1" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>)xml";
inline constexpr char broken_fmu_model_exchange[] =
    R"xml(<ModelExchange modelIdentifier="broken" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>)xml";

inline constexpr char broken_fmu3_description[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="broken" instantiationToken="{broken3}">
  <CoSimulation modelIdentifier="broken" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="true" canSerializeFMUState="true" providesDirectionalDerivatives="true" providesAdjointDerivatives="true" providesIntermediateUpdate="true" canReturnEarlyAfterIntermediateUpdate="true" mightReturnEarlyFromDoStep="true" hasEventMode="true"/>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Float64 name="rate" valueReference="1" causality="parameter" start="2"/>
    <Float64 name="x" valueReference="2" causality="output" initial="exact" start="0" intermediateUpdate="true"/>
    <Float64 name="u" valueReference="3" causality="input" start="0"/>
    <Float64 name="y" valueReference="4" causality="output"/>
    <String name="text" valueReference="5" causality="parameter"><Start value="some text"/></String>
    <Binary name="bytes" valueReference="6" causality="parameter"><Start value="00ff"/></Binary>
    <Clock name="tick" valueReference="7" causality="output" intervalVariability="triggered"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2" dependencies=""/>
    <Output valueReference="4" dependencies="3"/>
    <Output valueReference="7" dependencies=""/>
    <InitialUnknown valueReference="4" dependencies="3"/>
  </ModelStructure>
</fmiModelDescription>
)xml";

}  // namespace delassus
