#include "tools/cosim/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/language/vocabulary.hpp"
#include "tools/support/interruption.hpp"

namespace delassus {

CosimRecorder::CosimRecorder(CosimSystem const& system, CosimPlan const& plan, CosimWiring const& wiring,
                             CosimParticipants& participants, TimeTable& table)

    : plan_(plan), participants_(participants), table_(table), row_(plan.recorded.size()) {
  for (std::size_t component = 0; component < system.components.size(); ++component) {
    Part outputs, inputs;
    std::vector<std::size_t> output_signals, input_signals;
    outputs.component = inputs.component = component;
    for (std::size_t column = 0; column < plan.recorded.size(); ++column) {
      CosimColumn const& recorded = plan.recorded[column];
      if (recorded.component != component) continue;
      auto const wire = std::ranges::find_if(wiring.wires, [&](CosimWire const& candidate) {
        return candidate.to == component && candidate.to_signal == recorded.signal;
      });
      if (wire != wiring.wires.end()) {
        wired_.push_back({column, &*wire});
      } else if (system.components[component].signals[recorded.signal].is_input()) {
        inputs.columns.push_back(column);
        input_signals.push_back(recorded.signal);
      } else {
        outputs.columns.push_back(column);
        output_signals.push_back(recorded.signal);
      }
    }
    CosimParticipant& participant = *participants[component];
    auto const add = [&](Part& part, std::vector<std::size_t> const& signals, std::vector<Part>& parts) {
      if (signals.empty()) return;
      part.values.resize(signals.size());
      participant.guard([&] { part.port = participant.instance().make_port(signals); });
      parts.push_back(std::move(part));
    };
    add(outputs, output_signals, read_);
    add(inputs, input_signals, free_);
  }
  for (std::size_t column = 0; column < plan.recorded.size(); ++column) {
    auto const& recorded = plan.recorded[column];
    if (recorded.factor != 1 || recorded.offset != 0 || !recorded.mapping.empty())
      converted_.push_back(column);
  }
  UndisturbedWork const undisturbed;
  for (auto const& recorded : plan.recorded) table.names.push_back(recorded.name);
}

void CosimRecorder::read_free_inputs() {
  for (auto& part : free_) {
    participants_[part.component]->guard([&] { part.port->read(part.values); });
    for (std::size_t i = 0; i < part.columns.size(); ++i) row_[part.columns[i]] = part.values[i];
  }
}

void CosimRecorder::record(CosimHistory const& history) {
  for (auto& part : read_) {
    participants_[part.component]->guard([&] { part.port->read(part.values); });
    for (std::size_t i = 0; i < part.columns.size(); ++i) row_[part.columns[i]] = part.values[i];
  }
  for (auto const& [column, wire] : wired_) row_[column] = wire->convert(history.now()[wire->output]);
  for (auto const column : converted_) {
    auto const& recorded = plan_.recorded[column];
    auto const partner = std::ranges::find(recorded.mapping, row_[column], &std::pair<double, double>::first);
    row_[column] = partner != recorded.mapping.end() ? partner->second
                                                     : recorded.factor * row_[column] + recorded.offset;
  }
  UndisturbedWork const undisturbed;
  table_.add_row(history.time(), row_);
}

std::vector<CosimColumn> choose_columns(CosimSystem const& system, std::vector<std::string> const& names) {
  std::vector<CosimColumn> all, others;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    auto const& component = system.components[i];
    for (bool const inputs : {true, false}) {
      for (std::size_t k = 0; k < component.signals.signals().size(); ++k) {
        Signal const& signal = component.signals[k];
        if (!signal.is_number() || signal.is_input() != inputs) continue;
        (signal.is_input() || signal.is_output() ? all : others)
            .push_back({component.name + "." + signal.name, i, k, signal.unit});
      }
    }
  }
  for (auto const& output : system.outputs) {
    bool const taken =
        std::ranges::any_of(all, [&](auto const& column) { return column.name == output.name; });
    if (!taken)
      all.push_back({output.name, output.component, output.signal, output.unit, output.factor, output.offset,
                     output.mapping});
  }
  if (names.empty()) return all;
  auto const stands_for = [](std::string const& shown, std::string_view name) {
    return name == shown || name.starts_with(shown + ".") || name.starts_with(shown + "[");
  };
  std::vector<CosimColumn> chosen;
  auto const add = [&](CosimColumn const& column) {
    if (std::ranges::none_of(chosen, [&](auto const& known) { return known.name == column.name; }))
      chosen.push_back(column);
  };
  for (auto const& name : names) {
    bool found = false;
    for (auto const& column : all) {
      if (!stands_for(name, column.name)) continue;
      add(column);
      found = true;
    }
    for (auto const& column : others) {
      if (column.name != name) continue;
      add(column);
      found = true;
    }
    if (found) continue;
    std::vector<std::string_view> known;
    known.reserve(all.size() + others.size());
    for (auto const& column : all) known.push_back(column.name);
    for (auto const& column : others) known.push_back(column.name);
    throw UnknownSignal(
        fmt::format("the system has no variable '{}' to record{}", name, suggested_names(name, known)));
  }
  return chosen;
}

SignalTable recorded_signals(CosimSystem const& system, std::vector<CosimColumn> const& recorded) {
  std::vector<Signal> signals;
  for (auto const& column : recorded) {
    Signal signal = system.components[column.component].signals[column.signal];
    signal.name = column.name;
    if (column.unit != signal.unit) signal.display_unit.clear();  // it is of the variable's unit
    signal.unit = column.unit;
    if (!column.mapping.empty()) signal.items.clear();  // they are those of the variable
    signal.first = signals.size();
    signal.offset = 0;
    signal.size = 1;
    signals.push_back(std::move(signal));
  }
  return SignalTable(signals);
}

}  // namespace delassus
