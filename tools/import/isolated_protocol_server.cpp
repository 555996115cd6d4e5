// The child process of an isolated instance.
#include <unistd.h>

#include <algorithm>
#include <map>

#include "tools/import/isolated_protocol.hpp"

namespace delassus {

char const* isolated_call_name(IsolatedCall call) {
  switch (call) {
    case IsolatedCall::instantiate:
      return "in being instantiated";
    case IsolatedCall::enter_initialization:
      return "in entering the initialisation";
    case IsolatedCall::exit_initialization:
      return "in leaving the initialisation";
    case IsolatedCall::do_step:
      return "in a step";
    case IsolatedCall::terminate:
      return "in being terminated";
    case IsolatedCall::reset:
      return "in a reset";
    case IsolatedCall::set:
    case IsolatedCall::set_binary:
    case IsolatedCall::set_clock:
    case IsolatedCall::write_port:
    case IsolatedCall::set_input_derivatives:
      return "in taking values";
    case IsolatedCall::get:
    case IsolatedCall::get_text:
    case IsolatedCall::get_binary:
    case IsolatedCall::get_clock:
    case IsolatedCall::clock_interval:
    case IsolatedCall::make_port:
    case IsolatedCall::read_port:
    case IsolatedCall::directional_derivative:
    case IsolatedCall::output_derivatives:
      return "in giving values";
    case IsolatedCall::save_state:
    case IsolatedCall::serialize:
      return "in saving its state";
    case IsolatedCall::restore_state:
    case IsolatedCall::deserialize:
      return "in restoring its state";
    case IsolatedCall::enter_event_mode:
    case IsolatedCall::update_discrete_states:
    case IsolatedCall::enter_step_mode:
      return "in event mode";
    case IsolatedCall::free:
      return "in being freed";
  }
  return "in a call";
}

void add(MessageWriter& message, StepOutcome const& outcome) {
  message.add(outcome.time).add(outcome.own_time);
  message.add(outcome.terminated).add(outcome.event).add(outcome.early);
}

StepOutcome take_step_outcome(MessageReader& message) {
  StepOutcome outcome;
  outcome.time = message.take<double>();
  outcome.own_time = message.take<double>();
  outcome.terminated = message.take<bool>();
  outcome.event = message.take<bool>();
  outcome.early = message.take<bool>();
  return outcome;
}

void add(MessageWriter& message, EventUpdate const& update) {
  message.add(update.again).add(update.terminate).add(update.nominals_changed).add(update.states_changed);
  message.add(update.next_event_time.has_value()).add(update.next_event_time.value_or(0));
}

EventUpdate take_event_update(MessageReader& message) {
  EventUpdate update;
  update.again = message.take<bool>();
  update.terminate = message.take<bool>();
  update.nominals_changed = message.take<bool>();
  update.states_changed = message.take<bool>();
  bool const announced = message.take<bool>();
  double const time = message.take<double>();
  if (announced) update.next_event_time = time;
  return update;
}

void add(MessageWriter& message, ClockInterval const& interval) {
  message.add(interval.interval).add(static_cast<std::uint8_t>(interval.known));
}

ClockInterval take_clock_interval(MessageReader& message) {
  ClockInterval interval;
  interval.interval = message.take<double>();
  auto const known = message.take<std::uint8_t>();
  if (known > static_cast<std::uint8_t>(ClockInterval::Known::changed))
    throw MessageError("there is no such kind of interval");
  interval.known = static_cast<ClockInterval::Known>(known);
  return interval;
}

Status take_status(MessageReader& message) {
  auto const status = message.take<std::uint8_t>();
  if (status > static_cast<std::uint8_t>(Status::fatal)) throw MessageError("there is no such status");
  return static_cast<Status>(status);
}

namespace {

// What an FMU logs in one call beyond this is left out: it is held until the call is over.
constexpr std::size_t most_messages = 1000, longest_text = 100'000;

class Server {
 public:
  Server(SharedChannel& channel, InstanceMaker const& make, InstanceRequest request)
      : channel_(channel), make_(make), request_(std::move(request)) {
    request_.log = [this](LogMessage message) {
      if (log_.size() >= most_messages) return;
      message.category.resize(std::min(message.category.size(), longest_text));
      message.text.resize(std::min(message.text.size(), longest_text));
      log_.push_back(std::move(message));
    };
  }

  void serve() {
    std::vector<char> bytes;
    SharedChannel::GoOn const parent_lives = [parent = ::getppid()] { return ::getppid() == parent; };
    while (!ended_ && channel_.receive(SharedChannel::Side::child, bytes, parent_lives)) {
      MessageReader requests(bytes);
      Status status = Status::ok;
      std::string message;
      while (!requests.at_end() && status == Status::ok) status = perform(requests, message);
      reply(status, message);
      if (!channel_.send(SharedChannel::Side::child, whole_.bytes(), parent_lives)) return;
    }
  }

 private:
  // One request; the message is that of a failure.
  Status perform(MessageReader& requests, std::string& message) {
    for (auto const state : requests.take_all<std::uint64_t>()) states_.erase(state);
    auto const call = requests.take<IsolatedCall>();
    channel_.note(static_cast<std::uint8_t>(call));
    body_.clear();
    Status status = Status::ok;
    try {
      answer(call, requests);
    } catch (InstanceError const& error) {
      status = error.status() == Status::ok ? Status::error : error.status();
      message = error.what();
    } catch (std::exception const& error) {
      status = Status::fatal;
      message = error.what();
    }
    // An FMU that forks and returns comes back twice. Its copy is no instance of anybody.
    if (::getpid() != own_) ::_exit(0);
    if (call == IsolatedCall::free || (call == IsolatedCall::instantiate && status != Status::ok))
      ended_ = true;
    return status;
  }

  void reply(Status status, std::string const& message) {
    whole_.clear();
    whole_.add(log_.size());
    for (auto const& entry : log_)
      whole_.add(static_cast<std::uint8_t>(entry.status)).add_text(entry.category).add_text(entry.text);
    log_.clear();
    whole_.add(static_cast<std::uint8_t>(status));
    if (status != Status::ok) {
      whole_.add_text(message);
    } else {
      whole_.add_all(std::span(body_.bytes()));
    }
  }

  void answer(IsolatedCall call, MessageReader& reader) {
    switch (call) {
      case IsolatedCall::instantiate:
        instance_ = make_(request_);
        body_.add(instance_->saves_states()).add(instance_->serializes_states());
        body_.add(instance_->interpolates_inputs()).add(instance_->step_mode() != nullptr);
        break;
      case IsolatedCall::enter_initialization:
        instance_->enter_initialization(reader.take<RunSettings>());
        break;
      case IsolatedCall::exit_initialization:
        instance_->exit_initialization();
        break;
      case IsolatedCall::do_step: {
        auto const current = reader.take<double>(), size = reader.take<double>();
        auto const wanted = reader.take_all<std::uint64_t>();
        StepOutcome const outcome = instance_->do_step(current, size);
        add(body_, outcome);
        give_in_advance(outcome, wanted);
        break;
      }
      case IsolatedCall::terminate:
        instance_->terminate();
        break;
      case IsolatedCall::reset:
        instance_->reset();
        break;
      case IsolatedCall::free:
        ports_.clear();
        states_.clear();
        instance_.reset();
        break;
      case IsolatedCall::enter_event_mode:
        instance_->step_mode()->enter_event_mode();
        break;
      case IsolatedCall::update_discrete_states:
        add(body_, instance_->step_mode()->update_discrete_states());
        break;
      case IsolatedCall::enter_step_mode:
        instance_->step_mode()->enter_step_mode();
        break;
      case IsolatedCall::save_state:
      case IsolatedCall::restore_state:
      case IsolatedCall::serialize:
      case IsolatedCall::deserialize:
        answer_state(call, reader);
        break;
      default:
        answer_values(call, reader);
    }
  }

  // What the master reads after each step, unless the step went otherwise than usual: then it may do something else first.
  void give_in_advance(StepOutcome const& outcome, std::vector<std::uint64_t> const& wanted) {
    if (outcome.terminated || outcome.early) return;
    for (auto const key : wanted) {
      auto& [port, values] = ports_.at(key);
      try {
        port->read(values);
      } catch (InstanceError const&) {
        return;  // it will be asked for, and then says why
      }
      body_.add(key).add_all(std::span(values));
    }
  }

  void answer_state(IsolatedCall call, MessageReader& reader) {
    auto const key = reader.take<std::uint64_t>();
    if (call == IsolatedCall::save_state) {
      try {
        instance_->save_state_over(states_[key]);
      } catch (InstanceError const& error) {
        // Told together with the step that follows, where a discard would mean that the step is discarded.
        throw InstanceError(error.status() == Status::discard ? Status::error : error.status(), error.what());
      }
    } else if (call == IsolatedCall::restore_state) {
      instance_->restore_state(states_.at(key));
    } else if (call == IsolatedCall::serialize) {
      auto const bytes = instance_->serialize(states_.at(key));
      body_.add_all(std::span(bytes));
    } else {
      states_[key] = instance_->deserialize(reader.take_all<std::uint8_t>());
    }
  }

  void answer_values(IsolatedCall call, MessageReader& reader) {
    switch (call) {
      case IsolatedCall::make_port: {
        auto const key = reader.take<std::uint64_t>();
        auto const signals = reader.take_all<std::size_t>();
        ports_[key] = {instance_->make_port(signals), std::vector<double>(signals.size())};
        break;
      }
      case IsolatedCall::read_port: {
        auto& [port, values] = ports_.at(reader.take<std::uint64_t>());
        port->read(values);
        body_.add_all(std::span(values));
        break;
      }
      case IsolatedCall::write_port: {
        auto& [port, values] = ports_.at(reader.take<std::uint64_t>());
        reader.take_into(std::span(values));
        port->write(values);
        break;
      }
      case IsolatedCall::set: {
        std::vector<SignalValue> values(reader.take<std::size_t>());
        for (auto& value : values) {
          value.signal = reader.take<std::size_t>();
          if (reader.take<bool>()) {
            value.value = reader.take_text();
          } else {
            value.value = reader.take<double>();
          }
        }
        instance_->set(values);
        break;
      }
      case IsolatedCall::get: {
        auto const signals = reader.take_all<std::size_t>();
        std::vector<double> values(signals.size());
        instance_->get(signals, values);
        body_.add_all(std::span(values));
        break;
      }
      case IsolatedCall::get_text:
        body_.add_text(instance_->get_text(reader.take<std::size_t>()));
        break;
      case IsolatedCall::get_binary: {
        auto const bytes = instance_->get_binary(reader.take<std::size_t>());
        body_.add_all(std::span(bytes));
        break;
      }
      case IsolatedCall::set_binary: {
        auto const signal = reader.take<std::size_t>();
        instance_->set_binary(signal, reader.take_all<std::uint8_t>());
        break;
      }
      case IsolatedCall::get_clock:
        body_.add(instance_->get_clock(reader.take<std::size_t>()));
        break;
      case IsolatedCall::set_clock: {
        auto const signal = reader.take<std::size_t>();
        instance_->set_clock(signal, reader.take<bool>());
        break;
      }
      case IsolatedCall::clock_interval:
        add(body_, instance_->clock_interval(reader.take<std::size_t>()));
        break;
      case IsolatedCall::directional_derivative: {
        auto const unknowns = reader.take_all<std::uint32_t>(), knowns = reader.take_all<std::uint32_t>();
        auto const seed = reader.take_all<double>();
        std::vector<double> result(reader.take<std::size_t>());
        instance_->directional_derivative(unknowns, knowns, seed, result);
        body_.add_all(std::span(result));
        break;
      }
      case IsolatedCall::output_derivatives: {
        auto const references = reader.take_all<std::uint32_t>();
        auto const order = reader.take<int>();
        std::vector<double> values(references.size());
        instance_->output_derivatives(references, order, values);
        body_.add_all(std::span(values));
        break;
      }
      case IsolatedCall::set_input_derivatives: {
        auto const references = reader.take_all<std::uint32_t>();
        auto const order = reader.take<int>();
        instance_->set_input_derivatives(references, order, reader.take_all<double>());
        break;
      }
      default:
        throw std::runtime_error("an unknown request");
    }
  }

  SharedChannel& channel_;
  InstanceMaker const& make_;
  InstanceRequest request_;
  pid_t own_ = ::getpid();
  bool ended_ = false;
  std::unique_ptr<SimulatedInstance> instance_;
  std::map<std::uint64_t, SavedState> states_;
  std::map<std::uint64_t, std::pair<std::unique_ptr<SignalPort>, std::vector<double>>> ports_;
  std::vector<LogMessage> log_;
  MessageWriter body_, whole_;
};

}  // namespace

void serve_isolated(SharedChannel& channel, InstanceMaker const& make, InstanceRequest request) {
  // Never destroyed: an instance that was not freed is left to the end of the process.
  (new Server(channel, make, std::move(request)))->serve();
}

}  // namespace delassus
