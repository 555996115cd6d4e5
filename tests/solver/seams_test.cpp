// What slides over flush neighbours moves as on one plane, and what really is in the way still stops it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/time/stepper.hpp"
#include "tests/support/scenes/joined_text.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

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
  std::string turned;          // initial angle in space
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
  std::vector<double> q, v;  // at the end
  double lowest = 1e9;       // m, of the origin of the mover, at 40 times
};
Motion run(std::string const& scene, Case const& of, double end) {
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
  for (int i = 1; i <= 40; ++i) {
    stepper->advance(end * i / 40, inputs, parameters);
    motion.lowest = std::min(motion.lowest, stepper->q()[static_cast<std::size_t>(compiled.dimension - 1)]);
  }
  motion.q.assign(stepper->q().begin(), stepper->q().end());
  motion.v.assign(stepper->v().begin(), stepper->v().end());
  return motion;
}

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
  return run(scene, of, end);
}

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::vector<Tile> even_tiles(double width = 0.4) {
  std::vector<Tile> tiles;
  for (int i = -5; width * i < 4; ++i) tiles.push_back({width * i, width * (i + 1)});
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

constexpr StepperKind kinds[] = {StepperKind::relaxed, StepperKind::implicit, StepperKind::nonsmooth};

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

TEST(Seams, BodiesMoveOverFlushBoxesAsOverOnePlaneInLongSteps) {
  for (int const dimension : {2, 3}) {
    for (Mover const& mover :
         dimension == 2 ? std::span<const Mover>(movers2) : std::span<const Mover>(movers3)) {
      for (double const mu : {0.0, 0.2, 0.5, 1.0}) {
        for (bool const uneven : {false, true}) {
          Case of;
          of.dimension = dimension;
          of.kind = StepperKind::nonsmooth;
          of.step = 1e-2;
          of.mu = mu;
          of.mover = mover.shapes;
          of.above = mover.above;
          EXPECT_LT(deviation(of, uneven ? random_tiles(7, 0) : even_tiles()), 1e-6)
              << dimension << "D, " << mover.name << ", mu " << mu << (uneven ? ", different sizes" : "");
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
        of.kind = kinds[seed % std::size(kinds)];
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

TEST(Seams, ABoxSetFlushIntoTheGroundIsNoObstacle) {
  for (Mover const& mover : movers2) {
    for (StepperKind const kind : kinds) {
      Case of;
      of.kind = kind;
      of.mover = mover.shapes;
      of.above = mover.above;
      Motion const over_ground = motion_over(of, "", 0, 0.8);
      std::string const scene = text(
          "<scene name='seams'><gravity acceleration='0 -9.81'/><body name='slab' type='fixed'><box "
          "half_size='0.3 "
          "0.1' position='1 -0.1'/></body><body name='mover' type='planar' density='500'>",
          mover.shapes, "<initial position='0 ", mover.above,
          "' velocity='3 0'/></body><contacts name='all' mu='0.2'/></scene>");
      EXPECT_LT(difference(run(scene, of, 0.8).q, over_ground.q), 1e-6)
          << mover.name << ", stepper " << static_cast<int>(kind);
    }
  }
}

// The whole scene turned: floors on a slope.
TEST(Seams, AFloorOnASlopeIsOnePlane) {
  for (double const angle : {0.3, -0.7, 2.0}) {
    for (Mover const& mover : movers2) {
      for (StepperKind const kind : kinds) {
        Case of;
        of.kind = kind;
        of.mover = mover.shapes;
        of.above = mover.above;
        Motion const level = motion_over(of, "", 0, 0.8);
        double const c = std::cos(angle), s = std::sin(angle);
        std::string scene =
            text("<scene name='seams'><gravity acceleration='", 9.81 * s, " ", -9.81 * c, "'/>");
        for (int i = -5; i < 12; ++i) {
          double const x = 0.3 * i + 0.15, y = -0.1;
          scene +=
              text("<body name='tile", i + 5, "' type='fixed'><box half_size='0.15 0.1'/><initial position='",
                   c * x - s * y, " ", s * x + c * y, "' angle='", angle, "'/></body>");
        }
        scene += text("<body name='mover' type='planar' density='500'>", mover.shapes, "<initial position='",
                      -s * mover.above, " ", c * mover.above, "' velocity='", 3 * c, " ", 3 * s, "' angle='",
                      angle, "'/></body><contacts name='all' between='mover tile*' mu='0.2'/></scene>");
        std::vector<double> const q = run(scene, of, 0.8).q;
        EXPECT_NEAR(c * q[0] + s * q[1], level.q[0], 1e-6) << mover.name << static_cast<int>(kind);
        EXPECT_NEAR(c * q[1] - s * q[0], level.q[1], 1e-6) << mover.name << static_cast<int>(kind);
        EXPECT_NEAR(q[2] - angle, level.q[2], 1e-5) << mover.name << static_cast<int>(kind);
      }
    }
  }
}

// Down a slope of boxes and on over a level floor of boxes, beside the same of two planes.
TEST(Seams, AValleyOfBoxesIsAValleyOfPlanes) {
  double const angle = -0.3, c = std::cos(angle), s = std::sin(angle);
  for (Mover const& mover : movers2) {
    Case of;
    std::string const begin = "<scene name='seams'><gravity acceleration='0 -9.81'/>";
    std::string const end =
        text("<body name='mover' type='planar' density='500'>", mover.shapes, "<initial position='",
             -0.5 * c - s * mover.above, " ", -0.5 * s + c * mover.above, "' velocity='", c, " ", s,
             "' angle='", angle, "'/></body><contacts name='all' between='mover floor' mu='0.1'/></scene>");
    std::string boxes = "<body name='floor' type='fixed'>";
    for (int i = 0; i < 8; ++i) {
      // The last box of the slope reaches beyond the valley, below the floor.
      double const x = -0.25 * i - 0.125 + (i == 0 ? 0.02 : 0), half = i == 0 ? 0.145 : 0.125, y = -0.1;
      boxes += text("<box name='s", i, "' half_size='", half, " 0.1' position='", c * x - s * y, " ",
                    s * x + c * y, "' rotation='", angle, "'/>");
      boxes += text("<box name='f", i, "' half_size='0.15 0.1' position='", 0.3 * i + 0.15, " -0.1'/>");
    }
    boxes += "</body>";
    std::string const planes =
        text("<body name='floor' type='fixed'><plane name='f' normal='0 1'/><plane name='s' normal='", -s,
             " ", c, "'/></body>");
    Motion const one = run(begin + boxes + end, of, 0.7), other = run(begin + planes + end, of, 0.7);
    EXPECT_GT(other.q[0], 0.3);
    // The relaxed law acts a few millimetres before the contact, where a plane has begun and a box has not.
    EXPECT_LT(difference(one.q, other.q), 3e-3) << mover.name << " " << one.q[0] << " " << other.q[0];
  }
}

TEST(Seams, AStepStillStopsABoxAndAWallOnTheFloorStopsItUpright) {
  for (int const dimension : {2, 3}) {
    for (StepperKind const kind : kinds) {
      for (double const step : {1e-3, 0.5}) {
        for (bool const grouped : {true, false}) {
          Case of;
          of.dimension = dimension;
          of.kind = kind;
          of.mu = 0;
          of.grouped = grouped;
          of.speed = 1;
          of.mover = dimension == 2 ? movers2[0].shapes : movers3[0].shapes;
          // As a higher tile, and as a wall that stands on the floor.
          std::vector<Tile> higher{{-1, 0.4}, {0.4, 0.8}, {0.8, 2, step, step + 0.2}},
              wall{{-1, 0.4}, {0.4, 0.8}, {0.8, 2}, {0.8, 1.2, step, step}};
          for (auto const& tiles : {higher, wall}) {
            Motion const motion = motion_over(of, floor_of(of, tiles), tiles.size(), 1);
            EXPECT_LT(motion.q[0], 0.6 + 1e-3) << dimension << "D " << step << " " << static_cast<int>(kind);
            EXPECT_GT(motion.q[0], step > 0.1 ? 0.55 : 0.3);
            double const height = motion.q[static_cast<std::size_t>(dimension - 1)];
            if (step > 0.1) {
              EXPECT_NEAR(height, 0.1, 1e-4) << "it must not tip";
            }
          }
        }
      }
    }
  }
}

// However low the step, and wherever within a step of the stepper it is met: the box of 0.4 m by 0.2 m turns about its corner
// with w = v b / (4/3 (a^2 + b^2)), and gravity turns it back by g a / (4/3 (a^2 + b^2)).
// In space, the contact of `relaxed` gives way by more than such a step, and the run may end there with a reason.
TEST(Seams, ALowStepStopsABoxAtItsCorner) {
  constexpr double a = 0.2, b = 0.1, v = 3, inertia = 4.0 / 3 * (a * a + b * b), after = 5e-3;
  for (int const dimension : {2, 3}) {
    for (StepperKind const kind : {StepperKind::nonsmooth, StepperKind::relaxed}) {
      for (double const step : {1e-3, 1e-2}) {
        for (double const height : {1e-3, 1e-4, 1e-5}) {
          for (int phase = 0; phase < 5; ++phase) {
            if (dimension == 3 && kind == StepperKind::relaxed) continue;
            Case of;
            of.dimension = dimension;
            of.kind = kind;
            of.step = step;
            of.mu = 0;
            of.speed = v;
            of.mover = dimension == 2 ? movers2[0].shapes : movers3[0].shapes;
            double const edge = 0.4 + phase * 0.2 * step * v, meets = (edge - a) / v;
            std::vector<Tile> const tiles{{-1, edge}, {edge, 2, height, height + 0.2}};
            Motion const motion = motion_over(of, floor_of(of, tiles), tiles.size(), meets + after);
            double const turns = dimension == 2 ? -motion.v[2] : motion.v[4];
            EXPECT_NEAR(turns, (v * b - 9.81 * a * after) / inertia, 0.15)
                << dimension << "D, stepper " << static_cast<int>(kind) << ", " << step << " s, " << height
                << " m, " << phase;
          }
        }
      }
    }
  }
}

// A point in a corner between floor and wall touches both.
TEST(Seams, APointInACornerKeepsBothContacts) {
  for (StepperKind const kind : kinds) {
    Case of;
    of.kind = kind;
    std::string const scene =
        "<scene name='seams'><gravity acceleration='3 -9.81'/><body name='floor' type='fixed'>"
        "<box name='f' half_size='2 0.1' position='0 -0.1'/><box name='w' half_size='0.1 1' position='1.1 "
        "1'/></body>"
        "<body name='mover' type='point' mass='1'><initial position='0.9 0'/></body>"
        "<contact name='f' point='mover' with='floor.f'/><contact name='w' point='mover' "
        "with='floor.w'/></scene>";
    Motion const motion = run(scene, of, 1);
    EXPECT_NEAR(motion.q[0], 1, 1e-5) << static_cast<int>(kind);
    EXPECT_NEAR(motion.q[1], 0, 1e-5) << static_cast<int>(kind);
  }
}

TEST(Seams, AGapBetweenBoxesIsFeltByASphereAndNotByABox) {
  for (StepperKind const kind : kinds) {
    Case of;
    of.kind = kind;
    of.mu = 0;
    of.speed = 0.5;
    std::vector<Tile> const tiles{{-1, 0.3}, {0.4, 1}, {1, 3}};
    of.mover = movers2[2].shapes;
    // Between the edges the centre can fall to sqrt(r^2 - 0.05^2).
    EXPECT_LT(motion_over(of, floor_of(of, tiles), tiles.size(), 2).lowest, 0.095);
    of.mover = movers2[0].shapes;
    EXPECT_LT(deviation(of, tiles, 2), 1e-6) << static_cast<int>(kind);
  }
}

// What slides over gaps in the floor: `parts` boxes in a row, flush or with gaps between them.
struct Slider {
  int dimension = 2, parts = 1;
  double half = 0.2, above = 0.02, between = 0;  // m: half its length, half its height, from box to box
  std::vector<Tile> under() const {
    std::vector<Tile> out;
    for (int i = 0; i < parts; ++i) {
      double const left = -half + 2 * half * i / parts, right = -half + 2 * half * (i + 1) / parts;
      out.push_back({left + (i > 0 ? between / 2 : 0), right - (i + 1 < parts ? between / 2 : 0)});
    }
    return out;
  }
  std::string shapes() const {
    std::string out;
    for (Tile const& part : under())
      out += text("<box name='p", out.size(), "' half_size='", (part.right - part.left) / 2, " ",
                  dimension == 3 ? text(0.75 * half, " ") : "", above, "' position='",
                  (part.left + part.right) / 2, dimension == 3 ? " 0 0'/>" : " 0'/>");
    return out;
  }
  // Whether it stands everywhere from 0 to `end`. Friction moves the centre of pressure forward by mu times the height
  // of the centre of mass.
  bool stands(std::vector<Tile> const& tiles, double mu, double end) const {
    double const margin = 0.01 * half, shift = mu * above;
    for (int i = 0; i <= 2000; ++i) {
      double const x = end * i / 2000;
      double first = 1e9, last = -1e9;
      for (Tile const& part : under()) {
        for (Tile const& tile : tiles) {
          double const left = std::max(part.left + x, tile.left),
                       right = std::min(part.right + x, tile.right);
          if (!(left < right)) continue;
          first = std::min(first, left);
          last = std::max(last, right);
        }
      }
      if (!(first + margin < x && x + shift < last - margin)) return false;
    }
    return true;
  }
};

// Among these are gaps whose far corner is met exactly at the end of a step: without friction it moves 30 mm in 0.01 s.
TEST(Seams, BoxesSlideOverGapsAsTheClosedFormSays) {
  double const end = 0.3;  // s, before friction of 1 stops it
  for (int const dimension : {2, 3}) {
    for (Slider const& slider : {Slider{dimension}, Slider{dimension, 1, 0.4}, Slider{dimension, 4, 0.4},
                                 Slider{dimension, 3, 0.4, 0.02, 0.06}}) {
      for (double const mu : {0.0, 0.3, 1.0}) {
        for (double const width : {1e-4, 1e-3, 0.03, 0.1, 0.95 * (slider.half - 0.02)}) {
          for (double const pedestal : {0.06, 0.3}) {
            std::vector<Tile> tiles{{-1, slider.half + 0.09}};
            while (tiles.back().right < 1 + slider.half)
              tiles.push_back({tiles.back().right + width, tiles.back().right + width + pedestal});
            double const way = 3 * end - mu * 9.81 * end * end / 2;
            if (!slider.stands(tiles, mu, way)) continue;
            for (double const step : {1e-2, 1e-3}) {
              if (step < 1e-2 && tiles.size() > 12) continue;  // for time
              Case of;
              of.dimension = dimension;
              of.kind = StepperKind::nonsmooth;
              of.step = step;
              of.mu = mu;
              of.mover = slider.shapes();
              of.above = slider.above;
              std::vector<double> const q = motion_over(of, floor_of(of, tiles), tiles.size(), end).q;
              std::string const which =
                  text(dimension, "D, ", slider.parts, " boxes, half ", slider.half, ", mu ", mu, ", gaps ",
                       width, ", pedestals ", pedestal, ", step ", step);
              EXPECT_NEAR(q[0], way, 1e-6) << which;
              EXPECT_NEAR(q[static_cast<std::size_t>(dimension - 1)], slider.above, 1e-6) << which;
            }
          }
        }
      }
    }
  }
}

TEST(Seams, RandomGapsAreNotFeltByBoxes) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 120; ++seed) {
    std::mt19937 engine(seed);
    auto const uniform = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(engine);
    };
    auto const one_of = [&](unsigned count) { return static_cast<int>(engine() % count); };
    double const size = one_of(2) == 0 ? 1 : std::exp(uniform(std::log(0.05), std::log(5)));
    Slider slider{2 + one_of(2), 1 + one_of(4), 0.4 * size, 0.02 * size};
    if (one_of(2) == 0) slider.between = 0.1 * slider.half;
    Case of;
    of.dimension = slider.dimension;
    of.kind = kinds[seed % 4 < 2 ? 2 : seed % 4 - 2];
    of.step = one_of(2) == 0 ? 1e-2 : 1e-3;
    of.mu = one_of(3) == 0 ? 0 : uniform(0, 1);
    of.one_body = one_of(2) == 0;
    of.mover = slider.shapes();
    of.above = slider.above;
    of.speed = size * uniform(0.5, 4);
    // In half of the scenes edges are multiples of the way of a step apart, so that corners meet exactly.
    double const unit = one_of(2) == 0 ? of.speed * of.step : 0;
    auto const rounded = [&](double length) {
      return unit > 0 ? unit * std::max(1.0, std::round(length / unit)) : length;
    };
    double const width = std::exp(uniform(std::log(1e-4), std::log(slider.half))),
                 pedestal = std::exp(uniform(std::log(0.05 * size), std::log(size)));
    bool const equal = one_of(2) == 0;
    std::vector<Tile> tiles{{-2 * size, slider.half + rounded(0.1 * size), 0, 0.2 * size, 2 * size}};
    while (tiles.back().right < 2.5 * size) {
      double const left = tiles.back().right + rounded(equal ? width : width * uniform(0.2, 1));
      tiles.push_back(
          {left, left + rounded(equal ? pedestal : pedestal * uniform(0.5, 2)), 0, 0.2 * size, 2 * size});
    }
    double const end = 0.5, moving = of.mu > 0 ? std::min(end, of.speed / (of.mu * 9.81)) : end,
                 way = of.speed * moving - of.mu * 9.81 * moving * moving / 2;
    if (!slider.stands(tiles, of.mu, way)) continue;
    ++compared;
    EXPECT_LT(deviation(of, tiles, end), 1e-6 * std::max(1.0, size))
        << "seed " << seed << ", " << of.dimension << "D, size " << size << ", " << slider.parts
        << " boxes, stepper " << static_cast<int>(of.kind) << ", step " << of.step << ", mu " << of.mu
        << ", speed " << of.speed << ", gaps " << width << ", pedestals " << pedestal;
  }
  std::cout << "seeds 1 to 120, of which " << compared << " stand everywhere\n";
  EXPECT_GT(compared, 60);
}

// The same instant of a fall: the lower edge of a box that falls flush along a wall passes the upper edge of the wall.
TEST(Seams, ABoxThatFallsFlushAlongAWallIsNotCaughtAtItsTop) {
  for (int const dimension : {2, 3}) {
    for (StepperKind const kind : kinds) {
      for (double const step : {1e-2, 1e-3}) {
        Case of;
        of.dimension = dimension;
        of.kind = kind;
        of.step = step;
        of.mu = 0.5;
        of.speed = 0;
        of.above = 0.3;
        of.mover = dimension == 2 ? "<box half_size='0.2 0.1'/>" : "<box half_size='0.2 0.15 0.1'/>";
        // Its lower edge is level with the top at the start.
        std::vector<Tile> const wall{{0.2, 1, 0.2, 2}};
        Motion const motion = motion_over(of, floor_of(of, wall), wall.size(), 0.3);
        Motion const free = motion_over(of, floor_of(of, {{5, 6}}), 1, 0.3);
        EXPECT_LT(difference(motion.q, free.q), 1e-9) << dimension << "D, stepper " << static_cast<int>(kind);
      }
    }
  }
}

// A body of several flush boxes over pedestals is as one of a single box.
TEST(Seams, InsideAMovingBodyAreNotFelt) {
  std::string parts;
  for (int i = 0; i < 4; ++i)
    parts += text("<box name='p", i, "' half_size='0.1 0.1' position='", 0.2 * i - 0.3, " 0'/>");
  std::vector<Tile> const tiles{{-1, 0.3}, {0.45, 0.9}, {1.05, 1.3}, {1.45, 3}};
  for (StepperKind const kind : kinds) {
    for (double const mu : {0.0, 0.3}) {
      Case of;
      of.kind = kind;
      of.mu = mu;
      of.mover = "<box half_size='0.4 0.1'/>";
      Motion const whole = motion_over(of, floor_of(of, tiles), tiles.size(), 0.5);
      of.mover = parts;
      Motion const made = motion_over(of, floor_of(of, tiles), tiles.size(), 0.5);
      EXPECT_LT(difference(whole.q, made.q), 1e-6) << static_cast<int>(kind) << " mu " << mu;
      EXPECT_GT(whole.q[0], 1);
    }
  }
}

// A box that lands on the seams with speed and sinks in, as the relaxed law lets it.
TEST(Seams, AreNotFeltInALanding) {
  for (StepperKind const kind : kinds) {
    for (double const above : {0.1001, 0.12}) {
      Case of;
      of.kind = kind;
      of.mover = movers2[0].shapes;
      of.above = above;
      EXPECT_LT(deviation(of, even_tiles(0.1)), 1e-5) << static_cast<int>(kind) << " from " << above;
    }
  }
}

// A box that turns about the vertical while it slides over a grid of tiles, or on the spot, with and without friction:
// the pressure that turns it back is shared by its corners, and not by the places where its edges cross seams.
TEST(Seams, AGridOfTilesIsOnePlaneForATurningBox) {
  std::string grid;
  for (int i = -3; i < 12; ++i)
    for (int j = -5; j < 5; ++j)
      grid += text("<body name='tile", i + 3, "_", j + 5,
                   "' type='fixed'><box half_size='0.1 0.1 0.1' position='", 0.2 * i + 0.1, " ",
                   0.2 * j + 0.1, " -0.1'/></body>");
  struct Turn {
    char const* shape;
    double speed;
  };
  constexpr char const *box = "<box half_size='0.2 0.15 0.1'/>",
                       *capsule = "<capsule radius='0.1' half_length='0.2'/>";
  for (StepperKind const kind : kinds) {
    for (double const mu : {0.0, 0.3}) {
      for (Turn const& turn : {Turn{box, 0}, Turn{box, 2}, Turn{capsule, 0}}) {
        Case of;
        of.kind = kind;
        auto const scene = [&](std::string const& floor, std::string const& names) {
          return text(
              "<scene name='seams' dimension='3'><gravity acceleration='0 0 -9.81'/>", floor,
              "<body name='mover' type='rigid' density='500'>", turn.shape,
              "<initial position='0 0 0.1' velocity='", turn.speed, " ", 0.15 * turn.speed,
              " 0' rotation='0 0 0.3' angular_velocity='0 0 4'/></body><contacts name='all' between='mover ",
              names, "' mu='", mu, "'/></scene>");
        };
        Motion const one = run(scene(grid, "tile*"), of, 0.5), other = run(scene("", "ground"), of, 0.5);
        EXPECT_LT(difference(one.q, other.q), 1e-6)
            << static_cast<int>(kind) << " " << mu << " " << turn.shape << " " << turn.speed << " "
            << one.q[0] << " " << other.q[0];
      }
    }
  }
}

// Two boxes meet at an edge, from which both slope away: a contact there is no point of a common plane, however flat the ridge.
TEST(Seams, ARidgeSupportsWhatLiesOnIt) {
  for (StepperKind const kind : kinds) {
    for (double const slope : {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 9e-4, 1e-2, 0.1}) {
      for (char const* const shape : {"<box half_size='0.2 0.1'/>", "<box half_size='3 0.1'/>",
                                      "<capsule radius='0.1' half_length='3'/>"}) {
        double const c = std::cos(slope), s = std::sin(slope);
        std::string const floor =
            text("<body name='left' type='fixed'><box half_size='4 0.1'/><initial position='",
                 -4 * c + 0.1 * s, " ", -4 * s - 0.1 * c, "' angle='", slope,
                 "'/></body><body name='right' type='fixed'><box half_size='4 0.1'/><initial position='",
                 4 * c - 0.1 * s, " ", -4 * s - 0.1 * c, "' angle='", -slope, "'/></body>");
        Case of;
        of.kind = kind;
        Motion const motion = run(text("<scene name='ridge' dimension='2'><gravity acceleration='0 -9.81'/>",
                                       floor, "<body name='mover' type='planar' density='500'>", shape,
                                       "<initial position='0 0.1'/></body><contacts name='all' "
                                       "between='mover left right'/></scene>"),
                                  of, 0.2);
        EXPECT_GT(motion.lowest, 0.1 - 1e-6 - (slope <= 1e-6 ? 3 * slope : 0))
            << static_cast<int>(kind) << " " << slope << " " << shape;
      }
    }
  }
}

// The rigid tile carries a plate whose weight is over it; the soft one beside it does not. Of a pair that two <contacts> hold,
// that with fewer shapes has the law.
TEST(Seams, ARigidTileCarriesBesideASoftOne) {
  std::string const soft = " law='kelvin_voigt' stiffness='2000' damping='200' mu='0.5'/>";
  std::string const laws[] = {
      "<contacts name='on_hard' between='plate hard' mu='0.5'/><contacts name='on_foam' between='plate "
      "foam'" +
          soft,
      "<contacts name='all' between='plate hard foam' mu='0.5'/><contacts name='on_foam' between='plate "
      "foam'" +
          soft};
  for (StepperKind const kind : {StepperKind::relaxed, StepperKind::implicit, StepperKind::nonsmooth,
                                 StepperKind::nonsmooth_adaptive}) {
    for (char const* const shape :
         {"<box half_size='0.5 0.2 0.05'/>", "<capsule radius='0.05' half_length='0.5'/>"}) {
      for (std::string const& law : laws) {
        Case of;
        of.kind = kind;
        of.dimension = 3;
        Motion const motion = run(text("<scene name='soft' dimension='3'><gravity acceleration='0 0 "
                                       "-9.81'/><body name='hard' type='fixed'><box "
                                       "half_size='1 1 0.1'/><initial position='-1 0 -0.1'/></body><body "
                                       "name='foam' type='fixed'><box "
                                       "half_size='1 1 0.1'/><initial position='1 0 -0.1'/></body><body "
                                       "name='plate' type='rigid' mass='10'>",
                                       shape, "<initial position='-0.1 0 0.05'/></body>", law, "</scene>"),
                                  of, 0.5);
        EXPECT_NEAR(motion.q[2], 0.05, 1e-6) << static_cast<int>(kind) << " " << shape << " " << law;
        EXPECT_NEAR(motion.q[5], 0, 1e-6) << static_cast<int>(kind) << " " << shape << " " << law;
      }
    }
  }
}

}  // namespace
}  // namespace delassus
