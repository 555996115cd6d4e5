// Parameter sets and their mappings, .ssv and .ssm.
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/model_run.hpp"
#include "xml/ssp/structure_reader.hpp"

using namespace delassus;

fuzz::Seeds fuzz::seeds() {
  Seeds all = files_of(DELASSUS_SYSTEMS_DIR, ".ssv");
  all["types.ssv"] =
      R"(<ssv:ParameterSet name="p" version="2.0" xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
 xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"><ssv:Parameters>
<ssv:Parameter name="a"><ssv:Real value="1e-3" unit="mm"/></ssv:Parameter><ssv:Parameter name="b"><ssv:Integer value="-2"/></ssv:Parameter>
<ssv:Parameter name="c"><ssv:Boolean value="true"/></ssv:Parameter><ssv:Parameter name="d"><ssv:Enumeration value="x" name="E"/></ssv:Parameter>
<ssv:Parameter name="e"><ssv:Float64 value="1 2 3"/></ssv:Parameter><ssv:Parameter name="f"><ssv:String value="z"/></ssv:Parameter></ssv:Parameters>
<ssv:Enumerations><ssc:Enumeration name="E"><ssc:Item name="x" value="1"/></ssc:Enumeration></ssv:Enumerations>
<ssv:Units><ssc:Unit name="mm"><ssc:BaseUnit m="1" factor="1e-3" offset="0"/></ssc:Unit></ssv:Units></ssv:ParameterSet>)";
  all["mapping.ssm"] =
      R"(<ssm:ParameterMapping version="1.0" xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping"
 xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"><ssm:MappingEntry source="a" target="b" suppressUnitConversion="true">
<ssc:LinearTransformation factor="2" offset="-1"/></ssm:MappingEntry><ssm:MappingEntry source="c" target="d"><ssc:BooleanMappingTransformation>
<ssc:MapEntry source="true" target="false"/></ssc:BooleanMappingTransformation></ssm:MappingEntry></ssm:ParameterMapping>)";
  return all;
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(fuzz::text_of(data, size));
  try {
    read_parameter_set(text, "fuzzed.ssv");
  } catch (StructureError const&) {
    // No XML, hostile, or another kind of file.
  }
  try {
    read_parameter_mapping(text, "fuzzed.ssm");
  } catch (StructureError const&) {
    // Likewise.
  }
  return 0;
}
