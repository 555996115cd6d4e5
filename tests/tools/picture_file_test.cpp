// Pictures as PNG and PDF, and animations as GIF: what is in the files, read by rules of their formats.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/program_run.hpp"
#include "tools/image/gif_writer.hpp"
#include "tools/plot/picture_file.hpp"
#include "tools/plot/svg_renderer.hpp"
#include "tools/report/animation_file.hpp"
#include "tools/report/shaded_bodies.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

bool can_render() {
  try {
    demand_renderer("a picture");
    return true;
  } catch (CommandError const&) {
    return false;
  }
}

#define SKIP_WITHOUT_RENDERER() \
  if (!can_render()) GTEST_SKIP() << "librsvg was not found when delassus was built"

std::array<int, 4> pixel(PixelPicture const& picture, int x, int y) {
  std::size_t const at = 4 * static_cast<std::size_t>(y * picture.width + x);
  return {picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2], picture.rgba[at + 3]};
}

unsigned number_at(std::string const& bytes, std::size_t at) {
  unsigned number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

constexpr char square[] =
    R"(<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10"><title>a &lt; b</title>
<rect x="4" y="2" width="6" height="6" fill="#0072b2"/><rect x="12" y="2" width="6" height="6" fill="#ff0000" fill-opacity=".5"/></svg>)";

TEST(SvgRenderer, PutsColoursWhereTheSvgHasThem) {
  SKIP_WITHOUT_RENDERER();
  PixelPicture picture = render_pixels(square, 3);
  EXPECT_EQ(picture.width, 60);
  EXPECT_EQ(picture.height, 30);
  EXPECT_EQ(pixel(picture, 3 * 7, 3 * 5), (std::array<int, 4>{0, 0x72, 0xb2, 255}));
  EXPECT_EQ(pixel(picture, 3 * 2, 3 * 5), (std::array<int, 4>{0, 0, 0, 0}));
  EXPECT_EQ(pixel(picture, 3 * 15, 3 * 5), (std::array<int, 4>{255, 0, 0, 128}));
  // Over what is there: half red, half white.
  PixelPicture white{20, 10, std::vector<std::uint8_t>(800, 255)};
  render_over(white, square);
  EXPECT_EQ(pixel(white, 2, 5), (std::array<int, 4>{255, 255, 255, 255}));
  EXPECT_NEAR(pixel(white, 15, 5)[1], 127.5, 1);
  EXPECT_THROW(render_pixels("<svg", 1), CommandError);
}

TEST(SvgRenderer, WritesText) {
  SKIP_WITHOUT_RENDERER();
  PixelPicture const picture = render_pixels(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text x="2" y="15" font-size="14">mass</text></svg>)",
      1);
  int inked = 0;
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4) inked += picture.rgba[i] > 128 ? 1 : 0;
  EXPECT_GT(inked, 60);
  EXPECT_LT(inked, 600);
}

class PictureFile : public test::Program {};

TEST_F(PictureFile, IsWhatTheEndingOfItsNameSaysAndTheSameBytesEachTime) {
  SKIP_WITHOUT_RENDERER();
  for (char const* const name : {"a.svg", "a.png", "a.pdf", "B.PNG"})
    write_picture(path(name).string(), square);
  EXPECT_EQ(read_file(path("a.svg")), square);
  std::string const png = read_file(path("a.png")), pdf = read_file(path("a.pdf"));
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(number_at(png, 16), 40U);
  EXPECT_EQ(number_at(png, 20), 20U);
  // 192 pixels an inch of 25.4 mm.
  auto const density = png.find("pHYs");
  ASSERT_NE(density, std::string::npos);
  EXPECT_NEAR(number_at(png, density + 4), 192 / 0.0254, 1);
  EXPECT_EQ(read_file(path("B.PNG")), png);
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_CONTAINS(pdf, "/MediaBox [ 0 0 15 7.5 ]");
  EXPECT_CONTAINS(pdf, "a < b");
  write_picture(path("again.pdf").string(), square);
  EXPECT_EQ(read_file(path("again.pdf")), pdf);
}

TEST_F(PictureFile, OfAnotherEndingIsRefusedBeforeTheRunWithWhatWorks) {
  for (std::string const command :
       {"simulate impact --plot x.jpg", "cosim positioning --plot x.jpg", "analyse painleve_rod --plot x.jpg",
        "sweep sliding_block --vary mu=0.1:1:3 --keep 'final(block.position[1])' --plot x.jpg"}) {
    auto const outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_CONTAINS(outcome.errors,
                    "'x.jpg': a picture is written as .svg, .png or .pdf; name the file x.svg");
    EXPECT_EQ(outcome.output, "");
  }
  EXPECT_CONTAINS(run("simulate impact --plot x").errors, "name the file x.svg");
  auto const film = run("report impact --video x.avi");
  EXPECT_EQ(film.code, 2);
  EXPECT_CONTAINS(film.errors,
                  "'x.avi': an animation is written as .gif, .mp4 or .webm; name the file x.gif");
  EXPECT_CONTAINS(run("report impact").errors, "--video FILE.gif");
}

TEST_F(PictureFile, IsMadeByEveryCommandThatPlots) {
  SKIP_WITHOUT_RENDERER();
  for (auto const& [command, name] : std::vector<std::pair<std::string, std::string>>{
           {"simulate impact --plot run.png", "run.png"},
           {"cosim positioning --until 1 --plot loop.pdf", "loop.pdf"},
           {"analyse painleve_rod --plot cone.png -o cone.txt", "cone.png"},
           {"analyse painleve_rod --set rod.initial.angular_velocity=4 --map solutions --over "
            "rod.initial.angle=5deg:85deg:9 --over tip_ground.mu=0.1:2.5:9 --plot map.png -o map.csv",
            "map.png"},
           {"sweep sliding_block --vary mu=0.1:1:3 --keep 'final(block.position[1])' --plot sweep.pdf -o "
            "s.csv",
            "sweep.pdf"}}) {
    auto const outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << command << outcome.errors;
    EXPECT_EQ(read_file(path(name)).substr(1, 3), name.ends_with("png") ? "PNG" : "PDF") << command;
  }
  // The example of the help has both numbers of solutions in it.
  std::set<std::string> values;
  std::istringstream rows(read_file(path("map.csv")));
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) values.insert(row.substr(row.rfind(',') + 1));
  EXPECT_EQ(values, (std::set<std::string>{"1", "3"}));
  EXPECT_CONTAINS(run("analyse --help").output, "--set rod.initial.angular_velocity=4 --map solutions");
}

// The eye is 10 m before a ball: seen from there it covers the disc within the angle asin(r/d), and in its middle it is lit.
TEST(ShadedBodies, CoverWhatPerspectiveSaysAndHideWhatIsBehind) {
  constexpr int size = 400;
  SceneEye const eye({0, -10, 0}, {0, 0, 0}, size, size);
  ShadedBodies bodies(eye, size, size);
  bodies.add_ball({0, 0, 0}, Eigen::Matrix3d::Identity(), 1, {0, 0, 1}, {0, 0, 1});
  bodies.add_ball({0, 5, 0}, Eigen::Matrix3d::Identity(), 1, {1, 0, 0}, {1, 0, 0});  // behind the first
  bodies.add_box({2, 0, 0}, Eigen::Matrix3d::Identity(), {0.2, 0.2, 0.2}, {0, 1, 0});
  PixelPicture picture{size, size, std::vector<std::uint8_t>(4 * size * size, 255)};
  bodies.draw_over(picture);
  int blue = 0, red = 0, green = 0;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      auto const [r, g, b, a] = pixel(picture, x, y);
      blue += b > 2 * r && b > 2 * g ? 1 : 0;
      red += r > 2 * b && r > 2 * g ? 1 : 0;
      green += g > 2 * r && g > 2 * b ? 1 : 0;
    }
  }
  double const focal = size / 2 / std::tan(SceneEye::field_of_view() / 2),
               radius = focal / std::sqrt(100 - 1);
  EXPECT_NEAR(blue, M_PI * radius * radius, 0.03 * M_PI * radius * radius);
  EXPECT_EQ(red, 0);
  EXPECT_NEAR(green, std::pow(0.4 * focal / 9.8, 2), 0.4 * std::pow(0.4 * focal / 9.8, 2));
  // The box stands right of the ball.
  Eigen::Vector3d const at = eye.project({2, 0, 0});
  EXPECT_NEAR(at[0], size / 2 + 2 * focal / 10, 1e-9);
  EXPECT_NEAR(at[2], 10, 1e-12);
}

// What the blocks of a GIF are, by its specification (GIF89a).
struct GifBlocks {
  int width = 0, height = 0, pictures = 0, hundredths = 0;
  bool repeats = false, ended = false;
};

GifBlocks read_gif(std::string const& gif) {
  auto const byte = [&](std::size_t at) { return static_cast<unsigned char>(gif.at(at)); };
  auto const word = [&](std::size_t at) { return byte(at) + 256 * byte(at + 1); };
  GifBlocks blocks;
  EXPECT_EQ(gif.substr(0, 6), "GIF89a");
  blocks.width = word(6);
  blocks.height = word(8);
  std::size_t at = 13 + (byte(10) & 0x80 ? 3U * (2U << (byte(10) & 7)) : 0);
  auto const skip = [&] {
    while (byte(at) != 0) at += 1U + byte(at);
    ++at;
  };
  while (at < gif.size()) {
    unsigned char const kind = byte(at);
    if (kind == 0x3B) {
      blocks.ended = at + 1 == gif.size();
      return blocks;
    }
    if (kind == 0x21) {
      if (byte(at + 1) == 0xF9) blocks.hundredths += word(at + 4);
      if (byte(at + 1) == 0xFF) blocks.repeats = gif.substr(at + 3, 11) == "NETSCAPE2.0";
      at += 2;
      skip();
    } else if (kind == 0x2C) {
      ++blocks.pictures;
      EXPECT_LE(word(at + 1) + word(at + 5), blocks.width);
      EXPECT_LE(word(at + 3) + word(at + 7), blocks.height);
      at += 11;
      skip();
    } else {
      ADD_FAILURE() << "no block of a GIF begins with " << int{kind};
      return blocks;
    }
  }
  return blocks;
}

TEST_F(PictureFile, OfAnAnimationHasAPictureFor40Milliseconds) {
  SKIP_WITHOUT_RENDERER();
  if (!has_gif_writer()) GTEST_SKIP() << "giflib was not found when delassus was built";
  // 0.3 s at half the speed: 0.6 s, 15 pictures and the last.
  for (std::string const scene : {"falling_rod", "rolling_ball"}) {
    auto const outcome = run("report " + scene + " --stop 0.3 --video film.gif --video-speed 0.5");
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    GifBlocks const blocks = read_gif(read_file(path("film.gif")));
    EXPECT_EQ(blocks.width, 800);
    EXPECT_EQ(blocks.height, 520);
    EXPECT_EQ(blocks.pictures, 16);
    EXPECT_EQ(blocks.hundredths, 64);
    EXPECT_TRUE(blocks.repeats);
    EXPECT_TRUE(blocks.ended);
  }
  std::string const first = read_file(path("film.gif"));
  ASSERT_EQ(run("report rolling_ball --stop 0.3 --video film.gif --video-speed 0.5").code, 0);
  EXPECT_EQ(read_file(path("film.gif")), first);
  write("numbers.csv", "time,x\n0,1\n1,2\n");
  auto const outcome = run("report numbers.csv --video film.gif");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.errors, "with a CSV give --model");
}

TEST(AnimationSpeed, IsTrueToTimeWhereOneCanWatchIt) {
  EXPECT_EQ(animation_speed(5), 1);
  EXPECT_EQ(animation_speed(20), 1);
  EXPECT_EQ(animation_speed(0.08), 0.01);
  EXPECT_EQ(animation_speed(80), 10);
}

}  // namespace
}  // namespace delassus
