#include "tools/report/scene_drawing.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "model/equations/scene_system.hpp"

namespace delassus {
namespace {

std::string kind_name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::plane:
      return "plane";
    case ShapeKind::sphere:
      return "sphere";
    case ShapeKind::capsule:
      return "capsule";
    case ShapeKind::box:
      return "box";
    case ShapeKind::point:
      break;
  }
  return "point";
}

class Drawer {
 public:
  Drawer(Scene const& scene, std::span<const double> parameters, std::span<const double> inputs)
      : scene_(scene), parameters_(parameters), inputs_(inputs) {}

  SceneDrawing draw() {
    drawing_.dimension = scene_.dimension;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) add_body(static_cast<int>(i));
    for (Contact const& contact : scene_.contacts) {
      if (contact.a.point.body == ground_body && contact.a.shape < 0) add_ground(contact.height);
    }
    for (ContactGroup const& group : scene_.groups) {
      if (group.with_ground) add_ground(group.height);
    }
    for (Rolling const& rolling : scene_.rollings) {
      if (rolling.a.point.body == ground_body && rolling.a.shape < 0) add_ground(rolling.height);
    }
    for (Joint const& joint : scene_.joints) {
      bool const apart = joint.type == JointType::distance;
      add_link(apart ? DrawnLink::Kind::distance : DrawnLink::Kind::joint, joint.name, joint.a, joint.b);
    }
    for (Spring const& spring : scene_.springs) {
      if (!spring.torsional) add_link(DrawnLink::Kind::spring, spring.name, spring.a, spring.b);
    }
    return std::move(drawing_);
  }

 private:
  void add_body(int index) {
    Body const& body = scene_.bodies[static_cast<std::size_t>(index)];
    DrawnBody drawn;
    drawn.name = body.name;
    drawn.moves = body.coordinates > 0;
    drawn.turns = drawn.moves && body.type != BodyType::slider && body.coordinates > scene_.dimension;
    if (body.half_length >= 0) drawn.half_length = parameters_[static_cast<std::size_t>(body.half_length)];
    BodyPose const unmoved;  // at the world's origin, so that places in the world are those in the body
    for (int i = body.first_shape; i < body.first_shape + body.shapes; ++i) {
      PlacedShape const placed = place<double>(scene_, {{index, -1}, i}, -1, unmoved, parameters_);
      drawn.shapes.push_back({kind_name(placed.geometry.kind), placed.geometry.radius, placed.geometry.half,
                              placed.pose.position, quaternion_of_matrix(placed.pose.R)});
    }
    for (std::size_t i = 0; i < scene_.points.size(); ++i) {
      if (scene_.points[i].body == index)
        drawn.points.push_back(point_in_body<double>(scene_, {index, static_cast<int>(i)}, parameters_));
    }
    BodyPose const pose = initial_pose<double>(scene_, index, parameters_, inputs_);
    drawn.place = pose.point(Eigen::Vector3d::Zero());
    drawn.turn = quaternion_of_matrix(pose.R);
    drawing_.bodies.push_back(std::move(drawn));
  }

  void add_ground(int height) {
    double const value = parameters_[static_cast<std::size_t>(height)];
    if (std::ranges::find(drawing_.grounds, value) == drawing_.grounds.end())
      drawing_.grounds.push_back(value);
  }

  void add_link(DrawnLink::Kind kind, std::string const& name, PointReference const& a,
                PointReference const& b) {
    auto const drawn = [&](PointReference const& point) {
      return DrawnPoint{point.body, point_in_body<double>(scene_, point, parameters_)};
    };
    drawing_.links.push_back({kind, name, drawn(a), drawn(b)});
  }

  Scene const& scene_;
  std::span<const double> parameters_, inputs_;
  SceneDrawing drawing_;
};

}  // namespace

Eigen::Vector4d quaternion_of_matrix(Eigen::Matrix3d const& R) {
  Eigen::Quaterniond const q(R);
  Eigen::Vector4d const turn(q.w(), q.x(), q.y(), q.z());
  return turn[0] < 0 ? Eigen::Vector4d(-turn) : turn;
}

SceneDrawing draw_scene(Scene const& scene, std::span<const double> parameters,
                        std::span<const double> inputs) {
  return Drawer(scene, parameters, inputs).draw();
}

}  // namespace delassus
