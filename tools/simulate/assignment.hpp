// Values as a user writes them: `tip_ground.mu=0.8`, `rod.initial.angle=45deg`, `solver.stepper=implicit`,
// `push=1 0`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/import/simulated_instance.hpp"

namespace delassus {

// The value of one signal in its own type: numbers (angles also in degrees), true and false, items of an
// enumeration by name or number, texts. Throws CommandError that names the signal, the text and what is
// expected.
SignalValue parse_value(SignalTable const& signals, std::size_t signal, std::string_view text);

// `name=value`; an array by its name takes its values separated by blanks or commas. Throws CommandError,
// also for what cannot be set and for what is outside of the declared range, and UnknownSignal.
std::vector<SignalValue> parse_assignment(SignalTable const& signals, std::string_view text);

// What assignments, which were parsed, hardly mean: degrees taken for radians.
std::vector<std::string> notes_on_settings(SignalTable const& signals, std::span<const std::string> settings);

// The same of one `name=value` of a known unit; empty: nothing to say.
std::string note_on_setting(std::string_view text, std::string_view unit);

// The same of the values of one `name=...` in the words of a range: `5:85:6`, `-100~5`, `30,60deg`. Of values that hardly
// are radians, the largest is named.
std::string note_on_range(std::string_view name, std::string_view values, std::string_view unit);

// `>= 0 m`, where the value is outside of the range that the signal declares; otherwise empty.
std::string range_rule(Signal const& signal, double value);

// Whether a user may give it a value before a run: inputs, parameters, and start values of others.
bool can_be_set(Signal const& signal);

// 2 -> stick
std::string value_text(Signal const& signal, double value);

// Sets the values. Where the instance refuses them, the error has their names: an FMU that logs nothing tells only which
// function refused.
void set_by_name(SimulatedInstance& instance, std::span<const SignalValue> values);

}  // namespace delassus
