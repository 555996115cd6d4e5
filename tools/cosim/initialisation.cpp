#include "tools/cosim/initialisation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/scene/number.hpp"
#include "tools/cosim/fixed_point.hpp"
#include "tools/cosim/graph.hpp"
#include "tools/simulate/assignment.hpp"

namespace delassus {
namespace {

constexpr int most_repetitions = 200;

class Initialiser {
 public:
  Initialiser(CosimSystem const& system, CosimPlan const& plan, CosimParticipants& participants)
      : system_(system), plan_(plan), participants_(participants) {}

  void hand_on(CosimSignalGroup const& group) {
    if (group.is_loop && plan_.loops == LoopTreatment::solve) {
      solve(group);
      return;
    }
    for (auto const index : group.connections) set(index, arriving(index));
  }

 private:
  bool is_number(std::size_t index) const {
    auto const& connection = system_.connections[index];
    return system_.components[connection.from].signals[connection.from_signal].is_number();
  }
  bool is_float(std::size_t index) const {
    auto const& connection = system_.connections[index];
    return system_.components[connection.to].signals[connection.to_signal].is_float();
  }

  double arriving(std::size_t index) {
    if (!is_number(index)) return 0;
    auto const& connection = system_.connections[index];
    CosimParticipant& from = *participants_[connection.from];
    double value = 0;
    from.guard([&] { from.instance().get({&connection.from_signal, 1}, {&value, 1}); });
    Signal const& to = system_.components[connection.to].signals[connection.to_signal];
    CosimWire wire;
    wire.factor = connection.factor;
    wire.offset = connection.offset;
    wire.mapping = connection.mapping;
    wire.truth = to.type == "Boolean";
    wire.rounds = !to.is_float() && !wire.truth;
    double const converted = wire.convert(value);
    if (!std::isfinite(converted)) {
      throw CosimFailure(Status::error, fmt::format("{}.{} is {} in the initialisation", from.name(),
                                                    from.instance().signals()[connection.from_signal].name,
                                                    format_number(value)));
    }
    return converted;
  }

  void set(std::size_t index, double value) {
    if (!is_number(index)) return;
    auto const& connection = system_.connections[index];
    SignalValue const assignment{connection.to_signal, value};
    CosimParticipant& to = *participants_[connection.to];
    to.guard([&] { to.instance().set({&assignment, 1}); });
  }

  // All inputs of the loop are set, then all of its outputs read.
  void solve(CosimSignalGroup const& group) {
    std::vector<std::size_t> unknowns, others;
    for (auto const index : group.connections) (is_float(index) ? unknowns : others).push_back(index);
    auto const count = static_cast<Eigen::Index>(unknowns.size());
    Eigen::VectorXd x(count), g(count), scale(count);
    std::vector<double> other(others.size());
    for (Eigen::Index i = 0; i < count; ++i) {
      x[i] = arriving(unknowns[static_cast<std::size_t>(i)]);
      scale[i] = 1 + std::abs(x[i]);
    }
    for (std::size_t i = 0; i < others.size(); ++i) other[i] = arriving(others[i]);
    FixedPoint solver(scale, plan_.loop_tolerance);
    for (int repetition = 0; repetition < most_repetitions; ++repetition) {
      for (Eigen::Index i = 0; i < count; ++i) set(unknowns[static_cast<std::size_t>(i)], x[i]);
      for (std::size_t i = 0; i < others.size(); ++i) set(others[i], other[i]);
      for (Eigen::Index i = 0; i < count; ++i) g[i] = arriving(unknowns[static_cast<std::size_t>(i)]);
      bool same = true;
      for (std::size_t i = 0; i < others.size(); ++i) {
        double const value = arriving(others[i]);
        same &= value == other[i];
        other[i] = value;
      }
      if (solver.improve(x, g) && same) return;
    }
    throw CosimFailure(
        Status::error,
        fmt::format(
            "the initial values of the loop {} do not agree after {} repetitions: they still differ by "
            "{:.3g} of their magnitude, allowed is {:.3g}",
            group.path, most_repetitions, solver.residual(), plan_.loop_tolerance));
  }

  CosimSystem const& system_;
  CosimPlan const& plan_;
  CosimParticipants& participants_;
};

}  // namespace

void initialise(CosimSystem const& system, CosimPlan const& plan, CosimParticipants& participants) {
  for (std::size_t i = 0; i < participants.size(); ++i) {
    std::vector<SignalValue> settings = system.components[i].settings;
    for (auto const& [component, value] : plan.settings) {
      if (component == i) settings.push_back(value);
    }
    CosimParticipant& participant = *participants[i];
    try {
      participant.guard([&] { set_by_name(participant.instance(), settings); });
    } catch (CosimFailure const& refusal) {
      throw RefusedSetting(refusal.status(), refusal.what());
    }
    participant.guard([&] {
      participant.instance().enter_initialization({plan.start, plan.stop, plan.tolerance});
    });
  }
  Initialiser initialiser(system, plan, participants);
  for (auto const& group : order_signals(system, DependencyMoment::initialisation))
    initialiser.hand_on(group);
  hand_on_texts(CosimWiring(system), participants);
  for (auto const& participant : participants)
    participant->guard([&] { participant->instance().exit_initialization(); });
}

void hand_on_texts(CosimWiring const& wiring, CosimParticipants& participants) {
  // All are read before one is set: FMI 2 does not allow it the other way about.
  std::vector<std::string> texts;
  std::vector<std::vector<std::uint8_t>> binaries;
  for (auto const& wire : wiring.texts) {
    CosimParticipant& from = *participants[wire.from];
    texts.push_back(from.guard([&] { return from.instance().get_text(wire.from_signal); }));
  }
  for (auto const& wire : wiring.binaries) {
    CosimParticipant& from = *participants[wire.from];
    binaries.push_back(from.guard([&] { return from.instance().get_binary(wire.from_signal); }));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CosimParticipant& to = *participants[wiring.texts[i].to];
    SignalValue const value{wiring.texts[i].to_signal, texts[i]};
    to.guard([&] { to.instance().set({&value, 1}); });
  }
  for (std::size_t i = 0; i < binaries.size(); ++i) {
    CosimParticipant& to = *participants[wiring.binaries[i].to];
    to.guard([&] { to.instance().set_binary(wiring.binaries[i].to_signal, binaries[i]); });
  }
}

}  // namespace delassus
