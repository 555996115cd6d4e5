// What slides over flush neighbours moves as on one plane, and what really is in the way still stops it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/time/stepper.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

template <class... Parts>
std::string text(Parts const&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

// A box of a floor: from `left` to `right`, its top at `top`; in space `width` wide.
struct Tile {
  double left, right, top = 0, height = 0.2, width = 2;
};

struct Case {
  int dimension = 2;
  StepperKind kind = StepperKind::relaxed;
  double step = 1e-3;
  double mu = 0.2;
  bool grouped = true, one_body = false;
  std::string mover;           // its shapes
  double above = 0.1;          // initial height of its origin
  double speed = 3, spin = 0;  // m/s along x; rad/s about z in the plane, about y in space
  std::string turned = "";     // initial angle in space
};

std::string floor_of(Case const& of, std::vector<Tile> const& tiles) {
  std::string out;
  if (of.one_body) out += "<body name='floor' type='fixed'>";
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    Tile const& tile = tiles[i];
    double const x = (tile.left + tile.right) / 2, half = (tile.right - tile.left) / 2,
                 middle = tile.top - tile.height / 2;
    if (!of.one_body) out += text("<body name='tile", i, "' type='fixed'>");
    if (of.dimension == 2) {
      out += text("<box name='b", i, "' half_size='", half, " ", tile.height / 2, "' position='", x, " ",
                  middle, "'/>");
    } else {
      out += text("<box name='b", i, "' half_size='", half, " ", tile.width / 2, " ", tile.height / 2,
                  "' position='", x, " 0 ", middle, "'/>");
    }
    if (!of.one_body) out += "</body>";
  }
  if (of.one_body) out += "</body>";
  return out;
}

// The motion over tiles, or over the ground if there are none.
struct Motion {
  std::vector<double> q, v;
  long steps = 0;
};
Motion motion_over(Case const& of, std::string const& floor, std::size_t tiles, double end) {
  bool const plane = of.dimension == 2;
  std::string scene = text("<scene name='seams' dimension='", of.dimension, "'><gravity acceleration='",
                           plane ? "0 -9.81" : "0 0 -9.81", "'/>", floor, "<body name='mover' type='",
                           plane ? "planar" : "rigid", "' density='500'>", of.mover);
  if (plane) {
    scene += text("<initial position='0 ", of.above, "' velocity='", of.speed, " 0' angular_velocity='",
                  of.spin, "'/></body>");
  } else {
    scene += text("<initial position='0 0 ", of.above, "' velocity='", of.speed, " 0 0' angular_velocity='0 ",
                  of.spin, " 0'", of.turned.empty() ? "" : text(" angle='", of.turned, "'"), "/></body>");
  }
  std::string const law = text("mu='", of.mu, "'");
  if (tiles == 0) {
    scene += text("<contacts name='all' between='mover ground' ", law, "/>");
  } else if (of.grouped) {
    scene += text("<contacts name='all' between='mover ", of.one_body ? "floor" : "tile*", "' ", law, "/>");
  } else {
    for (std::size_t i = 0; i < tiles; ++i)
      scene += text("<contact name='c", i, "' point='mover' with='", of.one_body ? "floor" : text("tile", i),
                    ".b", i, "' ", law, "/>");
  }
  scene += "</scene>";
  Scene const compiled = compile_scene(read_scene_source(scene, "seams"));
  SceneSystem const system(compiled);
  StepperSettings settings;
  settings.kind = of.kind;
  settings.step = of.step;
  auto const stepper = make_stepper(system, settings);
  std::vector<double> const parameters = compiled.default_parameters(), inputs = compiled.default_inputs();
  Motion motion;
  motion.q.resize(static_cast<std::size_t>(compiled.configuration_size));
  motion.v.resize(static_cast<std::size_t>(compiled.velocity_size));
  system.initial_state(parameters, inputs, motion.q, motion.v);
  stepper->start(0, motion.q, motion.v);
  for (int i = 1; i <= 40; ++i)
    motion.steps += stepper->advance(end * i / 40, inputs, parameters).internal_steps;
  motion.q.assign(stepper->q().begin(), stepper->q().end());
  motion.v.assign(stepper->v().begin(), stepper->v().end());
  return motion;
}

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::vector<Tile> even_tiles(double width = 0.4) {
  std::vector<Tile> tiles;
  for (int i = -5; i < 12; ++i) tiles.push_back({width * i, width * (i + 1)});
  return tiles;
}

std::vector<Tile> random_tiles(unsigned seed, double roughness) {
  std::mt19937 engine(seed);
  auto const uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  std::vector<Tile> tiles;
  for (double left = -1.5; left < 4;) {
    double const right = left + std::exp(uniform(std::log(0.02), std::log(1)));
    tiles.push_back({left, right, uniform(-roughness, roughness), uniform(0.05, 0.5), uniform(0.05, 2)});
    left = right;
  }
  return tiles;
}

// How far the motion over the tiles is from that over the ground.
double deviation(Case const& of, std::vector<Tile> const& tiles, double end = 0.8) {
  Motion const over_tiles = motion_over(of, floor_of(of, tiles), tiles.size(), end);
  Motion const over_ground = motion_over(of, "", 0, end);
  return difference(over_tiles.q, over_ground.q);
}

constexpr StepperKind kinds[] = {StepperKind::relaxed, StepperKind::relaxed_fixed, StepperKind::implicit};

struct Mover {
  char const* name;
  char const* shapes;
  double above;
};
constexpr Mover movers2[] = {{"box", "<box half_size='0.2 0.1'/>", 0.1},
                             {"small box", "<box half_size='0.05 0.05'/>", 0.05},
                             {"sphere", "<sphere radius='0.1'/>", 0.1},
                             {"capsule", "<capsule radius='0.1' half_length='0.2'/>", 0.1}};
constexpr Mover movers3[] = {
    {"box", "<box half_size='0.2 0.15 0.1'/>", 0.1},
    {"sphere", "<sphere radius='0.1'/>", 0.1},
    {"capsule", "<capsule radius='0.1' half_length='0.2'/>", 0.1},
    {"capsule across", "<capsule radius='0.1' half_length='0.2' rotation='0 0 1.5707963267948966'/>", 0.1}};

TEST(Seams, ABoxSlidesOverFlushBoxesAsFarAsTheClosedFormSays) {
  Case of;
  of.mover = movers2[0].shapes;
  for (bool const grouped : {true, false}) {
    of.grouped = grouped;
    std::vector<Tile> const tiles = even_tiles();
    Motion const motion = motion_over(of, floor_of(of, tiles), tiles.size(), 0.8);
    EXPECT_NEAR(motion.q[0], 3 * 0.8 - 0.5 * 0.2 * 9.81 * 0.64, 1e-6);
    EXPECT_NEAR(motion.q[1], 0.1, 1e-6);
    EXPECT_NEAR(motion.q[2], 0, 1e-6);
  }
}

TEST(Seams, BodiesMoveOverFlushBoxesAsOverOnePlane) {
  for (int const dimension : {2, 3}) {
    for (Mover const& mover :
         dimension == 2 ? std::span<const Mover>(movers2) : std::span<const Mover>(movers3)) {
      for (StepperKind const kind : kinds) {
        for (double const mu : {0.0, 0.2, 0.5, 1.0}) {
          for (bool const grouped : {true, false}) {
            Case of;
            of.dimension = dimension;
            of.kind = kind;
            of.mu = mu;
            of.grouped = of.one_body = grouped;
            of.mover = mover.shapes;
            of.above = mover.above;
            EXPECT_LT(deviation(of, even_tiles()), 1e-6)
                << dimension << "D, " << mover.name << ", stepper " << static_cast<int>(kind) << ", mu " << mu
                << (grouped ? ", group" : ", pairs");
          }
        }
      }
    }
  }
}

TEST(Seams, RandomFloorsAreOnePlane) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (double const roughness : {0.0, 1e-12}) {
      for (int const dimension : {2, 3}) {
        std::size_t const which = seed % 4;
        Mover const& mover = dimension == 2 ? movers2[which] : movers3[which];
        Case of;
        of.dimension = dimension;
        of.kind = kinds[seed % 3];
        of.mu = 0.05 * (seed % 11);
        of.grouped = seed % 2 == 0;
        of.one_body = seed % 5 < 2;
        of.mover = mover.shapes;
        of.above = mover.above;
        EXPECT_LT(deviation(of, random_tiles(seed, roughness), 0.6), 1e-6)
            << "seed " << seed << ", " << dimension << "D, " << mover.name << ", stepper "
            << static_cast<int>(of.kind) << ", mu " << of.mu << ", roughness " << roughness;
      }
    }
  }
}

}  // namespace
}  // namespace delassus
