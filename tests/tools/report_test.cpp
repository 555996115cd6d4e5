#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "tests/support/program_run.hpp"
#include "tests/support/report_data.hpp"
#include "tools/report/decimation.hpp"
#include "tools/report/packed_numbers.hpp"
#include "tools/report/report_page.hpp"
#include "tools/support/csv.hpp"

namespace delassus {
namespace {

class ReportProgram : public test::Program {
 protected:
  std::string page(std::string const& arguments) const {
    auto const outcome = run("report " + arguments + " -o report.html");
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return read_file(path("report.html"));
  }
  Json report(std::string const& arguments) const { return Json::parse(test::json_in_page(page(arguments))); }
};

std::vector<double> noise(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

TEST(PackedNumbers, AreReadBackToTheBitInDoublePrecisionAndRoundedInSingle) {
  std::vector<double> numbers = noise(1000, 1);
  for (double const special :
       {0.0, -0.0, 1e308, -1e-308, 5e-324, std::numeric_limits<double>::infinity(), 3.0})
    numbers.push_back(special);
  auto const exact =
      test::unpack_numbers(pack_numbers(numbers, NumberWidth::double_precision), 64, numbers.size());
  auto const single =
      test::unpack_numbers(pack_numbers(numbers, NumberWidth::single_precision), 32, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(exact[i]), std::bit_cast<std::uint64_t>(numbers[i]));
    EXPECT_EQ(single[i], static_cast<double>(static_cast<float>(numbers[i])));
  }
  std::vector<double> const modes{1, 1, 3, 2, 255, 0};
  EXPECT_EQ(test::unpack_numbers(pack_numbers(modes, NumberWidth::eight_bits), 8, modes.size()), modes);
  EXPECT_TRUE(test::unpack_numbers(pack_numbers({}, NumberWidth::double_precision), 64, 0).empty());
}

TEST(PackedNumbers, OfEvenTimesTakeLittleRoom) {
  std::vector<double> time;
  time.reserve(1'000'000);
  for (int i = 0; i < 1'000'000; ++i) time.push_back(i * 1e-3);
  EXPECT_LT(pack_numbers(time, NumberWidth::double_precision).size(), 1'500'000u);
}

// RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Decimation, KeepsTheExtremesOfEveryBucketInTheirOrder) {
  std::vector<double> const values = noise(10'007, 2);
  std::vector<double> time(values.size());
  for (std::size_t i = 0; i < time.size(); ++i) time[i] = static_cast<double>(i);
  Buckets const buckets{values.size(), 321};
  auto const kept = bucket_extremes(buckets, values);
  auto const times = bucket_times(buckets, time);
  ASSERT_EQ(kept.size(), 642u);
  ASSERT_EQ(times.size(), 642u);
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_EQ(times.front(), time.front());
  EXPECT_EQ(times.back(), time.back());
  EXPECT_EQ(buckets.first(0), 0u);
  EXPECT_EQ(buckets.first(321), values.size());
  for (std::size_t k = 0; k < buckets.count; ++k) {
    auto const begin = values.begin() + static_cast<std::ptrdiff_t>(buckets.first(k)),
               end = values.begin() + static_cast<std::ptrdiff_t>(buckets.first(k + 1));
    auto const low = std::min_element(begin, end), high = std::max_element(begin, end);
    EXPECT_EQ(kept[2 * k], low < high ? *low : *high);
    EXPECT_EQ(kept[2 * k + 1], low < high ? *high : *low);
  }
}

TEST(Decimation, PassesOverWhatIsNoNumberWhereThereAreOthers) {
  double const none = std::nan("");
  std::vector<double> const values{none, 2, none, 1, none, none};
  auto const kept = bucket_extremes({values.size(), 2}, values);
  EXPECT_EQ(kept[0], 2);
  EXPECT_EQ(kept[2], 1);
  EXPECT_EQ(kept[3], 1);
  EXPECT_TRUE(std::isnan(bucket_extremes({2, 1}, std::vector{none, none})[0]));
}

// Angles are shown in degrees; of columns alone nothing is known.
TEST_F(ReportProgram, HasTheRowsOfTheRunToTheBit) {
  ASSERT_EQ(run("simulate painleve_rod -o rod.csv").code, 0);
  TimeTable const table = read_csv(read_file(path("rod.csv")), "rod.csv");
  for (std::string const arguments : {"painleve_rod", "rod.csv --model painleve_rod", "rod.csv"}) {
    Json const json = report(arguments);
    EXPECT_EQ(test::unpack_numbers(json.at("time")), table.time) << arguments;
    int in_degrees = 0;
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      std::vector<double> expected = table.columns[i];
      if (test::column_of(json, table.names[i]).at("unit").get<std::string>().starts_with("deg")) {
        ++in_degrees;
        for (double& value : expected) value *= 180 / std::numbers::pi;
      }
      EXPECT_EQ(test::values_of(json, table.names[i]), expected) << arguments << " " << table.names[i];
    }
    EXPECT_EQ(in_degrees, arguments == "rod.csv" ? 0 : 3) << arguments;  // angle, its rate, locking angle
    EXPECT_EQ(json.at("buckets").get<int>(), 0);
  }
}

TEST_F(ReportProgram, SaysWhatTheModelKnowsOfItsColumns) {
  Json const json = report("painleve_rod --set tip_ground.mu=0.8");
  Json const& force = test::column_of(json, "tip_ground.force[1]");
  EXPECT_EQ(force.at("unit").get<std::string>(), "N");
  EXPECT_EQ(force.at("description").get<std::string>(), "contact force on the body: tangential, then normal");
  EXPECT_EQ(test::column_of(json, "tip_ground.mode").at("items").at(2).at(1).get<std::string>(), "slip");
  bool found = false;
  for (auto const& parameter : json.at("parameters")) {
    if (parameter.at("name").get<std::string>() != "tip_ground.mu") continue;
    found = true;
    EXPECT_EQ(parameter.at("value").get<std::string>(), "0.8");
    EXPECT_TRUE(parameter.at("set").get<bool>());
  }
  EXPECT_TRUE(found);
}

// The normal of the ground is e_y and its tangent e_x: the force in the world is the output itself. Its cone has the mu of the scene.
TEST_F(ReportProgram, DrawsTheForceOfTheRunWhereTheContactIs) {
  Json const json = report("painleve_rod");
  Json const& scene = json.at("scenes").at(0);
  auto const frames = scene.at("frames").get<std::size_t>();
  auto const time = test::unpack_numbers(json.at("time"));
  ASSERT_EQ(frames, time.size());
  Json const& contact = scene.at("contacts").at(0);
  auto const force = test::unpack_numbers(contact.at("force")),
             place = test::unpack_numbers(contact.at("place")), mu = test::unpack_numbers(contact.at("mu")),
             poses = test::unpack_numbers(scene.at("poses"));
  auto const column = [&](std::string const& name) { return test::values_of(json, name); };
  for (std::size_t i = 0; i < frames; ++i) {
    EXPECT_FLOAT_EQ(static_cast<float>(force[i]), static_cast<float>(column("tip_ground.force[1]")[i]));
    EXPECT_FLOAT_EQ(static_cast<float>(force[frames + i]),
                    static_cast<float>(column("tip_ground.force[2]")[i]));
    EXPECT_NEAR(mu[i], 0.6, 1e-7);
    // The tip is one half length from the middle of the rod.
    double const x = poses[i], y = poses[frames + i], angle = poses[2 * frames + i];
    EXPECT_NEAR(place[i], x - std::cos(angle), 1e-6);
    EXPECT_NEAR(place[frames + i], y - std::sin(angle), 1e-6);
    if (i > 20) break;
  }
}

// A box that two fingers hold stands still: their forces carry its weight, and press against each other.
TEST_F(ReportProgram, TurnsContactForcesIntoTheWorld) {
  Json const json = report("gripper --stop 1");
  Json const& scene = json.at("scenes").at(0);
  auto const frames = scene.at("frames").get<std::size_t>();
  double sum_x = 0, sum_y = 0;
  for (auto const& contact : scene.at("contacts")) {
    auto const force = test::unpack_numbers(contact.at("force"));
    sum_x += force[frames - 1];
    sum_y += force[2 * frames - 1];
    EXPECT_NEAR(std::abs(force[frames - 1]), 12, 0.05);
  }
  EXPECT_NEAR(sum_x, 0, 1e-3);
  EXPECT_NEAR(sum_y, 9.81, 1e-3);
}

// Places of bodies with a centre of mass aside are read back to the coordinates of the system: the animation must show what the
// outputs say, whichever of both the scene counts by.
TEST_F(ReportProgram, PlacesBodiesBySpatialOutputs) {
  Json const json = report("box_on_edge");
  Json const& scene = json.at("scenes").at(0);
  auto const frames = scene.at("frames").get<std::size_t>();
  auto const poses = test::unpack_numbers(scene.at("poses"));
  std::size_t component = 0;
  for (auto const& body : scene.at("bodies")) {
    if (!body.at("moves").get<bool>()) continue;
    std::string const name = body.at("name").get<std::string>();
    int const dimension = scene.at("dimension").get<int>();
    for (int k = 1; k <= dimension; ++k, ++component) {
      auto const values = test::values_of(json, name + ".position[" + std::to_string(k) + "]");
      for (std::size_t i = 0; i < frames; i += 7) EXPECT_NEAR(poses[component * frames + i], values[i], 1e-6);
    }
    if (body.at("turns").get<bool>()) component += dimension == 2 ? 1 : 4;
  }
  EXPECT_GT(component, 0u);
}

// A block that is pushed with F over rough ground: the work is F s, friction takes mu m g s, and the rest is kinetic.
TEST_F(ReportProgram, BalancesTheEnergyOfAPushedBlock) {
  write("block.xml", R"(<scene name="block" dimension="2">
  <gravity acceleration="0 -10"/>
  <experiment stop="1" step="0.001"/>
  <body name="block" type="point" mass="2"/>
  <contact name="sole" point="block" mu="0.3"/>
  <force name="push" point="block" value="9 0"/>
</scene>)");
  Json const json = report("block.xml");
  auto const work = test::values_of(json, "energy.work"), lost = test::values_of(json, "energy.dissipated"),
             way = test::values_of(json, "block.position[1]"),
             kinetic = test::values_of(json, "energy.kinetic");
  double const s = way.back();
  EXPECT_NEAR(s, 0.5 * (9 - 6) / 2, 0.01);
  EXPECT_NEAR(work.back(), 9 * s, 1e-5);
  EXPECT_NEAR(lost.back(), 6 * s, 0.01);
  EXPECT_NEAR(kinetic.back(), 3 * s, 0.01);
  EXPECT_EQ(json.at("energies").at(0).at("counted").size(), 1u);
}

// A box that rides on a table which is driven sideways: it gets its kinetic energy through the contact, and no input has a force.
TEST_F(ReportProgram, CountsTheWorkOfAPrescribedMotionThroughItsContacts) {
  write("table.xml", R"(<scene name="table" dimension="2">
  <gravity acceleration="0 -10"/>
  <experiment stop="1" step="0.001"/>
  <body name="table" type="prescribed">
    <plane normal="0 1"/>
    <motion velocity="1 0"/>
  </body>
  <body name="block" type="point" mass="2"/>
  <contact name="sole" point="block" with="table" mu="0.3"/>
</scene>)");
  Json const json = report("table.xml");
  auto const work = test::values_of(json, "energy.work"), lost = test::values_of(json, "energy.dissipated"),
             kinetic = test::values_of(json, "energy.kinetic");
  // Friction mu m g = 6 N brings 2 kg to 1 m/s in 1/3 s: the table goes 1/3 m, the block half of it.
  EXPECT_NEAR(kinetic.back(), 1, 1e-3);
  EXPECT_NEAR(work.back(), 2, 0.02);
  EXPECT_NEAR(lost.back(), 1, 0.02);
}

// A belt drags a block: while it slips the belt does the work of the bound times its way.
TEST_F(ReportProgram, CountsTheWorkOfABeltThroughFriction) {
  write("belt.xml", R"(<scene name="belt" dimension="2">
  <experiment stop="1" step="0.001"/>
  <body name="belt" type="prescribed"><motion velocity="2 0" surface="yes"/></body>
  <body name="block" type="slider" axis="x" mass="3"/>
  <friction name="rub" point="block" with="belt" bound="3"/>
</scene>)");
  Json const json = report("belt.xml");
  // Speed after 1 s: 1 m/s, still slower than the belt. The belt went 2 m, the block 0.5 m.
  EXPECT_NEAR(test::values_of(json, "energy.work").back(), 6, 0.01);
  EXPECT_NEAR(test::values_of(json, "energy.dissipated").back(), 4.5, 0.01);
  Json const& friction = json.at("scenes").at(0).at("contacts").at(0);
  EXPECT_EQ(friction.at("axes").get<int>(), 1);
  EXPECT_NEAR(test::unpack_numbers(friction.at("force")).at(500), 3, 1e-6);
  EXPECT_NEAR(test::unpack_numbers(friction.at("mu")).at(500), 3, 1e-6);
  // The animation has the way of its surface; its body stays.
  Json const& surface = json.at("scenes").at(0).at("surfaces").at(0);
  EXPECT_EQ(surface.at("body").get<int>(), 0);
  EXPECT_NEAR(test::unpack_numbers(surface.at("way")).at(500), 1, 1e-6);
}

// A default plot of a hundred spheres has the energies and as many variables as can be told apart, and says so.
TEST_F(ReportProgram, LeavesAPlotOfAHundredBodiesReadable) {
  ASSERT_EQ(run("simulate sphere_pile --plot pile.svg").code, 0);
  std::string const svg = read_file(path("pile.svg"));
  EXPECT_LT(svg.size(), 200'000u);
  EXPECT_CONTAINS(svg, "variables that change; --show NAME shows others");
  EXPECT_CONTAINS(svg, ">energy.kinetic<");
  EXPECT_EQ(svg.find("ball_99.position"), std::string::npos);
  ASSERT_EQ(run("simulate sphere_pile --plot pile.svg --show ball_99.position").code, 0);
  EXPECT_CONTAINS(read_file(path("pile.svg")), ">ball_99.position[3]<");
}

// The loop of a block and its controller: what the drive puts in is the block's motion and what friction took, as its force
// times its way tells, row by row.
TEST_F(ReportProgram, RunsASystemAndDrawsTheSceneInIt) {
  ASSERT_EQ(run("examples positioning --copy-to .").code, 0);
  ASSERT_EQ(run("cosim positioning/SystemStructure.ssd --until 6 -o loop.csv").code, 0);
  TimeTable const table = read_csv(read_file(path("loop.csv")), "loop.csv");
  for (std::string const arguments :
       {"positioning/SystemStructure.ssd --stop 6", "loop.csv --model positioning/SystemStructure.ssd"}) {
    Json const json = report(arguments);
    for (std::size_t i = 0; i < table.names.size(); ++i)
      EXPECT_EQ(test::values_of(json, table.names[i]), table.columns[i])
          << arguments << " " << table.names[i];
    ASSERT_EQ(json.at("scenes").size(), 1u);
    EXPECT_EQ(json.at("scenes").at(0).at("name").get<std::string>(), "plant");
    EXPECT_EQ(test::column_of(json, "plant.table.force").at("unit").get<std::string>(), "N");
    EXPECT_EQ(test::column_of(json, "position").at("unit").get<std::string>(), "m");
    EXPECT_EQ(json.at("connections").size(), 3u);
    EXPECT_EQ(json.at("timelines").at(0).at("name").get<std::string>(), "plant.table");
    auto const force = test::values_of(json, "plant.table.force"),
               speed = test::values_of(json, "plant.block.velocity"),
               lost = test::values_of(json, "plant.energy.dissipated");
    double rubbed = 0;
    for (std::size_t i = 1; i < force.size(); ++i)
      rubbed -=
          0.5 * (force[i] * speed[i] + force[i - 1] * speed[i - 1]) * (table.time[i] - table.time[i - 1]);
    EXPECT_GT(rubbed, 0.01);
    EXPECT_NEAR(lost.back(), rubbed, 0.02 * rubbed);
  }
}

TEST_F(ReportProgram, TellsTheSameOfAnFmuAsOfItsScene) {
  ASSERT_EQ(run("build painleve_rod -o rod.fmu --no-reference").code, 0);
  Json const scene = report("painleve_rod"), fmu = report("rod.fmu");
  for (char const* const name : {"rod.position[1]", "tip_ground.force[2]", "energy.dissipated"})
    EXPECT_EQ(test::values_of(fmu, name), test::values_of(scene, name)) << name;
  EXPECT_EQ(fmu.at("scenes").at(0).at("frames").get<std::size_t>(), 201u);
}

TEST_F(ReportProgram, RunsThePileAndFindsTheForcesOfItsPoints) {
  Json const json = report("sphere_pile");
  Json const& group = json.at("scenes").at(0).at("groups").at(0);
  auto const count = test::unpack_numbers(group.at("count")), points = test::values_of(json, "pile.points");
  auto const forces = test::unpack_numbers(group.at("forces"));
  ASSERT_EQ(count.size(), points.size());
  double sum = 0;
  for (double const number : count) sum += number;
  EXPECT_EQ(forces.size(), static_cast<std::size_t>(3 * sum));
  EXPECT_NEAR(count.back(), points.back(), 0.05 * points.back());
  // Each force presses a ball, and acts on its surface (at a wall) or half way between the centres of two.
  Json const& scene = json.at("scenes").at(0);
  auto const frames = scene.at("frames").get<std::size_t>();
  auto const poses = test::unpack_numbers(scene.at("poses")),
             places = test::unpack_numbers(group.at("places"));
  std::size_t const balls = poses.size() / frames / 7;
  EXPECT_EQ(balls, 100u);
  using Vector = std::array<double, 3>;
  auto const dot = [](Vector const& a, Vector const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  for (std::size_t k = places.size() / 3 - static_cast<std::size_t>(count.back()); k < places.size() / 3;
       ++k) {
    std::vector<Vector> near;  // from the centre of each ball to the place
    bool on_surface = false, between = false;
    for (std::size_t ball = 0; ball < balls; ++ball) {
      Vector r{}, force{};
      for (std::size_t i = 0; i < 3; ++i) {
        r[i] = places[3 * k + i] - poses[(7 * ball + i + 1) * frames - 1];
        force[i] = forces[3 * k + i];
      }
      double const distance = std::sqrt(dot(r, r));
      if (distance > 0.06) continue;
      on_surface = on_surface || (std::abs(distance - 0.05) < 1e-5 && dot(r, force) < 0);
      for (Vector const& other : near) {
        Vector const sum{r[0] + other[0], r[1] + other[1], r[2] + other[2]};
        between = between || (dot(sum, sum) < 1e-10 && dot(r, force) * dot(other, force) < 0);
      }
      near.push_back(r);
    }
    EXPECT_TRUE(on_surface || between) << k;
  }
}

// The page is one file: nothing is loaded, and what it is made of says under which terms.
TEST_F(ReportProgram, IsOnePageWithItsLicences) {
  std::string const plane = page("painleve_rod"), space = page("rolling_ball");
  for (std::string const& html : {plane, space}) {
    EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(html.ends_with("</html>\n"));
    for (char const* const outside :
         {"<script src", "<link", "<iframe", "<img", "@import", "sourceMappingURL"})
      EXPECT_EQ(html.find(outside), std::string::npos) << outside;
    EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(html.find("Dan Vanderkam"), std::string::npos);  // of dygraphs
  }
  EXPECT_EQ(plane.find("THREE={}"), std::string::npos);
  EXPECT_NE(space.find("THREE={}"), std::string::npos);
  EXPECT_NE(space.find("three.js authors"), std::string::npos);
  EXPECT_EQ(run("report painleve_rod -o again.html").code, 0);
  EXPECT_EQ(read_file(path("again.html")), plane);
}

TEST_F(ReportProgram, LetsNoNameOrTextBecomeMarkup) {
  write("evil.csv",
        "time,\"</script><script>document.title='injected'</script>\",\"\"\"><img src=x "
        "onerror=alert(1)>\",<!--,a\xff\n"
        "0,1,2,3,4\n1,2,3,4,5\n");
  std::string const html = page("evil.csv");
  EXPECT_EQ(html.find("<script>document.title"), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  Json const json = Json::parse(test::json_in_page(html));
  EXPECT_EQ(json.at("columns").at(0).at("name").get<std::string>(),
            "</script><script>document.title='injected'</script>");
  EXPECT_EQ(json.at("columns").at(3).at("name").get<std::string>(), "a?");

  write(
      "evil.xml",
      R"(<scene name="evil" description="&lt;/script&gt;&lt;script&gt;document.title='injected'&lt;/script&gt;">
  <body name="b" type="point" mass="1"/></scene>)");
  EXPECT_EQ(page("evil.xml").find("<script>document.title"), std::string::npos);
}

TEST(ReportPage, KeepsAMillionValuesExactly) {
  TimeTable table{"many.csv", {"a"}, {}, {noise(1'000'000, 3)}};
  for (int i = 0; i < 1'000'000; ++i) table.time.push_back(i * 1e-3);
  std::vector<double> const values = table.columns[0];
  std::string const json = report_json(make_report(table, {}));
  EXPECT_LT(json.size(), 14'000'000u);
  EXPECT_EQ(test::values_of(Json::parse(json), "a"), values);
}

TEST(ReportPage, OfTwentyMillionIncompressibleValuesIsBelowTwentyMegabytesAndKeepsPeaks) {
  constexpr std::size_t rows = 1'000'000, columns = 20;
  TimeTable table{"many.csv", {}, {}, {}};
  std::vector<double> const random = noise(rows, 4);
  std::mt19937_64 steps(5);
  double t = 0;
  for (std::size_t i = 0; i < rows; ++i)
    table.time.push_back(t += std::uniform_real_distribution<double>(0, 1)(steps));
  for (std::size_t k = 0; k < columns; ++k) {
    table.names.push_back("c" + std::to_string(k));
    table.columns.push_back(random);
    std::vector<double>& column = table.columns.back();
    std::rotate(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(1 + 31 * k), column.end());
    table.columns.back()[123'456 + k] = 100;
    table.columns.back()[654'321 + k] = -100;
  }
  Report const report = make_report(std::move(table), {});
  std::string const page = write_report_page(report);
  EXPECT_LT(page.size(), 20'000'000u);
  Json const json = Json::parse(test::json_in_page(page));
  EXPECT_GT(json.at("buckets").get<int>(), 10'000);
  for (std::size_t k = 0; k < columns; ++k) {
    auto const kept = test::values_of(json, "c" + std::to_string(k));
    EXPECT_EQ(*std::ranges::max_element(kept), 100);
    EXPECT_EQ(*std::ranges::min_element(kept), -100);
    EXPECT_EQ(std::ranges::count(kept, 100), 1);
  }
}

TEST(ReportPage, KeepsEveryChangeOfModeWhereTheyAreFewAndSaysSoWhereNot) {
  Report report;
  report.title = "modes";
  ReportColumn column;
  column.name = "tip.mode";
  column.items = {{"detached", 1}, {"stick", 2}, {"slip", 3}};
  for (int i = 0; i < 1000; ++i) {
    report.time.push_back(i);
    column.values.push_back(i < 300 ? 1 : i < 301 ? 3 : 2);
  }
  report.columns.push_back(column);
  Json json = Json::parse(report_json(report));
  Json const& timeline = json.at("timelines").at(0);
  EXPECT_EQ(timeline.at("name").get<std::string>(), "tip");
  EXPECT_EQ(test::unpack_numbers(timeline.at("times")), (std::vector<double>{0, 300, 301}));
  EXPECT_EQ(test::unpack_numbers(timeline.at("modes")), (std::vector<double>{1, 3, 2}));
  EXPECT_FALSE(timeline.at("thinned").get<bool>());

  for (std::size_t i = 0; i < 1000; ++i) report.columns[0].values[i] = i % 3 == 0 ? 3 : 2;
  ReportLimits limits;
  limits.mode_changes = 50;
  json = Json::parse(report_json(report, limits));
  EXPECT_TRUE(json.at("timelines").at(0).at("thinned").get<bool>());
  EXPECT_EQ(test::unpack_numbers(json.at("timelines").at(0).at("modes")), (std::vector<double>{2}));
}

TEST_F(ReportProgram, RefusesResultsOfAnotherModel) {
  ASSERT_EQ(run("simulate bouncing_ball --stop 0.1 -o ball.csv").code, 0);
  auto const outcome = run("report ball.csv --model painleve_rod -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_FALSE(exists("r.html"));
  EXPECT_CONTAINS(outcome.errors,
                  "no column of ball.csv says where a body of the model is or how it moves, and '");
  EXPECT_CONTAINS(outcome.errors, "is no variable of it; is --model the one that was run?");
  EXPECT_EQ(run("report ball.csv -o r.html").code, 0);
  EXPECT_EQ(run("report ball.csv --model bouncing_ball -o r.html").code, 0);
  write("part.csv", "time,rod.angle,mine\n0,1,1\n1,2,2\n");
  EXPECT_EQ(run("report part.csv --model painleve_rod -o r.html").code, 0);
  write("energy.csv", "time,energy.total\n0,1\n1,2\n");
  EXPECT_EQ(run("report energy.csv --model painleve_rod -o r.html").code, 0);
}

TEST_F(ReportProgram, SaysWhatIsWrongWithItsArguments) {
  write("late.csv", "t,x\n0,1\n");
  auto outcome = run("report late.csv -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "it must be time");
  write("none.csv", "time,x\n");
  outcome = run("report none.csv -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "no row follows the names of the columns");
  write("other.csv", "time,x\n0,1\n1,2\n");
  outcome = run("report other.csv --model painleve_rod -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "no column of other.csv is a variable of the model (the first is 'x')");
  outcome = run("report other.csv --stop 1 -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "is a file of results");
  outcome = run("report other.csv --set a=1 -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "--set needs --model");
  outcome = run("report painleve_rod --model painleve_rod -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "--model is for files of results");
  ASSERT_EQ(run("examples positioning --copy-to .").code, 0);
  outcome = run("report positioning/SystemStructure.ssd --input other.csv -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "--input and --fmi are for one model");
  outcome = run("report positioning/SystemStructure.ssd --set plant.blok.mass=1 -o r.html");
  EXPECT_EQ(outcome.code, 2);
  outcome = run("report painleve_rod");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "--output");
  outcome = run("report missing.csv -o r.html");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "missing.csv");
  EXPECT_FALSE(exists("r.html"));
}

}  // namespace
}  // namespace delassus
