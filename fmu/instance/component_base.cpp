#include "fmu/instance/component_base.hpp"

#include <algorithm>
#include <cstring>

namespace delassus {
namespace {

std::string_view category_of(Status status) {
  switch (status) {
    case Status::ok:
    case Status::warning:
      return "logStatusWarning";
    case Status::discard:
      return "logStatusDiscard";
    case Status::error:
      return "logStatusError";
    case Status::fatal:
      return "logStatusFatal";
  }
  return "logStatusError";
}

std::string without_braces(std::string text) {
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') return text.substr(1, text.size() - 2);
  return text;
}

// The target of an importer's pointer to a state. An existing state is overwritten in place (FMI 2.0.4,
// section 2.1.8; FMI 3.0.2, section 2.2.6.4).
struct HeldState {
  std::unique_ptr<SlaveState> state;
};

SlaveState const& held(void const* state) {
  return *static_cast<HeldState const*>(state)->state;
}

void store(std::unique_ptr<SlaveState> taken, void** state) {
  if (!*state) *state = new HeldState;
  static_cast<HeldState*>(*state)->state = std::move(taken);
}

}  // namespace

void demand(void const* pointer, char const* name) {
  if (!pointer) throw SlaveError(Status::error, "argument '" + std::string(name) + "' is NULL");
}

Component::Component(std::string name, bool logging_on, Deliver deliver)
    : name_(std::move(name)), deliver_(std::move(deliver)), logging_on_(logging_on) {
  categories_ = chosen(0, nullptr);
}

void Component::load(int fmi_version, char const* token, std::string const& resources,
                     SlaveOptions const& options) {
  if (!token) throw std::runtime_error("the GUID or instantiation token is NULL");
  // Strings of FMI are UTF-8, but a path on Windows takes a std::string for bytes of the code page.
  auto const model = load_model(std::u8string(resources.begin(), resources.end()));
  // FMI 2 importers may strip braces from a GUID or add them.
  if (without_braces(token) != model->token(fmi_version)) {
    throw std::runtime_error("the GUID or instantiation token '" + std::string(token) +
                             "' does not match that of this FMU, '" + model->token(fmi_version) +
                             "'; modelDescription.xml and the resources belong to different FMUs");
  }
  if (options.model_exchange && !model->table().offers_model_exchange()) {
    throw std::runtime_error(
        "this FMU does not offer model exchange; use co-simulation. (Controllers never offer it, and scenes "
        "only without states=\"no\" and feedthrough=\"no\" in <interface>.)");
  }
  LogSink sink;
  if (deliver_)
    sink = [this](Status status, std::string_view category, std::string const& message) {
      log(status, category, message);
    };
  slave_ = make_slave(model, std::move(sink), options);
  apply_tracing();
}

std::set<std::string, std::less<>> Component::chosen(std::size_t count, char const* const* categories) const {
  std::set<std::string, std::less<>> names;
  auto const known = log_categories();
  for (std::size_t i = 0; i < count; ++i) {
    std::string const name = categories && categories[i] ? categories[i] : "";
    if (std::none_of(known.begin(), known.end(), [&](LogCategory const& c) { return c.name == name; }))
      throw SlaveError(Status::error, "there is no log category '" + name + "'");
    names.insert(name);
  }
  if (count == 0) {
    for (LogCategory const& category : known) names.insert(std::string(category.name));
  }
  return names;
}

void Component::set_logging(bool on, std::size_t count, char const* const* categories) {
  std::set<std::string, std::less<>> const names =
      !on && count == 0 ? categories_ : chosen(count, categories);
  // Logging was off before, so earlier lists of categories no longer apply.
  if (!logging_on_) categories_.clear();
  for (std::string const& name : names) {
    if (on) {
      categories_.insert(name);
    } else {
      categories_.erase(name);
    }
  }
  logging_on_ = !categories_.empty();
  switched_off_ = !logging_on_;
  apply_tracing();
}

void Component::set_logging_only(bool on, std::size_t count, char const* const* categories) {
  categories_ = chosen(count, categories);
  logging_on_ = on;
  switched_off_ = !on;
  apply_tracing();
}

void Component::apply_tracing() {
  auto const is_on = [this](std::string_view category) {
    return logging_on_ && deliver_ && categories_.contains(category);
  };
  slave_->set_tracing(is_on("logEvents"), is_on("logSolver"));
  logs_calls_ = is_on("logCalls");
}

void Component::log_call(char const* function, Status status) const {
  static constexpr std::string_view names[] = {"OK", "Warning", "Discard", "Error", "Fatal"};
  log(Status::ok, "logCalls",
      std::string(function) + " -> " + std::string(names[static_cast<std::size_t>(status)]));
}

void Component::demand_model_exchange() const {
  if (!slave_->options().model_exchange)
    throw SlaveError(Status::error,
                     "this is a co-simulation instance; the function belongs to model exchange");
}

void Component::demand_co_simulation() const {
  if (slave_->options().model_exchange)
    throw SlaveError(Status::error,
                     "this is a model exchange instance; the function belongs to co-simulation");
}

void Component::demand_count(std::size_t count, std::size_t wanted) {
  if (count != wanted) {
    throw SlaveError(Status::error, "the vector has " + std::to_string(count) + " elements and must have " +
                                        std::to_string(wanted));
  }
}

void Component::log(Status status, std::string_view category, std::string const& message) const {
  if (!deliver_) return;
  // Without the reason a status is a riddle: an importer that shows no log gets at least those of its failures. What
  // it switches on is a log for debugging, and not what a run has to say about its results.
  bool const always = status == Status::discard || status == Status::error || status == Status::fatal ||
                      (status == Status::warning && !logging_on_ && !switched_off_);
  if (!always && !(logging_on_ && categories_.contains(category))) return;
  // A single # begins a value reference (FMI 2.0.4, section 2.1.3; FMI 3.0.2, section 2.3.1).
  std::string escaped;
  for (char const c : message) escaped.append(c == '#' ? 2 : 1, c);
  deliver_(status, std::string(category).c_str(), escaped.c_str());
}

Status Component::guard(char const* function, unsigned allowed_phases,
                        std::function<void()> const& action) noexcept {
  auto const fail = [&](Status status, std::string const& message) {
    try {
      log(status, category_of(status), std::string(function) + ": " + message);
      if (logs_calls_) log_call(function, status);
    } catch (...) {  // the importer's logger threw: the status still tells
    }
    return status;
  };
  try {
    if (slave_ && (static_cast<unsigned>(slave_->phase()) & allowed_phases) == 0) {
      return fail(Status::error, "not allowed in the state '" + std::string(text(slave_->phase())) + "'");
    }
    action();
    if (logs_calls_) log_call(function, Status::ok);
    return Status::ok;
  } catch (SlaveError const& error) {
    return fail(error.status(), error.what());
  } catch (std::exception const& error) {
    return fail(Status::error, error.what());
  } catch (...) {
    return fail(Status::fatal, "unknown error");
  }
}

void Component::take_state(void** state) {
  demand(state, "FMUState");
  store(slave_->take_state(), state);
}

void Component::put_state(void* state) {
  demand(state, "FMUState");
  slave_->put_state(held(state));
}

void Component::free_state(void** state) {
  if (!state) return;  // freeing nothing is not an error
  delete static_cast<HeldState*>(*state);
  *state = nullptr;
}

std::size_t Component::state_size(void* state) {
  demand(state, "FMUState");
  return held(state).bytes().size();
}

void Component::write_state(void* state, void* bytes, std::size_t size) {
  demand(state, "FMUState");
  demand(bytes, "serializedState");
  std::string const serialised = held(state).bytes();
  if (size < serialised.size()) {
    throw SlaveError(Status::error, "the buffer has " + std::to_string(size) +
                                        " bytes, and the state needs " + std::to_string(serialised.size()));
  }
  std::memcpy(bytes, serialised.data(), serialised.size());
}

void Component::read_state(void const* bytes, std::size_t size, void** state) {
  demand(bytes, "serializedState");
  demand(state, "FMUState");
  store(slave_->read_state({static_cast<char const*>(bytes), size}), state);
}

}  // namespace delassus
