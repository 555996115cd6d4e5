// Systems of the FMUs in coupled_fmu.c, and of scenes, made by hand.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "tools/cosim/defaults.hpp"
#include "tools/cosim/master.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/temporary_folder.hpp"
#include "tools/support/zip_archive.hpp"

namespace delassus::test {

// As in coupled_fmu.c.
enum class Deed {
  nothing,
  error,
  nan,
  discard,
  crash,
  hang,
  terminate,
  exit,
  event,
  announced_event,
  terminate_at_once
};

// What its description says; the code can do all of it.
struct CoupledFmu {
  int version = 2;
  bool direct = false;  // y depends on u at once
  bool saves = true, varies = true;
  bool events = false;  // FMI 3
};

inline std::string coupled_description(CoupledFmu const& fmu) {
  auto const truth = [](bool value) { return value ? "true" : "false"; };
  if (fmu.version == 2) {
    return fmt::format(
        R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="coupled" guid="coupled">
<CoSimulation modelIdentifier="coupled" canHandleVariableCommunicationStepSize="{}" canGetAndSetFMUstate="{}"/>
<ModelVariables>
<ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
<ScalarVariable name="gain" valueReference="1" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
<ScalarVariable name="offset" valueReference="2" causality="parameter" variability="fixed"><Real start="0"/></ScalarVariable>
<ScalarVariable name="direct" valueReference="3" causality="parameter" variability="fixed"><Real start="0"/></ScalarVariable>
<ScalarVariable name="deed" valueReference="4" causality="parameter" variability="fixed"><Real start="0"/></ScalarVariable>
<ScalarVariable name="when" valueReference="5" causality="parameter" variability="fixed"><Real start="1e300"/></ScalarVariable>
<ScalarVariable name="u" valueReference="6" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>
<ScalarVariable name="y" valueReference="7" causality="output" variability="continuous" initial="calculated"><Real/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index="8" dependencies="{}"/></Outputs><InitialUnknowns><Unknown index="8" dependencies="{}"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>
)xml",
        truth(fmu.varies), truth(fmu.saves), fmu.direct ? "7" : "", fmu.direct ? "2 3 4 7" : "");
  }
  return fmt::format(
      R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="coupled" instantiationToken="coupled">
<CoSimulation modelIdentifier="coupled" canHandleVariableCommunicationStepSize="{}" canGetAndSetFMUState="{}" hasEventMode="{}" mightReturnEarlyFromDoStep="{}"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent"/>
<Float64 name="gain" valueReference="1" causality="parameter" variability="fixed" start="1"/>
<Float64 name="offset" valueReference="2" causality="parameter" variability="fixed" start="0"/>
<Float64 name="direct" valueReference="3" causality="parameter" variability="fixed" start="0"/>
<Float64 name="deed" valueReference="4" causality="parameter" variability="fixed" start="0"/>
<Float64 name="when" valueReference="5" causality="parameter" variability="fixed" start="1e300"/>
<Float64 name="u" valueReference="6" causality="input" start="0"/>
<Float64 name="y" valueReference="7" causality="output" initial="calculated"/>
<Int32 name="m" valueReference="8" causality="input" variability="discrete" start="0"/>
<Int32 name="n" valueReference="9" causality="output" variability="discrete" initial="exact" start="0"/>
{}<Int32 name="ticks" valueReference="12" causality="output" variability="discrete" initial="exact" start="0"/>
</ModelVariables>
<ModelStructure><Output valueReference="7" dependencies="{}"/><Output valueReference="9" dependencies=""/><Output valueReference="12" dependencies=""/>
<InitialUnknown valueReference="7" dependencies="{}"/></ModelStructure>
</fmiModelDescription>
)xml",
      truth(fmu.varies), truth(fmu.saves), truth(fmu.events), truth(fmu.events),
      fmu.events
          ? R"xml(<Clock name="tick" valueReference="10" causality="output" intervalVariability="triggered"/>
<Clock name="tock" valueReference="11" causality="input" intervalVariability="triggered"/>
)xml"
          : "",
      fmu.direct ? "6" : "", fmu.direct ? "1 2 3 6" : "");
}

inline void write_coupled_fmu(std::filesystem::path const& file, CoupledFmu const& fmu) {
  bool const fmi2 = fmu.version == 2;
  write_file(file, make_archive({{"modelDescription.xml", coupled_description(fmu)},
                                 {fmi2 ? "binaries/linux64/coupled.so" : "binaries/x86_64-linux/coupled.so",
                                  read_file(fmi2 ? DELASSUS_COUPLED_FMU2 : DELASSUS_COUPLED_FMU3)}}));
}

class SystemBuilder {
 public:
  // Adds components; answers with their index.
  std::size_t add(std::string const& name, CoupledFmu const& fmu) {
    auto const file = folder_.path() / (name + ".fmu");
    write_coupled_fmu(file, fmu);
    std::size_t const index = add_model(name, std::make_shared<RunnableModel>(file.string(), 0));
    set(name, "direct", fmu.direct ? 1 : 0);
    return index;
  }
  // `version`: 2 or 3 through an FMU, 0 in this process.
  std::size_t add_scene(std::string const& name, std::string const& xml, int version) {
    auto const file = folder_.path() / (name + ".xml");
    write_file(file, xml);
    return add_model(name, std::make_shared<RunnableModel>(file.string(), version));
  }
  std::size_t add_model(std::string const& name, std::shared_ptr<RunnableModel> const& model) {
    system.components.push_back({name, model, SignalTable(model->description()), {}});
    return system.components.size() - 1;
  }

  void set(std::string const& component, std::string const& name, double value) {
    auto& found = system.components[find_component(system, component)];
    found.settings.push_back({found.signals.resolve(name).front(), value});
  }
  void misbehave(std::string const& component, Deed deed, double when) {
    set(component, "deed", static_cast<double>(deed));
    set(component, "when", when);
  }

  // "plant.y", "controller.u"
  void connect(std::string const& from, std::string const& to, double factor = 1) {
    CosimConnection connection;
    std::tie(connection.from, connection.from_signal) = find(from);
    std::tie(connection.to, connection.to_signal) = find(to);
    connection.factor = factor;
    system.connections.push_back(connection);
  }

  CosimPlan plan(double stop, double step) const {
    CosimPlan plan;
    plan.stop = stop;
    plan.step = step;
    plan.recorded = choose_columns(system, {});
    return plan;
  }

  CosimSystem system;

 private:
  std::pair<std::size_t, std::size_t> find(std::string const& text) const {
    auto const dot = text.find('.');
    std::size_t const component = find_component(system, text.substr(0, dot));
    return {component, system.components[component].signals.resolve(text.substr(dot + 1)).front()};
  }

  TemporaryFolder folder_;
};

inline std::vector<double> const& column(TimeTable const& table, std::string const& name) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.names[i] == name) return table.columns[i];
  }
  throw std::runtime_error("no column " + name);
}

}  // namespace delassus::test
