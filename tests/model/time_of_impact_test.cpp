#include "model/geometry/time_of_impact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "model/geometry/swept_bounds.hpp"
#include "tests/support/allocation_counter.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// Everything down to `Shot` is independent of the code under test: motion by Rodrigues' formula, distances by
// a search over supporting points that proves its result.
MovingShape after(MovingShape const& from, double time) {
  MovingShape to = from;
  double const speed = from.twist.omega.norm();
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  if (speed > 0) turn = Eigen::AngleAxisd(speed * time, from.twist.omega / speed).toRotationMatrix();
  to.twist.origin += time * from.twist.velocity;
  to.pose.position = to.twist.origin + turn * (from.pose.position - from.twist.origin);
  to.pose.R = turn * from.pose.R;
  return to;
}

std::vector<Vector3d> vertices_of(MovingShape const& moving, int dimension) {
  Vector3d half = Vector3d::Zero();
  if (moving.shape.kind == ShapeKind::capsule) half[0] = moving.shape.half[0];
  if (moving.shape.kind == ShapeKind::box) half = moving.shape.half;
  if (dimension == 2) half[2] = 0;
  std::vector<Vector3d> vertices;
  for (int corner = 0; corner < 8; ++corner) {
    Vector3d local = half;
    for (int axis = 0; axis < 3; ++axis)
      if ((corner >> axis & 1) != 0) local[axis] = -local[axis];
    vertices.push_back(moving.pose.position + moving.pose.R * local);
  }
  return vertices;
}

double radius_of(MovingShape const& moving) {
  bool const round = moving.shape.kind == ShapeKind::sphere || moving.shape.kind == ShapeKind::capsule;
  return round ? moving.shape.radius : 0;
}

double depth_below(std::vector<Vector3d> const& vertices, Vector3d const& n) {
  double least = std::numeric_limits<double>::infinity();
  for (Vector3d const& vertex : vertices) least = std::min(least, n.dot(vertex));
  return least;
}

// The distance between two projections on n.
double separation_of(std::vector<Vector3d> const& a, std::vector<Vector3d> const& b, Vector3d const& n) {
  return depth_below(b, n) + depth_below(a, -n);
}

// The point nearest to the origin among all combinations of up to four points with positive weights.
Vector3d nearest_to_origin(std::vector<Vector3d>& simplex) {
  Vector3d best;
  std::vector<Vector3d> best_simplex;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned subset = 1; subset < 1U << simplex.size(); ++subset) {
    std::vector<Vector3d> points;
    for (std::size_t i = 0; i < simplex.size(); ++i)
      if ((subset >> i & 1U) != 0) points.push_back(simplex[i]);
    auto const count = static_cast<Eigen::Index>(points.size());
    Vector3d candidate = points[0];
    if (count > 1) {
      Eigen::MatrixXd edges(3, count - 1);
      for (Eigen::Index i = 1; i < count; ++i)
        edges.col(i - 1) = points[static_cast<std::size_t>(i)] - points[0];
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> const decomposition(edges);
      if (decomposition.rank() < count - 1) continue;
      Eigen::VectorXd const weights = decomposition.solve(-points[0]);
      if (weights.minCoeff() < 0 || weights.sum() > 1) continue;
      candidate += edges * weights;
    }
    if (!(candidate.norm() < least)) continue;
    least = candidate.norm();
    best = candidate;
    best_simplex = points;
  }
  simplex = best_simplex;
  return best;
}

// The gap of two shapes, with a proof: |b - a| of two of their points is an upper bound, the separation along
// any direction a lower one. `uncertainty` is the difference of the two. Overlapping cores have distance 0.
struct ProvenGap {
  double gap, uncertainty;
};
ProvenGap proven_gap(MovingShape const& a, MovingShape const& b, int dimension) {
  if (b.shape.kind == ShapeKind::plane) return proven_gap(b, a, dimension);
  std::vector<Vector3d> const of_a = vertices_of(a, dimension), of_b = vertices_of(b, dimension);
  double const radii = radius_of(a) + radius_of(b);
  if (a.shape.kind == ShapeKind::plane) {
    Vector3d const n = a.pose.R.col(0);
    return {depth_below(of_b, n) - n.dot(a.pose.position) - radii, 0};
  }
  auto const support = [](std::vector<Vector3d> const& of, Vector3d const& n) {
    return *std::max_element(of.begin(), of.end(),
                             [&n](Vector3d const& x, Vector3d const& y) { return n.dot(x) < n.dot(y); });
  };
  std::vector<Vector3d> simplex{of_b[0] - of_a[0]};
  Vector3d nearest = simplex[0];
  double low = 0;
  for (int i = 0; i < 60 && nearest.norm() > 1e-13; ++i) {
    Vector3d const n = nearest.normalized();
    low = std::max(low, separation_of(of_a, of_b, n));
    if (nearest.norm() - low < 1e-12) break;
    simplex.push_back(support(of_b, -n) - support(of_a, n));
    nearest = nearest_to_origin(simplex);
    if (simplex.size() == 4) return {-radii, 0};  // the origin lies inside
  }
  return {nearest.norm() - radii, nearest.norm() - low};
}

MovingShape at_rest(ShapeKind kind, double radius, Vector3d const& half, Vector3d const& at) {
  return {{kind, radius, half}, {at, Eigen::Matrix3d::Identity()}, {at, Vector3d::Zero(), Vector3d::Zero()}};
}
MovingShape sphere(double radius, Vector3d const& at) {
  return at_rest(ShapeKind::sphere, radius, Vector3d::Zero(), at);
}
MovingShape box(Vector3d const& half, Vector3d const& at) {
  return at_rest(ShapeKind::box, 0, half, at);
}
MovingShape capsule(double radius, double half, Vector3d const& at) {
  return at_rest(ShapeKind::capsule, radius, {half, 0, 0}, at);
}
// The half-space x < 0.
MovingShape wall() {
  return at_rest(ShapeKind::plane, 0, Vector3d::Zero(), Vector3d::Zero());
}

constexpr ShapeKind all_kinds[] = {ShapeKind::point, ShapeKind::plane, ShapeKind::sphere, ShapeKind::capsule,
                                   ShapeKind::box};

TEST(TimeOfImpact, SpheresMeetWhenTheirCentresAreTheRadiiApart) {
  double const tolerance = 1e-6;
  for (double const speed : {0.1, 1.0, 1000.0}) {
    for (double const spin : {0.0, 1000.0}) {
      MovingShape a = sphere(0.3, {-2, 0.1, 0}), b = sphere(0.2, {1, 0, 0});
      a.twist.velocity = {speed, 0, 0};
      a.twist.omega = {spin, spin, -spin};
      b.twist.omega = {0, 0, spin};
      auto const impact = time_of_impact(a, b, 3, 10 / speed, tolerance);
      ASSERT_TRUE(impact && impact->located);
      double const distance = 0.5 + tolerance;
      double const expected = (3 - std::sqrt(distance * distance - 0.01)) / speed;
      EXPECT_GE(impact->time, expected - 1e-12);
      EXPECT_LE(impact->time, expected + tolerance / speed);
      EXPECT_FALSE(time_of_impact(a, b, 3, 2.5 / speed, tolerance));
      b.pose.position.y() = b.twist.origin.y() = 0.601 + tolerance;  // passes beside it
      EXPECT_FALSE(time_of_impact(a, b, 3, 10 / speed, tolerance));
    }
  }
}

TEST(TimeOfImpact, ASpinningBallReachesAWallNoEarlierThanOneThatDoesNotSpin) {
  MovingShape ball = sphere(0.01, {1, 3, 4});
  ball.twist = {{1, 3, 4}, {-50, 20, 0}, {300, -500, 1000}};
  EXPECT_NEAR(closing_bound(wall(), ball, Vector3d::UnitX(), 3, 1), 50, 1e-12);
  auto const impact = time_of_impact(wall(), ball, 3, 1, 1e-8);
  ASSERT_TRUE(impact && impact->located);
  EXPECT_NEAR(impact->time, 0.99 / 50, 1e-9);
  EXPECT_TRUE(impact->at.n.isApprox(Vector3d::UnitX()));
  ball.twist.velocity.x() = 0;
  EXPECT_FALSE(time_of_impact(wall(), ball, 3, 1, 1e-8));
}

// A ball away from the centre of mass of its body is carried round by the spin.
TEST(TimeOfImpact, AShapeTurnsAboutTheCentreOfMassOfItsBody) {
  MovingShape ball = sphere(0.1, {2, 1, 0});
  ball.twist = {{2, 0, 0}, {0, 0, 0}, {0, 0, 3}};  // x = 2 - sin 3t - 0.1 of the leftmost point
  MovingShape stop = wall();
  stop.pose.position.x() = stop.twist.origin.x() = 1.5;
  for (int const dimension : {2, 3}) {
    auto const impact = time_of_impact(stop, ball, dimension, 1, 1e-9);
    ASSERT_TRUE(impact && impact->located);
    EXPECT_NEAR(impact->time, std::asin(0.4) / 3, 1e-9);
  }
}

TEST(TimeOfImpact, ARodThatTurnsAboutItsEndHitsAWallWithTheOther) {
  for (double const spin : {0.01, 1.0, 1000.0}) {
    // The pivot is 0.8 m from the wall; the tip, at 1 m, points away from it and comes round.
    MovingShape rod = capsule(0, 0.5, {1.3, 0, 0});
    rod.twist = {{0.8, 0, 0}, Vector3d::Zero(), {0, 0, spin}};
    double const expected = (pi - std::acos(0.8)) / spin;
    for (int const dimension : {2, 3}) {
      auto const impact = time_of_impact(rod, wall(), dimension, 10 / spin, 1e-7);
      ASSERT_TRUE(impact && impact->located);
      EXPECT_NEAR(impact->time, expected, 2e-7 / spin);
    }
    // The same rod with a thickness, against a box instead of the plane.
    rod.shape.radius = 0.05;
    MovingShape const block = box({1, 5, 5}, {-1, 0, 0});
    auto const impact = time_of_impact(block, rod, 3, 10 / spin, 1e-7);
    ASSERT_TRUE(impact && impact->located);
    EXPECT_NEAR(impact->time, (pi - std::acos(0.75)) / spin, 2e-7 / spin);
  }
}

TEST(TimeOfImpact, AThinPlateStopsWhatIsFasterThanItsThicknessInAStep) {
  MovingShape const plate = box({5e-5, 0.5, 0.5}, {0, 0, 0});
  for (double const speed : {0.1, 50.0, 1000.0}) {
    for (auto bullet :
         {sphere(0.01, {-1, 0.2, 0.1}), at_rest(ShapeKind::point, 0, Vector3d::Zero(), {-1, 0.2, 0}),
          box({0.01, 0.02, 0.001}, {-1, 0, 0.3}), capsule(0.004, 0.006, {-1, 0.1, 0})}) {
      bullet.twist.velocity = {speed, 0, 0};
      double const front = bullet.shape.kind == ShapeKind::capsule ? 0.01
                           : bullet.shape.kind == ShapeKind::point ? 0
                                                                   : 0.01;
      auto const impact = time_of_impact(bullet, plate, 3, 2 / speed, 1e-6);
      ASSERT_TRUE(impact && impact->located);
      EXPECT_NEAR(impact->time, (1 - 5e-5 - front) / speed, 1.01e-6 / speed);
      EXPECT_TRUE(impact->at.n.isApprox(Vector3d::UnitX(), 1e-9));
    }
  }
}

// A door: the plane turns about a hinge and meets a ball at rest.
TEST(TimeOfImpact, APlaneThatTurnsHitsWhatIsAtRest) {
  MovingShape door = wall();
  door.twist = {{0, 0, 0}, Vector3d::Zero(), {0, 0, -2}};  // n = (cos 2t, -sin 2t)
  MovingShape const ball = sphere(0.1, {1, 2, 0});
  // cos 2t - 2 sin 2t = 0.1
  double const expected = (std::acos(0.1 / std::sqrt(5)) - std::atan(2)) / 2;
  for (int const dimension : {2, 3}) {
    auto const impact = time_of_impact(door, ball, dimension, 3, 1e-8);
    ASSERT_TRUE(impact && impact->located);
    EXPECT_NEAR(impact->time, expected, 1e-8);
  }
}

TEST(TimeOfImpact, WhatRestsSlidesRollsOrLeavesHasNoImpact) {
  double const tolerance = 1e-6;
  for (double const gap : {-1e-4, -1e-8, 0.0, 5e-7}) {
    MovingShape ball = sphere(0.5, {0.5 + gap, 0, 0});
    ball.twist.velocity = {0, 3, 0};
    ball.twist.omega = {0, 0, -6};
    EXPECT_FALSE(time_of_impact(wall(), ball, 3, 1, tolerance));
    ball.twist.velocity.x() = 1e-3;
    EXPECT_FALSE(time_of_impact(wall(), ball, 3, 1, tolerance));
    ball.twist.velocity.x() = -1e-3;
    auto const impact = time_of_impact(wall(), ball, 3, 1, tolerance);
    ASSERT_TRUE(impact);
    EXPECT_EQ(impact->time, 0);

    MovingShape top = box({0.1, 0.3, 0.2}, {0.1 + gap, 0, 0});
    top.twist.velocity = {0, 1, 2};
    top.twist.omega = {1000, 0, 0};  // spins on its face
    EXPECT_FALSE(time_of_impact(wall(), top, 3, 0.1, tolerance));
    MovingShape const floor = box({1, 5, 5}, {-1, 0, 0});
    EXPECT_FALSE(time_of_impact(floor, top, 3, 0.1, tolerance));
  }
}

// A box that rolls over a ball: the normal turns, the gap does not change. The box spins about the centre of
// the ball, on which its face lies.
TEST(TimeOfImpact, ASustainedContactWithATurningNormalHasNoImpact) {
  MovingShape const ball = sphere(0.5, {0, 0, 0});
  MovingShape board = box({1, 0.1, 0.3}, {0.2, 0.6, 0});
  board.twist = {{0, 0, 0}, Vector3d::Zero(), {0, 0, 20}};
  for (int const dimension : {2, 3}) {
    EXPECT_FALSE(time_of_impact(ball, board, dimension, 1, 1e-7));
    EXPECT_FALSE(time_of_impact(board, ball, dimension, 1, 1e-7));
  }
}

TEST(TimeOfImpact, WhatLeavesMayComeBack) {
  // A rod that turns about its middle: one tip leaves the wall, the other comes half a turn later.
  MovingShape rod = capsule(0.1, 1, {1.1, 0, 0});
  rod.twist.omega = {0, 0, -10};
  rod.pose.R = Eigen::AngleAxisd(-1e-6, Vector3d::UnitZ()).toRotationMatrix();
  auto const impact = time_of_impact(wall(), rod, 3, 1, 1e-6);
  ASSERT_TRUE(impact && impact->located);
  // 1 - cos(pi - angle) = 1e-6
  EXPECT_NEAR(impact->time, (pi - std::acos(1 - 1e-6)) / 10, 1e-5);
}

TEST(TimeOfImpact, WhatIsNotFiniteOrNotSupportedHasNoImpact) {
  MovingShape ball = sphere(0.5, {2, 0, 0});
  ball.twist.velocity = {-1, 0, 0};
  EXPECT_FALSE(time_of_impact(wall(), wall(), 3, 1, 1e-6));
  ball.pose.position.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(time_of_impact(wall(), ball, 3, 1, 1e-6));
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double logarithmic(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  Vector3d direction(int dimension) {
    for (;;) {
      Vector3d v(uniform(-1, 1), uniform(-1, 1), dimension == 3 ? uniform(-1, 1) : 0);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  Eigen::Matrix3d rotation(int dimension) {
    Vector3d const axis = dimension == 2 ? Vector3d(Vector3d::UnitZ()) : direction(3);
    // Aligned shapes, whose faces and edges are parallel, are as frequent as others.
    double const angle = index(3) == 0 ? pi / 2 * index(4) : uniform(-pi, pi);
    return Eigen::AngleAxisd(angle, index(4) == 0 && dimension == 3 ? Vector3d(Vector3d::UnitX()) : axis)
        .toRotationMatrix();
  }
  MovingShape shape(int dimension) {
    MovingShape moving;
    moving.shape.kind = all_kinds[index(5)];
    moving.shape.radius = logarithmic(1e-3, 0.3);
    for (int axis = 0; axis < 3; ++axis) moving.shape.half[axis] = logarithmic(0.01, 0.5);
    if (index(2) == 0) moving.shape.half[index(dimension)] = 5e-5;  // a plate of 0.1 mm
    if (moving.shape.kind == ShapeKind::capsule) moving.shape.half[0] = logarithmic(0.01, 0.5);
    moving.pose = {uniform(0, 1) * direction(dimension), rotation(dimension)};
    moving.twist.origin = moving.pose.position;
    if (index(2) == 0) moving.twist.origin += uniform(0, 0.5) * direction(dimension);
    if (index(3) > 0)
      moving.twist.omega =
          logarithmic(0.1, 1000) * (dimension == 2 ? Vector3d(Vector3d::UnitZ()) : direction(3));
    return moving;
  }

 private:
  std::mt19937 engine_;
};

double farthest(MovingShape const& moving, int dimension) {
  double reach = 0;
  for (Vector3d const& vertex : vertices_of(moving, dimension))
    reach = std::max(reach, (vertex - moving.twist.origin).norm());
  return reach;
}

struct Shot {
  MovingShape a, b;
  int dimension;
  double duration;
};

MovingShape shifted(MovingShape moving, Vector3d const& by) {
  moving.pose.position += by;
  moving.twist.origin += by;
  return moving;
}

// b is shot at a from a random direction, and from so far away that most of the shots hit.
Shot random_shot(Random& random) {
  for (;;) {
    Shot shot{{}, {}, 2 + random.index(2), random.logarithmic(1e-4, 0.1)};
    shot.a = random.shape(shot.dimension);
    shot.b = random.shape(shot.dimension);
    if (!can_collide(shot.a.shape.kind, shot.b.shape.kind)) continue;
    double const speed = random.logarithmic(0.1, 1000);
    Vector3d const beside = 0.05 * random.direction(shot.dimension);
    shot.b = shifted(shot.b, shot.a.pose.position - shot.b.pose.position + beside);
    Vector3d const way = shot.a.shape.kind == ShapeKind::plane   ? Vector3d(shot.a.pose.R.col(0))
                         : shot.b.shape.kind == ShapeKind::plane ? Vector3d(-shot.b.pose.R.col(0))
                                                                 : random.direction(shot.dimension);
    double const wanted = 1e-4 + random.uniform(0, 1) * speed * shot.duration;
    double low = 0, high = 10 + wanted;
    for (int i = 0; i < 60; ++i) {
      double const middle = 0.5 * (low + high);
      (proven_gap(shot.a, shifted(shot.b, middle * way), shot.dimension).gap < wanted ? low : high) = middle;
    }
    shot.b = shifted(shot.b, high * way);
    Vector3d const velocity =
        -speed * (way + std::min(0.3, 0.05 / wanted) * random.direction(shot.dimension));
    double const share = random.uniform(0, 1);
    shot.b.twist.velocity = share * velocity;
    shot.a.twist.velocity = (share - 1) * velocity;
    return shot;
  }
}

std::string text(Shot const& shot) {
  auto const line = [](char const* name, auto const& v) {
    std::string out = std::string(" ") + name + " ";
    for (Eigen::Index i = 0; i < v.size(); ++i) out += std::to_string(v(i)) + " ";
    return out;
  };
  std::string out = std::to_string(shot.dimension) + "D, " + std::to_string(shot.duration) + " s";
  for (MovingShape const& moving : {shot.a, shot.b}) {
    out += "; kind " + std::to_string(static_cast<int>(moving.shape.kind)) + line("half", moving.shape.half) +
           line("v", moving.twist.velocity) + line("omega", moving.twist.omega);
  }
  return out;
}

#ifdef DELASSUS_TEST_SCALE
constexpr int shots = 10000 / DELASSUS_TEST_SCALE;
#else
constexpr int shots = 10000;
#endif

TEST(NearestPoints, OfEveryPairAreAtTheProvenDistanceAndSeparateTheShapes) {
  unsigned const seed = 20170;
  std::cout << "seed " << seed << "\n";
  Random random(seed);
  for (int number = 0; number < shots; ++number) {
    Shot const shot = random_shot(random);
    SCOPED_TRACE("number " + std::to_string(number) + ": " + text(shot));
    ContactPoint const nearest =
        nearest_points(shot.a.shape, shot.a.pose, shot.b.shape, shot.b.pose, shot.dimension);
    ProvenGap const expected = proven_gap(shot.a, shot.b, shot.dimension);
    ASSERT_NEAR(nearest.gap, expected.gap, 1e-11 + expected.uncertainty);
    ASSERT_LT(expected.uncertainty, 1e-10);
    ASSERT_NEAR(nearest.n.norm(), 1, 1e-12);
    ContactPoint const back =
        nearest_points(shot.b.shape, shot.b.pose, shot.a.shape, shot.a.pose, shot.dimension);
    ASSERT_NEAR(back.gap, nearest.gap, 1e-14 * (1 + std::abs(nearest.gap)));
    if (shot.a.shape.kind == ShapeKind::plane || shot.b.shape.kind == ShapeKind::plane) continue;
    ASSERT_NEAR(
        separation_of(vertices_of(shot.a, shot.dimension), vertices_of(shot.b, shot.dimension), nearest.n) -
            radius_of(shot.a) - radius_of(shot.b),
        nearest.gap, 1e-9);
  }
}

// Samples are taken so densely that nothing can pass between them: the distance divided by a speed that no
// point exceeds. Before the impact all of them have the gap that was promised, at the impact the gap is the
// tolerance.
TEST(TimeOfImpact, OfRandomShotsIsTheFirstContactOfDenseSamples) {
  unsigned const seed = 4711;
  std::cout << "seed " << seed << "\n";
  Random random(seed);
  int hits = 0, unlocated = 0;
  long samples = 0;
  double largest_uncertainty = 0;
  for (int number = 0; number < shots; ++number) {
    Shot const shot = random_shot(random);
    double const tolerance = random.logarithmic(1e-7, 1e-5);
    SCOPED_TRACE("number " + std::to_string(number) + ": " + text(shot));
    auto const gap_at = [&](double t) {
      ProvenGap const proven = proven_gap(after(shot.a, t), after(shot.b, t), shot.dimension);
      largest_uncertainty = std::max(largest_uncertainty, proven.uncertainty);
      return proven.gap;
    };
    if (gap_at(0) <= tolerance) continue;
    auto const impact = time_of_impact(shot.a, shot.b, shot.dimension, shot.duration, tolerance);
    double const end = impact ? impact->time : shot.duration;
    double const promised = 7.0 / 8 * tolerance - 1e-10;
    if (impact && impact->located) {
      ++hits;
      ASSERT_GE(gap_at(end), promised);
      ASSERT_LE(gap_at(end), tolerance + 1e-10);
    }
    if (impact && !impact->located) ++unlocated;
    bool const has_plane = shot.a.shape.kind == ShapeKind::plane || shot.b.shape.kind == ShapeKind::plane;
    Vector3d const v = shot.b.twist.velocity - shot.a.twist.velocity;
    // A point of a plane that turns may be as far as the other shape comes.
    double const far = has_plane
                           ? (shot.b.twist.origin - shot.a.twist.origin).norm() + shot.duration * v.norm() + 1
                           : 0,
                 fastest = v.norm() + shot.a.twist.omega.norm() * (farthest(shot.a, shot.dimension) + far) +
                           shot.b.twist.omega.norm() * (farthest(shot.b, shot.dimension) + far);
    for (double t = 0; t < end; ++samples) {
      double const gap = gap_at(t);
      ASSERT_GE(gap, promised) << "at " << t << " of " << end;
      t += std::max(gap / fastest, 1e-4 * shot.duration);
    }
  }
  std::cout << hits << " of " << shots << " hit, " << samples << " samples, uncertain by "
            << largest_uncertainty << " m, " << unlocated << " not located\n";
  EXPECT_GT(hits, shots / 2);
  EXPECT_EQ(unlocated, 0);
  EXPECT_LT(largest_uncertainty, 1e-8);  // a tenth of the smallest tolerance
}

TEST(TimeOfImpact, BoundsOfTheWayContainEveryPosition) {
  Random random(5);
  for (int number = 0; number < 1000; ++number) {
    Shot const shot = random_shot(random);
    Bounds const bounds = swept_bounds(shot.b, shot.duration, 0.01);
    for (int i = 0; i <= 20; ++i) {
      MovingShape const b = after(shot.b, shot.duration * i / 20);
      Bounds const now = bounds_of(b.shape, b.pose, 0.01);
      if (b.shape.kind == ShapeKind::plane) {
        ASSERT_TRUE(bounds.overlaps(now));
        continue;
      }
      for (Vector3d const& vertex : vertices_of(b, shot.dimension)) {
        double const radius = radius_of(b);
        ASSERT_TRUE(((vertex.array() - radius - 0.01 + 1e-9) >= bounds.low.array()).all());
        ASSERT_TRUE(((vertex.array() + radius + 0.01 - 1e-9) <= bounds.high.array()).all());
      }
    }
  }
}

// Both bounds are compared with the motion of the gap along n, which the test measures at many times.
TEST(TimeOfImpact, TheClosingSpeedIsNeverExceeded) {
  Random random(6);
  for (int number = 0; number < 1000; ++number) {
    Shot const shot = random_shot(random);
    bool const plane = shot.a.shape.kind == ShapeKind::plane || shot.b.shape.kind == ShapeKind::plane;
    if (plane) continue;
    ContactPoint const nearest =
        nearest_points(shot.a.shape, shot.a.pose, shot.b.shape, shot.b.pose, shot.dimension);
    double const bound = closing_bound(shot.a, shot.b, nearest.n, shot.dimension, shot.duration);
    double const safe = safe_time(shot.a, shot.b, nearest, shot.dimension, 1e-6, shot.duration);
    ASSERT_GE(safe, std::min(shot.duration, bound > 0 ? 0.999 * (nearest.gap - 1e-6) / bound : 1e9) - 1e-15);
    auto const separation = [&](double t) {
      return separation_of(vertices_of(after(shot.a, t), shot.dimension),
                           vertices_of(after(shot.b, t), shot.dimension), nearest.n);
    };
    for (int i = 0; i < 50; ++i) {
      double const t = shot.duration * i / 50, h = shot.duration / 50;
      ASSERT_LE(separation(t) - separation(t + h), h * bound + 1e-12);
    }
  }
}

TEST(TimeOfImpact, AllocatesNothing) {
  Random random(8);
  std::vector<Shot> list;
  for (int number = 0; number < 200; ++number) list.push_back(random_shot(random));
  long const before = test::allocation_count;
  int hits = 0;
  for (Shot const& shot : list)
    hits += time_of_impact(shot.a, shot.b, shot.dimension, shot.duration, 1e-6) ? 1 : 0;
  EXPECT_EQ(test::allocation_count, before);
  EXPECT_GT(hits, 0);
}

}  // namespace
}  // namespace delassus
