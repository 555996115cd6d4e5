#include "tools/simulate/in_process_instance.hpp"

#include <fmt/format.h>

#include "fmu/instance/scene_slave.hpp"

namespace delassus {
namespace {

template <typename Request>
void slave_guard(Request const& request) {
  try {
    request();
  } catch (SlaveError const& error) {
    throw InstanceError(error.status(), error.what());
  } catch (std::exception const& error) {
    throw InstanceError(Status::error, error.what());
  }
}

VariableType type_of(Signal const& signal) {
  if (signal.is_float()) return VariableType::real;
  return signal.type == "Enumeration" ? VariableType::enumeration : VariableType::integer;
}

TypeSet all_types() {
  return TypeSet(VariableType::real) | VariableType::enumeration | VariableType::integer;
}

class SlavePort final : public SignalPort {
 public:
  SlavePort(Slave& slave, std::vector<std::uint32_t> references)
      : slave_(slave), references_(std::move(references)) {}

  void read(std::span<double> values) override {
    slave_guard([&] { slave_.get(all_types(), false, references_, values); });
  }
  void write(std::span<const double> values) override {
    slave_guard([&] { slave_.set(all_types(), false, references_, values); });
  }

 private:
  Slave& slave_;
  std::vector<std::uint32_t> references_;
};

class SlaveInstance final : public SimulatedInstance {
 public:
  SlaveInstance(std::shared_ptr<const Model> const& model, SignalTable signals, InstanceLog log)
      : SimulatedInstance(std::move(signals)),
        log_(std::move(log)),
        slave_(make_slave(model, [this](Status status, std::string_view category, std::string const& text) {
          log_.add({status, std::string(category), text});
        })) {}

  void enter_initialization(RunSettings const& settings) override {
    guard([&] {
      slave_->setup_experiment(settings.start, settings.stop, settings.tolerance);
      slave_->enter_initialization();
    });
  }
  void exit_initialization() override {
    guard([&] { slave_->exit_initialization(); });
  }
  void terminate() override {
    guard([&] { slave_->terminate(); });
  }
  void reset() override {
    guard([&] { slave_->reset(); });
  }
  StepOutcome do_step(double current, double size) override {
    guard([&] { slave_->do_step(current, size); });
    return {current + size, false};
  }

  void set(std::span<const SignalValue> values) override {
    for (SignalValue const& item : values) {
      Signal const& signal = signals()[item.signal];
      guard([&] {
        slave_->set(type_of(signal), false, {&signal.value_reference, 1}, {&std::get<double>(item.value), 1});
      });
    }
  }
  void get(std::span<const std::size_t> indices, std::span<double> values) override {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      Signal const& signal = signals()[indices[i]];
      guard([&] { slave_->get(type_of(signal), false, {&signal.value_reference, 1}, values.subspan(i, 1)); });
    }
  }
  std::string get_text(std::size_t index) override {
    throw InstanceError(Status::error, signals()[index].name + " is no text");
  }

  std::unique_ptr<SignalPort> make_port(std::vector<std::size_t> indices) override {
    std::vector<std::uint32_t> references;
    references.reserve(indices.size());
    for (auto const index : indices) references.push_back(signals()[index].value_reference);
    return std::make_unique<SlavePort>(*slave_, std::move(references));
  }

  bool interpolates_inputs() const override { return true; }
  void set_input_derivatives(std::span<const std::uint32_t> references, int order,
                             std::span<const double> values) override {
    std::vector<int> const orders(references.size(), order);
    guard([&] { slave_->set_input_derivatives(references, orders, values); });
  }
  void output_derivatives(std::span<const std::uint32_t> references, int order,
                          std::span<double> values) override {
    std::vector<std::int32_t> const orders(references.size(), order);
    guard([&] { slave_->output_derivatives(false, references, orders, values); });
  }

  ContactProblem const& contact_problem() override {
    ContactProblem const* problem = nullptr;
    auto* const scene = dynamic_cast<SceneSlave*>(slave_.get());
    if (!scene) throw InstanceError(Status::error, "a controller has no contact problem");
    guard([&] { problem = &scene->contact_problem(); });
    return *problem;
  }

  bool saves_states() const override { return true; }
  bool serializes_states() const override { return true; }
  SavedState save_state() override { return hold(slave_->take_state()); }
  void restore_state(SavedState const& state) override {
    guard([&] { slave_->put_state(*static_cast<SlaveState const*>(state.get())); });
  }
  std::vector<std::uint8_t> serialize(SavedState const& state) override {
    std::string const bytes = static_cast<SlaveState const*>(state.get())->bytes();
    return {bytes.begin(), bytes.end()};
  }
  SavedState deserialize(std::span<const std::uint8_t> bytes) override {
    SavedState state;
    guard([&] {
      state = hold(slave_->read_state({reinterpret_cast<char const*>(bytes.data()), bytes.size()}));
    });
    return state;
  }

 private:
  static SavedState hold(std::unique_ptr<SlaveState> state) {
    return std::shared_ptr<SlaveState>(std::move(state));
  }

  template <typename Request>
  void guard(Request const& request) {
    log_.start_call();
    slave_guard(request);
  }

  InstanceLogBook log_;
  std::unique_ptr<Slave> slave_;
};

}  // namespace

std::unique_ptr<SimulatedInstance> make_in_process_instance(std::shared_ptr<const Model> const& model,
                                                            SignalTable signals, InstanceLog log) {
  return std::make_unique<SlaveInstance>(model, std::move(signals), std::move(log));
}

}  // namespace delassus
