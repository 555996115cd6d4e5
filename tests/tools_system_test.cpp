// Systems from files: what a structure comes to, and every mistake with its line.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "program_run.hpp"
#include "raw_zip.hpp"
#include "system_files.hpp"
#include "tools/cosim_source.hpp"
#include "xml/system_structure_reader.hpp"
#include "xml/system_structure_rules.hpp"

namespace delassus::test {
namespace {

class SystemFile : public testing::Test {
 protected:
  void SetUp() override { write_described_fmus(folder_.path() / "resources"); }

  std::filesystem::path write(std::string const& text, std::string const& name = "system.ssd") const {
    write_file(folder_.path() / name, text);
    return folder_.path() / name;
  }
  CosimSystem load(std::string const& text) const { return load_cosim_system(write(text)); }

  // Of a component by name and signal by name.
  static CosimConnection const& connection_to(CosimSystem const& system, std::string const& component,
                                              std::string const& signal) {
    for (auto const& connection : system.connections) {
      auto const& to = system.components[connection.to];
      if (to.name == component && to.signals[connection.to_signal].name == signal) return connection;
    }
    throw std::logic_error("nothing is connected to " + component + "." + signal);
  }
  static SignalValue const& setting(CosimSystem const& system, std::string const& component,
                                    std::string const& signal) {
    for (auto const& each : system.components) {
      if (each.name != component) continue;
      for (auto const& value : each.settings) {
        if (each.signals[value.signal].name == signal) return value;
      }
    }
    throw std::logic_error(component + "." + signal + " is not set");
  }
  static double number(CosimSystem const& system, std::string const& component, std::string const& signal) {
    return std::get<double>(setting(system, component, signal).value);
  }
  static double through(CosimConnection const& connection, double value) {
    return connection.factor * value + connection.offset;
  }

  TemporaryFolder folder_;
};

TEST_F(SystemFile, BecomesComponentsConnectionsAndSettings) {
  auto const system = load(coupled_structure);
  EXPECT_EQ(system.name, "coupled");
  EXPECT_EQ(system.description, "two of them");
  ASSERT_EQ(system.components.size(), 2u);
  EXPECT_EQ(system.components[0].name, "plant");
  EXPECT_EQ(system.components[0].kind, InterfaceKind::co_simulation);
  EXPECT_EQ(system.components[1].kind, std::nullopt);
  EXPECT_EQ(system.connections.size(), 5u);
  EXPECT_EQ(system.start, 0.0);
  EXPECT_EQ(system.stop, 5.0);
  EXPECT_EQ(system.step, 0.01);
  EXPECT_EQ(system.settings.at("algorithm"), "gauss-seidel");
  EXPECT_EQ(number(system, "plant", "steps"), 7);
  EXPECT_EQ(number(system, "plant", "start_mode"), 2);
}

TEST_F(SystemFile, SendsDataFromTheOutputWhateverEndIsTheStart) {
  auto const system = load(coupled_structure);
  auto const& connection = connection_to(system, "plant", "force");
  EXPECT_EQ(system.components[connection.from].name, "controller");
  EXPECT_EQ(connection.line, line_of(coupled_structure, "startConnector=\"force\""));
}

// Numbers of physics, not of this program: 1 m is 1000 mm, pi rad are 180 degrees, 2 pi rad/s are 60 revolutions
// in a minute, and 20 degrees Celsius are 293.15 K.
TEST_F(SystemFile, ConvertsUnitsBetweenComponents) {
  auto const system = load(coupled_structure);
  EXPECT_DOUBLE_EQ(through(connection_to(system, "controller", "position"), 1.25), 1250);
  EXPECT_DOUBLE_EQ(through(connection_to(system, "controller", "degrees"), std::numbers::pi), 180);
  EXPECT_DOUBLE_EQ(through(connection_to(system, "controller", "revolutions"), 2 * std::numbers::pi), 60);
  EXPECT_DOUBLE_EQ(through(connection_to(system, "plant", "temperature"), 20), 293.15);
  auto const& same = connection_to(system, "plant", "force");
  EXPECT_EQ(same.factor, 1);
  EXPECT_EQ(same.offset, 0);
}

TEST_F(SystemFile, ConvertsParametersAndWhatTheSystemShows) {
  auto const system = load(coupled_structure);
  EXPECT_DOUBLE_EQ(number(system, "plant", "tilt"), std::numbers::pi);  // 180 deg
  EXPECT_DOUBLE_EQ(number(system, "plant", "mass"), 2.5);  // 2500 g through the connector `heavy`
  ASSERT_EQ(system.outputs.size(), 1u);
  EXPECT_EQ(system.outputs[0].name, "where");
  EXPECT_EQ(system.outputs[0].unit, "cm");
  EXPECT_DOUBLE_EQ(system.outputs[0].factor, 100);
  ASSERT_EQ(system.inputs.size(), 1u);
  EXPECT_EQ(system.inputs[0].name, "goal");
  ASSERT_EQ(system.parameters.size(), 1u);
  EXPECT_DOUBLE_EQ(system.parameters[0].factor, 1e-3);
}

TEST_F(SystemFile, AppliesATransformationAfterTheUnits) {
  auto const text = replaced(
      coupled_structure, R"(endElement="controller" endConnector="position"/>)",
      R"(endElement="controller" endConnector="position"><ssc:LinearTransformation factor="2" offset="5"/></ssd:Connection>)");
  EXPECT_DOUBLE_EQ(through(connection_to(load(text), "controller", "position"), 1), 2005);
  auto const suppressed = replaced(text, R"(endConnector="position">)",
                                   R"(endConnector="position" suppressUnitConversion="true">)");
  EXPECT_DOUBLE_EQ(through(connection_to(load(suppressed), "controller", "position"), 1), 7);
}

}  // namespace
}  // namespace delassus::test
