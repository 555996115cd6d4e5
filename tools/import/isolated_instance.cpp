#include "tools/import/isolated_instance.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <utility>

#include "tools/import/isolated_protocol.hpp"
#include "tools/support/child_process.hpp"

namespace delassus {
namespace {

// How long a child that ends by itself may take for that, s.
constexpr double time_to_end = 0.2;

using Clock = std::chrono::steady_clock;
using Side = SharedChannel::Side;

// The parent's side, and the child at the other one.
class Channel {
 public:
  Channel(InstanceMaker const& make, InstanceRequest const& request, double seconds)
      : log_(request.log),
        seconds_(seconds),
        child_(
            [&](int channel) {
              ::close(channel);  // what is said goes through memory
              serve_isolated(memory_, make, request);
            },
            ChildProcess::Prints::to_standard_error),
        go_on_([this] { return may_still_answer(); }) {
    memory_.hide_from_other_children();
    child_.close_channel();
  }
  ~Channel() {
    if (alive()) end();
  }
  Channel(Channel const&) = delete;
  Channel& operator=(Channel const&) = delete;

  bool alive() const { return child_.exists(); }

  MessageWriter& start(IsolatedCall call) {
    call_ = call;
    given_.clear();
    return add_request(call);
  }
  // What was started goes to the child with the next call that has an answer, which also tells where this one failed.
  void defer() {
    if (!alive()) throw InstanceError(Status::fatal, ended_);
  }
  // Sends all that was started, and waits. `read` takes the answer to the last call.
  template <typename Read>
  auto finish(Read const& read) {
    exchange();
    try {
      MessageReader reader(answer_);
      pass_on_log(reader);
      if (auto const status = take_status(reader); status != Status::ok)
        throw InstanceError(status, reader.take_text());
      if (reader.take<std::size_t>() != reader.left())
        throw MessageError("it has another length than it says");
      return read(reader);
    } catch (MessageError const& error) {
      fail_broken(error.what());
    }
  }
  void finish() {
    finish([](MessageReader&) {});
  }
  void call(IsolatedCall which) {
    start(which);
    finish();
  }

  // A step, with the values that are read after each step.
  StepOutcome step(double current, double size) {
    std::vector<std::uint64_t> const wanted = std::exchange(read_, {});
    start(IsolatedCall::do_step).add(current).add(size).add_all(std::span(wanted));
    return finish([&](MessageReader& reader) {
      StepOutcome const outcome = take_step_outcome(reader);
      while (!reader.at_end()) {
        auto const key = reader.take<std::uint64_t>();
        if (std::ranges::find(wanted, key) == wanted.end())
          throw MessageError("it has values nobody asked for");
        given_[key] = reader.take_all<double>();
      }
      return outcome;
    });
  }
  void read_port(std::uint64_t key, std::span<double> values) {
    if (std::ranges::find(read_, key) == read_.end()) read_.push_back(key);
    if (auto const known = given_.find(key); known != given_.end()) {
      if (known->second.size() != values.size()) fail_broken("it has another number of values");
      std::ranges::copy(known->second, values.begin());
      return;
    }
    call_ = IsolatedCall::read_port;
    add_request(call_).add(key);  // which changes nothing: what is known stays so
    finish([&](MessageReader& reader) { reader.take_into(values); });
  }

  std::uint64_t next_key() { return ++last_key_; }
  void release(std::uint64_t state) { released_.push_back(state); }

 private:
  MessageWriter& add_request(IsolatedCall call) {
    request_.add_all(std::span(released_));
    released_.clear();
    return request_.add(call);
  }

  void exchange() {
    if (!alive()) throw InstanceError(Status::fatal, ended_);
    noted_ = noted_before_ = memory_.noted();
    deadline_ = after(seconds_);
    bool answered = false;
    if (std::size_t const size = request_.bytes().size(); size > longest_message) {
      request_.clear();
      throw InstanceError(
          Status::error,
          fmt::format("{} bytes at once are more than the {} that an isolated component can be given", size,
                      longest_message));
    }
    try {
      answered = memory_.send(Side::parent, request_.bytes(), go_on_) &&
                 memory_.receive(Side::parent, answer_, go_on_);
    } catch (ChannelError const& error) {
      fail_broken(error.what());
    } catch (std::bad_alloc const&) {
      fail_broken("there is not enough memory for it");
    }
    request_.clear();
    if (answered) return;
    if (child_.has_ended()) fail(child_.end());
    child_.end();
    fail({ChildEnd::timed_out});
  }

  static Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(std::min(seconds, longest_wait)));
  }

  // Several calls may be in one message; the limit is that of one.
  bool may_still_answer() {
    if (child_.has_ended()) return false;
    if (std::uint32_t const now = memory_.noted(); now != noted_) {
      noted_ = now;
      deadline_ = after(seconds_);
    }
    return Clock::now() < deadline_;
  }

  // Which call of the message it is in, if it has begun with one and what it notes is one.
  char const* present_call() const {
    std::uint32_t const noted = memory_.noted(), call = noted & 0xff;
    bool const known = noted != noted_before_ && call <= static_cast<std::uint32_t>(IsolatedCall::free);
    return isolated_call_name(known ? static_cast<IsolatedCall>(call) : call_);
  }

  void pass_on_log(MessageReader& reader) {
    for (auto count = reader.take<std::size_t>(); count > 0; --count) {
      LogMessage message;
      message.status = take_status(reader);
      message.category = reader.take_text();
      message.text = reader.take_text();
      if (log_) log_(message);
    }
  }

  [[noreturn]] void fail(ChildStatus const& status) {
    ended_ = in_words(status, seconds_, present_call());
    if (status.end == ChildEnd::timed_out) ended_ += ": its process was ended";
    throw InstanceError(Status::fatal, ended_);
  }
  [[noreturn]] void fail_broken(std::string const& reason) {
    child_.end();
    ended_ = fmt::format(
        "gave no answer that can be read {} ({}), as code does that overwrites memory: its process was ended",
        present_call(), reason);
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
  SharedChannel memory_;
  ChildProcess child_;
  SharedChannel::GoOn go_on_;
  IsolatedCall call_ = IsolatedCall::instantiate;
  MessageWriter request_;
  std::vector<char> answer_;
  std::vector<std::uint64_t> released_;  // states
  std::vector<std::uint64_t> read_;      // ports, since the last step: they will be read after the next one
  std::map<std::uint64_t, std::vector<double>> given_;  // by port; of now
  std::uint64_t last_key_ = 0;
  std::uint32_t noted_ = 0, noted_before_ = 0;  // at the last look, before the present message
  Clock::time_point deadline_;
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
  void read(std::span<double> values) override { channel_->read_port(key_, values); }
  void write(std::span<const double> values) override {
    channel_->start(IsolatedCall::write_port).add(key_).add_all(values);
    channel_->defer();
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
    channel_->start(IsolatedCall::instantiate);
    channel_->finish([this](MessageReader& answer) {
      saves_ = answer.take<bool>();
      serializes_ = answer.take<bool>();
      interpolates_ = answer.take<bool>();
      event_mode_ = answer.take<bool>();
    });
  }

  void enter_initialization(RunSettings const& settings) override {
    channel_->start(IsolatedCall::enter_initialization).add(settings);
    channel_->finish();
  }
  void exit_initialization() override { channel_->call(IsolatedCall::exit_initialization); }
  StepOutcome do_step(double current, double size) override { return channel_->step(current, size); }
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
    channel_->finish([&](MessageReader& answer) { answer.take_into(values); });
  }
  std::string get_text(std::size_t signal) override {
    channel_->start(IsolatedCall::get_text).add(signal);
    return channel_->finish([](MessageReader& answer) { return answer.take_text(); });
  }
  std::vector<std::uint8_t> get_binary(std::size_t signal) override {
    channel_->start(IsolatedCall::get_binary).add(signal);
    return channel_->finish([](MessageReader& answer) { return answer.take_all<std::uint8_t>(); });
  }
  void set_binary(std::size_t signal, std::span<const std::uint8_t> bytes) override {
    channel_->start(IsolatedCall::set_binary).add(signal).add_all(bytes);
    channel_->finish();
  }
  bool get_clock(std::size_t signal) override {
    channel_->start(IsolatedCall::get_clock).add(signal);
    return channel_->finish([](MessageReader& answer) { return answer.take<bool>(); });
  }
  void set_clock(std::size_t signal, bool ticks) override {
    channel_->start(IsolatedCall::set_clock).add(signal).add(ticks);
    channel_->finish();
  }
  ClockInterval clock_interval(std::size_t signal) override {
    channel_->start(IsolatedCall::clock_interval).add(signal);
    return channel_->finish(take_clock_interval);
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
    channel_->finish([&](MessageReader& answer) { answer.take_into(result); });
  }
  void output_derivatives(std::span<const std::uint32_t> references, int order,
                          std::span<double> values) override {
    channel_->start(IsolatedCall::output_derivatives).add_all(references).add(order);
    channel_->finish([&](MessageReader& answer) { answer.take_into(values); });
  }
  bool interpolates_inputs() const override { return interpolates_; }
  void set_input_derivatives(std::span<const std::uint32_t> references, int order,
                             std::span<const double> values) override {
    channel_->start(IsolatedCall::set_input_derivatives).add_all(references).add(order).add_all(values);
    channel_->defer();
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
    channel_->defer();
    state = std::move(saved);
  }
  void restore_state(SavedState const& state) override {
    channel_->start(IsolatedCall::restore_state).add(static_cast<RemoteState const*>(state.get())->key);
    channel_->defer();
  }
  std::vector<std::uint8_t> serialize(SavedState const& state) override {
    channel_->start(IsolatedCall::serialize).add(static_cast<RemoteState const*>(state.get())->key);
    return channel_->finish([](MessageReader& answer) { return answer.take_all<std::uint8_t>(); });
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
    channel_->start(IsolatedCall::update_discrete_states);
    return channel_->finish(take_event_update);
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
