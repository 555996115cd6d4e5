// Contacts of the shapes of a scene that lie flush beside each other: the normals are those of the common
// surface.
#include "model/geometry/exposed_contacts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "tests/support/allocation_counter.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

// A scene at an instant, with a mover whose first coordinates are its position.
class AtInstant {
 public:
  explicit AtInstant(std::string const& text)
      : scene_(compile_scene(read_scene_source("<scene name='floor' " + text + "</scene>", "floor"))),
        system_(scene_),
        terms_(system_.make_terms()),
        parameters(scene_.default_parameters()),
        q(static_cast<std::size_t>(scene_.configuration_size)),
        v(static_cast<std::size_t>(scene_.velocity_size)),
        inputs_(scene_.default_inputs()) {
    system_.initial_state(parameters, inputs_, q, v);
  }
  std::vector<ActivePoint> const& contacts() {
    Instant const at{0, q, v, inputs_, parameters};
    system_.evaluate(at, terms_);
    return SceneWorkspace::of(terms_).active;
  }
  int parameter_named(std::string const& name) const {
    for (std::size_t i = 0; i < scene_.parameters.size(); ++i)
      if (scene_.parameters[i].name == name) return scene_.parameters[i].first;
    ADD_FAILURE() << "no parameter " << name;
    return 0;
  }
  SceneSystem const& system() const { return system_; }
  Scene const& scene() const { return scene_; }
  std::span<const double> inputs() const { return inputs_; }

 private:
  Scene scene_;
  SceneSystem system_;
  Terms terms_;

 public:
  std::vector<double> parameters, q, v;

 private:
  std::vector<double> inputs_;
};

std::string number(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

// Tiles of different lengths and heights with a common top at 0, from -2 to 2.
std::string tiles(std::mt19937& engine, int dimension) {
  std::uniform_real_distribution<double> size(0.05, 0.6);
  std::string out = "<body name='floor' type='fixed'>";
  int count = 0;
  for (double left = -2; left < 2; ++count) {
    double const length = size(engine), height = size(engine), right = left + length;
    out += "<box name='t" + std::to_string(count) + "' half_size='" + number(length / 2) +
           (dimension == 3 ? " 2 " : " ") + number(height / 2) + "' position='" + number(left + length / 2) +
           (dimension == 3 ? " 0 " : " ") + number(-height / 2) + "'/>";
    left = right;
  }
  return out + "</body>";
}

struct Mover {
  char const* shape2;
  char const* shape3;
  double height;
};
constexpr Mover movers[] = {
    {"<box half_size='0.2 0.1'/>", "<box half_size='0.2 0.15 0.1'/>", 0.1},
    {"<sphere radius='0.1'/>", "<sphere radius='0.1'/>", 0.1},
    {"<capsule radius='0.1' half_length='0.2'/>", "<capsule radius='0.1' half_length='0.2'/>", 0.1}};

// Whatever the position, the depth and the speed: the normals are vertical, and the deepest gap is that of a
// plane.
TEST(ExposedContacts, OnAFloorOfBoxesHaveTheNormalOfTheFloor) {
  unsigned const seed = 3;
  std::cout << "seed " << seed << "\n";
  std::mt19937 engine(seed);
  auto const uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  long const many = 2000;
  for (int const dimension : {2, 3}) {
    for (Mover const& mover : movers) {
      std::string const gravity = dimension == 2 ? "0 -9.81" : "0 0 -9.81";
      AtInstant at("dimension='" + std::to_string(dimension) + "'><gravity acceleration='" + gravity + "'/>" +
                   tiles(engine, dimension) + "<body name='mover' type='" +
                   (dimension == 2 ? "planar" : "rigid") + "' density='500'>" +
                   (dimension == 2 ? mover.shape2 : mover.shape3) + "<initial position='" +
                   (dimension == 2 ? "0 1" : "0 0 1") +
                   "'/></body><contacts name='all' between='mover floor' mu='0.2'/>");
      auto const up = static_cast<std::size_t>(dimension - 1);
      for (long i = 0; i < many; ++i) {
        at.q[0] = uniform(-1.5, 1.5);
        double const depth = (i % 2 == 0 ? 1 : -10) * std::pow(10, uniform(-14, -2.5));
        at.q[up] = mover.height - depth;
        at.v[0] = uniform(-10, 10);
        at.v[up] = uniform(-1, 1);
        if (dimension == 3 && i % 3 == 0) {  // also turned about the vertical
          double const angle = uniform(-3, 3);
          at.q[3] = std::cos(angle / 2);
          at.q[6] = std::sin(angle / 2);
        }
        double least = 1e9;
        for (ActivePoint const& contact : at.contacts()) {
          ASSERT_NEAR(contact.n[dimension - 1], 1, 1e-12)
              << dimension << "D, number " << i << ", depth " << depth << ", x " << at.q[0];
          least = std::min(least, contact.gap);
        }
        if (depth < 0 && least == 1e9) continue;  // too far above the floor
        ASSERT_NEAR(least, -depth, 1e-13) << dimension << "D, number " << i;
      }
    }
  }
}

constexpr char const* two_tiles =
    "dimension='2'><gravity acceleration='0 -9.81'/>"
    "<body name='first' type='fixed'><box half_size='0.5 0.1' position='-0.5 -0.1'/></body>"
    "<body name='second' type='fixed'><box half_size='0.5 0.1' position='0.5 -0.1'/></body>"
    "<body name='mover' type='planar' density='500'><box half_size='0.2 0.1'/><initial position='-0.2001 "
    "0.1' "
    "velocity='3 0'/></body>";

bool pushes_back(std::vector<ActivePoint> const& contacts) {
  return std::any_of(contacts.begin(), contacts.end(),
                     [](ActivePoint const& contact) { return contact.n[0] < -0.5; });
}

TEST(ExposedContacts, FollowTheParameters) {
  AtInstant at(std::string(two_tiles) + "<contacts name='all' between='mover first second'/>");
  at.q[1] -= 1e-5;
  EXPECT_FALSE(pushes_back(at.contacts()));
  auto const lift = static_cast<std::size_t>(at.parameter_named("second.box.position")) + 1;
  at.parameters[lift] += 1e-3;  // now it is a step
  EXPECT_TRUE(pushes_back(at.contacts()));
  at.parameters[lift] -= 1e-3;
  EXPECT_FALSE(pushes_back(at.contacts()));
  auto const shift = lift - 1;
  at.parameters[shift] += 1e-3;  // now there is a gap, and what has sunk in is in the way
  at.q[0] += 1e-3;
  EXPECT_TRUE(pushes_back(at.contacts()));
}

// What the mover cannot touch covers nothing.
TEST(ExposedContacts, AreAllThatThereAreIfTheNeighbourCannotBeTouched) {
  AtInstant alone(std::string(two_tiles) + "<contact name='c' point='mover' with='second'/>");
  alone.q[1] -= 1e-5;
  EXPECT_TRUE(pushes_back(alone.contacts()));
  // Floors of two materials: two groups, or a group and a pair.
  for (char const* const laws : {"<contacts name='a' between='mover first' mu='0.2'/><contacts name='b' "
                                 "between='mover second'/>",
                                 "<contacts name='a' between='mover first' mu='0.2'/><contact name='b' "
                                 "point='mover' with='second'/>",
                                 "<contact name='a' point='mover' with='first' mu='0.2'/><contacts name='b' "
                                 "between='mover second'/>"}) {
    AtInstant both(std::string(two_tiles) + laws);
    both.q[1] -= 1e-5;
    EXPECT_FALSE(pushes_back(both.contacts())) << laws;
    EXPECT_FALSE(both.contacts().empty());
  }
}

TEST(ExposedContacts, AreTheSameWithDerivatives) {
  AtInstant at(std::string(two_tiles) + "<contacts name='all' between='mover first second' mu='0.3'/>");
  TermsOf<Dual> dual_terms = at.system().make_dual_terms();
  std::vector<Dual> parameters(at.parameters.begin(), at.parameters.end()),
      inputs(at.inputs().begin(), at.inputs().end());
  for (double x = -0.21; x < 0.21; x += 0.0037) {
    for (double const depth : {1e-5, 0.0, -1e-5}) {
      at.q = {x, 0.1 - depth, 0};
      std::vector<ActivePoint> const& values = at.contacts();
      std::vector<Dual> q(at.q.begin(), at.q.end()), v(at.v.begin(), at.v.end());
      q[1].derivative = 1;
      InstantOf<Dual> const instant{0, q, v, inputs, parameters};
      at.system().evaluate(instant, dual_terms);
      auto const& duals = SceneWorkspaceOf<Dual>::of(dual_terms).active;
      ASSERT_EQ(values.size(), duals.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(values[i].feature, duals[i].feature);
        EXPECT_EQ(values[i].gap, duals[i].gap.value);
        EXPECT_NEAR(duals[i].gap.derivative, 1, 1e-12);  // a vertical motion opens every gap
      }
    }
  }
}

TEST(ExposedContacts, AllocateNothingOnceTheyAreKnown) {
  AtInstant at(std::string(two_tiles) + "<contacts name='all' between='mover first second' mu='0.3'/>");
  for (double x = -0.3; x < 0.3; x += 0.01) {
    at.q[0] = x;
    at.contacts();
  }
  long const before = test::allocation_count;
  for (double x = -0.3; x < 0.3; x += 0.01) {
    at.q[0] = x;
    at.contacts();
  }
  EXPECT_EQ(test::allocation_count, before);
}

}  // namespace
}  // namespace delassus
