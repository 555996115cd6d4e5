// The compiled controller as bytes. Increase `controller_seal.version` with every change of the structs
// below.
#include "fmu/content/controller_check.hpp"
#include "fmu/content/controller_model.hpp"
#include "fmu/content/parameter_serialisation.hpp"
#include "fmu/content/sealed_bytes.hpp"

namespace delassus {
namespace {

constexpr SealKind controller_seal{"DELCONTR", 1, "compiled controller"};

}  // namespace

template <class Archive>
void serialize(Archive& archive, ControllerPort& x) {
  archive(x.name, x.description, x.unit);
}
template <class Archive>
void serialize(Archive& archive, Controller& x) {
  archive(x.name, x.description, x.law, x.experiment, x.rate_is_measured, x.shape, x.points, x.states,
          x.parameters, x.inputs, x.outputs, x.actuators);
}

std::string write_controller_archive(Controller const& controller) {
  return seal(controller_seal, to_bytes(controller));
}

Controller read_controller_archive(std::string_view bytes) {
  auto controller = from_bytes<Controller>(unseal(controller_seal, bytes), controller_seal.name);
  try {
    check_controller(controller);
  } catch (std::exception const& error) {
    throw std::runtime_error("the " + std::string(controller_seal.name) + " cannot be used: " + error.what());
  }
  return controller;
}

}  // namespace delassus
