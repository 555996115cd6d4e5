// What an FMU carries beside description and binary: terminals, icon, licences, documentation, reference results.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "fmu/content/scene_model.hpp"
#include "tests/support/markup_check.hpp"
#include "tests/support/program_run.hpp"
#include "tools/import/package_description.hpp"
#include "tools/package/icon.hpp"
#include "tools/package/package_files.hpp"
#include "tools/package/reference_run.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/fmi/terminals.hpp"
#include "xml/scene/reader.hpp"
#include "xml/text/schema.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

SceneModel library_model(std::string const& name) {
  return SceneModel(read_scene_file(fs::path(DELASSUS_SCENES_DIR) / (name + ".xml")));
}

Scene scene_of(std::string const& text) {
  return compile_scene(read_scene_source(text, "test.xml"));
}

Terminal const* find(std::vector<Terminal> const& terminals, std::string const& name) {
  auto const found = std::ranges::find(terminals, name, &Terminal::name);
  return found == terminals.end() ? nullptr : &*found;
}

std::map<std::string, std::string> members_of(Terminal const& terminal) {
  std::map<std::string, std::string> members;
  for (TerminalMember const& member : terminal.members) members[member.name] = member.variable_name;
  return members;
}

TEST(Terminals, OfABodyHoldItsMotionAndWhatActsOnIt) {
  SceneModel const model = library_model("painleve_rod");
  auto const terminals = terminals_of(model.scene(), model.table(), 3);
  Terminal const* const rod = find(terminals, "rod");
  ASSERT_NE(rod, nullptr);
  std::map<std::string, std::string> const expected{{"position", "rod.position"},
                                                    {"angle", "rod.angle"},
                                                    {"velocity", "rod.velocity"},
                                                    {"angular_velocity", "rod.angular_velocity"},
                                                    {"force", "push"},
                                                    {"torque", "drive"}};
  EXPECT_EQ(members_of(*rod), expected);
  for (TerminalMember const& member : rod->members)
    EXPECT_EQ(member.kind == MemberKind::inflow, member.name == "force" || member.name == "torque");
  Terminal const* const contact = find(terminals, "tip_ground");
  ASSERT_NE(contact, nullptr);
  EXPECT_EQ(members_of(*contact).at("force"), "tip_ground.force");
}

TEST(Terminals, OfFmi2HaveAMemberForEachElement) {
  SceneModel const model = library_model("painleve_rod");
  auto const terminals = terminals_of(model.scene(), model.table(), 2);
  auto const members = members_of(*find(terminals, "rod"));
  EXPECT_EQ(members.at("position[2]"), "rod.position[2]");
  EXPECT_EQ(members.at("force[1]"), "push[1]");
  EXPECT_EQ(members.at("angle"), "rod.angle");
  EXPECT_FALSE(members.contains("position"));
}

TEST(Terminals, OfADrivenJointAreAFlange) {
  SceneModel const model(scene_of(R"(<scene name="arm">
  <body name="link" type="planar" mass="1" inertia="1"><point name="end" position="-1 0"/><initial position="1 0"/></body>
  <joint name="hinge" type="revolute" a="link.end" drive="motor"/>
</scene>)"));
  auto const terminals = terminals_of(model.scene(), model.table(), 3);
  Terminal const* const hinge = find(terminals, "hinge");
  ASSERT_NE(hinge, nullptr);
  EXPECT_EQ(hinge->kind, "_Delassus.Mechanics.RotationalFlange");
  std::map<std::string, std::string> const expected{
      {"angle", "hinge.angle"}, {"angular_velocity", "hinge.angular_velocity"}, {"torque", "motor"}};
  EXPECT_EQ(members_of(*hinge), expected);
}

TEST(Terminals, FollowHiddenAndRenamedVariables) {
  SceneModel const model(scene_of(R"(<scene name="ball">
  <body name="ball" type="point" mass="1"><initial position="0 1"/></body>
  <force name="push" point="ball"/>
  <expose variable="ball.velocity" as="hidden"/>
  <expose variable="push" name="thrust"/>
  <expose variable="ball.position" name="place"/>
</scene>)"));
  auto const terminals = terminals_of(model.scene(), model.table(), 3);
  std::map<std::string, std::string> const expected{{"position", "place"}, {"force", "thrust"}};
  EXPECT_EQ(members_of(*find(terminals, "ball")), expected);
}

// Of every scene and both versions: valid against the schema, and every member a variable of the description.
TEST(Terminals, OfEverySceneAreValidAndNameWhatIsThere) {
  fs::path const schema = fs::path(DELASSUS_TEST_DATA) / "fmi-schema/fmi3/fmi3TerminalsAndIcons.xsd";
  for (auto const& example : examples()) {
    SceneModel const model(read_scene_file(example.file));
    for (int const version : {2, 3}) {
      std::set<std::string> variables, names;
      for (auto const& variable : package_description(model, version).variables)
        variables.insert(variable.name);
      auto const terminals = terminals_of(model.scene(), model.table(), version);
      EXPECT_FALSE(terminals.empty()) << example.name;
      for (Terminal const& terminal : terminals) {
        EXPECT_TRUE(names.insert(terminal.name).second) << example.name << " " << terminal.name;
        std::set<std::string> members;
        for (TerminalMember const& member : terminal.members) {
          EXPECT_TRUE(variables.contains(member.variable_name))
              << example.name << " " << member.variable_name;
          EXPECT_TRUE(members.insert(member.name).second)
              << example.name << " " << terminal.name << " " << member.name;
        }
      }
      if (!fs::exists(schema)) continue;
      for (auto const& finding :
           validate_schema(write_terminals_and_icons(terminals), "terminalsAndIcons.xml", schema))
        ADD_FAILURE() << example.name << ": " << finding.line << ": " << finding.message;
    }
  }
  if (!fs::exists(schema)) GTEST_SKIP() << "the schemas are not there";
}

unsigned long number_at(std::string const& bytes, std::size_t at) {
  unsigned long number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

TEST(Icon, IsAPngThatHoldsItsPixels) {
  PixelPicture const picture = icon_picture(64);
  std::string const png = write_png(picture);
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string rows;
  std::vector<std::string> kinds;
  for (std::size_t at = 8; at < png.size();) {
    unsigned long const length = number_at(png, at);
    std::string const checked = png.substr(at + 4, 4 + length);
    kinds.push_back(checked.substr(0, 4));
    EXPECT_EQ(number_at(png, at + 8 + length),
              crc32(0, reinterpret_cast<Bytef const*>(checked.data()), static_cast<uInt>(checked.size())));
    if (kinds.back() == "IHDR") {
      EXPECT_EQ(number_at(checked, 4), 64U);
      EXPECT_EQ(number_at(checked, 8), 64U);
    }
    if (kinds.back() == "IDAT") {
      rows.resize(64 * (1 + 4 * 64));
      uLongf size = rows.size();
      ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                           reinterpret_cast<Bytef const*>(checked.data()) + 4, length),
                Z_OK);
      ASSERT_EQ(size, rows.size());
    }
    at += 12 + length;
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"IHDR", "IDAT", "IEND"}));
  for (std::size_t row = 0; row < 64; ++row) {
    std::string const pixels = rows.substr(row * (1 + 4 * 64) + 1, 4 * 64);
    EXPECT_TRUE(std::equal(pixels.begin(), pixels.end(),
                           picture.rgba.begin() + static_cast<long>(row * 4 * 64),
                           [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }));
  }
  EXPECT_EQ(picture.rgba[3], 0);                         // the corner is transparent
  EXPECT_EQ(picture.rgba[4 * (32 * 64 + 32) + 3], 255);  // the middle is not
  EXPECT_TRUE(test::is_well_formed(write_icon_svg()));
}

class Contents : public testing::TestWithParam<int> {
 protected:
  std::map<std::string, std::string> pack(std::string const& scene) const {
    SceneModel const model = library_model(scene);
    return package_files(
        model, GetParam(),
        PackageOptions{.scene_text = "<scene/>", .reference = true, .platforms = {"x86_64-linux"}});
  }
};

TEST_P(Contents, AreWhereTheStandardsWantThem) {
  auto const files = pack("painleve_rod");
  for (char const* const name :
       {"documentation/index.html", "documentation/licenses/license.txt", "documentation/fmi-ls-ref.txt",
        "terminalsAndIcons/icon.png", "terminalsAndIcons/icon.svg",
        "extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml",
        "extra/org.fmi-standard.fmi-ls-ref/painleve_rod_ref.csv"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_EQ(files.contains("model.png"), GetParam() == 2);
  EXPECT_EQ(files.contains("terminalsAndIcons/terminalsAndIcons.xml"), GetParam() == 3);
  // What is linked into the binaries is named.
  std::string const& license = files.at("documentation/licenses/license.txt");
  for (char const* const part : {"BSD 2-Clause", "MPL-2.0", "BSL-1.0", "BSD-3-Clause", "GCC-exception-3.1"})
    EXPECT_NE(license.find(part), std::string::npos) << part;
  EXPECT_EQ(license.find("mingw"), std::string::npos) << "there is no binary for Windows in this FMU";
}

// FMI 2.0.5, 2.3 takes the file from FMI 3.0, 2.4.9: its fmiVersion is that of FMI 3, also within an FMU of FMI 2.
TEST(TerminalsInFmi2, ArePackedWhereAskedForWithTheVersionOfFmi3) {
  SceneModel const model = library_model("painleve_rod");
  auto const files =
      package_files(model, 2, PackageOptions{.platforms = {"x86_64-linux"}, .terminals_in_fmi2 = true});
  std::string const& text = files.at("terminalsAndIcons/terminalsAndIcons.xml");
  EXPECT_NE(text.find("<fmiTerminalsAndIcons fmiVersion=\"3.0\">"), std::string::npos);
  EXPECT_NE(text.find("variableName=\"rod.position[1]\""), std::string::npos);
}

TEST_P(Contents, HaveAPageThatIsWellFormedAndNeedsNothingElse) {
  std::string const page = pack("painleve_rod").at("documentation/index.html");
  EXPECT_TRUE(test::is_well_formed(page));
  test::expect_self_contained(page);
  EXPECT_NE(page.find("prefers-color-scheme:dark"), std::string::npos);
  for (char const* const part :
       {"(27)", "(64)", "(65)", "<path", "solver.stepper", "nonsmooth", "tip_ground.mu"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST_P(Contents, HaveAManifestWhoseFilesAreThere) {
  auto const files = pack("painleve_rod");
  std::string const folder = "extra/org.fmi-standard.fmi-ls-ref/";
  std::string const& manifest = files.at(folder + "fmi-ls-manifest.xml");
  EXPECT_TRUE(test::is_well_formed(manifest));
  std::set<std::string> sources;
  for (std::size_t at = 0; (at = manifest.find("source=\"", at)) != std::string::npos;) {
    at += 8;
    sources.insert(manifest.substr(at, manifest.find('"', at) - at));
  }
  EXPECT_EQ(sources, (std::set<std::string>{"painleve_rod_ref.csv", "painleve_rod_in.csv",
                                            "../../documentation/scene.xml"}));
  for (std::string const& source : sources)
    EXPECT_TRUE(files.contains((fs::path(folder) / source).lexically_normal().string())) << source;
}

INSTANTIATE_TEST_SUITE_P(Versions, Contents, testing::Values(2, 3),
                         [](auto const& info) { return "fmi" + std::to_string(info.param); });

class BuiltFmu : public test::Program {};

// The run in the program and the one through the FMU's binary are the same to the bit.
TEST_F(BuiltFmu, ReproducesItsOwnReferenceExactly) {
  for (int const version : {2, 3}) {
    auto const built =
        run("build bouncing_ball -o ball.fmu --fmi " + std::to_string(version) + " --platforms x86_64-linux");
    ASSERT_EQ(built.code, 0) << built.errors;
    write("ball.csv",
          Archive(path("ball.fmu")).read("extra/org.fmi-standard.fmi-ls-ref/bouncing_ball_ref.csv"));
    auto const outcome = run("simulate ball.fmu --reference ball.csv --reference-tolerance 0");
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
  }
}

TEST_F(BuiltFmu, HasThePlatformsThatWereAskedForAndSaysWhichThereAre) {
  auto const built = run("build bouncing_ball -o ball.fmu --fmi 2 --platforms linux64 --no-reference");
  EXPECT_EQ(built.code, 0) << built.errors;
  EXPECT_CONTAINS(built.errors, "for linux64,");
  Archive const archive(path("ball.fmu"));
  for (auto const& entry : archive.entries()) {
    EXPECT_FALSE(entry.name.starts_with("extra/")) << entry.name;
    if (entry.name.starts_with("binaries/")) {
      EXPECT_EQ(entry.name, "binaries/linux64/bouncing_ball.so");
    }
  }
  auto const refused = run("build bouncing_ball -o other.fmu --platforms vax-vms");
  EXPECT_EQ(refused.code, 2);
  EXPECT_CONTAINS(refused.errors, "no binary for 'vax-vms'");
  EXPECT_CONTAINS(refused.errors, "x86_64-linux");
  EXPECT_FALSE(exists("other.fmu"));
}

// A reference stays small, however long the run, and keeps to times of the run.
TEST(ReferenceRun, IsThinnedToItsCap) {
  SceneModel const model(scene_of(R"(<scene name="drop">
  <experiment stop="1" step="0.0001"/>
  <body name="ball" type="point" mass="1"><initial position="0 1"/></body>
</scene>)"));
  ReferenceRun const run = make_reference_run(model).value();
  EXPECT_LE(run.result.table.rows(), most_reference_rows);
  EXPECT_GT(run.result.table.rows(), most_reference_rows / 2);
  EXPECT_EQ(run.result.table.time.front(), 0);
  EXPECT_EQ(run.result.table.time.back(), 1);
  for (double const time : run.result.table.time) EXPECT_NEAR(time * 1e4, std::round(time * 1e4), 1e-6);
}

}  // namespace
}  // namespace delassus
