#include "xml/ssp/structure_forms.hpp"

#include <string>

namespace delassus {
namespace {

constexpr std::string_view common_form = R"(
space ssd http://ssp-standard.org/SSP1/SystemStructureDescription;
space ssv http://ssp-standard.org/SSP1/SystemStructureParameterValues;
space ssm http://ssp-standard.org/SSP1/SystemStructureParameterMapping;
space ssc http://ssp-standard.org/SSP1/SystemStructureCommon;

Base: id=ID description;
Top: +Base version!=/1[.][0-9]+(-.*)?/ author fileversion copyright license generationTool
    generationDateAndTime=dateTime;
Annotations: > ssc:Annotation+;
Annotation: type! > ANY?;
Enumerations: > ssc:Enumeration=EnumerationDefinition+;
EnumerationDefinition: +Base name! > ssc:Item+ ssc:Annotations?;
Item: name! value!=int;
Units: > ssc:Unit+;
Unit: +Base name! > ssc:BaseUnit ssc:Annotations?;
BaseUnit: kg=int m=int s=int A=int K=int mol=int cd=int rad=int factor=double offset=double;
Empty: ;
Real: unit;
EnumerationType: name!;
Binary: mime-type;
LinearTransformation: factor=double offset=double;
BooleanMappingTransformation: > ssc:MapEntry=BooleanEntry+;
BooleanEntry: source!=boolean target!=boolean;
IntegerMappingTransformation: > ssc:MapEntry=IntegerEntry+;
IntegerEntry: source!=int target!=int;
EnumerationMappingTransformation: > ssc:MapEntry=ItemEntry+;
ItemEntry: source! target!;

ParameterSet: +Top name! > ssv:Parameters ssv:Enumerations? ssv:Units? ssv:Annotations?;
Parameters: > ssv:Parameter*;
Parameter: +Base name!
  > (ssv:Real=RealValue | ssv:Integer=IntegerValue | ssv:Boolean=BooleanValue | ssv:String=TextValue |
     ssv:Enumeration=ItemValue | ssv:Binary=BinaryValue) ssv:Annotations?;
RealValue: value!=double unit;
IntegerValue: value!=int;
BooleanValue: value!=boolean;
TextValue: value!;
ItemValue: value! name;
BinaryValue: mime-type value!=hexBinary;

ParameterMapping: +Top > ssm:MappingEntry* ssm:Annotations?;
MappingEntry: +Base source! target! suppressUnitConversion=boolean
  > (ssc:LinearTransformation | ssc:BooleanMappingTransformation | ssc:IntegerMappingTransformation |
     ssc:EnumerationMappingTransformation)? ssm:Annotations?;
)";

constexpr std::string_view description1_form = R"(
root ssd:SystemStructureDescription ssv:ParameterSet ssm:ParameterMapping;

SystemStructureDescription: +Top name!
  > ssd:System ssd:Enumerations? ssd:Units? ssd:DefaultExperiment? ssd:Annotations?;
DefaultExperiment: startTime=double stopTime=double > ssd:Annotations?;

Element: +Base name!=nonempty;
System: +Element
  > ssd:Connectors? ssd:ElementGeometry? ssd:ParameterBindings? ssd:Elements? ssd:Connections?
    ssd:SignalDictionaries? ssd:SystemGeometry=Corners? ssd:GraphicalElements? ssd:Annotations?;
Elements: > (ssd:Component | ssd:SignalDictionaryReference | ssd:System)+;
Component: +Element type source!=anyURI implementation=|any|ModelExchange|CoSimulation
  > ssd:Connectors? ssd:ElementGeometry? ssd:ParameterBindings? ssd:Annotations?;
SignalDictionaryReference: +Element dictionary!
  > ssd:Connectors? ssd:ElementGeometry? ssd:ParameterBindings? ssd:Annotations?;
SignalDictionaries: > ssd:SignalDictionary+;
SignalDictionary: +Base type source=anyURI name! > ANY*;

Connectors: > ssd:Connector+;
Connector: +Base name! kind!=|input|output|parameter|calculatedParameter|inout
  > (ssc:Real | ssc:Integer=Empty | ssc:Boolean=Empty | ssc:String=Empty | ssc:Enumeration=EnumerationType |
     ssc:Binary)? ssd:ConnectorGeometry? ssd:Annotations?;
ConnectorGeometry: x!=double y!=double;

Corners: x1!=double y1!=double x2!=double y2!=double;
ElementGeometry: +Corners rotation=double iconSource=anyURI iconRotation=double iconFlip=boolean
    iconFixedAspectRatio=boolean;
GraphicalElements: > ssd:Note+;
Note: +Corners text!;

Connections: > ssd:Connection+;
Connection: +Base startElement startConnector! endElement endConnector! suppressUnitConversion=boolean
  > (ssc:LinearTransformation | ssc:BooleanMappingTransformation | ssc:IntegerMappingTransformation |
     ssc:EnumerationMappingTransformation)? ssd:ConnectionGeometry? ssd:Annotations?;
ConnectionGeometry: pointsX!=[double] pointsY!=[double];

ParameterBindings: > ssd:ParameterBinding+;
Source: +Base type source=anyURI sourceBase=|SSD|component;
ParameterBinding: +Source prefix > ssd:ParameterValues? ssd:ParameterMapping=InnerMapping? ssd:Annotations?;
ParameterValues: > ANY*;
InnerMapping: +Source > ANY*;
)";

DocumentForm ssp1(std::string_view grammar) {
  return DocumentForm(std::string(common_form) + std::string(grammar));
}

}  // namespace

DocumentForm const& structure_form() {
  static DocumentForm const form = ssp1(description1_form);
  return form;
}

DocumentForm const& parameter_set_form() {
  static DocumentForm const form = ssp1("root ssv:ParameterSet;");
  return form;
}

DocumentForm const& parameter_mapping_form() {
  static DocumentForm const form = ssp1("root ssm:ParameterMapping;");
  return form;
}

}  // namespace delassus
