#include "tools/report/track_player.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/geometry/rotation.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;

struct Ball {
  Vector3d place;  // m, in the frame of the body
  double radius = 0;
};

// The parts of a body as balls.
std::vector<Ball> parts_of(DrawnBody const& body) {
  std::vector<Ball> parts;
  for (auto const& point : body.points) parts.push_back({point, 0});
  if (body.half_length > 0) {
    for (double const side : {-1.0, 1.0}) parts.push_back({{side * body.half_length, 0, 0}, 0});
  }
  for (auto const& shape : body.shapes) {
    if (shape.kind == "plane") continue;
    Eigen::Quaterniond const turn(shape.turn[0], shape.turn[1], shape.turn[2], shape.turn[3]);
    for (int corner = 0; corner < 8; ++corner) {
      Vector3d local = Vector3d::Zero();
      for (int k = 0; k < 3; ++k) {
        bool const counts = shape.kind == "box" || (shape.kind == "capsule" && k == 0);
        if (counts) local[k] = (corner >> k & 1) == 0 ? shape.half[k] : -shape.half[k];
      }
      parts.push_back({shape.place + turn * local, shape.radius});
    }
  }
  if (body.shapes.empty()) parts.push_back({Vector3d::Zero(), 0});  // its origin is drawn
  return parts;
}

bool has_solid_shape(DrawnBody const& body) {
  return std::ranges::any_of(body.shapes, [](DrawnShape const& shape) { return shape.kind != "plane"; });
}

}  // namespace

TrackPlayer::TrackPlayer(SceneTrack const& track, std::span<const double> times)
    : track_(&track),
      times_(times),
      frames_(times.size()),
      dimension_(static_cast<std::size_t>(track.drawing.dimension)) {
  std::size_t component = 0;
  int moving = 0;
  for (DrawnBody const& body : drawing().bodies) {
    first_.push_back(component);
    hues_.push_back(body.moves ? moving++ : -1);
    if (body.moves) component += dimension_ + (!body.turns ? 0 : dimension_ == 2 ? 1 : 4);
    poses_.push_back(
        {body.place,
         Eigen::Quaterniond(body.turn[0], body.turn[1], body.turn[2], body.turn[3]).toRotationMatrix()});
  }
  for (GroupTrack const& group : track.groups) {
    std::size_t start = 0;
    for (double const count : group.count) {
      group_starts_.push_back(start);
      start += static_cast<std::size_t>(count);
    }
  }
  measure();
  measure_forces();
  if (frames_ > 0) move_to(times_.front());
}

PlayedPose TrackPlayer::pose_between(std::size_t body, std::size_t frame, std::size_t next,
                                     double share) const {
  DrawnBody const& drawn = drawing().bodies[body];
  PlayedPose pose{drawn.place, poses_[body].R};
  std::size_t const first = first_[body];
  auto const between = [&](std::size_t component) {
    double const from = pose_value(first + component, frame);
    return from + share * (pose_value(first + component, next) - from);
  };
  for (std::size_t k = 0; k < dimension_; ++k) pose.place[static_cast<Eigen::Index>(k)] = between(k);
  if (!drawn.turns) return pose;
  if (dimension_ == 2) {
    pose.R = rotation_about_z<double>(between(2));
    return pose;
  }
  auto const turn = [&](std::size_t at) {
    return Eigen::Vector4d(pose_value(first + 3, at), pose_value(first + 4, at), pose_value(first + 5, at),
                           pose_value(first + 6, at));
  };
  // A quaternion and its opposite are one rotation: the nearer of both is gone to.
  Eigen::Vector4d const a = turn(frame), b = turn(next);
  Eigen::Vector4d const q = ((1 - share) * a + share * (a.dot(b) < 0 ? -1 : 1) * b).normalized();
  pose.R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  return pose;
}

void TrackPlayer::move_to(double time) {
  auto const after = std::ranges::upper_bound(times_, time);
  frame_ = after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
  next_ = std::min(frame_ + 1, frames_ - 1);
  double const span = times_[next_] - times_[frame_];
  share_ = span > 0 ? std::clamp((time - times_[frame_]) / span, 0.0, 1.0) : 0;
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    if (drawing().bodies[i].moves) poses_[i] = pose_between(i, frame_, next_, share_);
  }
}

Vector3d TrackPlayer::point_on(int body, Vector3d const& local) const {
  if (body < 0) return local;
  PlayedPose const& pose = poses_[static_cast<std::size_t>(body)];
  return pose.place + pose.R * local;
}

Vector3d TrackPlayer::vector(std::vector<double> const& values, std::size_t frame) const {
  Vector3d result = Vector3d::Zero();
  for (std::size_t k = 0; k < dimension_; ++k)
    result[static_cast<Eigen::Index>(k)] = values[k * frames_ + frame];
  return result;
}

std::vector<PlayedForce> TrackPlayer::forces() const {
  std::vector<PlayedForce> list;
  auto const add = [&](Vector3d const& place, Vector3d const& force, bool input) {
    if (place.allFinite() && force.allFinite() && !force.isZero(0)) list.push_back({place, force, input});
  };
  for (ContactTrack const& contact : track_->contacts)
    add(vector(contact.place, frame_), vector(contact.force, frame_), false);
  for (std::size_t g = 0; g < track_->groups.size(); ++g) {
    GroupTrack const& group = track_->groups[g];
    std::size_t const start = group_starts_[g * frames_ + frame_];
    for (std::size_t k = start; k < start + static_cast<std::size_t>(group.count[frame_]); ++k) {
      Vector3d place = Vector3d::Zero(), force = Vector3d::Zero();
      for (std::size_t i = 0; i < dimension_; ++i) {
        place[static_cast<Eigen::Index>(i)] = group.places[k * dimension_ + i];
        force[static_cast<Eigen::Index>(i)] = group.forces[k * dimension_ + i];
      }
      add(place, force, false);
    }
  }
  for (InputForceTrack const& input : track_->inputs)
    add(point(input.point), vector(input.force, frame_), true);
  return list;
}

Vector3d TrackPlayer::surface_way(int body) const {
  for (SurfaceTrack const& surface : track_->surfaces) {
    if (surface.body != body) continue;
    Vector3d const from = vector(surface.way, frame_);
    return from + share_ * (vector(surface.way, next_) - from);
  }
  return Vector3d::Zero();
}

Vector3d TrackPlayer::surface_direction(int body) const {
  Vector3d farthest = Vector3d::Zero();
  for (SurfaceTrack const& surface : track_->surfaces) {
    if (surface.body != body) continue;
    for (std::size_t frame = 0; frame < frames_; ++frame) {
      Vector3d const way = vector(surface.way, frame);
      if (way.norm() > farthest.norm()) farthest = way;
    }
  }
  return farthest.isZero(0) ? Vector3d::UnitX() : Vector3d(farthest.normalized());
}

void TrackPlayer::measure() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  low_ = Vector3d::Constant(infinity);
  high_ = -low_;
  auto const used = static_cast<Eigen::Index>(dimension_);
  auto const take_ball = [&](Vector3d const& place, double reach) {
    if (!place.allFinite()) return;
    low_.head(used) = low_.head(used).cwiseMin((place.array() - reach).matrix().head(used));
    high_.head(used) = high_.head(used).cwiseMax((place.array() + reach).matrix().head(used));
  };
  std::size_t const stride = std::max<std::size_t>(1, frames_ * drawing().bodies.size() / 4000);
  for (std::size_t i = 0; i < drawing().bodies.size(); ++i) {
    DrawnBody const& body = drawing().bodies[i];
    auto const parts = parts_of(body);
    auto const take = [&](PlayedPose const& pose) {
      for (Ball const& part : parts) take_ball(pose.place + pose.R * part.place, part.radius);
    };
    if (!body.moves) {
      if (has_solid_shape(body)) take(poses_[i]);
      continue;
    }
    for (std::size_t frame = 0; frame < frames_; frame += stride) take(pose_between(i, frame, frame, 0));
  }
  // Where joints and springs are fixed belongs to the scene.
  for (DrawnLink const& link : drawing().links) {
    for (DrawnPoint const& end : {link.a, link.b}) {
      bool const still = end.body < 0 || !drawing().bodies[static_cast<std::size_t>(end.body)].moves;
      if (end.body < 0 || (still && link.kind != DrawnLink::Kind::joint)) take_ball(point(end), 0);
    }
  }
  for (Eigen::Index k = 0; k < 3; ++k) {
    if (low_[k] == infinity) {
      low_[k] = k < used ? -1 : 0;
      high_[k] = -low_[k];
    }
  }
  largest_ = (high_ - low_).maxCoeff();
  if (!(largest_ > 0)) largest_ = 1;
}

void TrackPlayer::measure_forces() {
  std::vector<double> sizes;
  auto const take = [&](double size) {
    if (size > 0 && std::isfinite(size)) sizes.push_back(size);
  };
  for (std::size_t frame = 0; frame < frames_; ++frame) {
    for (ContactTrack const& contact : track_->contacts) take(vector(contact.force, frame).norm());
    for (InputForceTrack const& input : track_->inputs) take(vector(input.force, frame).norm());
  }
  for (GroupTrack const& group : track_->groups) {
    for (std::size_t k = 0; k + dimension_ <= group.forces.size(); k += dimension_) {
      take(Eigen::Map<const Eigen::VectorXd>(group.forces.data() + k, static_cast<Eigen::Index>(dimension_))
               .norm());
    }
  }
  if (sizes.empty()) return;
  std::ranges::sort(sizes);
  auto const at = [&](double share) {
    return sizes[static_cast<std::size_t>(share * static_cast<double>(sizes.size() - 1))];
  };
  usual_force_ = std::min(at(0.95), 3 * at(0.5));
}

}  // namespace delassus
