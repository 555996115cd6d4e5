// Shared by both FMI interfaces: the component with its name, log settings and instance; the guard that turns
// every exception into a status, once, at the C boundary; and the check of the life cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmu/instance/slave.hpp"

namespace delassus {

class Component {
 public:
  // `deliver` passes a message to the importer. It may be empty, because an importer may pass no logger.
  using Deliver = std::function<void(Status, char const* category, char const* message)>;

  Component(std::string name, bool logging_on, Deliver deliver);

  // Loads the model and checks its token; throws std::runtime_error.
  void load(int fmi_version, char const* token, std::string const& resources, SlaveOptions const& options);

  Slave& slave() { return *slave_; }
  std::string const& name() const { return name_; }

  // Both throw SlaveError for an unknown category. An empty list means all. FMI 3: switches these categories
  // on or off and leaves the others. FMI 2: switches logging off, or on for only these categories.
  void set_logging(bool on, std::size_t count, char const* const* categories);
  void set_logging_only(bool on, std::size_t count, char const* const* categories);

  // Throw SlaveError if the instance is of the other interface type, or a vector has the wrong length.
  void demand_model_exchange() const;
  void demand_co_simulation() const;
  static void demand_count(std::size_t count, std::size_t wanted);

  // Errors are always logged, and warnings, which are few, where a host has never spoken of logging; other messages
  // only if their category is on.
  void log(Status status, std::string_view category, std::string const& message) const;

  // Runs `action` if `function` may be called in the present phase. Every exception becomes a status and a
  // message.
  Status guard(char const* function, unsigned allowed_phases, std::function<void()> const& action) noexcept;

  // The FMU state functions, which are the same in both versions. A state is a SlaveState behind a
  // void pointer.
  void take_state(void** state);
  void put_state(void* state);
  static void free_state(void** state);
  static std::size_t state_size(void* state);
  static void write_state(void* state, void* bytes, std::size_t size);
  void read_state(void const* bytes, std::size_t size, void** state);

  // FMI 3: the intermediate update that the importer requested.
  std::vector<std::uint32_t> intermediate_variables;

  // Buffers for conversions between the importer's types and double. They are reused, so that a step does not
  // allocate.
  std::vector<double> buffer;

 private:
  void apply_tracing();
  std::set<std::string, std::less<>> chosen(std::size_t count, char const* const* categories) const;
  void log_call(char const* function, Status status) const;

  std::string name_;
  Deliver deliver_;
  bool logging_on_;
  bool switched_off_ = false;  // by a call, and not only left off
  std::set<std::string, std::less<>> categories_;
  bool logs_calls_ = false;
  std::unique_ptr<Slave> slave_;
};

// Throws SlaveError if a pointer argument is NULL.
void demand(void const* pointer, char const* name);

constexpr unsigned operator|(Phase a, Phase b) {
  return static_cast<unsigned>(a) | static_cast<unsigned>(b);
}
constexpr unsigned operator|(unsigned a, Phase b) {
  return a | static_cast<unsigned>(b);
}

inline constexpr unsigned any_phase = Phase::instantiated | Phase::initialization | Phase::step |
                                      Phase::event | Phase::continuous | Phase::terminated;
inline constexpr unsigned before_the_end =
    Phase::instantiated | Phase::initialization | Phase::step | Phase::event | Phase::continuous;
inline constexpr unsigned after_initialization_began =
    any_phase & ~static_cast<unsigned>(Phase::instantiated);

// Nominal values of states: 1 m, 1 rad, and 1 of their rates.
inline constexpr double nominal_of_states = 1;

}  // namespace delassus
