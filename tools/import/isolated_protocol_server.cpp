// The child process of an isolated instance.
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

bool send_message(int descriptor, std::span<const char> bytes) {
  std::size_t const size = bytes.size();
  iovec parts[2]{{const_cast<std::size_t*>(&size), sizeof size}, {const_cast<char*>(bytes.data()), size}};
  msghdr header{};
  header.msg_iov = parts;
  header.msg_iovlen = 2;
  while (header.msg_iovlen > 0) {
    ssize_t sent = ::sendmsg(descriptor, &header, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    while (header.msg_iovlen > 0 && static_cast<std::size_t>(sent) >= header.msg_iov->iov_len) {
      sent -= static_cast<ssize_t>(header.msg_iov->iov_len);
      ++header.msg_iov;
      --header.msg_iovlen;
    }
    if (header.msg_iovlen > 0) {
      header.msg_iov->iov_base = static_cast<char*>(header.msg_iov->iov_base) + sent;
      header.msg_iov->iov_len -= static_cast<std::size_t>(sent);
    }
  }
  return true;
}

bool receive_message(int descriptor, std::vector<char>& bytes) {
  auto const receive = [&](void* to, std::size_t size) {
    auto* at = static_cast<char*>(to);
    while (size > 0) {
      ssize_t const got = ::recv(descriptor, at, size, MSG_WAITALL);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      at += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  };
  std::size_t size = 0;
  if (!receive(&size, sizeof size)) return false;
  bytes.resize(size);
  return receive(bytes.data(), size);
}

namespace {

class Server {
 public:
  Server(int descriptor, InstanceMaker const& make, InstanceRequest request)
      : descriptor_(descriptor), make_(make), request_(std::move(request)) {
    request_.log = [this](LogMessage const& message) { log_.push_back(message); };
  }

  void serve() {
    std::vector<char> request;
    while (receive_message(descriptor_, request)) {
      MessageReader reader(request);
      for (auto const state : reader.take_all<std::uint64_t>()) states_.erase(state);
      auto const call = reader.take<IsolatedCall>();
      body_.clear();
      Status status = Status::ok;
      std::string message;
      try {
        answer(call, reader);
      } catch (InstanceError const& error) {
        status = error.status() == Status::ok ? Status::error : error.status();
        message = error.what();
      } catch (std::exception const& error) {
        status = Status::fatal;
        message = error.what();
      }
      reply(status, message);
      if (call == IsolatedCall::free || (call == IsolatedCall::instantiate && status != Status::ok)) return;
    }
  }

 private:
  void reply(Status status, std::string const& message) {
    whole_.clear();
    whole_.add(log_.size());
    for (auto const& entry : log_) whole_.add(entry.status).add_text(entry.category).add_text(entry.text);
    log_.clear();
    whole_.add(status);
    if (status != Status::ok) {
      whole_.add_text(message);
    } else {
      whole_.add_all(std::span(body_.bytes()));
    }
    send_message(descriptor_, whole_.bytes());
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
        auto const current = reader.take<double>();
        body_.add(instance_->do_step(current, reader.take<double>()));
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
        body_.add(instance_->step_mode()->update_discrete_states());
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

  void answer_state(IsolatedCall call, MessageReader& reader) {
    auto const key = reader.take<std::uint64_t>();
    if (call == IsolatedCall::save_state) {
      instance_->save_state_over(states_[key]);
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
        body_.add(instance_->clock_interval(reader.take<std::size_t>()));
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

  int descriptor_;
  InstanceMaker const& make_;
  InstanceRequest request_;
  std::unique_ptr<SimulatedInstance> instance_;
  std::map<std::uint64_t, SavedState> states_;
  std::map<std::uint64_t, std::pair<std::unique_ptr<SignalPort>, std::vector<double>>> ports_;
  std::vector<LogMessage> log_;
  MessageWriter body_, whole_;
};

}  // namespace

void serve_isolated(int descriptor, InstanceMaker const& make, InstanceRequest request) {
  // Never destroyed: an instance that was not freed is left to the end of the process.
  (new Server(descriptor, make, std::move(request)))->serve();
}

}  // namespace delassus
