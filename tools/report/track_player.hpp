// A recorded scene at any time of its run: where its bodies are, which forces act, how large it all is. Between frames bodies move straight
// and turn evenly; forces are those of the frame before. The page's motion.js does the same.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tools/report/scene_track.hpp"

namespace delassus {

struct PlayedPose {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};

struct PlayedForce {
  Eigen::Vector3d place, force;  // m, N
  bool input = false;            // else of a contact
};

class TrackPlayer {
 public:
  // `times` of the frames, s. Both must outlive this.
  TrackPlayer(SceneTrack const& track, std::span<const double> times);

  void move_to(double time);

  SceneTrack const& track() const { return *track_; }
  SceneDrawing const& drawing() const { return track_->drawing; }
  std::vector<PlayedPose> const& poses() const { return poses_; }
  Eigen::Vector3d point(DrawnPoint const& point) const { return point_on(point.body, point.place); }
  Eigen::Vector3d point_on(int body, Eigen::Vector3d const& local) const;
  std::vector<PlayedForce> forces() const;
  // How far the surface of a belt has gone, m; zero for other bodies.
  Eigen::Vector3d surface_way(int body) const;
  // Which way the surface goes, where it goes farthest.
  Eigen::Vector3d surface_direction(int body) const;

  // The box of all that moves, over the whole run.
  Eigen::Vector3d const& low() const { return low_; }
  Eigen::Vector3d const& high() const { return high_; }
  double largest() const { return largest_; }
  // A force of the usual size, N: impacts do not make all others too short to see.
  double usual_force() const { return usual_force_; }
  // The place of each body among those that move: its colour; -1 for others.
  std::vector<int> const& hues() const { return hues_; }

 private:
  double pose_value(std::size_t component, std::size_t frame) const {
    return track_->poses[component * frames_ + frame];
  }
  PlayedPose pose_between(std::size_t body, std::size_t frame, std::size_t next, double share) const;
  void measure();
  void measure_forces();
  Eigen::Vector3d vector(std::vector<double> const& values, std::size_t frame) const;

  SceneTrack const* track_;
  std::span<const double> times_;
  std::size_t frames_ = 0, dimension_ = 2, frame_ = 0, next_ = 0;
  double share_ = 0;
  std::vector<std::size_t> first_;         // pose component of each body
  std::vector<std::size_t> group_starts_;  // of each group, frame by frame
  std::vector<int> hues_;
  std::vector<PlayedPose> poses_;
  Eigen::Vector3d low_, high_;
  double largest_ = 1, usual_force_ = 1;
};

}  // namespace delassus
