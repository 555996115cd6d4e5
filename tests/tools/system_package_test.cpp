// Packages of systems: what is taken and what is refused, and the program that makes, shows, checks and runs them.
#include <gtest/gtest.h>

#include "model/scene/number.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/raw_zip.hpp"
#include "tests/support/system_files.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/ssp/system_source.hpp"
#include "xml/text/schema.hpp"

namespace delassus::test {
namespace {

class SystemPackage : public testing::Test {
 protected:
  std::filesystem::path write(std::string const& text, std::string const& name) const {
    write_file(folder_.path() / name, text);
    return folder_.path() / name;
  }
  std::map<std::string, std::string> entries() const {
    return {{"SystemStructure.ssd", coupled_structure},
            {"resources/plant.fmu", make_archive({{"modelDescription.xml", plant_description}})},
            {"resources/controller.fmu", make_archive({{"modelDescription.xml", controller_description}})}};
  }
  std::filesystem::path pack(std::map<std::string, std::string> const& entries) const {
    write_file(folder_.path() / "system.ssp", make_archive(entries));
    return folder_.path() / "system.ssp";
  }
  static std::string refusal(std::filesystem::path const& file, std::string const& variant = "") {
    try {
      load_cosim_system(file, variant);
    } catch (std::exception const& error) {
      return error.what();
    }
    return "taken";
  }

  TemporaryFolder folder_;
};

TEST_F(SystemPackage, IsReadAsItsStructure) {
  auto const system = load_cosim_system(pack(entries()));
  EXPECT_EQ(system.components.size(), 2u);
  EXPECT_EQ(system.connections.size(), 5u);
}

TEST_F(SystemPackage, SaysWhichFmuItLacks) {
  auto files = entries();
  files.erase("resources/plant.fmu");
  auto const why = refusal(pack(files));
  EXPECT_CONTAINS(why, "system.ssp/SystemStructure.ssd:" +
                           std::to_string(line_of(coupled_structure, "resources/plant.fmu")));
  EXPECT_CONTAINS(why, "\"resources/plant.fmu\" is not in");
}

TEST_F(SystemPackage, NeedsAStructureAtItsRoot) {
  EXPECT_CONTAINS(refusal(pack({{"folder/SystemStructure.ssd", coupled_structure}})),
                  "no SystemStructure.ssd at the root");
  EXPECT_CONTAINS(refusal(pack({{"A.ssd", coupled_structure}})), "choose one of A.ssd with --variant");
}

TEST_F(SystemPackage, LetsAVariantBeChosenByFileOrName) {
  auto files = entries();
  files["VarB.ssd"] = replaced(coupled_structure, R"(name="coupled")", R"(name="other one")");
  files["VarC.ssd"] = "broken";
  auto const file = pack(files);
  EXPECT_EQ(load_cosim_system(file).name, "coupled");
  EXPECT_EQ(load_cosim_system(file, "VarB.ssd").name, "other one");
  EXPECT_EQ(load_cosim_system(file, "other one").name, "other one");
  EXPECT_CONTAINS(refusal(file, "VarD.ssd"), "did you mean 'Var");
}

TEST_F(SystemPackage, ReachesNothingOutsideOfItself) {
  for (std::string const uri : {"../secret.fmu", "resources/../../secret.fmu", "/etc/passwd",
                                "file:///etc/passwd", "resources/%2e%2e/%2e%2e/secret.fmu"}) {
    auto files = entries();
    files["SystemStructure.ssd"] = replaced(coupled_structure, "resources/plant.fmu", uri);
    auto const why = refusal(pack(files));
    EXPECT_TRUE(why.find("leads out of the package") != std::string::npos ||
                why.find("has the scheme") != std::string::npos)
        << uri << ": " << why;
  }
}

TEST_F(SystemPackage, ReachesNothingOutsideOfItselfThroughAStructureInside) {
  write_file(folder_.path() / "secret.fmu", make_archive({{"modelDescription.xml", plant_description}}));
  auto const outer = R"(<SystemStructureDescription version="1.0" name="outer"><System name="s"><Elements>
<Component name="c" type="application/x-ssp-definition" source="resources/inner.ssd"/></Elements></System></SystemStructureDescription>)";
  auto const inner = [](std::string const& uri) {
    return R"(<SystemStructureDescription version="1.0" name="inner"><System name="s"><Elements>
<Component name="c" source=")" +
           uri + R"("/></Elements></System></SystemStructureDescription>)";
  };
  auto const plant = make_archive({{"modelDescription.xml", plant_description}});
  EXPECT_CONTAINS(refusal(pack({{"SystemStructure.ssd", outer},
                                {"resources/inner.ssd", inner((folder_.path() / "secret.fmu").string())}})),
                  "system.ssp/resources/inner.ssd:2: the component \"c\"");
  EXPECT_CONTAINS(
      refusal(pack({{"SystemStructure.ssd", outer}, {"resources/inner.ssd", inner("../../secret.fmu")}})),
      "leads out of the package");
  // Up to the root of the package is fine.
  EXPECT_EQ(refusal(pack({{"SystemStructure.ssd", outer},
                          {"resources/inner.ssd", inner("../resources/plant.fmu")},
                          {"resources/plant.fmu", plant}})),
            "taken");
}

TEST_F(SystemPackage, ThatIsHostileIsNotUnpacked) {
  struct Hostile {
    RawEntry entry;
    char const* rule;
  };
  for (auto const& [entry, rule] :
       {Hostile{{.name = "../outside.txt", .content = "x"}, "archive-name"},
        Hostile{{.name = "resources/link", .content = "/etc/passwd", .mode = 0120777}, "archive-link"},
        Hostile{{.name = "systemstructure.SSD", .content = "x"}, "archive-duplicate"},
        Hostile{{.name = "resources/locked", .content = "x", .flags = 1}, "archive-encryption"}}) {
    write_file(folder_.path() / "hostile.ssp",
               raw_zip({{.name = "SystemStructure.ssd", .content = coupled_structure}, entry}));
    EXPECT_CONTAINS(refusal(folder_.path() / "hostile.ssp"), rule);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path().parent_path() / "outside.txt"));
  write_file(folder_.path() / "text.ssp", "no archive");
  EXPECT_CONTAINS(refusal(folder_.path() / "text.ssp"), "is no zip archive");
}

TEST_F(SystemPackage, CanBeAComponentOfAnother) {
  pack(entries());
  auto const outer =
      R"xml(<SystemStructureDescription version="2.0" name="outer"><System name="outer"><Elements>
<Component name="sub" type="application/x-ssp-package" source="system.ssp"/>
</Elements></System></SystemStructureDescription>)xml";
  EXPECT_EQ(load_cosim_system(write(outer, "outer.ssd")).components.size(), 2u);
}

constexpr char scenes_structure[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="ball and rod">
  <System name="both">
    <Connectors>
      <Connector name="height" kind="output"><ssc:Real unit="mm"/></Connector>
    </Connectors>
    <Elements>
      <Component name="ball" type="application/x-delassus-scene" source="delassus:bouncing_ball">
        <Connectors>
          <Connector name="ball_ground.force[1]" kind="output"/>
          <Connector name="ball.position[2]" kind="output"/>
        </Connectors>
      </Component>
      <Component name="rod" type="application/x-delassus-scene" source="my%20rod.xml">
        <Connectors>
          <Connector name="push[1]" kind="input"/>
        </Connectors>
        <ParameterBindings>
          <ParameterBinding source="values.ssv"/>
        </ParameterBindings>
      </Component>
    </Elements>
    <Connections>
      <Connection startElement="ball" startConnector="ball_ground.force[1]" endElement="rod" endConnector="push[1]"/>
      <Connection startElement="ball" startConnector="ball.position[2]" endConnector="height"/>
    </Connections>
  </System>
  <Units>
    <ssc:Unit name="mm"><ssc:BaseUnit m="1" factor="0.001"/></ssc:Unit>
  </Units>
</SystemStructureDescription>
)xml";
constexpr char scene_values[] = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<ParameterSet xmlns="http://ssp-standard.org/SSP1/SystemStructureParameterValues" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="values">
  <Parameters>
    <Parameter name="rod.initial.angle"><Real value="45" unit="deg"/></Parameter>
    <Parameter name="solver.stepper"><Enumeration value="implicit"/></Parameter>
  </Parameters>
  <Units><ssc:Unit name="deg"><ssc:BaseUnit rad="1" factor="0.017453292519943295"/></ssc:Unit></Units>
</ParameterSet>
)xml";

class SystemProgram : public Program {
 protected:
  void SetUp() override {
    write("system.ssd", scenes_structure);
    write("values.ssv", scene_values);
    write("my rod.xml", read_file(std::filesystem::path(DELASSUS_SCENES_DIR) / "painleve_rod.xml"));
  }
};

TEST_F(SystemProgram, DescribesASystem) {
  auto const text = run("describe system.ssd");
  EXPECT_EQ(text.code, 0) << text.errors;
  EXPECT_CONTAINS(text.output, "ball and rod (system of 2 components)");
  EXPECT_CONTAINS(text.output, "ball.ball_ground.force[1] -> rod.push[1]");
  EXPECT_CONTAINS(text.output, "rod.solver.stepper = implicit");
  EXPECT_CONTAINS(text.output, "rod.rod.initial.angle = 0.785398163397448");
  EXPECT_CONTAINS(text.output, "height mm <- ball.ball.position[2] (* 1000)");
  auto const json = run("describe system.ssd --json");
  EXPECT_CONTAINS(json.output, "\"from\": \"ball.ball_ground.force[1]\", \"to\": \"rod.push[1]\"");
}

TEST_F(SystemProgram, PacksASystemThatKeepsTheStandardAndSaysTheSame) {
  auto const built = run("build system.ssd --no-reference --platforms x86_64-linux");
  ASSERT_EQ(built.code, 0) << built.errors;
  EXPECT_CONTAINS(built.errors, "wrote system.ssp: SSP 1.0, 2 components, 1 connections");
  Archive const archive(path("system.ssp"));
  for (auto const* const entry : {"SystemStructure.ssd", "resources/bouncing_ball.fmu",
                                  "resources/painleve_rod.fmu", "resources/values.ssv"})
    EXPECT_TRUE(archive.contains(entry)) << entry;
  auto const structure = archive.read("SystemStructure.ssd");
  EXPECT_EQ(structure.find("delassus"), std::string::npos) << "no word of ours is left";
  EXPECT_CONTAINS(run("describe system.ssp").output,
                  "painleve_rod (FMI 2.0), from resources/painleve_rod.fmu");

  auto const same = [](CosimSystem const& one, CosimSystem const& other) {
    ASSERT_EQ(one.connections.size(), other.connections.size());
    for (std::size_t i = 0; i < one.connections.size(); ++i) {
      auto const& a = one.connections[i];
      auto const& b = other.connections[i];
      EXPECT_EQ(one.components[a.from].signals[a.from_signal].name,
                other.components[b.from].signals[b.from_signal].name);
      EXPECT_EQ(one.components[a.to].signals[a.to_signal].name,
                other.components[b.to].signals[b.to_signal].name);
      EXPECT_EQ(a.factor, b.factor);
    }
    for (std::size_t i = 0; i < one.components.size(); ++i)
      EXPECT_EQ(one.components[i].settings.size(), other.components[i].settings.size());
    EXPECT_EQ(one.outputs.size(), other.outputs.size());
  };
  same(load_cosim_system(path("system.ssd")), load_cosim_system(path("system.ssp")));

  ASSERT_EQ(run("build system.ssd --no-reference --platforms x86_64-linux -o again.ssp").code, 0);
  EXPECT_EQ(read_file(path("system.ssp")), read_file(path("again.ssp"))) << "same files, same bytes";

  auto const schema = std::filesystem::path(DELASSUS_TEST_DATA) / "ssp-schema";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << "the schemas are not there";
  for (auto const& finding :
       validate_schema(structure, "SystemStructure.ssd", schema / "SystemStructureDescription.xsd"))
    ADD_FAILURE() << finding.line << ": " << finding.message;
  for (auto const& finding : validate_schema(archive.read("resources/values.ssv"), "values.ssv",
                                             schema / "SystemStructureParameterValues.xsd"))
    ADD_FAILURE() << finding.line << ": " << finding.message;
}

TEST_F(SystemProgram, PacksVariantsTogether) {
  write("other.ssd", replaced(scenes_structure, R"(name="ball and rod")", R"(name="other_name")"));
  auto const built = run("build other.ssd --variant system.ssd --no-reference --platforms x86_64-linux");
  ASSERT_EQ(built.code, 0) << built.errors;
  EXPECT_CONTAINS(built.errors, "wrote other_name.ssp: SSP 1.0, 2 components, 1 connections, 2 variants");
  EXPECT_CONTAINS(run("describe other_name.ssp --variant system.ssd").output, "ball and rod");
  EXPECT_CONTAINS(run("describe other_name.ssp --variant sistem.ssd").errors, "did you mean 'system.ssd'?");
}

TEST_F(SystemProgram, RunsAPackageAsItsStructure) {
  ASSERT_EQ(run("build system.ssd --no-reference --platforms x86_64-linux").code, 0);
  auto const from_scenes = run("cosim system.ssd --until 0.1 --step 0.01");
  EXPECT_EQ(from_scenes.code, 0) << from_scenes.errors;
  EXPECT_EQ(run("cosim system.ssp --until 0.1 --step 0.01").output, from_scenes.output);
  EXPECT_CONTAINS(from_scenes.output, "rod.push[1]");
}

TEST_F(SystemProgram, KnowsSystemsByTheirFolderAndByTheirNameInTheLibrary) {
  std::filesystem::create_directory(path("folder"));
  write("folder/SystemStructure.ssd", replaced(scenes_structure, "my%20rod.xml", "../my%20rod.xml"));
  write("folder/values.ssv", scene_values);
  write("folder/VarB.ssd", replaced(read_file(path("folder/SystemStructure.ssd")), R"(name="ball and rod")",
                                    R"(name="second")"));
  EXPECT_CONTAINS(run("describe folder").output, "ball and rod (system of 2 components)");
  EXPECT_CONTAINS(run("describe folder --variant VarB.ssd").output, "second (system of 2 components)");
  EXPECT_CONTAINS(run("describe positioning").output, "positioning (system of 2 components)");
  EXPECT_CONTAINS(run("describe positionin").errors, "neither a file nor an example");
}

// The systems of the library, as packages for others.
TEST_F(SystemProgram, PacksEverySystemOfTheLibrary) {
  auto const library = std::filesystem::path(DELASSUS_SCENES_DIR) / "../../tools/systems";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << "the systems are not there";
  auto const schema = std::filesystem::path(DELASSUS_TEST_DATA) / "ssp-schema/SystemStructureDescription.xsd";
  for (auto const& entry : std::filesystem::recursive_directory_iterator(library)) {
    if (entry.path().extension() != ".ssd") continue;
    auto const built = run("build '" + std::filesystem::canonical(entry.path()).string() +
                           "' --no-reference --platforms x86_64-linux -o one.ssp");
    EXPECT_EQ(built.code, 0) << built.errors;
    EXPECT_EQ(built.errors.find("note:"), std::string::npos) << built.errors;
    for (auto const& finding : read_cosim_source(path("one.ssp")).findings)
      ADD_FAILURE() << entry.path() << ": " << finding_text(finding);
    // What OMSimulator needs to open it, with the step that is the default here.
    auto const text = Archive(path("one.ssp")).read("SystemStructure.ssd");
    EXPECT_CONTAINS(text, "<oms:FixedStepMaster description=\"oms-ma\" stepSize=\"" +
                              format_number(default_plan(load_cosim_system(path("one.ssp"))).step) + "\"");
    // The tightest of the components: the gripper's 1e-7, the default of the other plants.
    EXPECT_CONTAINS(text, entry.path().parent_path().filename() == "gripper_lift"
                              ? "relativeTolerance=\"1e-07\""
                              : "relativeTolerance=\"1e-08\"");
    if (!std::filesystem::exists(schema)) continue;
    for (auto const& finding : validate_schema(text, entry.path().string(), schema))
      ADD_FAILURE() << finding.file << ":" << finding.line << ": " << finding.message;
  }
}

TEST_F(SystemProgram, TellsWhatOtherToolsDoNotKnowInFmi3) {
  auto const built = run("build system.ssd --fmi 3 --no-reference --platforms x86_64-linux -o three.ssp");
  EXPECT_EQ(built.code, 0) << built.errors;
  EXPECT_CONTAINS(built.errors, "is an element of an array of resources/painleve_rod.fmu");
}

TEST_F(SystemProgram, ChecksASystemAndItsFmus) {
  ASSERT_EQ(run("build system.ssd --no-reference --platforms x86_64-linux").code, 0);
  auto const schemas = std::filesystem::path(DELASSUS_TEST_DATA) / "ssp-schema";
  auto const good = run("check system.ssp" +
                        (std::filesystem::exists(schemas) ? " --schemas '" + schemas.string() + "'" : ""));
  EXPECT_EQ(good.code, test::checked_code) << good.output;
  EXPECT_CONTAINS(good.output, "system.ssp: no findings, 1 note; system of 2 components");
  EXPECT_CONTAINS(good.output,
                  "system.ssp/resources/painleve_rod.fmu: " + std::string(test::checked) + "; FMI 2.0");

  write("wrong.ssd", replaced(scenes_structure, "endConnector=\"push[1]\"/>", "endConnector=\"psh[1]\"/>"));
  auto const wrong = run("check wrong.ssd");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_CONTAINS(wrong.output,
                  "wrong.ssd:" + std::to_string(line_of(scenes_structure, "endConnector=\"push[1]\"/>")) +
                      ": error: \"rod\" has no connector \"psh[1]\" [connection-end]");
  EXPECT_EQ(run("describe wrong.ssd").code, 2);
  write("broken.ssd", "<SystemStructureDescription");
  EXPECT_CONTAINS(run("check broken.ssd").output, "[structure-readable]");
  EXPECT_EQ(run("check none.ssd").code, 2);
  EXPECT_EQ(run("build system.ssp").code, 2);
}

}  // namespace
}  // namespace delassus::test
