#include "model/equations/swept_contacts.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

// Of half the width of the thinner shape. What moves less, or sinks in less, has its contact points on the right side
// with much to spare: they change sides at 1.
constexpr double noticed_share = 0.2;
// Of the sum of both halves: at 1 the shapes are halfway through each other, and contact points push them on.
constexpr double looked_at_share = 0.7, lost_share = 0.9, hopeless_share = 0.5;
// Of the depth that is looked for: how exactly.
constexpr double band_share = 0.05;

double half_width_of(ShapeGeometry const& shape, int dimension) {
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
      return shape.radius;
    case ShapeKind::box:
      return shape.half.head(dimension).minCoeff();
    case ShapeKind::point:
      return 0;
    case ShapeKind::plane:
      break;
  }
  return no_limit;
}

// Constant velocity and angular velocity from one pose to the other.
Twist twist_between(BodyPose const& start, BodyPose const& end, double h, int dimension,
                    bool turns_by_velocity) {
  Twist twist;
  twist.origin = start.twist.origin;
  twist.velocity = (end.twist.origin - start.twist.origin) / h;
  if (dimension == 2) {
    twist.omega[2] = (end.angle - start.angle) / h;
  } else if (turns_by_velocity) {
    twist.omega = start.twist.omega;
  } else if (end.R != start.R) {
    // Rather than Eigen::AngleAxis, whose angle comes from the C library.
    Eigen::Quaterniond const turn(Eigen::Matrix3d(end.R * start.R.transpose()));
    double const sine = turn.vec().norm(), angle = 2 * elementary::atan2(sine, std::abs(turn.w()));
    if (sine > 0) twist.omega = angle / h * turn.vec() / (turn.w() < 0 ? -sine : sine);
  }
  return twist;
}

class PassageFinder {
 public:
  PassageFinder(Scene const& scene, Instant const& at, PassageSearch const& search, SweptWorkspace& work)
      : scene_(scene), at_(at), search_(search), work_(work), time_(at.step) {}

  std::optional<Passage> find();

 private:
  SweptSide side_of(ContactSide const& side, int height) const;
  // m: how far any point of the pair moves relative to the other at most.
  static double way_of(SweptSide const& a, SweptSide const& b, double h);
  void look_at(SweptSide const& a, SweptSide const& b, BlockIdentity identity);
  void look_at_group(std::size_t group);
  // Compliant contacts sink in while others do not: whether this one has been pressed in too far.
  bool only_compliant() const { return search_.touching < 0 && at_.impacts == ImpactScope::all; }
  void find_sunk(SweptSide const& a, SweptSide const& b, BlockIdentity identity);

  Scene const& scene_;
  Instant const& at_;
  PassageSearch const& search_;
  SweptWorkspace& work_;
  BodyPose ground_;
  std::optional<Passage> first_;
  double time_;  // s: of the first one, or of the whole motion
};

SweptSide PassageFinder::side_of(ContactSide const& side, int height) const {
  SweptSide swept;
  swept.body = side.point.body;
  bool const on_ground = swept.body == ground_body;
  auto const index = static_cast<std::size_t>(swept.body);
  PlacedShape const placed =
      place<double>(scene_, side, height, on_ground ? ground_ : work_.poses[index], at_.parameter);
  swept.moving = {placed.geometry, placed.pose, on_ground ? Twist{} : work_.twists[index]};
  swept.frees = !on_ground && scene_.bodies[index].moves_freely();
  swept.half_size = half_width_of(placed.geometry, scene_.dimension);
  swept.reach = (placed.pose.position - swept.moving.twist.origin).norm() + placed.geometry.half.norm();
  swept.turn = std::min(swept.moving.twist.omega.norm() * at_.step, 2.0);
  return swept;
}

double PassageFinder::way_of(SweptSide const& a, SweptSide const& b, double h) {
  double way = h * (a.moving.twist.velocity - b.moving.twist.velocity).norm();
  // A plane that turns moves at the place of the other shape.
  auto const lever = [](SweptSide const& of, SweptSide const& other) {
    if (of.moving.shape.kind != ShapeKind::plane) return of.reach;
    return (of.moving.twist.origin - other.moving.twist.origin).norm() + other.reach +
           other.moving.shape.radius;
  };
  if (a.turn > 0) way += a.turn * lever(a, b);
  if (b.turn > 0) way += b.turn * lever(b, a);
  return way;
}

void PassageFinder::look_at(SweptSide const& a, SweptSide const& b, BlockIdentity identity) {
  double const thinner = a.half_size == 0   ? b.half_size
                         : b.half_size == 0 ? a.half_size
                                            : std::min(a.half_size, b.half_size);
  double const noticed = noticed_share * thinner;
  if (!(noticed < no_limit)) return;
  if (only_compliant()) return find_sunk(a, b, identity);
  // What sinks in slowly is looked at where something has sunk in so far already.
  double const way = way_of(a, b, at_.step);
  if (!(std::max(way, search_.depth) > noticed)) return;
  // A half-space has no other side: what sinks in is still there at the end of the motion, unless it has turned.
  if (search_.touching < 0 && !(a.half_size + b.half_size < no_limit) && !(way > thinner)) return;
  int const dimension = scene_.dimension;
  auto const time_to = [&](double level, double band) {
    return time_to_level(a.moving, b.moving, dimension, time_, level, band);
  };
  double const band = band_share * noticed;
  auto const deep = time_to(-noticed, band);
  if (!deep) return;
  // Only pairs that have come so near get here.
  double const gap =
      nearest_points(a.moving.shape, a.moving.pose, b.moving.shape, b.moving.pose, dimension).gap;
  Passage passage{identity, deep->time, gap, false};
  if (search_.touching >= 0) {
    if (gap > search_.touching) {
      auto const touch = time_to(7 * search_.touching / 8, search_.touching / 8);
      if (touch) passage.time = touch->time;
    } else {
      // It touches already. What turns into the other shape beside its contact points is seen by new ones halfway.
      auto const deeper = time_to(std::min(gap, 0.0) - noticed, band);
      if (!deeper) return;
      passage.time = deeper->time / 2;
    }
  } else if (gap > -noticed / 4) {  // apart, or just touching
    auto const sunk = time_to(-noticed / 2, band);
    if (sunk) passage.time = sunk->time;
  } else {
    double const both = a.half_size + b.half_size;
    if (gap <= -lost_share * both) return;  // as it was given, or so far told already
    auto const through = time_to(-lost_share * both, band);
    if (!through) return;
    passage.time = through->time;
    passage.lost = gap <= -hopeless_share * both;
    if (!passage.lost) {
      auto const sunk = time_to(-looked_at_share * both, band);
      if (sunk) passage.time = sunk->time;
    }
  }
  // Where rounding hides when it touches, halfway to where it has surely sunk in.
  if (!(passage.time > 0)) passage.time = deep->time > 0 ? deep->time / 2 : time_ / 2;
  if (first_ && !passage.lost && passage.time >= time_) return;
  first_ = passage;
  time_ = passage.time;
}

// The force of a half-space only grows, so that it may be as deep as the body is thick.
void PassageFinder::find_sunk(SweptSide const& a, SweptSide const& b, BlockIdentity identity) {
  double const both = a.half_size + b.half_size,
               most = both < no_limit ? lost_share * both : 2 * std::min(a.half_size, b.half_size);
  double const gap =
      nearest_points(a.moving.shape, a.moving.pose, b.moving.shape, b.moving.pose, scene_.dimension).gap;
  if (!first_ && gap <= -most) first_ = Passage{identity, at_.step, gap, true};
}

void PassageFinder::look_at_group(std::size_t index) {
  ContactGroup const& group = scene_.groups[index];
  if (group.law.normal == NormalLaw::bilateral || (only_compliant() && !group.law.compliant())) return;
  std::size_t const count = group.shapes.size() + (group.with_ground ? 1 : 0);
  work_.sides.resize(count);
  double fastest = 0, thinnest = no_limit;
  auto const shape_of = [&](auto k) {
    auto const member = static_cast<std::size_t>(k);
    return member < group.shapes.size() ? group.shapes[member] : -1;
  };
  for (std::size_t k = 0; k < count; ++k) {
    int const shape = shape_of(k);
    int const body = shape >= 0 ? scene_.shapes[static_cast<std::size_t>(shape)].body : ground_body;
    SweptSide& side = work_.sides[k];
    side = side_of({{body, -1}, shape}, group.height);
    if (side.half_size > 0) thinnest = std::min(thinnest, side.half_size);
    bool const turning_plane = side.half_size == no_limit && side.turn > 0;
    fastest = std::max(fastest, turning_plane
                                    ? no_limit
                                    : at_.step * side.moving.twist.velocity.norm() + side.turn * side.reach);
  }
  // Most motions end here.
  if (!(std::max(2 * fastest, search_.depth) > noticed_share * thinnest)) return;
  work_.bounds.resize(count);
  for (std::size_t k = 0; k < count; ++k) work_.bounds[k] = swept_bounds(work_.sides[k].moving, at_.step, 0);
  for (auto const& [i, j] : work_.broad_phase.find_pairs(work_.bounds)) {
    SweptSide const &a = work_.sides[static_cast<std::size_t>(i)],
                    &b = work_.sides[static_cast<std::size_t>(j)];
    if (a.body == b.body || (!a.frees && !b.frees)) continue;
    if (!can_collide(a.moving.shape.kind, b.moving.shape.kind)) continue;
    if (!scene_.has_law_of(group, shape_of(i), shape_of(j))) continue;
    std::size_t const part = (static_cast<std::size_t>(i) << 28U) | (static_cast<std::size_t>(j) << 8U);
    look_at(a, b, identity_of(BlockOwner::group, index, part));
  }
}

std::optional<Passage> PassageFinder::find() {
  if (scene_.contacts.empty() && scene_.groups.empty()) return {};
  auto const compliant = [](auto const& element) { return element.law.compliant(); };
  if (only_compliant() && std::none_of(scene_.contacts.begin(), scene_.contacts.end(), compliant) &&
      std::none_of(scene_.groups.begin(), scene_.groups.end(), compliant))
    return {};
  work_.poses.resize(scene_.bodies.size());
  work_.twists.resize(scene_.bodies.size());
  Instant end = at_;
  end.q = at_.q_end;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    work_.poses[i] = pose_of<double>(scene_, static_cast<int>(i), at_);
    work_.twists[i] = twist_between(work_.poses[i], pose_of<double>(scene_, static_cast<int>(i), end),
                                    at_.step, scene_.dimension, search_.turns_by_velocity);
  }
  for (std::size_t i = 0; i < scene_.contacts.size(); ++i) {
    Contact const& contact = scene_.contacts[i];
    if (contact.law.normal == NormalLaw::bilateral || (only_compliant() && !contact.law.compliant()))
      continue;
    look_at(side_of(contact.a, contact.height), side_of(contact.b, contact.height),
            identity_of(BlockOwner::contact, i));
  }
  for (std::size_t g = 0; g < scene_.groups.size(); ++g) look_at_group(g);
  return first_;
}

}  // namespace

std::optional<Passage> SceneSystem::first_passage(Instant const& at, PassageSearch const& search,
                                                  SystemWorkspace* workspace) const {
  return PassageFinder(*scene_, at, search, static_cast<SweptWorkspace&>(*workspace)).find();
}

std::unique_ptr<SystemWorkspace> SceneSystem::make_passage_workspace() const {
  return std::make_unique<SweptWorkspace>();
}

}  // namespace delassus
