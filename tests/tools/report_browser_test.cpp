// Reports in a browser: they open without an error, show points, play, scrub and zoom. The page does all that by itself when it is asked to
// (tools/report/selftest.js), and says what it saw. With DELASSUS_PICTURES=folder the tests leave pictures there, to look at.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "tests/support/browser_session.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/report_data.hpp"
#include "tools/support/csv.hpp"

#ifndef DELASSUS_BROWSER
#define DELASSUS_BROWSER ""
#endif

namespace delassus {
namespace {

class ReportInBrowser : public test::Program {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(DELASSUS_BROWSER))
      GTEST_SKIP()
          << "no Chromium was found when the tests were configured: `tools/test --browser` installs it";
  }

  void make(std::string const& arguments) const {
    auto const outcome = run("report " + arguments + " -o report.html --quiet");
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
  }

  // What the page saw. `webgl`: with a software renderer, since there may be no graphics card.
  Json open(bool webgl) {
    test::BrowserSession browser(DELASSUS_BROWSER, path("profile"),
                                 webgl ? std::vector<std::string>{"--use-gl=angle", "--use-angle=swiftshader",
                                                                  "--enable-unsafe-swiftshader"}
                                       : std::vector<std::string>{"--disable-gpu", "--disable-3d-apis"});
    browser.open(path("report.html"), "typeof delassusReport === 'object'");
    Json const seen = Json::parse(browser.evaluate("delassusReport.selfTest().then(JSON.stringify)"));
    title = browser.evaluate("document.title");
    text = browser.evaluate("document.body.innerText");
    images = browser.evaluate("String(document.images.length)");
    if (!after.empty()) answer = browser.evaluate(after);
    save_pictures(browser);
    EXPECT_TRUE(browser.errors().empty()) << browser.errors().front();
    return seen;
  }

  std::string title, text, images;
  std::string after, answer;  // what else is asked of the page

 private:
  static void save_pictures(test::BrowserSession& browser) {
    char const* const folder = std::getenv("DELASSUS_PICTURES");
    if (folder == nullptr) return;
    std::string const name = testing::UnitTest::GetInstance()->current_test_info()->name();
    auto const save = [&](std::string const& look, int width, int height) {
      browser.set_size(width, height);
      browser.evaluate("delassusReport.clock.setTime(0.6 * delassusReport.clock.end)");
      browser.save_picture(std::filesystem::path(folder) / (name + "_" + look + ".png"));
    };
    save("wide", 1280, 2600);
    save("narrow", 420, 2600);
    browser.emulate("prefers-color-scheme", "dark");
    save("dark", 1280, 1600);
  }
};

// All plots have their cursor at the same place, and it is where the slider was put: in the middle.
void expect_played_and_scrubbed(Json const& seen, double span) {
  EXPECT_EQ(seen.at("state").get<std::string>(), "ready");
  EXPECT_GT(seen.at("played").get<double>(), 0);
  EXPECT_NEAR(seen.at("scrubTime").get<double>(), span / 2, 1e-9 * span);
  EXPECT_TRUE(seen.at("keyStep").get<bool>());
  EXPECT_TRUE(seen.at("keyAfterPlay").get<bool>()) << "the arrows do not step once Play was clicked";
  EXPECT_TRUE(seen.at("spaceAfterPlay").get<bool>()) << "the space bar does not stop what Play started";
  for (auto const& label : seen.at("xlabels")) EXPECT_EQ(label.get<std::string>(), "time [s]");
  for (auto const& height : seen.at("cameras")) EXPECT_GT(height.get<double>(), 0);
  ASSERT_FALSE(seen.at("cursors").empty());
  double const first = seen.at("cursors").at(0).get<double>();
  EXPECT_GT(first, 100);
  for (auto const& cursor : seen.at("cursors")) EXPECT_NEAR(cursor.get<double>(), first, 1);
  for (auto const& window : seen.at("windows")) {
    EXPECT_NEAR(window.at(0).get<double>(), 0.25, 1e-9);
    EXPECT_NEAR(window.at(1).get<double>(), 0.5, 1e-9);
  }
  for (auto const& window : seen.at("unzoomed")) EXPECT_NEAR(window.at(1).get<double>(), 1, 1e-9);
  for (auto const& points : seen.at("points")) EXPECT_GT(points.get<int>(), 50);
}

TEST_F(ReportInBrowser, ShowsAPlanarScene) {
  make("painleve_rod");
  Json const seen = open(false);
  expect_played_and_scrubbed(seen, 0.2);
  EXPECT_EQ(seen.at("views").at(0).get<std::string>(), "canvas");
  EXPECT_TRUE(seen.at("playMoves").at(0).get<bool>());
  EXPECT_EQ(seen.at("scrubFrame").at(0).get<int>(), 100);
  EXPECT_EQ(seen.at("modes").at(0).get<std::string>(), "slip");
}

TEST_F(ReportInBrowser, ShowsASpatialSceneInThreeDimensions) {
  make("rolling_ball");
  Json const seen = open(true);
  expect_played_and_scrubbed(seen, 1);
  EXPECT_EQ(seen.at("views").at(0).get<std::string>(), "WebGL");
  EXPECT_TRUE(seen.at("playMoves").at(0).get<bool>());
}

TEST_F(ReportInBrowser, ShowsASpatialSceneWithoutWebGlAsWireFramesAndSaysSo) {
  make("rolling_ball");
  Json const seen = open(false);
  expect_played_and_scrubbed(seen, 1);
  EXPECT_EQ(seen.at("views").at(0).get<std::string>(), "canvas without WebGL");
  EXPECT_TRUE(seen.at("playMoves").at(0).get<bool>());
  EXPECT_CONTAINS(text, "This browser has no WebGL");
}

// The block holds still where friction holds it against the belt; the belt's marks move on.
TEST_F(ReportInBrowser, ShowsThatABeltMoves) {
  write("belt.xml", R"(<scene name="belt" dimension="2">
  <experiment stop="1" step="0.01"/>
  <body name="belt" type="prescribed"><motion velocity="2 0" surface="yes"/></body>
  <body name="wall" type="fixed"/>
  <body name="block" type="slider" axis="x" mass="3"/>
  <friction name="rub" point="block" with="belt" bound="3"/>
  <friction name="hold" point="block" with="wall" bound="30"/>
</scene>)");
  make("belt.xml");
  Json const seen = open(false);
  EXPECT_TRUE(seen.at("playMoves").at(0).get<bool>());
}

TEST_F(ReportInBrowser, PlotsWhatControllersDoAndSavesAVideo) {
  make("positioning --stop 4 --step 0.01");
  after =
      "new VideoRecording('film', delassusReport.views, Object.assign(delassusReport.clock, {speed: "
      "5})).record()"
      ".then(file => JSON.stringify([file.size, file.type]))";
  Json const seen = open(false);
  std::string const shown = seen.at("shown").dump();
  for (char const* const name : {"plant.block.position", "controller.output", "controller.reference"})
    EXPECT_CONTAINS(shown, name);
  EXPECT_EQ(shown.find("controller.measurement"), std::string::npos) << "it is plant.block.position again";
  Json const film = Json::parse(answer);
  EXPECT_GT(film.at(0).get<int>(), 1000);
  EXPECT_EQ(film.at(1).get<std::string>().substr(0, 6), "video/");
}

TEST_F(ReportInBrowser, OpensAndScrubsAMillionPoints) {
  TimeTable table{"", {"rod.position[1]", "rod.position[2]", "rod.angle", "peak"}, {}, {}};
  for (int i = 0; i < 1'000'000; ++i) {
    double const t = i * 1e-4;
    table.add_row(t,
                  {std::sin(0.1 * t), std::cos(0.1 * t), 0.3 * t, i == 777'777 ? 5.0 : std::sin(1000 * t)});
  }
  write("many.csv", write_csv(table));
  make("many.csv --model painleve_rod");
  Json const seen = open(false);
  EXPECT_LT(std::filesystem::file_size(path("report.html")), 20'000'000u);
  expect_played_and_scrubbed(seen, 99.9999);
  EXPECT_EQ(seen.at("rows").get<int>(), 1'000'000);
  EXPECT_TRUE(seen.at("playMoves").at(0).get<bool>());
  EXPECT_EQ(seen.at("largest").at(3).get<double>(), 5);
  // A plot is given some thousand of them.
  for (auto const& points : seen.at("points")) EXPECT_LT(points.get<int>(), 10'000);
}

TEST_F(ReportInBrowser, RunsNothingThatNamesAndTextsSay) {
  write("evil.csv",
        "time,\"</script><script>document.title='injected'</script>\",\"<img src=x "
        "onerror=document.title='injected'>\"\n"
        "0,1,2\n1,2,3\n2,3,1\n");
  make("evil.csv");
  Json const seen = open(false);
  EXPECT_EQ(seen.at("state").get<std::string>(), "ready");
  EXPECT_EQ(title, "evil");
  EXPECT_EQ(images, "0");
  EXPECT_CONTAINS(text, "<img src=x onerror=document.title='injected'>");
}

}  // namespace
}  // namespace delassus
