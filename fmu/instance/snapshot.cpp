// A snapshot as bytes. Increase `snapshot_seal.version` with every change of the structs below, and check what is new in
// snapshot_check.cpp.
#include "fmu/instance/snapshot.hpp"

#include "fmu/content/portable_bytes.hpp"
#include "fmu/content/sealed_bytes.hpp"

namespace delassus {
namespace {

constexpr SealKind snapshot_seal{"DELSTATE", 9, "FMU state"};

}  // namespace

template <class Archive>
void serialize(Archive& archive, BlockForce& f) {
  archive(f.identity, f.lambda);
}
template <class Archive>
void serialize(Archive& archive, BlockParadox& p) {
  archive(p.identity, p.paradox);
}
template <class Archive>
void serialize(Archive& archive, ModeEvent& e) {
  archive(e.t, e.source, e.before, e.after);
}
template <class Archive>
void serialize(Archive& archive, StepperState::Interval& i) {
  archive(i.t, i.size, i.x, i.dxdt, i.lambda, i.x_end, i.dxdt_end, i.events, i.sides_end, i.closed, i.impact,
          i.x_after, i.closed_after);
}
template <class Archive>
void serialize(Archive& archive, EnergyWatch& e) {
  archive(e.comparable, e.told, e.energy, e.recovered, e.gained, e.largest);
}
template <class Archive>
void serialize(Archive& archive, StepperState& s) {
  archive(s.t, s.x, s.lambda, s.paradoxes, s.sides, s.modes, s.closed, s.closed_known, s.has_interval,
          s.interval, s.next_size, s.unsolved, s.energy);
}
template <class Archive>
void serialize(Archive& archive, Snapshot& s) {
  archive(s.model, s.model_exchange, s.phase, s.start, s.stop, s.parameters, s.inputs, s.input_derivatives,
          s.inputs_seen, s.events, s.clock_ticks, s.held_outputs, s.held_events, s.settings,
          s.tolerance_was_set, s.motion_current, s.stepper);
}

std::string Snapshot::bytes() const {
  return serialise(*this);
}

std::string serialise(Snapshot const& snapshot) {
  return seal(snapshot_seal, to_bytes(snapshot));
}

Snapshot deserialise(std::string_view bytes) {
  return from_bytes<Snapshot>(unseal(snapshot_seal, bytes), snapshot_seal.name);
}

}  // namespace delassus
