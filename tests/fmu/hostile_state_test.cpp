// FMU states that no instance has written: their seal is right and what it holds is not. Each is refused, with a
// message, by an instance that goes on to the bits of one that was never asked; or it is one that an instance could
// have, and steps from it end in finite outputs or an error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "tests/support/exchange_faces.hpp"
#include "tests/support/hostile/byte_mutations.hpp"
#include "tests/support/scenes/many_elements.hpp"

namespace delassus::test {
namespace {

// So many changes are tried of each kind and state, evenly spread; all with DELASSUS_ALL_MUTATIONS=1.
std::size_t most_changes() {
#ifdef DELASSUS_SANITIZED
  std::size_t const usual = 40;
#else
  std::size_t const usual = 150;
#endif
  return std::getenv("DELASSUS_ALL_MUTATIONS") ? std::numeric_limits<std::size_t>::max() : usual;
}

// What a host does with an instance of this model, through one of both faces.
template <class Face>
class Host {
 public:
  Host(VariableTable const& table, std::string const& token, std::string const& location, bool exchanges,
       std::vector<Logged>& log)
      : face(log), log_(log), exchanges_(exchanges) {
    bool const there = exchanges ? face.instantiate_model_exchange(token.c_str(), location.c_str())
                                 : face.instantiate(token.c_str(), location.c_str(), false);
    EXPECT_TRUE(there);
    for (Variable const& variable : table.variables()) {
      if (variable.type != VariableType::real || variable.causality != Causality::output) continue;
      auto const own = Face::references(table, {variable.name});
      references_.insert(references_.end(), own.begin(), own.end());
      elements_ += static_cast<std::size_t>(variable.size);
    }
    for (Variable const& variable : table.variables()) {
      if (variable.enumeration && variable.causality == Causality::output)
        choices_.push_back({variable.value_reference, static_cast<int>(variable.enumeration->items.size())});
    }
    step_ = table.default_experiment().step;
    t_ = table.default_experiment().start;
  }

  void start() {
    ASSERT_EQ(face.enter(t_), ok);
    ASSERT_EQ(face.exit(), ok);
    if (!exchanges_) return;
    bool changed = false;
    ASSERT_EQ(face.update(changed), ok);
    ASSERT_EQ(face.enter_continuous(), ok);
  }

  // One step; Euler's where the host integrates.
  int step() {
    if (!exchanges_) {
      int const status = face.step(t_, step_);
      if (status == ok) t_ += step_;
      return status;
    }
    std::vector<double> x(face.states()), rates(x.size());
    if (face.get_states(x) != ok || face.get_derivatives(rates) != ok) return error;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-5 * rates[i];
    t_ += 1e-5;
    bool event = false;
    if (face.set_time(t_) != ok || face.set_states(x) != ok) return error;
    return face.completed(event);
  }

  int outputs(std::vector<double>& values) {
    values.assign(elements_, 0.0);
    int worst = face.get(references_, values);
    for (auto const& [reference, items] : choices_) {
      int value = 0;
      int const status = face.get_enumeration(reference, value);
      EXPECT_TRUE(status != ok || (value >= 1 && value <= items)) << value;
      worst = std::max(worst, status);
      values.push_back(value);
    }
    return worst;
  }

  std::string state() {
    void* taken = nullptr;
    std::vector<std::uint8_t> bytes;
    EXPECT_EQ(face.take(&taken), ok);
    EXPECT_EQ(face.serialise(taken, bytes), ok);
    face.release(&taken);
    return {bytes.begin(), bytes.end()};
  }

  // Whether it was taken over. Every refusal says why.
  bool take_over(std::string const& bytes) {
    void* given = nullptr;
    log_.clear();
    int status = face.deserialise({bytes.begin(), bytes.end()}, &given);
    if (status == ok) status = face.put(given);
    face.release(&given);
    EXPECT_EQ(status != ok, !log_.empty()) << status;
    EXPECT_TRUE(status == ok || log_.front().message.size() > 30) << log_.front().message;
    return status == ok;
  }

  double time() const { return t_; }
  void set_clock(double t) { t_ = t; }

  Face face;

 private:
  std::vector<Logged>& log_;
  bool exchanges_;
  std::vector<std::uint32_t> references_;
  std::size_t elements_ = 0;
  std::vector<std::pair<std::uint32_t, int>> choices_;
  double step_ = 0, t_ = 0;
};

// A host may set a mass of 1e-320 kg as well, whose outputs are infinite. Numbers of a machine are none of these.
bool is_moderate(Snapshot const& s) {
  auto const all = [](std::vector<double> const& values) {
    return std::all_of(values.begin(), values.end(), [](double value) {
      return value == 0 || (std::abs(value) > 1e-30 && std::abs(value) < 1e30);
    });
  };
  StepperState::Interval const& i = s.stepper.interval;
  bool forces = true;
  for (BlockForce const& force : s.stepper.lambda) forces &= all({force.lambda.begin(), force.lambda.end()});
  for (BlockForce const& force : i.lambda) forces &= all({force.lambda.begin(), force.lambda.end()});
  return forces && all(s.parameters) && all(s.inputs) && all(s.inputs_seen) && all(s.input_derivatives) &&
         all(s.held_outputs) && all(s.stepper.x) && all(i.x) && all(i.x_end) && all(i.dxdt) &&
         all(i.dxdt_end) && all(i.x_after);
}

struct Counts {
  int refused = 0, taken = 0, failed = 0;
};

template <class Face>
Counts pester(VariableTable const& table, std::string const& token, std::filesystem::path const& resources,
              bool exchanges, int steps_before, int steps_of_stepper) {
  Counts counts;
  std::vector<Logged> log, log_of_twin;
  std::string const location = Face::location(resources);
  Host<Face> host(table, token, location, exchanges, log),
      twin(table, token, location, exchanges, log_of_twin);
  host.start();
  twin.start();
  for (int k = 0; k < steps_before; ++k) {
    EXPECT_EQ(host.step(), ok);
    EXPECT_EQ(twin.step(), ok);
  }
  std::string const good = host.state();
  EXPECT_TRUE(good == twin.state());
  double const now = host.time();
  auto const attack = [&](std::string const& bytes, std::string const& what) {
    if (testing::Test::HasFatalFailure()) return;
    SCOPED_TRACE(what);
    if (!host.take_over(bytes)) {
      ++counts.refused;
      // Compared now and then: it takes longer than the refusal.
      EXPECT_TRUE(counts.refused % 16 != 0 || host.state() == good);
      return;
    }
    ++counts.taken;
    bool const moderate = is_moderate(deserialise(bytes));
    std::vector<double> values;
    bool failed = false;
    for (int k = 0; k < steps_of_stepper && !failed; ++k) {
      failed = host.outputs(values) != ok || host.step() != ok;
      if (failed || !moderate) continue;
      EXPECT_TRUE(
          std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }));
    }
    if (failed) ++counts.failed;
    ASSERT_TRUE(host.take_over(good));
    host.set_clock(now);
  };
  ByteMutations mutations(good);
  mutations.keep(most_changes());
  mutations.truncate(attack);
  mutations.change_bytes(attack);
  mutations.replace_numbers(attack);
  mutations.resize_lists(attack);
  std::mt19937_64 random(20261120);
  mutations.shuffle(500, random, attack);

  // It goes on as its twin does.
  EXPECT_TRUE(host.state() == good);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(host.step(), ok);
    EXPECT_EQ(twin.step(), ok);
  }
  std::vector<double> values, expected;
  EXPECT_EQ(host.outputs(values), ok);
  EXPECT_EQ(twin.outputs(expected), ok);
  EXPECT_EQ(values, expected);
  EXPECT_TRUE(host.state() == twin.state());
  return counts;
}

struct Case {
  char const* scene;
  int stepper;  // 0: that of the scene
  int steps;    // before it is pestered
  bool exchanges = false;
};

class HostileStateOf : public testing::TestWithParam<Case> {};

// A scene whose stepper is this one.
std::shared_ptr<const SceneModel> model_with(std::string const& scene, int stepper) {
  Scene changed = scene == "many_elements" ? scene_of_many_elements() : example_model(scene)->scene();
  if (stepper > 0) changed.solver.stepper = static_cast<StepperKind>(stepper);
  return std::make_shared<const SceneModel>(std::move(changed));
}

template <class Face>
void pester_scene(Case const& of) {
  auto const model = model_with(of.scene, of.stepper);
  TemporaryFolder const folder;
  std::ofstream(folder.path() / scene_archive_name, std::ios::binary) << model->archive();
  Counts const counts =
      pester<Face>(model->table(), model->token(Face::version), folder.path(), of.exchanges, of.steps, 2);
  EXPECT_GT(counts.refused, 50);
  EXPECT_GT(counts.taken, 5);
  testing::Test::RecordProperty("refused", counts.refused);
  testing::Test::RecordProperty("taken_over", counts.taken);
  testing::Test::RecordProperty("failed_in_their_steps", counts.failed);
}

TEST_P(HostileStateOf, IsRefusedOrLeadsToFiniteOutputsOrAnErrorInFmi2) {
  pester_scene<Fmi2ExchangeFace>(GetParam());
}
TEST_P(HostileStateOf, IsRefusedOrLeadsToFiniteOutputsOrAnErrorInFmi3) {
  pester_scene<Fmi3ExchangeFace>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Scene, HostileStateOf,
                         testing::Values(Case{"belt_blocks", 1, 20}, Case{"belt_blocks", 2, 20},
                                         Case{"gripper", 3, 10}, Case{"bouncing_ball", 1, 40},
                                         Case{"many_elements", 2, 20}, Case{"many_elements", 1, 5},
                                         Case{"painleve_rod", 1, 3}, Case{"slider_crank", 2, 5},
                                         Case{"spinning_top", 0, 2}, Case{"box_on_edge", 4, 5},
                                         Case{"sliding_block", 0, 0}, Case{"sliding_block", 1, 5, true},
                                         Case{"bouncing_ball", 1, 20, true}),
                         [](auto const& test) {
                           return std::string(test.param.scene) + "_" + std::to_string(test.param.stepper) +
                                  (test.param.exchanges ? "_exchange" : "");
                         });

enum class Resized { shorter, longer, much_longer, emptied };

template <class List>
bool resize(List& list, Resized how) {
  if (list.empty() && (how == Resized::shorter || how == Resized::emptied)) return false;
  if (how == Resized::shorter) list.pop_back();
  if (how == Resized::longer) list.resize(list.size() + 1);
  if (how == Resized::much_longer) list.resize(list.size() + 100'000);
  if (how == Resized::emptied) list.clear();
  return true;
}

struct ListOfState {
  char const* name;
  bool may_be_empty;
  bool (*resize)(Snapshot&, Resized);
};

#define DELASSUS_LIST(member, may_be_empty)                                                \
  {                                                                                        \
#member, may_be_empty, [](Snapshot & s, Resized how) { return resize(s.member, how); } \
  }

// A list of another length than the model has was read and written behind its end.
template <class Face>
void resize_each_list(Case const& of) {
  auto const model = model_with(of.scene, of.stepper);
  TemporaryFolder const folder;
  std::ofstream(folder.path() / scene_archive_name, std::ios::binary) << model->archive();
  std::vector<Logged> log;
  Host<Face> host(model->table(), model->token(Face::version), Face::location(folder.path()), of.exchanges,
                  log);
  host.start();
  for (int k = 0; k < of.steps; ++k) ASSERT_EQ(host.step(), ok);
  std::string const good = host.state();
  static constexpr ListOfState lists[]{
      DELASSUS_LIST(parameters, false),
      DELASSUS_LIST(inputs, false),
      DELASSUS_LIST(inputs_seen, false),
      DELASSUS_LIST(input_derivatives, true),
      DELASSUS_LIST(held_outputs, true),
      DELASSUS_LIST(stepper.x, false),
      DELASSUS_LIST(stepper.sides, true),
      DELASSUS_LIST(stepper.modes, true),
      DELASSUS_LIST(stepper.interval.x, false),
      DELASSUS_LIST(stepper.interval.dxdt, false),
      DELASSUS_LIST(stepper.interval.x_end, false),
      DELASSUS_LIST(stepper.interval.dxdt_end, false),
      DELASSUS_LIST(stepper.interval.x_after, true),
      DELASSUS_LIST(stepper.interval.sides_end, false),
  };
  int refused = 0;
  for (ListOfState const& list : lists) {
    for (Resized const how : {Resized::shorter, Resized::longer, Resized::much_longer, Resized::emptied}) {
      bool const has_interval = deserialise(good).stepper.has_interval;
      bool const of_interval = std::string(list.name).starts_with("stepper.interval");
      if ((list.may_be_empty || (of_interval && !has_interval)) && how == Resized::emptied) continue;
      Snapshot snapshot = deserialise(good);
      if (!list.resize(snapshot, how)) continue;
      SCOPED_TRACE(list.name + std::string(", change ") + std::to_string(static_cast<int>(how)));
      EXPECT_FALSE(host.take_over(serialise(snapshot)));
      EXPECT_TRUE(host.state() == good);
      ++refused;
    }
  }
  EXPECT_GT(refused, 20);
  EXPECT_EQ(host.step(), ok);
}
#undef DELASSUS_LIST

TEST(HostileState, WithAListOfAnotherLengthIsRefused) {
  for (Case const& of : {Case{"belt_blocks", 1, 20}, Case{"belt_blocks", 2, 20}, Case{"gripper", 3, 10},
                         Case{"painleve_rod", 1, 5, true}}) {
    SCOPED_TRACE(of.scene);
    resize_each_list<Fmi2ExchangeFace>(of);
    resize_each_list<Fmi3ExchangeFace>(of);
  }
}

// The other side of every refusal: what an instance has written, in any phase of its life, is read.
TEST(OwnState, OfEverySceneIsNeverRefused) {
  int read = 0;
  for (auto const& entry : std::filesystem::directory_iterator(DELASSUS_SCENES_DIR)) {
    if (entry.path().extension() != ".xml") continue;
    std::string const name = entry.path().stem().string();
    for (int const stepper : {0, 1, 2, 3, 4}) {
      if (stepper > 0 && (name == "sphere_pile" || name.starts_with("iftomm"))) continue;  // they take long
      SCOPED_TRACE(name + " with stepper " + std::to_string(stepper));
      auto const model = model_with(name, stepper);
      bool const exchanges = stepper == 0 && model->table().offers_model_exchange();
      SceneSlave slave(model, {}, {.model_exchange = exchanges, .event_mode = stepper == 2});
      auto const look = [&] {
        std::string const bytes = slave.take_state()->bytes();
        EXPECT_NO_THROW(slave.put_state(*slave.read_state(bytes)));
        EXPECT_TRUE(slave.take_state()->bytes() == bytes);
        ++read;
      };
      look();
      slave.setup_experiment(model->scene().experiment.start, {}, {});
      slave.enter_initialization();
      look();
      slave.exit_initialization();
      look();
      if (slave.phase() == Phase::event) {
        slave.update_discrete_states();
        look();
        slave.leave_event_mode();
      }
      look();
      for (int k = 0; k < 4 && !exchanges; ++k) {
        slave.do_step(slave.time(), 1e-3);
        look();
      }
      if (exchanges) {
        std::vector<double> x(slave.states());
        slave.get_states(x);
        slave.set_states(x);
        slave.completed_integrator_step();
        look();
      }
      slave.terminate();
      look();
    }
  }
  EXPECT_GT(read, 500);
}

}  // namespace
}  // namespace delassus::test
