#include "fmu/fmi3/component.hpp"

#include <memory>

namespace delassus {

fmi3Instance instantiate_fmi3(char const* function, fmi3String name, fmi3String token,
                              fmi3String resource_path, fmi3Boolean logging_on,
                              fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message,
                              SlaveOptions const& options,
                              std::function<void(Fmi3Component&)> const& finish) {
  std::unique_ptr<Fmi3Component> component;
  try {
    Component::Deliver deliver;
    if (log_message) {
      deliver = [environment, log_message](Status status, char const* category, char const* message) {
        log_message(environment, to_fmi3(status), category, message);
      };
    }
    component = std::make_unique<Fmi3Component>(name ? name : "", logging_on, deliver);
  } catch (...) {
    return nullptr;
  }
  Status const status = component->guard(function, any_phase, [&] {
    if (component->name().empty()) throw SlaveError(Status::error, "the instance name is missing");
    if (!resource_path)
      throw SlaveError(Status::error, "the resource path is NULL; this FMU needs its 'resources' folder");
    component->load(3, token, resource_path, options);
    finish(*component);
  });
  return status == Status::ok ? component.release() : nullptr;
}

void demand_intermediate_update(VariableTable const& table, std::uint32_t reference) {
  auto const [variable, offset] = table.find(reference);
  if (variable && offset == 0 && table.has_intermediate_update(*variable)) return;
  throw SlaveError(Status::error, "requiredIntermediateVariables names the value reference " +
                                      std::to_string(reference) +
                                      ", which is not a variable with intermediateUpdate");
}

}  // namespace delassus
