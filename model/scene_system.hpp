// The System of a Scene.
#pragma once

#include <array>

#include "model/scene.hpp"
#include "model/system.hpp"

namespace delassus {

class SceneSystem final : public System {
 public:
  explicit SceneSystem(Scene const& scene);  // the scene must outlive the system

  int configuration_size() const override { return degrees_of_freedom_; }
  int velocity_size() const override { return degrees_of_freedom_; }
  std::span<const ConstraintBlock> blocks() const override { return blocks_; }
  Terms make_terms() const override;
  void evaluate(Instant const& at, Terms& terms) const override;
  void configuration_rate(std::span<const double> q, std::span<const double> v,
                          std::span<double> qdot) const override;
  double potential_energy(Instant const& at) const override;

  // The configuration and velocity that the parameters ask for.
  void initial_state(std::span<const double> parameter, std::span<double> q, std::span<double> v) const;

  struct PointMotion {
    std::array<double, 3> position{};  // m, in the world
    std::array<double, 3> velocity{};  // m/s
  };
  PointMotion motion_of(PointReference const& point, Instant const& at) const;

 private:
  Scene const* scene_;
  int degrees_of_freedom_;
  std::vector<ConstraintBlock> blocks_;  // contacts in their order, then frictions in theirs
};

}  // namespace delassus
