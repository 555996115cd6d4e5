// Nothing is hidden from get and set state: at 1,000 random points of ten scenes, contact transitions among them, a run
// continues to the same bits after a rollback and in another instance. And instances do not know of one another.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "tests/support/scene_run.hpp"

namespace delassus {
namespace {

std::vector<double> everything(SceneSlave& slave) {
  std::vector<double> all;
  for (Variable const& variable : slave.model().table().variables()) {
    if (variable.type == VariableType::clock) continue;
    std::vector<double> values(static_cast<std::size_t>(variable.size));
    slave.get(variable.type, true, {&variable.value_reference, 1}, values);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

void start(SceneSlave& slave) {
  slave.setup_experiment(0, {}, {});
  slave.enter_initialization();
  slave.exit_initialization();
  if (slave.options().event_mode) {
    slave.update_discrete_states();
    slave.leave_event_mode();
  }
}

// A step as a host makes it: events are handled, and inputs wander.
void step(SceneSlave& slave, double size, double push) {
  for (Variable const& variable : slave.model().table().variables()) {
    if (variable.causality != Causality::input) continue;
    std::vector<double> const values(static_cast<std::size_t>(variable.size), push);
    slave.set(VariableType::real, true, {&variable.value_reference, 1}, values);
    break;
  }
  StepResult const result = slave.do_step(slave.time(), size);
  if (!result.event) return;
  slave.enter_event_mode();
  slave.update_discrete_states();
  slave.leave_event_mode();
}

struct Case {
  char const* scene;
  double stepper;
};

class Rollback : public testing::TestWithParam<Case> {};

TEST_P(Rollback, ContinuesToTheSameBitsAtRandomPoints) {
  auto const model = example_model(GetParam().scene);
  SlaveOptions const options{.event_mode = true, .early_return = true};
  SceneSlave slave(model, {}, options), other(model, {}, options);
  std::uint32_t const stepper = reference_of(model->table(), "solver.stepper");
  for (SceneSlave* each : {&slave, &other}) {
    each->set(VariableType::enumeration, true, {&stepper, 1}, {&GetParam().stepper, 1});
    start(*each);
  }
  std::mt19937_64 random(20261117);
  double const usual = model->scene().experiment.step;
  std::uniform_real_distribution<double> size(.01 * usual, 1.5 * usual), push(-1, 1);
  int transitions = 0;
  for (int point = 0; point < 100; ++point) {
    step(slave, size(random), push(random));
    Snapshot const here = slave.snapshot();
    double const sizes[] = {size(random), size(random)}, pushes[] = {push(random), push(random)};
    double const before = slave.snapshot().events[static_cast<std::size_t>(EventValue::count)];
    auto const go_on = [&](SceneSlave& instance) {
      std::vector<double> all;
      for (int k = 0; k < 2; ++k) {
        step(instance, sizes[k], pushes[k]);
        auto const now = everything(instance);
        all.insert(all.end(), now.begin(), now.end());
      }
      return all;
    };
    auto const first = go_on(slave);
    if (slave.snapshot().events[static_cast<std::size_t>(EventValue::count)] > before) ++transitions;
    slave.restore(here);
    EXPECT_EQ(go_on(slave), first) << "point " << point << " at t = " << here.stepper.t;
    other.restore(deserialise(serialise(here)));
    EXPECT_EQ(go_on(other), first) << "in another instance, point " << point << " at t = " << here.stepper.t;
  }
  RecordProperty("points_with_a_transition", transitions);
}

INSTANTIATE_TEST_SUITE_P(
    OfScene, Rollback,
    testing::Values(Case{"bouncing_ball", 1}, Case{"sliding_block", 1}, Case{"painleve_rod", 1},
                    Case{"falling_rod", 1}, Case{"belt_blocks", 1}, Case{"impact", 2}, Case{"gripper", 3},
                    Case{"box_on_edge", 3}, Case{"four_bar", 1}, Case{"shaker_table", 3},
                    Case{"bouncing_ball", 2}, Case{"falling_rod", 2}, Case{"belt_blocks", 2},
                    Case{"box_on_edge", 2}, Case{"slider_crank", 2}, Case{"ladder", 2},
                    Case{"falling_rod", 4}, Case{"box_on_edge", 4}, Case{"box_stack", 2}, Case{"gripper", 2}),
    [](auto const& test) {
      return std::string(test.param.scene) + "_" +
             std::string(stepper_enumeration().name_of(static_cast<int>(test.param.stepper)));
    });

// Each runs through its own steps; what they share is immutable.
TEST(Instances, InEightThreadsGiveTheBitsOfOneAlone) {
  auto const model = example_model("falling_rod");
  auto const run = [&model](int which) {
    SceneSlave slave(model, {}, {});
    start(slave);
    for (int k = 0; k < 40; ++k) step(slave, 2e-3 + 1e-5 * which, 0);
    return everything(slave);
  };
  constexpr int instances = 100, threads = 8;
  std::vector<std::vector<double>> together(instances);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (int i = t; i < instances; i += threads) together[static_cast<std::size_t>(i)] = run(i % 5);
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::vector<std::vector<double>> alone;
  for (int which = 0; which < 5; ++which) alone.push_back(run(which));
  for (int i = 0; i < instances; ++i)
    EXPECT_EQ(together[static_cast<std::size_t>(i)], alone[static_cast<std::size_t>(i % 5)]) << i;
}

}  // namespace
}  // namespace delassus
