// What of a scene can be drawn: bodies with their shapes, rods and points, the ground, joints and springs. Places are in
// the frames of the bodies, so that a picture at another instant needs only the poses.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "model/scene/scene.hpp"

namespace delassus {

struct DrawnShape {
  std::string kind;                                 // sphere, capsule, box, plane
  double radius = 0;                                // m
  Eigen::Vector3d half = Eigen::Vector3d::Zero();   // m, as in model/geometry/shape.hpp
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  // m, in the body's frame
  Eigen::Vector4d turn = Eigen::Vector4d::UnitX();  // quaternion w x y z; a plane's normal is its first axis
};

struct DrawnBody {
  std::string name;
  bool moves = false;  // else its pose is the one here
  bool turns = false;
  double half_length = 0;  // m, of a rod along its first axis; 0: it is none
  std::vector<DrawnShape> shapes;
  std::vector<Eigen::Vector3d> points;
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  Eigen::Vector4d turn = Eigen::Vector4d::UnitX();
};

// A place on a body, or of the world where the body is -1.
struct DrawnPoint {
  int body = ground_body;
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
};

struct DrawnLink {
  enum class Kind { joint, distance, spring };  // a joint is one point, a
  Kind kind = Kind::joint;
  std::string name;
  DrawnPoint a, b;
};

struct SceneDrawing {
  int dimension = 2;
  std::vector<DrawnBody> bodies;
  std::vector<DrawnLink> links;
  std::vector<double> grounds;  // m: heights of the ground's plane
};

SceneDrawing draw_scene(Scene const& scene, std::span<const double> parameters,
                        std::span<const double> inputs);

// A rotation as w x y z with w >= 0.
Eigen::Vector4d quaternion_of_matrix(Eigen::Matrix3d const& R);

}  // namespace delassus
