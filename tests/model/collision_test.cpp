#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "model/geometry/broad_phase.hpp"
#include "model/geometry/narrow_phase.hpp"
#include "model/geometry/rotation.hpp"
#include "tests/support/allocation_counter.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;

struct Placed {
  ShapeGeometry shape;
  ShapePose pose;
};

ContactPoints contacts_of(Placed const& a, Placed const& b, int dimension, double margin) {
  ContactPoints contacts;
  find_contacts(a.shape, a.pose, b.shape, b.pose, dimension, margin, contacts);
  return contacts;
}

double gap_of(Placed const& a, Placed const& b, int dimension) {
  return smallest_gap(a.shape, a.pose, b.shape, b.pose, dimension);
}

Placed sphere(double radius, Vector3d const& at) {
  return {{ShapeKind::sphere, radius, Vector3d::Zero()}, {at, Eigen::Matrix3d::Identity()}};
}
Placed box(Vector3d const& half, Vector3d const& at) {
  return {{ShapeKind::box, 0, half}, {at, Eigen::Matrix3d::Identity()}};
}
Placed capsule(double radius, double half, Vector3d const& at, Vector3d const& direction) {
  Eigen::Matrix3d const R =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), direction).toRotationMatrix();
  return {{ShapeKind::capsule, radius, {half, 0, 0}}, {at, R}};
}

class Random {
 public:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vector3d vector(double size, int dimension) {
    Vector3d v(uniform(-size, size), uniform(-size, size), uniform(-size, size));
    if (dimension == 2) v.z() = 0;
    return v;
  }
  Eigen::Matrix3d rotation(int dimension) {
    if (dimension == 2) return Eigen::AngleAxisd(uniform(-3.2, 3.2), Vector3d::UnitZ()).toRotationMatrix();
    return Eigen::Quaterniond(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1))
        .normalized()
        .toRotationMatrix();
  }
  Placed placed(ShapeKind kind, int dimension, double spread) {
    ShapeGeometry shape{kind, uniform(0.05, 0.4), {uniform(0.2, 1), uniform(0.2, 1), uniform(0.2, 1)}};
    return {shape, {vector(spread, dimension), rotation(dimension)}};
  }

 private:
  std::mt19937 engine_{7};
};

constexpr ShapeKind all_kinds[] = {ShapeKind::point, ShapeKind::plane, ShapeKind::sphere, ShapeKind::capsule,
                                   ShapeKind::box};

// The nearest point of the core of a convex bounded shape.
Vector3d nearest_core_point(Placed const& of, Vector3d const& x, int dimension) {
  Vector3d half = Vector3d::Zero();
  if (of.shape.kind == ShapeKind::capsule) half[0] = of.shape.half[0];
  if (of.shape.kind == ShapeKind::box) half = of.shape.half;
  if (dimension == 2) half[2] = 0;
  Vector3d const local = of.pose.R.transpose() * (x - of.pose.position);
  return of.pose.position + of.pose.R * local.cwiseMax(-half).cwiseMin(half);
}

double radius_of(Placed const& of) {
  bool const round = of.shape.kind == ShapeKind::sphere || of.shape.kind == ShapeKind::capsule;
  return round ? of.shape.radius : 0;
}

// The distance of two convex cores by projecting a point on each in turn, which always converges.
double projected_distance(Placed const& a, Placed const& b, int dimension) {
  Vector3d x = a.pose.position, y = b.pose.position;
  for (int i = 0; i < 5000; ++i) {
    Vector3d const previous = x;
    y = nearest_core_point(b, x, dimension);
    x = nearest_core_point(a, y, dimension);
    if ((x - previous).norm() < 1e-14) break;
  }
  return (x - y).norm();
}

Placed moved(Placed const& from, Eigen::Matrix3d const& R, Vector3d const& by) {
  return {from.shape, {R * from.pose.position + by, R * from.pose.R}};
}

// Along the motion with the given twist, for a time.
Placed moved(Placed const& from, Twist const& twist, double time) {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  double const angle = twist.omega.norm() * time;
  if (twist.omega.norm() > 0) R = Eigen::AngleAxisd(angle, twist.omega.normalized()).toRotationMatrix();
  return {from.shape,
          {twist.origin + time * twist.velocity + R * (from.pose.position - twist.origin), R * from.pose.R}};
}

ContactPoint const* with_feature(ContactPoints const& contacts, int feature) {
  for (int i = 0; i < contacts.count; ++i) {
    ContactPoint const& contact = contacts.item[static_cast<std::size_t>(i)];
    if (contact.feature == feature) return &contact;
  }
  return nullptr;
}

template <typename Function>
void for_each_contact(ContactPoints const& contacts, Function const& function) {
  for (int i = 0; i < contacts.count; ++i) function(contacts.item[static_cast<std::size_t>(i)]);
}

// Calls function(a, b, dimension) for random pairs of all kinds in both dimensions.
template <typename Function>
void for_random_pairs(Random& random, int count, double spread, Function const& function) {
  for (int dimension : {2, 3})
    for (ShapeKind const kind_a : all_kinds)
      for (ShapeKind const kind_b : all_kinds)
        for (int i = 0; i < count && can_collide(kind_a, kind_b); ++i) {
          function(random.placed(kind_a, dimension, spread), random.placed(kind_b, dimension, spread),
                   dimension);
          if (testing::Test::HasFailure()) {
            FAIL() << "kinds " << static_cast<int>(kind_a) << " and " << static_cast<int>(kind_b)
                   << ", number " << i << " in " << dimension << "D";
          }
        }
}

TEST(Collision, EveryPairButPlanesAndPointsIsSupported) {
  for (ShapeKind const a : all_kinds)
    for (ShapeKind const b : all_kinds)
      EXPECT_EQ(can_collide(a, b), !(a == b && (a == ShapeKind::plane || a == ShapeKind::point)));
  Random random;
  Placed const plane = random.placed(ShapeKind::plane, 3, 1);
  EXPECT_EQ(contacts_of(plane, plane, 3, 1e9).count, 0);
  EXPECT_EQ(gap_of(plane, plane, 3), std::numeric_limits<double>::infinity());
}

TEST(Collision, SpheresTouchAlongTheLineOfTheirCentres) {
  ContactPoints const contacts = contacts_of(sphere(1, {1, 2, 3}), sphere(0.5, {1, 5, 7}), 3, 4);
  ASSERT_EQ(contacts.count, 1);
  ContactPoint const& contact = contacts.item[0];
  EXPECT_NEAR(contact.gap, 5 - 1.5, 1e-14);
  EXPECT_TRUE(contact.n.isApprox(Vector3d(0, 0.6, 0.8)));
  EXPECT_TRUE(contact.p.isApprox(Vector3d(1, 5 - 0.3, 7 - 0.4)));
  EXPECT_EQ(contacts_of(sphere(1, {1, 2, 3}), sphere(0.5, {1, 5, 7}), 3, 3.49).count, 0);
}

TEST(Collision, CoincidingCentresHaveAFixedNormal) {
  EXPECT_EQ(contacts_of(sphere(1, {1, 2, 3}), sphere(0.5, {1, 2, 3}), 3, 0).item[0].n, Vector3d(0, 0, 1));
  EXPECT_EQ(contacts_of(sphere(1, {1, 2, 0}), sphere(0.5, {1, 2, 0}), 2, 0).item[0].n, Vector3d(0, 1, 0));
  EXPECT_EQ(contacts_of(sphere(1, {1, 2, 3}), sphere(0.5, {1, 2, 3}), 3, 0).item[0].gap, -1.5);
}

TEST(Collision, APlaneTouchesTheVerticesOfCores) {
  Placed plane{{ShapeKind::plane, 0, Vector3d::Zero()}, {}};  // x < 0
  EXPECT_EQ(contacts_of(plane, sphere(1, {1.5, 7, 8}), 3, 1).item[0].gap, 0.5);
  ContactPoints contacts = contacts_of(plane, capsule(0.25, 2, {3, 0, 0}, {1, 0, 0}), 3, 10);
  ASSERT_EQ(contacts.count, 2);
  EXPECT_NEAR(with_feature(contacts, 0)->gap, 0.75, 1e-15);
  EXPECT_NEAR(with_feature(contacts, 1)->gap, 4.75, 1e-15);
  contacts = contacts_of(box({1, 2, 3}, {1.1, 0, 0}), plane, 3, 0.2);
  ASSERT_EQ(contacts.count, 4);
  for_each_contact(contacts, [](ContactPoint const& contact) {
    EXPECT_EQ(contact.pair, FeaturePair::point_face);
    EXPECT_NEAR(contact.gap, 0.1, 1e-15);
    EXPECT_NEAR(contact.p.x(), 0, 1e-15);
    EXPECT_EQ(contact.n, Vector3d(-1, 0, 0));
  });
  EXPECT_EQ(contacts_of(plane, box({1, 2, 3}, {1.1, 0, 0}), 3, 100).count, 8);
  EXPECT_EQ(contacts_of(plane, box({1, 2, 3}, {1.1, 0, 0}), 2, 100).count, 4);
}

TEST(Collision, ASphereInsideABoxLeavesByTheNearestFace) {
  ContactPoints const contacts = contacts_of(box({1, 2, 3}, {0, 0, 0}), sphere(0.25, {0.2, 1.5, 0}), 3, 0);
  ASSERT_EQ(contacts.count, 1);
  EXPECT_EQ(contacts.item[0].n, Vector3d(0, 1, 0));
  EXPECT_NEAR(contacts.item[0].gap, -0.75, 1e-15);
}

TEST(Collision, CapsulesSideBySideTouchAtTheEndsOfTheirOverlap) {
  for (int dimension : {2, 3}) {
    ContactPoints const contacts =
        contacts_of(capsule(0.1, 1, {0, 0, 0}, {1, 0, 0}), capsule(0.2, 1, {0.5, 0.35, 0}, {-1, 0.01, 0}),
                    dimension, 0.1);
    ASSERT_EQ(contacts.count, 2);
    EXPECT_NEAR(with_feature(contacts, 0)->c_b.x(), -0.5, 5e-3);
    EXPECT_NEAR(with_feature(contacts, 1)->c_b.x(), 1, 5e-3);
  }
}

TEST(Collision, ACapsuleOnABoxTouchesAtTwoPointsAlongAFaceAndAlongAnEdge) {
  Placed const table = box({1, 2, 0.5}, {0, 0, -0.5});
  ContactPoints contacts = contacts_of(table, capsule(0.1, 1, {0.5, 0, 0.11}, {1, 0.5, 0}), 3, 0.05);
  ASSERT_EQ(contacts.count, 2);
  for_each_contact(contacts, [](ContactPoint const& contact) {
    EXPECT_EQ(contact.pair, FeaturePair::face_point);
    EXPECT_NEAR(contact.gap, 0.01, 1e-12);
  });
  EXPECT_NEAR(std::max(contacts.item[0].p.x(), contacts.item[1].p.x()), 1, 1e-12);  // the table ends here
  contacts = contacts_of(table, capsule(0.1, 3, {1.06, 0, 0.08}, {0, 1, 0}), 3, 0.05);
  ASSERT_EQ(contacts.count, 2);
  for_each_contact(contacts, [](ContactPoint const& contact) {
    EXPECT_NEAR(contact.gap, 0, 1e-12);
    EXPECT_NEAR(std::abs(contact.p.y()), 2, 1e-12);
    EXPECT_TRUE(contact.n.isApprox(Vector3d(0.6, 0, 0.8)));
  });
  contacts = contacts_of(table, capsule(0.1, 1, {0.5, 0, 0.2}, {1, 0.5, 1}), 3, 5);
  EXPECT_EQ(contacts.count, 1);
}

TEST(Collision, TheSmallestGapOfShapesApartIsTheDistance) {
  Random random;
  int apart = 0;
  for_random_pairs(random, 300, 2, [&](Placed const& a, Placed const& b, int dimension) {
    if (a.shape.kind == ShapeKind::plane || b.shape.kind == ShapeKind::plane) return;
    double const distance = projected_distance(a, b, dimension), gap = gap_of(a, b, dimension);
    if (distance < 1e-3) {
      EXPECT_LE(gap, distance - radius_of(a) - radius_of(b) + 1e-6);
      return;
    }
    ++apart;
    EXPECT_NEAR(gap, distance - radius_of(a) - radius_of(b), 1e-6);
  });
  EXPECT_GT(apart, 2000);
}

TEST(Collision, TheGapOfAPlaneIsThatOfTheLowestPointOfTheSurface) {
  Random random;
  for (int dimension : {2, 3})
    for (ShapeKind const kind : {ShapeKind::point, ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box}) {
      for (int i = 0; i < 50; ++i) {
        Placed const plane = random.placed(ShapeKind::plane, dimension, 1);
        Placed const other = random.placed(kind, dimension, 1);
        Vector3d const n = plane.pose.R.col(0);
        Vector3d const lowest = nearest_core_point(other, other.pose.position - 1e6 * n, dimension);
        EXPECT_NEAR(gap_of(plane, other, dimension), n.dot(lowest - plane.pose.position) - radius_of(other),
                    1e-9);
      }
    }
}

// What holds for the contacts of every pair.
void expect_sound(Placed const& a, Placed const& b, int dimension) {
  double const gap = gap_of(a, b, dimension);
  ContactPoints const contacts = contacts_of(a, b, dimension, 100);
  ASSERT_GT(contacts.count, 0);
  double least = 100;
  std::set<int> features;
  for_each_contact(contacts, [&](ContactPoint const& contact) {
    least = std::min(least, contact.gap);
    features.insert(contact.feature);
    EXPECT_TRUE(contact.feature >= 0 && contact.feature < 256);
    EXPECT_NEAR(contact.n.norm(), 1, 1e-12);
    double const D = contact.gap + contact.radius_a + contact.radius_b;
    EXPECT_LT((contact.c_b - contact.c_a - D * contact.n).norm(), 1e-9);
    EXPECT_LT((contact.p - (contact.c_b - contact.radius_b * contact.n)).norm(), 1e-12);
    // The point that is not on a face is one of its core.
    if (contact.pair != FeaturePair::point_face) {
      EXPECT_LT((nearest_core_point(b, contact.c_b, dimension) - contact.c_b).norm(), 1e-9);
    }
    if (contact.pair != FeaturePair::face_point) {
      EXPECT_LT((nearest_core_point(a, contact.c_a, dimension) - contact.c_a).norm(), 1e-9);
    }
    if (dimension == 2) {
      EXPECT_EQ(contact.n.z(), 0);
      EXPECT_EQ(contact.p.z(), 0);
    }
  });
  EXPECT_EQ(features.size(), static_cast<std::size_t>(contacts.count));
  if (a.shape.kind == ShapeKind::box && b.shape.kind == ShapeKind::box) {
    // Clipping leaves out what is beside the face, also where that is nearer, but takes a corner a little
    // beside.
    if (gap > 0) {
      EXPECT_GE(least, gap - 1e-4);
    }
  } else if (gap > -radius_of(a) - radius_of(b) + 1e-6) {
    // Two points stand for a line of contact if they are as near to this fraction of the radius.
    EXPECT_NEAR(least, gap, 2e-3 * (radius_of(a) + radius_of(b)) + 1e-9);
  } else {
    EXPECT_LT(least, 1e-6);
  }
}

TEST(Collision, TheNearestContactIsAsNearAsTheShapesAre) {
  Random random;
  for_random_pairs(random, 500, 1.5, expect_sound);
}

TEST(Collision, ShapesInLineWithEachOtherHaveSoundContactsToo) {
  Random random;
  auto const in_line = [&](Placed const& from, int dimension, double noise) {
    Placed result = from;
    result.pose.position = (2 * from.pose.position).array().round() / 2;
    result.shape.half = (2 * from.shape.half).array().ceil() / 2;
    int const quarters = static_cast<int>(random.uniform(0, 4));
    Vector3d const axis = Vector3d::Unit(dimension == 2 ? 2 : static_cast<int>(random.uniform(0, 3)));
    result.pose.R = Eigen::AngleAxisd(quarters * std::acos(0.0), axis).toRotationMatrix();
    if (noise == 0) result.pose.R = result.pose.R.array().round();
    return moved(result, Twist{Vector3d::Zero(), random.vector(noise, dimension), noise * axis}, 1);
  };
  for (double const noise : {0.0, 1e-16, 1e-12, 1e-8, 1e-5, 1e-3}) {
    for_random_pairs(random, 60, 1.5, [&](Placed const& a, Placed const& b, int dimension) {
      Placed const one = in_line(a, dimension, noise), other = in_line(b, dimension, noise);
      expect_sound(one, other, dimension);
      bool const bounded = a.shape.kind != ShapeKind::plane && b.shape.kind != ShapeKind::plane;
      double const distance = bounded ? projected_distance(one, other, dimension) : 0;
      if (distance >
          1e-2) {  // from above only, and slowly: projecting to and fro creeps along parallel cores
        double const gap = gap_of(one, other, dimension), expected = distance - radius_of(a) - radius_of(b);
        EXPECT_LE(gap, expected + 1e-9);
        EXPECT_GE(gap, expected - 1e-3);
      }
    });
  }
}

double least_gap(ContactPoints const& contacts) {
  double least = std::numeric_limits<double>::infinity();
  for_each_contact(contacts, [&least](ContactPoint const& contact) { least = std::min(least, contact.gap); });
  return least;
}

// The speed of the fastest point of one shape relative to the other.
double fastest(Placed const& placed, Twist const& twist) {
  double const extent = placed.shape.half.norm() + placed.shape.radius;
  return twist.at(placed.pose.position).norm() + twist.omega.norm() * extent;
}

Twist random_twist(Random& random, int dimension) {
  Twist twist{random.vector(1, dimension), random.vector(1, dimension), random.vector(1, 3)};
  if (dimension == 2) twist.omega.head<2>().setZero();
  return twist;
}

TEST(Collision, TheNearestContactOfShapesApartIsAsFarAsTheShapesAre) {
  Random random;
  int apart = 0;
  auto const check = [&](Placed const& a, Placed const& b, int dimension) {
    double const gap = gap_of(a, b, dimension);
    if (!(gap > 0)) return;
    ++apart;
    EXPECT_NEAR(least_gap(contacts_of(a, b, dimension, 100)), gap, 1e-8);
  };
  for_random_pairs(random, 500, 1.5, check);
  // Almost in line with each other, where a face, an edge and a vertex are almost equally near.
  for (double const angle : {1e-9, 1e-5, 1e-3, 0.03}) {
    for_random_pairs(random, 100, 1.5, [&](Placed const& a, Placed const& b, int dimension) {
      Placed turned = b;
      Vector3d const axis = dimension == 2 ? Vector3d::UnitZ().eval() : random.vector(1, 3).normalized();
      turned.pose.R = Eigen::AngleAxisd(angle, axis).toRotationMatrix() * a.pose.R;
      check(a, turned, dimension);
    });
  }
  EXPECT_GT(apart, 3000);
}

TEST(Collision, TheSmallestGapOfTheContactsIsContinuousAlongAMotion) {
  Random random;
  constexpr double step = 2e-3, rounding = 1e-8;
  int followed = 0;
  for_random_pairs(random, 40, 1.5, [&](Placed const& a, Placed const& b, int dimension) {
    Twist const twist_a = random_twist(random, dimension), twist_b = random_twist(random, dimension);
    bool const plane = a.shape.kind == ShapeKind::plane || b.shape.kind == ShapeKind::plane;
    if (plane) return;  // has no bound of its speed
    double last = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i <= 200; ++i) {
      Placed const at_a = moved(a, twist_a, i * step), at_b = moved(b, twist_b, i * step);
      double const least = least_gap(contacts_of(at_a, at_b, dimension, 100));
      double const way = step * (fastest(at_a, twist_a) + fastest(at_b, twist_b));
      if (last > 0) {
        ++followed;
        EXPECT_LE(std::abs(least - last), 1.1 * way + rounding);
      }
      last = least;
    }
  });
  EXPECT_GT(followed, 10000);
}

TEST(Collision, SwappingTheShapesMirrorsTheContacts) {
  Random random;
  int different = 0, all = 0;
  for_random_pairs(random, 500, 1.2, [&](Placed const& a, Placed const& b, int dimension) {
    ContactPoints const forth = contacts_of(a, b, dimension, 0.5), back = contacts_of(b, a, dimension, 0.5);
    EXPECT_NEAR(gap_of(a, b, dimension), gap_of(b, a, dimension), 1e-9);
    ++all;
    bool mirrored = forth.count == back.count;
    for_each_contact(forth, [&](ContactPoint const& one) {
      bool found = false;
      for_each_contact(back, [&](ContactPoint const& other) {
        found = found || ((one.n + other.n).norm() < 1e-9 && std::abs(one.gap - other.gap) < 1e-9 &&
                          (one.c_a - other.c_b).norm() < 1e-9 && (one.c_b - other.c_a).norm() < 1e-9);
      });
      mirrored = mirrored && found;
    });
    // Boxes prefer the faces of the first where those of both are as good.
    bool const boxes = a.shape.kind == ShapeKind::box && b.shape.kind == ShapeKind::box;
    if (!mirrored) ++different;
    EXPECT_TRUE(mirrored || boxes);
  });
  EXPECT_LT(different, all / 100);
}

TEST(Collision, AMotionOfBothShapesMovesTheContactsAlong) {
  Random random;
  for_random_pairs(random, 500, 1.2, [&](Placed const& a, Placed const& b, int dimension) {
    Eigen::Matrix3d const R = random.rotation(dimension);
    Vector3d const by = random.vector(5, dimension);
    ContactPoints const here = contacts_of(a, b, dimension, 0.5);
    ContactPoints const there = contacts_of(moved(a, R, by), moved(b, R, by), dimension, 0.5);
    ASSERT_EQ(here.count, there.count);
    for_each_contact(here, [&](ContactPoint const& contact) {
      ContactPoint const* const other = with_feature(there, contact.feature);
      ASSERT_NE(other, nullptr);
      EXPECT_EQ(other->pair, contact.pair);
      EXPECT_NEAR(other->gap, contact.gap, 1e-10);
      EXPECT_LT((other->n - R * contact.n).norm(), 1e-8);
      EXPECT_LT((other->p - R * contact.p - by).norm(), 1e-8);
    });
  });
}

// A point made by cutting off an edge slides along it, which the rates leave out on purpose.
// Only what overlaps has such.
bool is_cut(ContactPoint const& contact, Placed const& a, Placed const& b) {
  if (contact.pair != FeaturePair::face_point && contact.pair != FeaturePair::point_face) return false;
  bool const of_b = contact.pair == FeaturePair::face_point;
  Placed const& owner = of_b ? b : a;
  Placed const& face = of_b ? a : b;
  if (face.shape.kind == ShapeKind::plane) return false;
  if (owner.shape.kind == ShapeKind::box)
    return contact.feature < 160 &&
           (of_b ? contact.feature < 8 || contact.feature > 15 : contact.feature > 7);
  Vector3d const local =
      owner.pose.R.transpose() * ((of_b ? contact.c_b : contact.c_a) - owner.pose.position);
  return owner.shape.kind == ShapeKind::capsule && std::abs(std::abs(local.x()) - owner.shape.half[0]) > 1e-9;
}

TEST(Collision, TheRatesAreThoseOfThePoints) {
  Random random;
  std::set<FeaturePair> reached;
  int checked = 0, left_out = 0;
  double const step = 1e-6;
  auto const check = [&](Placed const& a, Placed const& b, int dimension) {
    Twist twist_a{random.vector(1, dimension), random.vector(1, dimension), random.vector(1, 3)};
    Twist twist_b{random.vector(1, dimension), random.vector(1, dimension), random.vector(1, 3)};
    if (dimension == 2) {
      twist_a.omega.head<2>().setZero();
      twist_b.omega.head<2>().setZero();
    }
    ContactPoints const now = contacts_of(a, b, dimension, 1);
    ContactPoints const before =
        contacts_of(moved(a, twist_a, -step), moved(b, twist_b, -step), dimension, 1);
    ContactPoints const after = contacts_of(moved(a, twist_a, step), moved(b, twist_b, step), dimension, 1);
    for_each_contact(now, [&](ContactPoint const& contact) {
      ContactPoint const* const early = with_feature(before, contact.feature);
      ContactPoint const* const late = with_feature(after, contact.feature);
      if (early == nullptr || late == nullptr || early->pair != contact.pair || late->pair != contact.pair ||
          (!(gap_of(a, b, dimension) > 0) && is_cut(contact, a, b)) ||
          std::abs((contact.c_b - contact.c_a).norm()) < 0.01) {
        ++left_out;
        return;
      }
      ++checked;
      reached.insert(contact.pair);
      ContactRates const rates = contact_rates(contact, twist_a, twist_b);
      double const scale = 1 + rates.n.norm() + rates.p.norm();
      EXPECT_LT((rates.n - (late->n - early->n) / (2 * step)).norm(), 1e-5 * scale * scale);
      EXPECT_LT((rates.p - (late->p - early->p) / (2 * step)).norm(), 1e-5 * scale * scale);
      double const rate_of_gap = contact.n.dot(twist_b.at(contact.p) - twist_a.at(contact.p));
      EXPECT_NEAR(rate_of_gap, (late->gap - early->gap) / (2 * step), 1e-5 * scale);
    });
  };
  for_random_pairs(random, 500, 1.2, check);
  EXPECT_EQ(reached.size(), 6U);
  EXPECT_GT(checked, 20 * left_out);
}

TEST(Collision, ABoxOnABoxTouchesWithItsFourCornersAndKeepsThem) {
  Placed const floor = box({3, 3, 0.5}, {0, 0, -0.5});
  Placed const small = box({0.5, 0.4, 0.3}, {0.3, 0.2, 0.3});
  Placed const same = box({3, 3, 0.5}, {0, 0, 0.5});
  Random random;
  for (Placed const& upper : {small, same}) {
    std::set<int> first;
    for (int i = 0; i < 100; ++i) {
      Twist const twist{Vector3d::Zero(), random.vector(1e-6, 3), random.vector(1e-6, 3)};
      ContactPoints const contacts = contacts_of(floor, i == 0 ? upper : moved(upper, twist, 1), 3, 1e-3);
      ASSERT_EQ(contacts.count, 4);
      std::set<int> features;
      for_each_contact(contacts, [&](ContactPoint const& contact) {
        features.insert(contact.feature);
        EXPECT_NEAR(contact.gap, 0, 1e-5);
        EXPECT_NEAR(contact.n.z(), 1, 1e-9);
      });
      ASSERT_EQ(features.size(), 4U);
      if (i == 0) first = features;
      EXPECT_EQ(features, first);
    }
  }
}

TEST(Collision, BoxesCrossedOnEachOtherTouchInAnOctagonOrARectangle) {
  Placed const lower = box({1, 1, 0.5}, {0, 0, -0.5});
  Placed upper = box({1, 1, 0.5}, {0, 0, 0.499});
  upper.pose.R = Eigen::AngleAxisd(0.7853981633974483, Vector3d::UnitZ()).toRotationMatrix();
  ContactPoints contacts = contacts_of(lower, upper, 3, 0);
  EXPECT_EQ(contacts.count, 8);
  for_each_contact(contacts, [](ContactPoint const& contact) {
    EXPECT_NEAR(contact.gap, -0.001, 1e-12);
    EXPECT_NEAR(contact.p.head<2>().norm(), 1 / std::cos(0.39269908169872414), 1e-9);
  });
  contacts = contacts_of(box({2, 0.1, 0.1}, {0, 0, 0}), box({0.1, 2, 0.1}, {0, 0, 0.2}), 3, 1e-9);
  ASSERT_EQ(contacts.count, 4);
  for_each_contact(contacts, [](ContactPoint const& contact) {
    EXPECT_NEAR(std::abs(contact.p.x()), 0.1, 1e-12);
    EXPECT_NEAR(std::abs(contact.p.y()), 0.1, 1e-12);
  });
  EXPECT_EQ(contacts_of(box({1, 1, 0}, {0, 0, 0}), box({1, 0.5, 0}, {0.2, 1.5, 0}), 2, 1e-9).count, 2);
}

TEST(Collision, ContactsOfOverlappingBoxesPartThem) {
  Random random;
  for (int dimension : {2, 3}) {
    for (int i = 0; i < 2000; ++i) {
      Placed const a = random.placed(ShapeKind::box, dimension, 0.8),
                   b = random.placed(ShapeKind::box, dimension, 0.8);
      double const gap = gap_of(a, b, dimension);
      if (gap > -1e-6) continue;
      ContactPoints const contacts = contacts_of(a, b, dimension, 0);
      ASSERT_GT(contacts.count, 0);
      Placed parted = b;
      parted.pose.position += (1.02 * -gap + 2e-3) * contacts.item[0].n;
      EXPECT_GE(gap_of(a, parted, dimension), 0);
    }
  }
}

TEST(Collision, CapsulesThroughBoxesAndThroughEachOtherArePartedByTheirContact) {
  Random random;
  for (int dimension : {2, 3}) {
    for (ShapeKind const kind : {ShapeKind::box, ShapeKind::capsule}) {
      for (int i = 0; i < 2000; ++i) {
        Placed const a = random.placed(kind, dimension, 0.5);
        Placed const b = random.placed(ShapeKind::capsule, dimension, 0.5);
        double const gap = gap_of(a, b, dimension);
        ContactPoints const contacts = contacts_of(a, b, dimension, 0);
        if (gap > -1e-6 || contacts.count != 1) continue;
        Placed parted = b;
        parted.pose.position += (1e-9 - gap) * contacts.item[0].n;
        EXPECT_GE(gap_of(a, parted, dimension), -1e-9);
      }
    }
  }
}

TEST(Collision, NumbersThatAreNoneGiveNoContacts) {
  Random random;
  double const nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  for (double const bad : {nan, infinity, 1e300}) {
    for_random_pairs(random, 3, 1, [&](Placed const& a, Placed const& b, int dimension) {
      Placed broken = b;
      broken.pose.position.x() = bad;
      ContactPoints const contacts = contacts_of(a, broken, dimension, 0.1);
      for_each_contact(contacts, [](ContactPoint const& contact) { EXPECT_LE(contact.gap, 0.1); });
      if (std::isnan(bad)) {
        EXPECT_EQ(contacts.count, 0);
      }
    });
  }
}

std::vector<std::pair<int, int>> all_pairs(std::vector<Bounds> const& bounds) {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    for (std::size_t j = i + 1; j < bounds.size(); ++j)
      if (bounds[i].overlaps(bounds[j])) pairs.emplace_back(i, j);
  return pairs;
}

void expect_all_pairs(BroadPhase& broad_phase, std::vector<Bounds> const& bounds) {
  auto const pairs = broad_phase.find_pairs(bounds);
  EXPECT_EQ(std::vector(pairs.begin(), pairs.end()), all_pairs(bounds));
}

TEST(BroadPhaseTest, TheBoundsHoldTheShape) {
  Random random;
  for (ShapeKind const kind : {ShapeKind::point, ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box}) {
    for (int i = 0; i < 50; ++i) {
      Placed const placed = random.placed(kind, 3, 3);
      Bounds const bounds = bounds_of(placed.shape, placed.pose, 0.01);
      for (int axis = 0; axis < 3; ++axis) {
        Vector3d const far = placed.pose.position + 1e6 * Vector3d::Unit(axis);
        double const highest = nearest_core_point(placed, far, 3)[axis] + radius_of(placed) + 0.01;
        EXPECT_NEAR(bounds.high[axis], highest, 1e-9);
        EXPECT_NEAR(bounds.low[axis], 2 * placed.pose.position[axis] - highest, 1e-9);
      }
    }
  }
}

TEST(BroadPhaseTest, FindsWhatTheQuadraticLoopFinds) {
  Random random;
  BroadPhase broad_phase;
  double const infinity = std::numeric_limits<double>::infinity();
  for (int count : {0, 1, 10, 100, 300}) {
    for (double const spread : {0.0, 2.0, 20.0, 1e5, 1e12}) {
      for (double const variety : {0.0, 3.0, 12.0}) {
        std::vector<Bounds> bounds;
        for (int i = 0; i < count; ++i) {
          Vector3d const centre = random.vector(spread, i % 2 == 0 ? 3 : 2);
          Vector3d const half = std::pow(10, random.uniform(-variety, variety) / 2) * Vector3d(0.3, 0.2, 0.4);
          bounds.push_back({centre - half, centre + half});
        }
        expect_all_pairs(broad_phase, bounds);
        if (count < 10) continue;
        bounds[2] = {Vector3d::Constant(-infinity), Vector3d::Constant(infinity)};
        bounds[5] = {Vector3d(-1e4, -1e4, -1), Vector3d(1e4, 1e4, 0)};
        bounds[6].low.x() = std::numeric_limits<double>::quiet_NaN();
        bounds[7] = {Vector3d::Constant(1e300), Vector3d::Constant(1.1e300)};
        bounds[8].high.y() = infinity;
        bounds[9] = {Vector3d::Constant(1), Vector3d::Constant(-1)};
        expect_all_pairs(broad_phase, bounds);
      }
    }
  }
}

std::vector<Bounds> lattice(int count) {
  int const side = static_cast<int>(std::ceil(std::sqrt(count)));
  std::vector<Bounds> bounds;
  ShapePose const floor{Vector3d::Zero(), frame_with_first_axis<double>(Vector3d::UnitZ())};
  bounds.push_back(bounds_of({ShapeKind::plane, 0, Vector3d::Zero()}, floor, 0));
  for (int i = 0; i < count; ++i) {
    int const row = i / side;
    Placed const ball = sphere(0.5, Vector3d(i % side, row, 0.5));
    bounds.push_back(bounds_of(ball.shape, ball.pose, 0.01));
  }
  return bounds;
}

TEST(BroadPhaseTest, FindsTheNeighboursOfTenThousandSpheres) {
  BroadPhase broad_phase;
  std::vector<Bounds> const bounds = lattice(10000);
  for (int i = 0; i < 5; ++i) {
    // To the plane, along the rows and columns, and across: the boxes of diagonal neighbours overlap too.
    EXPECT_EQ(broad_phase.find_pairs(bounds).size(), 10000U + 2 * 9900U + 2 * 9801U);
  }
}

TEST(CollisionMemory, NothingIsAllocatedAfterTheFirstCall) {
  Random random;
  BroadPhase broad_phase;
  std::vector<Bounds> const bounds = lattice(500);
  broad_phase.find_pairs(bounds);
  long const before = test::allocation_count;
  broad_phase.find_pairs(bounds);
  for_random_pairs(random, 20, 1, [](Placed const& a, Placed const& b, int dimension) {
    ContactPoints const contacts = contacts_of(a, b, dimension, 1);
    static_cast<void>(gap_of(a, b, dimension));
    for_each_contact(contacts, [](ContactPoint const& contact) { contact_rates(contact, {}, {}); });
  });
  EXPECT_EQ(test::allocation_count - before, 0);
}

}  // namespace
}  // namespace delassus
