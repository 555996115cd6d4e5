// The controller in plain C that users copy: it keeps the standard, and in a loop it is the controller that a few lines of XML make.
#include <gtest/gtest.h>

#include "tests/support/closed_loop.hpp"
#include "tools/check/fmu_check.hpp"
#include "tools/package/runnable_model.hpp"

namespace delassus {
namespace {

TEST(PlainCController, PassesEveryCheck) {
  CheckReport const report = check_fmu(DELASSUS_PLAIN_C_CONTROLLER, {});
  EXPECT_EQ(report.fmi_version, 3);
  EXPECT_TRUE(report.exercised);
  EXPECT_FALSE(report.failed);
  for (Finding const& finding : report.findings) ADD_FAILURE() << finding.rule << ": " << finding.message;
}

// A component of the loop, by names.
class Component {
 public:
  explicit Component(std::string const& file) : model_(file, 0), instance_(model_.instantiate({})) {
    instance_->enter_initialization(RunSettings{});
  }
  void set(std::string const& name, double value) {
    SignalValue const setting{index(name), value};
    instance_->set({&setting, 1});
  }
  double get(std::string const& name) {
    std::size_t const signal = index(name);
    double value = 0;
    instance_->get({&signal, 1}, {&value, 1});
    return value;
  }
  SimulatedInstance& instance() { return *instance_; }

 private:
  std::size_t index(std::string const& name) const {
    auto const found = instance_->signals().find(name);
    if (!found) throw std::invalid_argument("no variable " + name);
    return *found;
  }

  RunnableModel model_;
  std::unique_ptr<SimulatedInstance> instance_;
};

// Where the block comes to, at each millisecond.
std::vector<double> positions_with(Component& controller) {
  Component plant(system_file("positioning", "block.xml").string());
  for (Component* each : {&controller, &plant}) each->instance().exit_initialization();
  std::vector<double> positions;
  double const step = 1e-3;
  for (int k = 0; k < 2000; ++k) {
    controller.set("setpoint", 0.05);
    controller.set("measurement", plant.get("block.position"));
    controller.instance().do_step(k * step, step);
    plant.set("drive", controller.get("output"));
    plant.instance().do_step(k * step, step);
    positions.push_back(plant.get("block.position"));
  }
  return positions;
}

TEST(PlainCController, ClosesALoopAsTheControllerInXmlDoes) {
  std::map<std::string, double> const gains{
      {"proportional_gain", 120}, {"integral_gain", 80}, {"derivative_gain", 15}, {"sample_time", 2e-3}};
  Component plain(DELASSUS_PLAIN_C_CONTROLLER);
  for (auto const& [name, value] : gains) plain.set(name, value);
  TemporaryFolder const folder;
  auto const file = folder.path() / "same.xml";
  std::ofstream(file)
      << R"(<controller name="same"><pid proportional_gain="1" rate_weight="1" output_minimum="-1e6" output_maximum="1e6"/></controller>)";
  Component described(file.string());
  for (auto const& [name, value] : gains) described.set(name, value);
  auto const one = positions_with(plain), other = positions_with(described);
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i], other[i], 1e-9) << i;
  EXPECT_NEAR(one.back(), 0.05, 0.01);
}

}  // namespace
}  // namespace delassus
