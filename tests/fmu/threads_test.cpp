// What runs in several threads, or in several workers: each gives the bits that it gives when nothing runs beside it. Under the thread
// sanitizer (`tools/test --threads`) every access to memory that they share is looked at, too.
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "fmu/content/controller_model.hpp"
#include "tests/support/exchange_faces.hpp"
#include "tests/support/program_run.hpp"
#include "tools/import/package_description.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/fmi/description_reader.hpp"
#include "xml/fmi/description_writer.hpp"
#include "xml/fmi/rules.hpp"
#include "xml/ssp/structure_reader.hpp"

namespace delassus::test {
namespace {

constexpr int threads = 8;

// The same work in this thread, then in many at once, each again and again. Nothing but what it returns tells them apart.
template <class Result>
void expect_the_same_together(int rounds, std::function<Result(int)> const& work) {
  std::vector<Result> alone;
  for (int which = 0; which < threads; ++which) alone.push_back(work(which));
  std::vector<std::vector<Result>> together(threads);
  {
    std::vector<std::jthread> workers;
    for (int which = 0; which < threads; ++which) {
      workers.emplace_back([&, which] {
        for (int round = 0; round < rounds; ++round)
          together[static_cast<std::size_t>(which)].push_back(work(which));
      });
    }
  }
  for (std::size_t which = 0; which < threads; ++which) {
    for (Result const& result : together[which]) EXPECT_EQ(result, alone[which]) << "in thread " << which;
  }
}

std::deque<Resources> const& models() {
  static std::deque<Resources> const all = [] {
    std::deque<Resources> list;
    for (char const* name : {"painleve_rod", "belt_blocks", "bouncing_ball", "gripper"})
      list.emplace_back(name);
    return list;
  }();
  return all;
}
Resources const& model_of(int which) {
  return models()[static_cast<std::size_t>(which) % models().size()];
}

std::vector<std::uint32_t> real_references(VariableTable const& table) {
  std::vector<std::uint32_t> references;
  for (Variable const& variable : table.variables()) {
    if (variable.type == VariableType::real && variable.size == 1)
      references.push_back(variable.value_reference);
  }
  return references;
}

template <class Face>
class ThreadsOfInstances : public testing::Test {};

using Faces = testing::Types<Fmi2ExchangeFace, Fmi3ExchangeFace>;
TYPED_TEST_SUITE(ThreadsOfInstances, Faces);

// A life from instantiation to the end, with a log, a state that is taken, written, read by another instance and put back.
TYPED_TEST(ThreadsOfInstances, GiveTheBitsOfOneAloneInCoSimulation) {
  expect_the_same_together<std::vector<double>>(3, [](int which) {
    Resources const& resources = model_of(which);
    std::vector<Logged> log;
    TypeParam face(log), other(log);
    std::string const token = resources.model->token(TypeParam::version),
                      location = TypeParam::location(resources.path());
    auto const references = real_references(resources.model->table());
    std::vector<double> all, values(references.size());
    auto const run = [&](TypeParam& instance, int first) {
      for (int k = first; k < first + 5; ++k) {
        EXPECT_LE(instance.step(k * 2e-3, 2e-3), warning);
        EXPECT_EQ(instance.get(references, values), ok);
        all.insert(all.end(), values.begin(), values.end());
      }
    };
    for (TypeParam* const instance : {&face, &other}) {
      EXPECT_TRUE(instance->instantiate(token.c_str(), location.c_str()));
      EXPECT_EQ(instance->enter(), ok);
      EXPECT_EQ(instance->exit(), ok);
    }
    run(face, 0);
    void *state = nullptr, *copy = nullptr;
    std::vector<std::uint8_t> bytes;
    EXPECT_EQ(face.take(&state), ok);
    EXPECT_EQ(face.serialise(state, bytes), ok);
    EXPECT_EQ(other.deserialise(bytes, &copy), ok);
    EXPECT_EQ(other.put(copy), ok);
    run(face, 5);
    run(other, 5);
    EXPECT_EQ(face.release(&state), ok);
    EXPECT_EQ(other.release(&copy), ok);
    EXPECT_EQ(face.set({0xffffffff}, {1}), error);
    all.push_back(static_cast<double>(log.size()));
    return all;
  });
}

TYPED_TEST(ThreadsOfInstances, GiveTheBitsOfOneAloneInModelExchange) {
  expect_the_same_together<std::vector<double>>(3, [](int which) {
    Resources const& resources = models()[which % 2 == 0 ? 0 : 2];
    std::vector<Logged> log;
    TypeParam face(log);
    bool changed = false, event = false;
    bool fine = face.instantiate_model_exchange(resources.model->token(TypeParam::version).c_str(),
                                                TypeParam::location(resources.path()).c_str()) &&
                face.enter() == ok && face.exit() == ok && face.update(changed) == ok &&
                face.enter_continuous() == ok;
    std::vector<double> x(face.states()), rate(x.size()), indicators(face.indicators()), all;
    fine = fine && face.get_states(x) == ok;
    for (int k = 1; k <= 10; ++k) {
      fine = fine && face.get_derivatives(rate) == ok && face.get_indicators(indicators) == ok;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-4 * rate[i];
      fine = fine && face.set_time(k * 1e-4) == ok && face.set_states(x) == ok && face.completed(event) == ok;
      all.insert(all.end(), x.begin(), x.end());
      all.insert(all.end(), indicators.begin(), indicators.end());
    }
    EXPECT_TRUE(fine);
    return all;
  });
}

// A host may hand an instance from one thread to the next, as long as only one of them calls it at a time.
TEST(Threads, TakeTurnsWithOneInstance) {
  auto const run = [](bool in_threads) {
    SceneRun scene("belt_blocks");
    scene.slave().exit_initialization();
    for (int k = 0; k < 20; ++k) {
      auto const step = [&] { scene.slave().do_step(scene.time(), 2e-3); };
      if (in_threads) {
        std::jthread const worker(step);
      } else {
        step();
      }
    }
    return serialise(scene.slave().snapshot());
  };
  EXPECT_EQ(run(true), run(false));
}

// One model for all, made by one thread and freed by whichever is the last.
TEST(Threads, ShareControllersAndStates) {
  auto const model = std::make_shared<ControllerModel>(
      read_controller_file(std::string(DELASSUS_SCENES_DIR) + "/../controllers/position_pid.xml"));
  auto const start = make_slave(model, {});
  start->setup_experiment(0, {}, {});
  start->enter_initialization();
  start->exit_initialization();
  std::shared_ptr<const SlaveState> const state = start->take_state();
  expect_the_same_together<std::string>(20, [&](int which) {
    auto const slave = make_slave(model, {});
    slave->put_state(*state);
    for (int k = 0; k < 20; ++k) slave->do_step(k * 1e-3, 1e-3);
    return slave->take_state()->bytes() + std::to_string(which);
  });
}

// libxml2, libzip and what we keep beside them, each for the first time in a thread.
TEST(Threads, ReadAndWriteFilesOfTheirOwn) {
  expect_the_same_together<std::string>(3, [](int which) {
    Resources const& resources = model_of(which);
    std::string const text = write_model_description(package_description(*resources.model, 2 + which % 2));
    ModelDescription const description = read_model_description(text, "modelDescription.xml");
    std::string all = write_model_description(description);
    for (Finding const& finding : check_description(description)) all += finding.message;
    try {
      read_system_structure("<a><b></a>", "broken.ssd");
    } catch (StructureError const& error) {
      all += error.what();
    }
    all += write_csv(read_csv("time,a\n0,0.1\n1," + std::to_string(which) + "\n", "table.csv"));
    return all + make_archive({{"modelDescription.xml", text}});
  });
}

class ThreadsOfTheProgram : public Program {};

TEST_F(ThreadsOfTheProgram, SweepToTheSameBytesWithAnyNumberOfWorkers) {
  std::string const sweep =
      "sweep sliding_block --vary block_ground.mu=0.1:0.5:6 --keep block.position --quiet";
  EXPECT_EQ(run(sweep + " --jobs 1 -o one.csv").code, 0);
  Outcome const outcome = run(sweep + " --jobs 4 -o four.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(read_file(path("one.csv")), read_file(path("four.csv")));
}

TEST_F(ThreadsOfTheProgram, CoupleComponentsInChildProcessesToTheSameBytes) {
  ASSERT_EQ(run("examples positioning --copy-to .").code, 0);
  std::string const loop = "cosim positioning/SystemStructure.ssd --stop 0.2 --quiet";
  EXPECT_EQ(run(loop + " -o here.csv").code, 0);
  Outcome const outcome = run(loop + " --isolate -o there.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(read_file(path("here.csv")), read_file(path("there.csv")));
}

// The checker runs two instances in two threads of its child process.
TEST_F(ThreadsOfTheProgram, CheckInstancesInTwoThreads) {
  ASSERT_EQ(run("build bouncing_ball --no-reference -o ball.fmu").code, 0);
  Outcome const outcome = run("check ball.fmu");
  EXPECT_EQ(outcome.output.find("instances-independent"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("crashed"), std::string::npos) << outcome.output << outcome.errors;
}

}  // namespace
}  // namespace delassus::test
