// modelDescription.xml: read, checked by every rule, made a table of signals, written again.
#include <algorithm>

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/model_run.hpp"
#include "tools/import/package_description.hpp"
#include "tools/import/signal_table.hpp"
#include "xml/fmi/companion_rules.hpp"
#include "xml/fmi/description_reader.hpp"
#include "xml/fmi/description_writer.hpp"
#include "xml/fmi/rules.hpp"
#include "xml/scene/reader.hpp"

using namespace delassus;

namespace {

// A dimension makes many signals of few bytes.
constexpr std::uint64_t most_elements = 1000;

void add(fuzz::Seeds& seeds, std::string const& name, Model const& model) {
  for (int const version : {2, 3}) {
    seeds[name + "_fmi" + std::to_string(version)] =
        write_model_description(package_description(model, version));
  }
}

void check_companions(std::string const& text, ModelDescription const& description) {
  CompanionContext const context{description, [](std::string const&) { return false; }};
  check_terminals(text, "fuzzed.xml", context);
  check_build_description(text, "fuzzed.xml", context);
  check_manifest(text, "fuzzed.xml", "extra");
}

}  // namespace

fuzz::Seeds fuzz::seeds() {
  Seeds all;
  for (char const* name : {"bouncing_ball", "sliding_block"})
    add(all, name, SceneModel(read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml")));
  add(all, "position_pid",
      ControllerModel(read_controller_file(std::string(DELASSUS_CONTROLLERS_DIR) + "/position_pid.xml")));
  all["small_fmi3"] = R"(<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t">
<CoSimulation modelIdentifier="m" maxOutputDerivativeOrder="1"/>
<UnitDefinitions><Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" factor="1e3" inverse="true"/></Unit></UnitDefinitions>
<TypeDefinitions><EnumerationType name="E"><Item name="a" value="1"/></EnumerationType></TypeDefinitions>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<UInt64 name="n" valueReference="1" causality="structuralParameter" variability="fixed" start="2"/>
<Float64 name="x" valueReference="2" causality="output" start="0 1"><Dimension valueReference="1"/><Alias name="y"/></Float64>
<Clock name="c" valueReference="3" intervalVariability="constant" intervalDecimal="0.1"/>
<Int32 name="i" valueReference="4" clocks="3" variability="discrete" causality="input" start="1"/>
<String name="s" valueReference="5" variability="fixed" causality="parameter"><Start value="z"/></String>
<Binary name="b" valueReference="6" variability="fixed" causality="parameter"><Start value="00ff"/></Binary>
<Enumeration name="e" valueReference="7" declaredType="E" start="1" variability="discrete"/>
</ModelVariables>
<ModelStructure><Output valueReference="2" dependencies="4" dependenciesKind="constant"/></ModelStructure>
</fmiModelDescription>)";
  all["terminals"] =
      R"(<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals><Terminal name="t" matchingRule="plug">
<TerminalMemberVariable variableName="x" memberName="x" variableKind="signal"/></Terminal></Terminals></fmiTerminalsAndIcons>)";
  return all;
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(fuzz::text_of(data, size));
  try {
    ModelDescription const description = read_model_description(text, "modelDescription.xml");
    check_description(description);
    check_companions(text, description);
    bool const small = std::ranges::all_of(description.variables, [](DescribedVariable const& variable) {
      return variable.size() <= most_elements;
    });
    if (small) {
      try {
        SignalTable const signals(description);
      } catch (UserError const&) {
        // A description that breaks the rules need not make a table.
      }
    }
    try {
      std::string const written = write_model_description(description);
      check_description(read_model_description(written, "again"));
    } catch (std::invalid_argument const&) {
      // What XML cannot hold, and variables without a type.
    }
  } catch (DescriptionError const&) {
    // No XML, or hostile.
  }
  return 0;
}
