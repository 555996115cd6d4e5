#include "tools/import/foreign_instance.hpp"

#include <deque>
#include <mutex>

namespace delassus {
namespace {

std::atomic<long> late_callbacks = 0;

DescribedInterface const& find_interface(ModelDescription const& description, InterfaceKind kind) {
  auto const* const interface = description.interface(std::string(interface_element(kind)));
  if (interface == nullptr) {
    throw InstanceError(Status::error, fmt::format("the FMU does not offer {}", interface_element(kind)));
  }
  return *interface;
}

}  // namespace

void CallbackTicket::add(LogMessage message) {
  InstanceLogBook* const receiver = book;
  if (receiver == nullptr) {
    ++late_callbacks;
  } else {
    receiver->add(std::move(message));
  }
}

CallbackTicket& new_callback_ticket() {
  static std::mutex mutex;
  static std::deque<CallbackTicket> tickets;
  std::lock_guard const lock(mutex);
  return tickets.emplace_back();
}

long callbacks_after_free() {
  return late_callbacks;
}

ForeignInstance::ForeignInstance(InstanceContext const& context, InstanceRequest const& request)
    : SimulatedInstance(SignalTable(context.description)),
      description_(context.description),
      interface_(find_interface(context.description, request.kind)),
      kind_(request.kind),
      goes_back_(request.goes_back),
      log_(request.log),
      ticket_(new_callback_ticket()) {
  ticket_.book = &log_;
  ticket_.intermediate = request.intermediate;
}

}  // namespace delassus
