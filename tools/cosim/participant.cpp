#include "tools/cosim/participant.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/scene/number.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

std::string attribute_of(DescribedInterface const& interface, std::string const& name) {
  auto const found = interface.attributes.find(name);
  return found == interface.attributes.end() ? "" : found->second;
}

}  // namespace

DescribedInterface const* stepping_interface(CosimComponent const& component) {
  if (component.kind == InterfaceKind::model_exchange) return nullptr;
  return component.model->description().interface("CoSimulation");
}

CosimParticipant::CosimParticipant(CosimComponent const& component, std::size_t index,
                                   CosimWiring const& wiring, std::unique_ptr<SimulatedInstance> instance)
    : name_(component.name),
      wiring_(wiring),
      instance_(std::move(instance)),
      outputs_(wiring.outputs_of[index]),
      inputs_(wiring.inputs_of[index]),
      continuous_(wiring.continuous_inputs[index]),
      wires_(std::span(wiring.wires).subspan(inputs_.first, inputs_.count)),
      step_mode_(instance_->step_mode()),
      saves_states_(instance_->saves_states()),
      interpolates_(instance_->interpolates_inputs()) {
  auto const* const interface = stepping_interface(component);
  // Model Exchange: our integrator makes the steps.
  varies_steps_ = interface == nullptr || interface->flag("canHandleVariableCommunicationStepSize");
  std::vector<std::size_t> outputs, inputs;
  for (std::size_t i = 0; i < outputs_.count; ++i)
    outputs.push_back(wiring.outputs[outputs_.first + i].signal);
  for (auto const& wire : wires_) inputs.push_back(wire.to_signal);
  std::vector<std::size_t> const continuous(inputs.begin(),
                                            inputs.begin() + static_cast<std::ptrdiff_t>(continuous_));
  for (auto const signal : continuous) {
    derivative_references_.push_back(instance_->signals()[signal].value_reference);
    interpolates_ &= instance_->signals()[signal].size == 1;  // an array has all of its derivatives, or none
  }
  auto const order =
      interface == nullptr ? std::string() : attribute_of(*interface, "maxOutputDerivativeOrder");
  if (parse_integer<std::uint32_t>(order).value_or(0) > 0) {
    for (std::size_t i = 0; i < outputs_.count; ++i) {
      Signal const& signal = instance_->signals()[outputs[i]];
      // Arrays of FMI 3 would be read as a whole.
      if (!wiring.output_is_continuous[outputs_.first + i] || signal.size != 1) continue;
      slope_references_.push_back(signal.value_reference);
      slope_places_.push_back(outputs_.first + i);
    }
    slope_values_.resize(slope_places_.size());
  }
  guard([&] {
    output_port_ = instance_->make_port(outputs);
    input_port_ = instance_->make_port(inputs);
    continuous_port_ = instance_->make_port(continuous);
  });
}

void CosimParticipant::read_outputs(std::vector<double>& outputs) {
  if (outputs_.count == 0) return;
  std::span<double> const mine = std::span(outputs).subspan(outputs_.first, outputs_.count);
  guard([&] { output_port_->read(mine); });
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (!std::isfinite(mine[i])) fail_number(outputs_.first + i, mine[i]);
  }
}

void CosimParticipant::read_output_slopes(std::vector<double>& slopes) {
  if (slope_references_.empty()) return;
  try {
    instance_->output_derivatives(slope_references_, 1, slope_values_);
  } catch (InstanceError const&) {
    return;  // a convenience of the first step, and no reason to end the run
  }
  for (std::size_t i = 0; i < slope_places_.size(); ++i) {
    if (std::isfinite(slope_values_[i])) slopes[slope_places_[i]] = slope_values_[i];
  }
}

void CosimParticipant::write_inputs(std::vector<double> const& inputs, bool all) {
  std::size_t const count = all ? inputs_.count : continuous_;
  if (count == 0) return;
  std::span<const double> const mine = std::span(inputs).subspan(inputs_.first, count);
  guard([&] { (all ? input_port_ : continuous_port_)->write(mine); });
}

void CosimParticipant::write_input_derivatives(int order, std::vector<double> const& values) {
  if (continuous_ == 0) return;
  guard([&] {
    instance_->set_input_derivatives(derivative_references_, order,
                                     std::span(values).subspan(inputs_.first, continuous_));
  });
}

void CosimParticipant::fail(InstanceError const& error) const {
  throw CosimFailure(error.status(), fmt::format("{}: {}", name_, error.what()));
}

void CosimParticipant::fail_number(std::size_t place, double value) const {
  throw CosimFailure(Status::error, fmt::format("{}.{} is {}, which no other component can be given", name_,
                                                instance_->signals()[wiring_.outputs[place].signal].name,
                                                format_number(value)));
}

}  // namespace delassus
