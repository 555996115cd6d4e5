// The description of the FMU in broken_fmu.c.
#pragma once

namespace delassus {

inline constexpr char broken_fmu_description[] = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="broken" guid="{broken}" numberOfEventIndicators="0">
  <CoSimulation modelIdentifier="broken" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="rate" valueReference="1" causality="parameter" variability="fixed"><Real start="2"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="2" causality="output" variability="continuous" initial="calculated"><Real min="0"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="3" dependencies=""/></Outputs>
    <InitialUnknowns><Unknown index="3" dependencies=""/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)";

}  // namespace delassus
