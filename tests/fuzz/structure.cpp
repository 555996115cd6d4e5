// System structures, .ssd: read, checked by every rule, and with their sources replaced.
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/model_run.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/ssp/structure_rewriter.hpp"
#include "xml/ssp/structure_rules.hpp"

using namespace delassus;

namespace {

void collect_sources(StructureElement const& element, SourceReplacements& replacements) {
  if (element.source) replacements.components[*element.source] = {"resources/other.fmu", ""};
  if (element.icon) replacements.files[*element.icon] = "resources/other.png";
  for (ParameterBinding const& binding : element.bindings) {
    if (binding.source) replacements.files[*binding.source] = "resources/other.ssv";
  }
  for (StructureElement const& inner : element.elements) collect_sources(inner, replacements);
}

}  // namespace

fuzz::Seeds fuzz::seeds() {
  Seeds all = files_of(DELASSUS_SYSTEMS_DIR, ".ssd");
  all["transformations"] = R"(<ssd:SystemStructureDescription name="s" version="1.0"
 xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
<ssd:System name="r"><ssd:Connectors><ssd:Connector name="u" kind="input"><ssc:Real unit="mm"/></ssd:Connector></ssd:Connectors>
<ssd:ParameterBindings><ssd:ParameterBinding source="p.ssv" prefix="a."><ssd:ParameterMapping source="m.ssm"/></ssd:ParameterBinding></ssd:ParameterBindings>
<ssd:Elements><ssd:Component name="c" source="c.fmu" type="application/x-fmu-sharedlibrary" implementation="CoSimulation">
<ssd:Connectors><ssd:Connector name="e" kind="input"><ssc:Enumeration name="E"/></ssd:Connector><ssd:Connector name="y" kind="output"><ssc:Float64><ssc:Dimension size="2"/></ssc:Float64></ssd:Connector></ssd:Connectors></ssd:Component>
<ssd:System name="i"><ssd:Connectors/></ssd:System></ssd:Elements>
<ssd:Connections><ssd:Connection startConnector="u" endElement="c" endConnector="e"><ssc:LinearTransformation factor="2" offset="1"/></ssd:Connection>
<ssd:Connection startElement="c" startConnector="y" endElement="c" endConnector="e"><ssc:EnumerationMappingTransformation><ssc:MapEntry source="a" target="b"/></ssc:EnumerationMappingTransformation></ssd:Connection></ssd:Connections></ssd:System>
<ssd:Units><ssc:Unit name="mm"><ssc:BaseUnit m="1" factor="1e-3"/></ssc:Unit></ssd:Units>
<ssd:Enumerations><ssc:Enumeration name="E"><ssc:Item name="a" value="1"/></ssc:Enumeration></ssd:Enumerations>
<ssd:DefaultExperiment startTime="0" stopTime="1"/></ssd:SystemStructureDescription>)";
  return all;
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(fuzz::text_of(data, size));
  is_system_structure(text);
  try {
    SystemStructure const structure = read_system_structure(text, "fuzzed.ssd");
    check_structure(structure);
    SourceReplacements replacements;
    collect_sources(structure.system, replacements);
    read_system_structure(replace_sources(text, replacements), "replaced.ssd");
  } catch (StructureError const&) {
    // No XML, hostile, or another kind of file.
  }
  return 0;
}
