// `delassus cosim` as a script runs it.
#include <gtest/gtest.h>

#include "tests/support/coupled_fmu.hpp"
#include "tests/support/program_run.hpp"
#include "tools/support/csv.hpp"

namespace delassus::test {
namespace {

class CosimProgram : public Program {
 protected:
  // A plant that integrates and a controller around it; `parameters` are those of the controller.
  void write_system(std::string const& parameters, bool direct_plant = false) const {
    write_coupled_fmu(path("plant.fmu"), {.version = 2, .direct = direct_plant});
    write_coupled_fmu(path("controller.fmu"), {.version = 3, .direct = true});
    auto const component = [](std::string const& name, std::string const& values) {
      return fmt::format(
          R"xml(<ssd:Component name="{0}" type="application/x-fmu-sharedlibrary" source="{0}.fmu">
<ssd:Connectors><ssd:Connector name="u" kind="input"><ssc:Real/></ssd:Connector><ssd:Connector name="y" kind="output"><ssc:Real/></ssd:Connector></ssd:Connectors>
<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version="1.0" name="values"><ssv:Parameters>{1}</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
</ssd:Component>)xml",
          name, values);
    };
    std::string const one = R"xml(<ssv:Parameter name="offset"><ssv:Real value="1"/></ssv:Parameter>)xml";
    write("system.ssd",
          fmt::format(R"xml(<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="loop">
<ssd:System name="loop"><ssd:Elements>
{}
{}
</ssd:Elements><ssd:Connections>
<ssd:Connection startElement="plant" startConnector="y" endElement="controller" endConnector="u"/>
<ssd:Connection startElement="controller" startConnector="y" endElement="plant" endConnector="u"/>
</ssd:Connections></ssd:System>
<ssd:DefaultExperiment startTime="0" stopTime="1"/>
</ssd:SystemStructureDescription>
)xml",
                      component("plant", one), component("controller", parameters + real("direct", 1))));
  }
  static std::string real(std::string const& name, double value) {
    return fmt::format(R"xml(<ssv:Parameter name="{}"><ssv:Real value="{}"/></ssv:Parameter>)xml", name,
                       value);
  }
  TimeTable table(std::string const& name) const { return read_csv(read_file(path(name)), name); }
};

TEST_F(CosimProgram, WritesTheRowsOfALoopASummaryAndAPlot) {
  write_system(real("gain", -1));
  Outcome const outcome = run("cosim system.ssd --step 0.1 -o loop.csv --plot loop.svg --json");
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_CONTAINS(outcome.output, "\"steps\": 10");
  EXPECT_CONTAINS(outcome.output, "\"order\": [\"plant\", \"controller\"]");
  TimeTable const rows = table("loop.csv");
  ASSERT_EQ(rows.rows(), 11u);
  // x' = 1 - x, the input held over a step and known at its beginning.
  EXPECT_NEAR(column(rows, "plant.y").back(), 1 - std::pow(0.9, 10), 1e-12);
  EXPECT_TRUE(exists("loop.svg"));
  EXPECT_EQ(run("cosim system.ssd --step 0.1 --reference loop.csv --reference-tolerance 0").code, 0);
  Outcome const other = run("cosim system.ssd --step 0.1 --set controller.gain=-2 --reference loop.csv");
  EXPECT_EQ(other.code, 4);
  EXPECT_CONTAINS(other.errors, "plant.y");
  Outcome const few =
      run("cosim system.ssd --step 0.01 --until 0.5 --output-step 0.25 --record plant.y --isolate --quiet");
  EXPECT_EQ(few.code, 0) << few.errors;
  EXPECT_TRUE(few.errors.empty()) << few.errors;
  EXPECT_EQ(read_csv(few.output, "few").names, (std::vector<std::string>{"plant.y"}));
  EXPECT_EQ(read_csv(few.output, "few").time, (std::vector<double>{0, 0.25, 0.5}));
}

TEST_F(CosimProgram, KeepsTheRowsOfARunThatFailedAndSaysWhatWhereAndWhen) {
  write_system(real("deed", 1) + real("when", 0.5));
  Outcome const error = run("cosim system.ssd --step 0.1 -o loop.csv");
  EXPECT_EQ(error.code, 3);
  EXPECT_CONTAINS(error.errors, "at 0.5 s: controller: fmi3DoStep returned error");
  EXPECT_EQ(table("loop.csv").time.back(), 0.5);
  write_system(real("deed", 4) + real("when", 0.3));
  Outcome const crash = run("cosim system.ssd --step 0.1 -o loop.csv --isolate controller");
  EXPECT_EQ(crash.code, 3);
  EXPECT_CONTAINS(crash.errors, "controller: crashed in a step (signal 6");
  EXPECT_NEAR(table("loop.csv").time.back(), 0.3, 1e-12);
}

TEST_F(CosimProgram, NamesTheLoopThatItDoesNotSolve) {
  write_system(real("gain", -1), true);
  Outcome const refused = run("cosim system.ssd --step 0.1 --loops refuse");
  EXPECT_EQ(refused.code, 2);
  EXPECT_CONTAINS(refused.errors, "plant.y -> controller.u -> controller.y -> plant.u -> plant.y");
}

TEST_F(CosimProgram, RefusesWhatMakesNoSense) {
  write_system(real("gain", -1));
  for (auto const& [arguments, says] :
       {std::pair("--set plnt.gain=2", "did you mean 'plant'"),
        std::pair("--set plant.gian=2", "did you mean 'gain'"),
        std::pair("--order plant", "each of the 2 components"),
        std::pair("--isolate nobody", "no component 'nobody'"),
        std::pair("--step 0.3 --output-step 0.5", "whole number"), std::pair("--record plant.z", "plant.z"),
        std::pair("--until -1", "later"), std::pair("--algorithm newton", "jacobi"),
        std::pair("--call-timeout 0 --isolate", "must be > 0"),
        std::pair("--step 1e8", "far longer than the run"), std::pair("--adaptive -1", "must be > 0")}) {
    Outcome const outcome = run(std::string("cosim system.ssd ") + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_CONTAINS(outcome.errors, says);
  }
  // A time that no clock counts is long, and not over.
  Outcome const patient = run("cosim system.ssd --step 0.1 --isolate --call-timeout 1e300");
  EXPECT_EQ(patient.code, 0) << patient.errors;
  Outcome const help = run("cosim --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_CONTAINS(help.output, "Examples:");
}

}  // namespace
}  // namespace delassus::test
