// Random everyday scenes (tests/support/scenes/random_scene.hpp) against what every motion obeys: energy, momentum
// and frames.
//
// More scenes: RC_PARAMS="seed=7 max_success=20000" random_scene_test. A scene that fails is printed with its recipe; saved
// as a file, `delassus simulate` runs it.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "tests/support/scenes/random_scene.hpp"
#include "tests/support/scenes/scene_motion.hpp"

namespace delassus {
namespace {

using Problem = std::optional<std::string>;
constexpr long no_bound = std::numeric_limits<long>::max();
// Internal steps of the adaptive stepper, after which a run is given up without a verdict.
constexpr long bounded = 2000;
// Of the smallest half width: `nonsmooth` lets a feature that appears in a step press in by 0.2 of it, and two of them
// may do so before they are moved apart.
constexpr double deepest = 0.5;
// J, of scenes in SI: what lies still has less.
constexpr double rounding_of_energy = 1e-20;

StepperSettings with(StepperKind kind, double step, double tolerance = 1e-8) {
  StepperSettings settings;
  settings.kind = kind;
  settings.step = step;
  settings.tolerance = tolerance;
  return settings;
}

// A run that ends early says when, what and why.
Problem bad_reason(std::string const& message) {
  if (message.find("t = ") == std::string::npos) return "a failure without its time: " + message;
  if (message.size() < 40) return "a failure without a reason: " + message;
  return {};
}

// What the energy of a motion is measured by: kinetic energy, what springs hold, and the work of the weights over the
// extent of the scene.
double energy_scale(SceneMotion& motion) {
  double weight = 0, extent = 0, height = 0;
  Scene const& scene = motion.scene();
  std::vector<double> const parameters = scene.default_parameters();
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  for (int i = 0; scene.gravity >= 0 && i < scene.dimension; ++i)
    gravity[i] = parameters[static_cast<std::size_t>(scene.gravity + i)];
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    Body const& body = scene.bodies[i];
    if (!body.moves_freely()) continue;
    double const mass = parameters[static_cast<std::size_t>(body.mass)];
    weight += mass * gravity.norm();
    height -= mass * gravity.dot(motion.place(i));
    extent = std::max(extent, (motion.place(i) - motion.place(0)).norm());
  }
  auto const energy = motion.energy();
  return energy.kinetic + std::abs(energy.potential - height) + weight * extent + 1e-300;
}

// The smallest half width of a shape, m.
double smallest_size(Scene const& scene) {
  double smallest = std::numeric_limits<double>::infinity();
  std::vector<double> const parameters = scene.default_parameters();
  for (Shape const& shape : scene.shapes) {
    if (shape.radius >= 0) smallest = std::min(smallest, parameters[static_cast<std::size_t>(shape.radius)]);
    for (int i = 0; shape.half_size >= 0 && i < scene.dimension; ++i)
      smallest = std::min(smallest, parameters[static_cast<std::size_t>(shape.half_size + i)]);
  }
  return smallest;
}

// What a run comes to. It may end early, with a reason; a bound on its work ends it too, without a verdict.
struct Outcome {
  Problem problem;
  bool ended_early = false, out_of_work = false;
  double gain = 0;             // of energy, relative to its scale
  double gain_of_kinetic = 0;  // the same, relative to the largest kinetic energy until then
  bool told = false;
  double overlap = 0;  // of rigid shapes, relative to the smallest
  std::string reason;
};

// Numbers stay finite, no energy comes from nowhere, and rigid bodies do not sink into each other. In space the angle of a
// torsion spring is measured within half a turn, where its energy jumps: the run is judged until one comes near to that.
Outcome run_with_energy(std::string const& text, StepperSettings const& settings, double end, int points,
                        long most_steps, double most_gain, double most_overlap) {
  Outcome outcome;
  SceneMotion motion(text, settings);
  double largest_kinetic = motion.energy().kinetic;
  double const start = motion.energy().total(), scale = energy_scale(motion),
               size = smallest_size(motion.scene());
  auto const say = [&](char const* what, double value) {
    std::ostringstream message;
    message << what << value << " at t = " << motion.time() << " s";
    if (!outcome.problem) outcome.problem = message.str();
  };
  try {
    for (int k = 1; k <= points; ++k) {
      if (!motion.run_to(end * k / points, most_steps)) {
        outcome.out_of_work = true;
        break;
      }
      for (double const x : motion.stepper().state().x) {
        if (!std::isfinite(x)) say("not finite: ", x);
      }
      if (motion.largest_twist() > 2.5) break;
      auto const energy = motion.energy();
      largest_kinetic = std::max(largest_kinetic, energy.kinetic);
      double const gain = (energy.total() - start) / scale, overlap = motion.overlap() / size;
      outcome.gain = std::max(outcome.gain, gain);
      if (largest_kinetic > rounding_of_energy)
        outcome.gain_of_kinetic = std::max(outcome.gain_of_kinetic, gain * scale / largest_kinetic);
      outcome.overlap = std::max(outcome.overlap, overlap);
      if (!(gain <= most_gain)) say("energy grows by the share ", gain);
      if (!(overlap <= most_overlap)) say("rigid bodies overlap by the share ", overlap);
    }
  } catch (StepFailure const& failure) {
    outcome.ended_early = true;
    outcome.reason = failure.what();
    if (!outcome.problem) outcome.problem = bad_reason(failure.what());
  }
  outcome.told = motion.told_energy();
  return outcome;
}

// Momentum and angular momentum of bodies that nothing holds, largest relative error.
double momentum_error(std::string const& text, StepperSettings const& settings, double end, int points,
                      long most_steps) {
  SceneMotion motion(text, settings);
  auto const start = motion.momentum();
  double worst = 0;
  try {
    for (int k = 1; k <= points && motion.run_to(end * k / points, most_steps); ++k) {
      auto const now = motion.momentum();
      double const linear = std::max(start.linear_scale, now.linear_scale),
                   angular = std::max(start.angular_scale, now.angular_scale);
      if (linear > 0) worst = std::max(worst, (now.linear - start.linear).norm() / linear);
      if (angular > 0) worst = std::max(worst, (now.angular - start.angular).norm() / angular);
    }
  } catch (StepFailure const&) {
    // Judged by the other test.
  }
  return worst;
}

// How far a run in another frame or in other units is from this one, relative to the extent of the scene; nothing: one of
// them ended early.
std::optional<double> frame_error(SceneRecipe const& recipe, SceneFrame const& frame,
                                  StepperSettings settings, double end, long most_steps) {
  SceneMotion one(random_scene(recipe), settings);
  settings.step *= frame.second;
  SceneMotion other(random_scene(recipe, frame), settings);
  try {
    if (!one.run_to(end, most_steps) || !other.run_to(end * frame.second, most_steps)) return {};
  } catch (StepFailure const&) {
    return {};
  }
  double worst = 0, extent = smallest_size(one.scene());
  for (std::size_t i = 0; i < one.scene().bodies.size(); ++i) {
    if (!one.scene().bodies[i].moves_freely()) continue;
    Eigen::Vector3d const expected = frame.turn * one.place(i) + frame.shift;
    worst = std::max(worst, (other.place(i) / frame.metre - expected).norm());
    extent = std::max(extent, (one.place(i) - one.place(0)).norm());
  }
  return worst / extent;
}

// Units that are powers of two of the others leave every bit of a number but its exponent. A constant in metres, or a sum of
// metres and radians, does not.
struct Units {
  char const* name;
  double metre, kilogram, second;
};
constexpr Units units_of_two[] = {{"length 1/1024 m", 0x1p10, 1, 1},
                                  {"mass 1/1024 kg", 1, 0x1p10, 1},
                                  {"time 1/1024 s", 1, 1, 0x1p10},
                                  {"1/1024 m, kg and s", 0x1p10, 0x1p10, 0x1p10},
                                  {"bodies of micrometres in SI", 0x1p-16, 0x1p-48, 0x1p-8},
                                  {"bodies of kilometres in SI", 0x1p14, 0x1p42, 0x1p7}};

// The same seed on every machine, unless RC_PARAMS asks for another.
template <class Property>
void check_scenes(int count, Property const& property) {
  auto const* const test = testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestParams params;
  params.seed = 20171;
  params.maxSuccess = count;
  params.disableShrinking = true;  // unless RC_PARAMS says noshrink=0: smaller scenes take their time
#ifdef DELASSUS_TEST_SCALE
  params.maxSuccess = std::max(1, count / DELASSUS_TEST_SCALE);
#endif
  if (char const* const asked = std::getenv("RC_PARAMS")) {
    rc::detail::Configuration defaults;
    defaults.testParams = params;
    params = rc::detail::configFromString(asked, defaults).testParams;
  }
  auto const result =
      rc::detail::checkTestable(property, rc::detail::TestMetadata{test->name(), test->name()}, params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  FAIL() << message.str() << "\nRC_PARAMS=\"seed=" << params.seed << "\"";
}

// What a scene may have. Anything; nothing compliant; nothing that holds it; nothing but joints and springs.
enum class Kind { any, rigid, free, smooth, free_and_smooth };

SceneRecipe some_recipe(Kind kind, int most_bodies = 10) {
  auto const flag = rc::gen::arbitrary<bool>();
  auto const mostly = rc::gen::map(rc::gen::inRange(0, 4), [](int i) { return i > 0; });
  auto const never = rc::gen::just(false);
  bool const holds = kind != Kind::free && kind != Kind::free_and_smooth,
             meets = kind != Kind::smooth && kind != Kind::free_and_smooth;
  return *rc::gen::resize(
      100,
      rc::gen::build<SceneRecipe>(
          rc::gen::set(&SceneRecipe::seed,
                       rc::gen::noShrink(rc::gen::inRange<std::uint64_t>(0, 1ULL << 40U))),
          rc::gen::set(&SceneRecipe::bodies, rc::gen::inRange(2, most_bodies + 1)),
          rc::gen::set(&SceneRecipe::space, flag), rc::gen::set(&SceneRecipe::floor, holds ? mostly : never),
          rc::gen::set(&SceneRecipe::gravity, mostly),
          rc::gen::set(&SceneRecipe::contacts, meets ? mostly : never),
          rc::gen::set(&SceneRecipe::joints, flag), rc::gen::set(&SceneRecipe::springs, flag),
          rc::gen::set(&SceneRecipe::compound, flag), rc::gen::set(&SceneRecipe::wide_masses, flag),
          rc::gen::set(&SceneRecipe::law_of_each, flag),
          rc::gen::set(&SceneRecipe::compliant, kind == Kind::rigid ? never : flag),
          rc::gen::set(&SceneRecipe::smooth_friction, kind == Kind::rigid ? never : flag),
          rc::gen::set(&SceneRecipe::dissipation, meets ? flag : never),
          rc::gen::set(&SceneRecipe::limits, meets ? flag : never)));
}

std::string told(char const* what, double value) {
  return (std::ostringstream() << what << value).str();
}

void expect_none(SceneRecipe const& recipe, Problem const& problem) {
  if (problem) RC_LOG() << recipe << "\n" << random_scene(recipe);
  if (problem) RC_FAIL(*problem);
}

TEST(RandomScenes, GainNoEnergyAtLongSteps) {
  check_scenes(1000, [] {
    SceneRecipe const recipe = some_recipe(Kind::rigid);
    expect_none(recipe, run_with_energy(random_scene(recipe), with(StepperKind::nonsmooth, 5e-3), .1, 20,
                                        no_bound, 1e-9, deepest)
                            .problem);
  });
}

TEST(RandomScenes, GainNoEnergyInAdaptiveSteps) {
  check_scenes(50, [] {
    SceneRecipe const recipe = some_recipe(Kind::rigid);
    expect_none(recipe,
                run_with_energy(random_scene(recipe), with(StepperKind::nonsmooth_adaptive, 5e-3, 1e-6), .1,
                                20, bounded, 1e-9, deepest)
                    .problem);
  });
}

// Contacts (64) with a small zeta and a large delta hold energy and may create some: the stepper says so, at the next
// communication point, or ends with a reason before it.
TEST(RandomScenes, OfRelaxedContactsTellEnergyThatTheyGain) {
  constexpr double any = std::numeric_limits<double>::infinity();
  check_scenes(50, [] {
    SceneRecipe const recipe = some_recipe(Kind::rigid);
    Outcome const outcome =
        run_with_energy(random_scene(recipe), with(StepperKind::relaxed, 5e-3), .1, 20, bounded, any, any);
    Problem problem = outcome.problem;
    if (!problem && !outcome.ended_early && !outcome.told &&
        outcome.gain_of_kinetic > 2 * told_share_of_relaxed)
      problem = told("energy grows silently by the share ", outcome.gain_of_kinetic);
    expect_none(recipe, problem);
  });
}
// Compliant contacts hold energy in features that come and go within a step, which is exact to its square only.
TEST(RandomScenes, GainLittleEnergyInCompliantContactsAtLongSteps) {
  check_scenes(200, [] {
    SceneRecipe const recipe = some_recipe(Kind::any);
    expect_none(recipe, run_with_energy(random_scene(recipe), with(StepperKind::nonsmooth, 5e-3), .1, 20,
                                        no_bound, 1e-2, deepest)
                            .problem);
  });
}

TEST(RandomScenes, KeepMomentumWhereNothingHoldsThem) {
  check_scenes(300, [] {
    SceneRecipe const recipe = some_recipe(Kind::free_and_smooth);
    for (StepperKind const kind : {StepperKind::nonsmooth, StepperKind::relaxed}) {
      double const error = momentum_error(random_scene(recipe), with(kind, 5e-3), .05, 5, bounded);
      expect_none(recipe, error < 1e-9 ? Problem{} : told("momentum changes by the share ", error));
    }
  });
}

// Moving bodies apart that overlap is no exception. Of up to ten bodies, one scene in some thousand is above 1e-9 (8e-9 was
// seen); the bound is that of AreTheSameFromEverySide.
void expect_momentum(int most_bodies, double most) {
  check_scenes(1000, [&] {
    SceneRecipe const recipe = some_recipe(Kind::free, most_bodies);
    double const error =
        momentum_error(random_scene(recipe), with(StepperKind::nonsmooth, 5e-3), .05, 5, no_bound);
    expect_none(recipe, error < most ? Problem{} : told("momentum changes by the share ", error));
  });
}

TEST(RandomScenes, KeepMomentumInContactsWhereNothingHoldsThem) {
  expect_momentum(4, 1e-9);
}
TEST(RandomScenes, OfManyBodiesKeepMomentumInContactsWhereNothingHoldsThem) {
  expect_momentum(10, 1e-7);
}

// The largest difference of these 200 scenes is above 1e-9 (2e-8 was seen). The bound is that at which a step accepts
// estimates that no longer come nearer to each other, 1e-7 of the velocity.
TEST(RandomScenes, AreTheSameFromEverySide) {
  check_scenes(200, [] {
    SceneRecipe const recipe = some_recipe(Kind::smooth);
    auto const error =
        frame_error(recipe, random_frame(recipe), with(StepperKind::nonsmooth, 5e-3), .05, no_bound);
    expect_none(recipe, error.value_or(0) < 1e-7 ? Problem{} : told("differs by the share ", *error));
  });
}

// What touches: bodies in contact, without joints and springs. To the bit: the scene of a micrometre and that of ten kilometres are
// the one of a metre in other units.
void expect_the_same_in_all_units(int most_bodies, double most) {
  check_scenes(300, [&] {
    SceneRecipe recipe = some_recipe(Kind::rigid, most_bodies);
    recipe.joints = recipe.springs = false;
    for (Units const& units : units_of_two) {
      auto const error =
          frame_error(recipe, {.metre = units.metre, .kilogram = units.kilogram, .second = units.second},
                      with(StepperKind::nonsmooth, 5e-3), .05, no_bound);
      expect_none(recipe, error.value_or(0) <= most
                              ? Problem{}
                              : (std::ostringstream()
                                 << "differs by the share " << *error << " in units of " << units.name)
                                    .str());
    }
  });
}

TEST(RandomScenes, WithContactsMoveTheSameInAllUnits) {
  expect_the_same_in_all_units(4, 0);
}
// A sum in another order is enough to end a sweep elsewhere.
TEST(RandomScenes, OfManyBodiesMoveAlmostTheSameInAllUnits) {
  expect_the_same_in_all_units(10, 1e-7);
}

// Joints weigh lengths and angles against each other when they look for the forces of redundant rows, so that results in
// millimetres agree as estimates do that no longer come nearer to each other (4e-7 was the largest difference of 1,000 scenes).
TEST(RandomScenes, WithJointsAndSpringsMoveTheSameInMillimetresAndGrams) {
  check_scenes(300, [] {
    SceneRecipe const recipe = some_recipe(Kind::smooth);
    auto const error = frame_error(recipe, millimetres(), with(StepperKind::nonsmooth, 5e-3), .05, no_bound);
    expect_none(recipe, error.value_or(0) < 1e-6 ? Problem{} : told("differs by the share ", *error));
  });
}

}  // namespace
}  // namespace delassus
