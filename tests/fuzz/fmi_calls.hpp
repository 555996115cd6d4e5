// Bytes as a sequence of FMI calls on two instances, of the same model or of two: in any order, with any values, value references
// and counts that C can express. An array always has the number of elements that a call says it has, and states that were freed and
// instances that were freed are not used again: what a host does with those no code can answer.
//
// `Fmi` is one of the two versions (fmi2_calls.cpp, fmi3_calls.cpp); its functions take what both have in common, and `special` makes
// the calls that only it has. Each call is a byte, `Call`, then what it needs.
#pragma once

#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/fmi_examples.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/input_bytes.hpp"

namespace delassus::fuzz {

// What an input may cost. A step of 2 ms has a few internal ones.
inline constexpr int most_calls = 400, most_steps = 60;
inline constexpr double longest_step = 2e-3;  // s

enum class Call : unsigned {
  choose,  // the instance that the next calls are for
  instantiate,
  free,
  enter_initialization,
  exit_initialization,
  start,  // all of the above in order
  get,
  set,
  get_integers,
  set_integers,
  step,
  take_state,
  put_state,
  free_state,
  serialise,
  deserialise,
  terminate,
  reset,
  event_mode,
  update,
  leave_event_mode,
  exchange,  // the calls of Model Exchange
  derivatives,
  logging,
  special,
  count
};

struct FmiInstance {
  void* handle = nullptr;
  FmiExample const* example = nullptr;
  bool exchange = false;
  double time = 0;
};

struct CallArguments {
  FmiInstance& instance;
  InputBytes& bytes;

  FmiExample const& example() const { return instance.example ? *instance.example : fmi_examples().front(); }
  std::uint32_t reference() const {
    unsigned const word = bytes.word();
    if (word >= 0xff00) return word % 3 == 0 ? 0xffffffff : word % 3 == 1 ? 99999 : word & 0xffU;
    auto const& all = example().references;
    return all[word % all.size()];
  }
  std::vector<std::uint32_t> references() const {
    std::vector<std::uint32_t> list(bytes.below(6));
    for (auto& reference_of_one : list) reference_of_one = reference();
    return list;
  }
  Variable const* variable(std::uint32_t reference_of_it) const {
    return example().model->table().find(reference_of_it).variable;
  }
  // Of the elements that these references stand for: one each, or in FMI 3 all of an array.
  std::size_t elements(std::span<const std::uint32_t> list, bool whole_arrays) const {
    std::size_t sum = 0;
    for (std::uint32_t const one : list) {
      auto const* const found = variable(one);
      sum += found && whole_arrays ? static_cast<std::size_t>(found->size) : 1;
    }
    return sum;
  }
  // Mostly so many, sometimes not.
  std::size_t about(std::size_t count) const {
    unsigned const choice = bytes.byte();
    return choice < 240 ? count : choice % 40;
  }
  std::vector<double> reals(std::size_t count) const {
    std::vector<double> values(count);
    for (double& value : values) value = bytes.real();
    return values;
  }
  // Values for these references. Times and tolerances below what a step of some milliseconds can resolve would only make every
  // step a long one.
  std::vector<double> values_for(std::span<const std::uint32_t> list, std::size_t count) const {
    std::vector<double> values = reals(count);
    bool short_time = false;
    for (std::uint32_t const one : list) {
      auto const* const found = variable(one);
      short_time |= found && (found->unit == UnitId::second || found->storage == Storage::setting);
    }
    for (double& value : values) {
      if (short_time && value > 0 && value < 1e-4) value = 1e-4;
    }
    return values;
  }
};

template <class Fmi>
class CallSequence {
 public:
  explicit CallSequence(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  CallSequence(CallSequence const&) = delete;
  CallSequence& operator=(CallSequence const&) = delete;
  ~CallSequence() {
    for (FmiInstance& instance : instances_) free(instance);
  }

  int run() {
    int calls = 0;
    for (; calls < most_calls && !bytes_.empty(); ++calls)
      make(static_cast<Call>(bytes_.below(static_cast<unsigned>(Call::count))));
    return calls;
  }

 private:
  struct State {
    void* handle = nullptr;
    FmiInstance const* owner = nullptr;
    double time = 0;
  };
  struct Saved {
    std::vector<std::uint8_t> bytes;
    double time = 0;
  };

  static int checked(int status) {
    demand_always(status >= 0 && status <= 3, "a status is OK, Warning, Discard or Error");
    return status;
  }

  FmiInstance& present() { return instances_[present_]; }

  void instantiate() {
    free(present());
    auto const& examples = fmi_examples();
    present().example = &examples[bytes_.below(static_cast<unsigned>(examples.size()))];
    present().time = 0;
    present().exchange = bytes_.below(4) == 3;
    present().handle = Fmi::instantiate(*present().example, present().exchange, bytes_);
  }

  void free(FmiInstance& instance) {
    for (State& state : states_) {
      if (state.owner != &instance || !state.handle) continue;
      checked(Fmi::free_state(instance.handle, &state.handle));
      demand_always(!state.handle, "a state that was freed is NULL");
    }
    std::erase_if(states_, [&](State const& state) { return state.owner == &instance; });
    if (instance.handle) Fmi::free(instance.handle);
    instance.handle = nullptr;
  }

  void step() {
    if (++steps_ > most_steps) return;
    FmiInstance& instance = present();
    double const current = bytes_.below(8) == 0 ? bytes_.real() : instance.time;
    double size = bytes_.below(4) == 0 ? bytes_.real() : (1 + bytes_.below(8)) * 2.5e-4;
    if (std::isfinite(size) && size > longest_step) size = longest_step;
    double reached = instance.time;
    if (checked(Fmi::step(instance.handle, current, size, reached)) <= 1) instance.time = reached;
  }

  State* chosen_state() {
    return states_.empty() ? nullptr : &states_[bytes_.below(static_cast<unsigned>(states_.size()))];
  }

  void take_state() {
    // Sometimes into one that exists.
    State* const old = bytes_.below(4) == 0 ? chosen_state() : nullptr;
    if (old && old->owner == &present()) {
      checked(Fmi::take_state(present().handle, &old->handle));
      old->time = present().time;
    } else if (states_.size() < 8) {
      State state{nullptr, &present(), present().time};
      if (checked(Fmi::take_state(present().handle, &state.handle)) == 0) states_.push_back(state);
    }
  }

  void put_state() {
    State const* const state = chosen_state();
    if (checked(Fmi::put_state(present().handle, state ? state->handle : nullptr)) == 0 && state)
      present().time = state->time;
  }

  void free_state() {
    State* const state = chosen_state();
    if (!state) {
      void* none = nullptr;
      checked(Fmi::free_state(present().handle, &none));
    } else if (checked(Fmi::free_state(present().handle, &state->handle)) == 0) {
      states_.erase(states_.begin() + (state - states_.data()));
    }
  }

  void serialise() {
    State const* const state = chosen_state();
    std::size_t size = 0;
    if (checked(Fmi::state_size(present().handle, state ? state->handle : nullptr, &size)) != 0) return;
    CallArguments const arguments{present(), bytes_};
    Saved saved{std::vector<std::uint8_t>(std::min<std::size_t>(size, arguments.about(size))), state->time};
    bool const whole = saved.bytes.size() == size;
    int const status =
        checked(Fmi::serialise(present().handle, state->handle, saved.bytes.data(), saved.bytes.size()));
    demand_always(!whole || status == 0, "a state fits the size that it says");
    if (saved_.size() < 8) saved_.push_back(saved);
  }

  void deserialise() {
    if (saved_.empty() || states_.size() >= 8) return;
    Saved const& saved = saved_[bytes_.below(static_cast<unsigned>(saved_.size()))];
    std::vector<std::uint8_t> input = saved.bytes;
    switch (bytes_.below(8)) {
      case 0:
        input.resize(input.empty() ? 0 : bytes_.word() % input.size());
        break;
      case 1:
        if (!input.empty()) input[bytes_.word() % input.size()] ^= static_cast<std::uint8_t>(bytes_.byte());
        break;
      default:
        break;
    }
    State state{nullptr, &present(), saved.time};
    if (checked(Fmi::deserialise(present().handle, input.data(), input.size(), &state.handle)) != 0) return;
    states_.push_back(state);
    std::size_t size = 0;
    checked(Fmi::state_size(present().handle, state.handle, &size));
    std::vector<std::uint8_t> again(size);
    checked(Fmi::serialise(present().handle, state.handle, again.data(), again.size()));
    demand_always(again == input, "a state has the same bytes after it was read");
  }

  void make(Call call) {
    FmiInstance& instance = present();
    CallArguments const arguments{instance, bytes_};
    switch (call) {
      case Call::choose:
        present_ = bytes_.below(2);
        return;
      case Call::instantiate:
        return instantiate();
      case Call::free:
        return free(instance);
      case Call::enter_initialization:
        checked(Fmi::enter_initialization(instance.handle, arguments));
        return;
      case Call::exit_initialization:
        checked(Fmi::exit_initialization(instance.handle));
        return;
      case Call::start:
        instantiate();
        checked(Fmi::start(present().handle));
        return;
      case Call::get:
        checked(Fmi::get(instance.handle, arguments));
        return;
      case Call::set:
        checked(Fmi::set(instance.handle, arguments));
        return;
      case Call::get_integers:
        checked(Fmi::get_integers(instance.handle, arguments));
        return;
      case Call::set_integers:
        checked(Fmi::set_integers(instance.handle, arguments));
        return;
      case Call::step:
        return step();
      case Call::take_state:
        return take_state();
      case Call::put_state:
        return put_state();
      case Call::free_state:
        return free_state();
      case Call::serialise:
        return serialise();
      case Call::deserialise:
        return deserialise();
      case Call::terminate:
        checked(Fmi::terminate(instance.handle));
        return;
      case Call::reset:
        if (checked(Fmi::reset(instance.handle)) == 0) instance.time = 0;
        return;
      case Call::event_mode:
        checked(Fmi::enter_event_mode(instance.handle));
        return;
      case Call::update:
        checked(Fmi::update(instance.handle));
        return;
      case Call::leave_event_mode:
        checked(Fmi::leave_event_mode(instance.handle, instance.exchange != (bytes_.below(8) == 0)));
        return;
      case Call::exchange:
        if (++steps_ <= most_steps) checked(Fmi::exchange(instance.handle, arguments));
        return;
      case Call::derivatives:
        checked(Fmi::derivatives(instance.handle, arguments));
        return;
      case Call::logging:
        checked(Fmi::logging(instance.handle, arguments));
        return;
      case Call::special:
      case Call::count:
        checked(Fmi::special(instance.handle, arguments));
        return;
    }
  }

  InputBytes bytes_;
  FmiInstance instances_[2];
  unsigned present_ = 0;
  int steps_ = 0;
  std::vector<State> states_;
  std::vector<Saved> saved_;
};

// The number of calls that were made, told at the end of the program.
struct CallCounter {
  std::uint64_t calls = 0;
  CallCounter() = default;
  CallCounter(CallCounter const&) = delete;
  CallCounter& operator=(CallCounter const&) = delete;
  ~CallCounter() { std::fprintf(stderr, "FMI calls: %llu\n", static_cast<unsigned long long>(calls)); }
};

template <class Fmi>
int run_calls(std::uint8_t const* data, std::size_t size) {
  static CallCounter counter;
  counter.calls += static_cast<std::uint64_t>(CallSequence<Fmi>({data, size}).run());
  return 0;
}

// Sequences of both versions: of every example a run with states taken and put back, and some without any order.
Seeds call_seeds();

}  // namespace delassus::fuzz
