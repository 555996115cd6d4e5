// System structures: what the reader reads, and what the rules find without looking at the components.
#include <gtest/gtest.h>

#include <filesystem>

#include "system_files.hpp"
#include "xml/schema.hpp"
#include "xml/system_structure_reader.hpp"
#include "xml/system_structure_rules.hpp"
#include "xml/unit_conversion.hpp"

namespace delassus::test {
namespace {

TEST(SystemStructure, OfTheTestsIsValidAgainstTheSchemaOfTheStandard) {
  auto const schema =
      std::filesystem::path(DELASSUS_SHARED_DIR) / "ssp-schema/SystemStructureDescription.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << "the schemas are not there";
  for (auto const& finding : validate_schema(coupled_structure, "coupled.ssd", schema))
    ADD_FAILURE() << finding.line << ": " << finding.message;
}

TEST(SystemStructure, IsReadWithItsLines) {
  auto const structure = read_system_structure(coupled_structure, "coupled.ssd");
  for (auto const& finding : check_structure(structure))
    ADD_FAILURE() << finding.line << ": " << finding.message;
  EXPECT_EQ(structure.name, "coupled");
  EXPECT_EQ(structure.version, "1.0");
  ASSERT_EQ(structure.system.elements.size(), 2u);
  EXPECT_EQ(structure.system.elements[0].source, "resources/plant.fmu");
  EXPECT_EQ(structure.system.elements[0].implementation, "CoSimulation");
  EXPECT_EQ(structure.system.elements[1].type, fmu_component_type);
  EXPECT_EQ(structure.system.connections.size(), 8u);
  EXPECT_EQ(structure.system.connections[0].line,
            line_of(coupled_structure, "startConnector=\"x\" endElement"));
  EXPECT_EQ(structure.units.size(), 4u);
  EXPECT_EQ(structure.run.step, 0.01);
}

}  // namespace
}  // namespace delassus::test
