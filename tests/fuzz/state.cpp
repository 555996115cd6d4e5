// Serialised states with a seal that fits, given to an instance: a refused one leaves it as it was, with any other it goes on for a
// few steps. The first byte says which model and interface type, the state follows.
#include <vector>

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/model_run.hpp"
#include "tests/fuzz/sealed_mutation.hpp"
#include "xml/scene/reader.hpp"

using namespace delassus;

namespace {

struct Subject {
  std::string name;
  std::shared_ptr<const Model> model;
  bool exchange = false;
};

std::vector<Subject> const& subjects() {
  static auto const all = [] {
    std::vector<Subject> list;
    for (char const* name : {"painleve_rod", "belt_blocks", "gripper", "bouncing_ball", "sliding_block",
                             "rolling_ball", "box_on_edge"}) {
      auto const model = std::make_shared<SceneModel>(
          read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml"));
      list.push_back({name, model, false});
      if (model->table().offers_model_exchange())
        list.push_back({std::string(name) + "_exchange", model, true});
    }
    for (char const* name : {"position_pid", "gripper_force"}) {
      list.push_back({name, std::make_shared<ControllerModel>(read_controller_file(
                                std::string(DELASSUS_CONTROLLERS_DIR) + "/" + name + ".xml"))});
    }
    return list;
  }();
  return all;
}

std::unique_ptr<Slave> instance_of(Subject const& subject) {
  SlaveOptions options;
  options.model_exchange = subject.exchange;
  return make_slave(subject.model, {}, options);
}

}  // namespace

fuzz::Seeds fuzz::seeds() {
  Seeds all;
  for (std::size_t i = 0; i < subjects().size(); ++i) {
    std::string const which(1, static_cast<char>(i));
    auto const slave = instance_of(subjects()[i]);
    all[subjects()[i].name + "_before"] = which + slave->take_state()->bytes();
    slave->setup_experiment(0, 10, {});
    slave->enter_initialization();
    all[subjects()[i].name + "_initialisation"] = which + slave->take_state()->bytes();
    go_on(*slave);
    all[subjects()[i].name + "_later"] = which + slave->take_state()->bytes();
  }
  return all;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutate_sealed(data, size, most, seed, 1);
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size == 0) return 0;
  Subject const& subject = subjects()[*data % subjects().size()];
  auto const slave = instance_of(subject);
  slave->setup_experiment(0, {}, {});
  slave->enter_initialization();
  slave->exit_initialization();
  std::string const before = slave->take_state()->bytes();
  bool taken = false;
  try {
    slave->put_state(*slave->read_state(fuzz::text_of(data + 1, size - 1)));
    taken = true;
  } catch (std::runtime_error const&) {
    fuzz::demand_always(slave->take_state()->bytes() == before,
                        "a refused state leaves the instance as it was");
  }
  if (taken) {
    std::string const bytes = slave->take_state()->bytes();
    slave->put_state(*slave->read_state(bytes));
    fuzz::demand_always(slave->take_state()->bytes() == bytes,
                        "a state that was taken over can be taken over again");
  }
  fuzz::go_on(*slave);
  return 0;
}
