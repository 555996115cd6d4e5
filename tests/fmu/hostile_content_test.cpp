// Compiled scenes and controllers that the compiler has not written: their seal is right and what they hold is not. Each
// is refused with a reason, or it is one that the compiler could have written, and an instance of it runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fmu/instance/sampled_slave.hpp"
#include "tests/support/hostile/byte_mutations.hpp"
#include "tests/support/scene_run.hpp"
#include "tests/support/scenes/many_elements.hpp"

namespace delassus::test {
namespace {

// So many changes are tried of each kind and file, evenly spread; all with DELASSUS_ALL_MUTATIONS=1.
std::size_t most_changes() {
#ifdef DELASSUS_SANITIZED
  std::size_t const usual = 60;
#else
  std::size_t const usual = 250;
#endif
  return std::getenv("DELASSUS_ALL_MUTATIONS") ? std::numeric_limits<std::size_t>::max() : usual;
}

struct Counts {
  int refused = 0, used = 0;
};

void run(Slave& slave, Counts& counts) {
  VariableTable const& table = slave.model().table();
  try {
    double const start = table.default_experiment().start;
    slave.setup_experiment(start, {}, {});
    slave.enter_initialization();
    slave.exit_initialization();
    for (int k = 0; k < 2; ++k) slave.do_step(slave.time(), 1e-4);
    for (Variable const& variable : table.variables()) {
      if (variable.causality != Causality::output || variable.type == VariableType::clock) continue;
      std::vector<double> values(static_cast<std::size_t>(variable.size));
      slave.get(variable.type, true, {&variable.value_reference, 1}, values);
    }
    ++counts.used;
  } catch (SlaveError const& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
  }
}

template <class Use>
Counts change_all(std::string const& archive, Use const& use) {
  Counts counts;
  ByteMutations mutations(archive);
  mutations.keep(most_changes());
  auto const visit = [&](std::string const& bytes, std::string const& what) {
    SCOPED_TRACE(what);
    try {
      use(bytes, counts);
    } catch (std::runtime_error const& error) {  // SceneError among them
      EXPECT_GT(std::string(error.what()).size(), 20U) << error.what();
      ++counts.refused;
    }
  };
  mutations.truncate(visit);
  mutations.change_bytes(visit);
  mutations.replace_numbers(visit);
  mutations.resize_lists(visit);
  std::mt19937_64 random(20261120);
  mutations.shuffle(200, random, visit);
  return counts;
}

class HostileScene : public testing::TestWithParam<char const*> {};

TEST_P(HostileScene, IsRefusedOrRuns) {
  std::string const name = GetParam(), archive = name == "many_elements"
                                                     ? write_scene_archive(scene_of_many_elements())
                                                     : example_model(name)->archive();
  Counts const counts = change_all(archive, [](std::string const& bytes, Counts& so_far) {
    auto const model = std::make_shared<const SceneModel>(read_scene_archive(bytes));
    SceneSlave slave(model, {});
    run(slave, so_far);
  });
  EXPECT_GT(counts.refused, 100);
  EXPECT_GT(counts.used, 10);
  RecordProperty("refused", counts.refused);
  RecordProperty("run", counts.used);
}

INSTANTIATE_TEST_SUITE_P(Of, HostileScene,
                         testing::Values("belt_blocks", "gripper", "four_bar", "box_stack", "skate",
                                         "many_elements", "slider_crank", "shaker_table"),
                         [](auto const& test) { return std::string(test.param); });

class HostileController : public testing::TestWithParam<char const*> {};

std::shared_ptr<const ControllerModel> controller_named(std::string const& name) {
  return std::make_shared<const ControllerModel>(
      read_controller_file(std::string(DELASSUS_SCENES_DIR) + "/../controllers/" + name + ".xml"));
}

TEST_P(HostileController, IsRefusedOrRuns) {
  Counts const counts =
      change_all(controller_named(GetParam())->archive(), [](std::string const& bytes, Counts& so_far) {
        auto const model = std::make_shared<const ControllerModel>(read_controller_archive(bytes));
        SampledSlave slave(model, {});
        run(slave, so_far);
      });
  EXPECT_GT(counts.refused, 100);
  EXPECT_GT(counts.used, 10);
}

// The state of a controller: refused, or a step from it is made or fails; and a refused one changes nothing.
TEST_P(HostileController, HasStatesThatAreRefusedOrRun) {
  auto const model = controller_named(GetParam());
  SampledSlave slave(model, {}), twin(model, {});
  double const h =
      model->controller()
          .default_parameters()[static_cast<std::size_t>(model->controller().parameter("sample_time"))];
  for (SampledSlave* const each : {&slave, &twin}) {
    each->setup_experiment(0, {}, {});
    each->enter_initialization();
    each->exit_initialization();
    each->do_step(0, 3 * h);
  }
  std::string const good = slave.take_state()->bytes();
  double const now = slave.time();
  Counts const counts = change_all(good, [&](std::string const& bytes, Counts& so_far) {
    try {
      auto const state = slave.read_state(bytes);
      slave.put_state(*state);
    } catch (std::runtime_error const&) {
      EXPECT_EQ(slave.take_state()->bytes(), good);
      throw;
    }
    ++so_far.used;
    try {
      if (slave.phase() == Phase::step) slave.do_step(slave.time(), h);
    } catch (SlaveError const& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
    }
    slave.put_state(*slave.read_state(good));
  });
  EXPECT_GT(counts.refused, 100);
  EXPECT_GT(counts.used, 10);
  slave.do_step(now, h);
  twin.do_step(now, h);
  EXPECT_EQ(slave.take_state()->bytes(), twin.take_state()->bytes());
}

INSTANTIATE_TEST_SUITE_P(Of, HostileController,
                         testing::Values("balance", "disturbance", "gripper_force", "position_compensator",
                                         "position_pid"),
                         [](auto const& test) { return std::string(test.param); });

// What the compiler writes is what can be read, of every scene and controller of the library.
TEST(CompiledContent, OfTheLibraryIsRead) {
  int scenes = 0;
  for (auto const& entry : std::filesystem::directory_iterator(DELASSUS_SCENES_DIR)) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().string());
    std::string const archive = write_scene_archive(read_scene_file(entry.path().string()));
    EXPECT_EQ(write_scene_archive(read_scene_archive(archive)), archive);
    ++scenes;
  }
  EXPECT_GT(scenes, 30);
}

}  // namespace
}  // namespace delassus::test
