#include "xml/fmi/standard_forms.hpp"

#include <string>

namespace delassus {
namespace {

constexpr std::string_view fmi2_form = R"(
root fmiModelDescription;

fmiModelDescription: fmiVersion!=|2.0 modelName! guid! description author version copyright license generationTool
    generationDateAndTime=dateTime variableNamingConvention=|flat|structured numberOfEventIndicators=unsignedInt
  > (ModelExchange? CoSimulation?){2} UnitDefinitions? TypeDefinitions? LogCategories? DefaultExperiment?
    VendorAnnotations=Tools? ModelVariables ModelStructure;

Interface: modelIdentifier! needsExecutionTool=boolean canBeInstantiatedOnlyOncePerProcess=boolean
    canNotUseMemoryManagementFunctions=boolean canGetAndSetFMUstate=boolean canSerializeFMUstate=boolean
    providesDirectionalDerivative=boolean;
ModelExchange: +Interface completedIntegratorStepNotNeeded=boolean > SourceFiles?;
CoSimulation: +Interface canHandleVariableCommunicationStepSize=boolean canInterpolateInputs=boolean
    maxOutputDerivativeOrder=unsignedInt canRunAsynchronuously=boolean > SourceFiles?;
SourceFiles: > File+;
File: name!;

UnitDefinitions: > Unit+;
Unit: name! > BaseUnit? DisplayUnit*;
BaseUnit: kg=int m=int s=int A=int K=int mol=int cd=int rad=int factor=double offset=double;
DisplayUnit: name! factor=double offset=double;

RealAttributes: quantity unit displayUnit relativeQuantity=boolean min=double max=double nominal=double
    unbounded=boolean;
IntegerAttributes: quantity min=int max=int;
TypeDefinitions: > SimpleType+;
SimpleType: name! description
  > Real=RealAttributes | Integer=IntegerAttributes | Boolean=Anything | String=Anything | Enumeration=EnumerationType;
Anything: * > TEXT ANY*;
EnumerationType: quantity > Item+;
Item: name! value!=int description;

LogCategories: > Category+;
Category: name! description;
DefaultExperiment: startTime=double stopTime=double tolerance=double stepSize=double;
Tools: > Tool+;
Tool: name! > ANY?;

ModelVariables: > ScalarVariable+;
ScalarVariable: name! valueReference!=unsignedInt description
    causality=|parameter|calculatedParameter|input|output|local|independent
    variability=|constant|fixed|tunable|discrete|continuous initial=|exact|approx|calculated
    canHandleMultipleSetPerTimeInstant=boolean
  > (Real | Integer | Boolean | String | Enumeration) Annotations=Tools?;
Real: declaredType +RealAttributes start=double derivative=unsignedInt reinit=boolean;
Integer: declaredType +IntegerAttributes start=int;
Boolean: declaredType start=boolean;
String: declaredType start;
Enumeration: declaredType! +IntegerAttributes start=int;

ModelStructure: > Outputs=Unknowns? Derivatives=Unknowns? InitialUnknowns=Unknowns?;
Unknowns: > Unknown+;
Unknown: index!=unsignedInt dependencies=[unsignedInt]
    dependenciesKind=[|dependent|constant|fixed|tunable|discrete];
)";

constexpr std::string_view annotations3 = R"(
Annotations: > Annotation+;
Annotation: type! > TEXT ANY*;
)";

constexpr std::string_view version3 = R"(
Version: fmiVersion!=/3[.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?(-.+)?/;
)";

constexpr std::string_view fmi3_form = R"(
root fmiModelDescription Annotations;

fmiModelDescription: +Version modelName! instantiationToken! description author version copyright license
    generationTool generationDateAndTime=dateTime variableNamingConvention=|flat|structured
  > ModelExchange? CoSimulation? ScheduledExecution=Interface? UnitDefinitions? TypeDefinitions? LogCategories?
    DefaultExperiment? ModelVariables ModelStructure Annotations?;

Interface: modelIdentifier! needsExecutionTool=boolean canBeInstantiatedOnlyOncePerProcess=boolean
    canGetAndSetFMUState=boolean canSerializeFMUState=boolean providesDirectionalDerivatives=boolean
    providesAdjointDerivatives=boolean providesPerElementDependencies=boolean * > Annotations?;
ModelExchange: +Interface needsCompletedIntegratorStep=boolean providesEvaluateDiscreteStates=boolean
  > Annotations?;
CoSimulation: +Interface canHandleVariableCommunicationStepSize=boolean fixedInternalStepSize=double
    maxOutputDerivativeOrder=unsignedInt recommendedIntermediateInputSmoothness=int
    providesIntermediateUpdate=boolean mightReturnEarlyFromDoStep=boolean
    canReturnEarlyAfterIntermediateUpdate=boolean hasEventMode=boolean providesEvaluateDiscreteStates=boolean
  > Annotations?;

UnitDefinitions: > Unit+;
Unit: name! > BaseUnit? DisplayUnit* Annotations?;
BaseUnit: kg=int m=int s=int A=int K=int mol=int cd=int rad=int factor=double offset=double;
DisplayUnit: name! factor=double offset=double inverse=boolean > Annotations?;

Real: quantity unit displayUnit relativeQuantity=boolean unbounded=boolean;
Bounds64: min=double max=double nominal=double;
Bounds32: min=float max=float nominal=float;
Clocked: canBeDeactivated=boolean priority=unsignedInt
    intervalVariability!=|constant|fixed|tunable|changing|countdown|triggered intervalDecimal=double
    shiftDecimal=double supportsFraction=boolean resolution=unsignedLong intervalCounter=unsignedLong
    shiftCounter=unsignedLong;
Bytes: mimeType maxSize=nonNegativeInteger;

Named: name! description > Annotations?;
TypeDefinitions: > (Float32Type | Float64Type | Int8Type | UInt8Type | Int16Type | UInt16Type | Int32Type |
    UInt32Type | Int64Type | UInt64Type | BooleanType=Named | StringType=Named | BinaryType | EnumerationType |
    ClockType)+;
Float32Type: +Named +Real +Bounds32 > Annotations?;
Float64Type: +Named +Real +Bounds64 > Annotations?;
Int8Type: +Named quantity min=byte max=byte > Annotations?;
UInt8Type: +Named quantity min=unsignedByte max=unsignedByte > Annotations?;
Int16Type: +Named quantity min=short max=short > Annotations?;
UInt16Type: +Named quantity min=unsignedShort max=unsignedShort > Annotations?;
Int32Type: +Named quantity min=int max=int > Annotations?;
UInt32Type: +Named quantity min=unsignedInt max=unsignedInt > Annotations?;
Int64Type: +Named quantity min=long max=long > Annotations?;
UInt64Type: +Named quantity min=unsignedLong max=unsignedLong > Annotations?;
BinaryType: +Named +Bytes > Annotations?;
EnumerationType: +Named quantity min=long max=long > Annotations? Item+;
Item: name! value!=long description > Annotations?;
ClockType: +Named +Clocked > Annotations?;

LogCategories: > Category=Named+;
DefaultExperiment: startTime=double stopTime=double tolerance=double stepSize=double > Annotations?;

ModelVariables: > (Float32 | Float64 | Int8 | UInt8 | Int16 | UInt16 | Int32 | UInt32 | Int64 | UInt64 | Boolean |
    String | Binary | Enumeration | Clock)+;
AnyVariable: name! valueReference!=unsignedInt description
    causality=|parameter|calculatedParameter|input|output|local|independent|structuralParameter
    variability=|constant|fixed|tunable|discrete|continuous canHandleMultipleSetPerTimeInstant=boolean
    clocks=[unsignedInt];
Arrayable: +AnyVariable intermediateUpdate=boolean previous=unsignedInt initial=|exact|approx|calculated;
Variable: +Arrayable declaredType;
FloatVariable: +Variable +Real derivative=unsignedInt reinit=boolean;
Float32: +FloatVariable +Bounds32 start=[float] > Annotations? Dimension* Alias=FloatAlias*;
Float64: +FloatVariable +Bounds64 start=[double] > Annotations? Dimension* Alias=FloatAlias*;
Int8: +Variable quantity min=byte max=byte start=[byte] > Annotations? Dimension* Alias*;
UInt8: +Variable quantity min=unsignedByte max=unsignedByte start=[unsignedByte] > Annotations? Dimension* Alias*;
Int16: +Variable quantity min=short max=short start=[short] > Annotations? Dimension* Alias*;
UInt16: +Variable quantity min=unsignedShort max=unsignedShort start=[unsignedShort]
  > Annotations? Dimension* Alias*;
Int32: +Variable quantity min=int max=int start=[int] > Annotations? Dimension* Alias*;
UInt32: +Variable quantity min=unsignedInt max=unsignedInt start=[unsignedInt] > Annotations? Dimension* Alias*;
Int64: +Variable quantity min=long max=long start=[long] > Annotations? Dimension* Alias*;
UInt64: +Variable quantity min=unsignedLong max=unsignedLong start=[unsignedLong]
  > Annotations? Dimension* Alias*;
Boolean: +Variable start=[boolean] > Annotations? Dimension* Alias*;
String: +Variable > Annotations? Dimension* Start=TextStart* Alias*;
Binary: +Variable +Bytes > Annotations? Dimension* Start=BytesStart* Alias*;
Enumeration: +Arrayable declaredType! quantity min=long max=long start=[long] > Annotations? Dimension* Alias*;
Clock: +AnyVariable declaredType +Clocked > Annotations? Alias*;
Dimension: start=unsignedLong valueReference=unsignedInt;
TextStart: value;
BytesStart: value=hexBinary;
Alias: name! description;
FloatAlias: +Alias displayUnit;

ModelStructure: > Output=Unknown* ContinuousStateDerivative=Unknown* ClockedState=Unknown* InitialUnknown=Unknown*
    EventIndicator=Unknown*;
Unknown: valueReference!=unsignedInt dependencies=[unsignedInt]
    dependenciesKind=[|dependent|constant|fixed|tunable|discrete] > Annotations?;
)";

constexpr std::string_view terminals3_form = R"(
root fmiTerminalsAndIcons Annotations;

fmiTerminalsAndIcons: +Version > GraphicalRepresentation? Terminals? Annotations?;
Icon: x1!=double y1!=double x2!=double y2!=double;
CoordinateSystem: +Icon suggestedScalingFactorTo_mm!=double;
GraphicalRepresentation: > CoordinateSystem? Icon? Annotations?;
Terminals: > Terminal+;
Terminal: name! matchingRule! terminalKind description
  > TerminalMemberVariable* TerminalStreamMemberVariable* Terminal* TerminalGraphicalRepresentation? Annotations?;
TerminalMemberVariable: variableName! memberName variableKind! > Annotations?;
TerminalStreamMemberVariable: inStreamMemberName! outStreamMemberName! inStreamVariableName! outStreamVariableName!
  > Annotations?;
TerminalGraphicalRepresentation: +Icon defaultConnectionColor=[unsignedByte] defaultConnectionStrokeSize=double
    iconBaseName! > Annotations?;
)";

constexpr std::string_view build3_form = R"(
root fmiBuildDescription Annotations;

fmiBuildDescription: +Version > BuildConfiguration+ Annotations?;
BuildConfiguration: modelIdentifier! platform description > SourceFileSet* Library* Annotations?;
SourceFileSet: name language compiler compilerOptions
  > SourceFile=Named+ PreprocessorDefinition* IncludeDirectory=Named* Annotations?;
Named: name! > Annotations?;
PreprocessorDefinition: name! optional=boolean value description > Option* Annotations?;
Option: value description;
Library: name! version external=boolean description > Annotations?;
)";

DocumentForm form_of_fmi3(std::string_view grammar) {
  return DocumentForm(std::string(version3) + std::string(annotations3) + std::string(grammar));
}

}  // namespace

DocumentForm const& description_form(int version) {
  static DocumentForm const two(fmi2_form);
  static DocumentForm const three = form_of_fmi3(fmi3_form);
  return version == 2 ? two : three;
}

DocumentForm const& terminals_form() {
  static DocumentForm const form = form_of_fmi3(terminals3_form);
  return form;
}

DocumentForm const& build_description_form() {
  static DocumentForm const form = form_of_fmi3(build3_form);
  return form;
}

}  // namespace delassus
