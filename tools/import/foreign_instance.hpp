// What the two faces of an imported instance share: calls that fail with the FMU's own words, and callbacks of
// which an FMU may keep a pointer for longer than it should.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <string>

#include "tools/import/fmu.hpp"
#include "tools/import/simulated_instance.hpp"

namespace delassus {

// What an FMU gets as its environment. Never freed: an FMU that calls back after its instance was freed finds
// memory here and not a hole, and it is counted.
struct CallbackTicket {
  std::atomic<InstanceLogBook*> book = nullptr;
  IntermediateHandler intermediate;
  std::shared_ptr<void> version_specific;  // FMI 2: the structure of callbacks, which lives as long as this

  void add(LogMessage message);
};
CallbackTicket& new_callback_ticket();

// FMI 2: while it lives, an importer without memory to give.
class OutOfMemory {
 public:
  OutOfMemory();
  ~OutOfMemory();
  OutOfMemory(OutOfMemory const&) = delete;
  OutOfMemory& operator=(OutOfMemory const&) = delete;
};

class ForeignInstance : public SimulatedInstance {
 public:
  ForeignInstance(InstanceContext const& context, InstanceRequest const& request);
  ~ForeignInstance() override { ticket_.book = nullptr; }

  // A call of the FMU, for ports as well: throws what the FMU said where it did not succeed.
  template <typename Function, typename... Arguments>
  void call(Function function, std::string_view name, Arguments... arguments) {
    require(function, name);
    log_.start_call();
    judge(static_cast<int>(function(handle_, arguments...)), name);
  }

 protected:
  [[noreturn]] void fail(std::string_view function, Status status, std::string const& what) const {
    std::string said = log_.of_this_call();
    // Many FMUs, ours too, name the function themselves.
    if (std::string const own = fmt::format("{}: ", function); said.starts_with(own))
      said.erase(0, own.size());
    throw InstanceError(status, fmt::format("{} {}{}", function, what, said.empty() ? "" : ": " + said));
  }

  template <typename Function>
  static void require(Function function, std::string_view name) {
    if (function == nullptr) throw InstanceError(Status::fatal, fmt::format("{} is not exported", name));
  }

  void judge(int status, std::string_view name) const {
    if (status == 0 || status == 1) return;  // ok, warning: the same in both versions
    // Pending, which only FMI 2 has, is never allowed here.
    Status const known =
        status > static_cast<int>(Status::fatal) || status < 0 ? Status::error : static_cast<Status>(status);
    fail(name, known, fmt::format("returned {}", status_name(known)));
  }

  ModelDescription const& description_;
  DescribedInterface const& interface_;
  InterfaceKind const kind_;
  bool const goes_back_;  // as in InstanceRequest
  InstanceLogBook log_;
  CallbackTicket& ticket_;
  void* handle_ = nullptr;
};

}  // namespace delassus
