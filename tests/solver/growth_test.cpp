// Scenes of many bodies cost time and memory in proportion to their number. Times are a benchmark's affair
// (benchmark_growth); here what they come from is counted.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/problem/form_matrix.hpp"
#include "solver/time/stepper.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/many_spheres.hpp"

namespace delassus {
namespace {

class Spheres : public testing::TestWithParam<StepperKind> {};

TEST_P(Spheres, OnAPlaneNeedNoAllocationAfterTheFirstStep) {
  ManySpheres spheres(10);
  auto const stepper = spheres.started(GetParam());
  spheres.step(*stepper);
  spheres.step(*stepper);
  long const before = test::allocation_count;
  for (int k = 0; k < 20; ++k) spheres.step(*stepper);
  EXPECT_EQ(test::allocation_count - before, 0);
}

INSTANTIATE_TEST_SUITE_P(Steppers, Spheres,
                         testing::Values(StepperKind::relaxed, StepperKind::nonsmooth, StepperKind::implicit),
                         [](auto const& test) {
                           return std::string(stepper_enumeration().name_of(static_cast<int>(test.param)));
                         });

TEST(ManySpheresOnAPlane, AreAsManyIndependentProblems) {
  for (int const side : {3, 10, 32}) {
    ManySpheres spheres(side);
    auto const stepper = spheres.started(StepperKind::implicit);
    spheres.step(*stepper);
    Dynamics const& dynamics = stepper->observe(spheres.inputs, spheres.parameters);
    std::size_t const count = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    EXPECT_EQ(dynamics.terms().blocks.size(), count);
    EXPECT_EQ(dynamics.terms().J.size(), count);
    ContactProblem problem = dynamics.problem();
    form_matrix(problem);
    EXPECT_EQ(problem.A.entries(), count);  // the diagonal alone
    EXPECT_LT(dynamics.solution().residual, 1e-12);
  }
}

// A contact that is left out because it is far carries no force: the motion is the same where it is never
// left out.
TEST(ContactsThatAreFar, AreLeftOutWithoutConsequence) {
  std::string const text = R"(<scene name="drop"><gravity acceleration="0 -9.81"/><solver tolerance="1e-10"/>
    <body name="ball" type="planar" density="1000"><sphere radius="0.1"/><initial position="0 0.6" velocity="3 -2" angular_velocity="5"/></body>
    <contact name="c" point="ball" mu="0.3" zeta="0.2" delta="5e-3"/></scene>)";
  Scene const scene = compile_scene(read_scene_source(text, "drop.xml"));
  SceneSystem const system(scene);
  auto const parameters = scene.default_parameters(), inputs = scene.default_inputs();
  std::vector<double> q(3), v(3);
  system.initial_state(parameters, inputs, q, v);
  // With a step of a second named, nothing is far enough.
  class Near final : public System {
   public:
    explicit Near(SceneSystem const& system) : system_(system) {}
    int configuration_size() const override { return system_.configuration_size(); }
    int velocity_size() const override { return system_.velocity_size(); }
    Terms make_terms() const override { return system_.make_terms(); }
    void evaluate(Instant const& at, Terms& terms) const override {
      Instant near = at;
      near.step = 1;
      system_.evaluate(near, terms);
    }
    void configuration_rate(Instant const& at, std::span<double> qdot) const override {
      system_.configuration_rate(at, qdot);
    }
    double potential_energy(Instant const& at) const override { return system_.potential_energy(at); }
    std::string block_name(BlockIdentity identity) const override { return system_.block_name(identity); }

   private:
    SceneSystem const& system_;
  };
  Near const near(system);
  StepperSettings settings;
  settings.tolerance = 1e-10;
  auto const usual = make_stepper(system, settings), always = make_stepper(near, settings);
  for (Stepper* stepper : {usual.get(), always.get()}) {
    stepper->start(0, q, v);
    for (int k = 1; k <= 100; ++k) stepper->advance(k * 0.01, inputs, parameters);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    // Not to the bit: the first step is shorter where a contact is there.
    EXPECT_NEAR(usual->q()[i], always->q()[i], 1e-6);
    EXPECT_NEAR(usual->v()[i], always->v()[i], 1e-6);
  }
}

}  // namespace
}  // namespace delassus
