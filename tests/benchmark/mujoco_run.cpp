#include <mujoco/mujoco.h>

#include <cstring>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "model/scene/body_pose.hpp"
#include "tests/support/engine_run.hpp"

namespace delassus {
namespace {

std::string text(double const* numbers, int count) {
  std::ostringstream out;
  out << std::setprecision(17);
  for (int i = 0; i < count; ++i) out << (i > 0 ? " " : "") << numbers[i];
  return out.str();
}

std::string text(Eigen::Vector3d const& vector) {
  return text(vector.data(), 3);
}

std::string plane(Eigen::Vector3d const& position, Eigen::Vector3d const& normal) {
  return "<geom type='plane' size='0 0 1' pos='" + text(position) + "' zaxis='" + text(normal) + "'/>";
}

std::string model_text(Scene const& scene, std::span<const double> q, double mu, double step) {
  auto const parameters = scene.default_parameters();
  std::ostringstream out;
  out << std::setprecision(17) << "<mujoco><option timestep='" << step
      << "' cone='elliptic' solver='Newton' gravity='"
      << text(vector_parameter<double>(parameters, scene.gravity, 3))
      << "'/><size njmax='6000' nconmax='2000'/>"
      << "<default><geom condim='3' friction='" << mu << " 0.005 0.0001'/></default><worldbody>"
      << plane(Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ());
  for (Body const& body : scene.bodies) {
    bool const moves = body.moves_freely();
    double const* const x = q.data() + body.first_coordinate;
    if (moves) out << "<body pos='" << text(x, 3) << "' quat='" << text(x + 3, 4) << "'><freejoint/>";
    for (int k = 0; k < body.shapes; ++k) {
      Shape const& shape = scene.shapes[static_cast<std::size_t>(body.first_shape + k)];
      ShapeGeometry const geometry = geometry_of<double>(scene, shape, parameters);
      if (shape.kind == ShapeKind::plane) {
        out << plane(vector_parameter<double>(parameters, shape.position, 3),
                     vector_parameter<double>(parameters, shape.normal, 3));
        continue;
      }
      bool const sphere = shape.kind == ShapeKind::sphere;
      out << "<geom type='" << (sphere ? "sphere" : "box") << "' size='"
          << (sphere ? text(&geometry.radius, 1) : text(geometry.half)) << "' mass='"
          << parameters[static_cast<std::size_t>(body.mass)] << "'/>";
    }
    if (moves) out << "</body>";
  }
  out << "</worldbody></mujoco>";
  return out.str();
}

class MujocoRun final : public EngineRun {
 public:
  MujocoRun(Scene const& scene, std::span<const double> q, std::span<const double> v, double mu, double step)
      : v_(v.begin(), v.end()) {
    std::string const text = model_text(scene, q, mu, step);
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    char error[1000] = "";
    model_ = mj_loadXML("scene.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw std::runtime_error(error);
    data_ = mj_makeData(model_);
    for (Body const& body : scene.bodies) {
      bodies_.push_back(body.moves_freely() ? moving_bodies_ : -1);
      if (body.moves_freely()) ++moving_bodies_;
    }
  }
  ~MujocoRun() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoRun(MujocoRun const&) = delete;
  MujocoRun& operator=(MujocoRun const&) = delete;

  void start() override {
    mj_resetData(model_, data_);
    // Nothing turns at the start: MuJoCo's angular velocity is in the frame of the body, ours in the world's.
    std::copy(v_.begin(), v_.end(), data_->qvel);
  }
  void step() override { mj_step(model_, data_); }
  Eigen::Vector3d position(int body) const override {
    double const* const x = data_->qpos + 7 * bodies_[static_cast<std::size_t>(body)];
    return {x[0], x[1], x[2]};
  }
  int contacts() const override { return data_->ncon; }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<double> v_;
  std::vector<int> bodies_;
  int moving_bodies_ = 0;
};

}  // namespace

std::unique_ptr<EngineRun> mujoco_run(Scene const& scene, std::span<const double> q,
                                      std::span<const double> v, double mu, double step) {
  return std::make_unique<MujocoRun>(scene, q, v, mu, step);
}

}  // namespace delassus
