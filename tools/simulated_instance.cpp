#include "tools/simulated_instance.hpp"

namespace delassus {

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
