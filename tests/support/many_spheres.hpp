// side x side spheres on the ground, each for itself, and a stepper that moves them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/time/stepper.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {

class ManySpheres {
 public:
  explicit ManySpheres(int side)
      : scene(compile_scene(read_scene_source(text(side), "spheres.xml"))),
        system(scene),
        parameters(scene.default_parameters()),
        inputs(scene.default_inputs()) {}
  ManySpheres(ManySpheres const&) = delete;
  ManySpheres& operator=(ManySpheres const&) = delete;

  std::unique_ptr<Stepper> started(StepperKind kind) const {
    StepperSettings settings;
    settings.kind = kind;
    settings.tolerance = 1e-6;
    auto stepper = make_stepper(system, settings);
    std::vector<double> q(static_cast<std::size_t>(scene.configuration_size)),
        v(static_cast<std::size_t>(scene.velocity_size));
    system.initial_state(parameters, inputs, q, v);
    stepper->start(0, q, v);
    return stepper;
  }
  void step(Stepper& stepper) const { stepper.advance(stepper.time() + 1e-3, inputs, parameters); }

  Scene scene;
  SceneSystem system;
  std::vector<double> parameters, inputs;

 private:
  static std::string text(int side) {
    std::string const n = std::to_string(side);
    return R"(<scene name="spheres" dimension="3"><gravity acceleration="0.5 0 -9.81"/>
      <body name="ball" type="rigid" density="1000"><sphere radius="0.05"/><initial position="0 0 0.05" velocity="0.1 0.2 0"/>
      <lattice count=")" +
           n + " " + n + R"( 1" spacing="0.2 0.2 1"/></body><contacts name="floor" mu="0.3"/></scene>)";
  }
};

}  // namespace delassus
