#include "tools/import/simulated_instance.hpp"

namespace delassus {
namespace {

// Of an instance that has nothing better.
class GenericPort final : public SignalPort {
 public:
  GenericPort(SimulatedInstance& instance, std::vector<std::size_t> signals)
      : instance_(instance), signals_(std::move(signals)) {
    values_.reserve(signals_.size());
    for (auto const signal : signals_) values_.push_back({signal, 0.0});
  }

  void read(std::span<double> values) override { instance_.get(signals_, values); }
  void write(std::span<const double> values) override {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i].value = values[i];
    instance_.set(values_);
  }

 private:
  SimulatedInstance& instance_;
  std::vector<std::size_t> signals_;
  std::vector<SignalValue> values_;
};

}  // namespace

std::unique_ptr<SignalPort> SimulatedInstance::make_port(std::vector<std::size_t> signals) {
  return make_port_of_set_and_get(std::move(signals));
}

std::unique_ptr<SignalPort> SimulatedInstance::make_port_of_set_and_get(std::vector<std::size_t> signals) {
  return std::make_unique<GenericPort>(*this, std::move(signals));
}

void InstanceLogBook::add(LogMessage message) {
  if (sink_) sink_(message);
  if (message.status != Status::ok) of_this_call_.push_back(std::move(message));
}

std::string InstanceLogBook::of_this_call() const {
  std::string text;
  for (auto const& message : of_this_call_) text += (text.empty() ? "" : "; ") + message.text;
  return text;
}

std::string_view status_name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::warning:
      return "warning";
    case Status::discard:
      return "discard";
    case Status::error:
      return "error";
    case Status::fatal:
      return "fatal";
  }
  return "unknown status";
}

}  // namespace delassus
