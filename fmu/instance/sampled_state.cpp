// The state of a controller as bytes. Increase `sampled_seal.version` with every change of the struct.
#include "fmu/instance/sampled_state.hpp"

#include "fmu/content/portable_bytes.hpp"
#include "fmu/content/sealed_bytes.hpp"

namespace delassus {
namespace {

constexpr SealKind sampled_seal{"DELSAMPL", 1, "FMU state"};

}  // namespace

template <class Archive>
void serialize(Archive& archive, SampledState& s) {
  archive(s.model, s.model_exchange, s.phase, s.start, s.stop, s.parameters, s.inputs, s.input_derivatives,
          s.t, s.next, s.law, s.outputs, s.shown);
}

std::string SampledState::bytes() const {
  return seal(sampled_seal, to_bytes(*this));
}

SampledState read_sampled_state(std::string_view bytes) {
  return from_bytes<SampledState>(unseal(sampled_seal, bytes), sampled_seal.name);
}

}  // namespace delassus
