// The dependencies that the description tells are the true ones: what is not listed has no effect, and what
// is listed has one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

using Effects = std::map<std::string, std::set<std::string>>;  // output -> what changed it

std::vector<double> read(SceneSlave& slave, Variable const& variable) {
  std::vector<double> values(static_cast<std::size_t>(variable.size));
  slave.get(variable.type, true, {&variable.value_reference, 1}, values);
  return values;
}

// Which knowns change which outputs, found by changing each a little, at the start or at a communication
// point.
Effects effects_of_changes(std::shared_ptr<const SceneModel> const& model,
                           std::map<std::string, double> const& state, bool at_start) {
  Effects effects;
  auto const make = [&] {
    auto run = std::make_unique<SceneRun>(model, state);
    if (!at_start) run->run_to(1e-3);
    return run;
  };
  auto const reference_run = make();
  for (Variable const& known : model->table().variables()) {
    bool const settable = known.causality == Causality::input || known.causality == Causality::parameter;
    if (!settable || known.type != VariableType::real) continue;
    if (!at_start && known.variability == Variability::fixed) continue;
    for (int element = 0; element < known.size; ++element) {
      auto const run = make();
      std::string const name = VariableTable::element_name(known, element);
      double const value = run->get(name);
      run->set(name, value == 0 ? 0.01 : value * 0.99);
      for (Variable const& output : model->table().variables()) {
        if (output.initial != Initial::calculated) continue;
        if (read(run->slave(), output) != read(reference_run->slave(), output))
          effects[output.name].insert(known.name);
      }
    }
  }
  return effects;
}

std::set<std::string> names(VariableTable const& table, std::vector<std::uint32_t> const& references) {
  std::set<std::string> result;
  for (std::uint32_t const reference : references) result.insert(table.find(reference).variable->name);
  return result;
}

std::string const two_bodies =
    R"(<scene name="two"><interface analysis="yes"/><gravity acceleration="0.1 -9.81"/>
<body name="rod" type="planar" mass="1"><rod half_length="1"/><point name="tip" fraction="-1"/><point name="hand" position="0.5 0.1"/>
<initial point="hand" position="0.8 1.2" velocity="-1 -0.1" angle="1" angular_velocity="1"/></body>
<contact name="tip_ground" point="rod.tip" mu="0.3" zeta="0.25" tangential_zeta="0.25" height="-0.116"/>
<force name="push" point="rod.hand" value="1 1"/>
<torque name="drive" body="rod" value="0.1"/>
<body name="block" type="point" mass="2"><initial position="0 1" velocity="1 1"/></body>
<friction name="table" point="block" bound="1"/>
<force name="pull" point="block" value="0.3 0"/></scene>)";

class Dependencies : public testing::TestWithParam<bool> {};

TEST_P(Dependencies, AreTheTrueOnes) {
  bool const at_start = GetParam();
  auto const model =
      std::make_shared<const SceneModel>(compile_scene(read_scene_source(two_bodies, "two.xml")));
  VariableTable const& table = model->table();
  Effects const slipping = effects_of_changes(model, {}, at_start);
  // Stick shows what slip hides (a friction force at its bound does not care for the push).
  Effects const sticking = effects_of_changes(model,
                                              {{"tip_ground.mu", 50},
                                               {"table.bound", 1e4},
                                               {"block.initial.velocity[1]", .1},
                                               {"rod.initial.velocity[1]", -.01}},
                                              at_start);
  std::map<std::string, std::set<std::string>> seen = slipping;
  for (auto const& [output, knowns] : sticking) seen[output].insert(knowns.begin(), knowns.end());

  for (Variable const& output : table.variables()) {
    if (output.initial != Initial::calculated) continue;
    std::set<std::string> listed;
    if (at_start) {
      listed = names(table, output.initial_dependencies);
    } else {
      listed = names(table, output.input_dependencies);
      listed.merge(names(table, output.parameter_dependencies));
    }
    for (std::string const& known : seen[output.name]) {
      if (output.causality == Causality::calculated_parameter && !at_start) continue;
      EXPECT_TRUE(listed.contains(known)) << output.name << " follows " << known << ", which is not listed";
    }
    // A mode, a count and a rounding error do not change with every little change of what they depend on, nor does a
    // ratio of inertias with what scales them all.
    bool const of_cone = output.name.ends_with(".mu_crit") || output.name.ends_with(".mu_jam") ||
                         output.name.ends_with(".margin") || output.name.ends_with(".locking_angle");
    if (output.type != VariableType::real || output.name == "contact.residual" || of_cone) continue;
    // The point whose motion is given starts there, whatever its place on the body: what is listed cancels.
    if (at_start && output.name.starts_with("rod.hand.world_")) continue;
    for (std::string const& known : listed) {
      Variable const& variable = *std::find_if(table.variables().begin(), table.variables().end(),
                                               [&](auto const& v) { return v.name == known; });
      if (variable.type != VariableType::real || known == "solver.step") continue;
      if (!at_start && variable.variability == Variability::fixed) continue;
      EXPECT_TRUE(seen[output.name].contains(known))
          << output.name << " does not follow " << known << ", which is listed";
    }
  }
}

// Of the scenes of the library: what changes an output is listed. (That every listed one has an effect at
// this very state cannot be asked of them: a contact that is open, a limit that is far.)
void expect_all_listed(std::shared_ptr<const SceneModel> const& model) {
  VariableTable const& table = model->table();
  for (bool const at_start : {true, false}) {
    for (auto const& [name, knowns] : effects_of_changes(model, {}, at_start)) {
      Variable const& output = *std::find_if(table.variables().begin(), table.variables().end(),
                                             [&name = name](auto const& v) { return v.name == name; });
      if (output.causality == Causality::calculated_parameter && !at_start) continue;
      std::set<std::string> listed =
          names(table, at_start ? output.initial_dependencies : output.input_dependencies);
      if (!at_start) listed.merge(names(table, output.parameter_dependencies));
      for (std::string const& known : knowns) {
        EXPECT_TRUE(listed.contains(known))
            << name << " follows " << known << ", which is not listed" << (at_start ? " (start)" : "");
      }
    }
  }
}

class DependenciesOfScene : public testing::TestWithParam<std::string> {};

TEST_P(DependenciesOfScene, AreAllListed) {
  expect_all_listed(example_model(GetParam()));
}

// The velocities at the start follow from those of the carriage, as joints allow them.
TEST(DependenciesOfJoints, OnBodiesWithPrescribedVelocitiesAreAllListed) {
  for (char const* const type : {"prismatic", "revolute", "fixed"}) {
    std::string const scene =
        std::string(
            "<scene name='finger'><body name='carriage' type='prescribed'><initial position='0 0.5'/><motion "
            "input='yes' velocity='0 0'/></body><body name='finger' type='planar' mass='0.5'><box "
            "half_size='0.02 0.1'/><initial position='-0.12 0.1'/></body><joint name='slide' type='") +
        type + "' a='finger' b='carriage'/></scene>";
    expect_all_listed(
        std::make_shared<const SceneModel>(compile_scene(read_scene_source(scene, "finger.xml"))));
  }
}

// The stack, the pile and the forty loops have hundreds of variables of the same few kinds.
INSTANTIATE_TEST_SUITE_P(OfOutputs, DependenciesOfScene,
                         testing::Values("articulated_arm", "belt_blocks", "biped_foot", "block_on_slope",
                                         "bouncing_ball", "box_on_edge", "four_bar", "gripper",
                                         "iftomm_a01_pendulum", "iftomm_a02_four_bar_2",
                                         "iftomm_a03_squeezer", "iftomm_a04_bricard", "iftomm_a05_governor",
                                         "ladder", "painleve_jam", "painleve_klein", "pendulum",
                                         "rolling_ball", "rolling_disc", "shaker_table", "skate",
                                         "slider_crank", "sliding_block", "song_rod", "spinning_top",
                                         "wheel_on_rail"),
                         [](auto const& test) { return test.param; });

INSTANTIATE_TEST_SUITE_P(OfOutputs, Dependencies, testing::Bool(), [](auto const& test) {
  return test.param ? "AtTheStart" : "AtCommunicationPoints";
});

}  // namespace
}  // namespace delassus
