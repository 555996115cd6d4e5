// Many functions have the same arguments in FMI 2 and FMI 3 and other names. Each version gives a table of its own; the
// part of an instance that only calls them stands here once.
#pragma once

#include "tools/import/foreign_instance.hpp"

namespace delassus {

template <typename Function>
struct NamedFunction {
  Function function = nullptr;
  char const* name = "";
};

// Result: fmi2Status or fmi3Status; Byte: fmi2Byte or fmi3Byte. Instances and states are void* in both.
template <typename Result, typename Byte>
struct VersionedFunctions {
  template <typename... Arguments>
  using Function = NamedFunction<Result (*)(void* instance, Arguments...)>;

  Function<> exit_initialization, terminate, reset, enter_continuous_time_mode;
  Function<void**> get_state, free_state;
  Function<void*> set_state;
  Function<void*, std::size_t*> serialized_size;
  Function<void*, Byte*, std::size_t> serialize;
  Function<Byte const*, std::size_t, void**> deserialize;
  Function<double> set_time;
  Function<double const*, std::size_t> set_continuous_states;
  Function<double*, std::size_t> get_continuous_states, get_derivatives, get_indicators, get_nominals;
};

template <typename Result, typename Byte>
class VersionedInstance : public ForeignInstance, protected ModelExchangeFace {
 public:
  using Functions = VersionedFunctions<Result, Byte>;

  VersionedInstance(InstanceContext const& context, InstanceRequest const& request,
                    Functions const& functions)
      : ForeignInstance(context, request), common_(functions) {}

  ModelExchangeFace* model_exchange() override {
    return kind_ == InterfaceKind::model_exchange ? this : nullptr;
  }

  void exit_initialization() override { invoke(common_.exit_initialization); }
  void terminate() override { invoke(common_.terminate); }
  void reset() override { invoke(common_.reset); }

  SavedState save_state() override {
    void* state = nullptr;
    invoke(common_.get_state, &state);
    return own(state);
  }
  void save_state_over(SavedState& state) override {
    void* pointer = state.get();
    if (pointer == nullptr) {
      state = save_state();
    } else {
      invoke(common_.get_state, &pointer);
    }
  }
  void restore_state(SavedState const& state) override { invoke(common_.set_state, state.get()); }

  std::vector<std::uint8_t> serialize(SavedState const& state) override {
    std::size_t size = 0;
    invoke(common_.serialized_size, state.get(), &size);
    std::vector<std::uint8_t> bytes(size);
    invoke(common_.serialize, state.get(), reinterpret_cast<Byte*>(bytes.data()), size);
    return bytes;
  }
  SavedState deserialize(std::span<const std::uint8_t> bytes) override {
    void* state = nullptr;
    invoke(common_.deserialize, reinterpret_cast<Byte const*>(bytes.data()), bytes.size(), &state);
    return own(state);
  }

 protected:
  void enter_continuous_time_mode() override { invoke(common_.enter_continuous_time_mode); }
  void set_time(double time) override { invoke(common_.set_time, time); }
  void set_states(std::span<const double> states) override {
    invoke(common_.set_continuous_states, states.data(), states.size());
  }
  void get_states(std::span<double> states) override {
    invoke(common_.get_continuous_states, states.data(), states.size());
  }
  void get_derivatives(std::span<double> derivatives) override {
    invoke(common_.get_derivatives, derivatives.data(), derivatives.size());
  }
  void get_indicators(std::span<double> indicators) override {
    invoke(common_.get_indicators, indicators.data(), indicators.size());
  }
  void get_nominals(std::span<double> nominals) override {
    invoke(common_.get_nominals, nominals.data(), nominals.size());
  }

 private:
  template <typename Function, typename... Arguments>
  void invoke(NamedFunction<Function> const& function, Arguments... arguments) {
    call(function.function, function.name, arguments...);
  }

  SavedState own(void* state) {
    return {state, [this](void* pointer) {
              if (common_.free_state.function != nullptr) common_.free_state.function(handle_, &pointer);
            }};
  }

  Functions common_;
};

}  // namespace delassus
