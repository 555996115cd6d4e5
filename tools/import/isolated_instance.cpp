#include "tools/import/isolated_instance.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <chrono>

#include "tools/import/isolated_protocol.hpp"
#include "tools/support/child_process.hpp"

namespace delassus {
namespace {

// How long a child that ends by itself may take for that, s.
constexpr double time_to_end = 0.2;

// The parent's end of the channel, and the child at the other one.
class Channel {
 public:
  Channel(InstanceMaker const& make, InstanceRequest const& request, double seconds)
      : log_(request.log),
        seconds_(seconds),
        child_([&](int channel) { serve_isolated(channel, make, request); },
               ChildProcess::Prints::to_standard_error) {}
  ~Channel() {
    if (alive()) end();
  }
  Channel(Channel const&) = delete;
  Channel& operator=(Channel const&) = delete;

  bool alive() const { return child_.exists(); }

  MessageWriter& start(IsolatedCall call) {
    call_ = call;
    request_.clear();
    request_.add_all(std::span(released_));
    released_.clear();
    return request_.add(call);
  }
  // Sends what was started, and waits for the answer.
  MessageReader finish() {
    if (!alive()) throw InstanceError(Status::fatal, ended_);
    if (!send_message(child_.channel(), request_.bytes())) fail_dead();
    wait();
    if (!receive_message(child_.channel(), answer_)) fail_dead();
    MessageReader reader(answer_);
    for (auto count = reader.take<std::size_t>(); count > 0; --count) {
      LogMessage message;
      message.status = reader.take<Status>();
      message.category = reader.take_text();
      message.text = reader.take_text();
      if (log_) log_(message);
    }
    if (auto const status = reader.take<Status>(); status != Status::ok)
      throw InstanceError(status, reader.take_text());
    reader.take<std::size_t>();  // the length of the rest
    return reader;
  }
  MessageReader call(IsolatedCall which) {
    start(which);
    return finish();
  }

  std::uint64_t next_key() { return ++last_key_; }
  void release(std::uint64_t state) { released_.push_back(state); }

 private:
  void wait() {
    using Clock = std::chrono::steady_clock;
    auto const end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(std::min(seconds_, longest_wait)));
    pollfd waits{child_.channel(), POLLIN, 0};
    for (;;) {
      auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      if (left <= 0) break;
      int const ready = ::poll(&waits, 1, static_cast<int>(std::min<long long>(left, 1000)));
      if (ready > 0) return;
      if (ready < 0 && errno != EINTR) break;
    }
    child_.end();
    fail({ChildEnd::timed_out});
  }

  // One that has closed its end of the channel is ending by itself and has a moment for that, so that it tells how.
  [[noreturn]] void fail_dead() {
    child_.ends_within(time_to_end);
    fail(child_.end());
  }

  [[noreturn]] void fail(ChildStatus const& status) {
    ended_ = in_words(status, seconds_, isolated_call_name(call_));
    if (status.end == ChildEnd::timed_out) ended_ += ": its process was ended";
    throw InstanceError(Status::fatal, ended_);
  }

  void end() {
    try {
      call(IsolatedCall::free);
    } catch (std::exception const&) {  // it may crash there as well; it is not needed any more
    }
    child_.ends_within(time_to_end);
  }

  InstanceLog log_;
  double seconds_ = 0;
  ChildProcess child_;
  IsolatedCall call_ = IsolatedCall::instantiate;
  MessageWriter request_;
  std::vector<char> answer_;
  std::vector<std::uint64_t> released_;  // states
  std::uint64_t last_key_ = 0;
  std::string ended_;
};

struct RemoteState {
  std::shared_ptr<Channel> channel;
  std::uint64_t key = 0;
  RemoteState(std::shared_ptr<Channel> to, std::uint64_t name) : channel(std::move(to)), key(name) {}
  ~RemoteState() { channel->release(key); }
  RemoteState(RemoteState const&) = delete;
  RemoteState& operator=(RemoteState const&) = delete;
};

class RemotePort final : public SignalPort {
 public:
  RemotePort(std::shared_ptr<Channel> channel, std::uint64_t key) : channel_(std::move(channel)), key_(key) {}
  void read(std::span<double> values) override {
    channel_->start(IsolatedCall::read_port).add(key_);
    channel_->finish().take_into(values);
  }
  void write(std::span<const double> values) override {
    channel_->start(IsolatedCall::write_port).add(key_).add_all(values);
    channel_->finish();
  }

 private:
  std::shared_ptr<Channel> channel_;
  std::uint64_t key_;
};

class IsolatedInstance final : public SimulatedInstance, private StepModeFace {
 public:
  IsolatedInstance(InstanceMaker const& make, InstanceRequest const& request, SignalTable const& signals,
                   double seconds)
      : SimulatedInstance(signals), channel_(std::make_shared<Channel>(make, request, seconds)) {
    auto answer = channel_->call(IsolatedCall::instantiate);
    saves_ = answer.take<bool>();
    serializes_ = answer.take<bool>();
    interpolates_ = answer.take<bool>();
    event_mode_ = answer.take<bool>();
  }

  void enter_initialization(RunSettings const& settings) override {
    channel_->start(IsolatedCall::enter_initialization).add(settings);
    channel_->finish();
  }
  void exit_initialization() override { channel_->call(IsolatedCall::exit_initialization); }
  StepOutcome do_step(double current, double size) override {
    channel_->start(IsolatedCall::do_step).add(current).add(size);
    return channel_->finish().take<StepOutcome>();
  }
  void terminate() override { channel_->call(IsolatedCall::terminate); }
  void reset() override { channel_->call(IsolatedCall::reset); }

  void set(std::span<const SignalValue> values) override {
    auto& request = channel_->start(IsolatedCall::set).add(values.size());
    for (auto const& [signal, value] : values) {
      auto const* const text = std::get_if<std::string>(&value);
      request.add(signal).add(text != nullptr);
      if (text != nullptr) {
        request.add_text(*text);
      } else {
        request.add(std::get<double>(value));
      }
    }
    channel_->finish();
  }
  void get(std::span<const std::size_t> indices, std::span<double> values) override {
    channel_->start(IsolatedCall::get).add_all(indices);
    channel_->finish().take_into(values);
  }
  std::string get_text(std::size_t signal) override {
    channel_->start(IsolatedCall::get_text).add(signal);
    return channel_->finish().take_text();
  }
  std::vector<std::uint8_t> get_binary(std::size_t signal) override {
    channel_->start(IsolatedCall::get_binary).add(signal);
    return channel_->finish().take_all<std::uint8_t>();
  }
  void set_binary(std::size_t signal, std::span<const std::uint8_t> bytes) override {
    channel_->start(IsolatedCall::set_binary).add(signal).add_all(bytes);
    channel_->finish();
  }
  bool get_clock(std::size_t signal) override {
    channel_->start(IsolatedCall::get_clock).add(signal);
    return channel_->finish().take<bool>();
  }
  void set_clock(std::size_t signal, bool ticks) override {
    channel_->start(IsolatedCall::set_clock).add(signal).add(ticks);
    channel_->finish();
  }
  ClockInterval clock_interval(std::size_t signal) override {
    channel_->start(IsolatedCall::clock_interval).add(signal);
    return channel_->finish().take<ClockInterval>();
  }
  std::unique_ptr<SignalPort> make_port(std::vector<std::size_t> signals) override {
    auto const key = channel_->next_key();
    channel_->start(IsolatedCall::make_port).add(key).add_all(std::span(signals));
    channel_->finish();
    return std::make_unique<RemotePort>(channel_, key);
  }
  StepModeFace* step_mode() override { return event_mode_ ? this : nullptr; }

  void directional_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                              std::span<const double> seed, std::span<double> result) override {
    channel_->start(IsolatedCall::directional_derivative)
        .add_all(unknowns)
        .add_all(knowns)
        .add_all(seed)
        .add(result.size());
    channel_->finish().take_into(result);
  }
  void output_derivatives(std::span<const std::uint32_t> references, int order,
                          std::span<double> values) override {
    channel_->start(IsolatedCall::output_derivatives).add_all(references).add(order);
    channel_->finish().take_into(values);
  }
  bool interpolates_inputs() const override { return interpolates_; }
  void set_input_derivatives(std::span<const std::uint32_t> references, int order,
                             std::span<const double> values) override {
    channel_->start(IsolatedCall::set_input_derivatives).add_all(references).add(order).add_all(values);
    channel_->finish();
  }

  bool saves_states() const override { return saves_; }
  bool serializes_states() const override { return serializes_; }
  SavedState save_state() override {
    SavedState state;
    save_state_over(state);
    return state;
  }
  void save_state_over(SavedState& state) override {
    auto saved = state ? std::static_pointer_cast<RemoteState>(state)
                       : std::make_shared<RemoteState>(channel_, channel_->next_key());
    channel_->start(IsolatedCall::save_state).add(saved->key);
    channel_->finish();
    state = std::move(saved);
  }
  void restore_state(SavedState const& state) override {
    channel_->start(IsolatedCall::restore_state).add(static_cast<RemoteState const*>(state.get())->key);
    channel_->finish();
  }
  std::vector<std::uint8_t> serialize(SavedState const& state) override {
    channel_->start(IsolatedCall::serialize).add(static_cast<RemoteState const*>(state.get())->key);
    return channel_->finish().take_all<std::uint8_t>();
  }
  SavedState deserialize(std::span<const std::uint8_t> bytes) override {
    auto state = std::make_shared<RemoteState>(channel_, channel_->next_key());
    channel_->start(IsolatedCall::deserialize).add(state->key).add_all(bytes);
    channel_->finish();
    return state;
  }

 private:
  void enter_event_mode() override { channel_->call(IsolatedCall::enter_event_mode); }
  EventUpdate update_discrete_states() override {
    return channel_->call(IsolatedCall::update_discrete_states).take<EventUpdate>();
  }
  void enter_step_mode() override { channel_->call(IsolatedCall::enter_step_mode); }

  std::shared_ptr<Channel> channel_;
  bool saves_ = false, serializes_ = false, interpolates_ = false, event_mode_ = false;
};

}  // namespace

std::unique_ptr<SimulatedInstance> make_isolated_instance(InstanceMaker const& make,
                                                          InstanceRequest const& request,
                                                          SignalTable const& signals, double seconds) {
  return std::make_unique<IsolatedInstance>(make, request, signals, seconds);
}

}  // namespace delassus
