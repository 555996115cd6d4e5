#include "tests/fuzz/model_run.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "tests/fuzz/fuzz_target.hpp"

namespace delassus::fuzz {
namespace {

// A refusal is an answer. Whatever else is thrown is a finding.
template <class Call>
bool accepted(Call const& call) {
  try {
    call();
    return true;
  } catch (SlaveError const&) {
    return false;
  }
}

void read_all(Slave& slave) {
  std::vector<double> values;
  for (Variable const& variable : slave.model().table().variables()) {
    values.assign(static_cast<std::size_t>(variable.size), 0.0);
    std::uint32_t const reference = variable.value_reference;
    accepted([&] { slave.get(variable.type, true, {&reference, 1}, values); });
  }
}

void integrate(Slave& slave) {
  std::vector<double> x(slave.states()), rate(x.size()), indicators(slave.event_indicators());
  double const step = short_step(slave.model());
  for (int k = 0; k < 2; ++k) {
    accepted([&] {
      slave.get_states(x);
      slave.get_derivatives(rate);
      slave.get_event_indicators(indicators);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += step * rate[i];
      slave.set_time(slave.time() + step);
      slave.set_states(x);
      read_all(slave);
      if (slave.completed_integrator_step()) slave.enter_event_mode();
    });
  }
}

}  // namespace

double short_step(Model const& model) {
  double shortest = 5e-5;
  for (Variable const& variable : model.table().variables()) {
    if (variable.unit != UnitId::second || variable.causality != Causality::parameter) continue;
    for (double const start : variable.start) {
      if (start > 0) shortest = std::min(shortest, start);
    }
  }
  return 20 * shortest;
}

void go_on(Slave& slave) {
  if (slave.phase() == Phase::instantiated) {
    if (!accepted([&] { slave.setup_experiment(0, {}, {}); })) return;
    slave.enter_initialization();
  }
  if (slave.phase() == Phase::initialization) {
    read_all(slave);
    if (!accepted([&] { slave.exit_initialization(); })) return;
  }
  double const step = short_step(slave.model());
  for (int k = 0; k < 3; ++k) {
    read_all(slave);
    if (slave.phase() == Phase::event) {
      for (int i = 0; i < 3; ++i) {
        bool again = false;
        if (!accepted([&] { again = slave.update_discrete_states().again; }) || !again) break;
      }
      accepted([&] { slave.leave_event_mode(); });
    }
    if (slave.phase() == Phase::step) accepted([&] { slave.do_step(slave.time(), step); });
    if (slave.phase() == Phase::continuous) integrate(slave);
  }
  read_all(slave);
}

void run_model(std::shared_ptr<const Model> const& model) {
  for (bool const exchange : {false, true}) {
    if (exchange && !model->table().offers_model_exchange()) continue;
    SlaveOptions options;
    options.model_exchange = exchange;
    auto const slave = make_slave(model, {}, options);
    go_on(*slave);
    auto const state = slave->take_state();
    std::string const bytes = state->bytes();
    demand_always(slave->read_state(bytes)->bytes() == bytes, "a state reads back as it was written");
    slave->put_state(*slave->read_state(bytes));
    demand_always(slave->take_state()->bytes() == bytes, "a state that is restored is the same");
    go_on(*slave);
    slave->reset();
  }
}

std::map<std::string, std::string> files_of(std::filesystem::path const& folder, std::string const& ending) {
  std::map<std::string, std::string> files;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ending) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files[entry.path().parent_path().filename().string() + "_" + entry.path().filename().string()] = {
        std::istreambuf_iterator<char>(stream), {}};
  }
  if (files.empty()) throw std::runtime_error("no " + ending + " in " + folder.string());
  return files;
}

}  // namespace delassus::fuzz
